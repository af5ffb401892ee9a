/* reorder.c - topologies whose processes may be placed as is best for the machine (`reorder`, MPI-3.1 section 7.5).
 *
 * Rank i of the new communicator is vertex i of the topology. MpiEnv.arrange, which knows the machine, chooses the
 * process for it. Every member would get the same answer. So the first member asks, and the others find its answer by
 * the communicator and a hash of the topology. This needs no communication: a real library would find out where its
 * processes are when it starts.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/topology/topology.h"

#include <string.h>

typedef struct Reordered { /* an answer of MpiEnv.arrange */
    uint32_t context, n;
    uint32_t first; /* world rank of the first member: disjoint groups may have the same context */
    uint64_t looks; /* hash of the topology */
    MpiGroup *group;
} Reordered;

static guint reordered_hash(gconstpointer key)
{
    const Reordered *reordered = key;
    return (guint)(reordered->looks ^ reordered->looks >> 32 ^ reordered->context ^ reordered->n ^
                   (uint64_t)reordered->first << 16);
}

static gboolean reordered_equal(gconstpointer a, gconstpointer b)
{
    const Reordered *x = a, *y = b;
    return x->context == y->context && x->n == y->n && x->looks == y->looks && x->first == y->first;
}

static void reordered_free(void *value)
{
    mpi_group_unref(((Reordered *)value)->group);
    g_free(value);
}

/* One step of FNV-1a, on a word. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static uint64_t looks_of(const MpiArrangement *a)
{
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), a->n_dims);
    for (unsigned i = 0; i < a->n_dims; i++) {
        hash = mix(hash, (uint64_t)a->dims[i] << 1 | (a->periods[i] != 0));
    }
    for (uint64_t i = 0; i < a->n_edges; i++) {
        hash = mix(hash, (uint64_t)a->edges[i].from << 32 | a->edges[i].to);
        hash = mix(hash, a->edges[i].weight);
    }
    return hash;
}

/* Returns the members in the order that is best for the machine. */
static MpiGroup *arrange(const MpiWorld *world, const MpiComm *comm, const MpiArrangement *a)
{
    const MpiEnv *env = &world->env;
    uint32_t *chosen = g_new(uint32_t, a->n);
    if (!env->arrange || !env->arrange(env->user, a, chosen)) {
        g_free(chosen);
        return mpi_topology_first_members(comm->group, a->n);
    }
    for (uint32_t i = 0; i < a->n; i++) {
        chosen[i] = mpi_group_world_rank(comm->group, chosen[i]);
    }
    return mpi_group_new(a->n, chosen);
}

MpiGroup *mpi_reorder(MpiWorld *world, const MpiComm *comm, MpiArrangement *a)
{
    enum { MOST_KEPT = 4096 };
    a->members = comm->group->ranks;
    a->n_members = comm->group->size;
    Reordered key = {
        .context = comm->context, .n = a->n, .first = mpi_group_world_rank(comm->group, 0), .looks = looks_of(a)};
    GHashTable *kept =
        mpi_slots_table(world, MPI_SLOT_REORDERED, reordered_hash, reordered_equal, NULL, reordered_free);
    Reordered *found = g_hash_table_lookup(kept, &key);
    if (!found) {
        if (g_hash_table_size(kept) >= MOST_KEPT) { /* a member that still needs a removed answer asks again */
            g_hash_table_remove_all(kept);
        }
        found = g_memdup2(&key, sizeof key);
        found->group = arrange(world, comm, a);
        g_hash_table_insert(kept, found, found);
    }
    return mpi_group_ref(found->group);
}

MpiGroup *mpi_reorder_grid(MpiWorld *world, const MpiComm *comm, const MpiTopology *cart)
{
    MpiArrangement a = {.n = (uint32_t)mpi_cart_size(cart),
                        .n_dims = (unsigned)cart->n_dims,
                        .dims = cart->dims,
                        .periods = cart->periods};
    return mpi_reorder(world, comm, &a);
}

MpiGroup *mpi_reorder_graph(MpiWorld *world, const MpiComm *comm, uint32_t n, const MpiInt32 *index,
                            const MpiInt32 *edges)
{
    uint64_t n_edges = n ? (uint64_t)index[n - 1] : 0;
    MpiWeightedEdge *list = g_new(MpiWeightedEdge, n_edges + 1);
    uint64_t next = 0;
    for (uint32_t node = 0; node < n; node++) {
        for (; next < (uint64_t)index[node]; next++) {
            list[next] = (MpiWeightedEdge){node, (uint32_t)edges[next], 1};
        }
    }
    MpiArrangement a = {.n = n, .n_edges = n_edges, .edges = list};
    MpiGroup *group = mpi_reorder(world, comm, &a);
    g_free(list);
    return group;
}
