/* inventory.c - an array of records, found by name with strcmp, sorted by qsort with several comparators. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    char name[24];
    int quantity;
    double price;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

static int by_value(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    double vx = x->price * x->quantity, vy = y->price * y->quantity;
    return vx < vy ? -1 : vx > vy ? 1 : by_name(a, b);
}

static struct item *find(struct item *items, int count, const char *name)
{
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = (low + high) / 2, order = strcmp(items[middle].name, name);
        if (order == 0)
            return &items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 300, count = argc > 2 ? atoi(argv[2]) : 2000;
    struct item *items = malloc(sizeof *items * (size_t)count);
    unsigned seed = 7;
    for (int i = 0; i < count; i++) {
        seed = seed * 1103515245 + 12345;
        sprintf(items[i].name, "part-%05u-%c", (seed >> 8) % 100000, 'a' + i % 26);
        items[i].quantity = (int)(seed >> 16) % 100;
        items[i].price = (seed >> 10) % 1000 / 8.0;
    }
    double total = 0;
    for (int turn = 0; turn < turns; turn++) {
        qsort(items, (size_t)count, sizeof *items, by_value);
        total += items[count / 2].price;
        qsort(items, (size_t)count, sizeof *items, by_name);
        for (int i = 0; i < count; i++) {
            char name[24];
            strcpy(name, items[(i * 7 + turn) % count].name);
            if (i % 5 == 0)
                name[5] = 'x';
            struct item *found = find(items, count, name);
            if (found)
                found->quantity += (turn ^ i) & 1;
        }
    }
    printf("%.3f %d\n", total, items[3].quantity);
    free(items);
    return 0;
}
