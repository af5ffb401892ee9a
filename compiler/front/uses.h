/* uses.h - the record of where names are declared and used, which the parser keeps if an index is asked for.
 *
 * CcUnit.uses is NULL in plain compiling, so that each call here costs one test.
 */
#ifndef ORRERY_COMPILER_USES_H
#define ORRERY_COMPILER_USES_H

#include "compiler/front/front.h"

typedef enum CcUseOf { CC_USE_OF_SYMBOL, CC_USE_OF_TAG, CC_USE_OF_MEMBER, CC_USE_OF_LABEL } CcUseOf;
typedef struct CcUse {
    const void *object; /* CcSymbol, CcTag, CcMember or CcLabel */
    CcUseOf what;
    uint8_t role; /* CcRole of index.h: 0 use, 1 declaration, 2 definition */
    CcLoc loc;
    const CcSymbol *function; /* in which it is; NULL: file scope */
} CcUse;

typedef struct CcUses {
    GArray *uses;    /* CcUse, in the order of the parser */
    GPtrArray *tags; /* CcType *: struct, union and enum types, each tag once, with `functions` beside it */
    GPtrArray *functions;
    const char *probe;       /* spelling that is probed; NULL: none */
    int probed;              /* the token before the probe, as in grammar.h; -1: the probe was not met */
    GPtrArray *visible;      /* CcSymbol *: ordinary names that are visible at the probe */
    GPtrArray *visible_tags; /* CcTag * */
    const CcTag *members;    /* whose members could stand at the probe; NULL: no member can */
    const CcSymbol *within;  /* the function around the probe; NULL: none */
} CcUses;

CcUses *cc_uses_new(const char *probe);
void cc_uses_free(CcUses *uses);
void cc_uses_add(CcParser *p, CcUseOf what, const void *object, unsigned role, CcLoc loc);
void cc_uses_add_tag(CcParser *p, CcType *type);
/* Notes what is visible if the name just read is the probe. `before` is the token before it. */
void cc_uses_probe(CcParser *p, const char *name, int before);
/* Notes that a member of the type is asked for. */
void cc_uses_probe_member(CcParser *p, const char *name, const CcType *type);

static inline void cc_use_symbol(CcParser *p, const CcSymbol *symbol, unsigned role, CcLoc loc)
{
    if (p->unit->uses)
        cc_uses_add(p, CC_USE_OF_SYMBOL, symbol, role, loc);
}
static inline void cc_use_tag(CcParser *p, const CcTag *tag, unsigned role, CcLoc loc)
{
    if (p->unit->uses)
        cc_uses_add(p, CC_USE_OF_TAG, tag, role, loc);
}
static inline void cc_use_member(CcParser *p, const CcMember *member, CcLoc loc)
{
    if (p->unit->uses && member)
        cc_uses_add(p, CC_USE_OF_MEMBER, member, 0, loc);
}
static inline void cc_use_label(CcParser *p, const CcLabel *label, unsigned role, CcLoc loc)
{
    if (p->unit->uses)
        cc_uses_add(p, CC_USE_OF_LABEL, label, role, loc);
}

#endif
