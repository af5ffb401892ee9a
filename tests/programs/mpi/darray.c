/* A distributed array: what MPI_Type_create_darray gives each process, for all distributions, both orders, and numbers
 * that do not divide (MPI-3.1 section 4.1.4). Together the processes have every element exactly once. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 400 };

static int owner[MOST];

static void claim(MPI_Datatype type, int elements, int process)
{
    int array[MOST], mine[MOST], size, position = 0;
    for (int i = 0; i < elements; i++)
        array[i] = i;
    MPI_Type_commit(&type);
    MPI_Type_size(type, &size);
    MPI_Pack(array, 1, type, mine, sizeof mine, &position, MPI_COMM_SELF);
    printf("  process %d:", process);
    for (int i = 0; i < size / (int)sizeof(int); i++) {
        printf(" %d", mine[i]);
        owner[mine[i]]++;
    }
    printf("\n");
}

static void distribute(const char *what, int processes, int n, const int *sizes, const int *distributions,
                       const int *arguments, const int *grid, int order)
{
    int elements = 1, once = 1;
    for (int i = 0; i < n; i++)
        elements *= sizes[i];
    memset(owner, 0, sizeof owner);
    printf("%s, %s\n", what, order == MPI_ORDER_C ? "C" : "FORTRAN");
    for (int process = 0; process < processes; process++) {
        MPI_Datatype type;
        MPI_Aint lb, extent;
        MPI_Type_create_darray(processes, process, n, sizes, distributions, arguments, grid, order, MPI_INT, &type);
        MPI_Type_get_extent(type, &lb, &extent);
        if (lb != 0 || extent != (MPI_Aint)(elements * sizeof(int)))
            printf("bounds %ld %ld\n", (long)lb, (long)extent);
        claim(type, elements, process);
        MPI_Type_free(&type);
    }
    for (int i = 0; i < elements; i++)
        once = once && owner[i] == 1;
    printf("  each element once: %d\n", once);
}

static void expect(const char *what, int error)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    printf("%s: %s\n", what, error_class == MPI_ERR_ARG ? "MPI_ERR_ARG" : "another class");
}

int main(int argc, char **argv)
{
    enum { BLOCK, CYCLIC, NONE, STANDARD };
    int d[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}, standard = MPI_DISTRIBUTE_DFLT_DARG;
    int orders[] = {MPI_ORDER_C, MPI_ORDER_FORTRAN};
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++) {
        distribute("block of 10 over 3", 3, 1, (int[]){10}, &d[BLOCK], &standard, (int[]){3}, orders[i]);
        distribute("blocks of 4 of 10 over 4", 4, 1, (int[]){10}, &d[BLOCK], (int[]){4}, (int[]){4}, orders[i]);
        distribute("cyclic 10 over 3", 3, 1, (int[]){10}, &d[CYCLIC], &standard, (int[]){3}, orders[i]);
        distribute("cyclic by 3, 17 over 2", 2, 1, (int[]){17}, &d[CYCLIC], (int[]){3}, (int[]){2}, orders[i]);
        distribute("cyclic by 4, 6 over 3", 3, 1, (int[]){6}, &d[CYCLIC], (int[]){4}, (int[]){3}, orders[i]);
        distribute("5 x 7, block x cyclic", 4, 2, (int[]){5, 7}, (int[]){d[BLOCK], d[CYCLIC]},
                   (int[]){standard, 2}, (int[]){2, 2}, orders[i]);
        distribute("6 x 5, none x cyclic", 2, 2, (int[]){6, 5}, (int[]){d[NONE], d[CYCLIC]},
                   (int[]){standard, standard}, (int[]){1, 2}, orders[i]);
        distribute("3 x 4 x 5, cyclic x block x cyclic", 8, 3, (int[]){3, 4, 5},
                   (int[]){d[CYCLIC], d[BLOCK], d[CYCLIC]}, (int[]){standard, 2, 2}, (int[]){2, 2, 2}, orders[i]);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    expect("blocks that do not cover", MPI_Type_create_darray(2, 0, 1, (int[]){10}, &d[BLOCK], (int[]){4}, (int[]){2},
                                                              MPI_ORDER_C, MPI_INT, &type));
    expect("no such order", MPI_Type_create_darray(2, 0, 1, (int[]){10}, &d[BLOCK], &standard, (int[]){2}, 12345,
                                                   MPI_INT, &type));
    MPI_Finalize();
    return 0;
}
