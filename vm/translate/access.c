/* access.c - printing loads, stores and block copies so that none can leave the rank's memory.
 *
 * An access goes to `memory` + guest address once the address is known to lie in the private interval; constants are
 * somewhere else, so loads look there next; anything else is an exit, and the interpreter gives the access its fault.
 * What a comparison has shown is a *fact*, and further accesses need none:
 *
 *   - displacements from one register value: the first access of a block tests the range of all that follow in it, and
 *     of those near it in blocks behind;
 *   - a block with one predecessor knows what was known at that one's end;
 *   - the function's own frame and static objects at constant addresses are always accessible; so is an element of an
 *     array there if the index has too few bits to lead beyond: table[x & 255]. Such an index is masked once more, so
 *     that nothing but these bits counts, whoever has changed a register.
 */
#include "vm/translate/access.h"
#include "vm/translate/loops.h"

#include <string.h>

enum {
    SLACK = 8,       /* State.limit leaves room for an access of this size */
    MOST_WORDS = 8,  /* of a copy that goes through registers */
    MOST_APART = 32, /* ... in pieces, where the blocks have nothing in common */
    MOST_INDEX = 17  /* bits of an index that needs no test, with a sign */
};

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

bool vm_access_describe(VcodeInstr i, VmAccess *access)
{
    VcodeOp op = vcode_op(i);
    VcodeForm form = vcode_op_info[op].form;
    bool indexed = form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX;
    const Width *w = width_of(op);
    if (!w)
        return false;
    *access = (VmAccess){.load = form == VCODE_FORM_LOAD || form == VCODE_FORM_LOADX,
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

/* -- printing ---------------------------------------------------------------------------------- */

/* "(index << shift)" */
static void print_index(VmPrinter *p, const VmAccess *access)
{
    g_string_append(p->out, access->most ? "((" : "(");
    vm_print_operand(p, access->index_reg, VM_KIND_I);
    if (access->most)
        g_string_append_printf(p->out, " & %u)", access->most);
    g_string_append_printf(p->out, " << %u)", access->shift);
}

static void print_address(VmPrinter *p, const VmAccess *access, int64_t displacement)
{
    vm_print_operand(p, access->base_reg, VM_KIND_I);
    if (access->index_reg != VCODE_NONE) {
        g_string_append(p->out, " + ");
        print_index(p, access);
    }
    if (displacement > 0)
        g_string_append_printf(p->out, " + %" G_GINT64_FORMAT, displacement);
    else if (displacement < 0)
        g_string_append_printf(p->out, " - %" G_GINT64_FORMAT, -displacement);
}

static const VmRoot *root_of(const VmPrinter *p, uint32_t reg)
{
    static const VmRoot unknown = {.kind = VM_ROOT_UNKNOWN};
    return p->now[reg] == VCODE_NONE ? &unknown : &p->roots[p->now[reg]];
}

/* Of an array in the frame: a distance from the frame's beginning, which is one comparison with what is behind it. It
 * does not hold for what lies before the frame, which only wrong programs access so. */
static bool print_test_in_frame(VmPrinter *p, const VmAccess *access, const VmFact *range)
{
    const VmRoot *root = root_of(p, access->base_reg);
    int64_t low = (int64_t)root->value + range->low - access->origin, width = range->high - range->low;
    if (root->kind != VM_ROOT_FRAME || access->index_reg == VCODE_NONE || low < 0 || width > SLACK)
        return false;
    g_string_append(p->out, "((");
    vm_print_operand(p, access->index_reg, VM_KIND_I);
    g_string_append_printf(p->out, " << %u) + %" G_GINT64_FORMAT " < room)", access->shift, low);
    return true;
}

/* Comparisons that hold where [address + range) is private, or constant. */
static void print_test(VmPrinter *p, const char *test, const VmAccess *access, const VmFact *range)
{
    int64_t width = range->high - range->low;
    bool exact = strcmp(test, "CONSTANT") == 0;
    if (!exact && print_test_in_frame(p, access, range))
        return;
    g_string_append_printf(p->out, "%s(", test);
    print_address(p, access, range->low - access->origin);
    g_string_append_printf(p->out, ", %" G_GINT64_FORMAT ")", exact ? width : MAX(width - SLACK, 0));
}

static VmKind kind_in_memory(const VmAccess *access, VmKind wanted)
{
    return wanted == VM_KIND_D && access->real8   ? VM_KIND_D
           : wanted == VM_KIND_F && access->real4 ? VM_KIND_F
                                                  : VM_KIND_I;
}

static const char *type_of(const VmAccess *access, VmKind kind)
{
    return kind == VM_KIND_D ? "m_double" : kind == VM_KIND_F ? "m_float" : access->type;
}

/* Of an array at a known address: the element's place among what is private, as tests compute it, too. */
static bool print_place_in_static(VmPrinter *p, const VmAccess *access, VmKind kind)
{
    const VmRoot *root = root_of(p, access->base_reg);
    uint64_t place = root->value + (uint64_t)access->displacement - p->unit->low;
    if (root->kind != VM_ROOT_CONSTANT || place > INT32_MAX)
        return false;
    g_string_append_printf(p->out, "*(%s *)(private + (", type_of(access, kind));
    if (access->index_reg != VCODE_NONE) {
        print_index(p, access);
        g_string_append(p->out, " + ");
    }
    g_string_append_printf(p->out, "%" G_GUINT64_FORMAT "u))", place);
    return true;
}

/* Of an object in the frame: what is at different distances from the frame's beginning is different, and C compilers
 * see it. */
static bool print_place_in_frame(VmPrinter *p, const VmAccess *access, VmKind kind)
{
    const VmRoot *root = root_of(p, access->base_reg);
    if (root->kind != VM_ROOT_FRAME)
        return false;
    g_string_append_printf(p->out, "*(%s *)(frame + ", type_of(access, kind));
    if (access->index_reg != VCODE_NONE) {
        print_index(p, access);
        g_string_append(p->out, " + ");
    }
    g_string_append_printf(p->out, "(%" G_GINT64_FORMAT "))", (int64_t)root->value + access->displacement);
    return true;
}

static void print_place(VmPrinter *p, const VmAccess *access, VmKind kind, const char *host)
{
    if (strcmp(host, "memory") == 0 &&
        (print_place_in_static(p, access, kind) || print_place_in_frame(p, access, kind)))
        return;
    g_string_append_printf(p->out, "*(%s *)(%s + (", type_of(access, kind), host);
    print_address(p, access, access->displacement);
    g_string_append(p->out, "))");
}

static void print_load(VmPrinter *p, uint32_t pc, const VmAccess *access, const char *host)
{
    uint32_t web = p->flow->set_web[pc - p->flow->function->code_start];
    VmKind kind = kind_in_memory(access, p->flow->webs[web].kind);
    const char *close = vm_print_target(p, pc, kind);
    if (kind == VM_KIND_I)
        g_string_append(p->out, access->widen);
    print_place(p, access, kind, host);
    g_string_append(p->out, close);
}

static void print_store(VmPrinter *p, uint32_t pc, const VmAccess *access)
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

static void print_proven(VmPrinter *p, uint32_t pc, const VmAccess *access, uint32_t host)
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
static void print_lone_load(VmPrinter *p, uint32_t pc, const VmAccess *access, const VmFact *range, bool constant_first)
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

static void print_tested(VmPrinter *p, uint32_t pc, const VmAccess *access, VmFact *fact, bool constant_first)
{
    bool loads;
    unsigned count = vm_facts_widen(p, pc, access, fact, &loads);
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
    vm_facts_add(p, fact);
    print_proven(p, pc, access, fact->host);
}

/* Returns the greatest value of the index, all of whose bits it may have; 0: unknown. */
static uint32_t most_index(const VmPrinter *p, const VmAccess *access)
{
    uint32_t web = access->index_reg == VCODE_NONE ? VCODE_NONE : p->now[access->index_reg];
    const VmWeb *index = web == VCODE_NONE ? NULL : &p->flow->webs[web];
    return index && !index->negative && index->bits <= MOST_INDEX ? (UINT32_C(1) << (index->bits - 1)) - 1 : 0;
}

/* Whether the access is to the frame or to a static object, at a place that is known, or with an index, of which `most`
 * is the greatest, cannot be elsewhere. */
static bool is_static(const VmPrinter *p, const VmAccess *access, uint32_t most, bool *constant)
{
    const VcodeModule *m = p->flow->module;
    const VmRoot *root = root_of(p, access->base_reg);
    uint64_t at = root->value + (uint64_t)access->displacement, size = access->size + ((uint64_t)most << access->shift);
    uint64_t objects = m->data.count + m->bss_bytes;
    *constant = false;
    if (root->kind == VM_ROOT_UNKNOWN || (access->index_reg != VCODE_NONE && !most))
        return false;
    if (root->kind == VM_ROOT_FRAME) {
        uint64_t bytes = p->flow->image->functions[p->flow->index].enter_bytes;
        return at <= bytes && size <= bytes - at;
    }
    if (at >= m->data_base)
        return at - m->data_base <= objects && size <= objects - (at - m->data_base);
    *constant = access->load && at >= VCODE_RODATA_BASE && at - VCODE_RODATA_BASE <= m->rodata.count &&
                size <= m->rodata.count - (at - VCODE_RODATA_BASE);
    return *constant;
}

static bool based_on_constants(const VmPrinter *p, const VmAccess *access)
{
    return root_of(p, access->base_reg)->among_constants;
}

/* One end of a copied block, `at` bytes further. */
static void print_block_place(VmPrinter *p, const VmAccess *block, const char *host, uint32_t at)
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

static void print_words(VmPrinter *p, const VmAccess *to, const VmAccess *from, uint32_t begin, uint32_t end)
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
static bool is_apart(const VmPrinter *p, const VmAccess *to, const VmAccess *from, uint32_t bytes)
{
    const VmRoot *a = root_of(p, to->base_reg), *b = root_of(p, from->base_reg);
    return a->kind != VM_ROOT_UNKNOWN && a->kind == b->kind &&
           (a->value < b->value ? b->value - a->value : a->value - b->value) >= bytes;
}

/* Structures go through registers: what is read has often just been written, word by word, and a processor waits where
 * it reads at once what it wrote in parts. */
static void print_copy(VmPrinter *p, const VmAccess *to, const VmAccess *from, uint32_t bytes)
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
static void print_block_test(VmPrinter *p, uint32_t pc, const VmAccess *block, const char *otherwise)
{
    bool constant;
    VmFact range = {.low = 0, .high = block->size};
    bool proven = p->strip && vm_bit(p->strip->proven, pc - p->flow->function->code_start);
    if (proven || (is_static(p, block, 0, &constant) && !constant))
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
    VmAccess to = {.base_reg = vcode_a(i), .index_reg = VCODE_NONE, .size = bytes},
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

void vm_access_print_ahead(VmPrinter *p, uint32_t pc, const char *address)
{
    VmAccess access = {0};
    vm_access_describe(p->flow->code[pc], &access);
    VmKind kind = kind_in_memory(&access, p->flow->webs[p->flow->set_web[pc - p->flow->function->code_start]].kind);
    const char *close = vm_print_target(p, pc, kind);
    g_string_append_printf(p->out, "%s*(%s *)(memory + %s)%s", kind == VM_KIND_I ? access.widen : "",
                           type_of(&access, kind), address, close);
}

/* What the next turn would load again is handed on to it. */
static void print_carried(VmPrinter *p, uint32_t pc)
{
    for (guint k = 0; k < p->strip->hoists->len; k++) {
        const VmHoist *hoist = &g_array_index(p->strip->hoists, VmHoist, k);
        if (hoist->store != pc)
            continue;
        VmAccess load = {0};
        vm_access_describe(p->flow->code[hoist->pc], &load);
        VmKind kind =
            kind_in_memory(&load, p->flow->webs[p->flow->set_web[hoist->pc - p->flow->function->code_start]].kind);
        g_string_append_c(p->out, ' ');
        const char *close = vm_print_target(p, hoist->pc, kind);
        g_string_append_printf(p->out, "%s(", kind == VM_KIND_I && load.size < 8 ? load.widen : "");
        if (kind == VM_KIND_I && load.size < 8)
            g_string_append(p->out, "(uint32_t)");
        vm_print_operand(p, vcode_a(p->flow->code[pc]), kind);
        g_string_append_printf(p->out, ")%s", close);
    }
}

static void print_access(VmPrinter *p, uint32_t pc)
{
    VmAccess access = {0};
    if (p->strip && vm_bit(p->strip->hoisted, pc - p->flow->function->code_start))
        return;
    if (!vm_access_describe(p->flow->code[pc], &access)) {
        print_block_access(p, pc);
        return;
    }
    if (p->strip && vm_bit(p->strip->proven, pc - p->flow->function->code_start)) {
        print_proven(p, pc, &access, 0);
        return;
    }
    bool constant;
    VmFact key = vm_facts_key(p, &access);
    uint32_t most = most_index(p, &access);
    if (is_static(p, &access, most, &constant)) {
        access.most = most;
        if (constant)
            print_load(p, pc, &access, "constants");
        else
            print_proven(p, pc, &access, 0);
        return;
    }
    const VmFact *fact = vm_facts_find(p, &key, &access);
    if (fact)
        print_proven(p, pc, &access, fact->host);
    else
        print_tested(p, pc, &access, &key, based_on_constants(p, &access));
}

void vm_print_access(VmPrinter *p, uint32_t pc)
{
    print_access(p, pc);
    if (p->strip)
        print_carried(p, pc);
}
