/* intercommunicators.c - inter-communicators, which connect two groups (MPI-3.1 section 6.6).
 *
 *      local group A: leader --+   peer communicator, tag   +-- leader :local group B
 *      everybody in A waits    +----------------------------+    everybody in B waits
 *      for the leader's word                                     for the leader's word
 *
 * The leaders exchange messages, then inform their groups; this gives the cost. The information itself is in the
 * simulator already: a meeting holds both groups and the number of the new context. A side of it is found by the
 * collective that its members call on their local communicator. The meeting is found by its leaders, two ranks that are
 * blocked in it. */
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/creation/making.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

/* -- meetings ---------------------------------------------------------------------------------- */

typedef struct Meeting Meeting;
typedef struct Side {
    uint32_t local; /* context of the local communicator */
    uint64_t turn;  /* number of the collective on it (turns.c) */
    MpiGroup *group;
    Meeting *meeting; /* NULL: the leader has not called yet */
    uint32_t missing; /* number of members that have not made their communicator */
} Side;

struct Meeting {
    uint32_t peer; /* context of the peer communicator */
    int32_t tag;
    uint32_t leaders[2]; /* world ranks; the first one's side is the low one */
    Side *sides[2];      /* NULL: not arrived, or all its members have made their communicator */
    MpiGroup *groups[2]; /* referenced */
    uint32_t context;
    int64_t both; /* rank in MPI_COMM_WORLD of a process in both groups, which is an error; -1: none */
};

typedef struct Meetings {
    GPtrArray *sides;    /* open sides; there are few, so the search is linear, and their order does not matter */
    GPtrArray *meetings; /* meetings of which only one leader has called */
} Meetings;

static void meeting_leave(Meetings *meetings, Meeting *meeting, const Side *side)
{
    meeting->sides[meeting->sides[1] == side] = NULL;
    if (meeting->sides[0] || meeting->sides[1])
        return;
    g_ptr_array_remove_fast(meetings->meetings, meeting);
    mpi_group_unref(meeting->groups[0]);
    mpi_group_unref(meeting->groups[1]);
    g_free(meeting);
}

static void side_free(Meetings *meetings, Side *side)
{
    if (side->meeting)
        meeting_leave(meetings, side->meeting, side);
    mpi_group_unref(side->group);
    g_ptr_array_remove_fast(meetings->sides, side);
    g_free(side);
}

static void meetings_free(gpointer data)
{
    Meetings *meetings = data;
    while (meetings->sides->len)
        side_free(meetings, g_ptr_array_index(meetings->sides, 0));
    g_ptr_array_unref(meetings->sides);
    g_ptr_array_unref(meetings->meetings);
    g_free(meetings);
}

static Meetings *meetings_of(MpiWorld *world)
{
    Meetings *meetings = mpi_world_slot(world, MPI_SLOT_MEETINGS);
    if (!meetings) {
        meetings = g_new0(Meetings, 1);
        meetings->sides = g_ptr_array_new();
        meetings->meetings = g_ptr_array_new();
        mpi_world_set_slot(world, MPI_SLOT_MEETINGS, meetings, meetings_free);
    }
    return meetings;
}

static Side *find_side(MpiWorld *world, const MpiComm *local, uint64_t turn)
{
    Meetings *meetings = meetings_of(world);
    for (guint i = 0; i < meetings->sides->len; i++) {
        Side *side = g_ptr_array_index(meetings->sides, i);
        if (side->local == local->context && side->turn == turn &&
            mpi_group_find(side->group, local->owner->index) >= 0)
            return side;
    }
    Side *side = g_new0(Side, 1);
    *side = (Side){
        .local = local->context, .turn = turn, .group = mpi_group_ref(local->group), .missing = local->group->size};
    g_ptr_array_add(meetings->sides, side);
    return side;
}

static void meeting_enter(Meeting *meeting, Side *side, bool high)
{
    meeting->sides[high] = side;
    meeting->groups[high] = mpi_group_ref(side->group);
    side->meeting = meeting;
}

static int64_t common_member(const MpiGroup *a, MpiGroup *b)
{
    for (uint32_t i = 0; i < a->size; i++)
        if (mpi_group_find(b, mpi_group_world_rank(a, i)) >= 0)
            return mpi_group_world_rank(a, i);
    return -1;
}

/* The leader of a side has called. With the second leader the meeting is complete. */
static void meet(MpiWorld *world, Side *side, uint32_t peer, int32_t tag, uint32_t mine, uint32_t theirs)
{
    Meetings *meetings = meetings_of(world);
    uint32_t low = MIN(mine, theirs), high = MAX(mine, theirs);
    for (guint i = 0; i < meetings->meetings->len; i++) {
        Meeting *meeting = g_ptr_array_index(meetings->meetings, i);
        if (meeting->peer != peer || meeting->tag != tag || meeting->leaders[0] != low || meeting->leaders[1] != high ||
            meeting->groups[mine == high]) /* another thread of this leader awaits the same */
            continue;
        meeting_enter(meeting, side, mine == high);
        g_ptr_array_remove_index_fast(meetings->meetings, i);
        meeting->both = common_member(meeting->groups[0], meeting->groups[1]);
        meeting->context = world->next_context;
        world->next_context += 2;
        return;
    }
    Meeting *meeting = g_new0(Meeting, 1);
    *meeting = (Meeting){.peer = peer, .tag = tag, .leaders = {low, high}};
    meeting_enter(meeting, side, mine == high);
    g_ptr_array_add(meetings->meetings, meeting);
}

/* -- MPI_Intercomm_create ---------------------------------------------------------------------- */

enum { LOCAL, LEADER, PEER, REMOTE_LEADER, TAG, RESULT };
enum { TOLD_BYTES = 16 }; /* what a leader sends to its group besides the ranks of the other group: size and context */

typedef struct Bridge { /* state of MPI_Intercomm_create, call->state */
    MpiComm *local;     /* referenced */
    Side *side;
    int leader;
    MpiRequest *requests[2]; /* the leader's messages */
} Bridge;

static void bridge_free(void *state)
{
    Bridge *bridge = state;
    for (int i = 0; i < 2; i++)
        if (bridge->requests[i])
            mpi_request_release(bridge->requests[i]);
    mpi_comm_unref(bridge->local);
    g_free(bridge);
}

static MpiStep bridge_make(MpiCall *call)
{
    const Bridge *bridge = call->state;
    Side *side = bridge->side;
    const Meeting *meeting = side->meeting;
    bool high = meeting->sides[1] == side;
    if (meeting->both >= 0) {
        int64_t both = meeting->both;
        MpiComm *local = bridge->local;
        if (--side->missing == 0)
            side_free(meetings_of(call->world), side);
        mpi_store_handle(call, call->args[RESULT], MPI_HANDLE(MPI_KIND_COMM, 0));
        return mpi_call_error(
            call, local, MPI_ERR_COMM,
            "rank %" G_GINT64_FORMAT " of MPI_COMM_WORLD is in both groups; a process is in one of them", both);
    }
    MpiGroup *remote = mpi_group_ref(meeting->groups[!high]);
    MpiComm *made = mpi_comm_new_inter(call, meeting->context, mpi_group_ref(bridge->local->group), remote, !high);
    if (bridge->local->errhandler)
        made->errhandler = mpi_error_handler_ref(bridge->local->errhandler);
    mpi_store_handle(call, call->args[RESULT], made->handle);
    if (--side->missing == 0)
        side_free(meetings_of(call->world), side);
    return MPI_STEP_DONE;
}

static MpiStep bridge_tell(MpiCall *call)
{
    const Bridge *bridge = call->state;
    MpiPlan plan = {.root = (uint32_t)bridge->leader, .bytes = TOLD_BYTES, .own_bytes = TOLD_BYTES, .phantom = true};
    mpi_schedule_new(call, bridge->local, MPI_COLLECTIVE_BCAST, &plan);
    return mpi_schedule_run(call, bridge_make);
}

/* Returns the tag of the leaders' messages. It depends on the program's tag, but is in the tag space of collectives,
 * so messages of the program do not interfere. */
static int bridge_tag(int tag)
{
    return tag ? ~tag : INT32_MIN;
}

static MpiStep bridge_meet(MpiCall *call, MpiComm *peer, int remote_leader)
{
    Bridge *bridge = call->state;
    uint64_t bytes = TOLD_BYTES + sizeof(uint32_t) * (uint64_t)bridge->local->group->size;
    MpiBuffer out = {.count = bytes}, in = {.count = UINT32_MAX};
    int tag = mpi_int(call, TAG);
    meet(call->world, bridge->side, peer->context, tag, call->rank->index,
         mpi_comm_world_rank(peer, (uint32_t)remote_leader));
    bridge->requests[0] = mpi_p2p_start_recv(call, &in, peer, remote_leader, bridge_tag(tag), true);
    bridge->requests[1] = mpi_p2p_start_send(call, MPI_MODE_STANDARD, &out, peer, remote_leader, bridge_tag(tag), true);
    return mpi_call_wait(call, bridge->requests, 2, bridge_tell);
}

static bool check_leader(MpiCall *call, MpiComm *local, int *leader, MpiStep *step)
{
    *leader = mpi_int(call, LEADER);
    if (*leader >= 0 && (uint32_t)*leader < local->group->size)
        return true;
    *step = mpi_call_error(call, local, MPI_ERR_RANK,
                           "argument 2, the local leader, is %d, but the local communicator has ranks 0 to %u", *leader,
                           local->group->size - 1);
    return false;
}

/* Checks the arguments that only the leader gives. */
static bool check_peer_side(MpiCall *call, MpiComm *local, MpiComm **peer, int *remote_leader, MpiStep *step)
{
    int tag;
    if (!mpi_check_comm(call, PEER, peer, step) ||
        !mpi_check_peer(call, *peer, REMOTE_LEADER, false, remote_leader, step) ||
        !mpi_check_tag(call, *peer, TAG, false, &tag, step))
        return false;
    bool there = *remote_leader >= 0;
    if (there && mpi_group_find(local->group, mpi_comm_world_rank(*peer, (uint32_t)*remote_leader)) < 0)
        return true;
    *step = mpi_call_error(call, local, MPI_ERR_RANK,
                           there ? "argument 4, the remote leader, is in the local group; the groups must be disjoint"
                                 : "argument 4, the remote leader, is MPI_PROC_NULL");
    return false;
}

MpiStep mpi_do_Intercomm_create(MpiCall *call)
{
    MpiComm *local, *peer = NULL;
    int leader, remote_leader = 0;
    MpiStep step;
    if (!mpi_check_comm(call, LOCAL, &local, &step) || !mpi_check_intra(call, local, &step) ||
        !mpi_check_result(call, RESULT, 8, &step) || !check_leader(call, local, &leader, &step))
        return step;
    bool leads = local->rank == (uint32_t)leader;
    if ((leads && !check_peer_side(call, local, &peer, &remote_leader, &step)) ||
        !mpi_share_check(call, local, leader, &step))
        return step;
    Bridge *bridge = g_new0(Bridge, 1);
    bridge->local = local;
    local->refs++;
    bridge->leader = leader;
    bridge->side = find_side(call->world, local, mpi_comm_turn(call, local));
    call->state = bridge;
    call->state_free = bridge_free;
    return leads ? bridge_meet(call, peer, remote_leader) : bridge_tell(call);
}

/* -- MPI_Intercomm_merge ----------------------------------------------------------------------- */

static MpiStep merge_make(MpiCall *call)
{
    MpiCreation *creation = call->state;
    MpiGroup *merged = mpi_split_merge(call, creation);
    if (!merged)
        return mpi_call_error(call, creation->parent, MPI_ERR_ARG,
                              "members of one group gave different values of high (argument 2)");
    mpi_store_handle(call, call->args[2], mpi_creation_make(call, creation, 0, merged, NULL)->handle);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Intercomm_merge(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_inter(call, &comm, &step) || !mpi_check_result(call, 2, 8, &step) ||
        !mpi_share_check(call, comm, -1, &step))
        return step;
    MpiCreation *creation = mpi_creation_begin(call, comm, 2);
    creation->colour = mpi_int(call, 1) != 0;
    mpi_split_enter(call, creation, 0);
    return mpi_collective_agree(call, comm, MPI_SPLIT_BYTES, merge_make);
}

/* -- questions --------------------------------------------------------------------------------- */

MpiStep mpi_do_Comm_remote_size(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_inter(call, &comm, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    mpi_store_int(call, call->args[1], (int)comm->inter->remote->size);
    return MPI_STEP_DONE;
}
