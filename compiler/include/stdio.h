/* stdio.h - C11 7.21 and POSIX */
#ifndef _STDIO_H
#define _STDIO_H

#include <orrery_features.h>

typedef unsigned long size_t;
typedef long ssize_t;
typedef long off_t;
typedef long fpos_t;
typedef struct orrery_file FILE;
#undef NULL
#define NULL ((void *)0)

#define stdin  ((FILE *)1)
#define stdout ((FILE *)2)
#define stderr ((FILE *)3)

#define EOF          (-1)
#define BUFSIZ       8192
#define FILENAME_MAX 4096
#define FOPEN_MAX    4096
#define L_tmpnam     20
#define TMP_MAX      238328
#define _IOFBF       0
#define _IOLBF       1
#define _IONBF       2
#define SEEK_SET     0
#define SEEK_CUR     1
#define SEEK_END     2

int printf(const char *format, ...);
int fprintf(FILE *stream, const char *format, ...);
int sprintf(char *text, const char *format, ...);
int snprintf(char *text, size_t size, const char *format, ...);
int vprintf(const char *format, __builtin_va_list arguments);
int vfprintf(FILE *stream, const char *format, __builtin_va_list arguments);
int vsprintf(char *text, const char *format, __builtin_va_list arguments);
int vsnprintf(char *text, size_t size, const char *format, __builtin_va_list arguments);
int scanf(const char *format, ...);
int fscanf(FILE *stream, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vscanf(const char *format, __builtin_va_list arguments);
int vfscanf(FILE *stream, const char *format, __builtin_va_list arguments);
int vsscanf(const char *text, const char *format, __builtin_va_list arguments);

FILE *fopen(const char *path, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *stream);
int fclose(FILE *stream);
int fflush(FILE *stream);
void setbuf(FILE *stream, char *buffer);
int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
FILE *tmpfile(void);
char *tmpnam(char *path);
int remove(const char *path);
int rename(const char *from, const char *to);

int fgetc(FILE *stream);
int getc(FILE *stream);
int getchar(void);
char *fgets(char *text, int size, FILE *stream);
char *gets(char *text);
int ungetc(int byte, FILE *stream);
int fputc(int byte, FILE *stream);
int putc(int byte, FILE *stream);
int putchar(int byte);
int fputs(const char *text, FILE *stream);
int puts(const char *text);
size_t fread(void *block, size_t size, size_t count, FILE *stream);
size_t fwrite(const void *block, size_t size, size_t count, FILE *stream);

int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
void rewind(FILE *stream);
int fgetpos(FILE *stream, fpos_t *position);
int fsetpos(FILE *stream, const fpos_t *position);
int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);
void perror(const char *text);

#ifdef __ORRERY_POSIX
int dprintf(int descriptor, const char *format, ...);
int vdprintf(int descriptor, const char *format, __builtin_va_list arguments);
int asprintf(char **text, const char *format, ...);
int vasprintf(char **text, const char *format, __builtin_va_list arguments);
FILE *fdopen(int descriptor, const char *mode);
FILE *open_memstream(char **text, size_t *size);
int fileno(FILE *stream);
int fseeko(FILE *stream, off_t offset, int whence);
off_t ftello(FILE *stream);
ssize_t getline(char **line, size_t *size, FILE *stream);
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream);
void setbuffer(FILE *stream, char *buffer, size_t size);
void setlinebuf(FILE *stream);
#define getc_unlocked(stream)       getc(stream)
#define getchar_unlocked()          getchar()
#define putc_unlocked(byte, stream) putc(byte, stream)
#define putchar_unlocked(byte)      putchar(byte)
#define flockfile(stream)           ((void)(stream))
#define funlockfile(stream)         ((void)(stream))
#endif

#endif
