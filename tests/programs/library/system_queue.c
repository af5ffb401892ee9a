/* The lists and queues of <sys/queue.h>: each inserts in all ways, removes at the ends and within, and is walked. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>

struct item {
    int n;
    SLIST_ENTRY(item) s;
    LIST_ENTRY(item) l;
    STAILQ_ENTRY(item) st;
    SIMPLEQ_ENTRY(item) si;
    TAILQ_ENTRY(item) t;
    CIRCLEQ_ENTRY(item) c;
};
SLIST_HEAD(slist, item);
LIST_HEAD(list, item);
STAILQ_HEAD(stailq, item);
SIMPLEQ_HEAD(simpleq, item);
TAILQ_HEAD(tailq, item);
CIRCLEQ_HEAD(circleq, item);

static struct item items[8];
static struct stailq fixed = STAILQ_HEAD_INITIALIZER(fixed);
static struct tailq fixed_tail = TAILQ_HEAD_INITIALIZER(fixed_tail);
static struct circleq ring = CIRCLEQ_HEAD_INITIALIZER(ring);

#define SHOW(KIND, head, field)                                                                                        \
    do {                                                                                                               \
        struct item *e_;                                                                                               \
        printf("%s:", #KIND);                                                                                          \
        KIND##_FOREACH(e_, head, field) printf(" %d", e_->n);                                                          \
        puts("");                                                                                                      \
    } while (0)

int main(void)
{
    for (int i = 0; i < 8; i++)
        items[i].n = i;
    struct slist s = SLIST_HEAD_INITIALIZER(s);
    struct list l = LIST_HEAD_INITIALIZER(l);
    struct stailq st, st2 = STAILQ_HEAD_INITIALIZER(st2);
    struct simpleq si = SIMPLEQ_HEAD_INITIALIZER(si);
    struct tailq t, t2;
    struct item *e;
    SLIST_INIT(&s);
    SLIST_INSERT_HEAD(&s, &items[0], s);
    SLIST_INSERT_HEAD(&s, &items[1], s);
    SLIST_INSERT_AFTER(SLIST_FIRST(&s), &items[2], s);
    SHOW(SLIST, &s, s);
    SLIST_REMOVE(&s, &items[2], item, s);
    SLIST_REMOVE_HEAD(&s, s);
    printf("%d %d\n", SLIST_EMPTY(&s), SLIST_NEXT(SLIST_FIRST(&s), s) == NULL);

    LIST_INIT(&l);
    LIST_INSERT_HEAD(&l, &items[0], l);
    LIST_INSERT_AFTER(&items[0], &items[1], l);
    LIST_INSERT_BEFORE(&items[0], &items[2], l);
    LIST_INSERT_BEFORE(&items[1], &items[3], l);
    SHOW(LIST, &l, l);
    LIST_REMOVE(&items[2], l);
    LIST_REMOVE(&items[1], l);
    SHOW(LIST, &l, l);
    printf("%d %d\n", LIST_FIRST(&l)->n, LIST_NEXT(LIST_FIRST(&l), l)->n);

    STAILQ_INIT(&st);
    STAILQ_INSERT_TAIL(&st, &items[0], st);
    STAILQ_INSERT_HEAD(&st, &items[1], st);
    STAILQ_INSERT_AFTER(&st, &items[0], &items[2], st);
    STAILQ_INSERT_TAIL(&st, &items[3], st);
    STAILQ_INSERT_TAIL(&st2, &items[4], st);
    STAILQ_CONCAT(&st, &st2);
    SHOW(STAILQ, &st, st);
    STAILQ_REMOVE(&st, &items[4], item, st);
    STAILQ_REMOVE_HEAD(&st, st);
    STAILQ_INSERT_TAIL(&st, &items[5], st);
    SHOW(STAILQ, &st, st);
    printf("%d %d\n", STAILQ_EMPTY(&st2), STAILQ_EMPTY(&fixed));

    SIMPLEQ_INSERT_TAIL(&si, &items[0], si);
    SIMPLEQ_INSERT_HEAD(&si, &items[1], si);
    SIMPLEQ_INSERT_AFTER(&si, &items[0], &items[2], si);
    SIMPLEQ_REMOVE(&si, &items[2], item, si);
    SIMPLEQ_INSERT_TAIL(&si, &items[3], si);
    SHOW(SIMPLEQ, &si, si);
    SIMPLEQ_REMOVE_HEAD(&si, si);
    printf("%d\n", SIMPLEQ_NEXT(SIMPLEQ_FIRST(&si), si)->n);

    TAILQ_INIT(&t);
    TAILQ_INIT(&t2);
    for (int i = 0; i < 4; i++)
        TAILQ_INSERT_TAIL(&t, &items[i], t);
    TAILQ_INSERT_HEAD(&t, &items[4], t);
    TAILQ_INSERT_BEFORE(&items[2], &items[5], t);
    TAILQ_INSERT_AFTER(&t, &items[3], &items[6], t);
    TAILQ_INSERT_TAIL(&t2, &items[7], t);
    TAILQ_CONCAT(&t, &t2, t);
    SHOW(TAILQ, &t, t);
    printf("reverse:");
    TAILQ_FOREACH_REVERSE(e, &t, tailq, t) printf(" %d", e->n);
    printf("\n%d %d\n", TAILQ_LAST(&t, tailq)->n, TAILQ_PREV(&items[7], tailq, t)->n);
    TAILQ_REMOVE(&t, &items[7], t);
    TAILQ_REMOVE(&t, &items[4], t);
    SHOW(TAILQ, &t, t);
    while ((e = TAILQ_FIRST(&t)) != NULL)
        TAILQ_REMOVE(&t, e, t);
    printf("%d %d\n", TAILQ_EMPTY(&t), TAILQ_EMPTY(&fixed_tail));

    printf("%d\n", CIRCLEQ_EMPTY(&ring));
    CIRCLEQ_INIT(&ring);
    CIRCLEQ_INSERT_HEAD(&ring, &items[0], c);
    CIRCLEQ_INSERT_TAIL(&ring, &items[1], c);
    CIRCLEQ_INSERT_AFTER(&ring, &items[0], &items[2], c);
    CIRCLEQ_INSERT_BEFORE(&ring, &items[0], &items[3], c);
    SHOW(CIRCLEQ, &ring, c);
    printf("reverse:");
    CIRCLEQ_FOREACH_REVERSE(e, &ring, c) printf(" %d", e->n);
    printf("\n%d %d\n", CIRCLEQ_LOOP_NEXT(&ring, CIRCLEQ_LAST(&ring), c)->n, CIRCLEQ_PREV(&items[0], c)->n);
    CIRCLEQ_REMOVE(&ring, &items[3], c);
    CIRCLEQ_REMOVE(&ring, &items[1], c);
    SHOW(CIRCLEQ, &ring, c);
    return 0;
}
