/* types.c - makes types from specifiers and declarators (C11 6.7.2, 6.7.6, 6.7.7).
 *
 * A declarator is a list of parts in the order in which they apply: for "*a[3]", pointer, then array. One walk over the
 * list, starting from the base type, makes the type.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- specifiers -------------------------------------------------------------------------------- */

CcSpecs *cc_sema_specs_new(CcParser *p, CcLoc loc)
{
    CcSpecs *specs = CC_NEW(p->arena, CcSpecs);
    specs->loc = loc;
    return specs;
}

/* Reports two types in one declaration. Most often the ';' behind a struct is missing; then goes on with the second
 * type. */
static void second_type(CcParser *p, CcSpecs *specs, CcLoc loc)
{
    if (specs->type == p->error_type)
        return;
    if (!specs->tag_declared) {
        cc_front_error(p, loc, "two or more types in one declaration");
        return;
    }
    char *name = cc_type_name(specs->type);
    cc_front_error(p, cc_front_behind_previous(p), "expected ';' after '%s'", name);
    g_free(name);
    specs->type = NULL;
    specs->tag_declared = false;
}

void cc_sema_specs_word(CcParser *p, CcSpecs *specs, unsigned word, CcLoc loc)
{
    if (specs->type)
        second_type(p, specs, loc);
    if (specs->type)
        return;
    if (word == CC_WORD_LONG && specs->words & CC_WORD_LONG)
        word = CC_WORD_LONG_LONG;
    if (word == CC_WORD_LONG_LONG)
        cc_front_warning(p, loc, "-Wlong-long", "C90 has no 'long long'");
    if (specs->words & word)
        cc_front_error(p, loc, word == CC_WORD_LONG_LONG ? "'long long long' is too long" : "duplicate type specifier");
    specs->words |= word;
}

void cc_sema_specs_storage(CcParser *p, CcSpecs *specs, CcStorage storage, CcLoc loc)
{
    if (specs->has_storage || specs->is_typedef)
        cc_front_error(p, loc, "more than one storage class in a declaration");
    specs->has_storage = true;
    specs->storage = storage;
}

void cc_sema_specs_typedef(CcParser *p, CcSpecs *specs, CcLoc loc)
{
    if (specs->has_storage || specs->is_typedef)
        cc_front_error(p, loc, "more than one storage class in a declaration");
    specs->is_typedef = true;
}

void cc_sema_specs_type(CcParser *p, CcSpecs *specs, CcType *type, CcLoc loc)
{
    if (type == p->error_type) {
        specs->type = type;
        return;
    }
    if (specs->type)
        second_type(p, specs, loc);
    else if (specs->words)
        cc_front_error(p, loc, "two or more types in one declaration");
    if (specs->type || specs->words)
        return;
    specs->type = type;
}

void cc_sema_specs_align(CcParser *p, CcSpecs *specs, CcExpr *expr, CcType *type, CcLoc loc)
{
    int64_t align = type ? type->align : 0;
    if (expr && !cc_is_error(p, expr) && !cc_tree_integer_constant(expr, &align)) {
        cc_front_error(p, loc, "requested alignment is not an integer constant");
        return;
    }
    if (align < 0 || align > 65536 || (align & (align - 1))) {
        cc_front_error(p, loc, "requested alignment %" G_GINT64_FORMAT " is not a power of 2 up to 65536", align);
        return;
    }
    specs->alignas_word = true;
    specs->attributes.align = MAX(specs->attributes.align, (uint32_t)align);
}

/* Every legal combination of words (C11 6.7.2p2). Redundant words, int and signed, are dropped before the lookup. */
static const struct {
    unsigned words;
    CcKind kind;
} combinations[] = {
    {CC_WORD_VOID, CC_VOID},
    {CC_WORD_BOOL, CC_BOOL},
    {CC_WORD_CHAR, CC_CHAR},
    {CC_WORD_CHAR | CC_WORD_SIGNED, CC_SCHAR},
    {CC_WORD_CHAR | CC_WORD_UNSIGNED, CC_UCHAR},
    {CC_WORD_SHORT, CC_SHORT},
    {CC_WORD_SHORT | CC_WORD_UNSIGNED, CC_USHORT},
    {CC_WORD_INT, CC_INT},
    {CC_WORD_INT | CC_WORD_UNSIGNED, CC_UINT},
    {CC_WORD_UNSIGNED, CC_UINT},
    {CC_WORD_SIGNED, CC_INT},
    {CC_WORD_LONG, CC_LONG},
    {CC_WORD_LONG | CC_WORD_UNSIGNED, CC_ULONG},
    {CC_WORD_LONG | CC_WORD_LONG_LONG, CC_LLONG},
    {CC_WORD_LONG | CC_WORD_LONG_LONG | CC_WORD_UNSIGNED, CC_ULLONG},
    {CC_WORD_INT128, CC_INT128},
    {CC_WORD_INT128 | CC_WORD_UNSIGNED, CC_UINT128},
    {CC_WORD_FLOAT, CC_FLOAT},
    {CC_WORD_DOUBLE, CC_DOUBLE},
    {CC_WORD_DOUBLE | CC_WORD_LONG, CC_LDOUBLE},
    {CC_WORD_COMPLEX, CC_CDOUBLE},
    {CC_WORD_FLOAT | CC_WORD_COMPLEX, CC_CFLOAT},
    {CC_WORD_DOUBLE | CC_WORD_COMPLEX, CC_CDOUBLE},
    {CC_WORD_DOUBLE | CC_WORD_LONG | CC_WORD_COMPLEX, CC_CLDOUBLE},
};

static CcType *type_of_words(CcParser *p, CcSpecs *specs)
{
    unsigned words = specs->words;
    if (words & CC_WORD_INT && words & (CC_WORD_SHORT | CC_WORD_LONG))
        words &= ~(unsigned)CC_WORD_INT;
    if (words & CC_WORD_SIGNED && words & (CC_WORD_SHORT | CC_WORD_INT | CC_WORD_LONG | CC_WORD_INT128) &&
        !(words & CC_WORD_UNSIGNED))
        words &= ~(unsigned)CC_WORD_SIGNED;
    for (size_t i = 0; i < G_N_ELEMENTS(combinations); i++)
        if (combinations[i].words == words)
            return p->basic[combinations[i].kind];
    cc_front_error(p, specs->loc, "these type specifiers cannot be combined");
    return p->error_type;
}

CcType *cc_sema_specs_finish(CcParser *p, CcSpecs *specs)
{
    if (!specs->finished) {
        if (!specs->type && specs->words)
            specs->type = type_of_words(p, specs);
        if (!specs->type) {
            specs->type = p->basic[CC_INT];
            specs->implicit_int = true;
        }
        const CcType *element = specs->type;
        while (element->kind == CC_ARRAY)
            element = element->target;
        if (specs->qualifiers & CC_RESTRICT && element->kind != CC_POINTER && specs->type != p->error_type)
            cc_front_error(p, specs->loc, "'restrict' needs a pointer type");
        specs->type = cc_type_qualified(p, specs->type, specs->qualifiers);
        specs->finished = true;
    }
    return specs->type;
}

/* -- attributes -------------------------------------------------------------------------------- */

void cc_sema_attributes_merge(CcAttributes *into, const CcAttributes *from)
{
    if (!from)
        return;
    into->align = MAX(into->align, from->align);
    into->packed |= from->packed;
    if (from->layout)
        into->layout = from->layout;
    into->weak |= from->weak;
    into->constructor |= from->constructor;
    into->destructor |= from->destructor;
    into->noreturn_ |= from->noreturn_;
    into->gnu_inline |= from->gnu_inline;
    into->always_inline |= from->always_inline;
    into->no_inline |= from->no_inline;
    into->maybe_unused |= from->maybe_unused;
    into->must_use |= from->must_use;
    into->deprecated |= from->deprecated;
    into->fallthrough |= from->fallthrough;
    into->transparent |= from->transparent;
    into->nonnull |= from->nonnull;
    if (from->deprecated_text)
        into->deprecated_text = from->deprecated_text;
    if (from->warning_text)
        into->warning_text = from->warning_text;
    if (from->format)
        into->format = from->format;
    if (from->alias)
        into->alias = from->alias;
    if (from->weakref)
        into->weakref = from->weakref;
    if (from->constructor_priority)
        into->constructor_priority = from->constructor_priority;
    if (from->destructor_priority)
        into->destructor_priority = from->destructor_priority;
    if (from->mode_size)
        into->mode_size = from->mode_size;
    into->mode_real |= from->mode_real;
}

/* Reads an attribute like mode(DI), which chooses a type by its size. The scanner passes the argument as part of the
 * name. */
static bool read_mode(const char *plain, CcAttributes *into)
{
    static const struct {
        const char *name;
        uint8_t size;
        bool real;
    } modes[] = {{"QI", 1, false},  {"byte", 1, false}, {"HI", 2, false},      {"SI", 4, false}, {"DI", 8, false},
                 {"TI", 16, false}, {"word", 8, false}, {"pointer", 8, false}, {"SF", 4, true},  {"DF", 8, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
        const char *at = strstr(plain, modes[i].name);
        if (at) {
            into->mode_size = modes[i].size;
            into->mode_real = modes[i].real;
            return true;
        }
    }
    return false;
}

CcType *cc_sema_mode_type(CcParser *p, CcType *type, const CcAttributes *attributes)
{
    if (!attributes->mode_size || !cc_is_arithmetic(type))
        return type;
    if (attributes->mode_real)
        return p->basic[attributes->mode_size == 4 ? CC_FLOAT : CC_DOUBLE];
    if (attributes->mode_size == 16)
        return cc_type_qualified(p, p->basic[cc_type_is_signed(type) ? CC_INT128 : CC_UINT128], type->qualifiers);
    static const CcKind kinds[2][9] = {{[1] = CC_UCHAR, [2] = CC_USHORT, [4] = CC_UINT, [8] = CC_ULONG},
                                       {[1] = CC_SCHAR, [2] = CC_SHORT, [4] = CC_INT, [8] = CC_LONG}};
    return cc_type_qualified(p, p->basic[kinds[cc_type_is_signed(type)][attributes->mode_size]], type->qualifiers);
}

static uint32_t attribute_align(CcParser *p, CcExpr **arguments, unsigned n, CcLoc loc)
{
    int64_t align = 16; /* without argument: the largest alignment of the target */
    if (n > 0 && (n > 1 || !cc_tree_integer_constant(arguments[0], &align) || align <= 0 || align > 65536 ||
                  (align & (align - 1)))) {
        cc_front_error(p, loc, "requested alignment is not a power of 2 up to 65536");
        return 0;
    }
    return (uint32_t)align;
}

/* Returns the priority in constructor(101), or 0 for none. Lower priorities run earlier, constructors without one last.
 */
static uint16_t attribute_priority(CcParser *p, CcExpr **arguments, unsigned n, CcLoc loc)
{
    int64_t priority = 0;
    if (n == 0)
        return 0;
    if (n > 1 || !cc_tree_integer_constant(arguments[0], &priority) || priority < 0 || priority > 65535)
        cc_front_error(p, loc, "the priority of a constructor or destructor is an integer from 0 to 65535");
    return (uint16_t)priority;
}

/* Returns the mask for "nonnull(1, 3)": bit i stands for parameter i + 1. No numbers: all bits, for every pointer. */
static uint64_t read_nonnull(const char *plain)
{
    uint64_t mask = 0;
    for (const char *at = plain; *at; at++) {
        if (!g_ascii_isdigit(*at))
            continue;
        char *end;
        guint64 number = g_ascii_strtoull(at, &end, 10);
        mask |= number >= 1 && number <= 63 ? (uint64_t)1 << (number - 1) : 0;
        at = end - 1;
    }
    return mask ? mask : UINT64_MAX;
}

/* Reads an attribute like "format(printf, 1, 2)". NULL: not a known format. */
static const CcFormat *read_format(CcParser *p, const char *plain)
{
    static const struct {
        const char *name;
        int kind;
    } kinds[] = {{"printf", CC_FORMAT_PRINTF}, {"scanf", CC_FORMAT_SCANF}, {"strftime", CC_FORMAT_STRFTIME}};
    const char *comma = strchr(plain, ',');
    for (size_t i = 0; i < G_N_ELEMENTS(kinds) && comma; i++) {
        const char *at = strstr(plain, kinds[i].name);
        if (!at || at > comma)
            continue;
        CcFormat *format = CC_NEW(p->arena, CcFormat);
        char *end;
        format->kind = kinds[i].kind;
        format->format = (unsigned)g_ascii_strtoull(comma + 1, &end, 10);
        while (*end == ' ' || *end == ',')
            end++;
        format->first = (unsigned)g_ascii_strtoull(end, NULL, 10);
        return format->format ? format : NULL;
    }
    return NULL;
}

/* Returns the text in "deprecated("text")", or NULL if there is none. Adjacent literals are joined (C11 6.4.5p5). */
static const char *quoted(CcParser *p, const char *plain)
{
    GString *text = NULL;
    for (const char *open = strchr(plain, '"'); open; open = strchr(open, '"')) {
        const char *close = strchr(open + 1, '"');
        if (!close)
            break;
        text = text ? text : g_string_new(NULL);
        g_string_append_len(text, open + 1, close - open - 1);
        open = close + 1;
    }
    const char *kept = text ? cc_arena_strdup(p->arena, text->str, text->len) : NULL;
    if (text)
        g_string_free(text, TRUE);
    return kept;
}

/* Reads an attribute that only warnings use. Returns false if it is another one. */
static bool attribute_for_warnings(CcParser *p, CcAttributes *into, const char *plain)
{
    if (strcmp(plain, "unused") == 0 || strcmp(plain, "used") == 0)
        into->maybe_unused = true;
    else if (strcmp(plain, "warn_unused_result") == 0)
        into->must_use = true;
    else if (strcmp(plain, "fallthrough") == 0)
        into->fallthrough = true;
    else if (g_str_has_prefix(plain, "nonnull"))
        into->nonnull |= read_nonnull(plain);
    else if (g_str_has_prefix(plain, "format("))
        into->format = read_format(p, plain);
    else if (g_str_has_prefix(plain, "deprecated")) {
        into->deprecated = true;
        into->deprecated_text = quoted(p, plain);
    } else if (g_str_has_prefix(plain, "warning("))
        into->warning_text = quoted(p, plain);
    else
        return false;
    return true;
}

void cc_sema_attribute(CcParser *p, CcAttributes *into, CcIdent *name, CcExpr **arguments, unsigned n, CcLoc loc)
{
    char *plain = g_strdup(name->text);
    size_t length = strlen(plain);
    if (length > 4 && g_str_has_prefix(plain, "__") && g_str_has_suffix(plain, "__")) {
        memmove(plain, plain + 2, length - 4);
        plain[length - 4] = '\0';
    }
    if (strcmp(plain, "aligned") == 0)
        into->align = attribute_align(p, arguments, n, loc);
    else if (strcmp(plain, "packed") == 0)
        into->packed = true;
    else if (strcmp(plain, "ms_struct") == 0 || strcmp(plain, "gcc_struct") == 0)
        into->layout = plain[0] == 'm' ? CC_LAYOUT_MS : CC_LAYOUT_GCC;
    else if (strcmp(plain, "weak") == 0)
        into->weak = true;
    else if (strcmp(plain, "constructor") == 0)
        into->constructor = true, into->constructor_priority = attribute_priority(p, arguments, n, loc);
    else if (strcmp(plain, "destructor") == 0)
        into->destructor = true, into->destructor_priority = attribute_priority(p, arguments, n, loc);
    else if (strcmp(plain, "transparent_union") == 0)
        into->transparent = true;
    else if (strcmp(plain, "noreturn") == 0)
        into->noreturn_ = true;
    else if (strcmp(plain, "gnu_inline") == 0)
        into->gnu_inline = true;
    else if (strcmp(plain, "always_inline") == 0)
        into->always_inline = true;
    else if (strcmp(plain, "noinline") == 0 || strcmp(plain, "noipa") == 0)
        into->no_inline = true;
    else if (strcmp(plain, "alias") == 0 && n == 1 && arguments[0]->kind == CC_STRING)
        into->alias = arguments[0]->string;
    else if (strcmp(plain, "weakref") == 0 && n == 1 && arguments[0]->kind == CC_STRING)
        into->weakref = arguments[0]->string;
    else if (attribute_for_warnings(p, into, plain))
        ;
    else if (g_str_has_prefix(plain, "mode(") && read_mode(plain, into))
        ;
    else if (strcmp(plain, "vector_size") == 0 || g_str_has_prefix(plain, "mode(") || strcmp(plain, "cleanup") == 0 ||
             strcmp(plain, "scalar_storage_order") == 0)
        cc_front_error(p, loc, "attribute '%s' changes the meaning of the program and is not supported", plain);
    g_free(plain);
}

/* -- declarators ------------------------------------------------------------------------------- */

CcDeclarator *cc_sema_declarator_new(CcParser *p, CcIdent *ident, CcLoc loc)
{
    CcDeclarator *declarator = CC_NEW(p->arena, CcDeclarator);
    declarator->ident = ident;
    declarator->loc = loc;
    return declarator;
}

CcPart *cc_sema_part_new(CcParser *p, CcPartKind kind, CcLoc loc)
{
    CcPart *part = CC_NEW(p->arena, CcPart);
    part->kind = kind;
    part->loc = loc;
    return part;
}

CcDeclarator *cc_sema_declarator_add(CcParser *p, CcDeclarator *declarator, CcPart *parts)
{
    CcPart *last = parts;
    unsigned n = 1;
    for (; last->next; last = last->next)
        n++;
    last->next = declarator->parts;
    declarator->parts = parts;
    declarator->n_parts += n;
    if (declarator->n_parts > CC_MAX_TYPE_DEPTH) {
        if (!p->stop)
            cc_front_fatal(p, parts->loc, "a type is nested deeper than %d levels", CC_MAX_TYPE_DEPTH);
        declarator->parts = NULL;
        declarator->n_parts = 0;
    }
    return declarator;
}

static CcType *variable_array(CcParser *p, CcType *element, const CcPart *part)
{
    CcType *type = cc_type_array_of(p, element, 0);
    type->size = 0;
    type->variable = true;
    CcType *size_type = p->basic[CC_ULONG];
    type->length_symbol =
        cc_sema_hidden_variable(p, part->star ? "unspecified" : "length", size_type, false, part->loc);
    if (part->length)
        type->length_expr = cc_sema_convert(p, part->length, size_type);
    else if (part->star)
        type->length_expr = NULL;
    else
        type->length_expr = cc_sema_integer(p, size_type, element ? type->length : 0, part->loc);
    return type;
}

/* Makes an array of constant length whose elements have variable size. Its own size is variable too. */
static CcType *array_of_variable(CcParser *p, CcType *element, const CcPart *part, uint64_t length)
{
    CcPart constant = *part;
    constant.length = cc_sema_integer(p, p->basic[CC_ULONG], length, part->loc);
    return variable_array(p, element, &constant);
}

static const char *name_or(const CcDeclarator *declarator, const char *otherwise)
{
    return declarator->ident ? declarator->ident->text : otherwise;
}

static CcType *apply_array(CcParser *p, CcType *element, const CcPart *part, CcDeclarator *declarator,
                           bool outermost_parameter)
{
    CcLoc loc = declarator->ident ? declarator->loc : part->loc;
    if (element == p->error_type)
        return element;
    if (element->kind == CC_FUNCTION || element->kind == CC_VOID) {
        cc_front_error(p, loc, "'%s' declared as array of %s", name_or(declarator, "type name"),
                       element->kind == CC_VOID ? "voids" : "functions");
        return p->error_type;
    }
    if (element->incomplete) {
        char *name = cc_type_name(element);
        cc_front_error(p, loc, "array has incomplete element type '%s'", name);
        g_free(name);
        return p->error_type;
    }
    if (!part->length && !part->star) {
        CcType *type = cc_type_array_of(p, element, 0);
        type->size = 0;
        type->incomplete = true;
        return type;
    }
    if (part->star)
        return variable_array(p, element, part);
    CcExpr *length = cc_sema_rvalue(p, part->length);
    if (cc_is_error(p, length))
        return p->error_type;
    if (!cc_is_integer(length->type)) {
        cc_front_error(p, length->loc, "size of array '%s' has non-integer type", name_or(declarator, "type name"));
        return p->error_type;
    }
    int64_t n;
    if (!cc_tree_integer_constant(length, &n)) {
        if (!p->function && p->scope->kind != CC_SCOPE_PROTOTYPE) {
            cc_front_error(p, length->loc, "variably modified '%s' at file scope", name_or(declarator, "type"));
            return p->error_type;
        }
        if (!outermost_parameter)
            return variable_array(p, element, part);
        declarator->length = length;
        return cc_type_array_of(p, element, 0);
    }
    bool negative = n < 0 && cc_type_is_signed(length->type);
    if (negative) {
        cc_front_error(p, length->loc, "size of array '%s' is negative", name_or(declarator, "type name"));
        return p->error_type;
    }
    if (cc_type_has_variable_size(element))
        return outermost_parameter ? cc_type_array_of(p, element, 0) : array_of_variable(p, element, part, (uint64_t)n);
    if (element->size && (uint64_t)n > CC_MAX_OBJECT / element->size) {
        cc_front_error(p, length->loc, "size of array '%s' is too large", name_or(declarator, "type name"));
        return p->error_type;
    }
    return cc_type_array_of(p, element, (uint64_t)n);
}

static CcType *apply_function(CcParser *p, CcType *result, const CcPart *part, const CcDeclarator *declarator)
{
    if (result == p->error_type)
        return result;
    if (result->kind == CC_FUNCTION || result->kind == CC_ARRAY) {
        cc_front_error(p, declarator->loc, "'%s' declared as function returning %s", name_or(declarator, "type name"),
                       result->kind == CC_ARRAY ? "an array" : "a function");
        return p->error_type;
    }
    result = cc_type_unqualified(p, result);
    if (part->identifiers && part->prototype)
        return cc_type_function(p, result, part->prototype->parameters, part->prototype->n_parameters, false, false);
    if (part->identifiers)
        return cc_type_function(p, result, NULL, 0, false, true);
    const CcParam *param = part->params;
    if (part->n_params == 1 && param->symbol->type->kind == CC_VOID && !param->ident && !part->variadic)
        return cc_type_function(p, result, NULL, 0, false, false);
    CcType **types = cc_arena_alloc(p->arena, (part->n_params + 1) * sizeof *types);
    unsigned n = 0;
    for (; param; param = param->next) {
        if (param->symbol->type->kind == CC_VOID) {
            cc_front_error(p, param->loc,
                           part->n_params == 1 ? "a parameter cannot have type 'void'"
                                               : "'void' must be the only parameter");
            types[n++] = p->error_type;
        } else
            types[n++] = param->symbol->type;
    }
    return cc_type_function(p, result, types, n, part->variadic, false);
}

/* Adjusts the type of a parameter: an array or function becomes a pointer (C11 6.7.6.3p7-8). */
static CcType *adjust_parameter(CcParser *p, CcType *type, unsigned qualifiers)
{
    if (type->kind == CC_ARRAY)
        return cc_type_qualified(p, cc_type_pointer_to(p, type->target), qualifiers);
    if (type->kind == CC_FUNCTION)
        return cc_type_pointer_to(p, type);
    return type;
}

CcType *cc_sema_declarator_type(CcParser *p, CcType *base, CcDeclarator *declarator, bool parameter)
{
    CcType *type = base;
    unsigned qualifiers = 0;
    if (declarator->parts && declarator->n_parts + cc_type_depth(base) > CC_MAX_TYPE_DEPTH) {
        cc_front_fatal(p, declarator->loc, "a type is nested deeper than %d levels", CC_MAX_TYPE_DEPTH);
        return p->error_type;
    }
    for (const CcPart *part = declarator->parts; part; part = part->next) {
        qualifiers = 0;
        switch (part->kind) {
        case CC_PART_POINTER:
            if (type != p->error_type)
                type = cc_type_qualified(p, cc_type_pointer_to(p, type), part->qualifiers);
            break;
        case CC_PART_ARRAY:
            type = apply_array(p, type, part, declarator, parameter && !part->next);
            qualifiers = part->qualifiers;
            if (!(parameter && !part->next) && (part->qualifiers || part->is_static))
                cc_front_error(p, part->loc, "qualifiers or 'static' in an array that is not a parameter");
            break;
        case CC_PART_FUNCTION: type = apply_function(p, type, part, declarator); break;
        }
    }
    return parameter ? adjust_parameter(p, type, qualifiers) : type;
}

CcType *cc_sema_type_of_name(CcParser *p, CcSpecs *specs, CcDeclarator *declarator)
{
    CcType *base = cc_sema_specs_finish(p, specs);
    if (specs->has_storage || specs->is_typedef || specs->inline_)
        cc_front_error(p, specs->loc, "a type name cannot have a storage class");
    if (specs->noreturn_word || specs->alignas_word || specs->thread)
        cc_front_error(p, specs->loc, "a type name cannot have '%s'",
                       specs->noreturn_word  ? "_Noreturn"
                       : specs->alignas_word ? "_Alignas"
                                             : "_Thread_local");
    return declarator ? cc_sema_declarator_type(p, base, declarator, false) : base;
}

CcType *cc_sema_auto_type(CcParser *p, CcExpr *expr)
{
    expr = cc_sema_rvalue(p, expr);
    return cc_is_error(p, expr) ? p->error_type : cc_type_unqualified(p, cc_type_evaluated(p, expr->type));
}

CcType *cc_sema_typeof_type(CcParser *p, const CcExpr *expr)
{
    return cc_type_evaluated(p, expr->type);
}
