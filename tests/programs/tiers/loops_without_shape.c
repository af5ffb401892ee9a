/* Loops that no rule of structure covers: jumps into bodies, several entries, several back edges, labels as values. */
#include <stdio.h>

static void duff(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0:
        do {
            *to++ = *from++;
        case 7: *to++ = *from++;
        case 6: *to++ = *from++;
        case 5: *to++ = *from++;
        case 4: *to++ = *from++;
        case 3: *to++ = *from++;
        case 2: *to++ = *from++;
        case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

static long two_entries(int n, int way)
{
    long sum = 0;
    if (way)
        goto middle;
top:
    sum = sum * 3 + n;
    if (n % 7 == 0)
        goto bottom;
middle:
    sum += 2;
    if (--n % 3 == 0)
        goto top;
bottom:
    if (n-- > 0)
        goto middle;
    return sum;
}

static long collatz(long n)
{
    long steps = 0;
again:
    if (n == 1)
        return steps;
    steps++;
    if (n % 2 == 0) {
        n /= 2;
        goto again;
    }
    n = 3 * n + 1;
    goto again;
}

static long machine(const char *program, long value)
{
    static const void *const actions[] = {&&stop, &&add, &&twice, &&loop, &&subtract};
    const char *at = program;
    int rounds = 600;
    goto *actions[(int)*at];
add:
    value += 5;
    goto *actions[(int)*++at];
twice:
    value = value * 2 % 1000003;
    goto *actions[(int)*++at];
subtract:
    value -= 3;
    goto *actions[(int)*++at];
loop:
    if (--rounds)
        at = program - 1;
    goto *actions[(int)*++at];
stop:
    return value;
}

static long states(const char *text)
{
    enum { BLANK, WORD, NUMBER } state = BLANK;
    long words = 0, numbers = 0, value = 0;
    for (int round = 0; round < 40; round++)
        for (const char *c = text; *c; c++)
            switch (state) {
            case BLANK:
                if (*c >= '0' && *c <= '9') {
                    state = NUMBER;
                    value = *c - '0';
                    numbers++;
                } else if (*c != ' ') {
                    state = WORD;
                    words++;
                }
                continue;
            case WORD:
                if (*c == ' ')
                    state = BLANK;
                break;
            case NUMBER:
                if (*c == ' ') {
                    state = BLANK;
                    words += value;
                    break;
                }
                value = value * 10 + *c - '0';
            }
    return words * 1000 + numbers;
}

int main(void)
{
    static const char program[] = {1, 2, 4, 1, 3, 2, 0};
    static char from[1000], to[1001];
    for (int i = 0; i < 1000; i++)
        from[i] = (char)('a' + i % 23);
    for (int count = 990; count < 1000; count++)
        duff(to, from, count);
    printf("%.30s %.9s|%s|\n", to, to + 990, to + 998);
    printf("%ld %ld\n", two_entries(1000, 0), two_entries(1000, 1));
    long longest = 0;
    for (long n = 1; n < 300; n++)
        if (collatz(n) > collatz(longest ? longest : 1))
            longest = n;
    printf("%ld %ld\n", longest, collatz(longest));
    printf("%ld\n", machine(program, 7));
    printf("%ld\n", states("12 apples and 7 pears cost 345 of 1000 coins "));
}
