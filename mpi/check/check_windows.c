/* check_windows.c - accesses to the same bytes of a window that nothing orders (MPI-4.1 section 12.7).
 *
 * Each member's window keeps the areas that others access, and a new access is compared with them. Two that meet are
 * ordered
 *   - if one is over for certain before the other begins: its origin has synchronised with the target, and the other's
 *     origin knows of that, by messages, collectives, locks or accumulates (watch/knowledge.c). Who may have fetched
 *     what an access has left, or waited for it in memory, need only know that it was made;
 *   - if one of them is made under an exclusive lock, and the other under any;
 *   - accesses of one origin: if it has synchronised with the target between them. Accumulates of one origin are always
 *     ordered.
 * Within one epoch of fences, or one exposure of MPI_Win_post, nothing orders accesses of different origins.
 * Accumulates may meet if they use the same operator, or MPI_NO_OP, on the same datatype. What the member itself does
 * to its memory is in window_touches.c. */
#include "mpi/check/window_uses.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/slots.h"

enum { MOST_ACCESSES = 4096 }; /* of a window; then those are forgotten that are over */

/* Who has the lock of a member, or asks for it. */
typedef struct Holder {
    uint32_t rank; /* in MPI_COMM_WORLD */
    uint8_t lock;
    bool nocheck;
    uint32_t pc;
} Holder;

/* -- what is kept ------------------------------------------------------------------------------ */

static void access_unref(void *data)
{
    Access *access = data;
    if (--access->refs)
        return;
    mpi_area_clear(&access->area);
    if (!access->access.type->predefined)
        mpi_type_unref(access->access.type);
    g_free(access);
}

static bool leaves_always(MpiArea *area, void *context)
{
    (void)context;
    access_unref(area);
    return true;
}

static bool leaves_if_over(MpiArea *area, void *context)
{
    const Access *access = (const Access *)area;
    return access->end && leaves_always(area, context);
}

static void uses_free(void *data)
{
    WindowUses *uses = data;
    MpiClock *const clocks[] = {uses->shared, uses->exclusive, uses->posted, uses->completed, uses->written};
    mpi_area_set_remove(&uses->set, leaves_always, NULL);
    mpi_area_set_clear(&uses->set);
    g_hash_table_unref(uses->open);
    g_array_unref(uses->holders);
    for (size_t i = 0; i < G_N_ELEMENTS(clocks); i++)
        mpi_clock_unref(clocks[i]);
    mpi_touches_free(uses->touches);
    mpi_shared_memory_free(uses->memory);
    g_free(uses->sharing);
    g_free(uses);
}

WindowUses *mpi_window_uses(MpiSlotValue *kept)
{
    if (!kept->data) {
        WindowUses *uses = g_new0(WindowUses, 1);
        mpi_area_set_init(&uses->set);
        uses->open = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
        uses->holders = g_array_new(FALSE, FALSE, sizeof(Holder));
        *kept = (MpiSlotValue){.data = uses, .destroy = uses_free};
    }
    return kept->data;
}

/* Returns the accesses of an origin that have no end. */
static GPtrArray *open_of(const WindowUses *uses, uint32_t origin, bool make)
{
    GPtrArray *open = g_hash_table_lookup(uses->open, GUINT_TO_POINTER(origin));
    if (!open && make) {
        open = g_ptr_array_new_with_free_func(access_unref);
        g_hash_table_insert(uses->open, GUINT_TO_POINTER(origin), open);
    }
    return open;
}

/* -- order ------------------------------------------------------------------------------------- */

/* Whether an earlier access of the same origin is over for certain. */
static bool is_over(const MpiWindowAccess *before, const MpiWindowAccess *now)
{
    return before->brings ? before->local_flushes != now->local_flushes : before->flushes != now->flushes;
}

/* Whether the rank knows that the access is done. `seen`: as it may have seen what that has left, it is enough to know
 * that it was made; so it is with accumulates, whose results others fetch. */
static bool is_done(const Access *access, const MpiRank *rank, bool seen)
{
    uint32_t step = seen || access->access.kind == MPI_ACCESS_ACCUMULATE ? access->begun : access->end;
    return step && mpi_knowledge_has(rank, access->access.origin, step);
}

bool mpi_window_is_over(const WindowUses *uses, const Access *access)
{
    uint64_t epoch = access->access.epoch; /* see mpi_access_epoch() */
    if (epoch && epoch % 2 == 0)
        return uses->exposures >= (epoch - 2) / 2;
    return is_done(access, uses->owner, uses->polls);
}

static bool operators_fit(const MpiWindowAccess *a, const MpiWindowAccess *b)
{
    if (mpi_type_primitive(a->type) != mpi_type_primitive(b->type))
        return false;
    return !a->op || !b->op || a->op == b->op || !a->writes || !b->writes;
}

/* Whether two accesses that touch the same bytes are allowed. */
static bool fit(const MpiCall *call, const Access *before, const MpiWindowAccess *now)
{
    const MpiWindowAccess *then = &before->access;
    bool combine = then->kind == MPI_ACCESS_ACCUMULATE && now->kind == MPI_ACCESS_ACCUMULATE;
    if (!then->writes && !now->writes)
        return true;
    if (then->origin == now->origin)
        return combine || (then->epoch != now->epoch) || (!now->epoch && is_over(then, now));
    if (combine && operators_fit(then, now))
        return true;
    if (then->epoch && now->epoch)
        return then->epoch != now->epoch;
    return mpi_window_locks_apart(then->lock, now->lock) || is_done(before, call->rank, false);
}

/* An epoch that others are in is over, and this one begins: what was before it is ordered. */
static void forget(WindowUses *uses, const MpiWindowAccess *now)
{
    if (uses->epoch != now->epoch || uses->set.items->len >= uses->room) {
        mpi_area_set_remove(&uses->set, leaves_if_over, NULL);
        uses->room = MAX(MOST_ACCESSES, 2 * uses->set.items->len);
    }
    uses->epoch = now->epoch;
}

/* -- accesses ---------------------------------------------------------------------------------- */

static MpiStep tell(MpiCall *call, const Access *before, const Access *now)
{
    static const char *const does[] = {
        [MPI_ACCESS_GET] = "reads", [MPI_ACCESS_PUT] = "writes", [MPI_ACCESS_ACCUMULATE] = "combines"};
    const MpiRank *other = mpi_world_rank(call->world, before->access.origin);
    uint64_t low = MAX(before->area.low, now->area.low), high = MIN(before->area.high, now->area.high);
    g_autoptr(GString) place = g_string_new(NULL);
    mpi_append_call_place(place, other->process, before->name, before->pc);
    bool combine = before->access.kind == MPI_ACCESS_ACCUMULATE && now->access.kind == MPI_ACCESS_ACCUMULATE;
    return mpi_finding_stop(call, MPI_CHECK_WINDOWS,
                            "rank %u %s bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                            " of the window of rank %u, which rank %u %s with "
                            "%s, and nothing orders the two; %s",
                            now->access.origin, does[now->access.kind], low - now->access.base,
                            high - 1 - now->access.base, now->access.target, before->access.origin,
                            does[before->access.kind], place->str,
                            combine ? "use the same operator and datatype for both, or synchronise between them"
                            : before->access.origin == now->access.origin
                                ? "synchronise between them, with MPI_Win_flush or another epoch"
                                : "synchronise between them, or use accumulates with one operator");
}

/* Whether the kept access stands for the new one as well, which is made at the same place on the same bytes. */
static bool is_same(const Access *kept, const Access *now)
{
    const MpiWindowAccess *a = &kept->access, *b = &now->access;
    return kept->area.low == now->area.low && kept->area.high == now->area.high && !kept->area.segments &&
           !now->area.segments && a->origin == b->origin && a->kind == b->kind && a->op == b->op &&
           a->type == b->type && a->writes == b->writes && a->lock == b->lock && a->epoch == b->epoch &&
           kept->pc == now->pc && a->brings == b->brings;
}

static void keep_open(WindowUses *uses, Access *access)
{
    access->refs++;
    g_ptr_array_add(open_of(uses, access->access.origin, true), access);
}

/* Keeps the access, or lets another one that is already kept stand for it. */
static void keep(WindowUses *uses, Access *now, Access *same)
{
    if (now->access.awaited && now->access.brings) { /* nobody knows when the program has seen that it is over */
        access_unref(now);
        return;
    }
    if (same) {
        same->access.flushes = now->access.flushes;
        same->access.local_flushes = now->access.local_flushes;
        same->begun = now->begun;
        if (same->end) {
            same->end = 0;
            keep_open(uses, same);
        }
        access_unref(now);
        return;
    }
    mpi_area_set_add(&uses->set, &now->area);
    keep_open(uses, now);
}

static bool may_access(MpiCall *call, const MpiWindowAccess *access, MpiStep *step)
{
    WindowUses *uses = mpi_window_uses(access->kept);
    Access *now = g_new(Access, 1), *before, *same = NULL;
    *now = (Access){.access = *access, .pc = call->pc, .name = call->name, .refs = 1};
    if (!access->type->predefined)
        mpi_type_ref(access->type);
    mpi_area_init(&now->area, access->type, access->count, access->address);
    forget(uses, access);
    guint at = UINT_MAX;
    while ((before = (Access *)mpi_area_set_next(&uses->set, now->area.low, now->area.high, &at))) {
        if (is_same(before, now))
            same = before;
        if (fit(call, before, access) || !mpi_areas_meet(&before->area, &now->area))
            continue;
        *step = tell(call, before, now);
        access_unref(now);
        return false;
    }
    if (!mpi_touches_allow(call, uses, now, step)) {
        access_unref(now);
        return false;
    }
    now->begun = mpi_knowledge_step(call->rank);
    if (access->writes)
        mpi_knowledge_give(call->rank, &uses->written);
    keep(uses, now, same);
    return true;
}

/* -- synchronisations -------------------------------------------------------------------------- */

/* From the present step on, the origin's accesses are done. `local`: only those that bring data. */
static void end_accesses(const MpiCall *call, const WindowUses *uses, bool local)
{
    GPtrArray *open = open_of(uses, call->rank->index, false);
    uint32_t step = mpi_knowledge_step(call->rank);
    for (guint i = 0; open && i < open->len;) {
        Access *access = open->pdata[i];
        if (local && !access->access.brings) {
            i++;
            continue;
        }
        access->end = step;
        g_ptr_array_remove_index_fast(open, i);
    }
}

/* Under MPI_MODE_NOCHECK a member promises that locks of others let it in. */
static bool may_lock(MpiCall *call, const WindowUses *uses, const MpiWindowStep *at, MpiStep *step)
{
    for (guint i = 0; i < uses->holders->len; i++) {
        const Holder *holder = &g_array_index(uses->holders, Holder, i);
        bool apart = mpi_window_locks_apart(holder->lock, at->lock);
        if (!apart || !(holder->nocheck || at->nocheck) || holder->rank == call->rank->index)
            continue;
        const MpiRank *other = mpi_world_rank(call->world, holder->rank);
        g_autoptr(GString) place = g_string_new(NULL);
        mpi_append_place(place, other->process, holder->pc);
        *step =
            mpi_finding_stop(call, MPI_CHECK_WINDOWS,
                             "rank %u of the window is locked by rank %u of MPI_COMM_WORLD since %s, and one of the "
                             "two locks is exclusive; with MPI_MODE_NOCHECK, which %s, nobody waits for the other",
                             at->target, holder->rank, place->str, at->nocheck ? "this call says" : "that call said");
        return false;
    }
    Holder holder = {.rank = call->rank->index, .lock = at->lock, .nocheck = at->nocheck, .pc = call->pc};
    g_array_append_val(uses->holders, holder);
    return true;
}

static void note_locked(const MpiCall *call, WindowUses *uses, const MpiWindowStep *at)
{
    mpi_knowledge_take(call->rank, uses->exclusive);
    if (at->lock == MPI_LOCK_EXCLUSIVE)
        mpi_knowledge_take(call->rank, uses->shared);
    if (at->kept == at->own) {
        uses->lock = at->nocheck ? MPI_LOCK_NONE : at->lock;
        uses->polls = true;
    }
}

static void note_unlocking(const MpiCall *call, WindowUses *uses, const MpiWindowStep *at)
{
    mpi_knowledge_give(call->rank, at->lock == MPI_LOCK_EXCLUSIVE ? &uses->exclusive : &uses->shared);
    if (at->kept == at->own)
        uses->lock = MPI_LOCK_NONE;
    for (guint i = uses->holders->len; i-- > 0;)
        if (g_array_index(uses->holders, Holder, i).rank == call->rank->index)
            g_array_remove_index_fast(uses->holders, i);
}

/* Checks MPI_MODE_NOSTORE; from now on, other stores count. */
static bool check_stores(MpiCall *call, WindowUses *uses, const MpiWindowStep *at, MpiStep *step)
{
    bool stored = uses->stored;
    uses->stored = false;
    if (!stored || !at->nostore)
        return true;
    g_autoptr(GString) place = g_string_new(NULL);
    mpi_append_place(place, call->process, uses->stored_pc);
    *step = mpi_finding_stop(call, MPI_CHECK_WINDOWS,
                             "the call says MPI_MODE_NOSTORE, but this rank has stored to its window since the last "
                             "synchronisation, at %s; leave the assertion out",
                             place->str);
    return false;
}

/* The windows of each rank. */
static GPtrArray *windows_of(const MpiRank *rank)
{
    GHashTable *windows = mpi_world_slot(rank->world, MPI_SLOT_WINDOW_USES);
    return g_hash_table_lookup(windows, rank);
}

static void begin_window(const MpiCall *call, WindowUses *uses, const MpiWindowStep *at)
{
    GPtrArray *windows = windows_of(call->rank);
    if (!mpi_knowledge_follow(call->rank))
        return;
    if (!windows) {
        windows = g_ptr_array_new();
        g_hash_table_insert(mpi_world_slot(call->world, MPI_SLOT_WINDOW_USES), call->rank, windows);
    }
    uses->owner = call->rank;
    uses->win = at->win;
    g_ptr_array_add(windows, uses);
    mpi_touches_begin(uses);
    mpi_shared_begin(uses);
}

static void end_window(const MpiCall *call, WindowUses *uses)
{
    if (!uses->touches)
        return;
    mpi_touches_cease(uses);
    mpi_shared_cease(uses);
    g_ptr_array_remove(windows_of(call->rank), uses);
}

/* Steps that concern a target: `uses` are those of its window. */
static bool take_target_step(MpiCall *call, WindowUses *uses, const MpiWindowStep *at, MpiStep *step)
{
    const MpiRank *rank = call->rank;
    switch (at->event) {
    case MPI_WINDOW_LOCKING: return may_lock(call, uses, at, step);
    case MPI_WINDOW_LOCKED: note_locked(call, uses, at); break;
    case MPI_WINDOW_ENDING: end_accesses(call, uses, false); break;
    case MPI_WINDOW_ENDING_LOCALLY: end_accesses(call, uses, true); break;
    case MPI_WINDOW_UNLOCKING: note_unlocking(call, uses, at); break;
    case MPI_WINDOW_ENDED:
        mpi_knowledge_take(rank, uses->written);
        mpi_knowledge_take(rank, at->lock ? uses->exclusive : NULL);
        break;
    case MPI_WINDOW_STARTED: mpi_knowledge_take(rank, uses->posted); break;
    case MPI_WINDOW_COMPLETING:
        end_accesses(call, uses, false);
        mpi_knowledge_give(rank, &uses->completed);
        break;
    default: break;
    }
    return true;
}

/* Steps that concern the rank's own part of the window alone. */
static bool take_own_step(MpiCall *call, WindowUses *own, const MpiWindowStep *at, MpiStep *step)
{
    const MpiRank *rank = call->rank;
    switch (at->event) {
    case MPI_WINDOW_MADE: begin_window(call, own, at); break;
    case MPI_WINDOW_FREED: end_window(call, own); break;
    case MPI_WINDOW_ATTACHED:
        if (own->touches)
            mpi_touches_fit(own);
        break;
    case MPI_WINDOW_FENCING: return check_stores(call, own, at, step);
    case MPI_WINDOW_POSTING: mpi_knowledge_give(rank, &own->posted); return check_stores(call, own, at, step);
    case MPI_WINDOW_WAITED:
        own->exposures++;
        own->stored = false;
        mpi_knowledge_take(rank, own->completed);
        break;
    case MPI_WINDOW_SYNCED:
        own->polls = true;
        mpi_knowledge_take(rank, own->written);
        break;
    default: break;
    }
    return true;
}

static bool synchronise(MpiWorld *world, MpiCall *call, const MpiWindowStep *at, MpiStep *step)
{
    (void)world;
    if (at->event == MPI_WINDOW_ACCESSING)
        return may_access(call, at->access, step);
    return at->kept ? take_target_step(call, mpi_window_uses(at->kept), at, step)
                    : take_own_step(call, mpi_window_uses(at->own), at, step);
}

/* The rank comes to a call. */
static void note_called(MpiWorld *world, MpiCall *call)
{
    const GPtrArray *windows = windows_of(call->rank);
    MpiStep step;
    (void)world;
    for (guint i = 0; windows && i < windows->len; i++) {
        if (!mpi_touches_close(call, windows->pdata[i], &step) || !mpi_shared_close(call, windows->pdata[i], &step)) {
            call->engine.stopped = true;
            return;
        }
    }
    if (windows && windows->len)
        mpi_knowledge_step(call->rank);
}

static void begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_WINDOWS))
        return;
    mpi_world_set_slot(world, MPI_SLOT_WINDOW_USES,
                       g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref),
                       (GDestroyNotify)g_hash_table_unref);
    mpi_hooks_add_short(world, &(MpiHooks){.called = note_called, .window = synchronise});
}

const MpiPart mpi_part_windows = {.begin = begin};
