/* syscall.h - another name of sys/syscall.h */
#include <sys/syscall.h>
