/* records.c - checks every record of a module that was read.
 *
 * Code that walks the module afterwards (linker, loader, debugger, disassembler) never meets an index out of bounds, an
 * unknown kind or a type that contains itself.
 *
 * Some records own a range of another table: a switch its targets, a type its members. All such ranges together are not
 * longer than that table. So walking them all takes no longer than reading the file did.
 *
 * Most of the check is one table: which field of which record is an index into which other table. The rest is code for
 * fields whose meaning depends on other fields. Code is only checked for its bounds here; verify.c examines it.
 */
#include "vcode/internal.h"

#include <string.h>

/* A field of a record that is an index into another table. */
typedef struct IndexRule {
    VcodeTable table;
    VcodeTable target;
    uint16_t place; /* offset of the field in its record */
    bool required;  /* VCODE_NONE is not allowed */
    const char *field;
} IndexRule;

#define RULE(table, record, field, target, required)                                                                   \
    {                                                                                                                  \
        VCODE_TABLE_##table, VCODE_TABLE_##target, offsetof(record, field), required, #field                           \
    }
static const IndexRule index_rules[] = {
    RULE(functions, VcodeFunction, name, strings, true),
    RULE(functions, VcodeFunction, file, files, false),
    RULE(functions, VcodeFunction, return_type, types, false),
    RULE(externs, VcodeExtern, name, strings, true),
    RULE(switches, VcodeSwitch, function, functions, true),
    RULE(symbols, VcodeSymbol, name, strings, true),
    RULE(symbols, VcodeSymbol, file, files, false),
    RULE(symbols, VcodeSymbol, type, types, false),
    RULE(symbols, VcodeSymbol, alias, symbols, false),
    RULE(relocs, VcodeReloc, symbol, symbols, true),
    RULE(relocs, VcodeReloc, file, files, false),
    RULE(lines, VcodeLine, file, files, false),
    RULE(lines, VcodeLine, inlined, inlines, false),
    RULE(inlines, VcodeInline, name, strings, true),
    RULE(inlines, VcodeInline, function, functions, true),
    RULE(inlines, VcodeInline, parent, inlines, false),
    RULE(inlines, VcodeInline, call_file, files, false),
    RULE(inlines, VcodeInline, file, files, false),
    RULE(variables, VcodeVariable, name, strings, true),
    RULE(variables, VcodeVariable, type, types, false),
    RULE(variables, VcodeVariable, function, functions, false),
    RULE(variables, VcodeVariable, inlined, inlines, false),
    RULE(objects, VcodeObject, name, strings, true),
    RULE(objects, VcodeObject, type, types, false),
    RULE(objects, VcodeObject, function, functions, false),
    RULE(objects, VcodeObject, file, files, false),
    RULE(origins, VcodeOrigin, object, objects, true),
    RULE(types, VcodeType, name, strings, false),
    RULE(types, VcodeType, target, types, false),
    RULE(members, VcodeMember, name, strings, false),
    RULE(members, VcodeMember, type, types, false),
};

void vcode_records_shift(VcodeModule *module, const uint32_t before[VCODE_TABLE_COUNT])
{
    for (size_t r = 0; r < G_N_ELEMENTS(index_rules); r++) {
        const IndexRule *rule = &index_rules[r];
        const VcodeAnyTable *table = vcode_table(module, rule->table);
        uint32_t record = vcode_file_table_info[rule->table].record;
        for (uint32_t i = before[rule->table]; i < table->count; i++) {
            uint32_t *index = (uint32_t *)((char *)table->items + (size_t)i * record + rule->place);
            *index += *index == VCODE_NONE ? 0 : before[rule->target];
        }
    }
}

/* The module being checked, its name in messages, and where the error goes. */
typedef struct Check {
    const VcodeModule *module;
    const char *name;
    GError **error;
} Check;

static bool bad(const Check *check, VcodeTable table, uint32_t index, const char *what)
{
    g_set_error(check->error, VCODE_ERROR, VCODE_ERROR_FORMAT, "%s: malformed vCode file (%s[%u]: %s)", check->name,
                vcode_file_table_info[table].name, index, what);
    return false;
}

static bool check_rule(const Check *check, const IndexRule *rule)
{
    const VcodeAnyTable *table = vcode_table(check->module, rule->table);
    uint32_t limit = vcode_table(check->module, rule->target)->count;
    const char *field = (const char *)table->items + rule->place;
    for (uint32_t i = 0; i < table->count; i++, field += vcode_file_table_info[rule->table].record) {
        uint32_t value;
        memcpy(&value, field, sizeof value);
        if (value >= limit && (rule->required || value != VCODE_NONE))
            return bad(check, rule->table, i, rule->field);
    }
    return true;
}

static bool check_strings(const Check *check)
{
    const VcodeModule *m = check->module;
    if (m->strings.count && m->strings.items[m->strings.count - 1] != '\0')
        return bad(check, VCODE_TABLE_strings, m->strings.count - 1, "no end");
    for (uint32_t i = 0; i < m->files.count; i++)
        if (m->files.items[i] >= m->strings.count)
            return bad(check, VCODE_TABLE_files, i, "name");
    return true;
}

static bool check_functions(const Check *check)
{
    const VcodeModule *m = check->module;
    uint32_t end = 0;
    for (uint32_t i = 0; i < m->functions.count; i++) {
        const VcodeFunction *f = &m->functions.items[i];
        if (f->code_start < end || f->code_start > m->code.count || f->code_count > m->code.count - f->code_start)
            return bad(check, VCODE_TABLE_functions, i, "place of its code");
        if (f->registers > VCODE_MAX_REGISTERS || f->parameters > f->registers)
            return bad(check, VCODE_TABLE_functions, i, "number of registers");
        end = f->code_start + f->code_count;
    }
    return true;
}

/* Returns whether [first, first + count) lies in a table of `limit` records. *used sums the lengths of all ranges; the
 * sum may not exceed the table either. */
static bool is_part(uint32_t first, uint32_t count, uint32_t limit, uint64_t *used)
{
    *used += count;
    return first <= limit && count <= limit - first && *used <= limit;
}

static bool check_switches(const Check *check)
{
    const VcodeModule *m = check->module;
    uint64_t used = 0;
    for (uint32_t i = 0; i < m->switches.count; i++)
        if (!is_part(m->switches.items[i].first, m->switches.items[i].count, m->targets.count, &used))
            return bad(check, VCODE_TABLE_switches, i, "targets");
    return true;
}

/* Returns whether the symbol's value and size lie within its section. */
static bool symbol_value_fits(const VcodeModule *m, const VcodeSymbol *s)
{
    switch ((VcodeSection)s->section) {
    case VCODE_SECTION_UNDEFINED: return true;
    case VCODE_SECTION_FUNCTION: return s->value < m->functions.count;
    case VCODE_SECTION_RODATA: return s->value <= m->rodata.count && s->size <= m->rodata.count - s->value;
    case VCODE_SECTION_DATA: return s->value <= m->data.count && s->size <= m->data.count - s->value;
    case VCODE_SECTION_BSS: return s->value <= m->bss_bytes && s->size <= m->bss_bytes - s->value;
    case VCODE_SECTION_COMMON: return s->value <= 1 << 16;
    }
    return false;
}

/* Following aliases must end after at most 100 steps, so no alias can lead round in a circle. */
static bool check_symbols(const Check *check)
{
    const VcodeModule *m = check->module;
    for (uint32_t i = 0; i < m->symbols.count; i++) {
        const VcodeSymbol *s = &m->symbols.items[i];
        if (s->section > VCODE_SECTION_COMMON || s->binding > VCODE_WEAK)
            return bad(check, VCODE_TABLE_symbols, i, "section or binding");
        if (s->align & (s->align - 1))
            return bad(check, VCODE_TABLE_symbols, i, "alignment");
        if (!symbol_value_fits(m, s))
            return bad(check, VCODE_TABLE_symbols, i, "value");
        uint32_t steps = 0;
        for (uint32_t a = s->alias; a != VCODE_NONE; a = m->symbols.items[a].alias)
            if (++steps > 100)
                return bad(check, VCODE_TABLE_symbols, i, "alias");
    }
    return true;
}

static uint32_t reloc_limit(const VcodeModule *m, uint32_t kind)
{
    switch ((VcodeRelocKind)kind) {
    case VCODE_RELOC_CALL: return m->code.count;
    case VCODE_RELOC_CONSTANT: return m->constants.count;
    case VCODE_RELOC_DATA: return m->data.count < 8 ? 0 : m->data.count - 7;
    case VCODE_RELOC_RODATA: return m->rodata.count < 8 ? 0 : m->rodata.count - 7;
    }
    return 0;
}

static bool check_relocs(const Check *check)
{
    const VcodeModule *m = check->module;
    for (uint32_t i = 0; i < m->relocs.count; i++)
        if (m->relocs.items[i].where >= reloc_limit(m, m->relocs.items[i].kind))
            return bad(check, VCODE_TABLE_relocs, i, "kind or place");
    return true;
}

/* An expansion must come after the one that contains it. So walking outwards always ends. */
static bool check_inlines(const Check *check)
{
    const VcodeModule *m = check->module;
    for (uint32_t i = 0; i < m->inlines.count; i++) {
        const VcodeInline *record = &m->inlines.items[i];
        if (i && record->function < m->inlines.items[i - 1].function)
            return bad(check, VCODE_TABLE_inlines, i, "order");
        if (record->parent == VCODE_NONE)
            continue;
        if (record->parent >= i || m->inlines.items[record->parent].function != record->function)
            return bad(check, VCODE_TABLE_inlines, i, "parent");
    }
    return true;
}

static bool is_register_location(uint32_t location)
{
    return location == VCODE_AT_REGISTER || location == VCODE_AT_REGISTER_ADDRESS;
}

static bool check_places(const Check *check, uint32_t variable, uint64_t *used)
{
    const VcodeModule *m = check->module;
    const VcodeVariable *v = &m->variables.items[variable];
    if (v->function == VCODE_NONE || !is_part(v->first, v->count, m->places.count, used))
        return bad(check, VCODE_TABLE_variables, variable, "places");
    for (uint32_t i = v->first; i < v->first + v->count; i++) {
        const VcodePlace *place = &m->places.items[i];
        if (place->location < VCODE_AT_REGISTER || place->location > VCODE_AT_REGISTER_ADDRESS ||
            place->pc_low > place->pc_high || place->pc_high > m->code.count)
            return bad(check, VCODE_TABLE_places, i, "location or code");
        if (is_register_location(place->location) &&
            (uint64_t)place->where >= m->functions.items[v->function].registers)
            return bad(check, VCODE_TABLE_places, i, "register");
    }
    return true;
}

static bool check_variable(const Check *check, uint32_t i, uint64_t *places_used)
{
    const VcodeModule *m = check->module;
    const VcodeVariable *v = &m->variables.items[i];
    if (v->location < VCODE_AT_REGISTER || v->location > VCODE_AT_CONSTANT || v->pc_low > v->pc_high ||
        v->pc_high > m->code.count)
        return bad(check, VCODE_TABLE_variables, i, "location or scope");
    if (v->location == VCODE_AT_DATA && m->kind == VCODE_OBJECT && (uint64_t)v->where >= m->symbols.count)
        return bad(check, VCODE_TABLE_variables, i, "symbol");
    if (is_register_location(v->location) &&
        (uint64_t)v->where >= (v->function == VCODE_NONE ? 0 : m->functions.items[v->function].registers))
        return bad(check, VCODE_TABLE_variables, i, "register");
    return v->location != VCODE_AT_PLACES || check_places(check, i, places_used);
}

static bool check_debug(const Check *check)
{
    const VcodeModule *m = check->module;
    uint64_t places_used = 0;
    for (uint32_t i = 0; i < m->lines.count; i++)
        if (m->lines.items[i].pc > m->code.count || (i && m->lines.items[i].pc < m->lines.items[i - 1].pc))
            return bad(check, VCODE_TABLE_lines, i, "order");
    for (uint32_t i = 0; i < m->variables.count; i++)
        if (!check_variable(check, i, &places_used))
            return false;
    return check_inlines(check);
}

/* -- types ------------------------------------------------------------------------------------- */

static bool has_members(const VcodeType *type)
{
    return type->kind == VCODE_TYPE_STRUCT || type->kind == VCODE_TYPE_UNION || type->kind == VCODE_TYPE_ENUM ||
           type->kind == VCODE_TYPE_FUNCTION;
}

/* Returns the `n`th type that a value of `type` contains, or VCODE_NONE after the last. */
static uint32_t contained(const VcodeModule *m, const VcodeType *type, uint32_t n)
{
    if (type->kind == VCODE_TYPE_TYPEDEF || type->kind == VCODE_TYPE_ARRAY || type->kind == VCODE_TYPE_COMPLEX)
        return n == 0 ? type->target : VCODE_NONE;
    if (type->kind != VCODE_TYPE_STRUCT && type->kind != VCODE_TYPE_UNION)
        return VCODE_NONE;
    while (n < type->count && m->members.items[type->first + n].type == VCODE_NONE)
        n++;
    return n < type->count ? m->members.items[type->first + n].type : VCODE_NONE;
}

/* Returns a type that contains itself, or VCODE_NONE. Walks depth-first with an explicit stack: a type that is met
 * again while it is on the stack contains itself. */
static uint32_t type_that_contains_itself(const VcodeModule *m)
{
    enum { NEW, OPEN, DONE };
    typedef struct Visit {
        uint32_t type, next;
    } Visit;
    uint32_t count = m->types.count, found = VCODE_NONE;
    uint8_t *state = g_malloc0(count + 1);
    Visit *stack = g_new(Visit, (size_t)count + 1);
    for (uint32_t root = 0; root < count && found == VCODE_NONE; root++) {
        size_t depth = 0;
        if (state[root] == NEW) {
            stack[depth++] = (Visit){root, 0};
            state[root] = OPEN;
        }
        while (depth) {
            Visit *top = &stack[depth - 1];
            const VcodeType *type = &m->types.items[top->type];
            uint32_t inner = contained(m, type, top->next++);
            if (inner == VCODE_NONE) {
                state[top->type] = DONE;
                depth--;
            } else if (state[inner] == OPEN) {
                found = inner;
                break;
            } else if (state[inner] == NEW) {
                state[inner] = OPEN;
                stack[depth++] = (Visit){inner, 0};
            }
        }
    }
    g_free(state);
    g_free(stack);
    return found;
}

static bool check_members(const Check *check)
{
    enum { UNIT_BITS = 71 }; /* 64 bits that begin inside a byte */
    const VcodeModule *m = check->module;
    for (uint32_t i = 0; i < m->members.count; i++)
        if (m->members.items[i].bit_offset + m->members.items[i].bit_width > UNIT_BITS)
            return bad(check, VCODE_TABLE_members, i, "bit-field");
    return true;
}

static bool check_types(const Check *check)
{
    const VcodeModule *m = check->module;
    uint64_t members_used = 0;
    for (uint32_t i = 0; i < m->types.count; i++) {
        const VcodeType *type = &m->types.items[i];
        if (type->kind < VCODE_TYPE_VOID || type->kind > VCODE_TYPE_TYPEDEF)
            return bad(check, VCODE_TABLE_types, i, "kind");
        if (has_members(type) && type->count && !is_part(type->first, type->count, m->members.count, &members_used))
            return bad(check, VCODE_TABLE_types, i, "members");
        if (type->kind == VCODE_TYPE_TYPEDEF && type->target == VCODE_NONE)
            return bad(check, VCODE_TABLE_types, i, "target");
    }
    uint32_t circular = type_that_contains_itself(m);
    return circular == VCODE_NONE || bad(check, VCODE_TABLE_types, circular, "contains itself");
}

/* -- all of it --------------------------------------------------------------------------------- */

static bool check_program(const Check *check)
{
    const VcodeModule *m = check->module;
    if (m->bss_bytes > VCODE_CODE_BASE / 2)
        return bad(check, VCODE_TABLE_data, 0, "size of bss");
    if (m->kind != VCODE_PROGRAM)
        return true;
    if (m->entry >= m->functions.count)
        return bad(check, VCODE_TABLE_functions, m->entry, "no entry");
    if (m->data_base < VCODE_RODATA_BASE + m->rodata.count || m->data_base > VCODE_CODE_BASE / 2 || m->data_base % 16)
        return bad(check, VCODE_TABLE_data, 0, "address");
    return true;
}

bool vcode_records_check(const VcodeModule *module, const char *name, GError **error)
{
    Check check = {module, name, error};
    if (!check_strings(&check))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(index_rules); i++)
        if (!check_rule(&check, &index_rules[i]))
            return false;
    return check_functions(&check) && check_switches(&check) && check_symbols(&check) && check_relocs(&check) &&
           check_members(&check) && check_types(&check) && check_debug(&check) && check_program(&check);
}
