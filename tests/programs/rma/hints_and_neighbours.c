/* Attached neighbours are one piece of memory; derived datatypes of pairs; hints that change; members of no memory. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;

static void neighbours(void)
{
    static int memory[12], numbers[12], got[12];
    MPI_Aint address;
    MPI_Win win;
    MPI_Datatype every_second;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory + 4, 4 * sizeof(int));
    MPI_Win_attach(win, memory, 4 * sizeof(int));
    MPI_Win_attach(win, memory + 8, 4 * sizeof(int));
    MPI_Get_address(memory, &address);
    MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Type_vector(6, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 12; i++)
        numbers[i] = 100 + i;
    if (rank == 0)
        MPI_Put(numbers, 6, MPI_INT, 1, address, 1, every_second, win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(got, 12, MPI_INT, 1, address, 12, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 0 && i < 12; i++)
        printf("%d%c", got[i], i < 11 ? ' ' : '\n');
    MPI_Win_detach(win, memory + 4);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    int class = MPI_Put(numbers, 6, MPI_INT, 1, address, 6, MPI_INT, win);
    MPI_Error_class(class, &class);
    if (rank == 0)
        printf("without the one between: %s\n", class == MPI_ERR_RMA_RANGE ? "MPI_ERR_RMA_RANGE" : "another answer");
    MPI_Win_fence(0, win);
    MPI_Type_free(&every_second);
    MPI_Win_free(&win);
}

static void pairs(void)
{
    struct Pair {
        double value;
        int index;
    } * memory, mine[4];
    MPI_Win win;
    MPI_Datatype ends, nothing;
    MPI_Win_allocate(4 * sizeof(struct Pair), sizeof(struct Pair), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 4; i++) {
        memory[i] = (struct Pair){0.5, -1};
        mine[i] = (struct Pair){rank, 10 * rank + i};
    }
    MPI_Type_vector(2, 1, 3, MPI_DOUBLE_INT, &ends);
    MPI_Type_commit(&ends);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Win_fence(0, win);
    MPI_Accumulate(mine, 1, ends, 0, 0, 1, ends, MPI_MAXLOC, win);
    MPI_Accumulate(&rank, 2, nothing, 0, 0, 1, nothing, MPI_SUM, win);
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 0 && i < 4; i++)
        printf("%g at %d\n", memory[i].value, memory[i].index);
    MPI_Type_free(&ends);
    MPI_Type_free(&nothing);
    MPI_Win_free(&win);
}

static void hints(void)
{
    static const char *const keys[] = {"no_locks", "same_size", "same_disp_unit", "alloc_shared_noncontig"};
    char value[8];
    int flag, class, *memory;
    MPI_Win win;
    MPI_Info info;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    for (int i = 0; i < 4; i++)
        MPI_Info_set(info, keys[i], "true");
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
    MPI_Win_get_info(win, &info);
    for (int i = 0; i < 4; i++) {
        MPI_Info_get(info, keys[i], sizeof value - 1, value, &flag);
        if (rank == 0)
            printf("%s %s\n", keys[i], flag ? value : "?");
    }
    MPI_Error_class(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), &class);
    if (rank == 0)
        printf("a lock: %s\n", class == MPI_ERR_RMA_SYNC ? "MPI_ERR_RMA_SYNC" : "another answer");
    MPI_Info_free(&info);
    MPI_Win_free(&win);
}

static void nothing_to_share(void)
{
    int *memory, unit;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Win_allocate_shared(rank ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &memory);
    if (rank == 0)
        printf("%d bytes in units of %d%s\n", (int)bytes, unit, memory ? ", at an address" : "");
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &memory);
    if (rank == 0)
        printf("%d bytes%s\n", (int)bytes, memory ? ", at an address" : "");
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    neighbours();
    pairs();
    hints();
    nothing_to_share();
    MPI_Finalize();
    return 0;
}
