/* unistd.h - POSIX; what needs a second process is declared, and ends the run when it is called */
#ifndef _UNISTD_H
#define _UNISTD_H

#include <orrery_features.h>

#include <sys/types.h>
#ifndef __intptr_t_defined
typedef long intptr_t;
#define __intptr_t_defined
#endif
#undef NULL
#define NULL ((void *)0)

#define STDIN_FILENO  0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define L_SET  SEEK_SET
#define L_INCR SEEK_CUR
#define L_XTND SEEK_END
#define F_ULOCK 0
#define F_LOCK  1
#define F_TLOCK 2
#define F_TEST  3

#define _POSIX_VERSION            200809L
#define _POSIX2_VERSION           200809L
#define _XOPEN_VERSION            700
#define _POSIX_FSYNC              200809L
#define _POSIX_MONOTONIC_CLOCK    0
#define _POSIX_TIMERS             200809L
#define _POSIX_CPUTIME            0
#define _POSIX_REGEXP             1
#define _POSIX_SAVED_IDS          1
#define _POSIX_NO_TRUNC           1
#define _POSIX_THREADS            200809L
#define _POSIX_THREAD_SAFE_FUNCTIONS    200809L
#define _POSIX_THREAD_ATTR_STACKADDR    200809L
#define _POSIX_THREAD_ATTR_STACKSIZE    200809L
#define _POSIX_THREAD_PRIORITY_SCHEDULING 200809L
#define _POSIX_THREAD_PRIO_INHERIT      200809L
#define _POSIX_THREAD_PRIO_PROTECT      200809L
#define _POSIX_THREAD_ROBUST_PRIO_INHERIT 200809L
#define _POSIX_THREAD_ROBUST_PRIO_PROTECT (-1)
#define _POSIX_THREAD_PROCESS_SHARED    200809L
#define _POSIX_THREAD_CPUTIME           0
#define _POSIX_BARRIERS                 200809L
#define _POSIX_SPIN_LOCKS               200809L
#define _POSIX_READER_WRITER_LOCKS      200809L
#define _POSIX_CLOCK_SELECTION          200809L
#define _POSIX_TIMEOUTS                 200809L
#define _POSIX_MAPPED_FILES       (-1)
#define _POSIX_SHARED_MEMORY_OBJECTS (-1)
#define _POSIX_SEMAPHORES         200809L
#define _POSIX_SPAWN              (-1)
#define _POSIX_IPV6               (-1)

#define _SC_ARG_MAX                      0
#define _SC_CHILD_MAX                    1
#define _SC_CLK_TCK                      2
#define _SC_NGROUPS_MAX                  3
#define _SC_OPEN_MAX                     4
#define _SC_STREAM_MAX                   5
#define _SC_TZNAME_MAX                   6
#define _SC_JOB_CONTROL                  7
#define _SC_SAVED_IDS                    8
#define _SC_REALTIME_SIGNALS             9
#define _SC_PRIORITY_SCHEDULING          10
#define _SC_TIMERS                       11
#define _SC_ASYNCHRONOUS_IO              12
#define _SC_PRIORITIZED_IO               13
#define _SC_SYNCHRONIZED_IO              14
#define _SC_FSYNC                        15
#define _SC_MAPPED_FILES                 16
#define _SC_MEMLOCK                      17
#define _SC_MEMLOCK_RANGE                18
#define _SC_MEMORY_PROTECTION            19
#define _SC_MESSAGE_PASSING              20
#define _SC_SEMAPHORES                   21
#define _SC_SHARED_MEMORY_OBJECTS        22
#define _SC_AIO_LISTIO_MAX               23
#define _SC_AIO_MAX                      24
#define _SC_AIO_PRIO_DELTA_MAX           25
#define _SC_DELAYTIMER_MAX               26
#define _SC_MQ_OPEN_MAX                  27
#define _SC_MQ_PRIO_MAX                  28
#define _SC_VERSION                      29
#define _SC_PAGESIZE                     30
#define _SC_PAGE_SIZE                    30
#define _SC_RTSIG_MAX                    31
#define _SC_SEM_NSEMS_MAX                32
#define _SC_SEM_VALUE_MAX                33
#define _SC_SIGQUEUE_MAX                 34
#define _SC_TIMER_MAX                    35
#define _SC_LINE_MAX                     43
#define _SC_2_VERSION                    46
#define _SC_IOV_MAX                      60
#define _SC_THREADS                      67
#define _SC_THREAD_SAFE_FUNCTIONS        68
#define _SC_GETGR_R_SIZE_MAX             69
#define _SC_GETPW_R_SIZE_MAX             70
#define _SC_LOGIN_NAME_MAX               71
#define _SC_TTY_NAME_MAX                 72
#define _SC_THREAD_DESTRUCTOR_ITERATIONS 73
#define _SC_THREAD_KEYS_MAX              74
#define _SC_THREAD_STACK_MIN             75
#define _SC_THREAD_THREADS_MAX           76
#define _SC_THREAD_ATTR_STACKADDR        77
#define _SC_THREAD_ATTR_STACKSIZE        78
#define _SC_THREAD_PRIORITY_SCHEDULING   79
#define _SC_THREAD_PRIO_INHERIT          80
#define _SC_THREAD_PRIO_PROTECT          81
#define _SC_THREAD_PROCESS_SHARED        82
#define _SC_NPROCESSORS_CONF             83
#define _SC_NPROCESSORS_ONLN             84
#define _SC_PHYS_PAGES                   85
#define _SC_AVPHYS_PAGES                 86
#define _SC_ATEXIT_MAX                   87
#define _SC_XOPEN_VERSION                89
#define _SC_BARRIERS                     133
#define _SC_CLOCK_SELECTION              137
#define _SC_CPUTIME                      138
#define _SC_THREAD_CPUTIME               139
#define _SC_MONOTONIC_CLOCK              149
#define _SC_READER_WRITER_LOCKS          153
#define _SC_SPIN_LOCKS                   154
#define _SC_SPAWN                        159
#define _SC_SPORADIC_SERVER              160
#define _SC_THREAD_SPORADIC_SERVER       161
#define _SC_TIMEOUTS                     164
#define _SC_SYMLOOP_MAX                  173
#define _SC_HOST_NAME_MAX                180
#define _SC_LEVEL1_ICACHE_SIZE           185
#define _SC_LEVEL1_DCACHE_SIZE           188
#define _SC_LEVEL1_DCACHE_LINESIZE       190
#define _SC_LEVEL2_CACHE_SIZE            191
#define _SC_LEVEL2_CACHE_LINESIZE        193
#define _SC_LEVEL3_CACHE_SIZE            194
#define _SC_LEVEL3_CACHE_LINESIZE        196
#define _SC_THREAD_ROBUST_PRIO_INHERIT   247
#define _SC_THREAD_ROBUST_PRIO_PROTECT   248
#define _PC_LINK_MAX 0
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5

extern char **environ;
extern char *optarg;
extern int optind, opterr, optopt;

int access(const char *path, int mode);
int faccessat(int directory, const char *path, int mode, int flags);
unsigned alarm(unsigned seconds);
int chdir(const char *path);
int chown(const char *path, uid_t owner, gid_t group);
int close(int descriptor);
size_t confstr(int name, char *text, size_t size);
int dup(int descriptor);
int dup2(int descriptor, int copy);
_Noreturn void _exit(int status);
int execl(const char *path, const char *argument, ...);
int execle(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int execv(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execvp(const char *file, char *const arguments[]);
int fchdir(int descriptor);
int fchown(int descriptor, uid_t owner, gid_t group);
int fdatasync(int descriptor);
pid_t fork(void);
long fpathconf(int descriptor, int name);
int fsync(int descriptor);
int ftruncate(int descriptor, off_t size);
char *getcwd(char *path, size_t size);
gid_t getegid(void);
uid_t geteuid(void);
gid_t getgid(void);
int getgroups(int size, gid_t groups[]);
int gethostname(char *name, size_t size);
char *getlogin(void);
int getlogin_r(char *name, size_t size);
int getopt(int argc, char *const argv[], const char *options);
pid_t getpgid(pid_t process);
pid_t getpgrp(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t getsid(pid_t process);
uid_t getuid(void);
int isatty(int descriptor);
int lchown(const char *path, uid_t owner, gid_t group);
int link(const char *from, const char *to);
int lockf(int descriptor, int command, off_t size);
off_t lseek(int descriptor, off_t offset, int whence);
long pathconf(const char *path, int name);
int pause(void);
int pipe(int descriptors[2]);
ssize_t pread(int descriptor, void *block, size_t size, off_t offset);
ssize_t pwrite(int descriptor, const void *block, size_t size, off_t offset);
ssize_t read(int descriptor, void *block, size_t size);
ssize_t readlink(const char *path, char *text, size_t size);
int rmdir(const char *path);
int setegid(gid_t group);
int seteuid(uid_t user);
int setgid(gid_t group);
int setpgid(pid_t process, pid_t group);
pid_t setsid(void);
int setuid(uid_t user);
unsigned sleep(unsigned seconds);
int symlink(const char *target, const char *path);
long sysconf(int name);
pid_t tcgetpgrp(int descriptor);
int tcsetpgrp(int descriptor, pid_t group);
int truncate(const char *path, off_t size);
char *ttyname(int descriptor);
int ttyname_r(int descriptor, char *name, size_t size);
int unlink(const char *path);
int unlinkat(int directory, const char *path, int flags);
ssize_t write(int descriptor, const void *block, size_t size);

#if defined __ORRERY_MISC || defined __ORRERY_XOPEN
int chroot(const char *path);
char *crypt(const char *key, const char *salt);
long gethostid(void);
int getpagesize(void);
int nice(int increment);
int setregid(gid_t real, gid_t effective);
int setreuid(uid_t real, uid_t effective);
void swab(const void *from, void *to, ssize_t size);
void sync(void);
unsigned ualarm(unsigned microseconds, unsigned interval);
int usleep(unsigned microseconds);
pid_t vfork(void);
#endif
#ifdef __ORRERY_MISC
int acct(const char *path);
int brk(void *end);
int daemon(int keep_directory, int keep_files);
char *getpass(const char *prompt);
int getdomainname(char *name, size_t size);
int getentropy(void *block, size_t size);
char *getwd(char *path);
void *sbrk(long increment);
int sethostname(const char *name, size_t size);
long syscall(long number, ...);
int vhangup(void);
#endif
#ifdef __ORRERY_GNU
#define TEMP_FAILURE_RETRY(expression)                                                                                \
    (__extension__({                                                                                                  \
        long __orrery_result;                                                                                         \
        do                                                                                                            \
            __orrery_result = (long)(expression);                                                                     \
        while (__orrery_result == -1L && *__errno_location() == 4);                                                   \
        __orrery_result;                                                                                              \
    }))
int *__errno_location(void);
int dup3(int descriptor, int copy, int flags);
int euidaccess(const char *path, int mode);
int execvpe(const char *file, char *const arguments[], char *const environment[]);
char *get_current_dir_name(void);
int getresuid(uid_t *real, uid_t *effective, uid_t *saved);
int getresgid(gid_t *real, gid_t *effective, gid_t *saved);
pid_t gettid(void);
int pipe2(int descriptors[2], int flags);
int syncfs(int descriptor);
#endif
#ifdef _LARGEFILE64_SOURCE
#define lseek64     lseek
#define ftruncate64 ftruncate
#define truncate64  truncate
#define off64_t     off_t
#endif

#endif
