/* termios.h - POSIX; a simulated rank has no terminal: tcgetattr() and tcsetattr() fail with ENOTTY */
#ifndef _TERMIOS_H
#define _TERMIOS_H

typedef unsigned char cc_t;
typedef unsigned speed_t;
typedef unsigned tcflag_t;
#define NCCS 32
struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[NCCS];
    speed_t c_ispeed, c_ospeed;
};
#define VINTR     0
#define VQUIT     1
#define VERASE    2
#define VKILL     3
#define VEOF      4
#define VTIME     5
#define VMIN      6
#define VSTART    8
#define VSTOP     9
#define VSUSP     10
#define VEOL      11
#define VREPRINT  12
#define VDISCARD  13
#define VWERASE   14
#define VLNEXT    15
#define VEOL2     16
#define VSWTC     7
#define IGNBRK    1
#define BRKINT    2
#define IGNPAR    4
#define PARMRK    8
#define INPCK     020
#define ISTRIP    040
#define INLCR     0100
#define IGNCR     0200
#define ICRNL     0400
#define IXON      02000
#define IXANY     04000
#define IXOFF     010000
#define OPOST     1
#define ONLCR     4
#define CSIZE     060
#define CS8       060
#define CS5       0
#define CS6       020
#define CS7       040
#define CSTOPB    0100
#define CREAD     0200
#define PARENB    0400
#define PARODD    01000
#define HUPCL     02000
#define CLOCAL    04000
#define ISIG      1
#define ICANON    2
#define ECHO      010
#define ECHOE     020
#define ECHOK     040
#define ECHONL    0100
#define NOFLSH    0200
#define TOSTOP    0400
#define ECHOCTL   01000
#define ECHOPRT   02000
#define ECHOKE    04000
#define IEXTEN    0100000
#define CRTSCTS   020000000000
#define CBAUD     010017
#define OCRNL     010
#define ONOCR     020
#define ONLRET    040
#define OFILL     0100
#define OFDEL     0200
#define NLDLY     0400
#define CRDLY     03000
#define TABDLY    014000
#define BSDLY     020000
#define VTDLY     040000
#define FFDLY     0100000
#define IUCLC     01000
#define IMAXBEL   020000
#define IUTF8     040000
#define FLUSHO    010000
#define PENDIN    040000
#define EXTPROC   0200000
#define TCSANOW   0
#define TCSADRAIN 1
#define TCSAFLUSH 2
#define TCOOFF    0
#define TCOON     1
#define TCIOFF    2
#define TCION     3
#define TCIFLUSH  0
#define TCOFLUSH  1
#define TCIOFLUSH 2
#define B0        0
#define B50       01
#define B75       02
#define B110      03
#define B134      04
#define B150      05
#define B200      06
#define B300      07
#define B600      010
#define B1200     011
#define B1800     012
#define B2400     013
#define B4800     014
#define B9600     015
#define B19200    016
#define B38400    017
#define B57600    010001
#define B115200   010002
#define B230400   010003
#define B460800   010004
#define B500000   010005
#define B576000   010006
#define B921600   010007
#define B1000000  010010

int tcgetattr(int descriptor, struct termios *settings);
int tcsetattr(int descriptor, int actions, const struct termios *settings);
int tcflush(int descriptor, int queue);
int tcdrain(int descriptor);
int tcsendbreak(int descriptor, int duration);
speed_t cfgetispeed(const struct termios *settings);
speed_t cfgetospeed(const struct termios *settings);
int cfsetispeed(struct termios *settings, speed_t speed);
int cfsetospeed(struct termios *settings, speed_t speed);
void cfmakeraw(struct termios *settings);

#endif
