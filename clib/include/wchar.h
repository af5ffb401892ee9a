/* wchar.h - C11 7.29 and POSIX: wide characters */
#ifndef _WCHAR_H
#define _WCHAR_H

#include <orrery_features.h>
#include <orrery_mbstate.h>

typedef unsigned long size_t;
typedef int wchar_t;
typedef unsigned wint_t;
struct tm;
#undef NULL
#define NULL ((void *)0)
#define WEOF 4294967295U
#ifndef WCHAR_MIN
#define WCHAR_MIN (-2147483647 - 1)
#define WCHAR_MAX 2147483647
#endif

struct orrery_file;
int wprintf(const wchar_t *format, ...);
int fwprintf(struct orrery_file *stream, const wchar_t *format, ...);
int swprintf(wchar_t *text, size_t size, const wchar_t *format, ...);
int vwprintf(const wchar_t *format, __builtin_va_list arguments);
int vfwprintf(struct orrery_file *stream, const wchar_t *format, __builtin_va_list arguments);
int vswprintf(wchar_t *text, size_t size, const wchar_t *format, __builtin_va_list arguments);
int wscanf(const wchar_t *format, ...);
int fwscanf(struct orrery_file *stream, const wchar_t *format, ...);
int swscanf(const wchar_t *text, const wchar_t *format, ...);
int vwscanf(const wchar_t *format, __builtin_va_list arguments);
int vfwscanf(struct orrery_file *stream, const wchar_t *format, __builtin_va_list arguments);
int vswscanf(const wchar_t *text, const wchar_t *format, __builtin_va_list arguments);
wint_t fgetwc(struct orrery_file *stream);
wint_t getwc(struct orrery_file *stream);
wint_t getwchar(void);
wchar_t *fgetws(wchar_t *text, int size, struct orrery_file *stream);
wint_t ungetwc(wint_t wide, struct orrery_file *stream);
wint_t fputwc(wchar_t wide, struct orrery_file *stream);
wint_t putwc(wchar_t wide, struct orrery_file *stream);
wint_t putwchar(wchar_t wide);
int fputws(const wchar_t *text, struct orrery_file *stream);
int fwide(struct orrery_file *stream, int mode);

size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *to, const wchar_t *from);
wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *wcscat(wchar_t *to, const wchar_t *from);
wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t size);
int wcscmp(const wchar_t *a, const wchar_t *b);
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t size);
int wcscoll(const wchar_t *a, const wchar_t *b);
size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *wcschr(const wchar_t *text, wchar_t wanted);
wchar_t *wcsrchr(const wchar_t *text, wchar_t wanted);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted);
size_t wcsspn(const wchar_t *text, const wchar_t *set);
size_t wcscspn(const wchar_t *text, const wchar_t *set);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set);
wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **state);
wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *wmemset(wchar_t *to, wchar_t wide, size_t size);
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t size);
wchar_t *wmemchr(const wchar_t *block, wchar_t wanted, size_t size);
size_t wcsftime(wchar_t *text, size_t size, const wchar_t *format, const struct tm *calendar);
wint_t btowc(int c);
int wctob(wint_t c);
int mbsinit(const mbstate_t *state);
size_t mbrlen(const char *text, size_t size, mbstate_t *state);
size_t mbrtowc(wchar_t *wide, const char *text, size_t size, mbstate_t *state);
size_t wcrtomb(char *text, wchar_t wide, mbstate_t *state);
size_t mbsrtowcs(wchar_t *wide, const char **text, size_t size, mbstate_t *state);
size_t wcsrtombs(char *text, const wchar_t **wide, size_t size, mbstate_t *state);
long wcstol(const wchar_t *text, wchar_t **end, int base);
unsigned long wcstoul(const wchar_t *text, wchar_t **end, int base);
long long wcstoll(const wchar_t *text, wchar_t **end, int base);
unsigned long long wcstoull(const wchar_t *text, wchar_t **end, int base);
double wcstod(const wchar_t *text, wchar_t **end);
float wcstof(const wchar_t *text, wchar_t **end);
long double wcstold(const wchar_t *text, wchar_t **end);

#ifdef __ORRERY_POSIX
size_t mbsnrtowcs(wchar_t *wide, const char **text, size_t bytes, size_t size, mbstate_t *state);
size_t wcsnrtombs(char *text, const wchar_t **wide, size_t count, size_t size, mbstate_t *state);
size_t wcsnlen(const wchar_t *text, size_t limit);
wchar_t *wcpcpy(wchar_t *to, const wchar_t *from);
wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *wcsdup(const wchar_t *text);
int wcscasecmp(const wchar_t *a, const wchar_t *b);
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t size);
#endif
#if defined __ORRERY_XOPEN || defined __ORRERY_GNU
int wcwidth(wchar_t wide);
int wcswidth(const wchar_t *text, size_t size);
#endif
#ifdef __ORRERY_GNU
wchar_t *wcschrnul(const wchar_t *text, wchar_t wanted);
wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t size);
#endif

#endif
