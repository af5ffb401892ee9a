/* "external32" is big-endian, with a long of 4 bytes and a wide character of 2, without gaps (MPI-3.1 sections 4.3 and
 * 13.5.2). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static char packed[256];
static char name[] = "external32";

static void show(const char *what, const void *data, int count, MPI_Datatype type)
{
    MPI_Aint position = 0, size;
    MPI_Pack_external_size(name, count, type, &size);
    MPI_Pack_external(name, data, count, type, packed, sizeof packed, &position);
    printf("%s, %ld of %ld bytes:", what, (long)position, (long)size);
    for (int i = 0; i < position; i++)
        printf(" %02x", packed[i] & 255);
    printf("\n");
}

static void unpack(void *data, int count, MPI_Datatype type)
{
    MPI_Aint position = 0;
    MPI_Unpack_external(name, packed, sizeof packed, &position, data, count, type);
}

int main(int argc, char **argv)
{
    struct { char c; double d; int n; } records[2] = {{'a', 1.5, 7}, {'b', -0.0, -7}}, others[2];
    int lengths[] = {1, 1, 1}, ints[] = {1, -2, 0x12345678}, back[3];
    MPI_Aint places[] = {0, (char *)&records->d - (char *)records, (char *)&records->n - (char *)records}, position = 0;
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, made, record;
    short shorts[] = {-2, 258}, short_back[2];
    long long wide = 0x0102030405060708, wide_back;
    long small = -70000, small_back;
    unsigned long unsigned_small = 4000000000ul;
    float f = -1.5f;
    double in[] = {3.141592653589793, 1e-310}, out[2];
    double _Complex z = 2.0;
    wchar_t letter = 0x20ac;
    int error_class;

    MPI_Init(&argc, &argv);
    show("char", "hello", 5, MPI_CHAR);
    show("short", shorts, 2, MPI_SHORT);
    unpack(short_back, 2, MPI_SHORT);
    show("int", ints, 3, MPI_INT);
    unpack(back, 3, MPI_INT);
    printf("back: %d %d %x; %d %d\n", back[0], back[1], back[2], short_back[0], short_back[1]);
    show("long long", &wide, 1, MPI_LONG_LONG);
    unpack(&wide_back, 1, MPI_LONG_LONG);
    show("long", &small, 1, MPI_LONG);
    unpack(&small_back, 1, MPI_LONG);
    printf("back: %llx %ld\n", wide_back, small_back);
    show("unsigned long", &unsigned_small, 1, MPI_UNSIGNED_LONG);
    unpack(&unsigned_small, 1, MPI_UNSIGNED_LONG);
    printf("back: %lu\n", unsigned_small);
    show("float", &f, 1, MPI_FLOAT);
    show("double", in, 2, MPI_DOUBLE);
    unpack(out, 2, MPI_DOUBLE);
    printf("back: %d\n", memcmp(in, out, sizeof in) == 0);
    show("complex", &z, 1, MPI_C_DOUBLE_COMPLEX);
    show("wide character", &letter, 1, MPI_WCHAR);
    unpack(&letter, 1, MPI_WCHAR);
    printf("back: %x\n", (unsigned)letter);
    show("aint", &wide, 1, MPI_AINT);

    MPI_Type_create_struct(3, lengths, places, types, &made);
    MPI_Type_create_resized(made, 0, sizeof *records, &record);
    MPI_Type_commit(&record);
    show("records", records, 2, record);
    memset(others, 0, sizeof others);
    unpack(others, 2, record);
    printf("back: %c %g %d, %c %g %d\n", others[0].c, others[0].d, others[0].n, others[1].c, others[1].d, others[1].n);
    MPI_Type_free(&made);
    MPI_Type_free(&record);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Pack_external(name, ints, 3, MPI_INT, packed, 8, &position), &error_class);
    printf("no room: %s, position %ld\n", error_class != MPI_SUCCESS ? "an error" : "?", (long)position);
    MPI_Error_class(MPI_Pack_external(name, ints, -1, MPI_INT, packed, 8, &position), &error_class);
    printf("negative count: %s\n", error_class == MPI_ERR_COUNT ? "MPI_ERR_COUNT" : "?");
    MPI_Finalize();
    return 0;
}
