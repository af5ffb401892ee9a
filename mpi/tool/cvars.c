/* cvars.c - control variables: the keys of the simulated machine (MPI-4.1 section 15.3.6).
 *
 * Variable number i is key number i, named SECTION.KEY as in --set. A number has the unit that its description names; a
 * key with a list of names is an enumeration; all others are text as machine files have it. What a machine is does not
 * change while it runs. What the MPI library decides for itself does: the eager limit and the algorithms of
 * collectives. A rank that sets them decides for its own sends, and for its part in collectives; so an algorithm must
 * be set by all members of a communicator between the same two collectives. */
#include "mpi/collective/collective.h"
#include "mpi/core/handlers.h"
#include "mpi/core/world.h"
#include "mpi/tool/tool.h"
#include "mpi/type/type.h"

#include <string.h>

typedef struct Cvar {
    MpiToolObject object;
    uint32_t number;
} Cvar;

static void cvar_free(MpiToolObject *object)
{
    g_free(object);
}

static bool key_of(const MpiCall *call, int64_t number, MpiMachineKey *key)
{
    const MpiEnv *env = &call->world->env;
    *key = (MpiMachineKey){0};
    return number >= 0 && env->key && env->key(env->user, call->rank->index, (uint32_t)number, key);
}

static char *name_of(const MpiMachineKey *key)
{
    return g_strdup_printf("%s.%s", key->section, key->name);
}

MPI_TOOL_FUNCTION(cvar_get_num)
{
    MpiMachineKey key;
    int n = 0;
    while (key_of(call, n, &key))
        n++;
    return mpi_tool_give_int(call, 0, n);
}

static uint64_t datatype_of(const MpiMachineKey *key)
{
    static const MpiPrimitive types[] = {[MPI_KEY_NUMBER] = MPI_PRIM_UNSIGNED_LONG_LONG,
                                         [MPI_KEY_CHOICE] = MPI_PRIM_INT,
                                         [MPI_KEY_TEXT] = MPI_PRIM_CHAR};
    return mpi_tool_datatype(types[key->form]);
}

static int scope_of(const MpiMachineKey *key)
{
    return key->tunes == MPI_TUNES_ALGORITHM     ? MPI_T_SCOPE_ALL_EQ_
           : key->tunes == MPI_TUNES_EAGER_LIMIT ? MPI_T_SCOPE_LOCAL_
                                                 : MPI_T_SCOPE_CONSTANT_;
}

MPI_TOOL_FUNCTION(cvar_get_info)
{
    enum { INDEX, NAME, NAME_LEN, VERBOSITY, DATATYPE, ENUM, DESC, DESC_LEN, BIND, SCOPE };
    MpiMachineKey key;
    int number = mpi_int(call, INDEX);
    if (!key_of(call, number, &key))
        return MPI_T_ERR_INVALID_INDEX;
    g_autofree char *name = name_of(&key);
    g_autofree char *unit = key.unit ? g_strdup_printf(" (in %s)", key.unit) : g_strdup("");
    g_autofree char *description = g_strdup_printf("%s%s", key.help, unit);
    bool stored =
        mpi_tool_put_text(call, NAME, name) &&
        mpi_tool_put_int(call, VERBOSITY, key.tunes ? MPI_T_VERBOSITY_TUNER_BASIC_ : MPI_T_VERBOSITY_TUNER_DETAIL_) &&
        mpi_tool_put_word(call, DATATYPE, datatype_of(&key)) &&
        mpi_tool_put_word(call, ENUM, key.form == MPI_KEY_CHOICE ? mpi_tool_enum((uint32_t)number) : 0) &&
        mpi_tool_put_text(call, DESC, description) && mpi_tool_put_int(call, BIND, MPI_T_BIND_NO_OBJECT_) &&
        mpi_tool_put_int(call, SCOPE, scope_of(&key));
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(cvar_get_index)
{
    MpiMachineKey key;
    const char *wanted = mpi_tool_wanted(call, 1);
    if (!wanted)
        return MPI_T_ERR_INVALID;
    for (int number = 0; key_of(call, number, &key); number++) {
        g_autofree char *name = name_of(&key);
        if (strcmp(name, wanted) == 0)
            return mpi_tool_give_int(call, 1, number);
    }
    return MPI_T_ERR_INVALID_NAME;
}

/* -- handles ----------------------------------------------------------------------------------- */

MPI_TOOL_FUNCTION(cvar_handle_alloc)
{
    enum { INDEX, OBJECT, HANDLE, COUNT };
    MpiMachineKey key;
    if (!key_of(call, mpi_int(call, INDEX), &key))
        return MPI_T_ERR_INVALID_INDEX;
    MpiWord *handle = mpi_tool_place(call, HANDLE, sizeof *handle);
    if (!handle || !mpi_tool_put_int(call, COUNT, key.form == MPI_KEY_TEXT ? (int)strlen(key.value) + 1 : 1))
        return MPI_T_ERR_INVALID;
    Cvar *cvar = g_new0(Cvar, 1);
    cvar->number = (uint32_t)mpi_int(call, INDEX);
    *handle = mpi_tool_add(tool, MPI_TOOL_CVAR, &cvar->object, cvar_free);
    return MPI_SUCCESS;
}

MPI_TOOL_FUNCTION(cvar_handle_free)
{
    MpiWord *handle = mpi_tool_place(call, 0, sizeof *handle);
    if (!handle)
        return MPI_T_ERR_INVALID;
    Cvar *cvar = mpi_tool_find(tool, MPI_TOOL_CVAR, *handle);
    if (!cvar)
        return MPI_T_ERR_INVALID_HANDLE;
    mpi_tool_remove(tool, &cvar->object);
    *handle = 0;
    return MPI_SUCCESS;
}

/* Gets the key behind the handle in argument 0. */
static int check_handle(const MpiCall *call, const MpiTool *tool, MpiMachineKey *key)
{
    const Cvar *cvar = mpi_tool_find(tool, MPI_TOOL_CVAR, call->args[0]);
    return cvar && key_of(call, cvar->number, key) ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

/* -- values ------------------------------------------------------------------------------------ */

/* What the rank has set replaces what the machine file says. */
static int chosen(const MpiCall *call, const MpiMachineKey *key)
{
    const char *own = key->tunes == MPI_TUNES_ALGORITHM ? mpi_rank_algorithm(call->rank, key->name) : NULL;
    return mpi_tool_find_name(key->names, own ? own : key->value);
}

MPI_TOOL_FUNCTION(cvar_read)
{
    MpiMachineKey key;
    int error = check_handle(call, tool, &key);
    if (error)
        return error;
    if (key.form == MPI_KEY_TEXT) {
        size_t bytes = strlen(key.value) + 1;
        char *text = mpi_tool_place(call, 1, bytes);
        if (text)
            memcpy(text, key.value, bytes);
        return text ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    }
    if (key.form == MPI_KEY_CHOICE)
        return mpi_tool_give_int(call, 1, chosen(call, &key));
    uint64_t number = key.tunes == MPI_TUNES_EAGER_LIMIT ? call->rank->eager_limit : key.number;
    bool stored = call->args[1] && mpi_tool_put_word(call, 1, number);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

static int set_eager_limit(MpiCall *call)
{
    const MpiWord *value = call->args[1] ? vm_rank_read(call->process, call->args[1], sizeof *value) : NULL;
    if (!value || *value > INT64_MAX)
        return MPI_T_ERR_INVALID;
    call->rank->eager_limit = *value;
    return MPI_SUCCESS;
}

static int set_algorithm(MpiCall *call, const MpiMachineKey *key)
{
    const MpiInt32 *value = call->args[1] ? vm_rank_read(call->process, call->args[1], sizeof *value) : NULL;
    if (!value || *value < 0 || (guint)*value >= g_strv_length((char **)key->names))
        return MPI_T_ERR_INVALID;
    if (mpi_algorithm_multicasts(key->name, key->names[*value]) && !call->world->env.multicast)
        return MPI_T_ERR_NOT_SUPPORTED;
    mpi_rank_set_algorithm(call->rank, key->name, key->names[*value]);
    return MPI_SUCCESS;
}

MPI_TOOL_FUNCTION(cvar_write)
{
    MpiMachineKey key;
    int error = check_handle(call, tool, &key);
    if (error)
        return error;
    if (key.tunes == MPI_TUNES_NOTHING)
        return MPI_T_ERR_CVAR_SET_NEVER;
    if (call->rank->state == MPI_RANK_FINALIZED)
        return MPI_T_ERR_CVAR_SET_NOT_NOW;
    return key.tunes == MPI_TUNES_EAGER_LIMIT ? set_eager_limit(call) : set_algorithm(call, &key);
}
