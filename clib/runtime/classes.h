/* classes.h - classes of characters by a name that stands in a longer text, as in "[[:alpha:]]" (ctype.c). */
#ifndef ORRERY_CLASSES_H
#define ORRERY_CLASSES_H

#include <stddef.h>
#include <wctype.h>

/* wctype() of the `length` characters at `name`. */
wctype_t __orrery_class(const char *name, size_t length);

#endif
