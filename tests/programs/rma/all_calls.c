/* Calls on windows that say something about them or change how they behave: info objects, names, groups, attributes,
 * error handlers, large counts, tests, Fortran's handles, windows of one rank that share memory. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static int copied(MPI_Win win, int key, void *extra, void *in, void *out, int *flag)
{
    (void)win, (void)key, (void)extra, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}
static int deleted(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key;
    if (!rank)
        printf("deleted %d, %d\n", *(int *)value, *(int *)extra);
    return MPI_SUCCESS;
}
static void handler(MPI_Win *win, int *code, ...)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length, class;
    MPI_Win_get_name(*win, name, &length);
    MPI_Error_class(*code, &class);
    if (!rank)
        printf("handler: %s, class %s\n", name, class == MPI_ERR_RMA_RANGE ? "RMA_RANGE" : class == MPI_ERR_OTHER ? "OTHER" : "?");
}
static void print_info(MPI_Win win, const char *key)
{
    MPI_Info info;
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int flag;
    MPI_Win_get_info(win, &info);
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    if (!rank)
        printf("%s: %s\n", key, flag ? value : "-");
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long memory[32] = {0}, one = 1, got = -1, *base;
    MPI_Win win, large, shared;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "same_size", "true");
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Info_set(info, "mpi_accumulate_granularity", "8");
    MPI_Win_create_c(memory, sizeof memory, sizeof(long), info, MPI_COMM_WORLD, &win);
    print_info(win, "no_locks");
    print_info(win, "accumulate_ordering");
    print_info(win, "accumulate_ops");
    print_info(win, "same_size");
    print_info(win, "same_disp_unit");
    print_info(win, "mpi_accumulate_granularity");
    MPI_Info_set(info, "accumulate_ordering", "rar,war");
    MPI_Win_set_info(win, info);
    print_info(win, "accumulate_ordering");
    MPI_Win_set_name(win, "numbers");
    if (MPI_Win_f2c(MPI_Win_c2f(win)) != win)
        printf("handles differ\n");

    int key, value = 5, extra = 6, flag;
    int *attribute;
    MPI_Win_create_keyval(copied, deleted, &key, &extra);
    MPI_Win_get_attr(win, key, &attribute, &flag);
    if (!rank)
        printf("attribute: %d\n", flag);
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_get_attr(win, key, &attribute, &flag);
    if (!rank)
        printf("attribute: %d %d\n", flag, *attribute);
    MPI_Win_delete_attr(win, key);
    MPI_Win_set_attr(win, key, &extra);
    MPI_Win_free_keyval(&key);

    MPI_Errhandler made, had;
    MPI_Win_create_errhandler(handler, &made);
    MPI_Win_get_errhandler(win, &had);
    if (had != MPI_ERRORS_ARE_FATAL)
        printf("wrong error handler\n");
    MPI_Win_set_errhandler(win, made);
    MPI_Errhandler_free(&made);
    MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Put(&one, 1, MPI_LONG, 0, 32, 1, MPI_LONG, win);
    MPI_Win_unlock_all(win);

    int right = (rank + 1) % size;
    MPI_Request request[4];
    MPI_Win_lock_all(0, win);
    MPI_Put_c(&one, 1, MPI_LONG, right, 0, 1, MPI_LONG, win);
    MPI_Accumulate_c(&one, 1, MPI_LONG, right, 1, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_flush(right, win);
    MPI_Get_c(&got, 1, MPI_LONG, right, 0, 1, MPI_LONG, win);
    MPI_Win_flush_local(right, win);
    MPI_Win_flush_local_all(win);
    long old = -1, fetched = -1, sum = -1;
    MPI_Get_accumulate_c(&one, 1, MPI_LONG, &old, 1, MPI_LONG, right, 1, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_flush_all(win);
    MPI_Rput_c(&one, 1, MPI_LONG, right, 2, 1, MPI_LONG, win, &request[0]);
    MPI_Raccumulate_c(&one, 1, MPI_LONG, right, 3, 1, MPI_LONG, MPI_SUM, win, &request[1]);
    MPI_Rget_c(&fetched, 1, MPI_LONG, right, 0, 1, MPI_LONG, win, &request[2]);
    MPI_Rget_accumulate_c(&one, 1, MPI_LONG, &sum, 1, MPI_LONG, right, 4, 1, MPI_LONG, MPI_SUM, win, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: %ld %ld %ld %ld, %ld %ld %ld %ld %ld\n", rank, got, old, fetched, sum, memory[0], memory[1],
           memory[2], memory[3], memory[4]);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Group group;
    MPI_Win_get_group(win, &group);
    MPI_Win_post(group, MPI_MODE_NOSTORE, win);
    MPI_Win_start(group, 0, win);
    MPI_Put(&one, 1, MPI_LONG, right, 5, 1, MPI_LONG, win);
    MPI_Win_complete(win);
    for (flag = 0; !flag;)
        MPI_Win_test(win, &flag);
    if (memory[5] != 1)
        printf("nothing has come\n");
    MPI_Group_free(&group);
    MPI_Win_free(&win);

    MPI_Aint bytes;
    MPI_Aint large_unit;
    int unit;
    MPI_Win_allocate_c(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &large);
    base[0] = rank;
    MPI_Win_shared_query(large, rank, &bytes, &unit, &attribute);
    if (bytes != 64 || unit != 8 || (void *)attribute != (void *)base)
        printf("wrong answer\n");
    MPI_Win_free(&large);
    MPI_Win_allocate_shared(128, 4, MPI_INFO_NULL, MPI_COMM_SELF, &base, &shared);
    MPI_Win_shared_query(shared, 0, &bytes, &unit, &attribute);
    if (bytes != 128 || unit != 4 || (void *)attribute != (void *)base)
        printf("wrong answer\n");
    MPI_Win_shared_query_c(shared, MPI_PROC_NULL, &bytes, &large_unit, &attribute);
    if (bytes != 128 || large_unit != 4)
        printf("wrong answer\n");
    MPI_Win_free(&shared);
    MPI_Win_allocate_shared_c(0, 1, info, MPI_COMM_SELF, &base, &shared);
    MPI_Win_free(&shared);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
