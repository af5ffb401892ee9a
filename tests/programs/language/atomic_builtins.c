/* __sync_... and __atomic_...: plain accesses, operands evaluated once. */
#include <stdio.h>

static int n;
static int array[4] = {10, 20, 30, 40};
static int *next(void)
{
    return &array[n++];
}

int main(void)
{
    unsigned char c = 250;
    long l = -5;
    int *p = array, expected = 99;
    _Bool locked = 0;
    printf("%d %d %d\n", __sync_fetch_and_add(next(), 5), __sync_add_and_fetch(next(), 1), n);
    printf("%d %d\n", __sync_fetch_and_add(&c, 10), c);
    printf("%d %d\n", __sync_nand_and_fetch(&c, 6), __sync_fetch_and_xor(&c, 1));
    printf("%d %d\n", __sync_bool_compare_and_swap(&array[0], 15, 7), __sync_val_compare_and_swap(&array[0], 8, 9));
    printf("%d %ld %ld\n", array[0], __sync_lock_test_and_set(&l, 3), l);
    __sync_lock_release(&l);
    __sync_synchronize();
    printf("%ld %ld %ld\n", l, __atomic_fetch_sub(&l, 4, __ATOMIC_SEQ_CST), __atomic_or_fetch(&l, 1, __ATOMIC_RELAXED));
    printf("%d %d\n", __atomic_load_n(&array[1], __ATOMIC_ACQUIRE), __atomic_exchange_n(&array[1], 5, __ATOMIC_ACQ_REL));
    __atomic_store_n(next(), 77, __ATOMIC_RELEASE);
    int first = __atomic_compare_exchange_n(&array[2], &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    int second = __atomic_compare_exchange_n(&array[2], &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %d %d %d\n", first, second, expected, array[2]);
    double d = 1.5, e = 2.5, f;
    __atomic_exchange(&d, &e, &f, __ATOMIC_SEQ_CST);
    __atomic_load(&d, &e, __ATOMIC_SEQ_CST);
    printf("%g %g %g\n", d, e, f);
    printf("%d %d\n", __atomic_test_and_set(&locked, __ATOMIC_SEQ_CST), __atomic_test_and_set(&locked, __ATOMIC_SEQ_CST));
    __atomic_clear(&locked, __ATOMIC_SEQ_CST);
    int *q = __atomic_fetch_add(&p, sizeof *p, __ATOMIC_SEQ_CST);
    printf("%d %d %d %d\n", locked, (int)(p - q), __sync_fetch_and_add_4(&array[3], 2), array[3]);
    return 0;
}
