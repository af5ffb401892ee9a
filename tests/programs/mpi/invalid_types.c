/* Arguments of datatype functions that cannot be (MPI-3.1 chapter 4). */
#include "invalid_arguments.h"

#define I MPI_INT

int main(int argc, char **argv)
{
    int two[2] = {2, 2}, minus[2] = {1, -1}, places[2] = {0, 4}, large[2] = {2, 9}, position = 0, size, n;
    int sizes[2] = {4, 4}, starts[2] = {3, 3}, ints[4], none[2] = {0, 2};
    MPI_Aint bytes[2] = {0, 16}, lb, extent, addresses[4];
    MPI_Datatype type, types[2] = {I, MPI_DATATYPE_NULL}, whole[2] = {I, I}, freed, handle;
    char room[32];

    start(&argc, &argv);
    MPI_Type_dup(I, &freed);
    handle = freed;
    MPI_Type_free(&handle);

    FAILS(MPI_ERR_COUNT, MPI_Type_contiguous(-1, I, &type));
    FAILS(MPI_ERR_TYPE, MPI_Type_contiguous(1, freed, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_contiguous(1, I, NULL));
    FAILS(MPI_ERR_COUNT, MPI_Type_vector(-1, 1, 1, I, &type));
    FAILS(MPI_ERR_COUNT, MPI_Type_vector(1, -1, 1, I, &type));
    FAILS(MPI_ERR_COUNT, MPI_Type_indexed(-2, two, places, I, &type));
    FAILS(MPI_ERR_COUNT, MPI_Type_indexed(2, minus, places, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_indexed(2, NULL, places, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_indexed(2, two, NULL, I, &type));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_struct(2, minus, bytes, whole, &type));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_struct(2, two, bytes, types, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_struct(2, two, bytes, NULL, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_struct(2, two, NULL, whole, &type));
    FAILS(MPI_ERR_COUNT, MPI_Type_create_indexed_block(1, -4, places, I, &type));
    FAILS(MPI_ERR_TYPE, MPI_Type_create_resized(MPI_DATATYPE_NULL, 0, 8, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(0, sizes, two, none, MPI_ORDER_C, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(2, sizes, two, starts, MPI_ORDER_C, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(2, sizes, large, none, MPI_ORDER_C, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(2, sizes, two, minus, MPI_ORDER_C, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_subarray(2, sizes, two, none, 7, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_darray(4, 4, 1, sizes, (int[]){MPI_DISTRIBUTE_BLOCK},
                                              (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){4}, MPI_ORDER_C, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_darray(4, 0, 1, sizes, (int[]){99}, (int[]){MPI_DISTRIBUTE_DFLT_DARG},
                                              (int[]){4}, MPI_ORDER_C, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_darray(3, 0, 1, sizes, (int[]){MPI_DISTRIBUTE_BLOCK},
                                              (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){4}, MPI_ORDER_C, I, &type));
    FAILS(MPI_ERR_TYPE, MPI_Type_commit(&freed));
    FAILS(MPI_ERR_ARG, MPI_Type_commit(NULL));
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&freed));
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&(MPI_Datatype){I}));
    FAILS(MPI_ERR_TYPE, MPI_Type_size(freed, &size));
    FAILS(MPI_ERR_ARG, MPI_Type_size(I, NULL));
    FAILS(MPI_ERR_ARG, MPI_Type_get_extent(I, &lb, NULL));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_true_extent(MPI_DATATYPE_NULL, &lb, &extent));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_contents(I, 1, 1, 1, ints, addresses, types));
    WORKS(MPI_Type_vector(2, 1, 2, I, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_get_contents(type, 2, 0, 1, ints, addresses, types));
    FAILS(MPI_ERR_TYPE, MPI_Pack(places, 1, type, room, sizeof room, &position, MPI_COMM_WORLD));
    FAILS(MPI_ERR_COUNT, MPI_Pack(places, -1, I, room, sizeof room, &position, MPI_COMM_WORLD));
    FAILS(MPI_ERR_ARG, MPI_Pack(places, 1, I, room, sizeof room, NULL, MPI_COMM_WORLD));
    position = -3;
    FAILS(MPI_ERR_ARG, MPI_Pack(places, 1, I, room, sizeof room, &position, MPI_COMM_WORLD));
    position = 30;
    FAILS(MPI_ERR_ARG, MPI_Pack(places, 1, I, room, sizeof room, &position, MPI_COMM_WORLD));
    FAILS(MPI_ERR_ARG, MPI_Unpack(room, sizeof room, &position, places, 1, I, MPI_COMM_WORLD));
    FAILS(MPI_ERR_COMM, MPI_Pack_size(1, I, MPI_COMM_NULL, &n));
    FAILS(MPI_ERR_ARG, MPI_Pack_external_size("native", 1, I, &extent));
    FAILS(MPI_ERR_ARG, MPI_Get_address(room, NULL));
    FAILS(MPI_ERR_ARG, MPI_Type_set_name(type, NULL));
    FAILS(MPI_ERR_TYPE, MPI_Type_set_name(freed, "name"));
    FAILS(MPI_ERR_KEYVAL, MPI_Type_set_attr(type, 12345, NULL));
    FAILS(MPI_ERR_ARG, MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &type));
    FAILS(MPI_ERR_ARG, MPI_Type_create_f90_integer(99, &type));
    MPI_Type_free(&type);
    return finish();
}
