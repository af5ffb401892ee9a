/* Streams in memory (POSIX fmemopen, open_memstream) and ways to one file: dup, dup2, fcntl, pread, freopen, fdopen. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    char buffer[32] = "12 words in memory", line[40];
    FILE *stream = fmemopen(buffer, strlen(buffer), "r");
    int number;
    printf("%d ", fscanf(stream, "%d %39s", &number, line));
    printf("%d %s %ld ", number, line, ftell(stream));
    printf("%s ", fgets(line, sizeof line, stream));
    printf("%d ", fgetc(stream));
    printf("%d ", feof(stream) != 0);
    rewind(stream);
    printf("%c ", fgetc(stream));
    printf("%d ", fseek(stream, -6, SEEK_END));
    printf("%s ", fgets(line, sizeof line, stream));
    printf("%d\n", fclose(stream));
    stream = fmemopen(buffer, sizeof buffer, "w+");
    printf("%d ", fprintf(stream, "%s-%d", "written", 5));
    printf("%d %ld ", fflush(stream), ftell(stream));
    printf("%s ", buffer);
    rewind(stream);
    printf("%s ", fgets(line, sizeof line, stream));
    printf("%d\n", fclose(stream));
    stream = fmemopen(buffer, sizeof buffer, "a");
    fputs("+more", stream);
    printf("%d ", fclose(stream));
    printf("%s\n", buffer);
    stream = fmemopen(NULL, 16, "w+");
    fputs("own", stream);
    rewind(stream);
    printf("%s ", fgets(line, sizeof line, stream));
    printf("%d\n", fclose(stream));
    char *text;
    size_t size;
    stream = open_memstream(&text, &size);
    fprintf(stream, "hello %d", 7);
    fflush(stream);
    printf("%s %zu ", text, size);
    fseek(stream, 0, SEEK_SET);
    fputc('J', stream);
    fflush(stream);
    printf("%zu ", size);
    fclose(stream);
    printf("%s %zu\n", text, size);
    free(text);

    char name[] = "streams-XXXXXX";
    int file = mkstemp(name);
    struct iovec parts[2] = {{"first ", 6}, {"second\n", 7}};
    printf("%zd ", writev(file, parts, 2));
    printf("%d ", (int)lseek(file, 0, SEEK_CUR));
    printf("%zd ", pwrite(file, "F", 1, 0));
    printf("%zd ", pread(file, line, 6, 6));
    printf("%.6s ", line);
    int copy = dup(file);
    lseek(copy, 0, SEEK_SET);
    printf("%zd ", read(file, line, 5));
    printf("%.5s %d ", line, (int)lseek(copy, 0, SEEK_CUR));
    printf("%d %d ", fcntl(file, F_GETFL) & O_ACCMODE, fcntl(file, F_DUPFD, 20));
    printf("%d %d ", close(copy), close(20));
    printf("%d\n", close(20));
    printf("%d %d ", ftruncate(file, 0), (int)lseek(file, 0, SEEK_SET));
    fflush(stdout);
    int saved = dup(1);
    dup2(file, 1);
    printf("into the file\n");
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    printf("back ");
    lseek(file, 0, SEEK_SET);
    FILE *again = fdopen(file, "r+");
    printf("%s", fgets(line, sizeof line, again));
    struct stat status;
    printf("%d ", fstat(file, &status));
    printf("%d %d\n", (int)status.st_size, S_ISREG(status.st_mode));
    fclose(again);
    stream = fopen(name, "a+");
    fputs("tail", stream);
    rewind(stream);
    printf("%s", fgets(line, sizeof line, stream));
    printf("%s ", fgets(line, sizeof line, stream));
    printf("%d\n", fgetc(stream));
    stream = freopen(name, "r", stream);
    printf("%c %d ", fgetc(stream), ungetc('Q', stream));
    printf("%c ", fgetc(stream));
    printf("%d\n", fclose(stream));
    char linked[40], target[40];
    snprintf(linked, sizeof linked, "%s.link", name);
    printf("%d ", symlink(name, linked));
    ssize_t length = readlink(linked, target, sizeof target);
    printf("%d %d ", (int)length == (int)strlen(name), lstat(linked, &status));
    printf("%d %d ", S_ISLNK(status.st_mode), stat(linked, &status));
    printf("%d %d %d ", (int)status.st_size, unlink(linked), chmod(name, 0600));
    printf("%d ", unlink(name));
    printf("%d\n", access(name, F_OK));
    return 0;
}
