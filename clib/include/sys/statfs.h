/* sys/statfs.h - another name of sys/vfs.h */
#include <sys/vfs.h>
