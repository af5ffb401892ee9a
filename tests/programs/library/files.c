/* A temporary file: blocks, positions, update mode (C11 7.21.5 to 7.21.9). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    FILE *file = tmpfile();
    double numbers[4] = {1.5, 2.5, 3.5, 4.5}, back[4];
    printf("%zu\n", fwrite(numbers, sizeof *numbers, 4, file));
    rewind(file);
    printf("%zu %g\n", fread(back, sizeof *back, 4, file), back[0] + back[3]);
    printf("%zu %d\n", fread(back, sizeof *back, 4, file), feof(file) != 0);
    fseek(file, 8, SEEK_SET);
    printf("%ld\n", ftell(file));
    fpos_t position;
    fgetpos(file, &position);
    printf("%zu %g\n", fread(back, sizeof *back, 1, file), back[0]);
    fsetpos(file, &position);
    fprintf(file, "%d %s\n", 42, "words");
    fseek(file, 8, SEEK_SET);
    int number;
    char word[16];
    printf("%d ", fscanf(file, "%d %15s", &number, word));
    printf("%d %s\n", number, word);
    printf("%d\n", fgetc(file));
    fseek(file, -8, SEEK_END);
    printf("%zu %g\n", fread(back, sizeof *back, 1, file), back[0]);
    printf("%d\n", fclose(file));
    char *memory = NULL;
    size_t size = 0;
    file = open_memstream(&memory, &size);
    for (int i = 0; i < 5; i++)
        fprintf(file, "%d,", i);
    fclose(file);
    printf("%s %zu\n", memory, size);
    free(memory);
    return 0;
}
