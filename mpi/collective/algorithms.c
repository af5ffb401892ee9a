/* algorithms.c - the table of algorithms, and the choice of one for a collective. */
#include "mpi/collective/schedule.h"
#include "mpi/core/call.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"

static const MpiAlgorithm algorithm_rows[] = {
#define MPI_ALGORITHM(collective, name, needs, min_bytes, max_bytes, setup, round)                                     \
    {MPI_COLLECTIVE_##collective, name, needs, min_bytes, max_bytes, setup, round},
#define MPI_ALGORITHM_BETWEEN(collective, setup, round)                                                                \
    {MPI_COLLECTIVE_##collective, "between groups", MPI_ALGORITHM_INTER, 0, UINT64_MAX, setup, round},
#include "mpi/collective/algorithms.def"
};

static const char *const collective_keys[] = {
#define MPI_COLLECTIVE(name, key) key,
#include "mpi/collective/algorithms.def"
    NULL,
};

/* The list is NULL "auto" names ... NULL "auto" names ... NULL. The names of a collective start after its NULL. */
static const char *const algorithm_names[] = {
#define MPI_COLLECTIVE(name, key)                                                  NULL, "auto",
#define MPI_ALGORITHM(collective, name, needs, min_bytes, max_bytes, setup, round) name,
#include "mpi/collective/algorithms.def"
    NULL,
};

const MpiAlgorithm *mpi_algorithm_rows(size_t *count)
{
    *count = G_N_ELEMENTS(algorithm_rows);
    return algorithm_rows;
}

const char *mpi_collective_key(MpiCollective collective)
{
    return collective_keys[collective];
}

const char *const *mpi_collectives(void)
{
    return collective_keys;
}

const char *const *mpi_algorithms(const char *collective)
{
    const char *const *names = algorithm_names;
    for (int i = 0; i < MPI_COLLECTIVE_COUNT; i++) {
        g_assert(!*names);
        names++;
        if (g_str_equal(collective_keys[i], collective))
            return names;
        while (*names)
            names++;
    }
    return NULL;
}

static bool algorithm_fits(const MpiAlgorithm *row, const MpiPlan *plan)
{
    bool power = (plan->size & (plan->size - 1)) == 0;
    return (power || !(row->needs & MPI_ALGORITHM_POWER_OF_TWO)) &&
           (plan->commutative || !(row->needs & MPI_ALGORITHM_COMMUTATIVE)) &&
           (plan->multicast || !(row->needs & MPI_ALGORITHM_MULTICAST)) &&
           (plan->remote > 0) == !!(row->needs & MPI_ALGORITHM_INTER);
}

const char *mpi_rank_algorithm(const MpiRank *rank, const char *collective)
{
    GHashTable *own = mpi_rank_slot(rank, MPI_RANK_SLOT_ALGORITHMS), *all = rank->world->params.algorithms;
    const char *name = own ? g_hash_table_lookup(own, collective) : NULL;
    return name || !all ? name : g_hash_table_lookup(all, collective);
}

void mpi_rank_set_algorithm(MpiRank *rank, const char *collective, const char *name)
{
    GHashTable *own = mpi_rank_slot(rank, MPI_RANK_SLOT_ALGORITHMS);
    if (!own) {
        own = g_hash_table_new(g_str_hash, g_str_equal);
        mpi_rank_set_slot(rank, MPI_RANK_SLOT_ALGORITHMS, own, (GDestroyNotify)g_hash_table_unref);
    }
    g_hash_table_insert(own, (char *)collective, (char *)name);
}

const MpiAlgorithm *mpi_algorithm_choose(MpiCollective collective, const char *name, const MpiPlan *plan)
{
    const MpiAlgorithm *best = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(algorithm_rows); i++) {
        const MpiAlgorithm *row = &algorithm_rows[i];
        if (row->collective != collective || !algorithm_fits(row, plan))
            continue;
        if (name && g_str_equal(name, row->name))
            return row;
        if (!best && plan->bytes >= row->min_bytes && plan->bytes <= row->max_bytes)
            best = row;
    }
    g_assert(best);
    return best;
}

bool mpi_algorithm_multicasts(const char *collective, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(algorithm_rows); i++)
        if (g_str_equal(collective_keys[algorithm_rows[i].collective], collective) &&
            g_str_equal(algorithm_rows[i].name, name))
            return algorithm_rows[i].needs & MPI_ALGORITHM_MULTICAST;
    return false;
}
