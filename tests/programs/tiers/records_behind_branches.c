/* What is read of a record behind a branch is tested ahead of it, what is written is not: records that are constant may
 * be read everywhere, and the write to one is a fault at its line (C11 6.7.3p6), after all that came before. */
#include <stdio.h>

typedef struct Record {
    int kind, value;
    long weight;
    int used;
} Record;

static const Record constant[] = {{0, 3, 40, 0}, {1, 5, 60, 0}, {0, 7, 80, 0}, {1, 9, 100, 0}, {3, 1, 2, 0}};
static Record variable[] = {{0, 2, 30, 0}, {1, 4, 50, 0}, {2, 6, 70, 0}, {2, 8, 90, 0}};

static long visit(Record *r)
{
    switch (r->kind) {
    case 0: return r->value;
    case 1:
        if (r->weight > 55)
            return r->weight - r->value;
        return r->weight;
    default: r->used++; return r->used * r->weight;
    }
}

int main(void)
{
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
        sum = sum * 3 + visit((Record *)&constant[i % 4]);
        sum = sum * 5 + visit(&variable[i * 7 % 4]);
    }
    printf("%ld %d\n", sum, variable[2].used);
    fflush(stdout);
    return (int)visit((Record *)&constant[4]);
}
