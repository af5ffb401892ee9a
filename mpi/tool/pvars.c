/* pvars.c - performance variables: sessions and handles (MPI-4.1 section 15.3.7).
 *
 * Sums and counts belong to handles: each shows what happened while it was started, so two sessions do not disturb each
 * other. What a variable is *now* is continuous and cannot be written. A process has one thread, so what can be reset
 * can be read and reset at once. */
#include "mpi/core/handlers.h"
#include "mpi/core/world.h"
#include "mpi/tool/tool.h"
#include "mpi/type/type.h"

#include <math.h>
#include <string.h>

typedef struct Row {
    const char *name, *description;
    int class, bind;
    MpiPrimitive type;
    MpiToolWay way;
    MpiToolCategory category;
    MpiToolValue value;
    MpiToolCount count;
} Row;

#define VALUE_OF_NOW(source)   .value = mpi_tool_value_##source
#define VALUE_OF_SUM(source)   .value = mpi_tool_value_##source
#define VALUE_OF_PEAK(source)  .value = mpi_tool_value_##source
#define VALUE_OF_COUNT(source) .count = MPI_TOOL_COUNT_##source

static const Row rows[] = {
#define MPI_TOOL_PVAR(name_, class_, datatype_, bind_, way_, category_, source, description_)                          \
    {.name = #name_,                                                                                                   \
     .description = description_,                                                                                      \
     .class = MPI_T_PVAR_CLASS_##class_##_,                                                                            \
     .bind = MPI_T_BIND_##bind_##_,                                                                                    \
     .type = MPI_PRIM_##datatype_,                                                                                     \
     .way = MPI_TOOL_##way_,                                                                                           \
     .category = MPI_TOOL_CATEGORY_##category_,                                                                        \
     VALUE_OF_##way_(source)},
#include "mpi/tool/pvars.def"
};

size_t mpi_tool_pvars(void)
{
    return G_N_ELEMENTS(rows);
}

MpiToolCategory mpi_tool_pvar_category(size_t row)
{
    return rows[row].category;
}

/* -- what there is ----------------------------------------------------------------------------- */

MPI_TOOL_FUNCTION(pvar_get_num)
{
    return mpi_tool_give_int(call, 0, G_N_ELEMENTS(rows));
}

MPI_TOOL_FUNCTION(pvar_get_info)
{
    enum {
        INDEX,
        NAME,
        NAME_LEN,
        VERBOSITY,
        CLASS,
        DATATYPE,
        ENUM,
        DESC,
        DESC_LEN,
        BIND,
        READONLY,
        CONTINUOUS,
        ATOMIC
    };
    int index = mpi_int(call, INDEX);
    if (index < 0 || index >= (int)G_N_ELEMENTS(rows))
        return MPI_T_ERR_INVALID_INDEX;
    const Row *row = &rows[index];
    bool now = row->way == MPI_TOOL_NOW;
    uint64_t names = row->class == MPI_T_PVAR_CLASS_STATE_ ? mpi_tool_enum(MPI_TOOL_ENUM_THREADS) : 0;
    bool stored =
        mpi_tool_put_text(call, NAME, row->name) && mpi_tool_put_int(call, VERBOSITY, MPI_T_VERBOSITY_USER_BASIC_) &&
        mpi_tool_put_int(call, CLASS, row->class) && mpi_tool_put_word(call, DATATYPE, mpi_tool_datatype(row->type)) &&
        mpi_tool_put_word(call, ENUM, names) && mpi_tool_put_text(call, DESC, row->description) &&
        mpi_tool_put_int(call, BIND, row->bind) && mpi_tool_put_int(call, READONLY, now) &&
        mpi_tool_put_int(call, CONTINUOUS, now) && mpi_tool_put_int(call, ATOMIC, !now);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(pvar_get_index)
{
    const char *name = mpi_tool_wanted(call, 2);
    if (!name)
        return MPI_T_ERR_INVALID;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].name, name) == 0 && rows[i].class == mpi_int(call, 1))
            return mpi_tool_give_int(call, 2, (int)i);
    return MPI_T_ERR_INVALID_NAME;
}

/* -- sessions ---------------------------------------------------------------------------------- */

static void object_free(MpiToolObject *object)
{
    g_free(object);
}

MPI_TOOL_FUNCTION(pvar_session_create)
{
    MpiWord *handle = mpi_tool_place(call, 0, sizeof *handle);
    if (!handle)
        return MPI_T_ERR_INVALID;
    *handle = mpi_tool_add(tool, MPI_TOOL_SESSION, g_new0(MpiToolObject, 1), object_free);
    return MPI_SUCCESS;
}

/* Frees the handles of the session, too. */
MPI_TOOL_FUNCTION(pvar_session_free)
{
    MpiWord *handle = mpi_tool_place(call, 0, sizeof *handle);
    MpiToolObject *session = handle ? mpi_tool_find(tool, MPI_TOOL_SESSION, *handle) : NULL;
    if (!session)
        return handle ? MPI_T_ERR_INVALID_SESSION : MPI_T_ERR_INVALID;
    for (GList *link = tool->objects[MPI_TOOL_PVAR_HANDLE].head, *next; link; link = next) {
        next = link->next;
        if (((MpiToolPvar *)link->data)->session == session)
            mpi_tool_remove(tool, link->data);
    }
    mpi_tool_remove(tool, session);
    *handle = 0;
    return MPI_SUCCESS;
}

/* -- handles ----------------------------------------------------------------------------------- */

enum { SESSION, HANDLE, VALUE }; /* arguments of most functions below */
#define ALL_HANDLES UINT64_MAX

static int check_session(const MpiCall *call, const MpiTool *tool, MpiToolObject **session)
{
    *session = mpi_tool_find(tool, MPI_TOOL_SESSION, call->args[SESSION]);
    return *session ? MPI_SUCCESS : MPI_T_ERR_INVALID_SESSION;
}

/* Returns the handle of this session with this number, or NULL. */
static MpiToolPvar *handle_of(const MpiTool *tool, const MpiToolObject *session, uint64_t handle)
{
    MpiToolPvar *pvar = mpi_tool_find(tool, MPI_TOOL_PVAR_HANDLE, handle);
    return pvar && pvar->session == session ? pvar : NULL;
}

static int check_handle(const MpiCall *call, const MpiTool *tool, MpiToolPvar **pvar)
{
    MpiToolObject *session;
    int error = check_session(call, tool, &session);
    if (error)
        return error;
    *pvar = handle_of(tool, session, call->args[HANDLE]);
    return *pvar ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

MPI_TOOL_FUNCTION(pvar_handle_alloc)
{
    enum { INDEX = 1, OBJECT, NEW, COUNT };
    MpiToolObject *session;
    int index = mpi_int(call, INDEX);
    int error = check_session(call, tool, &session);
    if (error)
        return error;
    if (index < 0 || index >= (int)G_N_ELEMENTS(rows))
        return MPI_T_ERR_INVALID_INDEX;
    const Row *row = &rows[index];
    MpiWord *handle = mpi_tool_place(call, NEW, sizeof *handle);
    uint32_t context = 0;
    bool bound = row->bind == MPI_T_BIND_MPI_COMM_;
    if (!handle || (bound && !mpi_tool_bound_comm(call, OBJECT, &context)) || !mpi_tool_put_int(call, COUNT, 1))
        return MPI_T_ERR_INVALID;
    MpiToolPvar *pvar = g_new0(MpiToolPvar, 1);
    pvar->session = session;
    pvar->row = (uint32_t)index;
    pvar->way = row->way;
    pvar->count = row->count;
    pvar->source = row->value;
    pvar->bound = bound;
    pvar->context = context;
    pvar->started = row->way == MPI_TOOL_NOW;
    *handle = mpi_tool_add(tool, MPI_TOOL_PVAR_HANDLE, &pvar->object, object_free);
    if (row->way == MPI_TOOL_COUNT || row->way == MPI_TOOL_PEAK)
        mpi_tool_listen(call->world);
    return MPI_SUCCESS;
}

MPI_TOOL_FUNCTION(pvar_handle_free)
{
    MpiToolObject *session;
    int error = check_session(call, tool, &session);
    if (error)
        return error;
    MpiWord *handle = mpi_tool_place(call, HANDLE, sizeof *handle);
    MpiToolPvar *pvar = handle ? handle_of(tool, session, *handle) : NULL;
    if (!pvar)
        return handle ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID;
    mpi_tool_remove(tool, &pvar->object);
    *handle = 0;
    return MPI_SUCCESS;
}

/* -- values ------------------------------------------------------------------------------------ */

static uint64_t source_now(const MpiCall *call, const MpiToolPvar *pvar)
{
    return pvar->source ? pvar->source(call, call->rank, pvar->bound ? &pvar->context : NULL) : 0;
}

static uint64_t value_now(const MpiCall *call, const MpiToolPvar *pvar)
{
    uint64_t now = pvar->started ? source_now(call, pvar) : 0;
    switch (pvar->way) {
    case MPI_TOOL_NOW: return now;
    case MPI_TOOL_SUM: return pvar->value + (pvar->started ? now - pvar->base : 0);
    case MPI_TOOL_PEAK: return MAX(pvar->value, now);
    default: return pvar->value;
    }
}

static void start(const MpiCall *call, MpiToolPvar *pvar)
{
    pvar->base = source_now(call, pvar);
    if (pvar->way == MPI_TOOL_PEAK)
        pvar->value = MAX(pvar->value, pvar->base);
    pvar->started = true;
}

static void stop(const MpiCall *call, MpiToolPvar *pvar)
{
    pvar->value = value_now(call, pvar);
    pvar->started = false;
}

static void set(const MpiCall *call, MpiToolPvar *pvar, uint64_t value)
{
    pvar->value = value;
    pvar->base = source_now(call, pvar);
}

static void reset(const MpiCall *call, MpiToolPvar *pvar)
{
    set(call, pvar, pvar->way == MPI_TOOL_PEAK ? source_now(call, pvar) : 0);
}

/* Does the same with one handle, or with all of a session to which it applies. `refusal` is the answer for one to which
 * it does not apply: variables that are only what they are now. */
static int with_handles(const MpiCall *call, const MpiTool *tool, void (*change)(const MpiCall *, MpiToolPvar *),
                        int refusal, int only_if_started)
{
    MpiToolObject *session;
    int error = check_session(call, tool, &session);
    if (error)
        return error;
    bool all = call->args[HANDLE] == ALL_HANDLES;
    if (!all && !handle_of(tool, session, call->args[HANDLE]))
        return MPI_T_ERR_INVALID_HANDLE;
    for (GList *link = tool->objects[MPI_TOOL_PVAR_HANDLE].head; link; link = link->next) {
        MpiToolPvar *pvar = link->data;
        if (all ? pvar->session != session : pvar->object.handle != call->args[HANDLE])
            continue;
        if (pvar->way == MPI_TOOL_NOW) {
            if (!all)
                return refusal;
        } else if (only_if_started < 0 || pvar->started == only_if_started) {
            change(call, pvar);
        }
    }
    return MPI_SUCCESS;
}

/* Starting what is started and stopping what is stopped changes nothing. */
MPI_TOOL_FUNCTION(pvar_start)
{
    return with_handles(call, tool, start, MPI_T_ERR_PVAR_NO_STARTSTOP, false);
}

MPI_TOOL_FUNCTION(pvar_stop)
{
    return with_handles(call, tool, stop, MPI_T_ERR_PVAR_NO_STARTSTOP, true);
}

MPI_TOOL_FUNCTION(pvar_reset)
{
    return with_handles(call, tool, reset, MPI_T_ERR_PVAR_NO_WRITE, -1);
}

static uint64_t bytes_of(const MpiToolPvar *pvar)
{
    MpiPrimitive type = rows[pvar->row].type;
    return type == MPI_PRIM_INT || type == MPI_PRIM_UNSIGNED ? 4 : 8;
}

/* Converts between what is counted and what the program sees: MPI_DOUBLE is 10^-12 of it. */
static uint64_t shown(const MpiToolPvar *pvar, uint64_t value)
{
    if (rows[pvar->row].type != MPI_PRIM_DOUBLE)
        return bytes_of(pvar) == 4 ? MIN(value, UINT32_MAX) : value;
    double seconds = (double)value / 1e12;
    memcpy(&value, &seconds, sizeof value);
    return value;
}

static bool counted(const MpiToolPvar *pvar, uint64_t value, uint64_t *out)
{
    *out = value;
    if (rows[pvar->row].type != MPI_PRIM_DOUBLE)
        return true;
    double seconds;
    memcpy(&seconds, &value, sizeof seconds);
    *out = seconds >= 0 && seconds < 1e6 ? (uint64_t)llround(seconds * 1e12) : 0;
    return seconds >= 0 && seconds < 1e6;
}

static int give(MpiCall *call, const MpiToolPvar *pvar)
{
    uint64_t value = shown(pvar, value_now(call, pvar));
    void *to = mpi_tool_place(call, VALUE, bytes_of(pvar));
    if (to)
        memcpy(to, &value, bytes_of(pvar));
    return to ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(pvar_read)
{
    MpiToolPvar *pvar;
    int error = check_handle(call, tool, &pvar);
    return error ? error : give(call, pvar);
}

MPI_TOOL_FUNCTION(pvar_readreset)
{
    MpiToolPvar *pvar;
    int error = check_handle(call, tool, &pvar);
    if (error)
        return error;
    if (pvar->way == MPI_TOOL_NOW)
        return MPI_T_ERR_PVAR_NO_WRITE;
    error = give(call, pvar);
    if (!error)
        reset(call, pvar);
    return error;
}

MPI_TOOL_FUNCTION(pvar_write)
{
    MpiToolPvar *pvar;
    uint64_t value = 0;
    int error = check_handle(call, tool, &pvar);
    if (error)
        return error;
    if (pvar->way == MPI_TOOL_NOW)
        return MPI_T_ERR_PVAR_NO_WRITE;
    const void *from = call->args[VALUE] ? vm_rank_read(call->process, call->args[VALUE], bytes_of(pvar)) : NULL;
    if (from)
        memcpy(&value, from, bytes_of(pvar));
    if (!from || !counted(pvar, value, &value))
        return MPI_T_ERR_INVALID;
    set(call, pvar, value);
    return MPI_SUCCESS;
}
