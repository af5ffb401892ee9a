/* scalars.h - what the two files share that take objects of the frame apart.
 *
 *   scalars.c   which objects come apart, into which pieces; the code on pieces
 *   split.c     which copies from and to other memory become loads and stores of pieces
 */
#ifndef ORRERY_COMPILER_OPTIMISE_SCALARS_H
#define ORRERY_COMPILER_OPTIMISE_SCALARS_H

#include "compiler/ir/ir.h"

typedef struct CcPiece {
    uint64_t offset, size;
    CcReg reg;
    bool is_signed; /* how the register is extended to 64 bits */
    bool known;     /* ... as a load or store said */
    bool read;
} CcPiece;

typedef struct CcFrameObject {
    bool stays;    /* in memory */
    bool splits;   /* copies of it from and to other memory become loads and stores */
    bool kept_out; /* some of it goes to other memory: its place in the frame holds the bytes that are no piece */
    bool copied_out;
    uint32_t group; /* an object of those that are copied to and from each other; its own number: it stands for them */
    uint32_t accesses, transfers;
    uint32_t n_pieces;
    CcPiece *pieces;
} CcFrameObject;

/* A known address: object + offset; object 0: nothing is known; else 1 + its number. */
typedef struct CcFrameAddress {
    uint32_t object;
    int64_t offset;
} CcFrameAddress;

typedef struct CcBlockOperation {
    CcFrameAddress to, from; /* from.object 0 and `clears`: BZERO */
    uint64_t size;
    bool clears;
} CcBlockOperation;

typedef struct CcScalars {
    CcIrFunction *f;
    bool last;      /* no calls will be inlined any more: the time for copies to become loads and stores */
    uint8_t *times; /* that a register is set */
    CcIrInstr **setter;
    CcFrameAddress *address; /* of registers */
    uint8_t *resolved;       /* 1: being looked at, 2: done */
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
/* True if the object changed: it has a piece more, or must stay in memory. */
bool cc_scalars_add_piece(CcScalars *s, CcFrameObject *o, uint64_t offset, const CcPiece *like);
/* The first piece that does not end before `offset`; NULL: there is none. */
const CcPiece *cc_scalars_piece_from(const CcFrameObject *o, uint64_t offset);
uint32_t cc_scalars_pieces_in(const CcFrameObject *o, uint64_t at, uint64_t size, bool only_read);
/* Pieces spread over copies until nothing changes. */
void cc_scalars_fit_blocks(CcScalars *s);
/* Which pieces are read in the end, and which objects have bytes besides their pieces that matter. */
void cc_scalars_spread_reads(CcScalars *s);

/* -- split.c ----------------------------------------------------------------------------------- */
/* Finds the objects whose copies are worth splitting, and gives them pieces for all that these copies carry. */
void cc_choose_splits(CcScalars *s);

#endif
