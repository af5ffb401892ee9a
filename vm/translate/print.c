/* print.c - vCode as C: one C function per function, blocks as labels, webs as variables.
 *
 * What instructions compute is printed from the rows of arithmetic.def, by name; the prelude of the text defines the
 * names as macros with the rows' own expressions. Costs are charged where blocks end, as the interpreter does, and fuel
 * is tested at checkpoints (flow.c). Whatever is unusual goes to an exit (exits.c).
 */
#include "vcode/calling.h"
#include "vm/prelude/prelude.h"
#include "vm/translate/loops.h"

#include <string.h>

/* -- operands ---------------------------------------------------------------------------------- */

void vm_print_web(VmPrinter *p, uint32_t web)
{
    const VmWeb *w = &p->flow->webs[web];
    if (p->flow->huge)
        g_string_append_printf(p->out, "R[%u]", w->reg);
    else if (w->number)
        g_string_append_printf(p->out, "r%u_%u", w->reg, w->number);
    else
        g_string_append_printf(p->out, "r%u", w->reg);
}

static const char *conversion(VmKind from, VmKind to)
{
    if (from == to)
        return NULL;
    if (to == VM_KIND_I)
        return from == VM_KIND_D ? "from_double(" : "from_float(";
    if (to == VM_KIND_D)
        return from == VM_KIND_I ? "as_double(" : "as_double(from_float(";
    return from == VM_KIND_I ? "as_float(" : "as_float(from_double(";
}

static const char *closing(VmKind from, VmKind to)
{
    return from == to ? "" : from == VM_KIND_I || to == VM_KIND_I ? ")" : "))";
}

void vm_print_operand(VmPrinter *p, uint32_t reg, VmKind kind)
{
    uint32_t web = p->now[reg];
    if (web == VCODE_NONE) { /* only code that no compiler made reads what a call has lost */
        g_string_append(p->out, "0");
        return;
    }
    VmKind from = p->flow->webs[web].kind;
    const char *open = conversion(from, kind);
    if (open)
        g_string_append(p->out, open);
    vm_print_web(p, web);
    g_string_append(p->out, closing(from, kind));
}

const char *vm_print_target(VmPrinter *p, uint32_t pc, VmKind kind)
{
    static const char *const ends[] = {";", ");", "));"};
    uint32_t web = p->flow->set_web[pc - p->flow->function->code_start];
    VmKind to = p->flow->webs[web].kind;
    vm_print_web(p, web);
    g_string_append(p->out, " = ");
    const char *open = conversion(kind, to);
    if (open)
        g_string_append(p->out, open);
    return ends[strlen(closing(kind, to))];
}

void vm_print_constant(GString *out, uint64_t value, VmKind kind)
{
    if (kind == VM_KIND_D)
        g_string_append_printf(out, "as_double(OPAQUE(0x%" G_GINT64_MODIFIER "xu))", value);
    else if (kind == VM_KIND_F)
        g_string_append_printf(out, "as_float(OPAQUE(0x%" G_GINT64_MODIFIER "xu))", value);
    else if (value <= INT32_MAX)
        g_string_append_printf(out, "%" G_GUINT64_FORMAT, value);
    else
        g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "xu", value);
}

/* -- computing --------------------------------------------------------------------------------- */

static VmKind target_kind(const VmPrinter *p, uint32_t pc)
{
    return p->flow->webs[p->flow->set_web[pc - p->flow->function->code_start]].kind;
}

static void print_move(VmPrinter *p, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    VmKind kind = target_kind(p, pc);
    const char *close = vm_print_target(p, pc, kind);
    switch (vcode_op(i)) {
    case VCODE_MOV: vm_print_operand(p, vcode_b(i), kind); break;
    case VCODE_MOVI: vm_print_constant(p->out, (uint64_t)(int64_t)vcode_imm32(i), kind); break;
    case VCODE_MOVK: vm_print_constant(p->out, p->flow->module->constants.items[vcode_imm32(i)], kind); break;
    default: /* CMOV */
        vm_print_operand(p, vcode_c(i), VM_KIND_I);
        g_string_append(p->out, " ? ");
        vm_print_operand(p, vcode_b(i), kind);
        g_string_append(p->out, " : ");
        vm_print_operand(p, vcode_a(i), kind);
    }
    g_string_append(p->out, close);
}

static void print_stack(VmPrinter *p, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    switch (vcode_op(i)) {
    case VCODE_ENTER:
        g_string_append_printf(p->out, "if (UNLIKELY(%d > k->sp - k->stack_low)) goto x%u; k->sp -= %d; ",
                               vcode_imm32(i), vm_exit_before(p, pc), vcode_imm32(i));
        break;
    case VCODE_ALLOCA:
        g_string_append(p->out, "if (UNLIKELY(");
        vm_print_operand(p, vcode_b(i), VM_KIND_I);
        g_string_append_printf(p->out, " > k->sp - k->stack_low)) goto x%u; k->sp -= (", vm_exit_before(p, pc));
        vm_print_operand(p, vcode_b(i), VM_KIND_I);
        g_string_append(p->out, " + 15) & ~(uint64_t)15; ");
        break;
    case VCODE_SETSP:
        g_string_append(p->out, "if (UNLIKELY(!SP_IS_OWN(");
        vm_print_operand(p, vcode_a(i), VM_KIND_I);
        g_string_append_printf(p->out,
                               ", %u))) goto x%u; k->sp = ", p->flow->image->functions[p->flow->index].enter_bytes,
                               vm_exit_before(p, pc));
        vm_print_operand(p, vcode_a(i), VM_KIND_I);
        g_string_append_c(p->out, ';');
        return;
    default: break; /* GETSP */
    }
    const char *close = vm_print_target(p, pc, VM_KIND_I);
    g_string_append_printf(p->out, "k->sp%s", close);
}

/* -- control ----------------------------------------------------------------------------------- */

uint64_t vm_print_least_fuel(const VmPrinter *p, const VmFlowBlock *to)
{
    return to->ahead > p->unit->bias ? to->ahead - p->unit->bias : 0;
}

void vm_print_charge(VmPrinter *p, const VmFlowBlock *block)
{
    if (p->strip)
        vm_strip_charge(p, block->cost, NULL);
    else if (block->cost)
        g_string_append_printf(p->out, "fuel -= %" G_GUINT64_FORMAT "; ", block->cost);
}

static uint32_t target_block(const VmPrinter *p, uint32_t target)
{
    return p->flow->block_of[target - p->flow->function->code_start];
}

void vm_print_goto(VmPrinter *p, uint32_t to)
{
    const VmStrip *strip = p->strip;
    if (strip && vm_strip_goto(p, to))
        return;
    if (!p->whole && !p->region[to]) {
        vm_partition_print_goto(p, to);
        return;
    }
    const VmStrip *ahead = p->strips[to];
    bool from_outside =
        ahead && (ahead->nest ? !vm_nest_has(p->flow, ahead, p->block) : p->flow->blocks[p->block].loop != ahead->loop);
    g_string_append_printf(p->out, "goto %c%u;", from_outside ? 'p' : 'b', to);
}

void vm_print_go_on(VmPrinter *p, const VmFlowBlock *block)
{
    if (block->successors)
        vm_print_goto(p, target_block(p, block->end));
}

static void print_switch(VmPrinter *p, const VmFlowBlock *block)
{
    VcodeInstr i = p->flow->code[block->end - 1];
    const VcodeSwitch *s = &p->flow->module->switches.items[vcode_imm32(i)];
    uint32_t start = p->flow->function->code_start;
    vm_print_charge(p, block);
    g_string_append(p->out, "switch (");
    vm_print_operand(p, vcode_a(i), VM_KIND_I);
    g_string_append(p->out, " - ");
    vm_print_constant(p->out, (uint64_t)s->low, VM_KIND_I);
    g_string_append(p->out, ") {");
    for (uint32_t k = 0; k < s->count; k++)
        if (p->flow->module->targets.items[s->first + k] != s->default_target) {
            g_string_append_printf(p->out, "\n    case %u: ", k);
            vm_print_goto(p, target_block(p, start + p->flow->module->targets.items[s->first + k]));
        }
    g_string_append(p->out, "\n    default: ");
    vm_print_goto(p, target_block(p, start + s->default_target));
    g_string_append(p->out, " }");
}

void vm_print_condition(VmPrinter *p, const VmFlowBlock *block)
{
    VcodeInstr i = p->flow->code[block->end - 1];
    VmKind kind = vm_flow_signatures[vcode_op(i)].b;
    g_string_append_printf(p->out, "%s(", vm_compute_name(vcode_op(i)));
    vm_print_operand(p, vcode_a(i), kind);
    if (vcode_op_info[vcode_op(i)].form == VCODE_FORM_BRI) {
        g_string_append_printf(p->out, ", %d)", vcode_simm_b(i));
        return;
    }
    g_string_append(p->out, ", ");
    vm_print_operand(p, vcode_b(i), kind);
    g_string_append_c(p->out, ')');
}

static void print_branch(VmPrinter *p, const VmFlowBlock *block)
{
    VcodeInstr i = p->flow->code[block->end - 1];
    if (p->selects[p->block].found) {
        vm_print_select(p, block, &p->selects[p->block]);
        return;
    }
    vm_print_charge(p, block);
    if (p->unrolled) {
        if (!p->further)
            vm_print_go_on(p, block);
        return;
    }
    if (p->strip && !p->strip->nest && p->block == (p->strip->bottom ? p->strip->latch : p->strip->header)) {
        vm_print_goto(p, p->strip->inside); /* the strip's length says so */
        return;
    }
    g_string_append(p->out, "if (");
    vm_print_condition(p, block);
    g_string_append(p->out, ") { ");
    vm_print_goto(p, target_block(p, block->end + (uint32_t)vcode_off24(i)));
    g_string_append(p->out, " } ");
    vm_print_go_on(p, block);
}

static void print_return(VmPrinter *p, const VmFlowBlock *block)
{
    VcodeInstr i = p->flow->code[block->end - 1];
    vm_print_charge(p, block);
    if (p->uses_frame)
        g_string_append(p->out, "k->sp = entry_sp; ");
    g_string_append(p->out, "return (Outcome){");
    if (vcode_op(i) == VCODE_RET)
        vm_print_operand(p, vcode_a(i), VM_KIND_I);
    else
        g_string_append(p->out, "0");
    g_string_append(p->out, ", fuel};");
}

static void print_computed_jump(VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t pc = block->end - 1;
    g_string_append(p->out, "{ uint64_t to = ");
    vm_print_operand(p, vcode_a(p->flow->code[pc]), VM_KIND_I);
    g_string_append_printf(p->out, " - LABEL_BASE; if (UNLIKELY(to >= %u || !labels[to])) goto x%u; ",
                           p->flow->function->code_count, vm_exit_before(p, pc));
    vm_print_charge(p, block);
    g_string_append(p->out, "goto *labels[to]; }");
}

/* By instruction: where computed jumps to it go. */
static void declare_labels(VmPrinter *p)
{
    g_string_append_printf(p->out, "    static const void *const labels[%u] = {", p->flow->function->code_count);
    for (uint32_t b = 0; b < p->flow->block_count; b++)
        if (p->region[b] && p->flow->blocks[b].reached && p->flow->labels[b])
            g_string_append_printf(p->out, "[%u] = &&b%u,%s", p->flow->blocks[b].start - p->flow->function->code_start,
                                   b, b % 8 == 7 ? "\n" : " ");
    g_string_append(p->out, "};\n");
}

/* -- blocks and functions ---------------------------------------------------------------------- */

static void print_last(VmPrinter *p, const VmFlowBlock *block)
{
    uint32_t pc = block->end - 1;
    VcodeInstr i = p->flow->code[pc];
    switch (vcode_op(i)) {
    case VCODE_FALL:
        vm_print_charge(p, block);
        vm_print_go_on(p, block);
        return;
    case VCODE_JMP:
        vm_print_charge(p, block);
        vm_print_goto(p, target_block(p, block->end + (uint32_t)vcode_imm32(i)));
        return;
    case VCODE_SWITCH: print_switch(p, block); return;
    case VCODE_JMPR: print_computed_jump(p, block); return;
    case VCODE_RET:
    case VCODE_RETV: print_return(p, block); return;
    case VCODE_CALL:
    case VCODE_CALLI:
    case VCODE_CALLX: vm_print_call(p, block); return;
    case VCODE_TRAP: vm_calls_print_exit(p, pc); return;
    default: print_branch(p, block); return;
    }
}

void vm_print_instruction(VmPrinter *p, uint32_t pc)
{
    VcodeInstr i = p->flow->code[pc];
    switch (vcode_op(i)) {
    case VCODE_NOP: break;
    case VCODE_MOV:
    case VCODE_MOVI:
    case VCODE_MOVK:
    case VCODE_CMOV: print_move(p, pc); break;
    case VCODE_ENTER:
    case VCODE_ALLOCA:
    case VCODE_GETSP:
    case VCODE_SETSP: print_stack(p, pc); break;
    case VCODE_LEAX: {
        const char *close = vm_print_target(p, pc, VM_KIND_I);
        vm_print_operand(p, vcode_b(i), VM_KIND_I);
        g_string_append(p->out, " + (");
        vm_print_operand(p, vcode_c(i), VM_KIND_I);
        g_string_append_printf(p->out, " << %u)%s", vcode_n(i), close);
        break;
    }
    default:
        if (vm_flow_signatures[vcode_op(i)].result != VM_KIND_NONE)
            vm_compute_print(p, pc);
        else
            vm_print_access(p, pc);
    }
}

void vm_print_stand_at(VmPrinter *p, uint32_t b)
{
    uint32_t count = p->flow->blocks[b].end - p->flow->blocks[b].start;
    p->block = b;
    vm_web_begin(p->flow, b, p->now);
    p->live = g_renew(uint64_t, p->live, (size_t)count * p->flow->words + 1);
    vm_web_live_before(p->flow, p->block, p->live);
}

static void print_place_in_source(VmPrinter *p, uint32_t pc)
{
    const VcodeLine *line = vcode_pc_line(p->flow->module, pc);
    if (line)
        g_string_append_printf(p->out, " /* line %u */", line->line);
}

void vm_print_instructions(VmPrinter *p, uint32_t b)
{
    const VmFlowBlock *block = &p->flow->blocks[b];
    vm_print_stand_at(p, b);
    vm_facts_begin_block(p);
    if (block->checkpoint && !p->strip)
        g_string_append_printf(p->out, "\n    if (UNLIKELY(fuel < %" G_GUINT64_FORMAT ")) goto x%u;",
                               vm_print_least_fuel(p, block), vm_exit_before(p, block->start));
    for (uint32_t pc = block->start; pc < block->end; pc++) {
        g_string_append(p->out, "\n    ");
        if (pc + 1 == block->end) {
            vm_facts_end_block(p);
            print_last(p, block);
        } else {
            vm_print_instruction(p, pc);
            vm_facts_step(p, pc);
            vm_web_step(p->flow, pc, p->now);
        }
    }
    g_string_append_c(p->out, '\n');
}

static void print_block(VmPrinter *p, uint32_t b)
{
    if (p->strips[b])
        vm_print_strip(p, p->strips[b]);
    g_string_append_printf(p->out, "b%u:", b);
    print_place_in_source(p, p->flow->blocks[b].start);
    vm_entries_print_header(p, b);
    vm_print_instructions(p, b);
}

const char *vm_print_type(VmKind kind)
{
    static const char *const types[] = {"", "uint64_t", "double", "float"};
    return types[kind];
}

static void declare_variables(VmPrinter *p)
{
    g_autofree uint8_t *wanted = g_new0(uint8_t, p->flow->web_count + 1);
    if (p->parted)
        vm_partition_find_webs(p, wanted);
    for (uint32_t w = 0; !p->flow->huge && w < p->flow->web_count; w++) {
        if (p->parted && !wanted[w])
            continue;
        g_string_append_printf(p->out, "    %s ", vm_print_type(p->flow->webs[w].kind));
        vm_print_web(p, w);
        g_string_append(p->out, p->flow->webs[w].undefined ? " = 0;\n" : ";\n");
    }
}

static bool has_strips(const VmPrinter *p)
{
    for (uint32_t b = 0; b < p->flow->block_count; b++)
        if (p->strips[b] && p->region[b])
            return true;
    return false;
}

uint64_t vm_print_least_for_call(const VmUnit *unit, const VmFlow *flow)
{
    const VmCalls *calls = &unit->calls[flow->index];
    uint64_t needed = calls->bounded || calls->copies ? calls->bound : flow->blocks[0].ahead;
    return needed > unit->bias ? needed - unit->bias : 0;
}

void vm_print_head(const VmUnit *unit, const VmFlow *flow, uint32_t copy, GString *out)
{
    const VmCalls *calls = &unit->calls[flow->index];
    const char *how = copy                                            ? "inline __attribute__((always_inline)) "
                      : calls->mutual || calls->copies                ? "__attribute__((noinline)) "
                      : flow->function->code_count <= VM_NATIVE_SMALL ? "inline "
                                                                      : "";
    g_string_append_printf(out, "static %sOutcome f%u", how, flow->index);
    if (copy)
        g_string_append_printf(out, "_%u", copy);
    g_string_append(out, "(State *k, uint64_t *R, int64_t fuel");
    if (copy)
        g_string_append_printf(out, ", uint32_t w%s", vm_calls_use_tails(unit, flow) ? ", uint32_t *const t0" : "");
    for (uint32_t a = 0; a < MIN(flow->function->parameters, VM_NATIVE_ARGUMENTS); a++)
        g_string_append_printf(out, ", uint64_t p%u", a);
    g_string_append(out, ")");
}

static void declare_hosts(VmPrinter *p, gsize at)
{
    g_autoptr(GString) hosts = g_string_new(NULL);
    for (uint32_t h = 1; h <= p->hosts; h++)
        g_string_append_printf(hosts, "%s*h%u%s", h == 1 ? "    const uint8_t " : ", ", h, h == p->hosts ? ";\n" : "");
    g_string_insert(p->out, (gssize)at, hosts->str);
}

static void print_body(VmPrinter *p)
{
    if (p->whole) {
        vm_print_head(p->unit, p->flow, p->copy, p->out);
    } else if (p->parted && p->flow->part_count > 1) {
        g_string_append_printf(p->out,
                               "static __attribute__((noinline)) Outcome l%u_p%u(State *k, uint64_t *R, int64_t fuel, "
                               "uint32_t entry)",
                               p->flow->index, p->part);
    } else {
        g_string_append_printf(p->out, "static Outcome %c%u(State *k, uint64_t *R, int64_t fuel, uint32_t entry)",
                               p->inner ? 'm' : 'l', p->flow->index);
    }
    g_string_append(
        p->out, "\n{\n    uint8_t *const memory = k->memory, *const private = k->private; uint64_t limit = k->limit;\n"
                "    const uint8_t *const constants = k->constants; uint32_t at; int64_t held = 0;\n");
    if (p->uses_frame)
        g_string_append(p->out,
                        p->whole ? "    uint64_t entry_sp = k->sp;\n" : "    uint64_t entry_sp = k->entry_sp;\n");
    if (p->uses_frame && !p->whole && vm_entries_begin_here(p))
        g_string_append_printf(p->out, "    if (entry == %u) entry_sp = k->sp;\n", p->flow->block_count);
    if (p->uses_frame)
        g_string_append_printf(p->out,
                               "    uint8_t *const frame = memory + (entry_sp - %u); uint64_t room = BEHIND(%u);\n",
                               p->flow->image->functions[p->flow->index].enter_bytes,
                               p->flow->image->functions[p->flow->index].enter_bytes);
    if (p->uses_tails)
        g_string_append_printf(p->out, "    %suint32_t *t = t0;\n", p->copy ? "" : "uint32_t *const t0 = k->tail; ");
    declare_variables(p);
    if (has_strips(p))
        g_string_append(p->out, "    int64_t n, turns; uint64_t spent;\n");
    if (p->flow->jumps)
        declare_labels(p);
    gsize hosts_at = p->out->len;
    if (p->whole)
        vm_entries_print_beginning(p);
    else
        vm_entries_print_switch(p);
    for (uint32_t k = 0; k < p->flow->order_count; k++)
        if (p->region[p->flow->order[k]] && !p->selects[p->flow->order[k]].absorbed)
            print_block(p, p->flow->order[k]);
    vm_print_exits(p);
    if (!p->whole)
        vm_partition_print_ways_on(p);
    g_string_append(p->out, "}\n");
    declare_hosts(p, hosts_at);
}

static void forget_facts(VmPrinter *p)
{
    for (uint32_t b = 0; b < p->flow->block_count; b++)
        g_clear_pointer(&p->block_facts[b], g_array_unref);
}

static void print_version(VmPrinter *p, GString *out)
{
    p->out = g_string_new(NULL);
    p->cold = vm_exits_are_cold(p) ? out : NULL;
    p->hosts = 0;
    g_array_set_size(p->exits, 0);
    g_array_set_size(p->spills, 0);
    print_body(p);
    forget_facts(p);
    g_string_append_len(out, p->out->str, (gssize)p->out->len);
    g_string_free(p->out, TRUE);
}

static void print_from_beginning(VmPrinter *p, GString *out)
{
    p->whole = true;
    p->uses_tails = vm_calls_use_tails(p->unit, p->flow);
    memset(p->region, 1, p->flow->block_count);
    for (p->copy = p->unit->calls[p->flow->index].copies; p->copy > 0; p->copy--)
        print_version(p, out);
    print_version(p, out);
    p->whole = p->uses_tails = false;
}

static void print_whole(VmPrinter *p, GString *out)
{
    p->joined = vm_entries_join(p->unit, p->flow);
    if (!p->joined)
        print_from_beginning(p, out);
    if (vm_entries_find_region(p))
        print_version(p, out);
    p->inner = true;
    if (vm_entries_find_region(p))
        print_version(p, out);
    p->inner = false;
    if (p->joined)
        vm_entries_print_call(p, out);
}

static void print_parts(VmPrinter *p, GString *out)
{
    p->parted = true;
    for (p->part = 0; p->part < p->flow->part_count; p->part++) {
        for (uint32_t b = 0; b < p->flow->block_count; b++)
            p->region[b] = p->parts[b] == p->part;
        vm_partition_find_changed(p);
        print_version(p, out);
    }
    vm_partition_print_function(p, out);
}

/* A loop in several parts is none to C compilers. Outer loops come first: what is in a nest is run with it, but for
 * loops over vectors. */
static void find_strips(VmPrinter *p)
{
    const VmFlow *flow = p->flow;
    g_autofree bool *nested = g_new0(bool, flow->loop_count + 1);
    for (uint32_t l = 0; !flow->huge && !p->unit->quick && l < flow->loop_count; l++) {
        const VmFlowLoop *loop = &flow->loops[l];
        if (flow->parts && !vm_partition_keeps(p, l))
            continue;
        VmStrip *strip = vm_loop_strip_new(flow, l, p->unit->bias);
        nested[l] = loop->outer != VCODE_NONE && nested[loop->outer];
        VmStrip *nest = nested[l] || (strip && strip->lane_size) ? NULL : vm_nest_new(p, l);
        nested[l] |= nest != NULL;
        if (nest)
            vm_loop_strip_free(strip);
        p->strips[loop->header] = nest ? nest : strip;
    }
}

void vm_print_function(const VmUnit *unit, const VmFlow *flow, GString *out)
{
    VmPrinter p = {.unit = unit, .flow = flow};
    p.now = g_new(uint32_t, flow->function->registers + 1);
    p.roots = g_new0(VmRoot, flow->web_count + 1);
    p.origins = g_new0(VmOrigin, flow->function->registers + 1);
    p.exits = g_array_new(FALSE, FALSE, sizeof(VmExit));
    p.spills = g_array_new(FALSE, FALSE, sizeof(VmSpill));
    p.facts = g_array_new(FALSE, FALSE, sizeof(VmFact));
    p.block_facts = g_new0(GArray *, flow->block_count);
    p.strips = g_new0(VmStrip *, flow->block_count);
    p.selects = g_new0(VmSelect, flow->block_count);
    p.goes_to = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    if (!flow->huge) /* both sides would write to the window */
        vm_select_find(flow, p.selects);
    if (flow->parts)
        vm_partition_begin(&p);
    vm_roots_find(&p);
    find_strips(&p);
    p.region = g_new(uint8_t, flow->block_count);
    if (unit->calls[flow->index].shortcut) {
        p.out = out;
        vm_print_shortcut(&p);
    }
    if (flow->parts) {
        print_parts(&p, out);
    } else {
        print_whole(&p, out);
    }
    g_free(p.region);
    g_free(p.parts);
    g_free(p.crossed);
    g_free(p.changed);
    g_array_unref(p.goes_to);
    for (uint32_t l = 0; l < flow->loop_count; l++)
        vm_loop_strip_free(p.strips[flow->loops[l].header]);
    g_free(p.strips);
    g_free(p.selects);
    g_free(p.block_facts);
    g_array_free(p.exits, TRUE);
    g_array_free(p.spills, TRUE);
    g_array_free(p.facts, TRUE);
    g_free(p.now);
    g_free(p.live);
    g_free(p.roots);
    g_free(p.origins);
}
