/* Attributes in declarators, abstract ones too; barriers in asm; a library function of one's own, defined in the old way behind
 * its first call. */
#include <stdio.h>

static int answer(void)
{
    return 42;
}
typedef int T;

static int apply(int(__attribute__((unused)) * f)(void), T(__attribute__((unused)) *), int(__attribute__((unused)) x))
{
    return f() + x;
}
static int old_compare(void)
{
    return strcmp("same", "same") + 10 * (strcmp("b", "a") > 0) + labs(-3);
}
int strcmp(s1, s2)
char *s1, *s2;
{
    while (*s1 == *s2) {
        if (*s1++ == 0)
            return 0;
        ++s2;
    }
    return *s1 - *s2;
}

int main(void)
{
    void *p = (void *)answer;
    int r = ((int(__attribute__((noinline)) *)(void))p)();
    r += ((int(__attribute__((noinline)) __attribute__((unused, deprecated("x) *"))) *)(void))p)();
    int(__attribute__((unused)) *a)(void) = answer;
    int (*__attribute__((unused)) b)(void) = answer;
    T(__attribute__((unused)) * c)(void) = answer;
    int(__attribute__((aligned(8))) * rows)[2] = 0;
    int one = 1, *place = &one;
    __asm__ volatile("mfence" ::: "memory");
    __asm__ __volatile__("sfence\n\tlfence" : : : "memory", "cc");
    asm volatile("pause; nop");
    asm volatile("rep; nop" : "+m"(*place));
    asm volatile("lock; addl $0,0(%%rsp)" ::: "memory");
    asm volatile("lock; orl $0, %0" : "+m"(one));
    printf("%d %d %d %d %d %d\n", r, a(), b(), c(), rows != 0, one);
    printf("%d\n", (int)sizeof(int(__attribute__((unused)) * const[3])(int(__attribute__((unused)) *)(T))));
    printf("%d %d\n", apply(answer, 0, 1), old_compare());
    return 0;
}
