/* One rank allocates as many MiB as its argument says, writes to all of them and reads them again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    size_t bytes = (size_t)(argc > 1 ? atol(argv[1]) : 1024) << 20;
    char *memory = malloc(bytes);
    if (!memory) {
        puts("wrong: no memory");
        return 1;
    }
    memset(memory, 1, bytes);
    size_t sum = 0;
    for (size_t i = 0; i < bytes; i += 4096)
        sum += (size_t)memory[i];
    puts(sum == (bytes + 4095) / 4096 ? "right" : "wrong");
    free(memory);
    return 0;
}
