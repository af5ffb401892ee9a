/* ctype.c - character classes of the C locale (C11 7.4); the bits are explained in <ctype.h>. */
#include "classes.h"

#include <ctype.h>
#include <string.h>

/* Classes of the characters from -128 to 255. Characters beyond ASCII belong to no class. */
const unsigned short __orrery_ctype[384] = {
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    2,     2,     2,     2,     2,     2,     2,     2,     2,     8195,  8194,  8194,  8194,  8194,  2,     2,
    2,     2,     2,     2,     2,     2,     2,     2,     2,     2,     2,     2,     2,     2,     2,     2,
    24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
    49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
};

int(isalnum)(int c)
{
    return isalnum(c);
}

int(isalpha)(int c)
{
    return isalpha(c);
}

int(isblank)(int c)
{
    return isblank(c);
}

int(iscntrl)(int c)
{
    return iscntrl(c);
}

int(isdigit)(int c)
{
    return isdigit(c);
}

int(isgraph)(int c)
{
    return isgraph(c);
}

int(islower)(int c)
{
    return islower(c);
}

int(isprint)(int c)
{
    return isprint(c);
}

int(ispunct)(int c)
{
    return ispunct(c);
}

int(isspace)(int c)
{
    return isspace(c);
}

int(isupper)(int c)
{
    return isupper(c);
}

int(isxdigit)(int c)
{
    return isxdigit(c);
}

int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

int isascii(int c)
{
    return (c & ~127) == 0;
}

int toascii(int c)
{
    return c & 127;
}

/* -- wide characters: those beyond ASCII are known to the host function ------------------------ */

int __orrery_wide_class(unsigned c);
wint_t __orrery_wide_case(wint_t c, int upper);

static int is_wide(wint_t c, int bits)
{
    return c != WEOF && (__orrery_wide_class(c) & bits) != 0;
}

int iswalnum(wint_t c)
{
    return c < 128 ? isalnum((int)c) : is_wide(c, 8);
}

int iswalpha(wint_t c)
{
    return c < 128 ? isalpha((int)c) : is_wide(c, 1024);
}

int iswblank(wint_t c)
{
    return c < 128 ? isblank((int)c) : is_wide(c, 1);
}

int iswcntrl(wint_t c)
{
    return c < 128 ? iscntrl((int)c) : is_wide(c, 2);
}

int iswdigit(wint_t c)
{
    return c < 128 ? isdigit((int)c) : is_wide(c, 2048);
}

int iswgraph(wint_t c)
{
    return c < 128 ? isgraph((int)c) : is_wide(c, 32768);
}

int iswlower(wint_t c)
{
    return c < 128 ? islower((int)c) : is_wide(c, 512);
}

int iswprint(wint_t c)
{
    return c < 128 ? isprint((int)c) : is_wide(c, 16384);
}

int iswpunct(wint_t c)
{
    return c < 128 ? ispunct((int)c) : is_wide(c, 4);
}

int iswspace(wint_t c)
{
    return c < 128 ? isspace((int)c) : is_wide(c, 8192);
}

int iswupper(wint_t c)
{
    return c < 128 ? isupper((int)c) : is_wide(c, 256);
}

int iswxdigit(wint_t c)
{
    return c < 128 ? isxdigit((int)c) : is_wide(c, 4096);
}

wint_t towlower(wint_t c)
{
    return c < 128 ? (wint_t)tolower((int)c) : __orrery_wide_case(c, 0);
}

wint_t towupper(wint_t c)
{
    return c < 128 ? (wint_t)toupper((int)c) : __orrery_wide_case(c, 1);
}

/* A class is represented by its bit, so wctype() needs no table of handles. */
wctype_t __orrery_class(const char *name, size_t length)
{
    static const struct {
        const char *name;
        unsigned bit;
    } classes[] = {{"upper", 256},   {"lower", 512},  {"alpha", 1024},  {"digit", 2048},
                   {"xdigit", 4096}, {"space", 8192}, {"print", 16384}, {"graph", 32768},
                   {"blank", 1},     {"cntrl", 2},    {"punct", 4},     {"alnum", 8}};
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strncmp(classes[i].name, name, length) == 0 && classes[i].name[length] == '\0')
            return classes[i].bit;
    return 0;
}

wctype_t wctype(const char *name)
{
    return __orrery_class(name, strlen(name));
}

int iswctype(wint_t c, wctype_t type)
{
    return c < 128 ? __orrery_is(c, type) : is_wide(c, (int)type);
}

static const int mappings[2] = {'l', 'u'};

wctrans_t wctrans(const char *name)
{
    return strcmp(name, "tolower") == 0 ? &mappings[0] : strcmp(name, "toupper") == 0 ? &mappings[1] : 0;
}

wint_t towctrans(wint_t c, wctrans_t mapping)
{
    return mapping == &mappings[0] ? towlower(c) : mapping == &mappings[1] ? towupper(c) : c;
}
