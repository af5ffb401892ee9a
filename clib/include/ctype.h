/* ctype.h - C11 7.4 */
#ifndef _CTYPE_H
#define _CTYPE_H

#include <orrery_features.h>

/* Bits per character at [c + 128], c from -128 to 255; the values are those that C programs see on Linux. */
extern const unsigned short __orrery_ctype[384];

int isalnum(int c);
int isalpha(int c);
int isblank(int c);
int iscntrl(int c);
int isdigit(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isspace(int c);
int isupper(int c);
int isxdigit(int c);
int tolower(int c);
int toupper(int c);
#if defined __ORRERY_MISC || defined __ORRERY_XOPEN
int isascii(int c);
int toascii(int c);
#define _toupper(c) ((int)(c) - ('a' - 'A'))
#define _tolower(c) ((int)(c) + ('a' - 'A'))
#endif

#define __orrery_is(c, bits) (__orrery_ctype[(int)(c) + 128] & (unsigned short)(bits))
#define isupper(c)  __orrery_is(c, 256)
#define islower(c)  __orrery_is(c, 512)
#define isalpha(c)  __orrery_is(c, 1024)
#define isdigit(c)  __orrery_is(c, 2048)
#define isxdigit(c) __orrery_is(c, 4096)
#define isspace(c)  __orrery_is(c, 8192)
#define isprint(c)  __orrery_is(c, 16384)
#define isgraph(c)  __orrery_is(c, 32768)
#define isblank(c)  __orrery_is(c, 1)
#define iscntrl(c)  __orrery_is(c, 2)
#define ispunct(c)  __orrery_is(c, 4)
#define isalnum(c)  __orrery_is(c, 8)

#endif
