/* sys/ucontext.h - old name of ucontext.h */
#include <ucontext.h>
