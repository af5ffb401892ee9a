/* stdlib.c - the parts of <stdlib.h>, <inttypes.h> that need no host: integers, options, information about malloc. */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int abs(int value)
{
    return value < 0 ? -value : value;
}

long labs(long value)
{
    return value < 0 ? -value : value;
}

long long llabs(long long value)
{
    return value < 0 ? -value : value;
}

intmax_t imaxabs(intmax_t value)
{
    return value < 0 ? -value : value;
}

div_t div(int numerator, int denominator)
{
    div_t result = {numerator / denominator, numerator % denominator};
    return result;
}

ldiv_t ldiv(long numerator, long denominator)
{
    ldiv_t result = {numerator / denominator, numerator % denominator};
    return result;
}

lldiv_t lldiv(long long numerator, long long denominator)
{
    lldiv_t result = {numerator / denominator, numerator % denominator};
    return result;
}

imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator)
{
    imaxdiv_t result = {numerator / denominator, numerator % denominator};
    return result;
}

int ffs(int value)
{
    return ffsll((unsigned)value);
}

int ffsl(long value)
{
    return ffsll(value);
}

int ffsll(long long value)
{
    if (value == 0)
        return 0;
    int position = 1;
    for (; !(value & 1); value = (long long)((unsigned long long)value >> 1))
        position++;
    return position;
}

void __orrery_seed48(const unsigned short *fresh, unsigned short *old);

unsigned short *seed48(unsigned short state[3])
{
    static unsigned short old[3];
    __orrery_seed48(state, old);
    return old;
}

/* There is no command processor (C11 7.22.4.8). Programs may ask whether there is one; a command fails. */
int system(const char *command)
{
    if (!command)
        return 0;
    fprintf(stderr, "system(\"%s\"): a simulated rank cannot start other programs\n", command);
    errno = ENOSYS;
    return -1;
}

/* Parses comma-separated options "name" or "name=value" (POSIX getsubopt). */
int getsubopt(char **options, char *const *tokens, char **value)
{
    char *option = *options, *end = option + strcspn(option, ",");
    *value = 0;
    if (!*option)
        return -1;
    *options = *end ? end + 1 : end;
    *end = '\0';
    char *equals = strchr(option, '=');
    size_t length = equals ? (size_t)(equals - option) : strlen(option);
    for (int i = 0; tokens[i]; i++)
        if (strlen(tokens[i]) == length && strncmp(tokens[i], option, length) == 0) {
            *value = equals ? equals + 1 : 0;
            return i;
        }
    *value = option;
    return -1;
}

/* -- what malloc tells about itself ------------------------------------------------------------ */

void __orrery_heap_usage(unsigned long usage[2]);

struct mallinfo2 mallinfo2(void)
{
    unsigned long usage[2];
    __orrery_heap_usage(usage);
    struct mallinfo2 info = {.arena = usage[0], .uordblks = usage[1], .fordblks = usage[0] - usage[1]};
    return info;
}

struct mallinfo mallinfo(void)
{
    struct mallinfo2 large = mallinfo2();
    struct mallinfo info = {
        .arena = (int)large.arena, .uordblks = (int)large.uordblks, .fordblks = (int)large.fordblks};
    return info;
}

void malloc_stats(void)
{
    struct mallinfo2 info = mallinfo2();
    fprintf(stderr, "system bytes     = %10lu\nin use bytes     = %10lu\n", info.arena, info.uordblks);
}

int mallopt(int parameter, int value)
{
    (void)parameter, (void)value;
    return 1;
}

int malloc_trim(size_t pad)
{
    (void)pad;
    return 0; /* free memory has already been given back */
}
