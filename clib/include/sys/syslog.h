/* sys/syslog.h - old name of syslog.h */
#include <syslog.h>
