/* choice_polls.c - polls as choices. The first poll of a call is one. In a loop that waits by polling, a late result
 * counts as if the first poll had found it. */
#include "mpi/core/call.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/p2p/p2p.h"
#include "mpi/watch/choices.h"

/* Whether the function asks for something that may not have come yet. */
bool mpi_choices_is_poll(uint32_t function)
{
    switch (function) {
    case MPI_FUNCTION_Iprobe:
    case MPI_FUNCTION_Improbe:
    case MPI_FUNCTION_Test:
    case MPI_FUNCTION_Testall:
    case MPI_FUNCTION_Testany:
    case MPI_FUNCTION_Testsome:
    case MPI_FUNCTION_Request_get_status:
    case MPI_FUNCTION_Request_get_status_all:
    case MPI_FUNCTION_Request_get_status_any:
    case MPI_FUNCTION_Request_get_status_some:
    case MPI_FUNCTION_Parrived: return true;
    default: return false;
    }
}

MpiDrySite *mpi_choices_dry_site(const MpiChooser *chooser, uint32_t pc, uint32_t function)
{
    for (guint i = 0; chooser->dry && i < chooser->dry->len; i++) {
        MpiDrySite *site = &g_array_index(chooser->dry, MpiDrySite, i);
        if (site->pc == pc && site->function == function)
            return site;
    }
    return NULL;
}

/* The poll is a choice if it is the first one of its call since the rank last did something else. */
int64_t mpi_choice_poll_begin(MpiCall *call, MpiChooser *chooser, MpiChoiceSort sort)
{
    MpiDrySite *site = mpi_choices_dry_site(chooser, call->pc, call->function);
    chooser->last_poll_pc = call->pc;
    chooser->last_poll = call->function;
    chooser->now_number = 0;
    if (site) {
        bool dry = site->forced && site->polls++ < MPI_DRY_POLLS;
        return dry ? MPI_CHOICE_NOTHING : MPI_CHOICE_FREE;
    }
    int64_t forced = mpi_choice_next_forced(chooser, sort);
    chooser->now_number = chooser->number;
    if (!chooser->dry)
        chooser->dry = g_array_new(FALSE, FALSE, sizeof(MpiDrySite));
    MpiDrySite fresh = {.pc = call->pc, .function = call->function, .polls = 1, .forced = forced == MPI_CHOICE_NOTHING};
    g_array_append_val(chooser->dry, fresh);
    return forced;
}

/* In a loop that waits, it makes no difference when something is found. So a late result becomes the choice of the
 * loop's first poll. */
static void find_late(MpiChooser *chooser, MpiDrySite *site, const MpiMessage *message, int64_t taken)
{
    MpiDecision *decision = site->decision;
    GPtrArray *made = chooser->choices->made;
    if (!site->waits || !decision || decision->taken != MPI_CHOICE_NOTHING)
        return;
    decision->taken = taken;
    decision->poll = false;
    if (message)
        mpi_choice_note_message(decision, message);
    for (guint i = decision->others ? decision->others->len : 0; i-- > 0;)
        if (g_array_index(decision->others, MpiOther, i).taken == taken)
            g_array_remove_index(decision->others, i);
    mpi_clock_merge(&decision->clock, chooser->clock);
    decision->tick.seen = mpi_choices_see(chooser);
    g_ptr_array_remove(made, decision);
    g_ptr_array_add(made, decision);
}

/* Called when the poll has been answered. `decision` is the choice that it was; NULL if it was none or choices are not
 * kept. */
void mpi_choice_poll_over(const MpiCall *call, MpiChooser *chooser, MpiDecision *decision, const MpiMessage *message,
                          int64_t taken)
{
    MpiDrySite *site = mpi_choices_dry_site(chooser, call->pc, call->function);
    if (taken == MPI_CHOICE_NOTHING) {
        if (site && decision)
            site->decision = decision;
        return;
    }
    if (site && !decision)
        find_late(chooser, site, message, taken);
    if (chooser->dry)
        g_array_set_size(chooser->dry, 0);
}

/* -- other calls ------------------------------------------------------------------------------- */

/* The rank does something else than poll, so the next polls are first ones again. */
static void begin_anew(MpiChooser *chooser)
{
    if (chooser->dry)
        g_array_set_size(chooser->dry, 0);
}

static void note_called(MpiWorld *world, MpiCall *call)
{
    (void)world;
    if (!mpi_choices_is_poll(call->function))
        begin_anew(mpi_chooser_of(call->rank));
}

static void note_sent_plainly(MpiWorld *world, MpiRank *rank, MpiMessage *message, MpiPlainReceive *receive)
{
    (void)world;
    (void)message;
    (void)receive;
    begin_anew(mpi_chooser_of(rank));
}

static void note_posted_plainly(MpiWorld *world, MpiRank *rank, MpiPlainReceive *receive)
{
    (void)world;
    (void)receive;
    begin_anew(mpi_chooser_of(rank));
}

void mpi_choice_poll_hooks(MpiHooks *hooks)
{
    hooks->called = note_called;
    hooks->sent_plainly = note_sent_plainly;
    hooks->posted_plainly = note_posted_plainly;
}
