/* Objects of atomic types, also structs, and the built-in functions on them: values as a single thread sees them. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
typedef struct {
    int a, b;
} Pair;
typedef struct {
    char c[3];
} Odd;
typedef struct {
    long a, b, c;
} Big;
static _Atomic Pair pair;
static _Atomic Odd odd;
static _Atomic Big big;
static _Atomic double real = 1.5;
static _Atomic float single = 2;
static _Atomic __int128 wide = 5;
static _Atomic _Bool flag;
static _Atomic(int) array[4];
static atomic_long *pointer_to;
static atomic_flag f = ATOMIC_FLAG_INIT;
struct S {
    _Atomic unsigned char small;
    _Atomic short s[3];
    struct {
        atomic_int deep;
    } in;
} st, *sp = &st;
static int calls;
static int next(void)
{
    return calls++;
}
static atomic_int *where(void)
{
    calls++;
    return &array[calls & 3];
}
int plain(int *p)
{
    return *p;
}
#define KIND(x)                                                                                                        \
    _Generic((x), int : "int", long : "long", double : "double", _Atomic int : "atomic int", default : "other")
int main(void)
{
    Pair p = {1, 2}, q;
    pair = p;
    q = pair;
    printf("%d %d\n", q.a, q.b);
    Pair expected = {1, 2}, desired = {3, 4};
    printf("%d ", atomic_compare_exchange_strong(&pair, &expected, desired));
    printf("%d %d %d\n", atomic_compare_exchange_strong(&pair, &expected, desired), expected.a, expected.b);
    q = atomic_exchange(&pair, p);
    printf("%d %d\n", q.a, q.b);
    Odd o = {"ab"};
    atomic_store(&odd, o);
    o = atomic_load(&odd);
    printf("%s\n", o.c);
    Big b = {1, 2, 3};
    atomic_store(&big, b);
    Big c = atomic_load(&big);
    printf("%ld\n", c.a + c.b + c.c);
    real += 2;
    real *= 3;
    printf("%g\n", real++);
    printf("%g\n", --real);
    single /= 3;
    printf("%g\n", single);
    wide <<= 70;
    wide += 3;
    wide++;
    printf("%llx %llx\n", (long long)(wide >> 64), (long long)wide);
    flag = 7;
    flag |= 0;
    printf("%d\n", flag);
    flag--;
    printf("%d\n", flag);
    array[next()] += 5;
    array[next()]++;
    ++array[1];
    printf("%d %d %d\n", array[0], array[1], calls);
    *where() += 7;
    (*where())++;
    *where() = 9;
    printf("%d %d %d %d %d\n", array[0], array[1], array[2], array[3], calls);
    atomic_long l = 4;
    pointer_to = &l;
    *pointer_to <<= 3;
    *pointer_to ^= 1;
    printf("%ld %ld\n", *pointer_to, l);
    st.small = 255;
    st.small++;
    printf("%d\n", st.small);
    sp->small--;
    printf("%d\n", sp->small);
    sp->s[1] = 70000;
    sp->s[1] += 1;
    printf("%d\n", sp->s[1]);
    sp->in.deep = 3;
    printf("%d\n", sp->in.deep++ + sp->in.deep);
    int x = (array[2] = 12) + 1;
    printf("%d\n", x);
    char ch = (st.small = 300);
    printf("%d\n", ch);
    printf("%s %s %s\n", KIND(array[0]), KIND(real), KIND(l));
    printf("%d %d\n", array[0] ? 1 : 2, !array[0]);
    while (array[0] < 10)
        array[0]++;
    for (atomic_int i = 0; i < 3; i++)
        printf("%d", i);
    printf("\n%zu %zu %zu %zu\n", sizeof(_Atomic Pair), _Alignof(_Atomic Pair), _Alignof(Pair), _Alignof(_Atomic(Odd)));
    printf("%d %d %d\n", atomic_is_lock_free(&pair), (int)atomic_is_lock_free(&array[0]),
           (int)__atomic_always_lock_free(8, 0));
    double e = 4.5, d = 6;
    real = 4.5;
    printf("%d ", atomic_compare_exchange_weak(&real, &e, d));
    printf("%g\n", real);
    int *_Atomic ip = &x;
    *ip += 3;
    ip++;
    ip += 2;
    ip -= 1;
    printf("%d %d\n", (int)(ip - &x), x);
    printf("%d", atomic_flag_test_and_set(&f));
    printf("%d", atomic_flag_test_and_set_explicit(&f, memory_order_acquire));
    atomic_flag_clear(&f);
    printf("%d\n", atomic_flag_test_and_set(&f));
    int plainint = 3, out;
    __atomic_load(&plainint, &out, 5);
    __atomic_store(&plainint, &x, 5);
    int old;
    __atomic_exchange(&plainint, &out, &old, 5);
    printf("%d %d %d\n", out, old, plainint);
    printf("%d\n", __sync_bool_compare_and_swap(&plainint, 3, 4));
    printf("%d\n", __sync_val_compare_and_swap(&plainint, 3, 4));
    printf("%d %d\n", __sync_fetch_and_nand(&plainint, 6), plainint);
    array[1];
    (void)array[1];
    array[1]++;
    __sync_fetch_and_add(&x, 1);
    atomic_fetch_add(&array[1], 1);
    _Atomic const int k = 3;
    printf("%d\n", k);
    const _Atomic(int) kk = 4;
    printf("%d\n", kk);
    volatile atomic_int v = 3;
    v += 2;
    printf("%d\n", v);
    switch (v) {
    case 5: puts("five");
    }
    array[v - 2] = v;
    printf("%d\n", array[3]);
    __auto_type au = array[3];
    au++;
    __typeof__(array[3]) ta = 4;
    ta++;
    printf("%d %d\n", au, ta);
    unsigned char uc = 250;
    printf("%d %d\n", __atomic_add_fetch(&uc, 10, 5), uc);
    return 0;
}
