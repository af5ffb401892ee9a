/* circle.c - finds out whether a rank goes round in a circle.
 *
 * A loop that polls until something comes from outside does the same again and again. Let a rank be at a request, and
 * later at a request again. Suppose that the second time all that the program can see of itself is as it was the first
 * time, except for the clock. Suppose also that no function called in between looked at the clock or at anything else
 * outside. Then the rank will do the same once more, each time that the request is answered the same way.
 *
 * The state that must be equal: the pc and SP, all frames, all registers that calls in progress may use, the
 * floating-point flags, and the memory. An access hook saves the old content of memory before the first write to it. So
 * the rank runs in the careful loop for this one turn. What the rank writes and then restores (a flag, a call's frame)
 * does no harm; a counter does.
 */
#include "vm/rank/rank.h"

#include <string.h>

enum { MOST_WORDS = 256, MOST_KEPT = 1 << 16 }; /* words of memory; bytes of registers and frames */

typedef struct Word { /* eight bytes of memory, as they were before the first write to them */
    uint64_t address, old;
} Word;

struct VmCircle {
    bool open;        /* the circle can no longer close */
    uint32_t sharing; /* accesses to shared memory that may still come without opening it */
    uint32_t pc, depth;
    uint64_t sp;
    uint8_t fe_flags, fe_rounding;
    GArray *frames;    /* VmCallFrame */
    GArray *registers; /* uint64_t */
    GArray *written;   /* Word */
};

/* Number of registers of all frames. Those of the running function end last. */
static size_t count_registers(const VmRank *rank)
{
    const VmCallFrame *frame = &rank->frames[rank->depth - 1];
    return frame->window + rank->image->functions[vm_image_function_of(rank->image, rank->pc)].registers;
}

static uint64_t word_at(const VmRank *rank, uint64_t address)
{
    uint64_t word;
    vm_memory_bring(rank, address, sizeof word);
    memcpy(&word, rank->memory + address, sizeof word);
    return word;
}

static bool is_kept(const VmCircle *circle, uint64_t address)
{
    for (guint i = 0; i < circle->written->len; i++)
        if (g_array_index(circle->written, Word, i).address == address)
            return true;
    return false;
}

static bool keep_old(VmRank *rank, uint64_t address, uint64_t size, bool write, void *user)
{
    VmCircle *circle = user;
    if (!write || circle->open)
        return true;
    uint64_t first = address & ~UINT64_C(7), last = (address + size - 1) & ~UINT64_C(7);
    circle->open = address >= VCODE_SHARED_BASE || (last - first) / 8 >= MOST_WORDS - circle->written->len;
    for (uint64_t at = first; at <= last && !circle->open; at += 8) {
        Word word = {.address = at, .old = word_at(rank, at)};
        if (!is_kept(circle, at))
            g_array_append_val(circle->written, word);
    }
    return true;
}

/* Caches and a predictor learn in each turn, and out-of-order execution takes other times. A watchpoint may stop the
 * rank. Hooks that only look change nothing. */
bool vm_circle_takes_same_time(const VmRank *rank)
{
    for (const VmAccessWatch *watch = rank->watches; watch; watch = watch->next)
        if (!watch->looks && watch->hook != keep_old)
            return false;
    return rank->image->costs.predictor == VM_PREDICTOR_NONE && !rank->image->decoded && !rank->hook;
}

bool vm_circle_begin(VmRank *rank)
{
    size_t registers = count_registers(rank);
    g_assert(rank->state == VM_STATE_REQUEST && !rank->circle);
    if (registers * 8 + rank->depth * sizeof(VmCallFrame) > MOST_KEPT)
        return false;
    VmCircle *circle = g_new0(VmCircle, 1);
    circle->sharing = vm_rank_request(rank)->access == VM_SHARING_READ;
    circle->pc = rank->pc;
    circle->depth = rank->depth;
    circle->sp = rank->sp;
    circle->fe_flags = rank->fe_flags;
    circle->fe_rounding = rank->fe_rounding;
    circle->frames = g_array_new(FALSE, FALSE, sizeof(VmCallFrame));
    circle->registers = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    circle->written = g_array_new(FALSE, FALSE, sizeof(Word));
    g_array_append_vals(circle->frames, rank->frames, rank->depth);
    g_array_append_vals(circle->registers, rank->registers, (guint)registers);
    vm_rank_add_access_hook(rank, keep_old, circle);
    rank->circle = circle;
    return true;
}

/* These functions of the library only let time pass. A request that leaves the VM has done nothing yet. */
void vm_circle_called(VmRank *rank, const VmExtern *function, VmCallResult result)
{
    static const char *const harmless[] = {"nanosleep", "sched_yield", "sleep", "usleep"};
    if (result == VM_CALL_REQUEST)
        return;
    for (size_t i = 0; i < G_N_ELEMENTS(harmless); i++)
        if ((result == VM_CALL_DONE || rank->paced) && strcmp(function->name, harmless[i]) == 0)
            return;
    rank->circle->open = true;
}

/* The access to shared memory at which watching began is a poll; any other looks outside. */
void vm_circle_shared(VmRank *rank)
{
    rank->circle->open = rank->circle->open || !rank->circle->sharing;
    rank->circle->sharing = 0;
}

/* `call` of the running frame is not yet what it will be, so it is not compared. */
static bool same_frame(const VmCallFrame *a, const VmCallFrame *b, bool running)
{
    return a->entry_sp == b->entry_sp && (running || a->call == b->call) && a->mark == b->mark &&
           a->window == b->window && a->outermost == b->outermost;
}

static bool same_frames(const VmCircle *circle, const VmRank *rank)
{
    for (uint32_t i = 0; i < rank->depth; i++)
        if (!same_frame(&g_array_index(circle->frames, VmCallFrame, i), &rank->frames[i], i + 1 == rank->depth))
            return false;
    return true;
}

static bool same_memory(const VmCircle *circle, const VmRank *rank)
{
    for (guint i = 0; i < circle->written->len; i++) {
        const Word *word = &g_array_index(circle->written, Word, i);
        if (word_at(rank, word->address) != word->old)
            return false;
    }
    return true;
}

bool vm_circle_closed(const VmRank *rank)
{
    const VmCircle *circle = rank->circle;
    return circle && !circle->open && rank->state == VM_STATE_REQUEST && circle->pc == rank->pc &&
           circle->depth == rank->depth && circle->sp == rank->sp && circle->fe_flags == rank->fe_flags &&
           circle->fe_rounding == rank->fe_rounding && same_frames(circle, rank) &&
           count_registers(rank) == circle->registers->len &&
           memcmp(circle->registers->data, rank->registers, circle->registers->len * sizeof(uint64_t)) == 0 &&
           same_memory(circle, rank);
}

bool vm_circle_is_open(const VmRank *rank)
{
    return !rank->circle || rank->circle->open;
}

void vm_circle_end(VmRank *rank)
{
    VmCircle *circle = rank->circle;
    if (!circle)
        return;
    vm_rank_remove_access_hook(rank, keep_old, circle);
    rank->circle = NULL;
    g_array_unref(circle->frames);
    g_array_unref(circle->registers);
    g_array_unref(circle->written);
    g_free(circle);
}
