/* sys/signal.h - old name of signal.h */
#include <signal.h>
