/* linker.h - what the files of the linker share.
 *
 *   symbols.c   who defines what
 *   report.c    what is wrong: undefined and duplicate symbols, types that differ
 *   linker.c           what is reachable, where it lies
 *   write.c     code, constants, tables, debug information of the program
 *   join.c      several objects to one
 */
#ifndef ORRERY_COMPILER_LINKER_H
#define ORRERY_COMPILER_LINKER_H

#include "compiler/compiler.h"
#include "compiler/link/link_names.h"

/* Whose an object is: definitions of a lower rank give way. */
typedef enum CcLinkRank { CC_LINK_RUNTIME, CC_LINK_SHARED, CC_LINK_PROGRAM } CcLinkRank;

typedef struct CcLinkObject {
    const VcodeModule *m;
    CcLinkRank rank;
    bool used;              /* something of it is in the program */
    uint32_t *function_new; /* function -> function of the program, or VCODE_NONE */
    bool *function_kept;
    bool *switch_taken;                         /* by an instruction */
    bool *symbol_kept;                          /* data */
    uint64_t *symbol_value;                     /* kept data: offset in its section of the program */
    uint32_t *constant_reloc;                   /* constant -> 1 + relocation, 0: a number */
    uint32_t *constant_new;                     /* constant -> constant of the program + 1 */
    VcodeReloc *relocs[VCODE_RELOC_RODATA + 1]; /* by kind, ascending by `where` */
    uint32_t n_relocs[VCODE_RELOC_RODATA + 1];
    uint32_t *file_new, *string_new; /* + 1; 0: not yet */
    uint32_t type_base, member_base;
    uint32_t *symbol_object;           /* data -> object of the program + 1; 0: not yet */
    uint32_t object_next, object_base; /* frames: the first object that is not yet copied, and how far numbers move */
    uint32_t origin_next;
    uint32_t *inline_new; /* expansion -> expansion of the program + 1 */
    uint32_t inline_next; /* the first of those not yet copied */
} CcLinkObject;

/* What a symbol stands for. */
typedef struct CcLinkTarget {
    enum { CC_LINK_NOTHING /* weak and undefined: address 0 */, CC_LINK_DEFINED, CC_LINK_EXTERN, CC_LINK_MADE } kind;
    uint32_t object, symbol; /* defined: after aliases */
    uint32_t index;          /* extern: in CcLinkOptions.externs; made: CcLinkMade */
} CcLinkTarget;

typedef enum CcLinkMade { CC_LINK_INIT, CC_LINK_FINI, CC_LINK_N_MADE } CcLinkMade;

/* A definition that other objects see. */
typedef struct CcLinkDefinition {
    uint32_t object, symbol;
    uint64_t common_size;
    uint16_t common_align;
} CcLinkDefinition;

/* Stands between direct calls and a function that takes its arguments in another form (vcode/calling.h). */
typedef struct CcLinkAdapter {
    uint32_t function; /* of the program */
    uint16_t passing;  /* form of the calls ... */
    uint8_t n;         /* ... and their arguments */
} CcLinkAdapter;

typedef struct CcLink {
    const CcLinkOptions *options;
    CcLinkObject *objects;
    uint32_t n_objects;
    GHashTable *definitions; /* name -> CcLinkDefinition */
    GHashTable *complained;  /* names and places of undefined references already reported */
    GHashTable *wrapped;     /* names of --wrap; NULL: none */
    GString *errors;         /* where there are no diagnostics */
    unsigned n_errors;
    GArray *work;     /* CcLinkTarget: found, not yet looked into */
    GArray *lists[2]; /* CcLinkTarget: constructors, destructors */
    bool made_used[CC_LINK_N_MADE];
    uint32_t made_function[CC_LINK_N_MADE];
    uint32_t *extern_new;    /* extern -> extern of the program + 1 */
    uint32_t *stub_function; /* extern -> 1 + stub's function; before numbering: its arguments + 1 */
    GArray *stubs;           /* uint32_t: externs that need one, in order of first use */
    GArray *adapters;        /* CcLinkAdapter: functions of the program behind the stubs */
    uint32_t n_functions;
    VcodeModule *program;
} CcLink;

/* -- symbols.c --------------------------------------------------------------------------------- */
void cc_link_collect(CcLink *link);
/* What a symbol of an object stands for; reports it if nobody defines it (`reloc`: the use, or NULL). */
CcLinkTarget cc_link_resolve(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc);
bool cc_link_find(CcLink *link, const char *name, CcLinkTarget *target);
/* The object and symbol that a name stands for among what objects define; NULL: none. */
const CcLinkDefinition *cc_link_definition(const CcLink *link, const char *name);

/* -- report.c ---------------------------------------------------------------------------------- */
void cc_link_error(CcLink *link, uint32_t object, uint32_t file, uint32_t line, const char *format, ...)
    G_GNUC_PRINTF(5, 6);
void cc_link_duplicate(CcLink *link, const CcLinkDefinition *first, uint32_t object, const VcodeSymbol *symbol);
void cc_link_undefined(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc);
/* Warns, once for each name, of a function that is there to be mentioned and cannot be called. */
void cc_link_refused(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc, const char *why);
/* Warns where an object is of one size here and of another there. */
void cc_link_check_types(CcLink *link);

/* -- linker.c ---------------------------------------------------------------------------------- */
void cc_link_open(CcLink *link, VcodeModule *const *objects, size_t n, const CcLinkOptions *options);
/* Turns what was reported into an error; false if there was any. */
bool cc_link_succeeded(const CcLink *link, GError **error);
void cc_link_close(CcLink *link);
const VcodeSymbol *cc_link_symbol(const CcLink *link, const CcLinkTarget *target);
/* The relocations of a kind with low <= where < high. */
const VcodeReloc *cc_link_relocs(const CcLinkObject *o, VcodeRelocKind kind, uint64_t low, uint64_t high, uint32_t *n);
uint64_t cc_link_address(const CcLink *link, const CcLinkTarget *target);

/* -- write.c ----------------------------------------------------------------------------------- */
void cc_link_write(CcLink *link);

#endif
