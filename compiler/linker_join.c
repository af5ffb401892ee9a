/* linker_join.c - several objects to one, for `orrery cc -r` and -shared.
 *
 * The tables follow one another; every index and offset in a record grows by what stood before. Nothing is resolved: a
 * name that one object wants and another defines has two symbols in the result, and the linker brings them together as
 * if they were still apart. Equal names of local symbols do not disturb it either.
 */
#include "compiler/linker_internal.h"

#include <string.h>

/* How much of each table stood before the object that is being added. */
typedef struct Base {
    uint32_t strings, code, constants, functions, switches, targets, symbols, files, types, members, inlines, places;
    uint64_t rodata, data, bss;
} Base;

static uint32_t shift(uint32_t index, uint32_t base)
{
    return index == VCODE_NONE ? VCODE_NONE : index + base;
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}

/* The greatest alignment that a symbol of the section asks for. */
static uint64_t section_align(const VcodeModule *m, VcodeSection section)
{
    uint64_t align = 16;
    for (uint32_t i = 0; i < m->symbols.count; i++)
        if (m->symbols.items[i].section == section)
            align = MAX(align, m->symbols.items[i].align);
    return align;
}

static void pad(VcodeModule *into, bool rodata, uint64_t align)
{
    uint32_t count = rodata ? into->rodata.count : into->data.count;
    uint32_t more = (uint32_t)(align_up(count, align) - count);
    if (!more)
        return;
    if (rodata)
        (void)vcode_push_many(into, rodata, more);
    else
        (void)vcode_push_many(into, data, more);
}

static Base start(VcodeModule *into, const VcodeModule *m)
{
    pad(into, true, section_align(m, VCODE_SECTION_RODATA));
    pad(into, false, section_align(m, VCODE_SECTION_DATA));
    into->bss_bytes = align_up(into->bss_bytes, section_align(m, VCODE_SECTION_BSS));
    return (Base){.strings = into->strings.count,
                  .code = into->code.count,
                  .constants = into->constants.count,
                  .functions = into->functions.count,
                  .switches = into->switches.count,
                  .targets = into->targets.count,
                  .symbols = into->symbols.count,
                  .files = into->files.count,
                  .types = into->types.count,
                  .members = into->members.count,
                  .inlines = into->inlines.count,
                  .places = into->places.count,
                  .rodata = into->rodata.count,
                  .data = into->data.count,
                  .bss = into->bss_bytes};
}

#define COPY_TABLE(field)                                                                                              \
    if (m->field.count)                                                                                                \
    memcpy(vcode_push_many(into, field, m->field.count), m->field.items, m->field.count * sizeof *m->field.items)

static void add_code(VcodeModule *into, const VcodeModule *m, const Base *base)
{
    COPY_TABLE(code);
    for (uint32_t i = base->code; i < into->code.count; i++) {
        VcodeInstr instr = into->code.items[i];
        VcodeOp op = vcode_op(instr);
        uint32_t before = op == VCODE_MOVK ? base->constants : base->switches;
        if (op == VCODE_MOVK || op == VCODE_SWITCH)
            into->code.items[i] =
                vcode_pack_imm32(op, vcode_n(instr), vcode_a(instr), (int32_t)((uint32_t)vcode_imm32(instr) + before));
    }
    COPY_TABLE(constants);
    COPY_TABLE(targets);
    COPY_TABLE(switches);
    for (uint32_t i = base->switches; i < into->switches.count; i++) {
        into->switches.items[i].first += base->targets;
        into->switches.items[i].function += base->functions;
    }
    COPY_TABLE(functions);
    for (uint32_t i = base->functions; i < into->functions.count; i++) {
        VcodeFunction *f = &into->functions.items[i];
        f->name = shift(f->name, base->strings);
        f->code_start += base->code;
        f->file = shift(f->file, base->files);
        f->return_type = shift(f->return_type, base->types);
    }
}

static void add_symbols(VcodeModule *into, const VcodeModule *m, const Base *base)
{
    COPY_TABLE(symbols);
    for (uint32_t i = base->symbols; i < into->symbols.count; i++) {
        VcodeSymbol *s = &into->symbols.items[i];
        s->name = shift(s->name, base->strings);
        s->file = shift(s->file, base->files);
        s->type = shift(s->type, base->types);
        s->alias = shift(s->alias, base->symbols);
        switch ((VcodeSection)s->section) {
        case VCODE_SECTION_FUNCTION: s->value += base->functions; break;
        case VCODE_SECTION_RODATA: s->value += base->rodata; break;
        case VCODE_SECTION_DATA: s->value += base->data; break;
        case VCODE_SECTION_BSS: s->value += base->bss; break;
        case VCODE_SECTION_COMMON: /* alignment */
        case VCODE_SECTION_UNDEFINED: break;
        }
    }
}

static void add_relocations(VcodeModule *into, const VcodeModule *m, const Base *base)
{
    const uint64_t places[] = {[VCODE_RELOC_CALL] = base->code,
                               [VCODE_RELOC_CONSTANT] = base->constants,
                               [VCODE_RELOC_DATA] = base->data,
                               [VCODE_RELOC_RODATA] = base->rodata};
    uint32_t first = into->relocs.count;
    COPY_TABLE(relocs);
    for (uint32_t i = first; i < into->relocs.count; i++) {
        VcodeReloc *r = &into->relocs.items[i];
        r->where += places[r->kind];
        r->symbol += base->symbols;
        r->file = shift(r->file, base->files);
    }
}

static bool has_members(const VcodeType *type)
{
    return type->kind == VCODE_TYPE_STRUCT || type->kind == VCODE_TYPE_UNION || type->kind == VCODE_TYPE_ENUM ||
           type->kind == VCODE_TYPE_FUNCTION;
}

static void add_debug(VcodeModule *into, const VcodeModule *m, const Base *base)
{
    uint32_t line = into->lines.count, variable = into->variables.count;
    COPY_TABLE(lines);
    for (; line < into->lines.count; line++) {
        into->lines.items[line].pc += base->code;
        into->lines.items[line].file = shift(into->lines.items[line].file, base->files);
        into->lines.items[line].inlined = shift(into->lines.items[line].inlined, base->inlines);
    }
    COPY_TABLE(inlines);
    for (uint32_t i = base->inlines; i < into->inlines.count; i++) {
        VcodeInline *record = &into->inlines.items[i];
        record->name += base->strings;
        record->function += base->functions;
        record->parent = shift(record->parent, base->inlines);
        record->call_file = shift(record->call_file, base->files);
        record->file = shift(record->file, base->files);
    }
    COPY_TABLE(variables);
    for (; variable < into->variables.count; variable++) {
        VcodeVariable *v = &into->variables.items[variable];
        v->name = shift(v->name, base->strings);
        v->type = shift(v->type, base->types);
        v->function = shift(v->function, base->functions);
        v->pc_low += base->code;
        v->pc_high += base->code;
        v->where += v->location == VCODE_AT_DATA ? base->symbols : 0;
        v->inlined = shift(v->inlined, base->inlines);
        v->first += base->places;
    }
    COPY_TABLE(places);
    for (uint32_t i = base->places; i < into->places.count; i++) {
        into->places.items[i].pc_low += base->code;
        into->places.items[i].pc_high += base->code;
    }
    COPY_TABLE(types);
    for (uint32_t i = base->types; i < into->types.count; i++) {
        VcodeType *type = &into->types.items[i];
        type->name = shift(type->name, base->strings);
        type->target = shift(type->target, base->types);
        type->first += has_members(type) ? base->members : 0;
    }
    COPY_TABLE(members);
    for (uint32_t i = base->members; i < into->members.count; i++) {
        into->members.items[i].name = shift(into->members.items[i].name, base->strings);
        into->members.items[i].type = shift(into->members.items[i].type, base->types);
    }
}

static void add_object(VcodeModule *into, const VcodeModule *m)
{
    Base base = start(into, m);
    add_code(into, m, &base);
    add_symbols(into, m, &base);
    add_relocations(into, m, &base);
    add_debug(into, m, &base);
    COPY_TABLE(rodata);
    COPY_TABLE(data);
    into->bss_bytes += m->bss_bytes;
    COPY_TABLE(files);
    for (uint32_t i = base.files; i < into->files.count; i++)
        into->files.items[i] += base.strings;
    COPY_TABLE(strings);
}

static void mark_shared(VcodeModule *into)
{
    uint32_t name = into->strings.count;
    memcpy(vcode_push_many(into, strings, sizeof CC_SHARED_NAME), CC_SHARED_NAME, sizeof CC_SHARED_NAME);
    *vcode_push(into, symbols) = (VcodeSymbol){.name = name,
                                               .section = VCODE_SECTION_UNDEFINED,
                                               .binding = VCODE_LOCAL,
                                               .file = VCODE_NONE,
                                               .type = VCODE_NONE,
                                               .alias = VCODE_NONE};
}

VcodeModule *cc_join(VcodeModule *const *objects, size_t n, bool shared, CcDiagnostics *diagnostics, GError **error)
{
    CcLinkOptions options = {.diagnostics = diagnostics};
    CcLink link = {0};
    cc_link_open(&link, objects, n, &options);
    cc_link_collect(&link); /* for what is defined twice */
    VcodeModule *joined = NULL;
    if (cc_link_succeeded(&link, error)) {
        joined = vcode_module_new(VCODE_OBJECT);
        for (size_t i = 0; i < n; i++)
            add_object(joined, objects[i]);
        if (shared)
            mark_shared(joined);
    }
    vcode_module_free(link.program);
    cc_link_close(&link);
    return joined;
}
