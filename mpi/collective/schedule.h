/* schedule.h - collectives as schedules.
 *
 * A schedule is a sequence of rounds. A round is a list of communication steps, started together, and a list of local
 * steps (combine, copy), done in order when all of the round's messages have come and gone:
 *
 *      round 0:  send recv recv | combine combine        round 1:  send send | -        ...
 *
 * Rounds are not stored: an algorithm is a function that writes round r of rank k of n, so a schedule of a million
 * ranks takes no more memory than its widest round, and algorithms are pure and can be tested without any MPI around
 * them. All data is packed, in one block of host memory per schedule; steps name offsets in it.
 *
 * The same engine serves blocking calls and those in the background (operations.c): it is a state machine moved by
 * completions.
 */
#ifndef ORRERY_MPI_SCHEDULE_H
#define ORRERY_MPI_SCHEDULE_H

#include "mpi/core/call.h"
#include "mpi/p2p/p2p.h"

typedef enum MpiCollective {
#define MPI_COLLECTIVE(name, key) MPI_COLLECTIVE_##name,
#include "mpi/collective/algorithms.def"
    MPI_COLLECTIVE_COUNT
} MpiCollective;

/* What an algorithm knows of its task. Filled by the caller up to `commutative`, then by the algorithm's setup. */
typedef struct MpiPlan {
    uint32_t rank, size;
    uint32_t root;
    uint64_t bytes;                            /* of one block: the contribution or share of one rank; 0 in v forms */
    uint64_t own_bytes;                        /* of this rank's block, in v forms too */
    const uint64_t *send_bytes, *send_offsets; /* v forms: of each rank's block in the input; NULL: all `bytes` */
    const uint64_t *recv_bytes, *recv_offsets; /* v forms: of each rank's block in the result */
    uint64_t input_bytes, result_bytes;        /* total of the v forms' blocks here */
    uint32_t remote;                           /* inter-communicators: ranks in the remote group, which peers and root
                                                * count behind the `size` local ones; 0: intra-communicator */
    const int *sources, *destinations;         /* neighbourhoods: ranks, MPI_PROC_NULL_ for none */
    uint32_t n_sources, n_destinations;
    uint64_t eager_limit;   /* longer multicasts wait until there is a place for them */
    bool grid;              /* neighbours i and i ^ 1 are the two of a dimension */
    bool commutative;       /* the operator */
    bool multicast;         /* one message can be sent to all others at once */
    bool phantom;           /* only its time is of interest: there are no data, and no memory */
    uint64_t memory;        /* bytes that the schedule needs */
    uint64_t input, result; /* offsets: where the input must be before, and the result is after */
} MpiPlan;

typedef enum MpiScheduleStepKind {
    MPI_SCHEDULE_SEND,
    MPI_SCHEDULE_RECEIVE,
    MPI_SCHEDULE_MULTICAST, /* to all others; they receive it as a message from here */
    MPI_SCHEDULE_COMBINE,
    MPI_SCHEDULE_COPY
} MpiScheduleStepKind;

typedef struct MpiScheduleStep {
    MpiScheduleStepKind kind;
    uint32_t peer;     /* rank in the communicator */
    uint64_t from, to; /* SEND, MULTICAST: from; RECEIVE: to; COMBINE: memory[to] = memory[from] op memory[to]; COPY */
    uint64_t bytes;
} MpiScheduleStep;

typedef struct MpiRound {
    MpiScheduleStep *messages, *locals;
    uint32_t n_messages, n_locals, messages_capacity, locals_capacity;
} MpiRound;

/* Used by algorithms. A message of 0 bytes is left out on both sides, except by mpi_round_signal(). */
void mpi_round_send(MpiRound *round, uint32_t peer, uint64_t from, uint64_t bytes);
void mpi_round_receive(MpiRound *round, uint32_t peer, uint64_t to, uint64_t bytes);
void mpi_round_signal(MpiRound *round, uint32_t to);
/* To all others, also where it has 0 bytes: if there are others. */
void mpi_round_multicast(MpiRound *round, uint64_t from, uint64_t bytes);
void mpi_round_await(MpiRound *round, uint32_t from);
/* A receive that is not left out. */
void mpi_round_take(MpiRound *round, uint32_t peer, uint64_t to, uint64_t bytes);
void mpi_round_combine(MpiRound *round, uint64_t from, uint64_t to, uint64_t bytes);
void mpi_round_copy(MpiRound *round, uint64_t from, uint64_t to, uint64_t bytes);
void mpi_round_clear(MpiRound *round); /* empties it, keeps its memory */
void mpi_round_free(MpiRound *round);

/* Sets memory, input and result. */
typedef void (*MpiSetup)(MpiPlan *plan);
/* Writes round `number` (into an empty round); false: the schedule is over. */
typedef bool (*MpiRoundWriter)(const MpiPlan *plan, uint32_t number, MpiRound *round);

/* What an algorithm can do; "auto" takes the collective's first row that can do it and whose limits hold. */
enum {
    MPI_ALGORITHM_ANY = 0,
    MPI_ALGORITHM_POWER_OF_TWO = 1, /* only for such numbers of ranks */
    MPI_ALGORITHM_COMMUTATIVE = 2,  /* only for commutative operators */
    MPI_ALGORITHM_NEIGHBOURS = 8,   /* along a topology */
    MPI_ALGORITHM_INTER = 4,        /* for inter-communicators; the others are not */
    MPI_ALGORITHM_MULTICAST = 16,   /* where the medium has hardware broadcast */
};

typedef struct MpiAlgorithm {
    MpiCollective collective;
    const char *name;
    unsigned needs;                /* MPI_ALGORITHM_* */
    uint64_t min_bytes, max_bytes; /* of a block, for "auto" */
    MpiSetup setup;
    MpiRoundWriter round;
} MpiAlgorithm;

#define MPI_COLLECTIVE(name, key)
#define MPI_ALGORITHM(collective, name, needs, min_bytes, max_bytes, setup, round)                                     \
    void setup(MpiPlan *plan);                                                                                         \
    bool round(const MpiPlan *plan, uint32_t number, MpiRound *out);
#define MPI_ALGORITHM_BETWEEN(collective, setup, round) MPI_ALGORITHM(collective, , , , , setup, round)
#include "mpi/collective/algorithms.def"

/* Rounds that other algorithms are composed of. */
uint32_t mpi_rounds_log2(uint32_t size); /* least r with 2^r >= size */
/* The root multicasts what lies at 0 when all others are waiting for it. */
bool mpi_collective_multicast_when_ready(const MpiPlan *plan, uint64_t bytes, uint32_t number, MpiRound *round);

const MpiAlgorithm *mpi_algorithm_rows(size_t *count);
/* The algorithm for a plan: `name` if given and possible, else by size and ranks. Never NULL. */
const MpiAlgorithm *mpi_algorithm_choose(MpiCollective collective, const char *name, const MpiPlan *plan);
const char *mpi_collective_key(MpiCollective collective); /* "bcast" */

/* Blocks of the v forms or equal ones. */
static inline uint64_t mpi_plan_send_bytes(const MpiPlan *plan, uint32_t rank)
{
    return plan->send_bytes ? plan->send_bytes[rank] : plan->bytes;
}
static inline uint64_t mpi_plan_send_offset(const MpiPlan *plan, uint32_t rank)
{
    return plan->input + (plan->send_offsets ? plan->send_offsets[rank] : rank * plan->bytes);
}
static inline uint64_t mpi_plan_recv_bytes(const MpiPlan *plan, uint32_t rank)
{
    return plan->recv_bytes ? plan->recv_bytes[rank] : plan->bytes;
}
static inline uint64_t mpi_plan_recv_offset(const MpiPlan *plan, uint32_t rank)
{
    return plan->result + (plan->recv_offsets ? plan->recv_offsets[rank] : rank * plan->bytes);
}

/* A running collective. */
struct MpiSchedule {
    MpiScheduleHead head; /* first: the message path sees only this */
    const MpiAlgorithm *algorithm;
    MpiPlan plan;
    MpiRound round;
    uint32_t number; /* of the current round */
    uint32_t local;  /* next local step of the round */
    bool begun, finished;
    MpiRequest **requests; /* of the round's messages */
    uint32_t requests_capacity;
    uint8_t *memory;
    MpiComm *comm;
    uint64_t sequence, turn; /* of the collective on its communicator; for its messages (turns.c) */
    MpiOp *op;
    MpiType *type;                   /* of the elements that COMBINE works on */
    uint64_t scratch, scratch_items; /* rank memory for a user operator */
};

/* Makes the schedule of a call: chooses the algorithm, allocates memory. The caller fills the input, then runs it. */
MpiSchedule *mpi_schedule_new(MpiCall *call, MpiComm *comm, MpiCollective collective, const MpiPlan *plan);
/* Executes call->collective.schedule, then `then`. */
MpiStep mpi_schedule_run(MpiCall *call, MpiHandler then);
/* Goes on as far as possible without simulated code; true: finished, or simulated code is next. */
bool mpi_schedule_advance(MpiCall *call);
/* The next local step needs the function of a user's operator: f(in, inout, &n, &type) on memory of the rank. Prepares
 * the arguments (false: no memory), and takes over what it has computed. */
bool mpi_schedule_operator_begin(MpiCall *call, MpiSchedule *schedule, uint64_t arguments[4]);
void mpi_schedule_operator_end(MpiCall *call, MpiSchedule *schedule);
/* Gives the memory for those arguments back to the rank, in a call of which this must be done. */
void mpi_schedule_free_scratch(MpiCall *call, MpiSchedule *schedule);
void mpi_schedule_free(MpiWorld *world, MpiSchedule *schedule);

#endif
