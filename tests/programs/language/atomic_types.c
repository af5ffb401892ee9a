/* _Atomic as qualifier and specifier (C11 6.7.2.4, 6.7.3), as a single thread sees it. */
#include <stdio.h>

_Atomic int count;
_Atomic(long) total = 5;
int *_Atomic pointer;
struct { _Atomic unsigned char small; int _Atomic array[3]; } s;

int main(void)
{
    int x = 3;
    pointer = &x;
    count++;
    count += 4;
    total -= count;
    s.small--;
    s.array[1] = *pointer;
    printf("%d %ld %d %d %zu\n", count, total, s.small, s.array[1], sizeof(_Atomic(short)));
    return 0;
}
