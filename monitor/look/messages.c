/* messages.c - what ranks have in MPI and in the network now: queues, waits, findings, load.
 *
 * What MPI is asked for here it may have to write in a longer form first. So it is asked in a copy of the simulator:
 * looking changes nothing. */
#include "base/units.h"
#include "monitor/expression/expression.h"
#include "monitor/look.h"
#include "monitor/look/track.h"
#include "netsim/netsim.h"

#include <string.h>

typedef struct Question {
    Machine *machine;
    const MonRankSet *ranks;
    uint32_t rank;
    const MonTracker *tracker;
} Question;

/* Asks in a copy. What goes wrong there is the answer. */
static void ask(bool (*work)(void *user, GString *out, GError **error), Question *question, GString *out)
{
    g_autoptr(GError) error = NULL;
    if (!mon_expression_in_copy(work, question, out, &error))
        g_string_append_printf(out, "%s\n", error->message);
}

/* -- queues ------------------------------------------------------------------------------------ */

static void append_time(const char *before, uint64_t ps, GString *out)
{
    g_autofree char *text = base_units_format_time(ps);
    g_string_append_printf(out, "%s%s", before, text);
}

static void append_tag(const MpiQueued *queued, GString *out)
{
    if (queued->collective)
        g_string_append(out, ", a step of a collective");
    else if (queued->any_tag)
        g_string_append(out, ", any tag");
    else
        g_string_append_printf(out, ", tag %d", queued->tag);
    g_string_append_printf(out, ", %s", queued->comm);
}

/* The way that the message takes, and how long that would take on an idle network. */
static void append_way(Machine *machine, const MpiQueued *queued, GString *out)
{
    enum { MOST = 16 };
    uint32_t links[MOST], from = mach_run_node_of(machine, queued->from), to = mach_run_node_of(machine, queued->rank);
    const Network *net = mach_run_network(machine);
    if (from == to) {
        g_string_append(out, ", within its node");
        return;
    }
    uint32_t n = net_link_channels(net) > 0 ? net_route(net, from, to, links, MOST) : 0;
    for (uint32_t i = 0; i < MIN(n, MOST); i++) {
        g_autofree char *first = net_vertex_name(net, net_link(net, links[i])->from);
        g_autofree char *next = net_vertex_name(net, net_link(net, links[i])->to);
        g_string_append_printf(out, i ? " > %s" : ", by %s > %s", i ? next : first, next);
        if (net_link(net, links[i])->failed)
            g_string_append(out, " (failed)");
    }
    if (n > MOST)
        g_string_append(out, " > ...");
    if (net_zero_load_is_known(net))
        append_time("; alone it takes ", net_zero_load_ps(net, from, to, queued->bytes), out);
}

static void append_link(const Network *net, uint32_t link, GString *out)
{
    g_autofree char *from = net_vertex_name(net, net_link(net, link)->from);
    g_autofree char *to = net_vertex_name(net, net_link(net, link)->to);
    g_string_append_printf(out, "%s > %s", from, to);
}

/* Says which message holds the next link now, if another one does. */
static void append_holder(const Question *question, uint32_t link, uint64_t message, GString *out)
{
    const MonPassing *holder = mon_look_tracked_link(question->tracker, link);
    if (!holder || holder->message == message || holder->left_ps <= mach_run_now(question->machine))
        return;
    g_string_append(out, ", blocked: ");
    append_link(mach_run_network(question->machine), link, out);
    g_string_append_printf(out, " is held by a message of rank %u", holder->from);
    append_time(" until ", holder->left_ps, out);
}

/* Where the message is: on the link that its header got last, or behind it. The network computes ahead of what has
 * taken effect, so that a passage may lie in the future. */
static void append_hop(const Question *question, const MpiQueued *queued, GString *out)
{
    enum { MOST = 64 };
    Machine *machine = question->machine;
    const Network *net = mach_run_network(machine);
    uint32_t links[MOST], from = mach_run_node_of(machine, queued->from), to = mach_run_node_of(machine, queued->rank);
    uint32_t n = from != to && net_link_channels(net) > 0 ? net_route(net, from, to, links, MOST) : 0;
    const MonPassing *at = mon_look_tracked(question->tracker, queued->id);
    uint64_t now = mach_run_now(machine);
    if (!question->tracker || n == 0 || n > MOST)
        return;
    if (!at) {
        g_string_append(out, "; on no link yet");
        append_holder(question, links[0], queued->id, out);
        return;
    }
    bool waits = at->got_ps > now;
    g_string_append_printf(out, waits ? "; before hop %u of %u, waits for " : "; at hop %u of %u, ", at->hop + 1, n);
    append_link(net, at->link, out);
    if (waits)
        append_time(" until ", at->got_ps, out);
    else if (at->got_ps > at->asked_ps)
        append_time(", got after ", at->got_ps - at->asked_ps, out);
    if (at->behind != UINT32_MAX)
        g_string_append_printf(out, " behind a message of rank %u", at->behind);
    if (at->reached_ps <= now && at->hop + 1 < n)
        append_holder(question, links[at->hop + 1], queued->id, out);
}

static void append_queued(const Question *question, const MpiQueued *queued, GString *out)
{
    Machine *machine = question->machine;
    static const char *const words[] = {"posted", "unexpected", "on its way"};
    g_string_append_printf(out, "  %-10s  from ", words[queued->sort]);
    if (queued->from == UINT32_MAX)
        g_string_append(out, "any");
    else
        g_string_append_printf(out, "%u", queued->from);
    append_tag(queued, out);
    g_string_append_printf(out, ", %s%" G_GUINT64_FORMAT " bytes", queued->sort == MPI_QUEUED_POSTED ? "up to " : "",
                           queued->bytes);
    g_string_append_printf(out, ": %s", queued->call);
    if (queued->rendezvous)
        g_string_append(out, ", its data wait for the receive");
    if (queued->claimed)
        g_string_append(out, ", claimed by a probe");
    if (queued->sort == MPI_QUEUED_UNDER_WAY) {
        if (queued->since_ps > 0 && queued->since_ps <= mach_run_now(machine))
            append_time(", for ", mach_run_now(machine) - queued->since_ps, out);
        append_way(machine, queued, out);
        append_hop(question, queued, out);
    }
    g_string_append_c(out, '\n');
}

static bool tell_queues(void *user, GString *out, GError **error)
{
    const Question *question = user;
    uint32_t before = UINT32_MAX;
    (void)error;
    g_autoptr(GArray) all = mpi_world_queued(mach_run_mpi(question->machine));
    for (guint i = 0; i < all->len; i++) {
        const MpiQueued *queued = &g_array_index(all, MpiQueued, i);
        if (!mon_ranks_has(question->ranks, queued->rank))
            continue;
        if (queued->rank != before)
            g_string_append_printf(out, "rank %u\n", queued->rank);
        before = queued->rank;
        append_queued(question, queued, out);
    }
    if (before == UINT32_MAX)
        g_string_append(out, "no message waits or is on its way, and no receive is posted\n");
    return true;
}

void mon_look_queues(Machine *machine, const MonTracker *tracker, const MonRankSet *ranks, GString *out)
{
    ask(tell_queues, &(Question){.machine = machine, .ranks = ranks, .tracker = tracker}, out);
}

/* -- waits ------------------------------------------------------------------------------------- */

static bool tell_why(void *user, GString *out, GError **error)
{
    const Question *question = user;
    (void)error;
    if (!mpi_world_why(mach_run_mpi(question->machine), question->rank, out))
        g_string_append_printf(out, "rank %u does not wait in MPI\n", question->rank);
    return true;
}

void mon_look_why(Machine *machine, uint32_t rank, GString *out)
{
    ask(tell_why, &(Question){.machine = machine, .rank = rank}, out);
}

static bool tell_waits(void *user, GString *out, GError **error)
{
    const Question *question = user;
    (void)error;
    if (!mpi_world_waits_for(mach_run_mpi(question->machine), out))
        g_string_append(out, "no rank waits in MPI\n");
    return true;
}

void mon_look_waits(Machine *machine, GString *out)
{
    ask(tell_waits, &(Question){.machine = machine}, out);
}

/* -- findings ---------------------------------------------------------------------------------- */

static bool tell_findings(void *user, GString *out, GError **error)
{
    const Question *question = user;
    size_t count = 0;
    (void)error;
    const MpiFinding *findings =
        mpi_world_findings(mach_run_mpi(question->machine), false, mach_run_now(question->machine), &count);
    for (size_t i = 0; i < count; i++) {
        g_autoptr(MonRankSet) ranks = mon_ranks_new();
        for (uint32_t k = 0; k < findings[i].n_ranks; k++)
            mon_ranks_add(ranks, findings[i].ranks[k], findings[i].ranks[k]);
        mon_ranks_append(ranks, out);
        g_string_append_printf(out, ": %s%s%s\n", findings[i].what, findings[i].detail ? ": " : "",
                               findings[i].detail ? findings[i].detail : "");
        if (findings[i].fix)
            g_string_append_printf(out, "  to mend it: %s\n", findings[i].fix);
    }
    if (count == 0)
        g_string_append(out, "no check has found anything so far (--check switches more of them on)\n");
    return true;
}

void mon_look_findings(Machine *machine, GString *out)
{
    ask(tell_findings, &(Question){.machine = machine}, out);
}

/* -- load -------------------------------------------------------------------------------------- */

static int busier(gconstpointer a, gconstpointer b, gpointer user)
{
    const Network *net = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t p = net_link(net, x)->busy_ps, q = net_link(net, y)->busy_ps;
    return p != q ? (p > q ? -1 : 1) : x < y ? -1 : 1;
}

void mon_look_load(Machine *machine, GString *out)
{
    enum { SHOWN = 10 };
    Network *net = mach_run_network(machine);
    uint64_t now = MAX(mach_run_now(machine), 1);
    g_autoptr(GArray) links = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < net_link_count(net); i++)
        if (net_link(net, i)->bytes > 0 || net_link(net, i)->failed)
            g_array_append_val(links, i);
    g_array_sort_with_data(links, busier, net);
    append_time("until ", now, out);
    g_string_append_printf(out, ": %u of %u links have carried messages\n", links->len, net_link_count(net));
    for (guint i = 0; i < MIN(links->len, SHOWN); i++) {
        const NetLink *link = net_link(net, g_array_index(links, uint32_t, i));
        g_autofree char *from = net_vertex_name(net, link->from), *to = net_vertex_name(net, link->to);
        g_string_append_printf(out, "  %s > %s: %" G_GUINT64_FORMAT " bytes in %" G_GUINT64_FORMAT " packets", from, to,
                               link->bytes, link->packets);
        append_time(", busy ", link->busy_ps, out);
        append_time(", waited for ", link->blocked_ps, out);
        g_string_append(out, link->failed ? ", failed\n" : "\n");
    }
    if (links->len > SHOWN)
        g_string_append_printf(out, "  ... and %u less busy\n", links->len - SHOWN);
}
