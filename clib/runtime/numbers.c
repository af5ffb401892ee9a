/* numbers.c - numbers to text and back with the functions of System V: ecvt, fcvt, gcvt, a64l, l64a. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 17 };

/* ecvt: `digits` significant digits. The decimal point is behind the first *point of them. */
char *ecvt(double value, int digits, int *point, int *sign)
{
    static char text[64];
    char local[64];
    *sign = signbit(value) != 0;
    *point = 0;
    if (!isfinite(value)) {
        strcpy(text, isnan(value) ? "nan" : "inf");
        return text;
    }
    if (digits > MOST_DIGITS)
        digits = MOST_DIGITS;
    value = fabs(value);
    if (digits <= 0) {
        text[0] = '\0';
        if (value != 0) {
            snprintf(local, sizeof local, "%.0e", value);
            *point = atoi(strchr(local, 'e') + 1) + 1;
        }
        return text;
    }
    char exact[64];
    snprintf(exact, sizeof exact, "%.14e", value);
    snprintf(local, sizeof local, "%.*e", digits - 1, value);
    int length = 0, carried = value != 0 && atoi(strchr(local, 'e') + 1) > atoi(strchr(exact, 'e') + 1);
    for (const char *at = local; *at != 'e'; at++)
        if (*at != '.')
            text[length++] = *at;
    if (carried) /* 9.99 rounded to 10.0: glibc gives one digit more */
        text[length++] = '0';
    text[length] = '\0';
    *point = value == 0 ? 1 : atoi(strchr(local, 'e') + 1) + 1;
    return text;
}

/* fcvt: `digits` digits behind the decimal point. */
char *fcvt(double value, int digits, int *point, int *sign)
{
    static char text[400];
    char local[400];
    *sign = signbit(value) != 0;
    *point = 0;
    if (!isfinite(value)) {
        strcpy(text, isnan(value) ? "nan" : "inf");
        return text;
    }
    if (digits > MOST_DIGITS)
        digits = MOST_DIGITS;
    int kept = digits < 0 ? 0 : digits;
    snprintf(local, sizeof local, "%.*f", kept, fabs(value));
    size_t whole = strcspn(local, ".");
    const char *fraction = local[whole] ? local + whole + 1 : "";
    if (local[0] == '0') { /* leading zeros are not written, but counted in *point */
        size_t zeros = strspn(fraction, "0");
        if (fabs(value) == 0 || !fraction[zeros]) {
            snprintf(text, sizeof text, "%s%s", fabs(value) == 0 ? "0" : "", fabs(value) == 0 ? fraction : "");
            *point = fabs(value) == 0 ? 1 : -(int)zeros;
            return text;
        }
        strcpy(text, fraction + zeros);
        *point = -(int)zeros;
        return text;
    }
    snprintf(text, sizeof text, "%.*s%s", (int)whole, local, fraction);
    *point = (int)whole;
    return text;
}

char *gcvt(double value, int digits, char *text)
{
    sprintf(text, "%.*g", digits > MOST_DIGITS ? MOST_DIGITS : digits, value);
    return text;
}

static const char letters[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

long a64l(const char *text)
{
    unsigned long value = 0;
    for (int i = 0; i < 6 && text[i]; i++) {
        const char *letter = strchr(letters, text[i]);
        if (!letter)
            break;
        value |= (unsigned long)(letter - letters) << 6 * i;
    }
    return (int)value;
}

char *l64a(long value)
{
    static char text[7];
    unsigned long rest = (unsigned long)value & 0xffffffffUL;
    int length = 0;
    for (; rest; rest >>= 6)
        text[length++] = letters[rest & 63];
    text[length] = '\0';
    return text;
}
