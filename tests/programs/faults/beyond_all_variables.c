/* An array of the stack is written until memory ends: what is named is the array, not what the library has behind it. */
#include <stdio.h>

static void fill(int *array)
{
    for (int i = 0;; i++)
        array[i] = i;
}

int main(void)
{
    int few[4];
    fill(few);
    printf("%d\n", few[1]);
}
