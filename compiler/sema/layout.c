/* layout.c - the layout of structs and unions.
 *
 * Layout is that of the System V ABI for x86-64 as gcc implements it, except that long double has 8 bytes:
 *
 *   - A member is placed at the next multiple of its alignment (packed: 1; aligned(n): at least n).
 *   - A bit-field is placed in the storage unit of its declared type that contains the next free bit. If it would cross
 *     the end of that unit, it starts the next unit. If packed, it starts at the next free bit in any case.
 *   - #pragma pack(n) limits the alignment of members, and packs bit-fields like packed ones.
 *   - A zero-width bit-field moves to the next boundary of its type.
 *   - Named bit-fields give the struct the alignment of their type, unnamed ones do not.
 *
 * ms_struct is the layout of Microsoft's compilers, as gcc's manual describes it. Neighbouring bit-fields share a unit
 * only if their types have the same size. A member of another kind ends the unit. A zero-width bit-field has an effect
 * only behind a bit-field.
 *
 * CcMember.offset of a bit-field is that of its storage unit. The unit is moved so that it contains the field and, if
 * possible, does not reach past the end of the struct. CcMember.reach is the number of bytes from there that an access
 * to the field may touch.
 */
#include "compiler/front/front.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"

#include <string.h>

typedef struct Layout {
    uint64_t bits;  /* offset of the next free bit */
    uint64_t bytes; /* union: its size so far */
    uint32_t align; /* alignment so far, in bytes */
    uint32_t most;  /* #pragma pack: greatest alignment of a member in bytes; 0: no limit */
    bool is_union, packed;
    struct {                   /* ms_struct */
        const CcMember *field; /* the last bit-field, whose unit is open; NULL: none */
        uint64_t left;         /* free bits at the end of that unit */
    } run;
} Layout;

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static uint32_t capped(const Layout *layout, uint32_t align)
{
    return layout->most ? MIN(align, layout->most) : align;
}

static uint32_t member_align(const Layout *layout, const CcMember *member, const CcAttributes *attributes)
{
    uint32_t align = layout->packed || attributes->packed ? 1 : member->type->align;
    return capped(layout, MAX(align, attributes->align));
}

/* Sets the storage unit of a field at bit `at`: an aligned unit of its type if the field fits in, otherwise the unit
 * that begins with the field's first byte. */
static void set_unit(CcMember *member, uint64_t at)
{
    uint64_t unit = cc_bits(member->type), start = at / unit * unit;
    if (at + member->bit_width > start + unit)
        start = at / 8 * 8;
    member->offset = start / 8;
    member->bit_offset = (uint8_t)(at - start);
}

static void place_bit_field(Layout *layout, CcMember *member, const CcAttributes *attributes)
{
    uint64_t unit = cc_bits(member->type);
    bool packed = layout->packed || attributes->packed;
    uint32_t natural = member->type->align;
    bool dense = packed || layout->most; /* fields may cross the boundaries of their type */
    uint64_t at = layout->is_union ? 0 : layout->bits;
    if (attributes->align)
        at = round_up(at, (uint64_t)capped(layout, attributes->align) * 8);
    if (member->bit_width == 0) {
        at = round_up(at, unit);
        if (!layout->is_union)
            layout->bits = at;
        return;
    }
    if (!dense && at / unit != (at + member->bit_width - 1) / unit)
        at = round_up(at, unit);
    set_unit(member, at);
    if (layout->is_union)
        layout->bytes = MAX(layout->bytes, ((uint64_t)member->bit_width + 7) / 8);
    else
        layout->bits = at + member->bit_width;
    uint32_t own = packed && !layout->most ? 1 : natural;
    if (member->name)
        layout->align = MAX(layout->align, capped(layout, MAX(own, attributes->align)));
}

static void place(Layout *layout, CcMember *member, const CcAttributes *attributes)
{
    if (member->bit_field) {
        place_bit_field(layout, member, attributes);
        return;
    }
    uint32_t align = member_align(layout, member, attributes);
    layout->align = MAX(layout->align, align);
    if (layout->is_union) {
        layout->bytes = MAX(layout->bytes, member->type->size);
        return;
    }
    member->offset = round_up((layout->bits + 7) / 8, align);
    layout->bits = (member->offset + member->type->size) * 8;
}

/* -- ms_struct --------------------------------------------------------------------------------- */

/* Returns the alignment of a member in bits. A bit-field as wide as an integer type, at an offset where such an integer
 * could be, is aligned like that integer. */
static uint64_t ms_wanted_align(const Layout *layout, const CcMember *member, const CcAttributes *attributes)
{
    bool packed = layout->packed || attributes->packed;
    if (!member->bit_field)
        return (uint64_t)member_align(layout, member, attributes) * 8;
    uint64_t wanted = MAX(1, (uint64_t)attributes->align * 8), width = member->bit_width;
    bool whole = width == 8 || ((width == 16 || width == 32 || width == 64) && !packed);
    if (whole && layout->bits % width == 0)
        wanted = MAX(wanted, width);
    return layout->most ? MIN(wanted, (uint64_t)layout->most * 8) : wanted;
}

/* Raises the alignment of the struct to what the member needs. */
static void ms_align_record(Layout *layout, const CcMember *member, const CcAttributes *attributes, uint64_t wanted)
{
    bool packed = layout->packed || attributes->packed;
    bool counts =
        !member->bit_field || (member->bit_width ? !packed : layout->run.field && layout->run.field->bit_width);
    uint32_t align = (uint32_t)((wanted + 7) / 8);
    if (member->bit_field || !packed)
        align = MAX(align, member->type->align);
    if (counts)
        layout->align = MAX(layout->align, capped(layout, align));
}

/* Places a member behind a bit-field, in the same unit or behind it. Returns whether it opens a new unit. */
static bool ms_continue(Layout *layout, const CcMember *member, uint64_t wanted)
{
    const CcMember *before = layout->run.field;
    uint64_t width = member->bit_width;
    bool realign = layout->bits % wanted != 0;
    bool same = member->bit_field && width && before->bit_width && member->type->size == before->type->size;
    bool opens = !member->bit_field || (before->bit_width ? member->type->size != before->type->size : width != 0);
    if (same && layout->run.left >= width) {
        layout->run.left -= width;
        realign = false;
    } else if (same) {
        layout->bits += layout->run.left;
        layout->run.field = member;
        layout->run.left = cc_bits(member->type) - width;
    } else {
        if (before->bit_width)
            layout->bits += layout->run.left;
        if (!member->bit_field || !width)
            layout->run.field = NULL;
    }
    if (realign)
        layout->bits = round_up(layout->bits, wanted);
    return opens;
}

static void ms_place(Layout *layout, CcMember *member, const CcAttributes *attributes, bool last)
{
    uint64_t wanted = ms_wanted_align(layout, member, attributes);
    uint64_t size = member->bit_field ? member->bit_width : member->type->size * 8;
    ms_align_record(layout, member, attributes, wanted);
    bool opens = !member->bit_field || size;
    if (layout->run.field)
        opens = ms_continue(layout, member, wanted);
    else
        layout->bits = round_up(layout->bits, wanted);
    if (opens) {
        bool packed = layout->packed || attributes->packed;
        layout->run.left = member->bit_field ? cc_bits(member->type) - size : 0;
        layout->bits = round_up(layout->bits, (uint64_t)capped(layout, packed ? 1 : member->type->align) * 8);
        layout->run.field = NULL;
    }
    if (member->bit_field && size)
        set_unit(member, layout->bits);
    else
        member->offset = layout->bits / 8;
    if (!layout->run.field && member->bit_field)
        layout->run.field = member;
    layout->bits += size;
    if (last && member->bit_field && size)
        layout->bits += layout->run.left;
}

static void ms_place_in_union(Layout *layout, CcMember *member, const CcAttributes *attributes)
{
    uint64_t size = member->bit_field ? ((uint64_t)member->bit_width + 7) / 8 : member->type->size;
    ms_align_record(layout, member, attributes, ms_wanted_align(layout, member, attributes));
    layout->bytes = MAX(layout->bytes, size);
}

/* -- the whole --------------------------------------------------------------------------------- */

/* Checks that an array without length is the last of several members. */
static void check_flexible(CcParser *p, CcType *type, const CcMemberList *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        CcMember *member = &list->items[i];
        if (member->type->kind == CC_ARRAY && member->type->incomplete) {
            if (type->kind == CC_STRUCT && i + 1 == list->count) {
                if (i == 0)
                    cc_front_error(p, member->loc, "flexible array member '%s' in a struct with no named members",
                                   member->name);
                type->tag->flexible = true;
            } else if (type->kind == CC_STRUCT)
                cc_front_error(p, member->loc, "flexible array member '%s' is not at the end of the struct",
                               member->name);
            else
                cc_front_error(p, member->loc, "flexible array member '%s' in a union", member->name);
        }
    }
    if (list->count && cc_is_aggregate(list->items[list->count - 1].type))
        type->tag->flexible |= type->kind == CC_STRUCT && list->items[list->count - 1].type->tag->flexible;
}

/* Moves storage units that reach past the end of the struct back as far as their fields allow, or cuts them. */
static void settle_bit_fields(CcTag *tag)
{
    for (uint32_t i = 0; i < tag->n_members; i++) {
        CcMember *member = &tag->members[i];
        if (!member->bit_field || member->bit_width == 0)
            continue;
        uint64_t bit = member->offset * 8 + member->bit_offset;
        uint64_t first = tag->size > member->type->size ? tag->size - member->type->size : 0;
        if (member->offset > first && bit - first * 8 + member->bit_width <= cc_bits(member->type)) {
            member->offset = first;
            member->bit_offset = (uint8_t)(bit - first * 8);
        }
        uint64_t end = (uint64_t)member->bit_offset + member->bit_width;
        uint64_t reach = MAX(member->type->size, (end + 7) / 8);
        member->reach = (uint8_t)MIN(reach, tag->size - member->offset);
    }
}

CcType *cc_sema_record_finish(CcParser *p, CcType *type, CcMemberList *list, const CcAttributes *attributes)
{
    CcTag *tag = type->tag;
    Layout layout = {.align = 1, .most = p->pack.align, .is_union = type->kind == CC_UNION};
    layout.packed = attributes && attributes->packed;
    bool ms = attributes && attributes->layout ? attributes->layout == CC_LAYOUT_MS : p->unit->options->ms_bitfields;
    check_flexible(p, type, list);
    for (unsigned i = 0; i < list->count; i++) {
        CcMember *member = &list->items[i];
        tag->depth = MAX(tag->depth, cc_type_depth(member->type) + 1);
        if (tag->depth > CC_MAX_TYPE_DEPTH) {
            if (!p->stop)
                cc_front_fatal(p, member->loc, "a type is nested deeper than %d levels", CC_MAX_TYPE_DEPTH);
            break;
        }
        if (!ms)
            place(&layout, member, &list->attributes[i]);
        else if (layout.is_union)
            ms_place_in_union(&layout, member, &list->attributes[i]);
        else
            ms_place(&layout, member, &list->attributes[i], i + 1 == list->count);
        if (layout.bits / 8 > CC_MAX_OBJECT) {
            cc_front_error(p, member->loc, "the struct is too large");
            break;
        }
    }
    if (attributes)
        layout.align = MAX(layout.align, attributes->align);
    tag->members = list->items;
    tag->n_members = list->count;
    tag->packed = layout.packed;
    tag->transparent = layout.is_union && attributes && attributes->transparent;
    tag->align = layout.align;
    tag->size = round_up(layout.is_union ? layout.bytes : (layout.bits + 7) / 8, layout.align);
    tag->complete = true;
    settle_bit_fields(tag);
    cc_type_complete_tag(type);
    return type;
}
