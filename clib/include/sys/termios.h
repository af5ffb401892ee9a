/* sys/termios.h - old name of termios.h */
#include <termios.h>
