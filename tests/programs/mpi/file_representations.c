/* Data representations: the bytes of external32, and one of the program's own that keeps numbers as three digits. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int extents, writes, reads;

static int extent(MPI_Datatype type, MPI_Aint *bytes, void *extra)
{
    extents++;
    *bytes = type == MPI_INT ? 3 : 1;
    return *(int *)extra == 7 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static int put_digits(void *user, MPI_Datatype type, int count, void *file, MPI_Offset position, void *extra)
{
    char text[8];
    writes++;
    for (int i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%03d", ((int *)user)[position + i]);
        memcpy((char *)file + 3 * i, text, 3);
    }
    return type == MPI_INT && extra ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static int get_digits(void *user, MPI_Datatype type, int count, void *file, MPI_Offset position, void *extra)
{
    char text[4] = {0};
    reads++;
    for (int i = 0; i < count; i++) {
        memcpy(text, (char *)file + 3 * i, 3);
        ((int *)user)[position + i] = atoi(text);
    }
    return type == MPI_INT && extra ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void print_bytes(MPI_File file)
{
    unsigned char bytes[64];
    MPI_Status status;
    int n;
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 0, bytes, sizeof bytes, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &n);
    for (int i = 0; i < n; i++)
        printf(" %02x", bytes[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int extra = 7, numbers[4] = {1, 22, 333, 4}, back[4] = {0}, n;
    long longs[3] = {-2, 70000, 5}, long_back[3] = {0};
    double real = 1.5, real_back = 0;
    MPI_File file;
    MPI_Status status;
    MPI_Datatype pair, strided;
    MPI_Aint size;
    MPI_Offset position;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "file_representations.dat",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);

    MPI_Type_vector(3, 1, 2, MPI_LONG, &strided); /* longs have 4 bytes in external32 */
    MPI_Type_commit(&strided);
    MPI_File_set_view(file, 4, MPI_LONG, strided, "external32", MPI_INFO_NULL);
    MPI_File_get_type_extent(file, strided, &size);
    MPI_File_write(file, longs, 3, MPI_LONG, &status);
    MPI_File_read_at(file, 0, long_back, 3, MPI_LONG, &status);
    MPI_File_get_byte_offset(file, 2, &position);
    MPI_Get_count(&status, MPI_LONG, &n);
    printf("external32: extent %ld, %d longs %ld %ld %ld, the third at %lld\n", (long)size, n, long_back[0],
           long_back[1], long_back[2], (long long)position);
    print_bytes(file);
    longs[0] = 1L << 40;
    MPI_File_set_view(file, 0, MPI_LONG, MPI_LONG, "external32", MPI_INFO_NULL);
    printf("too long: %d\n", MPI_File_write_at(file, 0, longs, 1, MPI_LONG, &status) == MPI_ERR_CONVERSION);
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "external32", MPI_INFO_NULL);
    MPI_File_write_at(file, 0, &real, 1, MPI_DOUBLE, &status);
    MPI_File_read_at(file, 0, &real_back, 1, MPI_DOUBLE, &status);
    printf("%g\n", real_back);
    MPI_Type_free(&strided);

    MPI_Register_datarep("digits", get_digits, put_digits, extent, &extra);
    printf("again: %d\n",
           MPI_Register_datarep("digits", get_digits, put_digits, extent, &extra) == MPI_ERR_DUP_DATAREP);
    MPI_Register_datarep_c("plain", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, extent, &extra);
    MPI_File_set_size(file, 0);
    MPI_Type_vector(2, 2, 3, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_set_view(file, 0, MPI_INT, pair, "digits", MPI_INFO_NULL);
    MPI_File_write(file, numbers, 4, MPI_INT, &status);
    MPI_File_read_at(file, 1, back, 4, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    printf("digits: %d numbers, %d %d %d; asked %d, wrote %d, read %d\n", n, back[0], back[1], back[2], extents > 0,
           writes, reads);
    print_bytes(file);
    extra = 8; /* the extent function fails */
    printf("no extent: %d\n", MPI_File_set_view(file, 0, MPI_INT, pair, "digits", MPI_INFO_NULL) == MPI_ERR_CONVERSION);
    MPI_Type_free(&pair);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
