/* A rank waits for a pipe and a counter that nobody writes to. */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    pipe(ends);
    struct pollfd files[2] = {{ends[0], POLLIN, 0}, {eventfd(0, 0), POLLIN, 0}};
    poll(files, 2, -1);
    return 0;
}
