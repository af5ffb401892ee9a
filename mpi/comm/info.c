/* info.c - info objects: ordered lists of (key, value) strings (MPI-3.1 chapter 9; MPI-4.0 chapter 10).
 *
 * Keys stay in the order in which they were first set, which is the order of MPI_Info_get_nthkey. Lists are short, so
 * searches are linear. MPI_INFO_ENV is made anew for every query from what the simulator knows of the run; programs
 * cannot change it. The functions may be called at any time (MPI-4.0 section 11.4.1).
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"

#include <string.h>

struct MpiInfo {
    GPtrArray *words; /* key, value, key, value ... */
    MpiHandle handle;
};

/* -- the object -------------------------------------------------------------------------------- */

MpiInfo *mpi_info_new(void)
{
    MpiInfo *info = g_new0(MpiInfo, 1);
    info->words = g_ptr_array_new_with_free_func(g_free);
    return info;
}

void mpi_info_free(MpiInfo *info)
{
    if (info) {
        g_ptr_array_unref(info->words);
        g_free(info);
    }
}

MpiInfo *mpi_info_copy(const MpiInfo *info)
{
    MpiInfo *copy = mpi_info_new();
    for (guint i = 0; i < info->words->len; i++) {
        g_ptr_array_add(copy->words, g_strdup(info->words->pdata[i]));
    }
    return copy;
}

/* Returns the index of a key's value, or 0 if there is no such key. */
static guint find(const MpiInfo *info, const char *key)
{
    for (guint i = 0; i < info->words->len; i += 2) {
        if (!strcmp(info->words->pdata[i], key)) {
            return i + 1;
        }
    }
    return 0;
}

const char *mpi_info_get(const MpiInfo *info, const char *key)
{
    guint at = find(info, key);
    return at ? info->words->pdata[at] : NULL;
}

void mpi_info_set(MpiInfo *info, const char *key, const char *value)
{
    guint at = find(info, key);
    if (at) {
        g_free(info->words->pdata[at]);
        info->words->pdata[at] = g_strdup(value);
        return;
    }
    g_ptr_array_add(info->words, g_strdup(key));
    g_ptr_array_add(info->words, g_strdup(value));
}

guint mpi_info_length(const MpiInfo *info)
{
    return info->words->len / 2;
}

const char *mpi_info_key(const MpiInfo *info, guint i)
{
    return info->words->pdata[2 * i];
}

/* -- MPI_INFO_ENV ------------------------------------------------------------------------------ */

/* Sets a value; one that is too long is cut. */
static void set_cut(MpiInfo *info, const char *key, const char *value)
{
    g_autofree char *cut = g_strndup(value, MPI_MAX_INFO_VAL_ - 1);
    mpi_info_set(info, key, cut);
}

/* Makes MPI_INFO_ENV, with the keys of MPI-3.1 section 10.3.4 except `file`, which only spawning processes would
 * set. */
static MpiInfo *environment(const MpiCall *call)
{
    const MpiEnv *env = &call->world->env;
    const char *host = env->node_name ? env->node_name(env->user, call->rank->index) : NULL;
    const MpiProgram *program = env->program ? env->program(env->user, call->rank->index) : NULL;
    g_autofree char *ranks = g_strdup_printf("%u", program ? program->ranks : call->world->n_ranks);
    MpiInfo *info = mpi_info_new();
    if (program && program->argv[0]) {
        g_autofree char *arguments = g_strjoinv(" ", (char **)program->argv + 1);
        set_cut(info, "command", program->argv[0]);
        set_cut(info, "argv", arguments);
    }
    mpi_info_set(info, "maxprocs", ranks);
    mpi_info_set(info, "soft", ranks);
    if (host) {
        mpi_info_set(info, "host", host);
    }
    mpi_info_set(info, "arch", "vcode");
    if (program && program->directory) {
        set_cut(info, "wdir", program->directory);
    }
    mpi_info_set(info, "thread_level", mpi_thread_levels[call->rank->thread_level]);
    return info;
}

/* -- arguments --------------------------------------------------------------------------------- */

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

static bool is_env(MpiHandle handle)
{
    return handle == MPI_HANDLE(MPI_KIND_INFO, MPI_INFO_ENV_INDEX);
}

static MpiStep bad_info(MpiCall *call, MpiComm *comm, unsigned arg, MpiHandle handle)
{
    char where[32];
    g_snprintf(where, sizeof where, "argument %u", arg + 1);
    if (!is_env(handle)) {
        return mpi_argument_bad_handle(call, comm, MPI_KIND_INFO, handle, where);
    }
    return mpi_call_error(call, comm, MPI_ERR_INFO, "MPI_INFO_ENV cannot be changed or freed (%s)", where);
}

/* Gets argument 0 as an info object that the program may change. */
static bool check_own(MpiCall *call, MpiInfo **info, MpiStep *step)
{
    *info = mpi_handle_lookup(call->rank, MPI_KIND_INFO, call->args[0]);
    if (!*info) {
        *step = bad_info(call, NULL, 0, call->args[0]);
    }
    return *info;
}

/* Gets argument 0 as an info object to read. The caller must free *made. */
static bool check_any(MpiCall *call, const MpiInfo **info, MpiInfo **made, MpiStep *step)
{
    *made = is_env(call->args[0]) ? environment(call) : NULL;
    *info = *made ? *made : mpi_handle_lookup(call->rank, MPI_KIND_INFO, call->args[0]);
    if (!*info) {
        *step = bad_info(call, NULL, 0, call->args[0]);
    }
    return *info;
}

bool mpi_check_info_hints(MpiCall *call, MpiComm *comm, unsigned arg, MpiInfo **hints, MpiStep *step)
{
    MpiHandle handle = call->args[arg];
    const MpiInfo *info = mpi_handle_lookup(call->rank, MPI_KIND_INFO, handle);
    *hints = info ? mpi_info_copy(info) : is_env(handle) ? environment(call) : NULL;
    if (!*hints && handle != MPI_HANDLE(MPI_KIND_INFO, 0)) {
        *step = bad_info(call, comm, arg, handle);
        return false;
    }
    return true;
}

bool mpi_check_info(MpiCall *call, MpiComm *comm, unsigned arg, MpiStep *step)
{
    MpiHandle handle = call->args[arg];
    if (mpi_handle_lookup(call->rank, MPI_KIND_INFO, handle) || is_env(handle) ||
        handle == MPI_HANDLE(MPI_KIND_INFO, 0)) {
        return true;
    }
    *step = bad_info(call, comm, arg, handle);
    return false;
}

static bool check_string(MpiCall *call, unsigned arg, const char *what, size_t limit, int error_class,
                         const char **string, MpiStep *step)
{
    *string = vm_rank_string(call->process, call->args[arg]);
    size_t length = *string ? strlen(*string) : 0;
    if (!*string) {
        *step =
            mpi_call_error(call, NULL, error_class, "the %s is not a string in memory (argument %u)", what, arg + 1);
    } else if (length >= limit) {
        *step = mpi_call_error(call, NULL, error_class,
                               "the %s has %zu characters (argument %u), but at most %zu are possible", what, length,
                               arg + 1, limit - 1);
    }
    return *string && length < limit;
}

static bool check_key(MpiCall *call, const char **key, MpiStep *step)
{
    if (!check_string(call, 1, "key", MPI_MAX_INFO_KEY_, MPI_ERR_INFO_KEY, key, step)) {
        return false;
    }
    if (!**key) {
        *step = mpi_call_error(call, NULL, MPI_ERR_INFO_KEY, "the key is empty (argument 2)");
    }
    return **key != '\0';
}

MpiHandle mpi_info_register(MpiCall *call, MpiInfo *info)
{
    return info->handle = mpi_handle_register(call, MPI_KIND_INFO, info);
}

/* Stores a handle of the info object at argument `arg`, after checking the memory there. Takes the info object. */
MpiStep mpi_info_give(MpiCall *call, unsigned arg, MpiInfo *info)
{
    MpiStep step;
    if (!mpi_check_result(call, arg, sizeof(MpiHandle), &step)) {
        mpi_info_free(info);
        return step;
    }
    mpi_store_handle(call, call->args[arg], mpi_info_register(call, info));
    return done(call);
}

/* -- making and changing ----------------------------------------------------------------------- */

MpiStep mpi_do_Info_create(MpiCall *call)
{
    return mpi_info_give(call, 0, mpi_info_new());
}

/* The arguments of MPI_Info_create_env add nothing to what MPI_INFO_ENV has. */
MpiStep mpi_do_Info_create_env(MpiCall *call)
{
    return mpi_info_give(call, 2, environment(call));
}

MpiStep mpi_do_Info_dup(MpiCall *call)
{
    const MpiInfo *info;
    MpiInfo *made;
    MpiStep step;
    if (!check_any(call, &info, &made, &step)) {
        return step;
    }
    return mpi_info_give(call, 1, made ? made : mpi_info_copy(info));
}

MpiStep mpi_do_Info_free(MpiCall *call)
{
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 0, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    MpiInfo *info = mpi_handle_lookup(call->rank, MPI_KIND_INFO, *handle);
    if (!info) {
        return bad_info(call, NULL, 0, *handle);
    }
    mpi_handle_unregister(call->rank, *handle);
    mpi_info_free(info);
    *handle = MPI_HANDLE(MPI_KIND_INFO, 0);
    return done(call);
}

MpiStep mpi_do_Info_set(MpiCall *call)
{
    MpiInfo *info;
    const char *key, *value;
    MpiStep step;
    if (!check_own(call, &info, &step) || !check_key(call, &key, &step) ||
        !check_string(call, 2, "value", MPI_MAX_INFO_VAL_, MPI_ERR_INFO_VALUE, &value, &step)) {
        return step;
    }
    mpi_info_set(info, key, value);
    return done(call);
}

MpiStep mpi_do_Info_delete(MpiCall *call)
{
    MpiInfo *info;
    const char *key;
    MpiStep step;
    if (!check_own(call, &info, &step) || !check_key(call, &key, &step)) {
        return step;
    }
    guint at = find(info, key);
    if (!at) {
        return mpi_call_error(call, NULL, MPI_ERR_INFO_NOKEY, "the info object has no key \"%s\" (argument 2)", key);
    }
    g_ptr_array_remove_range(info->words, at - 1, 2);
    return done(call);
}

/* -- asking ------------------------------------------------------------------------------------ */

static MpiStep store_found(MpiCall *call, unsigned flag, bool found)
{
    MpiStep step;
    if (!mpi_check_result(call, flag, sizeof(int32_t), &step)) {
        return step;
    }
    mpi_store_int(call, call->args[flag], found);
    return done(call);
}

/* Stores up to `room` characters of a value and a terminating zero at the address in argument 4. */
static bool store_value(MpiCall *call, const char *value, size_t room, MpiStep *step)
{
    size_t length = MIN(strlen(value), room);
    char *to;
    if (!mpi_check_output(call, NULL, 3, length + 1, (void **)&to, step)) {
        return false;
    }
    memcpy(to, value, length);
    to[length] = '\0';
    return true;
}

/* `length` does not count the terminating zero (MPI-3.1 chapter 9). */
static MpiStep get(MpiCall *call, const MpiInfo *info)
{
    enum { INFO, KEY, LENGTH, VALUE, FLAG };
    const char *key;
    MpiStep step;
    if (!check_key(call, &key, &step)) {
        return step;
    }
    const char *value = mpi_info_get(info, key);
    int room = mpi_int(call, LENGTH);
    if (room < 0) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "room for %d characters (argument 3)", room);
    }
    if (value && !store_value(call, value, (size_t)room, &step)) {
        return step;
    }
    return store_found(call, FLAG, value);
}

/* The length counts the terminating zero. The call changes it to the length that the value needs (MPI-4.0 chapter
 * 10). */
static MpiStep get_string(MpiCall *call, const MpiInfo *info)
{
    enum { INFO, KEY, LENGTH, VALUE, FLAG };
    const char *key;
    MpiInt32 *length;
    MpiStep step;
    if (!check_key(call, &key, &step) ||
        !mpi_check_output(call, NULL, LENGTH, sizeof *length, (void **)&length, &step)) {
        return step;
    }
    const char *value = mpi_info_get(info, key);
    int room = *length;
    if (room < 0) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "room for %d characters (argument 3)", room);
    }
    if (value && room && !store_value(call, value, (size_t)room - 1, &step)) {
        return step;
    }
    if (value) {
        mpi_store_int(call, call->args[LENGTH], (int)strlen(value) + 1);
    }
    return store_found(call, FLAG, value);
}

static MpiStep get_valuelen(MpiCall *call, const MpiInfo *info)
{
    enum { INFO, KEY, LENGTH, FLAG };
    const char *key;
    MpiStep step;
    if (!check_key(call, &key, &step) || !mpi_check_result(call, LENGTH, sizeof(int32_t), &step)) {
        return step;
    }
    const char *value = mpi_info_get(info, key);
    if (value) {
        mpi_store_int(call, call->args[LENGTH], (int)strlen(value));
    }
    return store_found(call, FLAG, value);
}

static MpiStep get_nkeys(MpiCall *call, const MpiInfo *info)
{
    MpiStep step;
    if (!mpi_check_result(call, 1, sizeof(int32_t), &step)) {
        return step;
    }
    mpi_store_int(call, call->args[1], (int)(info->words->len / 2));
    return done(call);
}

static MpiStep get_nthkey(MpiCall *call, const MpiInfo *info)
{
    int n = mpi_int(call, 1), keys = (int)(info->words->len / 2);
    char *to;
    MpiStep step;
    if (n < 0 || n >= keys) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "key number %d (argument 2) of an info object with %d keys", n,
                              keys);
    }
    const char *key = info->words->pdata[2 * n];
    if (!mpi_check_output(call, NULL, 2, strlen(key) + 1, (void **)&to, &step)) {
        return step;
    }
    memcpy(to, key, strlen(key) + 1);
    return done(call);
}

static MpiStep ask(MpiCall *call, MpiStep (*question)(MpiCall *call, const MpiInfo *info))
{
    const MpiInfo *info;
    MpiInfo *made;
    MpiStep step;
    if (!check_any(call, &info, &made, &step)) {
        return step;
    }
    step = question(call, info);
    mpi_info_free(made);
    return step;
}

MPI_HANDLER(Info_get, ask(call, get))
MPI_HANDLER(Info_get_string, ask(call, get_string))
MPI_HANDLER(Info_get_valuelen, ask(call, get_valuelen))
MPI_HANDLER(Info_get_nkeys, ask(call, get_nkeys))
MPI_HANDLER(Info_get_nthkey, ask(call, get_nthkey))
