/* pragma.c - #pragma lines (C11 6.10.6). One table lists the pragmas that are known.
 *
 * pack changes the layout of the structs that follow. weak and redefine_extname name symbols that may be declared
 * before or after, so they are kept and applied at the end of the unit. Pragmas of OpenMP come here without -fopenmp
 * only; they are ignored, which is said once. Other pragmas of compilers (GCC, clang, STDC ...) are ignored silently
 * too. An unknown pragma is ignored with a warning.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/syntax/tokens.h"
#include "compiler/tree/tree.h"

#include <string.h>

typedef struct Words { /* the rest of the line */
    const char *at, *end;
} Words;

/* Takes the next word or number and skips the characters before it. Returns its length, or 0 at the end of the line. */
static size_t take_word(Words *words, const char **word)
{
    while (words->at < words->end && !g_ascii_isalnum(*words->at) && *words->at != '_' && *words->at != '$')
        words->at++;
    *word = words->at;
    while (words->at < words->end && (g_ascii_isalnum(*words->at) || *words->at == '_' || *words->at == '$'))
        words->at++;
    return (size_t)(words->at - *word);
}

static bool is(const char *word, size_t length, const char *text)
{
    return length == strlen(text) && memcmp(word, text, length) == 0;
}

/* #pragma pack: (n), (), (push), (push, n) or (pop). As with gcc, an identifier may be in between. */
static void follow_pack(CcParser *p, Words words, CcLoc loc)
{
    const char *word;
    size_t length;
    bool any = false;
    (void)loc;
    for (; (length = take_word(&words, &word)) > 0; any = true) {
        if (is(word, length, "push") && p->pack.n_saved < G_N_ELEMENTS(p->pack.saved))
            p->pack.saved[p->pack.n_saved++] = p->pack.align;
        else if (is(word, length, "pop") && p->pack.n_saved > 0)
            p->pack.align = p->pack.saved[--p->pack.n_saved];
        else if (length <= 2 && g_ascii_isdigit(*word))
            p->pack.align = (uint32_t)g_ascii_strtoull(word, NULL, 10);
    }
    if (!any || (p->pack.align & (p->pack.align - 1)) != 0 || p->pack.align > 16)
        p->pack.align = 0;
}

static const char *keep(CcParser *p, const char *word, size_t length)
{
    return length ? cc_scope_ident(p, word, length)->text : NULL;
}

static void remember(CcParser *p, Words words, CcLoc loc, bool weak)
{
    CcPragma *pragma = CC_NEW(p->arena, CcPragma);
    const char *word;
    size_t length = take_word(&words, &word);
    pragma->name = keep(p, word, length);
    length = take_word(&words, &word);
    pragma->other = keep(p, word, length);
    pragma->weak = weak;
    pragma->loc = loc;
    pragma->next = p->pragmas;
    if (!pragma->name || (!weak && !pragma->other))
        cc_front_warning(p, loc, "-Wpragmas", "malformed '#pragma %s', ignored", weak ? "weak" : "redefine_extname");
    else
        p->pragmas = pragma;
}

static void follow_weak(CcParser *p, Words words, CcLoc loc)
{
    remember(p, words, loc, true);
}

static void follow_rename(CcParser *p, Words words, CcLoc loc)
{
    remember(p, words, loc, false);
}

static void follow_message(CcParser *p, Words words, CcLoc loc)
{
    const char *first = memchr(words.at, '"', (size_t)(words.end - words.at));
    if (!first)
        return;
    const char *last = words.end;
    while (last > first + 1 && *last != '"')
        last--;
    cc_front_note(p, loc, "#pragma message: %.*s", (int)MIN(last - first - 1, 400), first + 1);
}

/* #pragma GCC diagnostic, and clang's: switches warnings on and off for the text that follows. */
static void follow_compiler(CcParser *p, Words words, CcLoc loc)
{
    const char *word;
    size_t length = take_word(&words, &word);
    if (!is(word, length, "diagnostic"))
        return;
    char *unknown = cc_warning_pragma(p->unit, words.at, words.end, (size_t)(words.at - p->text_start));
    if (unknown)
        cc_front_warning(p, loc, "-Wpragmas", "unknown option '%s' behind '#pragma GCC diagnostic'", unknown);
    g_free(unknown);
}

/* Says once per unit that directives of OpenMP are ignored: a program that then runs serially may be wrong. */
static void ignore_openmp(CcParser *p, Words words, CcLoc loc)
{
    (void)words;
    const CcOptions *options = p->unit->options;
    bool hushed = options->warnings[cc_warning_find("-Wunknown-pragmas")] == CC_WARNING_OFF; /* as programs know it */
    if (p->told_openmp || options->openmp_simd || hushed)
        return;
    p->told_openmp = true;
    loc.length = UINT16_MAX;
    cc_front_warning(p, loc, "-Wopenmp",
                     "'#pragma omp' is ignored, here and below: the program runs without threads; "
                     "compile with -fopenmp");
}

static void pass_over(CcParser *p, Words words, CcLoc loc)
{
    (void)p;
    (void)words;
    (void)loc;
}

static const struct {
    const char *name;
    void (*follow)(CcParser *p, Words words, CcLoc loc);
} pragmas[] = {
    {"pack", follow_pack}, {"weak", follow_weak},    {"redefine_extname", follow_rename}, {"message", follow_message},
    {"STDC", pass_over},   {"GCC", follow_compiler}, {"clang", follow_compiler},          {"omp", ignore_openmp},
    {"ident", pass_over},  {"once", pass_over},
};

void cc_pragma(CcParser *p, const char *at, const char *end, const char *line)
{
    Words words = {at, end};
    const char *word;
    size_t length = take_word(&words, &word);
    CcLoc loc = {p->file, p->line, 1, (uint16_t)MIN(end - line, UINT16_MAX)};
    for (size_t i = 0; i < G_N_ELEMENTS(pragmas); i++)
        if (is(word, length, pragmas[i].name)) {
            pragmas[i].follow(p, words, loc);
            return;
        }
    if (length)
        cc_front_warning(p, loc, "-Wunknown-pragmas", "ignoring '#pragma %.*s'", (int)MIN(length, 40), word);
}
