/* All functions that read and write, in all forms: the bytes that come, the counts, the file pointers. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, step;
static MPI_File file;
static MPI_Status status;

static void check(int result, int count, const int *got, int first)
{
    int n;
    MPI_Get_count(&status, MPI_INT, &n);
    int good = result == MPI_SUCCESS && n == count;
    for (int i = 0; i < count && got; i++)
        good = good && got[i] == first + i;
    step++;
    if (!good)
        printf("[%d] step %d: result %d, count %d of %d, first %d\n", rank, step, result, n, count, got ? got[0] : -1);
}

static void fill(int *data, int first)
{
    for (int i = 0; i < 4; i++)
        data[i] = first + i;
}

static void rewind_both(void)
{
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, 4 * rank, MPI_SEEK_SET);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_Barrier(MPI_COMM_WORLD);
}

#define WAIT(call)       ((call) || MPI_Wait(&request, &status))
#define BOTH(begin, end) ((begin) || (end))

/* Each pair writes 4 numbers at the rank's own place, and reads them back. `c` is nothing or _c. */
#define ALL_FORMS(c)                                                                                                   \
    PAIR(MPI_File_write##c(file, out, 4, MPI_INT, &status), MPI_File_read##c(file, in, 4, MPI_INT, &status))           \
    PAIR(MPI_File_write_at##c(file, at, out, 4, MPI_INT, &status),                                                     \
         MPI_File_read_at##c(file, at, in, 4, MPI_INT, &status))                                                       \
    PAIR(MPI_File_write_all##c(file, out, 4, MPI_INT, &status), MPI_File_read_all##c(file, in, 4, MPI_INT, &status))   \
    PAIR(MPI_File_write_at_all##c(file, at, out, 4, MPI_INT, &status),                                                 \
         MPI_File_read_at_all##c(file, at, in, 4, MPI_INT, &status))                                                   \
    PAIR(WAIT(MPI_File_iwrite##c(file, out, 4, MPI_INT, &request)),                                                    \
         WAIT(MPI_File_iread##c(file, in, 4, MPI_INT, &request)))                                                      \
    PAIR(WAIT(MPI_File_iwrite_at##c(file, at, out, 4, MPI_INT, &request)),                                             \
         WAIT(MPI_File_iread_at##c(file, at, in, 4, MPI_INT, &request)))                                               \
    PAIR(WAIT(MPI_File_iwrite_all##c(file, out, 4, MPI_INT, &request)),                                                \
         WAIT(MPI_File_iread_all##c(file, in, 4, MPI_INT, &request)))                                                  \
    PAIR(WAIT(MPI_File_iwrite_at_all##c(file, at, out, 4, MPI_INT, &request)),                                         \
         WAIT(MPI_File_iread_at_all##c(file, at, in, 4, MPI_INT, &request)))                                           \
    PAIR(BOTH(MPI_File_write_all_begin##c(file, out, 4, MPI_INT), MPI_File_write_all_end(file, out, &status)),         \
         BOTH(MPI_File_read_all_begin##c(file, in, 4, MPI_INT), MPI_File_read_all_end(file, in, &status)))             \
    PAIR(BOTH(MPI_File_write_at_all_begin##c(file, at, out, 4, MPI_INT),                                               \
              MPI_File_write_at_all_end(file, out, &status)),                                                          \
         BOTH(MPI_File_read_at_all_begin##c(file, at, in, 4, MPI_INT), MPI_File_read_at_all_end(file, in, &status)))   \
    PAIR(MPI_File_write_ordered##c(file, out, 4, MPI_INT, &status),                                                    \
         MPI_File_read_ordered##c(file, in, 4, MPI_INT, &status))                                                      \
    PAIR(BOTH(MPI_File_write_ordered_begin##c(file, out, 4, MPI_INT), MPI_File_write_ordered_end(file, out, &status)), \
         BOTH(MPI_File_read_ordered_begin##c(file, in, 4, MPI_INT), MPI_File_read_ordered_end(file, in, &status)))     \
    PAIR(in_turn(MPI_File_write_shared##c(file, out, 4, MPI_INT, &status)),                                            \
         in_turn(MPI_File_read_shared##c(file, in, 4, MPI_INT, &status)))                                              \
    PAIR(in_turn(WAIT(MPI_File_iwrite_shared##c(file, out, 4, MPI_INT, &request))),                                    \
         in_turn(WAIT(MPI_File_iread_shared##c(file, in, 4, MPI_INT, &request))))

/* One rank after the other. */
#define in_turn(call) (before(), token = (call), after(), token)
static int token;

static void before(void)
{
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void after(void)
{
    if (rank + 1 < size)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
}

#define PAIR(write, read)                                                                                              \
    first += 1000;                                                                                                     \
    fill(out, first);                                                                                                  \
    rewind_both();                                                                                                     \
    result = (write);                                                                                                  \
    check(result, 4, NULL, 0);                                                                                         \
    rewind_both();                                                                                                     \
    memset(in, 0, sizeof in);                                                                                          \
    result = (read);                                                                                                   \
    check(result, 4, in, first);

static void all_forms(void)
{
    int out[4], in[4], first = 10 * rank, result;
    MPI_Offset at = 4 * rank, position;
    MPI_Request request;
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    ALL_FORMS()
    ALL_FORMS(_c)
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &position);
    MPI_Offset individual;
    MPI_File_get_position(file, &individual);
    printf("[%d] %d steps, pointers at %lld and %lld\n", rank, step, (long long)individual, (long long)position);
}

static void whole_file(void)
{
    MPI_Offset bytes, place;
    MPI_Group group, world;
    MPI_Info info;
    MPI_Datatype etype, filetype, type, got;
    MPI_Aint extent;
    MPI_Count large;
    char name[MPI_MAX_DATAREP_STRING], value[64];
    int amode, same, atomic, flag, combiner, unused;
    MPI_File_get_amode(file, &amode);
    MPI_File_get_group(file, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_compare(group, world, &same);
    MPI_File_get_atomicity(file, &flag);
    MPI_File_set_atomicity(file, 1);
    MPI_File_get_atomicity(file, &atomic);
    MPI_File_preallocate(file, 5000);
    MPI_File_get_size(file, &bytes);
    MPI_File_get_type_extent(file, MPI_LONG, &extent);
    MPI_File_get_type_extent_c(file, MPI_LONG, &large);
    printf("[%d] amode %d, group %d, atomic %d %d, size %lld, long %ld %lld\n", rank, amode, same == MPI_IDENT, flag,
           atomic, (long long)bytes, (long)extent, (long long)large);
    MPI_File_set_size(file, 1001);
    MPI_File_get_size(file, &bytes);
    MPI_Type_vector(3, 2, 5, MPI_SHORT, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 100, MPI_SHORT, type, "internal", MPI_INFO_NULL);
    MPI_File_get_view(file, &place, &etype, &got, name);
    MPI_Type_get_envelope(got, &unused, &unused, &unused, &combiner);
    printf("[%d] size %lld, view at %lld, %s, duplicate %d, short %d\n", rank, (long long)bytes, (long long)place, name,
           combiner == MPI_COMBINER_DUP, etype == MPI_SHORT);
    MPI_Type_free(&got);
    MPI_File_get_byte_offset(file, 7, &place);
    MPI_File_seek(file, 0, MPI_SEEK_END);
    MPI_Offset end, back;
    MPI_File_get_position(file, &end);
    MPI_File_seek(file, -4, MPI_SEEK_CUR);
    MPI_File_get_position(file, &back);
    printf("[%d] etype 7 is byte %lld, the end is etype %lld, back %lld\n", rank, (long long)place, (long long)end,
           (long long)back);
    filetype = type;
    MPI_Type_free(&filetype);
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_nodes", "2");
    MPI_Info_set(info, "my_own_hint", "yes");
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    MPI_File_get_info(file, &info);
    for (int i = 0; i < 2; i++) {
        MPI_Info_get(info, i ? "my_own_hint" : "cb_nodes", 63, value, &flag);
        printf("[%d] hint %s\n", rank, flag ? value : "none");
    }
    MPI_Info_free(&info);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    if (MPI_File_f2c(MPI_File_c2f(file)) != file)
        printf("MPI_File_f2c\n");
}

static void modes(void)
{
    MPI_File one;
    MPI_Offset at, shared;
    int data[2] = {rank, rank}, got = 0;
    MPI_File_open(MPI_COMM_WORLD, "file_functions.dat", MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL, &one);
    MPI_File_get_position(one, &at);
    MPI_File_get_position_shared(one, &shared);
    printf("[%d] append at %lld %lld\n", rank, (long long)at, (long long)shared);
    MPI_File_close(&one);
    printf("[%d] closed %d\n", rank, one == MPI_FILE_NULL);
    MPI_File_open(MPI_COMM_WORLD, "file_functions.dat",
                  MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN,
                  MPI_INFO_NULL, &one);
    MPI_File_write_ordered(one, data, 2, MPI_INT, &status);
    MPI_File_set_view(one, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_ordered(one, data, 1, MPI_INT, &status);
    MPI_File_close(&one);
    MPI_File_open(MPI_COMM_SELF, rank ? "file_functions_1.dat" : "file_functions_0.dat",
                  MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &one);
    MPI_File_write_shared(one, data, 2, MPI_INT, &status);
    MPI_File_read_at(one, 4, &got, 1, MPI_INT, &status);
    printf("[%d] alone %d\n", rank, got == rank);
    MPI_File_close(&one);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_File_delete("file_functions.dat", MPI_INFO_NULL); /* of an earlier run */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, "file_functions.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    all_forms();
    whole_file();
    MPI_File_close(&file);
    modes();
    MPI_Finalize();
    return 0;
}
