/* switch: dense, sparse, ranges, fall through, 64-bit and unsigned values, nested, Duff's device (C11 6.8.4.2). */
#include <stdio.h>

static int dense(int x)
{
    switch (x) {
    case 0: return 10;
    case 1: return 11;
    case 2:
    case 3: x += 5; /* fall through */
    case 5: return x;
    case 6: break;
    case 9: return 99;
    default: return -1;
    }
    return 66;
}

static const char *sparse(long x)
{
    switch (x) {
    case -9223372036854775807L - 1: return "min";
    case -5000000000L: return "minus five billion";
    case -1: return "minus one";
    case 0: return "zero";
    case 1000: return "thousand";
    case 1001: return "thousand and one";
    case 1002: return "thousand and two";
    case 1003: case 1004: case 1005: return "a few more";
    case 5000000000L: return "five billion";
    case 9223372036854775807L: return "max";
    }
    return "none";
}

static int unsigned_(unsigned x)
{
    switch (x) {
    case 0xffffffffu: return 1;
    case 0x80000000u: return 2;
    case 0x7fffffffu: return 3;
    case 5: return 4;
    case 0x80000001u: return 5;
    default: return 0;
    }
}

static int huge(unsigned long x)
{
    switch (x) {
    case 0xffffffffffffffffUL: return 1;
    case 0x8000000000000000UL: return 2;
    case 0xfffffffffffffffeUL: return 3;
    case 0xfffffffffffffffdUL: return 4;
    case 0xfffffffffffffffcUL: return 5;
    case 1: return 6;
    default: return 0;
    }
}

static char grade(int points)
{
    switch (points) {
    case 90 ... 100: return 'A';
    case 75 ... 89: return 'B';
    case 50 ... 74: return 'C';
    case -2147483647 - 1 ... -1: return '?';
    case 1000 ... 2000000000: return '!';
    default: return 'F';
    }
}

static int characters(const char *s)
{
    int vowels = 0, digits = 0, other = 0;
    for (; *s; s++)
        switch (*s) {
        case 'a': case 'e': case 'i': case 'o': case 'u': vowels++; break;
        case '0' ... '9': digits++; continue;
        case (char)0xe4: other += 100; break;
        default:
            switch (other % 3) {
            case 1: other++; break;
            case 0: other += 2;
            }
        }
    return vowels * 10000 + digits * 1000 + other;
}

static void duff(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
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

int main(void)
{
    for (int i = -2; i < 12; i++)
        printf("%d ", dense(i));
    printf("\n");
    long values[] = {-9223372036854775807L - 1, -5000000000L, -705032704, -1, 0, 1, 999, 1000, 1001, 1002, 1003, 1005,
                     1006, 705032704, 5000000000L, 9223372036854775807L};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        printf("%s, ", sparse(values[i]));
    printf("\n%d %d %d %d %d %d\n", unsigned_(-1), unsigned_(1u << 31), unsigned_(0x7fffffff), unsigned_(5),
           unsigned_(0x80000001), unsigned_(6));
    printf("%d %d %d %d %d %d %d\n", huge(-1UL), huge(1UL << 63), huge(-2UL), huge(-3UL), huge(-4UL), huge(1), huge(2));
    int points[] = {100, 90, 89, 75, 74, 50, 49, 0, -1, -2147483647 - 1, 999, 1000, 2000000000, 2000000001};
    for (unsigned i = 0; i < sizeof points / sizeof *points; i++)
        printf("%c", grade(points[i]));
    printf("\n%d %d\n", characters("hello 123 world"), characters("\xe4 7"));
    char buffer[40] = {0};
    duff(buffer, "the quick brown fox jumps", 21);
    printf("%s\n", buffer);
    switch (3) {
        int unused;
    default: unused = 4; printf("default %d\n", unused);
    }
    switch (5)
    case 5: printf("no braces\n");
    switch (buffer[0]) { printf("never\n"); }
    unsigned char c = 200;
    switch (c) { case 200: printf("promoted\n"); }
    enum { A, B = 70000, C } e = C;
    switch (e) { case A: printf("A\n"); break; case B: printf("B\n"); break; case C: printf("C\n"); }
    return 0;
}
