/* replay_table.h - the file by which `orrery replay` tells the program that replays what to do: shared by both. All
 * numbers are little endian, as in the simulated processes.
 *
 *     ReplayHeader, ReplayRank for each rank, and for each rank, from its offset on:
 *         of a time-independent trace: ReplayAction and its arguments, one after the other
 *         of a GOAL schedule:          ReplayOp for each operation, then the numbers of dependents (uint32_t)
 */
#ifndef ORRERY_REPLAY_TABLE_H
#define ORRERY_REPLAY_TABLE_H

#include <stdint.h>

enum { REPLAY_TI = 1, REPLAY_GOAL };

typedef struct ReplayHeader {
    uint32_t kind, ranks;
} ReplayHeader;

typedef struct ReplayRank {
    uint64_t offset, bytes;
    uint64_t largest;  /* bytes of the largest message or block of the rank's operations */
    uint32_t requests; /* most that are open at a time */
    uint32_t ops;      /* of a schedule */
} ReplayRank;

/* Arguments, in this order: `p` a rank, `t` a tag, `n` a count, `d` a datatype (-1: the default one), `r` a root, `c`
 * ps of computing, `s` ps of sleeping, `V` a count for each rank, `q` a request; `*` is skipped. What is in brackets
 * may be missing. */
#define REPLAY_ACTIONS(ACTION)                                                                                         \
    ACTION(INIT, "init", "[i]")                                                                                        \
    ACTION(FINALIZE, "finalize", "")                                                                                   \
    ACTION(COMM_SIZE, "comm_size", "*")                                                                                \
    ACTION(COMM_SPLIT, "comm_split", "[*")                                                                             \
    ACTION(COMM_DUP, "comm_dup", "[*")                                                                                 \
    ACTION(LOCATION, "location", "**")                                                                                 \
    ACTION(COMPUTE, "compute", "c")                                                                                    \
    ACTION(SLEEP, "sleep", "s")                                                                                        \
    ACTION(SEND, "send", "Ptn[d]")                                                                                     \
    ACTION(ISEND, "isend", "Ptn[d]")                                                                                   \
    ACTION(RECV, "recv", "pt[n[d]")                                                                                    \
    ACTION(IRECV, "irecv", "pt[n[d]")                                                                                  \
    ACTION(TEST, "test", "ppt")                                                                                        \
    ACTION(WAIT, "wait", "ppt")                                                                                        \
    ACTION(WAITALL, "waitall", "[*")                                                                                   \
    ACTION(SENDRECV, "sendrecv", "nPnp[d[d]]")                                                                         \
    ACTION(BARRIER, "barrier", "")                                                                                     \
    ACTION(BCAST, "bcast", "n[r[d]]")                                                                                  \
    ACTION(REDUCE, "reduce", "nc[r[d]]")                                                                               \
    ACTION(ALLREDUCE, "allreduce", "nc[d]")                                                                            \
    ACTION(SCAN, "scan", "nc[d]")                                                                                      \
    ACTION(EXSCAN, "exscan", "nc[d]")                                                                                  \
    ACTION(ALLTOALL, "alltoall", "nn[d[d]]")                                                                           \
    ACTION(ALLTOALLV, "alltoallv", "nVnV[d[d]]")                                                                       \
    ACTION(GATHER, "gather", "nn[r[d[d]]]")                                                                            \
    ACTION(GATHERV, "gatherv", "nV[r[d[d]]]")                                                                          \
    ACTION(ALLGATHER, "allgather", "nn[d[d]]")                                                                         \
    ACTION(ALLGATHERV, "allgatherv", "nV[d[d]]")                                                                       \
    ACTION(SCATTER, "scatter", "nn[r[d[d]]]")                                                                          \
    ACTION(SCATTERV, "scatterv", "Vn[r[d[d]]]")                                                                        \
    ACTION(REDUCESCATTER, "reducescatter", "Vc[d]")

typedef enum ReplayCode {
#define ACTION(identifier, name, arguments) REPLAY_##identifier,
    REPLAY_ACTIONS(ACTION)
#undef ACTION
        REPLAY_CODES
} ReplayCode;

/* Datatypes of time-independent traces: number, MPI's name, bytes, operation for reductions. */
#define REPLAY_TYPES(TYPE)                                                                                             \
    TYPE(DOUBLE, 8, MAX)                                                                                               \
    TYPE(INT, 4, MAX)                                                                                                  \
    TYPE(CHAR, 1, BOR)                                                                                                 \
    TYPE(SHORT, 2, MAX)                                                                                                \
    TYPE(LONG, 8, MAX)                                                                                                 \
    TYPE(FLOAT, 4, MAX)                                                                                                \
    TYPE(BYTE, 1, BOR)
enum {
#define TYPE(name, bytes, op) REPLAY_TYPE_##name,
    REPLAY_TYPES(TYPE)
#undef TYPE
        REPLAY_TYPE_COUNT
};

typedef struct ReplayAction { /* and behind it `n` arguments of 8 bytes; requests come first, for who has one */
    uint32_t code, n;
    uint32_t line;
    int32_t request; /* of non-blocking actions, wait and test; -1: none */
} ReplayAction;

enum { REPLAY_OP_SEND = 1, REPLAY_OP_RECV, REPLAY_OP_CALC };
enum { REPLAY_ANY = -1 };

typedef struct ReplayOp {
    uint64_t size; /* bytes, or ps */
    int32_t peer, tag;
    uint32_t kind, line;
    uint32_t needs;              /* how many operations it depends on */
    uint32_t first, done, begun; /* dependents: those of its end, then those of its beginning */
} ReplayOp;

#endif
