/* wide_characters.c - writes vm/library/wide_characters.def: what the host's C library knows about characters. Run by
 * hand where that file is to follow a newer one:
 *
 *   cc scripts/wide_characters.c -o /tmp/wide_characters && /tmp/wide_characters > vm/library/wide_characters.def
 */
#define _GNU_SOURCE
#include <gnu/libc-version.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

enum { LIMIT = 0x110000, MOST_KINDS = 1000, MOST_RUNS = 10000, A_LINE = 12 };

typedef struct Kind {
    unsigned classes;
    int width, lower, upper;
} Kind;

static Kind kinds[MOST_KINDS];
static int n_kinds;

/* The bits of the classes are those of <ctype.h>. */
static int kind_of(wint_t c)
{
    static const char *const names[16] = {"blank", "cntrl", "punct", "alnum", 0,        0,       0,       0,
                                          "upper", "lower", "alpha", "digit", "xdigit", "space", "print", "graph"};
    Kind kind = {0, wcwidth((wchar_t)c), (int)(towlower(c) - c), (int)(towupper(c) - c)};
    for (int i = 0; i < 16; i++)
        if (names[i] && iswctype(c, wctype(names[i])))
            kind.classes |= 1U << i;
    int i = 0;
    while (i < n_kinds && memcmp(&kinds[i], &kind, sizeof kind) != 0)
        i++;
    if (i == n_kinds)
        kinds[n_kinds++] = kind;
    return i;
}

static void print_runs(void)
{
    static struct {
        unsigned first;
        int kind;
    } runs[MOST_RUNS];
    int n = 0;
    for (wint_t c = 0; c < LIMIT; c++) {
        int kind = kind_of(c);
        if (n > 0 && kind == runs[n - 1].kind)
            continue;
        runs[n].first = c;
        runs[n++].kind = kind;
    }
    for (int i = 0; i < n_kinds; i++)
        printf("KIND(0x%04x, %d, %d, %d)\n", kinds[i].classes, kinds[i].width, kinds[i].lower, kinds[i].upper);
    for (int i = 0; i < n; i++)
        printf("%sRUN(0x%x, %d)", i == 0 ? "\n" : i % A_LINE ? " " : "\n", runs[i].first, runs[i].kind);
    printf("\n");
}

/* What a wide stream in the C locale writes where it is not "?". */
static void print_spellings(FILE *file)
{
    for (wchar_t c = 0x80; c < LIMIT; c++) {
        fputwc(L'\n', file);
        fputwc(c, file);
    }
    fputwc(L'\n', file);
    file = freopen(0, "r", file);
    char line[64];
    int n = 0;
    for (unsigned c = 0x7f; fgets(line, sizeof line, file); c++) {
        line[strcspn(line, "\n")] = 0;
        if (c < 0x80 || strcmp(line, "?") == 0)
            continue;
        printf(n++ % (A_LINE / 2) ? " SPELLING(0x%x, \"" : "\nSPELLING(0x%x, \"", c);
        for (const char *at = line; *at; at++)
            printf(*at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
        printf("\")");
    }
    printf("\n");
}

int main(void)
{
    FILE *file = fopen("/tmp/wide_characters.text", "w+");
    printf(
        "/* wide_characters.def - what is known of each character: classes, width, the other case, and what stands "
        "for\n"
        " * it where only ASCII can be written. Made by scripts/wide_characters.c from the locales C.UTF-8 and C of\n"
        " * glibc %s (Unicode's data); not to be edited.\n"
        " *\n"
        " * KIND(classes, width, lower, upper): the bits of <ctype.h>, columns, distances to the other case. "
        "RUN(first,\n"
        " * kind): the characters from `first` to the next run are of the KIND with this number. SPELLING(character,\n"
        " * text). Runs and spellings ascend.\n"
        " */\n"
        "#ifndef KIND\n#define KIND(classes, width, lower, upper)\n#endif\n"
        "#ifndef RUN\n#define RUN(first, kind)\n#endif\n"
        "#ifndef SPELLING\n#define SPELLING(character, text)\n#endif\n\n",
        gnu_get_libc_version());
    if (!file)
        return 1;
    print_spellings(file);
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 1;
    printf("\n");
    print_runs();
    printf("\n#undef KIND\n#undef RUN\n#undef SPELLING\n");
    return 0;
}
