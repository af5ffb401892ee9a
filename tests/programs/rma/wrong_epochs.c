/* Synchronisations and accesses that are not allowed where they are: the error class, and the window goes on. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
static int rank;
static void expect(int line, int error, int class, const char *name)
{
    int got;
    MPI_Error_class(error, &got);
    if (got != class)
        printf("rank %d, line %d: class %d instead of %s\n", rank, line, got, name);
}
#define EXPECT(class, call) expect(__LINE__, call, class, #class)
int main(int argc, char **argv)
{
    int memory[8] = {0}, one = 1, two[2] = {0}, size;
    MPI_Win win, free_window;
    MPI_Info info;
    MPI_Group group, none;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, other = (rank + 2) % size;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_get_group(win, &group);
    MPI_Group_incl(group, 1, &right, &none);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Put(&one, 1, MPI_INT, right, 0, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock(right, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_flush(right, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_flush_all(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_wait(win));
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_start(group, 0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Put(&one, 1, MPI_INT, other, 0, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_free(&win));
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Put(&one, 1, MPI_INT, right, 8, 1, MPI_INT, win));
    EXPECT(MPI_ERR_RMA_RANGE, MPI_Put(two, 2, MPI_INT, right, 7, 2, MPI_INT, win));
    MPI_Win_unlock(right, win);
    MPI_Win_lock_all(0, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_unlock(right, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
    MPI_Win_unlock_all(win);
    MPI_Win_fence(0, win);
    MPI_Put(&one, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win));
    EXPECT(MPI_ERR_ASSERT, MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_free(&win));
    MPI_Win_fence(MPI_MODE_NOPUT, win);
    EXPECT(MPI_ERR_ASSERT, MPI_Put(&one, 1, MPI_INT, right, 0, 1, MPI_INT, win));
    EXPECT(MPI_SUCCESS, MPI_Get(&one, 1, MPI_INT, right, 0, 1, MPI_INT, win));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Get(&one, 1, MPI_INT, right, 0, 1, MPI_INT, win));
    MPI_Win_post(group, 0, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_post(group, 0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
    MPI_Win_start(group, 0, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_start(group, 0, win));
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win));
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_post(group, 0, win);
    MPI_Win_start(none, 0, win);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Put(&one, 1, MPI_INT, other, 0, 1, MPI_INT, win));
    MPI_Request request;
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Rput(&one, 1, MPI_INT, right, 0, 1, MPI_INT, win, &request));
    MPI_Win_complete(win);
    MPI_Group rest;
    MPI_Group_difference(group, none, &rest);
    MPI_Win_start(rest, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Win_free(&win);
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Win_create(memory, sizeof memory, sizeof(int), info, MPI_COMM_WORLD, &free_window);
    MPI_Win_set_errhandler(free_window, MPI_ERRORS_RETURN);
    EXPECT(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, free_window));
    MPI_Win_free(&free_window);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Info_set(info, "no_locks", "maybe");
    EXPECT(MPI_ERR_INFO_VALUE, MPI_Win_create(memory, 8, 1, info, MPI_COMM_WORLD, &win));
    EXPECT(MPI_ERR_WIN, MPI_Win_fence(0, free_window));
    printf("rank %d: done\n", rank);
    MPI_Finalize();
    return 0;
}
