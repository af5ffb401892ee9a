/* declarations.c - declares variables, functions, typedefs and parameters (C11 6.7, 6.9, 6.2.2).
 *
 * A name with linkage has one CcSymbol per unit, whatever scopes declare it (parser->linkage). Each declaration is
 * checked against the earlier ones and refines their type (6.2.7p4).
 */
#include "compiler/sema/declarations.h"

#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

static void update_addressed(CcSymbol *symbol)
{
    symbol->addressed |= symbol->type->kind == CC_ARRAY || cc_is_aggregate(symbol->type) ||
                         cc_is_complex(symbol->type) || cc_is_wide(symbol->type);
}

static const char *unique_name(CcParser *p, const char *stem)
{
    char *text = g_strdup_printf("%s.%u", stem, p->serial++);
    const char *name = cc_arena_strdup(p->arena, text, strlen(text));
    g_free(text);
    return name;
}

CcSymbol *cc_sema_hidden_variable(CcParser *p, const char *stem, CcType *type, bool is_static, CcLoc loc)
{
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_VARIABLE, unique_name(p, stem), type, loc);
    symbol->storage = is_static ? CC_STATIC : CC_AUTO;
    symbol->file_scope = is_static && !p->function;
    symbol->defined = true;
    symbol->used = true;
    update_addressed(symbol);
    if (is_static)
        g_ptr_array_add(p->unit->symbols, symbol);
    return symbol;
}

/* -- checks ------------------------------------------------------------------------------------ */

static void apply_attributes(CcSymbol *symbol, const CcAttributes *attributes)
{
    symbol->align = MAX(symbol->align, attributes->align);
    symbol->weak |= attributes->weak;
    symbol->constructor |= attributes->constructor;
    symbol->destructor |= attributes->destructor;
    symbol->noreturn_ |= attributes->noreturn_;
    symbol->always_inline |= attributes->always_inline;
    symbol->no_inline |= attributes->no_inline;
    symbol->maybe_unused |= attributes->maybe_unused;
    symbol->must_use |= attributes->must_use;
    symbol->deprecated |= attributes->deprecated;
    symbol->nonnull |= attributes->nonnull;
    if (attributes->deprecated_text)
        symbol->deprecated_text = attributes->deprecated_text;
    if (attributes->warning_text)
        symbol->warning_text = attributes->warning_text;
    if (attributes->format)
        symbol->format = attributes->format;
    if (attributes->alias)
        symbol->alias = attributes->alias;
    if (attributes->constructor_priority)
        symbol->constructor_priority = attributes->constructor_priority;
    if (attributes->destructor_priority)
        symbol->destructor_priority = attributes->destructor_priority;
    if (attributes->weakref) { /* a static name for a symbol that may be defined elsewhere */
        symbol->link_name = attributes->weakref;
        symbol->weak = true;
        symbol->storage = CC_EXTERN;
    }
}

static void both_attributes(CcSymbol *symbol, const CcSpecs *specs, const CcDeclarator *declarator)
{
    apply_attributes(symbol, &specs->attributes);
    apply_attributes(symbol, &declarator->attributes);
    if (declarator->asm_label)
        symbol->link_name = declarator->asm_label;
}

static void implicit_int(CcParser *p, const CcSpecs *specs, const CcDeclarator *declarator, bool function)
{
    if (!specs->implicit_int || !declarator->ident)
        return;
    const char *name = declarator->ident->text;
    if (function)
        cc_front_warning(p, declarator->loc, "-Wimplicit-int", "return type of '%s' defaults to 'int'", name);
    else if (!specs->has_storage && !specs->is_typedef && !specs->qualifiers && p->scope == p->file_scope)
        cc_front_warning(p, declarator->loc, NULL, "data definition of '%s' has no type or storage class", name);
    else
        cc_front_warning(p, declarator->loc, "-Wimplicit-int", "type defaults to 'int' in declaration of '%s'", name);
}

static void conflict(CcParser *p, const CcSymbol *earlier, const CcType *type, CcLoc loc)
{
    char *now = cc_type_name(type), *then = cc_type_name(earlier->type);
    cc_front_error(p, loc, "conflicting types for '%s': '%s', earlier '%s'", earlier->name, now, then);
    cc_front_note(p, earlier->loc, "previous declaration is here");
    g_free(now);
    g_free(then);
}

/* Reports a second declaration of a name without linkage in the same scope. Returns true if it is an error. */
static bool redeclared(CcParser *p, const CcIdent *ident, CcSymbolKind kind, const CcType *type, CcLoc loc)
{
    const CcSymbol *earlier = cc_scope_lookup(ident);
    if (!earlier || ident->ordinary->scope != p->scope)
        return false;
    if (earlier->type == p->error_type || type == p->error_type)
        return false;
    if (kind == CC_SYM_TYPEDEF && earlier->kind == CC_SYM_TYPEDEF && cc_types_compatible(earlier->type, type))
        return false; /* C11 6.7p3 */
    if (earlier->kind == kind && cc_types_compatible(earlier->type, type))
        cc_front_error(p, loc, "redefinition of '%s'", ident->text);
    else if (earlier->kind == kind && kind == CC_SYM_VARIABLE)
        conflict(p, earlier, type, loc);
    else
        cc_front_error(p, loc, "'%s' redeclared as different kind of symbol", ident->text);
    if (earlier->kind != kind || cc_types_compatible(earlier->type, type))
        cc_front_note(p, earlier->loc, "previous declaration is here");
    return true;
}

/* -- names with linkage ------------------------------------------------------------------------ */

static CcSymbol *merge(CcParser *p, CcSymbol *symbol, CcType *type, const CcSpecs *specs,
                       const CcDeclarator *declarator)
{
    if (symbol->type == p->error_type || type == p->error_type)
        return symbol;
    if (symbol->assumed && !cc_types_compatible(symbol->type, type))
        symbol->type = type;
    symbol->assumed = false;
    if (!cc_types_compatible(symbol->type, type)) {
        conflict(p, symbol, type, declarator->loc);
        return symbol;
    }
    if (specs->has_storage && specs->storage == CC_STATIC && symbol->storage != CC_STATIC) {
        cc_front_error(p, declarator->loc, "static declaration of '%s' follows non-static declaration", symbol->name);
        cc_front_note(p, symbol->loc, "previous declaration is here");
    } else if (!specs->has_storage && symbol->storage == CC_STATIC && symbol->kind == CC_SYM_VARIABLE) {
        cc_front_error(p, declarator->loc, "non-static declaration of '%s' follows static declaration", symbol->name);
        cc_front_note(p, symbol->loc, "previous declaration is here");
    }
    symbol->type = cc_type_composite(p, symbol->type, type);
    return symbol;
}

/* Returns the symbol of an external or file-scope name. Its first declaration creates it. */
static CcSymbol *linked_symbol(CcParser *p, CcSymbolKind kind, CcType *type, const CcSpecs *specs,
                               const CcDeclarator *declarator)
{
    const char *name = declarator->ident->text;
    CcSymbol *symbol = g_hash_table_lookup(p->linkage, name);
    if (symbol && symbol->kind == kind) {
        cc_use_symbol(p, symbol, 1, declarator->loc);
        merge(p, symbol, type, specs, declarator);
        return symbol;
    }
    if (symbol) {
        cc_front_error(p, declarator->loc, "'%s' redeclared as different kind of symbol", name);
        cc_front_note(p, symbol->loc, "previous declaration is here");
    }
    symbol = cc_scope_new_symbol(p, kind, name, type, declarator->loc);
    symbol->file_scope = true;
    symbol->storage = specs->has_storage && specs->storage == CC_STATIC ? CC_STATIC : CC_EXTERN;
    cc_use_symbol(p, symbol, 1, declarator->loc);
    g_hash_table_insert(p->linkage, (gpointer)name, symbol);
    g_ptr_array_add(p->unit->symbols, symbol);
    return symbol;
}

static void bind_here(CcParser *p, CcIdent *ident, CcSymbol *symbol)
{
    if (!ident->ordinary || ident->ordinary->scope != p->scope || ident->ordinary->symbol != symbol)
        cc_scope_bind(p, p->scope, ident, symbol);
}

static void check_linked(CcParser *p, CcIdent *ident, CcSymbolKind kind, CcType *type, CcLoc loc)
{
    const CcSymbol *earlier = cc_scope_lookup(ident);
    if (earlier && ident->ordinary->scope == p->scope && g_hash_table_lookup(p->linkage, ident->text) != earlier)
        redeclared(p, ident, kind, type, loc);
}

/* Whether inline has its meaning from before C99: extern inline is never emitted, plain inline always. */
bool cc_sema_gnu_inline(const CcParser *p, const CcSpecs *specs, const CcDeclarator *declarator)
{
    const CcOptions *options = p->unit->options;
    bool by_option = options->gnu89_inline || options->c_standard == 1989;
    return specs->attributes.gnu_inline || declarator->attributes.gnu_inline || (specs->inline_ && by_option);
}

static CcSymbol *declare_function(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, CcType *type)
{
    if (specs->has_storage && (specs->storage == CC_AUTO || specs->storage == CC_REGISTER))
        cc_front_error(p, declarator->loc, "invalid storage class for function '%s'", declarator->ident->text);
    else if (specs->has_storage && specs->storage == CC_STATIC && p->function)
        cc_front_error(p, declarator->loc, "invalid storage class for function '%s' inside a function",
                       declarator->ident->text);
    check_linked(p, declarator->ident, CC_SYM_FUNCTION, type, declarator->loc);
    const CcSymbol *earlier = g_hash_table_lookup(p->linkage, declarator->ident->text);
    bool prototype = earlier && earlier->kind == CC_SYM_FUNCTION && !earlier->type->old_style; /* still in force */
    const CcPart *last = declarator->parts;
    while (last && last->next)
        last = last->next;
    if (type->old_style && last && last->kind == CC_PART_FUNCTION && last->n_params == 0 && !prototype)
        cc_front_warning(p, declarator->loc, "-Wstrict-prototypes",
                         "'%s' is declared without a prototype; write (void)", declarator->ident->text);
    CcSymbol *symbol = linked_symbol(p, CC_SYM_FUNCTION, type, specs, declarator);
    bool is_extern = specs->has_storage && specs->storage == CC_EXTERN;
    bool gnu = cc_sema_gnu_inline(p, specs, declarator);
    /* C11 6.7.4p7: any declaration without inline, or with extern, makes the definition external. */
    if (symbol->storage != CC_STATIC && (gnu ? !is_extern : !specs->inline_ || is_extern))
        symbol->always_emit = true;
    symbol->inline_ |= specs->inline_;
    both_attributes(symbol, specs, declarator);
    bind_here(p, declarator->ident, symbol);
    return symbol;
}

static CcSymbol *declare_typedef(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, CcType *type, CcStmtList *out)
{
    CcIdent *ident = declarator->ident;
    bool fenced = false; /* whether no jump may enter its scope */
    if (type->kind == CC_UNION && (specs->attributes.transparent || declarator->attributes.transparent))
        type->tag->transparent = true;
    if (redeclared(p, ident, CC_SYM_TYPEDEF, type, declarator->loc))
        return NULL;
    if (cc_type_is_variably_modified(type) && type != p->error_type) {
        CcStmt *evaluate = cc_sema_stmt_new(p, CC_VLA_SIZE, declarator->loc);
        evaluate->type = type;
        cc_sema_append(out, evaluate);
        type = cc_type_evaluated(p, type);
        fenced = true;
    }
    if (type != p->error_type) {
        type = cc_type_copy(p, type);
        type->name = ident->text;
        uint32_t align = MAX(specs->attributes.align, declarator->attributes.align);
        if (align && type->kind != CC_STRUCT && type->kind != CC_UNION)
            type->align = align;
    }
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_TYPEDEF, ident->text, type, declarator->loc);
    symbol->maybe_unused = specs->attributes.maybe_unused || declarator->attributes.maybe_unused;
    cc_scope_bind(p, p->scope, ident, symbol);
    if (fenced)
        cc_sema_fence(p, symbol);
    return NULL;
}

/* -- variables --------------------------------------------------------------------------------- */

static CcSymbol *declare_global(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, CcType *type, bool initialised)
{
    bool is_extern = specs->has_storage && specs->storage == CC_EXTERN;
    if (specs->has_storage && (specs->storage == CC_AUTO || specs->storage == CC_REGISTER))
        cc_front_error(p, declarator->loc, "file-scope declaration of '%s' specifies '%s'", declarator->ident->text,
                       specs->storage == CC_AUTO ? "auto" : "register");
    check_linked(p, declarator->ident, CC_SYM_VARIABLE, type, declarator->loc);
    CcSymbol *symbol = linked_symbol(p, CC_SYM_VARIABLE, type, specs, declarator);
    both_attributes(symbol, specs, declarator);
    update_addressed(symbol);
    if (initialised) {
        if (symbol->defined) {
            cc_front_error(p, declarator->loc, "redefinition of '%s'", symbol->name);
            cc_front_note(p, symbol->loc, "previous definition is here");
        }
        symbol->defined = true;
        symbol->tentative = false;
        symbol->loc = declarator->loc;
    } else if (!is_extern && !symbol->defined && !symbol->alias)
        symbol->tentative = true;
    if (symbol->storage == CC_EXTERN && (symbol->defined || symbol->tentative))
        symbol->storage = CC_GLOBAL;
    bind_here(p, declarator->ident, symbol);
    return symbol;
}

static CcSymbol *declare_local(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, CcType *type, CcStmtList *out)
{
    CcIdent *ident = declarator->ident;
    redeclared(p, ident, CC_SYM_VARIABLE, type, declarator->loc);
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_VARIABLE, ident->text, type, declarator->loc);
    symbol->storage = specs->has_storage ? specs->storage : CC_AUTO;
    symbol->defined = true;
    both_attributes(symbol, specs, declarator);
    update_addressed(symbol);
    cc_check_shadow(p, ident, symbol);
    cc_scope_bind(p, p->scope, ident, symbol);
    if (p->region)
        cc_region_use_type(p, type, declarator->loc);
    if (cc_type_is_variably_modified(type))
        cc_front_warning(p, declarator->loc, "-Wvla", "'%s' is an array of variable length", ident->text);
    if (symbol->storage == CC_STATIC) {
        symbol->link_name = unique_name(p, ident->text);
        g_ptr_array_add(p->unit->symbols, symbol);
        if (cc_type_has_variable_size(type))
            cc_front_error(p, declarator->loc, "storage size of static '%s' is not constant", ident->text);
    } else if (cc_type_is_variably_modified(type) && !cc_type_has_variable_size(type)) {
        CcStmt *evaluate = cc_sema_stmt_new(p, CC_VLA_SIZE, declarator->loc);
        evaluate->type = type;
        cc_sema_append(out, evaluate);
    }
    if (type != p->error_type && cc_type_is_variably_modified(type))
        cc_sema_fence(p, symbol);
    return symbol;
}

static CcSymbol *declare_block_extern(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, CcType *type)
{
    check_linked(p, declarator->ident, CC_SYM_VARIABLE, type, declarator->loc);
    if (cc_type_is_variably_modified(type))
        cc_front_error(p, declarator->loc, "'%s' has a variably modified type but is declared 'extern'",
                       declarator->ident->text);
    CcSymbol *symbol = linked_symbol(p, CC_SYM_VARIABLE, type, specs, declarator);
    both_attributes(symbol, specs, declarator);
    update_addressed(symbol);
    bind_here(p, declarator->ident, symbol);
    return symbol;
}

static CcType *check_object_type(CcParser *p, CcType *type, const CcDeclarator *declarator, bool is_extern)
{
    const char *name = declarator->ident->text;
    if (type->kind == CC_VOID && !is_extern) {
        cc_front_error(p, declarator->loc, "variable '%s' declared void", name);
        return p->error_type;
    }
    if (type->tag && type->incomplete && p->function && !is_extern) {
        char *text = cc_type_name(type);
        const char *like = cc_hint_suggest_tag(p, type);
        if (like)
            cc_front_error(p, declarator->loc, "variable '%s' has incomplete type '%s'; did you mean '%s %s'?", name,
                           text,
                           type->kind == CC_STRUCT  ? "struct"
                           : type->kind == CC_UNION ? "union"
                                                    : "enum",
                           like);
        else
            cc_front_error(p, declarator->loc, "variable '%s' has incomplete type '%s': it is not defined before", name,
                           text);
        g_free(text);
        return p->error_type;
    }
    return type;
}

/* Checks that _Noreturn, _Alignas and _Thread_local are allowed here (C11 6.7.4p2, 6.7.5p2 and p4, 6.7.1p3). */
static void check_words(CcParser *p, const CcSpecs *specs, const CcDeclarator *declarator, const CcType *type)
{
    const char *name = declarator->ident->text;
    bool function = type->kind == CC_FUNCTION, object = !function && !specs->is_typedef;
    CcLoc loc = declarator->loc;
    if (type == p->error_type)
        return;
    if (specs->noreturn_word && (!function || specs->is_typedef))
        cc_front_error(p, loc, "'_Noreturn' can only be used with functions, not for '%s'", name);
    if (specs->alignas_word && (!object || (specs->has_storage && specs->storage == CC_REGISTER)))
        cc_front_error(p, loc, "alignment specified for %s '%s'",
                       object     ? "register variable"
                       : function ? "function"
                                  : "typedef",
                       name);
    else if (specs->alignas_word && specs->attributes.align && specs->attributes.align < type->align)
        cc_front_error(p, loc, "'_Alignas' cannot reduce the alignment of '%s'", name);
    if (!specs->thread)
        return;
    bool automatic =
        p->function && !(specs->has_storage && (specs->storage == CC_STATIC || specs->storage == CC_EXTERN));
    if (!object)
        cc_front_error(p, loc, "'_Thread_local' can only be used with variables, not for '%s'", name);
    else if (automatic || (specs->has_storage && (specs->storage == CC_AUTO || specs->storage == CC_REGISTER)))
        cc_front_error(p, loc, "'%s' is automatic and declared '_Thread_local'", name);
}

void cc_sema_check_for_declaration(CcParser *p, const CcScope *scope)
{
    for (const CcBinding *binding = scope->first; binding; binding = binding->next) {
        const CcSymbol *symbol = binding->symbol;
        if (binding->type) {
            if (binding->type->tag->complete)
                cc_front_error(p, binding->type->tag->loc,
                               "'%s' is declared in a 'for' statement, which may only declare variables",
                               binding->ident->text);
            continue;
        }
        bool variable = symbol->kind == CC_SYM_VARIABLE;
        if (symbol->type == p->error_type || symbol->kind == CC_SYM_ENUMERATOR)
            continue;
        if (!variable)
            cc_front_error(p, symbol->loc, "'%s' is declared in a 'for' statement, which may only declare variables",
                           symbol->name);
        else if (symbol->storage != CC_AUTO && symbol->storage != CC_REGISTER)
            cc_front_error(p, symbol->loc, "declaration of %s variable '%s' in a 'for' statement",
                           symbol->storage == CC_STATIC ? "static" : "'extern'", symbol->name);
    }
}

CcSymbol *cc_sema_declare(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, bool initialised, CcStmtList *out)
{
    g_assert(declarator->ident);
    CcType *type = cc_sema_declarator_type(p, cc_sema_specs_finish(p, specs), declarator, false);
    type = cc_sema_mode_type(p, cc_sema_mode_type(p, type, &specs->attributes), &declarator->attributes);
    implicit_int(p, specs, declarator, type->kind == CC_FUNCTION);
    if (specs->inline_ && type->kind != CC_FUNCTION)
        cc_front_error(p, declarator->loc, "'inline' can only be used with functions");
    check_words(p, specs, declarator, type);
    if (specs->is_typedef) {
        if (initialised)
            cc_front_error(p, declarator->loc, "typedef '%s' is initialised", declarator->ident->text);
        return declare_typedef(p, specs, declarator, type, out);
    }
    if (type->kind == CC_FUNCTION) {
        if (initialised)
            cc_front_error(p, declarator->loc, "function '%s' is initialised like a variable", declarator->ident->text);
        declare_function(p, specs, declarator, type);
        return NULL;
    }
    bool is_extern = specs->has_storage && specs->storage == CC_EXTERN;
    type = check_object_type(p, type, declarator, is_extern);
    CcSymbol *symbol;
    if (p->function && is_extern && initialised)
        cc_front_error(p, declarator->loc, "'%s' has both 'extern' and an initialiser", declarator->ident->text);
    if (!p->function)
        symbol = declare_global(p, specs, declarator, type, initialised);
    else if (is_extern)
        symbol = declare_block_extern(p, specs, declarator, type);
    else
        symbol = declare_local(p, specs, declarator, type, out);
    symbol->thread |= specs->thread && symbol->storage != CC_AUTO && symbol->storage != CC_REGISTER;
    return symbol;
}

static bool can_initialise(CcParser *p, const CcSymbol *symbol, const CcInitNode *init)
{
    if (symbol->type == p->error_type)
        return false;
    if (cc_type_has_variable_size(symbol->type)) {
        if (!init->expr && !init->first)
            return true;
        cc_front_error(p, init->loc, "variable-sized object may not be initialized");
        return false;
    }
    if (symbol->type->incomplete && symbol->type->kind != CC_ARRAY) {
        cc_front_error(p, symbol->loc, "variable '%s' has initializer but incomplete type", symbol->name);
        return false;
    }
    return true;
}

/* C23: a variable length array may have an empty initialiser list. Returns the statement that sets it to zero. */
static CcStmt *clear_variable_array(CcParser *p, CcSymbol *symbol)
{
    CcExprList *arguments =
        cc_sema_expr_list(p, NULL, cc_sema_address(p, cc_sema_variable(p, symbol, symbol->loc), symbol->loc));
    cc_sema_expr_list(p, arguments, cc_sema_integer(p, p->basic[CC_INT], 0, symbol->loc));
    cc_sema_expr_list(p, arguments, cc_sema_sizeof_expr(p, cc_sema_variable(p, symbol, symbol->loc), symbol->loc));
    CcExpr *function = cc_sema_variable(p, cc_library_function(p, "memset", symbol->loc), symbol->loc);
    CcStmt *statement = cc_sema_stmt_new(p, CC_EXPRESSION, symbol->loc);
    statement->expr = cc_sema_call(p, function, arguments, symbol->loc);
    return statement;
}

void cc_sema_initialise(CcParser *p, CcSymbol *symbol, CcInitNode *init, CcStmtList *out)
{
    bool automatic = symbol->storage == CC_AUTO || symbol->storage == CC_REGISTER;
    if (init && can_initialise(p, symbol, init)) {
        CcType *type = symbol->type;
        symbol->init = cc_sema_flatten(p, &type, init, !automatic, symbol->name);
        symbol->type = type;
        symbol->initialised = true;
        if (!automatic && type->size > CC_MAX_INITIALISED)
            cc_front_error(p, symbol->loc, "'%s' is initialized and larger than 1 GiB", symbol->name);
    }
    if (p->function && !symbol->file_scope && symbol->type->incomplete && symbol->type->kind == CC_ARRAY) {
        cc_front_error(p, symbol->loc, "array size missing in '%s'", symbol->name);
        symbol->type = p->error_type;
    }
    if (automatic) {
        CcStmt *declaration = cc_sema_stmt_new(p, CC_DECLARATION, symbol->loc);
        declaration->symbol = symbol;
        cc_sema_append(out, declaration);
        if (symbol->initialised && cc_type_has_variable_size(symbol->type))
            cc_sema_append(out, clear_variable_array(p, symbol));
    }
}

void cc_sema_empty_declaration(CcParser *p, CcSpecs *specs, CcLoc loc)
{
    CcType *type = cc_sema_specs_finish(p, specs);
    if (specs->tag_declared || type == p->error_type)
        return;
    if (!specs->implicit_int || specs->has_storage || specs->qualifiers)
        cc_front_warning(p, loc, NULL, "declaration does not declare anything");
}

/* -- parameters -------------------------------------------------------------------------------- */

CcParam *cc_sema_parameter(CcParser *p, CcSpecs *specs, CcDeclarator *declarator, CcLoc loc)
{
    CcType *type = cc_sema_specs_finish(p, specs);
    if (specs->is_typedef || (specs->has_storage && specs->storage != CC_REGISTER))
        cc_front_error(p, specs->loc, "invalid storage class for a parameter");
    if (specs->noreturn_word || specs->alignas_word || specs->thread)
        cc_front_error(p, specs->loc, "a parameter cannot have '%s'",
                       specs->noreturn_word  ? "_Noreturn"
                       : specs->alignas_word ? "_Alignas"
                                             : "_Thread_local");
    CcParam *param = CC_NEW(p->arena, CcParam);
    param->loc = loc;
    if (declarator) {
        type = cc_sema_declarator_type(p, type, declarator, true);
        param->ident = declarator->ident;
        param->length = declarator->length;
        param->loc = declarator->ident ? declarator->loc : loc;
        implicit_int(p, specs, declarator, false);
    } else if (type->kind == CC_ARRAY)
        type = cc_type_qualified(p, cc_type_pointer_to(p, type->target), 0);
    else if (type->kind == CC_FUNCTION)
        type = cc_type_pointer_to(p, type);
    param->symbol = cc_scope_new_symbol(p, CC_SYM_VARIABLE, param->ident ? param->ident->text : NULL, type, param->loc);
    param->symbol->storage = specs->has_storage ? CC_REGISTER : CC_AUTO;
    param->symbol->parameter = param->symbol->defined = true;
    for (const CcPart *part = declarator ? declarator->parts : NULL; part; part = part->next)
        param->symbol->array_parameter = part->kind == CC_PART_ARRAY; /* the last part, nearest to the name, decides */
    param->symbol->maybe_unused = specs->attributes.maybe_unused || (declarator && declarator->attributes.maybe_unused);
    update_addressed(param->symbol);
    if (param->ident) {
        if (param->ident->ordinary && param->ident->ordinary->scope == p->scope)
            cc_front_error(p, param->loc, "redefinition of parameter '%s'", param->ident->text);
        cc_scope_bind(p, p->scope, param->ident, param->symbol);
    }
    return param;
}

CcParam *cc_sema_parameter_identifier(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcParam *param = CC_NEW(p->arena, CcParam);
    param->ident = ident;
    param->loc = loc;
    return param; /* its declaration creates its symbol; without one it becomes an int */
}

/* -- the rest ---------------------------------------------------------------------------------- */

void cc_sema_static_assert(CcParser *p, CcExpr *condition, const CcExpr *message, CcLoc loc)
{
    int64_t value;
    if (cc_is_error(p, condition))
        return;
    if (!cc_tree_integer_constant(condition, &value))
        cc_front_error(p, loc, "expression in static assertion is not an integer constant");
    else if (value == 0 && message && message->kind == CC_STRING && message->type->target->size == 1)
        cc_front_error(p, loc, "static assertion failed: \"%s\"", message->string);
    else if (value == 0)
        cc_front_error(p, loc, "static assertion failed");
}

/* Makes a tentative definition a definition at the end of the unit (C11 6.9.2p2). */
static void finish_variable(CcParser *p, CcSymbol *symbol)
{
    if (!symbol->tentative || symbol->type == p->error_type)
        return;
    if (symbol->type->kind == CC_ARRAY && symbol->type->incomplete) {
        cc_front_warning(p, symbol->loc, NULL, "array '%s' assumed to have one element", symbol->name);
        symbol->type = cc_type_array_of(p, symbol->type->target, 1);
    } else if (symbol->type->incomplete) {
        char *name = cc_type_name(symbol->type);
        cc_front_error(p, symbol->loc, "storage size of '%s' is not known: '%s' is incomplete", symbol->name, name);
        g_free(name);
    }
}

/* -- #pragma weak, redefine_extname ------------------------------------------------------------ */

/* Returns the symbol that a pragma names, or NULL. #pragma weak with a target declares the name itself if nothing else
 * does. */
static CcSymbol *symbol_for(CcParser *p, const CcPragma *pragma)
{
    CcSymbol *symbol = g_hash_table_lookup(p->linkage, pragma->name);
    CcSymbol *target = pragma->other ? g_hash_table_lookup(p->linkage, pragma->other) : NULL;
    if (symbol || !target || !pragma->weak)
        return symbol;
    symbol = cc_scope_new_symbol(p, target->kind, pragma->name, target->type, pragma->loc);
    symbol->file_scope = true;
    symbol->storage = CC_EXTERN;
    g_hash_table_insert(p->linkage, (gpointer)symbol->name, symbol);
    g_ptr_array_add(p->unit->symbols, symbol);
    return symbol;
}

static void apply_pragmas(CcParser *p)
{
    for (const CcPragma *pragma = p->pragmas; pragma; pragma = pragma->next) {
        CcSymbol *symbol = symbol_for(p, pragma);
        if (!symbol || symbol->storage == CC_STATIC)
            continue;
        if (!pragma->weak) {
            symbol->link_name = pragma->other;
            continue;
        }
        symbol->weak = true;
        if (pragma->other && !symbol->body && !symbol->defined)
            symbol->alias = pragma->other;
    }
}

/* -- the end of the unit ----------------------------------------------------------------------- */

void cc_sema_end_of_unit(CcParser *p)
{
    apply_pragmas(p);
    for (guint i = 0; i < p->unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(p->unit->symbols, i);
        if (symbol->kind == CC_SYM_VARIABLE)
            finish_variable(p, symbol);
    }
    cc_thread_objects_complete(p);
    cc_sema_leave_unit(p);
}
