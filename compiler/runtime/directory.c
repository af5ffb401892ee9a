/* directory.c - reading directories (POSIX): the host function gives all names at once, sorted. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

struct orrery_directory {
    char *names; /* each with its NUL; an empty one ends the list */
    char *next;
    struct dirent entry;
};

char *__orrery_directory(const char *path);

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
    return directory;
}

struct dirent *readdir(DIR *directory)
{
    size_t length = strlen(directory->next);
    if (length == 0)
        return 0;
    strncpy(directory->entry.d_name, directory->next, sizeof directory->entry.d_name - 1);
    directory->entry.d_ino++;
    directory->next += length + 1;
    return &directory->entry;
}

void rewinddir(DIR *directory)
{
    directory->next = directory->names;
    directory->entry.d_ino = 0;
}

int closedir(DIR *directory)
{
    free(directory->names);
    free(directory);
    return 0;
}
