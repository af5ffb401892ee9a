/* goto forwards, backwards, into and out of blocks; labels as values (GNU). */
#include <stdio.h>

static int into(int n)
{
    int r = 0;
    if (n == 1)
        goto inside;
    for (int i = 0; i < 3; i++) {
        r += 10;
        if (0) {
        inside:
            r += 1;
            i = 1;
        }
    }
    return r;
}

static int run(const char *program)
{
    static void *const table[] = {&&add, &&subtract, &&twice, &&stop};
    int value = 0;
    goto *table[*program++ - '0'];
add:
    value += 5;
    goto *table[*program++ - '0'];
subtract:
    value -= 1;
    goto *table[*program++ - '0'];
twice:
    value *= 2;
    goto *table[*program++ - '0'];
stop:
    return value;
}

int main(void)
{
    int i = 0;
again:
    if (i < 5) {
        printf("%d ", i++);
        goto again;
    }
    printf("\n%d %d\n", into(0), into(1));
    for (int a = 0; a < 10; a++)
        for (int b = 0; b < 10; b++)
            if (a * b == 42) {
                printf("%d %d\n", a, b);
                goto found;
            }
found:
    printf("%d %d\n", run("00213"), run("020210113"));
    {
        int j = 0;
    next:;
        int fresh = j;
        if (++j < 3)
            goto next;
        printf("%d %d\n", fresh, j);
    }
    goto end;
    printf("not reached\n");
end:
    for (;;) {
        if (i++ > 8)
            break;
        while (1) {
            if (i & 1)
                goto odd;
            break;
        }
        printf("even ");
        continue;
    odd:
        printf("odd ");
    }
    printf("%d\n", i);
    return 0;
}
