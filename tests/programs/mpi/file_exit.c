/* What a stream still holds when its program ends takes time, as fclose() would have. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[5000];
    FILE *file = fopen("file_exit.dat", "w");
    memset(line, 'x', sizeof line);
    fwrite(line, 1, sizeof line, file);
    return 0;
}
