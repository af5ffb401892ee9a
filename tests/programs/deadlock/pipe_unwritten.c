/* A thread reads a pipe that only it could write to, and another waits for that thread. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *argument)
{
    char line[80];
    FILE *in = fdopen(ends[0], "r");
    while (fgets(line, sizeof line, in))
        ;
    return argument;
}

int main(void)
{
    pthread_t thread;
    pipe(ends);
    write(ends[1], "all there is\n", 13);
    pthread_create(&thread, 0, reader, 0);
    pthread_join(thread, 0);
    return 0;
}
