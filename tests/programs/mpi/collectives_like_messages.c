/* Property test: collectives leave behind to the byte what messages between all pairs would, for random types on both
 * sides, in place or not, within groups and between them, blocking, non-blocking, persistent and with large counts; and
 * reductions with an operator that does not commute keep the order of ranks (MPI-3.1 chapter 5). The argument is the
 * seed. */
#include "random_types.h"

#include <stddef.h>
#include <stdio.h>

enum { STEPS = 50, ROOM = 1 << 15, MIDDLE = ROOM / 2, RANKS = 16, MOST_COUNT = 2 };
enum { BLOCKING, BACKGROUND, PERSISTENT, LARGE, FORMS };

static unsigned char in[ROOM], out[ROOM], expected[ROOM];
static int rank, size, peers, inter, failures, step, form;
static MPI_Comm comm, messages; /* the collective's, and one of its own for what is compared */

#define RUN(Name, name, ...)                                                                                           \
    do {                                                                                                               \
        MPI_Request request = MPI_REQUEST_NULL;                                                                        \
        if (form == BLOCKING)                                                                                          \
            MPI_##Name(__VA_ARGS__, comm);                                                                             \
        else if (form == BACKGROUND)                                                                                   \
            MPI_I##name(__VA_ARGS__, comm, &request);                                                                  \
        else if (form == LARGE)                                                                                        \
            MPI_##Name##_c(__VA_ARGS__, comm);                                                                         \
        else {                                                                                                         \
            MPI_##Name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request);                                             \
            MPI_Start(&request);                                                                                       \
        }                                                                                                              \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                         \
        if (request != MPI_REQUEST_NULL)                                                                               \
            MPI_Request_free(&request);                                                                                \
    } while (0)

/* Arrays of counts have another type in the large form. */
#define RUN_V(Name, name, ...)                                                                                         \
    do {                                                                                                               \
        form = form == LARGE ? BACKGROUND : form;                                                                      \
        MPI_Request request = MPI_REQUEST_NULL;                                                                        \
        if (form == BLOCKING)                                                                                          \
            MPI_##Name(__VA_ARGS__, comm);                                                                             \
        else if (form == BACKGROUND)                                                                                   \
            MPI_I##name(__VA_ARGS__, comm, &request);                                                                  \
        else {                                                                                                         \
            MPI_##Name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request);                                             \
            MPI_Start(&request);                                                                                       \
        }                                                                                                              \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                         \
        if (request != MPI_REQUEST_NULL)                                                                               \
            MPI_Request_free(&request);                                                                                \
    } while (0)

static void fill(unsigned char *at, int salt)
{
    for (int i = 0; i < ROOM; i++)
        at[i] = (unsigned char)(i * 7 + salt * 13 + (i >> 8));
}

static void compare(const char *what)
{
    if (memcmp(out, expected, ROOM) && failures++ < 3) {
        int i = 0;
        while (out[i] == expected[i])
            i++;
        printf("step %d, rank %d of %d: %s, form %d: first at %d\n", step, rank, size, what, form, i - MIDDLE);
    }
}

/* -- what goes where: one side of each transfer ------------------------------------------------------------------ */

static MPI_Request requests[4 * RANKS];
static int n_requests;

static void give(long at, int count, MPI_Datatype type, int to)
{
    MPI_Isend(in + MIDDLE + at, count, type, to, 0, messages, &requests[n_requests++]);
}

static void take(long at, int count, MPI_Datatype type, int from)
{
    MPI_Irecv(expected + MIDDLE + at, count, type, from, 0, messages, &requests[n_requests++]);
}

static void settle(void)
{
    MPI_Waitall(n_requests, requests, MPI_STATUSES_IGNORE);
    n_requests = 0;
}

/* A type that `all` of can lie side by side in memory; both sides of a transfer count alike. */
static void make_block(Type *type, int all)
{
    make(type, draw(3));
    long from, to, last = (all - 1) * extent_of(&type->map);
    true_bounds(&type->map, &from, &to);
    if (!type->map.n || labs(last) + labs(from) + labs(to) > MIDDLE - 64 || type->map.n * all > 2 * MAP_MOST ||
        overlaps_itself(&type->map, all)) {
        replace(type, MPI_INT);
        type->map = (Map){1, 1, 0, 4, {{0, 2}}};
    }
    MPI_Type_commit(&type->handle);
}

/* The root as the arguments name it, and whether this rank is it. */
static int root_of(int of_low, int root, int low, int *mine)
{
    if (!inter) {
        *mine = rank == root;
        return root;
    }
    *mine = low == of_low && rank == root;
    return low != of_low ? root : *mine ? MPI_ROOT : MPI_PROC_NULL;
}

static int low; /* between groups: whether in the first */

static void check_rooted(const Type *type, int count, int scatters)
{
    int of_low = draw(2), all[2], mine, in_place = draw(2) && !inter, v = draw(2);
    MPI_Datatype t = type->handle;
    all[0] = inter && low ? peers : size; /* members of the second group and the first */
    all[1] = inter && low ? size : peers;
    int root = root_of(of_low, draw(all[of_low]), low, &mine), counts[RANKS], places[RANKS];
    int takes_part = !inter || low != of_low;
    long extent = extent_of(&type->map);
    for (int i = 0; i < RANKS; i++) {
        counts[i] = v ? (count + i) % (count + 1) : count;
        places[i] = i * count;
    }
    if (takes_part && !(in_place && mine)) {
        if (scatters)
            take(0, counts[rank], t, root);
        else
            give(0, counts[rank], t, root);
    }
    if (mine)
        for (int i = 0; i < peers; i++)
            if (!(in_place && i == root)) {
                if (scatters)
                    give(places[i] * extent, counts[i], t, i);
                else
                    take(places[i] * extent, counts[i], t, i);
            }
    settle();
    const void *from = in + MIDDLE;
    void *to = out + MIDDLE;
    int sent = counts[rank], got = counts[rank];
    if (scatters && in_place && mine)
        to = MPI_IN_PLACE;
    if (!scatters && in_place && mine)
        from = MPI_IN_PLACE;
    if (scatters && v)
        RUN_V(Scatterv, scatterv, from, counts, places, t, to, got, t, root);
    else if (scatters)
        RUN(Scatter, scatter, from, count, t, to, count, t, root);
    else if (v)
        RUN_V(Gatherv, gatherv, from, sent, t, to, counts, places, t, root);
    else
        RUN(Gather, gather, from, count, t, to, count, t, root);
    compare(scatters ? v ? "scatterv" : "scatter" : v ? "gatherv" : "gather");
}

static void check_bcast(const Type *type, int count)
{
    int of_low = draw(2), mine, root, all[2];
    all[0] = inter && low ? peers : size;
    all[1] = inter && low ? size : peers;
    root = root_of(of_low, draw(all[of_low]), low, &mine);
    if (mine) {
        memcpy(out, in, ROOM);
        memcpy(expected, in, ROOM);
        for (int i = 0; i < peers; i++)
            if (inter || i != root)
                give(0, count, type->handle, i);
    } else if (!inter || low != of_low) {
        take(0, count, type->handle, root);
    }
    settle();
    RUN(Bcast, bcast, out + MIDDLE, count, type->handle, root);
    compare("bcast");
}

static void check_allgather(const Type *type, int count)
{
    int in_place = draw(2) && !inter, v = draw(2), counts[RANKS], places[RANKS], order = draw(2);
    long extent = extent_of(&type->map);
    for (int i = 0; i < RANKS; i++) {
        counts[i] = v ? (count + i) % (count + 1) : count;
        places[i] = (v && order ? peers - 1 - i : i) * count;
    }
    if (inter && low) /* what the others send is as much as we take */
        for (int i = 0; i < RANKS; i++)
            counts[i] = v ? (count + i) % (count + 1) : count;
    for (int i = 0; i < peers; i++) {
        give(0, counts[rank], type->handle, i);
        take(places[i] * extent, counts[i], type->handle, i);
    }
    settle();
    if (in_place) { /* the own block is there already */
        MPI_Sendrecv(in + MIDDLE, counts[rank], type->handle, rank, 1, out + MIDDLE + places[rank] * extent,
                     counts[rank], type->handle, rank, 1, messages, MPI_STATUS_IGNORE);
    }
    const void *from = in_place ? MPI_IN_PLACE : in + MIDDLE;
    if (v)
        RUN_V(Allgatherv, allgatherv, from, counts[rank], type->handle, out + MIDDLE, counts, places, type->handle);
    else
        RUN(Allgather, allgather, from, count, type->handle, out + MIDDLE, count, type->handle);
    compare(v ? "allgatherv" : "allgather");
}

static void check_alltoall(const Type *type, int count)
{
    int in_place = draw(2) && !inter, kind = draw(3), counts[RANKS], places[RANKS], bytes[RANKS];
    MPI_Datatype types[RANKS];
    long extent = extent_of(&type->map);
    for (int i = 0; i < RANKS; i++) { /* the same in both directions */
        counts[i] = kind ? (count + i + rank) % (count + 1) : count;
        places[i] = (peers - 1 - i) * count;
        bytes[i] = (int)(places[i] * extent);
        types[i] = type->handle;
    }
    if (kind == 0)
        for (int i = 0; i < RANKS; i++)
            places[i] = i * count;
    for (int i = 0; i < peers; i++) {
        give(places[i] * extent, counts[i], type->handle, i);
        take(places[i] * extent, counts[i], type->handle, i);
    }
    settle();
    if (in_place)
        for (int i = 0; i < peers; i++)
            MPI_Sendrecv(in + MIDDLE + places[i] * extent, counts[i], type->handle, rank, 1,
                         out + MIDDLE + places[i] * extent, counts[i], type->handle, rank, 1, messages,
                         MPI_STATUS_IGNORE);
    const void *from = in_place ? MPI_IN_PLACE : in + MIDDLE;
    if (kind == 0)
        RUN(Alltoall, alltoall, from, count, type->handle, out + MIDDLE, count, type->handle);
    else if (kind == 1)
        RUN_V(Alltoallv, alltoallv, from, counts, places, type->handle, out + MIDDLE, counts, places, type->handle);
    else
        RUN_V(Alltoallw, alltoallw, from, counts, bytes, types, out + MIDDLE, counts, bytes, types);
    compare(kind == 0 ? "alltoall" : kind == 1 ? "alltoallv" : "alltoallw");
}

/* -- reductions --------------------------------------------------------------------------------------------------- */

typedef struct Affine { /* x -> a x + b: composing them does not commute */
    unsigned a, gap, b;
} Affine;

static MPI_Datatype affine;
static MPI_Op compose;

static Affine after(Affine first, Affine then)
{
    return (Affine){first.a * then.a, then.gap, first.a * then.b + first.b};
}

static void compose_all(void *invec, void *inoutvec, int *length, MPI_Datatype *type)
{
    Affine *first = invec, *then = inoutvec;
    for (int i = 0; i < *length; i++)
        then[i] = after(first[i], then[i]);
    failures += *type != affine;
}

static Affine element(int of_low, int member, int i)
{
    return (Affine){2u * (step * 31 + member * 7 + i + of_low) + 3, 77,
                    (unsigned)(member * 1000 + i * 17 + of_low * 5)};
}

/* Of members first to last - 1. */
static Affine product(int of_low, int first, int last, int i)
{
    Affine result = element(of_low, first, i);
    for (int member = first + 1; member < last; member++)
        result = after(result, element(of_low, member, i));
    return result;
}

static void expect_elements(Affine *at, const Affine *result, int n, const char *what)
{
    for (int i = 0; i < n; i++)
        if ((at[i].a != result[i].a || at[i].b != result[i].b || at[i].gap != result[i].gap) && failures++ < 3)
            printf("step %d, rank %d of %d: %s, form %d: element %d is %u %u\n", step, rank, size, what, form, i,
                   at[i].a, at[i].b);
}

static void check_reduction(int n)
{
    enum { MOST = 8 };
    static Affine mine[MOST * RANKS], got[MOST * RANKS + 1], result[MOST * RANKS + 1];
    int kind = draw(inter ? 4 : 6), in_place = draw(2) && !inter, of_low = draw(2), all[2], is_root, root, first = 0;
    int counts[RANKS], total = n, ours = inter && low, theirs = inter && !low;
    all[0] = inter && low ? peers : size;
    all[1] = inter && low ? size : peers;
    root = root_of(of_low, draw(all[of_low]), low, &is_root);
    if (kind == 2 && inter && size != peers)
        kind = 0; /* both groups must divide the same number of elements */
    if (kind == 3 && inter && size != peers)
        kind = 1;
    for (int i = 0; i < RANKS; i++)
        counts[i] = kind == 3 ? (i + n) % MOST : n;
    if (kind == 2 || kind == 3) {
        total = 0;
        for (int i = 0; i < size; i++)
            total += counts[i];
        for (int i = 0; i < rank; i++)
            first += counts[i];
    }
    for (int i = 0; i < MOST * RANKS + 1; i++)
        got[i] = result[i] = (Affine){1, 88, 2};
    for (int i = 0; i < total; i++)
        mine[i] = element(ours, rank, i);
    if (in_place && (kind != 0 || is_root))
        for (int i = 0; i < total; i++) {
            got[i] = result[i] = mine[i];
            got[i].gap = result[i].gap = 88;
        }
    for (int i = 0; i < total; i++) {
        Affine whole = product(theirs, 0, peers, i);
        int slot = i, has = 1;
        if (kind == 0)
            has = is_root;
        else if (kind == 2 || kind == 3) {
            slot = i - first;
            has = i >= first && slot < counts[rank];
        } else if (kind == 4)
            whole = product(ours, 0, rank + 1, i);
        else if (kind == 5) {
            has = rank > 0;
            whole = product(ours, 0, has ? rank : 1, i);
        }
        if (has) {
            result[slot].a = whole.a;
            result[slot].b = whole.b;
        }
    }
    const void *from = in_place && (kind != 0 || is_root) ? MPI_IN_PLACE : mine;
    switch (kind) {
    case 0: RUN(Reduce, reduce, from, got, n, affine, compose, root); break;
    case 1: RUN(Allreduce, allreduce, from, got, n, affine, compose); break;
    case 2: RUN(Reduce_scatter_block, reduce_scatter_block, from, got, n, affine, compose); break;
    case 3: RUN_V(Reduce_scatter, reduce_scatter, from, got, counts, affine, compose); break;
    case 4: RUN(Scan, scan, from, got, n, affine, compose); break;
    default: RUN(Exscan, exscan, from, got, n, affine, compose);
    }
    static const char *const names[] = {"reduce",         "allreduce", "reduce_scatter_block",
                                        "reduce_scatter", "scan",      "exscan"};
    int certain = in_place && (kind == 2 || kind == 3) ? counts[rank] : MOST * RANKS + 1; /* the rest is anybody's */
    expect_elements(got, result, certain, names[kind]);
}

/* -- steps --------------------------------------------------------------------------------------------------------- */

static void check_step(void)
{
    static Type type;
    int count = 1 + draw(MOST_COUNT), kind = draw(8);
    form = draw(FORMS);
    make_block(&type, count * (size > peers ? size : peers));
    fill(in, rank + 1 + 20 * low);
    fill(out, 40);
    fill(expected, 40);
    switch (kind) {
    case 0: check_rooted(&type, count, 0); break;
    case 1: check_rooted(&type, count, 1); break;
    case 2: check_bcast(&type, count); break;
    case 3: check_allgather(&type, count); break;
    case 4: check_alltoall(&type, count); break;
    default: check_reduction(draw(8));
    }
    replace(&type, MPI_DATATYPE_NULL);
}

static void use(MPI_Comm one, MPI_Comm other)
{
    comm = one;
    messages = other;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_test_inter(comm, &inter);
    peers = size;
    if (inter)
        MPI_Comm_remote_size(comm, &peers);
}

int main(int argc, char **argv)
{
    int all, me, ranks, split, lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, offsetof(Affine, b)};
    MPI_Datatype parts[2] = {MPI_UNSIGNED, MPI_UNSIGNED}, pair;
    MPI_Comm comms[4], dups[4], half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_create_struct(2, lengths, places, parts, &pair);
    MPI_Type_create_resized(pair, 0, sizeof(Affine), &affine);
    MPI_Type_commit(&affine);
    MPI_Op_create(compose_all, 0, &compose);
    split = (ranks + 1) / 2;
    low = me < split;
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, low, me, &half);
    comms[2] = comms[3] = MPI_COMM_SELF;
    if (ranks > 1) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? split : 0, 5, &comms[2]);
        MPI_Comm_dup(comms[2], &comms[3]);
    }
    for (int i = 0; i < 4; i++)
        MPI_Comm_dup(comms[i], &dups[i]);
    random_state = argc > 1 ? (unsigned long)atol(argv[1]) : 1;
    for (step = 0; step < STEPS; step++) {
        int which = draw(4);
        use(comms[which], dups[which]);
        check_step();
    }
    MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("failures: %d\n", all);
    for (int i = 0; i < 4; i++)
        MPI_Comm_free(&dups[i]);
    for (int i = 1; i < (ranks > 1 ? 4 : 2); i++)
        MPI_Comm_free(&comms[i]);
    MPI_Comm_free(&half);
    MPI_Type_free(&pair);
    MPI_Type_free(&affine);
    MPI_Op_free(&compose);
    MPI_Finalize();
    return 0;
}
