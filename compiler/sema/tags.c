/* tags.c - struct, union and enum: tags and members (C11 6.7.2.1 to 6.7.2.3). layout.c lays them out. */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

static const char *kind_name(CcKind kind)
{
    return kind == CC_STRUCT ? "struct" : kind == CC_UNION ? "union" : "enum";
}

static CcType *declare_tag(CcParser *p, CcKind kind, CcIdent *ident, CcLoc loc)
{
    CcType *type = cc_type_tag(p, kind, ident ? ident->text : NULL, loc);
    if (ident)
        cc_use_tag(p, type->tag, 1, loc);
    if (ident)
        cc_scope_bind_tag(p, p->scope, ident, type);
    return type;
}

static CcType *wrong_kind(CcParser *p, CcIdent *ident, CcType *earlier, CcLoc loc)
{
    cc_front_error(p, loc, "'%s' is a %s, not what it is called here", ident->text, kind_name(earlier->kind));
    cc_front_note(p, earlier->tag->loc, "previous declaration is here");
    return p->error_type;
}

CcType *cc_sema_tag_reference(CcParser *p, CcKind kind, CcIdent *ident, CcLoc loc, bool declares_alone)
{
    const CcBinding *binding = ident->tag;
    if (binding && (binding->scope == p->scope || !declares_alone || kind == CC_ENUM)) {
        cc_use_tag(p, binding->type->tag, 0, loc);
        return binding->type->kind == kind ? binding->type : wrong_kind(p, ident, binding->type, loc);
    }
    if (kind == CC_ENUM)
        cc_front_warning(p, loc, "-Wpedantic", "reference to enum '%s' before it is defined", ident->text);
    if (p->scope->kind == CC_SCOPE_PROTOTYPE && !declares_alone)
        cc_front_warning(p, loc, NULL, "'%s %s' declared inside parameter list will not be visible outside of it",
                         kind_name(kind), ident->text);
    return declare_tag(p, kind, ident, loc);
}

CcType *cc_sema_tag_begin(CcParser *p, CcKind kind, CcIdent *ident, CcLoc loc)
{
    const CcBinding *binding = ident ? ident->tag : NULL;
    if (!binding || binding->scope != p->scope)
        return declare_tag(p, kind, ident, loc);
    CcType *type = binding->type;
    if (type->kind != kind) {
        wrong_kind(p, ident, type, loc);
        return cc_type_tag(p, kind, ident->text, loc);
    }
    if (type->tag->complete) {
        cc_front_error(p, loc, "redefinition of '%s %s'", kind_name(kind), ident->text);
        cc_front_note(p, type->tag->loc, "previous definition is here");
        return cc_type_tag(p, kind, ident->text, loc);
    }
    type->tag->loc = loc;
    cc_use_tag(p, type->tag, 2, loc);
    return type;
}

/* -- members ----------------------------------------------------------------------------------- */

static CcMember *new_member(CcParser *p, CcMemberList *list, const CcAttributes *attributes)
{
    uint32_t capacity = list->capacity; /* the same for both arrays */
    cc_arena_grow(p->arena, (void **)&list->items, list->count, &list->capacity, sizeof *list->items);
    cc_arena_grow(p->arena, (void **)&list->attributes, list->count, &capacity, sizeof *list->attributes);
    list->attributes[list->count] = *attributes;
    return &list->items[list->count++];
}

static bool known_member(const CcMemberList *list, const char *name)
{
    uint64_t offset;
    for (unsigned i = 0; i < list->count; i++) {
        const CcMember *item = &list->items[i];
        if (item->name == name ||
            (!item->name && cc_is_aggregate(item->type) && cc_type_find_member(item->type, name, &offset)))
            return true;
    }
    return false;
}

static void check_duplicate(CcParser *p, const CcMemberList *list, const char *name, CcLoc loc)
{
    enum { LINEAR = 256 }; /* later members are not checked: a linear search for each would be quadratic */
    if (name && list->count < LINEAR && known_member(list, name))
        cc_front_error(p, loc, "duplicate member '%s'", name);
}

/* Returns the width of a bit-field in bits, or -1 after an error. */
static int bit_width(CcParser *p, const CcDeclarator *declarator, CcType *type)
{
    const char *name = declarator->ident ? declarator->ident->text : "unnamed bit-field";
    int64_t width;
    if (cc_is_error(p, declarator->width))
        return -1;
    if (!cc_is_integer(type))
        cc_front_error(p, declarator->loc, "bit-field '%s' has a type that is not an integer", name);
    else if (!cc_tree_integer_constant(declarator->width, &width))
        cc_front_error(p, declarator->width->loc, "width of bit-field '%s' is not an integer constant", name);
    else if (width < 0)
        cc_front_error(p, declarator->width->loc, "negative width in bit-field '%s'", name);
    else if (width > (type->kind == CC_BOOL ? 1 : (int64_t)cc_bits(type)))
        cc_front_error(p, declarator->width->loc, "width of bit-field '%s' exceeds its type", name);
    else if (width == 0 && declarator->ident)
        cc_front_error(p, declarator->width->loc, "zero width for bit-field '%s'", name);
    else
        return (int)width;
    return -1;
}

/* Checks the members of an anonymous struct, also those of its own anonymous members, for names of earlier members
 * (6.7.2.1p13). */
static void check_anonymous(CcParser *p, CcMemberList *list, const CcType *type)
{
    CcMemberList before = *list;
    before.count--; /* without the anonymous struct itself */
    for (uint32_t i = 0; i < type->tag->n_members; i++) {
        const CcMember *member = &type->tag->members[i];
        if (member->name)
            check_duplicate(p, &before, member->name, member->loc);
        else if (cc_is_aggregate(member->type))
            check_anonymous(p, list, member->type);
    }
}

/* Adds a member without declarator. The members of struct { ... }; belong to the outer struct too; struct tag; only
 * declares a tag. */
static void add_anonymous(CcParser *p, CcMemberList *list, CcSpecs *specs, CcType *type)
{
    if (!cc_is_aggregate(type) || type->tag->name) {
        if (type != p->error_type && type->kind != CC_ENUM)
            cc_front_warning(p, specs->loc, NULL, "declaration does not declare anything");
        return;
    }
    CcMember *member = new_member(p, list, &specs->attributes);
    member->type = type;
    member->loc = specs->loc;
    check_anonymous(p, list, type);
}

void cc_sema_member_add(CcParser *p, CcMemberList *list, CcSpecs *specs, CcDeclarator *declarator)
{
    CcType *base = cc_sema_specs_finish(p, specs);
    if (specs->has_storage || specs->is_typedef) {
        cc_front_error(p, specs->loc, "a member cannot have a storage class");
        specs->has_storage = specs->is_typedef = false;
    }
    if (specs->noreturn_word || specs->thread || specs->inline_)
        cc_front_error(p, specs->loc, "a member cannot have '%s'",
                       specs->thread          ? "_Thread_local"
                       : specs->noreturn_word ? "_Noreturn"
                                              : "inline");
    else if (specs->alignas_word && declarator && declarator->has_width)
        cc_front_error(p, specs->loc, "alignment specified for a bit-field");
    if (!declarator) {
        add_anonymous(p, list, specs, base);
        return;
    }
    CcType *type = cc_sema_declarator_type(p, base, declarator, false);
    const char *name = declarator->ident ? declarator->ident->text : NULL;
    CcAttributes attributes = specs->attributes;
    if (specs->tag_declared && cc_is_aggregate(base))
        attributes.packed = false; /* the attribute belongs to the struct that was just defined */
    cc_sema_attributes_merge(&attributes, &declarator->attributes);
    check_duplicate(p, list, name, declarator->loc);
    int width = 0;
    if (declarator->has_width && type != p->error_type && (width = bit_width(p, declarator, type)) < 0)
        type = p->error_type;
    if (type->kind == CC_FUNCTION) {
        cc_front_error(p, declarator->loc, "member '%s' declared as a function", name);
        type = p->error_type;
    } else if (type->kind == CC_VOID || (type->incomplete && type->kind != CC_ARRAY)) {
        char *text = cc_type_name(type);
        cc_front_error(p, declarator->loc, "member '%s' has incomplete type '%s'", name ? name : "", text);
        g_free(text);
        type = p->error_type;
    } else if (cc_type_is_variably_modified(type)) {
        cc_front_error(p, declarator->loc, "a member cannot have a variably modified type");
        type = p->error_type;
    }
    CcMember *member = new_member(p, list, &attributes);
    member->name = name;
    member->type = type;
    member->loc = declarator->loc;
    member->bit_field = declarator->has_width && type != p->error_type;
    member->bit_width = (uint8_t)width;
}

/* -- enum -------------------------------------------------------------------------------------- */

void cc_sema_enumerator(CcParser *p, CcEnumState *state, CcIdent *ident, CcExpr *value, CcLoc loc)
{
    int64_t number = state->next;
    if (value && !cc_is_error(p, value) && !cc_tree_integer_constant(value, &number))
        cc_front_error(p, value->loc, "value of enumerator '%s' is not an integer constant", ident->text);
    CcSymbol *earlier = cc_scope_lookup(ident);
    if (earlier && ident->ordinary->scope == p->scope) {
        cc_front_error(p, loc, "redefinition of '%s'", ident->text);
        cc_front_note(p, earlier->loc, "previous definition is here");
    }
    bool fits = number >= INT32_MIN && number <= INT32_MAX;
    CcType *type = p->basic[fits ? CC_INT : number >= 0 && number <= UINT32_MAX ? CC_UINT : CC_LONG];
    if (!fits && value && value->type->size == 8 && !cc_type_is_signed(value->type) && number < 0)
        type = p->basic[CC_ULONG];
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_ENUMERATOR, ident->text, type, loc);
    symbol->value = number;
    cc_scope_bind(p, p->scope, ident, symbol);
    state->next = (int64_t)((uint64_t)number + 1);
    state->minimum = MIN(state->minimum, number);
    state->maximum = MAX(state->maximum, number < 0 ? 0 : (uint64_t)number);
    cc_arena_grow(p->arena, (void **)&state->items, state->count, &state->capacity, sizeof *state->items);
    state->items[state->count++] = symbol;
}

/* Chooses the integer type of the enum like gcc: unsigned int, or int if a value is negative, or a wider type. */
CcType *cc_sema_enum_finish(CcParser *p, CcEnumState *state)
{
    p->enumerating -= p->enumerating > 0;
    CcType *type = state->type;
    CcKind kind = state->minimum < 0 ? CC_INT : CC_UINT;
    if (state->minimum < INT32_MIN || (state->minimum < 0 && state->maximum > INT32_MAX))
        kind = CC_LONG;
    else if (state->maximum > UINT32_MAX)
        kind = CC_ULONG;
    type->target = p->basic[kind];
    CcTag *tag = type->tag;
    tag->size = tag->align = (uint32_t)p->basic[kind]->size;
    tag->enumerators = state->items;
    tag->n_enumerators = state->count;
    tag->complete = true;
    cc_type_complete_tag(type);
    const GByteArray *system = p->unit->seen->system;
    if (p->file < system->len && !system->data[p->file])
        g_ptr_array_add(p->unit->enums, type);
    return type;
}
