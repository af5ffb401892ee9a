/* Pipes that break, fill up and are interrupted; standard output into one; vectors and sets of descriptors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
static int p[2], q[2];
static void rest(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}
static void *closer(void *a)
{
    rest(20);
    close(p[0]);
    return a;
}
static void *drain(void *a)
{
    static char b[100000];
    long n = 0, k;
    rest(20);
    while ((k = read(p[0], b, 777)) > 0)
        n += k;
    return (void *)n;
}
static void nothing(int s)
{
    (void)s;
}
static void *big(void *a)
{
    static char b[300000];
    long n = write(p[1], b, sizeof b);
    printf("%s %ld %s\n", (char *)a, n, n < 0 ? strerror(errno) : "");
    return NULL;
}
static void *pump(void *a)
{
    static char b[4000];
    FILE *f = fdopen(q[1], "w");
    for (int i = 0; i < 100; i++) {
        memset(b, 'a' + i % 26, sizeof b);
        fwrite(b, 1, 1 + i * 37 % sizeof b, f);
        if (i % 7 == 0)
            fflush(f);
    }
    fclose(f);
    return a;
}
int main(void)
{
    pthread_t t;
    void *r;
    signal(SIGPIPE, SIG_IGN);
    pipe(p);
    pthread_create(&t, 0, big, "reader goes away");
    rest(10);
    close(p[0]);
    pthread_join(t, 0);
    close(p[1]);
    pipe(p);
    pthread_create(&t, 0, drain, 0);
    big("all");
    close(p[1]);
    pthread_join(t, &r);
    printf("drained %ld\n", (long)r);
    close(p[0]);
    struct sigaction act = {.sa_handler = nothing};
    sigaction(SIGUSR1, &act, 0);
    pipe(p);
    pthread_create(&t, 0, big, "partial");
    rest(10);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, 0);
    close(p[0]);
    close(p[1]);
    pipe(p);
    pthread_create(&t, 0, big, "never");
    rest(10);
    pthread_cancel(t);
    pthread_join(t, &r);
    printf("cancelled %d\n", r == PTHREAD_CANCELED);
    close(p[0]);
    close(p[1]);
    pipe(q);
    pthread_create(&t, 0, pump, 0);
    {
        FILE *f = fdopen(q[0], "r");
        static char b[1 << 20];
        size_t n = fread(b, 1, sizeof b, f), sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += (unsigned char)b[i] * (i % 13 + 1);
        printf("fread %zu %zu eof %d\n", n, sum, feof(f));
        fclose(f);
    }
    pthread_join(t, 0);
    /* stdout into a pipe and back */
    fflush(stdout);
    int keep = dup(1);
    pipe(p);
    dup2(p[1], 1);
    printf("hidden %d\n", 7);
    puts("line");
    putchar('c');
    fflush(stdout);
    write(1, "raw", 3);
    dup2(keep, 1);
    close(p[1]);
    char b[100];
    long n = read(p[0], b, sizeof b);
    printf("got %ld: %.*s\n", n, (int)n, b);
    n = read(p[0], b, sizeof b);
    printf("%ld\n", n);
    struct iovec v[2] = {{"ab", 2}, {"cde", 3}};
    int s[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    printf("%zd ", writev(s[0], v, 2));
    char x[3], y[9];
    struct iovec w[2] = {{x, 3}, {y, 9}};
    printf("%zd %.3s %.2s\n", readv(s[1], w, 2), x, y);
    struct pollfd f[3] = {{s[0], POLLIN | POLLOUT, 0}, {99, POLLIN, 0}, {-1, POLLIN, 0}};
    int k = poll(f, 3, 100);
    printf("%d %x %x %x\n", k, f[0].revents, f[1].revents, f[2].revents);
    close(s[1]);
    f[0].events = POLLIN;
    k = poll(f, 1, -1);
    printf("%d %x\n", k, f[0].revents);
    printf("%zd", write(s[0], "x", 1));
    printf(" %s\n", strerror(errno));
    FILE *g = fdopen(s[0], "r+");
    g = freopen("/dev/null", "r", g);
    printf("%d\n", g != NULL && getc(g) == EOF);
    return 0;
}
