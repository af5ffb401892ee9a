/* in_order.h - output of several ranks in the order of the ranks, whatever their clocks say: say() keeps lines,
 * say_all() prints them, one rank after the other. Every rank calls it once. */
#ifndef IN_ORDER_H
#define IN_ORDER_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static char said[32768];
static int said_length;

static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    said_length += vsnprintf(said + said_length, sizeof said - said_length, format, arguments);
    va_end(arguments);
}

static void say_all(void)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int turn = 0; turn < size; turn++) {
        if (turn == rank) {
            fwrite(said, 1, said_length, stdout);
            fflush(stdout);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

#endif
