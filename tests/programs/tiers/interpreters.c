/* Loops that are one large switch, as interpreters have: one that is a single C function for the native tier, and one
 * that is so large that its turns go from part to part. What is set ahead of the loop is only read in it; some values
 * change in few cases, others in most; one is a double, one is passed by its address; and the program that is run calls
 * itself. */
#include <stdio.h>

enum { STEPS = 60000 };

typedef struct Memory {
    long cells[64];
    int faults;
} Memory;

static long call(Memory *m, const unsigned short *code, long top, int depth);

static long swap_with(long *cell, long value)
{
    long old = *cell;
    *cell = value;
    return old;
}

/* Sixteen cases from `n` on, each a little different. */
#define CASES(n)                                                                                                       \
    case n: top += (n); break;                                                                                         \
    case n + 1: top ^= m->cells[(top + (n)) & 63]; break;                                                              \
    case n + 2: m->cells[top & 63] += second; break;                                                                   \
    case n + 3: second = top * 3 + (n); break;                                                                         \
    case n + 4: share = share * 0.5 + (double)(top & 255); break;                                                      \
    case n + 5: top = (long)share + (n); break;                                                                        \
    case n + 6: top = swap_with(&m->cells[(n) & 63], top); break;                                                      \
    case n + 7: pc += (unsigned)top % 3; break;                                                                        \
    case n + 8: for (int i = 0; i < (n) % 5; i++) m->cells[i] += top >> i; break;                                      \
    case n + 9: top = top & 1 ? second - top : top - second; break;                                                    \
    case n + 10: if (depth < 2 && (turns & 511) == (n)) top += call(m, code + 7, second, depth + 1); break;            \
    case n + 11: last = turns; kept = top; break;                                                                      \
    case n + 12: top += last ? kept - last : (n); break;                                                               \
    case n + 13: { long t = top; top = second; second = t; } break;                                                    \
    case n + 14: if (top < 0) m->faults++; else if (top > limit) top %= limit; break;                                  \
    case n + 15: top = (top << 1 | (long)((unsigned long)top >> 63)) + mask; break;

#define INTERPRETER(name, cases)                                                                                       \
    static long name(Memory *m, const unsigned short *code, long top, int depth)                                        \
    {                                                                                                                  \
        long second = 1, kept, last = 0, limit = 1000003 + depth, mask = ~depth & 0xff;                                \
        double share = 0.25;                                                                                           \
        unsigned pc = 0;                                                                                               \
        for (int turns = 0; turns < STEPS >> (3 * depth); turns++) {                                                   \
            switch (code[pc++ & 1023]) {                                                                               \
                cases default: top++;                                                                                  \
            }                                                                                                          \
            if (m->faults > 100000)                                                                                    \
                return -1;                                                                                             \
        }                                                                                                              \
        return top ^ second ^ (long)share;                                                                             \
    }

#define MORE(n)                                                                                                        \
    CASES(n) CASES(n + 16) CASES(n + 32) CASES(n + 48) CASES(n + 64) CASES(n + 80) CASES(n + 96) CASES(n + 112)

INTERPRETER(small, MORE(0))
INTERPRETER(large, MORE(0) MORE(128) MORE(256) MORE(384))

static long call(Memory *m, const unsigned short *code, long top, int depth)
{
    return top & 1 ? small(m, code, top, depth) : large(m, code, top, depth);
}

int main(void)
{
    static unsigned short code[2048];
    unsigned random = 12345;
    for (int i = 0; i < 2048; i++) {
        random = random * 1103515245u + 12345u;
        code[i] = (unsigned short)(random >> 16 & 511);
    }
    for (int turn = 0; turn < 4; turn++) {
        Memory m = {{turn}, 0};
        long a = small(&m, code + turn, turn, 0), b = large(&m, code + turn, a, 0);
        unsigned long sum = 0;
        for (int i = 0; i < 64; i++)
            sum = sum * 31 + (unsigned long)m.cells[i];
        printf("%ld %ld %d %lx\n", a, b, m.faults, sum);
    }
    return 0;
}
