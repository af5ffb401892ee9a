/* wait.h - old name of sys/wait.h */
#include <sys/wait.h>
