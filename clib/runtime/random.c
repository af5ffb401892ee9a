/* random.c - random() with states of the program's own, and the re-entrant generators, computed as in glibc.
 *
 * A state begins with a word that holds kind and index. `degree` words follow, for an additive feedback generator over
 * x^degree + x^separation + 1 (Knuth, TAOCP 2, 3.2.2). Kind 0 is a linear congruential generator in one word. The
 * simulator has the generator behind plain random(); this file only loads and saves its state.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

static const struct {
    int bytes, degree, separation;
} kinds[] = {{8, 0, 0}, {32, 7, 3}, {64, 15, 1}, {128, 31, 3}, {256, 63, 1}};

void __orrery_random_load(int kind, const int *words, int rear);
int __orrery_random_save(int *words); /* returns 5 * rear + kind */

static int kind_of_size(size_t size)
{
    int kind = -1;
    while (kind < 4 && size >= (size_t)kinds[kind + 1].bytes)
        kind++;
    return kind;
}

static int kind_of(const struct random_data *g)
{
    return g->orrery_state[0] % 5;
}

int random_r(struct random_data *g, int *result)
{
    int kind = kind_of(g), *words = g->orrery_state + 1, degree = kinds[kind].degree;
    if (kind == 0) {
        words[0] = (int)(((unsigned)words[0] * 1103515245U + 12345U) & 0x7fffffff);
        *result = words[0];
        return 0;
    }
    unsigned value = (unsigned)words[g->orrery_front] + (unsigned)words[g->orrery_rear];
    words[g->orrery_front] = (int)value;
    *result = (int)(value >> 1);
    g->orrery_front = (g->orrery_front + 1) % degree;
    g->orrery_rear = (g->orrery_rear + 1) % degree;
    return 0;
}

int srandom_r(unsigned seed, struct random_data *g)
{
    int kind = kind_of(g), *words = g->orrery_state + 1, degree = kinds[kind].degree, dropped;
    int word = (int)(seed ? seed : 1);
    words[0] = word;
    if (kind == 0)
        return 0;
    for (int i = 1; i < degree; i++) {
        /* word = 16807 * word mod 2^31 - 1, without overflow (Schrage's method) */
        word = 16807 * (word % 127773) - 2836 * (word / 127773);
        if (word < 0)
            word += 0x7fffffff;
        words[i] = word;
    }
    g->orrery_front = kinds[kind].separation;
    g->orrery_rear = 0;
    for (int i = 0; i < 10 * degree; i++)
        random_r(g, &dropped);
    return 0;
}

int initstate_r(unsigned seed, char *state, size_t size, struct random_data *g)
{
    int kind = kind_of_size(size);
    if (kind < 0) {
        errno = EINVAL;
        return -1;
    }
    if (g->orrery_state && kind_of(g) != 0)
        g->orrery_state[0] = 5 * g->orrery_rear + kind_of(g);
    g->orrery_state = (int *)state;
    g->orrery_state[0] = kind;
    srandom_r(seed, g);
    g->orrery_state[0] = 5 * g->orrery_rear + kind;
    return 0;
}

int setstate_r(char *state, struct random_data *g)
{
    int kind = ((int *)state)[0] % 5, rear = ((int *)state)[0] / 5;
    if (kind < 0 || rear < 0 || rear > kinds[kind].degree) {
        errno = EINVAL;
        return -1;
    }
    if (g->orrery_state)
        g->orrery_state[0] = 5 * (kind_of(g) ? g->orrery_rear : 0) + kind_of(g);
    g->orrery_state = (int *)state;
    if (kind) {
        g->orrery_rear = rear % kinds[kind].degree;
        g->orrery_front = (rear + kinds[kind].separation) % kinds[kind].degree;
    }
    return 0;
}

/* -- states for the plain generator ------------------------------------------------------------ */

static int first_state[32];
static int *present_state = first_state;

static void save(void)
{
    present_state[0] = __orrery_random_save(present_state + 1);
}

static void load(char *state)
{
    present_state = (int *)state;
    __orrery_random_load(present_state[0] % 5, present_state + 1, present_state[0] / 5);
}

char *initstate(unsigned seed, char *state, size_t size)
{
    struct random_data g = {0};
    char *old = (char *)present_state;
    save();
    if (initstate_r(seed, state, size, &g) != 0)
        return 0;
    load(state);
    return old;
}

char *setstate(char *state)
{
    int kind = ((int *)state)[0] % 5, rear = ((int *)state)[0] / 5;
    char *old = (char *)present_state;
    if (kind < 0 || rear < 0 || rear > kinds[kind].degree) {
        errno = EINVAL;
        return 0;
    }
    save();
    load(state);
    return old;
}

/* -- the 48-bit generators with states of their own -------------------------------------------- */

static unsigned long step48(unsigned short state[3], const struct drand48_data *g)
{
    unsigned long x = state[0] | (unsigned long)state[1] << 16 | (unsigned long)state[2] << 32;
    x = (x * (g->orrery_a ? g->orrery_a : 0x5deece66dUL) + (g->orrery_a ? g->orrery_c : 0xb)) & 0xffffffffffffUL;
    for (int i = 0; i < 3; i++)
        state[i] = (unsigned short)(x >> 16 * i);
    return x;
}

int erand48_r(unsigned short state[3], struct drand48_data *g, double *result)
{
    *result = (double)step48(state, g) * 0x1p-48;
    return 0;
}

int nrand48_r(unsigned short state[3], struct drand48_data *g, long *result)
{
    *result = (long)(step48(state, g) >> 17);
    return 0;
}

int jrand48_r(unsigned short state[3], struct drand48_data *g, long *result)
{
    *result = (int)(step48(state, g) >> 16);
    return 0;
}

int drand48_r(struct drand48_data *g, double *result)
{
    return erand48_r(g->orrery_x, g, result);
}

int lrand48_r(struct drand48_data *g, long *result)
{
    return nrand48_r(g->orrery_x, g, result);
}

int mrand48_r(struct drand48_data *g, long *result)
{
    return jrand48_r(g->orrery_x, g, result);
}

int srand48_r(long seed, struct drand48_data *g)
{
    g->orrery_x[0] = 0x330e;
    g->orrery_x[1] = (unsigned short)seed;
    g->orrery_x[2] = (unsigned short)(seed >> 16);
    g->orrery_a = 0x5deece66dUL;
    g->orrery_c = 0xb;
    return 0;
}

int seed48_r(unsigned short state[3], struct drand48_data *g)
{
    for (int i = 0; i < 3; i++)
        g->orrery_x[i] = state[i];
    g->orrery_a = 0x5deece66dUL;
    g->orrery_c = 0xb;
    return 0;
}
