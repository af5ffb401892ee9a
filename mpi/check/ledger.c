/* ledger.c - reports collectives that do not fit together (MPI-3.1 section 5.1): in function, root, operator or amount.
 *
 * The ledger holds one entry for each collective that some members of a communicator have begun and others have not.
 * Its key is (context, sequence number on that communicator); it holds what the first members said, and where. Each
 * later member is compared with it. So the first wrong call finds a mismatch, without messages, and knows both source
 * locations. The last member removes the entry, so the ledger is as big as the collectives of the moment. Entries that
 * are left at the end of the run belong to collectives that not all members called.
 *
 * Amounts are compared where the standard demands that they are equal. In most collectives that is one number, or one
 * number per direction between the groups of an inter-communicator. In the v forms of gather, scatter and allgather it
 * is one per member, kept in the entry. In those of alltoall and along a topology it is one per pair: each member adds
 * a hash of (from, to, amount) for what it sends and subtracts one for what it expects. When all have called, the sum
 * is zero, or the plans of the members tell which pair differs.
 *
 * Under error handlers other than MPI_ERRORS_ARE_FATAL, wrong amounts are not reported here. The standard has error
 * classes for their results, and the program wants to see those. */
#include "mpi/check/check.h"
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <stdlib.h>
#include <string.h>

/* The member that said something first. */
typedef struct Witness {
    uint32_t rank; /* rank in MPI_COMM_WORLD */
    uint32_t pc;   /* location of its call */
} Witness;

/* A number of bytes that a member sends or receives. */
typedef struct Amount {
    uint64_t bytes;    /* MPI_NO_BYTES: not known yet */
    bool given;        /* the number comes from a sender; false: from a receiver */
    uint8_t primitive; /* 1 + MpiPrimitive if its type is predefined; else 0 */
    Witness witness;
} Amount;

/* The sizes of every member's block in the v forms. */
typedef struct Blocks {
    uint64_t *bytes; /* by member, MPI_NO_BYTES: not known; NULL: none is known */
    uint32_t n;
    bool complete; /* they come from a root, or from a member that knows all of them */
    Witness witness;
} Blocks;

enum { DIRECTIONS = 2 }; /* low group to high, high to low; within one group only the first is used */

/* What the members of a communicator have said about one collective. */
typedef struct LedgerEntry {
    MpiOccasion at;
    uint32_t function; /* row of functions.def */
    int root;          /* -1: no root, or not known yet */
    Witness first, root_witness;
    uint32_t entered, members; /* number of members that have called, and of all members */
    Witness op_witness, in_place_witness;
    const char *op;          /* name of a predefined operator, else NULL */
    uint64_t op_function;    /* user-defined operator: its function */
    const VmImage *op_image; /* user-defined operator: the program of that function */
    Amount amounts[DIRECTIONS];
    Blocks blocks[DIRECTIONS];
    uint64_t balance; /* sum of the hashes of pairs */
    uint32_t paired;  /* number of members that have added to the balance */
    bool has_op;
    bool has_in_place, in_place, in_place_told;
} LedgerEntry;

static void entry_free(gpointer data)
{
    LedgerEntry *entry = data;
    for (int i = 0; i < DIRECTIONS; i++)
        g_free(entry->blocks[i].bytes);
    g_free(entry);
}

/* Returns the table of collectives that not all members have begun; NULL: the check is off. */
static GHashTable *ledger_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_LEDGER);
}

/* -- words ------------------------------------------------------------------------------------- */

static void append_root(GString *out, const MpiComm *comm, int root)
{
    if (root >= 0)
        g_string_append_printf(out, comm->inter ? " with rank %d of MPI_COMM_WORLD as root" : " with root %d", root);
}

/* Appends for example "MPI_Bcast at x.c:7". */
static void append_call(GString *out, const MpiWorld *world, const LedgerEntry *entry, Witness witness)
{
    g_string_append_printf(out, "%s at ", mpi_function(entry->function)->info.name);
    mpi_append_place(out, mpi_world_rank(world, witness.rank)->process, witness.pc);
}

static bool is_blocking(const char *name)
{
    return !g_str_has_prefix(name, "MPI_I") && !strstr(name, "_init");
}

static MpiStep other_operation(MpiCall *call, MpiComm *comm, int root, const LedgerEntry *entry, Witness witness)
{
    const char *name = mpi_function(entry->function)->info.name;
    g_autoptr(GString) text = g_string_new("this is ");
    g_string_append(text, call->name);
    append_root(text, comm, root);
    g_string_append(text, " on ");
    mpi_append_comm(text, comm);
    g_string_append_printf(text, ", but rank %u called %s", witness.rank, name);
    append_root(text, comm, entry->root);
    g_string_append(text, " (");
    mpi_append_place(text, mpi_world_rank(call->world, witness.rank)->process, witness.pc);
    g_string_append_printf(text,
                           ") as the same collective operation, number %" G_GUINT64_FORMAT
                           "; all members of a communicator must call the same collectives in the same order",
                           entry->at.sequence + 1);
    if (is_blocking(name) != is_blocking(call->name))
        g_string_append(text, ", and blocking ones match only blocking ones");
    return mpi_call_error(call, comm, MPI_ERR_OTHER, "%s [%s]", text->str, mpi_check_row(MPI_CHECK_COLLECTIVES)->name);
}

/* -- function, root, operator ------------------------------------------------------------------ */

/* Whether two roots agree. In the root's group of an inter-communicator, only the root itself knows who it is. */
static bool same_root(const MpiComm *comm, int a, int b)
{
    return a == b || (comm->inter && (a < 0 || b < 0));
}

/* Whether the two functions match as forms of one operation. Large counts make no difference, but a blocking
 * collective never matches a non-blocking one (MPI-3.1 section 5.12). */
static bool same_operation(uint32_t a, uint32_t b)
{
    if (a == b)
        return true;
    const char *x = mpi_function(a)->info.name, *y = mpi_function(b)->info.name;
    size_t n = strlen(x), m = strlen(y);
    n -= g_str_has_suffix(x, "_c") ? 2 : 0;
    m -= g_str_has_suffix(y, "_c") ? 2 : 0;
    return n == m && !strncmp(x, y, n);
}

/* Whether the operators are the same. Each rank makes its own user-defined operators, so these are the same if they
 * have the same function in the same program. */
static bool same_op(const MpiCall *call, const LedgerEntry *entry, const MpiOp *op)
{
    if (op->predefined || entry->op)
        return op->predefined && entry->op == op->name;
    return entry->op_image != vm_rank_image(call->process) || entry->op_function == op->function;
}

static bool check_op(MpiCall *call, LedgerEntry *entry, const MpiShare *share, MpiStep *step)
{
    if (!share->op)
        return true;
    if (!entry->has_op) {
        entry->has_op = true;
        entry->op_witness = (Witness){call->rank->index, call->pc};
        entry->op = share->op->predefined ? share->op->name : NULL;
        entry->op_function = share->op->function;
        entry->op_image = vm_rank_image(call->process);
        return true;
    }
    if (same_op(call, entry, share->op))
        return true;
    g_autoptr(GString) text = g_string_new(NULL);
    const char *mine = share->op->predefined ? share->op->name : "a function of the program";
    const char *other = entry->op ? entry->op : share->op->predefined ? "a function of the program" : "another one";
    append_call(text, call->world, entry, entry->op_witness);
    *step =
        mpi_finding_stop(call, MPI_CHECK_COLLECTIVES,
                         "this rank combines with %s, but rank %u with %s (%s); give the same operator on all ranks",
                         mine, entry->op_witness.rank, other, text->str);
    return false;
}

/* Mixing MPI_IN_PLACE with other buffers is wrong, but has the intended result. So it is reported at the end. */
static void check_in_place(MpiCall *call, LedgerEntry *entry, const MpiShare *share)
{
    if (!share->in_place_of_all || entry->in_place_told)
        return;
    if (!entry->has_in_place) {
        entry->has_in_place = true;
        entry->in_place = share->in_place;
        entry->in_place_witness = (Witness){call->rank->index, call->pc};
    }
    if (entry->in_place == share->in_place)
        return;
    entry->in_place_told = true;
    g_autoptr(GString) text = g_string_new(call->name);
    g_string_append(text, " at ");
    mpi_append_place(text, call->process, call->pc);
    g_string_append(text, share->in_place ? " has MPI_IN_PLACE, but not " : " does not have MPI_IN_PLACE, as has ");
    append_call(text, call->world, entry, entry->in_place_witness);
    g_autofree char *detail = g_strdup_printf("that call is of rank %u", entry->in_place_witness.rank);
    mpi_finding_add(call->rank, MPI_CHECK_COLLECTIVES, call->entered_ps, text->str, detail,
                    "give MPI_IN_PLACE on all ranks or on none");
}

/* -- amounts ----------------------------------------------------------------------------------- */

/* Returns the direction in which this member sends (`gives`) or receives. */
static int direction(const MpiComm *comm, bool gives)
{
    return comm->inter && comm->inter->low != gives;
}

/* Appends for example "8 bytes". */
static void append_bytes(GString *out, uint64_t bytes)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " byte%s", bytes, bytes == 1 ? "" : "s");
}

static MpiStep other_amount(MpiCall *call, const LedgerEntry *entry, const Amount *amount, uint64_t bytes, bool given,
                            const MpiShare *share)
{
    g_autoptr(GString) text = g_string_new("this rank ");
    bool combines = share->op;
    g_string_append(text, combines ? "combines " : given ? "gives " : "takes ");
    append_bytes(text, bytes);
    g_string_append_printf(text, ", but rank %u ", amount->witness.rank);
    g_string_append(text, combines ? "" : amount->given ? "gives " : "takes ");
    append_bytes(text, amount->bytes);
    g_string_append(text, " (");
    append_call(text, call->world, entry, amount->witness);
    g_string_append(text, "); count times size of the datatype must be the same on all ranks");
    return mpi_finding_stop(call, MPI_CHECK_COLLECTIVES, "%s", text->str);
}

/* The amounts are equal, but the types are numbers of another kind or size. (--check=signatures finds more and is more
 * exact.) */
static bool check_kind(MpiCall *call, const LedgerEntry *entry, const Amount *amount, const MpiType *type,
                       uint64_t bytes, MpiStep *step)
{
    if (!bytes || !amount->primitive || !type->predefined || amount->primitive == (uint8_t)type->handle ||
        !mpi_check_is_on(call->world, MPI_CHECK_TYPES) || mpi_check_is_on(call->world, MPI_CHECK_SIGNATURES))
        return true;
    const MpiType *other = mpi_type_predefined((MpiPrimitive)(amount->primitive - 1));
    if (!mpi_signature_garbles(type, other))
        return true;
    g_autoptr(GString) text = g_string_new("the types do not match: this rank has ");
    mpi_append_type_items(text, type, bytes / type->size, call->process);
    g_string_append_printf(text, ", but rank %u ", amount->witness.rank);
    mpi_append_type_items(text, other, bytes / other->size, call->process);
    g_string_append(text, " (");
    append_call(text, call->world, entry, amount->witness);
    g_string_append(text, "); name the same basic types on all ranks");
    *step = mpi_finding_stop(call, MPI_CHECK_TYPES, "%s", text->str);
    return false;
}

static bool check_amount(MpiCall *call, const MpiComm *comm, LedgerEntry *entry, const MpiShare *share, bool given,
                         MpiStep *step)
{
    uint64_t bytes = given ? share->gives : share->takes;
    Amount *amount = &entry->amounts[share->op ? 0 : direction(comm, given)];
    const MpiType *type = given ? share->gives_type : share->takes_type;
    if (bytes == MPI_NO_BYTES)
        return true;
    if (amount->bytes == bytes)
        return check_kind(call, entry, amount, type, bytes, step);
    if (amount->bytes == MPI_NO_BYTES) {
        uint8_t primitive = type->predefined ? (uint8_t)type->handle : 0;
        *amount = (Amount){bytes, given, primitive, {call->rank->index, call->pc}};
        return true;
    }
    *step = other_amount(call, entry, amount, bytes, given, share);
    return false;
}

/* -- amounts of the v forms -------------------------------------------------------------------- */

static Blocks *entry_blocks(LedgerEntry *entry, int at, uint32_t n)
{
    Blocks *blocks = &entry->blocks[at];
    if (!blocks->bytes) {
        blocks->bytes = g_new(uint64_t, (size_t)n + 1);
        memset(blocks->bytes, 0xff, n * sizeof *blocks->bytes);
        blocks->n = n;
    }
    return blocks;
}

/* `peer` is the member of `group` whose block it is. */
static MpiStep other_block(MpiCall *call, const LedgerEntry *entry, const Blocks *blocks, const MpiGroup *group,
                           uint32_t peer, const MpiShare *share, uint64_t bytes)
{
    g_autoptr(GString) text = g_string_new("this rank ");
    uint32_t rank = mpi_group_world_rank(group, peer);
    const char *verb = share->blocks_go_out ? "sends " : "expects ", *prep = share->blocks_go_out ? "to" : "from";
    if (share->blocks) { /* the member describes the block of a peer */
        g_string_append(text, verb);
        append_bytes(text, bytes);
        g_string_append_printf(text, " %s rank %u, but ", prep, rank);
    } else {
        g_string_append(text, share->blocks_go_out ? "takes " : "gives ");
        append_bytes(text, bytes);
        g_string_append(text, ", but ");
    }
    if (blocks->complete) {
        g_string_append_printf(text, "rank %u %s", blocks->witness.rank, verb);
        append_bytes(text, blocks->bytes[peer]);
        g_string_append_printf(text, " %s it (", prep);
        append_call(text, call->world, entry, blocks->witness);
        g_string_append_c(text, ')');
    } else {
        g_string_append_printf(text, "that one %s ", share->blocks_go_out ? "takes" : "gives");
        append_bytes(text, blocks->bytes[peer]);
    }
    g_string_append(text, "; the count for each rank, times the size of the datatype, must be what that rank says");
    return mpi_finding_stop(call, MPI_CHECK_COLLECTIVES, "%s", text->str);
}

static bool check_all_blocks(MpiCall *call, const MpiComm *comm, LedgerEntry *entry, const MpiShare *share,
                             MpiStep *step)
{
    Blocks *blocks = entry_blocks(entry, direction(comm, share->blocks_go_out), share->n_blocks);
    for (uint32_t i = 0; i < MIN(share->n_blocks, blocks->n); i++) {
        if (blocks->bytes[i] == MPI_NO_BYTES)
            blocks->bytes[i] = share->blocks[i];
        if (blocks->bytes[i] == share->blocks[i])
            continue;
        *step = other_block(call, entry, blocks, mpi_comm_peers(comm), i, share, share->blocks[i]);
        return false;
    }
    if (!blocks->complete)
        blocks->witness = (Witness){call->rank->index, call->pc};
    blocks->complete = true;
    return true;
}

static bool check_own_block(MpiCall *call, const MpiComm *comm, LedgerEntry *entry, const MpiShare *share,
                            MpiStep *step)
{
    Blocks *blocks = entry_blocks(entry, direction(comm, !share->blocks_go_out), comm->group->size);
    uint64_t *bytes = &blocks->bytes[comm->rank];
    if (*bytes == MPI_NO_BYTES)
        *bytes = share->own;
    if (*bytes == share->own)
        return true;
    MpiShare single = *share;
    single.blocks = NULL;
    *step = other_block(call, entry, blocks, comm->group, comm->rank, &single, share->own);
    return false;
}

/* -- amounts of pairs -------------------------------------------------------------------------- */

static uint64_t pair_hash(uint32_t from, uint32_t to, uint64_t bytes)
{
    uint64_t hash = ((uint64_t)from << 32 | to) * UINT64_C(0x9e3779b97f4a7c15) ^ bytes * UINT64_C(0xd1342543de82ef95);
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return bytes ? hash ^ hash >> 32 : 0;
}

/* Returns the peer at index i, as rank in MPI_COMM_WORLD; -1: none. */
static int64_t peer_at(const MpiComm *comm, const int *peers, uint32_t i)
{
    int peer = peers ? peers[i] : (int)i;
    return peer < 0 ? -1 : (int64_t)mpi_comm_world_rank(comm, (uint32_t)peer);
}

static uint32_t places(const MpiComm *comm, const MpiPlan *plan, bool out)
{
    if (!plan->sources)
        return mpi_comm_peers(comm)->size;
    return out ? plan->n_destinations : plan->n_sources;
}

static uint64_t pair_sum(const MpiComm *comm, const MpiPlan *plan, uint32_t me, bool out)
{
    const int *peers = out ? plan->destinations : plan->sources;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < places(comm, plan, out); i++) {
        int64_t peer = peer_at(comm, plan->sources ? peers : NULL, i);
        if (peer < 0)
            continue;
        bool equal = !plan->send_bytes; /* a neighbourhood allgather sends the same block to all neighbours */
        uint64_t sent = equal ? plan->own_bytes : plan->send_bytes[i];
        sum += out ? pair_hash(me, (uint32_t)peer, sent) : pair_hash((uint32_t)peer, me, plan->recv_bytes[i]);
    }
    return sum;
}

/* Returns how many bytes a member that is still in the collective sends to a rank, or expects from it, on all edges
 * together. */
static uint64_t pair_bytes(const MpiComm *comm, const MpiPlan *plan, uint32_t peer, bool out)
{
    uint64_t bytes = 0;
    const int *peers = !plan->sources ? NULL : out ? plan->destinations : plan->sources;
    for (uint32_t i = 0; i < places(comm, plan, out); i++)
        if (peer_at(comm, peers, i) == peer)
            bytes += !out ? plan->recv_bytes[i] : plan->send_bytes ? plan->send_bytes[i] : plan->own_bytes;
    return bytes;
}

static bool is_of(const MpiSchedule *schedule, MpiOccasion at)
{
    return schedule && schedule->comm->context == at.context && schedule->sequence == at.sequence;
}

/* Returns the call of any thread that executes the collective; NULL: none. */
static const MpiCall *call_in(const MpiRank *rank, MpiOccasion at)
{
    for (uint32_t thread = 0; thread < mpi_threads_count(rank); thread++) {
        const MpiCall *call = mpi_threads_call(rank, thread);
        if (call && is_of(call->collective.schedule, at))
            return call;
    }
    return NULL;
}

/* Returns the schedule of a member that has not left the collective yet; NULL: none. */
static const MpiSchedule *schedule_of(const MpiRank *rank, MpiOccasion at)
{
    const MpiCall *call = call_in(rank, at);
    if (call)
        return call->collective.schedule;
    for (const MpiRequest *request = rank->requests; request; request = request->next) {
        if (request->sort != MPI_REQUEST_COLLECTIVE || !request->operation)
            continue;
        const MpiSchedule *schedule = mpi_operation_schedule(request->operation);
        if (is_of(schedule, at))
            return schedule;
    }
    return NULL;
}

/* Appends in what this member, whose call has no schedule yet, and another one disagree, in either direction. Returns
 * false if they agree. */
static bool append_pair(GString *out, const MpiCall *call, const MpiComm *comm, const MpiPlan *plan,
                        const MpiSchedule *other, uint32_t peer)
{
    uint32_t me = call->rank->index;
    uint64_t sent = pair_bytes(comm, plan, peer, true), expected = pair_bytes(other->comm, &other->plan, me, false);
    bool out_differs = sent != expected;
    if (!out_differs) {
        sent = pair_bytes(other->comm, &other->plan, me, true);
        expected = pair_bytes(comm, plan, peer, false);
    }
    if (sent == expected)
        return false;
    g_string_append_printf(out, out_differs ? "this rank sends " : "this rank expects ");
    append_bytes(out, out_differs ? sent : expected);
    g_string_append_printf(out, " %s rank %u, which %s ", out_differs ? "to" : "from", peer,
                           out_differs ? "expects" : "sends");
    append_bytes(out, out_differs ? expected : sent);
    return true;
}

static MpiStep other_pairs(MpiCall *call, const MpiComm *comm, const LedgerEntry *entry, const MpiPlan *plan)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const MpiGroup *group = mpi_comm_peers(comm);
    for (uint32_t i = 0; i < group->size && !text->len; i++) {
        uint32_t peer = mpi_group_world_rank(group, i);
        const MpiRank *rank = mpi_world_rank(call->world, peer);
        const MpiSchedule *schedule = rank == call->rank ? NULL : schedule_of(rank, entry->at);
        if (!schedule || !append_pair(text, call, comm, plan, schedule, peer))
            continue;
        const MpiCall *witness = call_in(rank, entry->at);
        if (witness) {
            g_string_append(text, " (");
            append_call(text, call->world, entry, (Witness){peer, witness->pc});
            g_string_append_c(text, ')');
        }
    }
    if (!text->len)
        g_string_append(text, "all ranks have called it, and what some send is not what others expect");
    return mpi_finding_stop(
        call, MPI_CHECK_COLLECTIVES,
        "%s; for each pair of ranks, count times size of the datatype must be the same on both sides", text->str);
}

static bool check_pairs(MpiCall *call, const MpiComm *comm, LedgerEntry *entry, const MpiShare *share, MpiStep *step)
{
    uint32_t me = call->rank->index;
    entry->balance += pair_sum(comm, share->pairs, me, true) - pair_sum(comm, share->pairs, me, false);
    if (++entry->paired < entry->members || !entry->balance)
        return true;
    *step = other_pairs(call, comm, entry, share->pairs);
    return false;
}

/* -- all of it --------------------------------------------------------------------------------- */

static bool is_fatal(const MpiComm *comm)
{
    return !comm->errhandler || comm->errhandler->sort == MPI_HANDLER_FATAL;
}

static bool check_contents(MpiCall *call, const MpiComm *comm, LedgerEntry *entry, const MpiShare *share, MpiStep *step)
{
    check_in_place(call, entry, share);
    return check_op(call, entry, share, step) && check_amount(call, comm, entry, share, true, step) &&
           check_amount(call, comm, entry, share, false, step) &&
           (!share->blocks || check_all_blocks(call, comm, entry, share, step)) &&
           (share->own == MPI_NO_BYTES || check_own_block(call, comm, entry, share, step)) &&
           (!share->pairs || check_pairs(call, comm, entry, share, step));
}

static LedgerEntry *entry_new(const MpiCall *call, MpiOccasion at, uint32_t members)
{
    LedgerEntry *entry = g_new0(LedgerEntry, 1);
    entry->at = at;
    entry->function = call->function;
    entry->root = -1;
    entry->first = entry->root_witness = (Witness){call->rank->index, call->pc};
    entry->members = members;
    for (int i = 0; i < DIRECTIONS; i++)
        entry->amounts[i].bytes = MPI_NO_BYTES;
    g_hash_table_add(ledger_of(call->world), entry);
    return entry;
}

static bool enter(MpiWorld *world, MpiCall *call, MpiComm *comm, const MpiShare *share, MpiStep *step)
{
    uint32_t members = comm->group->size + (comm->inter ? comm->inter->remote->size : 0);
    if (members == 1 || mpi_comm_is_doubtful(world, comm->context))
        return true;
    MpiOccasion at = {comm->context, comm->collective_sequence};
    LedgerEntry *entry = g_hash_table_lookup(ledger_of(call->world), &at);
    if (!entry)
        entry = entry_new(call, at, members);
    bool other_root = entry->entered && !same_root(comm, entry->root, share->root);
    if (other_root || !same_operation(entry->function, call->function)) {
        *step = other_operation(call, comm, share->root, entry, other_root ? entry->root_witness : entry->first);
        return false;
    }
    if (entry->root < 0 && share->root >= 0) { /* this member is the first to know the root */
        entry->root = share->root;
        entry->root_witness = (Witness){call->rank->index, call->pc};
    }
    if (is_fatal(comm) && !check_contents(call, comm, entry, share, step))
        return false;
    if (++entry->entered == members)
        g_hash_table_remove(ledger_of(call->world), entry);
    return true;
}

/* -- at the end: what some members never called ------------------------------------------------ */

static int compare_entries(const void *a, const void *b)
{
    const LedgerEntry *x = *(LedgerEntry *const *)a, *y = *(LedgerEntry *const *)b;
    if (x->at.context != y->at.context)
        return x->at.context < y->at.context ? -1 : 1;
    return x->at.sequence < y->at.sequence ? -1 : x->at.sequence > y->at.sequence;
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Returns for example "ranks 1-7 never called it", or NULL if it cannot be found out any more. */
static char *missing_members(const MpiWorld *world, const MpiComm *comm, MpiOccasion at)
{
    MpiRankList missing = {0};
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; comm && i < comm->group->size; i++) {
        uint32_t rank = mpi_group_world_rank(comm->group, i);
        const MpiComm *view = mpi_find_comm(mpi_world_rank(world, rank), at.context);
        if (!view || view->collective_sequence <= at.sequence)
            g_array_append_val(ranks, rank);
    }
    if (!ranks->len)
        return NULL;
    g_array_sort(ranks, compare_ranks);
    for (guint i = 0; i < ranks->len; i++)
        mpi_rank_list_add(&missing, g_array_index(ranks, uint32_t, i));
    GString *out = g_string_new(NULL);
    mpi_rank_list_append(&missing, out);
    mpi_rank_list_clear(&missing);
    g_string_append(out, " never called it");
    return g_string_free(out, FALSE);
}

static void tell_incomplete(MpiWorld *world, const LedgerEntry *entry)
{
    MpiRank *rank = mpi_world_rank(world, entry->first.rank);
    const MpiComm *comm = mpi_find_comm(rank, entry->at.context);
    g_autoptr(GString) what = g_string_new(NULL);
    append_call(what, world, entry, entry->first);
    if (comm) {
        g_string_append(what, " on ");
        mpi_append_comm(what, comm);
    }
    g_string_append_printf(what, " was called by %u of %u members only", entry->entered, entry->members);
    g_autofree char *detail = missing_members(world, comm, entry->at);
    mpi_finding_add(rank, MPI_CHECK_COLLECTIVES, UINT64_MAX, what->str, detail,
                    "call it on all members of the communicator, in the same order as their other collectives");
}

static void end(MpiWorld *world)
{
    guint n;
    if (!ledger_of(world))
        return;
    g_autofree gpointer *entries = g_hash_table_get_keys_as_array(ledger_of(world), &n);
    qsort(entries, n, sizeof *entries, compare_entries);
    for (guint i = 0; i < n; i++)
        if (!mpi_comm_is_doubtful(world, ((const LedgerEntry *)entries[i])->at.context))
            tell_incomplete(world, entries[i]);
}

static void begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_COLLECTIVES))
        return;
    GHashTable *ledger = g_hash_table_new_full(mpi_turn_occasion_hash, mpi_turn_occasion_equal, NULL, entry_free);
    mpi_world_set_slot(world, MPI_SLOT_LEDGER, ledger, (GDestroyNotify)g_hash_table_unref);
    mpi_hooks_add(world, &(MpiHooks){.share = enter});
}

const MpiPart mpi_part_ledger = {.begin = begin, .end = end};
