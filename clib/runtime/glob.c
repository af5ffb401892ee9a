/* glob.c - finds the files whose names match a pattern (POSIX): directory by directory, sorted. */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_PATH = 4096 };

struct search {
    glob_t *result;
    int flags;
    int (*complain)(const char *path, int error);
};

static int add(struct search *s, const char *path)
{
    glob_t *g = s->result;
    size_t length = strlen(path);
    char **paths = realloc(g->gl_pathv, (g->gl_offs + g->gl_pathc + 2) * sizeof *paths);
    if (!paths)
        return GLOB_NOSPACE;
    g->gl_pathv = paths;
    char *copy = malloc(length + 2);
    if (!copy)
        return GLOB_NOSPACE;
    memcpy(copy, path, length + 1);
    struct stat status;
    if ((s->flags & GLOB_MARK) && stat(path, &status) == 0 && S_ISDIR(status.st_mode) && copy[length - 1] != '/')
        strcpy(copy + length, "/");
    paths[g->gl_offs + g->gl_pathc++] = copy;
    paths[g->gl_offs + g->gl_pathc] = 0;
    return 0;
}

static int has_magic(const char *text, size_t length, int flags)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '*' || text[i] == '?' || text[i] == '[' || (text[i] == '\\' && !(flags & GLOB_NOESCAPE)))
            return 1;
    return 0;
}

static int walk(struct search *s, char *path, size_t used, const char *pattern);

/* Appends the name of one component and goes on with the rest of the pattern. */
static int step(struct search *s, char *path, size_t used, const char *name, size_t length, const char *rest)
{
    if (used + length + 2 > MOST_PATH)
        return 0;
    memcpy(path + used, name, length);
    used += length;
    while (*rest == '/' && used + 2 < MOST_PATH)
        path[used++] = *rest++;
    path[used] = '\0';
    struct stat status;
    if (*rest)
        return walk(s, path, used, rest);
    return lstat(path, &status) == 0 ? add(s, path) : 0;
}

static int match_directory(struct search *s, char *path, size_t used, const char *component, const char *rest)
{
    DIR *directory = opendir(used ? path : ".");
    if (!directory) {
        int stop = s->complain && errno != ENOENT && errno != ENOTDIR && s->complain(path, errno);
        return stop || ((s->flags & GLOB_ERR) && errno != ENOENT && errno != ENOTDIR) ? GLOB_ABORTED : 0;
    }
    int flags = FNM_PERIOD | (s->flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0), error = 0;
    if (s->flags & GLOB_PERIOD)
        flags &= ~FNM_PERIOD;
    for (struct dirent *entry; !error && (entry = readdir(directory));)
        if (fnmatch(component, entry->d_name, flags) == 0)
            error = step(s, path, used, entry->d_name, strlen(entry->d_name), rest);
    closedir(directory);
    return error;
}

/* Matches the pattern's next component against the names in the directory path[0..used). */
static int walk(struct search *s, char *path, size_t used, const char *pattern)
{
    size_t length = strcspn(pattern, "/");
    path[used] = '\0';
    if (!has_magic(pattern, length, s->flags))
        return step(s, path, used, pattern, length, pattern + length);
    char *component = strndup(pattern, length);
    if (!component)
        return GLOB_NOSPACE;
    int error = match_directory(s, path, used, component, pattern + length);
    free(component);
    return error;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int glob(const char *pattern, int flags, int (*complain)(const char *path, int error), glob_t *result)
{
    char path[MOST_PATH];
    struct search s = {result, flags, complain};
    if (!(flags & GLOB_DOOFFS))
        result->gl_offs = 0;
    if (!(flags & GLOB_APPEND)) {
        result->gl_pathc = 0;
        result->gl_pathv = 0;
    }
    size_t before = result->gl_pathc;
    int error = walk(&s, path, 0, pattern);
    if (error)
        return error;
    if (result->gl_pathc == before) {
        if (!(flags & GLOB_NOCHECK))
            return GLOB_NOMATCH;
        error = add(&s, pattern);
    }
    for (size_t i = 0; !before && result->gl_pathv && i < result->gl_offs; i++)
        result->gl_pathv[i] = 0;
    if (!error && !(flags & GLOB_NOSORT))
        qsort(result->gl_pathv + result->gl_offs + before, result->gl_pathc - before, sizeof(char *), compare);
    return error;
}

void globfree(glob_t *result)
{
    for (size_t i = 0; result->gl_pathv && i < result->gl_pathc; i++)
        free(result->gl_pathv[result->gl_offs + i]);
    free(result->gl_pathv);
    result->gl_pathv = 0;
    result->gl_pathc = 0;
}
