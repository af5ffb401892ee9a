/* check_windows.c - accesses to the same bytes of a window that nothing orders (MPI-4.1 section 12.7).
 *
 * All accesses to a target in one epoch of fences, or in one exposure of MPI_Win_post, happen in any order. So do those
 * of one origin in other epochs, up to its next flush. Each target keeps the areas that these touch, and a new access
 * is compared with them. Accesses of different origins in epochs of MPI_Win_lock may be ordered by messages or by the
 * lock, so they are not compared. Accumulates of one origin are ordered; those of different origins may meet if they
 * use the same operator, or MPI_NO_OP, on the same datatype. */
#include "mpi/check/memory_areas.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/world.h"
#include "mpi/rma/rma.h"

typedef struct Access {
    MpiArea area; /* first member, since sets see only this */
    MpiWindowAccess access;
    uint32_t pc;
    const char *name;
} Access;

/* What is kept of the accesses to a member's window. */
typedef struct Accesses {
    MpiAreaSet set;
    uint64_t epoch; /* of the last access */
} Accesses;

static void access_free(Access *access)
{
    mpi_area_clear(&access->area);
    if (!access->access.type->predefined)
        mpi_type_unref(access->access.type);
    g_free(access);
}

static bool leaves_always(MpiArea *area, void *context)
{
    (void)context;
    access_free((Access *)area);
    return true;
}

static void accesses_free(void *data)
{
    Accesses *accesses = data;
    mpi_area_set_remove(&accesses->set, leaves_always, NULL);
    mpi_area_set_clear(&accesses->set);
    g_free(accesses);
}

static Accesses *accesses_of(const MpiWindowAccess *access)
{
    if (!access->kept->data) {
        Accesses *accesses = g_new0(Accesses, 1);
        mpi_area_set_init(&accesses->set);
        *access->kept = (MpiSlotValue){.data = accesses, .destroy = accesses_free};
    }
    return access->kept->data;
}

/* Whether an earlier access of the same origin is over for certain. */
static bool is_over(const MpiWindowAccess *before, const MpiWindowAccess *now)
{
    return before->brings ? before->local_flushes != now->local_flushes : before->flushes != now->flushes;
}

static bool operators_fit(const MpiWindowAccess *a, const MpiWindowAccess *b)
{
    enum { NO_OP = 14 };
    MpiHandle none = MPI_HANDLE(MPI_KIND_OP, NO_OP);
    if (mpi_type_primitive(a->type) != mpi_type_primitive(b->type))
        return false;
    return !a->op || !b->op || a->op == b->op || a->op->handle == none || b->op->handle == none;
}

/* Whether two accesses that touch the same bytes are allowed. */
static bool fit(const MpiWindowAccess *before, const MpiWindowAccess *now)
{
    bool same = before->origin == now->origin,
         combine = before->kind == MPI_ACCESS_ACCUMULATE && now->kind == MPI_ACCESS_ACCUMULATE;
    if (before->kind == MPI_ACCESS_GET && now->kind == MPI_ACCESS_GET)
        return true;
    if (same)
        return combine || (!now->epoch && is_over(before, now));
    return !now->epoch || before->epoch != now->epoch || (combine && operators_fit(before, now));
}

static bool leaves_if_over(MpiArea *area, void *context)
{
    Access *access = (Access *)area;
    const MpiWindowAccess *now = context;
    if (access->access.origin != now->origin || !is_over(&access->access, now))
        return false;
    access_free(access);
    return true;
}

/* Forgets what cannot meet any more. */
static void forget(Accesses *accesses, const MpiWindowAccess *now)
{
    if (accesses->epoch != now->epoch)
        mpi_area_set_remove(&accesses->set, leaves_always, NULL);
    else if (!now->epoch)
        mpi_area_set_remove(&accesses->set, leaves_if_over, (void *)now);
    accesses->epoch = now->epoch;
}

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

static bool may_access(MpiWorld *world, MpiCall *call, const MpiWindowAccess *access, MpiStep *step)
{
    Accesses *accesses = accesses_of(access);
    Access *now = g_new(Access, 1);
    (void)world;
    *now = (Access){.access = *access, .pc = call->pc, .name = call->name};
    if (!access->type->predefined)
        mpi_type_ref(access->type);
    mpi_area_init(&now->area, access->type, access->count, access->address);
    forget(accesses, access);
    const Access *before;
    guint at = UINT_MAX;
    while ((before = (const Access *)mpi_area_set_next(&accesses->set, now->area.low, now->area.high, &at))) {
        if (fit(&before->access, access) || !mpi_areas_meet(&before->area, &now->area))
            continue;
        *step = tell(call, before, now);
        access_free(now);
        return false;
    }
    if (access->awaited && access->brings)
        access_free(now); /* nobody knows when the program has seen that it is over */
    else
        mpi_area_set_add(&accesses->set, &now->area);
    return true;
}

static void begin(MpiWorld *world)
{
    if (mpi_check_is_on(world, MPI_CHECK_WINDOWS))
        mpi_hooks_add(world, &(MpiHooks){.access = may_access});
}

const MpiPart mpi_part_windows = {.begin = begin};
