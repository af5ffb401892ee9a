/* queue_list.c - doubly linked lists with a function for each thing one does to them: a queue, a round of elimination,
 * and a list kept in order; nodes go back to a list of free ones. */
#include <stdio.h>
#include <stdlib.h>

typedef struct link {
    struct link *next, *prev;
    int value;
} link;
typedef struct {
    link head;
    int length;
} list;

static link *spare;

static link *take(int value)
{
    link *l = spare;
    if (l)
        spare = l->next;
    else
        l = malloc(sizeof *l);
    l->value = value;
    return l;
}

static void init(list *l)
{
    l->head.next = l->head.prev = &l->head;
    l->length = 0;
}

static void insert_before(list *l, link *at, int value)
{
    link *n = take(value);
    n->next = at;
    n->prev = at->prev;
    at->prev->next = n;
    at->prev = n;
    l->length++;
}

static int drop(list *l, link *n)
{
    int value = n->value;
    n->prev->next = n->next;
    n->next->prev = n->prev;
    n->next = spare;
    spare = n;
    l->length--;
    return value;
}

static int eliminate(int n, int step)
{
    list ring;
    init(&ring);
    for (int i = 0; i < n; i++)
        insert_before(&ring, &ring.head, i + 1);
    link *at = ring.head.next;
    while (ring.length > 1) {
        for (int i = 1; i < step; i++) {
            at = at->next;
            if (at == &ring.head)
                at = at->next;
        }
        link *gone = at;
        at = at->next == &ring.head ? ring.head.next : at->next;
        drop(&ring, gone);
    }
    return drop(&ring, ring.head.next);
}

static void insert_ordered(list *l, int value)
{
    link *at = l->head.next;
    while (at != &l->head && at->value < value)
        at = at->next;
    insert_before(l, at, value);
}

static void reverse(list *l)
{
    link *at = &l->head;
    do {
        link *next = at->next;
        at->next = at->prev;
        at->prev = next;
        at = next;
    } while (at != &l->head);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 1200;
    long sum = 0;
    unsigned seed = 31;
    for (int turn = 0; turn < turns; turn++) {
        sum += eliminate(2000 + turn % 7, 5 + turn % 3);
        list ordered;
        init(&ordered);
        for (int i = 0; i < 500; i++) {
            seed = seed * 1664525 + 1013904223;
            insert_ordered(&ordered, (int)(seed >> 16));
        }
        reverse(&ordered);
        sum += ordered.head.next->value;
        while (ordered.length)
            sum ^= drop(&ordered, ordered.head.next);
    }
    printf("%ld\n", sum);
    return 0;
}
