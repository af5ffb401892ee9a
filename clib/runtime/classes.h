/* classes.h - classes of characters, found by a name inside a longer text, as in "[[:alpha:]]" (ctype.c). */
#ifndef ORRERY_CLASSES_H
#define ORRERY_CLASSES_H

#include <stddef.h>
#include <wctype.h>

/* Returns wctype() of the `length` characters at `name`; 0: there is no such class. */
wctype_t __orrery_class(const char *name, size_t length);

#endif
