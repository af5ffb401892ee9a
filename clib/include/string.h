/* string.h - C11 7.24 and POSIX */
#ifndef _STRING_H
#define _STRING_H

#include <orrery_features.h>

typedef unsigned long size_t;
struct orrery_locale;
#undef NULL
#define NULL ((void *)0)

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
void *memchr(const void *block, int byte, size_t size);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
int strcoll(const char *a, const char *b);
size_t strxfrm(char *to, const char *from, size_t size);
char *strchr(const char *text, int byte);
char *strrchr(const char *text, int byte);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strpbrk(const char *text, const char *set);
char *strstr(const char *text, const char *wanted);
char *strtok(char *text, const char *separators);
size_t strlen(const char *text);
char *strerror(int number);

#ifdef __ORRERY_POSIX
void *memccpy(void *to, const void *from, int byte, size_t size);
size_t strnlen(const char *text, size_t limit);
char *strdup(const char *text);
char *strndup(const char *text, size_t limit);
char *strtok_r(char *text, const char *separators, char **state);
char *stpcpy(char *to, const char *from);
char *stpncpy(char *to, const char *from, size_t size);
char *strsignal(int number);
int strcoll_l(const char *a, const char *b, struct orrery_locale *locale);
char *strerror_l(int number, struct orrery_locale *locale);
size_t strxfrm_l(char *to, const char *from, size_t size, struct orrery_locale *locale);
#ifdef __ORRERY_GNU
char *__orrery_gnu_strerror_r(int number, char *buffer, size_t size);
#define strerror_r __orrery_gnu_strerror_r
#else
int strerror_r(int number, char *buffer, size_t size);
#endif
#endif
#ifdef __ORRERY_MISC
#include <strings.h>
char *strsep(char **text, const char *separators);
void explicit_bzero(void *block, size_t size);
#endif
#ifdef __ORRERY_GNU
void *mempcpy(void *to, const void *from, size_t size);
void *memmem(const void *block, size_t size, const void *wanted, size_t wanted_size);
void *memrchr(const void *block, int byte, size_t size);
void *rawmemchr(const void *block, int byte);
char *strchrnul(const char *text, int byte);
char *strcasestr(const char *text, const char *wanted);
int strverscmp(const char *a, const char *b);
void *memfrob(void *block, size_t size);
char *strfry(char *text);
const char *strerrordesc_np(int number);
const char *sigabbrev_np(int number);
const char *sigdescr_np(int number);
#define strdupa(text)                                                                                                 \
    (__extension__({                                                                                                  \
        const char *__orrery_from = (text);                                                                           \
        size_t __orrery_size = strlen(__orrery_from) + 1;                                                             \
        (char *)memcpy(__builtin_alloca(__orrery_size), __orrery_from, __orrery_size);                                \
    }))
#define strndupa(text, limit)                                                                                         \
    (__extension__({                                                                                                  \
        const char *__orrery_from = (text);                                                                           \
        size_t __orrery_size = strnlen(__orrery_from, (limit));                                                       \
        char *__orrery_to = (char *)__builtin_alloca(__orrery_size + 1);                                              \
        __orrery_to[__orrery_size] = '\0';                                                                            \
        (char *)memcpy(__orrery_to, __orrery_from, __orrery_size);                                                    \
    }))
#ifndef basename /* <libgen.h> has the other one */
char *basename(const char *path);
#endif
#endif

#endif
