/* sys/fcntl.h - old name of fcntl.h */
#include <fcntl.h>
