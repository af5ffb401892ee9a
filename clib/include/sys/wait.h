/* sys/wait.h - POSIX; a simulated rank has no children, so a call of the functions ends the run */
#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H

#define WNOHANG    1
#define WUNTRACED  2
#define WSTOPPED   2
#define WEXITED    4
#define WCONTINUED 8
#define WNOWAIT    0x01000000

#define WEXITSTATUS(status)  (((status)&0xff00) >> 8)
#define WTERMSIG(status)     ((status)&0x7f)
#define WSTOPSIG(status)     WEXITSTATUS(status)
#define WIFEXITED(status)    (WTERMSIG(status) == 0)
#define WIFSIGNALED(status)  (((signed char)(((status)&0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(status)   (((status)&0xff) == 0x7f)
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WCOREDUMP(status)    ((status)&0x80)

typedef int pid_t;
typedef unsigned id_t;
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
struct rusage;

pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);
pid_t wait3(int *status, int options, struct rusage *usage);
pid_t wait4(pid_t process, int *status, int options, struct rusage *usage);

#endif
