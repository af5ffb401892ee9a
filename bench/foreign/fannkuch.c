/* fannkuch.c - permutations, and how often their beginnings can be turned round. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10, most = 0, check = 0, parity = 0;
    int perm[16], perm1[16], count[16], r = n;
    for (int i = 0; i < n; i++)
        perm1[i] = i;
    for (;;) {
        for (; r != 1; r--)
            count[r - 1] = r;
        for (int i = 0; i < n; i++)
            perm[i] = perm1[i];
        int flips = 0, k;
        while ((k = perm[0])) {
            for (int i = 0, j = k; i < j; i++, j--) {
                int t = perm[i];
                perm[i] = perm[j];
                perm[j] = t;
            }
            flips++;
        }
        if (flips > most)
            most = flips;
        check += parity ? -flips : flips;
        for (;; r++) {
            if (r == n) {
                printf("%d %d\n", check, most);
                return 0;
            }
            int first = perm1[0];
            for (int i = 0; i < r; i++)
                perm1[i] = perm1[i + 1];
            perm1[r] = first;
            if (--count[r] > 0)
                break;
        }
        parity ^= 1;
    }
}
