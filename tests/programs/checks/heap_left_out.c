/* One byte too much, known and got past: variables are still looked at. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *text = malloc(1);
    (void)argv;
    snprintf(text, (size_t)argc + 1, "2");
    text = realloc(text, 2);
    puts(text);
    free(text);
    return 0;
}
