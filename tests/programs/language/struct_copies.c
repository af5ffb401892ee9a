/* Structs copied from and to memory that others can see: every byte that a copy carries arrives, a copy is what its source
 * was when it was made, whatever is stored afterwards, and what lies beside it stays (C11 6.5.16.1p2, 6.2.6.1p6).
 */
#include <stdio.h>
#include <string.h>

typedef struct Complex { double re, im; } Complex;
typedef struct Mixed { char c; float f; short s; struct Mixed *link; } Mixed;
typedef struct Gaps { char a; double b; short c; } Gaps;
typedef struct Named { int id; char name[12]; } Named;
typedef struct Nested { Complex z; struct { int x, y; } at; } Nested;
typedef struct Bits { unsigned low : 3, middle : 7; signed high : 9; int rest; } Bits;
typedef struct Triple { int v[3]; _Bool odd; } Triple;
typedef struct Wide { long v[8]; } Wide;
typedef struct Long { long v[9]; } Long;
typedef struct __attribute__((packed)) Packed { char c; int i; double d; } Packed;

static Complex v[8];
static Gaps gaps[3];
static Named names[3] = {{1, "one"}, {2, "two"}, {3, "three"}};

static void show(const char *what)
{
    printf("%-12s", what);
    for (int i = 0; i < 8; i++)
        printf(" %g,%g", v[i].re, v[i].im);
    printf("\n");
}

static void fill(void)
{
    for (int i = 0; i < 8; i++)
        v[i] = (Complex){i, 10 * i};
}

static Complex times(Complex a, Complex b)
{
    return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void butterfly(Complex *a, Complex *b, Complex w)
{
    Complex even = *a, odd = times(w, *b);
    *a = (Complex){even.re + odd.re, even.im + odd.im};
    *b = (Complex){even.re - odd.re, even.im - odd.im};
}

static void exchange(Complex *a, Complex *b)
{
    Complex t = *a;
    *a = *b;
    *b = t;
}

/* All of the source is read before any of the target is written. */
static void turn(Complex *a, const Complex *b)
{
    *a = (Complex){-b->im, b->re};
}

static void aliases(void)
{
    fill();
    butterfly(&v[1], &v[2], (Complex){0, 1});
    butterfly(&v[3], &v[3], (Complex){1, 0});
    show("butterfly");
    exchange(&v[4], &v[5]);
    exchange(&v[6], &v[6]);
    turn(&v[7], &v[7]);
    turn(&v[0], &v[1]);
    show("exchange");
    int i = 2, j = 2;
    v[i] = v[j];
    v[i++] = v[--j];
    Complex old = v[4];
    v[4].re = 77;
    v[5] = old;
    v[4].im = old.re + v[4].re;
    show("assign");
}

static void overlap(void)
{
    double d[5] = {1, 2, 3, 4, 5};
    Complex *low = (Complex *)d, *high = (Complex *)(d + 1);
    Complex t = *low;
    t.re += 100;
    *high = t;
    printf("overlap      %g %g %g %g %g\n", d[0], d[1], d[2], d[3], d[4]);
}

/* Padding has values, too: what it is after a copy is not the program's business, what lies behind the struct is. */
static void padding(void)
{
    for (int i = 0; i < 3; i++)
        gaps[i] = (Gaps){(char)('a' + i), i + 0.5, (short)-i};
    Gaps g = gaps[1];
    g.b *= 2;
    g.c -= 7;
    gaps[0] = g;
    for (int i = 0; i < 3; i++)
        printf("gaps         %c %g %d\n", gaps[i].a, gaps[i].b, gaps[i].c);
    unsigned char from[sizeof(Gaps)], to[sizeof(Gaps)];
    memset(from, 0x5a, sizeof from);
    Gaps h;
    memcpy(&h, from, sizeof h);
    h.a = 1;
    memcpy(to, &h, sizeof h);
    printf("bytes        %x %x %x\n", to[0], to[8], to[17]);
}

/* Bytes that no access names. */
static void unnamed(void)
{
    Named n = names[1];
    n.id += 40;
    names[0] = n;
    Named m = names[2];
    names[2] = n;
    names[1] = m;
    for (int i = 0; i < 3; i++)
        printf("names        %d %s\n", names[i].id, names[i].name);
}

static void mixed(Mixed *m, int n)
{
    for (int i = 0; i < n; i++) {
        Mixed x = m[i];
        if (x.c < 0)
            break;
        x.f = x.f / 3 + x.s;
        x.s = (short)(x.s * 1000);
        x.link = x.link ? x.link->link : &m[n - 1 - i];
        m[n - 1 - i] = x;
        if (x.s < 0)
            return;
    }
}

static Nested nested(const Nested *n, int k)
{
    Nested r = n[k];
    Complex z = r.z;
    r.z = (Complex){z.im, z.re};
    r.at.x = n[k + 1].at.x;
    return r;
}

static Nested inner(Nested *n, int k)
{
    n[k].z = n[k + 1].z;
    Nested r = n[k];
    n[k].at = n[k + 1].at;
    n[k + 1].at = r.at;
    return r;
}

static void bits(Bits *b, int i, int j)
{
    Bits x = b[i];
    x.middle += 5;
    x.high = -x.high;
    b[j] = x;
    Bits y = b[j];
    printf("bits         %u %u %d %d\n", y.low, y.middle, y.high, y.rest);
}

static int arrays(Triple *t, int n)
{
    static const Triple start = {{1, -2, 3}, 0};
    Triple sum = start;
    for (int i = 0; i < n; i++) {
        Triple x = t[i];
        x.v[1] = x.v[0] + x.v[2];
        x.odd = !x.odd;
        t[i] = t[n - 1 - i];
        t[n - 1 - i] = x;
        sum.v[0] += x.v[1];
        sum.odd ^= x.odd;
        sum = sum;
    }
    t[0] = sum;
    return t[0].v[0] + t[0].v[1] + t[0].v[2] + t[0].odd;
}

static long wide(Wide *w, Long *l)
{
    Wide x = w[0];
    x.v[3] += x.v[7];
    w[1] = x;
    Long y = l[0];
    y.v[8] += y.v[0];
    l[1] = y;
    return w[1].v[3] + l[1].v[8] + w[1].v[0] + l[1].v[5];
}

static double packed(char *memory)
{
    Packed *p = (Packed *)(memory + 1);
    p[0] = (Packed){'p', -5, 0.25};
    Packed q = p[0];
    q.i *= 2;
    p[1] = q;
    return p[1].c + p[1].i + p[1].d;
}

/* The frame's own memory, which the address of went out. */
static Complex *seen;
static double escaped(int k)
{
    Complex pair[2] = {{k, 1}, {2, k}};
    seen = pair;
    Complex t = pair[1];
    seen[1].re = 50;
    pair[0] = (Complex){t.re + seen[1].re, t.im};
    seen[k & 1].im++;
    return seen[0].re + pair[1].im;
}

static Complex pick(int which)
{
    Complex r = {-1, -1};
    for (int i = 0; i < 8; i++) {
        Complex z = v[i];
        if (z.re > which)
            return z;
        r = z;
    }
    return r;
}

static Complex part(int which)
{
    Complex r;
    if (which)
        r = v[which];
    else
        r = (Complex){0.5, -0.5};
    r.re = -r.re;
    return r;
}

typedef struct Node { struct Node *next; int value; } Node;
static int chase(Node n)
{
    int sum = 0;
    for (;;) {
        sum = 10 * sum + n.value;
        if (!n.next)
            return sum;
        n = *n.next;
    }
}

static int unions(int k)
{
    union Both { struct { int i; float f; } a; long l; } u, table[2] = {{{k, 1.5f}}, {.l = -1}};
    u = table[k & 1];
    u.a.i++;
    table[1] = u;
    return (int)(table[1].l >> 32) + table[1].a.i;
}

int main(void)
{
    aliases();
    overlap();
    padding();
    unnamed();
    Mixed m[4] = {{1, 3, 2, 0}, {2, 6, -1, &m[0]}, {3, 9, 4, &m[1]}, {-4, 12, 5, &m[2]}};
    mixed(m, 4);
    for (int i = 0; i < 4; i++)
        printf("mixed        %d %g %d %d\n", m[i].c, m[i].f, m[i].s, m[i].link ? (int)(m[i].link - m) : -1);
    Nested n[3] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}};
    Nested r = nested(n, 1), s = inner(n, 0);
    printf("nested       %g %g %d %d\n", r.z.re, r.z.im, r.at.x, r.at.y);
    printf("nested       %g %g %d %d, %d %d %d %d\n", s.z.re, s.z.im, s.at.x, s.at.y, n[0].at.x, n[0].at.y, n[1].at.x,
           n[1].at.y);
    Bits b[2] = {{5, 100, 200, 77}, {0}};
    bits(b, 0, 1);
    bits(b, 1, 1);
    Wide w[2] = {{{1, 2, 3, 4, 5, 6, 7, 8}}};
    Long l[2] = {{{9, 8, 7, 6, 5, 4, 3, 2, 1}}};
    printf("wide         %ld\n", wide(w, l));
    Triple t[3] = {{{1, 2, 3}, 1}, {{4, 5, 6}, 0}, {{7, 8, 9}, 0}};
    int total = arrays(t, 3);
    for (int i = 0; i < 3; i++)
        printf("arrays       %d %d %d %d %d\n", total, t[i].v[0], t[i].v[1], t[i].v[2], t[i].odd);
    char memory[2 * sizeof(Packed) + 1];
    printf("packed       %g\n", packed(memory));
    printf("escaped      %g %g\n", escaped(4), escaped(7));
    Complex p = pick(3), q = pick(1000), u = part(0), o = part(6);
    printf("pick         %g %g %g %g %g %g %g %g\n", p.re, p.im, q.re, q.im, u.re, u.im, o.re, o.im);
    Node c = {0, 3}, d = {&c, 2}, e = {&d, 1};
    printf("chase        %d %d\n", chase(e), chase(c));
    printf("unions       %d %d\n", unions(2), unions(3));
    return 0;
}
