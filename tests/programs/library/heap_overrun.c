/* One byte written past the end of a block is noticed when the block is freed, without any option. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(5);
    strcpy(text, "12345");
    free(text);
    return 0;
}
