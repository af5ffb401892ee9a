/* locale.h - C11 7.11 and POSIX; the locales are "C" and "C.UTF-8" */
#ifndef _LOCALE_H
#define _LOCALE_H

#include <orrery_features.h>

#define LC_CTYPE    0
#define LC_NUMERIC  1
#define LC_TIME     2
#define LC_COLLATE  3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL      6
#define LC_PAPER    7
#define LC_NAME     8
#define LC_ADDRESS  9
#define LC_TELEPHONE 10
#define LC_MEASUREMENT 11
#define LC_IDENTIFICATION 12

#undef NULL
#define NULL ((void *)0)

struct lconv {
    char *decimal_point, *thousands_sep, *grouping;
    char *int_curr_symbol, *currency_symbol, *mon_decimal_point, *mon_thousands_sep, *mon_grouping;
    char *positive_sign, *negative_sign;
    char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
    char p_sign_posn, n_sign_posn;
    char int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space;
    char int_p_sign_posn, int_n_sign_posn;
};

char *setlocale(int category, const char *locale);
struct lconv *localeconv(void);

#ifdef __ORRERY_POSIX
#define LC_CTYPE_MASK    (1 << LC_CTYPE)
#define LC_NUMERIC_MASK  (1 << LC_NUMERIC)
#define LC_TIME_MASK     (1 << LC_TIME)
#define LC_COLLATE_MASK  (1 << LC_COLLATE)
#define LC_MONETARY_MASK (1 << LC_MONETARY)
#define LC_MESSAGES_MASK (1 << LC_MESSAGES)
#define LC_PAPER_MASK    (1 << LC_PAPER)
#define LC_NAME_MASK     (1 << LC_NAME)
#define LC_ADDRESS_MASK  (1 << LC_ADDRESS)
#define LC_TELEPHONE_MASK (1 << LC_TELEPHONE)
#define LC_MEASUREMENT_MASK (1 << LC_MEASUREMENT)
#define LC_IDENTIFICATION_MASK (1 << LC_IDENTIFICATION)
#define LC_ALL_MASK      0x1fbf
typedef struct orrery_locale *locale_t;
#define LC_GLOBAL_LOCALE ((locale_t)-1L)
locale_t newlocale(int mask, const char *name, locale_t base);
locale_t uselocale(locale_t locale);
locale_t duplocale(locale_t locale);
void freelocale(locale_t locale);
#endif

#endif
