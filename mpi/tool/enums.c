/* enums.c - enumerations of the tool interface (MPI-4.1 section 15.3.5): names of values that are MPI_INT.
 *
 * The handle of an enumeration is its number: that of a key of the machine with a list of names, or one of the lists
 * here. Handles need no memory, so there are no objects. */
#include "mpi/collective/collective.h"
#include "mpi/core/handlers.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/tool/tool.h"

enum { ENUM_TAG = 0x55 };

static const char *const request_kinds[] = {"send", "receive", "collective", "several messages", "generalized", NULL};

uint64_t mpi_tool_enum(uint32_t number)
{
    return (uint64_t)ENUM_TAG << 56 | (number + 1);
}

/* Returns the names behind a handle and the name of the list, or NULL. */
static const char *const *find(MpiCall *call, uint64_t handle, MpiMachineKey *key)
{
    static const struct {
        const char *name;
        const char *const *names;
    } lists[] = {{"thread_level", mpi_thread_levels}, {"request_kind", request_kinds}, {"collective", NULL}};
    uint32_t number = (uint32_t)handle - 1;
    const MpiEnv *env = &call->world->env;
    *key = (MpiMachineKey){0};
    if (handle >> 56 != ENUM_TAG || !(uint32_t)handle)
        return NULL;
    if (number >= MPI_TOOL_ENUM_THREADS && number < MPI_TOOL_ENUM_END) {
        key->name = lists[number - MPI_TOOL_ENUM_THREADS].name;
        key->names = lists[number - MPI_TOOL_ENUM_THREADS].names;
        return key->names ? key->names : mpi_collectives();
    }
    return env->key && env->key(env->user, call->rank->index, number, key) ? key->names : NULL;
}

MPI_TOOL_FUNCTION(enum_get_info)
{
    MpiMachineKey key;
    const char *const *names = find(call, call->args[0], &key);
    if (!names)
        return MPI_T_ERR_INVALID_HANDLE;
    bool stored = mpi_tool_put_int(call, 1, (int)g_strv_length((char **)names)) && mpi_tool_put_text(call, 2, key.name);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(enum_get_item)
{
    MpiMachineKey key;
    int item = mpi_int(call, 1);
    const char *const *names = find(call, call->args[0], &key);
    if (!names)
        return MPI_T_ERR_INVALID_HANDLE;
    if (item < 0 || (guint)item >= g_strv_length((char **)names))
        return MPI_T_ERR_INVALID_ITEM;
    bool stored = mpi_tool_put_int(call, 2, item) && mpi_tool_put_text(call, 3, names[item]);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}
