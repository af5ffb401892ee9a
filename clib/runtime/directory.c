/* directory.c - reading directories (POSIX). The host function returns all names at once, sorted, each behind a byte
 * that tells its type. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PATH = 4096 };

struct orrery_directory {
    char *names; /* each name has its type before it and a NUL behind it; an empty name ends the list */
    char *next;
    int descriptor; /* of fdopendir() or dirfd(); -1: none */
    char *path;     /* from the root, for dirfd() */
    struct dirent entry;
};

char *__orrery_directory(const char *path);
int __orrery_directory_path(int descriptor, char *path);

DIR *opendir(const char *path)
{
    char *names = __orrery_directory(path);
    if (!names)
        return 0;
    DIR *directory = calloc(1, sizeof *directory);
    if (!directory) {
        free(names);
        return 0;
    }
    directory->names = directory->next = names;
    directory->descriptor = -1;
    directory->path = realpath(path, 0);
    return directory;
}

DIR *fdopendir(int descriptor)
{
    char path[MOST_PATH];
    DIR *directory = __orrery_directory_path(descriptor, path) == 0 ? opendir(path) : 0;
    if (directory)
        directory->descriptor = descriptor;
    return directory;
}

/* The descriptor is opened when it is asked for, as most programs never do. */
int dirfd(DIR *directory)
{
    if (directory->descriptor < 0 && directory->path)
        directory->descriptor = open(directory->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return directory->descriptor;
}

struct dirent *readdir(DIR *directory)
{
    struct dirent *entry = &directory->entry;
    size_t length = directory->next[0] ? strlen(directory->next + 1) : 0;
    if (length == 0)
        return 0;
    entry->d_type = (unsigned char)(directory->next[0] - 1);
    strncpy(entry->d_name, directory->next + 1, sizeof entry->d_name - 1);
    entry->d_ino++;
    entry->d_off++;
    entry->d_reclen = sizeof *entry;
    directory->next += length + 2;
    return entry;
}

int readdir_r(DIR *directory, struct dirent *entry, struct dirent **result)
{
    struct dirent *next = readdir(directory);
    if (next)
        *entry = *next;
    *result = next ? entry : 0;
    return 0;
}

void rewinddir(DIR *directory)
{
    directory->next = directory->names;
    directory->entry.d_ino = 0;
    directory->entry.d_off = 0;
}

long telldir(DIR *directory)
{
    return directory->entry.d_off;
}

void seekdir(DIR *directory, long position)
{
    rewinddir(directory);
    while (directory->entry.d_off < position && readdir(directory))
        ;
}

int closedir(DIR *directory)
{
    if (directory->descriptor >= 0)
        close(directory->descriptor);
    free(directory->path);
    free(directory->names);
    free(directory);
    return 0;
}

int alphasort(const struct dirent **a, const struct dirent **b)
{
    return strcoll((*a)->d_name, (*b)->d_name);
}

int versionsort(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

/* Makes room for one more entry. Returns 0 if there is no memory. */
static int append(struct dirent ***list, int count, const struct dirent *entry)
{
    if ((count & (count - 1)) == 0) {
        struct dirent **larger = realloc(*list, (size_t)(count ? 2 * count : 1) * sizeof *larger);
        if (!larger)
            return 0;
        *list = larger;
    }
    (*list)[count] = malloc(sizeof *entry);
    if ((*list)[count])
        *(*list)[count] = *entry;
    return (*list)[count] != 0;
}

int scandir(const char *path, struct dirent ***names, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    DIR *directory = opendir(path);
    if (!directory)
        return -1;
    struct dirent **list = 0;
    int count = 0, short_of_memory = 0;
    for (const struct dirent *entry; !short_of_memory && (entry = readdir(directory));)
        if (!filter || filter(entry)) {
            short_of_memory = !append(&list, count, entry);
            count += !short_of_memory;
        }
    closedir(directory);
    if (short_of_memory) {
        while (count > 0)
            free(list[--count]);
        free(list);
        errno = ENOMEM;
        return -1;
    }
    if (!list)
        list = malloc(sizeof *list);
    if (compare)
        qsort(list, (size_t)count, sizeof *list, (int (*)(const void *, const void *))compare);
    *names = list;
    return count;
}

/* -- trees ------------------------------------------------------------------------------------- */

struct tree {
    int (*plain)(const char *path, const struct stat *status, int flag);
    int (*full)(const char *path, const struct stat *status, int flag, struct FTW *place);
    int flags;
    char path[MOST_PATH];
};

static int visit(struct tree *t, const struct stat *status, int flag, int level)
{
    if (t->plain)
        return t->plain(t->path, status, flag);
    const char *slash = strrchr(t->path, '/');
    struct FTW place = {slash ? (int)(slash - t->path) + 1 : 0, level};
    return t->full(t->path, status, flag, &place);
}

static int walk(struct tree *t, int level);

static int walk_entries(struct tree *t, DIR *directory, int level)
{
    size_t length = strlen(t->path);
    int result = 0;
    for (const struct dirent *entry; !result && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || length + strlen(name) + 2 > MOST_PATH)
            continue;
        strcpy(t->path + length, length && t->path[length - 1] == '/' ? "" : "/");
        strcat(t->path + length, name);
        result = walk(t, level + 1);
        t->path[length] = '\0';
    }
    return result;
}

static int walk(struct tree *t, int level)
{
    struct stat status;
    int physical = t->full && (t->flags & FTW_PHYS);
    if ((physical ? lstat(t->path, &status) : stat(t->path, &status)) != 0)
        return level == 0 ? -1 : visit(t, &status, lstat(t->path, &status) == 0 ? FTW_SL : FTW_NS, level);
    if (!S_ISDIR(status.st_mode))
        return visit(t, &status, S_ISLNK(status.st_mode) ? FTW_SL : FTW_F, level);
    DIR *directory = opendir(t->path);
    if (!directory)
        return visit(t, &status, FTW_DNR, level);
    int depth_first = t->full && (t->flags & FTW_DEPTH);
    int result = depth_first ? 0 : visit(t, &status, FTW_D, level);
    if (!result)
        result = walk_entries(t, directory, level);
    closedir(directory);
    return result || !depth_first ? result : visit(t, &status, FTW_DP, level);
}

static int start(struct tree *t, const char *path)
{
    if (strlen(path) >= MOST_PATH) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(t->path, path);
    return walk(t, 0);
}

int ftw(const char *path, int (*visitor)(const char *path, const struct stat *status, int flag), int descriptors)
{
    struct tree t;
    (void)descriptors;
    t.plain = visitor;
    t.full = 0;
    t.flags = 0;
    return start(&t, path);
}

int nftw(const char *path, int (*visitor)(const char *path, const struct stat *status, int flag, struct FTW *place),
         int descriptors, int flags)
{
    struct tree t;
    (void)descriptors;
    t.plain = 0;
    t.full = visitor;
    t.flags = flags;
    return start(&t, path);
}
