/* orrery_mbstate.h - mbstate_t, which two headers declare */
#ifndef _ORRERY_MBSTATE_H
#define _ORRERY_MBSTATE_H

typedef struct {
    int orrery_count;
    unsigned orrery_value;
} mbstate_t;

#endif
