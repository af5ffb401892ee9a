/* <search.h> (POSIX): hash table, trees, linear search, queues. */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void show(const void *node, VISIT order, int level)
{
    (void)level;
    if (order == postorder || order == leaf)
        printf(" %d", **(int *const *)node);
}

static int destroyed;

static void destroy(void *key)
{
    destroyed += *(int *)key;
}

struct item {
    struct item *next, *previous;
    int value;
};

int main(void)
{
    static char *words[] = {"alpha", "bravo", "charlie", "delta", "echo"};
    printf("%d", hcreate(10));
    for (long i = 0; i < 5; i++) {
        ENTRY entry = {words[i], (void *)i};
        printf(" %d", hsearch(entry, ENTER) != NULL);
    }
    ENTRY *found = hsearch((ENTRY){"charlie", NULL}, FIND);
    printf(" %ld %d\n", (long)found->data, hsearch((ENTRY){"zulu", NULL}, FIND) == NULL);
    hdestroy();
    static int numbers[100];
    void *root = NULL;
    for (int i = 0; i < 100; i++) {
        numbers[i] = i * 37 % 101;
        tsearch(&numbers[i], &root, by_number);
    }
    int key = 42, missing = 1000;
    printf("%d %d\n", **(int **)tfind(&key, &root, by_number), tfind(&missing, &root, by_number) == NULL);
    for (int i = 0; i < 90; i++)
        tdelete(&numbers[i], &root, by_number);
    twalk(root, show);
    printf("\n");
    tdestroy(root, destroy);
    printf("%d\n", destroyed);
    int list[10] = {3, 1, 4, 1, 5};
    size_t count = 5;
    int nine = 9, four = 4;
    int *place = lsearch(&nine, list, &count, sizeof *list, by_number);
    printf("%td %zu %td\n", place - list, count, (int *)lfind(&four, list, &count, sizeof *list, by_number) - list);
    struct item items[3] = {{NULL, NULL, 1}, {NULL, NULL, 2}, {NULL, NULL, 3}};
    insque(&items[0], NULL);
    insque(&items[2], &items[0]);
    insque(&items[1], &items[0]);
    for (struct item *i = &items[0]; i; i = i->next)
        printf(" %d", i->value);
    remque(&items[1]);
    for (struct item *i = &items[2]; i; i = i->previous)
        printf(" %d", i->value);
    printf("\n");
    return 0;
}
