/* Cartesian topologies (MPI-3.1 chapter 7): creation, coordinates, shifts, sub-grids, and ranks that are left out. */
#include "in_order.h"

static int rank;

static void show_dims(int n, int k, int a, int b, int c)
{
    int dims[3] = {a, b, c};
    MPI_Dims_create(n, k, dims);
    say("%d ranks in %d dimensions (%d %d %d):", n, k, a, b, c);
    for (int i = 0; i < k; i++)
        say(" %d", dims[i]);
    say("\n");
}

static int number(int peer)
{
    return peer == MPI_PROC_NULL ? -1 : peer;
}

int main(int argc, char **argv)
{
    int dims[2] = {2, 3}, periods[2] = {1, 0}, coords[2], got_dims[2], got_periods[2];
    int size, kind, n, up, down, left, right, back;
    MPI_Comm grid, row, column, same;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        show_dims(12, 2, 0, 0, 0);
        show_dims(24, 3, 0, 0, 0);
        show_dims(24, 3, 0, 4, 0);
        show_dims(7, 2, 0, 0, 0);
        show_dims(60, 3, 5, 0, 0);
        show_dims(8, 2, 2, 4, 0);
    }
    MPI_Topo_test(MPI_COMM_WORLD, &kind);
    say("rank %d: MPI_COMM_WORLD has %s\n", rank, kind == MPI_UNDEFINED ? "no topology" : "a topology");

    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    if (grid == MPI_COMM_NULL) {
        say("rank %d: left out\n", rank);
        say_all();
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_size(grid, &size);
    MPI_Topo_test(grid, &kind);
    MPI_Cartdim_get(grid, &n);
    MPI_Cart_get(grid, 2, got_dims, got_periods, coords);
    say("rank %d: %s of %d, %d dimensions, %d x %d, periodic %d %d, at (%d, %d)\n", rank,
        kind == MPI_CART ? "grid" : "no grid", size, n, got_dims[0], got_dims[1], got_periods[0], got_periods[1],
        coords[0], coords[1]);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    say("rank %d: up %d down %d left %d right %d\n", rank, number(up), number(down), number(left), number(right));
    MPI_Cart_shift(grid, 1, -2, &left, &right);
    say("rank %d: two to the left: from %d to %d\n", rank, number(left), number(right));
    coords[0] += 5; /* wraps */
    MPI_Cart_rank(grid, coords, &back);
    MPI_Cart_coords(grid, back, 2, coords);
    say("rank %d: five rows down is rank %d at (%d, %d)\n", rank, back, coords[0], coords[1]);
    MPI_Cart_map(grid, 2, dims, periods, &back);
    say("rank %d: mapped to %d\n", rank, back);

    MPI_Cart_sub(grid, (int[]){0, 1}, &row);
    MPI_Cart_sub(grid, (int[]){1, 0}, &column);
    int row_rank, column_rank, sum;
    MPI_Comm_rank(row, &row_rank);
    MPI_Comm_rank(column, &column_rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
    MPI_Cart_get(column, 1, got_dims, got_periods, coords);
    say("rank %d: rank %d in its row (sum %d), rank %d in its column of %d, periodic %d\n", rank, row_rank, sum,
        column_rank, got_dims[0], got_periods[0]);

    /* The topology goes along with a duplicate; messages to neighbours and to nobody. */
    MPI_Comm_dup(grid, &same);
    MPI_Cart_shift(same, 1, 1, &left, &right);
    int from_left = -7;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &from_left, 1, MPI_INT, left, 0, same, MPI_STATUS_IGNORE);
    say("rank %d: from the left %d\n", rank, from_left);

    MPI_Comm_free(&same);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Comm_free(&grid);
    say_all();
    MPI_Finalize();
    return 0;
}
