/* <stdio_ext.h>, and a flush of a stream that has characters put back: POSIX has them dropped. */
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

static const char *path = "stream_states.tmp";

static void tell(const char *when, FILE *f)
{
    printf("%s: reading %d writing %d readable %d writable %d lines %d pending %zu ahead %zu\n", when,
           __freading(f) != 0, __fwriting(f) != 0, __freadable(f) != 0, __fwritable(f) != 0, __flbf(f) != 0,
           __fpending(f), __freadahead(f));
}

static void write_file(void)
{
    FILE *f = fopen(path, "w");
    tell("new", f);
    fputs("hello world", f);
    tell("written", f);
    fflush(f);
    tell("flushed", f);
    fputs("never", f);
    __fpurge(f);
    tell("purged", f);
    fputs("!", f);
    fclose(f);
}

static void read_file(void)
{
    char text[16] = "";
    FILE *f = fopen(path, "r");
    size_t got = fread(text, 1, 5, f);
    tell("read", f);
    printf("%zu \"%s\" at %ld\n", got, text, ftell(f));
    fflush(f);
    printf("the descriptor is at %ld\n", (long)lseek(fileno(f), 0, SEEK_CUR));
    int c = fgetc(f);
    ungetc(c, f);
    fflush(f);
    printf("%d again: %d\n", c, fgetc(f) == c);
    c = fgetc(f);
    ungetc('@', f);
    fflush(f);
    printf("%c and not what was put back: %d\n", c, fgetc(f) == c);
    c = fgetc(f);
    __fpurge(f);
    tell("purged", f);
    printf("after %c: %d\n", c, fgetc(f));
    clearerr(f);
    __fseterr(f);
    printf("spoilt: %d\n", ferror(f) != 0);
    fclose(f);
}

int main(void)
{
    write_file();
    read_file();
    printf("this");
    printf(" waits: %zu\n", __fpending(stdout));
    printf("never seen");
    __fpurge(stdout);
    printf("seen\n");
    printf("locking %d, buffer of stderr %d\n", __fsetlocking(stdout, FSETLOCKING_QUERY) == FSETLOCKING_INTERNAL,
           __fbufsize(stderr) > 0);
    _flushlbf();
    remove(path);
    return 0;
}
