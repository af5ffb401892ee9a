/* nearest.h - the word that was probably meant. */
#ifndef ORRERY_BASE_NEAREST_H
#define ORRERY_BASE_NEAREST_H

/* The name most like a misspelt one, or NULL where none is near; `names` ends with NULL. The answer is one of them. */
const char *base_nearest(const char *name, const char *const *names);

#endif
