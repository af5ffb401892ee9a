/* sys/errno.h - old name of errno.h */
#include <errno.h>
