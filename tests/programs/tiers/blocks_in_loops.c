/* Structures assigned and cleared in loops, overlapping, by index, through memory that other names have (6.5.16.1). */
#include <stdio.h>
#include <string.h>

struct Small {
    char c;
    short s;
};
struct Body {
    double position[3], speed[3], mass;
    struct Small tag;
};

static struct Body bodies[40];
static struct Small smalls[100];

static void rotate(struct Body *all, int n)
{
    struct Body first = all[0];
    for (int i = 1; i < n; i++)
        all[i - 1] = all[i];
    all[n - 1] = first;
}

static void step(struct Body *all, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double distance = 0.01;
            for (int k = 0; k < 3; k++)
                distance += (all[i].position[k] - all[j].position[k]) * (all[i].position[k] - all[j].position[k]);
            for (int k = 0; k < 3; k++)
                all[i].speed[k] -= (all[i].position[k] - all[j].position[k]) * all[j].mass / distance * 1e-3;
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            all[i].position[k] += all[i].speed[k] * 1e-2;
}

int main(void)
{
    for (int i = 0; i < 40; i++)
        bodies[i] = (struct Body){{i, i * 2 % 7, i * 3 % 11}, {0}, 1 + i % 3, {(char)i, (short)(i * 1000)}};
    for (int round = 0; round < 5; round++) {
        step(bodies, 40);
        rotate(bodies, 40);
    }
    double sum = 0;
    long tags = 0;
    for (int i = 0; i < 40; i++) {
        sum += bodies[i].position[i % 3] * (i + 1);
        tags = tags * 3 + bodies[i].tag.c - bodies[i].tag.s;
    }
    printf("%.15g %ld\n", sum, tags);
    for (int i = 0; i < 3000; i++) {
        struct Small *a = &smalls[i * 7 % 100], *b = &smalls[i * 13 % 100];
        *a = i % 9 ? *b : (struct Small){0};
        b->c++;
        b->s = (short)(b->s * 3 + a->c);
        memmove(smalls + 1, smalls, (size_t)(i % 5) * sizeof *smalls);
    }
    for (int i = 0; i < 100; i++)
        tags = tags * 3 + smalls[i].c + smalls[i].s;
    printf("%ld\n", tags);
}
