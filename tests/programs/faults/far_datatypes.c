/* Datatypes that reach farther than addresses can be computed with are refused where they are made (MPI-3.1 section
 * 4.1.2 leaves their limits open): strides and displacements must not wrap round to what looks like a small buffer. */
#include <mpi.h>
#include <stdio.h>

static char buffer[64], packed[1 << 25];

static void show(const char *what, int error, MPI_Datatype type)
{
    int error_class = MPI_SUCCESS, position = 0;
    if (error)
        MPI_Error_class(error, &error_class);
    printf("%s: %s\n", what, error_class == MPI_ERR_NO_MEM ? "refused" : error ? "another error" : "made");
    if (!error && MPI_Type_commit(&type) == MPI_SUCCESS)
        MPI_Pack(buffer, 1, type, packed, sizeof packed, &position, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const MPI_Aint one = 1, far[2] = {one << 62, -(one << 62)};
    const int lengths[2] = {1, 1}, sizes[4] = {1 << 30, 1 << 30, 1 << 30, 1 << 30}, ones[4] = {1, 1, 1, 1};
    MPI_Datatype type, wide;
    show("stride that wraps to 0", MPI_Type_create_hvector((1 << 24) + 1, 1, one << 40, MPI_CHAR, &type), type);
    show("stride beyond all memory", MPI_Type_create_hvector(2, 1, one << 62, MPI_CHAR, &type), type);
    show("negative stride", MPI_Type_create_hvector(1 << 30, 1, -(one << 40), MPI_CHAR, &type), type);
    show("one item, any stride", MPI_Type_create_hvector(1, 1, one << 62, MPI_CHAR, &type), type);
    show("two far displacements", MPI_Type_create_hindexed(2, lengths, far, MPI_CHAR, &type), type);
    show("far displacement", MPI_Type_create_hindexed(1, lengths, far, MPI_CHAR, &type), type);
    show("far lower bound", MPI_Type_create_resized(MPI_INT, far[1], 8, &type), type);
    show("large extent", MPI_Type_create_resized(MPI_INT, 0, one << 60, &wide), wide);
    show("vector of large extents", MPI_Type_vector(17, 1, 1 << 30, wide, &type), type);
    show("indexed by large extents", MPI_Type_indexed(2, lengths, sizes, wide, &type), type);
    show("large array", MPI_Type_create_subarray(4, sizes, ones, ones, MPI_ORDER_C, MPI_INT, &type), type);
    MPI_Finalize();
    return 0;
}
