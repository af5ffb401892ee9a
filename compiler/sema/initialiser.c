/* initialiser.c - turns initialisers as written into a flat list sorted by offset (C11 6.7.9).
 *
 * The written form is a tree of braces and expressions. A cursor walks the object's scalars in order. Braces and
 * designators move it. An expression fills the scalar at the cursor; where braces were left out, the cursor first goes
 * down to the first scalar inside (6.7.9p20). A later entry replaces earlier ones for the same bytes (p19).
 *
 * Recursion goes as deep as the type or the braces nest. The parser bounds both.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

typedef struct Flattener {
    CcParser *p;
    bool is_static;
    unsigned level;       /* objects around the current one, without the outermost; a member of that is at level 0 */
    const char *name;     /* of the object, for reports; NULL: none */
    CcInit *first, *last; /* the flat list so far, sorted by offset */
    CcInit *recent;       /* last item inserted out of order: the next such item is likely to follow it */
    unsigned repeating;   /* number of designated ranges around the current object */
    GHashTable *repeated; /* in a range: the expression as written -> the hidden variable that holds its value */
} Flattener;

enum { MOST_ITEMS = 1 << 24 };

CcInitNode *cc_sema_init_node(CcParser *p, CcExpr *e, CcLoc loc)
{
    CcInitNode *node = CC_NEW(p->arena, CcInitNode);
    node->expr = e;
    node->loc = loc;
    return node;
}

static bool index_value(CcParser *p, CcExpr *e, uint64_t *value)
{
    int64_t number;
    if (cc_is_error(p, e))
        return false;
    if (!cc_tree_integer_constant(e, &number)) {
        cc_front_error(p, e->loc, "array index in initializer is not an integer constant");
        return false;
    }
    if (number < 0 && cc_type_is_signed(e->type)) {
        cc_front_error(p, e->loc, "array index in initializer is negative");
        return false;
    }
    *value = (uint64_t)number;
    return true;
}

CcDesignator *cc_sema_designator(CcParser *p, CcIdent *member, CcExpr *low, CcExpr *high, CcLoc loc)
{
    CcDesignator *designator = CC_NEW(p->arena, CcDesignator);
    designator->member = member;
    designator->loc = loc;
    if (low && index_value(p, low, &designator->low) && index_value(p, high, &designator->high) &&
        designator->high < designator->low)
        cc_front_error(p, loc, "empty index range in initializer");
    return designator;
}

/* -- the list ---------------------------------------------------------------------------------- */

static uint64_t first_bit(const CcInit *item)
{
    return item->offset * 8 + item->bit_offset;
}

static uint64_t end_bit(const CcInit *item)
{
    return first_bit(item) + (item->bit_width ? item->bit_width : MAX(item->type->size, 1) * 8);
}

static bool overlap(const CcInit *a, const CcInit *b)
{
    return first_bit(a) < end_bit(b) && first_bit(b) < end_bit(a);
}

static bool comes_before(const CcInit *a, const CcInit *b)
{
    return first_bit(a) < first_bit(b);
}

/* Inserts an item, usually at the end. After a designator that went back, searches for its position, from f->recent on
 * if possible, otherwise from the start. */
static void insert(Flattener *f, CcInit *item)
{
    if (!f->last || (comes_before(f->last, item) && !overlap(f->last, item))) {
        if (f->last)
            f->last->next = item;
        else
            f->first = item;
        f->last = item;
        return;
    }
    bool behind = f->recent && comes_before(f->recent, item) && !overlap(f->recent, item);
    CcInit **at = behind ? &f->recent->next : &f->first;
    while (*at && comes_before(*at, item) && !overlap(*at, item))
        at = &(*at)->next;
    while (*at && overlap(*at, item)) {
        if (item->value->loc.line && (*at)->value->loc.line && first_bit(*at) == first_bit(item) &&
            end_bit(*at) == end_bit(item)) {
            cc_front_warning(f->p, item->value->loc, "-Woverride-init", "this replaces an earlier initialiser");
            cc_front_note(f->p, (*at)->value->loc, "the earlier one is here");
        }
        *at = (*at)->next;
    }
    item->next = *at;
    *at = item;
    f->recent = item;
    if (!item->next)
        f->last = item;
}

/* Removes the earlier items of an object that is set as a whole again, by braces or by another member of a union. */
static void forget(Flattener *f, uint64_t offset, uint64_t size, CcLoc loc)
{
    uint64_t first = offset * 8, end = first + size * 8;
    if (!size || !f->last || end_bit(f->last) <= first)
        return;
    bool told = !loc.line;
    CcInit *last = NULL, *next;
    CcInit **link = &f->first;
    for (CcInit *item = f->first; item; item = next) {
        next = item->next;
        if (first_bit(item) < end && first < end_bit(item)) {
            if (!told && item->value->loc.line) {
                cc_front_warning(f->p, loc, "-Woverride-init", "this replaces an earlier initialiser");
                cc_front_note(f->p, item->value->loc, "the earlier one is here");
                told = true;
            }
            *link = next;
        } else {
            link = &item->next;
            last = item;
        }
    }
    f->last = last;
    f->recent = NULL;
}

static CcInit *add(Flattener *f, CcType *type, uint64_t offset, const CcMember *member, CcExpr *value)
{
    CcInit *item = CC_NEW(f->p->arena, CcInit);
    item->offset = offset;
    item->type = cc_type_unqualified(f->p, type);
    item->value = value;
    if (member && member->bit_field) {
        item->bit_offset = member->bit_offset;
        item->bit_width = member->bit_width;
        item->reach = member->reach;
    }
    insert(f, item);
    return item;
}

/* Copies the items of a compound literal into a static object (GNU). Returns false if `e` is no compound literal. */
static bool splice(Flattener *f, uint64_t offset, const CcExpr *e)
{
    if (e->kind != CC_COMPOUND)
        return false;
    for (const CcInit *part = e->symbol->init; part; part = part->next) {
        CcInit *item = CC_NEW(f->p->arena, CcInit);
        *item = *part;
        item->next = NULL;
        item->offset += offset;
        insert(f, item);
    }
    return true;
}

static bool is_simple(const CcExpr *e)
{
    while (e->kind == CC_CAST || e->kind == CC_DECAY || e->kind == CC_ADDRESS)
        e = e->left;
    return e->kind == CC_NUMBER || e->kind == CC_STRING || e->kind == CC_ADDRESS_CONSTANT ||
           (e->kind == CC_VARIABLE && !(e->type->qualifiers & CC_VOLATILE));
}

/* GNU: the value of a designated range is evaluated only once. The first element of the range that remains sets a
 * hidden variable, the others read it (keep_values()). Returns that variable, or NULL if none is needed. */
static CcSymbol *kept_once(Flattener *f, CcType *type, CcExpr *written)
{
    if (!f->repeating || f->is_static || is_simple(written))
        return NULL;
    if (!f->repeated)
        f->repeated = g_hash_table_new(NULL, NULL);
    CcSymbol *symbol = g_hash_table_lookup(f->repeated, written);
    if (!symbol) {
        symbol = cc_sema_hidden_variable(f->p, "repeated", cc_type_unqualified(f->p, type), false, written->loc);
        g_hash_table_insert(f->repeated, written, symbol);
    }
    return symbol;
}

static void keep_values(Flattener *f)
{
    g_autoptr(GHashTable) set = g_hash_table_new(NULL, NULL);
    for (CcInit *item = f->first; item; item = item->next) {
        if (!item->once)
            continue;
        CcLoc loc = item->value->loc;
        CcExpr *kept = cc_sema_variable(f->p, item->once, loc);
        bool first = g_hash_table_add(set, item->once);
        item->value = first ? cc_sema_expr_new(f->p, CC_ASSIGN, item->type, loc, kept, item->value) : kept;
    }
    g_hash_table_destroy(g_steal_pointer(&f->repeated));
}

static void add_value(Flattener *f, CcType *type, uint64_t offset, const CcMember *member, CcExpr *value)
{
    if (cc_is_error(f->p, value))
        return;
    CcAssignContext context = {CC_INITIALISING, 0, NULL, NULL};
    if (f->is_static && cc_is_aggregate(type) && cc_types_compatible_unqualified(type, value->type) &&
        splice(f, offset, value))
        return;
    CcSymbol *once = kept_once(f, type, value);
    value = cc_sema_assign_convert(f->p, value, type, &context);
    if (cc_is_error(f->p, value))
        return;
    if (f->is_static)
        value = cc_sema_static_value(f->p, value, f->name);
    if (value)
        add(f, type, offset, member, value)->once = once;
}

/* -- strings ----------------------------------------------------------------------------------- */

static bool is_string_for(const CcType *array, const CcExpr *e)
{
    if (array->kind != CC_ARRAY || !e || e->kind != CC_STRING)
        return false;
    const CcType *element = cc_type_integer_of(array->target), *unit = e->type->target;
    if (!cc_is_integer(element) || element->kind == CC_BOOL)
        return false;
    return unit->size == 1 ? element->size == 1
                           : element->kind == unit->kind || (element->size == unit->size && element->size > 1);
}

static void add_string(Flattener *f, CcType **type, uint64_t offset, CcExpr *e, bool outermost)
{
    CcType *array = *type;
    if (array->incomplete && (outermost || f->is_static)) {
        array = cc_type_array_of(f->p, array->target, e->type->length);
        if (outermost)
            *type = array;
    }
    if (e->string_size > array->size) {
        bool only_zero = e->string_size - e->type->target->size <= array->size;
        if (!only_zero)
            cc_front_warning(f->p, e->loc, NULL, "initializer-string for array of '%s' is too long", "char");
        CcExpr *cut = CC_NEW(f->p->arena, CcExpr);
        *cut = *e;
        cut->string_size = array->size;
        cut->type = cc_type_array_of(f->p, e->type->target, array->length);
        e = cut;
    }
    if (array->size)
        add(f, array, offset, NULL, e);
}

/* -- walking ----------------------------------------------------------------------------------- */

static CcInitNode *fill(Flattener *f, CcType **type, uint64_t offset, CcInitNode *node, bool braces, bool outermost);

/* Fills one object of `type` from `node`. Braces contain its parts; an expression fills it whole or its first scalar.
 * Returns the next node. */
static CcInitNode *fill_inner(Flattener *f, CcType **type, uint64_t offset, const CcMember *member, CcInitNode *node);

static CcInitNode *fill_object(Flattener *f, CcType **type, uint64_t offset, const CcMember *member, CcInitNode *node)
{
    bool flexible = (*type)->kind == CC_ARRAY && (*type)->incomplete, empty = !node->expr && !node->first;
    if (flexible && !empty && (f->level > 0 || !f->is_static)) {
        cc_front_error(f->p, node->loc,
                       f->is_static ? "initialization of a flexible array member in a nested object"
                                    : "initialization of a flexible array member of an automatic object");
        return node->next;
    }
    f->level++;
    node = fill_inner(f, type, offset, member, node);
    f->level--;
    return node;
}

static CcInitNode *fill_inner(Flattener *f, CcType **type, uint64_t offset, const CcMember *member, CcInitNode *node)
{
    CcParser *p = f->p;
    if (!node->expr) { /* braces */
        if (cc_is_scalar(*type)) {
            CcInitNode *inner = node->first;
            if (!inner)
                cc_front_error(p, node->loc, "empty scalar initializer");
            else if (inner->designators)
                cc_front_error(p, inner->loc, "designator in initializer for a scalar");
            else {
                if (inner->next)
                    cc_front_warning(p, inner->next->loc, NULL, "excess elements in scalar initializer");
                CcInitNode alone = *inner;
                alone.next = NULL;
                fill_object(f, type, offset, member, &alone);
            }
            return node->next;
        }
        forget(f, offset, (*type)->incomplete ? CC_MAX_OBJECT : (*type)->size, node->loc);
        if (node->first && !node->first->next && !node->first->designators && is_string_for(*type, node->first->expr))
            add_string(f, type, offset, node->first->expr, false);
        else
            fill(f, type, offset, node->first, true, false);
        return node->next;
    }
    if (is_string_for(*type, node->expr)) {
        add_string(f, type, offset, node->expr, false);
        return node->next;
    }
    bool whole = cc_is_error(p, node->expr) || cc_is_scalar(*type) ||
                 (cc_is_aggregate(*type) && cc_types_compatible_unqualified(*type, node->expr->type));
    if (whole || (*type)->kind == CC_VOID || (*type)->kind == CC_FUNCTION) {
        if (*type != p->error_type)
            add_value(f, *type, offset, member, node->expr);
        return node->next;
    }
    /* Braces were left out: the parts take as many of the following expressions as they need. */
    CcInitNode *before = node;
    CcInitNode *after = fill(f, type, offset, node, false, false);
    return after == before ? node->next : after; /* an object without parts takes one node too, so that the walk ends */
}

/* The part of an object that designators have reached. */
typedef struct Place {
    CcType *type;
    uint64_t offset;
    const CcMember *member;
} Place;

static bool designate_member(CcParser *p, const CcDesignator *d, Place *place)
{
    uint64_t offset;
    cc_uses_probe_member(p, d->member->text, place->type);
    const CcMember *member = cc_is_aggregate(place->type) && !place->type->incomplete
                                 ? cc_type_find_member(place->type, d->member->text, &offset)
                                 : NULL;
    if (!member) {
        char *text = cc_type_name(place->type);
        cc_front_error(p, d->loc, "'%s' has no member named '%s'", text, d->member->text);
        g_free(text);
        return false;
    }
    cc_use_member(p, member, d->loc);
    *place = (Place){member->type, place->offset + offset, member};
    return true;
}

static bool designate_index(CcParser *p, const CcDesignator *d, uint64_t index, Place *place, Flattener *growing)
{
    if (place->type->kind != CC_ARRAY) {
        cc_front_error(p, d->loc, "array index in non-array initializer");
        return false;
    }
    bool grows = growing && place->type->incomplete;
    if (!grows && index >= place->type->length) {
        cc_front_error(p, d->loc, "array index %" G_GUINT64_FORMAT " in initializer exceeds array bounds", index);
        return false;
    }
    if (grows && place->type->target->size && index > CC_MAX_OBJECT / place->type->target->size) {
        cc_front_error(p, d->loc, "array index %" G_GUINT64_FORMAT " in initializer makes the array too large", index);
        return false;
    }
    *place = (Place){place->type->target, place->offset + index * place->type->target->size, NULL};
    return true;
}

static void fill_place(Flattener *f, Place place, const CcDesignator *rest, CcInitNode *node)
{
    if (!rest) {
        CcInitNode alone = *node;
        alone.designators = NULL;
        alone.next = NULL;
        fill_object(f, &place.type, place.offset, place.member, &alone);
        return;
    }
    if (rest->member) {
        if (designate_member(f->p, rest, &place))
            fill_place(f, place, rest->next, node);
        return;
    }
    if (rest->high - rest->low > MOST_ITEMS) {
        cc_front_error(f->p, rest->loc, "index range in initializer is too long");
        return;
    }
    f->repeating += rest->high > rest->low;
    for (uint64_t i = rest->low; i <= rest->high; i++) {
        Place inner = place;
        if (!designate_index(f->p, rest, i, &inner, NULL))
            break;
        fill_place(f, inner, rest->next, node);
    }
    f->repeating -= rest->high > rest->low;
}

static void excess(CcParser *p, const CcInitNode *node, const char *what)
{
    cc_front_warning(p, node->expr ? node->expr->loc : node->loc, NULL, "excess elements in %s initializer", what);
}

/* Makes the object reach to offset `end`, by a zero in its last byte if necessary. A flexible array needs it if its
 * last elements have empty lists. */
static void reach(Flattener *f, uint64_t end)
{
    if (f->last && end_bit(f->last) >= end * 8)
        return;
    CcType *byte = f->p->basic[CC_CHAR];
    add(f, byte, end - 1, NULL, cc_sema_integer(f->p, byte, 0, (CcLoc){0}));
}

static CcInitNode *fill_array(Flattener *f, CcType **type, uint64_t offset, CcInitNode *node, bool braces,
                              bool outermost)
{
    CcType *array = *type, *element = array->target;
    bool grows = array->incomplete && (outermost || f->is_static); /* GNU: static flexible array members too */
    if (array->incomplete && !grows) {
        if (node)
            cc_front_error(f->p, node->loc, "initialization of a flexible array member of an automatic object");
        return NULL;
    }
    uint64_t i = 0, highest = 0;
    while (node) {
        const CcDesignator *d = node->designators;
        if (d && !braces)
            break;
        if (d) {
            Place place = {array, offset, NULL};
            if (d->member || !designate_index(f->p, d, d->high, &place, f)) {
                if (d->member)
                    cc_front_error(f->p, d->loc, "field name not in struct or union initializer");
                node = node->next;
                continue;
            }
            if (!d->next && d->low == d->high) { /* the next nodes may fill the rest, without braces */
                i = d->high;
                CcInitNode plain = *node;
                plain.designators = NULL;
                node = fill_object(f, &element, offset + i * element->size, NULL, &plain);
                i++;
                highest = MAX(highest, i);
                continue;
            }
            if (d->high - d->low > MOST_ITEMS)
                cc_front_error(f->p, d->loc, "index range in initializer is too long");
            f->repeating += d->high > d->low;
            for (i = d->low; i <= d->high && d->high - d->low <= MOST_ITEMS; i++)
                fill_place(f, (Place){element, offset + i * element->size, NULL}, d->next, node);
            f->repeating -= d->high > d->low;
            highest = MAX(highest, i);
            node = node->next;
            continue;
        }
        if (!grows && i >= array->length) {
            if (!braces)
                break;
            excess(f->p, node, "array");
            return NULL;
        }
        node = fill_object(f, &element, offset + i * element->size, NULL, node);
        i++;
        highest = MAX(highest, i);
    }
    if (outermost && array->incomplete)
        *type = cc_type_array_of(f->p, element, highest);
    else if (array->incomplete && highest && element->size)
        reach(f, offset + highest * element->size);
    return node;
}

/* Returns the index of the member that is called `name` or, if anonymous, contains that member. */
static uint32_t member_index(const CcType *type, const char *name)
{
    uint64_t offset;
    for (uint32_t i = 0; i < type->tag->n_members; i++) {
        const CcMember *member = &type->tag->members[i];
        if (member->name == name ||
            (!member->name && cc_is_aggregate(member->type) && cc_type_find_member(member->type, name, &offset)))
            return i;
    }
    return type->tag->n_members;
}

/* Warns of a list like { 1, 2 } for more than two members. { 0 } is no mistake: it sets all members to zero. */
static void check_missing(CcParser *p, const CcType *type, const CcInitNode *first, uint32_t n)
{
    const CcTag *tag = type->tag;
    bool zero = first && !first->next && first->expr && first->expr->kind == CC_NUMBER && first->expr->integer == 0;
    const CcInitNode *last = first;
    for (const CcInitNode *node = first; node; node = node->next) {
        if (node->designators)
            return;
        last = node;
    }
    if (first && !zero && type->kind == CC_STRUCT && n < tag->n_members && tag->members[n].name && last->loc.line)
        cc_front_warning(p, last->loc, "-Wmissing-field-initializers", "the initialiser leaves out member '%s'",
                         tag->members[n].name);
}

static CcInitNode *fill_record(Flattener *f, CcType **type, uint64_t offset, CcInitNode *node, bool braces)
{
    const CcTag *tag = (*type)->tag;
    const CcInitNode *first = node;
    uint32_t i = 0;
    bool taken = false; /* a union takes a single value */
    while (node) {
        const CcDesignator *d = node->designators;
        if (d && !braces)
            break;
        if (d) {
            if (taken && (*type)->kind == CC_UNION && !d->next)
                forget(f, offset, (*type)->size, (CcLoc){0});
            taken = true;
            Place place = {*type, offset, NULL};
            if (!d->member) {
                cc_front_error(f->p, d->loc, "array index in non-array initializer");
                node = node->next;
            } else if (!designate_member(f->p, d, &place)) {
                node = node->next;
            } else if (!d->next && place.member) {
                i = member_index(*type, d->member->text);
                CcInitNode plain = *node;
                plain.designators = NULL;
                node = fill_object(f, &place.type, place.offset, place.member, &plain);
                i++;
            } else {
                i = member_index(*type, d->member->text) + 1;
                fill_place(f, place, d->next, node);
                node = node->next;
            }
            continue;
        }
        while (i < tag->n_members && !tag->members[i].name && tag->members[i].bit_field)
            i++; /* unnamed bit-fields are not initialised (6.7.9p9) */
        if (i >= tag->n_members || ((*type)->kind == CC_UNION && taken)) {
            if (!braces)
                break;
            excess(f->p, node, (*type)->kind == CC_UNION ? "union" : "struct");
            return NULL;
        }
        taken = true;
        const CcMember *member = &tag->members[i++];
        CcType *member_type = member->type;
        node = fill_object(f, &member_type, offset + member->offset, member, node);
    }
    if (braces)
        check_missing(f->p, *type, first, i);
    return node;
}

static CcInitNode *fill(Flattener *f, CcType **type, uint64_t offset, CcInitNode *node, bool braces, bool outermost)
{
    if ((*type)->kind == CC_ARRAY)
        return fill_array(f, type, offset, node, braces, outermost);
    if (cc_is_aggregate(*type))
        return fill_record(f, type, offset, node, braces);
    if (node && *type != f->p->error_type)
        cc_front_error(f->p, node->loc, "invalid initializer");
    return NULL;
}

CcInit *cc_sema_flatten(CcParser *p, CcType **type, CcInitNode *node, bool is_static, const char *name)
{
    Flattener f = {.p = p, .is_static = is_static, .name = name};
    if (*type == p->error_type)
        return NULL;
    CcExpr *single = node->expr;
    if (!single && node->first && !node->first->next && !node->first->designators &&
        is_string_for(*type, node->first->expr))
        single = node->first->expr;
    if (single && is_string_for(*type, single))
        add_string(&f, type, 0, single, true);
    else if (!node->expr && !cc_is_scalar(*type))
        fill(&f, type, 0, node->first, true, true);
    else if ((*type)->kind == CC_ARRAY) {
        if (node->expr->kind == CC_COMPOUND && cc_types_compatible_unqualified(*type, node->expr->type) && is_static) {
            *type = node->expr->type; /* GNU: an array initialised by a compound literal */
            splice(&f, 0, node->expr);
        } else if (!cc_is_error(p, node->expr))
            cc_front_error(p, node->loc, "invalid initializer: an array needs a list in braces");
    } else
        fill_object(&f, type, 0, NULL, node);
    if (f.repeated)
        keep_values(&f);
    return f.first;
}
