/* hints.c - info objects of files (MPI-4.1 section 14.2.8). The hints that are acted on, by the names that the standard
 * reserves and that libraries have made common; the others are kept and given back.
 *
 *   collective_buffering, romio_cb_read, romio_cb_write   whether collective accesses go through aggregators
 *   cb_nodes, cb_buffer_size                              how many, and the buffer of each
 *   romio_ds_read, romio_ds_write                         whether a single rank reads over small gaps
 *   ind_rd_buffer_size, ind_wr_buffer_size                its buffer for that
 *
 * Without an info object, the machine's keys in [storage] say all this. */
#include "mpi/comm/comm.h"
#include "mpi/core/handlers.h"
#include "mpi/core/world.h"
#include "mpi/file/access.h"

#include <stdlib.h>
#include <string.h>

const char *const *mpi_file_ways(void)
{
    static const char *const names[] = {"automatic", "enable", "disable", NULL};
    return names;
}

void mpi_hints_default(MpiFile *file)
{
    const MpiFileParams *params = &file->owner->world->params.files;
    file->hints = (MpiFileHints){.collective = {params->collective_buffering, params->collective_buffering},
                                 .sieving = {params->sieving, params->sieving},
                                 .aggregators = params->aggregators,
                                 .buffer_bytes = MAX(params->buffer_bytes, 1),
                                 .sieve_bytes = {MAX(params->sieve_bytes, 1), MAX(params->sieve_bytes, 1)}};
}

/* Reads a way. The value is the name of one, or a truth value. A hint that cannot be understood is left out, as the
 * standard says. */
static void take_way(const MpiInfo *info, const char *key, MpiFileWay *way)
{
    const char *value = info ? mpi_info_get(info, key) : NULL;
    for (unsigned i = 0; value && mpi_file_ways()[i]; i++)
        if (g_ascii_strcasecmp(value, mpi_file_ways()[i]) == 0)
            *way = (MpiFileWay)i;
    if (value && g_ascii_strcasecmp(value, "true") == 0)
        *way = MPI_FILE_ENABLE;
    if (value && g_ascii_strcasecmp(value, "false") == 0)
        *way = MPI_FILE_DISABLE;
}

static void take_number(const MpiInfo *info, const char *key, uint64_t most, uint64_t *number)
{
    const char *value = info ? mpi_info_get(info, key) : NULL;
    uint64_t read;
    if (value && g_ascii_string_to_unsigned(value, 10, 1, most, &read, NULL))
        *number = read;
}

void mpi_hints_take(MpiFile *file, const MpiInfo *info)
{
    MpiFileHints *hints = &file->hints;
    uint64_t aggregators = hints->aggregators;
    take_way(info, "collective_buffering", &hints->collective[0]);
    take_way(info, "collective_buffering", &hints->collective[1]);
    take_way(info, "romio_cb_read", &hints->collective[0]);
    take_way(info, "romio_cb_write", &hints->collective[1]);
    take_way(info, "romio_ds_read", &hints->sieving[0]);
    take_way(info, "romio_ds_write", &hints->sieving[1]);
    take_number(info, "cb_nodes", UINT32_MAX, &aggregators);
    take_number(info, "cb_buffer_size", INT64_MAX, &hints->buffer_bytes);
    take_number(info, "ind_rd_buffer_size", INT64_MAX, &hints->sieve_bytes[0]);
    take_number(info, "ind_wr_buffer_size", INT64_MAX, &hints->sieve_bytes[1]);
    hints->aggregators = (uint32_t)aggregators;
    for (guint i = 0; info && i < mpi_info_length(info); i++)
        mpi_info_set(file->info, mpi_info_key(info, i), mpi_info_get(info, mpi_info_key(info, i)));
    const MpiFileWay *ways[] = {&hints->collective[0], &hints->collective[1], &hints->sieving[0], &hints->sieving[1]};
    static const char *const keys[] = {"romio_cb_read", "romio_cb_write", "romio_ds_read", "romio_ds_write"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        mpi_info_set(file->info, keys[i], mpi_file_ways()[*ways[i]]);
    const uint64_t numbers[] = {hints->buffer_bytes, hints->sieve_bytes[0], hints->sieve_bytes[1]};
    static const char *const names[] = {"cb_buffer_size", "ind_rd_buffer_size", "ind_wr_buffer_size"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, numbers[i]);
        mpi_info_set(file->info, names[i], text);
    }
    if (hints->aggregators) {
        g_autofree char *text = g_strdup_printf("%u", hints->aggregators);
        mpi_info_set(file->info, "cb_nodes", text);
    }
}

/* -- MPI_File_set_info, MPI_File_get_info ------------------------------------------------------ */

static MpiStep info_set(MpiCall *call)
{
    MpiFile *file = mpi_meeting_file(call);
    MpiInfo *info = NULL;
    MpiStep step;
    if (!mpi_check_info_hints(call, NULL, 1, &info, &step))
        return step;
    mpi_hints_take(file, info);
    mpi_info_free(info);
    return mpi_file_done(call);
}

MpiStep mpi_do_File_set_info(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !mpi_check_info(call, NULL, 1, &step))
        return step;
    return mpi_meeting_hold(call, file, (MpiSaid){0}, info_set);
}

MpiStep mpi_do_File_get_info(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    return mpi_file_check(call, &file, &step) ? mpi_info_give(call, 1, mpi_info_copy(file->info)) : step;
}
