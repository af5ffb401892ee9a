/* Every way out of native code, over and over: calls with and without frames, bounded ones, copies of recursions, jumps
 * to the beginning, calls through pointers, externs, counted loops with accesses of all kinds, alloca, doubles and
 * floats, registers that live across all of that, upcalls from the library, longjmp through printed frames. */
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

static int numbers[512];
static double reals[256];
static float shorts[256];
static jmp_buf back;

static int APART small(int x)
{
    return x > 7 ? x - 3 : x * 5 + 1;
}

static int APART with_frame(int n)
{
    int a[40];
    for (int i = 0; i < 40; i++)
        a[i] = small(i + n) ^ numbers[(i + n) & 511];
    return a[n & 31] + a[39 - (n & 31)];
}

static int APART without_frame(int n)
{
    int sum = 0;
    for (int i = 0; i < 12; i++)
        sum += with_frame(n + i) ^ i;
    return sum;
}

static int APART twice(int n, int a, int b, int c, int d, int e, int f, int g)
{
    if (n < 2)
        return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
    return twice(n - 1, b, c, d, e, f, g, a) + twice(n - 2, g, f, e, d, c, b, a + 1);
}

static long APART fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int APART tail(int n, int sum)
{
    if (n == 0)
        return sum;
    if (n % 9 == 0)
        sum += with_frame(n);
    return tail(n - 1, sum ^ n * 3);
}

static int odd(int n);
static int APART even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}
static int APART odd(int n)
{
    volatile int kept = n;
    return n == 0 ? 0 : even(kept - 1);
}

static double APART of_reals(double x, float y, int turns)
{
    double sum = 0;
    for (int i = 0; i < turns; i++) {
        reals[i & 255] = x * i + y;
        shorts[(i * 7) & 255] += (float)reals[(i * 3) & 255];
        sum += reals[i & 255] > 40 ? shorts[i & 255] : -1.5;
    }
    return sum;
}

static int APART on_stack(int n)
{
    int sum = 0;
    for (int k = 1; k < n; k++) {
        char *room = alloca(16 * k);
        memset(room, k, 16 * k);
        for (int i = 0; i < 16 * k; i += 5)
            sum += room[i] + small(i);
    }
    return sum;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void APART deep(int n)
{
    char room[48];
    memset(room, n, sizeof room);
    numbers[n & 511] += room[n % 48];
    if (n == 0)
        longjmp(back, 1 + (numbers[3] & 1));
    deep(n - 1);
    numbers[n & 511]--;
}

static int (*const through[])(int) = {small, with_frame, without_frame, on_stack};

static int APART pointers(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + through[i % 4](i % 11);
    return sum;
}

static int APART choose(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        switch ((i * 7 + sum) & 7) {
        case 0: sum += small(i); break;
        case 1: sum -= numbers[i & 511] / (1 + (i & 3)); break;
        case 3: sum ^= (int)strlen("how long this is" + (i & 7)); break;
        case 4: sum += strcmp("abcdefgh", "abcdefgi" + (i & 1)); break;
        case 6: sum = sum * 31 + numbers[(sum ^ i) & 511] % 7; break;
        default: sum++;
        }
    return sum;
}

static void APART nested(int n)
{
    static int m[24][24];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = m[j][i];
            for (int k = 0; k < n; k++)
                sum += m[i][k] * (k + 1) + numbers[k * n + j];
            m[i][j] = sum & 1023;
        }
    numbers[7] += m[3][4];
}

int main(void)
{
    for (int i = 0; i < 512; i++)
        numbers[i] = (i * 37) % 101;
    for (int round = 0; round < 3; round++) {
        char here;
        printf("%d %d %ld\n", without_frame(round), twice(9, round, 2, 3, 4, 5, 6, 7), fibonacci(13 + round));
        printf("%d %d %d\n", tail(200 + round, 1), even(150 + round), on_stack(14));
        printf("%.3f\n", of_reals(1.25 * round, 2.5f, 700));
        qsort(numbers, 512, sizeof *numbers, compare);
        printf("%d %d\n", pointers(40), choose(600));
        nested(20 + round);
        int jumped = setjmp(back);
        if (!jumped)
            deep(30 + round);
        printf("%d %d %d\n", jumped, numbers[9], (int)((unsigned long)&here & 0xffff));
    }
    return 0;
}
