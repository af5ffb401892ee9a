/* uchar.h - C11 7.28 */
#ifndef _UCHAR_H
#define _UCHAR_H

typedef unsigned long size_t;
typedef unsigned short char16_t;
typedef unsigned int char32_t;
#include <orrery_mbstate.h>

size_t mbrtoc16(char16_t *wide, const char *text, size_t size, mbstate_t *state);
size_t c16rtomb(char *text, char16_t wide, mbstate_t *state);
size_t mbrtoc32(char32_t *wide, const char *text, size_t size, mbstate_t *state);
size_t c32rtomb(char *text, char32_t wide, mbstate_t *state);

#endif
