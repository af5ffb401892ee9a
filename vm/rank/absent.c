/* absent.c - bytes of a rank that lie elsewhere: constant contents that ranks share, for long payloads that nobody
 * looks at before they are overwritten or sent on.
 *
 *   rank   stack, data, heap ....| absent part |....|absent part |... heap_end        near_end: the lowest absent part
 *   shared                          content <---------'   (counted; never changes)
 *
 * Fast paths know only the near interval, and it ends where the lowest absent part begins. So each access of such a
 * part, and of anything behind it, comes to memory.c, which has this file bring the bytes first. Parts lie in the heap
 * only, because printed code accesses the stack and static data without a comparison. A part may also be present: its
 * bytes are in place and are known to be those of the content. Then nothing is copied, neither when they are sent nor
 * when they are touched.
 *
 * A few touches bring only what lies around them: freeing a block must not fetch all of it. After them everything is
 * brought. A rank that looked at what it had adopted pays for a second copy. It then adopts nothing for a while, twice
 * as long each time, until a part ends without having been looked at.
 *
 * Nobody outside notices any of this, so it need not be the same in all runs. Only the rank's own thread changes its
 * parts. */
#include "vm/rank/rank.h"

#include <string.h>

enum {
    MOST_PARTS = 8,
    FEW_TOUCHES = 8,    /* of one rank between two adoptions; then all its parts are brought */
    LONGEST_WAIT = 1023 /* adoptions that are left out */
};
typedef struct Part {
    uint64_t address, bytes;
    VmContent *content;
    uint64_t offset; /* of the part in the content */
    bool present;
} Part;

struct VmAbsence {
    uint32_t n, touches;
    uint32_t wait, next_wait; /* adoptions to leave out now, and after the next one in vain */
    Part part[MOST_PARTS];
};

/* -- parts ------------------------------------------------------------------------------------- */

static bool meets(const Part *part, uint64_t address, uint64_t bytes)
{
    return address < part->address + part->bytes && part->address < address + bytes;
}

/* Keeps the near interval up to date after parts came or went. */
static void mark_near(VmRank *rank)
{
    vm_memory_set_end(rank, rank->heap_end);
}

uint64_t vm_absent_start(const VmRank *rank)
{
    const VmAbsence *absence = rank->absence;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < absence->n; i++)
        least = MIN(least, absence->part[i].address);
    return least;
}

static void drop_part(VmAbsence *absence, uint32_t i)
{
    vm_content_unref(absence->part[i].content);
    absence->part[i] = absence->part[--absence->n];
}

/* Copies bytes of a part into their place. A part that is looked at was adopted in vain. */
static void fill(VmRank *rank, const Part *part, uint64_t address, uint64_t end)
{
    VmAbsence *absence = rank->absence;
    if (part->present)
        return;
    memcpy(rank->memory + address, vm_content_bytes(part->content) + part->offset + (address - part->address),
           end - address);
    if (!absence->wait)
        absence->wait = absence->next_wait = MIN(2 * absence->next_wait + 1, LONGEST_WAIT);
}

static void bring_part(VmRank *rank, uint32_t i)
{
    const Part *part = &rank->absence->part[i];
    fill(rank, part, part->address, part->address + part->bytes);
    drop_part(rank->absence, i);
}

void vm_absent_bring_all(VmRank *rank)
{
    while (rank->absence->n)
        bring_part(rank, rank->absence->n - 1);
    mark_near(rank);
}

/* Brings the pages of part i that [address, end) meets. What is left before and behind them stays absent. */
static void bring_pages(VmRank *rank, uint32_t i, uint64_t address, uint64_t end)
{
    VmAbsence *absence = rank->absence;
    Part part = absence->part[i];
    uint64_t part_end = part.address + part.bytes;
    uint64_t low = MAX(address / VM_PAGE * VM_PAGE, part.address);
    uint64_t high = MIN((end + VM_PAGE - 1) / VM_PAGE * VM_PAGE, part_end);
    if (absence->n == MOST_PARTS) {
        bring_part(rank, i);
        return;
    }
    uint32_t wait = absence->wait, next = absence->next_wait;
    fill(rank, &part, low, high);
    absence->wait = wait; /* pages are not yet a look at the data */
    absence->next_wait = next;
    vm_content_ref(part.content);
    drop_part(absence, i);
    if (low > part.address)
        absence->part[absence->n++] =
            (Part){part.address, low - part.address, vm_content_ref(part.content), part.offset, part.present};
    if (high < part_end)
        absence->part[absence->n++] = (Part){high, part_end - high, vm_content_ref(part.content),
                                             part.offset + (high - part.address), part.present};
    vm_content_unref(part.content);
}

void vm_absent_touch(VmRank *rank, uint64_t address, uint64_t size)
{
    VmAbsence *absence = rank->absence;
    if (++absence->touches > FEW_TOUCHES) {
        vm_absent_bring_all(rank);
        return;
    }
    bool changed = false;
    for (uint32_t i = absence->n; i-- > 0;) {
        if (!meets(&absence->part[i], address, size))
            continue;
        changed = true;
        if (size <= VM_PAGE)
            bring_pages(rank, i, address, address + size);
        else
            bring_part(rank, i);
    }
    if (changed)
        mark_near(rank);
}

void vm_absent_drop_above(VmRank *rank, uint64_t address)
{
    VmAbsence *absence = rank->absence;
    for (uint32_t i = absence->n; i-- > 0;) {
        if (absence->part[i].address >= address)
            drop_part(absence, i);
        else if (absence->part[i].address + absence->part[i].bytes > address)
            bring_part(rank, i);
    }
    mark_near(rank);
}

void vm_absent_free(VmRank *rank)
{
    if (!rank->absence)
        return;
    while (rank->absence->n)
        drop_part(rank->absence, rank->absence->n - 1);
    g_clear_pointer(&rank->absence, g_free);
}

/* -- for the layer above ------------------------------------------------------------------------- */

bool vm_rank_may_adopt(VmRank *rank, uint64_t address, uint64_t bytes)
{
    if (vm_memory_is_observed(rank) || address < rank->heap_start || address > rank->heap_end ||
        bytes > rank->heap_end - address)
        return false;
    if (!rank->absence)
        rank->absence = g_new0(VmAbsence, 1);
    if (rank->absence->wait) {
        rank->absence->wait--;
        return false;
    }
    if (rank->nested)
        vm_nest_leave(rank);
    return true;
}

/* Makes room for a new part: what it covers whole ends unseen, other parts that it meets are brought. */
static void make_room(VmRank *rank, uint64_t address, uint64_t bytes)
{
    VmAbsence *absence = rank->absence;
    for (uint32_t i = absence->n; i-- > 0;) {
        const Part *part = &absence->part[i];
        if (!meets(part, address, bytes))
            continue;
        if (part->address >= address && part->address + part->bytes <= address + bytes) {
            if (!part->present)
                absence->next_wait = 0;
            drop_part(absence, i);
        } else {
            bring_part(rank, i);
        }
    }
    if (absence->n == MOST_PARTS)
        bring_part(rank, 0);
}

void vm_rank_adopt(VmRank *rank, uint64_t address, uint64_t bytes, VmContent *content, bool present)
{
    VmAbsence *absence = rank->absence;
    make_room(rank, address, bytes);
    absence->part[absence->n++] = (Part){address, bytes, vm_content_ref(content), 0, present};
    absence->touches = 0;
    mark_near(rank);
}

VmContent *vm_rank_content(VmRank *rank, uint64_t address, uint64_t bytes)
{
    VmAbsence *absence = rank->absence;
    for (uint32_t i = 0; absence && i < absence->n; i++) {
        const Part *part = &absence->part[i];
        if (part->address == address && part->bytes == bytes && !part->offset) {
            absence->next_wait = 0;
            return vm_content_ref(part->content);
        }
    }
    return NULL;
}
