/* loads_ahead_of_loops.c - what a loop loads from the same place in every turn, and what it stores there: rows of
 * pointers, lengths and sums in structures, and stores that hit what was loaded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double *values, sum;
    int n, count, limit;
    float least;
    unsigned char *bytes;
} Sums;

static void multiply(double **c, double **a, double **b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static void add_up(Sums *s)
{
    for (int i = 0; i < s->n; i++) {
        s->sum += s->values[i];
        if (s->values[i] > 3)
            s->count++;
        s->least = s->values[i] < s->least ? (float)s->values[i] : s->least;
    }
}

/* The end moves while the loop goes on. */
static int chase(Sums *s)
{
    int turns = 0;
    for (int i = 0; i < s->limit; i++, turns++)
        if (s->values[i % s->n] > 5)
            s->limit--;
    return turns;
}

/* Its stores may be to the pointer, the length, or another row. */
static void fill(Sums *s, double *out, double value, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = value + s->n;
        s->sum += s->values[i];
    }
}

static void copy(unsigned char **from, unsigned char **to, int n)
{
    for (int i = 0; i < n; i++)
        (*to)[i] = (unsigned char)((*from)[i] ^ i);
}

static long mix(short *place, const long *steps, int n)
{
    long seen = 0;
    for (int i = 0; i < n; i++) {
        seen = seen * 3 + *place;
        *place = (short)(*place + steps[i]);
        seen ^= *place;
    }
    return seen;
}

static unsigned narrow(unsigned *place, unsigned long *wide, const unsigned long *steps, int n)
{
    for (int i = 0; i < n; i++) {
        *place += (unsigned)steps[i];
        *wide = *wide * 5 + steps[i];
    }
    return *place;
}

int main(void)
{
    enum { N = 13, M = 200 };
    static double cells[3][N][N], values[M], others[M];
    double *rows[3][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int m = 0; m < 3; m++) {
                rows[m][i] = cells[m][i];
                cells[m][i][j] = (i * 3 + j * 5 + m) % 7 / 4.0;
            }
    for (int i = 0; i < M; i++)
        values[i] = i * 37 % 11;
    double total = 0;
    long hash = 0;
    for (int turn = 0; turn < 300; turn++) {
        for (int i = 0; i < N && turn % 4 == 0; i++)
            for (int j = 0; j < N; j++)
                cells[1][i][j] = (i + j * turn) % 5 / 8.0;
        multiply(rows[0], rows[1], rows[2], N);
        multiply(rows[1], rows[1], rows[2], 1 + turn % 5);
        rows[2][turn % N] = turn % 50 == 7 ? rows[1][3] : cells[2][turn % N];
        total = total / 2 + cells[0][turn % N][3] + cells[1][2][turn % 5];
        Sums s = {.values = values, .n = 100 + turn % M / 3, .limit = 150, .least = 4};
        add_up(&s);
        hash = hash * 31 + s.count + chase(&s);
        fill(&s, others, turn, turn % M);
        fill(&s, values, turn % 9, turn % 7);
        fill(&s, &s.sum, 0.5, 1);
        total += s.sum + (double)s.least + others[turn % 11];
        unsigned char text[64], more[64], *from = text, *to = more, *self = (unsigned char *)&self;
        memset(text, turn, sizeof text);
        memset(more, 0, sizeof more);
        copy(&from, &to, turn % 60);
        hash = hash * 31 + more[turn % 64];
        if (turn % 100 == 50) {
            unsigned char *again =
                (unsigned char *)&again + 4; /* stores hit the pointer's upper half, with its own bytes */
            unsigned char *source = (unsigned char *)calloc(8, 1);
            for (int i = 0; i < 4; i++)
                source[i] = (unsigned char)(again[i] ^ i);
            copy(&source, &again, 4);
            hash = hash * 31 + source[1];
            free(source);
        }
        long steps[40];
        for (int i = 0; i < 40; i++)
            steps[i] = i * turn * 1234567L;
        short place = (short)turn;
        hash = hash * 31 + mix(&place, steps, turn % 40) + mix((short *)&steps[20], steps, 40);
        unsigned small = (unsigned)turn;
        unsigned long wide = 3;
        hash = hash * 31 + (long)narrow(&small, &wide, (unsigned long *)steps, turn % 40) + (long)wide;
        hash += (long)narrow((unsigned *)&steps[9], (unsigned long *)&steps[15], (unsigned long *)steps, 30);
    }
    printf("%.17g %ld\n", total, hash);
    return 0;
}
