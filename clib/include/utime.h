/* utime.h - POSIX; simulated files have no times of their own: granted for any file that exists */
#ifndef _UTIME_H
#define _UTIME_H

typedef long time_t;
struct utimbuf {
    time_t actime, modtime;
};
int utime(const char *path, const struct utimbuf *times);

#endif
