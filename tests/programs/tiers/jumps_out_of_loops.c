/* setjmp and longjmp across loops and calls: out of loops, out of comparison functions, back into a loop many times
 * (7.13). */
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf top, inner;

static long search(const int *values, int n, int wanted)
{
    for (int i = 0; i < n; i++)
        if (values[i] == wanted)
            longjmp(top, i + 1);
    return -1;
}

static void deep(int n, int code)
{
    if (n == 0)
        longjmp(top, code);
    for (int i = 0; i < 3; i++)
        deep(n - 1, code + i);
}

static int calls;
static int jumping(const void *left, const void *right)
{
    if (++calls == 500)
        longjmp(top, 77);
    return *(const int *)left - *(const int *)right;
}

static long retries(int n)
{
    volatile long sum = 0;
    volatile int round = 0;
    for (int i = 0; i < n; i++) {
        int code = setjmp(inner);
        char *memory = alloca((size_t)(16 + code));
        memset(memory, i, 16);
        sum = sum * 3 + code + memory[5];
        if (code < i % 7) {
            round++;
            longjmp(inner, code + 1);
        }
    }
    return sum + round;
}

int main(void)
{
    static int values[400];
    for (int i = 0; i < 400; i++)
        values[i] = i * 37 % 401;
    volatile long sum = 0;
    for (volatile int wanted = 0; wanted < 450; wanted += 3) {
        int found = setjmp(top);
        if (found == 0)
            sum += search(values, 400, wanted);
        else
            sum = sum * 3 % 1000003 + found;
    }
    printf("%ld\n", sum);
    int code = setjmp(top);
    if (code < 50)
        deep(20, code + 5);
    printf("%d\n", code);
    if (setjmp(top) == 0)
        qsort(values, 400, sizeof *values, jumping);
    printf("%d\n", calls);
    printf("%ld\n", retries(60));
}
