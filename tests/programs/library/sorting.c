/* qsort keeps equal elements in order and calls the comparison for the same pairs as glibc (C11 7.22.5.2). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long calls, trail;

typedef struct Small {
    int key, place;
} Small;

typedef struct Large {
    char name[40];
    int key, place;
} Large;

static void note(int a, int b)
{
    calls++;
    trail = trail * 31 + (unsigned)(a * 7 + b);
}

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    note(x, y);
    return (x > y) - (x < y);
}

static int by_small(const void *a, const void *b)
{
    const Small *x = a, *y = b;
    note(x->place, y->place);
    return x->key - y->key;
}

static int by_large(const void *a, const void *b)
{
    const Large *x = a, *y = b;
    note(x->place, y->place);
    return x->key - y->key;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void)
{
    static int numbers[1000];
    static Small small[300];
    static Large large[300];
    srand(5);
    for (int i = 0; i < 1000; i++)
        numbers[i] = rand() % 500;
    for (int i = 0; i < 300; i++) {
        small[i].key = large[i].key = rand() % 20;
        small[i].place = large[i].place = i;
        sprintf(large[i].name, "element %d", i);
    }
    for (size_t n = 0; n <= 1000; n = n * 2 + 1) {
        int copy[1000];
        memcpy(copy, numbers, sizeof copy);
        qsort(copy, n, sizeof *copy, by_int);
        int ordered = 1;
        for (size_t i = 1; i < n; i++)
            ordered &= copy[i - 1] <= copy[i];
        printf("%zu %d %lu %lx\n", n, ordered, calls, trail);
    }
    qsort(small, 300, sizeof *small, by_small);
    qsort(large, 300, sizeof *large, by_large);
    unsigned long check = 0;
    for (int i = 0; i < 300; i++)
        check = check * 33 + (unsigned)small[i].place + (unsigned)(large[i].place * 2) + strlen(large[i].name);
    printf("%d %d %s %lu %lx %lx\n", small[0].place, small[299].place, large[150].name, calls, trail, check);
    const char *words[] = {"pear", "apple", "fig", "banana", "apple pie", "Zebra"};
    qsort(words, 6, sizeof *words, by_text);
    for (int i = 0; i < 6; i++)
        printf("%s ", words[i]);
    printf("\n");
    return 0;
}
