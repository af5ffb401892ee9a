/* nearest.h - the word that was probably meant. */
#ifndef ORRERY_BASE_NEAREST_H
#define ORRERY_BASE_NEAREST_H

/* The name of a closed list that is most like a misspelt one, shortens or lengthens it, or NULL where none is near;
 * `names` ends with NULL. The answer is one of them. */
const char *base_nearest(const char *name, const char *const *names);

/* The same of names that are tried one after the other, by their spelling alone. A name equal to the one that was
 * wanted is passed over: it is not what is missing.
 *
 *     BaseNearest nearest = base_nearest_of(wanted);
 *     base_nearest_try(&nearest, name);            each of them
 *     if (nearest.best) ...
 */
typedef struct BaseNearest {
    const char *wanted, *best; /* best: NULL where none is near */
    unsigned limit;            /* nearer than that is better */
} BaseNearest;
BaseNearest base_nearest_of(const char *wanted);
void base_nearest_try(BaseNearest *nearest, const char *name);

#endif
