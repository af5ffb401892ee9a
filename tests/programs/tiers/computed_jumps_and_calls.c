/* computed_jumps_and_calls.c - labels as values in a function that calls others, keeps arrays in its frame, calls
 * itself and divides by nothing; and one whose table holds distances between labels.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned noise(unsigned x)
{
    return (x ^ x >> 3) * 2654435761u;
}

static int run(const unsigned char *code, int depth, int limit, double scale)
{
    static const void *const labels[] = {&&push, &&add, &&loop, &&call, &&deeper, &&swap, &&divide, &&half, &&end};
    int stack[32], *sp = stack, counter = limit;
    double sum = 0;
    const unsigned char *pc = code;
    goto *labels[*pc++];
push:
    *sp++ = *pc++;
    goto *labels[*pc++];
add:
    sp--;
    sp[-1] = (int)((unsigned)sp[-1] + (unsigned)sp[0] * 3);
    sum += scale;
    goto *labels[*pc++];
loop:
    if (--counter > 0)
        pc = code + *pc;
    else
        pc++;
    goto *labels[*pc++];
call:
    sp[-1] = (int)noise((unsigned)sp[-1] + (unsigned)counter);
    if (sp[-1] & 1)
        sum -= 0.5;
    goto *labels[*pc++];
deeper:
    if (depth % 10 < 3)
        *sp++ = run(code, depth + 1, limit / 2, scale + 1);
    else
        *sp++ = rand() & 7;
    goto *labels[*pc++];
swap : {
    int top = sp[-1];
    sp[-1] = sp[-2];
    sp[-2] = top;
}
    goto *labels[*pc++];
divide:
    sp[-1] /= *pc++;
    goto *labels[*pc++];
half:
    sum *= 0.5;
    goto *labels[*pc++];
end:
    return (int)((unsigned)sp[-1] + (unsigned)(int)sum);
}

static int by_distances(int n)
{
    static const int distances[] = {&&one - &&one, &&two - &&one, &&stop - &&one};
    int sum = 0, at = 0;
    goto *(&&one + distances[0]);
one:
    sum += at * 3;
    at++;
    goto *(&&one + distances[1]);
two:
    sum ^= at++;
    goto *(&&one + distances[at < n ? at % 2 : 2]);
stop:
    return sum;
}

int main(void)
{
    static const unsigned char plain[] = {0, 1, 0, 2, 1, 3, 0, 7, 5, 1, 7, 0, 3, 1, 2, 2, 8};
    static const unsigned char calls[] = {0, 9, 0, 4, 1, 3, 0, 2, 5, 6, 3, 1, 2, 2, 4, 1, 8};
    static const unsigned char fault[] = {0, 9, 0, 4, 1, 3, 0, 2, 2, 2, 6, 0, 8};
    srand(1);
    printf("%d\n", run(plain, 0, 1, 2.5));
    for (int i = 0; i < 300; i++)
        printf("%d%c", run(calls, i % 3 * 10, i % 9 + 1, 0.25 * i), i % 10 == 9 ? '\n' : ' ');
    printf("%d\n", by_distances(5000));
    return run(fault, 0, 7, 1);
}
