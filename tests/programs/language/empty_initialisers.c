/* Empty lists set the whole object to zero, wherever they stand (C23 6.7.10p11, GNU C before). Each function stands on memory
 * that dirty() has filled, so that what is not set shows. */
#include <stdio.h>
#include <string.h>

struct S {
    int a, b, c;
    struct {
        int x, y;
    } d;
    int e[3];
};
union U {
    int a;
    long b[3];
};
struct Bits {
    unsigned a : 3, b : 13;
    int c : 20;
};
struct Nothing {};

static void dirty(void)
{
    volatile unsigned char b[4096];
    memset((void *)b, 0x5a, sizeof b);
}

static void show(const char *name, const void *object, unsigned size)
{
    const unsigned char *bytes = object;
    unsigned not_zero = 0, sum = 0;
    for (unsigned i = 0; i < size; i++) {
        not_zero += bytes[i] != 0;
        sum += bytes[i] * (i + 1);
    }
    printf("%-30s %2u of %3u bytes are not 0, sum %u\n", name, not_zero, size, sum);
}
#define SHOW(TYPE, NAME, SIZE, ...)                                                                                    \
    static void NAME(void)                                                                                             \
    {                                                                                                                  \
        TYPE NAME SIZE = __VA_ARGS__;                                                                                  \
        show(#TYPE " " #SIZE " " #__VA_ARGS__, (const void *)&NAME, sizeof NAME);                                                    \
    }

SHOW(struct S, record, , {})
SHOW(int, array, [5], {})
SHOW(union U, either, , {})
SHOW(struct Bits, bits, , {})
SHOW(struct S, inner, , {.d = {}})
SHOW(struct S, records, [3], {})
SHOW(struct S, nested, [3], {{}})
SHOW(struct S, mixed, [3], {{}, {1}, {}})
SHOW(double, matrix, [3][3], {})
SHOW(double, rows, [3][3], {{}, {0, 1}})
SHOW(char, text, [16], {})
SHOW(struct S, behind, , {1, .e = {}})
SHOW(struct S, before, , {.d = {}, .a = 1})
SHOW(union U, member, , {.b = {}})
SHOW(double _Complex, numbers, [2], {})
SHOW(struct S *, pointers, [4], {})
SHOW(struct S, ranged, [4], {[1 ... 2] = {}, [3].b = 2})
SHOW(volatile struct S, watched, , {})
SHOW(struct S, again, , {.d = {1, 2}, .d = {}})
SHOW(struct S, again_half, , {.d.x = 1, .d.y = 2, .e = {4, 5}, .e = {[1] = 6}})
SHOW(struct S, kept, , {.d.x = 1, .d.y = 2, .d.x = 3})
SHOW(union U, last, , {.b = {1, 2, 3}, .a = 4})
SHOW(static struct S, fixed, , {})
SHOW(static union U, fixed_last, , {.b = {1, 2, 3}, .a = 4})
SHOW(static struct S, fixed_again, , {.d = {1, 2}, .d = {}, .e = {1, 2, 3}, .e = {}})

struct S global = {}, globals[2] = {{}, {.c = 3}};
int no_elements[] = {};
const union U constant = {};

static struct S returned(void)
{
    return (struct S){};
}
static int sum(struct S s)
{
    return s.a + s.b + s.c + s.d.x + s.d.y + s.e[0] + s.e[1] + s.e[2];
}
static void literals(void)
{
    struct S assigned;
    assigned = (struct S){};
    show("assigned literal", &assigned, sizeof assigned);
    dirty();
    struct S *taken = &(struct S){};
    show("address of a literal", taken, sizeof *taken);
    dirty();
    show("array literal", (int[7]){}, 7 * sizeof(int));
    dirty();
    printf("passed %d", sum((struct S){}));
    dirty();
    struct S result = returned();
    printf(" returned %d", sum(result));
    dirty();
    printf(" chosen %d\n", sum(result.a ? result : (struct S){.d = {}}));
}
static void loops(void)
{
    int total = 0;
    for (int i = 0; i < 5; i++) {
        struct S s = {};
        total += s.a + s.e[2];
        s.a = s.e[2] = i + 1; /* the next turn has zeros again */
        struct S *p = &(struct S){};
        total += p->b;
        p->b = 7;
    }
    printf("loops %d\n", total);
}
static void jumped(int where)
{
    switch (where) {
        struct S s;
    case 1: s = (struct S){}; printf("jumped %d\n", sum(s)); break;
    default: {
        struct S t = {};
        printf("jumped %d\n", sum(t));
    }
    }
}
static void empty(void)
{
    struct Nothing nothing = {};
    struct {
        struct Nothing n;
        int i;
    } around = {{}, 5};
    (void)nothing;
    printf("%d %d %d\n", (int)sizeof nothing, around.i, (int)sizeof no_elements);
}

int main(void)
{
    void (*tests[])(void) = {record,     array,       either,  bits,    inner,   records,  nested,   mixed, matrix,
                             rows,       text,        behind,  before,  member,  numbers,  pointers, ranged, watched,
                             again,      again_half,  kept,    last,    fixed,   fixed_last, fixed_again, literals,
                             loops,      empty};
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
        dirty();
        tests[i]();
    }
    show("global", &global, sizeof global);
    show("globals", globals, sizeof globals);
    show("constant", &constant, sizeof constant);
    dirty();
    jumped(1);
    dirty();
    jumped(2);
    return 0;
}
