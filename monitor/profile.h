/* profile.h - where the virtual time of a run went: by function and path of calls, source line, MPI call site,
 * collective and phase, divided into computing, library and waiting by cause.
 *
 * Everything is counted in picoseconds and adds up exactly: the time of all functions, of all lines, of all phases is
 * that of all ranks, finish = compute + overhead + waiting of each rank, summed. (Ranks with several threads: the sum
 * of what their threads do.) Figures are folded over ranks as they come, so that they take little memory for each rank.
 */
#ifndef ORRERY_MONITOR_PROFILE_H
#define ORRERY_MONITOR_PROFILE_H

#include "machine/machine.h"

enum { MON_NO_NODE = -1 };

typedef struct MonTimes {
    uint64_t compute_ps, overhead_ps;
    uint64_t wait_ps[MPI_WAIT_CAUSES];
} MonTimes;
uint64_t mon_profile_times_waiting(const MonTimes *times); /* all causes together */
uint64_t mon_profile_times_all(const MonTimes *times);
void mon_profile_times_add(MonTimes *sum, const MonTimes *times);

typedef struct MonCounts { /* what the machine does not model is 0 */
    uint64_t instructions, loads, stores, branches, mispredicted;
    uint64_t misses[VM_CACHE_LEVELS];
} MonCounts;
void mon_profile_counts_add(MonCounts *sum, const MonCounts *counts);

/* A function on one path of calls from the program's beginning, in one phase. Recursion folds into the first call. An
 * inlined function is one like others, as debug information tells. */
typedef struct MonProfileNode {
    int parent;     /* index of the caller's node, which comes before; MON_NO_NODE: none */
    uint32_t phase; /* index of the phase */
    const char *function;
    const char *file; /* of its definition; "?": unknown */
    uint32_t line;
    const char *call_file; /* where it is called from */
    uint32_t call_line;
    bool inlined;
    uint64_t calls; /* 0: inlined, or nobody calls it */
    MonTimes self, total;
    MonCounts counts;           /* self */
    const VmMeterNode *metered; /* NULL: inlined */
} MonProfileNode;

/* A source line within a node, or summed up over them (then `node` is MON_NO_NODE). */
typedef struct MonProfileLine {
    int node;
    const char *file;
    uint32_t line;
    MonTimes times;
    MonCounts counts;
} MonProfileLine;

/* A function, over all paths. */
typedef struct MonProfileFunction {
    const char *function, *file;
    uint32_t line;
    bool inlined; /* everywhere */
    uint64_t calls;
    MonTimes self, total; /* total: with what it calls */
    MonCounts counts;
    /* Computing of the rank that has least, and most, and of a mean rank, without what is inlined into it as a function
     * of its own; of an inlined function: 0. */
    uint64_t least_ps, most_ps, mean_ps;
} MonProfileFunction;

/* Calls of an MPI function from one place. */
typedef struct MonProfileSite {
    const char *name, *function, *file; /* MPI function; where it is called */
    uint32_t line, pc;
    const VcodeModule *program;
    uint64_t calls, longest_ps, shortest_ps;
    uint64_t imbalance_ps; /* of its waiting: because another rank had computed longer (imbalance.c) */
    MonTimes times;        /* compute_ps: 0 */
    uint64_t messages, bytes, least_bytes, most_bytes; /* that calls have sent: in all, and of a call */
} MonProfileSite;

/* Calls of an extern that took time otherwise than by computing, from one place on one path: what a line of a node has
 * besides computing. */
typedef struct MonProfileCall {
    int node;
    const char *name;           /* of the extern: a function of MPI, usleep ...; "?": it is another instruction */
    const VcodeModule *program; /* together with `pc`: the place */
    const char *file;
    uint32_t line, pc;
    MonTimes times; /* compute_ps: 0 */
} MonProfileCall;

/* Calls of a collective by one algorithm. */
typedef struct MonProfileCollective {
    const char *name, *algorithm; /* algorithm "": it has none */
    uint64_t calls, longest_ps, shortest_ps;
    MonTimes times;
    uint64_t bytes;
} MonProfileCollective;

typedef struct MonProfilePhase {
    char *name;
    MonTimes times;
    bool level;           /* of MPI_Pcontrol; false: a loop with calls of MPI in it, or what lies outside of all */
    uint64_t turns;       /* of the loop, of all ranks */
    const char *file;     /* of the loop */
    uint32_t first, last; /* lines of it */
} MonProfilePhase;

typedef struct MonProfileRank {
    uint64_t finish_ps;
    MonTimes times;
} MonProfileRank;

typedef struct MonProfileData { /* the result, owned by the profile */
    const char *machine;
    bool has_caches, has_predictor;
    uint32_t ranks;
    uint64_t makespan_ps;
    uint64_t start_ps;     /* sum of the times at which ranks began: those that came during the run */
    MonTimes times;        /* of all ranks */
    uint64_t imbalance_ps; /* of their waiting in collectives: because another rank had computed longer */
    uint64_t estimated_ps; /* of their computing: divided by samples */
    MonCounts counts;
    GArray *nodes;       /* MonProfileNode: parents before their children */
    GArray *lines;       /* MonProfileLine of nodes, by node, file, line */
    GArray *functions;   /* MonProfileFunction: by time of their own, most first */
    GArray *all_lines;   /* MonProfileLine over nodes, by file and line */
    GArray *sites;       /* MonProfileSite: by time, most first */
    MonTimes no_site;    /* overhead and waiting outside of calls that were told */
    GArray *calls;       /* MonProfileCall, by node and place */
    GArray *collectives; /* MonProfileCollective: by time */
    GArray *levels;      /* MonProfilePhase: the phases of MPI_Pcontrol; nodes have their indices */
    GArray *loops;       /* MonProfilePhase: loops, and at last what is outside */
    GArray *by_rank;     /* MonProfileRank */
} MonProfileData;

typedef struct MonProfile MonProfile;
/* How much of what ranks compute is metered instruction by instruction, which takes some thirty times as long as to run
 * it; the rest is divided by samples (VmMeterSampling). */
typedef enum MonProfileDetail {
    MON_PROFILE_SAMPLED, /* the first 10 million cycles of all ranks together; then samples */
    MON_PROFILE_BRIEFLY, /* the first million */
    MON_PROFILE_EXACT    /* everything */
} MonProfileDetail;
/* Profiles a machine from before its first run. What its ranks do, and when, stays the same. */
MonProfile *mon_profile_new(Machine *machine, MonProfileDetail detail);
/* Returns the result behind the run, however that ended: everything up to its end. */
const MonProfileData *mon_profile_data(MonProfile *profile);
void mon_profile_free(MonProfile *profile);

/* Tables for people (tables.c). */
typedef enum MonProfileTable {
    MON_PROFILE_FUNCTION,
    MON_PROFILE_TREE,
    MON_PROFILE_LINE,
    MON_PROFILE_SITE,
    MON_PROFILE_STACK,
    MON_PROFILE_COLLECTIVE,
    MON_PROFILE_PHASE,
    MON_PROFILE_COUNTS,
    MON_PROFILE_RANK,
    MON_PROFILE_SOURCE,
    MON_PROFILE_TABLES
} MonProfileTable;
#define MON_PROFILE_TABLE_NAMES "function|tree|line|site|stack|collective|phase|counts|rank|source"
/* Appends totals, and then a table. `most`: rows at most; 0: all. */
void mon_profile_print_totals(const MonProfileData *data, GString *out);
void mon_profile_print(const MonProfileData *data, MonProfileTable table, uint32_t most, GString *out);
/* Appends the table as CSV: all rows, times in picoseconds. */
void mon_profile_print_csv(const MonProfileData *data, MonProfileTable table, GString *out);
/* Append it for callgrind_annotate and KCachegrind, with the calls between functions, those of MPI among them, and as
 * folded stacks for flame graphs: a line for each path and what was done there, and its time in ns (paths.c). */
void mon_profile_print_callgrind(const MonProfileData *data, const char *program, GString *out);
void mon_profile_print_folded(const MonProfileData *data, GString *out);
/* Appends everything as JSON (schema orrery-profile, version 1). */
void mon_profile_print_json(const MonProfileData *data, GString *out);

#endif
