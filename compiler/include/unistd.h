/* unistd.h - POSIX */
#ifndef _UNISTD_H
#define _UNISTD_H

#include <orrery_features.h>

#include <sys/types.h>
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

#define _POSIX_VERSION       200809L
#define _SC_CLK_TCK          2
#define _SC_OPEN_MAX         4
#define _SC_PAGESIZE         30
#define _SC_PAGE_SIZE        30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES       85
#define _SC_AVPHYS_PAGES     86
#define _SC_HOST_NAME_MAX    180

extern char **environ;
extern char *optarg;
extern int optind, opterr, optopt;

int access(const char *path, int mode);
int close(int descriptor);
_Noreturn void _exit(int status);
int fsync(int descriptor);
int ftruncate(int descriptor, off_t size);
char *getcwd(char *path, size_t size);
gid_t getegid(void);
uid_t geteuid(void);
gid_t getgid(void);
int gethostname(char *name, size_t size);
int getopt(int argc, char *const argv[], const char *options);
int getpagesize(void);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
int isatty(int descriptor);
off_t lseek(int descriptor, off_t offset, int whence);
ssize_t read(int descriptor, void *block, size_t size);
int rmdir(const char *path);
unsigned sleep(unsigned seconds);
long sysconf(int name);
int truncate(const char *path, off_t size);
int unlink(const char *path);
int usleep(unsigned microseconds);
ssize_t write(int descriptor, const void *block, size_t size);

#endif
