/* heap.c - the heap under --check: every block in a slot of its own, and the block's history.
 *
 * The program's blocks lie in slots, separated by bytes that belong to no block. The slot of a freed block rests in a
 * queue before it is used again. The records of slots are on the host's side, where no program can damage them. All
 * this may change nothing but addresses. So the heap that there would be without --check (library/heap.c) is kept as
 * well, with the same blocks, but without content. It decides when the heap is full and what realloc() costs.
 *
 *     heap_start                  base                                                 heap_limit
 *     | the plain heap, empty ... | gap | slot 1 | gap | slot 2 | gap | ...            |
 *
 * Slots are added in ascending order and never removed. An address is found by an index of granules and a step or two.
 */
#include "vm/check/shadow.h"

#include <string.h>
#include <sys/mman.h>

enum { UNIT = 16, GRANULE = 512, LEAST_GAP = 32, MOST_GAP = 2048, FINE_CLASSES = 64, CLASSES = FINE_CLASSES + 8 * 40 };
enum { BEHIND = 1 << 20 };
enum { LARGE = 64 << 10 }; /* freed blocks of at least this size give their memory back to the host */
/* Most bytes of freed blocks that rest in the queue. All ranks together share REST_ALL; the limit of one rank lies
 * between REST_LEAST and REST_MOST. */
#define REST_ALL   (UINT64_C(256) << 20)
#define REST_LEAST (UINT64_C(64) << 10)
#define REST_MOST  (UINT64_C(16) << 20)

struct VmCheck {
    uint64_t plain_end, plain_limit; /* end of the heap that there would be without --check, and its limit */
    uint64_t base, top;              /* slots lie in [base, top) */
    VmSlot *slots;                   /* indexed from number 1 on */
    uint32_t count, capacity;
    uint32_t *granules; /* per granule of [base, top): the last slot that begins at or before it; 0: none */
    uint64_t n_granules, granule_capacity;
    uint32_t empty[CLASSES];         /* first empty slot of each class of capacity */
    uint32_t rest_first, rest_last;  /* ends of the queue of freed blocks, in the order of freeing */
    uint64_t rest_bytes, rest_limit; /* bytes of freed blocks that rest, and the most that may */
    GPtrArray *sites;                /* VmSite entries */
    GHashTable *site_index;          /* VmSite -> index + 1 */
    GArray *leaks;                   /* VmLeak entries, once the process has ended */
};

/* -- where things lie -------------------------------------------------------------------------- */

static guint site_hash(gconstpointer key)
{
    const VmSite *site = key;
    guint hash = site->n;
    for (uint32_t i = 0; i < site->n; i++)
        hash = hash * 31 + site->pcs[i];
    return hash;
}

static gboolean site_equal(gconstpointer a, gconstpointer b)
{
    const VmSite *x = a, *y = b;
    return x->function == y->function && x->n == y->n && memcmp(x->pcs, y->pcs, x->n * sizeof *x->pcs) == 0;
}

/* The memory behind the last slot belongs to the rank as well. An access there is explained by the hook. Functions
 * whose limit lies beyond a block find what they look for before the limit. */
static void set_end(VmRank *rank, uint64_t end)
{
    vm_memory_set_end(rank, MIN(end + BEHIND, rank->heap_limit));
}

static void clear_leak(gpointer leak)
{
    g_free(((VmLeak *)leak)->place);
}

void vm_check_start(VmRank *rank)
{
    VmCheck *check = rank->check = g_new0(VmCheck, 1);
    uint64_t end = vm_rank_space_end(rank), middle = (rank->heap_start + (end - rank->heap_start) / 2) / UNIT * UNIT;
    check->plain_end = rank->heap_start;
    check->plain_limit = MIN(rank->heap_limit, middle);
    check->base = check->top = middle / VM_PAGE * VM_PAGE + 2 * VM_PAGE;
    rank->heap_limit = end;
    set_end(rank, check->base);
    check->rest_limit = CLAMP(REST_ALL / rank->world->count, REST_LEAST, REST_MOST);
    check->sites = g_ptr_array_new_with_free_func(g_free);
    check->site_index = g_hash_table_new(site_hash, site_equal);
    check->slots = g_new0(VmSlot, check->capacity = 16);
    check->leaks = g_array_new(FALSE, FALSE, sizeof(VmLeak));
    g_array_set_clear_func(check->leaks, clear_leak);
}

void vm_check_free(VmRank *rank)
{
    VmCheck *check = rank->check;
    if (!check)
        return;
    g_ptr_array_unref(check->sites);
    g_array_unref(check->leaks);
    g_hash_table_unref(check->site_index);
    g_free(check->slots);
    g_free(check->granules);
    g_free(check);
    rank->check = NULL;
}

uint64_t vm_check_plain_end(const VmRank *rank)
{
    return rank->check->plain_end;
}

uint64_t vm_check_sbrk(VmRank *rank, int64_t bytes)
{
    VmCheck *check = rank->check;
    uint64_t old = check->plain_end;
    if (bytes >= 0 ? (uint64_t)bytes > check->plain_limit - old : -(uint64_t)bytes > old - rank->heap_start)
        return 0;
    check->plain_end += (uint64_t)bytes;
    if (bytes < 0)
        vm_memory_discard(rank, check->plain_end, old);
    return old;
}

/* -- slots ------------------------------------------------------------------------------------- */

/* Classes of capacities: multiples of 16 up to 1 KiB, then eight to each power of two. */
static unsigned class_of(uint64_t size, uint64_t *capacity)
{
    uint64_t units = MAX((size + UNIT - 1) / UNIT, 1);
    if (units < FINE_CLASSES) {
        *capacity = units * UNIT;
        return (unsigned)units;
    }
    unsigned log = 63u - (unsigned)__builtin_clzll(units), shift = log - 3;
    uint64_t eighths = (units + (UINT64_C(1) << shift) - 1) >> shift; /* from 8 to 16 */
    *capacity = (eighths << shift) * UNIT;
    return FINE_CLASSES + (log - 6) * 8 + (unsigned)(eighths - 8);
}

VmSlot *vm_check_slot(VmRank *rank, uint64_t address)
{
    const VmCheck *check = rank->check;
    if (address < check->base || check->count == 0)
        return NULL;
    uint64_t granule = (address - check->base) / GRANULE;
    uint32_t slot = granule < check->n_granules ? check->granules[granule] : check->count;
    while (slot < check->count && check->slots[slot + 1].address <= address)
        slot++;
    return slot ? &check->slots[slot] : NULL;
}

VmSlot *vm_check_numbered(VmRank *rank, uint32_t number)
{
    return &rank->check->slots[number];
}

uint64_t vm_check_tag(VmRank *rank, const VmSlot *slot)
{
    return vm_tag(VM_TAG_HEAP, (uint32_t)(slot - rank->check->slots) & 0x1fffffff, slot->serial);
}

VmSlot *vm_check_next_slot(VmRank *rank, const VmSlot *slot)
{
    const VmCheck *check = rank->check;
    uint32_t number = slot ? (uint32_t)(slot - check->slots) + 1 : 1;
    return number <= check->count ? &check->slots[number] : NULL;
}

/* Extends the index of granules up to `end`. The new granules begin in slot `number`, or the first of them before
 * it. */
static void index_slot(VmCheck *check, uint32_t number, uint64_t end)
{
    uint64_t granules = (end - check->base + GRANULE - 1) / GRANULE;
    if (granules > check->granule_capacity) {
        check->granule_capacity = MAX(granules, check->granule_capacity * 2);
        check->granules = g_renew(uint32_t, check->granules, check->granule_capacity);
    }
    for (; check->n_granules < granules; check->n_granules++)
        check->granules[check->n_granules] =
            check->base + check->n_granules * GRANULE >= check->slots[number].address ? number : number - 1;
}

/* Adds a slot behind the last one. NULL: no room. */
static VmSlot *add_slot(VmRank *rank, uint64_t alignment, uint64_t capacity)
{
    VmCheck *check = rank->check;
    uint64_t gap = CLAMP(capacity / 4 / UNIT * UNIT, LEAST_GAP, MOST_GAP);
    uint64_t address = (check->top + gap + alignment - 1) / alignment * alignment, end = address + capacity;
    if (end < address || end > rank->heap_limit - gap || check->count == UINT32_MAX - 1)
        return NULL;
    if (check->count + 1 == check->capacity) {
        check->capacity *= 2;
        check->slots = g_renew(VmSlot, check->slots, check->capacity);
        rank->shadow->slots = check->slots;
    }
    VmSlot *slot = &check->slots[++check->count];
    *slot = (VmSlot){.address = address, .capacity = capacity};
    index_slot(check, check->count, end + gap);
    check->top = end;
    set_end(rank, end + gap);
    return slot;
}

/* Takes an empty slot of the class in which blocks of this alignment fit out of its list. NULL: there is none. */
static VmSlot *take_empty(VmCheck *check, unsigned class, uint64_t alignment)
{
    VmSlot *slot = &check->slots[check->empty[class]];
    if (!check->empty[class] || slot->address % alignment != 0)
        return NULL;
    check->empty[class] = slot->next;
    slot->next = 0;
    return slot;
}

/* -- rest -------------------------------------------------------------------------------------- */

/* Makes the slot that has rested longest available. */
static void wake_first(VmCheck *check)
{
    VmSlot *slot = &check->slots[check->rest_first];
    uint64_t capacity;
    unsigned class = class_of(slot->capacity, &capacity);
    check->rest_bytes -= slot->capacity;
    check->rest_first = slot->next;
    if (!check->rest_first)
        check->rest_last = 0;
    slot->next = check->empty[class];
    check->empty[class] = (uint32_t)(slot - check->slots);
}

static void rest(VmCheck *check, VmSlot *slot)
{
    uint32_t number = (uint32_t)(slot - check->slots);
    slot->next = 0;
    if (check->rest_last)
        check->slots[check->rest_last].next = number;
    else
        check->rest_first = number;
    check->rest_last = number;
    check->rest_bytes += slot->capacity;
    while (check->rest_bytes > check->rest_limit && check->rest_first != number)
        wake_first(check);
}

/* -- sites ------------------------------------------------------------------------------------- */

static uint32_t present_site(VmRank *rank)
{
    VmCheck *check = rank->check;
    const VmExtern *function = vm_rank_current_extern(rank);
    VmSite site = {.function = function ? function->name : "the library"};
    site.n = MIN(rank->depth, VM_SITE_CALLS);
    for (uint32_t i = 0; i < site.n; i++)
        site.pcs[i] = i == 0 ? rank->pc : vm_image_pc(rank->image, rank->frames[rank->depth - 1 - i].call);
    uint32_t known = GPOINTER_TO_UINT(g_hash_table_lookup(check->site_index, &site));
    if (known)
        return known - 1;
    VmSite *copy = g_memdup2(&site, sizeof site);
    g_ptr_array_add(check->sites, copy);
    g_hash_table_insert(check->site_index, copy, GUINT_TO_POINTER(check->sites->len));
    return check->sites->len - 1;
}

uint32_t vm_check_sites(const VmRank *rank)
{
    return rank->check->sites->len;
}

const VmSite *vm_check_site(const VmRank *rank, uint32_t site)
{
    return g_ptr_array_index(rank->check->sites, site);
}

/* A walk over the calls of one site, inlined ones included, from the innermost outwards. */
typedef struct Walk {
    const VmImage *image;
    const VmSite *site;
    uint32_t i, inlined;
    const char *name;
    uint32_t file, line;
    bool library;
} Walk;

static bool walk_next(Walk *walk)
{
    const VcodeModule *module = walk->image->module;
    if (walk->name && walk->inlined != VCODE_NONE) { /* leave the inline expansion */
        const VcodeInline *expansion = &module->inlines.items[walk->inlined];
        walk->file = expansion->call_file;
        walk->line = expansion->call_line;
        walk->inlined = expansion->parent;
    } else {
        if (walk->name)
            walk->i++;
        if (walk->i >= walk->site->n)
            return false;
        const VcodeLine *line = vcode_pc_line(module, walk->site->pcs[walk->i]);
        walk->file = line ? line->file : VCODE_NONE;
        walk->line = line ? line->line : 0;
        walk->inlined = vcode_pc_inlined(module, walk->site->pcs[walk->i]);
    }
    const VcodeFunction *f = &module->functions.items[vm_image_function_of(walk->image, walk->site->pcs[walk->i])];
    walk->name = vcode_text(module, walk->inlined == VCODE_NONE ? f->name : module->inlines.items[walk->inlined].name);
    walk->library = f->flags & VCODE_FUNCTION_LIBRARY;
    return true;
}

/* The library function of a site is the outermost one before the program's own calls: strdup, not the malloc in it. */
void vm_check_append_site(VmRank *rank, uint32_t number, GString *out)
{
    enum { MOST_CALLS = 3 };
    Walk walk = {.image = rank->image, .site = vm_check_site(rank, number)};
    const char *function = walk.site->function;
    bool more = walk_next(&walk);
    for (; more && walk.library; more = walk_next(&walk))
        function = walk.name;
    g_string_append(out, function);
    for (unsigned shown = 0; more && !walk.library && shown < MOST_CALLS; more = walk_next(&walk), shown++) {
        g_string_append_printf(out, "%s%s", shown ? ", called from " : " in ", walk.name);
        if (walk.line)
            g_string_append_printf(out, " at %s:%u", vcode_source_name(rank->image->module, walk.file), walk.line);
    }
}

/* -- blocks ------------------------------------------------------------------------------------ */

uint64_t vm_check_allocate(VmRank *rank, uint64_t alignment, uint64_t size, uint64_t plain)
{
    VmCheck *check = rank->check;
    uint64_t capacity;
    unsigned class = class_of(size, &capacity);
    VmSlot *slot = take_empty(check, class, alignment);
    if (!slot)
        slot = add_slot(rank, MAX(alignment, UNIT), capacity);
    while (!slot && check->rest_first) { /* the memory is needed now, so freed blocks stop resting */
        wake_first(check);
        slot = take_empty(check, class, alignment);
    }
    if (!slot)
        return 0;
    slot->size = size;
    slot->plain = plain;
    slot->allocated = present_site(rank);
    slot->live = true;
    slot->own = false;
    slot->serial++;
    vm_shadow_undefine(rank, slot->address, size, slot->freed == 0);
    return slot->address;
}

bool vm_check_is_fresh(VmRank *rank, uint64_t address)
{
    const VmSlot *slot = vm_check_slot(rank, address);
    return slot && slot->freed == 0;
}

/* Gives the pages that lie within the slot back to the host. */
static void discard(VmRank *rank, const VmSlot *slot)
{
    uint64_t first = (slot->address + VM_PAGE - 1) / VM_PAGE * VM_PAGE;
    uint64_t last = (slot->address + slot->capacity) / VM_PAGE * VM_PAGE;
    if (first < last)
        madvise(rank->memory + first, last - first, MADV_DONTNEED);
}

void vm_check_release(VmRank *rank, VmSlot *slot)
{
    slot->live = false;
    slot->freed = present_site(rank) + 1;
    if (slot->capacity >= LARGE)
        discard(rank, slot);
    rest(rank->check, slot);
}

uint64_t vm_check_plain_address(VmRank *rank, uint64_t address)
{
    const VmSlot *slot = address >= rank->heap_start ? vm_check_slot(rank, address) : NULL;
    return slot ? slot->plain + (address - slot->address) : address;
}

/* -- the end ----------------------------------------------------------------------------------- */

void vm_check_end(VmRank *rank)
{
    if (rank->check && rank->shadow->heap)
        vm_check_find_leaks(rank, rank->check->leaks);
}

const VmLeak *vm_check_leaks(const VmRank *rank, size_t *count)
{
    *count = rank->check ? rank->check->leaks->len : 0;
    return rank->check ? (const VmLeak *)(void *)rank->check->leaks->data : NULL;
}
