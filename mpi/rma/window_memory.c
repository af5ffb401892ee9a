/* window_memory.c - the memory of windows: where accesses of others go (MPI-4.1 sections 12.2 and 12.4).
 *
 * In the unified model that is the memory of the process. In the separate model accesses meet a public copy. Bytes that
 * differ from what both copies had when they last agreed are those that one side has changed: what the process has
 * stored becomes public in mpi_window_publish(), what others have stored becomes private in mpi_window_fetch().
 */
#include "mpi/core/hooks.h"
#include "mpi/rma/windows.h"

#include <string.h>

/* -- ranges ------------------------------------------------------------------------------------ */

/* Returns the region that has all of these bytes, or NULL. */
static MpiRegion *region_with(const MpiWin *win, uint64_t address, uint64_t bytes)
{
    guint low = 0, high = win->regions ? win->regions->len : 0;
    while (low < high) {
        guint middle = (low + high) / 2;
        MpiRegion *region = &g_array_index(win->regions, MpiRegion, middle);
        if (address >= region->address && address - region->address <= region->bytes &&
            bytes <= region->bytes - (address - region->address))
            return region;
        if (address < region->address)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static MpiStep outside(MpiCall *call, const MpiWin *target, int64_t displacement, const MpiType *type, uint64_t count,
                       __int128 from, uint64_t span)
{
    g_autoptr(GString) items = g_string_new(NULL);
    mpi_append_type_items(items, type, count, call->process);
    if (target->window->flavour == MPI_FLAVOUR_DYNAMIC)
        return mpi_call_error(call, NULL, MPI_ERR_RMA_RANGE,
                              "%s at address 0x%" G_GINT64_MODIFIER
                              "x of rank %u are not in memory that it has attached to the window; has it called "
                              "MPI_Win_attach, and is this the address that MPI_Get_address gives there?",
                              items->str, displacement, target->rank);
    return mpi_call_error(call, NULL, MPI_ERR_RMA_RANGE,
                          "%s at displacement %" G_GINT64_FORMAT " are bytes %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                          " of the window, but rank %u has only %" G_GUINT64_FORMAT
                          " there; displacements count units of %d byte%s",
                          items->str, displacement, (int64_t)from, (int64_t)(from + span - 1), target->rank,
                          target->size, target->disp_unit, target->disp_unit == 1 ? "" : "s");
}

bool mpi_window_check_range(MpiCall *call, const MpiWin *target, int64_t displacement, const MpiType *type,
                            uint64_t count, uint64_t *address, MpiStep *step)
{
    bool dynamic = target->window->flavour == MPI_FLAVOUR_DYNAMIC;
    int64_t first = 0;
    uint64_t span = count <= UINT64_C(1) << 46 ? mpi_type_span(type, count, &first) : UINT64_MAX;
    if (displacement < 0 && !dynamic) {
        *step = mpi_call_error(call, NULL, MPI_ERR_DISP,
                               "the displacement %" G_GINT64_FORMAT " at the target is negative; displacements count "
                               "from the beginning of its window",
                               displacement);
        return false;
    }
    __int128 offset = (__int128)displacement * (dynamic ? 1 : target->disp_unit), from = offset + first;
    *address = (dynamic ? 0 : target->base) + (uint64_t)offset;
    bool inside = dynamic ? span != UINT64_MAX && (!span || region_with(target, *address + (uint64_t)first, span))
                          : !span || (span != UINT64_MAX && from >= 0 && from + (__int128)span <= target->size);
    if (!inside)
        *step = outside(call, target, displacement, type, count, from, span);
    return inside;
}

/* -- regions ----------------------------------------------------------------------------------- */

static int compare_regions(gconstpointer a, gconstpointer b)
{
    const MpiRegion *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

void mpi_window_add_region(MpiWin *win, uint64_t address, uint64_t bytes, uint32_t pc)
{
    MpiRegion region = {.address = address, .bytes = bytes, .pc = pc};
    const void *now = bytes ? vm_rank_peek(win->owner->process, address, bytes) : NULL;
    if (win->window->separate && now) {
        region.public = g_memdup2(now, bytes);
        region.synced = g_memdup2(now, bytes);
    }
    if (!win->regions)
        win->regions = g_array_new(FALSE, FALSE, sizeof(MpiRegion));
    g_array_append_val(win->regions, region);
    g_array_sort(win->regions, compare_regions);
}

void mpi_window_remove_region(MpiWin *win, guint at)
{
    const MpiRegion *region = &g_array_index(win->regions, MpiRegion, at);
    g_free(region->public);
    g_free(region->synced);
    g_array_remove_index(win->regions, at);
}

void mpi_window_clear_regions(MpiWin *win)
{
    while (win->regions && win->regions->len)
        mpi_window_remove_region(win, win->regions->len - 1);
    if (win->regions)
        g_array_unref(win->regions);
    win->regions = NULL;
}

/* -- two copies -------------------------------------------------------------------------------- */

void mpi_window_publish(MpiWin *win)
{
    for (guint i = 0; win->window->separate && win->regions && i < win->regions->len; i++) {
        const MpiRegion *region = &g_array_index(win->regions, MpiRegion, i);
        const uint8_t *own = region->public ? vm_rank_peek(win->owner->process, region->address, region->bytes) : NULL;
        for (uint64_t at = 0; own && at < region->bytes; at++)
            if (own[at] != region->synced[at])
                region->public[at] = region->synced[at] = own[at];
    }
}

void mpi_window_fetch(MpiWin *win)
{
    for (guint i = 0; win->window->separate && win->regions && i < win->regions->len; i++) {
        const MpiRegion *region = &g_array_index(win->regions, MpiRegion, i);
        if (!region->public || !memcmp(region->public, region->synced, region->bytes))
            continue;
        mpi_loans_settle_all(win->owner);
        uint8_t *own = vm_rank_write(win->owner->process, region->address, region->bytes);
        for (uint64_t at = 0; own && at < region->bytes; at++) {
            if (region->public[at] == region->synced[at])
                continue;
            if (own[at] == region->synced[at])
                own[at] = region->public[at];
            region->synced[at] = region->public[at];
        }
    }
}

/* -- accesses ---------------------------------------------------------------------------------- */

/* Returns where the address is in the public copy; NULL: there is none. */
static uint8_t *public_of(const MpiWin *win, uint64_t address, const MpiType *type, uint64_t count)
{
    int64_t first = 0;
    uint64_t span = mpi_type_span(type, count, &first);
    const MpiRegion *region = region_with(win, address + (uint64_t)first, span);
    return region && region->public ? region->public + (int64_t)(address - region->address) : NULL;
}

static bool is_there(const MpiWin *win)
{
    return !win->owner->exited;
}

bool mpi_window_load(const MpiWin *win, uint64_t address, const MpiType *type, uint64_t count, void *out)
{
    VmRank *process = win->owner->process;
    uint64_t bytes = count * type->size;
    if (!bytes)
        return true;
    if (!is_there(win))
        return false;
    if (win->window->separate) {
        const uint8_t *public = public_of(win, address, type, count);
        if (public)
            mpi_type_pack_host(type, count, public, out);
        return public;
    }
    if (!type->contiguous)
        return mpi_type_pack(type, count, process, address, out);
    const void *from = vm_rank_peek(process, address, bytes);
    if (from)
        memcpy(out, from, bytes);
    return from;
}

bool mpi_window_store(MpiWin *win, uint64_t address, MpiType *type, uint64_t count, const void *in, uint64_t bytes)
{
    VmRank *process = win->owner->process;
    if (!bytes)
        return true;
    if (!is_there(win))
        return false;
    if (win->window->separate) {
        uint8_t *public = public_of(win, address, type, count);
        if (public)
            mpi_type_unpack_host(type, count, public, in, bytes);
        return public;
    }
    mpi_loans_settle(win->owner);
    MpiBuffer buffer = {.process = process, .address = address, .type = type, .count = count};
    if (vm_rank_is_watched(process) && !mpi_ask_place(win->window->world, &buffer, bytes))
        return false;
    if (!type->contiguous)
        return mpi_type_unpack(type, count, process, address, in, bytes);
    void *to = vm_rank_write(process, address, bytes);
    if (to)
        memcpy(to, in, bytes);
    return to;
}
