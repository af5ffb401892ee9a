/* nesting.c - which construct may be in which (OpenMP 4.5, 2.17), as far as one function shows it. */
#include "compiler/omp/construct.h"

#define SHARING (CC_OMP_PART_FOR | CC_OMP_PART_SECTIONS | CC_OMP_PART_SINGLE)
#define TASKS   (CC_OMP_PART_TASK | CC_OMP_PART_TASKLOOP)
#define OTHERS  (CC_OMP_PART_PARALLEL | CC_OMP_PART_TARGET | CC_OMP_PART_TEAMS) /* other threads than around it */

static void refuse(CcParser *p, const CcOmpKind *kind, const CcOmpConstruct *around, CcLoc loc, const char *why)
{
    cc_front_error(p, loc, "'#pragma omp %s' cannot be in '#pragma omp %s': %s", kind->name, around->kind->name, why);
    cc_front_note(p, around->loc, "that one is here");
}

/* Whether all threads of a team must meet the one and the other lets only some of them in, or all in turn. */
static bool is_for_all(unsigned parts, unsigned around)
{
    unsigned some = TASKS | CC_OMP_PART_CRITICAL | CC_OMP_PART_ORDERED | CC_OMP_PART_MASTER | CC_OMP_PART_ATOMIC;
    return ((parts & (SHARING | CC_OMP_PART_BARRIER)) && (around & (SHARING | some))) ||
           ((parts & CC_OMP_PART_MASTER) && (around & (SHARING | TASKS | CC_OMP_PART_ATOMIC))) ||
           ((parts & CC_OMP_PART_ORDERED) && (around & (CC_OMP_PART_CRITICAL | TASKS | CC_OMP_PART_ATOMIC)));
}

static bool is_same_critical(const CcOmpClause *first, const CcOmpConstruct *around)
{
    const CcOmpClause *a = cc_omp_find(first, CC_OMP_OPERANDS), *b = cc_omp_clause(around, CC_OMP_OPERANDS);
    return (a ? a->operation : NULL) == (b ? b->operation : NULL);
}

/* ordered without depend, for the order of iterations. */
static void check_ordered(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, CcLoc loc)
{
    const CcOmpConstruct *c = p->omp;
    while (c && !cc_omp_has(c, CC_OMP_PART_FOR | OTHERS))
        c = c->outer;
    if (!c || !cc_omp_has(c, CC_OMP_PART_FOR) || cc_omp_find(first, CC_OMP_DEPEND))
        return;
    const CcOmpClause *ordered = cc_omp_clause(c, CC_OMP_ORDERED);
    if (!ordered)
        refuse(p, kind, c, loc, "that loop has no clause 'ordered'");
    else if (ordered->expr)
        refuse(p, kind, c, loc, "its clause 'ordered(n)' wants depend(sink: ...) and depend(source)");
}

/* What may be directly in the block of a construct that lets little in. */
static bool check_directly(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, CcLoc loc)
{
    const CcOmpConstruct *c = p->omp;
    unsigned parts = kind->parts;
    bool host = c && cc_omp_has(c, CC_OMP_PART_TEAMS) && !(c->kind->parts & ~OTHERS) &&
                !cc_omp_has(c, CC_OMP_PART_PARALLEL); /* the block of teams itself */
    bool direct = host && ((parts & CC_OMP_PART_DISTRIBUTE && !(parts & (CC_OMP_PART_TARGET | CC_OMP_PART_TEAMS))) ||
                           (parts & CC_OMP_PART_PARALLEL && !(parts & (CC_OMP_PART_TARGET | CC_OMP_PART_TEAMS))));
    bool simd = parts & (CC_OMP_PART_SIMD | CC_OMP_PART_ATOMIC) && !(parts & (SHARING | OTHERS | TASKS));
    simd |= parts & CC_OMP_PART_ORDERED && cc_omp_find(first, CC_OMP_SIMD);
    if (host && !direct)
        refuse(p, kind, c, loc, "directly in a league of teams are only distribute and parallel");
    else if (c && cc_omp_has(c, CC_OMP_PART_SIMD) && !simd)
        refuse(p, kind, c, loc, "in a loop of simd are only 'ordered simd' and loops of simd");
    else if (c && parts & CC_OMP_PART_TEAMS && !(parts & CC_OMP_PART_TARGET) && c->kind->parts != CC_OMP_PART_TARGET)
        refuse(p, kind, c, loc, "teams are directly in target, or in nothing");
    else if (c && parts & CC_OMP_PART_DISTRIBUTE && !(parts & CC_OMP_PART_TEAMS) && !host)
        refuse(p, kind, c, loc, "distribute is directly in teams");
    else
        return true;
    return false;
}

void cc_omp_check_nesting(CcParser *p, const CcOmpKind *kind, const CcOmpClause *first, CcLoc loc)
{
    unsigned parts = kind->parts;
    bool threads = !cc_omp_find(first, CC_OMP_SIMD) || cc_omp_find(first, CC_OMP_THREADS);
    if (!check_directly(p, kind, first, loc))
        return;
    if (parts & CC_OMP_PART_ORDERED && threads)
        check_ordered(p, kind, first, loc);
    for (const CcOmpConstruct *c = p->omp; c && !(parts & OTHERS) && threads; c = c->outer) {
        unsigned around = c->kind->parts;
        if (is_for_all(parts, around)) {
            refuse(p, kind, c, loc, "the threads of the team would not all reach it");
            return;
        }
        if (parts & CC_OMP_PART_CRITICAL && around & CC_OMP_PART_CRITICAL && is_same_critical(first, c)) {
            refuse(p, kind, c, loc, "it has the same name, and would wait for itself");
            return;
        }
        if (parts & CC_OMP_PART_SECTION && around & CC_OMP_PART_SECTIONS)
            return;
        if (around & OTHERS)
            break;
    }
    if (parts & CC_OMP_PART_SECTION && !(p->omp && (p->omp->kind->parts & CC_OMP_PART_SECTIONS)))
        cc_front_error(p, loc, "'#pragma omp section' is not directly in the block of '#pragma omp sections'");
}
