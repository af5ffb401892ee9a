/* Compound literals, designated and partial initialisers of automatic objects, statement expressions (GNU). */
#include <stdio.h>
#include <string.h>

struct P { int x, y; const char *name; };
struct Q { struct P p[2]; int n; union { int i; double d; } u; char tag[8]; };

static int total(const int *v, int n)
{
    int sum = 0;
    while (n--)
        sum += *v++;
    return sum;
}

static int *remember(int *p) { static int *kept; int *old = kept; kept = p; return old; }

int main(void)
{
    int k = 3;
    struct P p = {.y = k, .name = "p"}, *q = &(struct P){k + 1, k + 2, "literal"};
    printf("%d %d %s %d %s\n", p.x, p.y, p.name, q->y, q->name);
    printf("%d\n", total((int[]){1, 2, k, 4}, 4));
    q->x++;
    *q = (struct P){.name = "again"};
    printf("%d %s\n", q->x, q->name);
    struct Q big = {{{1, 2, "a"}, [1].y = k, [1].name = "b"}, .u.d = 2.5, .tag = "tag"};
    printf("%d %d %s %d %g %s %d\n", big.p[0].y, big.p[1].y, big.p[1].name, big.n, big.u.d, big.tag, big.tag[7]);
    struct Q copies[2] = {big, [1] = {.p = {p, *q}, .n = k * 2}};
    printf("%s %s %d %d\n", copies[0].p[1].name, copies[1].p[0].name, copies[1].n, copies[1].p[0].y);
    int a[10] = {1, [5] = k, 6, [2 ... 3] = 9}, b[3] = {0}, c[] = {k, k * k, k * k * k};
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("%d %d %zu\n", b[2], c[2], sizeof c / sizeof *c);
    char text[20] = "hello", more[] = {'x', 'y', 0}, exact[5] = "exact";
    printf("%s %zu %s %.5s %d\n", text, sizeof text, more, exact, text[19]);
    int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    printf("%d\n", total(days, 12));
    double grid[3][3] = {{1, 2}, {[2] = k}, {k, k, k}};
    printf("%g %g %g\n", grid[0][1], grid[1][2], grid[2][0]);
    for (int i = 0; i < 3; i++) {
        int *literal = (int[]){i, i * i};
        int *old = remember(literal);
        printf("%d %d%s", literal[0], literal[1], old == literal || !old ? "\n" : " moved\n");
        literal[0] = 50;
    }
    int max = ({ int x = 5, y = k * 2; x > y ? x : y; });
    struct P made = ({ struct P t = {1, 2, "t"}; t.x += k; t; });
    printf("%d %d %s %d\n", max, made.x, made.name, ({ int s = 0; for (int i = 0; i < 5; i++) s += i; s; }));
    printf("%d\n", total((int *)&(struct { int a, b; }){k, 4}, 2));
    printf("%s\n", (char[]){"characters"});
    *&(int){5} = 6;
    int scalar = (int){7} + (struct P){8}.x;
    printf("%d %d\n", scalar, ((int){1}, k));
    const struct P *constant = &(const struct P){.x = 9};
    printf("%d %d\n", constant->x, memcmp(&(int){0}, &b[0], sizeof(int)));
    int nested = ({ int t = ({ int u = k; u + 1; }); t * 2; }) + ({ goto skip; skip: 1; });
    printf("%d\n", nested);
    return 0;
}
