/* Bit-fields: reading, writing, compound assignment, increments, value of the assignment (C11 6.5.16p3, 6.7.2.1p10). */
#include <stdio.h>
#include <string.h>

struct Mixed {
    unsigned a : 3;
    int b : 5;
    unsigned long c : 40;
    signed char d : 7;
    _Bool e : 1;
    unsigned : 0;
    unsigned short f : 9;
    long g : 64;
    enum { RED, GREEN, BLUE } h : 2;
};

#pragma pack(push, 1)
struct __attribute__((packed)) Packed {
    char lead;
    unsigned a : 5;
    unsigned b : 13;
    int c : 14;
    char tail;
};
#pragma pack(pop)

static void show(const char *what, const struct Mixed *m)
{
    printf("%s: %u %d %lu %d %d %u %ld %d\n", what, m->a, m->b, (unsigned long)m->c, m->d, m->e, m->f, (long)m->g, m->h);
}

int main(void)
{
    struct Mixed m;
    memset(&m, 0, sizeof m);
    printf("%d %d\n", m.a = 13, m.b = 21);
    m.c = 0x123456789abcdeUL;
    m.d = 100;
    m.e = 2;
    m.f = 1000;
    m.g = -5;
    m.h = BLUE;
    show("set", &m);
    m.a++;
    ++m.b;
    m.c--;
    m.d -= 3;
    m.e ^= 1;
    m.f <<= 1;
    m.g *= 3;
    show("stepped", &m);
    printf("%d %d %d\n", m.a++, m.b--, --m.d);
    m.c |= 0xff00000000UL;
    m.b = m.a = 7;
    m.f /= 3;
    m.f %= 50;
    show("more", &m);
    struct Packed p = {'x', 17, 5000, -3000, 'y'};
    p.b += 200;
    p.c /= 2;
    printf("%zu %c %u %u %d %c\n", sizeof p, p.lead, p.a, p.b, p.c, p.tail);
    struct Mixed array[3] = {{1, -1, 2}, {.h = GREEN, .d = -7}, {.g = 1L << 40}};
    for (int i = 0; i < 3; i++)
        show("array", &array[i]);
    struct Mixed *q = array;
    (q++)->a += 2;
    q->e = 0.5;
    show("through pointer", array);
    show("bool", q);
    printf("%d\n", (m.b = 20) == 20);
    return 0;
}
