/* events.c - event types, their source, registrations and callbacks (MPI-4.1 section 15.3.8).
 *
 * There is one source, the virtual clock: its events come in order, and a tick is a picosecond. records.c says when
 * callbacks run. */
#include "mpi/comm/comm.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/world.h"
#include "mpi/tool/tool.h"
#include "mpi/type/type.h"

#include <string.h>

enum { SOURCE, SOURCES, MOST_ELEMENTS = 4, RECORDS = 1024, MOST_RECORDS = 1 << 20, ORDERED = 0 };
static const char records_key[] = "orrery_records"; /* info key: how many events a registration keeps */

typedef struct Element {
    MpiPrimitive type;
    uint32_t offset;
} Element;

typedef struct Row {
    const char *name, *description;
    int bind;
    MpiToolCategory category;
    MpiToolHappening happening;
    Element elements[MOST_ELEMENTS + 1]; /* the first may have any type; one with type 0, MPI_CHAR, ends them */
} Row;

static const Row rows[] = {
#define MPI_TOOL_EVENT(name_, bind_, category_, happening_, description_)                                              \
    {                                                                                                                  \
        .name = #name_, .description = description_, .bind = MPI_T_BIND_##bind_##_,                                    \
        .category = MPI_TOOL_CATEGORY_##category_, .happening = MPI_TOOL_##happening_, .elements = {
#define MPI_TOOL_ELEMENT(datatype, offset_) {MPI_PRIM_##datatype, offset_},
#define MPI_TOOL_EVENT_END                                                                                             \
    }                                                                                                                  \
    }                                                                                                                  \
    ,
#include "mpi/tool/events.def"
};

static int elements_of(const Row *row)
{
    int n = 0;
    while (row->elements[n].type)
        n++;
    return n;
}

static uint64_t bytes_of(MpiPrimitive type)
{
    return type == MPI_PRIM_INT ? sizeof(int32_t) : sizeof(uint64_t);
}

size_t mpi_tool_events(void)
{
    return G_N_ELEMENTS(rows);
}

MpiToolCategory mpi_tool_event_category(size_t row)
{
    return rows[row].category;
}

/* -- the source -------------------------------------------------------------------------------- */

MPI_TOOL_FUNCTION(source_get_num)
{
    return mpi_tool_give_int(call, 0, SOURCES);
}

/* Stores a new info object, if the program wants it. */
static bool put_info(MpiCall *call, unsigned arg, const MpiInfo *info)
{
    if (!call->args[arg] || !mpi_tool_place(call, arg, sizeof(uint64_t)))
        return !call->args[arg];
    return mpi_tool_put_word(call, arg, mpi_info_register(call, info ? mpi_info_copy(info) : mpi_info_new()));
}

MPI_TOOL_FUNCTION(source_get_info)
{
    enum { INDEX, NAME, NAME_LEN, DESC, DESC_LEN, ORDERING, TICKS, MAX_TICKS, INFO };
    if (mpi_int(call, INDEX) != SOURCE)
        return MPI_T_ERR_INVALID_INDEX;
    bool stored =
        mpi_tool_put_text(call, NAME, "virtual_time") &&
        mpi_tool_put_text(call, DESC, "the simulated machine; its clock counts picoseconds of virtual time") &&
        mpi_tool_put_int(call, ORDERING, ORDERED) && mpi_tool_put_word(call, TICKS, UINT64_C(1000000000000)) &&
        mpi_tool_put_word(call, MAX_TICKS, INT64_MAX) && put_info(call, INFO, NULL);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(source_get_timestamp)
{
    if (mpi_int(call, 0) != SOURCE)
        return MPI_T_ERR_INVALID_INDEX;
    bool stored = call->args[1] && mpi_tool_put_word(call, 1, call->now);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

/* -- event types ------------------------------------------------------------------------------- */

MPI_TOOL_FUNCTION(event_get_num)
{
    return mpi_tool_give_int(call, 0, G_N_ELEMENTS(rows));
}

/* Stores datatypes and displacements of the elements, as many as there is room for, and how many there are. */
static bool put_elements(MpiCall *call, unsigned types, unsigned displacements, unsigned number, const Row *row)
{
    MpiInt32 *room = mpi_tool_place(call, number, sizeof *room);
    if (!room)
        return !call->args[number];
    int n = elements_of(row), stored = CLAMP(*room, 0, n);
    for (int arrays = 0; arrays < 2; arrays++) {
        unsigned arg = arrays ? displacements : types;
        MpiWord *to = mpi_tool_place(call, arg, (uint64_t)stored * sizeof *to);
        if (!to && call->args[arg])
            return false;
        for (int i = 0; to && i < stored; i++)
            to[i] = arrays ? row->elements[i].offset : mpi_tool_datatype(row->elements[i].type);
    }
    return mpi_tool_put_int(call, number, n);
}

static uint64_t enum_of(const Row *row)
{
    switch (row->happening) {
    case MPI_TOOL_FINISHED: return mpi_tool_enum(MPI_TOOL_ENUM_REQUESTS);
    case MPI_TOOL_BEGUN:
    case MPI_TOOL_ENDED: return mpi_tool_enum(MPI_TOOL_ENUM_COLLECTIVES);
    default: return 0;
    }
}

MPI_TOOL_FUNCTION(event_get_info)
{
    enum { INDEX, NAME, NAME_LEN, VERBOSITY, TYPES, DISPLACEMENTS, ELEMENTS, ENUM, INFO, DESC, DESC_LEN, BIND };
    int index = mpi_int(call, INDEX);
    if (index < 0 || index >= (int)G_N_ELEMENTS(rows))
        return MPI_T_ERR_INVALID_INDEX;
    const Row *row = &rows[index];
    bool stored = mpi_tool_put_text(call, NAME, row->name) &&
                  mpi_tool_put_int(call, VERBOSITY, MPI_T_VERBOSITY_USER_BASIC_) &&
                  put_elements(call, TYPES, DISPLACEMENTS, ELEMENTS, row) &&
                  mpi_tool_put_word(call, ENUM, enum_of(row)) && put_info(call, INFO, NULL) &&
                  mpi_tool_put_text(call, DESC, row->description) && mpi_tool_put_int(call, BIND, row->bind);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(event_get_index)
{
    const char *name = mpi_tool_wanted(call, 1);
    if (!name)
        return MPI_T_ERR_INVALID;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return mpi_tool_give_int(call, 1, (int)i);
    return MPI_T_ERR_INVALID_NAME;
}

/* -- registrations ----------------------------------------------------------------------------- */

static void registration_free(MpiToolObject *object)
{
    MpiToolRegistration *registration = (MpiToolRegistration *)object;
    for (int safety = 0; safety < MPI_TOOL_SAFETIES; safety++)
        mpi_info_free(registration->callbacks[safety].info);
    mpi_info_free(registration->info);
    g_free(registration);
}

/* Copies the info object of an argument; NULL if it is MPI_INFO_NULL. */
static bool check_info(MpiCall *call, unsigned arg, MpiInfo **info)
{
    const MpiInfo *given = mpi_handle_lookup(call->rank, MPI_KIND_INFO, call->args[arg]);
    *info = given ? mpi_info_copy(given) : NULL;
    return given || call->args[arg] == MPI_HANDLE(MPI_KIND_INFO, 0);
}

static void heed_info(MpiToolRegistration *registration, MpiInfo *info /* taken */)
{
    const char *most = info ? mpi_info_get(info, records_key) : NULL;
    guint64 number;
    if (most && g_ascii_string_to_unsigned(most, 10, 0, MOST_RECORDS, &number, NULL))
        registration->most = (uint32_t)number;
    mpi_info_free(registration->info);
    registration->info = info;
}

MPI_TOOL_FUNCTION(event_handle_alloc)
{
    enum { INDEX, OBJECT, INFO, HANDLE };
    MpiInfo *info;
    int index = mpi_int(call, INDEX);
    if (index < 0 || index >= (int)G_N_ELEMENTS(rows))
        return MPI_T_ERR_INVALID_INDEX;
    MpiWord *handle = mpi_tool_place(call, HANDLE, sizeof *handle);
    uint32_t context = 0;
    bool bound = rows[index].bind == MPI_T_BIND_MPI_COMM_;
    if (!handle || (bound && !mpi_tool_bound_comm(call, OBJECT, &context)) || !check_info(call, INFO, &info))
        return MPI_T_ERR_INVALID;
    MpiToolRegistration *registration = g_new0(MpiToolRegistration, 1);
    registration->row = (uint32_t)index;
    registration->happening = rows[index].happening;
    registration->bound = bound;
    registration->context = context;
    registration->most = RECORDS;
    heed_info(registration, info);
    *handle = mpi_tool_add(tool, MPI_TOOL_REGISTRATION, &registration->object, registration_free);
    mpi_tool_listen(call->world);
    return MPI_SUCCESS;
}

/* Gets the registration in argument 0. */
static int check_registration(const MpiCall *call, const MpiTool *tool, MpiToolRegistration **registration)
{
    *registration = mpi_tool_find(tool, MPI_TOOL_REGISTRATION, call->args[0]);
    return *registration ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

static MpiStep freed(MpiCall *call)
{
    return mpi_tool_answer(call, MPI_SUCCESS);
}

/* What has not been told is dropped. The program's function hears that the registration is gone. */
MpiStep mpi_do_T_event_handle_free(MpiCall *call)
{
    MpiTool *tool;
    MpiToolRegistration *registration;
    MpiStep step;
    if (!mpi_tool_begin(call, &tool, &step))
        return step;
    int error = check_registration(call, tool, &registration);
    if (error)
        return mpi_tool_answer(call, error);
    uint64_t args[] = {registration->object.handle, 0, call->args[1]}, function = call->args[2];
    mpi_tool_records_drop(tool, registration);
    mpi_tool_remove(tool, &registration->object);
    return function ? mpi_call_upcall(call, function, args, G_N_ELEMENTS(args), freed) : freed(call);
}

MPI_TOOL_FUNCTION(event_handle_set_info)
{
    MpiToolRegistration *registration;
    MpiInfo *info;
    int error = check_registration(call, tool, &registration);
    if (error)
        return error;
    if (!check_info(call, 1, &info))
        return MPI_T_ERR_INVALID;
    heed_info(registration, info);
    return MPI_SUCCESS;
}

/* Shows the hint that is heeded, given or not. */
MPI_TOOL_FUNCTION(event_handle_get_info)
{
    MpiToolRegistration *registration;
    int error = check_registration(call, tool, &registration);
    if (error)
        return error;
    MpiInfo *info = registration->info ? mpi_info_copy(registration->info) : mpi_info_new();
    g_autofree char *most = g_strdup_printf("%u", registration->most);
    mpi_info_set(info, records_key, most);
    bool stored = call->args[1] && put_info(call, 1, info);
    mpi_info_free(info);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

/* -- callbacks --------------------------------------------------------------------------------- */

/* Gets the callback of a registration for the safety in argument 1. */
static int check_callback(const MpiCall *call, const MpiTool *tool, MpiToolCallback **callback)
{
    MpiToolRegistration *registration;
    int safety = mpi_int(call, 1), error = check_registration(call, tool, &registration);
    if (error)
        return error;
    bool exists = safety >= 0 && safety < MPI_TOOL_SAFETIES;
    *callback = exists ? &registration->callbacks[safety] : NULL;
    return exists ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

/* A null pointer takes the callback back. */
MPI_TOOL_FUNCTION(event_register_callback)
{
    enum { REGISTRATION, SAFETY, INFO, DATA, FUNCTION };
    MpiToolCallback *callback;
    MpiInfo *info;
    int error = check_callback(call, tool, &callback);
    if (error)
        return error;
    if (!check_info(call, INFO, &info))
        return MPI_T_ERR_INVALID;
    mpi_info_free(callback->info);
    *callback = (MpiToolCallback){.function = call->args[FUNCTION], .user_data = call->args[DATA], .info = info};
    return MPI_SUCCESS;
}

MPI_TOOL_FUNCTION(event_callback_set_info)
{
    MpiToolCallback *callback;
    MpiInfo *info;
    int error = check_callback(call, tool, &callback);
    if (error)
        return error;
    if (!check_info(call, 2, &info))
        return MPI_T_ERR_INVALID;
    mpi_info_free(callback->info);
    callback->info = info;
    return MPI_SUCCESS;
}

MPI_TOOL_FUNCTION(event_callback_get_info)
{
    MpiToolCallback *callback;
    int error = check_callback(call, tool, &callback);
    if (error)
        return error;
    bool stored = call->args[2] && put_info(call, 2, callback->info);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(event_set_dropped_handler)
{
    MpiToolRegistration *registration;
    int error = check_registration(call, tool, &registration);
    if (error)
        return error;
    registration->dropped_handler = call->args[1];
    return MPI_SUCCESS;
}

/* -- instances: only while a callback is told ----------------------------------------------------- */

static int check_instance(const MpiCall *call, const MpiTool *tool, const MpiToolRecord **record)
{
    *record = tool->current;
    return *record && (*record)->handle == call->args[0] ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

MPI_TOOL_FUNCTION(event_read)
{
    const MpiToolRecord *record;
    int element = mpi_int(call, 1);
    int error = check_instance(call, tool, &record);
    if (error)
        return error;
    const Row *row = &rows[record->row];
    if (element < 0 || element >= elements_of(row))
        return MPI_T_ERR_INVALID_INDEX;
    uint64_t bytes = bytes_of(row->elements[element].type);
    void *to = mpi_tool_place(call, 2, bytes);
    if (to)
        memcpy(to, record->data.all + row->elements[element].offset, bytes);
    return to ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(event_copy)
{
    const MpiToolRecord *record;
    int error = check_instance(call, tool, &record);
    if (error)
        return error;
    const Row *row = &rows[record->row];
    const Element *last = &row->elements[elements_of(row) - 1];
    uint64_t bytes = last->offset + bytes_of(last->type);
    void *to = mpi_tool_place(call, 1, bytes);
    if (to)
        memcpy(to, record->data.all, bytes);
    return to ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(event_get_timestamp)
{
    const MpiToolRecord *record;
    int error = check_instance(call, tool, &record);
    if (error)
        return error;
    bool stored = call->args[1] && mpi_tool_put_word(call, 1, record->time_ps);
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(event_get_source)
{
    const MpiToolRecord *record;
    int error = check_instance(call, tool, &record);
    return error ? error : mpi_tool_give_int(call, 1, SOURCE);
}
