/* window_memory.c - the memory of windows: where accesses of others go (MPI-4.1 sections 12.2 and 12.4).
 *
 * In the unified model that is the memory of the process. In the separate model accesses meet a public copy. Bytes that
 * differ from what both copies had when they last agreed are those that one side has changed: what the process has
 * stored becomes public in mpi_window_publish(), what others have stored becomes private in mpi_window_fetch().
 */
#include "mpi/core/hooks.h"
#include "mpi/rma/windows.h"
#include "mpi/type/plain_buffer.h"

#include <string.h>

/* -- ranges ------------------------------------------------------------------------------------ */

/* Returns the last region that begins at or before the address; NULL: none. */
static MpiRegion *region_at(const MpiWin *win, uint64_t address)
{
    guint low = 0, high = win->regions ? win->regions->len : 0;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(win->regions, MpiRegion, middle).address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &g_array_index(win->regions, MpiRegion, low - 1) : NULL;
}

/* Returns the region behind this one if it begins where this one ends; NULL: there is none. */
static MpiRegion *region_behind(const MpiWin *win, MpiRegion *region)
{
    const MpiRegion *last = &g_array_index(win->regions, MpiRegion, win->regions->len - 1);
    return region < last && region[1].address == region->address + region->bytes ? region + 1 : NULL;
}

/* Returns the region that has the first of these bytes, if regions side by side have them all; else NULL. */
static MpiRegion *region_with(const MpiWin *win, uint64_t address, uint64_t bytes)
{
    MpiRegion *first = region_at(win, address), *region = first;
    if (!first || address - first->address > first->bytes)
        return NULL;
    while (region && bytes > region->bytes - (address - region->address)) {
        bytes -= region->bytes - (address - region->address);
        address = region->address + region->bytes;
        region = region_behind(win, region);
    }
    return region ? first : NULL;
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

/* Copies bytes of the public copy, which may be those of several regions, out or in. Returns false if some are gone. */
static bool copy_public(const MpiWin *win, uint64_t address, uint64_t bytes, uint8_t *data, bool in)
{
    MpiRegion *region = region_with(win, address, bytes);
    if (!region)
        return false;
    for (; bytes; region++) {
        uint64_t offset = address - region->address, part = MIN(bytes, region->bytes - offset);
        if (part && !region->public)
            return false;
        if (part && in)
            memcpy(region->public + offset, data, part);
        else if (part)
            memcpy(data, region->public + offset, part);
        address += part;
        data += part;
        bytes -= part;
    }
    return true;
}

/* Moves items between the public copy and `out`, or from `in`. The items and the gaps between them are taken as a
 * whole, since they may lie in several regions. */
static bool access_public(const MpiWin *win, uint64_t address, const MpiType *type, uint64_t count, void *out,
                          const void *in, uint64_t bytes)
{
    int64_t first = 0;
    uint64_t span = mpi_type_span(type, count, &first);
    g_autofree uint8_t *items = g_malloc(span);
    if (!copy_public(win, address + (uint64_t)first, span, items, false))
        return false;
    if (out)
        mpi_type_pack_host(type, count, items - first, out);
    else
        mpi_type_unpack_host(type, count, items - first, in, bytes);
    return out || copy_public(win, address + (uint64_t)first, span, items, true);
}

static bool is_there(const MpiWin *win)
{
    return !win->owner->exited;
}

/* Returns where the data of most accesses lie: memory that is nothing but memory. NULL: it takes a closer look. */
static inline void *at_hand(const MpiWin *win, uint64_t address, const MpiType *type, uint64_t bytes)
{
    VmRank *process = win->owner->process;
    if (!bytes || !is_there(win) || win->window->separate || win->owner->loans || !type->contiguous ||
        !vm_rank_has_at_hand(process, address, bytes))
        return NULL;
    return vm_rank_write(process, address, bytes);
}

bool mpi_window_load(const MpiWin *win, uint64_t address, const MpiType *type, uint64_t count, void *out)
{
    VmRank *process = win->owner->process;
    uint64_t bytes = count * type->size;
    const void *near = at_hand(win, address, type, bytes);
    if (G_LIKELY(near)) {
        mpi_buffer_plain_copy(out, near, bytes);
        return true;
    }
    if (!bytes)
        return true;
    if (!is_there(win))
        return false;
    if (win->window->separate)
        return access_public(win, address, type, count, out, NULL, bytes);
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
    void *near = at_hand(win, address, type, bytes);
    if (G_LIKELY(near)) {
        mpi_buffer_plain_copy(near, in, bytes);
        return true;
    }
    if (!bytes)
        return true;
    if (!is_there(win))
        return false;
    if (win->window->separate)
        return access_public(win, address, type, count, NULL, in, bytes);
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
