/* races.c - reports receives and probes from any source that could have matched another message, as findings.
 *
 * A source location is reported once for each rank, with its first occurrence. */
#include "mpi/core/findings.h"
#include "mpi/core/places.h"
#include "mpi/core/world.h"
#include "mpi/watch/choices.h"

enum { MOST_OTHERS = 4 };

static void append_sender(GString *out, const MpiWorld *world, uint32_t sender, uint32_t pc)
{
    g_string_append_printf(out, "rank %u (sent at ", sender);
    mpi_append_place(out, world->ranks[sender].process, pc);
    g_string_append_c(out, ')');
}

static void append_others(GString *out, const MpiDecision *decision)
{
    const MpiWorld *world = decision->chooser->rank->world;
    guint shown = 0;
    for (guint i = 0; i < decision->others->len; i++) {
        const MpiOther *other = &g_array_index(decision->others, MpiOther, i);
        if (!other->message || shown++ >= MOST_OTHERS)
            continue;
        g_string_append(out, shown > 1 ? ", of " : "");
        append_sender(out, world, other->sender, other->sender_pc);
    }
    if (shown > MOST_OTHERS)
        g_string_append_printf(out, " and of %u more ranks", shown - MOST_OTHERS);
}

static bool has_rival(const MpiDecision *decision)
{
    for (guint i = 0; decision->others && i < decision->others->len; i++)
        if (g_array_index(decision->others, MpiOther, i).message)
            return true;
    return false;
}

void mpi_race_tell(const MpiDecision *decision)
{
    MpiRank *rank = decision->chooser->rank;
    if (!has_rival(decision) || decision->taken == MPI_CHOICE_NOTHING)
        return;
    g_autoptr(GString) what = g_string_new(decision->call);
    g_string_append(what, " from any source at ");
    mpi_append_place(what, rank->process, decision->pc);
    g_string_append(what, " is a race: messages that nothing orders can match it");
    g_autoptr(GString) detail = g_string_new("it took the message of ");
    append_sender(detail, rank->world, decision->sender, decision->sender_pc);
    g_string_append(detail, "; first could also have come that of ");
    append_others(detail, decision);
    mpi_finding_add_at(rank, MPI_CHECK_RACES, 0, decision->entered_ps, what->str, detail->str,
                       "name the source or a tag where the order matters; `orrery explore` runs the other orders");
}
