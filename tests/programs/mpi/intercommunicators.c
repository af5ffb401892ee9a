/* Inter-communicators: made, asked, talked over, duplicated, split, merged; every collective between two groups of
 * different size, blocking and not (MPI-3.1 sections 5.2.2, 6.6). */
#include "in_order.h"

#include <string.h>

#ifdef MPICH_VERSION /* whose MPI_Ibcast between groups (4.0) loses the data of other roots */
#define NONBLOCKING_ROOTS 1
#else
#define NONBLOCKING_ROOTS (size / 2)
#endif

static int rank, size, side, local_rank, local_size, remote_size, failures;
static MPI_Comm local, inter;

static void check(int condition, const char *what)
{
    if (!condition)
        say("rank %d: %s is wrong\n", rank, what);
    failures += !condition;
}

/* World rank of member i of the other group: even ranks are one side, odd ranks the other. */
static int other(int i)
{
    return 2 * i + !side;
}

static void multiply(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *a = in, *b = inout; /* decimal places put together: does not commute */
    (void)type;
    for (int i = 0; i < *n; i++) {
        int places = 10;
        while (places <= b[i])
            places *= 10;
        b[i] += a[i] * places;
    }
}

static void finish(int nonblocking, MPI_Request *request)
{
    if (nonblocking)
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void collectives(int root_side, int root_at, int nonblocking)
{
    int all[64], mine[64], counts[16], places[16], sum, expected, data[3], n = remote_size;
    int root = side != root_side ? root_at : local_rank == root_at ? MPI_ROOT : MPI_PROC_NULL;
    int at_root = root == MPI_ROOT, member = side != root_side;
    MPI_Request request;
    MPI_Op join;
    MPI_Op_create(multiply, 0, &join);
#define DO(blocking, nonblocking_call) (nonblocking ? nonblocking_call : blocking), finish(nonblocking, &request)

    DO(MPI_Barrier(inter), MPI_Ibarrier(inter, &request));
    for (int i = 0; i < 3; i++)
        data[i] = at_root ? 100 * rank + i : -1;
    DO(MPI_Bcast(data, 3, MPI_INT, root, inter), MPI_Ibcast(data, 3, MPI_INT, root, inter, &request));
    check(data[2] == (at_root ? 100 * rank + 2 : member ? 100 * other(root_at) + 2 : -1), "bcast");

    mine[0] = 10 * rank;
    mine[1] = 10 * rank + 1;
    memset(all, 0xff, sizeof all);
    DO(MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, root, inter),
       MPI_Igather(mine, 2, MPI_INT, all, 2, MPI_INT, root, inter, &request));
    for (int i = 0; i < 2 * n; i++)
        check(all[i] == (at_root ? 10 * other(i / 2) + i % 2 : -1), "gather");
    for (int i = 0; i < n; i++) {
        counts[i] = i % 3;
        places[i] = 3 * (n - 1 - i);
    }
    memset(all, 0xff, sizeof all);
    DO(MPI_Gatherv(mine, local_rank % 3, MPI_INT, all, counts, places, MPI_INT, root, inter),
       MPI_Igatherv(mine, local_rank % 3, MPI_INT, all, counts, places, MPI_INT, root, inter, &request));
    for (int i = 0; at_root && i < n; i++)
        check(all[places[i]] == (counts[i] ? 10 * other(i) : -1), "gatherv");

    for (int i = 0; i < 2 * n; i++)
        all[i] = 1000 * rank + i;
    mine[0] = mine[1] = -1;
    DO(MPI_Scatter(all, 2, MPI_INT, mine, 2, MPI_INT, root, inter),
       MPI_Iscatter(all, 2, MPI_INT, mine, 2, MPI_INT, root, inter, &request));
    check(mine[1] == (member ? 1000 * other(root_at) + 2 * local_rank + 1 : -1), "scatter");
    mine[0] = -1;
    DO(MPI_Scatterv(all, counts, places, MPI_INT, mine, local_rank % 3, MPI_INT, root, inter),
       MPI_Iscatterv(all, counts, places, MPI_INT, mine, local_rank % 3, MPI_INT, root, inter, &request));
    check(mine[0] == (member && local_rank % 3 ? 1000 * other(root_at) + 3 * (local_size - 1 - local_rank) : -1),
          "scatterv");

    for (int i = expected = 0; i < n; i++)
        expected = expected * 10 + other(i) % 9 + 1;
    data[0] = rank % 9 + 1;
    sum = -1;
    DO(MPI_Reduce(data, &sum, 1, MPI_INT, join, root, inter),
       MPI_Ireduce(data, &sum, 1, MPI_INT, join, root, inter, &request));
    check(sum == (at_root ? expected : -1), "reduce");
    DO(MPI_Allreduce(data, &sum, 1, MPI_INT, join, inter),
       MPI_Iallreduce(data, &sum, 1, MPI_INT, join, inter, &request));
    check(sum == expected, "allreduce");

    /* Each side's contributions may have their own length. */
    for (int i = 0; i < 3; i++)
        mine[i] = 100 * rank + i;
    DO(MPI_Allgather(mine, 1 + side, MPI_INT, all, 1 + !side, MPI_INT, inter),
       MPI_Iallgather(mine, 1 + side, MPI_INT, all, 1 + !side, MPI_INT, inter, &request));
    for (int i = 0; i < n * (1 + !side); i++)
        check(all[i] == 100 * other(i / (1 + !side)) + i % (1 + !side), "allgather");
    memset(all, 0xff, sizeof all);
    DO(MPI_Allgatherv(mine, local_rank % 3, MPI_INT, all, counts, places, MPI_INT, inter),
       MPI_Iallgatherv(mine, local_rank % 3, MPI_INT, all, counts, places, MPI_INT, inter, &request));
    for (int i = 0; i < n; i++)
        check(all[places[i]] == (counts[i] ? 100 * other(i) : -1), "allgatherv");
    for (int i = 0; i < n; i++)
        mine[i] = 100 * rank + i;
    DO(MPI_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, inter),
       MPI_Ialltoall(mine, 1, MPI_INT, all, 1, MPI_INT, inter, &request));
    for (int i = 0; i < n; i++)
        check(all[i] == 100 * other(i) + local_rank, "alltoall");
    for (int i = 0; i < n; i++) {
        counts[i] = (i + local_rank) % 2;
        places[i] = i;
    }
    memset(all, 0xff, sizeof all);
    DO(MPI_Alltoallv(mine, counts, places, MPI_INT, all, counts, places, MPI_INT, inter),
       MPI_Ialltoallv(mine, counts, places, MPI_INT, all, counts, places, MPI_INT, inter, &request));
    for (int i = 0; i < n; i++)
        check(all[i] == (counts[i] ? 100 * other(i) + local_rank : -1), "alltoallv");

    /* local_size * remote_size elements come from everybody; each side shares them among its own. */
    for (int i = 0; i < local_size * remote_size; i++)
        mine[i] = rank + i;
    int first = local_rank * remote_size, total = 0;
    for (int i = 0; i < n; i++)
        total += other(i);
    DO(MPI_Reduce_scatter_block(mine, all, remote_size, MPI_INT, MPI_SUM, inter),
       MPI_Ireduce_scatter_block(mine, all, remote_size, MPI_INT, MPI_SUM, inter, &request));
    for (int i = 0; i < remote_size; i++)
        check(all[i] == total + n * (first + i), "reduce_scatter_block");
    for (int i = 0; i < local_size; i++)
        counts[i] = i == 0 ? local_size * remote_size - (local_size - 1) : 1;
    first = local_rank ? counts[0] + local_rank - 1 : 0;
    DO(MPI_Reduce_scatter(mine, all, counts, MPI_INT, MPI_SUM, inter),
       MPI_Ireduce_scatter(mine, all, counts, MPI_INT, MPI_SUM, inter, &request));
    for (int i = 0; i < counts[local_rank]; i++)
        check(all[i] == total + n * (first + i), "reduce_scatter");
    MPI_Op_free(&join);
}

static void others(void)
{
    MPI_Comm copy, merged, parts, chosen;
    MPI_Group group, remote, few;
    int result, n, at, flag, value, world[16], places[16], zero = 0;
    MPI_Status status;
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_test_inter(local, &result);
    check(flag && !result, "test_inter");
    MPI_Comm_group(inter, &group);
    MPI_Comm_remote_group(inter, &remote);
    MPI_Group world_group;
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    for (int i = 0; i < remote_size; i++)
        places[i] = i;
    MPI_Group_translate_ranks(remote, remote_size, places, world_group, world);
    for (int i = 0; i < remote_size; i++)
        check(world[i] == other(i), "remote group");

    /* Messages name ranks of the other group. */
    if (local_rank < remote_size) {
        MPI_Sendrecv(&rank, 1, MPI_INT, local_rank, 5, &value, 1, MPI_INT, MPI_ANY_SOURCE, 5, inter, &status);
        check(value == other(local_rank) && status.MPI_SOURCE == local_rank, "message");
    }
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Comm_dup(inter, &copy);
    MPI_Comm_compare(inter, copy, &result);
    check(result == MPI_CONGRUENT, "comparison with the duplicate");
    MPI_Comm_compare(inter, local, &result);
    check(result == MPI_UNEQUAL, "comparison with an intra-communicator");
    value = -1;
    MPI_Bcast(&rank, 0, MPI_INT, side ? 0 : local_rank ? MPI_PROC_NULL : MPI_ROOT, copy);
    MPI_Comm_free(&copy);

    MPI_Intercomm_merge(inter, side == 0, &merged);
    MPI_Comm_rank(merged, &at);
    MPI_Comm_size(merged, &n);
    check(n == size && at == local_rank + (side == 0 ? remote_size : 0), "order of the merged one");
    MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, merged);
    check(value == size * (size - 1) / 2, "sum of the merged one");
    MPI_Comm_free(&merged);

    /* A colour that only one side has makes nothing. */
    MPI_Comm_split(inter, local_rank == 0 ? 0 : 1 + side, -local_rank, &parts);
    check((parts != MPI_COMM_NULL) == (local_rank == 0), "split");
    if (parts != MPI_COMM_NULL) {
        MPI_Comm_remote_size(parts, &n);
        check(n == 1, "remote size after the split");
        MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, parts);
        check(value == other(0), "allreduce after the split");
        MPI_Comm_free(&parts);
    }
    MPI_Group_incl(group, 1, &zero, &few);
    MPI_Comm_create(inter, few, &chosen);
    check((chosen != MPI_COMM_NULL) == (local_rank == 0), "create");
    if (chosen != MPI_COMM_NULL) {
        MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MAX, chosen);
        check(value == other(0), "allreduce after create");
        MPI_Comm_free(&chosen);
    }
    MPI_Group_free(&few);
    MPI_Group_free(&group);
    MPI_Group_free(&remote);
    MPI_Group_free(&world_group);
}

int main(int argc, char **argv)
{
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    side = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &local);
    MPI_Comm_rank(local, &local_rank);
    MPI_Comm_size(local, &local_size);
    /* The leaders are the last of one side and the first of the other. */
    int last_even = (size - 1) / 2 * 2;
    MPI_Intercomm_create(local, side ? 0 : local_size - 1, MPI_COMM_WORLD, side ? last_even : 1, 3, &inter);
    MPI_Comm_remote_size(inter, &remote_size);
    for (int nonblocking = 0; nonblocking < 2; nonblocking++)
        for (int root_side = 0; root_side < 2; root_side++)
            for (int at = 0; at < (nonblocking ? NONBLOCKING_ROOTS : size / 2); at++)
                collectives(root_side, at, nonblocking);
    others();
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        say("%d failures on %d ranks\n", all, size);
    say_all();
    MPI_Finalize();
    return 0;
}
