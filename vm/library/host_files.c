/* host_files.c - files of the host that layers above open for a rank, with the same rules as the program's own. */
#include "vm/library/calls.h"

#include <unistd.h>

/* The caller is in the order of virtual time, so it is the rank's turn. */
static bool enter(VmRank *rank)
{
    bool before = rank->in_order;
    rank->in_order = true;
    return before;
}

char *vm_rank_file_name(VmRank *rank, const char *path, int *error)
{
    bool before = enter(rank);
    g_autofree char *full = vm_library_path(rank, path, true, error);
    rank->in_order = before;
    const char *directory = vm_library_directory(rank);
    return full ? g_canonicalize_filename(full, directory) : NULL;
}

int vm_rank_open_file(VmRank *rank, const char *path, int flags, unsigned mode, int *error)
{
    bool before = enter(rank);
    *error = 0;
    int descriptor = vm_library_open(rank, path, flags, mode, error);
    rank->in_order = before;
    return descriptor;
}

bool vm_rank_remove_file(VmRank *rank, const char *path, int *error)
{
    bool before = enter(rank);
    g_autofree char *full = vm_library_name(rank, path, error);
    rank->in_order = before;
    if (full && unlink(full) == 0)
        return true;
    *error = full ? errno : *error;
    return false;
}
