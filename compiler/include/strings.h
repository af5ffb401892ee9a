/* strings.h - POSIX */
#ifndef _STRINGS_H
#define _STRINGS_H

typedef unsigned long size_t;

int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t size);
void bcopy(const void *from, void *to, size_t size);
void bzero(void *to, size_t size);
int bcmp(const void *a, const void *b, size_t size);
char *index(const char *text, int byte);
char *rindex(const char *text, int byte);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);

#endif
