/* pipes.c - processes of the host that pass a token round a ring of pipes, for comparison in bench/scheduling.
 *
 *     pipes PROCESSES ROUNDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 256 };
static int pipes[MOST][2];

static void pass(int from, int to, int rounds, int first)
{
    int token = 0;
    for (int i = 0; i < rounds; i++) {
        if (first && write(pipes[to][1], &token, sizeof token) < 0)
            exit(1);
        if (read(pipes[from][0], &token, sizeof token) <= 0)
            exit(1);
        token++;
        if (!first && write(pipes[to][1], &token, sizeof token) < 0)
            exit(1);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2, rounds = argc > 2 ? atoi(argv[2]) : 1000, failed = 0;
    if (n < 2 || n > MOST)
        return 2;
    for (int i = 0; i < n; i++)
        if (pipe(pipes[i]))
            return 1;
    for (int i = 1; i < n; i++)
        if (fork() == 0) {
            pass(i, (i + 1) % n, rounds, 0);
            _exit(0);
        }
    pass(0, 1, rounds, 1);
    for (int i = 1, status; i < n; i++)
        failed |= wait(&status) < 0 || status;
    printf("%d\n", rounds);
    return failed;
}
