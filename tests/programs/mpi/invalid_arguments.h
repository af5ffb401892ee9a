/* Tables of calls that must fail with a certain error class: only what is otherwise is printed, and how many there are. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int n_cases, n_wrong;

static void try_case(const char *call, int code, int expected)
{
    int class = 0;

    n_cases++;
    MPI_Error_class(code, &class);
    if (class == expected)
        return;
    n_wrong++;
    printf("%s: class %d, not %d\n", call, class, expected);
}

#define FAILS(class, call) try_case(#call, call, class)
#define WORKS(call)        try_case(#call, call, MPI_SUCCESS)

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

static int finish(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 || n_wrong)
        printf("%d calls, %d not as expected\n", n_cases, n_wrong);
    MPI_Finalize();
    return 0;
}
