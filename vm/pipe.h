/* pipe.h - what functions of the C library wait for: bytes in pipes, room in them, and events of counters.
 *
 * Pipes, pairs of sockets and event counters belong to one process, whose threads talk through them. Their functions
 * act in the order of virtual time, by vm_rank_perform(). One that cannot go on leaves its request open: it is halted.
 * The layer above then calls vm_rank_perform() again when it may go on, or the time is up. Each pipe, that is, each
 * direction, has a number in its process, which is never used again.
 */
#ifndef ORRERY_VM_PIPE_H
#define ORRERY_VM_PIPE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct VmRank VmRank;

typedef enum VmHaltReason {
    VM_HALT_NONE,
    VM_HALT_DATA,   /* until there are bytes to read, or no writer */
    VM_HALT_ROOM,   /* until there is room to write, or no reader */
    VM_HALT_ANY,    /* until one of several descriptors is ready: vm_rank_pipes_ready() */
    VM_HALT_BROKEN, /* the caller must get SIGPIPE first */
} VmHaltReason;

typedef struct VmHalt {
    VmHaltReason reason;
    uint64_t pipe;           /* number of the pipe, of DATA and ROOM */
    int descriptor;          /* the one that the function was called for; -1: several */
    uint64_t deadline_ps;    /* of ANY; UINT64_MAX: none */
    uint64_t files, n_files; /* of ANY: address of the struct pollfd, and how many */
} VmHalt;

/* Why the function of the innermost request is halted; NULL: it is not. Valid until the rank goes on. */
const VmHalt *vm_rank_halted(const VmRank *rank);

typedef enum VmHaltEnd { VM_HALT_INTERRUPTED = 1, VM_HALT_TIMED_OUT = 2, VM_HALT_SIGNALLED = 4 } VmHaltEnd;
/* Tells the halted function what has come instead: it ends with EINTR, or its time is up, or SIGPIPE has been sent. To
 * be called before vm_rank_perform(). */
void vm_rank_halt_over(VmRank *rank, VmHaltEnd end);

/* Whether one of the descriptors that a function halted by VM_HALT_ANY waits for is ready. */
bool vm_rank_pipes_ready(VmRank *rank, const VmHalt *halt);

/* Appends "bytes from descriptor 3, which nobody has written to descriptor 4" or the like: what a halted function waits
 * for. */
void vm_rank_pipe_describe(VmRank *rank, const VmHalt *halt, GString *out);
/* Returns the lowest open descriptor at the other end of the pipe that a function is halted for; -1: there is none. */
int vm_rank_pipe_other_end(VmRank *rank, const VmHalt *halt);

/* What has happened to a pipe, and what it is like then. */
typedef struct VmPipeChange {
    uint64_t pipe;
    bool taken, put; /* bytes have been taken out, or its end has been seen; put in, or an end closed */
    bool data;       /* it has bytes */
    bool room;       /* it has room for those who wait for it */
    bool ended;      /* it has no writer any more, or no reader */
} VmPipeChange;

#endif
