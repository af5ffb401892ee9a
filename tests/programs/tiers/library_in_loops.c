/* Functions of <string.h> and <math.h> that native code computes itself, on blocks of the heap, the stack and
 * constants, with overlaps, empty blocks, ends of blocks and errno: the same results and costs in all tiers. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static uint64_t sum;

static void note(uint64_t x)
{
    sum = (sum ^ x) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 29);
}

static void note_double(double x)
{
    uint64_t bits;
    if (x != x) {
        note(77); /* which not-a-number is not C's */
        return;
    }
    memcpy(&bits, &x, sizeof bits);
    note(bits + (uint64_t)errno);
    errno = 0;
}

static void blocks(void)
{
    char buffer[96], *heap = malloc(96);
    for (int i = 0; i < 96; i++)
        buffer[i] = heap[i] = (char)(i * 37 + 11);
    for (int turn = 0; turn < 300; turn++) {
        size_t n = (size_t)(turn * 7 % 48), from = (size_t)(turn * 5 % 40), to = (size_t)(turn * 11 % 40);
        note(memmove(heap + to, heap + from, n) == heap + to);
        note(memcpy(buffer + to, heap + from, n) == buffer + to);
        note((uint64_t)memcmp(buffer + to, heap + to, n));
        note((uint64_t)memcmp(buffer + to, "ein langer konstanter Text, der nirgends gleich ist", n));
        char *found = memchr(buffer + to, turn & 255, n);
        note(found ? (uint64_t)(found - buffer) : 99);
        if (turn % 3 == 0)
            memset(heap + from, turn - 150, n);
        if (turn % 5 == 0)
            bzero(buffer + from, n);
        note((uint64_t)((char *)mempcpy(buffer + to, heap + from, n) - buffer));
        for (int i = 0; i < 96; i++)
            note((unsigned char)buffer[i] * 256u + (unsigned char)heap[i]);
    }
    free(heap);
}

static void texts(void)
{
    static const char *const words[] = {"",
                                        "a",
                                        "abcdefgh",
                                        "abcdefghi",
                                        "abcdefgh\200",
                                        "abcdefg",
                                        "abcdefghijklmnopqrstuvwxyz",
                                        "abcdefghijklmnopqrstuvwxyZ",
                                        "ABC",
                                        "aaaaaaaaaaaaaaaaaaaaaaab"};
    enum { WORDS = sizeof words / sizeof *words };
    char a[80], b[80];
    for (int turn = 0; turn < 40 * WORDS; turn++) {
        const char *word = words[turn % WORDS], *other = words[turn / WORDS % WORDS];
        size_t n = (size_t)(turn * 3 % 31);
        note(strcpy(a, word) == a);
        note((uint64_t)(stpcpy(b, other) - b));
        note((uint64_t)strcmp(a, b));
        note((uint64_t)strcmp(a, word));
        note((uint64_t)strncmp(a, b, n));
        note((uint64_t)strncmp(word, other, SIZE_MAX));
        note(strlen(strcat(a, other)));
        note(strnlen(a, n));
        strncpy(b, word, n);
        for (size_t i = 0; i < n; i++)
            note((unsigned char)b[i]);
        for (const char *c = "\200hiaz\0X"; c[0] || c[1]; c++) {
            char *first = strchr(a, *c), *last = strrchr(a, *c), *third = index(a, *c + 256);
            note(first ? (uint64_t)(first - a) : 1000);
            note(last ? (uint64_t)(last - a) : 1001);
            note(third == first);
        }
    }
}

static void maths(void)
{
    static const double values[] = {0.0,  -0.0,  0.5,    -0.5,  1.0,   -1.0,     2.5,          -7.25,    1e-310,
                                    1e10, 1e300, -1e300, 709.0, 720.0, -745.5,   -800.0,       INFINITY, -INFINITY,
                                    NAN,  M_PI,  1e-200, 3.5,   -3.5,  0.999999, 123456789.125};
    enum { VALUES = sizeof values / sizeof *values };
    errno = 0;
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < VALUES; i++) {
            double x = values[i];
            note_double(sin(x)), note_double(cos(x)), note_double(tan(x)), note_double(atan(x)), note_double(exp(x));
            note_double(log(x)), note_double(log2(x)), note_double(log10(x)), note_double(log1p(x)),
                note_double(expm1(x));
            note_double(sinh(x)), note_double(cosh(x)), note_double(tanh(x)), note_double(asin(x)),
                note_double(acos(x));
            note_double(cbrt(x)), note_double(erf(x)), note_double(erfc(x)), note_double(rint(x)),
                note_double(round(x));
            note_double(trunc(x)), note_double(floor(x)), note_double(ceil(x)), note_double(sqrt(x)),
                note_double(exp2(x));
            note_double(asinh(x)), note_double(acosh(x)), note_double(atanh(x)), note_double(nearbyint(x));
            float f = (float)x;
            note_double(sinf(f)), note_double(cosf(f)), note_double(expf(f)), note_double(logf(f)),
                note_double(sqrtf(f));
            note_double(floorf(f)), note_double(ceilf(f)), note_double(roundf(f)), note_double(tanf(f)),
                note_double(exp2f(f));
            for (int k = 0; k < VALUES; k++) {
                double y = values[k];
                note_double(pow(x, y)), note_double(atan2(x, y)), note_double(fmod(x, y)), note_double(hypot(x, y));
                note_double(fmin(x, y)), note_double(fmax(x, y)), note_double(copysign(x, y)), note_double(fdim(x, y));
                note_double(fma(x, y, x)), note_double(powf(f, (float)y)), note_double(fminf(f, (float)y));
                note_double(fmaxf(f, (float)y)), note_double(atan2f(f, (float)y)), note_double(fmodf(f, (float)y));
            }
        }
}

/* Zero bytes may lie at the very end of what a rank has. */
static void ends(void)
{
    size_t size = 1 << 20;
    char *block = malloc(size);
    memset(block, 'x', size);
    for (int i = 1; i < 40; i++) {
        block[size - 1] = 0;
        note(strlen(block + size - i));
        note((uint64_t)strcmp(block + size - i, block + size - (i + 1) / 2));
        note(memcmp(block + size - i, block, (size_t)i) != 0);
        note(strchr(block + size - i, 'y') == NULL);
        memset(block + size - i, 'x', (size_t)i);
    }
    free(block);
}

int main(void)
{
    blocks();
    printf("%016llx\n", (unsigned long long)sum);
    texts();
    printf("%016llx\n", (unsigned long long)sum);
    maths();
    ends();
    for (volatile uint64_t i = 0; i < sum % 5000; i++) /* the last bits are the host's, so they only show in the time */
        continue;
    printf("done\n");
    return 0;
}
