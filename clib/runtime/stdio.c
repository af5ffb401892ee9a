/* stdio.c - small parts of <stdio.h>: the standard streams, and other names for the same functions (BSD, GNU). */
#define _GNU_SOURCE
#include "variadic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The handles by which the host functions know the console. */
FILE *stdin = (FILE *)1, *stdout = (FILE *)2, *stderr = (FILE *)3;

void setbuffer(FILE *stream, char *buffer, size_t size)
{
    setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *stream)
{
    setvbuf(stream, 0, _IOLBF, 0);
}

int getw(FILE *stream)
{
    int word;
    return fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}

int putw(int word, FILE *stream)
{
    return fwrite(&word, sizeof word, 1, stream) == 1 ? 0 : EOF;
}

/* Each of these is one step, so it needs no lock; its caller holds that of the stream. */
int(getc_unlocked)(FILE *stream)
{
    return getc(stream);
}

int(getchar_unlocked)(void)
{
    return getchar();
}

int(putc_unlocked)(int byte, FILE *stream)
{
    return putc(byte, stream);
}

int(putchar_unlocked)(int byte)
{
    return putchar(byte);
}

int fgetc_unlocked(FILE *stream)
{
    return fgetc(stream);
}

int fputc_unlocked(int byte, FILE *stream)
{
    return fputc(byte, stream);
}

int fflush_unlocked(FILE *stream)
{
    return fflush(stream);
}

int feof_unlocked(FILE *stream)
{
    return feof(stream);
}

int ferror_unlocked(FILE *stream)
{
    return ferror(stream);
}

void clearerr_unlocked(FILE *stream)
{
    clearerr(stream);
}

int fileno_unlocked(FILE *stream)
{
    return fileno(stream);
}

size_t fread_unlocked(void *block, size_t size, size_t count, FILE *stream)
{
    return fread(block, size, count, stream);
}

size_t fwrite_unlocked(const void *block, size_t size, size_t count, FILE *stream)
{
    return fwrite(block, size, count, stream);
}

char *fgets_unlocked(char *text, int size, FILE *stream)
{
    return fgets(text, size, stream);
}

int fputs_unlocked(const char *text, FILE *stream)
{
    return fputs(text, stream);
}

int fcloseall(void)
{
    return fflush(0);
}

char *ctermid(char *path)
{
    static char own[L_ctermid];
    return strcpy(path ? path : own, "/dev/tty");
}

char *tempnam(const char *directory, const char *prefix)
{
    static unsigned count;
    size_t size = (directory ? strlen(directory) : 4) + 32;
    char *path = malloc(size);
    for (unsigned i = 0; path && i < TMP_MAX; i++) {
        snprintf(path, size, "%s/%.5s%06u", directory ? directory : "/tmp", prefix ? prefix : "file",
                 (unsigned)getpid() % 1000 * 1000 + count++ % 1000);
        if (access(path, F_OK) != 0)
            return path;
    }
    free(path);
    return 0;
}

/* -- the names behind glibc's headers, for objects and declarations that use them -------------- */

int __isoc99_vscanf(const char *format, __builtin_va_list arguments)
{
    return vscanf(format, arguments);
}

int __isoc99_vfscanf(FILE *stream, const char *format, __builtin_va_list arguments)
{
    return vfscanf(stream, format, arguments);
}

int __isoc99_vsscanf(const char *text, const char *format, __builtin_va_list arguments)
{
    return vsscanf(text, format, arguments);
}

VARIADIC(__isoc99_scanf, (const char *format, ...), format, vscanf(format, arguments))
VARIADIC(__isoc99_fscanf, (FILE * stream, const char *format, ...), format, vfscanf(stream, format, arguments))
VARIADIC(__isoc99_sscanf, (const char *text, const char *format, ...), format, vsscanf(text, format, arguments))
