/* Conversions that may change a value, on demand. */
/* options: -Wconversion */
#include <limits.h>
#include <stdio.h>

void take(unsigned char c);

int lossy(int a, double d, float f, const char *s)
{
    char c = 300;
    unsigned char byte = 256;
    int i = 3.7;
    int big = 3000000000;
    float wide = 16777217;
    take(1000);
    short narrow = a;
    unsigned unsign = a;
    int truncated = d;
    float single = d;
    a += 0.5;
    narrow = narrow + 1;
    unsigned char minus = -1;
    unsigned all = ~0;
    int minimum = 0x80000000;
    float tenth = 0.1;
    while ((c = getchar()) != EOF)
        ;
    return narrow + unsign + truncated + single + c + byte + i + big + wide + s[0] + minus + all + minimum + tenth + f;
}

int kept(int a, unsigned char byte, size_t n)
{
    char letter = 'a', last = '\xff';
    unsigned char m = 0xff, masked = a & 0xff;
    int minimum = INT_MIN, percent = 0.5 * 100, length = (int)n;
    float g = 3, large = 1e10;
    double exact = 1L << 53;
    short s = 1;
    s += 1;
    s++;
    int truth = a == byte;
    return letter + last + m + masked + minimum + percent + length + (int)g + (int)large + (int)exact + s + truth;
}
