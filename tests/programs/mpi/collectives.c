/* Every collective with every root, in place and not, against values computed by hand (MPI-3.1 chapter 5). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef COUNT /* collectives_large_counts.c has others */
#define COUNT int
#define PLACE int
#endif

static int rank, size, failures;

static void check(int condition, const char *what, int detail)
{
    if (condition)
        return;
    printf("rank %d: %s is wrong (%d)\n", rank, what, detail);
    failures++;
}

static void bcast(int root, int n)
{
    int *data = malloc((n + 1) * sizeof *data);
    for (int i = 0; i < n; i++)
        data[i] = rank == root ? 10 * root + i : -1;
    MPI_Bcast(data, n, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        check(data[i] == 10 * root + i, "bcast", i);
    free(data);
}

static void gather_scatter(int root, int n)
{
    int *all = malloc((size * n + 1) * sizeof *all), *mine = malloc((n + 1) * sizeof *mine);
    for (int i = 0; i < n; i++)
        mine[i] = 100 * rank + i;
    MPI_Gather(mine, n, MPI_INT, all, n, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < size * n; i++)
        check(all[i] == 100 * (i / n) + i % n, "gather", i);
    for (int i = 0; i < n; i++)
        mine[i] = -1;
    MPI_Scatter(all, n, MPI_INT, mine, n, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        check(mine[i] == 100 * rank + i, "scatter", i);
    /* in place at the root */
    for (int i = 0; rank == root && i < size * n; i++)
        all[i] = i / n == root ? 7000 + i % n : -1;
    for (int i = 0; i < n; i++)
        mine[i] = 7 * rank + i;
    if (rank == root)
        MPI_Gather(MPI_IN_PLACE, n, MPI_INT, all, n, MPI_INT, root, MPI_COMM_WORLD);
    else
        MPI_Gather(mine, n, MPI_INT, NULL, 0, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < size * n; i++)
        check(all[i] == (i / n == root ? 7000 + i % n : 7 * (i / n) + i % n), "gather in place", i);
    if (rank == root)
        MPI_Scatter(all, n, MPI_INT, MPI_IN_PLACE, n, MPI_INT, root, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, 0, MPI_INT, mine, n, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; rank != root && i < n; i++)
        check(mine[i] == 7 * rank + i, "scatter in place", i);
    free(all);
    free(mine);
}

/* Rank i has i % 3 items; they lie apart and backwards. */
static void vector_forms(int root)
{
    COUNT counts[64];
    PLACE places[64];
    int all[64 * 4], mine[4];
    for (int i = 0; i < size; i++) {
        counts[i] = i % 3;
        places[i] = 4 * (size - 1 - i);
    }
    for (int i = 0; i < 4; i++)
        mine[i] = 10 * rank + i;
    memset(all, 0xff, sizeof all);
    MPI_Gatherv(mine, counts[rank], MPI_INT, all, counts, places, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < size; i++)
        for (int j = 0; j < 4; j++)
            check(all[places[i] + j] == (j < counts[i] ? 10 * i + j : -1), "gatherv", i);
    memset(mine, 0xff, sizeof mine);
    MPI_Scatterv(all, counts, places, MPI_INT, mine, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
    for (int j = 0; j < 4; j++)
        check(mine[j] == (j < counts[rank] ? 10 * rank + j : -1), "scatterv", j);
    memset(all, 0xff, sizeof all);
    MPI_Allgatherv(mine, counts[rank], MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < 4; j++)
            check(all[places[i] + j] == (j < counts[i] ? 10 * i + j : -1), "allgatherv", i);
}

static void exchanges(int n)
{
    int *out = malloc((size * n + 1) * sizeof *out), *in = malloc((size * n + 1) * sizeof *in);
    for (int i = 0; i < size * n; i++)
        out[i] = 10000 * rank + i;
    MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size * n; i++)
        check(in[i] == 10000 * (i / n) + rank * n + i % n, "alltoall", i);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size * n; i++)
        check(out[i] == in[i], "alltoall in place", i);
    for (int i = 0; i < n; i++)
        out[i] = 100 * rank + i;
    MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size * n; i++)
        check(in[i] == 100 * (i / n) + i % n, "allgather", i);
    for (int i = 0; i < size * n; i++)
        in[i] = i / n == rank ? 5 * rank + i % n : -1;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size * n; i++)
        check(in[i] == 5 * (i / n) + i % n, "allgather in place", i);
    free(out);
    free(in);
}

/* i sends j (i + j) % 4 items. */
static void alltoallv(void)
{
    COUNT scounts[64], rcounts[64];
    PLACE splaces[64], rplaces[64];
    int out[64 * 4], in[64 * 4];
    for (int i = 0; i < size; i++) {
        scounts[i] = rcounts[i] = (rank + i) % 4;
        splaces[i] = 4 * i;
        rplaces[i] = 4 * (size - 1 - i);
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = 1000 * rank + 10 * i + j;
    }
    memset(in, 0xff, sizeof in);
    MPI_Alltoallv(out, scounts, splaces, MPI_INT, in, rcounts, rplaces, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < 4; j++)
            check(in[rplaces[i] + j] == (j < rcounts[i] ? 1000 * i + 10 * rank + j : -1), "alltoallv", i);
}

/* i sends j either two ints that lie apart, or one double, by whether i + j is even; displacements in bytes. To itself,
 * nothing: then the datatype does not matter. */
static void alltoallw(void)
{
    struct { int pair[4]; double real; } out[64], in[64];
    COUNT counts[64];
    PLACE places[64];
    MPI_Datatype types[64], apart;
    MPI_Type_vector(2, 1, 3, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    memset(in, 0, sizeof in);
    for (int i = 0; i < size; i++) {
        int even = (rank + i) % 2 == 0;
        counts[i] = i != rank;
        types[i] = even ? apart : MPI_DOUBLE;
        places[i] = (char *)(even ? (void *)out[i].pair : (void *)&out[i].real) - (char *)out;
        for (int j = 0; j < 4; j++)
            out[i].pair[j] = 100 * rank + 10 * i + j;
        out[i].real = rank + i / 100.0;
    }
    MPI_Alltoallw(out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        int even = (rank + i) % 2 == 0 && i != rank, first = 100 * i + 10 * rank;
        check(in[i].pair[0] == (even ? first : 0) && in[i].pair[3] == (even ? first + 3 : 0) && !in[i].pair[1],
              "alltoallw of ints", i);
        check(in[i].real == (even || i == rank ? 0 : i + rank / 100.0), "alltoallw of doubles", i);
    }
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, out, counts, places, types, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        if (i != rank)
            check((rank + i) % 2 ? out[i].real == in[i].real
                                 : out[i].pair[0] == in[i].pair[0] && out[i].pair[3] == in[i].pair[3],
                  "alltoallw in place", i);
    MPI_Type_free(&apart);
}

/* 2 x 2 matrices modulo a prime: associative, not commutative. */
typedef struct { int m[4]; } Matrix;

static void multiply(void *in, void *inout, int *n, MPI_Datatype *type)
{
    Matrix *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *n; i++) {
        Matrix c;
        for (int r = 0; r < 2; r++)
            for (int k = 0; k < 2; k++)
                c.m[2 * r + k] = (a[i].m[2 * r] * b[i].m[k] + a[i].m[2 * r + 1] * b[i].m[2 + k]) % 9973;
        b[i] = c;
    }
}

static Matrix matrix_of(int r, int i)
{
    Matrix m = {{r + 1, i + 2, r * i + 3, 1}};
    return m;
}

static Matrix product(int from, int to, int i)
{
    Matrix result = matrix_of(from, i);
    for (int r = from + 1; r < to; r++) {
        Matrix next = matrix_of(r, i), left = result;
        int one = 1;
        multiply(&left, &next, &one, NULL);
        result = next;
    }
    return result;
}

static void user_operator(int root)
{
    MPI_Datatype type;
    MPI_Op op;
    Matrix mine[3], out[3], blocks[64];
    COUNT counts[64];
    int total = 0, first = 0;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(multiply, 0, &op);
    for (int i = 0; i < 3; i++)
        mine[i] = matrix_of(rank, i);
    MPI_Reduce(mine, out, 3, type, op, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < 3; i++) {
        Matrix p = product(0, size, i);
        check(!memcmp(&out[i], &p, sizeof p), "reduce by matrices", i);
    }
    MPI_Allreduce(mine, out, 3, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        Matrix p = product(0, size, i);
        check(!memcmp(&out[i], &p, sizeof p), "allreduce by matrices", i);
    }
    MPI_Scan(mine, out, 3, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        Matrix p = product(0, rank + 1, i);
        check(!memcmp(&out[i], &p, sizeof p), "scan by matrices", i);
    }
    MPI_Exscan(mine, out, 3, type, op, MPI_COMM_WORLD);
    for (int i = 0; rank > 0 && i < 3; i++) {
        Matrix p = product(0, rank, i);
        check(!memcmp(&out[i], &p, sizeof p), "exscan by matrices", i);
    }
    for (int i = 0; i < size; i++) {
        counts[i] = i % 2;
        first += i < rank ? counts[i] : 0;
        total += counts[i];
    }
    for (int i = 0; i < total; i++)
        blocks[i] = matrix_of(rank, i);
    MPI_Reduce_scatter(blocks, out, counts, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < counts[rank]; i++) {
        Matrix p = product(0, size, first + i);
        check(!memcmp(&out[i], &p, sizeof p), "reduce_scatter by matrices", i);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

static void predefined_operators(int root)
{
    long mine[2] = {rank + 1, -rank}, out[2] = {0, 0}, blocks[64], own;
    struct { double value; int where; } pair = {(rank * 7) % 5, rank}, best;
    MPI_Reduce(mine, out, 2, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root)
        check(out[0] == (long)size * (size + 1) / 2 && out[1] == -(long)size * (size - 1) / 2, "reduce", 0);
    MPI_Allreduce(MPI_IN_PLACE, mine, 2, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    check(mine[0] == size && mine[1] == 0, "allreduce in place", 0);
    MPI_Allreduce(&pair, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    double most = 0;
    int at = 0;
    for (int i = 0; i < size; i++)
        if ((i * 7) % 5 > most)
            most = (i * 7) % 5, at = i;
    check(best.value == most && best.where == at, "maxloc", best.where);
    for (int i = 0; i < size; i++)
        blocks[i] = rank + i;
    MPI_Reduce_scatter_block(blocks, &own, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    check(own == (long)size * (size - 1) / 2 + (long)size * rank, "reduce_scatter_block", (int)own);
}

int main(int argc, char **argv)
{
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int root = 0; root < size; root += 1 + size / 5) {
        bcast(root, 0);
        bcast(root, 5);
        bcast(root, 40000);
        gather_scatter(root, 1);
        gather_scatter(root, 3000);
        vector_forms(root);
        user_operator(root);
        predefined_operators(root);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    exchanges(1);
    exchanges(500);
    alltoallv();
    alltoallw();
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d failures on %d ranks\n", all, size);
    MPI_Finalize();
    return 0;
}
