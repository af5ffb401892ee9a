/* Every predefined operator on every kind of type that it is defined for (MPI-3.1 section 5.9.2). */
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static int rank;

/* Reduces three values that differ by rank with the arithmetic operators, prints on rank 0. */
#define ARITHMETIC(name, type, mpi_type, format, first)                                                                \
    do {                                                                                                               \
        type in[3] = {(type)(first + rank), (type)(first - 2 * rank), (type)(rank % 2 + 1)}, out[3];                   \
        MPI_Op ops[] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD};                                                          \
        const char *names[] = {"max", "min", "sum", "product"};                                                        \
        for (int op = 0; op < 4; op++) {                                                                               \
            MPI_Reduce(in, out, 3, mpi_type, ops[op], 0, MPI_COMM_WORLD);                                              \
            if (rank == 0)                                                                                             \
                printf("%s %s: " format " " format " " format "\n", name, names[op], out[0], out[1], out[2]);          \
        }                                                                                                              \
    } while (0)

#define BITS(name, type, mpi_type)                                                                                     \
    do {                                                                                                               \
        type in[3] = {(type)(rank + 1), (type)(12 >> rank), (type)(rank == 2 ? 255 : 3)}, out[3];                      \
        MPI_Op ops[] = {MPI_BAND, MPI_BOR, MPI_BXOR};                                                                  \
        const char *names[] = {"and", "or", "xor"};                                                                    \
        for (int op = 0; op < 3; op++) {                                                                               \
            MPI_Reduce(in, out, 3, mpi_type, ops[op], 0, MPI_COMM_WORLD);                                              \
            if (rank == 0)                                                                                             \
                printf("%s bits %s: %d %d %d\n", name, names[op], (int)out[0], (int)out[1], (int)out[2]);              \
        }                                                                                                              \
    } while (0)

#define LOGIC(name, type, mpi_type)                                                                                    \
    do {                                                                                                               \
        type in[4] = {(type)(rank > 0), (type)(rank == 1), (type)(rank != 9), (type)0}, out[4];                        \
        MPI_Op ops[] = {MPI_LAND, MPI_LOR, MPI_LXOR};                                                                  \
        const char *names[] = {"and", "or", "xor"};                                                                    \
        for (int op = 0; op < 3; op++) {                                                                               \
            MPI_Reduce(in, out, 4, mpi_type, ops[op], 0, MPI_COMM_WORLD);                                              \
            if (rank == 0)                                                                                             \
                printf("%s logical %s: %d %d %d %d\n", name, names[op], out[0] != 0, out[1] != 0, out[2] != 0,         \
                       out[3] != 0);                                                                                   \
        }                                                                                                              \
    } while (0)

#define LOCATIONS(name, type, mpi_type)                                                                                \
    do {                                                                                                               \
        struct {                                                                                                       \
            type value;                                                                                                \
            int index;                                                                                                 \
        } in[2] = {{(type)(rank * 7 % 5), rank}, {(type)(rank / 2), 10 - rank}}, high[2], low[2];                      \
        MPI_Reduce(in, high, 2, mpi_type, MPI_MAXLOC, 0, MPI_COMM_WORLD);                                              \
        MPI_Reduce(in, low, 2, mpi_type, MPI_MINLOC, 0, MPI_COMM_WORLD);                                               \
        if (rank == 0)                                                                                                 \
            printf("%s: max %d at %d, %d at %d; min %d at %d, %d at %d\n", name, (int)high[0].value, high[0].index,    \
                   (int)high[1].value, high[1].index, (int)low[0].value, low[0].index, (int)low[1].value,              \
                   low[1].index);                                                                                      \
    } while (0)

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ARITHMETIC("signed char", signed char, MPI_SIGNED_CHAR, "%d", 3);
    ARITHMETIC("unsigned char", unsigned char, MPI_UNSIGNED_CHAR, "%d", 120);
    ARITHMETIC("short", short, MPI_SHORT, "%d", -4);
    ARITHMETIC("unsigned short", unsigned short, MPI_UNSIGNED_SHORT, "%d", 40000);
    ARITHMETIC("int", int, MPI_INT, "%d", 1000);
    ARITHMETIC("unsigned", unsigned, MPI_UNSIGNED, "%u", 4000000000u);
    ARITHMETIC("long", long, MPI_LONG, "%ld", 5000000000l);
    ARITHMETIC("unsigned long", unsigned long, MPI_UNSIGNED_LONG, "%lu", 7ul);
    ARITHMETIC("long long", long long, MPI_LONG_LONG, "%lld", -9ll);
    ARITHMETIC("float", float, MPI_FLOAT, "%.9g", 0.1f);
    ARITHMETIC("double", double, MPI_DOUBLE, "%.17g", 0.1);
    ARITHMETIC("int8", int8_t, MPI_INT8_T, "%d", 5);
    ARITHMETIC("uint16", uint16_t, MPI_UINT16_T, "%d", 65000);
    ARITHMETIC("int32", int32_t, MPI_INT32_T, "%d", -1);
    ARITHMETIC("uint64", uint64_t, MPI_UINT64_T, "%lu", 30ul);
    BITS("int", int, MPI_INT);
    BITS("unsigned char", unsigned char, MPI_UNSIGNED_CHAR);
    BITS("byte", unsigned char, MPI_BYTE);
    BITS("long", long, MPI_LONG);
    LOGIC("int", int, MPI_INT);
    LOGIC("short", short, MPI_SHORT);
    LOGIC("bool", bool, MPI_C_BOOL);
    LOCATIONS("float", float, MPI_FLOAT_INT);
    LOCATIONS("double", double, MPI_DOUBLE_INT);
    LOCATIONS("long", long, MPI_LONG_INT);
    LOCATIONS("short", short, MPI_SHORT_INT);
    LOCATIONS("int", int, MPI_2INT);

    double complex z = 1 + rank * I, sum, product;
    MPI_Reduce(&z, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&z, &product, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("complex: sum %g%+gi, product %g%+gi\n", creal(sum), cimag(sum), creal(product), cimag(product));
    MPI_Finalize();
    return 0;
}
