/* sum_of_arrivals.c - the first rank adds up what the others send, in the order in which it comes.
 *
 * Run:      orrery run -n 4 samples/sum_of_arrivals.c
 * Look at:  it prints the same every time, since virtual time decides who comes first. With --seed 2 another order, and
 *           another last digit. `orrery explore -n 4 samples/sum_of_arrivals.c` shows all orders, what each prints, and
 *           how to see it again.
 * Change:   receive from rank i instead of MPI_ANY_SOURCE: one execution is left. Or keep what comes in an array by its
 *           source and add up in the end: any order, one output.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    double part, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    part = 1.0 / (rank + 3);
    if (rank == 0) {
        sum = part;
        for (int i = 1; i < size; i++) {
            MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += part;
        }
        printf("the sum is %.17g\n", sum);
    } else {
        MPI_Send(&part, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
