/* One rank shows where its things are, and uses much of its stack and heap. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int counter = 1;
static char zeros[100];

static int deep(int n)
{
    volatile char local[1000];
    local[0] = (char)n;
    return n ? deep(n - 1) + local[0] : counter;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        char *block = malloc(20 << 20);
        memset(block, 1, 20 << 20);
        printf("%p %p %p\n", (void *)&counter, (void *)zeros, (void *)block);
        printf("%p %p\n", (void *)&rank, (void *)argv);
        printf("%d\n", deep(7000));
        printf("%d\n", block[(20 << 20) - 1]);
    }
    MPI_Finalize();
    return 0;
}
