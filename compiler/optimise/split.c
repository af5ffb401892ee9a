/* split.c - decides which copies between objects that come apart and other memory become loads and stores.
 *
 *      struct { double re, im; } z = v[i];     z.re *= 2;     v[j] = z;
 *
 *      z.re = load v[i] + 0; z.im = load v[i] + 8; z.re = z.re * 2; store v[j] + 0 = z.re; store v[j] + 8 = z.im
 *
 * What is copied out must be complete. So bytes between its pieces (padding, members that the function does not name)
 * become pieces, too, each of as many bytes as a register holds. What is copied in is loaded only if it is read.
 *
 * Objects that are copied to each other share their pieces, so they form a group with one decision. A group is split if
 * that does not take more memory instructions than not splitting. Without splitting there are the group's copies and,
 * for each object, the smaller of two numbers: its own loads and stores, or the transfers between its registers and its
 * memory in the frame. So an object that is only passed through stays a block.
 *
 * This runs in the last round, after inlining. Until then copies stay blocks, which fit any pieces of a caller's
 * objects.
 */
#include "compiler/arena/arena.h"
#include "compiler/optimise/scalars.h"

#include <string.h>

enum { LARGEST_COPY = 64, LARGEST_PIECE = 8 };

/* Objects that are copied to each other. */
typedef struct Group {
    bool has_transfers, refused; /* copied from or to other memory; splitting is impossible */
    uint64_t before, after;      /* memory instructions without and with splitting */
} Group;

typedef struct Split {
    CcScalars *s;
    Group *groups;       /* by the number of the object that represents the group */
    CcFrameObject *kept; /* the objects before the attempt */
} Split;

/* -- groups ------------------------------------------------------------------------------------ */

static uint32_t group_of(const CcScalars *s, uint32_t object)
{
    while (s->objects[object].group != object) {
        s->objects[object].group = s->objects[s->objects[object].group].group;
        object = s->objects[object].group;
    }
    return object;
}

static void join_groups(CcScalars *s)
{
    for (uint32_t i = 0; i < s->f->n_objects; i++)
        s->objects[i].group = i;
    for (guint i = 0; i < s->blocks->len; i++) {
        const CcBlockOperation *block = &g_array_index(s->blocks, CcBlockOperation, i);
        if (cc_is_replaced(s, block->to) && cc_is_replaced(s, block->from))
            s->objects[group_of(s, block->to.object - 1)].group = group_of(s, block->from.object - 1);
    }
}

/* Returns the group of the object that comes apart in a block operation, or NULL if neither does. */
static Group *group_at(const Split *split, const CcBlockOperation *block)
{
    const CcScalars *s = split->s;
    CcFrameAddress inside = cc_is_replaced(s, block->to) ? block->to : block->from;
    return cc_is_replaced(s, inside) ? &split->groups[group_of(s, inside.object - 1)] : NULL;
}

/* Returns whether a copy is between an object that comes apart and other memory. */
static bool is_transfer(const CcScalars *s, const CcBlockOperation *block)
{
    return !block->clears && cc_is_replaced(s, block->to) != cc_is_replaced(s, block->from);
}

/* Finds the groups. Returns false if there is nothing to split. */
static bool find_groups(Split *split)
{
    CcScalars *s = split->s;
    bool found = false;
    join_groups(s);
    for (guint i = 0; i < s->blocks->len; i++) {
        const CcBlockOperation *block = &g_array_index(s->blocks, CcBlockOperation, i);
        if (!is_transfer(s, block))
            continue;
        Group *group = group_at(split, block);
        group->has_transfers = true;
        group->refused |= block->size > LARGEST_COPY;
        found = true;
    }
    return found;
}

/* -- pieces for all that is copied ------------------------------------------------------------- */

static void fill_gaps(CcScalars *s, CcFrameAddress address, uint64_t size)
{
    CcFrameObject *o = cc_object_at(s, address);
    uint64_t at = (uint64_t)address.offset, end = at + size;
    while (at < end && !o->stays) {
        const CcPiece *next = cc_scalars_piece_from(o, at);
        if (next && next->offset <= at) {
            at = next->offset + next->size;
            continue;
        }
        uint64_t room = (next ? MIN(next->offset, end) : end) - at, width = LARGEST_PIECE;
        while (width > room)
            width /= 2;
        CcPiece gap = {.size = width};
        (void)cc_scalars_add_piece(s, o, at, &gap);
        at += width;
    }
}

static void fill_groups(Split *split)
{
    CcScalars *s = split->s;
    for (guint i = 0; i < s->blocks->len; i++) {
        const CcBlockOperation *block = &g_array_index(s->blocks, CcBlockOperation, i);
        if (is_transfer(s, block) && cc_is_replaced(s, block->from) && !group_at(split, block)->refused)
            fill_gaps(s, block->from, block->size);
    }
    cc_scalars_fit_blocks(s);
    cc_scalars_spread_reads(s);
}

/* -- what it costs ----------------------------------------------------------------------------- */

/* Returns the number of loads or stores that replace a copy from or to other memory. */
static uint32_t count_transfer(const CcScalars *s, const CcBlockOperation *block)
{
    bool in = cc_is_replaced(s, block->to);
    CcFrameAddress inside = in ? block->to : block->from;
    return cc_scalars_pieces_in(cc_object_at(s, inside), (uint64_t)inside.offset, block->size, in);
}

static void count_before(Split *split)
{
    CcScalars *s = split->s;
    cc_scalars_spread_reads(s);
    for (uint32_t i = 0; i < s->f->n_objects; i++)
        s->objects[i].transfers = 0;
    for (guint i = 0; i < s->blocks->len; i++) {
        const CcBlockOperation *block = &g_array_index(s->blocks, CcBlockOperation, i);
        Group *group = group_at(split, block);
        if (group)
            group->before++;
        if (is_transfer(s, block))
            cc_object_at(s, cc_is_replaced(s, block->to) ? block->to : block->from)->transfers +=
                count_transfer(s, block);
    }
    for (uint32_t i = 0; i < s->f->n_objects; i++)
        split->groups[group_of(s, i)].before += MIN(s->objects[i].accesses, s->objects[i].transfers);
}

static void count_after(Split *split)
{
    CcScalars *s = split->s;
    for (guint i = 0; i < s->blocks->len; i++) {
        const CcBlockOperation *block = &g_array_index(s->blocks, CcBlockOperation, i);
        if (is_transfer(s, block))
            group_at(split, block)->after += MAX(count_transfer(s, block), 1u);
    }
}

/* -- the choice -------------------------------------------------------------------------------- */

static void keep_objects(Split *split)
{
    CcScalars *s = split->s;
    split->kept = cc_arena_alloc(s->f->arena, s->f->n_objects * sizeof *split->kept);
    memcpy(split->kept, s->objects, s->f->n_objects * sizeof *split->kept);
    for (uint32_t i = 0; i < s->f->n_objects; i++) {
        CcFrameObject *o = &split->kept[i];
        if (!o->n_pieces)
            continue;
        o->pieces = cc_arena_alloc(s->f->arena, o->n_pieces * sizeof *o->pieces);
        memcpy(o->pieces, s->objects[i].pieces, o->n_pieces * sizeof *o->pieces);
    }
}

static void restore_object(Split *split, uint32_t i)
{
    CcFrameObject *o = &split->s->objects[i];
    CcPiece *pieces = o->pieces;
    *o = split->kept[i];
    if (o->n_pieces)
        memcpy(pieces, o->pieces, o->n_pieces * sizeof *pieces);
    o->pieces = pieces;
}

static void choose_groups(Split *split)
{
    CcScalars *s = split->s;
    for (uint32_t i = 0; i < s->f->n_objects; i++)
        split->groups[group_of(s, i)].refused |= s->objects[i].stays && !split->kept[i].stays;
    for (uint32_t i = 0; i < s->f->n_objects; i++) {
        const Group *group = &split->groups[group_of(s, i)];
        s->objects[i].splits = group->has_transfers && !group->refused && group->after <= group->before;
    }
    for (uint32_t i = 0; i < s->f->n_objects; i++)
        if (!s->objects[i].splits)
            restore_object(split, i);
}

void cc_choose_splits(CcScalars *s)
{
    Split split = {.s = s, .groups = cc_arena_alloc(s->f->arena, (s->f->n_objects + 1) * sizeof *split.groups)};
    if (!find_groups(&split))
        return;
    keep_objects(&split);
    count_before(&split);
    fill_groups(&split);
    count_after(&split);
    choose_groups(&split);
}
