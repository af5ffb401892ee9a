/* Constructors and questions with MPI_Count (MPI-4.0 section 5.1): types beyond 2 GiB have a size, and their envelopes
 * tell large counts. */
#include <mpi.h>
#include <stdio.h>

static void show(const char *what, MPI_Datatype type)
{
    int size;
    MPI_Count large, lb, extent, true_lb, true_extent, ints, aints, counts, types;
    int combiner;
    MPI_Type_size(type, &size);
    MPI_Type_size_c(type, &large);
    MPI_Type_get_extent_c(type, &lb, &extent);
    MPI_Type_get_true_extent_c(type, &true_lb, &true_extent);
    MPI_Type_get_envelope_c(type, &ints, &aints, &counts, &types, &combiner);
    if (size == MPI_UNDEFINED)
        printf("%s: undefined", what);
    else
        printf("%s: %d", what, size);
    printf(" %lld; %lld %lld; %lld %lld; %lld %lld %lld %lld\n", large, lb, extent, true_lb, true_extent, ints, aints,
           counts, types);
    MPI_Type_size_x(type, &large);
    MPI_Type_get_extent_x(type, &lb, &extent);
    MPI_Type_get_true_extent_x(type, &true_lb, &true_extent);
    printf("    %lld; %lld %lld; %lld %lld\n", large, lb, extent, true_lb, true_extent);
}

static void show_and_free(const char *what, MPI_Datatype type)
{
    show(what, type);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Datatype type, big, old;
    MPI_Count lengths[] = {1, 3000000000LL}, places[] = {5000000000LL, 0}, size[] = {100000, 50000};
    MPI_Count part[] = {90000, 40000}, start[] = {0, 10}, counts[8], position = 0, bytes;
    MPI_Aint aints[4];
    int ints[4], n, numbers[4] = {1, 2, 3, 4}, back[4] = {0};
    char packed[16];
    MPI_Status status = {0};

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous_c(3000000000LL, MPI_INT, &big);
    show("contiguous", big);
    MPI_Type_get_contents_c(big, 0, 0, 1, 1, ints, aints, counts, &old);
    printf("made of %lld of %s\n", counts[0], old == MPI_INT ? "MPI_INT" : "?");
    MPI_Type_vector_c(2, 3, 3000000000LL, MPI_CHAR, &type);
    show_and_free("vector", type);
    MPI_Type_create_hvector_c(2, 1, 6000000000LL, MPI_INT, &type);
    show_and_free("hvector", type);
    MPI_Type_indexed_c(2, lengths, places, MPI_CHAR, &type);
    show_and_free("indexed", type);
    MPI_Type_create_hindexed_c(2, lengths, places, MPI_CHAR, &type);
    show_and_free("hindexed", type);
    MPI_Type_create_indexed_block_c(2, 3, places, MPI_INT, &type);
    show_and_free("indexed_block", type);
    MPI_Type_create_hindexed_block_c(2, 3, places, MPI_INT, &type);
    show_and_free("hindexed_block", type);
    MPI_Type_create_struct_c(2, lengths, places, (MPI_Datatype[]){MPI_INT, MPI_CHAR}, &type);
    show_and_free("struct", type);
    MPI_Type_create_resized_c(MPI_INT, -4, 5000000000LL, &type);
    show_and_free("resized", type);
    MPI_Type_create_subarray_c(2, size, part, start, MPI_ORDER_C, MPI_INT, &type);
    show_and_free("subarray", type);
    MPI_Type_create_darray_c(2, 1, 2, size, (int[]){MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK},
                             (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){1, 2}, MPI_ORDER_C,
                             MPI_INT, &type);
    show_and_free("darray", type);

    MPI_Type_commit(&big);
    MPI_Status_set_elements_x(&status, MPI_INT, 6000000000LL);
    MPI_Get_count_c(&status, big, &bytes);
    printf("count %lld", bytes);
    MPI_Get_elements_c(&status, big, &bytes);
    printf(", elements %lld", bytes);
    MPI_Get_elements_x(&status, MPI_INT, &bytes);
    MPI_Get_elements(&status, big, &n);
    printf(" %lld %s\n", bytes, n == MPI_UNDEFINED ? "undefined" : "?");
    MPI_Pack_size_c(1, big, MPI_COMM_WORLD, &bytes);
    printf("packed %s\n", bytes >= 12000000000LL ? "size is large" : "?");
    MPI_Type_free(&big);

    MPI_Pack_c(numbers, 4, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
    printf("position %lld\n", position);
    position = 0;
    MPI_Unpack_c(packed, sizeof packed, &position, back, 4, MPI_INT, MPI_COMM_WORLD);
    printf("back %d %d %d %d at %lld\n", back[0], back[1], back[2], back[3], position);
    MPI_Finalize();
    return 0;
}
