/* libgen.c - dirname and the POSIX basename. Both may change the path that they are given. */
#include <libgen.h>
#include <string.h>

/* Cuts slashes off the end. Returns the remaining length (a lone "/" stays). */
static size_t trim(char *path, size_t length)
{
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    return length;
}

char *__xpg_basename(char *path)
{
    if (!path || !*path)
        return ".";
    size_t length = trim(path, strlen(path));
    if (length == 1 && *path == '/')
        return path;
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *dirname(char *path)
{
    if (!path || !*path)
        return ".";
    size_t length = trim(path, strlen(path));
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length == 0)
        return ".";
    path[length] = '\0';
    trim(path, length);
    return path;
}
