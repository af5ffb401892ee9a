/* temporary.c - names for temporary files. They are numbered, so that they are the same on every run. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LETTERS = 6, ATTEMPTS = 10000 };

/* Finds the six X at the end of a template. Returns 0 with errno if they are not there. */
static char *find_letters(char *template)
{
    size_t length = strlen(template);
    if (length >= LETTERS && strcmp(template + length - LETTERS, "XXXXXX") == 0)
        return template + length - LETTERS;
    errno = EINVAL;
    return 0;
}

/* Writes the next name: process and attempt, in letters. */
static void fill(char *letters)
{
    static unsigned count;
    unsigned long value = (unsigned long)getpid() * ATTEMPTS + count++;
    for (int i = LETTERS; i-- > 0; value /= 36)
        letters[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % 36];
}

static int create(char *template, char *letters, int flags)
{
    int descriptor = -1;
    for (int i = 0; letters && descriptor < 0 && i < ATTEMPTS; i++) {
        fill(letters);
        descriptor = open(template, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

int mkstemp(char *template)
{
    return create(template, find_letters(template), 0);
}

int mkostemp(char *template, int flags)
{
    return create(template, find_letters(template), flags);
}

/* The six X are before a suffix of `suffix` letters. */
int mkstemps(char *template, int suffix)
{
    size_t length = strlen(template);
    if (suffix < 0 || length < (size_t)suffix + LETTERS ||
        strncmp(template + length - (size_t)suffix - LETTERS, "XXXXXX", LETTERS) != 0) {
        errno = EINVAL;
        return -1;
    }
    return create(template, template + length - (size_t)suffix - LETTERS, 0);
}

/* Makes a name that was free when it was asked for. */
char *mktemp(char *template)
{
    char *letters = find_letters(template);
    for (int i = 0; letters && i < ATTEMPTS; i++) {
        fill(letters);
        if (access(template, F_OK) != 0)
            return template;
    }
    template[0] = '\0';
    return template;
}

char *mkdtemp(char *template)
{
    char *letters = find_letters(template);
    for (int i = 0; letters && i < ATTEMPTS; i++) {
        fill(letters);
        if (mkdir(template, 0700) == 0)
            return template;
        if (errno != EEXIST)
            break;
    }
    return 0;
}

char *tmpnam(char *path)
{
    static char own[L_tmpnam];
    if (!path)
        path = own;
    strcpy(path, "/tmp/fileXXXXXX");
    fill(path + strlen(path) - LETTERS);
    return path;
}
