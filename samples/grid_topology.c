/* grid_topology.c - the topology functions: a torus of ranks, its coordinates, neighbours, rows and columns.
 *
 * Run:      orrery run -n 12 --machine torus-8x8x16 samples/grid_topology.c
 * Look at:  who is whose neighbour at the edges: the rows wrap round, the columns do not.
 * Change:   make both dimensions periodic; MPI_PROC_NULL disappears from the output.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int world_rank, size, rank;
    int dims[2] = {0, 0}, periods[2] = {0, 1}, coords[2];
    MPI_Comm grid, row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, coords);

    int up, down, left, right, back;
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    MPI_Cart_rank(grid, coords, &back);
    printf("Rank %d of a %d x %d grid is at (%d, %d), rank %d again: up %d, down %d, left %d, right %d\n", rank,
           dims[0], dims[1], coords[0], coords[1], back, up == MPI_PROC_NULL ? -1 : up,
           down == MPI_PROC_NULL ? -1 : down, left, right);

    int keep_columns[2] = {0, 1}, keep_rows[2] = {1, 0};
    MPI_Cart_sub(grid, keep_columns, &row);
    MPI_Cart_sub(grid, keep_rows, &column);
    int row_sum, column_sum;
    MPI_Allreduce(&rank, &row_sum, 1, MPI_INT, MPI_SUM, row);
    MPI_Allreduce(&rank, &column_sum, 1, MPI_INT, MPI_SUM, column);
    printf("Rank %d: the ranks of my row add up to %d, those of my column to %d\n", rank, row_sum, column_sum);

    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
