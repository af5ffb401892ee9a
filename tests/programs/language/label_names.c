/* Labels whose names are near a keyword, in switches too: they are names like others where a goto goes to them (6.8.1). */
#include <stdio.h>

static int state(int n)
{
    if (n > 3)
        goto yydefault;
    n += 10;
yydefault:
    n++;
    return n;
}

static int inside(int n)
{
    switch (n) {
    case 1:
        n = 5;
        goto defaults;
    case 2: n = 7;
    defaults:
        n *= 2;
        break;
    }
    return n;
}

static int before(int n)
{
defalt:
    n *= 3;
    if (n < 50)
        goto defalt;
    return n;
}

int main(void)
{
    printf("%d %d %d %d %d\n", state(1), state(4), inside(1), inside(2), before(2));
    return 0;
}
