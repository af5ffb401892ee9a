/* Neighbourhood collectives on grids (with rims, and with periodic dimensions of three, two and one places), graphs and
 * distributed graphs; blocking, non-blocking and persistent (MPI-3.1 section 7.6, MPI-4.0 section 8.6). */
#include "in_order.h"

#include <string.h>

static int rank, size, failures, doubled;

static void check(int condition, const char *what, int detail)
{
    if (!condition)
        say("rank %d: %s is wrong (%d)\n", rank, what, detail);
    failures += !condition;
}

enum { MOST = 16, FORMS = 3 };

static void finish(int form, MPI_Request *request)
{
    if (form == 2)
        MPI_Start(request);
    if (form)
        MPI_Wait(request, MPI_STATUS_IGNORE);
    if (form == 2)
        MPI_Request_free(request);
}

#define DO(form, blocking, nonblocking, persistent)                                                                    \
    (form == 0 ? blocking : form == 1 ? nonblocking : persistent), finish(form, &request)

/* `back[i]`: which block of its own the source number i sends to this process here. */
static void exchange(MPI_Comm comm, int n_sources, const int *sources, const int *back, int n_destinations, int form)
{
    int mine[2] = {10 * rank, 10 * rank + 1}, out[2 * MOST], in[2 * MOST];
    int scounts[MOST], splaces[MOST], rcounts[MOST], rplaces[MOST];
    MPI_Aint sbytes[MOST], rbytes[MOST];
    MPI_Datatype stypes[MOST], rtypes[MOST];
    MPI_Request request;
    memset(in, 0xff, sizeof in);
    DO(form, MPI_Neighbor_allgather(mine, 2, MPI_INT, in, 2, MPI_INT, comm),
       MPI_Ineighbor_allgather(mine, 2, MPI_INT, in, 2, MPI_INT, comm, &request),
       MPI_Neighbor_allgather_init(mine, 2, MPI_INT, in, 2, MPI_INT, comm, MPI_INFO_NULL, &request));
    for (int i = 0; i < 2 * n_sources; i++)
        check(in[i] == (sources[i / 2] < 0 ? -1 : 10 * sources[i / 2] + i % 2), "allgather", i);
    for (int i = 0; i < n_sources; i++) {
        rcounts[i] = 1;
        rplaces[i] = 2 * (n_sources - 1 - i);
        rbytes[i] = rplaces[i] * sizeof(int);
        rtypes[i] = MPI_INT;
    }
    memset(in, 0xff, sizeof in);
    DO(form, MPI_Neighbor_allgatherv(mine, 1, MPI_INT, in, rcounts, rplaces, MPI_INT, comm),
       MPI_Ineighbor_allgatherv(mine, 1, MPI_INT, in, rcounts, rplaces, MPI_INT, comm, &request),
       MPI_Neighbor_allgatherv_init(mine, 1, MPI_INT, in, rcounts, rplaces, MPI_INT, comm, MPI_INFO_NULL, &request));
    for (int i = 0; i < n_sources; i++)
        check(in[rplaces[i]] == (sources[i] < 0 ? -1 : 10 * sources[i]), "allgatherv", i);

#ifdef MPICH_VERSION /* 4.0: only the blocking MPI_Neighbor_alltoall knows an order of neighbours that are the same */
    if (doubled)
        return;
#endif
    for (int i = 0; i < n_destinations; i++) {
        out[i] = 100 * rank + i;
        scounts[i] = 1;
        splaces[i] = i;
        sbytes[i] = i * sizeof(int);
        stypes[i] = MPI_INT;
    }
    memset(in, 0xff, sizeof in);
    DO(form, MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm),
       MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request),
       MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, comm, MPI_INFO_NULL, &request));
    for (int i = 0; i < n_sources; i++)
        check(in[i] == (sources[i] < 0 ? -1 : 100 * sources[i] + back[i]), "alltoall", i);
    memset(in, 0xff, sizeof in);
    DO(form, MPI_Neighbor_alltoallv(out, scounts, splaces, MPI_INT, in, rcounts, rplaces, MPI_INT, comm),
       MPI_Ineighbor_alltoallv(out, scounts, splaces, MPI_INT, in, rcounts, rplaces, MPI_INT, comm, &request),
       MPI_Neighbor_alltoallv_init(out, scounts, splaces, MPI_INT, in, rcounts, rplaces, MPI_INT, comm, MPI_INFO_NULL,
                                   &request));
    for (int i = 0; i < n_sources; i++)
        check(in[rplaces[i]] == (sources[i] < 0 ? -1 : 100 * sources[i] + back[i]), "alltoallv", i);
    memset(in, 0xff, sizeof in);
    DO(form, MPI_Neighbor_alltoallw(out, scounts, sbytes, stypes, in, rcounts, rbytes, rtypes, comm),
       MPI_Ineighbor_alltoallw(out, scounts, sbytes, stypes, in, rcounts, rbytes, rtypes, comm, &request),
       MPI_Neighbor_alltoallw_init(out, scounts, sbytes, stypes, in, rcounts, rbytes, rtypes, comm, MPI_INFO_NULL,
                                   &request));
    for (int i = 0; i < n_sources; i++)
        check(in[rplaces[i]] == (sources[i] < 0 ? -1 : 100 * sources[i] + back[i]), "alltoallw", i);
}

static void grid(int n, const int *dims, const int *periods)
{
    int sources[MOST], back[MOST];
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, n, dims, periods, 0, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    for (int i = 0; i < n; i++)
        MPI_Cart_shift(comm, i, 1, &sources[2 * i], &sources[2 * i + 1]);
    for (int i = 0; i < 2 * n; i++)
        back[i] = i ^ 1; /* from behind comes what was sent forward */
    for (int i = doubled = 0; i < n; i++)
        doubled = doubled || dims[i] <= 2;
    for (int form = 0; form < FORMS; form++)
        exchange(comm, 2 * n, sources, back, 2 * n, form);
    doubled = 0;
    MPI_Comm_free(&comm);
}

/* A star: rank 0 and everybody else. */
static void star(void)
{
    int index[64], edges[128], sources[64], back[64], n = 0;
    MPI_Comm comm;
    for (int i = 1; i < size; i++)
        edges[n++] = i;
    index[0] = n;
    for (int i = 1; i < size; i++) {
        edges[n++] = 0;
        index[i] = n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    for (int i = 0; i < (rank ? 1 : size - 1); i++) {
        sources[i] = rank ? 0 : i + 1;
        back[i] = rank ? rank - 1 : 0;
    }
    for (int form = 0; form < FORMS; form++)
        exchange(comm, rank ? 1 : size - 1, sources, back, rank ? 1 : size - 1, form);
    MPI_Comm_free(&comm);
}

/* Directed: each sends to the next two, and to nobody twice. */
static void directed(void)
{
    int n = size > 2 ? 2 : size - 1, sources[2], destinations[2], back[2] = {0, 1};
    MPI_Comm comm;
    for (int i = 0; i < n; i++) {
        sources[i] = (rank + size - 1 - i) % size;
        destinations[i] = (rank + 1 + i) % size;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n, sources, MPI_UNWEIGHTED, n, destinations, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    for (int form = 0; form < FORMS; form++)
        exchange(comm, n, sources, back, n, form);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grid(1, (int[]){size}, (int[]){1});
    grid(1, (int[]){size}, (int[]){0});
    grid(2, (int[]){1, size}, (int[]){1, 1});
    if (size >= 6) {
        grid(2, (int[]){2, 3}, (int[]){1, 0});
        grid(3, (int[]){2, 1, 3}, (int[]){1, 1, 1});
    }
    star();
    directed();
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        say("%d failures on %d ranks\n", all, size);
    say_all();
    MPI_Finalize();
    return 0;
}
