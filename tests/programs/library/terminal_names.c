#define _DEFAULT_SOURCE
/* Names of POSIX that programs use without a terminal, too: they have the host's values, so that settings are what they
 * are there (termios.h, signal.h). */
#include <signal.h>
#include <stdio.h>
#include <termios.h>

int main(void)
{
    struct termios settings;
    int way = tcgetattr(0, &settings);
    printf("%d %o %o %o %o\n", way, ICANON | ECHOCTL | ECHOKE | ECHOPRT | TOSTOP, IGNPAR | INPCK | IXANY | IXOFF,
           CS5 | CS6 | CS7 | CSTOPB | PARODD | HUPCL | CLOCAL, FPE_FLTSUB);
    printf("%d %d %d %d, %d %d %d %d\n", VSTART, VSTOP, VSUSP, VEOL, TCOOFF, TCOON, TCIOFF, TCION);
    printf("%o %o %o %o %o\n", B0, B2400, B230400, CRTSCTS, OCRNL | IUCLC | IMAXBEL | IUTF8 | VTDLY);
    return 0;
}
