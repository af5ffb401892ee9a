/* Every call with the least memory that the standard lets a program give it: each buffer is a block of the heap of
 * exactly the size that is read or written, so that under --check=memory one byte more is an access beyond its end.
 * Arrays of which nothing is used are null pointers. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_cases;
static void *blocks[64];
static int n_blocks;

/* A block of exactly so many bytes; of none: a null pointer. */
static void *room(size_t bytes)
{
    void *block = bytes ? malloc(bytes) : NULL;
    if (block)
        memset(block, 0, bytes);
    return blocks[n_blocks++] = block;
}

#define ROOM(type, n) ((type *)room((n) * sizeof(type)))

static void end_case(void)
{
    while (n_blocks)
        free(blocks[--n_blocks]);
    n_cases++;
}

static void expect(int line, const char *what, long is, long should_be)
{
    if (is != should_be)
        printf("line %d: %s is %ld, not %ld\n", line, what, is, should_be);
}
#define EXPECT(is, should_be) expect(__LINE__, #is, is, should_be)

/* `n` requests, of which those with a bit in `active` are sends to nobody, which are complete, and those with a bit in
 * `open` receives that are not. */
static int sent[64];
static MPI_Request *requests(int n, unsigned active, unsigned open)
{
    MPI_Request *array = ROOM(MPI_Request, n);
    for (int i = 0; i < n; i++) {
        array[i] = MPI_REQUEST_NULL;
        if (active >> i & 1)
            MPI_Isend(&sent[i], 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &array[i]);
        else if (open >> i & 1)
            MPI_Irecv(&sent[i], 0, MPI_INT, 0, 200 + i, MPI_COMM_SELF, &array[i]);
    }
    return array;
}

/* Sends what requests() receives. */
static void settle(int n, MPI_Request *array, unsigned open)
{
    for (int i = 0; i < n; i++)
        if (open >> i & 1)
            MPI_Send(NULL, 0, MPI_INT, 0, 200 + i, MPI_COMM_SELF);
    MPI_Waitall(n, array, MPI_STATUSES_IGNORE);
    end_case();
}

/* -- any, some, all, one --------------------------------------------------------------------------------- */

enum { WITH_STATUS, WITHOUT, FORMS };
enum { WAIT, TEST, LOOK, WAYS };

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define CAN_LOOK_AT_MANY 1
#else
#define CAN_LOOK_AT_MANY                                          0
#define MPI_Request_get_status_any(n, r, index, flag, status)     MPI_Testany(n, r, index, flag, status)
#define MPI_Request_get_status_some(n, r, count, indices, status) MPI_Testsome(n, r, count, indices, status)
#define MPI_Request_get_status_all(n, r, flag, status)            MPI_Testall(n, r, flag, status)
#endif

static void any(int way, int n, unsigned active, unsigned open, int form)
{
    MPI_Request *array = requests(n, active, open);
    MPI_Status *status = form == WITH_STATUS ? ROOM(MPI_Status, 1) : MPI_STATUS_IGNORE;
    int *index = ROOM(int, 1), *flag = ROOM(int, 1), first = 0;
    while (active && !(active >> first & 1))
        first++;
    if (way == WAIT)
        MPI_Waitany(n, array, index, status);
    else if (way == TEST)
        MPI_Testany(n, array, index, flag, status);
    else
        MPI_Request_get_status_any(n, array, index, flag, status);
    EXPECT(*index, active ? first : MPI_UNDEFINED);
    if (way != WAIT)
        EXPECT(*flag, active || !open);
    settle(n, array, open);
}

static void some(int way, int n, unsigned active, unsigned open, int form)
{
    int complete = 0, *count = ROOM(int, 1);
    for (int i = 0; i < n; i++)
        complete += active >> i & 1;
    MPI_Request *array = requests(n, active, open);
    int least = complete ? complete : n > 0; /* libraries refuse null pointers here */
    int *indices = ROOM(int, least);
    MPI_Status *statuses = form == WITH_STATUS ? ROOM(MPI_Status, least) : MPI_STATUSES_IGNORE;
    if (way == WAIT)
        MPI_Waitsome(n, array, count, indices, statuses);
    else if (way == TEST)
        MPI_Testsome(n, array, count, indices, statuses);
    else
        MPI_Request_get_status_some(n, array, count, indices, statuses);
    EXPECT(*count, active || open ? complete : MPI_UNDEFINED);
    for (int i = 0; i < complete; i++)
        EXPECT(active >> indices[i] & 1, 1);
    settle(n, array, open);
}

static void all(int way, int n, unsigned active, unsigned open, int form)
{
    MPI_Request *array = requests(n, active, open);
    MPI_Status *statuses = form == WITH_STATUS ? ROOM(MPI_Status, n) : MPI_STATUSES_IGNORE;
    int *flag = ROOM(int, 1);
    if (way == WAIT)
        MPI_Waitall(n, array, statuses);
    else if (way == TEST)
        MPI_Testall(n, array, flag, statuses);
    else
        MPI_Request_get_status_all(n, array, flag, statuses);
    if (way != WAIT)
        EXPECT(*flag, !open);
    settle(n, array, open);
}

static void one(int way, unsigned active, unsigned open, int form)
{
    MPI_Request *array = requests(1, active, open);
    MPI_Status *status = form == WITH_STATUS ? ROOM(MPI_Status, 1) : MPI_STATUS_IGNORE;
    int *flag = ROOM(int, 1);
    if (way == WAIT)
        MPI_Wait(array, status);
    else if (way == TEST)
        MPI_Test(array, flag, status);
    else
        MPI_Request_get_status(*array, flag, status);
    if (way != WAIT)
        EXPECT(*flag, !open);
    settle(1, array, open);
}

static void completions(void)
{
    static const struct {
        int n;
        unsigned active, open;
    } sets[] = {
        {0, 0, 0},  {1, 0, 0}, {1, 1, 0},       {1, 0, 1},           {5, 0, 0},  {5, 16, 0},
        {5, 8, 16}, {5, 0, 3}, {9, 0x154, 0xa}, {30, 0x20000000, 1}, {30, 0, 0}, {30, 0x15, 0x3fffffea},
    };
    for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++)
        for (int form = 0; form < FORMS; form++)
            for (int way = 0; way < WAYS; way++) {
                int n = sets[i].n;
                unsigned active = sets[i].active, open = sets[i].open;
                if (way != WAIT || active || !open) {
                    any(way, n, active, open, form);
                    some(way, n, active, open, form);
                }
                if (way != WAIT || !open) {
                    all(way, n, active, open, form);
                    if (n == 1)
                        one(way, active, open, form);
                }
            }
}

/* -- messages and their statuses ----------------------------------------------------------------------- */

static void messages(void)
{
    int *out = ROOM(int, 3), *in = ROOM(int, 3), *flag = ROOM(int, 1);
    MPI_Status *status = ROOM(MPI_Status, 1);
    MPI_Request *request = ROOM(MPI_Request, 1);
    MPI_Message *message = ROOM(MPI_Message, 1);
    int *count = ROOM(int, 1);
    MPI_Count *wide = ROOM(MPI_Count, 1);
    out[2] = 7;
    MPI_Sendrecv(out, 3, MPI_INT, 0, 1, in, 3, MPI_INT, 0, 1, MPI_COMM_SELF, status);
    MPI_Get_count(status, MPI_INT, count);
    EXPECT(*count, 3);
    MPI_Get_elements(status, MPI_INT, count);
    MPI_Get_elements_x(status, MPI_INT, wide);
    EXPECT(*wide, 3);
    MPI_Test_cancelled(status, flag);
    EXPECT(*flag, 0);
    MPI_Status_set_cancelled(status, 1);
    MPI_Status_set_elements(status, MPI_CHAR, 5);
    MPI_Get_count(status, MPI_CHAR, count);
    EXPECT(*count, 5);
    MPI_Sendrecv_replace(in, 3, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, status);
    MPI_Isend(out, 3, MPI_INT, 0, 2, MPI_COMM_SELF, request);
    MPI_Probe(0, 2, MPI_COMM_SELF, status);
    MPI_Iprobe(0, 2, MPI_COMM_SELF, flag, status);
    EXPECT(*flag, 1);
    MPI_Mprobe(0, 2, MPI_COMM_SELF, message, status);
    MPI_Mrecv(in, 3, MPI_INT, message, status);
    MPI_Wait(request, status);
    MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, status);
    MPI_Send_init(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, request);
    MPI_Startall(1, request);
    MPI_Wait(request, status);
    MPI_Request_free(request);
    MPI_Startall(0, NULL);
    end_case();
}

/* The packed buffer is longer than what there is of it: only what is packed is touched. */
static void packing(void)
{
    int *items = ROOM(int, 2), *position = ROOM(int, 1), *size = ROOM(int, 1);
    MPI_Aint *place = ROOM(MPI_Aint, 1);
    char *packed = ROOM(char, 12);
    *position = 4;
    MPI_Pack(items, 2, MPI_INT, packed, 100, position, MPI_COMM_SELF);
    EXPECT(*position, 12);
    *position = 4;
    MPI_Unpack(packed, 100, position, items, 2, MPI_INT, MPI_COMM_SELF);
    *place = 4;
    MPI_Pack_external("external32", items, 2, MPI_INT, packed, 100, place);
    *place = 4;
    MPI_Unpack_external("external32", packed, 100, place, items, 2, MPI_INT);
    *position = 0;
    MPI_Pack(NULL, 0, MPI_INT, packed, 12, position, MPI_COMM_SELF);
    MPI_Unpack(packed, 12, position, NULL, 0, MPI_INT, MPI_COMM_SELF);
    MPI_Pack_size(2, MPI_INT, MPI_COMM_SELF, size);
    end_case();
}

/* -- collectives --------------------------------------------------------------------------------------------- */

static void collectives(int rank, int size)
{
    int *in = ROOM(int, 1), *each = ROOM(int, size), *all = ROOM(int, size), *result = ROOM(int, 1);
    int *counts = ROOM(int, size), *places = ROOM(int, size), root = rank == 0;
    MPI_Datatype *types = ROOM(MPI_Datatype, size);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    MPI_Bcast(in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(in, root ? result : NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Gather(in, 1, MPI_INT, root ? all : NULL, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(in, 1, MPI_INT, root ? all : NULL, root ? counts : NULL, root ? places : NULL, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Scatter(root ? all : NULL, 1, MPI_INT, in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(root ? all : NULL, root ? counts : NULL, root ? places : NULL, MPI_INT, in, 1, MPI_INT, 0,
                 MPI_COMM_WORLD);
    MPI_Allgather(in, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(in, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(each, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(each, counts, places, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        places[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Alltoallw(each, counts, places, types, all, counts, places, types, MPI_COMM_WORLD);
    MPI_Reduce_scatter(each, result, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(each, result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(in, result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(in, rank ? (void *)result : room(1), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* nothing comes to rank 0 */
    MPI_Reduce_local(in, result, 1, MPI_INT, MPI_SUM);
    end_case();
}

/* Nothing is moved, and no buffer is there. */
static void empty_collectives(int size)
{
    int *counts = ROOM(int, size), *places = ROOM(int, size);
    for (int i = 0; i < size; i++)
        places[i] = 12345; /* of nothing: not looked at */
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(NULL, 0, MPI_INT, NULL, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(NULL, 0, MPI_INT, NULL, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(counts, counts, places, MPI_INT, NULL, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Scan(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    end_case();
}

/* -- datatypes, groups, topologies, names --------------------------------------------------------------------- */

static void datatypes(void)
{
    int *lengths = ROOM(int, 2), *places = ROOM(int, 2), n[4], *ints;
    MPI_Aint *bytes = ROOM(MPI_Aint, 2), *aints, *lb = ROOM(MPI_Aint, 1), *extent = ROOM(MPI_Aint, 1);
    MPI_Datatype *types = ROOM(MPI_Datatype, 2), *made = ROOM(MPI_Datatype, 1);
    lengths[0] = lengths[1] = places[1] = 1;
    bytes[1] = 8;
    types[0] = MPI_INT;
    types[1] = MPI_DOUBLE;
    MPI_Type_indexed(2, lengths, places, MPI_INT, made);
    MPI_Type_free(made);
    MPI_Type_create_indexed_block(2, 1, places, MPI_INT, made);
    MPI_Type_free(made);
    MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, made);
    MPI_Type_free(made);
    MPI_Type_indexed(0, NULL, NULL, MPI_INT, made);
    MPI_Type_free(made);
    MPI_Type_create_struct(0, NULL, NULL, NULL, made);
    MPI_Type_free(made);
    MPI_Type_create_struct(2, lengths, bytes, types, made);
    MPI_Type_get_envelope(*made, &n[0], &n[1], &n[2], &n[3]);
    ints = ROOM(int, n[0]);
    aints = ROOM(MPI_Aint, n[1]);
    MPI_Datatype *parts = ROOM(MPI_Datatype, n[2]);
    MPI_Type_get_contents(*made, n[0] + 5, n[1] + 5, n[2] + 5, ints, aints, parts); /* the rest is not touched */
    EXPECT(ints[0], 2);
    MPI_Type_get_extent(*made, lb, extent);
    MPI_Type_free(made);
    MPI_Type_contiguous(3, MPI_INT, made);
    MPI_Type_get_contents(*made, 1, 0, 1, ints, NULL, parts);
    MPI_Type_free(made);
    end_case();
}

static void groups(int size)
{
    MPI_Group *world = ROOM(MPI_Group, 1), *made = ROOM(MPI_Group, 1);
    int *ranks = ROOM(int, 1), *others = ROOM(int, 1), (*range)[3] = room(sizeof *range), *answer = ROOM(int, 1);
    MPI_Comm_group(MPI_COMM_WORLD, world);
    MPI_Group_incl(*world, 1, ranks, made);
    MPI_Group_translate_ranks(*world, 1, ranks, *made, others);
    MPI_Group_translate_ranks(*world, 0, NULL, *made, NULL);
    MPI_Group_size(*made, answer);
    MPI_Group_free(made);
    (*range)[1] = size - 1;
    (*range)[2] = 1;
    MPI_Group_range_incl(*world, 1, range, made);
    MPI_Group_free(made);
    MPI_Group_range_excl(*world, 0, NULL, made);
    MPI_Group_free(made);
    MPI_Group_incl(*world, 0, NULL, made);
    EXPECT(*made == MPI_GROUP_EMPTY, 1);
    MPI_Group_excl(*world, 0, NULL, made);
    MPI_Group_free(made);
    MPI_Group_free(world);
    end_case();
}

static void topologies(int size)
{
    int *dims = ROOM(int, 2), *periods = ROOM(int, 2), *answer = ROOM(int, 1), *other = ROOM(int, 1);
    int *a = ROOM(int, 2), *b = ROOM(int, 2), *c = ROOM(int, 2);
    MPI_Comm *made = ROOM(MPI_Comm, 1);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, made);
    MPI_Cartdim_get(*made, answer);
    MPI_Cart_get(*made, 10, a, b, c); /* room for more than there is */
    MPI_Cart_rank(*made, c, answer);
    MPI_Cart_coords(*made, 0, 10, a);
    MPI_Cart_shift(*made, 1, 1, answer, other);
    MPI_Topo_test(*made, answer);
    MPI_Comm_free(made);
    int *index = ROOM(int, size), *edges = ROOM(int, size), *list = ROOM(int, 1);
    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, made);
    MPI_Graphdims_get(*made, answer, other);
    MPI_Graph_get(*made, size + 3, size + 3, index, edges);
    MPI_Graph_neighbors_count(*made, 0, answer);
    MPI_Graph_neighbors(*made, 0, *answer, list);
    MPI_Comm_free(made);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY,
                                   MPI_INFO_NULL, 0, made);
    MPI_Dist_graph_neighbors_count(*made, answer, other, list);
    MPI_Dist_graph_neighbors(*made, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED);
    MPI_Comm_free(made);
    MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, made);
    if (*made != MPI_COMM_NULL) {
        MPI_Cart_get(*made, 0, NULL, NULL, NULL);
        MPI_Comm_free(made);
    }
    end_case();
}

static void names(void)
{
    int *length = ROOM(int, 1), *flag = ROOM(int, 1);
    char *name = ROOM(char, sizeof "MPI_COMM_SELF"), *type = ROOM(char, sizeof "MPI_INT");
    char *value = ROOM(char, 4), *key = ROOM(char, 4);
    void **attribute = ROOM(void *, 1);
    MPI_Info *info = ROOM(MPI_Info, 1);
    MPI_Comm_get_name(MPI_COMM_SELF, name, length);
    MPI_Type_get_name(MPI_INT, type, length);
    EXPECT(*length, 7);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, attribute, flag);
    EXPECT(*flag, 1);
    MPI_Info_create(info);
    MPI_Info_set(*info, "key", "val");
    MPI_Info_get(*info, "key", 3, value, flag);
    EXPECT(*flag, 1);
    MPI_Info_get_nthkey(*info, 0, key);
    MPI_Info_get_nkeys(*info, length);
    MPI_Info_get_valuelen(*info, "key", length, flag);
    EXPECT(*length, 3);
    MPI_Info_free(info);
    end_case();
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    completions();
    messages();
    packing();
    collectives(rank, size);
    empty_collectives(size);
    datatypes();
    groups(size);
    topologies(size);
    names();
    if (rank == 0)
        printf("%d cases\n", n_cases);
    MPI_Finalize();
    return 0;
}
