/* orrery_timespec.h - struct timespec, which several headers declare */
#ifndef _ORRERY_TIMESPEC_H
#define _ORRERY_TIMESPEC_H

typedef long time_t;

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

#endif
