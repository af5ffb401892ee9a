/* Temporary files, directories and their names in order (POSIX). */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void list(const char *path)
{
    const char *wanted[] = {"a.txt", "b.txt"};
    int found = 0;
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        for (int i = 0; i < 2; i++)
            found += strcmp(entry->d_name, wanted[i]) == 0;
    printf("%d %d\n", directory != NULL, found);
    if (directory)
        closedir(directory);
}

int main(void)
{
    char folder[] = "orrery-XXXXXX", path[64], file[] = "orrery-XXXXXX";
    printf("%d\n", mkdtemp(folder) != NULL);
    for (char c = 'a'; c <= 'b'; c++) {
        snprintf(path, sizeof path, "%s/%c.txt", folder, c);
        int descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
        printf("%zd ", write(descriptor, "12345", 5));
        printf("%d\n", close(descriptor));
    }
    struct stat status;
    int failed = stat(path, &status);
    printf("%d %ld %d\n", failed, (long)status.st_size, S_ISREG(status.st_mode));
    printf("%d %d\n", access(path, R_OK), access("no such file", F_OK));
    list(folder);
    for (char c = 'a'; c <= 'b'; c++) {
        snprintf(path, sizeof path, "%s/%c.txt", folder, c);
        printf("%d ", unlink(path));
    }
    printf("%d\n", rmdir(folder));
    list(folder);
    int descriptor = mkstemp(file);
    FILE *stream = fdopen(descriptor, "w+");
    fprintf(stream, "text");
    fseek(stream, 0, SEEK_END);
    printf("%ld\n", ftell(stream));
    fclose(stream);
    printf("%d\n", remove(file));
    return 0;
}
