/* linker.h - what the files of the linker share.
 *
 *   symbols.c   which object defines a name
 *   report.c    errors and warnings: undefined and duplicate symbols, types that differ
 *   linker.c    what is reachable, and where it lies
 *   write.c     code, constants, tables and debug information of the program
 *   join.c      joins several objects into one
 */
#ifndef ORRERY_COMPILER_LINKER_H
#define ORRERY_COMPILER_LINKER_H

#include "compiler/compiler.h"
#include "compiler/link/link_names.h"

/* Where an object comes from. Definitions of a lower rank give way to those of a higher one. */
typedef enum CcLinkRank { CC_LINK_RUNTIME, CC_LINK_SHARED, CC_LINK_PROGRAM } CcLinkRank;

typedef struct CcLinkObject {
    const VcodeModule *m;
    CcLinkRank rank;
    bool used;                /* the program contains something of it */
    uint32_t *function_new;   /* function -> function of the program; VCODE_NONE: not in the program */
    bool *function_kept;      /* per function: it is reachable */
    bool *switch_taken;       /* per switch table: an instruction has taken it */
    bool *symbol_kept;        /* per symbol of data: it is reachable */
    uint64_t *symbol_value;   /* per symbol of kept data: offset in its section of the program */
    uint32_t *constant_reloc; /* constant -> 1 + index of its relocation; 0: a plain number */
    uint32_t *constant_new;   /* constant -> 1 + constant of the program; 0: not copied */
    VcodeReloc *relocs[VCODE_RELOC_RODATA + 1]; /* relocations by kind, ascending by `where` */
    uint32_t n_relocs[VCODE_RELOC_RODATA + 1];
    uint32_t *file_new, *string_new;   /* file or string -> 1 + that of the program; 0: not copied */
    uint32_t type_base, member_base;   /* number of the program's types and members before it */
    uint32_t *symbol_object;           /* symbol of data -> 1 + object record of the program; 0: none yet */
    uint32_t object_next, object_base; /* next object record of a frame to copy; difference of new and old index */
    uint32_t origin_next;              /* next origin to copy */
    uint32_t *inline_new;              /* expansion -> 1 + expansion of the program; 0: not copied */
    uint32_t inline_next;              /* next expansion to copy */
} CcLinkObject;

/* What a symbol stands for in the program. */
typedef struct CcLinkTarget {
    enum { CC_LINK_NOTHING /* undefined: address 0 */, CC_LINK_DEFINED, CC_LINK_EXTERN, CC_LINK_MADE } kind;
    uint32_t object, symbol; /* CC_LINK_DEFINED: the definition, aliases followed */
    uint32_t index;          /* CC_LINK_EXTERN: index in CcLinkOptions.externs; CC_LINK_MADE: CcLinkMade */
} CcLinkTarget;

/* Functions that the linker makes, apart from stubs and adapters. */
typedef enum CcLinkMade { CC_LINK_INIT, CC_LINK_FINI, CC_LINK_N_MADE } CcLinkMade;

/* A definition that other objects can refer to. */
typedef struct CcLinkDefinition {
    uint32_t object, symbol;
    uint64_t common_size; /* largest size and alignment of common symbols of this name */
    uint16_t common_align;
} CcLinkDefinition;

/* A function that takes direct calls whose arguments have another form than the callee expects, and passes them on
 * (vcode/calling.h). */
typedef struct CcLinkAdapter {
    uint32_t function; /* the callee: index in the program */
    uint16_t passing;  /* form of the arguments in the calls */
    uint8_t n;         /* number of arguments in the calls */
} CcLinkAdapter;

typedef struct CcLink {
    const CcLinkOptions *options;
    CcLinkObject *objects;
    uint32_t n_objects;
    GHashTable *definitions; /* name -> CcLinkDefinition */
    GHashTable *complained;  /* names and positions of undefined references that were reported */
    GHashTable *wrapped;     /* names given to --wrap; NULL: none */
    GString *errors;         /* text of the errors if there are no diagnostics */
    unsigned n_errors;
    GArray *work;     /* CcLinkTarget: reachable, not yet followed */
    GArray *lists[2]; /* CcLinkTarget: the constructors and the destructors */
    bool made_used[CC_LINK_N_MADE];
    uint32_t made_function[CC_LINK_N_MADE];
    uint32_t *extern_new;    /* extern -> 1 + extern of the program; 0: not used */
    uint32_t *stub_function; /* extern -> 1 + function of its stub; before functions are numbered: 1 + number of its
                                arguments */
    GArray *stubs;           /* uint32_t: externs that need a stub, in order of first use */
    GArray *adapters;        /* CcLinkAdapter: they follow the stubs among the program's functions */
    uint32_t n_functions;
    VcodeModule *program;
} CcLink;

/* -- symbols.c --------------------------------------------------------------------------------- */
/* Collects the definitions of all objects, and reports duplicates. */
void cc_link_collect(CcLink *link);
/* Returns what a symbol of an object stands for. Reports it if no object defines it. `reloc` is the use, or NULL. */
CcLinkTarget cc_link_resolve(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc);
/* Sets `target` to what defines `name`, an object or the linker itself. Returns false if nothing does. */
bool cc_link_find(CcLink *link, const char *name, CcLinkTarget *target);
/* Returns the definition of `name` in an object, or NULL. */
const CcLinkDefinition *cc_link_definition(const CcLink *link, const char *name);

/* -- report.c ---------------------------------------------------------------------------------- */
void cc_link_error(CcLink *link, uint32_t object, uint32_t file, uint32_t line, const char *format, ...)
    G_GNUC_PRINTF(5, 6);
void cc_link_duplicate(CcLink *link, const CcLinkDefinition *first, uint32_t object, const VcodeSymbol *symbol);
void cc_link_undefined(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc);
/* Warns, once for each name, about a reference to a function that exists but cannot be called. `why` says why. */
void cc_link_refused(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc, const char *why);
/* Warns about objects that different files declare with different sizes. */
void cc_link_check_types(CcLink *link);

/* -- linker.c ---------------------------------------------------------------------------------- */
void cc_link_open(CcLink *link, VcodeModule *const *objects, size_t n, const CcLinkOptions *options);
/* Returns false and sets `error` if any error was reported. */
bool cc_link_succeeded(const CcLink *link, GError **error);
void cc_link_close(CcLink *link);
const VcodeSymbol *cc_link_symbol(const CcLink *link, const CcLinkTarget *target);
/* Returns the relocations of a kind with low <= where < high, and their number in `n`. */
const VcodeReloc *cc_link_relocs(const CcLinkObject *o, VcodeRelocKind kind, uint64_t low, uint64_t high, uint32_t *n);
uint64_t cc_link_address(const CcLink *link, const CcLinkTarget *target);

/* -- write.c ----------------------------------------------------------------------------------- */
void cc_link_write(CcLink *link);

#endif
