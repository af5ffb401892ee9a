/* Layouts of GNU C on x86-64: ms_struct, packed bit-fields that cross their unit, attributes of both places. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((ms_struct)) M1 { char a : 4; int b : 4; };
struct M2 { char a : 4; char : 0; short b : 3; int c; int d : 3; } __attribute__((ms_struct));
struct __attribute__((ms_struct, packed)) M3 { char c; int b : 4; int d : 30; short e : 3; };
struct __attribute__((gcc_struct)) M4 { char a : 4; int b : 4; };
union __attribute__((ms_struct)) M5 { int a : 3; char b; long : 0; };
struct __attribute__((ms_struct)) M6 { struct M1 m; long long x : 3; long long y : 61; long z : 1; _Bool q : 1; };
#pragma pack(push, 2)
struct __attribute__((ms_struct)) M7 { char a; long b : 40; int c : 5; };
#pragma pack(pop)
struct __attribute__((packed)) P1 { int x : 12; char y : 6; long long z : 63; char a : 4; long long b : 2; };
struct __attribute__((packed)) P2 { unsigned char a : 3; unsigned long b : 64; _Bool c : 1; int d : 31; };
struct P3 { char a : 7; int b : 30 __attribute__((packed)); short c : 15 __attribute__((packed)); };

static void show(const char *what, const void *object, size_t size)
{
    printf("%s:", what);
    for (size_t i = 0; i < size; i++)
        printf(" %02x", ((const unsigned char *)object)[i]);
    puts("");
}
#define SIZE(T) printf(#T " %d %d\n", (int)sizeof(T), (int)_Alignof(T))
#define SET(o, m)                                                                                                      \
    do {                                                                                                               \
        memset(&o, 0, sizeof o);                                                                                       \
        o.m = -1;                                                                                                      \
        show(#o "." #m, &o, sizeof o);                                                                                 \
        printf("%lld %d\n", (long long)o.m, (int)sizeof(o.m + 0));                                                     \
    } while (0)

static struct P1 fixed = {-5, 3, -6, 7, 1};

int main(void)
{
    SIZE(struct M1);
    SIZE(struct M2);
    SIZE(struct M3);
    SIZE(struct M4);
    SIZE(union M5);
    SIZE(struct M6);
    SIZE(struct M7);
    SIZE(struct P1);
    SIZE(struct P2);
    SIZE(struct P3);
    struct M1 m1;
    struct M2 m2;
    struct M3 m3;
    struct M6 m6;
    struct M7 m7;
    struct P1 p1;
    struct P2 p2;
    struct P3 p3;
    SET(m1, a);
    SET(m1, b);
    SET(m2, a);
    SET(m2, b);
    SET(m2, d);
    SET(m3, b);
    SET(m3, d);
    SET(m3, e);
    SET(m6, x);
    SET(m6, y);
    SET(m6, z);
    SET(m6, q);
    SET(m7, b);
    SET(m7, c);
    SET(p1, x);
    SET(p1, y);
    SET(p1, z);
    SET(p1, a);
    SET(p1, b);
    SET(p2, a);
    SET(p2, b);
    SET(p2, c);
    SET(p2, d);
    SET(p3, a);
    SET(p3, b);
    SET(p3, c);
    show("fixed", &fixed, sizeof fixed);
    volatile int v = -77;
    struct P1 local = {.z = v, .b = 1};
    local.z += 3;
    local.z++;
    printf("%lld %d %d\n", (long long)local.z, local.a, (int)local.b);
    return 0;
}
