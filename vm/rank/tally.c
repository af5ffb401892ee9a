/* tally.c - counters of what a rank does, which can be set back to an instant that is known only later.
 *
 * A rank runs ahead of the others. How far depends on the quantum and on threads. If the run ends before the rank's
 * clock, for instance by a fault of another rank, then what the rank has done since never happened and must not be
 * counted. So each count is noted with its time until that time is past for all:
 *
 *     settled up to here                 clock
 *     -----------|--c--cc---c--c-cc--c-----|          cut at T: the counters are taken back for each c behind T
 *                       T
 *
 * There are few notes, because ranks that count run ahead by little (machine/run/build.c).
 */
#include "vm/rank/rank.h"

typedef struct Note {
    uint64_t time_ps;
    uint64_t *counter;
} Note;

struct VmTally {
    GArray *notes; /* notes of counts, ordered by time */
    bool closed;   /* the tally was cut: what is done now never happened */
};

void vm_tally_begin(VmRank *rank)
{
    if (rank->tally)
        return;
    rank->tally = g_new0(VmTally, 1);
    rank->tally->notes = g_array_new(FALSE, FALSE, sizeof(Note));
}

void vm_tally_count(VmRank *rank, uint64_t *counter)
{
    VmTally *tally = rank->tally;
    if (tally && tally->closed)
        return;
    ++*counter;
    if (!tally)
        return;
    Note note = {.time_ps = vm_clock_now(&rank->clock), .counter = counter};
    guint at = tally->notes->len; /* threads of a rank do not come in the order of time */
    while (at && G_UNLIKELY(g_array_index(tally->notes, Note, at - 1).time_ps > note.time_ps))
        at--;
    g_array_insert_val(tally->notes, at, note);
}

/* Number of notes whose time is not later than time_ps. */
static guint notes_until(const GArray *notes, uint64_t time_ps)
{
    guint low = 0, high = notes->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(notes, Note, middle).time_ps <= time_ps)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void vm_rank_settle(VmRank *rank, uint64_t time_ps)
{
    GArray *notes = rank->tally ? rank->tally->notes : NULL;
    if (rank->meter)
        vm_meter_settle(rank->meter, time_ps);
    if (notes && notes->len)
        g_array_remove_range(notes, 0, notes_until(notes, time_ps));
}

void vm_rank_cut(VmRank *rank, uint64_t time_ps)
{
    VmTally *tally = rank->tally;
    if (rank->meter)
        vm_meter_cut(rank->meter, time_ps);
    if (!tally || tally->closed)
        return;
    for (guint i = notes_until(tally->notes, time_ps); i < tally->notes->len; i++)
        --*g_array_index(tally->notes, Note, i).counter;
    g_array_set_size(tally->notes, 0);
    tally->closed = true;
}

void vm_tally_free(VmRank *rank)
{
    if (rank->tally)
        g_array_unref(rank->tally->notes);
    g_clear_pointer(&rank->tally, g_free);
}
