/* write.c - writes the tables of the program: the kept functions, with everything that they refer to renumbered.
 *
 * Every call is fitted to its callee. C lets a call without prototype pass more or fewer arguments than the callee has
 * parameters, as long as the callee ignores them. vCode wants exactly as many as the callee has. Surplus arguments are
 * dropped. If some are missing, or the callee is variadic, the call goes through an adapter whose `calli` fits them. A
 * call of a function of the simulator becomes `callx`. So does a call of a function that no object defines (weak, or
 * allowed by the options), so that the fault at run time names it.
 */
#include "compiler/link/link_names.h"
#include "compiler/link/linker.h"
#include "vcode/calling.h"

#include <string.h>

static uint32_t map_string(CcLink *link, CcLinkObject *o, uint32_t offset)
{
    if (offset == VCODE_NONE)
        return VCODE_NONE;
    if (!o->string_new[offset])
        o->string_new[offset] = vcode_string(link->program, vcode_text(o->m, offset)) + 1;
    return o->string_new[offset] - 1;
}

static uint32_t map_file(CcLink *link, CcLinkObject *o, uint32_t file)
{
    if (file == VCODE_NONE)
        return VCODE_NONE;
    if (!o->file_new[file])
        o->file_new[file] = vcode_source_file(link->program, vcode_source_name(o->m, file)) + 1;
    return o->file_new[file] - 1;
}

static uint32_t map_type(const CcLink *link, const CcLinkObject *o, uint32_t type)
{
    return type == VCODE_NONE || !link->options->debug ? VCODE_NONE : type + o->type_base;
}

static uint32_t map_extern(CcLink *link, uint32_t index)
{
    if (!link->extern_new[index]) {
        uint32_t name = vcode_string(link->program, link->options->externs[index]);
        vcode_push(link->program, externs)->name = name;
        link->extern_new[index] = link->program->externs.count;
    }
    return link->extern_new[index] - 1;
}

/* Returns an extern with the name of a function that nobody defines. A call of it faults, and the fault names it. */
static uint32_t map_unknown(CcLink *link, const char *name)
{
    VcodeModule *p = link->program;
    for (uint32_t i = 0; i < p->externs.count; i++)
        if (strcmp(vcode_text(p, p->externs.items[i].name), name) == 0)
            return i;
    uint32_t text = vcode_string(p, name);
    vcode_push(p, externs)->name = text;
    return p->externs.count - 1;
}

/* -- objects ----------------------------------------------------------------------------------- */

/* Copies the objects of a function's frame. Functions are copied in ascending order, and their objects and origins have
 * that order, too. */
static void copy_objects(CcLink *link, CcLinkObject *o, uint32_t function, uint32_t index)
{
    const VcodeModule *m = o->m;
    while (o->object_next < m->objects.count && m->objects.items[o->object_next].function < function)
        o->object_next++;
    o->object_base = link->program->objects.count - o->object_next;
    for (; o->object_next < m->objects.count && m->objects.items[o->object_next].function == function;
         o->object_next++) {
        VcodeObject record = m->objects.items[o->object_next];
        record.name = map_string(link, o, record.name);
        record.type = map_type(link, o, record.type);
        record.file = map_file(link, o, record.file);
        record.function = index;
        *vcode_push(link->program, objects) = record;
    }
}

/* Returns 1 + the object record for a symbol of the program's data, making it if needed; 0: it gets none. */
static uint32_t object_of(CcLink *link, const CcLinkTarget *target)
{
    if (target->kind != CC_LINK_DEFINED || !link->options->debug)
        return 0;
    CcLinkObject *o = &link->objects[target->object];
    const VcodeSymbol *s = cc_link_symbol(link, target);
    if (s->section == VCODE_SECTION_FUNCTION || s->section == VCODE_SECTION_UNDEFINED || s->size == 0)
        return 0;
    if (o->symbol_object[target->symbol])
        return o->symbol_object[target->symbol];
    const char *name = vcode_text(o->m, s->name);
    bool string = strcmp(name, CC_STRING_NAME) == 0, named = name[0] != '@' && name[0] != '.';
    VcodeObject record = {.name = vcode_string(link->program, named ? name : ""),
                          .type = map_type(link, o, s->type),
                          .function = VCODE_NONE,
                          .file = map_file(link, o, s->file),
                          .line = s->line,
                          .flags = (o->rank == CC_LINK_RUNTIME ? VCODE_OBJECT_LIBRARY : 0) |
                                   (string ? VCODE_OBJECT_STRING : 0),
                          .where = (int64_t)cc_link_address(link, target),
                          .size = s->size};
    *vcode_push(link->program, objects) = record;
    o->symbol_object[target->symbol] = link->program->objects.count;
    return link->program->objects.count;
}

static void add_origin(CcLink *link, uint32_t pc, uint32_t object)
{
    if (object)
        *vcode_push(link->program, origins) = (VcodeOrigin){pc, object - 1};
}

/* Returns 1 + the object record whose address a constant is; 0: none. */
static uint32_t object_of_constant(CcLink *link, uint32_t object, uint32_t index)
{
    const CcLinkObject *o = &link->objects[object];
    if (!o->constant_reloc[index])
        return 0;
    const VcodeReloc *r = &o->relocs[VCODE_RELOC_CONSTANT][o->constant_reloc[index] - 1];
    CcLinkTarget target = cc_link_resolve(link, object, r->symbol, r);
    return object_of(link, &target);
}

/* Copies the origins of a function's instructions, and adds those of instructions that load an address of data. */
static void copy_origins(CcLink *link, uint32_t object, const VcodeFunction *f, uint32_t start)
{
    CcLinkObject *o = &link->objects[object];
    const VcodeModule *m = o->m;
    if (!link->options->debug)
        return;
    while (o->origin_next < m->origins.count && m->origins.items[o->origin_next].pc < f->code_start)
        o->origin_next++;
    for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++) {
        VcodeInstr i = m->code.items[pc];
        uint32_t at = pc - f->code_start + start, next = o->origin_next;
        if (vcode_op(i) == VCODE_MOVK)
            add_origin(link, at, object_of_constant(link, object, (uint32_t)vcode_imm32(i)));
        else if (next < m->origins.count && m->origins.items[next].pc == pc)
            add_origin(link, at, m->origins.items[next].object + o->object_base + 1);
        o->origin_next += next < m->origins.count && m->origins.items[next].pc == pc;
    }
}

/* -- code -------------------------------------------------------------------------------------- */

static uint32_t map_constant(CcLink *link, uint32_t object, uint32_t index)
{
    CcLinkObject *o = &link->objects[object];
    if (o->constant_new[index])
        return o->constant_new[index] - 1;
    uint64_t value = o->m->constants.items[index];
    if (o->constant_reloc[index]) {
        const VcodeReloc *r = &o->relocs[VCODE_RELOC_CONSTANT][o->constant_reloc[index] - 1];
        CcLinkTarget target = cc_link_resolve(link, object, r->symbol, r);
        value = cc_link_address(link, &target) + (uint64_t)r->addend;
    }
    o->constant_new[index] = vcode_constant(link->program, value, false) + 1;
    return o->constant_new[index] - 1;
}

static uint32_t copy_switch(CcLink *link, const CcLinkObject *o, uint32_t index, uint32_t function)
{
    VcodeModule *p = link->program;
    VcodeSwitch table = o->m->switches.items[index];
    uint32_t first = p->targets.count;
    if (table.count) {
        uint32_t *targets = vcode_push_many(p, targets, table.count);
        memcpy(targets, o->m->targets.items + table.first, table.count * sizeof *targets);
    }
    table.first = first;
    table.function = function;
    *vcode_push(p, switches) = table;
    return p->switches.count - 1;
}

static uint32_t callee_parameters(const CcLink *link, const CcLinkTarget *target, uint32_t *function, bool *variadic)
{
    *variadic = false;
    if (target->kind == CC_LINK_MADE) {
        *function = link->made_function[target->index];
        return 0;
    }
    const CcLinkObject *o = &link->objects[target->object];
    const VcodeSymbol *s = cc_link_symbol(link, target);
    if (s->section != VCODE_SECTION_FUNCTION)
        return VCODE_NONE;
    *function = o->function_new[s->value];
    *variadic = o->m->functions.items[s->value].flags & VCODE_FUNCTION_VARIADIC;
    return o->m->functions.items[s->value].parameters;
}

/* Returns the function that takes `n` arguments in the given form and passes them on to `function` as that expects
 * them. */
static uint32_t adapter_for(CcLink *link, uint32_t function, unsigned n, uint16_t passing)
{
    guint k = 0;
    for (; k < link->adapters->len; k++) {
        const CcLinkAdapter *known = &g_array_index(link->adapters, CcLinkAdapter, k);
        if (known->function == function && known->n == n && known->passing == passing)
            break;
    }
    CcLinkAdapter adapter = {function, passing, (uint8_t)n};
    if (k == link->adapters->len)
        g_array_append_val(link->adapters, adapter);
    return link->n_functions + link->stubs->len + k;
}

static void fit_call(CcLink *link, uint32_t object, const VcodeReloc *r, VcodeInstr *instr, VcodeFunction *caller)
{
    const CcLinkObject *o = &link->objects[object];
    CcLinkTarget target = cc_link_resolve(link, object, r->symbol, r);
    unsigned window = vcode_a(*instr), n = vcode_n(*instr), registers = n;
    uint16_t passing = (uint16_t)vcode_imm32(*instr);
    uint32_t function = 0;
    bool variadic;
    n -= passing == VCODE_PASS_ROOM && n > 0;
    if (target.kind == CC_LINK_NOTHING) {
        uint32_t unknown = map_unknown(link, vcode_text(o->m, o->m->symbols.items[r->symbol].name));
        *instr = vcode_pack_imm32(VCODE_CALLX, n, window, (int32_t)unknown);
        return;
    }
    if (target.kind == CC_LINK_EXTERN) {
        *instr = vcode_pack_imm32(VCODE_CALLX, n, window, (int32_t)map_extern(link, target.index));
        return;
    }
    uint32_t parameters = callee_parameters(link, &target, &function, &variadic);
    if (parameters == VCODE_NONE) {
        cc_link_error(link, object, r->file, r->line, "'%s' is called, but it is not a function",
                      vcode_text(o->m, o->m->symbols.items[r->symbol].name));
        return;
    }
    bool slots = passing >= VCODE_PASS_SLOTS;
    if (slots != variadic || n < parameters || (slots && n != parameters)) {
        parameters = registers;
        function = adapter_for(link, function, n, passing);
    }
    caller->registers = MAX(caller->registers, window + MAX(parameters, 1u));
    *instr = vcode_pack_imm32(VCODE_CALL, parameters, window, (int32_t)function);
}

static void copy_code(CcLink *link, uint32_t object, const VcodeFunction *f, VcodeFunction *into, uint32_t function)
{
    VcodeModule *p = link->program;
    const CcLinkObject *o = &link->objects[object];
    into->code_start = p->code.count;
    if (f->code_count == 0)
        return;
    VcodeInstr *code = vcode_push_many(p, code, f->code_count);
    memcpy(code, o->m->code.items + f->code_start, f->code_count * sizeof *code);
    for (uint32_t i = 0; i < f->code_count; i++) {
        VcodeOp op = vcode_op(code[i]);
        uint32_t index = (uint32_t)vcode_imm32(code[i]);
        if (op == VCODE_MOVK)
            code[i] = vcode_pack_imm32(op, 0, vcode_a(code[i]), (int32_t)map_constant(link, object, index));
        else if (op == VCODE_SWITCH)
            code[i] = vcode_pack_imm32(op, 0, vcode_a(code[i]), (int32_t)copy_switch(link, o, index, function));
    }
    uint32_t n;
    const VcodeReloc *calls = cc_link_relocs(o, VCODE_RELOC_CALL, f->code_start, f->code_start + f->code_count, &n);
    for (uint32_t i = 0; i < n; i++)
        fit_call(link, object, &calls[i], &code[calls[i].where - f->code_start], into);
}

static uint32_t map_inline(const CcLinkObject *o, uint32_t inlined)
{
    return inlined == VCODE_NONE ? VCODE_NONE : o->inline_new[inlined] - 1; /* not copied: 0 - 1 is VCODE_NONE */
}

static void copy_lines(CcLink *link, CcLinkObject *o, const VcodeFunction *f, uint32_t start)
{
    const VcodeModule *m = o->m;
    uint32_t low = 0, high = m->lines.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->lines.items[middle].pc < f->code_start)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < m->lines.count && m->lines.items[low].pc < f->code_start + f->code_count; low++) {
        VcodeLine line = m->lines.items[low];
        line.pc = line.pc - f->code_start + start;
        line.file = map_file(link, o, line.file);
        line.inlined = map_inline(o, line.inlined);
        *vcode_push(link->program, lines) = line;
    }
}

/* Copies the expansions of a function. Functions are copied in ascending order, and their expansions have that order,
 * too. */
static void copy_inlines(CcLink *link, CcLinkObject *o, uint32_t function, uint32_t index)
{
    const VcodeModule *m = o->m;
    for (; o->inline_next < m->inlines.count && m->inlines.items[o->inline_next].function <= function;
         o->inline_next++) {
        VcodeInline record = m->inlines.items[o->inline_next];
        if (record.function < function)
            continue;
        record.name = map_string(link, o, record.name);
        record.function = index;
        record.parent = map_inline(o, record.parent);
        record.call_file = map_file(link, o, record.call_file);
        record.file = map_file(link, o, record.file);
        *vcode_push(link->program, inlines) = record;
        o->inline_new[o->inline_next] = link->program->inlines.count;
    }
}

static void copy_function(CcLink *link, uint32_t object, uint32_t function)
{
    CcLinkObject *o = &link->objects[object];
    const VcodeFunction *f = &o->m->functions.items[function];
    uint32_t index = link->program->functions.count;
    g_assert(index == o->function_new[function]);
    (void)vcode_push(link->program, functions);
    VcodeFunction copy = *f;
    copy.name = map_string(link, o, f->name);
    copy.file = map_file(link, o, f->file);
    copy.return_type = map_type(link, o, f->return_type);
    copy_code(link, object, f, &copy, index);
    copy_inlines(link, o, function, index);
    copy_lines(link, o, f, copy.code_start);
    if (link->options->debug)
        copy_objects(link, o, function, index);
    copy_origins(link, object, f, copy.code_start);
    link->program->functions.items[index] = copy;
}

/* -- functions made here ----------------------------------------------------------------------- */

static void put(CcLink *link, VcodeInstr instr)
{
    *vcode_push(link->program, code) = instr;
}

static void add_function(CcLink *link, const char *name, uint32_t start, uint32_t registers, uint32_t parameters,
                         bool variadic)
{
    uint32_t text = vcode_string(link->program, name);
    *vcode_push(link->program, functions) =
        (VcodeFunction){.name = text,
                        .code_start = start,
                        .code_count = link->program->code.count - start,
                        .registers = MAX(registers, 1u),
                        .parameters = (uint16_t)parameters,
                        .flags = (uint16_t)(VCODE_FUNCTION_LIBRARY | (variadic ? VCODE_FUNCTION_VARIADIC : 0)),
                        .file = VCODE_NONE,
                        .return_type = VCODE_NONE};
}

static void make_list(CcLink *link, CcLinkMade which, const char *name)
{
    uint32_t start = link->program->code.count, registers = 1;
    for (guint i = 0; i < link->lists[which]->len; i++) {
        const CcLinkTarget *target = &g_array_index(link->lists[which], CcLinkTarget, i);
        bool variadic;
        uint32_t function = 0, n = callee_parameters(link, target, &function, &variadic);
        registers = MAX(registers, n);
        put(link, vcode_pack_imm32(VCODE_CALL, n, 0, (int32_t)function));
    }
    put(link, vcode_pack(VCODE_RETV, 0, 0, 0, 0));
    add_function(link, name, start, registers, 0, false);
}

static void make_stub(CcLink *link, uint32_t index)
{
    uint32_t known = link->stub_function[index];
    uint32_t start = link->program->code.count, n = (known & ~(uint32_t)CC_VALUE_VARIADIC) - 1;
    put(link, vcode_pack_imm32(VCODE_CALLX, n, 0, (int32_t)map_extern(link, index)));
    put(link, vcode_pack(VCODE_RET, 0, 0, 0, 0));
    add_function(link, link->options->externs[index], start, n, n, known & CC_VALUE_VARIADIC);
}

static void make_adapter(CcLink *link, const CcLinkAdapter *adapter)
{
    VcodeModule *p = link->program;
    uint32_t start = p->code.count, room = adapter->passing == VCODE_PASS_ROOM, parameters = adapter->n + room;
    uint64_t address = VCODE_CODE_BASE + UINT64_C(16) * adapter->function;
    put(link, vcode_pack_imm32(VCODE_MOVK, 0, parameters, (int32_t)vcode_constant(p, address, false)));
    put(link, vcode_pack(VCODE_CALLI, adapter->n, 0, parameters, adapter->passing));
    put(link, vcode_pack(VCODE_RET, 0, 0, 0, 0));
    g_autofree char *name = g_strdup(vcode_text(p, p->functions.items[adapter->function].name));
    add_function(link, name, start, parameters + 1, parameters, false);
}

/* -- data -------------------------------------------------------------------------------------- */

static void put_address(uint8_t *into, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        into[i] = (uint8_t)(value >> (8 * i));
}

static void relocate_symbol(CcLink *link, uint32_t object, uint32_t symbol)
{
    CcLinkObject *o = &link->objects[object];
    const VcodeSymbol *s = &o->m->symbols.items[symbol];
    if (s->section != VCODE_SECTION_DATA && s->section != VCODE_SECTION_RODATA)
        return;
    bool data = s->section == VCODE_SECTION_DATA;
    uint8_t *bytes = data ? link->program->data.items : link->program->rodata.items;
    uint32_t n;
    const VcodeReloc *relocs =
        cc_link_relocs(o, data ? VCODE_RELOC_DATA : VCODE_RELOC_RODATA, s->value, s->value + s->size, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (relocs[i].where + 8 > s->value + s->size)
            continue;
        CcLinkTarget target = cc_link_resolve(link, object, relocs[i].symbol, &relocs[i]);
        uint64_t address = cc_link_address(link, &target) + (uint64_t)relocs[i].addend;
        put_address(bytes + o->symbol_value[symbol] + (relocs[i].where - s->value), address);
    }
}

/* -- symbols and debug information ------------------------------------------------------------- */

static bool symbol_is_kept(const CcLinkObject *o, uint32_t i)
{
    const VcodeSymbol *s = &o->m->symbols.items[i];
    if (s->section == VCODE_SECTION_FUNCTION)
        return o->function_kept[s->value];
    return s->section != VCODE_SECTION_UNDEFINED && o->symbol_kept[i];
}

static void copy_symbol(CcLink *link, uint32_t object, uint32_t i)
{
    CcLinkObject *o = &link->objects[object];
    VcodeSymbol s = o->m->symbols.items[i];
    if (!symbol_is_kept(o, i) || vcode_text(o->m, s.name)[0] == '@')
        return;
    s.value = s.section == VCODE_SECTION_FUNCTION ? o->function_new[s.value] : o->symbol_value[i];
    if (s.section == VCODE_SECTION_COMMON)
        s.section = VCODE_SECTION_BSS;
    s.name = map_string(link, o, s.name);
    s.file = map_file(link, o, s.file);
    s.type = map_type(link, o, s.type);
    s.alias = VCODE_NONE;
    *vcode_push(link->program, symbols) = s;
}

static void copy_types(CcLink *link, CcLinkObject *o)
{
    VcodeModule *p = link->program;
    o->type_base = p->types.count;
    o->member_base = p->members.count;
    for (uint32_t i = 0; i < o->m->types.count; i++) {
        VcodeType type = o->m->types.items[i];
        type.name = map_string(link, o, type.name);
        type.target = map_type(link, o, type.target);
        bool members = type.kind == VCODE_TYPE_STRUCT || type.kind == VCODE_TYPE_UNION ||
                       type.kind == VCODE_TYPE_ENUM || type.kind == VCODE_TYPE_FUNCTION;
        type.first = members ? type.first + o->member_base : type.first;
        *vcode_push(p, types) = type;
    }
    for (uint32_t i = 0; i < o->m->members.count; i++) {
        VcodeMember member = o->m->members.items[i];
        member.name = map_string(link, o, member.name);
        member.type = map_type(link, o, member.type);
        *vcode_push(p, members) = member;
    }
}

static void copy_places(CcLink *link, const CcLinkObject *o, VcodeVariable *v, const VcodeVariable *from)
{
    v->first = link->program->places.count;
    for (uint32_t i = 0; i < v->count; i++) {
        VcodePlace place = o->m->places.items[from->first + i];
        place.pc_low = MAX(place.pc_low, from->pc_low) - from->pc_low + v->pc_low;
        place.pc_high = MIN(place.pc_high, from->pc_high) - from->pc_low + v->pc_low;
        place.pc_high = MAX(place.pc_high, place.pc_low);
        *vcode_push(link->program, places) = place;
    }
}

static void copy_variable(CcLink *link, uint32_t object, const VcodeVariable *from)
{
    CcLinkObject *o = &link->objects[object];
    VcodeVariable v = *from;
    if (v.function != VCODE_NONE) {
        const VcodeFunction *f = &o->m->functions.items[v.function];
        if (!o->function_kept[v.function] || v.pc_low < f->code_start || v.pc_high > f->code_start + f->code_count)
            return;
        v.function = o->function_new[v.function];
        uint32_t start = link->program->functions.items[v.function].code_start;
        v.pc_low = v.pc_low - f->code_start + start;
        v.pc_high = v.pc_high - f->code_start + start;
    }
    if (v.location == VCODE_AT_DATA) {
        CcLinkTarget target = {CC_LINK_DEFINED, object, (uint32_t)v.where, 0};
        if (!o->symbol_kept[v.where])
            return;
        v.where = (int64_t)cc_link_address(link, &target);
    }
    v.name = map_string(link, o, v.name);
    v.type = map_type(link, o, v.type);
    v.inlined = map_inline(o, v.inlined);
    if (v.location == VCODE_AT_PLACES)
        copy_places(link, o, &v, from);
    *vcode_push(link->program, variables) = v;
}

/* -- the whole --------------------------------------------------------------------------------- */

void cc_link_write(CcLink *link)
{
    if (link->options->debug)
        for (uint32_t o = 0; o < link->n_objects; o++)
            if (link->objects[o].used)
                copy_types(link, &link->objects[o]);
    for (uint32_t o = 0; o < link->n_objects; o++)
        for (uint32_t i = 0; i < link->objects[o].m->functions.count; i++)
            if (link->objects[o].function_kept[i])
                copy_function(link, o, i);
    static const char *const made[] = {CC_INIT_FUNCTION, CC_FINI_FUNCTION};
    for (unsigned i = 0; i < CC_LINK_N_MADE; i++)
        if (link->made_used[i])
            make_list(link, (CcLinkMade)i, made[i]);
    for (guint i = 0; i < link->stubs->len; i++)
        make_stub(link, g_array_index(link->stubs, uint32_t, i));
    for (guint i = 0; i < link->adapters->len; i++)
        make_adapter(link, &g_array_index(link->adapters, CcLinkAdapter, i));
    for (uint32_t o = 0; o < link->n_objects; o++)
        for (uint32_t i = 0; i < link->objects[o].m->symbols.count; i++) {
            if (link->objects[o].symbol_kept[i])
                relocate_symbol(link, o, i);
            copy_symbol(link, o, i);
        }
    if (link->options->debug)
        for (uint32_t o = 0; o < link->n_objects; o++)
            for (uint32_t i = 0; i < link->objects[o].m->variables.count; i++)
                copy_variable(link, o, &link->objects[o].m->variables.items[i]);
}
