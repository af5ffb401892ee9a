/* regex.h - POSIX regular expressions */
#ifndef _REGEX_H
#define _REGEX_H

#include <orrery_features.h>

typedef unsigned long size_t;
typedef int regoff_t;
typedef struct {
    size_t re_nsub;
    struct orrery_regex *orrery_program;
} regex_t;
typedef struct {
    regoff_t rm_so, rm_eo;
} regmatch_t;

#define REG_EXTENDED 1
#define REG_ICASE    2
#define REG_NEWLINE  4
#define REG_NOSUB    8
#define REG_NOTBOL   1
#define REG_NOTEOL   2
#define REG_STARTEND 4

#define REG_ENOSYS   (-1)
#define REG_NOERROR  0
#define REG_NOMATCH  1
#define REG_BADPAT   2
#define REG_ECOLLATE 3
#define REG_ECTYPE   4
#define REG_EESCAPE  5
#define REG_ESUBREG  6
#define REG_EBRACK   7
#define REG_EPAREN   8
#define REG_EBRACE   9
#define REG_BADBR    10
#define REG_ERANGE   11
#define REG_ESPACE   12
#define REG_BADRPT   13
#define REG_EEND     14
#define REG_ESIZE    15
#define REG_ERPAREN  16

int regcomp(regex_t *expression, const char *pattern, int flags);
int regexec(const regex_t *expression, const char *text, size_t count, regmatch_t matches[], int flags);
size_t regerror(int error, const regex_t *expression, char *text, size_t size);
void regfree(regex_t *expression);

#endif
