/* Single bytes in loops that native code reads and writes itself, while streams are closed, reopened, exchanged, put
 * back, positioned, unbuffered and written to in other ways: the same bytes, times and ends of file in all tiers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned sum;

static void note(int c)
{
    sum = sum * 31 + (unsigned)(c + 2);
}

static void drain(FILE *file)
{
    int c;
    while ((c = getc(file)) != EOF)
        note(c);
    note(feof(file) != 0);
    note(ferror(file) != 0);
}

/* Two files with one stream after the other in the same place, and both at once. */
static void exchange(void)
{
    static const char *const names[] = {"streams-a.txt", "streams-b.txt"};
    for (int round = 0; round < 6; round++) {
        FILE *out = fopen(names[round % 2], round < 2 ? "w" : "a"), *other;
        for (int i = 0; i < 5000; i++)
            putc('a' + (i + round) % 26, out);
        fprintf(out, "|%d|", round);
        for (int i = 0; i < 10; i++)
            fputc('\n', out);
        other = fopen(names[round % 2], "r"); /* sees what was flushed */
        drain(other);
        fflush(out);
        drain(other);
        clearerr(other);
        drain(other);
        fclose(out);
        drain(other);
        other = freopen(names[(round + 1) % 2], "r", other);
        if (other) {
            drain(other);
            rewind(other);
            for (int i = 0; i < 2000; i++) {
                int c = fgetc(other);
                note(c);
                if (i % 7 == 0)
                    ungetc(c, other);
                if (i % 100 == 0)
                    fseek(other, i % 3 - 1, SEEK_CUR);
                if (i % 300 == 0)
                    note((int)ftell(other));
            }
            fclose(other);
        }
    }
    FILE *update = fopen(names[0], "r+");
    for (int i = 0; i < 1000; i++) {
        note(getc(update));
        fseek(update, 0, SEEK_CUR);
        if (i % 2)
            putc('#', update);
        fseek(update, 0, SEEK_CUR);
    }
    note(putc('x', update));
    fseek(update, 0, SEEK_END);
    note(getc(update));
    fclose(update);
    update = fopen(names[0], "r");
    errno = 0;
    note(putc('x', update));
    note(errno);
    clearerr(update);
    drain(update);
    fclose(update);
    remove(names[0]);
    remove(names[1]);
}

/* Standard output in single bytes, lines, formats and writes, in long lines, and without a buffer. */
static void output(void)
{
    for (int i = 0; i < 3000; i++) {
        putchar(i % 64 == 63 ? '\n' : '0' + i % 64);
        if (i % 500 == 250)
            printf("[%d]", i);
        if (i % 700 == 350)
            fputs("(s)", stdout);
        if (i % 900 == 450)
            fflush(stdout);
    }
    for (int i = 0; i < 70000; i++)
        fputc('a' + i % 26, stdout);
    puts("<");
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 0; i < 40; i++)
        putc(i % 8 == 7 ? '\n' : 'u', stdout);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < 40; i++)
        putc(i % 8 == 7 ? '\n' : 'l', stdout);
    fflush(stdout);
    int saved = dup(1);
    FILE *file = fopen("streams-c.txt", "w+");
    dup2(fileno(file), 1);
    for (int i = 0; i < 100; i++)
        putchar('f');
    fflush(stdout);
    dup2(saved, 1);
    for (int i = 0; i < 30; i++)
        putchar('c');
    putchar('\n');
    fflush(stdout);
    rewind(file);
    drain(file);
    fclose(file);
    remove("streams-c.txt");
}

/* Standard input: put back in front of all, between other ways of reading, at its end, and from a file. */
static void input(void)
{
    char line[40];
    int number, c;
    note(ungetc('^', stdin));
    note(ungetc('!', stdin));
    for (int i = 0; i < 300; i++) {
        c = getchar();
        note(c);
        if (i % 11 == 0)
            note(ungetc(c, stdin));
    }
    if (fgets(line, sizeof line, stdin))
        for (char *at = line; *at; at++)
            note(*at);
    note(scanf("%d", &number));
    note((int)fread(line, 1, 7, stdin));
    drain(stdin);
    note(getchar());
    note(ungetc('z', stdin));
    drain(stdin);
    FILE *file = fopen("streams-d.txt", "w");
    for (int i = 0; i < 5000; i++)
        putc('A' + i % 26, file);
    fclose(file);
    if (freopen("streams-d.txt", "r", stdin))
        drain(stdin);
    remove("streams-d.txt");
}

int main(void)
{
    exchange();
    output();
    input();
    printf("%08x\n", sum);
    return 0;
}
