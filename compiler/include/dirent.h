/* dirent.h - POSIX; names come sorted */
#ifndef _DIRENT_H
#define _DIRENT_H

struct dirent {
    unsigned long d_ino;
    unsigned char d_type;
    char d_name[256];
};
typedef struct orrery_directory DIR;

#define DT_UNKNOWN 0

DIR *opendir(const char *path);
struct dirent *readdir(DIR *directory);
int closedir(DIR *directory);
void rewinddir(DIR *directory);

#endif
