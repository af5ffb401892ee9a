/* A rank writes to itself more than a pipe holds. */
#include <unistd.h>

int main(void)
{
    static char much[70000];
    int ends[2];
    pipe(ends);
    write(ends[1], much, sizeof much);
    return 0;
}
