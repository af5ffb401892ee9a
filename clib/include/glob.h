/* glob.h - POSIX: file names that match a pattern */
#ifndef _GLOB_H
#define _GLOB_H

typedef unsigned long size_t;
typedef struct {
    size_t gl_pathc;
    char **gl_pathv;
    size_t gl_offs;
    int gl_flags;
} glob_t;

#define GLOB_ERR      1
#define GLOB_MARK     2
#define GLOB_NOSORT   4
#define GLOB_DOOFFS   8
#define GLOB_NOCHECK  16
#define GLOB_APPEND   32
#define GLOB_NOESCAPE 64
#define GLOB_PERIOD   128
#define GLOB_TILDE    4096
#define GLOB_ONLYDIR  8192
#define GLOB_NOSPACE  1
#define GLOB_ABORTED  2
#define GLOB_NOMATCH  3
#define GLOB_NOSYS    4

int glob(const char *pattern, int flags, int (*complain)(const char *path, int error), glob_t *result);
void globfree(glob_t *result);

#endif
