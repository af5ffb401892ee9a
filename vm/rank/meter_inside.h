/* meter_inside.h - what the files of meters share. Internal to rank/. */
#ifndef ORRERY_VM_RANK_METER_INSIDE_H
#define ORRERY_VM_RANK_METER_INSIDE_H

#include "vm/meter.h"
#include "vm/rank/rank.h"

struct VmMeter {
    VmMeterClient client;
    GRecMutex lock; /* of everything here, cells, and calls of the client: ranks may run on several threads */
    VmMeterSampling sampling;
    uint32_t ranks;
    GPtrArray *roots;    /* VmMeterNode */
    GPtrArray *all;      /* VmMeterNode: each of them */
    GHashTable *by_rank; /* code of a function -> rank_ps of its nodes; never iterated */
    GPtrArray *attached; /* VmRankMeter */
};

typedef struct VmMeterNote { /* an addition that may be taken back */
    uint64_t time_ps, compute_ps, times;
    VmMeterCell *cell; /* NULL: calls */
    VmMeterNode *from; /* ... by edge `edge` of this node */
    guint edge;
    bool estimated, visit;
    void *undo;       /* of the client; NULL: layers above have not moved the clock ... */
    uint64_t from_ps; /* ... from here on */
} VmMeterNote;

typedef struct VmMeterThread {
    VmMeterFace face; /* first member */
    bool begun;
    uint32_t depth;    /* frames when its last instruction began */
    uint64_t last_ps;  /* up to here time has been added */
    VmClock clock;     /* as it was at that time */
    VmMeterNode *node; /* whose instruction it is */
    GPtrArray *path;   /* VmMeterNode by level: path[depth - 1] is `node` */
} VmMeterThread;

typedef struct VmMeterSample VmMeterSample; /* meter_sample.c */

struct VmRankMeter {
    VmMeterFace *face; /* first member: see vm_meter_face() */
    VmMeter *meter;
    VmRank *rank;
    uint32_t index, phase;
    const VmHierarchy *hierarchy;
    uint64_t mispredicted, misses[VM_CACHE_LEVELS]; /* as they have been added */
    GPtrArray *threads;                             /* VmMeterThread, by number; NULL: not come yet */
    GArray *notes;                                  /* VmMeterNote, by time */
    uint64_t compute_ps;                            /* sum of what was added */
    VmMeterCell *cut;                               /* where the rank was when it was cut; NULL: it was not */
    bool closed;
    bool estimates;        /* what is added now was not metered ... */
    uint64_t estimated_ps; /* ... and how much that was */
    VmMeterSample *sample; /* NULL: each instruction is metered */
};

/* -- meter.c ----------------------------------------------------------------------------------- */

VmMeterThread *vm_meter_thread_of(VmRank *rank);
VmMeterCell *vm_meter_cell_of(VmMeterNode *node, uint32_t pc);
/* The rank may have called and returned unseen: finds the path to where it is. No calls are counted. */
void vm_meter_find_path(VmRank *rank, VmMeterThread *thread);
/* What has passed belongs to the last instruction. `ends`: this has ended its block. */
void vm_meter_add(VmRank *rank, VmMeterThread *thread, bool ends);
/* The same for an instruction that was metered last; the next one is at rank->pc. */
void vm_meter_finish(VmRank *rank, VmMeterThread *thread);
/* Adds computing to a cell, and calls to an edge. */
void vm_meter_give(VmRankMeter *own, VmMeterCell *cell, uint64_t compute_ps, uint64_t times);
void vm_meter_give_calls(VmRankMeter *own, VmMeterNode *from, guint edge, uint64_t calls);
/* Asks the client what of the time up to now is computing, and adds that with `times`. Returns how much it is. */
uint64_t vm_meter_pass(VmRank *rank, VmMeterCell *cell, uint64_t elapsed_ps, uint64_t computed_ps, uint64_t times);

/* -- meter_sample.c ---------------------------------------------------------------------------- */

/* Whether a rank can be sampled: nothing else looks at each of its instructions. */
bool vm_meter_can_sample(const VmRank *rank, const VmHierarchy *hierarchy);
VmMeterSample *vm_meter_sample_new(const VmMeterSampling *sampling);
void vm_meter_sample_free(VmMeterSample *sample);
/* So much computing was metered at a cell, or a call, edge `edge` of a node. */
void vm_meter_sample_took(VmMeterSample *sample, VmMeterCell *cell, uint64_t ps, bool ends);
void vm_meter_sample_called(VmMeterSample *sample, VmMeterNode *from, guint edge);
/* Returns how much of the time of the running call stands for itself, and forgets it. */
uint64_t vm_meter_sample_long(VmMeterSample *sample);
/* Whether the rank runs unmetered. */
bool vm_meter_sample_runs(const VmMeterSample *sample);
/* What has passed unmetered is known now: as far as the place where the rank is. */
void vm_meter_sample_flush(VmRank *rank);
/* What has passed unmetered belongs to the present phase. */
void vm_meter_sample_end_phase(VmRank *rank);
/* Notes up to this cell's are settled. */
void vm_meter_sample_settle(VmRankMeter *own, uint64_t time_ps, VmMeterCell *last);
/* Returns where a rank is taken to have been that is cut at that time; NULL: that is not for this file to say. `last`:
 * of the last note that stays; NULL: there is none. */
VmMeterCell *vm_meter_sample_cut(VmRankMeter *own, uint64_t time_ps, VmMeterCell *last);
/* So much more has passed than was added up, before a cell. */
void vm_meter_sample_correct(VmRankMeter *own, VmMeterCell *cell, uint64_t more_ps);

#endif
