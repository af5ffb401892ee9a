/* <stdatomic.h> (C11 7.17): every operation, as a single thread sees it. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter = ATOMIC_VAR_INIT(5);
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    _Atomic long total;
    atomic_init(&total, 100);
    int expected = 5;
    printf("%d ", atomic_compare_exchange_strong(&counter, &expected, 6));
    printf("%d %d ", atomic_compare_exchange_weak(&counter, &expected, 7), expected);
    printf("%d\n", atomic_load(&counter));
    atomic_store_explicit(&counter, 40, memory_order_release);
    printf("%d ", atomic_fetch_add(&counter, 2));
    printf("%d ", atomic_fetch_sub_explicit(&counter, 1, memory_order_relaxed));
    printf("%d ", atomic_fetch_or(&counter, 0x80));
    printf("%d ", atomic_fetch_and(&counter, 0xf0));
    printf("%d ", atomic_fetch_xor(&counter, 0xff));
    printf("%d %d\n", atomic_exchange(&counter, 1), atomic_load_explicit(&counter, memory_order_acquire));
    counter++;
    counter += 3;
    total -= 1;
    printf("%d %ld %d\n", counter, total, atomic_is_lock_free(&counter));
    printf("%d ", atomic_flag_test_and_set(&flag));
    printf("%d ", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    int numbers[3] = {1, 2, 3};
    int *_Atomic place = numbers;
    place++;
    printf("%d\n", *place);
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}
