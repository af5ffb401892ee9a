/* A structure larger than all that the rank has: copying or clearing it is wild wherever it begins, although neither end
 * of the comparison that says so is. */
#include <stdio.h>

struct Large {
    char bytes[14 << 20];
};

static long cells[100];

static void copy(struct Large *to, struct Large *from, int n)
{
    for (int i = 0; i < n; i++) {
        cells[i % 100] += i;
        if (i == 500)
            *to = *from;
    }
}

int main(void)
{
    copy((struct Large *)cells, (struct Large *)(cells + 50), 500);
    printf("%ld\n", cells[99]);
    fflush(stdout);
    copy((struct Large *)cells, (struct Large *)(cells + 50), 501);
}
