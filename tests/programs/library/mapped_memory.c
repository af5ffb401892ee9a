/* mremap() of Linux: a mapping that shrinks stays where it is, one that grows moves only where it may, keeps what it
 * held, and what is new in it is zero. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static void refused(const char *what, void *got)
{
    printf("%s: %s\n", what, got == MAP_FAILED ? strerror(errno) : "granted");
}

int main(void)
{
    char *start = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(start, 'a', 3 * PAGE);
    printf("shrinks in place %d\n", mremap(start, 3 * PAGE, PAGE + 1, 0) == start);
    char *moved = mremap(start, 2 * PAGE, 100 * PAGE, MREMAP_MAYMOVE);
    int kept = 0, zero = 0;
    for (int i = 0; i < 100 * PAGE; i++)
        kept += moved[i] == 'a', zero += moved[i] == 0;
    printf("kept %d, new %d, aligned %d\n", kept / PAGE, zero / PAGE, (unsigned long)moved % PAGE == 0);
    refused("to nothing", mremap(moved, 100 * PAGE, 0, MREMAP_MAYMOVE));
    refused("unknown flag", mremap(moved, 100 * PAGE, PAGE, 64));
    printf("unmapped %d\n", munmap(moved, 100 * PAGE));
    return 0;
}
