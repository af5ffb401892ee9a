/* Static objects: initialisers with addresses, strings, designators, nested aggregates; static locals (C11 6.7.9). */
#include <stdio.h>
#include <stddef.h>

struct Node { const char *name; struct Node *next; int values[3]; int (*f)(int); };
static int twice(int x) { return 2 * x; }
extern struct Node last;
static int numbers[] = {1, 2, 3, [7] = 8, 9, [2] = 33};
static struct Node first = {"first", &last, {1, 2}, twice};
struct Node last = {.f = &twice, .name = "last" + 1, .values = {[1] = 5}, .next = NULL};
static int *inside = &numbers[3], *end = numbers + sizeof numbers / sizeof *numbers;
static char text[] = "array", fixed[3] = "abc", longer[10] = "long";
static const char *words[] = {"one", "two", "three", NULL};
static struct { struct { int a, b; } in; char c[4]; union { int i; float f; } u; } nested = {{1}, "xy", {.f = 1.0f}};
static double reals[3] = {1, 2.5f, -3e300};
static float small = 0.1;
static long address = (long)&numbers[1];
static const struct { unsigned a : 4, b : 12; signed c : 5; long d; } bits = {9, 1000, -3, -1};
static int tentative;
int tentative_external;
int tentative_external;
static int tentative = 17;
static void *self = &self;
static int matrix[2][3] = {{1, 2, 3}, {4}};
static int *rows[] = {matrix[0], matrix[1], &matrix[1][2]};
static const int constants[4] = {1, 2};
static char *const volatile pointer = text + 2;
static struct { int n; char *p; } flexible = {3, (char *)&flexible + 4};
static ptrdiff_t no_cast = 5;
static _Bool truth = 5, pointer_truth = numbers;
static int wide[] = L"wide";
static struct Node *compound = &(struct Node){"compound", &first, {7, 8, 9}, NULL};
static int *compound_array = (int[]){4, 5, 6};

static int counter(void)
{
    static int n = 10;
    static int *p = &n;
    return ++*p;
}

static int other(void)
{
    static int n;
    return n++;
}

int main(void)
{
    printf("%zu %d %d %d\n", sizeof numbers / sizeof *numbers, numbers[2], numbers[7], numbers[8]);
    printf("%s %s %d %d %d\n", first.name, first.next->name, first.f(21), last.f(4), last.values[1]);
    printf("%d %ld %s %.3s %s %zu\n", *inside, (long)(end - inside), text, fixed, longer, sizeof text);
    for (const char **w = words; *w; w++)
        printf("%s ", *w);
    printf("%d %d %s %g\n", nested.in.a, nested.in.b, nested.c, nested.u.f);
    printf("%g %g %g %g %d\n", reals[0], reals[1], reals[2], small, *(int *)address);
    printf("%u %u %d %ld\n", bits.a, bits.b, bits.c, bits.d);
    printf("%d %d %d\n", tentative, tentative_external, self == (void *)&self);
    printf("%d %d %d %d\n", rows[0][2], *rows[1], *rows[2], rows[1][0] + constants[1]);
    printf("%c %d %ld %d %d\n", *pointer, flexible.p == (char *)&flexible + 4, (long)no_cast, truth, pointer_truth);
    printf("%d %d %zu\n", wide[0], wide[3], sizeof wide);
    printf("%s %s %d %d\n", compound->name, compound->next->name, compound->values[2], compound_array[1]);
    counter();
    counter();
    other();
    printf("%d %d\n", counter(), other());
    return 0;
}
