/* /dev/null is there for every program. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char byte;
    int descriptor = open("/dev/null", O_RDWR);
    printf("%d %d %d\n", descriptor >= 0, (int)write(descriptor, "text", 4), (int)read(descriptor, &byte, 1));
    close(descriptor);
    FILE *file = fopen("/dev/null", "w");
    printf("%d", file != NULL);
    printf(" %d", fprintf(file, "lost\n"));
    printf(" %d\n", fclose(file));
    return 0;
}
