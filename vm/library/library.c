/* library.c - the simulated C library's table and its trampoline; calls.c has what all chapters share.
 *
 * library.def is the single source of the host functions. The table that vm_library() returns comes from it (sorted by
 * name, as the file is), and so does the function behind each entry's `user`. All entries share one trampoline, which
 * handles functions that must be called again in their rank's turn.
 */
#include "vm/library/calls.h"

#include <assert.h>

enum {
#define FUNCTION(name, chapter, arity, base, unit) ROW_##name,
#include "vm/library/library.def"
    ROW_COUNT
};

static const CFunction rows[ROW_COUNT] = {
#define FUNCTION(name, chapter, arity, base, unit) vm_library_c_##name,
#include "vm/library/library.def"
};

static VmCallResult vm_library_call(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)n;
    const CFunction *row = user;
    g_assert(row >= rows && row < rows + ROW_COUNT);
    if (G_UNLIKELY(rank->in_order && rank->library && rank->library->pipes))
        return vm_library_perform(rank, *row, args);
    uint64_t first = args[0]; /* the result is stored there too */
    VmCallResult result = (*row)(rank, args);
    if (!rank->wants_turn)
        return result;
    rank->wants_turn = false;
    args[0] = first;
    return VM_CALL_AGAIN;
}

static const VmExtern externs[] = {
#define FUNCTION(name, chapter, arity, base, unit)                                                                     \
    {#name, vm_library_call, (void *)&rows[ROW_##name], (base)*256, unit, arity},
#define DIRECT(name, function, arity, base, unit) {#name, function, NULL, (base)*256, unit, arity},
#include "vm/library/library.def"
};

const VmExtern *vm_library(size_t *count)
{
    *count = G_N_ELEMENTS(externs);
    return externs;
}

bool vm_library_owns(const VmExtern *function)
{
    size_t count;
    const VmExtern *first = vm_library(&count);
    return function >= first && function < first + count;
}

VmLibraryFunction vm_library_direct(const VmExtern *function)
{
    return function->function == vm_library_call ? *(const CFunction *)function->user : NULL;
}

VmShading vm_library_shading(const VmExtern *function)
{
    enum { /* default of each chapter, for functions that are not listed below */
           COMPUTES = VM_SHADING_COMPUTES,
           OF_complex = COMPUTES,
           OF_math = COMPUTES,
           USES = VM_SHADING_USES,
           OF_characters = USES,
           OF_fenv = USES,
           OF_memory = USES,
           OF_pipe = USES,
           OF_posix = USES,
           OF_printf = USES,
           OF_scanf = USES,
           OF_stdio = USES,
           OF_stdlib = USES,
           OF_string = USES,
           OF_time = USES,
           OF_wide = USES,
    };
    static const uint8_t usual[] = {
#define FUNCTION(name, chapter, arity, base, unit) OF_##chapter,
#define DIRECT(name, function, arity, base, unit)  USES,
#include "vm/library/library.def"
    };
    static const struct {
        const char *name;
        VmShading shading;
    } others[] = {
        {"bcopy", VM_SHADING_SWAPPED}, {"fwrite", VM_SHADING_WRITES},  {"memcmp", VM_SHADING_COMPUTES},
        {"memcpy", VM_SHADING_COPIES}, {"memmove", VM_SHADING_COPIES}, {"mempcpy", VM_SHADING_COPIES},
        {"pwrite", VM_SHADING_WRITES}, {"send", VM_SHADING_WRITES},    {"write", VM_SHADING_WRITES},
    };
    if (!vm_library_owns(function))
        return VM_SHADING_FOREIGN;
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
        if (strcmp(others[i].name, function->name) == 0)
            return others[i].shading;
    return (VmShading)usual[function - externs];
}

bool vm_library_is_root(const VmExtern *function)
{
    static const bool roots[] = {
#define FUNCTION(name, chapter, arity, base, unit) false,
#define ROOT(name, chapter, arity, base, unit)     true,
#define DIRECT(name, function, arity, base, unit)  false,
#include "vm/library/library.def"
    };
    static_assert(G_N_ELEMENTS(roots) == G_N_ELEMENTS(externs), "one for each row");
    return vm_library_owns(function) && roots[function - externs];
}
