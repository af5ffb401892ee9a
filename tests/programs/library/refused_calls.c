/* What a simulated rank cannot have is refused when the program is linked, where it is called, by name and with the
 * reason. */
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *argument)
{
    return argument;
}

int main(void)
{
    pthread_t thread;
    sem_t semaphore;
    int status, ends[2];
    if (fork() == 0)
        execl("/bin/true", "true", (char *)NULL);
    waitpid(-1, &status, 0);
    FILE *list = popen("ls", "r");
    pipe(ends);
    pthread_create(&thread, NULL, work, list);
    sem_wait(&semaphore);
    dlopen("libm.so", RTLD_NOW);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    connect(s, NULL, 0);
    gethostbyname("localhost");
    shm_open("/x", 0, 0);
    shmget(IPC_PRIVATE, 10, 0);
    alarm(10);
    ioctl(1, TIOCGWINSZ, NULL);
    ptrace(PTRACE_TRACEME);
    return sbrk(0) != NULL;
}
