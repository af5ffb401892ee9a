/* stdio.h - C11 7.21 and POSIX */
#ifndef _STDIO_H
#define _STDIO_H

#include <orrery_features.h>

typedef unsigned long size_t;
typedef long fpos_t;
typedef struct orrery_file {
    unsigned long orrery_opaque[27]; /* as large as glibc's; what a FILE * leads to is not for programs */
} FILE;
#undef NULL
#define NULL ((void *)0)

extern FILE *stdin, *stdout, *stderr;
#define stdin  stdin
#define stdout stdout
#define stderr stderr

#define EOF          (-1)
#define BUFSIZ       8192
#define FILENAME_MAX 4096
#define FOPEN_MAX    16
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
#if __STDC_VERSION__ < 201112L
char *gets(char *text);
#endif
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
typedef long ssize_t;
typedef long off_t;
typedef __builtin_va_list va_list;
#define L_ctermid 9
#define P_tmpdir  "/tmp"
int dprintf(int descriptor, const char *format, ...);
int vdprintf(int descriptor, const char *format, __builtin_va_list arguments);
FILE *fdopen(int descriptor, const char *mode);
FILE *fmemopen(void *block, size_t size, const char *mode);
FILE *open_memstream(char **text, size_t *size);
int fileno(FILE *stream);
int fseeko(FILE *stream, off_t offset, int whence);
off_t ftello(FILE *stream);
ssize_t getline(char **line, size_t *size, FILE *stream);
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream);
int renameat(int from_directory, const char *from, int to_directory, const char *to);
char *ctermid(char *path);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
int getc_unlocked(FILE *stream);
int getchar_unlocked(void);
int putc_unlocked(int byte, FILE *stream);
int putchar_unlocked(int byte);
void flockfile(FILE *stream);
int ftrylockfile(FILE *stream);
void funlockfile(FILE *stream);
#define getc_unlocked(stream)       getc(stream)
#define getchar_unlocked()          getchar()
#define putc_unlocked(byte, stream) putc(byte, stream)
#define putchar_unlocked(byte)      putchar(byte)
#endif
#if defined __ORRERY_MISC || defined __ORRERY_XOPEN
char *tempnam(const char *directory, const char *prefix);
#endif
#ifdef __ORRERY_MISC
void setbuffer(FILE *stream, char *buffer, size_t size);
void setlinebuf(FILE *stream);
int fgetc_unlocked(FILE *stream);
int fputc_unlocked(int byte, FILE *stream);
int fflush_unlocked(FILE *stream);
int feof_unlocked(FILE *stream);
int ferror_unlocked(FILE *stream);
void clearerr_unlocked(FILE *stream);
int fileno_unlocked(FILE *stream);
size_t fread_unlocked(void *block, size_t size, size_t count, FILE *stream);
size_t fwrite_unlocked(const void *block, size_t size, size_t count, FILE *stream);
int getw(FILE *stream);
int putw(int word, FILE *stream);
#endif
#ifdef __ORRERY_GNU
int asprintf(char **text, const char *format, ...);
int vasprintf(char **text, const char *format, __builtin_va_list arguments);
char *fgets_unlocked(char *text, int size, FILE *stream);
int fputs_unlocked(const char *text, FILE *stream);
int fcloseall(void);
FILE *fopencookie();
#endif
#ifdef _LARGEFILE64_SOURCE
#define fopen64  fopen
#define fseeko64 fseeko
#define ftello64 ftello
#define off64_t  off_t
#endif

#endif
