/* Large counts in exchanges in the background, in packing for other computers and in statuses (MPI-4.0 sections 3.10,
 * 5.2, 13.3): the same as with counts of int, and what they refuse. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, wrong;

static void expect(const char *what, long long has, long long expected)
{
    if (has != expected && ++wrong)
        printf("%s: %lld instead of %lld\n", what, has, expected);
}

static void refused(const char *what, int error, int expected)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    expect(what, error_class, expected);
}

static void check_exchanges(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size, out[3] = {rank, 1, 2}, in[3] = {-1, -1, -1};
    MPI_Request request;
    MPI_Status status;
    MPI_Count count;
    MPI_Isendrecv_c(out, 3, MPI_INT, next, 4, in, 3, MPI_INT, before, 4, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    expect("from before", in[0], before);
    expect("source", status.MPI_SOURCE, before);
    MPI_Get_count_c(&status, MPI_INT, &count);
    expect("count", count, 3);
    MPI_Isendrecv_replace_c(out, 2, MPI_INT, next, 5, before, 5, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    expect("replaced", out[0], before);
    expect("tag", status.MPI_TAG, 5);
    refused("count", MPI_Isendrecv_c(out, -1, MPI_INT, next, 4, in, 3, MPI_INT, before, 4, MPI_COMM_WORLD, &request),
            MPI_ERR_COUNT);
    refused("count", MPI_Isendrecv_replace_c(out, -1, MPI_INT, next, 5, before, 5, MPI_COMM_WORLD, &request),
            MPI_ERR_COUNT);
    refused("rank", MPI_Isendrecv_replace_c(out, 1, MPI_INT, size, 5, before, 5, MPI_COMM_WORLD, &request),
            MPI_ERR_RANK);
}

static void check_packing(void)
{
    int numbers[3] = {1, 256, -2}, back[3] = {0};
    unsigned char small[32], large[32];
    MPI_Aint size_small, place = 0;
    MPI_Count size_large, large_place = 0;
    MPI_Pack_external_size("external32", 3, MPI_INT, &size_small);
    MPI_Pack_external_size_c("external32", 3, MPI_INT, &size_large);
    expect("size", size_large, size_small);
    MPI_Pack_external("external32", numbers, 3, MPI_INT, small, sizeof small, &place);
    MPI_Pack_external_c("external32", numbers, 3, MPI_INT, large, sizeof large, &large_place);
    expect("place", large_place, place);
    expect("bytes", memcmp(small, large, place), 0);
    expect("the most significant byte first", large[6] == 1 && large[7] == 0 && large[8] == 255, 1);
    large_place = 0;
    MPI_Unpack_external_c("external32", large, place, &large_place, back, 3, MPI_INT);
    expect("unpacked", memcmp(back, numbers, sizeof back), 0);
    expect("place after it", large_place, place);
    large_place = 0;
    refused("negative count", MPI_Pack_external_c("external32", numbers, -1, MPI_INT, large, 32, &large_place),
            MPI_ERR_COUNT);
    refused("negative count", MPI_Pack_external_size_c("external32", -1, MPI_INT, &size_large), MPI_ERR_COUNT);
    refused("negative count", MPI_Unpack_external_c("external32", large, 32, &large_place, back, -1, MPI_INT),
            MPI_ERR_COUNT);
    refused("no type", MPI_Pack_external_size_c("external32", 1, MPI_DATATYPE_NULL, &size_large), MPI_ERR_TYPE);
}

static void check_status(void)
{
    MPI_Status status = {0};
    MPI_Count large = 0;
    int count = 0;
    MPI_Status_set_elements_c(&status, MPI_INT, 3000000000);
    MPI_Get_elements_c(&status, MPI_INT, &large);
    expect("elements", large, 3000000000);
    MPI_Get_count_c(&status, MPI_INT, &large);
    expect("count", large, 3000000000);
    MPI_Get_elements(&status, MPI_INT, &count);
    expect("too many for an int", count, MPI_UNDEFINED);
    MPI_Status_set_elements_c(&status, MPI_INT, 7);
    MPI_Get_elements(&status, MPI_INT, &count);
    expect("elements", count, 7);
    refused("no type", MPI_Status_set_elements_c(&status, MPI_DATATYPE_NULL, 1), MPI_ERR_TYPE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    check_exchanges();
    check_packing();
    check_status();
    if (rank == 0)
        printf("wrong: %d\n", wrong);
    MPI_Finalize();
    return 0;
}
