/* regions.c - parts of a function that become functions of their own (OpenMP).
 *
 * The parser goes on in the same function while it reads such a region: names, labels and types are the function's. But
 * what it reads becomes the body of another function, which is called with the address of a record. A variable that the
 * region uses and does not declare is captured: the record holds its address, if it is shared, or a copy of it. Nothing
 * in the tree of the body shows that; lowering finds the variable where the record says (CcCapture).
 *
 *      int n = 3, sum;                         static void main._omp_fn.0(void *record)
 *      #pragma omp parallel    ---->               { sum at *(record + 0), n at *(record + 8) }
 *      ... sum += n ...                        main: record = {&sum, &n}; __omp_fork(main._omp_fn.0, record, ...)
 *
 * Regions nest. What an inner region captures of a variable outside of both, the outer one captures first.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

CcSymbol *cc_region_function(CcParser *p, const char *name, CcLoc loc)
{
    CcType **parameter = cc_arena_alloc(p->arena, sizeof(CcType *));
    *parameter = p->void_pointer;
    CcType *type = cc_type_function(p, p->basic[CC_VOID], parameter, 1, false, false);
    CcSymbol *function =
        cc_scope_new_symbol(p, CC_SYM_FUNCTION, cc_arena_strdup(p->arena, name, strlen(name)), type, loc);
    function->storage = CC_STATIC;
    function->file_scope = function->defined = function->used = true;
    function->region = NULL;
    function->body = CC_NEW(p->arena, CcFunctionBody);
    function->body->parameters = cc_arena_alloc(p->arena, sizeof *function->body->parameters);
    function->body->n_parameters = 1;
    CcSymbol *record = cc_scope_new_symbol(p, CC_SYM_VARIABLE, ".omp_data", *parameter, loc);
    record->parameter = record->defined = record->used = true;
    function->body->parameters[0] = record;
    return function;
}

CcRegion *cc_region_begin(CcParser *p, CcRegionKind kind, const char *directive, CcLoc loc)
{
    CcRegion *region = CC_NEW(p->arena, CcRegion);
    region->outer = p->region;
    region->kind = kind;
    region->directive = directive;
    region->loc = loc;
    region->align = 8;
    g_autofree char *name = g_strdup_printf("%s._omp_fn.%u", p->function->symbol->name, p->function->n_regions++);
    region->function = cc_region_function(p, name, loc);
    region->record = region->function->body->parameters[0];
    region->record->region = region;
    return p->region = region;
}

void cc_region_end(CcParser *p, CcRegion *region, CcStmt *body, CcLoc end)
{
    CcFunctionBody *function = region->function->body;
    function->captures = region->captures;
    function->n_captures = region->n_captures;
    function->body = body;
    function->end = end;
    region->size = (region->size + 7) / 8 * 8;
    g_ptr_array_add(p->unit->symbols, region->function);
    p->region = region->outer;
}

void cc_region_list(CcParser *p, CcRegion *region, const CcSymbol *symbol, bool by_value)
{
    CcListed *listed = CC_NEW(p->arena, CcListed);
    *listed = (CcListed){NULL, symbol, by_value};
    CcListed **last = &region->listed;
    while (*last)
        last = &(*last)->next;
    *last = listed;
}

static const CcListed *find_listed(const CcRegion *region, const CcSymbol *symbol)
{
    const CcListed *listed = region->listed;
    while (listed && listed->symbol != symbol)
        listed = listed->next;
    return listed;
}

static const CcCapture *find_capture(const CcRegion *region, const CcSymbol *symbol)
{
    for (uint32_t i = 0; i < region->n_captures; i++)
        if (region->captures[i].symbol == symbol)
            return &region->captures[i];
    return NULL;
}

static bool is_hidden(const CcSymbol *symbol)
{
    return !symbol->name || strchr(symbol->name, '.');
}

/* Whether the threads of the team share the variable where the region begins (OpenMP 4.5, 2.15.1.1): a parallel region
 * around it got its address, and so did all regions in between. */
static bool is_shared_by_team(const CcRegion *region, const CcSymbol *symbol)
{
    for (region = region->outer; region && region != symbol->region; region = region->outer) {
        const CcCapture *capture = find_capture(region, symbol);
        if (!capture || capture->how != CC_CAPTURE_ADDRESS)
            return false;
        if (region->kind == CC_REGION_PARALLEL)
            return true;
    }
    return false;
}

/* Whether the region gets a copy of the variable. */
static bool is_copied(const CcRegion *region, const CcSymbol *symbol)
{
    const CcListed *listed = find_listed(region, symbol);
    if (listed)
        return listed->by_value;
    switch (region->kind) {
    case CC_REGION_PARALLEL: return false;
    case CC_REGION_TASK: return region->rule != CC_DEFAULT_SHARED && !is_shared_by_team(region, symbol);
    case CC_REGION_TARGET: return region->rule != CC_DEFAULT_SHARED && cc_is_scalar(symbol->type);
    }
    g_assert_not_reached();
}

static uint64_t place(CcRegion *region, uint64_t size, uint32_t align)
{
    align = MAX(align, 1u);
    uint64_t offset = (region->size + align - 1) / align * align;
    region->align = MAX(region->align, align);
    region->size = offset + size;
    return offset;
}

static void add_capture(CcParser *p, CcRegion *region, CcSymbol *symbol, bool copied)
{
    CcCapture capture = {.symbol = symbol, .how = copied ? CC_CAPTURE_VALUE : CC_CAPTURE_ADDRESS};
    if (!copied)
        symbol->addressed = true;
    if (!copied && symbol->storage == CC_REGISTER)
        symbol->storage = CC_AUTO; /* what threads share is in memory, whatever the program hoped */
    if (copied && cc_type_has_variable_size(symbol->type))
        capture.how = CC_CAPTURE_OFFSET;
    if (capture.how == CC_CAPTURE_VALUE)
        capture.offset = place(region, symbol->type->size, MAX(symbol->align, symbol->type->align));
    else
        capture.offset = place(region, 8, 8);
    cc_arena_grow(p->arena, (void **)&region->captures, region->n_captures, &region->capacity,
                  sizeof *region->captures);
    region->captures[region->n_captures++] = capture;
}

static void demand_clause(CcParser *p, CcRegion *region, const CcSymbol *symbol, CcLoc loc)
{
    if (region->rule != CC_DEFAULT_NONE || region->before || is_hidden(symbol) || symbol->thread ||
        find_listed(region, symbol) || (symbol->type->qualifiers & CC_CONST) || symbol->type == p->error_type)
        return;
    cc_front_error(p, loc, "'%s' is in no clause of '#pragma omp %s' with default(none); say shared(%s), or private",
                   symbol->name, region->directive, symbol->name);
    cc_front_note(p, region->loc, "the directive is here");
    cc_region_list(p, region, symbol, false);
}

static void capture(CcParser *p, CcRegion *region, CcSymbol *symbol, bool length, CcLoc loc)
{
    if (!region || region == symbol->region || find_capture(region, symbol))
        return;
    capture(p, region->outer, symbol, length, loc);
    if (!length)
        demand_clause(p, region, symbol, loc);
    add_capture(p, region, symbol, length || is_copied(region, symbol));
}

void cc_region_use_type(CcParser *p, const CcType *type, CcLoc loc)
{
    for (; type && (type->kind == CC_ARRAY || type->kind == CC_POINTER); type = type->target)
        if (type->kind == CC_ARRAY && type->length_symbol)
            capture(p, p->region, type->length_symbol, true, loc);
}

static bool is_static(const CcSymbol *symbol)
{
    return symbol->file_scope || symbol->storage == CC_STATIC || symbol->storage == CC_EXTERN ||
           symbol->storage == CC_GLOBAL;
}

void cc_region_use(CcParser *p, CcSymbol *symbol, CcLoc loc)
{
    if (symbol->kind != CC_SYM_VARIABLE)
        return;
    cc_region_use_type(p, symbol->type, loc);
    if (!is_static(symbol)) {
        capture(p, p->region, symbol, false, loc);
        return;
    }
    for (CcRegion *region = p->region; region && region != symbol->region; region = region->outer)
        if (strcmp(symbol->name, "__func__") != 0)
            demand_clause(p, region, symbol, loc);
}

/* -- structured blocks ------------------------------------------------------------------------- */

CcBlockOfDirective *cc_region_block_begin(CcParser *p, const char *directive, CcLoc loc)
{
    CcBlockOfDirective *block = CC_NEW(p->arena, CcBlockOfDirective);
    *block = (CcBlockOfDirective){p->block, directive, loc, p->context};
    p->context = NULL;
    return p->block = block;
}

void cc_region_block_end(CcParser *p, CcBlockOfDirective *block)
{
    p->context = block->context;
    p->block = block->outer;
}
