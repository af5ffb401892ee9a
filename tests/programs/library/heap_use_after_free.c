/* A write to a freed block is noticed when the memory is given out again, without any option. */
#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(20 * sizeof *numbers), *other = malloc(4);
    free(numbers);
    numbers[7] = 1;
    numbers = malloc(20 * sizeof *numbers);
    free(other);
    return 0;
}
