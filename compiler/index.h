/* index.h - what an editor asks of a unit of translation: which names there are, where they are used, what they mean.
 *
 *   text --cc_index_new()--> CcIndex: entities (things with a name) and their occurrences in the files of the unit
 *
 * The unit may be wrong: what the parser could make sense of is in the index. Places are those of the user's files:
 * names that came out of macros have none. Compiling makes no index; whoever asks for one pays for it.
 */
#ifndef ORRERY_COMPILER_INDEX_H
#define ORRERY_COMPILER_INDEX_H

#include "compiler/compiler.h"

typedef struct CcIndex CcIndex;

typedef enum CcEntityKind {
    CC_ENTITY_VARIABLE,
    CC_ENTITY_PARAMETER,
    CC_ENTITY_FUNCTION,
    CC_ENTITY_TYPEDEF,
    CC_ENTITY_ENUMERATOR,
    CC_ENTITY_STRUCT,
    CC_ENTITY_UNION,
    CC_ENTITY_ENUM,
    CC_ENTITY_MEMBER,
    CC_ENTITY_LABEL,
} CcEntityKind;

#define CC_NO_ENTITY UINT32_MAX

typedef struct CcPlace {   /* a name in a file */
    uint32_t file;         /* index into cc_index_files() */
    unsigned line, column; /* 1-based; column in bytes. Line 0: nowhere */
    unsigned length;       /* bytes */
} CcPlace;

typedef struct CcEntity {
    CcEntityKind kind;
    const char *name;   /* "" if it has none */
    CcPlace place;      /* of its definition, or else of its first declaration */
    uint32_t container; /* entity: of a member its struct, of an enumerator its enum, of a local name its function;
                           CC_NO_ENTITY: none */
    bool file_scope, is_static, is_constant, deprecated;
    bool linkage;          /* other units may speak of the same thing: a function or variable that is not static */
    bool defined;          /* this unit defines it */
    bool system;           /* it is declared in a system header */
    bool unknown;          /* nothing declares it: the parser only assumed it */
    int64_t value;         /* of an enumerator */
    uint64_t size, offset; /* bytes: of a type; of a member, offset in its struct */
} CcEntity;

typedef enum CcRole { CC_ROLE_USE, CC_ROLE_DECLARATION, CC_ROLE_DEFINITION } CcRole;
typedef struct CcOccurrence {
    CcPlace place;
    uint32_t entity;
    CcRole role;
} CcOccurrence;

/* Parses preprocessed text, checks it, and gathers the names. The text is taken over and freed with g_free(). `name` is
 * the name of the source. `options` and `diagnostics` must outlive the index. `probe` is a spelling of which the index
 * says what could stand in its place (cc_index_probe()), or NULL; with a probe nothing is checked. Returns NULL with
 * `error` set if the host has no memory for it. O(size). */
CcIndex *cc_index_new(char *text, size_t size, const char *name, const CcOptions *options, CcDiagnostics *diagnostics,
                      const char *probe, GError **error);
/* NULL is ignored. */
void cc_index_free(CcIndex *index);

/* Returns the names of the files of the unit, as the preprocessor gives them. The index owns them. */
const char *const *cc_index_files(const CcIndex *index, size_t *n);
/* Returns whether a file is a system header. */
bool cc_index_is_system(const CcIndex *index, uint32_t file);
const CcEntity *cc_index_entities(const CcIndex *index, size_t *n);
/* Returns the occurrences in a file, in the order of their places. Those of system headers are declarations only. */
const CcOccurrence *cc_index_occurrences(const CcIndex *index, uint32_t file, size_t *n);

/* Returns the declaration of an entity as C, like "const double *x", "struct point", or for a function its head as the
 * source has it. The caller frees it with g_free(). */
char *cc_index_declaration(const CcIndex *index, uint32_t entity);
/* Returns the entity of the type that an entity has, below pointers and arrays, if that is a struct, union, enum or
 * typedef; else CC_NO_ENTITY. */
uint32_t cc_index_type_of(const CcIndex *index, uint32_t entity);
/* Appends to `members` (uint32_t) the members of a struct or union, those of anonymous ones among them included, or the
 * enumerators of an enum. */
void cc_index_members(const CcIndex *index, uint32_t entity, GArray *members);

/* -- what could stand at a place --------------------------------------------------------------- */

typedef enum CcProbeKind {
    CC_PROBE_NONE,   /* the parser did not come to the probe */
    CC_PROBE_NAME,   /* an ordinary name: `names` are visible */
    CC_PROBE_MEMBER, /* a member behind . or ->, or a designator: `names` are members */
    CC_PROBE_TAG,    /* a tag behind struct, union or enum: `names` are tags of that kind */
    CC_PROBE_LABEL,  /* behind goto: `names` are labels */
} CcProbeKind;
typedef struct CcProbe {
    CcProbeKind kind;
    GArray *names; /* uint32_t: entities, inner scopes first */
} CcProbe;
const CcProbe *cc_index_probe(const CcIndex *index);

#endif
