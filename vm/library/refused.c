/* refused.c - functions that programs may mention but no rank can call: a call ends the run with the reason.
 *
 * Programs contain code that never runs: helpers of a common header, a branch for another system. So a name is bound
 * like any other when the image is made, and only calling it is a fault.
 */
#include "vm/rank/rank.h"

#include <stdlib.h>
#include <string.h>

VmCallResult vm_extern_refused(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)args, (void)n;
    const VmExtern *function = vm_rank_current_extern(rank);
    vm_rank_fault(rank, VM_FAULT_LIBRARY, 0, "%s cannot be called: %s", function->name, (const char *)user);
    return VM_CALL_FAULT;
}

enum {
#define REASON(group, text) group,
#include "vm/library/refused.def"
};

static const char *const reasons[] = {
#define REASON(group, text) [group] = text,
#include "vm/library/refused.def"
};

typedef struct Row {
    const char *name;
    unsigned reason;
} Row;

static const Row rows[] = {
#define REFUSED(name, group) {#name, group},
#include "vm/library/refused.def"
};

const char *const *vm_refused_names(size_t *count)
{
    static const char *const names[] = {
#define REFUSED(name, group) #name,
#include "vm/library/refused.def"
    };
    *count = G_N_ELEMENTS(names);
    return names;
}

static int compare(const void *name, const void *row)
{
    return strcmp(name, ((const Row *)row)->name);
}

const char *vm_refused_why(const char *name)
{
    const Row *found = bsearch(name, rows, G_N_ELEMENTS(rows), sizeof *rows, compare);
    return found ? reasons[found->reason] : NULL;
}
