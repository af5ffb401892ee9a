/* Where objects of atomic types may stand: enums, pointers to functions, members, parameters, lists, conditions. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
enum E { A, B, C };
typedef struct {
    int x;
    double y;
} S;
static _Atomic enum E e = B;
static int (*_Atomic fp)(const char *) = puts;
static _Atomic(S) s = {1, 2.5};
static atomic_int arr[] = {1, 2, 3};
union U {
    _Atomic int i;
    unsigned char c[4];
} u = {0x01020304};
struct N {
    _Atomic(int) *p;
    atomic_int in[2];
    struct N *next;
} n = {arr, {4, 5}, 0}, *np = &n;
static atomic_int get(void)
{
    return arr[1];
}
static int sum(atomic_int a, _Atomic int *b, const atomic_int *c)
{
    a++;
    return a + *b + *c;
}
static int va(int k, ...)
{
    va_list l;
    va_start(l, k);
    int r = va_arg(l, int);
    va_end(l);
    return r;
}
static inline long loop(void)
{
    static _Atomic long count;
    for (int i = 0; i < 5; i++) {
        count += i;
        if (count > 5)
            break;
    }
    return count;
}
int main(void)
{
    printf("%d %d %d\n", e, e == B, e + 1);
    e++;
    e |= 0;
    printf("%d\n", e);
    fp("called");
    (*fp)("again");
    S t = s;
    t.x++;
    s = t;
    printf("%d %g\n", ((S)s).x, t.y);
    printf("%d %d\n", u.i, u.c[0]);
    u.i += 1;
    printf("%d\n", u.c[0]);
    printf("%d %d %d\n", np->p[1], n.in[1]++, *np->p);
    np->in[0] *= 3;
    printf("%d\n", np->in[0]);
    printf("%d %d\n", get(), sum(arr[0], &arr[1], &arr[2]));
    printf("%d %ld\n", va(1, arr[2]), loop());
    atomic_int *lit = &(atomic_int){7};
    (*lit)--;
    printf("%d\n", *lit);
    int c = arr[0] ? arr[1] : arr[2];
    c = c ? c : (int)arr[0];
    printf("%d %d\n", c, arr[0] && arr[1] || !arr[2]);
    printf("%zu %zu %zu\n", sizeof arr[0], sizeof(arr) / sizeof(arr[0]), sizeof(s));
    _Atomic unsigned char uc = 200;
    uc += 100;
    uc <<= 1;
    uc = ~uc;
    printf("%d %d %d\n", uc, -uc, +uc);
    _Atomic signed char sc = 127;
    int was = sc++;
    printf("%d %d\n", was, sc);
    _Atomic short sh = 5;
    sh /= 2;
    sh %= 2;
    sh ^= 3;
    sh -= 10;
    printf("%d\n", sh);
    _Atomic float f = 1.5f;
    f *= 2;
    f -= 0.25f;
    printf("%g %g\n", f, f / 2);
    _Atomic _Bool b = 0;
    b = 5;
    b ^= 1;
    printf("%d\n", b);
    b++;
    printf("%d\n", b);
    int a2[3] = {10, 20, 30};
    int *_Atomic p = a2;
    p += 2;
    printf("%d %d %td\n", *p, p[-1], p - a2);
    *p-- = 5;
    printf("%d %d\n", *p, a2[2]);
    atomic_uint ui = 0;
    ui--;
    printf("%u %d\n", ui, ui > 0);
    do
        ui >>= 1;
    while (ui > 100);
    printf("%u\n", ui);
    for (atomic_size_t i = 0; i != 3; ++i)
        printf("%zu ", (size_t)i);
    puts("");
    long long big = (arr[0] = 9, arr[0]) * 2LL;
    printf("%lld\n", big);
    (void)arr[0];
    arr[0];
    (arr[1]) = 4;
    printf("%d\n", (arr[1]));
    int x = arr[1] = arr[2] = 6;
    printf("%d %d %d\n", x, arr[1], arr[2]);
    volatile _Atomic long v = 3;
    const volatile atomic_int cv = 8;
    v += cv;
    printf("%ld\n", v);
    printf("%d\n", _Generic(&arr[0], atomic_int * : 1, int * : 2, default : 3));
    printf("%d\n", _Generic(arr[0], atomic_int : 1, int : 2, default : 3));
    __typeof__(arr[0]) z = 3;
    z++;
    printf("%d\n", z);
    _Atomic long double ld = 1;
    ld += 2;
    printf("%g\n", (double)ld);
    _Atomic _Complex double cd = 1;
    cd += 2.0;
    printf("%g\n", __real__(_Complex double) cd);
    goto *(&&end + 0);
end:;
    if (atomic_load(&arr[2]) == 6)
        puts("six");
    return arr[0] - 9;
}
