/* meter.h - what ranks execute, by path of calls and by instruction: for profiles.
 *
 * A VmMeter is shared by the ranks that are attached to it. It is a tree: a node is a function, reached by one path of
 * calls from the program's beginning, and has a cell for each instruction at which time has passed. A function that is
 * on the path already is not a new node: recursion folds into its first call.
 *
 * Time that the rank's clock moves by is added, in picoseconds, to the instruction that has moved it: that of a block
 * of instructions to the one that ends it, as that is where the VM charges it. What passes in calls of the layers above
 * is divided by these (VmMeterClient). Metered ranks run in the careful loop of the interpreter; their times are the
 * same. Ranks of a meter may run on several threads of the host: it calls its client one at a time.
 *
 * That takes some thirty times as long as native code. So a meter may look at a rank only now and then
 * (VmMeterSampling). What passes in layers above is added as exactly as ever, and so is what long calls of the library
 * take; the sum over cells stays the rank's time. Ranks with several threads, caches, predictors or execution out of
 * order are metered all the time, as their times are made instruction by instruction anyway.
 */
#ifndef ORRERY_VM_METER_H
#define ORRERY_VM_METER_H

#include "vm/vm.h"

typedef struct VmMeter VmMeter;
typedef struct VmMeterNode VmMeterNode;

typedef struct VmMeterCell { /* an instruction on one path */
    VmMeterNode *node;
    uint32_t pc;
    uint64_t times;        /* how often it has ended its block */
    uint64_t compute_ps;   /* without what passed in the layers above */
    uint64_t visits;       /* how often layers above have moved the clock there; never estimated */
    uint64_t mispredicted; /* branches */
    uint64_t misses[VM_CACHE_LEVELS];
    void *own; /* of the client; freed with g_free() */
} VmMeterCell;

typedef struct VmMeterEdge { /* calls of a function by an instruction of a node */
    VmMeterNode *to;
    uint32_t pc, function;
    uint64_t calls;
} VmMeterEdge;

struct VmMeterNode {
    VmMeterNode *parent; /* NULL: the program's beginning, or that of a thread */
    const VmImage *image;
    uint32_t function;   /* index in the module */
    uint32_t call_pc;    /* the instruction of the parent that calls it; VCODE_NONE: none */
    uint32_t phase;      /* see vm_meter_set_phase() */
    uint32_t start, end; /* its code */
    VmMeterCell **cells; /* by pc - start; NULL: no time has passed there */
    GArray *edges;       /* VmMeterEdge */
    GArray *nodes;       /* VmMeterNode *: those whose parent this is */
    uint64_t *rank_ps;   /* by rank: compute_ps of all nodes of the function; all of these share it */
    uint32_t clock_rank; /* the least rank that came here ... */
    uint64_t period_q32; /* ... and the period of its clock then */
};

typedef struct VmMeterClient {
    void *user;
    /* Time has passed at an instruction of the rank not only by cycles: the layers above have moved its clock. Returns
     * how much of it is computing. `computed_ps` is what cycles explain. `undo` may be set to what undone() needs;
     * freed with g_free(). */
    uint64_t (*passed)(void *user, VmRank *rank, VmMeterCell *cell, uint64_t elapsed_ps, uint64_t computed_ps,
                       void **undo);
    /* The rank was cut: of that time, only `kept_ps` have passed. */
    void (*undone)(void *user, uint32_t rank, VmMeterCell *cell, void *undo, uint64_t kept_ps);
    /* vm_hierarchy_counts(); may be NULL if no rank has caches. */
    const VmCacheCounts *(*caches)(const VmHierarchy *hierarchy, uint32_t level);
} VmMeterClient;

/* Cycles of a rank's own clock. After the first `exact` ones, a rank is metered in bursts of `burst` cycles; what it
 * computes between two of them is divided as the second one was. In between lies 1/256 of all cycles of the rank so
 * far, at least `least` and at most `most`, half of which is drawn. burst 0: everything is metered. */
typedef struct VmMeterSampling {
    uint64_t exact, burst, least, most;
} VmMeterSampling;

/* Makes a meter for up to `ranks` ranks. To be freed before them, and when none of them runs any more. `sampling`: NULL
 * if everything is to be metered. */
VmMeter *vm_meter_new(uint32_t ranks, const VmMeterClient *client, const VmMeterSampling *sampling);
void vm_meter_free(VmMeter *meter);
/* Meters a rank from now on. `hierarchy`: its caches, or NULL. */
void vm_meter_attach(VmMeter *meter, VmRank *rank, const VmHierarchy *hierarchy);
/* From now on what the rank executes belongs to this phase: each has trees of its own. A rank begins in phase 0. */
void vm_meter_set_phase(VmRank *rank, uint32_t phase);
/* Adds up what has passed until now: of the thread that is selected. */
void vm_meter_flush(VmRank *rank);
/* What has been added up for a rank, and where its first thread was last, also when it has ended; NULL: nowhere. */
uint64_t vm_meter_rank_ps(const VmMeter *meter, uint32_t rank);
/* How much of that was not metered, but divided as what was. */
uint64_t vm_meter_estimated_ps(const VmMeter *meter, uint32_t rank);
VmMeterCell *vm_meter_last(const VmMeter *meter, uint32_t rank);
/* Corrects what was added up for a rank at a cell. */
void vm_meter_correct(const VmMeter *meter, uint32_t rank, VmMeterCell *cell, uint64_t more_ps);
/* Returns the roots: the beginnings of programs and threads in each phase, VmMeterNode *. The meter owns the array. */
const GPtrArray *vm_meter_roots(const VmMeter *meter);
/* Whether the instruction ends a block of instructions, where the VM charges for all of them. */
bool vm_meter_ends_block(const VmImage *image, uint32_t pc);
/* What the instruction costs by its class, cycles (q8): its share of what its block costs. */
uint64_t vm_meter_instruction_cost(const VmImage *image, uint32_t pc);
typedef struct VmMeterLoop { /* instructions from the first that a jump leads back to, to the last that leads back */
    uint32_t first, last;
} VmMeterLoop;
/* Returns the outermost loops of a function as intervals of its code, ascending: VmMeterLoop. The caller frees the
 * array with g_array_unref(). */
GArray *vm_meter_loops(const VmImage *image, uint32_t function);
/* What the block costs that ends at the instruction, cycles (q8), and where it begins. */
uint64_t vm_meter_block_cost(const VmImage *image, uint32_t pc, uint32_t *first);

#endif
