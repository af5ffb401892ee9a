/* tool.h - the tool interface (MPI-4.1 section 15.3), as its files share it.
 *
 *   tool.c          starting and ending; the objects behind handles; strings and numbers for programs
 *   cvars.c         control variables: the keys of the machine
 *   pvars.c         performance variables: sessions, handles; pvar_values.c: what they are now
 *   events.c        events: types, registrations, callbacks; records.c: events on their way to callbacks
 *   listen.c        the hooks that count and record
 *   categories.c    categories of all of them
 *   enums.c         enumerations
 *
 * Functions of this chapter never call an error handler: they return MPI_T_ERR_ classes. A null or wild pointer where a
 * result should go is MPI_T_ERR_INVALID, unless the standard lets programs leave that result out.
 *
 * All state is the rank's own. What hooks read (started handles, registrations) is changed in GLOBAL calls only, so it
 * is the same for every quantum and number of threads.
 */
#ifndef ORRERY_MPI_TOOL_H
#define ORRERY_MPI_TOOL_H

#include "mpi/core/call.h"
#include "mpi/core/rank.h"

typedef enum MpiToolKind {
    MPI_TOOL_CVAR = 1,
    MPI_TOOL_SESSION,
    MPI_TOOL_PVAR_HANDLE,
    MPI_TOOL_REGISTRATION,
    MPI_TOOL_INSTANCE,
    MPI_TOOL_ENUMERATION,
    MPI_TOOL_KINDS
} MpiToolKind;

/* What stands behind a handle; the first member of each kind's struct. */
typedef struct MpiToolObject {
    GList link; /* in MpiTool.objects */
    MpiToolKind kind;
    uint64_t handle;
    void (*free)(struct MpiToolObject *object);
} MpiToolObject;

typedef struct MpiToolRecord MpiToolRecord; /* an event that a callback has not been told (records.c) */

/* The state of one rank. */
typedef struct MpiTool {
    uint32_t initialised; /* MPI_T_init_thread less MPI_T_finalize */
    uint64_t serial;      /* number of handles given so far */
    GQueue objects[MPI_TOOL_KINDS];
    GQueue records;         /* MpiToolRecord, oldest first */
    MpiToolRecord *current; /* the one that a callback is told now */
    bool telling;           /* callbacks run */
    bool handling;          /* of them, a handler of dropped events */
    bool through;           /* they have run in this call, which asks once more whether there are any */
    uint64_t round;         /* number of calls in which callbacks have run */
    uint64_t arriving_ps;   /* time of the message that is just arriving; 0: none */
} MpiTool;

/* -- calls (tool.c) ---------------------------------------------------------------------------- */

/* Ends the call with an error class. */
MpiStep mpi_tool_answer(MpiCall *call, int error_class);
/* Returns the rank's state, or NULL if it has never used the interface. */
MpiTool *mpi_tool_of(const MpiRank *rank);
/* Whether the interface is initialised; if not, *step ends the call. */
bool mpi_tool_begin(MpiCall *call, MpiTool **tool, MpiStep *step);
/* Defines the handler of MPI_T_NAME. What follows is the body of a function that returns an error class. It runs only
 * where the interface is initialised. */
#define MPI_TOOL_FUNCTION(name)                                                                                        \
    static int name(G_GNUC_UNUSED MpiCall *call, G_GNUC_UNUSED MpiTool *tool);                                         \
    MpiStep mpi_do_T_##name(MpiCall *call)                                                                             \
    {                                                                                                                  \
        return mpi_tool_run(call, name);                                                                               \
    }                                                                                                                  \
    static int name(G_GNUC_UNUSED MpiCall *call, G_GNUC_UNUSED MpiTool *tool)
MpiStep mpi_tool_run(MpiCall *call, int (*function)(MpiCall *call, MpiTool *tool));

/* Gives an object a handle. The table of the rank owns it. */
uint64_t mpi_tool_add(MpiTool *tool, MpiToolKind kind, MpiToolObject *object, void (*free)(MpiToolObject *object));
/* Returns the object behind a handle, or NULL. */
void *mpi_tool_find(const MpiTool *tool, MpiToolKind kind, uint64_t handle);
void mpi_tool_remove(MpiTool *tool, MpiToolObject *object);

/* -- results (tool.c) -------------------------------------------------------------------------- */

/* Returns the memory of a result that must be given, or NULL. */
void *mpi_tool_place(MpiCall *call, unsigned arg, uint64_t bytes);
/* Store a result that the program may leave out by NULL. They return false if the address is wild. */
bool mpi_tool_put_int(MpiCall *call, unsigned arg, int value);
bool mpi_tool_put_word(MpiCall *call, unsigned arg, uint64_t value);
/* Stores a string by the rules of section 15.3.3; argument arg + 1 is the address of its length. */
bool mpi_tool_put_text(MpiCall *call, unsigned arg, const char *text);
/* Returns the name in argument 0 whose index is asked for, or NULL if it is no string, or if there is no place for an
 * int at `arg`. */
const char *mpi_tool_wanted(MpiCall *call, unsigned arg);
/* Gives an int that must be given. Returns an error class. */
int mpi_tool_give_int(MpiCall *call, unsigned arg, int value);
/* Finds a name in a list; NULL ends it. Returns -1 if it is not there. */
int mpi_tool_find_name(const char *const *names, const char *name);
/* Reads the handle of the communicator that an object is bound to, at the address in an argument. */
bool mpi_tool_bound_comm(MpiCall *call, unsigned arg, uint32_t *context);
/* Returns the handle of a predefined datatype. */
uint64_t mpi_tool_datatype(unsigned primitive);
/* Lets the rank's world tell the hooks of this room from now on. */
void mpi_tool_listen(MpiWorld *world);

/* -- the files to each other ------------------------------------------------------------------- */

/* Constants that mpi.h repeats. */
enum {
    MPI_T_VERBOSITY_USER_BASIC_ = 221,
    MPI_T_VERBOSITY_TUNER_BASIC_ = 224,
    MPI_T_VERBOSITY_TUNER_DETAIL_ = 225,
    MPI_T_BIND_NO_OBJECT_ = 9700,
    MPI_T_BIND_MPI_COMM_ = 9701,
    MPI_T_SCOPE_CONSTANT_ = 60438,
    MPI_T_SCOPE_LOCAL_ = 60440,
    MPI_T_SCOPE_ALL_EQ_ = 60444,
    MPI_T_PVAR_CLASS_STATE_ = 240,
    MPI_T_PVAR_CLASS_LEVEL_,
    MPI_T_PVAR_CLASS_SIZE_,
    MPI_T_PVAR_CLASS_PERCENTAGE_,
    MPI_T_PVAR_CLASS_HIGHWATERMARK_,
    MPI_T_PVAR_CLASS_LOWWATERMARK_,
    MPI_T_PVAR_CLASS_COUNTER_,
    MPI_T_PVAR_CLASS_AGGREGATE_,
    MPI_T_PVAR_CLASS_TIMER_,
    MPI_T_PVAR_CLASS_GENERIC_,
};

/* Returns the handle of an enumeration: of the names of a key (its number), or of another list. */
enum { MPI_TOOL_ENUM_THREADS = 1 << 20, MPI_TOOL_ENUM_REQUESTS, MPI_TOOL_ENUM_COLLECTIVES, MPI_TOOL_ENUM_END };
uint64_t mpi_tool_enum(uint32_t number);

/* The category of a name in categories.def, with its members: the row of pvars.def or events.def, or the section. */
typedef enum MpiToolCategory {
#define MPI_TOOL_CATEGORY(name, parent, description) MPI_TOOL_CATEGORY_##name,
#include "mpi/tool/categories.def"
    MPI_TOOL_CATEGORIES,
    MPI_TOOL_CATEGORY_none = -1
} MpiToolCategory;
size_t mpi_tool_pvars(void);
size_t mpi_tool_events(void);
MpiToolCategory mpi_tool_pvar_category(size_t row);
MpiToolCategory mpi_tool_event_category(size_t row);

/* What the values of a row of pvars.def are. */
typedef enum MpiToolWay { MPI_TOOL_NOW, MPI_TOOL_SUM, MPI_TOOL_COUNT, MPI_TOOL_PEAK } MpiToolWay;
typedef enum MpiToolCount { /* what is counted by hooks (listen.c) */
                            MPI_TOOL_COUNT_NONE,
                            MPI_TOOL_COUNT_matched_at_once,
                            MPI_TOOL_COUNT_matched_late,
                            MPI_TOOL_COUNT_sent,
                            MPI_TOOL_COUNT_bytes_sent,
                            MPI_TOOL_COUNT_received,
                            MPI_TOOL_COUNT_bytes_received,
                            MPI_TOOL_COUNT_rendezvous,
                            MPI_TOOL_COUNT_collectives
} MpiToolCount;
/* The value of a variable of a rank now, on one communicator (its context) or all (NULL). `call` asks. */
typedef uint64_t (*MpiToolValue)(const MpiCall *call, const MpiRank *rank, const uint32_t *context);
#define MPI_TOOL_VALUE(name)                                                                                           \
    uint64_t mpi_tool_value_##name(const MpiCall *call, const MpiRank *rank, const uint32_t *context);
#define MPI_TOOL_VALUES(VALUE)                                                                                         \
    VALUE(posted)                                                                                                      \
    VALUE(unexpected)                                                                                                  \
    VALUE(unexpected_bytes)                                                                                            \
    VALUE(requests)                                                                                                    \
    VALUE(puts)                                                                                                        \
    VALUE(bytes_put)                                                                                                   \
    VALUE(gets)                                                                                                        \
    VALUE(bytes_got)                                                                                                   \
    VALUE(accumulates)                                                                                                 \
    VALUE(bytes_accumulated)                                                                                           \
    VALUE(window_wait)                                                                                                 \
    VALUE(messages_sent)                                                                                               \
    VALUE(bytes_sent)                                                                                                  \
    VALUE(messages_received)                                                                                           \
    VALUE(bytes_received)                                                                                              \
    VALUE(calls)                                                                                                       \
    VALUE(overhead)                                                                                                    \
    VALUE(blocked)                                                                                                     \
    VALUE(in_mpi)                                                                                                      \
    VALUE(virtual_time)                                                                                                \
    VALUE(thread_level)                                                                                                \
    VALUE(buffer_size)                                                                                                 \
    VALUE(buffer_used)                                                                                                 \
    VALUE(buffer_filled)                                                                                               \
    VALUE(posted_searches)                                                                                             \
    VALUE(posted_searched)                                                                                             \
    VALUE(posted_mean)                                                                                                 \
    VALUE(unexpected_searches)                                                                                         \
    VALUE(unexpected_searched)                                                                                         \
    VALUE(unexpected_mean)
MPI_TOOL_VALUES(MPI_TOOL_VALUE)

/* A handle of a performance variable. */
typedef struct MpiToolPvar {
    MpiToolObject object;
    MpiToolObject *session;
    MpiToolWay way;
    MpiToolCount count;
    MpiToolValue source;
    uint32_t row;
    bool started, bound;
    uint32_t context; /* if bound: of the communicator */
    uint64_t value;   /* what has been counted, or the peak */
    uint64_t base;    /* SUM: what `source` was when the handle was started */
} MpiToolPvar;

typedef enum MpiToolHappening {
    MPI_TOOL_QUEUED,
    MPI_TOOL_SENT,
    MPI_TOOL_RECEIVED,
    MPI_TOOL_MATCHED,
    MPI_TOOL_FINISHED,
    MPI_TOOL_BLOCKED,
    MPI_TOOL_BEGUN,
    MPI_TOOL_ENDED
} MpiToolHappening;
enum { MPI_TOOL_EVENT_BYTES = 24 };
/* The data of an event, laid out as events.def says. */
typedef struct MpiToolData {
    union {
        struct {
            int32_t peer, tag;
            uint64_t bytes;
            int32_t waited;
        } message;
        struct {
            int32_t kind, error;
        } request;
        struct {
            int32_t requests;
        } blocked;
        struct {
            int32_t operation;
            uint64_t bytes;
        } collective;
        uint8_t all[MPI_TOOL_EVENT_BYTES];
    };
} MpiToolData;
/* A registration of an event type. */
enum { MPI_TOOL_SAFETIES = 4 };
typedef struct MpiToolCallback {
    uint64_t function, user_data; /* function 0: none */
    MpiInfo *info;                /* or NULL */
} MpiToolCallback;
typedef struct MpiToolRegistration {
    MpiToolObject object;
    uint32_t row; /* of events.def */
    MpiToolHappening happening;
    bool bound;
    uint32_t context;       /* if bound */
    uint32_t waiting, most; /* number of its records, and the limit */
    uint64_t dropped;       /* events since the last call of the handler of these */
    uint64_t dropped_handler;
    uint64_t handled;                             /* the round in which that handler was called last */
    MpiToolCallback callbacks[MPI_TOOL_SAFETIES]; /* by MPI_T_cb_safety */
    MpiInfo *info;
} MpiToolRegistration;
struct MpiToolRecord {
    GList link; /* in MpiTool.records */
    MpiToolRegistration *registration;
    uint32_t row;
    unsigned depth; /* 0: caused by the program, 1: by a callback, 2: by a callback told of such an event ... */
    uint64_t time_ps, handle; /* handle of the instance while it is told */
    MpiToolData data;
};
/* Drops what a registration has not been told. */
void mpi_tool_records_drop(MpiTool *tool, const MpiToolRegistration *registration);

/* Records that something has happened, for every registration that wants to know. */
void mpi_tool_record(MpiRank *rank, MpiToolHappening happening, uint32_t context, uint64_t time_ps,
                     const MpiToolData *data);
/* Runs callbacks that have something to be told; returns false if there are none. */
bool mpi_tool_tell(MpiWorld *world, MpiCall *call, MpiStep *step);
void mpi_tool_records_clear(MpiTool *tool);

#endif
