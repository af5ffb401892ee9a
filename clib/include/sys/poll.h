/* sys/poll.h - old name of poll.h */
#include <poll.h>
