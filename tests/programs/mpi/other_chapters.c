/* What programs mention of chapters whose functions they do not call: handles, modes, callbacks, and who has no parent
 * (MPI-3.1 section 10.3.1, annex A.1). The operators of one-sided communication are none for reductions. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

struct library { /* of a program that can do more than it is asked to */
    MPI_Win window;
    MPI_File file;
    MPI_Win_errhandler_function *window_failed;
    MPI_File_errhandler_function *file_failed;
    MPI_Win_copy_attr_function *copy;
    MPI_Win_delete_attr_function *delete;
    MPI_Datarep_conversion_function *convert;
    MPI_Datarep_extent_function *extent;
};

static const int modes[] = {MPI_MODE_CREATE,      MPI_MODE_RDONLY,         MPI_MODE_WRONLY,     MPI_MODE_RDWR,
                            MPI_MODE_EXCL,        MPI_MODE_APPEND,         MPI_MODE_SEQUENTIAL, MPI_MODE_NOCHECK,
                            MPI_MODE_NOSTORE,     MPI_MODE_NOPUT,          MPI_MODE_NOPRECEDE,  MPI_MODE_NOSUCCEED,
                            MPI_MODE_UNIQUE_OPEN, MPI_MODE_DELETE_ON_CLOSE};

static int distinct(int of_a_kind, const char *of)
{
    switch (of_a_kind) { /* constants that are used as labels must differ */
    case MPI_SEEK_SET:
    case MPI_SEEK_CUR:
    case MPI_SEEK_END: return strcmp(of, "seek") == 0;
    default: break;
    }
    switch (of_a_kind) {
    case MPI_WIN_FLAVOR_CREATE:
    case MPI_WIN_FLAVOR_ALLOCATE:
    case MPI_WIN_FLAVOR_DYNAMIC:
    case MPI_WIN_FLAVOR_SHARED: return 1;
    default: return 0;
    }
}

int main(int argc, char **argv)
{
    struct library library = {MPI_WIN_NULL, MPI_FILE_NULL, NULL, NULL, NULL, NULL, MPI_CONVERSION_FN_NULL, NULL};
    int all = 0, bits = 0, in = 1, out = 0, class, commutes;
    MPI_Comm parent = MPI_COMM_SELF;
    char port[MPI_MAX_PORT_NAME], representation[MPI_MAX_DATAREP_STRING];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < (int)(sizeof modes / sizeof *modes); i++) {
        all += modes[i] != 0;
        bits |= modes[i];
    }
    for (; bits; bits &= bits - 1)
        all--;
    printf("modes that are no bits of their own: %d\n", all);
    printf("null: %d %d\n", library.window == MPI_WIN_NULL, library.file == MPI_FILE_NULL);
    printf("%d %d\n", distinct(MPI_SEEK_CUR, "seek"), distinct(MPI_WIN_FLAVOR_SHARED, "flavour"));
    printf("%d %d\n", MPI_LOCK_SHARED != MPI_LOCK_EXCLUSIVE, MPI_WIN_UNIFIED != MPI_WIN_SEPARATE);
    printf("%d %d\n", sizeof port >= 16, sizeof representation >= 16);
    printf("arguments %d %d %d\n", MPI_ARGV_NULL == NULL, MPI_ARGVS_NULL == NULL, MPI_ERRCODES_IGNORE == NULL);

    MPI_Comm_get_parent(&parent);
    printf("parent %s\n", parent == MPI_COMM_NULL ? "none" : "?");

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD), &class);
    printf("MPI_REPLACE in a reduction: %s\n", class == MPI_ERR_OP ? "MPI_ERR_OP" : "?");
    MPI_Error_class(MPI_Reduce_local(&in, &out, 1, MPI_INT, MPI_NO_OP), &class);
    printf("MPI_NO_OP in a reduction: %s\n", class == MPI_ERR_OP ? "MPI_ERR_OP" : "?");
    printf("out %d\n", out);
    MPI_Op_commutative(MPI_REPLACE, &commutes);
    printf("MPI_REPLACE commutes: %d\n", commutes);
    MPI_Finalize();
    return 0;
}
