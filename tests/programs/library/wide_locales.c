/* What setlocale() takes and answers: from the environment (LANG is C.UTF-8 here), by category, by names. */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static void ask(int category, const char *name)
{
    errno = 0;
    const char *answer = setlocale(category, name);
    printf("%d [%s] -> %s%s; %s %zu\n", category, name ? name : "NULL", answer ? answer : "NULL",
           answer ? "" : errno == ENOENT ? " ENOENT" : " EINVAL", nl_langinfo(CODESET), MB_CUR_MAX);
}

static void in_the_c_locale(void)
{
    setlocale(LC_ALL, "C");
    mbstate_t state = {0};
    char text[20];
    wchar_t wide[20];
    errno = 0;
    printf("%zd %d", (ssize_t)mbrtowc(wide, "\xc3\xa9", 2, &state), errno == EILSEQ);
    errno = 0;
    int count = snprintf(text, sizeof text, "%lc", 0x1134);
    printf(" %d %d", count, errno == EILSEQ);
    count = swprintf(wide, 20, L"%lc%c", 0x1134, 'x');
    printf(" %d %x %d %x\n", count, wide[0], iswalpha(0xe9), towupper(0xe9));
    FILE *file = fopen("wide_locales.tmp", "w+");
    printf("%x %d", fputwc(0x1134, file), fwprintf(file, L"%lc%lc%ls.\n", 0x20ac, 0xa9, L"\u00bd\u03a9\u00c6"));
    printf(" %d %d\n", fflush(file), ferror(file));
    setlocale(LC_ALL, "C.UTF-8"); /* the stream stays as it was when it became wide */
    fputws(L"\u4e2d\n", file);
    fclose(file);
    file = fopen("wide_locales.tmp", "r");
    while (fgets(text, sizeof text, file))
        printf("%s", text);
    fclose(file);
    remove("wide_locales.tmp");
}

int main(void)
{
    ask(LC_ALL, NULL);
    printf("[%C]", (wint_t)0x1134);
    printf("\n");
    ask(LC_ALL, "");
    printf("[%C]\n", (wint_t)0x1134);
    setenv("LC_CTYPE", "POSIX", 1);
    ask(LC_ALL, "");
    char *kept = strdup(setlocale(LC_ALL, 0));
    setenv("LC_ALL", "C.utf8", 1);
    ask(LC_CTYPE, "");
    ask(LC_ALL, "");
    ask(LC_ALL, "C");
    ask(LC_ALL, kept);
    ask(LC_CTYPE, kept);
    free(kept);
    setenv("LC_ALL", "xx_YY.UTF-8", 1);
    ask(LC_ALL, "");
    setenv("LC_ALL", "", 1);
    unsetenv("LC_CTYPE");
    setenv("LANG", "", 1);
    ask(LC_ALL, "");
    static const char *const names[] = {"C.UTF-8", "C.utf8", "C.UTF8", "POSIX", "c.utf-8", "C.utf_8", "C.",
                                        "C.ISO-8859-1", "en_US.UTF-8", "UTF-8", "C/C.UTF-8", "LC_CTYPE=C.UTF-8",
                                        "LC_CTYPE=C.UTF-8;LC_NUMERIC=C", "C.UTF-8@euro"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setlocale(LC_ALL, "C");
        ask(LC_ALL, names[i]);
    }
    setlocale(LC_ALL, "C");
    for (int category = -1; category < 14; category++) {
        ask(category, "C.UTF-8");
        ask(LC_ALL, NULL);
    }
    ask(LC_CTYPE, "C");
    printf("%s\n", localeconv()->decimal_point);

    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0), plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    uselocale(utf8);
    ask(LC_CTYPE, NULL);
    printf("%d %s %s\n", iswalpha(0xe9) != 0, nl_langinfo_l(CODESET, plain), nl_langinfo_l(CODESET, utf8));
    uselocale(plain);
    ask(LC_ALL, "C.UTF-8");
    uselocale(LC_GLOBAL_LOCALE);
    ask(LC_CTYPE, NULL);
    errno = 0;
    printf("%d", newlocale(LC_ALL_MASK, "xx", (locale_t)0) != 0);
    printf(" %d\n", errno == ENOENT);
    freelocale(utf8);
    in_the_c_locale();
    return 0;
}
