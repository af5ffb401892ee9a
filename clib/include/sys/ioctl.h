/* sys/ioctl.h - a simulated rank has no devices: FIONREAD and FIONBIO, of pipes and sockets, are all that there is */
#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H

struct winsize {
    unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
#define TIOCGWINSZ 0x5413
#define FIONREAD   0x541b
#define FIONBIO    0x5421
int ioctl(int descriptor, unsigned long request, ...);

#endif
