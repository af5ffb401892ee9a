/* What MPI_Comm_spawn refuses, and with which class: all members of the communicator have the error. */
#include <mpi.h>
#include <stdio.h>

static int rank;
static char *program;

static void show(const char *what, int error, MPI_Comm comm)
{
    int class;
    MPI_Error_class(error, &class);
    if (rank == 1)
        printf("%s: %s%s\n", what,
               class == MPI_ERR_SPAWN        ? "MPI_ERR_SPAWN"
               : class == MPI_ERR_ARG        ? "MPI_ERR_ARG"
               : class == MPI_ERR_INFO_VALUE ? "MPI_ERR_INFO_VALUE"
               : class == MPI_ERR_INFO       ? "MPI_ERR_INFO"
               : class == MPI_ERR_ROOT       ? "MPI_ERR_ROOT"
                                             : "?",
               comm == MPI_COMM_NULL ? "" : ", but there is a communicator");
}

static void with(const char *key, const char *value)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    int error = MPI_Comm_spawn(program, MPI_ARGV_NULL, 2, info, 0, MPI_COMM_WORLD, &comm, MPI_ERRCODES_IGNORE);
    show(key, error, comm);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int codes[2] = {0, 0}, error;
    MPI_Init(&argc, &argv);
    program = argv[0];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    error = MPI_Comm_spawn("no such program", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm, codes);
    show("no program", error, comm);
    if (codes[0] != MPI_ERR_SPAWN || codes[1] != MPI_ERR_SPAWN)
        printf("wrong: codes %d %d\n", codes[0], codes[1]);
    error = MPI_Comm_spawn("", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm, codes);
    show("no name", error, comm);
    error = MPI_Comm_spawn("/etc/passwd", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm, codes);
    show("a file elsewhere", error, comm);
    error = MPI_Comm_spawn(program, MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm, MPI_ERRCODES_IGNORE);
    show("-1 processes", error, comm);
    error = MPI_Comm_spawn(program, MPI_ARGV_NULL, 0, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm, MPI_ERRCODES_IGNORE);
    show("0 processes", error, comm);
    error = MPI_Comm_spawn(program, MPI_ARGV_NULL, 100000, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm,
                           MPI_ERRCODES_IGNORE);
    show("too many processes", error, comm);
    error = MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, (MPI_Info)MPI_COMM_WORLD, 0, MPI_COMM_WORLD, &comm,
                           MPI_ERRCODES_IGNORE);
    show("no info object", error, comm);
    error = MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 9, MPI_COMM_WORLD, &comm, MPI_ERRCODES_IGNORE);
    show("no root", error, comm);
    error = MPI_Comm_spawn_multiple(0, NULL, MPI_ARGVS_NULL, NULL, NULL, 0, MPI_COMM_WORLD, &comm, MPI_ERRCODES_IGNORE);
    show("no commands", error, comm);
    with("host", "node99");
    with("arch", "abacus");
    with("soft", "many");
    with("soft", "3:9");
    with("file", "no such file");
    with("wdir", "no such directory");
    MPI_Finalize();
    return 0;
}
