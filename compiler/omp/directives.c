/* directives.c - the tables of directives and clauses. */
#include "compiler/omp/construct.h"

#include <string.h>

/* What omp_directives.def calls the parts, and omp_clauses.def the shapes and flags. */
#define PARALLEL           CC_OMP_PART_PARALLEL
#define FOR                CC_OMP_PART_FOR
#define SIMD               CC_OMP_PART_SIMD
#define SECTIONS           CC_OMP_PART_SECTIONS
#define SECTION            CC_OMP_PART_SECTION
#define SINGLE             CC_OMP_PART_SINGLE
#define MASTER             CC_OMP_PART_MASTER
#define CRITICAL           CC_OMP_PART_CRITICAL
#define ORDERED            CC_OMP_PART_ORDERED
#define ATOMIC             CC_OMP_PART_ATOMIC
#define TASK               CC_OMP_PART_TASK
#define TASKLOOP           CC_OMP_PART_TASKLOOP
#define TASKGROUP          CC_OMP_PART_TASKGROUP
#define DISTRIBUTE         CC_OMP_PART_DISTRIBUTE
#define TEAMS              CC_OMP_PART_TEAMS
#define TARGET             CC_OMP_PART_TARGET
#define DATA               CC_OMP_PART_DATA
#define TASKWAIT           CC_OMP_PART_TASKWAIT
#define TASKYIELD          CC_OMP_PART_TASKYIELD
#define BARRIER            CC_OMP_PART_BARRIER
#define FLUSH              CC_OMP_PART_FLUSH
#define CANCEL             CC_OMP_PART_CANCEL
#define CANCELLATION_POINT CC_OMP_PART_CANCELLATION_POINT
#define NOTHING            0

static const CcOmpKind directives[] = {
#define OMP_DIRECTIVE(name, follows, parts) {name, CC_OMP_##follows, parts},
#include "compiler/omp/omp_directives.def"
};

enum { ONCE = 1, LISTED = 2 };
static const CcOmpClauseKind clauses[] = {
#define OMP_CLAUSE(id, name, shape, parts, flags, words)                                                               \
    {CC_OMP_##id, name, CC_OMP_SHAPE_##shape, parts, (flags) == ONCE, (flags) == LISTED, words},
#include "compiler/omp/omp_clauses.def"
};

const CcOmpKind *cc_omp_find_directive(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(directives); i++)
        if (strcmp(directives[i].name, name) == 0)
            return &directives[i];
    return NULL;
}

bool cc_omp_begins_directive(const char *words)
{
    size_t n = strlen(words);
    for (size_t i = 0; i < G_N_ELEMENTS(directives); i++)
        if (strncmp(directives[i].name, words, n) == 0 && directives[i].name[n] == ' ')
            return true;
    return false;
}

/* Whether the directive may have the clause. A wait for the team that a loop or sections would leave out cannot be left
 * out at the end of a parallel region. */
static bool takes(const CcOmpKind *directive, const CcOmpClauseKind *clause)
{
    if (clause->id == CC_OMP_NOWAIT && (directive->parts & PARALLEL) && !(directive->parts & TARGET))
        return false;
    if (clause->id == CC_OMP_COPYIN && (directive->parts & TARGET))
        return false;
    if (clause->id == CC_OMP_ORDERED && (directive->parts & DISTRIBUTE))
        return false;
    if (clause->id == CC_OMP_LINEAR && (directive->parts & DISTRIBUTE) && !(directive->parts & SIMD))
        return false;
    return directive->parts & clause->parts;
}

const CcOmpClauseKind *cc_omp_find_clause(const CcOmpKind *directive, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(clauses); i++)
        if (strcmp(clauses[i].name, name) == 0 && takes(directive, &clauses[i]))
            return &clauses[i];
    return NULL;
}

bool cc_omp_is_clause(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(clauses); i++)
        if (strcmp(clauses[i].name, name) == 0)
            return true;
    return false;
}
