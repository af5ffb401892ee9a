/* join.c - appends one object's records to another's, for `orrery cc -r` and -shared.
 *
 * Each table is appended to its counterpart. Every index in an appended record then grows by the former length of the
 * table that it points into. The index rules of records.c say which fields those are. This file adjusts only what no
 * rule covers: ranges, code, and addresses within sections. No symbol is resolved: a name that one object uses and
 * another defines has two symbols afterwards. The linker matches them as if the objects were still separate.
 */
#include "vcode/internal.h"

#include <string.h>

/* What the target contained before the object was appended. */
typedef struct Base {
    uint32_t counts[VCODE_TABLE_COUNT]; /* number of records in each table */
    uint64_t bss;                       /* where the object's bss begins, in bytes */
} Base;

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}

/* Returns the largest alignment that a symbol of the section asks for, at least 16 bytes. */
static uint64_t section_align(const VcodeModule *m, VcodeSection section)
{
    uint64_t align = 16;
    for (uint32_t i = 0; i < m->symbols.count; i++)
        if (m->symbols.items[i].section == section)
            align = MAX(align, m->symbols.items[i].align);
    return align;
}

/* Pads rodata and data so that what is appended keeps its alignment. Returns the lengths before it is appended. */
static Base start(VcodeModule *into, const VcodeModule *m)
{
    uint32_t constants =
        (uint32_t)(align_up(into->rodata.count, section_align(m, VCODE_SECTION_RODATA)) - into->rodata.count);
    uint32_t data = (uint32_t)(align_up(into->data.count, section_align(m, VCODE_SECTION_DATA)) - into->data.count);
    if (constants)
        (void)vcode_push_many(into, rodata, constants);
    if (data)
        (void)vcode_push_many(into, data, data);
    Base base = {.bss = align_up(into->bss_bytes, section_align(m, VCODE_SECTION_BSS))};
    for (unsigned t = 0; t < VCODE_TABLE_COUNT; t++)
        base.counts[t] = vcode_table(into, t)->count;
    return base;
}

static void copy_tables(VcodeModule *into, const VcodeModule *m)
{
    for (unsigned t = 0; t < VCODE_TABLE_COUNT; t++) {
        const VcodeAnyTable *from = vcode_table(m, t);
        VcodeAnyTable *to = vcode_table(into, t);
        uint32_t before = to->count, record = vcode_file_table_info[t].record;
        if (!from->count)
            continue;
        vcode_module_grow_(&to->items, &to->count, &to->capacity, record, from->count);
        memcpy((char *)to->items + (size_t)before * record, from->items, (size_t)from->count * record);
    }
}

static void shift_code(VcodeModule *into, const Base *base)
{
    for (uint32_t i = base->counts[VCODE_TABLE_code]; i < into->code.count; i++) {
        VcodeInstr instr = into->code.items[i];
        VcodeOp op = vcode_op(instr);
        uint32_t before = base->counts[op == VCODE_MOVK ? VCODE_TABLE_constants : VCODE_TABLE_switches];
        if (op == VCODE_MOVK || op == VCODE_SWITCH)
            into->code.items[i] =
                vcode_pack_imm32(op, vcode_n(instr), vcode_a(instr), (int32_t)((uint32_t)vcode_imm32(instr) + before));
    }
    for (uint32_t i = base->counts[VCODE_TABLE_functions]; i < into->functions.count; i++)
        into->functions.items[i].code_start += base->counts[VCODE_TABLE_code];
    for (uint32_t i = base->counts[VCODE_TABLE_switches]; i < into->switches.count; i++)
        into->switches.items[i].first += base->counts[VCODE_TABLE_targets];
}

static void shift_places(VcodeModule *into, const Base *base)
{
    for (uint32_t i = base->counts[VCODE_TABLE_symbols]; i < into->symbols.count; i++) {
        VcodeSymbol *s = &into->symbols.items[i];
        switch ((VcodeSection)s->section) {
        case VCODE_SECTION_FUNCTION: s->value += base->counts[VCODE_TABLE_functions]; break;
        case VCODE_SECTION_RODATA: s->value += base->counts[VCODE_TABLE_rodata]; break;
        case VCODE_SECTION_DATA: s->value += base->counts[VCODE_TABLE_data]; break;
        case VCODE_SECTION_BSS: s->value += base->bss; break;
        case VCODE_SECTION_COMMON: /* the value is an alignment, not an offset */
        case VCODE_SECTION_UNDEFINED: break;
        }
    }
    static const VcodeTable tables[] = {[VCODE_RELOC_CALL] = VCODE_TABLE_code,
                                        [VCODE_RELOC_CONSTANT] = VCODE_TABLE_constants,
                                        [VCODE_RELOC_DATA] = VCODE_TABLE_data,
                                        [VCODE_RELOC_RODATA] = VCODE_TABLE_rodata};
    for (uint32_t i = base->counts[VCODE_TABLE_relocs]; i < into->relocs.count; i++)
        into->relocs.items[i].where += base->counts[tables[into->relocs.items[i].kind]];
}

static void shift_debug(VcodeModule *into, const Base *base)
{
    uint32_t code = base->counts[VCODE_TABLE_code];
    for (uint32_t i = base->counts[VCODE_TABLE_files]; i < into->files.count; i++)
        into->files.items[i] += base->counts[VCODE_TABLE_strings];
    for (uint32_t i = base->counts[VCODE_TABLE_lines]; i < into->lines.count; i++)
        into->lines.items[i].pc += code;
    for (uint32_t i = base->counts[VCODE_TABLE_variables]; i < into->variables.count; i++) {
        VcodeVariable *v = &into->variables.items[i];
        v->pc_low += code;
        v->pc_high += code;
        v->where += v->location == VCODE_AT_DATA ? base->counts[VCODE_TABLE_symbols] : 0;
        v->first += v->location == VCODE_AT_PLACES ? base->counts[VCODE_TABLE_places] : 0;
    }
    for (uint32_t i = base->counts[VCODE_TABLE_places]; i < into->places.count; i++) {
        into->places.items[i].pc_low += code;
        into->places.items[i].pc_high += code;
    }
    for (uint32_t i = base->counts[VCODE_TABLE_origins]; i < into->origins.count; i++)
        into->origins.items[i].pc += code;
    for (uint32_t i = base->counts[VCODE_TABLE_types]; i < into->types.count; i++) {
        VcodeType *type = &into->types.items[i];
        bool members = type->kind == VCODE_TYPE_STRUCT || type->kind == VCODE_TYPE_UNION ||
                       type->kind == VCODE_TYPE_ENUM || type->kind == VCODE_TYPE_FUNCTION;
        type->first += members ? base->counts[VCODE_TABLE_members] : 0;
    }
}

void vcode_join_object(VcodeModule *into, const VcodeModule *object)
{
    Base base = start(into, object);
    copy_tables(into, object);
    vcode_records_shift(into, base.counts);
    shift_code(into, &base);
    shift_places(into, &base);
    shift_debug(into, &base);
    into->bss_bytes = base.bss + object->bss_bytes;
}
