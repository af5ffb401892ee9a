/* window_making.c - makes and frees windows (MPI-4.1 section 12.2).
 *
 * Each member makes its own MpiWin at once, and they meet in the MpiWindow that they share; a collective takes the time
 * in which members tell each other base address, size and displacement unit. Only then is there a handle. */
#include "mpi/collective/collective.h"
#include "mpi/collective/share.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/places.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/rma/windows.h"

#include <string.h>

enum { TOLD_BYTES = 24, HEAP_ALIGNMENT = 16, MOST_ALIGNMENT = 1 << 30 };

/* -- pools and tables of a world ---------------------------------------------------------------- */

static void free_remote(void *item, void *user)
{
    MpiRemote *remote = item;
    (void)user;
    if (!remote->live)
        return;
    remote->refs = 1;
    mpi_remote_drop(remote);
}

static void windows_free(gpointer data)
{
    MpiWindows *windows = data;
    mpi_pool_each(&windows->remotes, free_remote, NULL);
    g_hash_table_unref(windows->making);
    mpi_pool_clear(&windows->remotes);
    mpi_pool_clear(&windows->peers);
    g_free(windows);
}

static void making_free(gpointer data)
{
    MpiWindow *window = data;
    while (window->refs)
        mpi_window_unref(window);
}

MpiWindows *mpi_windows_of(MpiWorld *world)
{
    MpiWindows *windows = mpi_world_slot(world, MPI_SLOT_WINDOWS);
    if (G_UNLIKELY(!windows)) {
        windows = g_new0(MpiWindows, 1);
        mpi_pool_init(&windows->remotes, sizeof(MpiRemote));
        mpi_pool_init(&windows->peers, sizeof(MpiPeer));
        windows->making = g_hash_table_new_full(mpi_turn_occasion_hash, mpi_turn_occasion_equal, NULL, making_free);
        mpi_world_set_slot(world, MPI_SLOT_WINDOWS, windows, windows_free);
    }
    return windows;
}

/* -- what members share ------------------------------------------------------------------------ */

static void win_free(MpiWin *win)
{
    mpi_window_clear_regions(win);
    if (win->kept.destroy)
        win->kept.destroy(win->kept.data);
    mpi_attribute_drop_all(&win->attributed);
    mpi_error_handler_unref(win->attributed.raiser.errhandler);
    mpi_comm_unref(win->comm);
    if (win->exposed)
        mpi_group_unref(win->exposed);
    if (win->access)
        mpi_group_unref(win->access);
    if (win->peer_table)
        g_hash_table_unref(win->peer_table);
    mpi_info_free(win->info);
    g_free(win->name);
    g_free(win->failure);
    g_free(win);
}

void mpi_window_unref(MpiWindow *window)
{
    if (--window->refs)
        return;
    for (uint32_t i = 0; i < window->group->size; i++)
        if (window->members[i])
            win_free(window->members[i]);
    mpi_group_unref(window->group);
    g_clear_pointer(&window->segment, vm_shared_drop);
    g_free(window->members);
    g_free(window);
}

void mpi_window_drop(MpiWin *win)
{
    mpi_window_unref(win->window);
}

static MpiWindow *window_new(MpiCall *call, const MpiComm *comm, MpiOccasion at, MpiFlavour flavour)
{
    MpiWindow *window = g_new0(MpiWindow, 1);
    window->at = at;
    window->missing = comm->group->size;
    window->world = call->world;
    window->pools = mpi_windows_of(call->world);
    window->flavour = flavour;
    window->separate = call->world->params.window_model == MPI_WINDOW_SEPARATE && flavour != MPI_FLAVOUR_SHARED;
    window->group = mpi_group_ref(comm->group);
    window->context = mpi_comm_new_context(call->world, comm->context, at.sequence, 0);
    window->members = g_new0(MpiWin *, comm->group->size);
    return window;
}

/* Returns what the members of this call share. Each rank has an MPI_COMM_SELF of its own, with the same number. */
static MpiWindow *window_of(MpiCall *call, const MpiComm *comm, MpiFlavour flavour)
{
    GHashTable *making = mpi_windows_of(call->world)->making;
    MpiOccasion at = {comm->context, mpi_comm_turn(call, comm)};
    bool alone = comm->group->size == 1;
    MpiWindow *window = alone ? NULL : g_hash_table_lookup(making, &at);
    if (!window) {
        window = window_new(call, comm, at, flavour);
        if (!alone)
            g_hash_table_insert(making, &window->at, window);
    }
    window->refs++;
    if (--window->missing == 0 && !alone)
        g_hash_table_steal(making, &at);
    return window;
}

/* -- a member's part --------------------------------------------------------------------------- */

char *mpi_rma_place(const MpiWin *win, uint32_t pc)
{
    GString *out = g_string_new(NULL);
    mpi_append_place(out, win->owner->process, pc);
    return g_string_free(out, FALSE);
}

void mpi_rma_append_win(GString *out, const MpiWin *win)
{
    if (win->name)
        g_string_append(out, win->name);
    else
        g_string_append(out, win->comm->name);
}

/* What a call says of the window that it makes. */
typedef struct Making {
    MpiWin *win;
    MpiComm *comm; /* referenced */
    bool done;
    unsigned result; /* number of the argument that the handle is stored at */
    unsigned base;   /* number of the argument that the address is stored at; 0: none */
} Making;

static void making_drop(void *state)
{
    Making *making = state;
    if (!making->done)
        mpi_window_unref(making->win->window);
    mpi_comm_unref(making->comm);
    g_free(making);
}

static MpiWin *win_new(MpiCall *call, MpiComm *comm, MpiFlavour flavour, MpiInfo *info)
{
    MpiWindow *window = window_of(call, comm, flavour);
    MpiWin *win = g_new0(MpiWin, 1);
    win->attributed.raiser.errhandler = mpi_error_handler_predefined(1);
    win->window = window;
    win->owner = call->rank;
    win->rank = comm->rank;
    win->made_pc = call->pc;
    win->made_by = call->name;
    win->comm = mpi_comm_hidden(call->rank, window->context, mpi_group_ref(window->group), comm->rank);
    win->attributed.raiser.comm = win->comm;
    g_autofree char *place = mpi_rma_place(win, call->pc);
    win->comm->name = g_strdup_printf("the window that %s made at %s", call->name, place);
    win->comm->named = true;
    win->info = info;
    win->disp_unit = 1;
    window->members[comm->rank] = win;
    return win;
}

/* Whether others write the memory of the member while it computes. The memory of shared windows is accessed in turn
 * anyway (vm/rank/shared.c). */
static bool is_exposed(const MpiWin *win)
{
    const MpiWindow *window = win->window;
    bool memory = window->flavour == MPI_FLAVOUR_DYNAMIC || (window->flavour != MPI_FLAVOUR_SHARED && win->size);
    return memory && !window->separate && window->group->size > 1 && window->world->env.expose &&
           window->world->progress[MPI_PROGRESS_ONE_SIDED] != MPI_PROGRESS_INLINE;
}

static void expose(const MpiWin *win, bool exposed)
{
    const MpiEnv *env = &win->window->world->env;
    if (is_exposed(win))
        env->expose(env->user, win->owner->index, exposed);
}

static MpiStep make_done(MpiCall *call)
{
    Making *making = call->state;
    MpiWin *win = making->win;
    MpiStep step;
    if (!mpi_rma_check_extents(call, making->comm, win, win->info, &step))
        return step;
    if (win->window->flavour == MPI_FLAVOUR_SHARED && !mpi_window_share(call, win))
        return mpi_call_error(call, making->comm, MPI_ERR_RMA_SHARED,
                              "there is no memory of %" G_GUINT64_FORMAT " bytes that the ranks could share",
                              win->size);
    if (win->window->flavour != MPI_FLAVOUR_DYNAMIC && win->window->separate)
        mpi_window_add_region(win, win->base, win->size, call->pc);
    win->attributed.raiser.handle = mpi_handle_register(call, MPI_KIND_WIN, win);
    making->done = true;
    expose(win, true);
    mpi_window_tell(call, win, NULL, MPI_WINDOW_MADE);
    if (making->base)
        mpi_store_handle(call, call->args[making->base], win->base);
    mpi_store_handle(call, call->args[making->result], win->attributed.raiser.handle);
    return MPI_STEP_DONE;
}

/* Takes the info object. */
static MpiStep make(MpiCall *call, MpiComm *comm, MpiFlavour flavour, MpiInfo *info, const MpiRegion *memory,
                    int disp_unit, uint64_t block, Making how)
{
    Making *making = g_new(Making, 1);
    *making = how;
    making->comm = comm;
    comm->refs++;
    making->win = win_new(call, comm, flavour, info);
    making->win->base = memory->address;
    making->win->size = memory->bytes;
    making->win->disp_unit = disp_unit;
    making->win->memory = block;
    making->win->no_locks = mpi_rma_info_is(info, "no_locks");
    making->win->window->unordered = mpi_rma_info_is_unordered(info);
    call->state = making;
    call->state_free = making_drop;
    return mpi_collective_agree(call, comm, TOLD_BYTES, make_done);
}

/* -- arguments --------------------------------------------------------------------------------- */

/* Gets size and displacement unit from two arguments. */
static bool check_extent(MpiCall *call, MpiComm *comm, unsigned arg, uint64_t *size, int *disp_unit, MpiStep *step)
{
    int64_t bytes = (int64_t)call->args[arg];
    int64_t unit = call->large ? (int64_t)call->args[arg + 1] : mpi_int(call, arg + 1);
    vm_check_argument(call->process, arg);
    vm_check_argument(call->process, arg + 1);
    *size = (uint64_t)bytes;
    *disp_unit = (int)unit;
    if (bytes < 0)
        *step =
            mpi_call_error(call, comm, MPI_ERR_SIZE,
                           "argument %u, the size of the window, is negative (%" G_GINT64_FORMAT ")", arg + 1, bytes);
    else if (unit < 1 || unit > INT32_MAX)
        *step = mpi_call_error(call, comm, MPI_ERR_DISP,
                               "argument %u, the unit of displacements, is %" G_GINT64_FORMAT
                               "; it must be positive, such as 1 or the size of an element",
                               arg + 2, unit);
    return bytes >= 0 && unit >= 1 && unit <= INT32_MAX;
}

/* Gets communicator and info object, and asks whether the members agree. The caller frees *info after an error. */
static bool check_common(MpiCall *call, unsigned comm_arg, unsigned info_arg, unsigned result, MpiComm **comm,
                         MpiInfo **info, MpiStep *step)
{
    MpiInfo *hints;
    *info = NULL;
    if (!mpi_check_comm(call, comm_arg, comm, step) || !mpi_check_intra(call, *comm, step) ||
        !mpi_check_result(call, result, sizeof(MpiHandle), step) ||
        !mpi_check_info_hints(call, *comm, info_arg, &hints, step))
        return false;
    *info = mpi_rma_info_new(call, *comm, hints, step);
    mpi_info_free(hints);
    return *info;
}

static bool check_base(MpiCall *call, MpiComm *comm, uint64_t base, uint64_t size, MpiStep *step)
{
    if (!size || vm_rank_can_write(call->process, base, size))
        return true;
    if (!base)
        *step =
            mpi_call_error(call, comm, MPI_ERR_BASE,
                           "argument 1, the base of the window, is a null pointer, but the size is %" G_GUINT64_FORMAT
                           "; has memory been allocated?",
                           size);
    else if (!vm_rank_can_write(call->process, base, 1))
        *step = mpi_call_error(call, comm, MPI_ERR_BASE,
                               "argument 1, the base of the window, is 0x%" G_GINT64_MODIFIER
                               "x, which is not in the program's writable memory",
                               base);
    else
        *step = mpi_call_error(call, comm, MPI_ERR_SIZE,
                               "the %" G_GUINT64_FORMAT
                               " bytes of the window (argument 2) are not all in the program's writable memory; is "
                               "the array smaller? The size counts bytes, not elements",
                               size);
    return false;
}

MpiStep mpi_do_Win_create(MpiCall *call)
{
    enum { BASE, SIZE, UNIT, INFO, COMM, WIN };
    MpiComm *comm;
    MpiInfo *info = NULL;
    MpiRegion memory = {.address = call->args[BASE]};
    int unit;
    MpiStep step;
    if (!check_common(call, COMM, INFO, WIN, &comm, &info, &step) ||
        !check_extent(call, comm, SIZE, &memory.bytes, &unit, &step) ||
        !check_base(call, comm, memory.address, memory.bytes, &step) || !mpi_share_check(call, comm, -1, &step)) {
        mpi_info_free(info);
        return step;
    }
    return make(call, comm, MPI_FLAVOUR_CREATE, info, &memory, unit, 0, (Making){.result = WIN});
}

MpiStep mpi_do_Win_create_dynamic(MpiCall *call)
{
    enum { INFO, COMM, WIN };
    MpiComm *comm;
    MpiInfo *info = NULL;
    MpiRegion none = {0};
    MpiStep step;
    if (!check_common(call, COMM, INFO, WIN, &comm, &info, &step) || !mpi_share_check(call, comm, -1, &step)) {
        mpi_info_free(info);
        return step;
    }
    return make(call, comm, MPI_FLAVOUR_DYNAMIC, info, &none, 1, 0, (Making){.result = WIN});
}

/* Returns the alignment that the info object asks for. */
static uint64_t alignment_of(const MpiInfo *info)
{
    const char *value = mpi_info_get(info, "mpi_minimum_memory_alignment");
    guint64 alignment = HEAP_ALIGNMENT;
    if (!value || !g_ascii_string_to_unsigned(value, 10, 1, MOST_ALIGNMENT, &alignment, NULL))
        return HEAP_ALIGNMENT;
    return MAX(alignment, HEAP_ALIGNMENT);
}

enum { SIZE, UNIT, INFO, COMM, BASE, WIN }; /* arguments of MPI_Win_allocate and MPI_Win_allocate_shared */

static bool parse_allocate(MpiCall *call, MpiComm **comm, MpiInfo **info, uint64_t *size, int *unit, MpiStep *step)
{
    if (check_common(call, COMM, INFO, WIN, comm, info, step) && check_extent(call, *comm, SIZE, size, unit, step) &&
        mpi_check_result(call, BASE, 8, step) && mpi_share_check(call, *comm, -1, step))
        return true;
    mpi_info_free(*info);
    return false;
}

MpiStep mpi_do_Win_allocate(MpiCall *call)
{
    MpiComm *comm;
    MpiInfo *info;
    MpiRegion memory = {0};
    int unit;
    MpiStep step;
    if (!parse_allocate(call, &comm, &info, &memory.bytes, &unit, &step))
        return step;
    uint64_t alignment = alignment_of(info), more = alignment - HEAP_ALIGNMENT;
    uint64_t block =
        memory.bytes > INT64_MAX - MOST_ALIGNMENT ? 0 : vm_library_malloc(call->process, MAX(memory.bytes, 1) + more);
    if (!block) {
        mpi_info_free(info);
        return mpi_call_error(call, comm, MPI_ERR_NO_MEM,
                              "no memory for a window of %" G_GUINT64_FORMAT " bytes (argument 1)", memory.bytes);
    }
    memory.address = (block + alignment - 1) / alignment * alignment;
    return make(call, comm, MPI_FLAVOUR_ALLOCATE, info, &memory, unit, block, (Making){.result = WIN, .base = BASE});
}

MpiStep mpi_do_Win_allocate_shared(MpiCall *call)
{
    MpiComm *comm;
    MpiInfo *info;
    MpiRegion memory = {0};
    int unit;
    MpiStep step;
    if (!parse_allocate(call, &comm, &info, &memory.bytes, &unit, &step))
        return step;
    if (!mpi_window_on_one_node(call, comm)) {
        mpi_info_free(info);
        return mpi_call_error(
            call, comm, MPI_ERR_RMA_SHARED,
            "the ranks of the communicator are on different nodes, which share no memory; make one of "
            "the ranks of a node with MPI_Comm_split_type and MPI_COMM_TYPE_SHARED");
    }
    return make(call, comm, MPI_FLAVOUR_SHARED, info, &memory, unit, 0, (Making){.result = WIN, .base = BASE});
}

/* -- freeing ----------------------------------------------------------------------------------- */

bool mpi_rma_check_win(MpiCall *call, unsigned arg, MpiWin **win, MpiStep *step)
{
    *win = mpi_handle_lookup(call->rank, MPI_KIND_WIN, call->args[arg]);
    if (*win)
        call->raiser = &(*win)->attributed.raiser;
    else
        *step = mpi_argument_bad_handle_of(call, NULL, MPI_KIND_WIN, arg);
    return *win;
}

static MpiWin *win_in_variable(MpiCall *call, MpiStep *step)
{
    MpiHandle handle;
    if (!mpi_check_result(call, 0, sizeof handle, step))
        return NULL;
    memcpy(&handle, vm_rank_read(call->process, call->args[0], sizeof handle), sizeof handle);
    MpiWin *win = mpi_handle_lookup(call->rank, MPI_KIND_WIN, handle);
    if (win)
        call->raiser = &win->attributed.raiser;
    else
        *step = mpi_argument_bad_handle(call, NULL, MPI_KIND_WIN, handle, "argument 1 points to it");
    return win;
}

static bool still_open(MpiCall *call, const MpiWin *win, MpiStep *step)
{
    const char *what = NULL, *end = NULL;
    uint32_t pc = 0;
    const MpiPeer *locked = win->peers;
    while (locked && (!locked->lock || locked->all))
        locked = locked->next;
    if (locked) {
        what = "MPI_Win_lock", end = "MPI_Win_unlock", pc = locked->pc;
    } else if (win->all) {
        what = "MPI_Win_lock_all", end = "MPI_Win_unlock_all", pc = win->all_pc;
    } else if (win->started) {
        what = "MPI_Win_start", end = "MPI_Win_complete", pc = win->start_pc;
    } else if (win->exposed) {
        what = "MPI_Win_post", end = "MPI_Win_wait", pc = win->post_pc;
    } else if (win->fence_open && win->fence_ops) {
        what = "MPI_Win_fence", end = "another MPI_Win_fence", pc = win->fence_pc;
    } else {
        return false;
    }
    g_autofree char *place = mpi_rma_place(win, pc);
    *step = mpi_call_error(call, NULL, MPI_ERR_RMA_SYNC,
                           "the window cannot be freed in the epoch that %s at %s has begun; end it first, with %s",
                           what, place, end);
    return true;
}

static MpiStep free_finish(MpiCall *call)
{
    MpiWin *win = call->state;
    call->state = NULL;
    mpi_window_tell(call, win, NULL, MPI_WINDOW_FREED);
    expose(win, false);
    if (win->memory)
        vm_library_free(call->process, win->memory);
    if (win->window->segment)
        vm_shared_detach(call->process, win->window->segment, win->size);
    if (win->values)
        vm_library_free(call->process, win->values);
    mpi_window_clear_regions(win);
    mpi_handle_unregister(call->rank, win->attributed.raiser.handle);
    mpi_store_handle(call, call->args[0], MPI_HANDLE(MPI_KIND_WIN, 0));
    call->raiser = NULL;
    mpi_window_unref(win->window);
    return MPI_STEP_DONE;
}

static void leave(void *state)
{
    (void)state;
}

static MpiStep free_deleted(MpiCall *call)
{
    MpiWin *win = call->state;
    if (call->attribute.error != MPI_SUCCESS)
        return mpi_call_error(call, NULL, call->attribute.error,
                              "an attribute's delete function returned error %d, so the window stays",
                              call->attribute.error);
    return mpi_rma_has_lost(win) ? free_finish(call) : mpi_collective_synchronize(call, win->comm, free_finish);
}

MpiStep mpi_do_Win_free(MpiCall *call)
{
    MpiStep step;
    MpiWin *win = win_in_variable(call, &step);
    if (!win ||
        (!mpi_rma_has_lost(win) && (still_open(call, win, &step) || !mpi_share_check(call, win->comm, -1, &step))))
        return step;
    call->state = win;
    call->state_free = leave;
    return mpi_attribute_delete_all(call, MPI_KIND_WIN, &win->attributed, free_deleted);
}
