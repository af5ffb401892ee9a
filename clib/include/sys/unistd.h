/* sys/unistd.h - old name of unistd.h */
#include <unistd.h>
