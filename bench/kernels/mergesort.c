/* mergesort.c - sorts records by a key, stable, by merging from one array into the other: structures copied. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 18 };
typedef struct Record {
    unsigned key, serial;
    double weight;
} Record;
static Record records[MOST], spare[MOST];

static void merge(const Record *a, int na, const Record *b, int nb, Record *to)
{
    while (na > 0 && nb > 0)
        if (b->key < a->key) {
            *to++ = *b++;
            nb--;
        } else {
            *to++ = *a++;
            na--;
        }
    while (na-- > 0)
        *to++ = *a++;
    while (nb-- > 0)
        *to++ = *b++;
}

static void sort(Record *v, Record *other, int n)
{
    if (n < 2)
        return;
    int half = n / 2;
    sort(v, other, half);
    sort(v + half, other, n - half);
    merge(v, half, v + half, n - half, other);
    memcpy(v, other, (size_t)n * sizeof *v);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 15, n = argc > 2 ? atoi(argv[2]) : 200000;
    unsigned state = 1, checksum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) {
            state = state * 1664525 + 1013904223;
            records[i] = (Record){state >> 16, (unsigned)i, i * 0.5};
        }
        sort(records, spare, n);
        for (int i = 0; i < n; i++)
            checksum = checksum * 31 + records[i].serial;
    }
    printf("%08x\n", checksum);
    return 0;
}
