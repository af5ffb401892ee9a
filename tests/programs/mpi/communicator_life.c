/* Random lives of communicators: made out of each other in every way that there is, used and freed, by ranks that come
 * late. Every rank knows the whole story, which follows from the seed, and so who must be in each communicator, and
 * where; it compares that with what it gets. Arguments: first seed, number of seeds, steps of each, and how often, of a
 * thousand times, a rank goes its own way: then the program is wrong, and may end in any way but that of a simulator
 * that fails. A story of which something is wrong is told with its seed and step; tests/communicator_life.py runs as
 * many as one likes, here and under another MPI. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 32, MOST_LIVING = 14 };

/* A group of processes, or two that talk to each other, as world ranks in order. */
typedef struct Model {
    int n[2]; /* n[1] == 0: not between groups */
    int members[2][MOST_RANKS];
    MPI_Comm comm; /* MPI_COMM_NULL: this process is not in it */
    int mark;      /* value of its attribute; 0: none */
} Model;

static Model living[MOST_LIVING + 4 * MOST_RANKS];
static int n_living, me, size, seed, step, wrong, made, n_marked, keyval, chaos;
static const char *doing;
static uint64_t story, moods; /* random numbers: the same on all ranks, and of each for itself */

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int draw(int n)
{
    if (chaos && (int)(next(&moods) % 1000) < chaos)
        return (int)(next(&moods) % (uint64_t)n);
    return (int)(next(&story) % (uint64_t)n);
}

static void expect(const char *what, int is, int should_be)
{
    if (is == should_be)
        return;
    wrong++;
    if (chaos)
        return;
    printf("seed %d, step %d, %s, rank %d: %s is %d, not %d\n", seed, step, doing, me, what, is, should_be);
    fflush(stdout);
}

/* Some ranks come late, and some look for messages meanwhile. */
static void dawdle(void)
{
    uint64_t mood = next(&moods);
    static const int turns[8] = {0, 0, 0, 3, 30, 300, 3000, 20000};
    volatile double x = 1;
    int flag;
    for (int i = turns[mood % 8]; i > 0; i--)
        x *= 1.000001;
    if (mood >> 8 & 1)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/* -- what must be -------------------------------------------------------------------------------------------- */

static int find(const Model *m, int side, int process)
{
    for (int i = 0; i < m->n[side]; i++)
        if (m->members[side][i] == process)
            return i;
    return -1;
}

/* The group of the model that this process is in; -1: none. */
static int side_of(const Model *m)
{
    return find(m, 0, me) >= 0 ? 0 : find(m, 1, me) >= 0 ? 1 : -1;
}

static Model *add(const Model *m)
{
    living[n_living] = *m;
    made++;
    return &living[n_living++];
}

static void compare_group(const char *what, MPI_Group group, const Model *m, int side)
{
    MPI_Group world;
    int n, ranks[MOST_RANKS], is[MOST_RANKS];
    MPI_Group_size(group, &n);
    expect(what, n, m->n[side]);
    for (int i = 0; i < n && i < MOST_RANKS; i++)
        ranks[i] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, n, ranks, world, is);
    for (int i = 0; i < n && i < m->n[side]; i++)
        expect("a member", is[i], m->members[side][i]);
    MPI_Group_free(&world);
}

/* Ranks, groups, a reduction, and messages to the neighbours. */
static void compare(const Model *m)
{
    int side = side_of(m), n, rank, inter, sum = 0, mine = me + 1, got = -1;
    MPI_Group group;
    expect("that this process is in it", m->comm != MPI_COMM_NULL, side >= 0);
    if (side < 0 || m->comm == MPI_COMM_NULL)
        return;
    MPI_Comm_test_inter(m->comm, &inter);
    expect("that it is between groups", inter, m->n[1] > 0);
    MPI_Comm_size(m->comm, &n);
    expect("the size", n, m->n[side]);
    MPI_Comm_rank(m->comm, &rank);
    expect("the rank", rank, find(m, side, me));
    MPI_Comm_group(m->comm, &group);
    compare_group("the size of the group", group, m, side);
    MPI_Group_free(&group);
    if (inter) {
        MPI_Comm_remote_group(m->comm, &group);
        compare_group("the size of the remote group", group, m, !side);
        MPI_Group_free(&group);
    }
    int theirs = inter ? !side : side, n_theirs = m->n[theirs], expected = 0;
    for (int i = 0; i < n_theirs; i++)
        expected += m->members[theirs][i] + 1;
    dawdle();
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, m->comm);
    expect("the sum", sum, expected);
    if (inter && (m->n[0] != m->n[1]))
        return;
    int to = inter ? rank : (rank + 1) % n, from = inter ? rank : (rank + n - 1) % n;
    MPI_Sendrecv(&mine, 1, MPI_INT, to, 3, &got, 1, MPI_INT, from, 3, m->comm, MPI_STATUS_IGNORE);
    expect("the neighbour", got, m->members[theirs][from] + 1);
}

static int copy_mark(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    n_marked++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int drop_mark(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    n_marked--;
    return MPI_SUCCESS;
}

static void compare_mark(const Model *m)
{
    void *value = NULL;
    int flag;
    if (m->comm == MPI_COMM_NULL)
        return;
    MPI_Comm_get_attr(m->comm, keyval, &value, &flag);
    expect("that it has the attribute", flag, m->mark != 0);
    if (flag)
        expect("the attribute", (int)(intptr_t)value, m->mark);
}

/* -- making ------------------------------------------------------------------------------------------------ */

/* A living communicator; `between`: 0 or 1, or -1 for either. */
static Model *choose(int between)
{
    int candidates[sizeof living / sizeof *living], n = 0;
    for (int i = 0; i < n_living; i++)
        if (between < 0 || between == (living[i].n[1] > 0))
            candidates[n++] = i;
    return n ? &living[candidates[draw(n)]] : NULL;
}

static int from_low(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(int[3])) == 0            ? 0
           : ((const int *)a)[0] != ((const int *)b)[0] ? ((const int *)a)[0] - ((const int *)b)[0]
           : ((const int *)a)[1] != ((const int *)b)[1] ? ((const int *)a)[1] - ((const int *)b)[1]
                                                        : ((const int *)a)[2] - ((const int *)b)[2];
}

static void split(Model parent)
{
    enum { COLOURS = 3 };
    int colours[2][MOST_RANKS], keys[2][MOST_RANKS], side = side_of(&parent), sort = draw(4);
    MPI_Comm comm = MPI_COMM_NULL;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < parent.n[s]; i++) {
            colours[s][i] = sort == 0 ? 0 : draw(5) ? draw(COLOURS) : MPI_UNDEFINED;
            keys[s][i] = draw(3) ? draw(5) - 2 : 0;
        }
    if (side >= 0) {
        int rank = find(&parent, side, me);
        dawdle();
        MPI_Comm_split(parent.comm, colours[side][rank], keys[side][rank], &comm);
    }
    int found = 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        Model m = {.comm = MPI_COMM_NULL};
        for (int s = 0; s < 2; s++) {
            int order[MOST_RANKS][3];
            for (int i = 0; i < parent.n[s]; i++)
                if (colours[s][i] == colour) {
                    order[m.n[s]][0] = keys[s][i];
                    order[m.n[s]][1] = i;
                    order[m.n[s]++][2] = parent.members[s][i];
                }
            qsort(order, (size_t)m.n[s], sizeof order[0], from_low);
            for (int i = 0; i < m.n[s]; i++)
                m.members[s][i] = order[i][2];
        }
        if (!m.n[0] || (parent.n[1] && !m.n[1]))
            continue;
        if (side_of(&m) >= 0) {
            m.comm = comm;
            found = 1;
        }
        compare(add(&m));
    }
    if (!found)
        expect("that there is none", comm == MPI_COMM_NULL, 1);
}

/* Some members of a group, in any order. */
static void choose_some(const Model *from, int side, Model *to, int at_least)
{
    int order[MOST_RANKS], n = from->n[side], k = at_least + draw(n - at_least + 1);
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = draw(i + 1), other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    to->n[side] = k;
    for (int i = 0; i < k; i++)
        to->members[side][i] = from->members[side][order[i]];
}

static MPI_Group group_of(const Model *m, int side)
{
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, m->n[side], m->members[side], &group);
    MPI_Group_free(&world);
    return group;
}

static void free_group(MPI_Group *group)
{
    if (*group != MPI_GROUP_EMPTY)
        MPI_Group_free(group);
}

static void create(Model parent, int by_group)
{
    Model m = {.comm = MPI_COMM_NULL};
    int side = side_of(&parent), tag = draw(3);
    choose_some(&parent, 0, &m, by_group);
    if (parent.n[1])
        choose_some(&parent, 1, &m, 0);
    int any = m.n[0] && (m.n[1] || !parent.n[1]);
    if (side >= 0 && (!by_group || side_of(&m) >= 0)) {
        MPI_Group group = group_of(&m, side);
        dawdle();
        if (by_group)
            MPI_Comm_create_group(parent.comm, group, tag, &m.comm);
        else
            MPI_Comm_create(parent.comm, group, &m.comm);
        free_group(&group);
    }
    if (any)
        compare(add(&m));
    else if (side >= 0)
        expect("that there is none", m.comm == MPI_COMM_NULL, 1);
}

static void dup(const Model *parent, int sort)
{
    Model m = *parent;
    m.comm = MPI_COMM_NULL;
    if (side_of(parent) >= 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        dawdle();
        if (sort == 0)
            MPI_Comm_dup(parent->comm, &m.comm);
        else if (sort == 1)
            MPI_Comm_dup_with_info(parent->comm, MPI_INFO_NULL, &m.comm);
        else
            MPI_Comm_idup(parent->comm, &m.comm, &request);
        if (sort == 2)
            dawdle();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    Model *copy = add(&m);
    compare(copy);
    compare_mark(copy);
}

/* Two communicators without a common process become the two groups; all know the peer's. */
static void bridge(void)
{
    Model *a = choose(0), *b = choose(0);
    for (int i = 0; i < b->n[0]; i++)
        if (find(a, 0, b->members[0][i]) >= 0)
            return;
    Model m = {.n = {a->n[0], b->n[0]}, .comm = MPI_COMM_NULL};
    memcpy(m.members[0], a->members[0], sizeof m.members[0]);
    memcpy(m.members[1], b->members[0], sizeof m.members[1]);
    int leaders[2] = {draw(a->n[0]), draw(b->n[0])}, tag = draw(3), side = side_of(&m);
    Model *peer = choose(0);
    if (find(peer, 0, a->members[0][leaders[0]]) < 0 || find(peer, 0, b->members[0][leaders[1]]) < 0)
        peer = &living[0];
    if (side >= 0) {
        const Model *local = side ? b : a, *remote = side ? a : b;
        int leads = me == local->members[0][leaders[side]];
        dawdle();
        MPI_Intercomm_create(local->comm, leaders[side], leads ? peer->comm : MPI_COMM_NULL,
                             leads ? find(peer, 0, remote->members[0][leaders[!side]]) : -77, tag, &m.comm);
    }
    compare(add(&m));
}

static void merge(const Model *parent)
{
    Model m = {.n = {parent->n[0] + parent->n[1], 0}, .comm = MPI_COMM_NULL};
    int high = draw(2), side = side_of(parent);
    memcpy(m.members[0], parent->members[high], (size_t)parent->n[high] * sizeof(int));
    memcpy(m.members[0] + parent->n[high], parent->members[!high], (size_t)parent->n[!high] * sizeof(int));
    if (side >= 0) {
        dawdle();
        MPI_Intercomm_merge(parent->comm, side != high, &m.comm);
    }
    compare(add(&m));
}

static void topology(Model parent)
{
    Model m = {.comm = MPI_COMM_NULL};
    int dims[2] = {0, 0}, periods[2] = {draw(2), draw(2)}, sort = draw(4), remain[2] = {draw(2), draw(2)};
    m.n[0] = 1 + draw(parent.n[0]);
    memcpy(m.members[0], parent.members[0], sizeof m.members[0]);
    if (sort == 3)
        m.n[0] = parent.n[0];
    MPI_Dims_create(m.n[0], 2, dims);
    int index[MOST_RANKS], edges[MOST_RANKS];
    for (int i = 0; i < m.n[0]; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % m.n[0];
    }
    if (side_of(&parent) >= 0) {
        dawdle();
        if (sort == 2) {
            MPI_Graph_create(parent.comm, m.n[0], index, edges, 0, &m.comm);
        } else if (sort == 3) {
            int rank = find(&parent, 0, me), n = m.n[0], to = (rank + 1) % n, one = 1;
            if (draw(2) + 0 * one)
                MPI_Dist_graph_create(parent.comm, 1, &rank, &one, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &m.comm);
            else {
                int from = (rank + n - 1) % n;
                MPI_Dist_graph_create_adjacent(parent.comm, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED,
                                               MPI_INFO_NULL, 0, &m.comm);
            }
        } else {
            MPI_Cart_create(parent.comm, 2, dims, periods, 0, &m.comm);
        }
    } else if (sort == 3) {
        draw(2);
    }
    Model *grid = add(&m);
    compare(grid);
    if (sort >= 2)
        return;
#ifdef MPICH_VERSION /* there, only one process gets a part without dimensions */
    remain[0] |= !remain[1];
#endif
    Model whole = *grid;
    MPI_Comm sub = MPI_COMM_NULL;
    if (whole.comm != MPI_COMM_NULL) {
        dawdle();
        MPI_Cart_sub(whole.comm, remain, &sub);
    }
    for (int x = 0; x < (remain[0] ? 1 : dims[0]); x++)
        for (int y = 0; y < (remain[1] ? 1 : dims[1]); y++) {
            Model part = {.comm = MPI_COMM_NULL};
            for (int i = 0; i < whole.n[0]; i++)
                if ((remain[0] || i / dims[1] == x) && (remain[1] || i % dims[1] == y))
                    part.members[0][part.n[0]++] = whole.members[0][i];
            if (side_of(&part) >= 0)
                part.comm = sub;
            compare(add(&part));
        }
}

static void by_machine(const Model *parent)
{
    MPI_Comm comm;
    if (side_of(parent) < 0)
        return;
    dawdle();
    MPI_Comm_split_type(parent->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}

/* -- living and dying ----------------------------------------------------------------------------------------- */

static void mark(Model *m)
{
    int value = 1 + draw(1000);
    if (m->comm != MPI_COMM_NULL) {
        MPI_Comm_set_attr(m->comm, keyval, (void *)(intptr_t)value);
        n_marked += !m->mark;
        if (m->mark)
            n_marked++; /* the old one has been dropped */
    }
    m->mark = value;
    compare_mark(m);
}

/* The first, MPI_COMM_WORLD, stays. */
static void let_go(int i, int waits)
{
    Model m = living[i];
    memmove(&living[i], &living[i + 1], (size_t)(--n_living - i) * sizeof m);
    if (m.comm == MPI_COMM_NULL)
        return;
    int before = n_marked;
    dawdle();
    if (waits)
        MPI_Comm_disconnect(&m.comm);
    else
        MPI_Comm_free(&m.comm);
    expect("that it is gone", m.comm == MPI_COMM_NULL, 1);
    expect("attributes dropped", before - n_marked, m.mark != 0);
}

/* A broadcast, or a barrier in the background. */
static void use(const Model *m)
{
    int side = side_of(m), root_side = draw(2) && m->n[1], root = draw(m->n[root_side]), value = -1;
    if (side < 0)
        return;
    dawdle();
    if (draw(2)) { /* the same on all members, and nobody else draws after this */
        MPI_Request request;
        MPI_Ibarrier(m->comm, &request);
        dawdle();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
    }
    int rank = find(m, side, me), where = !m->n[1]            ? root
                                          : side != root_side ? root
                                          : rank == root      ? MPI_ROOT
                                                              : MPI_PROC_NULL;
    if (side == root_side && rank == root)
        value = seed + step;
    MPI_Bcast(&value, 1, MPI_INT, where, m->comm);
    if (where != MPI_PROC_NULL)
        expect("what was broadcast", value, seed + step);
}

static void do_step(void)
{
    Model *m;
    uint64_t before = next(&story);
    switch (draw(14)) {
    case 0:
    case 1:
        doing = "split";
        split(*choose(-1));
        break;
    case 2:
        doing = "split between groups";
        if ((m = choose(1)))
            split(*m);
        break;
    case 3:
        doing = "create";
        create(*choose(-1), 0);
        break;
    case 4:
        doing = "create_group";
        create(*choose(0), 1);
        break;
    case 5:
        doing = "dup";
        dup(choose(-1), draw(3));
        break;
    case 6:
    case 7:
        doing = "intercomm_create";
        bridge();
        break;
    case 8:
        doing = "merge";
        if ((m = choose(1)))
            merge(m);
        break;
    case 9:
        doing = "topology";
        topology(*choose(0));
        break;
    case 10:
        doing = "split_type";
        by_machine(choose(0));
        break;
    case 11:
        doing = "set_attr";
        if (n_living > 1)
            mark(&living[1 + draw(n_living - 1)]);
        break;
    default:
        doing = "use";
        use(choose(-1));
        break;
    }
    story = before; /* whatever a rank has drawn in the step */
    next(&story);
    while (n_living > MOST_LIVING || (n_living > 1 && draw(6) == 0)) {
        doing = "free";
        let_go(1 + draw(n_living - 1), draw(3) == 0);
    }
}

static void live(int steps)
{
    story = (uint64_t)seed * 1000003 + 17;
    moods = story ^ (uint64_t)(me + 1) << 40;
    n_living = made = n_marked = 0;
    Model world = {.n = {size, 0}, .comm = MPI_COMM_WORLD};
    for (int i = 0; i < size; i++)
        world.members[0][i] = i;
    add(&world);
    MPI_Comm_create_keyval(copy_mark, drop_mark, &keyval, NULL);
    for (step = 0; step < steps; step++)
        do_step();
    while (n_living > 1)
        let_go(1 + draw(n_living - 1), 0);
    MPI_Comm_free_keyval(&keyval);
    doing = "the end";
    expect("attributes left", n_marked, 0);
    if (me == 0)
        printf("seed %d: %d communicators\n", seed, made);
}

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 1, seeds = argc > 2 ? atoi(argv[2]) : 6,
        steps = argc > 3 ? atoi(argv[3]) : 40, all;

    chaos = argc > 4 ? atoi(argv[4]) : 0;
    MPI_Init(&argc, &argv);
    if (chaos)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (seed = first; seed < first + seeds && size <= MOST_RANKS; seed++)
        live(steps);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        printf("wrong: %d\n", all);
    MPI_Finalize();
    return all != 0;
}
