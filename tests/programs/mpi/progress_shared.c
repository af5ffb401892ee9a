/* See progress.c. */
#include "progress.c"
