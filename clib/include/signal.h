/* signal.h - C11 7.14 and POSIX; a simulated process gets only the signals that it raises itself */
#ifndef _SIGNAL_H
#define _SIGNAL_H

#include <orrery_features.h>

typedef int sig_atomic_t;
typedef void (*__orrery_signal_handler)(int);

#define SIG_DFL ((__orrery_signal_handler)0)
#define SIG_IGN ((__orrery_signal_handler)1)
#define SIG_ERR ((__orrery_signal_handler)-1)

#define SIGINT  2
#define SIGILL  4
#define SIGABRT 6
#define SIGFPE  8
#define SIGSEGV 11
#define SIGTERM 15

__orrery_signal_handler signal(int number, __orrery_signal_handler handler);
int raise(int number);

#ifdef __ORRERY_POSIX
#include <orrery_timespec.h>
#include <sys/types.h>

#define SIGHUP 1
#define SIGQUIT 3
#define SIGTRAP 5
#define SIGBUS 7
#define SIGKILL 9
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD SIGCHLD
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPWR 30
#define SIGSYS 31
#define SIGIOT SIGABRT
#define SIGPOLL SIGIO
#define SIGRTMIN 34
#define SIGRTMAX 64
#define NSIG 65
#define _NSIG 65

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO   4
#define SA_ONSTACK   0x08000000
#define SA_RESTART   0x10000000
#define SA_NODEFER   0x40000000
#define SA_RESETHAND 0x80000000
#define SIG_BLOCK    0
#define SIG_UNBLOCK  1
#define SIG_SETMASK  2

typedef unsigned long sigset_t;
typedef int pid_t;
typedef unsigned uid_t;

union sigval {
    int sival_int;
    void *sival_ptr;
};
typedef union sigval sigval_t;

typedef struct {
    int si_signo, si_errno, si_code;
    pid_t si_pid;
    uid_t si_uid;
    int si_status;
    void *si_addr;
    union sigval si_value;
} siginfo_t;

#define SI_USER    0
#define SI_QUEUE   (-1)
#define SI_TIMER   (-2)
#define SI_MESGQ   (-3)
#define SI_ASYNCIO (-4)
#define SI_TKILL   (-6)
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2

struct sigaction {
    union {
        __orrery_signal_handler sa_handler;
        void (*sa_sigaction)(int, siginfo_t *, void *);
    } orrery_action;
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};
#define sa_handler   orrery_action.sa_handler
#define sa_sigaction orrery_action.sa_sigaction

typedef struct {
    void *ss_sp;
    int ss_flags;
    unsigned long ss_size;
} stack_t;
#define SS_ONSTACK  1
#define SS_DISABLE  2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ    8192

struct sigevent {
    union sigval sigev_value;
    int sigev_signo, sigev_notify;
    void (*sigev_notify_function)(union sigval);
    void *sigev_notify_attributes;
};
#define SIGEV_SIGNAL 0
#define SIGEV_NONE   1
#define SIGEV_THREAD 2

int sigaction(int number, const struct sigaction *action, struct sigaction *old);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int sigpending(sigset_t *set);
int sigsuspend(const sigset_t *mask);
int sigwait(const sigset_t *set, int *number);
int sigwaitinfo(const sigset_t *set, siginfo_t *information);
int sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *timeout);
int sigaltstack(const stack_t *stack, stack_t *old);
int siginterrupt(int number, int flag);
int kill(pid_t process, int number);
int killpg(pid_t group, int number);
int sigqueue(pid_t process, int number, const union sigval value);
int pthread_kill(unsigned long thread, int number);
void psignal(int number, const char *text);
void psiginfo(const siginfo_t *information, const char *text);
#endif
#ifdef __ORRERY_MISC
typedef __orrery_signal_handler sig_t;
#endif
#ifdef __ORRERY_GNU
typedef __orrery_signal_handler sighandler_t;
int pthread_sigqueue(unsigned long thread, int number, const union sigval value);
int sigisemptyset(const sigset_t *set);
int sigandset(sigset_t *result, const sigset_t *a, const sigset_t *b);
int sigorset(sigset_t *result, const sigset_t *a, const sigset_t *b);
#endif
#ifdef __ORRERY_MISC
typedef __orrery_signal_handler __sighandler_t;
#endif

#endif
