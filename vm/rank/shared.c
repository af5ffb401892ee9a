/* shared.c - memory that several ranks share: segments, and the order of accesses to them.
 *
 * A segment is host memory at one address in all ranks that it is attached to, behind all other addresses. So it is
 * never near, and an access to it takes the slow way of each tier: a rank that has no segment pays nothing.
 *
 * Accesses take effect in the order of virtual time, like everything that ranks do to each other. A load or store that
 * finds it is not its rank's turn leaves the VM as a request, in front of the instruction; vm_rank_perform() grants the
 * turn, and the instruction is done again. The grant holds while the clock stands. The turn also lasts as long as
 * nothing else can happen (VmHost.undisturbed). A function of the library or of the layer above that gets an address in
 * a segment, or takes variable arguments, which may have one, is called in its turn as a whole.
 *
 * So ranks see shared memory as sequentially consistent: each access at its instant, those of one instant in the order
 * of ranks, whatever the quantum and the tier.
 */
#include "vm/rank/rank.h"

#include <sys/mman.h>

struct VmSegment {
    uint64_t address, bytes; /* of the ranks; bytes that may be accessed */
    uint8_t *host;
    uint32_t refs; /* number of ranks that it is attached to, and one until its first owner drops it */
};

static uint64_t mapped(const VmSegment *segment)
{
    return (segment->bytes + VM_PAGE - 1) / VM_PAGE * VM_PAGE;
}

static void free_segment(VmSegment *segment)
{
    munmap(segment->host, mapped(segment));
    g_free(segment);
}

VmSegment *vm_shared_new(const VmRank *rank, uint64_t bytes)
{
    VmWorld *world = rank->world;
    enum { GAP = 1 << 16 }; /* a run over the end hits nothing */
    bytes = MAX(bytes, 1);
    if (bytes > VCODE_SHARED_BYTES - world->shared_bytes || VCODE_SHARED_BYTES - world->shared_bytes - bytes < 2 * GAP)
        return NULL;
    VmSegment segment = {.address = VCODE_SHARED_BASE + world->shared_bytes, .bytes = bytes, .refs = 1};
    void *host =
        mmap(NULL, mapped(&segment), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return NULL;
    segment.host = host;
    world->shared_bytes += (bytes + 2 * GAP - 1) / GAP * GAP;
    return g_memdup2(&segment, sizeof segment);
}

uint64_t vm_shared_address(const VmSegment *segment)
{
    return segment->address;
}

void vm_shared_drop(VmSegment *segment)
{
    if (--segment->refs == 0)
        free_segment(segment);
}

/* The bytes count as memory of the rank from now on, or no longer. */
static void count(const VmRank *rank, int64_t bytes)
{
    const VmHost *host = &rank->world->host;
    if (bytes && host->grew)
        host->grew(host->user, rank->index, vm_clock_now(&rank->clock), bytes);
}

void vm_shared_attach(VmRank *rank, VmSegment *segment, uint64_t own)
{
    count(rank, (int64_t)own);
    if (!rank->segments)
        rank->segments = g_ptr_array_new_with_free_func((GDestroyNotify)vm_shared_drop);
    segment->refs++;
    g_ptr_array_add(rank->segments, segment);
}

void vm_shared_detach(VmRank *rank, VmSegment *segment, uint64_t own)
{
    count(rank, -(int64_t)own);
    if (rank->segments && g_ptr_array_remove_fast(rank->segments, segment) && rank->segments->len == 0)
        g_clear_pointer(&rank->segments, g_ptr_array_unref);
}

/* -- accesses ---------------------------------------------------------------------------------- */

void *vm_shared_find(const VmRank *rank, uint64_t address, uint64_t size)
{
    for (guint i = 0; rank->segments && i < rank->segments->len; i++) {
        const VmSegment *segment = g_ptr_array_index(rank->segments, i);
        uint64_t offset = address - segment->address;
        if (offset < segment->bytes && size <= segment->bytes - offset)
            return segment->host + offset;
    }
    return NULL;
}

void *vm_shared_find_for_write(const VmRank *rank, uint64_t address, uint64_t size)
{
    void *found = vm_shared_find(rank, address, size);
    const VmHost *host = &rank->world->host;
    if (found && host->sharing)
        host->sharing(host->user);
    return found;
}

uint64_t vm_shared_room(const VmRank *rank, uint64_t address)
{
    for (guint i = 0; rank->segments && i < rank->segments->len; i++) {
        const VmSegment *segment = g_ptr_array_index(rank->segments, i);
        if (address - segment->address < segment->bytes)
            return segment->bytes - (address - segment->address);
    }
    return 0;
}

static bool has_turn(VmRank *rank)
{
    if (rank->in_order || rank->turn_held || rank->clock.cycles == rank->granted_q8 ||
        rank->clock.cycles < rank->turn_cycles)
        return true;
    const VmHost *host = &rank->world->host;
    uint64_t until_ps = host->undisturbed ? host->undisturbed(host->user, rank->index) : 0;
    if (vm_clock_now(&rank->clock) >= until_ps)
        return false;
    rank->turn_cycles = vm_clock_cycles_before(&rank->clock, until_ps);
    return true;
}

bool vm_shared_turn(VmRank *rank, bool write)
{
    if (has_turn(rank))
        return true;
    vm_frames_ask_turn(rank, write);
    return false;
}

/* What an instruction accesses: up to two addresses. */
typedef struct Touch {
    uint64_t address[2];
    bool write;
} Touch;

static Touch touch_of(VcodeOp op, const VmInstr *ip, const uint64_t *R)
{
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_LOAD: return (Touch){.address = {R[ip->b] + (uint64_t)(int64_t)ip->c_signed}};
    case VCODE_FORM_STORE: return (Touch){.address = {R[ip->b] + (uint64_t)(int64_t)ip->c_signed}, .write = true};
    case VCODE_FORM_LOADX: return (Touch){.address = {op == VCODE_LEAX ? 0 : R[ip->b] + (R[ip->c] << ip->n)}};
    case VCODE_FORM_STOREX: return (Touch){.address = {R[ip->b] + (R[ip->c] << ip->n)}, .write = true};
    case VCODE_FORM_BLOCK: return (Touch){.address = {R[ip->a], op == VCODE_BZERO ? 0 : R[ip->b]}, .write = true};
    default: return (Touch){.write = false};
    }
}

bool vm_shared_step(VmRank *rank, const VmInstr *ip, const uint64_t *registers)
{
    VcodeOp op = vcode_op(rank->image->module->code.items[vm_image_pc(rank->image, ip)]);
    Touch touch = touch_of(op, ip, registers);
    rank->turn_held = false;
    if (!vm_shared_find(rank, touch.address[0], 1) && !vm_shared_find(rank, touch.address[1], 1))
        return true;
    rank->turn_held = vm_shared_turn(rank, touch.write);
    if (rank->turn_held && rank->circle)
        vm_circle_shared(rank);
    return rank->turn_held;
}

bool vm_shared_concerns(VmRank *rank, const uint64_t *args, unsigned n, unsigned fixed)
{
    bool concerns = n > fixed;
    for (unsigned i = 0; i < n && !concerns; i++)
        concerns = vm_shared_find(rank, args[i], 1);
    return concerns && !has_turn(rank);
}
