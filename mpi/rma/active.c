/* active.c - epochs in which the target takes part: fences, and post, start, complete, wait (MPI-4.1 sections 12.5.1
 * and 12.5.2). */
#include "mpi/collective/collective.h"
#include "mpi/collective/share.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/stores.h"
#include "mpi/rma/windows.h"

/* Whether the window is locked. */
static bool is_locked(MpiCall *call, const MpiWin *win, MpiStep *step)
{
    for (const MpiPeer *peer = win->peers; win->locks && peer; peer = peer->next) {
        if (!peer->lock)
            continue;
        *step = mpi_rma_still_open(call, win, peer->pc, "MPI_Win_lock", "MPI_Win_unlock");
        return true;
    }
    if (win->all)
        *step = mpi_rma_still_open(call, win, win->all_pc, "MPI_Win_lock_all", "MPI_Win_unlock_all");
    return win->all;
}

/* Whether an epoch of MPI_Win_start, or one of a fence with accesses, is open. */
static bool is_accessing(MpiCall *call, const MpiWin *win, MpiStep *step)
{
    if (win->started)
        *step = mpi_rma_still_open(call, win, win->start_pc, "MPI_Win_start", "MPI_Win_complete");
    else if (win->fence_open && win->fence_ops)
        *step = mpi_rma_still_open(call, win, win->fence_pc, "MPI_Win_fence", "MPI_Win_fence");
    return win->started || (win->fence_open && win->fence_ops);
}

/* -- fences ------------------------------------------------------------------------------------ */

static MpiStep fence_over(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    mpi_window_fetch(win);
    mpi_window_tell_all(call, win, MPI_WINDOW_ENDED);
    mpi_peers_synchronised(win, NULL, false);
    mpi_peers_tidy(win);
    win->fence_open = !(win->exposure & MPI_MODE_NOSUCCEED);
    win->fences++;
    win->fence_ops = 0;
    win->fence_pc = call->pc;
    return mpi_rma_done(call, win);
}

static MpiStep fence_meet(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    win->exposure = mpi_int(call, 0);
    win->exposure_fence = win->fences + 1;
    win->exposure_pc = call->pc;
    mpi_transfer_progress(call); /* what came while the call was about to go on: it waits a second time */
    return mpi_collective_synchronize(call, win->comm, fence_over);
}

MpiStep mpi_do_Win_fence(MpiCall *call)
{
    enum { ASSERTION, WIN };
    MpiWin *win;
    int assertion;
    MpiStep step;
    if (!mpi_rma_check_win(call, WIN, &win, &step) ||
        !mpi_check_assertion(call, ASSERTION,
                             MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, &assertion,
                             &step) ||
        is_locked(call, win, &step))
        return step;
    if (win->started)
        return mpi_rma_still_open(call, win, win->start_pc, "MPI_Win_start", "MPI_Win_complete");
    if (win->exposed)
        return mpi_rma_still_open(call, win, win->post_pc, "MPI_Win_post", "MPI_Win_wait");
    if (assertion & MPI_MODE_NOPRECEDE && win->fence_open && win->fence_ops) {
        g_autofree char *place = mpi_rma_place(win, win->fence_pc);
        return mpi_call_error(
            call, NULL, MPI_ERR_ASSERT,
            "the fence says MPI_MODE_NOPRECEDE, but this rank has made %u access%s since the fence at "
            "%s",
            win->fence_ops, win->fence_ops == 1 ? "" : "es", place);
    }
    if (!mpi_share_check(call, win->comm, -1, &step))
        return step;
    mpi_window_tell_all(call, win, MPI_WINDOW_ENDING);
    if (!mpi_window_ask(call, win, NULL, MPI_WINDOW_FENCING, &step))
        return step;
    call->remote.win = win;
    mpi_window_publish(win);
    if (!(assertion & MPI_MODE_NOPRECEDE))
        mpi_rma_flush_peers(call, win);
    return mpi_rma_wait(call, win, MPI_WIN_WAIT_DONE, NULL, fence_meet);
}

/* -- the origin's side of general epochs ------------------------------------------------------- */

/* Gets a group of members of the window. */
static bool check_group(MpiCall *call, const MpiWin *win, MpiGroup **group, MpiStep *step)
{
    *group = mpi_handle_lookup(call->rank, MPI_KIND_GROUP, call->args[0]);
    if (!*group) {
        *step = mpi_argument_bad_handle_of(call, NULL, MPI_KIND_GROUP, 0);
        return false;
    }
    for (uint32_t i = 0; i < (*group)->size; i++) {
        uint32_t member = mpi_group_world_rank(*group, i);
        if (mpi_group_find(win->window->group, member) >= 0)
            continue;
        *step = mpi_call_error(call, NULL, MPI_ERR_GROUP,
                               "rank %u of MPI_COMM_WORLD is in the group (argument 1) but not in the window", member);
        return false;
    }
    return true;
}

/* Returns the rank in the window of a group's member. */
static uint32_t rank_of(const MpiWin *win, const MpiGroup *group, uint32_t i)
{
    return (uint32_t)mpi_group_find(win->window->group, mpi_group_world_rank(group, i));
}

static MpiStep started(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    for (uint32_t i = 0; mpi_listens_window(call->world) && i < win->access->size; i++)
        mpi_window_tell(call, win, mpi_peer_of(win, rank_of(win, win->access, i)), MPI_WINDOW_STARTED);
    return mpi_rma_done(call, win);
}

/* With MPI_MODE_NOCHECK, the targets have promised that MPI_Win_post is over. */
static bool check_posted(MpiCall *call, const MpiWin *target, MpiStep *step)
{
    bool exposed = target->exposed && mpi_group_find(target->exposed, call->rank->index) >= 0;
    if (exposed && target->exposure & MPI_MODE_NOCHECK)
        return true;
    if (exposed) {
        g_autofree char *place = mpi_rma_place(target, target->post_pc);
        *step =
            mpi_call_error(call, NULL, MPI_ERR_ASSERT,
                           "the call says MPI_MODE_NOCHECK, but MPI_Win_post of rank %u, at %s, does not; both must",
                           target->rank, place);
    } else {
        *step = mpi_call_error(call, NULL, MPI_ERR_ASSERT,
                               "the call says MPI_MODE_NOCHECK, but rank %u has not called MPI_Win_post for this rank "
                               "yet; make sure that it has, or leave the assertion out",
                               target->rank);
    }
    return false;
}

MpiStep mpi_do_Win_start(MpiCall *call)
{
    enum { GROUP, ASSERTION, WIN };
    MpiWin *win;
    MpiGroup *group;
    int assertion;
    MpiStep step;
    if (!mpi_rma_check_win(call, WIN, &win, &step) ||
        !mpi_check_assertion(call, ASSERTION, MPI_MODE_NOCHECK, &assertion, &step) ||
        !check_group(call, win, &group, &step) || is_locked(call, win, &step) || is_accessing(call, win, &step))
        return step;
    for (uint32_t i = 0; assertion & MPI_MODE_NOCHECK && i < group->size; i++)
        if (!check_posted(call, win->window->members[rank_of(win, group, i)], &step))
            return step;
    win->fence_open = false;
    win->started = true;
    win->start_pc = call->pc;
    win->access = mpi_group_ref(group);
    for (uint32_t i = 0; i < group->size; i++) {
        MpiPeer *peer = mpi_peer_of(win, rank_of(win, group, i));
        peer->started = true;
        if (assertion & MPI_MODE_NOCHECK)
            continue;
        if (peer->posts) {
            peer->posts--;
        } else if (peer->target->owner->failure_known) {
            mpi_rma_note_loss(win, peer->target->rank);
        } else {
            peer->awaits_post = true;
            win->missing_posts++;
        }
    }
    call->remote.win = win;
    return mpi_rma_wait(call, win, MPI_WIN_WAIT_POST, NULL, started);
}

static MpiStep completed(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    mpi_peers_synchronised(win, NULL, false);
    mpi_peers_tidy(win);
    return mpi_rma_done(call, win);
}

MpiStep mpi_do_Win_complete(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    if (!mpi_rma_check_win(call, 0, &win, &step))
        return step;
    if (!win->started)
        return mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                              "no epoch of MPI_Win_start is open; each MPI_Win_complete ends one");
    MpiGroup *group = g_steal_pointer(&win->access);
    win->started = false;
    for (uint32_t i = 0; i < group->size; i++) {
        MpiPeer *peer = mpi_peer_of(win, rank_of(win, group, i));
        mpi_window_tell(call, win, peer, MPI_WINDOW_COMPLETING);
        peer->started = false;
        peer->unconfirmed = 0;
        mpi_remote_send(call, mpi_remote_new(call, win, peer->target, peer, MPI_REMOTE_COMPLETE), 0);
    }
    mpi_group_unref(group);
    call->remote.win = win;
    return mpi_rma_wait(call, win, MPI_WIN_WAIT_LOCAL, NULL, completed);
}

/* -- the target's side ------------------------------------------------------------------------- */

MpiStep mpi_do_Win_post(MpiCall *call)
{
    enum { GROUP, ASSERTION, WIN };
    MpiWin *win;
    MpiGroup *group;
    int assertion;
    MpiStep step;
    if (!mpi_rma_check_win(call, WIN, &win, &step) ||
        !mpi_check_assertion(call, ASSERTION, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT, &assertion,
                             &step) ||
        !check_group(call, win, &group, &step))
        return step;
    if (win->exposed)
        return mpi_rma_still_open(call, win, win->post_pc, "MPI_Win_post", "MPI_Win_wait");
    if (win->fence_open && win->fence_ops)
        return mpi_rma_still_open(call, win, win->fence_pc, "MPI_Win_fence", "MPI_Win_fence");
    if (!mpi_window_ask(call, win, NULL, MPI_WINDOW_POSTING, &step))
        return step;
    mpi_window_publish(win);
    win->fence_open = false;
    win->exposed = mpi_group_ref(group);
    win->posts++;
    win->exposure = assertion;
    win->exposure_pc = win->post_pc = call->pc;
    for (uint32_t i = 0; i < group->size && !(assertion & MPI_MODE_NOCHECK); i++) {
        MpiWin *origin = win->window->members[rank_of(win, group, i)];
        mpi_remote_send(call, mpi_remote_new(call, win, origin, NULL, MPI_REMOTE_POST), 0);
    }
    return MPI_STEP_DONE;
}

static MpiStep exposure_over(MpiCall *call)
{
    MpiWin *win = call->remote.win;
    win->completes -= win->exposed->size;
    mpi_group_unref(g_steal_pointer(&win->exposed));
    mpi_window_fetch(win);
    mpi_window_tell(call, win, NULL, MPI_WINDOW_WAITED);
    return mpi_rma_done(call, win);
}

/* Gets the window in argument 0, which MPI_Win_post must have exposed. */
static bool check_exposed(MpiCall *call, MpiWin **win, MpiStep *step)
{
    if (!mpi_rma_check_win(call, 0, win, step))
        return false;
    call->remote.win = *win;
    if (!(*win)->exposed)
        *step =
            mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                           "no epoch of MPI_Win_post is open; each MPI_Win_wait or successful MPI_Win_test ends one");
    else
        mpi_rma_complete_for_lost(*win);
    return (*win)->exposed;
}

MpiStep mpi_do_Win_wait(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    return check_exposed(call, &win, &step) ? mpi_rma_wait(call, win, MPI_WIN_WAIT_COMPLETE, NULL, exposure_over)
                                            : step;
}

MpiStep mpi_do_Win_test(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    if (!mpi_check_result(call, 1, 4, &step) || !check_exposed(call, &win, &step))
        return step;
    bool over = mpi_rma_is(win, MPI_WIN_WAIT_COMPLETE, NULL);
    mpi_store_int(call, call->args[1], over);
    if (over)
        return exposure_over(call);
    mpi_call_poll_failed(call);
    return MPI_STEP_DONE;
}
