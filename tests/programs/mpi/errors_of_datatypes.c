/* Mistakes in calls about datatypes return the error class of the standard and leave everything usable (MPI-3.1 section
 * 8.4). */
#include <mpi.h>
#include <stdio.h>

static void expect(const char *what, int error, int expected)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    if (error_class == expected)
        printf("%s: as expected\n", what);
    else
        printf("%s: class %d\n", what, error_class);
}

int main(int argc, char **argv)
{
    enum { MINUS = -1 };
    int ints[4] = {0}, block = MPI_DISTRIBUTE_BLOCK, none = MPI_DISTRIBUTE_NONE, standard = MPI_DISTRIBUTE_DFLT_DARG;
    int n, combiner, lengths[] = {1, -1}, ten = 10, two = 2, three = 3;
    MPI_Aint aints[4] = {0, 8}, position = 0, at;
    MPI_Count large, counts[4] = {1, -1}, long_position = 0;
    MPI_Datatype type, types[2] = {MPI_INT, MPI_INT}, big;
    MPI_Status status;
    char buffer[64], packed[64];
    long value = 1L << 40;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_contiguous_c(5, MPI_INT, &big);

    expect("contents without room", MPI_Type_get_contents(type, 0, 0, 1, ints, aints, types), MPI_ERR_ARG);
    expect("contents of large counts", MPI_Type_get_contents(big, 1, 1, 1, ints, aints, types), MPI_ERR_TYPE);
    expect("envelope of large counts", MPI_Type_get_envelope(big, &n, &n, &n, &combiner), MPI_ERR_TYPE);
    expect("envelope of no type", MPI_Type_get_envelope(MPI_DATATYPE_NULL, &n, &n, &n, &combiner), MPI_ERR_TYPE);
    expect("envelope to nowhere", MPI_Type_get_envelope(type, NULL, &n, &n, &combiner), MPI_ERR_ARG);

    expect("grid of another size", MPI_Type_create_darray(4, 0, 1, &ten, &block, &standard, &three, MPI_ORDER_C,
                                                          MPI_INT, &types[0]), MPI_ERR_ARG);
    expect("none over several", MPI_Type_create_darray(2, 0, 1, &ten, &none, &standard, &two, MPI_ORDER_C, MPI_INT,
                                                       &types[0]), MPI_ERR_ARG);
    expect("rank outside", MPI_Type_create_darray(2, 2, 1, &ten, &block, &standard, &two, MPI_ORDER_C, MPI_INT,
                                                  &types[0]), MPI_ERR_ARG);
    counts[0] = 1LL << 62;
    expect("array beyond all memory", MPI_Type_create_darray_c(2, 1, 1, counts, &block, &standard, &two, MPI_ORDER_C,
                                                               MPI_INT, &types[0]), MPI_ERR_NO_MEM);
    counts[0] = 1;
    expect("distribution that does not exist", MPI_Type_create_darray(2, 0, 1, &ten, &ten, &standard, &two,
                                                                      MPI_ORDER_C, MPI_INT, &types[0]), MPI_ERR_ARG);
    expect("darray of no type", MPI_Type_create_darray(2, 0, 1, &ten, &block, &standard, &two, MPI_ORDER_C,
                                                       MPI_DATATYPE_NULL, &types[0]), MPI_ERR_TYPE);

    expect("negative count", MPI_Type_contiguous_c(MINUS, MPI_INT, &types[0]), MPI_ERR_COUNT);
    expect("negative length", MPI_Type_vector_c(1, MINUS, 1, MPI_INT, &types[0]), MPI_ERR_COUNT);
    expect("negative length in a list", MPI_Type_indexed_c(2, counts, counts, MPI_INT, &types[0]), MPI_ERR_COUNT);
    expect("list in no memory", MPI_Type_indexed_c(1LL << 62, counts, counts, MPI_INT, &types[0]), MPI_ERR_ARG);
    expect("negative block", MPI_Type_create_hindexed_block(1, MINUS, aints, MPI_INT, &types[0]), MPI_ERR_COUNT);
    expect("type beyond all memory", MPI_Type_contiguous_c(1LL << 62, MPI_INT, &types[0]), MPI_ERR_NO_MEM);
    expect("hindexed with a negative length", MPI_Type_create_hindexed(2, lengths, aints, MPI_INT, &types[0]),
           MPI_ERR_COUNT);

    expect("size of no type", MPI_Type_size_x(MPI_DATATYPE_NULL, &large), MPI_ERR_TYPE);
    expect("extent to nowhere", MPI_Type_get_extent_c(type, NULL, &large), MPI_ERR_ARG);
    expect("real without anything", MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &types[0]), MPI_ERR_ARG);
    expect("real of 40 digits", MPI_Type_create_f90_real(40, 100, &types[0]), MPI_ERR_ARG);
    expect("integer of 40 digits", MPI_Type_create_f90_integer(40, &types[0]), MPI_ERR_ARG);

    expect("negative elements", MPI_Status_set_elements(&status, MPI_INT, MINUS), MPI_ERR_COUNT);
    expect("elements of no type", MPI_Status_set_elements_x(&status, MPI_DATATYPE_NULL, 1), MPI_ERR_TYPE);
    expect("cancelled nowhere", MPI_Status_set_cancelled(NULL, 1), MPI_ERR_ARG);

    expect("representation", MPI_Pack_external("native", ints, 1, MPI_INT, packed, sizeof packed, &position),
           MPI_ERR_ARG);
    expect("packed with an uncommitted type", MPI_Pack_external("external32", ints, 1, type, packed, sizeof packed,
                                                                &position), MPI_ERR_TYPE);
    expect("packed without room", MPI_Pack_external("external32", ints, 4, MPI_INT, packed, 15, &position),
           MPI_ERR_ARG);
    expect("long that is too long", MPI_Pack_external("external32", &value, 1, MPI_LONG, packed, sizeof packed,
                                                      &position), MPI_ERR_CONVERSION);
    position = 62;
    expect("position near the end", MPI_Unpack_external("external32", packed, sizeof packed, &position, buffer, 1,
                                                        MPI_INT), MPI_ERR_ARG);
    expect("large position", MPI_Pack_c(ints, 5, MPI_INT, packed, 16, &long_position, MPI_COMM_WORLD), MPI_ERR_ARG);
    expect("status that is ignored", MPI_Status_c2f(MPI_STATUS_IGNORE, ints), MPI_ERR_ARG);
    expect("memory by no info object", MPI_Alloc_mem(8, (MPI_Info)7, &at), MPI_ERR_INFO);
    MPI_Type_free(&type);
    MPI_Type_free(&big);
    MPI_Finalize();
    return 0;
}
