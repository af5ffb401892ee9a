/* strings.h - POSIX */
#ifndef _STRINGS_H
#define _STRINGS_H

#include <orrery_features.h>

typedef unsigned long size_t;
struct orrery_locale;

int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t size);
int strcasecmp_l(const char *a, const char *b, struct orrery_locale *locale);
int strncasecmp_l(const char *a, const char *b, size_t size, struct orrery_locale *locale);
int ffs(int value);
#ifdef __ORRERY_MISC
void bcopy(const void *from, void *to, size_t size);
void bzero(void *to, size_t size);
int bcmp(const void *a, const void *b, size_t size);
char *index(const char *text, int byte);
char *rindex(const char *text, int byte);
int ffsl(long value);
int ffsll(long long value);
#endif

#endif
