/* sys/time.h - POSIX */
#ifndef _SYS_TIME_H
#define _SYS_TIME_H

typedef long time_t;
typedef long suseconds_t;

#ifndef __ORRERY_TIMEVAL
#define __ORRERY_TIMEVAL
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
#endif
struct timezone {
    int tz_minuteswest, tz_dsttime;
};

int gettimeofday(struct timeval *place, void *zone);

#define timerclear(t)     ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t)     ((t)->tv_sec || (t)->tv_usec)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op(b)->tv_usec : (a)->tv_sec op(b)->tv_sec)
#define timeradd(a, b, sum)                                                                                           \
    ((sum)->tv_sec = (a)->tv_sec + (b)->tv_sec, (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec,                         \
     (sum)->tv_usec >= 1000000 ? ((sum)->tv_sec++, (sum)->tv_usec -= 1000000) : 0)
#define timersub(a, b, difference)                                                                                    \
    ((difference)->tv_sec = (a)->tv_sec - (b)->tv_sec, (difference)->tv_usec = (a)->tv_usec - (b)->tv_usec,           \
     (difference)->tv_usec < 0 ? ((difference)->tv_sec--, (difference)->tv_usec += 1000000) : 0)

#endif
