/* Strings of wide characters (C11 7.29.4). */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    wchar_t text[32] = L"wide";
    wcscat(text, L" text");
    char narrow[32];
    printf("%zu %zu %s\n", wcslen(text), wcstombs(narrow, text, sizeof narrow), narrow);
    printf("%d %d\n", wcscmp(text, L"wide text"), wcsncmp(text, L"wider", 5) < 0);
    printf("%d %d\n", (int)(wcschr(text, L'x') - text), (int)(wcsstr(text, L"te") - text));
    wchar_t *state, *word = wcstok(text, L" ", &state);
    printf("%zu %zu\n", wcslen(word), wcslen(wcstok(NULL, L" ", &state)));
    printf("%ld %g %d\n", wcstol(L"123", NULL, 10), wcstod(L"2.5", NULL), iswalpha(L'q') != 0);
    printf("%ls %lc\n", L"printed", L'!');
    return 0;
}
