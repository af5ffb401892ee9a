/* schedule.h - collectives as schedules.
 *
 * A schedule is a sequence of rounds. A round is a list of communication steps, started together, and a list of local
 * steps (combine, copy), done in order when all messages of the round are complete:
 *
 *      round 0:  send recv recv | combine combine        round 1:  send send | -        ...
 *
 * Rounds are not stored: an algorithm is a function that writes round r of rank k of n. So a schedule of a million
 * ranks takes no more memory than its widest round. Algorithms are pure functions, which can be tested without MPI. All
 * data is packed, in one block of host memory per schedule; steps contain offsets in it.
 *
 * The same engine serves blocking calls and background collectives (operations.c): it is a state machine driven by
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

/* What an algorithm knows of its task. The algorithm's setup fills in memory, input and result. mpi_schedule_new()
 * fills in eager_limit and multicast, and the caller the other fields. */
typedef struct MpiPlan {
    uint32_t rank, size;
    uint32_t root;
    uint64_t bytes;                            /* size of one block, the contribution or share of one rank; 0 in v
                                                * forms */
    uint64_t own_bytes;                        /* size of this rank's block, also in v forms */
    const uint64_t *send_bytes, *send_offsets; /* v forms: by rank, the block in the input; NULL: all have `bytes` */
    const uint64_t *recv_bytes, *recv_offsets; /* v forms: by rank, the block in the result; NULL: all have `bytes` */
    uint64_t input_bytes, result_bytes;        /* v forms: total size of the blocks of this rank */
    uint32_t remote;                           /* inter-communicators: number of ranks in the remote group. In peers
                                                * and root these count behind the `size` local ones. 0:
                                                * intra-communicator */
    const int *sources, *destinations;         /* neighbourhoods: ranks, MPI_PROC_NULL_ for a missing neighbour */
    uint32_t n_sources, n_destinations;
    uint64_t eager_limit;   /* longer multicasts wait until all receivers are ready */
    bool grid;              /* neighbours i and i ^ 1 are the two of one dimension */
    bool commutative;       /* the operator is commutative */
    bool multicast;         /* the medium can send one message to all others at once */
    bool phantom;           /* only the time of the collective matters: there are no data, and no memory */
    uint64_t memory;        /* bytes of memory that the schedule needs */
    uint64_t input, result; /* offsets of the input before the schedule, and of the result after it */
} MpiPlan;

typedef enum MpiScheduleStepKind {
    MPI_SCHEDULE_SEND,
    MPI_SCHEDULE_RECEIVE,
    MPI_SCHEDULE_MULTICAST, /* a message to all others, who receive it as a message from this rank */
    MPI_SCHEDULE_COMBINE,
    MPI_SCHEDULE_COPY
} MpiScheduleStepKind;

typedef struct MpiScheduleStep {
    MpiScheduleStepKind kind;
    uint32_t peer;     /* rank in the communicator */
    uint64_t from, to; /* offsets in memory: SEND and MULTICAST from, RECEIVE to, COPY both; COMBINE computes
                        * memory[to] = memory[from] op memory[to] */
    uint64_t bytes;
} MpiScheduleStep;

typedef struct MpiRound {
    MpiScheduleStep *messages, *locals; /* messages start together; locals follow in order when these are complete */
    uint32_t n_messages, n_locals, messages_capacity, locals_capacity;
    bool all_with_all; /* the messages are those of mpi_round_spell_out(), which are not written */
} MpiRound;

/* Add steps to a round. A message of 0 bytes is left out on both sides; mpi_round_signal() sends one. */
void mpi_round_send(MpiRound *round, uint32_t peer, uint64_t from, uint64_t bytes);
void mpi_round_receive(MpiRound *round, uint32_t peer, uint64_t to, uint64_t bytes);
void mpi_round_signal(MpiRound *round, uint32_t to);
/* Adds a message to all others, if there are any. It is sent even if it has 0 bytes. */
void mpi_round_multicast(MpiRound *round, uint64_t from, uint64_t bytes);
/* Adds the receive of a signal. */
void mpi_round_await(MpiRound *round, uint32_t from);
/* Adds a receive even if it has 0 bytes. */
void mpi_round_take(MpiRound *round, uint32_t peer, uint64_t to, uint64_t bytes);
void mpi_round_combine(MpiRound *round, uint64_t from, uint64_t to, uint64_t bytes);
void mpi_round_copy(MpiRound *round, uint64_t from, uint64_t to, uint64_t bytes);
/* Makes it a round in which every rank exchanges blocks with every other rank. At distance d from 1 to n - 1, rank r
 * receives from r - d and sends to r + d, modulo n. exchange.c can make these messages one by one. */
void mpi_round_all_with_all(MpiRound *round);
/* Writes the messages of such a round. Does nothing with other rounds. */
void mpi_round_spell_out(const MpiPlan *plan, MpiRound *round);
void mpi_round_clear(MpiRound *round); /* empties the round but keeps its memory */
void mpi_round_free(MpiRound *round);

/* Sets plan->memory, plan->input and plan->result. */
typedef void (*MpiSetup)(MpiPlan *plan);
/* Writes round `number` into an empty round. Returns false if the schedule is over. */
typedef bool (*MpiRoundWriter)(const MpiPlan *plan, uint32_t number, MpiRound *round);

/* Requirements and properties of an algorithm. "auto" takes the collective's first row whose requirements and limits
 * are met. */
enum {
    MPI_ALGORITHM_ANY = 0,
    MPI_ALGORITHM_POWER_OF_TWO = 1, /* only if the number of ranks is a power of two */
    MPI_ALGORITHM_COMMUTATIVE = 2,  /* only for commutative operators */
    MPI_ALGORITHM_NEIGHBOURS = 8,   /* for the neighbourhoods of a topology */
    MPI_ALGORITHM_INTER = 4,        /* for inter-communicators; others are for intra-communicators */
    MPI_ALGORITHM_MULTICAST = 16,   /* only if the medium has hardware broadcast */
    MPI_ALGORITHM_DIRECT = 32,      /* a member sends nothing but its own input */
};

typedef struct MpiAlgorithm {
    MpiCollective collective;
    const char *name;
    unsigned needs;                /* MPI_ALGORITHM_* bits */
    uint64_t min_bytes, max_bytes; /* limits of the block size, for "auto" */
    MpiSetup setup;
    MpiRoundWriter round;
} MpiAlgorithm;

#define MPI_COLLECTIVE(name, key)
#define MPI_ALGORITHM(collective, name, needs, min_bytes, max_bytes, setup, round)                                     \
    void setup(MpiPlan *plan);                                                                                         \
    bool round(const MpiPlan *plan, uint32_t number, MpiRound *out);
#define MPI_ALGORITHM_BETWEEN(collective, setup, round) MPI_ALGORITHM(collective, , , , , setup, round)
#include "mpi/collective/algorithms.def"

/* Parts that several algorithms use. */
uint32_t mpi_rounds_log2(uint32_t size); /* returns the least r with 2^r >= size */
/* Writes a round of a multicast: the root sends the data at offset 0 when all others are ready to receive it. */
bool mpi_collective_multicast_when_ready(const MpiPlan *plan, uint64_t bytes, uint32_t number, MpiRound *round);

const MpiAlgorithm *mpi_algorithm_rows(size_t *count);
/* Returns the algorithm for a plan: `name` if that is given and possible, else one chosen by size and ranks. Never
 * NULL. */
const MpiAlgorithm *mpi_algorithm_choose(MpiCollective collective, const char *name, const MpiPlan *plan);
/* Returns the name of the algorithm that the rank takes for a collective such as "bcast": what the program has set, or
 * what the machine says; NULL: not given. Names are constants. */
const char *mpi_rank_algorithm(const MpiRank *rank, const char *collective);
void mpi_rank_set_algorithm(MpiRank *rank, const char *collective, const char *name);
const char *mpi_collective_key(MpiCollective collective); /* returns for example "bcast" */

/* Sizes and offsets of blocks, whether equal or of the v forms. */
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

/* Return the rank at a distance, counted round the ring of ranks. */
static inline uint32_t mpi_plan_before(const MpiPlan *plan, uint32_t distance)
{
    return plan->rank >= distance ? plan->rank - distance : plan->rank + (plan->size - distance);
}
static inline uint32_t mpi_plan_behind(const MpiPlan *plan, uint32_t distance)
{
    uint32_t room = plan->size - plan->rank;
    return distance < room ? plan->rank + distance : distance - room;
}

typedef struct MpiExchange MpiExchange; /* a round of all with all, made step by step (exchange.c) */

/* A running collective. */
struct MpiSchedule {
    MpiScheduleHead head; /* first member; the message path sees only this */
    const MpiAlgorithm *algorithm;
    MpiPlan plan;
    MpiRound round;
    uint32_t number; /* number of the current round */
    uint32_t local;  /* index of the next local step in the round */
    bool begun, finished;
    MpiRequest **requests; /* requests of the round's messages */
    uint32_t n_requests, requests_capacity;
    MpiExchange *exchange; /* NULL: the round is none, or it is spelled out */
    uint8_t *memory;       /* data that steps refer to, plan.memory bytes; NULL: none, or see `place` */
    struct {
        VmRank *process; /* NULL: not in use */
        uint64_t input, result;
    } place; /* addresses of input and result in the program's memory. Steps refer to these, instead of `memory`, where
              * nothing shows it: see mpi_schedule_use_buffers() */
    MpiComm *comm;
    uint64_t sequence, turn; /* number of the collective on its communicator; number for the tags of its messages
                              * (turns.c) */
    uint64_t begun_ps;       /* when the rank's part of it began */
    MpiOp *op;
    MpiType *type;                   /* type of the elements that COMBINE works on */
    uint64_t scratch, scratch_items; /* address of rank memory for a user operator; its size in items */
};

/* Where a collective finds its input and leaves its result: contiguous memory of the program. */
typedef struct MpiPlaces {
    VmRank *process;
    uint64_t input, input_bytes, result, result_bytes;
} MpiPlaces;

/* Makes the schedule of a call: chooses the algorithm and allocates memory. The caller fills in the input, then runs
 * it. */
MpiSchedule *mpi_schedule_new(MpiCall *call, MpiComm *comm, MpiCollective collective, const MpiPlan *plan);
/* Lets a new schedule read its input from, and write its result to, the program's memory, if that cannot be told from
 * working on copies, and spares the copies. Returns false if it cannot do so. */
bool mpi_schedule_use_buffers(const MpiCall *call, MpiSchedule *schedule, const MpiPlaces *places);
/* Returns the buffer of a message: `bytes` bytes at this offset in the schedule's memory. */
MpiBuffer mpi_schedule_buffer(const MpiSchedule *schedule, uint64_t offset, uint64_t bytes);
/* Ends the call: the memory of the result is gone. */
MpiStep mpi_schedule_buffer_gone(MpiCall *call, const MpiSchedule *schedule);
/* Makes the schedule the owner of a request of its round. */
void mpi_schedule_keep(MpiSchedule *schedule, MpiRequest *request);
/* Executes call->collective.schedule, then goes on at `then`. */
MpiStep mpi_schedule_run(MpiCall *call, MpiHandler then);
/* Goes on as far as possible without simulated code. Returns true if the schedule is finished or needs simulated code
 * next. */
bool mpi_schedule_advance(MpiCall *call);
/* Called when the next local step needs a user-defined operator, f(in, inout, &n, &type) on memory of the rank. The
 * first function prepares the arguments (false: no memory); the second takes over the result. */
bool mpi_schedule_operator_begin(MpiCall *call, MpiSchedule *schedule, uint64_t arguments[4]);
void mpi_schedule_operator_end(MpiCall *call, MpiSchedule *schedule);
/* Frees the rank memory for those arguments. This must be done in a call of the rank. */
void mpi_schedule_free_scratch(MpiCall *call, MpiSchedule *schedule);
/* Ends the schedule with an error. What its messages bring is lost. */
void mpi_schedule_fail(MpiSchedule *schedule, int error);
void mpi_schedule_free(MpiWorld *world, MpiSchedule *schedule);

#endif
