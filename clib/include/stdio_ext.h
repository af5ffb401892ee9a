/* stdio_ext.h - the state of a stream: Solaris, glibc, and what musl adds */
#ifndef _STDIO_EXT_H
#define _STDIO_EXT_H

#include <stdio.h>

enum { FSETLOCKING_QUERY, FSETLOCKING_INTERNAL, FSETLOCKING_BYCALLER };
#define FSETLOCKING_QUERY    FSETLOCKING_QUERY
#define FSETLOCKING_INTERNAL FSETLOCKING_INTERNAL
#define FSETLOCKING_BYCALLER FSETLOCKING_BYCALLER

size_t __fbufsize(FILE *stream);
int __freading(FILE *stream);
int __fwriting(FILE *stream);
int __freadable(FILE *stream);
int __fwritable(FILE *stream);
int __flbf(FILE *stream);
void __fpurge(FILE *stream);
size_t __fpending(FILE *stream);
void _flushlbf(void);
int __fsetlocking(FILE *stream, int type);
size_t __freadahead(FILE *stream);
void __fseterr(FILE *stream);

#endif
