/* debug_info.c - what a debugger wants to know: lines, variables with the code where they are in scope, types.
 *
 * Types are made when a variable first needs them and kept once: a struct by its tag, other types by what they are made
 * of. A struct's record is taken before its members are described, so that members may point back to it.
 *
 * A variable in a register is described only for the instructions where the register is its own: afterwards the
 * register may hold something else.
 */
#include "compiler/live_ranges.h"
#include "compiler/lower.h"

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

/* -- types ------------------------------------------------------------------------------------------------- */

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
        CcType part = *cc_complex_part(type);
        record.target = cc_debug_type(debug, &part);
    }
    return add_type(debug, &record);
}

/* The tag knows its record: index + 1. */
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
    bool known = tag->back != NULL;
    uint32_t index = tagged_type(debug, type, type->kind == CC_STRUCT ? VCODE_TYPE_STRUCT : VCODE_TYPE_UNION);
    if (known || !tag->complete || !tag->n_members)
        return index;
    VcodeMember *members = g_new0(VcodeMember, tag->n_members + 1);
    for (uint32_t i = 0; i < tag->n_members; i++) {
        const CcMember *member = &tag->members[i];
        members[i] = (VcodeMember){.name = vcode_string(m, member->name ? member->name : ""),
                                   .value = (int64_t)member->offset,
                                   .bit_offset = member->bit_offset,
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
    bool known = tag->back != NULL;
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

/* -- inlined calls ---------------------------------------------------------------------------------------------- */

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
                              .call_file = cc_lower_file(debug->g, call->loc.file),
                              .call_line = call->loc.line,
                              .call_column = (uint16_t)MIN(call->loc.column, UINT16_MAX),
                              .file = cc_lower_file(debug->g, symbol->loc.file),
                              .line = symbol->loc.line};
        *vcode_push(m, inlines) = record;
    }
    return first;
}

/* -- lines ------------------------------------------------------------------------------------------------------ */

void cc_debug_line(CcDebug *debug, uint32_t pc, CcLoc loc, bool statement, uint32_t inlined)
{
    if (loc.line == 0)
        return;
    uint32_t file = cc_lower_file(debug->g, loc.file);
    if (file == VCODE_NONE)
        return;
    VcodeModule *m = debug->g->module;
    VcodeLine *last = m->lines.count ? &m->lines.items[m->lines.count - 1] : NULL;
    uint16_t flags = statement ? VCODE_LINE_STATEMENT : 0;
    if (last && last->pc == pc)
        *last = (VcodeLine){pc, file, loc.line, loc.column, (uint16_t)(last->flags | flags), inlined};
    else
        *vcode_push(m, lines) = (VcodeLine){pc, file, loc.line, loc.column, flags, inlined};
}

/* -- variables ------------------------------------------------------------------------------------------------------
 */

void cc_debug_global(CcDebug *debug, CcSymbol *symbol, uint32_t module_symbol)
{
    VcodeModule *m = debug->g->module;
    VcodeVariable record = {.name = vcode_string(m, symbol->name),
                            .function = VCODE_NONE,
                            .location = VCODE_AT_DATA,
                            .where = module_symbol,
                            .line = symbol->loc.line,
                            .inlined = VCODE_NONE};
    record.type = cc_debug_type(debug, symbol->type);
    *vcode_push(m, variables) = record;
}

static bool is_in_register(const CcIrVariable *v)
{
    return v->location == VCODE_AT_REGISTER || v->location == VCODE_AT_REGISTER_ADDRESS;
}

/* Least and greatest pc over ranges of places in the source: a tree over pairs of pairs, leaves at [n, 2n). Functions
 * made by programs have thousands of variables whose scopes all reach to the end. */
typedef struct ScopeTree {
    uint32_t n, *low, *high;
} ScopeTree;

static ScopeTree scope_tree(const CcIrFunction *f, const CcCodeMap *map)
{
    uint32_t n = f->n_locs;
    ScopeTree t = {n, cc_alloc(f->arena, 2 * n * sizeof(uint32_t)), cc_alloc(f->arena, 2 * n * sizeof(uint32_t))};
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

static void scope_of(const CcIrFunction *f, const CcIrVariable *v, const CcCodeMap *map, const ScopeTree *tree,
                     VcodeVariable *record)
{
    uint32_t low, high;
    look_up(tree, v->loc_low, MIN(v->loc_high, f->n_locs), &low, &high);
    if (is_in_register(v) && low < high && !f->in_values) {
        const CcIrReg *reg = &f->regs[v->reg];
        if (reg->end == UINT32_MAX) {
            high = low;
        } else {
            low = MAX(low, map->position_pc[MIN((reg->start + 1) / 2, map->n_positions)]);
            high = MIN(high, map->position_pc[MIN(reg->end / 2 + 1, map->n_positions)]);
        }
    }
    record->pc_low = low;
    record->pc_high = high;
}

/* Optimised code: a variable's values are in several registers, each while it is still wanted. There, and as long as no
 * two of them are alive at once, it is known what the variable is. */
typedef struct Piece {
    uint32_t low, high, place;
} Piece;

static int compare_pieces(const void *a, const void *b)
{
    const Piece *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

/* Registers by the variable that they hold: next[] chains, first[] by variable register. */
typedef struct Holders {
    CcReg *first, *next;
} Holders;

static Holders find_holders(const CcIrFunction *f)
{
    Holders h = {cc_alloc(f->arena, (f->n_regs + 1) * sizeof(CcReg)),
                 cc_alloc(f->arena, (f->n_regs + 1) * sizeof(CcReg))};
    for (CcReg reg = f->n_regs; reg-- > 0;) {
        uint32_t origin = f->regs[reg].origin;
        if (origin == CC_ORIGIN_ANY || origin == CC_ORIGIN_NONE)
            continue;
        h.next[reg] = h.first[origin - 1];
        h.first[origin - 1] = reg + 1;
    }
    return h;
}

static GArray *find_pieces(const CcIrFunction *f, const Holders *holders, CcReg variable, const CcCodeMap *map)
{
    GArray *pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
    for (CcReg reg = holders->first[variable]; reg; reg = holders->next[reg - 1]) {
        const CcLiveRange *range = &f->live[reg - 1];
        for (uint32_t k = 0; k < range->n; k++) {
            Piece piece = {map->position_pc[MIN((range->items[k].start + 1) / 2, map->n_positions)],
                           map->position_pc[MIN(range->items[k].end / 2 + 1, map->n_positions)],
                           f->regs[reg - 1].place};
            g_array_append_val(pieces, piece);
        }
    }
    g_array_sort(pieces, compare_pieces);
    return pieces;
}

static void add_pieces(CcDebug *debug, const CcIrFunction *f, const Holders *holders, const CcIrVariable *v,
                       const CcCodeMap *map, const VcodeVariable *whole)
{
    g_autoptr(GArray) pieces = find_pieces(f, holders, v->reg, map);
    uint32_t covered = whole->pc_low;
    for (guint k = 0; k < pieces->len; k++) {
        const Piece *piece = &g_array_index(pieces, Piece, k);
        uint32_t low = MAX(piece->low, covered), high = MIN(piece->high, whole->pc_high);
        if (k + 1 < pieces->len && piece[1].low < high)
            high = piece[1].low;
        covered = MAX(covered, piece->high);
        if (low >= high)
            continue;
        VcodeVariable record = *whole;
        record.pc_low = low;
        record.pc_high = high;
        record.where = piece->place;
        *vcode_push(debug->g->module, variables) = record;
    }
}

void cc_debug_variables(CcDebug *debug, const CcIrFunction *f, uint32_t function, const CcCodeMap *map)
{
    VcodeModule *m = debug->g->module;
    ScopeTree tree = scope_tree(f, map);
    Holders holders = find_holders(f);
    for (uint32_t i = 0; i < f->n_variables; i++) {
        const CcIrVariable *v = &f->variables[i];
        if (v->location == VCODE_AT_PLACES)
            continue;
        if (v->symbol->loc.line == 0 || !v->symbol->name || v->symbol->name[0] == '.')
            continue;
        VcodeVariable record = {.name = vcode_string(m, v->symbol->name),
                                .function = function,
                                .location = v->location,
                                .line = v->symbol->loc.line,
                                .inlined = v->inlined ? map->first_inlined + v->inlined - 1 : VCODE_NONE,
                                .flags = v->symbol->parameter ? VCODE_VARIABLE_PARAMETER : 0};
        record.where = is_in_register(v) ? f->regs[v->reg].place : v->where;
        scope_of(f, v, map, &tree, &record);
        if (record.pc_low >= record.pc_high)
            continue;
        record.type = cc_debug_type(debug, v->symbol->type);
        if (f->in_values && is_in_register(v))
            add_pieces(debug, f, &holders, v, map, &record);
        else
            *vcode_push(m, variables) = record;
    }
}
