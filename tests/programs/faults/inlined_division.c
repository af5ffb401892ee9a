/* A fault in the second of two expansions of one function names the second call. A division whose result is not wanted
 * faults all the same, wherever its function went. */
#include <stdio.h>
static int share(int amount, int people)
{
    return amount / people;
}
static void check(int people)
{
    int each = share(100, people);
    (void)each;
}
int main(int argc, char **argv)
{
    (void)argv;
    check(argc);
    printf("one\n");
    check(argc - 1);
    printf("two\n");
    return 0;
}
