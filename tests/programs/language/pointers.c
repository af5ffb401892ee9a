/* Pointers: arithmetic over every element size, differences, comparisons, arrays of arrays, casts, void pointers (GNU). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Three { char c[3]; };
struct Twelve { int a, b, c; };
struct Sixteen { double d; long l; };
struct List { int value; struct List *next; };

static struct List *push(struct List *list, int value)
{
    struct List *item = malloc(sizeof *item);
    *item = (struct List){value, list};
    return item;
}

static struct List *reverse(struct List *list)
{
    struct List *done = NULL;
    while (list) {
        struct List *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static void unlink_odd(struct List **at)
{
    while (*at)
        if ((*at)->value & 1) {
            struct List *gone = *at;
            *at = gone->next;
            free(gone);
        } else
            at = &(*at)->next;
}

static size_t length(const char *s)
{
    const char *p = s;
    while (*p++)
        ;
    return p - s - 1;
}

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

int main(void)
{
    struct Three t[5];
    struct Twelve w[5];
    struct Sixteen s[5];
    char c[5];
    short h[5];
    long l[5];
    int i = 2, m[3][4][5], *flat = &m[0][0][0];
    long k = -1;
    unsigned u = 3;
    unsigned char uc = 4;
    printf("%ld %ld %ld %ld %ld %ld\n", (long)((char *)(t + i) - (char *)t), (long)((char *)&w[i] - (char *)w),
           (long)((char *)(i + s) - (char *)s), (long)(&c[i] - c), (long)((char *)&h[u] - (char *)h),
           (long)((char *)(l + uc) - (char *)l));
    printf("%ld %ld %ld\n", (long)(&t[4] - &t[1]), (long)(&w[1] - &w[4]), (long)(&s[i] - s));
    printf("%ld %ld\n", (long)((char *)(w + 4 + k) - (char *)w), (long)((char *)(&w[4] - i) - (char *)w));
    for (int n = 0; n < 60; n++)
        flat[n] = n;
    printf("%d %d %d %d\n", m[1][2][3], *(*(*(m + 2) + 1) + 4), m[i][i][i], (*(m[i] + 3))[1]);
    printf("%zu %zu %zu %ld\n", sizeof m, sizeof m[0], sizeof *m[0], (long)(m[2] - m[0]));
    int(*row)[5] = m[1], *p = row[2], **pp = &p, ***ppp = &pp;
    ***ppp = 1000;
    (*pp)++;
    printf("%d %d %d %d\n", m[1][2][0], *p, p[-1], row[-1][4]);
    printf("%d%d%d%d\n", p > flat, p <= flat, &m[0] == m, (void *)p == (void *)&m[1][2][1]);
    struct List *list = NULL;
    for (int n = 0; n < 10; n++)
        list = push(list, n);
    list = reverse(list);
    unlink_odd(&list);
    for (struct List *n = list; n; n = n->next)
        printf("%d ", n->value);
    char text[20], *end = text + 7;
    copy(text, "pointer");
    *--end = 'd';
    printf("%s %zu %c %c\n", text, length(text), *(text + 1), 2[text]);
    void *v = text;
    v += 3;
    v++;
    printf("%s %ld\n", (char *)v, (long)(v - (void *)text));
    union { int i; unsigned char b[4]; float f; } pun = {.f = 1.5f};
    printf("%x %d\n", pun.i, pun.b[3]);
    int array[10], *a = array, *e = array + 10;
    for (int n = 0; a != e; *a++ = n * n, n++)
        ;
    int sum = 0;
    for (a = e; a-- > array;)
        sum += *a;
    printf("%d %d\n", sum, *(array + (i << 1)));
    char **words = malloc(3 * sizeof *words);
    for (int n = 0; n < 3; n++) {
        words[n] = calloc(4, 1);
        memset(words[n], 'a' + n, 3);
    }
    printf("%s %c %c\n", words[1], *words[2], *(*words + 1));
    struct { int n; int data[]; } *flexible = malloc(sizeof *flexible + 5 * sizeof(int));
    flexible->n = 5;
    for (int n = 0; n < flexible->n; n++)
        flexible->data[n] = n * n;
    printf("%d %zu\n", flexible->data[4], sizeof *flexible);
    struct Twelve *q = w;
    q++->a = 5;
    (++q)->b = 6;
    (q--)->c = 7;
    printf("%d %d %d %ld\n", w[0].a, w[2].b, w[2].c, (long)(q - w));
    const char *const names[] = {"zero", "one"}, *const *np = names;
    printf("%s", *++np);
    printf(" %c\n", np[-1][1]);
    printf("%d\n", *(int *)((char *)&w[2] + 4));
    long address = (long)(p + 1);
    printf("%d %d\n", *(int *)address, (int)((long)&p[3] - (long)p));
    return 0;
}
