/* file_state.c - an open file in words, for the debugger. */
#include "mpi/comm/comm.h"
#include "mpi/file/access.h"
#include "mpi/file/file.h"

void mpi_file_append_state(GString *out, const void *opened)
{
    const MpiFile *file = opened;
    const MpiSharedFile *shared = file->shared;
    const MpiView *view = file->view;
    g_autofree char *name = g_path_get_basename(shared->name);
    const char *way = shared->amode & MPI_MODE_RDONLY_   ? "to read"
                      : shared->amode & MPI_MODE_WRONLY_ ? "to write"
                                                         : "to read and write";
    g_string_append_printf(
        out, "\"%s\" %s, of %u ranks, at etype %" G_GUINT64_FORMAT ", shared pointer at %" G_GUINT64_FORMAT, name, way,
        file->comm->group->size, file->position, shared->pointer);
    if (view && !(view->dense && view->given == 0 && view->etype_bytes == 1))
        g_string_append_printf(out,
                               "; view from byte %" G_GUINT64_FORMAT ", etypes of %" G_GUINT64_FORMAT
                               " bytes, %" G_GUINT64_FORMAT " bytes of data in %" G_GINT64_FORMAT,
                               view->given, view->etype_bytes, view->tile_bytes, view->tile_extent);
    if (shared->atomic)
        g_string_append(out, "; atomic");
    if (file->split)
        g_string_append_printf(out, "; %s has begun", file->split_name);
}
