/* choice_orders.c - the order of locks, of accumulates, and of connections at a port, as a choice.
 *
 * MPI_Win_lock, the first access to a target under MPI_Win_lock_all, which takes its lock, and an accumulate whose
 * order with others shows (it fetches, replaces or swaps), come before or after those of other ranks at the same
 * target, as time has it. The choice is made by the rank that calls: which of these it comes after, as the last one
 * that it does not go together with; none: MPI_CHOICE_NOTHING. Its value names that by rank and number of choice.
 *
 * If a later one does not depend on an earlier one (mpi_choice_is_known()), the earlier could have come after it: that
 * is the alternative. A call is forced to come after another one by waiting, before it does anything, until that has
 * taken effect: any process may be that slow.
 *
 * The roots of MPI_Comm_connect come to a port in an order, too, in which MPI_Comm_accept finds them, and so do those
 * of MPI_Comm_accept. */
#include "mpi/comm/comm.h"
#include "mpi/core/function.h"
#include "mpi/core/remote.h"
#include "mpi/core/threads.h"
#include "mpi/rma/rma.h"
#include "mpi/watch/choices.h"

/* A lock, an accumulate or a connection. */
typedef struct Effect {
    MpiDecision *decision; /* it belongs to the rank's list when it is made */
    MpiChooser *chooser;
    uint32_t number, pc;
    const void *target; /* what stands for the window at the target, or for the port */
    uint64_t low, high; /* bytes of an accumulate; of a connection, any */
    uint8_t lock;       /* MpiLockSort; MPI_LOCK_NONE: no lock */
    MpiClock *issued;   /* what its rank knew when it called */
} Effect;

/* A call that waits for an effect. */
typedef struct Waiter {
    uint32_t rank, thread;
    int64_t after;
} Waiter;

struct MpiOrders {
    GPtrArray *made;      /* Effect, in their order */
    GHashTable *coming;   /* id of a transfer + 1 -> Effect; looked up, never iterated */
    GHashTable *granting; /* the same, of locks that accesses take along */
    GHashTable *locking;  /* MpiChooser -> Effect of its lock; likewise */
    GHashTable *numbers;  /* MpiChooser -> number of the choice that its call has come to; likewise */
    GArray *waiters;      /* Waiter */
    GHashTable *ports;    /* name, with 'a' or 'c' in front of it for those who accept or connect */
};

static void effect_free(void *data)
{
    Effect *effect = data;
    mpi_clock_unref(effect->issued);
    g_free(effect);
}

static MpiOrders *orders_of(MpiChoices *choices)
{
    if (!choices->orders) {
        MpiOrders *orders = choices->orders = g_new0(MpiOrders, 1);
        orders->made = g_ptr_array_new_with_free_func(effect_free);
        orders->coming = g_hash_table_new(NULL, NULL);
        orders->granting = g_hash_table_new(NULL, NULL);
        orders->locking = g_hash_table_new(NULL, NULL);
        orders->numbers = g_hash_table_new(NULL, NULL);
        orders->waiters = g_array_new(FALSE, FALSE, sizeof(Waiter));
        orders->ports = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    }
    return choices->orders;
}

void mpi_choice_orders_free(MpiOrders *orders)
{
    g_ptr_array_unref(orders->made);
    g_hash_table_unref(orders->coming);
    g_hash_table_unref(orders->granting);
    g_hash_table_unref(orders->locking);
    g_hash_table_unref(orders->numbers);
    g_array_unref(orders->waiters);
    g_hash_table_unref(orders->ports);
    g_free(orders);
}

static int64_t name_of(const Effect *effect)
{
    return (int64_t)effect->chooser->rank->index | (int64_t)effect->number << 32;
}

/* -- taking effect ----------------------------------------------------------------------------- */

static bool is_done(const MpiOrders *orders, int64_t name)
{
    for (guint i = 0; i < orders->made->len; i++)
        if (name_of(orders->made->pdata[i]) == name)
            return true;
    return false;
}

/* Whether the order of the two shows. */
static bool conflict(const Effect *a, const Effect *b)
{
    if (a->target != b->target || a->chooser == b->chooser || !a->lock != !b->lock)
        return false;
    return a->lock ? a->lock == MPI_LOCK_EXCLUSIVE || b->lock == MPI_LOCK_EXCLUSIVE
                   : a->low < b->high && b->low < a->high;
}

static bool connects(const MpiCall *call);
static void connect_now(MpiWorld *world, MpiCall *call);

/* Lets those go on who wait for the effect. One who connects takes effect itself, for which others may wait, and comes
 * a little later than the one before it, since ranks of one time come in the order of their numbers. */
static void wake(MpiWorld *world, MpiOrders *orders, int64_t name, uint64_t time_ps)
{
    for (guint i = 0; i < orders->waiters->len;) {
        Waiter waiter = g_array_index(orders->waiters, Waiter, i);
        if (waiter.after != name) {
            i++;
            continue;
        }
        g_array_remove_index(orders->waiters, i);
        MpiCall *call = mpi_threads_blocked(mpi_world_rank(world, waiter.rank), waiter.thread);
        if (!call)
            continue;
        call->engine.waiting = 0;
        mpi_call_advance(call, time_ps + connects(call));
        mpi_call_settle(call);
        connect_now(world, call);
        i = 0;
    }
}

/* The effect is a decision: it comes after the last one that it conflicts with, and could come before others. */
static void decide(const MpiOrders *orders, Effect *effect)
{
    MpiDecision *decision = effect->decision;
    int64_t taken = MPI_CHOICE_NOTHING;
    mpi_clock_merge(&decision->clock, effect->issued);
    for (guint i = 0; i < orders->made->len; i++) {
        const Effect *before = orders->made->pdata[i];
        if (!conflict(before, effect))
            continue;
        taken = name_of(before);
        decision->sender = before->chooser->rank->index;
        decision->sender_pc = before->pc;
        if (!before->decision)
            continue;
        if (!mpi_choice_is_known(effect->issued, before->decision))
            mpi_choice_add_other(before->decision, (MpiOther){.taken = name_of(effect)});
        mpi_clock_merge(&decision->clock, before->decision->clock);
        mpi_clock_raise(&decision->clock, (uint32_t)before->chooser->slot, before->decision->tick);
    }
    decision->tick.seen = mpi_choices_see(effect->chooser);
    mpi_clock_merge(&effect->chooser->clock, decision->clock);
    mpi_choice_made(decision, taken);
}

static void take_effect(MpiWorld *world, Effect *effect, uint64_t time_ps)
{
    MpiOrders *orders = mpi_choices_of(world)->orders;
    if (effect->decision)
        decide(orders, effect);
    g_ptr_array_add(orders->made, effect);
    wake(world, orders, name_of(effect), time_ps);
}

/* -- calls ------------------------------------------------------------------------------------- */

/* Whether the order of the access with others shows. */
static bool shows(const MpiWindowAccess *access)
{
    enum { REPLACE = 13 };
    return access->kind == MPI_ACCESS_ACCUMULATE && access->writes &&
           (access->brings || !access->op || access->op->handle == MPI_HANDLE(MPI_KIND_OP, REPLACE));
}

/* Whether the call must wait until another rank's has taken effect: then it does. */
static bool waits(MpiCall *call, MpiOrders *orders)
{
    int64_t forced = mpi_choice_next_forced(mpi_chooser_of(call->rank), MPI_CHOICE_AFTER);
    if (forced == MPI_CHOICE_FREE || forced == MPI_CHOICE_NOTHING || is_done(orders, forced))
        return false;
    Waiter waiter = {call->rank->index, call->thread, forced};
    g_array_append_val(orders->waiters, waiter);
    call->engine.waiting = 1;
    return true;
}

/* The call has come to a choice, or goes on with it. Returns false if it waits. */
static bool may_go_on(MpiCall *call, MpiOrders *orders, MpiStep *step)
{
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    if (g_hash_table_remove(orders->numbers, chooser)) /* it has waited */
        return true;
    if (!waits(call, orders))
        return true;
    g_hash_table_insert(orders->numbers, chooser, chooser);
    *step = mpi_call_block(call, call->world->handlers[call->function]);
    return false;
}

static Effect *effect_new(MpiCall *call, const void *target)
{
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    Effect *effect = g_new(Effect, 1);
    *effect = (Effect){.decision = mpi_choice_new(call, chooser, MPI_CHOICE_AFTER),
                       .chooser = chooser,
                       .number = chooser->number,
                       .pc = call->pc,
                       .target = target,
                       .high = 1,
                       .issued = mpi_clock_ref(chooser->clock)};
    return effect;
}

static Effect *effect_on_window(MpiCall *call, const MpiWindowStep *at)
{
    Effect *effect = effect_new(call, at->kept);
    effect->lock = at->access ? MPI_LOCK_NONE : at->lock;
    if (at->access) {
        int64_t first = 0;
        uint64_t span = mpi_type_span(at->access->type, at->access->count, &first);
        effect->low = at->access->address + (uint64_t)first;
        effect->high = effect->low + span;
    }
    return effect;
}

/* -- connections ------------------------------------------------------------------------------- */

static bool connects(const MpiCall *call)
{
    return call->function == MPI_FUNCTION_Comm_accept || call->function == MPI_FUNCTION_Comm_connect;
}

/* Returns the name of the port that the call comes to, if it is the root's; the caller frees it. Else returns NULL. */
static char *port_of(const MpiCall *call)
{
    enum { NAME, INFO, ROOT, COMM };
    bool accepts = call->function == MPI_FUNCTION_Comm_accept;
    if (!connects(call))
        return NULL;
    const MpiComm *comm = mpi_rank_lookup_comm(call->rank, call->args[COMM]);
    const char *name = comm ? vm_rank_string(call->process, call->args[NAME]) : NULL;
    bool root = comm && mpi_int(call, ROOT) >= 0 && (uint32_t)mpi_int(call, ROOT) == comm->rank;
    return name && root ? g_strconcat(accepts ? "a" : "c", name, NULL) : NULL;
}

/* If the call connects, it does so now. */
static void connect_now(MpiWorld *world, MpiCall *call)
{
    g_autofree char *port = port_of(call);
    GHashTable *ports = mpi_choices_of(world)->orders->ports;
    gpointer known = NULL;
    if (!port)
        return;
    if (!g_hash_table_lookup_extended(ports, port, &known, NULL)) {
        known = g_strdup(port);
        g_hash_table_add(ports, known);
    }
    take_effect(world, effect_new(call, known), call->now);
}

static bool delays_connection(MpiWorld *world, MpiCall *call)
{
    g_autofree char *port = port_of(call);
    if (!port)
        return false;
    if (waits(call, orders_of(mpi_choices_of(world))))
        return true;
    connect_now(world, call);
    return false;
}

/* -- windows ----------------------------------------------------------------------------------- */

/* The access takes the lock along that its call has asked for, under MPI_Win_lock_all. */
static void send_lock(MpiOrders *orders, MpiChooser *chooser, const MpiWindowStep *at)
{
    Effect *effect = g_hash_table_lookup(orders->locking, chooser);
    if (!effect || effect->target != at->kept)
        return;
    g_hash_table_remove(orders->locking, chooser);
    g_hash_table_insert(orders->granting, GSIZE_TO_POINTER(at->access->id + 1), effect);
}

static bool order(MpiWorld *world, MpiCall *call, const MpiWindowStep *at, MpiStep *step)
{
    MpiOrders *orders = orders_of(mpi_choices_of(world));
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    if (at->event == MPI_WINDOW_LOCKED) {
        Effect *effect = g_hash_table_lookup(orders->locking, chooser);
        g_hash_table_remove(orders->locking, chooser);
        if (effect)
            take_effect(world, effect, call->now);
        return true;
    }
    if (at->event == MPI_WINDOW_ACCESSING)
        send_lock(orders, chooser, at);
    if (at->event != MPI_WINDOW_ORDERING || (at->access ? !shows(at->access) : at->nocheck))
        return true;
    if (!may_go_on(call, orders, step))
        return false;
    Effect *effect = effect_on_window(call, at);
    if (at->access && at->kept == at->own) /* it does not travel */
        take_effect(world, effect, call->now);
    else if (at->access)
        g_hash_table_insert(orders->coming, GSIZE_TO_POINTER(at->access->id + 1), effect);
    else
        g_hash_table_insert(orders->locking, chooser, effect);
    return true;
}

/* An accumulate takes effect when it is handled at its target, a lock that an access takes along when it is granted. */
static void note_remote(MpiWorld *world, MpiTransferStage stage, const MpiRemoteHead *transfer, uint64_t from_ps,
                        uint64_t to_ps)
{
    MpiOrders *orders = mpi_choices_of(world)->orders;
    gpointer id = GSIZE_TO_POINTER(transfer->id + 1);
    GHashTable *table = !orders                          ? NULL
                        : stage == MPI_TRANSFER_RECEIVED ? orders->coming
                        : stage == MPI_TRANSFER_GRANTED  ? orders->granting
                                                         : NULL;
    Effect *effect = table ? g_hash_table_lookup(table, id) : NULL;
    (void)from_ps;
    if (!effect)
        return;
    g_hash_table_remove(table, id);
    take_effect(world, effect, to_ps);
}

/* -- for who explores -------------------------------------------------------------------------- */

static void force(GArray *forced, const Effect *effect, int64_t taken)
{
    MpiChoice choice = {
        .rank = effect->chooser->rank->index, .number = effect->number, .sort = MPI_CHOICE_AFTER, .taken = taken};
    g_array_append_val(forced, choice);
}

/* The one that was to come later takes the place of the earlier one. All others that came after that, and do not depend
 * on it, still do. */
void mpi_choice_companions(const MpiDecision *decision, int64_t later, GArray *forced)
{
    const MpiOrders *orders = decision->chooser->choices->orders;
    const Effect *first = NULL;
    for (guint i = 0; i < orders->made->len; i++) {
        const Effect *effect = orders->made->pdata[i];
        if (effect->decision == decision)
            first = effect;
        else if (first && name_of(effect) == later)
            force(forced, effect, decision->taken);
        else if (first && effect->decision && conflict(first, effect) && !mpi_choice_is_known(effect->issued, decision))
            force(forced, effect, name_of(first));
    }
}

void mpi_choice_order_hooks(MpiWorld *world, MpiHooks *hooks)
{
    hooks->window = order;
    hooks->remote = note_remote;
    mpi_hooks_add_short(world, &(MpiHooks){.delay = delays_connection});
}
