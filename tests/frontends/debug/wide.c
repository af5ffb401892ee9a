#include <stdio.h>
struct pair {
    int n;
    __int128 w;
    unsigned __int128 u;
};
struct packed {
    int x : 12;
    char y : 6;
    long long z : 63;
} __attribute__((packed));
__int128 whole = (__int128)-5 << 100;
int main(void)
{
    struct pair p = {1, -7, -1};
    struct packed bits = {-1, 3, -123456789};
    __int128 local = (__int128)p.n << 90;
    puts(whole < 0 ? "below" : "above");
    printf("%d %d\n", (int)local, (int)(p.w + bits.z));
    return 0;
}
