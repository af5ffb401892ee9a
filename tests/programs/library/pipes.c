/* Pipes, pairs of sockets and event counters between the threads of a process. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

/* Long enough for others to have come to rest. */
static void rest(long units)
{
    nanosleep(&(struct timespec){units / 5000, units % 5000 * 200000}, NULL);
}

static void say(const char *format, ssize_t result)
{
    int error = errno;
    printf(format, result, strerror(error));
}

/* -- one thread alone -- */

static void alone(void)
{
    char text[100];
    int left = -1;
    struct stat status;
    printf("pipe %d\n", pipe(ends));
    printf("write %zd\n", write(ends[1], "hello", 5));
    int asked = ioctl(ends[0], FIONREAD, &left);
    printf("ioctl %d: %d bytes\n", asked, left);
    printf("read %zd %.3s\n", read(ends[0], text, 3), text);
    say("wrong ends: %zd %s, ", read(ends[1], text, 1));
    say("%zd %s\n", write(ends[0], text, 1));
    say("seek %zd %s\n", lseek(ends[0], 0, SEEK_SET));
    printf("a fifo: %d, flags %o %o\n", fstat(ends[0], &status) == 0 && S_ISFIFO(status.st_mode),
           fcntl(ends[0], F_GETFL), fcntl(ends[1], F_GETFL));
    int copy = dup(ends[1]);
    fcntl(copy, F_SETFL, O_NONBLOCK); /* of both */
    static char many[70000];
    read(ends[0], many, 2);
    printf("room for %zd", write(ends[1], many, sizeof many));
    say(", then %zd %s\n", write(ends[1], "x", 1));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    while (read(ends[0], many, sizeof many) > 0)
        ;
    printf("empty: %s\n", strerror(errno));
    close(ends[1]);
    say("a copy is open: %zd %s\n", read(ends[0], many, 1));
    close(copy);
    printf("end: %zd\n", read(ends[0], many, 1));
    close(ends[0]);
    say("closed: %zd %s\n", read(ends[0], many, 1));
}

/* -- broken pipes -- */

static int signals;

static void on_pipe(int number)
{
    signals += number;
}

static void broken(void)
{
    pipe(ends);
    close(ends[0]);
    signal(SIGPIPE, on_pipe);
    say("broken: %zd %s, ", write(ends[1], "x", 1));
    printf("signal %d\n", signals);
    signal(SIGPIPE, SIG_IGN);
    say("ignored: %zd %s, ", write(ends[1], "x", 1));
    printf("signal %d\n", signals);
    FILE *stream = fdopen(ends[1], "w");
    printf("stream: %d, ", fputs("text", stream));
    say("flush %zd %s, ", fflush(stream));
    printf("error %d\n", ferror(stream));
    fclose(stream);
}

/* -- blocking -- */

static void *write_much(void *argument)
{
    static unsigned char bytes[200000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    printf("wrote %zd\n", write(ends[1], bytes, sizeof bytes));
    close(ends[1]);
    return argument;
}

static void *read_slowly(void *argument)
{
    unsigned char bytes[5000];
    size_t at = 0, wrong = 0;
    for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0; rest(1))
        for (ssize_t i = 0; i < got; i++, at++)
            wrong += bytes[i] != (unsigned char)(at * 7 + at / 256);
    printf("read %zu, %zu wrong\n", at, wrong);
    return argument;
}

static void blocking(void)
{
    pthread_t writer;
    pipe(ends);
    pthread_create(&writer, NULL, write_much, NULL);
    read_slowly(NULL);
    pthread_join(writer, NULL);
    close(ends[0]);
}

/* Small writes of many are never mixed. */
static void *write_lines(void *argument)
{
    char line[100];
    memset(line, 'a' + (int)(long)argument, sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 1000; i++)
        write(ends[1], line, sizeof line);
    return NULL;
}

static void atomically(void)
{
    pthread_t writers[4];
    int lines[4] = {0}, mixed = 0;
    char line[200];
    pipe(ends);
    for (long i = 0; i < 4; i++)
        pthread_create(&writers[i], NULL, write_lines, (void *)i);
    FILE *in = fdopen(ends[0], "r");
    for (int i = 0; i < 4000 && fgets(line, sizeof line, in); i++) {
        lines[line[0] - 'a']++;
        mixed += strlen(line) != 100 || strspn(line, (char[2]){line[0]}) != 99;
    }
    for (int i = 0; i < 4; i++)
        pthread_join(writers[i], NULL);
    printf("lines %d %d %d %d, mixed %d\n", lines[0], lines[1], lines[2], lines[3], mixed);
    close(ends[1]);
    printf("then %d, eof %d\n", getc(in), feof(in));
    fclose(in);
}

/* -- streams -- */

static void *speak(void *argument)
{
    FILE *out = fdopen(ends[1], "w");
    fprintf(out, "%d %s", 42, "wor");
    fflush(out);
    rest(100);
    fprintf(out, "ds 3.5\n%s", "line without");
    fflush(out);
    rest(100);
    fprintf(out, " end\nlast");
    for (int i = 0; i < 20000; i++)
        fprintf(out, "%d\n", i);
    fclose(out);
    return argument;
}

static void streams(void)
{
    pthread_t speaker;
    int number = 0, sum = 0;
    double real = 0;
    char word[20] = "", line[100], *long_line = NULL;
    size_t size = 0;
    pipe(ends);
    pthread_create(&speaker, NULL, speak, NULL);
    FILE *in = fdopen(ends[0], "r");
    printf("%d: ", fscanf(in, "%d %19s %lf", &number, word, &real));
    printf("%d %s %g\n", number, word, real);
    printf("newline %d\n", getc(in) == '\n');
    printf("%s", fgets(line, sizeof line, in));
    printf("%zu: ", fread(word, 1, 4, in));
    printf("%.4s\n", word);
    while (getline(&long_line, &size, in) > 0)
        sum += atoi(long_line);
    printf("sum %d\n", sum);
    free(long_line);
    fclose(in);
    pthread_join(speaker, NULL);
}

/* -- waiting for several -- */

static int sockets[2], events;

static void *later(void *argument)
{
    rest(100);
    send(sockets[1], "socket", 6, 0);
    rest(100);
    eventfd_write(events, 5);
    rest(100);
    write(ends[1], "pipe", 4);
    rest(100);
    close(ends[1]);
    return argument;
}

static void several(void)
{
    pthread_t thread;
    pipe(ends);
    socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
    events = eventfd(0, 0);
    pthread_create(&thread, NULL, later, NULL);
    struct pollfd files[3] = {{sockets[0], POLLIN, 0}, {events, POLLIN, 0}, {ends[0], POLLIN, 0}};
    for (int i = 0; i < 4; i++) {
        char bytes[10];
        int ready = poll(files, 3, 1000);
        printf("%d ready:", ready);
        for (int k = 0; k < 3; k++)
            if (files[k].revents)
                printf(" %s %x %zd",
                       k == 0   ? "socket"
                       : k == 1 ? "events"
                                : "pipe",
                       (unsigned)files[k].revents, read(files[k].fd, bytes, sizeof bytes));
        printf("\n");
    }
    files[2].fd = -1;
    printf("time is up: %d\n", poll(files, 3, 1));
    struct timeval time = {0, 5000};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(sockets[0], &set);
    printf("select %d\n", select(sockets[0] + 1, &set, NULL, NULL, &time));
    FD_SET(sockets[0], &set);
    FD_SET(ends[0], &set);
    int ready = select(100, &set, NULL, NULL, NULL);
    printf("select %d: %d %d\n", ready, !!FD_ISSET(sockets[0], &set), !!FD_ISSET(ends[0], &set));
    pthread_join(thread, NULL);
    close(ends[0]);
}

/* -- sockets and counters -- */

static void *answer(void *argument)
{
    char text[20];
    ssize_t got;
    while ((got = recv(sockets[1], text, sizeof text, 0)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            text[i] ^= 32;
        send(sockets[1], text, (size_t)got, 0);
    }
    shutdown(sockets[1], SHUT_WR);
    return argument;
}

static void talk(void)
{
    pthread_t thread;
    char text[20];
    pthread_create(&thread, NULL, answer, NULL);
    write(sockets[0], "abc", 3);
    printf("%zd ", recv(sockets[0], text, 3, MSG_WAITALL));
    printf("%.3s\n", text);
    say("%zd %s\n", recv(sockets[0], text, 3, MSG_DONTWAIT));
    shutdown(sockets[0], SHUT_WR);
    printf("end %zd, ", read(sockets[0], text, 3));
    say("%zd %s\n", send(sockets[0], "x", 1, MSG_NOSIGNAL));
    pthread_join(thread, NULL);
    close(sockets[0]);
    close(sockets[1]);
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets);
    write(sockets[0], "first", 5);
    write(sockets[0], "second", 6);
    printf("%zd", read(sockets[1], text, 2));
    printf(" %zd\n", read(sockets[1], text, sizeof text));
    close(sockets[0]);
    close(sockets[1]);
    say("no such: %zd %s, ", socketpair(AF_UNIX, 77, 0, sockets));
    say("%zd %s\n", pipe2(ends, 1));
}

static void *count(void *argument)
{
    eventfd_t value;
    for (int i = 0; i < 3; i++) {
        eventfd_read(events, &value);
        printf("took %lu\n", value);
    }
    return argument;
}

static void counters(void)
{
    pthread_t thread;
    events = eventfd(1, EFD_SEMAPHORE);
    pthread_create(&thread, NULL, count, NULL);
    rest(50);
    eventfd_write(events, 2);
    pthread_join(thread, NULL);
    fcntl(events, F_SETFL, O_NONBLOCK);
    eventfd_t value;
    say("%zd %s\n", eventfd_read(events, &value));
    printf("%d, ", eventfd_write(events, ~1UL));
    say("%zd %s\n", eventfd_write(events, 1));
    close(events);
}

/* -- signals and cancellation -- */

static void *read_one(void *argument)
{
    char byte;
    ssize_t got = read(ends[0], &byte, 1);
    printf("%s: %zd %s\n", (char *)argument, got, got < 0 ? strerror(errno) : "");
    return argument;
}

static void interrupt(int flags)
{
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_pipe, .sa_flags = flags};
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, read_one, flags ? "restarted" : "interrupted");
    rest(50);
    pthread_kill(thread, SIGUSR1);
    rest(50);
    if (flags)
        write(ends[1], "x", 1);
    pthread_join(thread, NULL);
}

static void disturbed(void)
{
    pthread_t thread;
    void *result;
    pipe(ends);
    interrupt(0);
    interrupt(SA_RESTART);
    pthread_create(&thread, NULL, read_one, "cancelled");
    rest(50);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("cancelled %d\n", result == PTHREAD_CANCELED);
}

static void *first_in_line(void *argument)
{
    char byte;
    rest(100 * (long)argument);
    read(ends[0], &byte, 1);
    printf("reader %ld has %c\n", (long)argument, byte);
    return NULL;
}

static void in_turn(void)
{
    pthread_t readers[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&readers[i], NULL, first_in_line, (void *)(2 - i));
    rest(1000);
    write(ends[1], "abc", 3);
    for (int i = 0; i < 3; i++)
        pthread_join(readers[i], NULL);
}

int main(void)
{
    alone();
    broken();
    blocking();
    atomically();
    streams();
    several();
    talk();
    counters();
    disturbed();
    in_turn();
    return 0;
}
