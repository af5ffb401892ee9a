/* Ranks that read and write the same file byte by byte, through several streams, with other ranks in between. What they
 * find there depends on virtual time alone, and so does how long they then compute: the times are the test. Output is
 * what does not depend on the order. */
#include <ctype.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned found = 1; /* a hash of all that was read */
static volatile unsigned sink;

static void note(int c)
{
    found = found * 31 + (unsigned)(c + 2);
}

static void compute(unsigned turns)
{
    for (unsigned i = 0; i < turns; i++)
        sink = sink * 7 + i;
}

static FILE *must(FILE *file)
{
    if (!file) {
        printf("no file\n");
        exit(1);
    }
    return file;
}

/* Everybody appends and reads what the others have appended so far. */
static void append_and_read(int rank)
{
    FILE *out = must(fopen("many.txt", "a")), *in = must(fopen("many.txt", "r"));
    int c;
    for (int i = 0; i < 40; i++) {
        putc('a' + rank, out);
        if (i % (rank + 2) == 0)
            fflush(out);
        compute(found % 97);
        for (int k = 0; k < 5 && (c = getc(in)) != EOF; k++)
            note(c);
        if (feof(in))
            clearerr(in);
        if (i % 7 == rank)
            fseek(in, -(ftell(in) / 2), SEEK_CUR);
    }
    fclose(out);
    fclose(in);
}

/* One stream for both, with positions in between; bytes put back; a second stream sees what was flushed. */
static void update(int rank)
{
    FILE *file = must(fopen("many.txt", "r+")), *second = must(fopen("many.txt", "r"));
    char line[24];
    setvbuf(second, NULL, rank % 2 ? _IONBF : _IOFBF, 512);
    for (int i = 0; i < 25; i++) {
        fseek(file, (rank * 13 + i * 5) % 60, SEEK_SET);
        int c = fgetc(file);
        note(c);
        if (c != EOF) {
            ungetc(c == 'z' ? 'a' : c, file);
            note(fgetc(file));
            fseek(file, -1, SEEK_CUR);
            fputc(toupper(c), file);
            fflush(file);
        }
        compute(found % 61);
        rewind(second);
        fseek(second, (long)(found % 50), SEEK_SET);
        if (fgets(line, sizeof line, second))
            for (char *at = line; *at; at++)
                note(*at);
        note(feof(second) != 0);
        note((int)fread(line, 2, 5, second));
    }
    fclose(second);
    second = must(freopen("many.txt", "r", file));
    while (getc(second) != EOF)
        ;
    note((int)ftell(second));
    fclose(second);
}

/* A stream of its own for each rank: nobody disturbs it. */
static void own(int rank)
{
    char name[24], line[160];
    snprintf(name, sizeof name, "own-%d.txt", rank);
    FILE *file = must(fopen(name, "w+"));
    for (int i = 0; i < 300; i++)
        fprintf(file, "%d %x%c", i, i * i, i % 10 == 9 ? '\n' : ' ');
    rewind(file);
    int lines = 0, sum = 0, number, c;
    while (fgets(line, sizeof line, file))
        lines++;
    rewind(file);
    while (fscanf(file, "%d %*x", &number) == 1)
        sum += number;
    fseek(file, 0, SEEK_SET);
    int spaces = 0, eofs = 0;
    while ((c = fgetc(file)) != EOF)
        spaces += isspace(c) != 0;
    eofs += feof(file) != 0;
    note(ungetc('x', file));
    eofs += feof(file) != 0;
    note(fgetc(file));
    eofs += fgetc(file) == EOF;
    fclose(file);
    remove(name);
    if (lines != 30 || sum != 300 * 299 / 2 || spaces != 600 || eofs != 2)
        printf("rank %d: %d lines, sum %d, %d spaces, %d ends\n", rank, lines, sum, spaces, eofs);
}

/* Standard input is rank 0's; the others are at its end. */
static int input(int rank)
{
    int c, count = 0;
    while ((c = getchar()) != EOF) {
        if (c == '#') {
            ungetc('+', stdin);
            c = getc(stdin);
        }
        putchar(c);
        count++;
    }
    return (count > 0) == (rank == 0) && feof(stdin);
}

int main(int argc, char **argv)
{
    int rank, size, fine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        fclose(must(fopen("many.txt", "w")));
    MPI_Barrier(MPI_COMM_WORLD);
    append_and_read(rank);
    update(rank);
    if (rank == 1) /* comes late, while the others wait for it: it is alone for long */
        own(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    own(rank);
    fine = input(rank);
    FILE *all = must(fopen("many.txt", "r"));
    int count[256] = {0}, c;
    while ((c = fgetc(all)) != EOF)
        count[tolower(c)]++;
    for (int i = 0; i < 256; i++)
        fine = fine && (!count[i] || count[i] == 40);
    fclose(all);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        remove("many.txt");
    compute(found % 100000); /* what was found shows in the times */
    for (int turn = 0; turn < size; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (turn == rank)
            printf("rank %d: %s\n", rank, fine ? "as it should be" : "not as it should be");
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
