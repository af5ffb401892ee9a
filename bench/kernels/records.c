/* records.c - records with enumerations and variants that point to each other, and short strings, copied, compared and
 * handed to small functions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { Alpha, Beta, Gamma, Delta } Kind;
typedef struct Item {
    struct Item *next;
    Kind kind;
    union {
        struct {
            Kind other;
            int amount;
            char text[32];
        } a;
        struct {
            char x, y;
        } b;
    } v;
} Item;
static Item *head, *spare;
static int global_count;
static char flag1, flag2;
static int row[50], grid[50][50];

static Kind pick(char a, char b)
{
    char x = a, y = x;
    if (y != b)
        return Alpha;
    flag1 = y;
    return Beta;
}

static int compare(const char *s, const char *t)
{
    int i = 2;
    char c = 'A';
    while (i <= 2)
        if (pick(s[i], t[i + 1]) == Alpha) {
            c = 'A';
            i++;
        }
    if (c >= 'W' && c < 'Z')
        i = 7;
    if (c == 'R')
        return 1;
    if (strcmp(s, t) > 0) {
        i += 7;
        global_count = i;
        return 1;
    }
    return 0;
}

static int third(Kind k)
{
    return k == Gamma;
}

static void six(Kind in, Kind *out)
{
    *out = in;
    if (!third(in))
        *out = Delta;
    switch (in) {
    case Alpha: *out = Alpha; break;
    case Beta: *out = global_count > 100 ? Alpha : Delta; break;
    case Gamma: *out = Beta; break;
    default: break;
    }
}

static void seven(int a, int b, int *c)
{
    int t = a + 2;
    *c = b + t;
}

static void three(Item **out)
{
    if (head)
        *out = head->next;
    seven(10, global_count, &head->v.a.amount);
}

static void one(Item *p)
{
    Item *n = p->next;
    *p->next = *head;
    p->v.a.amount = 5;
    n->v.a.amount = p->v.a.amount;
    n->next = p->next;
    three(&n->next);
    if (n->kind == Alpha) {
        n->v.a.amount = 6;
        six(p->v.a.other, &n->v.a.other);
        n->next = head->next;
        seven(n->v.a.amount, 10, &n->v.a.amount);
    } else
        *p = *p->next;
}

static void two(int *p)
{
    int l = *p + 10;
    Kind k = Beta;
    for (;;) {
        if (flag1 == 'A') {
            l--;
            *p = l - global_count;
            k = Alpha;
        }
        if (k == Alpha)
            break;
        if (flag1 != 'A') {
            flag1 = 'A';
        }
    }
}

static void four(void)
{
    int b = flag1 == 'A';
    flag2 = (char)(b | flag2);
    flag2 = 'B';
}

static void five(void)
{
    flag1 = 'A';
}

static void eight(int *a, int g[50][50], int i, int v)
{
    int l = i + 5;
    a[l] = v;
    a[l + 1] = a[l];
    a[l + 30] = l;
    for (int k = l; k <= l + 1; k++)
        g[l][k] = l;
    g[l][l - 1]++;
    g[l + 20][l] = a[l];
    global_count = 5;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 12000000;
    head = calloc(1, sizeof *head);
    spare = calloc(1, sizeof *spare);
    head->next = spare;
    head->kind = Alpha;
    head->v.a.other = Gamma;
    head->v.a.amount = 40;
    strcpy(head->v.a.text, "THE PROGRAM, SOME STRING");
    char s1[32], s2[32];
    int i1 = 0, i2, i3 = 0;
    strcpy(s1, "THE PROGRAM, 1ST STRING");
    unsigned sum = 0;
    for (int i = 1; i <= n; i++) {
        five();
        four();
        i1 = 2;
        i2 = 3;
        strcpy(s2, "THE PROGRAM, 2ND STRING");
        Kind k = Beta;
        flag2 = !compare(s1, s2);
        while (i1 < i2) {
            i3 = 5 * i1 - i2;
            seven(i1, i2, &i3);
            i1++;
        }
        eight(row, grid, i1, i3);
        one(head);
        for (char c = 'A'; c <= flag2; c++)
            if (k == pick(c, 'C')) {
                six(Alpha, &k);
                strcpy(s2, "THE PROGRAM, 3RD STRING");
                i2 = i;
                global_count = i;
            }
        i2 *= i1;
        i1 = i2 / i3;
        i2 = 7 * (i2 - i3) - i1;
        two(&i1);
        sum += (unsigned)(i1 + i2 + i3);
    }
    printf("%u %d %d %d %s %d %d\n", sum, row[8], grid[8][7], global_count, s2, head->v.a.amount, spare->v.a.amount);
    return 0;
}
