/* access.c - printing loads, stores and block copies so that none can leave the rank's memory.
 *
 * An access goes to `memory` + guest address once the address is known to lie in the private interval; constants are
 * somewhere else, so loads look there next; anything else is an exit, and the interpreter gives the access its fault.
 * What a comparison has shown is a *fact*, and further accesses need none:
 *
 *   - displacements from one register value: the first access of a block tests the range of all that follow in it, and
 *     of those near it in blocks behind;
 *   - a block with one predecessor knows what was known at that one's end;
 *   - the function's own frame and static objects at constant addresses are always accessible.
 */
#include "vm/translate/loops.h"

#include <string.h>

enum {
    WIDEST_TEST = 1 << 15,
    NEARBY = 64,        /* behind a branch */
    DEPTH = 2,          /* branches */
    MOST_BRANCHES = 16, /* of a switch */
    SLACK = 8,          /* State.limit leaves room for an access of this size */
    MOST_WORDS = 8,     /* of a copy that goes through registers */
    MOST_APART = 32     /* ... in pieces, where the blocks have nothing in common */
};

typedef struct Access {
    bool load, store;
    uint32_t base_reg, index_reg; /* index VCODE_NONE: none */
    unsigned shift;
    int64_t displacement;
    uint32_t size;
    const char *type;  /* of the value in memory, as the prelude names it */
    const char *widen; /* cast from it to a register */
    bool real4, real8; /* may as well be a float, a double */
} Access;

typedef struct Width {
    uint8_t op;
    uint8_t size;
    const char *type, *widen;
} Width;

/* What is stored and loaded again has one type in memory, so that C compilers see that it is the same. */
static const Width widths[] = {
    {VCODE_LD8S, 1, "m_u8", "(uint64_t)(int64_t)(int8_t)"},
    {VCODE_LD8U, 1, "m_u8", "(uint64_t)"},
    {VCODE_LD16S, 2, "m_u16", "(uint64_t)(int64_t)(int16_t)"},
    {VCODE_LD16U, 2, "m_u16", "(uint64_t)"},
    {VCODE_LD32S, 4, "m_u32", "(uint64_t)(int64_t)(int32_t)"},
    {VCODE_LD32U, 4, "m_u32", "(uint64_t)"},
    {VCODE_LD64, 8, "m_u64", ""},
    {VCODE_ST8, 1, "m_u8", "(uint8_t)"},
    {VCODE_ST16, 2, "m_u16", "(uint16_t)"},
    {VCODE_ST32, 4, "m_u32", "(uint32_t)"},
    {VCODE_ST64, 8, "m_u64", ""},
    {VCODE_LDX8S, 1, "m_u8", "(uint64_t)(int64_t)(int8_t)"},
    {VCODE_LDX8U, 1, "m_u8", "(uint64_t)"},
    {VCODE_LDX16S, 2, "m_u16", "(uint64_t)(int64_t)(int16_t)"},
    {VCODE_LDX16U, 2, "m_u16", "(uint64_t)"},
    {VCODE_LDX32S, 4, "m_u32", "(uint64_t)(int64_t)(int32_t)"},
    {VCODE_LDX32U, 4, "m_u32", "(uint64_t)"},
    {VCODE_LDX64, 8, "m_u64", ""},
    {VCODE_STX8, 1, "m_u8", "(uint8_t)"},
    {VCODE_STX16, 2, "m_u16", "(uint16_t)"},
    {VCODE_STX32, 4, "m_u32", "(uint32_t)"},
    {VCODE_STX64, 8, "m_u64", ""},
};

static const Width *width_of(VcodeOp op)
{
    for (unsigned k = 0; k < G_N_ELEMENTS(widths); k++)
        if (widths[k].op == op)
            return &widths[k];
    return NULL;
}

unsigned vm_access_size(VcodeOp op)
{
    const Width *width = width_of(op);
    return width ? width->size : 0;
}

static bool describe(VcodeInstr i, Access *access)
{
    VcodeOp op = vcode_op(i);
    VcodeForm form = vcode_op_info[op].form;
    bool indexed = form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX;
    const Width *w = width_of(op);
    if (!w)
        return false;
    *access = (Access){.load = form == VCODE_FORM_LOAD || form == VCODE_FORM_LOADX,
                       .base_reg = vcode_b(i),
                       .index_reg = indexed ? vcode_c(i) : VCODE_NONE,
                       .shift = indexed ? vcode_n(i) : 0,
                       .displacement = indexed ? 0 : vcode_simm_c(i),
                       .size = w->size,
                       .type = w->type,
                       .widen = w->widen,
                       .real4 = w->size == 4 && op != VCODE_LD32S && op != VCODE_LDX32S,
                       .real8 = w->size == 8};
    return true;
}

/* -- facts ------------------------------------------------------------------------------------- */

static uint32_t stamp_of(const VmPrinter *p, uint32_t web)
{
    return p->stamp_passes[web] == p->pass ? p->stamps[web] : 0;
}

static VmFact key_of(const VmPrinter *p, const Access *access)
{
    VmFact key = {.base = p->now[access->base_reg], .index = VCODE_NONE, .shift = (uint8_t)access->shift};
    key.base_stamp = stamp_of(p, key.base);
    if (access->index_reg != VCODE_NONE) {
        key.index = p->now[access->index_reg];
        key.index_stamp = stamp_of(p, key.index);
    }
    return key;
}

static bool same_key(const VmFact *a, const VmFact *b)
{
    return a->base == b->base && a->base_stamp == b->base_stamp && a->index == b->index &&
           (a->index == VCODE_NONE || (a->index_stamp == b->index_stamp && a->shift == b->shift));
}

static const VmFact *known(const VmPrinter *p, const VmFact *key, const Access *access)
{
    for (guint k = 0; k < p->facts->len; k++) {
        const VmFact *fact = &g_array_index(p->facts, VmFact, k);
        if (same_key(fact, key) && (fact->writable || access->load) && access->displacement >= fact->low &&
            access->displacement + (int64_t)access->size <= fact->high)
            return fact;
    }
    return NULL;
}

/* A block begins with what its only predecessor ended with. */
void vm_access_begin_block(VmPrinter *p)
{
    const VmFlowBlock *block = &p->flow->blocks[p->block];
    g_array_set_size(p->facts, 0);
    if (p->strip || block->predecessors != 1 || !p->block_facts[block->only_from])
        return;
    const GArray *inherited = p->block_facts[block->only_from];
    if (inherited->len)
        g_array_append_vals(p->facts, inherited->data, inherited->len);
}

void vm_access_end_block(VmPrinter *p)
{
    if (p->strip)
        return;
    VcodeInstr last = p->flow->code[p->flow->blocks[p->block].end - 1];
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(VmFact));
    VcodeForm form = vcode_op_info[vcode_op(last)].form;
    bool calls =
        form == VCODE_FORM_CALL || form == VCODE_FORM_CALLI || form == VCODE_FORM_CALLX; /* the heap may shrink */
    for (guint k = 0; k < p->facts->len && !calls; k++) {
        VmFact fact = g_array_index(p->facts, VmFact, k);
        if (fact.base_stamp != stamp_of(p, fact.base) ||
            (fact.index != VCODE_NONE && fact.index_stamp != stamp_of(p, fact.index)))
            continue;
        fact.base_stamp = fact.index_stamp = 0;
        g_array_append_val(kept, fact);
    }
    p->block_facts[p->block] = kept;
}

typedef struct Widening {
    VmFact *range;
    int64_t widest;
    bool loads; /* nothing of it is stored */
    bool kept;  /* stores behind a branch do not count: what is only loaded may be constant */
    unsigned count;
} Widening;

static bool uses_key(const VmFlow *flow, const VmFact *range, const Access *access)
{
    return access->base_reg == flow->webs[range->base].reg &&
           (access->index_reg == VCODE_NONE) == (range->index == VCODE_NONE) &&
           (range->index == VCODE_NONE ||
            (access->index_reg == flow->webs[range->index].reg && access->shift == range->shift));
}

static void widen_by(Widening *w, const Access *access)
{
    int64_t low = MIN(w->range->low, access->displacement);
    int64_t high = MAX(w->range->high, access->displacement + (int64_t)access->size);
    if (high - low > w->widest || (w->kept && w->loads && !access->load))
        return;
    w->range->low = low;
    w->range->high = high;
    w->loads = w->loads && access->load;
    w->count++;
}

/* To what [pc, end) accesses with the same key; false where the key is set on the way. */
static bool widen_within(const VmFlow *flow, uint32_t pc, uint32_t end, Widening *w)
{
    const VmFact *range = w->range;
    for (uint32_t at = pc; at < end; at++) {
        Access access;
        VcodeInstr i = flow->code[at];
        if (describe(i, &access) && uses_key(flow, range, &access))
            widen_by(w, &access);
        int written = vm_effects(i).written;
        if (written >= 0 && ((uint32_t)written == flow->webs[range->base].reg ||
                             (range->index != VCODE_NONE && (uint32_t)written == flow->webs[range->index].reg)))
            return false;
    }
    return true;
}

/* ... to what blocks that only come behind this one access. */
static void widen_behind(const VmFlow *flow, const VmFlowBlock *block, unsigned depth, Widening *w)
{
    VcodeForm form = vcode_op_info[vcode_op(flow->code[block->end - 1])].form;
    if (depth == 0 || form == VCODE_FORM_CALL || form == VCODE_FORM_CALLI || form == VCODE_FORM_CALLX)
        return;
    for (uint32_t s = 0; s < MIN(block->successors, MOST_BRANCHES); s++) {
        const VmFlowBlock *to = vm_flow_successor(flow, block, s);
        if (to->predecessors == 1 && !to->checkpoint && widen_within(flow, to->start, to->end, w))
            widen_behind(flow, to, depth - 1, w);
    }
}

/* Widens the range to what the rest of the block accesses with the same key, and nearby what comes behind it. */
static unsigned widen(const VmPrinter *p, uint32_t pc, VmFact *range, bool *loads)
{
    const VmFlowBlock *block = &p->flow->blocks[p->block];
    Widening w = {.range = range, .widest = WIDEST_TEST, .loads = true};
    bool goes_on = widen_within(p->flow, pc, block->end, &w);
    if (goes_on && !p->strip) {
        w.widest = NEARBY;
        w.kept = true;
        widen_behind(p->flow, block, DEPTH, &w);
    }
    *loads = w.loads;
    return w.count;
}

/* -- printing ---------------------------------------------------------------------------------- */

static void print_address(VmPrinter *p, const Access *access, int64_t displacement)
{
    vm_print_operand(p, access->base_reg, VM_KIND_I);
    if (access->index_reg != VCODE_NONE) {
        g_string_append(p->out, " + (");
        vm_print_operand(p, access->index_reg, VM_KIND_I);
        g_string_append_printf(p->out, " << %u)", access->shift);
    }
    if (displacement > 0)
        g_string_append_printf(p->out, " + %" G_GINT64_FORMAT, displacement);
    else if (displacement < 0)
        g_string_append_printf(p->out, " - %" G_GINT64_FORMAT, -displacement);
}

/* Comparisons that hold where [address + range) is private, or constant. */
static void print_test(VmPrinter *p, const char *test, const Access *access, const VmFact *range)
{
    int64_t width = range->high - range->low;
    bool exact = strcmp(test, "CONSTANT") == 0;
    g_string_append_printf(p->out, "%s(", test);
    print_address(p, access, range->low);
    g_string_append_printf(p->out, ", %" G_GINT64_FORMAT ")", exact ? width : MAX(width - SLACK, 0));
}

static VmKind kind_in_memory(const Access *access, VmKind wanted)
{
    return wanted == VM_KIND_D && access->real8   ? VM_KIND_D
           : wanted == VM_KIND_F && access->real4 ? VM_KIND_F
                                                  : VM_KIND_I;
}

static const char *type_of(const Access *access, VmKind kind)
{
    return kind == VM_KIND_D ? "m_double" : kind == VM_KIND_F ? "m_float" : access->type;
}

static const VmRoot *root_of(const VmPrinter *p, uint32_t reg)
{
    static const VmRoot unknown = {.kind = VM_ROOT_UNKNOWN};
    return p->now[reg] == VCODE_NONE ? &unknown : &p->roots[p->now[reg]];
}

/* Of an array at a known address: the element's place among what is private, as tests compute it, too. */
static bool print_place_in_static(VmPrinter *p, const Access *access, VmKind kind)
{
    const VmRoot *root = root_of(p, access->base_reg);
    uint64_t place = root->value + (uint64_t)access->displacement - p->unit->low;
    if (root->kind != VM_ROOT_CONSTANT || place > INT32_MAX)
        return false;
    g_string_append_printf(p->out, "*(%s *)(private + (", type_of(access, kind));
    if (access->index_reg != VCODE_NONE) {
        g_string_append_c(p->out, '(');
        vm_print_operand(p, access->index_reg, VM_KIND_I);
        g_string_append_printf(p->out, " << %u) + ", access->shift);
    }
    g_string_append_printf(p->out, "%" G_GUINT64_FORMAT "u))", place);
    return true;
}

/* Of an object in the frame: what is at different distances from the frame's beginning is different, and C compilers
 * see it. */
static bool print_place_in_frame(VmPrinter *p, const Access *access, VmKind kind)
{
    const VmRoot *root = root_of(p, access->base_reg);
    if (root->kind != VM_ROOT_FRAME)
        return false;
    g_string_append_printf(p->out, "*(%s *)(frame + ", type_of(access, kind));
    if (access->index_reg != VCODE_NONE) {
        g_string_append_c(p->out, '(');
        vm_print_operand(p, access->index_reg, VM_KIND_I);
        g_string_append_printf(p->out, " << %u) + ", access->shift);
    }
    g_string_append_printf(p->out, "(%" G_GINT64_FORMAT "))", (int64_t)root->value + access->displacement);
    return true;
}

static void print_place(VmPrinter *p, const Access *access, VmKind kind, const char *host)
{
    if (strcmp(host, "memory") == 0 &&
        (print_place_in_static(p, access, kind) || print_place_in_frame(p, access, kind)))
        return;
    g_string_append_printf(p->out, "*(%s *)(%s + (", type_of(access, kind), host);
    print_address(p, access, access->displacement);
    g_string_append(p->out, "))");
}

static void print_load(VmPrinter *p, uint32_t pc, const Access *access, const char *host)
{
    uint32_t web = p->flow->set_web[pc - p->flow->function->code_start];
    VmKind kind = kind_in_memory(access, p->flow->webs[web].kind);
    const char *close = vm_print_target(p, pc, kind);
    if (kind == VM_KIND_I)
        g_string_append(p->out, access->widen);
    print_place(p, access, kind, host);
    g_string_append(p->out, close);
}

static void print_store(VmPrinter *p, uint32_t pc, const Access *access)
{
    uint32_t value = vcode_a(p->flow->code[pc]);
    VmKind kind = kind_in_memory(access, p->flow->webs[p->now[value]].kind);
    print_place(p, access, kind, "memory");
    g_string_append(p->out, " = ");
    if (kind == VM_KIND_I)
        g_string_append(p->out, access->widen);
    vm_print_operand(p, value, kind);
    g_string_append(p->out, ";");
}

static void print_proven(VmPrinter *p, uint32_t pc, const Access *access, uint32_t host)
{
    char name[16] = "memory";
    if (host)
        g_snprintf(name, sizeof name, "h%u", host);
    if (access->load)
        print_load(p, pc, access, name);
    else
        print_store(p, pc, access);
}

/* One load that is not known to be private: constants come second, or first where the base is one of them. */
static void print_lone_load(VmPrinter *p, uint32_t pc, const Access *access, const VmFact *range, bool constant_first)
{
    const char *tests[2] = {constant_first ? "CONSTANT" : "PRIVATE", constant_first ? "PRIVATE" : "CONSTANT"};
    const char *hosts[2] = {constant_first ? "constants" : "memory", constant_first ? "memory" : "constants"};
    g_string_append(p->out, "if (LIKELY(");
    print_test(p, tests[0], access, range);
    g_string_append(p->out, ")) { ");
    print_load(p, pc, access, hosts[0]);
    g_string_append(p->out, " } else if (");
    print_test(p, tests[1], access, range);
    g_string_append(p->out, ") { ");
    print_load(p, pc, access, hosts[1]);
    g_string_append_printf(p->out, " } else goto x%u;", vm_exit_before(p, pc));
}

static void print_tested(VmPrinter *p, uint32_t pc, const Access *access, VmFact *fact, bool constant_first)
{
    bool loads;
    fact->low = access->displacement;
    fact->high = access->displacement + (int64_t)access->size;
    unsigned count = widen(p, pc, fact, &loads);
    if (count <= 1 && access->load) {
        print_lone_load(p, pc, access, fact, constant_first);
        return;
    }
    fact->writable = !loads;
    if (loads) {
        fact->host = ++p->hosts;
        g_string_append_printf(p->out, "h%u = %s; ", fact->host, constant_first ? "constants" : "memory");
    }
    constant_first = constant_first && loads;
    g_string_append(p->out, "if (UNLIKELY(!");
    print_test(p, constant_first ? "CONSTANT" : "PRIVATE", access, fact);
    g_string_append(p->out, ")) ");
    if (loads) {
        g_string_append(p->out, "{ if (");
        print_test(p, constant_first ? "PRIVATE" : "CONSTANT", access, fact);
        g_string_append_printf(p->out, ") h%u = %s; else goto x%u; } ", fact->host,
                               constant_first ? "memory" : "constants", vm_exit_before(p, pc));
    } else {
        g_string_append_printf(p->out, "goto x%u; ", vm_exit_before(p, pc));
    }
    g_array_append_val(p->facts, *fact);
    print_proven(p, pc, access, fact->host);
}

/* Whether the access is to the frame or to a static object, at a place that is known. */
static bool is_static(const VmPrinter *p, const Access *access, bool *constant)
{
    const VcodeModule *m = p->flow->module;
    const VmRoot *root = root_of(p, access->base_reg);
    uint64_t at = root->value + (uint64_t)access->displacement;
    uint64_t objects = m->data.count + m->bss_bytes;
    *constant = false;
    if (root->kind == VM_ROOT_UNKNOWN || access->index_reg != VCODE_NONE)
        return false;
    if (root->kind == VM_ROOT_FRAME) {
        uint64_t bytes = p->flow->image->functions[p->flow->index].enter_bytes;
        return at <= bytes && access->size <= bytes - at;
    }
    if (at >= m->data_base)
        return at - m->data_base <= objects && access->size <= objects - (at - m->data_base);
    *constant = access->load && at >= VCODE_RODATA_BASE && at - VCODE_RODATA_BASE <= m->rodata.count &&
                access->size <= m->rodata.count - (at - VCODE_RODATA_BASE);
    return *constant;
}

static bool based_on_constants(const VmPrinter *p, const Access *access)
{
    return root_of(p, access->base_reg)->among_constants;
}

/* One end of a copied block, `at` bytes further. */
static void print_block_place(VmPrinter *p, const Access *block, const char *host, uint32_t at)
{
    const VmRoot *root = root_of(p, block->base_reg);
    if (root->kind == VM_ROOT_FRAME) {
        g_string_append_printf(p->out, "(frame + (%" G_GINT64_FORMAT "))", (int64_t)root->value + (int64_t)at);
        return;
    }
    g_string_append_printf(p->out, "(%s + (", host);
    print_address(p, block, at);
    g_string_append(p->out, "))");
}

static void print_words(VmPrinter *p, const Access *to, const Access *from, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end; at += 8) {
        g_string_append_printf(p->out, "uint64_t w%u = *(m_u64 *)", at);
        print_block_place(p, from, "from", at);
        g_string_append(p->out, "; ");
    }
    for (uint32_t at = begin; at < end; at += 8) {
        g_string_append(p->out, "*(m_u64 *)");
        print_block_place(p, to, "memory", at);
        g_string_append_printf(p->out, " = w%u; ", at);
    }
}

/* Whether no byte of one block is in the other, as far as is known. */
static bool is_apart(const VmPrinter *p, const Access *to, const Access *from, uint32_t bytes)
{
    const VmRoot *a = root_of(p, to->base_reg), *b = root_of(p, from->base_reg);
    return a->kind != VM_ROOT_UNKNOWN && a->kind == b->kind &&
           (a->value < b->value ? b->value - a->value : a->value - b->value) >= bytes;
}

/* Structures go through registers: what is read has often just been written, word by word, and a processor waits where
 * it reads at once what it wrote in parts. */
static void print_copy(VmPrinter *p, const Access *to, const Access *from, uint32_t bytes)
{
    if (bytes % 8 != 0 || bytes > (is_apart(p, to, from, bytes) ? MOST_APART : MOST_WORDS) * 8) {
        g_string_append(p->out, "__builtin_memmove(");
        print_block_place(p, to, "memory", 0);
        g_string_append(p->out, ", ");
        print_block_place(p, from, "from", 0);
        g_string_append_printf(p->out, ", %u);", bytes);
        return;
    }
    for (uint32_t at = 0; at < bytes; at += MOST_WORDS * 8)
        print_words(p, to, from, at, MIN(bytes, at + MOST_WORDS * 8));
}

/* Prints the test that a block may be accessed, unless it is known. */
static void print_block_test(VmPrinter *p, uint32_t pc, const Access *block, const char *otherwise)
{
    bool constant;
    VmFact range = {.low = 0, .high = block->size};
    bool proven = p->strip && vm_bit(p->strip->proven, pc - p->flow->function->code_start);
    if (proven || (is_static(p, block, &constant) && !constant))
        return;
    g_string_append(p->out, "if (UNLIKELY(!");
    print_test(p, "PRIVATE", block, &range);
    g_string_append_printf(p->out, ")) %s ", otherwise);
}

static void print_block_access(VmPrinter *p, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    uint32_t bytes = vcode_block_bytes(i);
    if (bytes == 0)
        return;
    Access to = {.base_reg = vcode_a(i), .index_reg = VCODE_NONE, .size = bytes},
           from = {.base_reg = vcode_b(i), .index_reg = VCODE_NONE, .size = bytes, .load = true};
    g_autofree char *leave = g_strdup_printf("goto x%u;", vm_exit_before(p, pc));
    print_block_test(p, pc, &to, leave);
    if (vcode_op(i) != VCODE_BCOPY) {
        g_string_append(p->out, "__builtin_memset(");
        print_block_place(p, &to, "memory", 0);
        g_string_append_printf(p->out, ", 0, %u);", bytes);
        return;
    }
    VmFact range = {.low = 0, .high = bytes};
    GString *out = p->out;
    g_autoptr(GString) otherwise = p->out = g_string_new("{ if (");
    print_test(p, "CONSTANT", &from, &range);
    g_string_append_printf(p->out, ") from = constants; else %s }", leave);
    p->out = out;
    g_string_append(p->out, "{ const uint8_t *from = memory; ");
    print_block_test(p, pc, &from, otherwise->str);
    print_copy(p, &to, &from, bytes);
    g_string_append(p->out, " }");
}

void vm_print_access(VmPrinter *p, uint32_t pc)
{
    Access access;
    if (!describe(p->flow->code[pc], &access)) {
        print_block_access(p, pc);
        return;
    }
    if (p->strip && vm_bit(p->strip->proven, pc - p->flow->function->code_start)) {
        print_proven(p, pc, &access, 0);
        return;
    }
    bool constant;
    VmFact key = key_of(p, &access);
    if (is_static(p, &access, &constant)) {
        if (constant)
            print_load(p, pc, &access, "constants");
        else
            print_proven(p, pc, &access, 0);
        return;
    }
    const VmFact *fact = known(p, &key, &access);
    if (fact)
        print_proven(p, pc, &access, fact->host);
    else
        print_tested(p, pc, &access, &key, based_on_constants(p, &access));
}
