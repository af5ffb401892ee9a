#include <stdio.h>
int deep(int n) { return n == 0 ? *(volatile int *)0 : deep(n - 1); }
int main(void)
{
    int k = 3;
    printf("go\n");
    return deep(k);
}
