/* Paths from a directory's descriptor: openat() and its like, fdopendir(), dirfd(), fchdir(). */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(int directory, const char *name, const char *text)
{
    int file = openat(directory, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    printf("%s: %zd\n", name, write(file, text, strlen(text)));
    close(file);
}

static void list(DIR *directory)
{
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            printf(" %s", entry->d_name);
    printf("\n");
}

int main(void)
{
    const char *name = "directory_descriptors.tmp";
    struct stat status;
    char text[8] = "";
    mkdir(name, 0755);
    int directory = open(name, O_RDONLY | O_DIRECTORY);
    printf("made: %d\n", mkdirat(directory, "inner", 0755));
    put(directory, "b", "bee");
    put(directory, "inner/a", "aye");
    int failed = fstatat(directory, "b", &status, 0);
    printf("size %d %ld, here %d\n", failed, (long)status.st_size, access("b", F_OK));
    printf("reached %d %d\n", faccessat(directory, "inner/a", R_OK, 0), faccessat(directory, "inner/c", R_OK, 0));
    printf("renamed %d\n", renameat(directory, "inner/a", directory, "c"));
    int file = openat(directory, "c", O_RDONLY);
    ssize_t got = read(file, text, 7);
    printf("%zd %s\n", got, text);
    failed = openat(file, "c", O_RDONLY);
    printf("a file is none: %d %d\n", failed, errno == ENOTDIR);
    close(file);
    failed = openat(file, "c", O_RDONLY);
    printf("nor is what is closed: %d %d\n", failed, errno == EBADF);

    DIR *listing = fdopendir(dup(directory));
    list(listing);
    printf("from a listing: %d\n", faccessat(dirfd(listing), "c", R_OK, 0));
    closedir(listing);
    listing = opendir(name);
    printf("from another: %d\n", faccessat(dirfd(listing), "b", R_OK, 0));
    failed = fchdir(dirfd(listing));
    printf("gone there: %d %d\n", failed, access("b", F_OK));
    closedir(listing);
    printf("and back: %d\n", chdir(".."));

    failed = unlinkat(directory, "b", 0) || unlinkat(directory, "c", 0) || unlinkat(directory, "inner", AT_REMOVEDIR);
    printf("gone: %d\n", failed);
    close(directory);
    printf("%d\n", rmdir(name));
    return 0;
}
