/* Communicators that a group makes alone, that are duplicated in the background, and that are disconnected (MPI-3.1
 * sections 6.4.2, 10.5.4). */
#include "../mpi/in_order.h"

static int copies;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, size, value, at, n, key, flag, result;
    MPI_Comm some, other, later[2], copied;
    MPI_Group world, even, mine;
    MPI_Request request, requests[2];
    void *attribute;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[1][3]){{(size - 1) / 2 * 2, 0, -2}}, &even);

    /* Only the members call, twice with different tags. */
    if (rank % 2 == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 5, &some);
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 6, &other);
        MPI_Comm_rank(some, &at);
        MPI_Comm_size(some, &n);
        MPI_Comm_compare(some, other, &result);
        MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, some);
        say("rank %d is %d of %d, sum %d, %s\n", rank, at, n, value, result == MPI_CONGRUENT ? "congruent" : "not so");
        MPI_Comm_disconnect(&some);
        MPI_Comm_free(&other);
        say("rank %d: %s\n", rank, some == MPI_COMM_NULL ? "disconnected" : "still there");
    } else {
        MPI_Group_incl(world, 1, &rank, &mine);
        MPI_Comm_create_group(MPI_COMM_WORLD, mine, 5, &some);
        MPI_Comm_size(some, &n);
        say("rank %d is alone of %d\n", rank, n);
        MPI_Comm_free(&some);
        MPI_Group_free(&mine);
    }

    /* Attributes are copied when the duplication begins. */
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, (char *)0 + 41);
    MPI_Comm_idup(MPI_COMM_WORLD, &later[0], &requests[0]);
    MPI_Comm_idup(MPI_COMM_WORLD, &later[1], &requests[1]);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_get_attr(later[1], key, &attribute, &flag);
    MPI_Comm_compare(later[0], later[1], &result);
    MPI_Bcast(&value, 1, MPI_INT, 0, later[0]);
    say("rank %d: %d copies, attribute %d, %s\n", rank, copies, flag ? (int)((char *)attribute - (char *)0) : -1,
        result == MPI_CONGRUENT ? "congruent" : "not so");
    MPI_Comm_dup(later[1], &copied);

    /* Disconnecting waits for what is pending on it. */
    value = -1;
    MPI_Irecv(&value, 1, MPI_INT, (rank + 1) % size, 0, copied, &request);
    MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 0, copied);
    MPI_Comm_disconnect(&copied);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    say("rank %d: %s, received %d\n", rank, flag ? "complete" : "pending", value);
    MPI_Comm_free(&later[0]);
    MPI_Comm_free(&later[1]);
    MPI_Comm_free_keyval(&key);
    MPI_Group_free(&even);
    MPI_Group_free(&world);
    say_all();
    MPI_Finalize();
    return 0;
}
