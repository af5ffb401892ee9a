typedef unsigned long size_t; typedef int wchar_t; typedef long ptrdiff_t;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t; typedef unsigned long uint64_t;
int main(void)
{
    wchar_t line[32], text[16];
    wprintf(L"%d %s %ls %5.2f\n", 42, "narrow", L"wide", 3.14159);
    int length = swprintf(text, 16, L"%d-%ls", 7, L"seven");
    int too_long = swprintf(text + 8, 4, L"%s", "longer");
    wprintf(L"%d %ls %d\n", length, text, too_long);
    while (fgetws(line, 32, 
                           ((FILE *)1)
                                ))
        fputws(line, 
                    ((FILE *)2)
                          );
    putwchar(L'!');
    putwchar(L'\n');
    return 0;
}
