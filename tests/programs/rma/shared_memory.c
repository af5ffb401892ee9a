/* Windows of MPI_Win_allocate_shared: loads and stores of all ranks meet in one memory. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

/* Lets the ranks print in their order. */
static void in_order(void (*print)(const void *), const void *what)
{
    for (int i = 0; i < size; i++) {
        if (i == rank)
            print(what);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void print_line(const void *line)
{
    puts(line);
}

/* Each rank fills its part and reads its neighbours' by loads. */
static void neighbours(int apart)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", apart ? "true" : "false");
    double *mine, *left, *first;
    MPI_Win win;
    MPI_Win_allocate_shared((rank + 1) * (MPI_Aint)sizeof(double), sizeof(double), info, MPI_COMM_WORLD, &mine, &win);
    MPI_Info_free(&info);
    MPI_Aint bytes;
    int unit;
    MPI_Win_shared_query(win, (rank + size - 1) % size, &bytes, &unit, &left);
    MPI_Win_fence(0, win);
    for (int i = 0; i <= rank; i++)
        mine[i] = 100 * rank + i;
    MPI_Win_fence(0, win);
    double sum = 0;
    for (int i = 0; i < bytes / unit; i++)
        sum += left[i];
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &first);
    int *model, flag;
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &model, &flag);
    char line[128];
    sprintf(line, "rank %d: left %g, first %g of %ld bytes, %s, flavour %s", rank, sum, *first, (long)bytes,
           !apart && rank ? (mine - first == rank * (rank + 1) / 2 ? "contiguous" : "wrong") : "placed",
           *model == MPI_WIN_FLAVOR_SHARED ? "shared" : "wrong");
    in_order(print_line, line);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* The library and the MPI functions touch shared memory as well. */
static void functions(void)
{
    char *mine, *text;
    MPI_Win win;
    MPI_Aint bytes;
    int unit;
    MPI_Win_allocate_shared(rank ? 0 : 256, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &text);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        strcpy(text, "written by rank 1");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s, %d letters\n", text, (int)strlen(text));
        MPI_Recv(text + 64, 64, MPI_CHAR, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sprintf(text + 128, "%s!", text + 64);
    }
    if (rank == size - 1)
        MPI_Send("sent", 5, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    char copy[16];
    memcpy(copy, text + 128, sizeof copy);
    char line[128];
    sprintf(line, "rank %d has %s", rank, copy);
    in_order(print_line, line);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    int one = 1;
    MPI_Accumulate(&one, 1, MPI_INT, 0, 200, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    sprintf(line, "rank %d counts %d", rank, *(int *)(text + 200));
    in_order(print_line, line);
    if (rank == 2)
        MPI_Comm_rank(MPI_COMM_WORLD, (int *)(text + 208)); /* even a local function */
    MPI_Barrier(MPI_COMM_WORLD);
    sprintf(line, "rank %d: rank %d was here", rank, *(int *)(text + 208));
    in_order(print_line, line);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    neighbours(0);
    neighbours(1);
    functions();
    MPI_Finalize();
    return 0;
}
