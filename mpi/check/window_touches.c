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

enum { PAGE_BYTES = 1024, WORD_BYTES = 4, WORDS = PAGE_BYTES / WORD_BYTES, ALL_BYTES = 15 };
enum { MOST_PAGES = 1 << 18 }; /* of a window; what lies in others is not looked at */

/* Bytes of a word that were loaded, or stored, and where in the program. */
typedef struct Touch {
    uint32_t pc : 28, bytes : 4;
} Touch;

/* The touches of a page. A loop that goes through an array leaves the same one everywhere: that is kept once. */
typedef struct Sheet {
    Touch *of;         /* by word; NULL: `all` is that of each */
    Touch all;         /* its bytes are 0 if there is none */
    uint32_t pc, same; /* where the last one was, and how many words have been touched there as a whole */
} Sheet;

typedef struct Fresh {
    uint64_t page; /* number */
    Sheet of[2];   /* loads, stores */
} Fresh;

typedef struct PastTouch {
    uint32_t step;
    Touch touch;
    bool alone; /* the member had its window locked exclusively */
} PastTouch;

typedef struct PastSheet {
    PastTouch *mixed; /* by word, if they are of several steps; else NULL */
    Sheet sheet;      /* if not mixed */
    uint32_t step;
    bool alone;
} PastSheet;

typedef struct Past {
    PastSheet of[2];
} Past;

struct Touches {
    uint64_t low, high;  /* bounds of the memory */
    GHashTable *fresh;   /* page -> Fresh */
    GPtrArray *used;     /* Fresh, in their order */
    Fresh *last;         /* the one that was last found */
    GHashTable *past;    /* page -> Past; both are looked up, never iterated */
    uint32_t newest;     /* the last step in past pages */
    uint64_t first, end; /* bounds of what has been touched since the last call */
};

/* -- sheets ------------------------------------------------------------------------------------ */

static Touch touch_in(const Sheet *sheet, unsigned word)
{
    return sheet->of ? sheet->of[word] : sheet->all;
}

static void sheet_clear(Sheet *sheet)
{
    g_free(sheet->of);
    *sheet = (Sheet){0};
}

static void spread(Sheet *sheet)
{
    sheet->of = g_new(Touch, WORDS);
    for (unsigned i = 0; i < WORDS; i++)
        sheet->of[i] = sheet->all;
    sheet->same = 0;
}

static void put_touch(Sheet *sheet, unsigned word, uint32_t pc, unsigned bytes)
{
    Touch before = touch_in(sheet, word),
          now = {.pc = pc & ((1U << 28) - 1), .bytes = (before.bytes | bytes) & ALL_BYTES};
    if (before.pc == now.pc && before.bytes == now.bytes)
        return;
    if (!sheet->of)
        spread(sheet);
    sheet->of[word] = now;
    if (sheet->pc != now.pc)
        sheet->same = 0;
    sheet->pc = now.pc;
    sheet->same += now.bytes == ALL_BYTES;
    if (sheet->same < WORDS)
        return;
    g_clear_pointer(&sheet->of, g_free);
    sheet->all = now;
}

/* Whether each byte of the one is in the other. */
static bool covers(const Sheet *sheet, const Sheet *other)
{
    bool all = !sheet->of && sheet->all.bytes == ALL_BYTES;
    for (unsigned i = 0; !all && i < WORDS; i++)
        if (touch_in(other, i).bytes & ~(unsigned)touch_in(sheet, i).bytes)
            return false;
    return true;
}

static void fresh_free(void *data)
{
    Fresh *fresh = data;
    for (int write = 0; write < 2; write++)
        sheet_clear(&fresh->of[write]);
    g_free(fresh);
}

static void past_sheet_clear(PastSheet *sheet)
{
    sheet_clear(&sheet->sheet);
    g_clear_pointer(&sheet->mixed, g_free);
}

static void past_free(void *data)
{
    Past *past = data;
    for (int write = 0; write < 2; write++)
        past_sheet_clear(&past->of[write]);
    g_free(past);
}

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
        g_ptr_array_add(touches->used, fresh);
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
        put_touch(&fresh->of[write], word % WORDS, pc, ((1U << (next - at)) - 1) << at % WORD_BYTES);
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
    touches->fresh = g_hash_table_new_full(NULL, NULL, NULL, fresh_free);
    touches->past = g_hash_table_new_full(NULL, NULL, NULL, past_free);
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

/* What is looked for: touches since the last call, or those before that nothing orders before the access. */
typedef struct Look {
    const WindowUses *uses;
    const Access *access;
    bool past;
    uint64_t page; /* the page that was last looked at, and what there is of it */
    const Fresh *fresh;
    const Past *before;
} Look;

/* Turns to a page. Returns whether there is anything of it. */
static bool turn_to(Look *look, uint64_t page)
{
    const Touches *touches = look->uses->touches;
    gpointer key = GSIZE_TO_POINTER(page);
    look->page = page;
    look->fresh = look->past ? NULL : g_hash_table_lookup(touches->fresh, key);
    look->before = look->past ? g_hash_table_lookup(touches->past, key) : NULL;
    return look->fresh || look->before;
}

static Touch look_past(const Look *look, const PastSheet *sheet, unsigned word)
{
    const MpiRank *owner = look->uses->owner, *origin = &owner->world->ranks[look->access->access.origin];
    PastTouch touch =
        sheet->mixed ? sheet->mixed[word] : (PastTouch){sheet->step, touch_in(&sheet->sheet, word), sheet->alone};
    bool ordered = !touch.touch.bytes || mpi_knowledge_has(origin, owner->index, touch.step) ||
                   (touch.alone && look->access->access.lock);
    return ordered ? (Touch){0} : touch.touch;
}

static Touch look_at(const Look *look, unsigned word, bool write)
{
    return look->fresh    ? touch_in(&look->fresh->of[write], word)
           : look->before ? look_past(look, &look->before->of[write], word)
                          : (Touch){0};
}

/* Looks for the first bytes of an access that the member touches, and those behind them. */
static bool find_meeting(Look look, uint64_t low, uint64_t high, Meeting *meeting)
{
    *meeting = (Meeting){0};
    for (int write = 1; write >= 0; write--) {
        if (!is_against(look.uses, &look.access->access, write))
            continue;
        look.page = UINT64_MAX;
        for (uint64_t word = low / WORD_BYTES; word * WORD_BYTES < high; word++) {
            if (look.page != word / WORDS && !turn_to(&look, word / WORDS) && meeting->low == meeting->high) {
                word = (look.page + 1) * WORDS - 1;
                continue;
            }
            if (!extend(meeting, look.access, word, look_at(&look, word % WORDS, write), write))
                return true;
        }
        if (meeting->low != meeting->high)
            return true;
    }
    return false;
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
            !find_meeting((Look){.uses = uses, .access = access}, low, high, &meeting))
            continue;
        *step = tell_of_touch(call, uses, access, &meeting);
        return false;
    }
    return true;
}

/* Adds touches of a step to those of others. */
static void mix(PastSheet *past, const Sheet *sheet, uint32_t step, bool alone)
{
    if (!past->mixed) {
        past->mixed = g_new(PastTouch, WORDS);
        for (unsigned i = 0; i < WORDS; i++)
            past->mixed[i] = (PastTouch){past->step, touch_in(&past->sheet, i), past->alone};
        sheet_clear(&past->sheet);
    }
    for (unsigned i = 0; i < WORDS; i++) {
        Touch touch = touch_in(sheet, i);
        if (touch.bytes)
            past->mixed[i] = (PastTouch){step, touch, alone};
    }
}

static bool hides(const Sheet *sheet, const PastSheet *past)
{
    if (past->mixed)
        return !sheet->of && sheet->all.bytes == ALL_BYTES;
    return covers(sheet, &past->sheet);
}

/* Takes the sheet. */
static void keep_sheet(PastSheet *past, Sheet *sheet, uint32_t step, bool alone)
{
    if (hides(sheet, past)) {
        past_sheet_clear(past);
        *past = (PastSheet){.sheet = *sheet, .step = step, .alone = alone};
        *sheet = (Sheet){0};
    } else {
        mix(past, sheet, step, alone);
    }
}

static void note_stores(WindowUses *uses, const Sheet *sheet)
{
    for (unsigned i = 0; !uses->stored && i < WORDS; i++) {
        Touch touch = touch_in(sheet, i);
        uses->stored = touch.bytes;
        uses->stored_pc = touch.pc;
    }
}

static void keep_page(WindowUses *uses, Fresh *fresh, uint32_t step)
{
    GHashTable *pages = uses->touches->past;
    bool alone = uses->lock == MPI_LOCK_EXCLUSIVE;
    uses->touches->newest = step;
    note_stores(uses, &fresh->of[1]);
    Past *past = g_hash_table_lookup(pages, GSIZE_TO_POINTER(fresh->page));
    if (!past) {
        past = g_new0(Past, 1);
        g_hash_table_insert(pages, GSIZE_TO_POINTER(fresh->page), past);
    }
    for (unsigned write = 0; write < 2; write++)
        if (fresh->of[write].of || fresh->of[write].all.bytes)
            keep_sheet(&past->of[write], &fresh->of[write], step, alone);
}

bool mpi_touches_close(MpiCall *call, WindowUses *uses, MpiStep *step)
{
    Touches *touches = uses->touches;
    bool good = !touches->used->len || !uses->set.items->len || compare(call, uses, step);
    for (guint i = 0; i < touches->used->len; i++)
        keep_page(uses, touches->used->pdata[i], mpi_knowledge_next(uses->owner));
    if (touches->used->len && uses->polls) /* it may have seen what others have put */
        mpi_knowledge_take(uses->owner, uses->written);
    if (touches->used->len)
        g_hash_table_remove_all(touches->fresh);
    touches->last = NULL;
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
        !find_meeting((Look){.uses = uses, .access = access, .past = true}, access->area.low, access->area.high,
                      &meeting))
        return true;
    *step = tell_of_access(call, uses, access, &meeting);
    return false;
}
