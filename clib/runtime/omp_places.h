/* omp_places.h - OMP_PLACES, for the file that reads the environment. */
#ifndef ORRERY_OMP_PLACES_H
#define ORRERY_OMP_PLACES_H

#include <stdbool.h>

struct omp_globals;
/* Reads the value of OMP_PLACES into the list of places. Returns false, and the list is empty, if it is wrong. */
bool __omp_read_places(struct omp_globals *globals, const char *text);

#endif
