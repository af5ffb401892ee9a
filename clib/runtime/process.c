/* process.c - what a process may ask of the system about itself. There is one process, one processor and no terminal.
 * Headers: <sched.h>, <sys/resource.h>, <sys/sysinfo.h>, <termios.h>, <execinfo.h>. */
#define _GNU_SOURCE
#include "thread.h"
#include "threads_abi.h"
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int fail(int number)
{
    errno = number;
    return -1;
}

static int is_self(pid_t process)
{
    return process == 0 || process == getpid();
}

/* -- scheduling -------------------------------------------------------------------------------- */

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    if (!is_self(process))
        return fail(ESRCH);
    if (size < sizeof set->__bits[0])
        return fail(EINVAL);
    int error = __orrery_thread_bound(0, (unsigned long *)set, size / sizeof set->__bits[0]);
    return error ? fail(error) : 0;
}

int sched_getcpu(void)
{
    return (int)__orrery_processor();
}

int getcpu(unsigned *cpu, unsigned *node)
{
    if (cpu)
        *cpu = __orrery_processor();
    if (node)
        *node = 0;
    return 0;
}

static int is_real_time(int policy)
{
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

static int is_other(int policy)
{
    return policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
}

int sched_get_priority_max(int policy)
{
    return is_real_time(policy) ? 99 : is_other(policy) ? 0 : fail(EINVAL);
}

int sched_get_priority_min(int policy)
{
    return is_real_time(policy) ? 1 : is_other(policy) ? 0 : fail(EINVAL);
}

/* As on Linux, the number of a process is that of its first thread, and 0 stands for the calling one. */
static pthread_t thread_of(pid_t process)
{
    return process == 0 ? pthread_self() : 1;
}

int sched_getscheduler(pid_t process)
{
    int policy, priority;
    if (!is_self(process))
        return fail(process < 0 ? EINVAL : ESRCH);
    int error = __orrery_thread_scheduled(thread_of(process), &policy, &priority);
    return error ? fail(error) : policy;
}

int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters)
{
    if (!is_self(process))
        return fail(process < 0 ? EINVAL : ESRCH);
    int error = __orrery_thread_schedule(thread_of(process), policy, parameters->sched_priority);
    return error ? fail(error) : 0;
}

int sched_getparam(pid_t process, struct sched_param *parameters)
{
    int policy;
    if (!is_self(process))
        return fail(process < 0 ? EINVAL : ESRCH);
    int error = __orrery_thread_scheduled(thread_of(process), &policy, &parameters->sched_priority);
    return error ? fail(error) : 0;
}

int sched_setparam(pid_t process, const struct sched_param *parameters)
{
    int policy = sched_getscheduler(process);
    return policy < 0 ? -1 : sched_setscheduler(process, policy, parameters);
}

int sched_rr_get_interval(pid_t process, struct timespec *interval)
{
    interval->tv_sec = 0;
    interval->tv_nsec = 4000000;
    return is_self(process) ? 0 : fail(ESRCH);
}

/* -- limits ------------------------------------------------------------------------------------ */

int getrlimit(int resource, struct rlimit *limit)
{
    if (resource < 0 || resource > 15)
        return fail(EINVAL);
    limit->rlim_cur = limit->rlim_max = RLIM_INFINITY;
    if (resource == RLIMIT_STACK)
        limit->rlim_cur = 8UL << 20;
    if (resource == RLIMIT_CORE)
        limit->rlim_cur = 0;
    if (resource == RLIMIT_NOFILE)
        limit->rlim_cur = limit->rlim_max = 1024;
    return 0;
}

/* The limits are the simulator's. A limit up to the present maximum is accepted, without effect. */
int setrlimit(int resource, const struct rlimit *limit)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return -1;
    if (limit->rlim_cur > limit->rlim_max)
        return fail(EINVAL);
    return limit->rlim_max > now.rlim_max ? fail(EPERM) : 0;
}

int getpriority(int which, unsigned who)
{
    return which == PRIO_PROCESS && !is_self((pid_t)who) ? fail(ESRCH) : 0;
}

int setpriority(int which, unsigned who, int priority)
{
    if (which == PRIO_PROCESS && !is_self((pid_t)who))
        return fail(ESRCH);
    return priority < 0 ? fail(EACCES) : 0;
}

int nice(int increment)
{
    return increment < 0 ? fail(EPERM) : increment;
}

int sysinfo(struct sysinfo *information)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    memset(information, 0, sizeof *information);
    information->uptime = now.tv_sec;
    information->totalram = (unsigned long)sysconf(_SC_PHYS_PAGES) * (unsigned long)getpagesize();
    information->freeram = (unsigned long)sysconf(_SC_AVPHYS_PAGES) * (unsigned long)getpagesize();
    information->procs = (unsigned short)__orrery_thread_count();
    information->mem_unit = 1;
    return 0;
}

int get_nprocs(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int get_nprocs_conf(void)
{
    return (int)sysconf(_SC_NPROCESSORS_CONF);
}

long get_phys_pages(void)
{
    return sysconf(_SC_PHYS_PAGES);
}

long get_avphys_pages(void)
{
    return sysconf(_SC_AVPHYS_PAGES);
}

int getloadavg(double *loads, int count)
{
    for (int i = 0; i < count && i < 3; i++)
        loads[i] = 0;
    return count < 3 ? count : 3;
}

/* -- process groups ---------------------------------------------------------------------------- */

pid_t getpgrp(void)
{
    return getppid() + 1;
}

pid_t getpgid(pid_t process)
{
    return is_self(process) ? getpgrp() : fail(ESRCH);
}

pid_t getsid(pid_t process)
{
    return is_self(process) ? getppid() : fail(ESRCH);
}

int setpgid(pid_t process, pid_t group)
{
    return !is_self(process) ? fail(ESRCH) : group == 0 || group == getpgrp() || is_self(group) ? 0 : fail(EPERM);
}

/* The first thread's number is the process's. */
pid_t gettid(void)
{
    return getpid() + (pid_t)(__orrery_thread_self() - 1);
}

long gethostid(void)
{
    return 0;
}

/* -- terminals: there is none ------------------------------------------------------------------ */

static int no_terminal(int descriptor)
{
    isatty(descriptor); /* sets errno: ENOTTY or EBADF */
    return -1;
}

int tcgetattr(int descriptor, struct termios *settings)
{
    (void)settings;
    return no_terminal(descriptor);
}

int tcsetattr(int descriptor, int actions, const struct termios *settings)
{
    (void)actions, (void)settings;
    return no_terminal(descriptor);
}

int tcflush(int descriptor, int queue)
{
    (void)queue;
    return no_terminal(descriptor);
}

int tcdrain(int descriptor)
{
    return no_terminal(descriptor);
}

int tcsendbreak(int descriptor, int duration)
{
    (void)duration;
    return no_terminal(descriptor);
}

pid_t tcgetpgrp(int descriptor)
{
    return no_terminal(descriptor);
}

int tcsetpgrp(int descriptor, pid_t group)
{
    (void)group;
    return no_terminal(descriptor);
}

char *ttyname(int descriptor)
{
    no_terminal(descriptor);
    return 0;
}

int ttyname_r(int descriptor, char *name, size_t size)
{
    (void)name, (void)size;
    no_terminal(descriptor);
    return errno;
}

speed_t cfgetispeed(const struct termios *settings)
{
    return settings->c_ispeed;
}

speed_t cfgetospeed(const struct termios *settings)
{
    return settings->c_ospeed;
}

int cfsetispeed(struct termios *settings, speed_t speed)
{
    settings->c_ispeed = speed;
    return 0;
}

int cfsetospeed(struct termios *settings, speed_t speed)
{
    settings->c_ospeed = speed;
    return 0;
}

void cfmakeraw(struct termios *settings)
{
    settings->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
    settings->c_oflag &= ~(tcflag_t)OPOST;
    settings->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    settings->c_cflag = (settings->c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
    settings->c_cc[VMIN] = 1;
    settings->c_cc[VTIME] = 0;
}

/* -- the call stack ---------------------------------------------------------------------------- */

int backtrace(void **frames, int size)
{
    (void)frames, (void)size;
    return 0;
}

char **backtrace_symbols(void *const *frames, int size)
{
    (void)frames, (void)size;
    return malloc(sizeof(char *));
}

void backtrace_symbols_fd(void *const *frames, int size, int descriptor)
{
    (void)frames, (void)size, (void)descriptor;
}
