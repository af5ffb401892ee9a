/* window_touches.c - --check=windows: loads and stores of a member to its own window, against accesses of others.
 *
 * A rank may compute on any thread, ahead of others. So its hook only notes what it touches, in pages of its own, and
 * these are looked at when it has come to its next call: then every access that has begun before in virtual time is in
 * the set of the window, whatever quantum and threads. What has been looked at becomes the past, which keeps for each
 * word the last load and the last store, with the member's step. An access that begins later is compared with that:
 * since the steps of one rank follow each other, the last one is enough.
 *
 *      hook --> fresh pages --(next call: compared with accesses that are not over)--> past pages <-- new accesses
 *
 * A load may meet an access that writes, in the unified model (MPI-4.1 section 12.7): a member that locks its own
 * window or calls MPI_Win_sync waits for it in this way. Loads of others, and in epochs of fences and posts, are
 * findings. */
#include "mpi/check/window_uses.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/places.h"

#include <string.h>

enum { PAGE_BYTES = 1024, WORD_BYTES = 4, WORDS = PAGE_BYTES / WORD_BYTES };
enum { MOST_PAGES = 1 << 16 }; /* of a window; what lies in others is not looked at */

/* Bytes of a word that were loaded, or stored, and where in the program. */
typedef struct Touch {
    uint32_t pc : 28, bytes : 4;
} Touch;

typedef struct Fresh {
    uint64_t page; /* number */
    bool used;
    Touch of[2][WORDS]; /* loads, stores */
} Fresh;

typedef struct PastTouch {
    uint32_t step;
    Touch touch;
    bool alone; /* the member had its window locked exclusively */
} PastTouch;

typedef struct Past {
    PastTouch of[2][WORDS];
} Past;

struct Touches {
    uint64_t low, high;  /* bounds of the memory */
    GHashTable *fresh;   /* page -> Fresh */
    GPtrArray *used;     /* Fresh with touches since the last call */
    Fresh *last;         /* the one that was last found */
    GHashTable *past;    /* page -> Past; both are looked up, never iterated */
    uint32_t newest;     /* the last step in past pages */
    uint64_t first, end; /* bounds of what has been touched since the last call */
};

/* -- noting ------------------------------------------------------------------------------------ */

static Fresh *fresh_of(Touches *touches, uint64_t page)
{
    Fresh *fresh = touches->last;
    if (fresh && fresh->page == page)
        return fresh;
    fresh = g_hash_table_lookup(touches->fresh, GSIZE_TO_POINTER(page));
    if (!fresh) {
        if (g_hash_table_size(touches->fresh) >= MOST_PAGES)
            return NULL;
        fresh = g_new0(Fresh, 1);
        fresh->page = page;
        g_hash_table_insert(touches->fresh, GSIZE_TO_POINTER(page), fresh);
    }
    return touches->last = fresh;
}

static void note(Touches *touches, uint64_t low, uint64_t high, bool write, uint32_t pc)
{
    for (uint64_t at = low; at < high;) {
        Fresh *fresh = fresh_of(touches, at / PAGE_BYTES);
        uint64_t word = at / WORD_BYTES, next = MIN((word + 1) * WORD_BYTES, high);
        if (!fresh) {
            at = (at / PAGE_BYTES + 1) * PAGE_BYTES;
            continue;
        }
        if (!fresh->used)
            g_ptr_array_add(touches->used, fresh);
        fresh->used = true;
        Touch *touch = &fresh->of[write][word % WORDS];
        unsigned bytes = ((1U << (next - at)) - 1) << at % WORD_BYTES;
        *touch = (Touch){.pc = pc & ((1U << 28) - 1), .bytes = (touch->bytes | bytes) & 15};
        at = next;
    }
}

static bool note_access(VmRank *process, uint64_t address, uint64_t size, bool write, void *user)
{
    WindowUses *uses = user;
    Touches *touches = uses->touches;
    if (address >= touches->high || address + size <= touches->low || !vm_rank_acts(process))
        return true;
    uint64_t low = MAX(address, touches->low), high = MIN(address + size, touches->high);
    note(touches, low, high, write, vm_rank_pc(process, 0));
    touches->first = MIN(touches->first, low);
    touches->end = MAX(touches->end, high);
    return true;
}

void mpi_touches_begin(WindowUses *uses)
{
    Touches *touches = uses->touches = g_new0(Touches, 1);
    touches->first = UINT64_MAX;
    touches->fresh = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    touches->past = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    touches->used = g_ptr_array_new();
    mpi_touches_fit(uses);
    vm_rank_add_access_check(uses->owner->process, note_access, uses);
}

void mpi_touches_fit(WindowUses *uses)
{
    Touches *touches = uses->touches;
    uint64_t low, high;
    touches->low = UINT64_MAX;
    touches->high = 0;
    for (uint64_t at = 0; mpi_window_extent(uses->win, at, &low, &high); at = high) {
        touches->low = MIN(touches->low, low);
        touches->high = MAX(touches->high, high);
    }
}

void mpi_touches_cease(WindowUses *uses)
{
    vm_rank_remove_access_hook(uses->owner->process, note_access, uses);
}

void mpi_touches_free(Touches *touches)
{
    if (!touches)
        return;
    g_hash_table_unref(touches->fresh);
    g_hash_table_unref(touches->past);
    g_ptr_array_unref(touches->used);
    g_free(touches);
}

/* -- comparing --------------------------------------------------------------------------------- */

/* Whether a load or store must not meet the access at all. */
static bool is_against(const WindowUses *uses, const MpiWindowAccess *access, bool write)
{
    if (!access->writes)
        return write && access->epoch;
    return write || access->epoch || !uses->polls;
}

/* A finding: the bytes and the place of the load or store. */
typedef struct Meeting {
    uint64_t low, high;
    uint32_t pc;
    bool write;
} Meeting;

/* Adds the bytes of a word that are touched and in the access. Returns false if the meeting ends before them. */
static bool extend(Meeting *meeting, const Access *access, uint64_t word, Touch touch, bool write)
{
    for (unsigned i = 0; i < WORD_BYTES; i++) {
        uint64_t at = word * WORD_BYTES + i;
        bool meets = touch.bytes >> i & 1 && mpi_area_touches(&access->area, at, at + 1);
        bool joins = meeting->low == meeting->high || (meeting->high == at && meeting->write == write);
        if (meets && joins) {
            if (meeting->low == meeting->high)
                *meeting = (Meeting){.low = at, .pc = touch.pc, .write = write};
            meeting->high = at + 1;
        } else if (meeting->low != meeting->high) {
            return false;
        }
    }
    return true;
}

typedef const Touch *(*Look)(const WindowUses *uses, const Access *access, uint64_t word, bool write);

/* Looks for the first bytes of an access that the member touches, and those behind them. */
static bool find_meeting(const WindowUses *uses, const Access *access, uint64_t low, uint64_t high, Look look,
                         Meeting *meeting)
{
    *meeting = (Meeting){0};
    for (int write = 1; write >= 0; write--) {
        if (!is_against(uses, &access->access, write))
            continue;
        for (uint64_t word = low / WORD_BYTES; word * WORD_BYTES < high; word++) {
            const Touch *touch = look(uses, access, word, write);
            if (!extend(meeting, access, word, touch ? *touch : (Touch){0}, write))
                return true;
        }
        if (meeting->low != meeting->high)
            return true;
    }
    return false;
}

static const Touch *look_fresh(const WindowUses *uses, const Access *access, uint64_t word, bool write)
{
    const Fresh *fresh = fresh_of(uses->touches, word / WORDS);
    (void)access;
    return fresh ? &fresh->of[write][word % WORDS] : NULL;
}

/* Looks for a load or store that nothing orders before the access. */
static const Touch *look_past(const WindowUses *uses, const Access *access, uint64_t word, bool write)
{
    const Past *past = g_hash_table_lookup(uses->touches->past, GSIZE_TO_POINTER(word / WORDS));
    const PastTouch *touch = past ? &past->of[write][word % WORDS] : NULL;
    const MpiRank *origin = &uses->owner->world->ranks[access->access.origin];
    if (!touch || !touch->touch.bytes || mpi_knowledge_has(origin, uses->owner->index, touch->step))
        return NULL;
    return touch->alone && access->access.lock ? NULL : &touch->touch;
}

static const char *does(const MpiWindowAccess *access)
{
    return access->kind == MPI_ACCESS_GET   ? "reads"
           : access->kind == MPI_ACCESS_PUT ? "writes"
           : access->writes                 ? "combines"
                                            : "reads";
}

static const char advice[] = "nothing orders the two; synchronise between them";

static MpiStep tell_of_touch(MpiCall *call, const WindowUses *uses, const Access *access, const Meeting *meeting)
{
    const MpiRank *origin = mpi_world_rank(call->world, access->access.origin);
    g_autoptr(GString) here = g_string_new(NULL), there = g_string_new(NULL);
    mpi_append_place(here, uses->owner->process, meeting->pc);
    mpi_append_call_place(there, origin->process, access->name, access->pc);
    return mpi_finding_stop(call, MPI_CHECK_WINDOWS,
                            "before this call, at %s, rank %u itself %s bytes %" G_GUINT64_FORMAT
                            " to %" G_GUINT64_FORMAT " of its window, which rank %u %s with %s, and %s",
                            here->str, uses->owner->index, meeting->write ? "stores to" : "loads",
                            meeting->low - access->access.base, meeting->high - 1 - access->access.base,
                            access->access.origin, does(&access->access), there->str, advice);
}

static MpiStep tell_of_access(MpiCall *call, const WindowUses *uses, const Access *access, const Meeting *meeting)
{
    g_autoptr(GString) there = g_string_new(NULL);
    mpi_append_place(there, uses->owner->process, meeting->pc);
    return mpi_finding_stop(call, MPI_CHECK_WINDOWS,
                            "rank %u %s bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                            " of the window of rank %u, which that rank itself %s at %s, and %s",
                            access->access.origin, does(&access->access), meeting->low - access->access.base,
                            meeting->high - 1 - access->access.base, access->access.target,
                            meeting->write ? "stores to" : "loads", there->str, advice);
}

/* -- the member comes to a call ------------------------------------------------------------------ */

/* Compares what was touched with each access that is not over. */
static bool compare(MpiCall *call, const WindowUses *uses, MpiStep *step)
{
    const Touches *touches = uses->touches;
    const Access *access;
    Meeting meeting;
    guint at = UINT_MAX;
    while ((access = (const Access *)mpi_area_set_next(&uses->set, touches->first, touches->end, &at))) {
        uint64_t low = MAX(access->area.low, touches->first), high = MIN(access->area.high, touches->end);
        if (mpi_window_is_over(uses, access) || mpi_window_locks_apart(access->access.lock, uses->lock) ||
            !find_meeting(uses, access, low, high, look_fresh, &meeting))
            continue;
        *step = tell_of_touch(call, uses, access, &meeting);
        return false;
    }
    return true;
}

static void keep_page(WindowUses *uses, Fresh *fresh, uint32_t step)
{
    GHashTable *pages = uses->touches->past;
    uses->touches->newest = step;
    Past *past = g_hash_table_lookup(pages, GSIZE_TO_POINTER(fresh->page));
    if (!past) {
        past = g_new0(Past, 1);
        g_hash_table_insert(pages, GSIZE_TO_POINTER(fresh->page), past);
    }
    for (unsigned write = 0; write < 2; write++) {
        for (unsigned word = 0; word < WORDS; word++) {
            Touch touch = fresh->of[write][word];
            if (!touch.bytes)
                continue;
            past->of[write][word] = (PastTouch){step, touch, uses->lock == MPI_LOCK_EXCLUSIVE};
            if (write && !uses->stored) {
                uses->stored = true;
                uses->stored_pc = touch.pc;
            }
        }
    }
    memset(fresh->of, 0, sizeof fresh->of);
    fresh->used = false;
}

bool mpi_touches_close(MpiCall *call, WindowUses *uses, MpiStep *step)
{
    Touches *touches = uses->touches;
    bool good = !touches->used->len || !uses->set.items->len || compare(call, uses, step);
    for (guint i = 0; i < touches->used->len; i++)
        keep_page(uses, touches->used->pdata[i], mpi_knowledge_next(uses->owner));
    if (touches->used->len && uses->polls) /* it may have seen what others have put */
        mpi_knowledge_take(uses->owner, uses->written);
    g_ptr_array_set_size(touches->used, 0);
    touches->first = UINT64_MAX;
    touches->end = 0;
    return good;
}

bool mpi_touches_allow(MpiCall *call, const WindowUses *uses, const Access *access, MpiStep *step)
{
    const Touches *touches = uses->touches;
    Meeting meeting;
    if (!touches || !g_hash_table_size(touches->past) ||
        mpi_knowledge_has(call->rank, uses->owner->index, touches->newest) ||
        !find_meeting(uses, access, access->area.low, access->area.high, look_past, &meeting))
        return true;
    *step = tell_of_access(call, uses, access, &meeting);
    return false;
}
