/* scalars.h - shared by the two files that take objects of the frame apart.
 *
 *   scalars.c   which objects come apart, into which pieces; the code on pieces
 *   split.c     which copies from and to other memory become loads and stores of pieces
 */
#ifndef ORRERY_COMPILER_OPTIMISE_SCALARS_H
#define ORRERY_COMPILER_OPTIMISE_SCALARS_H

#include "compiler/ir/ir.h"

/* Some bytes of an object, which a register holds. */
typedef struct CcPiece {
    uint64_t offset, size;
    CcReg reg;
    bool is_signed; /* the register is extended to 64 bits with its sign */
    bool known;     /* is_signed is known from a load or store */
    bool read;      /* something reads it */
} CcPiece;

/* An object of the frame that may come apart. */
typedef struct CcFrameObject {
    bool stays;      /* it stays in memory */
    bool splits;     /* copies between it and other memory become loads and stores */
    bool kept_out;   /* part of it goes to other memory, so its memory in the frame holds the bytes of no piece */
    bool copied_out; /* some copy goes from it to other memory */
    uint32_t group;  /* link towards the object that represents its group (split.c); itself: it is that object */
    uint32_t accesses, transfers; /* number of its loads and stores; number that its copies would need */
    uint32_t n_pieces;
    CcPiece *pieces;
} CcFrameObject;

/* A known address: object + offset. `object` is 1 + its number; 0: nothing is known. */
typedef struct CcFrameAddress {
    uint32_t object;
    int64_t offset;
} CcFrameAddress;

/* A copy or clear of memory. */
typedef struct CcBlockOperation {
    CcFrameAddress to, from; /* from.object 0 and `clears`: BZERO */
    uint64_t size;
    bool clears;
} CcBlockOperation;

typedef struct CcScalars {
    CcIrFunction *f;
    bool last;               /* nothing more will be inlined, so copies may become loads and stores */
    uint8_t *times;          /* per register: how often it is set */
    CcIrInstr **setter;      /* per register: the instruction that sets it */
    CcFrameAddress *address; /* per register: its address */
    uint8_t *resolved;       /* per register: 1: being resolved, 2: done */
    CcFrameObject *objects;
    GArray *blocks; /* CcBlockOperation */
} CcScalars;

static inline CcFrameObject *cc_object_at(const CcScalars *s, CcFrameAddress address)
{
    return address.object ? &s->objects[address.object - 1] : NULL;
}

static inline bool cc_is_replaced(const CcScalars *s, CcFrameAddress address)
{
    return address.object && !s->objects[address.object - 1].stays;
}

/* -- scalars.c --------------------------------------------------------------------------------- */
/* Adds a piece to the object. Returns true if the object changed: it has one more piece, or must stay in memory. */
bool cc_scalars_add_piece(CcScalars *s, CcFrameObject *o, uint64_t offset, const CcPiece *like);
/* Returns the first piece that does not end before `offset`, or NULL if there is none. */
const CcPiece *cc_scalars_piece_from(const CcFrameObject *o, uint64_t offset);
uint32_t cc_scalars_pieces_in(const CcFrameObject *o, uint64_t at, uint64_t size, bool only_read);
/* Spreads pieces over copies between objects until nothing changes. */
void cc_scalars_fit_blocks(CcScalars *s);
/* Finds which pieces are read, and which objects have bytes outside of their pieces that matter. */
void cc_scalars_spread_reads(CcScalars *s);

/* -- split.c ----------------------------------------------------------------------------------- */
/* Finds the objects whose copies are worth splitting. Gives them pieces for all bytes that these copies carry. */
void cc_choose_splits(CcScalars *s);

#endif
