/* pixels.c - bit fields and small fields of records, copied whole, and functions from a table.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    unsigned r : 5, g : 6, b : 5;
    unsigned a : 4;
    int d : 12;
} P;
typedef struct {
    uint32_t id;
    uint16_t port;
    uint8_t flags;
    union {
        float f;
        uint32_t u;
    } v;
    struct {
        short x, y;
    } pos;
} Rec;

static P blend(P x, P y)
{
    P r;
    r.r = (x.r + y.r) >> 1;
    r.g = (x.g + y.g) >> 1;
    r.b = (x.b * 3 + y.b) >> 2;
    r.a = x.a > y.a ? x.a : y.a;
    r.d = x.d - y.d;
    return r;
}
static int (*ops[4])(int, int);

static int o0(int a, int b)
{
    return a + b;
}

static int o1(int a, int b)
{
    return a ^ b << 1;
}

static int o2(int a, int b)
{
    return a - b;
}

static int o3(int a, int b)
{
    return (a & b) + 1;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 200000;
    ops[0] = o0;
    ops[1] = o1;
    ops[2] = o2;
    ops[3] = o3;
    static P p[256];
    static Rec rec[256];
    for (int i = 0; i < 256; i++) {
        p[i].r = (unsigned)i;
        p[i].g = (unsigned)i * 3;
        p[i].b = (unsigned)i * 7;
        p[i].a = (unsigned)i / 3;
        p[i].d = i;
        rec[i].id = (uint32_t)i * 77;
        rec[i].port = (uint16_t)(i * 3);
    }
    int s = 0;
    for (int k = 0; k < turns; k++)
        for (int i = 0; i < 255; i += 3) {
            p[i] = blend(p[i], p[i + 1]);
            Rec *r = &rec[(i + k) & 255];
            r->flags ^= (uint8_t)p[i].r;
            r->pos.x = (short)(r->pos.x + p[i].d);
            r->pos.y++;
            r->v.u += r->id;
            *(&rec[i]) = *r;
            s = ops[r->flags & 3](s, p[i].g);
        }
    printf("%d %u %d\n", s, rec[5].v.u, rec[9].pos.x);
    return 0;
}
