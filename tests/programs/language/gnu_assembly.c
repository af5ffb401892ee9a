/* asm without instructions does nothing but move its operands; asm labels name symbols; __label__ makes labels local to
 * a block; __auto_type takes the type of the initialiser; attributes of C23 are passed over. GNU C, not in C11. */
#include <stdio.h>
#include <stdlib.h>

#define FIND(v, n, what)                                                                                               \
    ({                                                                                                                 \
        __label__ found;                                                                                               \
        int i_;                                                                                                        \
        for (i_ = 0; i_ < (n); i_++)                                                                                   \
            if ((v)[i_] == (what))                                                                                     \
                goto found;                                                                                            \
        i_ = -1;                                                                                                       \
    found:                                                                                                             \
        i_;                                                                                                            \
    })

int counter __asm__("the_counter");
extern int same_counter __asm__("the_counter");
__auto_type ratio = 3.5;

[[noreturn]] static void leave(void)
{
    exit(0);
}

static int unused_parameter(int x [[maybe_unused]])
{
    return 3;
}

int main(void)
{
    int v[5] = {1, 2, 3, 4, 5};
    __auto_type first = v, third = &v[2];
    int x = 5, y = 6;
    asm volatile("" ::: "memory");
    asm volatile("" : "+r"(x) : "r"(y++) : "memory", "cc");
    printf("%d %d\n", x, y);
    __asm__ __volatile__("" : "=r"(x) : "0"(y + 1));
    asm("" : [out] "=r"(y) : "[out]"(x * 2));
    printf("%d %d\n", x, y);
    printf("%d %d\n", FIND(v, 5, 3), FIND(first, 2, 3));
    counter = 4;
    printf("%d %d %g %d\n", (int)(third - first), same_counter, ratio * 2, unused_parameter(1));
    if (x)
        __attribute__((unused));
    switch (x) {
    case 8: y = 2; [[fallthrough]];
    case 9: printf("y %d\n", y); break;
    default: out: __attribute__((unused));
    }
    leave();
}
