/* otf2.c - archives of the Open Trace Format, written by its own library (OTF2 2.2 or later).
 *
 * Events are put in order by location and time first, so that one location's file is open at a time. The program is a
 * region around everything, calls are regions in it, with the place of the call as an attribute, and parts of their
 * waiting are regions in them. Messages between ranks are MpiSend and MpiRecv of one communicator that has all ranks;
 * those within collective operations are left out, the operations are there. */
#include "cli/export/export.h"

#include "cli/base/base.h"

#ifdef ORRERY_OTF2

#include "base/sorter.h"
#include "cli/export/calls.h"
#include "cli/export/order.h"
#include "cli/export/timeline.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <otf2/otf2.h>
#include <string.h>
#include <unistd.h>

typedef enum Sort { ENTER, LEAVE, SEND, RECEIVE, COLLECTIVE_BEGIN, COLLECTIVE_END } Sort;

typedef struct Event {
    Sort sort;
    uint32_t region;
    uint32_t site; /* text of its place; 0: none */
    uint32_t peer, tag;
    int32_t operation, root;
    uint64_t bytes, received;
} Event;

typedef struct Region {
    uint32_t name, role;
} Region;

typedef struct Otf {
    const ExportJob *job;
    BaseSorter *sorter;
    GHashTable *texts; /* text -> 1 + number */
    GPtrArray *names;  /* texts by number */
    GHashTable *by_name;
    GArray *regions; /* Region */
    GHashTable *sites;
    GArray *ranks;    /* uint32_t, by location: its rank in the communicator; UINT32_MAX: it is a thread */
    GArray *members;  /* uint64_t: locations, by rank in the communicator */
    uint64_t *events; /* by location: how many */
    OTF2_Archive *archive;
    OTF2_ErrorCode status;
} Otf;

/* -- texts and regions ------------------------------------------------------------------------- */

static uint32_t text_of(Otf *otf, const char *text)
{
    gpointer number = g_hash_table_lookup(otf->texts, text);
    if (!number) {
        g_ptr_array_add(otf->names, g_utf8_make_valid(text, -1));
        number = GUINT_TO_POINTER(otf->names->len);
        g_hash_table_insert(otf->texts, g_strdup(text), number);
    }
    return GPOINTER_TO_UINT(number) - 1;
}

static uint32_t role_of(const char *name)
{
    const ExportCollective *collective = export_call_collective(name);
    if (!g_str_has_prefix(name, "MPI_"))
        return OTF2_REGION_ROLE_ARTIFICIAL;
    if (export_call_point(name))
        return OTF2_REGION_ROLE_POINT2POINT;
    if (collective && collective->operation == EXPORT_OP_BARRIER)
        return OTF2_REGION_ROLE_BARRIER;
    if (collective)
        return OTF2_REGION_ROLE_COLL_OTHER;
    if (g_str_has_prefix(name, "MPI_File_"))
        return OTF2_REGION_ROLE_FILE_IO;
    return g_str_has_prefix(name, "MPI_Win_") ? OTF2_REGION_ROLE_RMA : OTF2_REGION_ROLE_FUNCTION;
}

static uint32_t region_of(Otf *otf, const char *name)
{
    gpointer number = g_hash_table_lookup(otf->by_name, name);
    if (!number) {
        Region region = {text_of(otf, name), role_of(name)};
        g_array_append_val(otf->regions, region);
        number = GUINT_TO_POINTER(otf->regions->len);
        g_hash_table_insert(otf->by_name, g_strdup(name), number);
    }
    return GPOINTER_TO_UINT(number) - 1;
}

/* Returns the text of a place. Text 0 is empty, and no place has it. */
static uint32_t site_of(Otf *otf, uint64_t number)
{
    gpointer known = g_hash_table_lookup(otf->sites, GUINT_TO_POINTER(number));
    if (!known && number) {
        TraceSite site = trace_reader_site(otf->job->reader, number);
        g_autofree char *place = g_strdup_printf("%s:%u in %s", site.file ? site.file : "?", site.line, site.function);
        known = GUINT_TO_POINTER(text_of(otf, place));
        g_hash_table_insert(otf->sites, GUINT_TO_POINTER(number), known);
    }
    return GPOINTER_TO_UINT(known);
}

/* -- from the trace to the sorter -------------------------------------------------------------- */

static void add(Otf *otf, uint32_t location, uint64_t time_ps, uint64_t order, const Event *event)
{
    otf->events[location]++;
    base_sorter_add(otf->sorter,
                    &(BaseRecord){.keys = {location, time_ps, order}, .size = sizeof *event, .bytes = event});
}

static void add_region(Otf *otf, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *name, uint64_t site)
{
    Event event = {.sort = ENTER, .region = region_of(otf, name), .site = site_of(otf, site)};
    add(otf, location, from_ps, export_order_enter(from_ps, to_ps), &event);
    event.sort = LEAVE;
    add(otf, location, to_ps, export_order_leave(from_ps, to_ps), &event);
}

static uint64_t bytes_of(const ExportCall *call, int count, int type)
{
    if (count < 0 || type < 0 || (unsigned)MAX(count, type) >= call->n_arguments || call->arguments[count] < 0)
        return 0;
    return (uint64_t)call->arguments[count] * export_call_type_bytes(call->arguments[type]);
}

/* Only operations of the world: what ranks other communicators have, the trace does not tell. */
static void add_collective(Otf *otf, const ExportCall *call, const ExportCollective *collective)
{
    if ((unsigned)collective->comm >= call->n_arguments || call->arguments[collective->comm] != EXPORT_COMM_WORLD ||
        call->function[4] == 'I')
        return;
    Event event = {.sort = COLLECTIVE_BEGIN, .operation = collective->operation, .root = -1};
    event.bytes = bytes_of(call, collective->count, collective->type);
    event.received = bytes_of(call, collective->receive_count, collective->receive_type);
    if (collective->root >= 0)
        event.root = (int32_t)call->arguments[collective->root];
    if (call->from_ps == call->to_ps)
        return;
    /* Behind what enters at the same time, in front of what leaves. */
    add(otf, call->location, call->from_ps, EXPORT_ORDER_MOMENT - 1, &event);
    event.sort = COLLECTIVE_END;
    add(otf, call->location, call->to_ps, EXPORT_ORDER_LEAVE - 1, &event);
}

static void add_call(void *user, const ExportCall *call)
{
    Otf *otf = user;
    const ExportCollective *collective = export_call_collective(call->function);
    add_region(otf, call->location, call->from_ps, call->to_ps, call->function, call->site);
    for (unsigned i = 0; i < call->n_waits; i++)
        add_region(otf, call->location, call->waits[i].from_ps, call->waits[i].to_ps, call->waits[i].cause, 0);
    if (collective)
        add_collective(otf, call, collective);
}

static void add_pause(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *why)
{
    add_region(user, location, from_ps, to_ps, why, 0);
}

static void add_message(void *user, const ExportMessage *message)
{
    Otf *otf = user;
    uint32_t from = g_array_index(otf->ranks, uint32_t, message->from),
             to = g_array_index(otf->ranks, uint32_t, message->to);
    if (message->tag < 0 || from == UINT32_MAX || to == UINT32_MAX)
        return;
    Event event = {.sort = SEND, .peer = to, .tag = (uint32_t)message->tag, .bytes = message->bytes};
    add(otf, message->from, message->sent_ps, EXPORT_ORDER_POINT, &event);
    event.sort = RECEIVE;
    event.peer = from;
    add(otf, message->to, message->delivered_ps, EXPORT_ORDER_POINT, &event);
}

static void add_other(void *user, const TraceEvent *event)
{
    Otf *otf = user;
    if (event->kind == TRACE_REGION)
        add_region(otf, event->location, event->fields[TRACE_REGION_FROM], event->time_ps,
                   trace_reader_text(otf->job->reader, event->fields[TRACE_REGION_NAME]),
                   event->fields[TRACE_REGION_SITE]);
}

/* -- events ------------------------------------------------------------------------------------ */

static const OTF2_CollectiveOp operations[EXPORT_OPERATIONS] = {
#define COLLECTIVE(name, action, operation, count, type, receive_count, receive_type, root, comm)                      \
    OTF2_COLLECTIVE_OP_##operation,
#include "cli/export/calls.def"
};

static void keep(Otf *otf, OTF2_ErrorCode status)
{
    if (otf->status == OTF2_SUCCESS)
        otf->status = status;
}

static void write_event(Otf *otf, OTF2_EvtWriter *writer, OTF2_AttributeList *attributes, uint64_t time_ps,
                        const Event *event)
{
    switch (event->sort) {
    case ENTER:
        if (event->site)
            OTF2_AttributeList_AddStringRef(attributes, 0, event->site);
        keep(otf, OTF2_EvtWriter_Enter(writer, attributes, time_ps, event->region));
        break;
    case LEAVE: keep(otf, OTF2_EvtWriter_Leave(writer, NULL, time_ps, event->region)); break;
    case SEND:
        keep(otf, OTF2_EvtWriter_MpiSend(writer, NULL, time_ps, event->peer, 0, event->tag, event->bytes));
        break;
    case RECEIVE:
        keep(otf, OTF2_EvtWriter_MpiRecv(writer, NULL, time_ps, event->peer, 0, event->tag, event->bytes));
        break;
    case COLLECTIVE_BEGIN: keep(otf, OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, time_ps)); break;
    case COLLECTIVE_END:
        keep(otf, OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time_ps, operations[event->operation], 0,
                                                  event->root < 0 ? OTF2_COLLECTIVE_ROOT_NONE : (uint32_t)event->root,
                                                  event->bytes, event->received));
        break;
    }
}

/* Writes all events, a file after the other. Locations without events get an empty one. */
static bool write_events(Otf *otf, GError **error)
{
    g_autoptr(GArray) locations = export_timeline_locations(otf->job);
    OTF2_AttributeList *attributes = OTF2_AttributeList_New();
    BaseRecord record;
    bool more = base_sorter_next(otf->sorter, &record);
    keep(otf, OTF2_Archive_OpenEvtFiles(otf->archive));
    for (guint i = 0; i < locations->len && otf->status == OTF2_SUCCESS; i++) {
        uint32_t location = g_array_index(locations, uint32_t, i);
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(otf->archive, location);
        for (; more && record.keys[0] == location; more = base_sorter_next(otf->sorter, &record))
            write_event(otf, writer, attributes, record.keys[1], record.bytes);
        keep(otf, OTF2_Archive_CloseEvtWriter(otf->archive, writer));
    }
    keep(otf, OTF2_Archive_CloseEvtFiles(otf->archive));
    OTF2_AttributeList_Delete(attributes);
    return base_sorter_end(otf->sorter, error);
}

/* -- definitions ------------------------------------------------------------------------------- */

static void write_local_definitions(Otf *otf)
{
    g_autoptr(GArray) locations = export_timeline_locations(otf->job);
    keep(otf, OTF2_Archive_OpenDefFiles(otf->archive));
    for (guint i = 0; i < locations->len && otf->status == OTF2_SUCCESS; i++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(otf->archive, g_array_index(locations, uint32_t, i));
        keep(otf, OTF2_Archive_CloseDefWriter(otf->archive, writer));
    }
    keep(otf, OTF2_Archive_CloseDefFiles(otf->archive));
}

static void write_location(Otf *otf, OTF2_GlobalDefWriter *writer, uint32_t location)
{
    TraceLocation at = trace_reader_location(otf->job->reader, location);
    g_autofree char *name = export_timeline_name(otf->job, location), *rank = g_strdup_printf("rank %u", at.rank);
    if (!at.thread) {
#if OTF2_VERSION_MAJOR >= 3
        keep(otf, OTF2_GlobalDefWriter_WriteLocationGroup(writer, at.rank, text_of(otf, rank),
                                                          OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                          OTF2_UNDEFINED_LOCATION_GROUP));
#else
        keep(otf, OTF2_GlobalDefWriter_WriteLocationGroup(writer, at.rank, text_of(otf, rank),
                                                          OTF2_LOCATION_GROUP_TYPE_PROCESS, 0));
#endif
    }
    keep(otf, OTF2_GlobalDefWriter_WriteLocation(writer, location, text_of(otf, name), OTF2_LOCATION_TYPE_CPU_THREAD,
                                                 otf->events[location], at.rank));
}

static void write_communicator(Otf *otf, OTF2_GlobalDefWriter *writer)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (uint64_t i = 0; i < otf->members->len; i++)
        g_array_append_val(ranks, i);
    keep(otf, OTF2_GlobalDefWriter_WriteGroup(writer, 0, text_of(otf, "all ranks"), OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                              OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, otf->members->len,
                                              (const uint64_t *)(const void *)otf->members->data));
    keep(otf, OTF2_GlobalDefWriter_WriteGroup(writer, 1, text_of(otf, ""), OTF2_GROUP_TYPE_COMM_GROUP,
                                              OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks->len,
                                              (const uint64_t *)(const void *)ranks->data));
#if OTF2_VERSION_MAJOR >= 3
    keep(otf, OTF2_GlobalDefWriter_WriteComm(writer, 0, text_of(otf, "MPI_COMM_WORLD"), 1, OTF2_UNDEFINED_COMM,
                                             OTF2_COMM_FLAG_NONE));
#else
    keep(otf, OTF2_GlobalDefWriter_WriteComm(writer, 0, text_of(otf, "MPI_COMM_WORLD"), 1, OTF2_UNDEFINED_COMM));
#endif
}

static void write_regions(Otf *otf, OTF2_GlobalDefWriter *writer)
{
    for (guint i = 0; i < otf->regions->len; i++) {
        const Region *region = &g_array_index(otf->regions, Region, i);
        bool of_mpi = g_str_has_prefix(otf->names->pdata[region->name], "MPI_");
        keep(otf, OTF2_GlobalDefWriter_WriteRegion(
                      writer, i, region->name, region->name, 0, (OTF2_RegionRole)region->role,
                      of_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0));
    }
}

/* Texts come first in the file, so all of them are known before any is written: hence this order of things. */
static void write_definitions(Otf *otf)
{
    g_autoptr(GArray) locations = export_timeline_locations(otf->job);
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(otf->archive);
    static const char *const fixed[] = {"machine", "call site", "where the call is in the source", "all ranks",
                                        "MPI_COMM_WORLD"};
    const char *machine = trace_reader_note(otf->job->reader, "machine");
    for (unsigned i = 0; i < G_N_ELEMENTS(fixed); i++)
        text_of(otf, fixed[i]);
    uint32_t name = text_of(otf, machine ? machine : "machine");
    for (guint i = 0; i < locations->len; i++) {
        uint32_t location = g_array_index(locations, uint32_t, i);
        TraceLocation at = trace_reader_location(otf->job->reader, location);
        g_autofree char *own = export_timeline_name(otf->job, location), *rank = g_strdup_printf("rank %u", at.rank);
        text_of(otf, own);
        text_of(otf, rank);
    }
#if OTF2_VERSION_MAJOR >= 3
    keep(otf, OTF2_GlobalDefWriter_WriteClockProperties(writer, UINT64_C(1000000000000), 0, otf->job->end_ps + 1,
                                                        OTF2_UNDEFINED_TIMESTAMP));
#else
    keep(otf, OTF2_GlobalDefWriter_WriteClockProperties(writer, UINT64_C(1000000000000), 0, otf->job->end_ps + 1));
#endif
    for (guint i = 0; i < otf->names->len; i++)
        keep(otf, OTF2_GlobalDefWriter_WriteString(writer, i, otf->names->pdata[i]));
    keep(otf, OTF2_GlobalDefWriter_WriteAttribute(writer, 0, text_of(otf, fixed[1]), text_of(otf, fixed[2]),
                                                  OTF2_TYPE_STRING));
    keep(otf, OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, name, text_of(otf, fixed[0]),
                                                       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    write_regions(otf, writer);
    for (guint i = 0; i < locations->len; i++)
        write_location(otf, writer, g_array_index(locations, uint32_t, i));
    write_communicator(otf, writer);
    keep(otf, OTF2_Archive_CloseGlobalDefWriter(otf->archive, writer));
}

/* -- the archive ------------------------------------------------------------------------------- */

static OTF2_FlushType before_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_ErrorCode stay_silent(void *user, const char *file, uint64_t line, const char *function,
                                  OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return code;
}

static bool write_archive(Otf *otf, const char *folder, GError **error)
{
    static OTF2_FlushCallbacks flush = {.otf2_pre_flush = before_flush};
    OTF2_Error_RegisterCallback(stay_silent, NULL);
    otf->archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                                     OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!otf->archive)
        return cli_error_usage(error, "OTF2 cannot make an archive in %s", folder);
    keep(otf, OTF2_Archive_SetFlushCallbacks(otf->archive, &flush, NULL));
    keep(otf, OTF2_Archive_SetSerialCollectiveCallbacks(otf->archive));
    keep(otf, OTF2_Archive_SetCreator(otf->archive, "orrery"));
    bool good = write_events(otf, error);
    if (good) {
        write_local_definitions(otf);
        write_definitions(otf);
    }
    keep(otf, OTF2_Archive_Close(otf->archive));
    if (good && otf->status != OTF2_SUCCESS)
        good = cli_error_usage(error, "OTF2 could not write %s: %s", otf->job->output,
                               OTF2_Error_GetDescription(otf->status));
    return good;
}

/* Removes what an archive that failed has left. */
static void remove_folder(const char *path)
{
    GDir *folder = g_dir_open(path, 0, NULL);
    const char *name;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *entry = g_build_filename(path, name, NULL);
        if (g_unlink(entry) != 0)
            remove_folder(entry);
    }
    if (folder)
        g_dir_close(folder);
    g_rmdir(path);
}

static bool write_to_folder(Otf *otf, GError **error)
{
    const char *path = otf->job->output;
    g_autofree char *fresh = g_strconcat(path, ".XXXXXX", NULL);
    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return cli_error_usage(error, "%s is there already; an archive of OTF2 is a folder, and none is overwritten",
                               path);
    if (!g_mkdtemp_full(fresh, 0777))
        return cli_error_usage(error, "cannot make the folder %s: %s", path, g_strerror(errno));
    bool good = write_archive(otf, fresh, error);
    if (good && g_rename(fresh, path) != 0)
        good = cli_error_usage(error, "cannot make the folder %s: %s", path, g_strerror(errno));
    if (!good)
        remove_folder(fresh);
    return good;
}

/* Numbers the ranks of the communicator, and puts the program around all that locations do. */
static void begin_locations(Otf *otf)
{
    g_autoptr(GArray) locations = export_timeline_locations(otf->job);
    const char *program = trace_reader_note(otf->job->reader, "program");
    g_array_set_size(otf->ranks, otf->job->locations);
    memset(otf->ranks->data, 0xff, otf->job->locations * sizeof(uint32_t));
    for (guint i = 0; i < locations->len; i++) {
        uint64_t location = g_array_index(locations, uint32_t, i);
        Event event = {.region = region_of(otf, program ? export_timeline_base_name(program) : "program")};
        g_array_index(otf->regions, Region, event.region).role = OTF2_REGION_ROLE_FUNCTION;
        add(otf, (uint32_t)location, otf->job->selection->from_ps, 0, &event);
        event.sort = LEAVE;
        add(otf, (uint32_t)location, otf->job->end_ps, UINT64_MAX, &event);
        if (trace_reader_location(otf->job->reader, (uint32_t)location).thread)
            continue;
        g_array_index(otf->ranks, uint32_t, location) = otf->members->len;
        g_array_append_val(otf->members, location);
    }
}

bool export_otf2(const ExportJob *job, GError **error)
{
    g_autoptr(BaseSorter) sorter = base_sorter_new(EXPORT_SORT_MEMORY);
    Otf otf = {.job = job,
               .sorter = sorter,
               .texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
               .names = g_ptr_array_new_with_free_func(g_free),
               .by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
               .regions = g_array_new(FALSE, FALSE, sizeof(Region)),
               .sites = g_hash_table_new(NULL, NULL),
               .ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
               .members = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
               .events = g_new0(uint64_t, job->locations + 1)};
    ExportTimeline timeline = {
        .user = &otf, .pause = add_pause, .call = add_call, .message = add_message, .other = add_other};
    text_of(&otf, "");
    begin_locations(&otf);
    bool good =
        export_timeline(job, &timeline, error) && base_sorter_begin(sorter, error) && write_to_folder(&otf, error);
    g_hash_table_unref(otf.texts);
    g_ptr_array_unref(otf.names);
    g_hash_table_unref(otf.by_name);
    g_array_unref(otf.regions);
    g_hash_table_unref(otf.sites);
    g_array_unref(otf.ranks);
    g_array_unref(otf.members);
    g_free(otf.events);
    return good;
}

#else

bool export_otf2(const ExportJob *job, GError **error)
{
    (void)job;
    return cli_error_usage(error,
                           "this Orrery was built without OTF2; install libopen-trace-format2-dev and build it again");
}

#endif
