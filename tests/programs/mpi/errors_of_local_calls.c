/* Mistakes in calls that do not communicate return the error class of the standard (MPI-3.1 section 8.4), leave the
 * communicator usable, and may be made again and again. */
#include <mpi.h>
#include <stdio.h>

static void expect(const char *what, int error, int expected)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    printf("%s: %s\n", what, error_class == expected ? "as expected" : "another class");
}

int main(int argc, char **argv)
{
    int n, flag, ranks[2] = {0, 7}, lengths[2] = {1, -1}, coords[2] = {0, 0}, dims[2] = {3, 0}, periods[2] = {0, 0};
    void *value;
    char buffer[16];
    MPI_Aint at[2] = {0, 8};
    MPI_Datatype type = MPI_INT, types[2] = {MPI_INT, MPI_DATATYPE_NULL};
    MPI_Group world, group;
    MPI_Op op = MPI_SUM;
    MPI_Comm cart;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){1, 1}, periods, 0, &cart);

    expect("rank in no communicator", MPI_Comm_rank(MPI_COMM_NULL, &n), MPI_ERR_COMM);
    expect("result to nowhere", MPI_Comm_rank(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    expect("free a predefined type", MPI_Type_free(&type), MPI_ERR_TYPE);
    expect("commit no type", MPI_Type_commit(&types[1]), MPI_ERR_TYPE);
    expect("negative count", MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
    expect("negative length", MPI_Type_create_struct(2, lengths, at, types, &type), MPI_ERR_COUNT);
    lengths[1] = 1;
    expect("struct with no type", MPI_Type_create_struct(2, lengths, at, types, &type), MPI_ERR_TYPE);
    MPI_Type_contiguous(2, MPI_INT, &type);
    n = 0;
    expect("pack an uncommitted type", MPI_Pack(buffer, 1, type, buffer + 8, 8, &n, MPI_COMM_WORLD), MPI_ERR_TYPE);
    MPI_Type_free(&type);
    expect("rank outside the group", MPI_Group_incl(world, 2, ranks, &group), MPI_ERR_RANK);
    expect("range without end", MPI_Group_range_incl(world, 1, (int[][3]){{0, 0, 0}}, &group), MPI_ERR_ARG);
    expect("size of no group", MPI_Group_size(MPI_GROUP_NULL, &n), MPI_ERR_GROUP);
    expect("attribute of no key", MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
    expect("free a predefined operator", MPI_Op_free(&op), MPI_ERR_OP);
    expect("dimensions that do not divide", MPI_Dims_create(4, 2, dims), MPI_ERR_DIMS);
    expect("topology where there is none", MPI_Cart_rank(MPI_COMM_WORLD, coords, &n), MPI_ERR_TOPOLOGY);
    coords[0] = 1;
    expect("coordinates outside", MPI_Cart_rank(cart, coords, &n), MPI_ERR_ARG);
    expect("rank outside the grid", MPI_Cart_coords(cart, 1, 2, coords), MPI_ERR_RANK);
    expect("no error handler", MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler), MPI_ERR_ARG);
    MPI_Comm_rank(MPI_COMM_WORLD, &n);
    printf("rank %d goes on\n", n);
    MPI_Group_free(&world);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return 0;
}
