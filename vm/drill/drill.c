/* drill.c - see drill.h: quanta and exits by a hash of the seed, and a hash of what a rank is when it stops.
 *
 * Hashed are clock, place, stack pointer, frames, memory but for the free part of the stack, and of each frame the
 * registers that are live, as the native tier itself understands that: those that are not may differ. Large memories
 * and deep stacks are looked at as a whole every so many stops only; what is near the stack pointer always is.
 */
#include "vm/drill/drill.h"
#include "vm/translate/translate.h"

#include <stdio.h>
#include <string.h>

enum { ENTRY_CYCLES = 257 /* VmNativeCode.bias is at most that */ };
enum { SHALLOW = 24 /* frames, */, NEAR_BYTES = 4096, COMMON_BYTES = 32 << 10 /* for each stop */ };

typedef struct Record {
    uint32_t rank, stop;
    uint64_t clock, hash;
} Record;

struct VmDrill {
    const VmImage *image;
    uint64_t seed, span, exits, most_stops, plain, at;
    FILE *log;
    GMutex lock;
    GArray *runs; /* uint64_t by rank */
    uint64_t stays, stops;
    VmFlow **flows; /* by function, made when they are needed */
    uint8_t *looked;
    GHashTable *kept; /* 2 * pc + whether the frame waits there for a call: a set of registers */
};

/* -- chance ------------------------------------------------------------------------------------ */

/* splitmix64 (Steele, Lea and Flood, 2014) */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static bool is_over(const VmDrill *drill)
{
    return drill->most_stops && drill->stops >= drill->most_stops;
}

uint64_t vm_drill_quantum(VmDrill *drill, const VmRank *rank, uint64_t quantum)
{
    if (!drill->span || is_over(drill))
        return quantum;
    g_mutex_lock(&drill->lock);
    if (drill->runs->len <= rank->index)
        g_array_set_size(drill->runs, rank->index + 1);
    uint64_t run = g_array_index(drill->runs, uint64_t, rank->index)++;
    g_mutex_unlock(&drill->lock);
    uint64_t drawn = mix(drill->seed ^ mix(run ^ (uint64_t)rank->index << 40));
    return 1 + (drawn >> 2) % drill->span + (drawn % 4 ? ENTRY_CYCLES : 0);
}

bool vm_drill_is_plain(const VmDrill *drill)
{
    return drill && drill->plain;
}

bool vm_drill_forces_exits(const VmDrill *drill)
{
    return drill && drill->exits != 0;
}

uint64_t vm_drill_tests(VmDrill *drill)
{
    g_mutex_lock(&drill->lock);
    uint64_t stay = drill->stays++;
    g_mutex_unlock(&drill->lock);
    return drill->exits && !is_over(drill) ? 1 + mix(drill->seed + mix(stay)) % drill->exits : 0;
}

/* -- which registers count --------------------------------------------------------------------- */

static const VmFlow *flow_of(VmDrill *drill, uint32_t function)
{
    if (!drill->looked[function]) {
        drill->looked[function] = 1;
        drill->flows[function] = vm_flow_new(drill->image, function);
    }
    return drill->flows[function];
}

/* A frame that waits has lost what lies above its call's window, and needs no more what it has passed. */
static void leave_what_lasts(VcodeInstr call, uint32_t words, uint64_t *live)
{
    for (uint32_t r = vcode_a(call); r < words * 64; r++)
        live[r / 64] &= ~(UINT64_C(1) << r % 64);
    if (vcode_op(call) == VCODE_CALLI)
        live[vcode_b(call) / 64] &= ~(UINT64_C(1) << vcode_b(call) % 64);
}

/* The set, and its words; NULL: the function is the interpreter's alone. */
static const uint64_t *kept_at(VmDrill *drill, uint32_t pc, bool waits, uint32_t *words)
{
    const VmFlow *flow = flow_of(drill, vm_image_function_of(drill->image, pc));
    if (!flow)
        return NULL;
    *words = vm_flow_words(flow);
    gpointer key = GSIZE_TO_POINTER(2 * (gsize)pc + waits);
    uint64_t *set = g_hash_table_lookup(drill->kept, key);
    if (set)
        return set;
    set = g_new0(uint64_t, *words + 1);
    vm_web_live_at(flow, pc, set);
    if (waits)
        leave_what_lasts(drill->image->module->code.items[pc], *words, set);
    g_hash_table_insert(drill->kept, key, set);
    return set;
}

/* -- hashing ----------------------------------------------------------------------------------- */

typedef struct Look {
    VmDrill *drill;
    VmRank *rank;
    uint64_t hash;
    FILE *shown; /* NULL: only hashed */
} Look;

static void add(Look *look, const char *what, uint64_t value)
{
    look->hash = mix(look->hash ^ value);
    if (look->shown)
        fprintf(look->shown, " %s=%" G_GINT64_MODIFIER "x", what, value);
}

static uint64_t hash_bytes(const uint8_t *bytes, uint64_t count)
{
    uint64_t hash = count, word = 0;
    for (; count >= sizeof word; count -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9fb21c651e98df25);
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, bytes, count);
    return mix(hash ^ word);
}

static void add_memory(Look *look, uint64_t low, uint64_t high)
{
    enum { SHOWN = 256 };
    if (low >= high)
        return;
    vm_memory_bring(look->rank, low, high - low);
    add(look, "low", low);
    add(look, "memory", hash_bytes(look->rank->memory + low, high - low));
    for (uint64_t at = low; look->shown && at < high; at += SHOWN)
        fprintf(look->shown, "\n  memory %" G_GINT64_MODIFIER "x: %" G_GINT64_MODIFIER "x", at,
                hash_bytes(look->rank->memory + at, MIN(SHOWN, high - at)));
}

static void add_registers(Look *look, const VmCallFrame *frame, uint32_t pc, bool waits)
{
    uint32_t words = 0;
    const uint64_t *kept = kept_at(look->drill, pc, waits, &words);
    const uint64_t *R = look->rank->registers + frame->window;
    for (uint32_t w = 0; kept && w < words; w++)
        for (uint64_t bits = kept[w]; bits; bits &= bits - 1) {
            uint32_t r = w * 64 + (uint32_t)__builtin_ctzll(bits);
            char name[16];
            g_snprintf(name, sizeof name, "r%u", r);
            add(look, name, R[r]);
        }
}

static void add_frame(Look *look, uint32_t level)
{
    VmRank *rank = look->rank;
    const VmCallFrame *frame = &rank->frames[rank->depth - 1 - level];
    uint32_t pc = vm_rank_pc(rank, level);
    if (look->shown)
        fprintf(look->shown, "\n  frame %u", level);
    add(look, "pc", pc);
    add(look, "entry_sp", frame->entry_sp);
    add(look, "mark", frame->mark);
    add(look, "window", frame->window);
    add(look, "outermost", frame->outermost);
    add_registers(look, frame, pc, level > 0 || rank->state == VM_STATE_REQUEST);
}

static void add_arguments(Look *look)
{
    const VmRequest *request = vm_rank_request(look->rank);
    for (unsigned i = 0; look->rank->state == VM_STATE_REQUEST && i < request->n; i++)
        add(look, "argument", request->args[i]);
}

static void add_state(Look *look)
{
    VmRank *rank = look->rank;
    if (rank->nested) /* printed code would have left it */
        vm_nest_leave(rank);
    uint64_t bytes = rank->heap_end - rank->sp;
    bool deep = rank->state == VM_STATE_FAULTED || look->drill->stops % (1 + rank->depth / SHALLOW) == 0;
    bool wide = rank->state == VM_STATE_FAULTED || look->drill->stops % (1 + bytes / COMMON_BYTES) == 0;
    add(look, "sp", rank->sp);
    add(look, "depth", rank->depth);
    add(look, "requests", rank->request_count);
    for (uint32_t level = 0; level < rank->depth && (deep || level < SHALLOW); level++)
        add_frame(look, level);
    add_arguments(look);
    if (rank->stack_low > rank->data_base && wide)
        add_memory(look, rank->data_base, rank->stack_low);
    add_memory(look, rank->sp, wide ? rank->heap_end : MIN(rank->sp + NEAR_BYTES, rank->stack_high));
}

void vm_drill_note(VmDrill *drill, VmRank *rank, VmStop stop)
{
    if (is_over(drill))
        return;
    g_mutex_lock(&drill->lock);
    Look look = {drill, rank, 0, drill->stops == drill->at ? stderr : NULL};
    if (look.shown)
        fprintf(look.shown, "stop %" G_GUINT64_FORMAT ": rank=%u reason=%d", drill->stops, rank->index, (int)stop);
    add(&look, "clock", rank->clock.cycles);
    if (rank->state != VM_STATE_EXITED)
        add_state(&look);
    if (look.shown)
        fputc('\n', look.shown);
    Record record = {rank->index, (uint32_t)stop, rank->clock.cycles, look.hash};
    if (drill->log)
        (void)!fwrite(&record, sizeof record, 1, drill->log);
    drill->stops++;
    g_mutex_unlock(&drill->lock);
}

/* -- beginning and end ------------------------------------------------------------------------- */

static void take(VmDrill *drill, const char *name, const char *value)
{
    const struct {
        const char *name;
        uint64_t *number;
    } numbers[] = {{"seed", &drill->seed},        {"span", &drill->span},   {"exits", &drill->exits},
                   {"stops", &drill->most_stops}, {"plain", &drill->plain}, {"at", &drill->at}};
    if (strcmp(name, "log") == 0 && !drill->log)
        drill->log = fopen(value, "ab");
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        if (strcmp(name, numbers[i].name) == 0)
            *numbers[i].number = g_ascii_strtoull(value, NULL, 10);
}

VmDrill *vm_drill_new(const VmImage *image)
{
    const char *asked = g_getenv("ORRERY_DRILL");
    if (!asked)
        return NULL;
    VmDrill *drill = g_new0(VmDrill, 1);
    uint32_t functions = image->module->functions.count;
    drill->image = image;
    drill->at = UINT64_MAX;
    drill->runs = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    drill->flows = g_new0(VmFlow *, functions + 1);
    drill->looked = g_new0(uint8_t, functions + 1);
    drill->kept = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_mutex_init(&drill->lock);
    g_auto(GStrv) parts = g_strsplit(asked, " ", -1);
    for (char **part = parts; *part; part++) {
        g_auto(GStrv) pair = g_strsplit(*part, "=", 2);
        if (pair[0] && pair[1])
            take(drill, pair[0], pair[1]);
    }
    return drill;
}

void vm_drill_free(VmDrill *drill)
{
    if (!drill)
        return;
    if (drill->log)
        fclose(drill->log);
    for (uint32_t f = 0; f < drill->image->module->functions.count; f++)
        if (drill->flows[f])
            vm_flow_free(drill->flows[f]);
    g_free(drill->flows);
    g_free(drill->looked);
    g_hash_table_unref(drill->kept);
    g_array_unref(drill->runs);
    g_mutex_clear(&drill->lock);
    g_free(drill);
}
