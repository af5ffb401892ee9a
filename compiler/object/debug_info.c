/* debug_info.c - debug information: lines, variables with their scopes, types.
 *
 * A type is described when a variable first needs it, and only once. A struct is recognised by its tag, any other type
 * by its components. A struct's record is reserved before its members are described, so that members may refer to it.
 *
 * A variable that is in registers, whole or in pieces, has a location only while the register holds its value. Before
 * and after that the register may hold something else, and the debugger says that the variable is optimised out.
 */

#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/object/object.h"
#include "compiler/tree/tree.h"

#include <string.h>

struct CcDebug {
    CcGenerate *g;
    GHashTable *types; /* VcodeType -> index */
};

static guint type_hash(gconstpointer key)
{
    const VcodeType *t = key;
    return t->kind * 31 + t->name * 2654435761u + t->target * 40503u + (guint)t->size * 97 + t->count * 7 + t->first;
}

static gboolean type_equal(gconstpointer a, gconstpointer b)
{
    const VcodeType *x = a, *y = b;
    return x->kind == y->kind && x->name == y->name && x->size == y->size && x->target == y->target &&
           x->count == y->count && x->first == y->first;
}

CcDebug *cc_debug_new(CcGenerate *g)
{
    CcDebug *debug = g_new0(CcDebug, 1);
    debug->g = g;
    debug->types = g_hash_table_new_full(type_hash, type_equal, g_free, NULL);
    return debug;
}

void cc_debug_free(CcDebug *debug)
{
    g_hash_table_destroy(debug->types);
    g_free(debug);
}

/* -- types ------------------------------------------------------------------------------------- */

static uint32_t add_type(CcDebug *debug, const VcodeType *type)
{
    gpointer found;
    if (g_hash_table_lookup_extended(debug->types, type, NULL, &found))
        return GPOINTER_TO_UINT(found);
    uint32_t index = debug->g->module->types.count;
    *vcode_push(debug->g->module, types) = *type;
    g_hash_table_insert(debug->types, g_memdup2(type, sizeof *type), GUINT_TO_POINTER(index));
    return index;
}

static const struct {
    uint32_t kind;
    const char *name;
} basic[] = {
    [CC_VOID] = {VCODE_TYPE_VOID, "void"},
    [CC_BOOL] = {VCODE_TYPE_BOOL, "_Bool"},
    [CC_CHAR] = {VCODE_TYPE_CHAR, "char"},
    [CC_SCHAR] = {VCODE_TYPE_SIGNED, "signed char"},
    [CC_UCHAR] = {VCODE_TYPE_UNSIGNED, "unsigned char"},
    [CC_SHORT] = {VCODE_TYPE_SIGNED, "short"},
    [CC_USHORT] = {VCODE_TYPE_UNSIGNED, "unsigned short"},
    [CC_INT] = {VCODE_TYPE_SIGNED, "int"},
    [CC_UINT] = {VCODE_TYPE_UNSIGNED, "unsigned int"},
    [CC_LONG] = {VCODE_TYPE_SIGNED, "long"},
    [CC_ULONG] = {VCODE_TYPE_UNSIGNED, "unsigned long"},
    [CC_LLONG] = {VCODE_TYPE_SIGNED, "long long"},
    [CC_ULLONG] = {VCODE_TYPE_UNSIGNED, "unsigned long long"},
    [CC_INT128] = {VCODE_TYPE_SIGNED, "__int128"},
    [CC_UINT128] = {VCODE_TYPE_UNSIGNED, "unsigned __int128"},
    [CC_FLOAT] = {VCODE_TYPE_FLOAT, "float"},
    [CC_DOUBLE] = {VCODE_TYPE_FLOAT, "double"},
    [CC_LDOUBLE] = {VCODE_TYPE_FLOAT, "long double"},
    [CC_CFLOAT] = {VCODE_TYPE_COMPLEX, "float _Complex"},
    [CC_CDOUBLE] = {VCODE_TYPE_COMPLEX, "double _Complex"},
    [CC_CLDOUBLE] = {VCODE_TYPE_COMPLEX, "long double _Complex"},
};

static uint32_t basic_type(CcDebug *debug, const CcType *type)
{
    VcodeModule *m = debug->g->module;
    VcodeType record = {.kind = basic[type->kind].kind, .size = type->size, .target = VCODE_NONE};
    record.name = vcode_string(m, basic[type->kind].name);
    if (cc_is_complex(type)) {
        CcType part = *cc_type_complex_part(type);
        record.target = cc_debug_type(debug, &part);
    }
    return add_type(debug, &record);
}

/* A tag holds the index + 1 of its record, so each struct, union or enum is described once. */
static uint32_t tagged_type(CcDebug *debug, CcType *type, uint32_t kind)
{
    VcodeModule *m = debug->g->module;
    CcTag *tag = type->tag;
    if (tag->back)
        return GPOINTER_TO_UINT(tag->back) - 1;
    uint32_t index = m->types.count;
    VcodeType record = {.kind = kind, .size = type->size, .target = VCODE_NONE};
    record.name = vcode_string(m, tag->name ? tag->name : "");
    *vcode_push(m, types) = record;
    tag->back = GUINT_TO_POINTER(index + 1);
    return index;
}

static uint32_t struct_type(CcDebug *debug, CcType *type)
{
    VcodeModule *m = debug->g->module;
    CcTag *tag = type->tag;
    bool known = tag->back;
    uint32_t index = tagged_type(debug, type, type->kind == CC_STRUCT ? VCODE_TYPE_STRUCT : VCODE_TYPE_UNION);
    if (known || !tag->complete || !tag->n_members)
        return index;
    VcodeMember *members = g_new0(VcodeMember, tag->n_members + 1);
    for (uint32_t i = 0; i < tag->n_members; i++) {
        const CcMember *member = &tag->members[i];
        /* a packed field that crosses the end of its unit is described from its first byte */
        unsigned spread = member->bit_field && member->bit_offset + member->bit_width > 64;
        members[i] = (VcodeMember){.name = vcode_string(m, member->name ? member->name : ""),
                                   .value = (int64_t)(member->offset + spread * (member->bit_offset / 8u)),
                                   .bit_offset = (uint8_t)(member->bit_offset - spread * (member->bit_offset / 8 * 8)),
                                   .bit_width = member->bit_field ? member->bit_width : 0};
        members[i].type = cc_debug_type(debug, member->type);
    }
    uint32_t first = m->members.count;
    VcodeMember *into = vcode_push_many(m, members, tag->n_members);
    for (uint32_t i = 0; i < tag->n_members; i++)
        into[i] = members[i];
    g_free(members);
    m->types.items[index].first = first;
    m->types.items[index].count = tag->n_members;
    return index;
}

static uint32_t enum_type(CcDebug *debug, CcType *type)
{
    VcodeModule *m = debug->g->module;
    CcTag *tag = type->tag;
    bool known = tag->back;
    uint32_t index = tagged_type(debug, type, VCODE_TYPE_ENUM);
    if (known)
        return index;
    uint32_t first = m->members.count;
    for (uint32_t i = 0; i < tag->n_enumerators; i++) {
        uint32_t name = vcode_string(m, tag->enumerators[i]->name);
        *vcode_push(m, members) = (VcodeMember){.name = name, .type = VCODE_NONE, .value = tag->enumerators[i]->value};
    }
    uint32_t target = type->target ? cc_debug_type(debug, type->target) : VCODE_NONE;
    m->types.items[index].first = first;
    m->types.items[index].count = tag->n_enumerators;
    m->types.items[index].target = target;
    return index;
}

static uint32_t function_type(CcDebug *debug, CcType *type)
{
    VcodeModule *m = debug->g->module;
    g_autofree uint32_t *parameters = g_new(uint32_t, type->n_parameters + 1);
    uint32_t target = cc_debug_type(debug, type->target);
    for (uint32_t i = 0; i < type->n_parameters; i++)
        parameters[i] = cc_debug_type(debug, type->parameters[i]);
    VcodeType record = {.kind = VCODE_TYPE_FUNCTION, .target = target, .first = m->members.count};
    record.name = vcode_string(m, "");
    record.count = type->n_parameters;
    for (uint32_t i = 0; i < type->n_parameters; i++)
        *vcode_push(m, members) = (VcodeMember){.name = record.name, .type = parameters[i]};
    return add_type(debug, &record);
}

static uint32_t plain_type(CcDebug *debug, CcType *type)
{
    VcodeModule *m = debug->g->module;
    VcodeType record = {.size = type->size, .target = VCODE_NONE};
    switch (type->kind) {
    case CC_POINTER:
    case CC_ARRAY:
        record.target = cc_debug_type(debug, type->target);
        record.kind = type->kind == CC_POINTER ? VCODE_TYPE_POINTER : VCODE_TYPE_ARRAY;
        record.name = vcode_string(m, "");
        record.count = type->kind == CC_ARRAY ? (uint32_t)MIN(type->length, UINT32_MAX) : 0;
        if (type->kind == CC_ARRAY && type->variable && type->length_symbol)
            record.name = vcode_string(m, type->length_symbol->name);
        return add_type(debug, &record);
    case CC_FUNCTION: return function_type(debug, type);
    case CC_STRUCT:
    case CC_UNION: return struct_type(debug, type);
    case CC_ENUM: return enum_type(debug, type);
    default: return basic_type(debug, type);
    }
}

uint32_t cc_debug_type(CcDebug *debug, CcType *type)
{
    if (type->back)
        return GPOINTER_TO_UINT(type->back) - 1;
    uint32_t index = plain_type(debug, type);
    if (type->name) {
        VcodeType record = {.kind = VCODE_TYPE_TYPEDEF, .size = type->size, .target = index};
        record.name = vcode_string(debug->g->module, type->name);
        index = add_type(debug, &record);
    }
    type->back = GUINT_TO_POINTER(index + 1);
    return index;
}

/* -- inlined calls ----------------------------------------------------------------------------- */

uint32_t cc_debug_inlines(CcDebug *debug, const CcIrFunction *f, uint32_t function)
{
    VcodeModule *m = debug->g->module;
    uint32_t first = m->inlines.count;
    for (uint32_t i = 0; i < f->n_inlines; i++) {
        const CcSymbol *symbol = f->inlines[i].symbol;
        const CcIrLoc *call = &f->locs[f->inlines[i].call];
        VcodeInline record = {.name = vcode_string(m, symbol->name),
                              .function = function,
                              .parent = call->inlined ? first + call->inlined - 1 : VCODE_NONE,
                              .call_file = cc_object_file(debug->g, call->loc.file),
                              .call_line = call->loc.line,
                              .call_column = (uint16_t)MIN(call->loc.column, UINT16_MAX),
                              .file = cc_object_file(debug->g, symbol->loc.file),
                              .line = symbol->loc.line};
        *vcode_push(m, inlines) = record;
    }
    return first;
}

/* -- lines ------------------------------------------------------------------------------------- */

void cc_debug_line(CcDebug *debug, uint32_t pc, CcLoc loc, uint16_t flags, uint32_t inlined)
{
    if (loc.line == 0)
        return;
    uint32_t file = cc_object_file(debug->g, loc.file);
    if (file == VCODE_NONE)
        return;
    VcodeModule *m = debug->g->module;
    VcodeLine *last = m->lines.count ? &m->lines.items[m->lines.count - 1] : NULL;
    const unsigned unmarked = (1U << VCODE_LINE_MARK) - 1;
    if (last && last->pc == pc)
        *last = (VcodeLine){pc, file, loc.line, loc.column, (uint16_t)((last->flags & unmarked) | flags), inlined};
    else
        *vcode_push(m, lines) = (VcodeLine){pc, file, loc.line, loc.column, flags, inlined};
}

/* -- variables --------------------------------------------------------------------------------- */

void cc_debug_global(CcDebug *debug, CcSymbol *symbol, uint32_t module_symbol)
{
    VcodeModule *m = debug->g->module;
    VcodeVariable record = {.name = vcode_string(m, symbol->name),
                            .function = VCODE_NONE,
                            .location = VCODE_AT_DATA,
                            .where = module_symbol,
                            .line = symbol->loc.line,
                            .flags = debug->g->unit->options->library ? VCODE_VARIABLE_LIBRARY : 0,
                            .inlined = VCODE_NONE};
    record.type = cc_debug_type(debug, symbol->type);
    *vcode_push(m, variables) = record;
}

/* Finds the lowest and highest pc over a range of source locations. It is a segment tree over pairs, with the leaves at
 * [n, 2n). Machine-made functions have thousands of variables whose scopes all reach to the end, so a scan for each
 * would be quadratic. */
typedef struct ScopeTree {
    uint32_t n, *low, *high;
} ScopeTree;

static ScopeTree scope_tree(const CcIrFunction *f, const CcCodeMap *map)
{
    uint32_t n = f->n_locs;
    ScopeTree t = {n, cc_arena_alloc(f->arena, 2 * n * sizeof(uint32_t)),
                   cc_arena_alloc(f->arena, 2 * n * sizeof(uint32_t))};
    memcpy(t.low + n, map->loc_low, n * sizeof *t.low);
    memcpy(t.high + n, map->loc_high, n * sizeof *t.high);
    for (uint32_t i = n; i-- > 1;) {
        t.low[i] = MIN(t.low[2 * i], t.low[2 * i + 1]);
        t.high[i] = MAX(t.high[2 * i], t.high[2 * i + 1]);
    }
    return t;
}

static void look_up(const ScopeTree *t, uint32_t from, uint32_t to, uint32_t *low, uint32_t *high)
{
    *low = UINT32_MAX;
    *high = 0;
    for (from += t->n, to += t->n; from < to; from /= 2, to /= 2) {
        if (from & 1) {
            *low = MIN(*low, t->low[from]);
            *high = MAX(*high, t->high[from]);
            from++;
        }
        if (to & 1) {
            to--;
            *low = MIN(*low, t->low[to]);
            *high = MAX(*high, t->high[to]);
        }
    }
}

/* A range of code in which frame register `place` holds a given register of the function. */
typedef struct Segment {
    uint32_t low, high, place;
} Segment;

static void add_segment(GArray *segments, const CcCodeMap *map, uint32_t start, uint32_t end, uint32_t place)
{
    Segment segment = {map->position_pc[MIN((start + 1) / 2, map->n_positions)],
                       map->position_pc[MIN(end / 2 + 1, map->n_positions)], place};
    if (segment.low < segment.high)
        g_array_append_val(segments, segment);
}

static int compare_segments(const void *a, const void *b)
{
    const Segment *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* After SSA form the values of a variable are in several registers, each while it is live. The registers that hold
 * values of one variable form a list, which starts at the variable's own register. Links are register + 1; 0 ends the
 * list. */
typedef struct Holders {
    CcReg *first, *next;
    uint8_t *times; /* per register: how often it is set, 0, 1, or 2 for more */
} Holders;

static Holders find_holders(const CcIrFunction *f)
{
    size_t size = (f->n_regs + 1) * sizeof(CcReg);
    Holders h = {cc_arena_alloc(f->arena, size), cc_arena_alloc(f->arena, size),
                 cc_arena_alloc(f->arena, f->n_regs + 1)};
    for (CcReg reg = f->n_regs; reg-- > 0;) {
        uint32_t origin = f->regs[reg].origin;
        if (origin == CC_ORIGIN_ANY || origin == CC_ORIGIN_NONE)
            continue;
        h.next[reg] = h.first[origin - 1];
        h.first[origin - 1] = reg + 1;
    }
    for (CcReg reg = 0; reg < f->n_parameters; reg++)
        h.times[reg] = 1;
    for (const CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++) {
            CcReg set = cc_ir_defined(&b->items[k]);
            if (set != CC_NO_REG)
                h.times[set] = (uint8_t)MIN(h.times[set] + 1, 2);
        }
    return h;
}

static void add_live_code(GArray *segments, const CcIrFunction *f, CcReg reg, const CcCodeMap *map)
{
    const CcLiveRange *range = &f->live[reg];
    for (uint32_t k = 0; k < range->n; k++)
        add_segment(segments, map, range->items[k].start, range->items[k].end, f->regs[reg].place);
}

/* Returns where the values of the variable with register `reg` are, ascending by start. */
static GArray *find_segments(const CcIrFunction *f, const Holders *holders, CcReg reg, const CcCodeMap *map)
{
    GArray *segments = g_array_new(FALSE, FALSE, sizeof(Segment));
    if (!f->in_values) {
        if (f->regs[reg].pinned && f->regs[reg].end != UINT32_MAX)
            add_segment(segments, map, f->regs[reg].start, f->regs[reg].end, f->regs[reg].place);
        else
            add_live_code(segments, f, reg, map);
        return segments;
    }
    for (CcReg holder = holders->first[reg]; holder; holder = holders->next[holder - 1])
        add_live_code(segments, f, holder - 1, map);
    CcReg same = reg < f->n_equals ? f->equals[reg] : CC_NO_REG;
    if (same != CC_NO_REG && holders->times[same] == 1)
        add_live_code(segments, f, same, map);
    g_array_sort(segments, compare_segments);
    return segments;
}

/* Adds the places of one piece of a variable. Where two segments overlap, the later one holds the newer value. */
static void add_place(CcDebug *debug, const CcIrFunction *f, const Holders *holders, const CcIrPiece *piece,
                      const CcCodeMap *map, VcodeVariable *variable)
{
    g_autoptr(GArray) segments = find_segments(f, holders, piece->reg, map);
    uint32_t covered = variable->pc_low;
    for (guint i = 0; i < segments->len; i++) {
        const Segment *segment = &g_array_index(segments, Segment, i);
        uint32_t low = MAX(segment->low, covered), high = MIN(segment->high, variable->pc_high);
        if (i + 1 < segments->len)
            high = MIN(high, segment[1].low);
        covered = MAX(covered, segment->high);
        if (low >= high)
            continue;
        VcodePlace place = {low, high, VCODE_AT_REGISTER, piece->offset, piece->size, 0, segment->place};
        *vcode_push(debug->g->module, places) = place;
        variable->count++;
    }
}

/* Adds the places of a variable that is in registers: those of each piece, or its constant value. */
static void add_places(CcDebug *debug, const CcIrFunction *f, const Holders *holders, const CcIrVariable *v,
                       const CcCodeMap *map, VcodeVariable *variable)
{
    VcodeModule *m = debug->g->module;
    if (v->location == VCODE_AT_REGISTER && f->constants && v->reg < f->n_equals && f->constants[v->reg].known) {
        variable->location = VCODE_AT_CONSTANT;
        variable->where = f->constants[v->reg].bits;
        return;
    }
    uint32_t size = (uint32_t)MIN(v->symbol->type->size, UINT32_MAX);
    CcIrPiece whole = {v->reg, 0, size};
    const CcIrPiece *pieces = v->location == VCODE_AT_PLACES ? &f->pieces[v->where] : &whole;
    uint32_t n = v->location == VCODE_AT_PLACES ? v->n_pieces : 1;
    variable->location = VCODE_AT_PLACES;
    variable->first = m->places.count;
    for (uint32_t i = 0; i < n; i++)
        add_place(debug, f, holders, &pieces[i], map, variable);
    const VcodePlace *only = variable->count == 1 ? &m->places.items[variable->first] : NULL;
    if (!only || only->pc_low != variable->pc_low || only->pc_high != variable->pc_high || only->size != size)
        return;
    variable->location = VCODE_AT_REGISTER;
    variable->where = only->where;
    variable->first = variable->count = 0;
    m->places.count--;
}

/* Clips the scope of a variable whose address is in a register to the code where the register holds it. */
static void clip_scope(const CcIrFunction *f, const Holders *holders, const CcIrVariable *v, const CcCodeMap *map,
                       VcodeVariable *record)
{
    g_autoptr(GArray) segments = find_segments(f, holders, v->reg, map);
    if (!segments->len) {
        record->pc_high = record->pc_low;
        return;
    }
    const Segment *first = &g_array_index(segments, Segment, 0);
    const Segment *last = &g_array_index(segments, Segment, segments->len - 1);
    record->where = first->place;
    record->pc_low = MAX(record->pc_low, first->low);
    record->pc_high = MIN(record->pc_high, last->high);
}

static void add_variable(CcDebug *debug, const CcIrFunction *f, const Holders *holders, const CcIrVariable *v,
                         const CcCodeMap *map, VcodeVariable record)
{
    VcodeModule *m = debug->g->module;
    if (v->location == VCODE_AT_REGISTER_ADDRESS)
        clip_scope(f, holders, v, map, &record);
    if (record.pc_low >= record.pc_high)
        return;
    record.name = vcode_string(m, v->symbol->name);
    record.type = cc_debug_type(debug, v->symbol->type);
    if (v->location == VCODE_AT_REGISTER || v->location == VCODE_AT_PLACES)
        add_places(debug, f, holders, v, map, &record);
    *vcode_push(m, variables) = record;
}

void cc_debug_objects(CcDebug *debug, CcIrFunction *f, uint32_t function)
{
    VcodeModule *m = debug->g->module;
    for (uint32_t i = 0; i < f->n_objects; i++) {
        CcIrObject *object = &f->objects[i];
        const CcSymbol *symbol = object->symbol;
        if (!object->used)
            continue;
        bool named = symbol && symbol->name && symbol->name[0] != '.';
        VcodeObject record = {.name = vcode_string(m, named ? symbol->name : ""),
                              .type = VCODE_NONE,
                              .function = function,
                              .file = VCODE_NONE,
                              .flags = debug->g->unit->options->library ? VCODE_OBJECT_LIBRARY : 0,
                              .where = (int64_t)object->offset,
                              .size = object->size};
        if (symbol) {
            record.type = cc_debug_type(debug, symbol->type);
            record.file = cc_object_file(debug->g, symbol->loc.file);
            record.line = symbol->loc.line;
        } else {
            record.flags |= VCODE_OBJECT_TEMPORARY;
        }
        *vcode_push(m, objects) = record;
        object->record = m->objects.count;
    }
}

void cc_debug_variables(CcDebug *debug, const CcIrFunction *f, uint32_t function, const CcCodeMap *map)
{
    ScopeTree tree = scope_tree(f, map);
    Holders holders = find_holders(f);
    for (uint32_t i = 0; i < f->n_variables; i++) {
        const CcIrVariable *v = &f->variables[i];
        if (v->symbol->loc.line == 0 || !v->symbol->name || v->symbol->name[0] == '.')
            continue;
        VcodeVariable record = {.function = function,
                                .location = v->location,
                                .where = v->where,
                                .line = v->symbol->loc.line,
                                .inlined = v->inlined ? map->first_inlined + v->inlined - 1 : VCODE_NONE,
                                .flags = v->symbol->parameter ? VCODE_VARIABLE_PARAMETER : 0};
        look_up(&tree, v->loc_low, MIN(v->loc_high, f->n_locs), &record.pc_low, &record.pc_high);
        add_variable(debug, f, &holders, v, map, record);
    }
}
