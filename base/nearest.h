/* nearest.h - finds the word that a misspelt word was meant to be. */
#ifndef ORRERY_BASE_NEAREST_H
#define ORRERY_BASE_NEAREST_H

/* Returns the name of a closed list that a misspelt name, an abbreviation or a longer form of it was meant to be; NULL
 * if none is near. `names` ends with NULL. The result is one of its entries. */
const char *base_nearest(const char *name, const char *const *names);

/* Searches names that are tried one after the other, by spelling alone. A name equal to the wanted one is passed over,
 * because it is not what is missing.
 *
 *     BaseNearest nearest = base_nearest_of(wanted);
 *     base_nearest_try(&nearest, name);            for each name
 *     if (nearest.best) ...
 */
typedef struct BaseNearest {
    const char *wanted, *best; /* best: the nearest name so far; NULL: none was near */
    unsigned limit;            /* a name at a smaller distance than this becomes the best */
} BaseNearest;
BaseNearest base_nearest_of(const char *wanted);
void base_nearest_try(BaseNearest *nearest, const char *name);

#endif
