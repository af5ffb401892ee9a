/* Wide output and input (C11 7.29.2, 7.29.3). */
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wchar_t line[32], text[16];
    wprintf(L"%d %s %ls %5.2f\n", 42, "narrow", L"wide", 3.14159);
    int length = swprintf(text, 16, L"%d-%ls", 7, L"seven");
    int too_long = swprintf(text + 8, 4, L"%s", "longer");
    wprintf(L"%d %ls %d\n", length, text, too_long);
    while (fgetws(line, 32, stdin))
        fputws(line, stdout);
    putwchar(L'!');
    putwchar(L'\n');
    return 0;
}
