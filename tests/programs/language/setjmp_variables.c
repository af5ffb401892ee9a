/* setjmp and longjmp: values, nesting, variables that survive (C11 7.13). */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;

static void deep(int n, int value)
{
    char room[100];
    room[0] = (char)n;
    if (n)
        deep(n - 1, value + room[0] * 0);
    else
        longjmp(outer, value);
}

static int nested(void)
{
    volatile int steps = 0;
    int r = setjmp(inner);
    steps++;
    if (r == 0)
        longjmp(inner, 5);
    if (r == 5)
        longjmp(inner, 0);
    return steps * 10 + r;
}

static int retry(int limit)
{
    static int attempts;
    attempts = 0;
    int local = 1;
    const int kept = limit * 2;
    switch (setjmp(outer)) {
    case 0: deep(3, 1);
    case 1: attempts++; break;
    default: printf("default\n");
    }
    local += attempts;
    if (attempts < limit)
        deep(attempts, 1);
    return kept * 100 + attempts;
}

static double loop(int n)
{
    volatile double total = 0;
    volatile int i;
    for (i = 0; i < n; i++) {
        if (setjmp(inner) == 0) {
            if (i % 2)
                longjmp(inner, i);
            total += 1;
        } else {
            total += 0.5;
        }
    }
    return total;
}

int main(void)
{
    int r = setjmp(outer);
    if (r < 3) {
        printf("back with %d\n", r);
        deep(10, r + 1);
    }
    printf("done %d\n", r);
    printf("%d\n", nested());
    printf("%g\n", loop(7));
    printf("%d\n", retry(3));
    if (!setjmp(outer))
        deep(2, 9);
    else
        printf("end\n");
    return 0;
}
