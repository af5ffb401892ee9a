/* orrery_time.h - struct timeval and struct timespec, which several headers declare */
#ifndef _ORRERY_TIME_H
#define _ORRERY_TIME_H

#include <orrery_timespec.h>

typedef long suseconds_t;

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

#endif
