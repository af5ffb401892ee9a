/* An index that is none is shown with what the array has. */
#include <stdio.h>
struct item {
    int weight;
    struct item *next;
};
static int table[10];
static int sum(struct item *first, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++) {
        total += first->weight; /* "first" in a comment */
        first = first->next;
    }
    return total;
}
int main(int argc, char **argv)
{
    struct item last = {1, 0}, items = {2, &last};
    int far = 50000000;
    printf("%d\n", sum(&items, 2));
    if (argc > 0)
        table[far] = argc;
    return sum(&items, 3) + table[0] + !argv;
}
