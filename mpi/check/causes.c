/* causes.c - why a wanted message may never come: a table of causes, the most telling first.
 *
 * Each cause is a test of the state of all ranks and a piece of advice. The test looks for evidence of one mistake: a
 * persistent request that was never started, or a message in the queue whose tag differs from the awaited one. If it
 * finds evidence, it writes a sentence that names it, with the source lines of both sides. The first test that finds
 * some has the cause. Only if none does, the second table has advice about cycles of waiting ranks: a rank may wait in
 * a cycle because of a mistake elsewhere.
 *
 * Every test may look at all ranks and requests. That happens once per run, but a run may have a million ranks that all
 * wait. So there is a budget of looks, and beyond it the tests find nothing more. */
#include "mpi/check/check.h"
#include "mpi/check/waits.h"
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/matcher.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

enum { BUDGET = 1 << 24 };

struct MpiCauses {
    MpiWorld *world;
    bool ended;
    uint64_t looks;
    GPtrArray *unreceived; /* MpiMessage: user messages that lie in a queue */
};

static bool may_look(MpiCauses *causes)
{
    return causes->looks < BUDGET && ++causes->looks;
}

MpiCauses *mpi_causes_new(MpiWorld *world, bool ended)
{
    MpiCauses *causes = g_new0(MpiCauses, 1);
    causes->world = world;
    causes->ended = ended;
    causes->unreceived = g_ptr_array_new();
    for (uint32_t i = 0; i < world->n_ranks; i++)
        for (const MpiItem *item = mpi_world_rank(world, i)->matcher.oldest; item; item = item->next)
            if (!((const MpiMessage *)item)->collective)
                g_ptr_array_add(causes->unreceived, (gpointer)item);
    return causes;
}

void mpi_causes_free(MpiCauses *causes)
{
    if (!causes)
        return;
    g_ptr_array_unref(causes->unreceived);
    g_free(causes);
}

/* -- words ------------------------------------------------------------------------------------- */

static const MpiRank *rank_of(const MpiCauses *causes, int64_t rank)
{
    return mpi_world_rank(causes->world, (uint32_t)rank);
}

/* Appends for example "MPI_Send_init at x.c:6". */
static void append_made(GString *out, const MpiRequest *request)
{
    g_string_append_printf(out, "%s at ", request->made_by);
    mpi_append_place(out, request->owner->process, request->made_pc);
}

/* Appends for example ", sent at x.c:8 on MPI_COMM_WORLD". */
static void append_sent(GString *out, const MpiCauses *causes, const MpiMessage *message, bool with_comm)
{
    g_string_append(out, ", sent at ");
    mpi_append_place(out, rank_of(causes, message->from)->process, message->sent_pc);
    if (!with_comm)
        return;
    g_string_append(out, " on ");
    mpi_append_comm_context(out, rank_of(causes, message->from), message->item.key.space >> 1);
}

static void append_place_of(GString *out, const MpiWant *want)
{
    if (want->name)
        g_string_append_printf(out, "%s at ", want->name);
    mpi_append_place(out, want->rank->process, want->pc);
}

static bool tag_fits(int wanted, int tag)
{
    return wanted == MPI_ANY_TAG_ || wanted == tag;
}

static bool source_fits(int wanted, int source)
{
    return wanted == MPI_ANY_SOURCE_ || wanted == source;
}

/* -- persistent and partitioned requests ------------------------------------------------------- */

static bool is_idle(const MpiRequest *request, MpiRequestSort sort)
{
    return request->persistent && !request->active && request->sort == sort && !request->freed && request->handle;
}

static void append_idle(GString *out, const MpiRequest *request, const char *would)
{
    g_string_append_printf(out, "the request that rank %u made by ", request->owner->index);
    append_made(out, request);
    g_string_append_printf(out, " would %s, but %s", would,
                           request->started ? "has not been started again" : "was never started");
}

/* Finds a persistent send of the rank that would bring the message but was not started. */
static bool find_idle_send(MpiCauses *causes, const MpiRank *sender, const MpiWant *want, GString *out)
{
    for (const MpiRequest *request = sender->requests; request && may_look(causes); request = request->next) {
        if (!is_idle(request, MPI_REQUEST_SEND) || request->comm->context != want->context || request->peer < 0 ||
            mpi_comm_world_rank(request->comm, (uint32_t)request->peer) != want->rank->index ||
            !tag_fits(want->tag, request->tag))
            continue;
        append_idle(out, request, "send the message");
        return true;
    }
    return false;
}

static bool idle_send(MpiCauses *causes, const MpiWant *want, GString *out)
{
    if (want->peer != MPI_NOBODY)
        return find_idle_send(causes, rank_of(causes, want->peer), want, out);
    const MpiGroup *group = want->comm ? mpi_comm_peers(want->comm) : NULL;
    for (uint32_t i = 0; group && i < group->size && may_look(causes); i++)
        if (find_idle_send(causes, rank_of(causes, mpi_group_world_rank(group, i)), want, out))
            return true;
    return false;
}

static bool idle_receive(MpiCauses *causes, const MpiWant *want, GString *out)
{
    const MpiRank *receiver = rank_of(causes, want->peer);
    for (const MpiRequest *request = receiver->requests; request && may_look(causes); request = request->next) {
        if (!is_idle(request, MPI_REQUEST_RECEIVE) || request->comm->context != want->context ||
            !source_fits(request->peer, want->from) || !tag_fits(request->tag, want->tag))
            continue;
        append_idle(out, request, "receive the message");
        return true;
    }
    return false;
}

/* For a persistent collective: a member has made its request but not started it. The request has a number in the order
 * of collectives, so no member counts as missing. */
static bool idle_collective(MpiCauses *causes, const MpiWant *want, GString *out)
{
    if (!want->comm || !want->request || !want->request->persistent)
        return false;
    const MpiGroup *groups[] = {want->comm->group, want->comm->inter ? want->comm->inter->remote : NULL};
    for (size_t g = 0; g < G_N_ELEMENTS(groups) && groups[g]; g++)
        for (uint32_t i = 0; i < groups[g]->size && may_look(causes); i++) {
            const MpiRank *member = rank_of(causes, mpi_group_world_rank(groups[g], i));
            for (const MpiRequest *request = member->requests; request && may_look(causes); request = request->next) {
                if (!is_idle(request, MPI_REQUEST_COLLECTIVE) || request->comm->context != want->context ||
                    request->made_by != want->request->made_by)
                    continue;
                append_idle(out, request, "take part");
                return true;
            }
        }
    return false;
}

static bool partitions(MpiCauses *causes, const MpiWant *want, GString *out)
{
    const MpiRequest *request = want->request;
    (void)causes;
    request = request->part ? request->whole : request;
    return request->partitioned && mpi_partitioned_cause(request, out);
}

/* -- near misses: what is there is not quite what is wanted ------------------------------------ */

enum { OTHER_TAG = 1, OTHER_SOURCE = 2, OTHER_COMM = 4 };

/* Returns in what a message differs from the wanted one, as OTHER_* bits. */
static unsigned difference(const MpiWant *want, const MpiMessage *message)
{
    const MpiKey *key = &message->item.key;
    bool same_comm = key->space >> 1 == want->context;
    bool same_source = want->peer == MPI_NOBODY || want->peer == message->from;
    return (tag_fits(want->tag, key->tag) ? 0 : OTHER_TAG) | (same_source ? 0 : OTHER_SOURCE) |
           (same_comm ? 0 : OTHER_COMM);
}

static void append_wanted(GString *out, const MpiWant *want, unsigned differs)
{
    append_place_of(out, want);
    if (differs & OTHER_TAG) {
        g_string_append_printf(out, " wants tag %d: did you mean that tag?", want->tag);
    } else if (differs & OTHER_SOURCE) {
        g_string_append_printf(out, " wants one from rank %d: did you mean that source?", want->from);
    } else {
        g_string_append(out, " wants one on ");
        mpi_append_comm_context(out, want->rank, want->context);
        g_string_append(out, ": did you mean that communicator?");
    }
}

static void append_unreceived(GString *out, const MpiCauses *causes, const MpiMessage *message, bool with_comm)
{
    g_string_append_printf(out, "there is an unreceived message from rank %u with tag %d", message->from,
                           message->item.key.tag);
    append_sent(out, causes, message, with_comm || message->item.key.space >> 1 != MPI_COMM_WORLD_INDEX);
}

/* Finds a message that has come to the rank itself and differs in this one thing only. */
static bool near_message(MpiCauses *causes, const MpiWant *want, unsigned differs, GString *out)
{
    for (const MpiItem *item = want->rank->matcher.oldest; item && may_look(causes); item = item->next) {
        const MpiMessage *message = (const MpiMessage *)item;
        if (message->collective || difference(want, message) != differs)
            continue;
        append_unreceived(out, causes, message, differs == OTHER_COMM);
        g_string_append(out, "; ");
        append_wanted(out, want, differs);
        return true;
    }
    return false;
}

static bool other_tag(MpiCauses *causes, const MpiWant *want, GString *out)
{
    return near_message(causes, want, OTHER_TAG, out);
}

static bool other_source(MpiCauses *causes, const MpiWant *want, GString *out)
{
    return near_message(causes, want, OTHER_SOURCE, out);
}

static bool other_comm(MpiCauses *causes, const MpiWant *want, GString *out)
{
    return near_message(causes, want, OTHER_COMM, out);
}

/* Whether the call sends as well. */
static bool is_exchange(const MpiWant *want)
{
    return want->name && g_str_has_prefix(want->name, "MPI_Sendrecv");
}

/* Finds the wanted message elsewhere: it was sent to another rank, which has not received it. `for_good` says whether
 * to look for messages which that rank will never receive, or for the others. */
static bool find_elsewhere(MpiCauses *causes, const MpiWant *want, bool for_good, GString *out)
{
    for (guint i = 0; i < causes->unreceived->len && may_look(causes); i++) {
        const MpiMessage *message = causes->unreceived->pdata[i];
        bool never = causes->ended || message->to == message->from || mpi_waits_gone(rank_of(causes, message->to));
        if (message->to == want->rank->index || difference(want, message) || never != for_good)
            continue;
        g_string_append_printf(out, "rank %u has sent such a message to ", message->from);
        g_string_append_printf(out, message->to == message->from ? "itself at " : "rank %u at ", message->to);
        mpi_append_place(out, rank_of(causes, message->from)->process, message->sent_pc);
        g_string_append(out, ", where nobody has received it; ");
        append_place_of(out, want);
        g_string_append_printf(out, " waits for one: did you mean another destination%s?",
                               is_exchange(want) ? ", or another source here" : "");
        return true;
    }
    return false;
}

static bool sent_elsewhere(MpiCauses *causes, const MpiWant *want, GString *out)
{
    return find_elsewhere(causes, want, true, out);
}

static bool waits_elsewhere(MpiCauses *causes, const MpiWant *want, GString *out)
{
    return find_elsewhere(causes, want, false, out);
}

/* Ranks that exchange messages are in each other's way only if source and destination do not fit. */
static bool exchanged_elsewhere(MpiCauses *causes, const MpiWant *want, GString *out)
{
    return is_exchange(want) && find_elsewhere(causes, want, false, out);
}

/* Finds a message that differs in more than one thing. */
static bool other_message(MpiCauses *causes, const MpiWant *want, GString *out)
{
    for (const MpiItem *item = want->rank->matcher.oldest; item && may_look(causes); item = item->next) {
        const MpiMessage *message = (const MpiMessage *)item;
        if (message->collective)
            continue;
        append_unreceived(out, causes, message, false);
        return true;
    }
    return false;
}

static bool null_fits(const MpiNullPeer *null, const MpiWant *want)
{
    return null->used && null->context == want->context;
}

static bool sent_to_nobody(MpiCauses *causes, const MpiWant *want, GString *out)
{
    if (want->peer == MPI_NOBODY)
        return false;
    const MpiRank *sender = rank_of(causes, want->peer);
    if (!null_fits(&sender->null_send, want) || !tag_fits(want->tag, sender->null_send.tag))
        return false;
    g_string_append_printf(out, "rank %u has sent a message with tag %d to MPI_PROC_NULL, which takes it away, at ",
                           sender->index, sender->null_send.tag);
    mpi_append_place(out, sender->process, sender->null_send.pc);
    return true;
}

static bool received_from_nobody(MpiCauses *causes, const MpiWant *want, GString *out)
{
    const MpiRank *receiver = rank_of(causes, want->peer);
    if (!null_fits(&receiver->null_receive, want) || !tag_fits(receiver->null_receive.tag, want->tag))
        return false;
    g_string_append_printf(out, "rank %u has received from MPI_PROC_NULL, where nothing comes from, at ",
                           receiver->index);
    mpi_append_place(out, receiver->process, receiver->null_receive.pc);
    return true;
}

/* Returns in what a waiting receive differs from the wanted one, as OTHER_* bits. */
static unsigned receive_difference(const MpiWant *want, const MpiRequest *request)
{
    return (tag_fits(request->tag, want->tag) ? 0 : OTHER_TAG) |
           (source_fits(request->peer, want->from) ? 0 : OTHER_SOURCE) |
           (request->comm->context == want->context ? 0 : OTHER_COMM);
}

static bool waits_posted(const MpiRequest *request)
{
    return request->posted && request->sort == MPI_REQUEST_RECEIVE && !request->collective && !request->part &&
           (!request->owner->call || request->waiter != request->owner->call || !request->waiter);
}

static void append_receive(GString *out, const MpiRequest *request, unsigned differs)
{
    g_string_append_printf(out, "rank %u has a receive that no message came for, ", request->owner->index);
    append_made(out, request);
    if (differs & OTHER_TAG) {
        g_string_append_printf(out, ", with tag %d: did you mean that tag?", request->tag);
    } else if (differs & OTHER_SOURCE) {
        g_string_append_printf(out, ", from rank %d: did you mean that source?", request->peer);
    } else if (differs & OTHER_COMM) {
        g_string_append(out, ", on ");
        mpi_append_comm(out, request->comm);
        g_string_append(out, ": did you mean that communicator?");
    }
}

/* Finds a receive that the receiver has started and that differs in one thing only. Omits a receive in which it is
 * blocked: that has the message in its queue, and reports so itself. */
static bool near_receive(MpiCauses *causes, const MpiWant *want, GString *out)
{
    static const unsigned order[] = {OTHER_TAG, OTHER_SOURCE, OTHER_COMM};
    const MpiRank *receiver = rank_of(causes, want->peer);
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
        for (const MpiRequest *request = receiver->requests; request && may_look(causes); request = request->next) {
            if (!waits_posted(request) || receive_difference(want, request) != order[i] ||
                (order[i] == OTHER_COMM && request->peer >= 0 &&
                 mpi_comm_world_rank(request->comm, (uint32_t)request->peer) != want->rank->index))
                continue;
            append_receive(out, request, order[i]);
            return true;
        }
    return false;
}

/* Finds another rank that waits for exactly this message. */
static bool awaited_elsewhere(MpiCauses *causes, const MpiWant *want, GString *out)
{
    for (uint32_t i = 0; causes->ended && i < causes->world->n_ranks && may_look(causes); i++) {
        const MpiRank *rank = mpi_world_rank(causes->world, i);
        for (const MpiRequest *request = rank->requests; request && may_look(causes); request = request->next) {
            if (i == want->peer || !waits_posted(request) || receive_difference(want, request))
                continue;
            append_receive(out, request, 0);
            g_string_append(out, ", which this one would fit: did you mean that destination?");
            return true;
        }
    }
    return false;
}

/* -- programs that do not send ----------------------------------------------------------------- */

/* Whether the name (after "MPI_") is that of a function that sends. A hint is enough, whatever the form. */
static bool is_sender(const char *name)
{
    static const char *const parts[] = {"send", "Send", "Start"};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

static bool can_send(const MpiRank *rank)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank->process));
    for (uint32_t i = 0; i < module->externs.count; i++)
        if (is_sender(vcode_text(module, module->externs.items[i].name)))
            return true;
    return false;
}

/* Whether no program of a rank that could send the message calls a function that sends. */
static bool nobody_sends(MpiCauses *causes, const MpiWant *want, GString *out)
{
    const MpiGroup *group = want->comm ? mpi_comm_peers(want->comm) : NULL;
    const VmImage *seen = NULL;
    if (want->peer != MPI_NOBODY ? can_send(rank_of(causes, want->peer)) : !group)
        return false;
    for (uint32_t i = 0; want->peer == MPI_NOBODY && i < group->size; i++) {
        const MpiRank *rank = rank_of(causes, mpi_group_world_rank(group, i));
        if (!may_look(causes) || (vm_rank_image(rank->process) != seen && can_send(rank)))
            return false;
        seen = vm_rank_image(rank->process);
    }
    g_string_append(out, "the program calls no function that sends a message");
    return true;
}

/* -- oneself, and those who are gone ----------------------------------------------------------- */

/* Appends for example "rank 1 of the communicator ... is rank 0 of MPI_COMM_WORLD itself", if the two numbers
 * differ. */
static void append_itself(GString *out, const MpiWant *want, int peer)
{
    if (want->context == MPI_COMM_WORLD_INDEX || peer < 0 || peer == (int)want->rank->index)
        return;
    g_string_append_printf(out, ": rank %d of ", peer);
    mpi_append_comm_context(out, want->rank, want->context);
    g_string_append_printf(out, " is rank %u of MPI_COMM_WORLD", want->rank->index);
}

static bool is_alone(const MpiWant *want)
{
    return want->comm && want->peer == MPI_NOBODY && !want->comm->inter && want->comm->group->size == 1;
}

static bool from_itself(MpiCauses *causes, const MpiWant *want, GString *out)
{
    (void)causes;
    if (want->peer != want->rank->index && !is_alone(want))
        return false;
    g_string_append(out, "the message would have to come from the rank itself, which has not sent it");
    append_itself(out, want, want->from);
    return true;
}

static bool to_itself(MpiCauses *causes, const MpiWant *want, GString *out)
{
    (void)causes;
    if (want->peer != want->rank->index)
        return false;
    g_string_append(out, "the message is for the sender itself, which has started no receive for it");
    append_itself(out, want, want->request ? want->request->peer : want->from);
    return true;
}

/* Finds what a rank that has ended sent here for a collective that this rank never calls. */
static bool collective_instead(MpiCauses *causes, const MpiWant *want, GString *out)
{
    if (causes->ended || want->peer == MPI_NOBODY || !mpi_waits_gone(rank_of(causes, want->peer)))
        return false;
    for (const MpiItem *item = want->rank->matcher.oldest; item && may_look(causes); item = item->next) {
        const MpiMessage *message = (const MpiMessage *)item;
        if (!message->collective || message->from != want->peer || item->key.space >> 1 != want->context)
            continue;
        g_string_append_printf(out, "rank %u has called a collective instead, at ", message->from);
        mpi_append_place(out, rank_of(causes, message->from)->process, message->sent_pc);
        g_string_append(out, ", whose messages ");
        append_place_of(out, want);
        g_string_append(out, " does not receive");
        return true;
    }
    return false;
}

static bool peer_is_gone(MpiCauses *causes, const MpiWant *want, GString *out)
{
    if (causes->ended || want->peer == MPI_NOBODY || !mpi_waits_gone(rank_of(causes, want->peer)))
        return false;
    g_string_append_printf(out, "rank %u, %s, ", (unsigned)want->peer,
                           want->sort == MPI_WANT_RECEIVER  ? "which was to receive"
                           : want->sort == MPI_WANT_PARTNER ? "which was to call MPI_Init"
                                                            : "which was to send");
    mpi_describe_gone(out, rank_of(causes, want->peer), false);
    return true;
}

/* Whether a leader waits for another that nobody knows yet. */
static bool no_partner(MpiCauses *causes, const MpiWant *want, GString *out)
{
    if (causes->ended || want->peer != MPI_NOBODY)
        return false;
    g_string_append(out, want->rank->call->function == MPI_FUNCTION_Comm_accept
                             ? "no process calls MPI_Comm_connect for the same port"
                         : want->rank->call->function == MPI_FUNCTION_Comm_connect
                             ? "no process calls MPI_Comm_accept for the same port"
                             : "no leader calls it for these two groups with the same string tag");
    return true;
}

/* Whether all ranks that could send the message have ended. */
static bool all_are_gone(MpiCauses *causes, const MpiWant *want, GString *out)
{
    const MpiGroup *group = want->comm ? mpi_comm_peers(want->comm) : NULL;
    if (causes->ended || want->peer != MPI_NOBODY || !group)
        return false;
    for (uint32_t i = 0; i < group->size; i++) {
        uint32_t rank = mpi_group_world_rank(group, i);
        if (!may_look(causes) || (rank != want->rank->index && !mpi_waits_gone(rank_of(causes, rank))))
            return false;
    }
    g_string_append(out, "all ranks that could send such a message have ended");
    return true;
}

/* -- collectives ------------------------------------------------------------------------------- */

static bool members_are_gone(MpiCauses *causes, const MpiWant *want, GString *out)
{
    if (!want->schedule)
        return false;
    MpiRoll roll = {0};
    const GArray *missing = mpi_waits_missing(want->rank, want->schedule, &roll);
    MpiRankList gone = {0};
    for (guint i = 0; i < missing->len && may_look(causes); i++)
        if (mpi_waits_gone(rank_of(causes, g_array_index(missing, uint32_t, i))))
            mpi_rank_list_add(&gone, g_array_index(missing, uint32_t, i));
    if (gone.count) {
        mpi_rank_list_append(&gone, out);
        g_string_append(out, " will never come to ");
        append_place_of(out, want);
    }
    mpi_waits_roll_clear(&roll);
    bool found = gone.count;
    mpi_rank_list_clear(&gone);
    return found;
}

/* Finds a message that a member has sent who never comes to the collective: it took sending for its part of it. */
static bool sent_instead(MpiCauses *causes, const MpiWant *want, GString *out)
{
    bool found = false;
    if (!want->schedule)
        return false;
    MpiRoll roll = {0};
    const GArray *missing = mpi_waits_missing(want->rank, want->schedule, &roll);
    for (const MpiItem *item = want->rank->matcher.oldest; item && !found && may_look(causes); item = item->next) {
        const MpiMessage *message = (const MpiMessage *)item;
        if (message->collective || !mpi_waits_gone(rank_of(causes, message->from)))
            continue;
        for (guint i = 0; i < missing->len && !found && may_look(causes); i++)
            found = g_array_index(missing, uint32_t, i) == message->from;
        if (!found)
            continue;
        g_string_append_printf(out, "rank %u has sent a message instead, at ", message->from);
        mpi_append_place(out, rank_of(causes, message->from)->process, message->sent_pc);
        g_string_append(out, ", which ");
        append_place_of(out, want);
        g_string_append(out, " does not receive");
    }
    mpi_waits_roll_clear(&roll);
    return found;
}

/* All members have called the collective, and yet a member waits for another one. On an inter-communicator, this means
 * that the arguments do not agree on the root. */
static bool other_root(MpiCauses *causes, const MpiWant *want, GString *out)
{
    if (!want->schedule || !want->schedule->comm->inter || !mpi_waits_first_step(want->schedule))
        return false;
    MpiRoll roll = {0};
    bool all = !mpi_waits_missing(want->rank, want->schedule, &roll)->len;
    mpi_waits_roll_clear(&roll);
    const MpiRequest *step = mpi_waits_first_step(want->schedule);
    (void)causes;
    const MpiPlan *plan = &want->schedule->plan;
    if (!all || plan->root < plan->size || plan->root == UINT32_MAX)
        return false;
    g_string_append_printf(out, "rank %d of the other group, which is named as root here, has not given MPI_ROOT",
                           step->peer);
    return true;
}

/* -- the table --------------------------------------------------------------------------------- */

static const char start_it[] =
    "start it with MPI_Start or MPI_Startall, each time anew; waiting for a request that is not started waits for "
    "nothing";
static const char make_agree[] =
    "source, tag and communicator of a receive must be those that the message is sent with";
static const char look_at_rank[] = "look at the rank that is sent to: one too many, one too few, or the own one?";
static const char look_at_border[] = "give the rank that is meant; is the neighbour's number right at the border?";
static const char ends_too_soon[] =
    "a rank that ends must first have sent, received and called all that others wait for";

typedef struct Cause {
    unsigned sorts; /* set of the MpiWantSort that it may explain */
    bool (*test)(MpiCauses *causes, const MpiWant *want, GString *sentence);
    MpiCause cause;
} Cause;

static const Cause table[] = {
    {MPI_WANT_MESSAGE, idle_send, {start_it, true}},
    {MPI_WANT_RECEIVER, idle_receive, {start_it, true}},
    {MPI_WANT_COLLECTIVE, idle_collective, {start_it, true}},
    {MPI_WANT_PARTS,
     partitions,
     {"both sides start their request, and the sender marks each partition ready: MPI_Start, then MPI_Pready, "
      "MPI_Pready_range or MPI_Pready_list",
      true}},
    {MPI_WANT_MESSAGE, other_tag, {make_agree, true}},
    {MPI_WANT_MESSAGE, other_comm, {make_agree, true}},
    {MPI_WANT_RECEIVER, near_receive, {make_agree, true}},
    {MPI_WANT_MESSAGE, sent_elsewhere, {look_at_rank, true}},
    {MPI_WANT_RECEIVER, awaited_elsewhere, {look_at_rank, true}},
    {MPI_WANT_MESSAGE,
     from_itself,
     {"name the rank that sends it as source; a message to oneself must have been sent before, by MPI_Isend or "
      "MPI_Sendrecv",
      true}},
    {MPI_WANT_RECEIVER,
     to_itself,
     {"name the rank that receives it as destination; for a message to oneself start the receive before, by "
      "MPI_Irecv, or use MPI_Sendrecv",
      true}},
    {MPI_WANT_MESSAGE, sent_to_nobody, {look_at_border, false}},
    {MPI_WANT_RECEIVER, received_from_nobody, {look_at_border, false}},
    {MPI_WANT_MESSAGE,
     exchanged_elsewhere,
     {"what goes to one neighbour comes from the other: the source of MPI_Sendrecv is the rank whose destination this "
      "one "
      "is",
      true}},
    {MPI_WANT_MESSAGE, waits_elsewhere, {look_at_rank, false}},
    {MPI_WANT_MESSAGE, other_source, {make_agree, false}},
    {MPI_WANT_MESSAGE,
     collective_instead,
     {"a collective is called by all members, and has messages of its own: call it here, too, or send there with "
      "MPI_Send",
      true}},
    {MPI_WANT_MESSAGE | MPI_WANT_RECEIVER | MPI_WANT_LEADER | MPI_WANT_PARTNER, peer_is_gone, {ends_too_soon, true}},
    {MPI_WANT_PARTNER,
     no_partner,
     {"let another process call the other function of the two with the same name; MPI_Publish_name and "
      "MPI_Lookup_name, a message or an argument hand it on",
      false}},
    {MPI_WANT_MESSAGE, all_are_gone, {ends_too_soon, true}},
    {MPI_WANT_MESSAGE, nobody_sends, {"send the message, with MPI_Send or one of its kind", true}},
    {MPI_WANT_MESSAGE, other_message, {make_agree, false}},
    {MPI_WANT_COLLECTIVE,
     sent_instead,
     {"a collective is called by all members, by the root as well, and has messages of its own: call it on that rank, "
      "or "
      "receive here what was sent",
      true}},
    {MPI_WANT_COLLECTIVE,
     members_are_gone,
     {"every member of the communicator must call a collective; is it in an if that only some ranks come to, or in a "
      "loop that some leave sooner?",
      true}},
    {MPI_WANT_COLLECTIVE,
     other_root,
     {"in the root's group the root gives MPI_ROOT and the others MPI_PROC_NULL; in the other group all give the "
      "root's rank",
      true}},
};

const MpiCause *mpi_cause_find(MpiCauses *causes, const MpiWant *want, GString *sentence)
{
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if ((table[i].sorts & want->sort) && table[i].test(causes, want, sentence))
            return &table[i].cause;
    return NULL;
}

/* -- circles ----------------------------------------------------------------------------------- */

typedef struct Circle {
    unsigned some, only; /* the cycle has at least one of `some`, and nothing outside `only` */
    const char *advice;
} Circle;

static const Circle circles[] = {
    {MPI_WANT_WINDOW, MPI_WANT_WINDOW,
     "give locks back before waiting for others, and let each MPI_Win_start find its MPI_Win_post, and each "
     "MPI_Win_wait its MPI_Win_complete"},
    {MPI_WANT_WINDOW, ~0u,
     "end epochs (MPI_Win_unlock, MPI_Win_complete) before waiting for what ranks that wait for them would do"},
    {MPI_WANT_LEADER, ~0u,
     "the leaders of both groups must name each other and the same tag (argument 5 of MPI_Intercomm_create)"},
    {MPI_WANT_MESSAGE, MPI_WANT_MESSAGE,
     "all of them receive before they send; let one side send first, or receive with MPI_Irecv and wait for it after "
     "sending"},
    {MPI_WANT_RECEIVER, MPI_WANT_RECEIVER,
     "all of them send before they receive; use MPI_Sendrecv, start receives with MPI_Irecv before sending, or let one "
     "side receive first"},
    {MPI_WANT_COLLECTIVE, MPI_WANT_COLLECTIVE,
     "they are in different collectives; call those of all communicators in the same order on all ranks"},
    {MPI_WANT_RECEIVER, MPI_WANT_MESSAGE | MPI_WANT_RECEIVER,
     "bring sends and receives into an order in which each send finds its receive, or start receives with MPI_Irecv "
     "before sending"},
    {MPI_WANT_COLLECTIVE, ~0u,
     "a message that one of them needs is sent or received only behind the collective; do both before it, or both "
     "after it"},
    {MPI_WANT_PARTS, ~0u, "mark partitions ready, and start requests, before waiting for what comes after them"},
};

const char *mpi_cause_of_circle(unsigned sorts)
{
    for (size_t i = 0; i < G_N_ELEMENTS(circles); i++)
        if ((sorts & circles[i].some) && !(sorts & ~circles[i].only))
            return circles[i].advice;
    return NULL;
}
