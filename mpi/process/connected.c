/* connected.c - which processes are connected (MPI-4.1 section 11.10.4), and what follows from that: MPI_Finalize waits
 * for those who are, MPI_Abort ends them.
 *
 *      world ---- bond ---- world        island: worlds that are connected by bonds, directly or through others
 *        |
 *      bond ---- world                   world (another island)
 *
 * Processes that were started together are connected, so the worlds are what a search visits. A *bond* between worlds
 * is a communicator with members of several. It is there until all members have called MPI_Comm_disconnect;
 * MPI_Comm_free leaves it for ever. Runs in which nobody has come have one world and no bonds.
 *
 * A bond that comes joins islands, the smaller ones going to the largest. When a bond between two worlds goes, a search
 * from each goes on in turns until they meet or one has found its whole island: so a process that lets ten thousand
 * others go has not looked through all of them each time. */
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/process.h"

typedef struct Land Land;

typedef struct Island {
    GPtrArray *lands;
    uint64_t open; /* ranks that have not come to their end */
} Island;

/* A world. */
struct Land {
    uint32_t first, size; /* its ranks */
    uint8_t *over;        /* by rank: it has come to its end */
    uint32_t open;        /* ranks that have not */
    Island *island;
    guint at;          /* index in island->lands */
    GPtrArray *bonds;  /* MpiBond */
    GPtrArray *ending; /* MpiCall: MPI_Finalize that waits */
    uint64_t seen;     /* number of the last search that has come here */
};

typedef struct Shore { /* one world of a bond */
    Land *land;
    guint at; /* index of the bond in land->bonds */
} Shore;

/* A communicator. */
typedef struct MpiBond {
    uint32_t context;
    uint32_t holders; /* members that have it */
    bool stays;       /* a member has freed it */
    GArray *shores;   /* Shore; none if all members are of one world */
} MpiBond;

struct MpiConnections {
    GHashTable *lands;  /* first rank -> Land; never iterated */
    GHashTable *bonds;  /* context -> MpiBond; never iterated */
    GPtrArray *settled; /* Land, where all ranks of the island may have come to their end */
    uint64_t searches;
};

static void land_free(void *data)
{
    Land *land = data;
    g_ptr_array_remove_index_fast(land->island->lands, 0); /* which one does not matter any more */
    if (!land->island->lands->len) {
        g_ptr_array_unref(land->island->lands);
        g_free(land->island);
    }
    g_ptr_array_unref(land->bonds);
    g_ptr_array_unref(land->ending);
    g_free(land->over);
    g_free(land);
}

static void bond_free(void *data)
{
    MpiBond *bond = data;
    g_array_unref(bond->shores);
    g_free(bond);
}

void mpi_connected_free(MpiConnections *connections)
{
    if (!connections)
        return;
    g_hash_table_unref(connections->bonds);
    g_hash_table_unref(connections->lands);
    g_ptr_array_unref(connections->settled);
    g_free(connections);
}

static MpiConnections *connections_of(MpiUniverse *universe)
{
    if (universe->connections)
        return universe->connections;
    MpiConnections *connections = universe->connections = g_new0(MpiConnections, 1);
    connections->lands = g_hash_table_new_full(NULL, NULL, NULL, land_free);
    connections->bonds = g_hash_table_new_full(NULL, NULL, NULL, bond_free);
    connections->settled = g_ptr_array_new();
    return connections;
}

/* -- worlds ---------------------------------------------------------------------------------------------- */

/* The first rank of the world that a rank is in; *size: how many ranks that has. */
static uint32_t world_of(const MpiWorld *world, uint32_t rank, uint32_t *size)
{
    const MpiProcess *process = mpi_rank_slot(&world->ranks[rank], MPI_RANK_SLOT_PROCESS);
    const MpiGroup *children = process && process->origin ? process->origin->children : NULL;
    *size = children ? children->size : world->n_first;
    return children ? mpi_group_world_rank(children, 0) : 0;
}

static Land *known_land(const MpiWorld *world, const MpiConnections *connections, uint32_t rank)
{
    uint32_t size;
    return connections ? g_hash_table_lookup(connections->lands, GUINT_TO_POINTER(world_of(world, rank, &size))) : NULL;
}

static bool is_gone(const MpiRank *rank)
{
    return rank->exited || rank->failed || rank->state == MPI_RANK_FINALIZED;
}

static Island *island_new(void)
{
    Island *island = g_new0(Island, 1);
    island->lands = g_ptr_array_new();
    return island;
}

static void settle_on(Land *land, Island *island)
{
    land->island = island;
    land->at = island->lands->len;
    g_ptr_array_add(island->lands, land);
    island->open += land->open;
}

/* Takes a world out of its island; the caller gives it another one. */
static void leave_island(Land *land)
{
    GPtrArray *lands = land->island->lands;
    land->island->open -= land->open;
    g_ptr_array_remove_index_fast(lands, land->at);
    if (land->at < lands->len)
        ((Land *)lands->pdata[land->at])->at = land->at;
}

static Land *land_of(const MpiWorld *world, MpiConnections *connections, uint32_t rank)
{
    uint32_t size, first = world_of(world, rank, &size);
    Land *land = g_hash_table_lookup(connections->lands, GUINT_TO_POINTER(first));
    if (land)
        return land;
    land = g_new0(Land, 1);
    *land = (Land){.first = first, .size = size, .over = g_malloc0(size)};
    land->bonds = g_ptr_array_new();
    land->ending = g_ptr_array_new();
    for (uint32_t i = 0; i < size; i++) {
        land->over[i] = is_gone(&world->ranks[first + i]);
        land->open += !land->over[i];
    }
    settle_on(land, island_new());
    g_hash_table_insert(connections->lands, GUINT_TO_POINTER(first), land);
    return land;
}

/* -- bonds --------------------------------------------------------------------------------------------- */

static void unite(Island *from, Island *to)
{
    for (guint i = 0; i < from->lands->len; i++)
        settle_on(from->lands->pdata[i], to);
    g_ptr_array_unref(from->lands);
    g_free(from);
}

static void add_shores(MpiBond *bond, const MpiWorld *world, MpiConnections *connections, const MpiGroup *group)
{
    for (uint32_t i = 0; i < group->size; i++) {
        Land *land = land_of(world, connections, mpi_group_world_rank(group, i));
        if (land->seen == connections->searches)
            continue;
        land->seen = connections->searches;
        g_array_append_val(bond->shores, ((Shore){land, 0}));
    }
}

/* Joins the islands of a new bond's worlds. */
static void tie(MpiBond *bond)
{
    for (guint i = 0; i < bond->shores->len; i++) {
        Shore *shore = &g_array_index(bond->shores, Shore, i);
        Island *first = g_array_index(bond->shores, Shore, 0).land->island, *other = shore->land->island;
        shore->at = shore->land->bonds->len;
        g_ptr_array_add(shore->land->bonds, bond);
        if (first == other)
            continue;
        if (first->lands->len < other->lands->len)
            unite(first, other);
        else
            unite(other, first);
    }
}

void mpi_connected_made(const MpiComm *comm)
{
    const MpiWorld *world = comm->owner->world;
    MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    if (!universe)
        return;
    MpiConnections *connections = connections_of(universe);
    MpiBond *bond = g_hash_table_lookup(connections->bonds, GUINT_TO_POINTER(comm->context));
    if (bond) {
        bond->holders++;
        return;
    }
    bond = g_new(MpiBond, 1);
    *bond = (MpiBond){.context = comm->context, .holders = 1, .shores = g_array_new(FALSE, FALSE, sizeof(Shore))};
    g_hash_table_insert(connections->bonds, GUINT_TO_POINTER(comm->context), bond);
    connections->searches++;
    add_shores(bond, world, connections, comm->group);
    if (comm->inter)
        add_shores(bond, world, connections, comm->inter->remote);
    if (bond->shores->len < 2)
        g_array_set_size(bond->shores, 0);
    tie(bond);
}

/* -- searching ------------------------------------------------------------------------------------------ */

/* A search for the worlds that are connected with one of them, a step at a time. */
typedef struct Search {
    uint64_t number;
    GPtrArray *found;        /* Land, in the order of finding */
    guint land, bond, shore; /* where it looks next: at a world of `found`, one of its bonds, one end of that */
} Search;

static void find(Search *search, Land *land)
{
    land->seen = search->number;
    g_ptr_array_add(search->found, land);
}

static void search_begin(Search *search, MpiConnections *connections, Land *from)
{
    *search = (Search){.number = ++connections->searches, .found = g_ptr_array_new()};
    find(search, from);
}

/* Returns the world at the end of the next bond; NULL: there is none. */
static Land *search_next(Search *search)
{
    while (search->land < search->found->len) {
        const Land *land = search->found->pdata[search->land];
        const MpiBond *bond = search->bond < land->bonds->len ? land->bonds->pdata[search->bond] : NULL;
        if (bond && search->shore < bond->shores->len)
            return g_array_index(bond->shores, Shore, search->shore++).land;
        search->shore = 0;
        search->bond = bond ? search->bond + 1 : 0;
        search->land += !bond;
    }
    return NULL;
}

/* Notes that the island of a world may have come to its end. */
static void settled(MpiConnections *connections, Land *land)
{
    if (!land->island->open)
        g_ptr_array_add(connections->settled, land);
}

/* Gives the worlds that a search has found an island of their own. */
static void set_apart(MpiConnections *connections, const Search *search)
{
    Island *before = ((Land *)search->found->pdata[0])->island, *apart = island_new();
    if (search->found->len == before->lands->len) {
        g_ptr_array_unref(apart->lands);
        g_free(apart);
        settled(connections, search->found->pdata[0]);
        return;
    }
    for (guint i = 0; i < search->found->len; i++) {
        leave_island(search->found->pdata[i]);
        settle_on(search->found->pdata[i], apart);
    }
    settled(connections, search->found->pdata[0]);
    settled(connections, before->lands->pdata[0]);
}

/* The bond between two worlds is gone: searches from both until they meet, or one comes to its end. */
static void part_two(MpiConnections *connections, Land *a, Land *b)
{
    Search searches[2];
    search_begin(&searches[0], connections, a);
    search_begin(&searches[1], connections, b);
    bool met = false;
    for (int turn = 0; !met; turn = !turn) {
        Land *next = search_next(&searches[turn]);
        if (!next) {
            set_apart(connections, &searches[turn]);
            break;
        }
        met = next->seen == searches[!turn].number;
        if (!met && next->seen != searches[turn].number)
            find(&searches[turn], next);
    }
    g_ptr_array_unref(searches[0].found);
    g_ptr_array_unref(searches[1].found);
}

/* A bond between many worlds is gone: looks through the whole of what each of them is connected with now. */
static void part_many(MpiConnections *connections, const GArray *shores)
{
    uint64_t before = connections->searches;
    for (guint i = 0; i < shores->len; i++) {
        Land *from = g_array_index(shores, Shore, i).land, *next;
        if (from->seen > before)
            continue;
        Search search;
        search_begin(&search, connections, from);
        while ((next = search_next(&search)))
            if (next->seen != search.number)
                find(&search, next);
        set_apart(connections, &search);
        g_ptr_array_unref(search.found);
    }
}

static void untie(const MpiBond *bond)
{
    for (guint i = 0; i < bond->shores->len; i++) {
        const Shore *shore = &g_array_index(bond->shores, Shore, i);
        GPtrArray *bonds = shore->land->bonds;
        g_ptr_array_remove_index_fast(bonds, shore->at);
        if (shore->at == bonds->len)
            continue;
        const MpiBond *moved = bonds->pdata[shore->at];
        guint k = 0;
        while (g_array_index(moved->shores, Shore, k).land != shore->land)
            k++;
        g_array_index(moved->shores, Shore, k).at = shore->at;
    }
}

void mpi_connected_left(const MpiCall *call, const MpiComm *comm)
{
    const MpiUniverse *universe = mpi_world_slot(call->world, MPI_SLOT_UNIVERSE);
    MpiConnections *connections = universe ? universe->connections : NULL;
    MpiBond *bond = connections ? g_hash_table_lookup(connections->bonds, GUINT_TO_POINTER(comm->context)) : NULL;
    if (!bond)
        return;
    bond->stays = bond->stays || (call->function != MPI_FUNCTION_Comm_disconnect && bond->shores->len);
    if (--bond->holders || bond->stays)
        return;
    untie(bond);
    if (bond->shores->len == 2)
        part_two(connections, g_array_index(bond->shores, Shore, 0).land, g_array_index(bond->shores, Shore, 1).land);
    else
        part_many(connections, bond->shores);
    g_hash_table_remove(connections->bonds, GUINT_TO_POINTER(comm->context));
    mpi_connected_look(call->world, call->now);
}

/* -- MPI_Abort ------------------------------------------------------------------------------------------- */

uint8_t *mpi_world_connected(const MpiWorld *world, uint32_t rank)
{
    const MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    const MpiConnections *connections = universe ? universe->connections : NULL;
    const Land *land = known_land(world, connections, rank);
    uint8_t *marked = g_malloc0(world->n_ranks);
    uint32_t size, own = world_of(world, rank, &size);
    bool others = false;
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        const Land *its = known_land(world, connections, i);
        marked[i] = land && its ? its->island == land->island : world_of(world, i, &size) == own;
        others = others || (!marked[i] && !world->ranks[i].exited);
    }
    if (others)
        return marked;
    g_free(marked);
    return NULL;
}

/* -- MPI_Finalize --------------------------------------------------------------------------------------- */

void mpi_connected_over(MpiWorld *world, uint32_t rank)
{
    const MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    MpiConnections *connections = universe ? universe->connections : NULL;
    Land *land = known_land(world, connections, rank);
    if (!land || land->over[rank - land->first])
        return;
    land->over[rank - land->first] = 1;
    land->open--;
    land->island->open--;
    settled(connections, land);
}

/* room[0] is the time of coming. */
static gint by_coming(gconstpointer a, gconstpointer b)
{
    const MpiCall *one = *(MpiCall *const *)a, *other = *(MpiCall *const *)b;
    return one->room[0] < other->room[0] ? -1 : one->room[0] > other->room[0];
}

/* Moves the calls that wait for the island's end. */
static void take_calls(const Island *island, GPtrArray *calls)
{
    for (guint i = 0; i < island->lands->len; i++) {
        GPtrArray *ending = ((const Land *)island->lands->pdata[i])->ending;
        for (guint k = 0; k < ending->len; k++)
            g_ptr_array_add(calls, ending->pdata[k]);
        g_ptr_array_set_size(ending, 0);
    }
}

static void let_end(MpiCall *call, uint64_t time_ps)
{
    if (call->rank->failed)
        return;
    call->engine.waiting = 0;
    mpi_call_advance(call, time_ps);
    mpi_call_settle(call);
}

bool mpi_connected_look(MpiWorld *world, uint64_t time_ps)
{
    const MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    MpiConnections *connections = universe ? universe->connections : NULL;
    if (!connections || !connections->settled->len)
        return false;
    g_autoptr(GPtrArray) calls = g_ptr_array_new();
    for (guint i = 0; i < connections->settled->len; i++) {
        const Island *island = ((const Land *)connections->settled->pdata[i])->island;
        if (!island->open)
            take_calls(island, calls);
    }
    g_ptr_array_set_size(connections->settled, 0);
    g_ptr_array_sort(calls, by_coming);
    for (guint i = 0; i < calls->len; i++)
        let_end(calls->pdata[i], time_ps);
    return calls->len > 0;
}

MpiStep mpi_process_end(MpiCall *call, MpiHandler then)
{
    MpiUniverse *universe = mpi_world_slot(call->world, MPI_SLOT_UNIVERSE);
    if (!universe || !universe->listens)
        return then(call);
    const Land *land = land_of(call->world, connections_of(universe), call->rank->index);
    mpi_connected_over(call->world, call->rank->index);
    mpi_connected_look(call->world, call->now);
    if (!land->island->open)
        return then(call);
    call->room[0] = universe->connections->searches++; /* in the order of coming */
    g_ptr_array_add(land->ending, call);
    call->engine.waiting = 1;
    return mpi_call_block(call, then);
}
