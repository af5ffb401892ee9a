/* choices.c - records and forces what MPI leaves open (see choices.h).
 *
 * When is an alternative of a choice possible? Suppose that a receive from any source has taken message m. Another
 * message x to its rank could have come first on three conditions. The receive accepts x. No older receive was there
 * for x. And x was not sent because m had been received: neither the rank itself nor a synchronous sender had told
 * another rank. So each message, matched late or never, is compared with the choices made before. Only the first
 * message of each source counts, since the others cannot overtake it. In a choice among requests, the same test applies
 * to the event that made another request complete.
 *
 * "Because" means this: a choice is *seen* when its rank completes the receive (Recv returns, Wait, Test). What the
 * rank sends from then on depends on it; what it sent between Irecv and Wait does not. But a younger receive may depend
 * on an older one that is not seen yet, because one would have taken the other's message. When that younger one is
 * seen, the older one is, too (see_with()). */
#include "mpi/watch/choices.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

enum { WINDOW = 64 };       /* recent choices of a rank to look back at, unless all are kept */
enum { MOST_SLOTS = 1024 }; /* greatest number of ranks in clocks */
enum { MOST_MASK = 62 };    /* greatest number of requests in a choice of a set */

typedef struct MpiWatcher {
    MpiDecision *decision;
    uint32_t index;
} MpiWatcher;

static bool polls(const MpiCall *call)
{
    return mpi_choices_is_poll(call->function);
}

/* -- life -------------------------------------------------------------------------------------- */

static void decision_free(void *data)
{
    MpiDecision *decision = data;
    mpi_clock_unref(decision->clock);
    if (decision->others)
        g_array_unref(decision->others);
    g_free(decision);
}

static void trail_free(void *data)
{
    MpiTrail *trail = data;
    mpi_clock_unref(trail->posted);
    mpi_clock_unref(trail->arrived);
    if (trail->watchers)
        g_array_unref(trail->watchers);
    g_free(trail);
}

static void clock_unref(void *clock)
{
    mpi_clock_unref(clock);
}

static void choices_free(void *data)
{
    MpiChoices *choices = data;
    g_hash_table_unref(choices->trails);
    g_hash_table_unref(choices->messages);
    g_hash_table_unref(choices->schedules);
    g_clear_pointer(&choices->orders, mpi_choice_orders_free);
    g_array_unref(choices->waiting);
    g_ptr_array_unref(choices->made);
    for (uint32_t i = 0; i < choices->world->n_ranks; i++)
        mpi_chooser_clear(&choices->choosers[i]);
    g_free(choices->choosers);
    g_free(choices);
}

static void add_hooks(MpiWorld *world);

static void begin(MpiWorld *world)
{
    const MpiParams *params = &world->params;
    bool forces = params->choices || params->explore || params->seed;
    bool races = params->checks & MPI_CHECK_BIT(MPI_CHECK_RACES);
    bool windows = params->checks & MPI_CHECK_BIT(MPI_CHECK_WINDOWS);
    if (!races && !windows && !forces)
        return;
    MpiChoices *choices = g_new0(MpiChoices, 1);
    choices->world = world;
    choices->forces = forces;
    choices->seeks = races || params->explore;
    choices->track = choices->seeks || windows;
    choices->keep = params->explore;
    choices->missed_rank = UINT32_MAX;
    choices->choosers = g_new0(MpiChooser, world->room);
    choices->waiting = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    choices->made = g_ptr_array_new();
    choices->trails = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, trail_free);
    choices->messages = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, clock_unref);
    choices->schedules = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, clock_unref);
    for (uint32_t i = 0; i < world->n_ranks; i++)
        mpi_chooser_init(choices, i);
    mpi_choosers_share_out(choices, params->choices);
    mpi_world_set_slot(world, MPI_SLOT_CHOICES, choices, choices_free);
    add_hooks(world);
}

/* -- forced values ----------------------------------------------------------------------------- */

static void miss(MpiChooser *chooser, const MpiChoice *choice)
{
    MpiChoices *choices = chooser->choices;
    if (choices->missed_rank != UINT32_MAX)
        return;
    choices->missed_rank = choice->rank;
    choices->missed_number = choice->number;
}

/* The rank comes to its next choice. Returns what that is forced to. */
int64_t mpi_choice_next_forced(MpiChooser *chooser, MpiChoiceSort sort)
{
    chooser->number++;
    if (!chooser->n_forced || chooser->forced->number != chooser->number)
        return MPI_CHOICE_FREE;
    const MpiChoice *choice = chooser->forced++;
    chooser->n_forced--;
    if (choice->taken == MPI_CHOICE_NOTHING || choice->sort == sort)
        return choice->taken;
    if (sort == MPI_CHOICE_SOME && choice->sort == MPI_CHOICE_ANY && choice->taken < MOST_MASK) /* a set of one */
        return INT64_C(1) << choice->taken;
    miss(chooser, choice);
    return MPI_CHOICE_FREE;
}

/* Returns the forced value. If it is a source that the communicator does not have, notes the miss and returns
 * MPI_CHOICE_FREE. */
static int64_t source_of(MpiChooser *chooser, const MpiComm *comm, int64_t forced)
{
    if (forced < (int64_t)mpi_comm_peers(comm)->size)
        return forced;
    miss(chooser, &(MpiChoice){.rank = chooser->rank->index, .number = chooser->number});
    return MPI_CHOICE_FREE;
}

/* -- decisions --------------------------------------------------------------------------------- */

bool mpi_choices_follow(MpiChooser *chooser)
{
    MpiChoices *choices = chooser->choices;
    if (!choices->track)
        return false;
    if (chooser->slot < 0 && choices->slots < MOST_SLOTS) {
        if (!choices->slots && !choices->forces) { /* short ways keep no clocks */
            mpi_plain_receives_expand(choices->world);
            mpi_hooks_close_short(choices->world);
        }
        chooser->slot = (int32_t)choices->slots++;
        chooser->decisions = g_ptr_array_new_with_free_func(decision_free);
        chooser->unseen = g_ptr_array_new();
    }
    return chooser->slot >= 0;
}

MpiDecision *mpi_choice_new(MpiCall *call, MpiChooser *chooser, MpiChoiceSort sort)
{
    if (!chooser->choices->seeks || !mpi_choices_follow(chooser))
        return NULL;
    MpiDecision *decision = g_new0(MpiDecision, 1);
    decision->chooser = chooser;
    decision->number = chooser->number;
    decision->sort = sort;
    decision->call = call->name;
    decision->pc = call->pc;
    decision->entered_ps = call->entered_ps;
    decision->order = chooser->rank->matcher.order;
    return decision;
}

/* Unless all decisions are kept, frees the oldest ones that nothing points to. */
static void forget_old(MpiChooser *chooser)
{
    GPtrArray *decisions = chooser->decisions;
    while (!chooser->choices->keep && decisions->len > WINDOW) {
        g_ptr_array_remove(chooser->unseen, decisions->pdata[0]);
        mpi_race_tell(decisions->pdata[0]);
        g_ptr_array_remove_index(decisions, 0);
    }
}

void mpi_choice_made(MpiDecision *decision, int64_t taken)
{
    MpiChooser *chooser = decision->chooser;
    decision->taken = taken;
    decision->made = true;
    g_ptr_array_add(chooser->decisions, decision);
    if (chooser->choices->keep)
        g_ptr_array_add(chooser->choices->made, decision);
}

bool mpi_choice_is_known(const MpiClock *clock, const MpiDecision *decision)
{
    MpiTick at = mpi_clock_at(clock, (uint32_t)decision->chooser->slot);
    return (decision->tick.seen && at.seen >= decision->tick.seen) ||
           (decision->tick.matched && at.matched >= decision->tick.matched);
}

void mpi_choice_add_other(MpiDecision *decision, MpiOther other)
{
    for (guint i = 0; decision->others && i < decision->others->len; i++)
        if (g_array_index(decision->others, MpiOther, i).taken == other.taken)
            return;
    if (!decision->others)
        decision->others = g_array_new(FALSE, FALSE, sizeof(MpiOther));
    g_array_append_val(decision->others, other);
}

/* A message has been matched by a receive posted as number `order`, or will never be matched. Records it as an
 * alternative of the choices that could have taken it first. */
static void hold_against(MpiChooser *chooser, const MpiMessage *message, uint64_t order)
{
    if (chooser->slot < 0 || message->collective)
        return;
    const MpiClock *clock = g_hash_table_lookup(chooser->choices->messages, message);
    int64_t source = message->item.key.source;
    for (guint i = 0; i < chooser->decisions->len; i++) {
        MpiDecision *decision = chooser->decisions->pdata[i];
        if (decision->sort == MPI_CHOICE_SOURCE && decision->taken != source && order >= decision->order &&
            mpi_match_accepts(decision->key, message->item.key) && !mpi_choice_is_known(clock, decision))
            mpi_choice_add_other(decision, (MpiOther){source, message->from, message->sent_pc, true});
    }
}

/* -- seeing ------------------------------------------------------------------------------------ */

static MpiTrail *trail_find(MpiRequest *request)
{
    return g_hash_table_lookup(mpi_choices_of(request->owner->world)->trails, request);
}

MpiTrail *mpi_choices_trail(MpiRequest *request)
{
    MpiTrail *trail = trail_find(request);
    if (!trail) {
        trail = g_new0(MpiTrail, 1);
        trail->forced = MPI_CHOICE_FREE;
        trail->key = request->item.key; /* of a receive that was posted while nothing was open */
        g_hash_table_insert(mpi_choices_of(request->owner->world)->trails, request, trail);
    }
    return trail;
}

/* Whether either of two receives of a rank could have taken the other's message. */
static bool related(MpiKey receive, MpiKey message, const MpiDecision *decision)
{
    return mpi_match_accepts(decision->key, message) || mpi_match_accepts(receive, decision->message);
}

/* The rank has seen something new; the count is its logical time. */
uint32_t mpi_choices_see(MpiChooser *chooser)
{
    if (chooser->slot < 0)
        return 0;
    chooser->seen++;
    mpi_clock_raise(&chooser->clock, (uint32_t)chooser->slot, (MpiTick){.seen = chooser->seen});
    return chooser->seen;
}

/* A receive that met its message as number `matched` is seen. So are those receives that had to meet theirs before. */
static void see_with(MpiChooser *chooser, MpiKey receive, MpiKey message, uint32_t matched)
{
    g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof(MpiKey)); /* pairs: key of a receive, of its message */
    g_array_append_val(keys, receive);
    g_array_append_val(keys, message);
    for (guint i = chooser->unseen->len; i-- > 0;) {
        MpiDecision *decision = chooser->unseen->pdata[i];
        bool depends = decision->tick.matched == matched;
        for (guint k = 0; !depends && decision->tick.matched < matched && k < keys->len; k += 2)
            depends = related(g_array_index(keys, MpiKey, k), g_array_index(keys, MpiKey, k + 1), decision);
        if (!depends)
            continue;
        decision->tick.seen = chooser->seen;
        g_array_append_val(keys, decision->key);
        g_array_append_val(keys, decision->message);
        g_ptr_array_remove_index(chooser->unseen, i);
    }
}

void mpi_choices_seen(MpiRequest *request)
{
    MpiChooser *chooser = mpi_chooser_of(request->owner);
    const MpiChoices *choices = mpi_choices_of(request->owner->world);
    MpiTrail *trail = choices->track && g_hash_table_size(choices->trails) ? trail_find(request) : NULL;
    if (!trail)
        return;
    mpi_clock_merge(&chooser->clock, trail->arrived);
    mpi_choices_see(chooser);
    if (chooser->slot >= 0 && trail->matched) {
        see_with(chooser, trail->key, trail->message, trail->matched);
        forget_old(chooser);
    }
}

/* -- messages ---------------------------------------------------------------------------------- */

/* Whether no rank has come to a choice yet and none is forced. Then nobody can know of one, so all clocks are empty,
 * and messages and receives need no notes. Most programs stay like that to their end. */
static inline bool nothing_is_open(const MpiChoices *choices)
{
    return !choices->slots && !choices->forces && !choices->keep;
}

static void note_sent(MpiWorld *world, MpiCall *call, MpiMessage *message, const MpiBuffer *buffer, MpiRequest *request)
{
    MpiChoices *choices = mpi_choices_of(world);
    (void)buffer;
    (void)request;
    if (!choices->track || nothing_is_open(choices))
        return;
    MpiClock *clock = call->collective.schedule ? g_hash_table_lookup(choices->schedules, call->collective.schedule)
                                                : mpi_chooser_of(call->rank)->clock;
    if (clock)
        g_hash_table_insert(choices->messages, message, mpi_clock_ref(clock));
}

static void note_dropped(MpiWorld *world, MpiMessage *message)
{
    GHashTable *messages = mpi_choices_of(world)->messages;
    if (g_hash_table_size(messages))
        g_hash_table_remove(messages, message);
}

static void note_posted(MpiWorld *world, MpiCall *call, MpiRequest *receive, bool claimed)
{
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    MpiChoices *choices = chooser->choices;
    bool open = receive->peer == MPI_ANY_SOURCE_ && !receive->collective;
    (void)world;
    if (claimed || (!open && (!choices->track || nothing_is_open(choices))))
        return;
    MpiTrail *trail = mpi_choices_trail(receive);
    trail->key = receive->item.key;
    trail->order = chooser->rank->matcher.order;
    trail->posted = mpi_clock_ref(chooser->clock);
    if (!open)
        return;
    trail->forced = source_of(chooser, receive->comm, mpi_choice_next_forced(chooser, MPI_CHOICE_SOURCE));
    trail->number = chooser->number;
    if (chooser->seed && trail->forced == MPI_CHOICE_FREE) {
        int64_t source = mpi_choices_seeded(&chooser->rank->matcher, trail->key);
        trail->forced = source == MPI_CHOICE_FREE ? MPI_CHOICE_PATIENT : source;
    }
    trail->decision = mpi_choice_new(call, chooser, MPI_CHOICE_SOURCE);
    if (trail->decision)
        trail->decision->key = receive->item.key;
}

void mpi_choice_note_message(MpiDecision *decision, const MpiMessage *message)
{
    decision->message = message->item.key;
    decision->sender = message->from;
    decision->sender_pc = message->sent_pc;
}

/* Tells a synchronous sender that its message has been matched. */
static void tell_sender(MpiChooser *chooser, const MpiTrail *trail, MpiMessage *message)
{
    if (!message->rendezvous || !message->send || message->multicast)
        return;
    MpiTrail *sender = mpi_choices_trail(message->send);
    mpi_clock_merge(&sender->arrived, trail->posted);
    if (chooser->slot >= 0)
        mpi_clock_raise(&sender->arrived, (uint32_t)chooser->slot, (MpiTick){.matched = trail->matched});
}

static void note_matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    (void)world;
    MpiChooser *chooser = mpi_chooser_of(receive->owner);
    MpiChoices *choices = chooser->choices;
    if (!choices->track || nothing_is_open(choices))
        return;
    MpiTrail *trail = mpi_choices_trail(receive);
    MpiClock *clock = g_hash_table_lookup(choices->messages, message);
    if (message->claimed)
        mpi_clock_merge(&trail->posted, chooser->clock);
    else
        hold_against(chooser, message, trail->order);
    trail->matched = ++chooser->matched;
    trail->message = message->item.key;
    mpi_clock_merge(&trail->arrived, clock);
    MpiDecision *decision = trail->decision;
    if (decision) {
        trail->decision = NULL; /* from now on it belongs to the rank's list of decisions */
        mpi_choice_note_message(decision, message);
        decision->tick.matched = trail->matched;
        mpi_clock_merge(&decision->clock, trail->posted);
        mpi_clock_merge(&decision->clock, clock);
        mpi_choice_made(decision, message->item.key.source);
        g_ptr_array_add(chooser->unseen, decision);
    }
    tell_sender(chooser, trail, message);
}

static void forget_request(MpiWorld *world, MpiRequest *request)
{
    (void)world;
    if (!g_hash_table_size(mpi_choices_of(request->owner->world)->trails))
        return;
    MpiTrail *trail = trail_find(request);
    if (trail && trail->decision)
        decision_free(trail->decision);
    g_hash_table_remove(mpi_choices_of(request->owner->world)->trails, request);
}

/* -- probes ------------------------------------------------------------------------------------ */

static int64_t answer_source(MpiWorld *world, MpiCall *call, const MpiComm *comm, const MpiKey *key, bool poll)
{
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    (void)world;
    chooser->probed = *key;
    chooser->now_number = 0;
    chooser->now = MPI_CHOICE_FREE;
    if (poll)
        return chooser->now = source_of(chooser, comm, mpi_choice_poll_begin(call, chooser, MPI_CHOICE_SOURCE));
    if (key->source != MPI_ANY_SOURCE_)
        return MPI_CHOICE_FREE;
    chooser->now = source_of(chooser, comm, mpi_choice_next_forced(chooser, MPI_CHOICE_SOURCE));
    chooser->now_number = chooser->number;
    return chooser->now;
}

static void decision_seen(MpiChooser *chooser, MpiDecision *decision, const MpiMessage *message)
{
    uint32_t seen = mpi_choices_see(chooser);
    if (message && seen)
        see_with(chooser, chooser->probed, message->item.key, UINT32_MAX);
    if (decision)
        decision->tick.seen = seen;
}

/* Makes the choice of a probe. Returns NULL if the probe is no choice or choices are not tracked. */
static MpiDecision *probe_decision(MpiCall *call, MpiMessage *message, uint32_t number, bool poll)
{
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    bool late =
        poll && message && !chooser->choices->keep && chooser->probed.source == MPI_ANY_SOURCE_; /* a race, too */
    MpiDecision *decision = number || late ? mpi_choice_new(call, chooser, MPI_CHOICE_SOURCE) : NULL;
    if (decision) {
        decision->key = chooser->probed;
        decision->number = number;
        decision->poll = poll;
        mpi_clock_merge(&decision->clock, chooser->clock);
        if (message)
            mpi_choice_note_message(decision, message);
    }
    decision_seen(chooser, decision, message);
    return decision;
}

static void note_probed(MpiWorld *world, MpiCall *call, MpiMessage *message, bool claims)
{
    (void)world;
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    MpiChoices *choices = chooser->choices;
    uint32_t number = chooser->now_number;
    int64_t taken = message ? message->item.key.source : MPI_CHOICE_NOTHING;
    bool poll = polls(call);
    MpiDecision *decision = NULL;
    chooser->now_number = 0;
    chooser->now = MPI_CHOICE_FREE;
    if (choices->track) {
        mpi_clock_merge(&chooser->clock, message ? g_hash_table_lookup(choices->messages, message) : NULL);
        if (message && claims)
            hold_against(chooser, message, chooser->rank->matcher.order);
        decision = probe_decision(call, message, number, poll);
    }
    if (decision) {
        mpi_choice_made(decision, taken);
        if (message && poll)
            mpi_choice_add_other(decision, (MpiOther){.taken = MPI_CHOICE_NOTHING});
    }
    if (poll)
        mpi_choice_poll_over(call, chooser, choices->keep ? decision : NULL, message, taken);
    if (decision)
        forget_old(chooser);
}

/* -- among requests ---------------------------------------------------------------------------- */

static unsigned count_active(MpiRequest *const *items, unsigned n)
{
    unsigned active = 0;
    for (unsigned i = 0; i < n; i++)
        active += items[i] != NULL;
    return active;
}

/* Whether everything that the value reports is complete. */
static bool possible(MpiRequest *const *items, unsigned n, MpiChoiceSort sort, int64_t value, bool poll)
{
    if (value == MPI_CHOICE_NOTHING)
        return poll;
    if (sort == MPI_CHOICE_ANY)
        return value >= 0 && value < n && items[value];
    for (unsigned i = 0; sort == MPI_CHOICE_SOME && value > 0 && i < MOST_MASK; i++)
        if ((value >> i & 1) && (i >= n || !items[i]))
            return false;
    return value > 0;
}

static int64_t answer_among(MpiWorld *world, MpiCall *call, MpiRequest *const *items, unsigned n, MpiChoiceSort sort)
{
    (void)world;
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    bool poll = polls(call);
    unsigned active = count_active(items, n);
    chooser->now_number = 0;
    chooser->now = MPI_CHOICE_FREE;
    chooser->lingered = false;
    if (active < (poll ? 1 : 2) || (sort == MPI_CHOICE_SOME && n > MOST_MASK))
        return MPI_CHOICE_FREE;
    if (poll) {
        chooser->now = mpi_choice_poll_begin(call, chooser, sort);
    } else {
        chooser->now = mpi_choice_next_forced(chooser, sort);
        chooser->now_number = chooser->number;
    }
    if (!possible(items, n, sort, chooser->now, poll))
        chooser->now = MPI_CHOICE_FREE;
    return chooser->now;
}

static int64_t answer_forced(MpiWorld *world, const MpiCall *call)
{
    (void)world;
    return mpi_chooser_of(call->rank)->now;
}

/* With a seed: returns a random one of the complete requests. */
static unsigned random_complete(MpiChooser *chooser, MpiRequest *const *items, unsigned n)
{
    unsigned complete = 0, i = 0;
    for (unsigned j = 0; j < n; j++)
        complete += items[j] && items[j]->complete;
    unsigned skip = complete ? mpi_choices_random(chooser, complete) : 0;
    for (; i < n; i++)
        if (items[i] && items[i]->complete && !skip--)
            break;
    return i;
}

static int64_t answer_one(MpiWorld *world, const MpiCall *call, MpiRequest *const *items, unsigned n, bool asks)
{
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    (void)world;
    if (chooser->now == MPI_CHOICE_FREE)
        return chooser->seed && !asks ? random_complete(chooser, items, n) : MPI_CHOICE_FREE;
    return chooser->now != MPI_CHOICE_NOTHING && items[chooser->now]->complete ? chooser->now : (int64_t)n;
}

static int64_t answer_some(MpiWorld *world, const MpiCall *call, MpiRequest *const *items, unsigned n)
{
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    (void)world;
    if (chooser->now != MPI_CHOICE_FREE)
        return chooser->now == MPI_CHOICE_NOTHING ? 0 : chooser->now;
    unsigned one = chooser->seed && n < 64 ? random_complete(chooser, items, n) : n;
    return one < n ? INT64_C(1) << one | INT64_C(1) << mpi_choices_random(chooser, n) : MPI_CHOICE_FREE;
}

/* Returns what the choice would have been if request i had been complete, too. */
static int64_t with(const MpiDecision *decision, uint32_t i)
{
    int64_t bit = INT64_C(1) << i;
    switch (decision->sort) {
    case MPI_CHOICE_ANY: return i;
    case MPI_CHOICE_SOME: return decision->taken == MPI_CHOICE_NOTHING ? bit : decision->taken | bit;
    default: return 1;
    }
}

static void could_be(MpiDecision *decision, uint32_t i)
{
    if (decision->sort == MPI_CHOICE_TEST && --decision->open > 0)
        return;
    int64_t value = with(decision, i);
    if (value != decision->taken)
        mpi_choice_add_other(decision, (MpiOther){.taken = value});
}

/* Adds the alternatives that report less than the choice did. */
static void add_less(MpiDecision *decision)
{
    int64_t taken = decision->taken;
    if (decision->poll && taken != MPI_CHOICE_NOTHING)
        mpi_choice_add_other(decision, (MpiOther){.taken = MPI_CHOICE_NOTHING});
    for (uint32_t i = 0; decision->sort == MPI_CHOICE_SOME && taken != MPI_CHOICE_NOTHING && i < MOST_MASK; i++)
        if ((taken >> i & 1) && taken != INT64_C(1) << i)
            mpi_choice_add_other(decision, (MpiOther){.taken = taken & ~(INT64_C(1) << i)});
}

static void watch(MpiDecision *decision, MpiRequest *request, uint32_t index)
{
    MpiTrail *trail = mpi_choices_trail(request);
    MpiWatcher watcher = {decision, index};
    if (!trail->watchers)
        trail->watchers = g_array_new(FALSE, FALSE, sizeof(MpiWatcher));
    g_array_append_val(trail->watchers, watcher);
}

/* Whether the value reports request i. */
static bool among(MpiChoiceSort sort, int64_t taken, uint32_t i)
{
    if (taken == MPI_CHOICE_NOTHING)
        return false;
    return sort == MPI_CHOICE_ANY ? taken == i : sort == MPI_CHOICE_SOME ? taken >> i & 1 : true;
}

static void note_chosen(MpiWorld *world, MpiCall *call, MpiRequest *const *items, unsigned n, MpiChoiceSort sort,
                        int64_t taken)
{
    (void)world;
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    uint32_t number = chooser->now_number;
    bool poll = polls(call);
    chooser->now_number = 0;
    chooser->now = MPI_CHOICE_FREE;
    MpiDecision *decision = number && chooser->choices->keep ? mpi_choice_new(call, chooser, sort) : NULL;
    for (unsigned i = 0; chooser->choices->keep && i < n; i++)
        if (items[i] && among(sort, taken, i))
            mpi_choices_seen(items[i]);
    if (poll)
        mpi_choice_poll_over(call, chooser, decision, NULL, taken);
    if (!decision)
        return;
    decision->number = number;
    decision->poll = poll;
    mpi_clock_merge(&decision->clock, chooser->clock);
    decision->tick.seen = mpi_choices_see(chooser);
    mpi_choice_made(decision, taken);
    add_less(decision);
    decision->open = count_active(items, n);
    for (unsigned i = 0; i < n; i++) {
        if (items[i] && among(decision->sort, taken, i))
            continue;
        if (items[i] && items[i]->complete)
            could_be(decision, i);
        else if (items[i])
            watch(decision, items[i], i);
    }
}

/* -- completion -------------------------------------------------------------------------------- */

/* A part of a request is complete. When the program sees the whole, it sees the part. */
static void join(MpiTrail *whole, const MpiTrail *part)
{
    mpi_clock_merge(&whole->arrived, part->arrived);
    if (!part->matched)
        return;
    whole->matched = part->matched;
    whole->key = part->key;
    whole->message = part->message;
}

static void note_completed(MpiWorld *world, MpiRequest *request)
{
    (void)world;
    MpiChoices *choices = mpi_choices_of(request->owner->world);
    MpiTrail *trail = g_hash_table_size(choices->trails) ? trail_find(request) : NULL;
    if (!trail || !choices->track)
        return;
    if (request->sort == MPI_REQUEST_GENERAL)
        mpi_clock_merge(&trail->arrived, mpi_chooser_of(request->owner)->clock);
    if (request->schedule && trail->arrived)
        mpi_choices_schedule_merge(choices, request->schedule, trail->arrived);
    if (request->part)
        join(mpi_choices_trail(request->whole), trail);
    for (guint i = 0; trail->watchers && i < trail->watchers->len; i++) {
        const MpiWatcher *watcher = &g_array_index(trail->watchers, MpiWatcher, i);
        if (!mpi_choice_is_known(trail->arrived, watcher->decision))
            could_be(watcher->decision, watcher->index);
    }
    if (trail->watchers)
        g_array_set_size(trail->watchers, 0);
}

static void note_finished(MpiWorld *world, MpiRequest *request)
{
    (void)world;
    mpi_choices_seen(request);
}

/* A request that the library itself has started is seen when its call goes on. */
static void note_released(MpiWorld *world, MpiRequest *request)
{
    (void)world;
    if (request->complete && !request->handle && !request->schedule && !request->part)
        mpi_choices_seen(request);
}

/* -- for who explores -------------------------------------------------------------------------- */

bool mpi_choice_after(const MpiDecision *first, const MpiDecision *second)
{
    if (mpi_choice_is_known(second->clock, first))
        return true;
    bool sources = first->sort == MPI_CHOICE_SOURCE && second->sort == MPI_CHOICE_SOURCE &&
                   first->taken != MPI_CHOICE_NOTHING && second->taken != MPI_CHOICE_NOTHING;
    return sources && first->chooser == second->chooser && related(second->key, second->message, first);
}

/* Messages that were never received could have been taken, too. */
static void hold_leftovers(MpiChooser *chooser)
{
    for (const MpiItem *item = chooser->rank->matcher.oldest; item; item = item->next)
        hold_against(chooser, (const MpiMessage *)item, UINT64_MAX);
}

void mpi_world_conclude(MpiWorld *world)
{
    MpiChoices *choices = mpi_choices_of(world);
    if (!choices || !choices->track)
        return;
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        MpiChooser *chooser = &choices->choosers[i];
        if (chooser->slot < 0)
            continue;
        hold_leftovers(chooser);
        for (guint d = 0; d < chooser->decisions->len; d++)
            mpi_race_tell(chooser->decisions->pdata[d]);
    }
}

/* -- the part ---------------------------------------------------------------------------------- */

static void add_hooks(MpiWorld *world)
{
    MpiHooks hooks = {.sent = note_sent,
                      .posted = note_posted,
                      .matched = note_matched,
                      .probed = note_probed,
                      .dropped = note_dropped,
                      .begun = forget_request,
                      .completed = note_completed,
                      .finished = note_finished,
                      .released = note_released,
                      .gone = forget_request,
                      .source = answer_source,
                      .among = answer_among,
                      .forced = answer_forced,
                      .one = answer_one,
                      .some = answer_some,
                      .chosen = note_chosen};
    mpi_choices_collectives_hooks(&hooks);
    if (world->params.choices || world->params.explore)
        mpi_choice_order_hooks(world, &hooks);
    if (world->params.seed)
        mpi_choice_seed_hooks(&hooks);
    mpi_choice_poll_hooks(&hooks);
    (mpi_choices_of(world)->forces ? mpi_hooks_add : mpi_hooks_add_short)(world, &hooks);
}

const MpiPart mpi_part_choices = {.came = mpi_chooser_came, .begin = begin};
