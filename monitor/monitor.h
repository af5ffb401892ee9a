/* monitor.h - watches and controls a Machine: statistics, recorder, exporters, debugger core.
 *
 * Front ends (cli/, gui/) use only this and machine.h. Nothing in here changes what the simulated program does or when.
 */
#ifndef ORRERY_MONITOR_H
#define ORRERY_MONITOR_H

#include "machine/machine.h"

/* -- statistics (report/) ---------------------------------------------------------------------- */

/* Appends the table of --stats: makespan; compute, overhead and wait of each rank; messages, bytes, busiest links. */
void mon_print_statistics(const Machine *machine, GString *out);
/* Writes what an exploration has found as JSON; the path "-" means standard output. `commands` are the command lines
 * that run each failure again, and then each output (exploration.c). */
bool mon_write_exploration(const MachExploration *result, const GPtrArray *commands, const char *path, GError **error);

/* -- exports (export/) ------------------------------------------------------------------------- */

/* The files that can be written about a run: the rows of exports.def. */
typedef enum MonExportNumber {
#define MON_EXPORT(identifier, option, help, example) MON_EXPORT_##identifier,
#include "monitor/exports.def"
    MON_EXPORTS
} MonExportNumber;
typedef enum MonExportSettingNumber {
#define MON_EXPORT_SETTING(identifier, export, option, value, unit, zero, help, example)                               \
    MON_EXPORT_SETTING_##identifier,
#include "monitor/exports.def"
    MON_EXPORT_SETTINGS
} MonExportSettingNumber;

typedef enum MonExportTextNumber {
#define MON_EXPORT_TEXT(identifier, export, option, value, help, example) MON_EXPORT_TEXT_##identifier,
#include "monitor/exports.def"
    MON_EXPORT_TEXTS
} MonExportTextNumber;

typedef struct MonExportsAsked { /* the values of options; NULL: not given */
    char *paths[MON_EXPORTS];
    char *settings[MON_EXPORT_SETTINGS];
    char *texts[MON_EXPORT_TEXTS];
    bool hot_spots; /* mon_exports_print_hot_spots() and mon_print_statistics() will be called */
} MonExportsAsked;
/* Tells whether all of that is possible, as far as it can be known without a machine. Errors name the option. */
bool mon_exports_check(const MonExportsAsked *asked, GError **error);

typedef struct MonExports MonExports;
/* Watches a machine from before its first run. `asked` must stay until mon_exports_free(). Returns NULL with an error
 * if the network's switching model reports too little. */
MonExports *mon_exports_new(Machine *machine, const MonExportsAsked *asked, GError **error);
void mon_exports_free(MonExports *exports);
/* Appends where packets waited longest and behind which messages, the use of the network's bisection, and at the end
 * the largest losses of the run, with what usually helps. */
void mon_exports_print_hot_spots(const MonExports *exports, GString *out);
/* Writes what was asked for. Each file is replaced as a whole. The message of the error has a line for each that could
 * not be written; it is TRACE_ERROR_EARLY if that is but a trace that ends early. */
bool mon_exports_write(const MonExports *exports, GError **error);
/* What other runs have given, as JSON, for --json; it must stay until that is written. */
void mon_exports_tell_what_if(MonExports *exports, const char *what_if);

/* -- recorder (record/) ------------------------------------------------------------------------ */

/* A recording keeps what happened, for pictures: the intervals of each rank, and all messages. */
typedef struct MonInterval {
    uint64_t from_ps, to_ps;
    uint32_t rank;
    MpiActivity activity;
    const char *call;
} MonInterval;
typedef struct MonRecording {
    GArray *intervals; /* of MonInterval, in event order for each rank */
    GArray *messages;  /* of MpiMessageInfo, in event order */
    uint64_t end_ps;
    uint32_t ranks;
} MonRecording;
/* Observes the machine from now on. It must be made before the first run. */
MonRecording *mon_recording_new(Machine *machine);
/* Makes of intervals of a rank that overlap, as those of its threads do, what the rank does as a whole: it computes
 * while any thread computes, else it is in the MPI library while any thread is, else it is blocked. To be called after
 * the run. */
void mon_recording_settle(MonRecording *recording);
void mon_recording_free(MonRecording *recording);

/* -- how busy links were, as a colour (report/load_colour.c) ----------------------------------- */

/* Returns the colour 0xrrggbb of a utilisation, 0 to 1: grey over yellow and orange to red. It goes by the square root,
 * so that a few percent differ visibly from nothing. */
uint32_t mon_load_colour(double busy);
/* Returns the position of a utilisation on that scale, 0 to 1. */
double mon_load_place(double busy);
/* The utilisations that a legend names, in percent; the last entry is 100. */
extern const unsigned mon_load_marks[];

/* -- debugger core (debug/): looking at a machine that stands; debugger.h lets it run ----------- */

typedef struct MonDebugger MonDebugger;
MonDebugger *mon_debugger_new(Machine *machine);
void mon_debugger_free(MonDebugger *debugger);

/* All that concerns a frame of a rank concerns the thread of it that is looked at: the one where the rank has stopped,
 * until another one is selected or the run goes on. Looks at the thread of this id. Returns false, with a message
 * appended, if there is none. */
bool mon_debug_select_thread(MonDebugger *debugger, uint32_t rank, uint64_t id, GString *out);
/* Returns the id of the thread that is looked at. */
uint64_t mon_debug_thread(MonDebugger *debugger, uint32_t rank);
/* Returns the ids of the threads that live, ascending: an array of uint64_t. The caller frees it with
 * g_array_unref(). */
GArray *mon_debug_threads(MonDebugger *debugger, uint32_t rank);
/* Appends ", thread 2 (name)" if the rank has had several threads. */
void mon_debug_append_thread(MonDebugger *debugger, uint32_t rank, GString *out);
/* Appends a line for each thread of a rank: its state, virtual time, place, and what it waits for. */
void mon_debug_info_threads(MonDebugger *debugger, uint32_t rank, GString *out);
/* Appends a line for each lock of a rank that has been taken or waited for: who holds it, and who waits. */
void mon_debug_info_locks(MonDebugger *debugger, uint32_t rank, GString *out);

/* Appends a line for each rank: its state, virtual time, place, and what it waits for. */
void mon_debug_info_ranks(MonDebugger *debugger, GString *out);
/* Appends a line for each object of MPI that a rank has made and not freed. `asked` is the beginning of a name of
 * mpi_world_lists(). Returns false if there is none such. */
bool mon_debug_info_objects(MonDebugger *debugger, const char *asked, GString *out);
/* Returns the number of the innermost frame that belongs to the program, not to the C library; 0 if there is none. */
uint32_t mon_debug_program_frame(MonDebugger *debugger, uint32_t rank);
/* Returns the number of frames of a rank, from the innermost to that of main. Inlined calls have frames of their own.
 * The caller of main does not belong to the program and is not counted. */
uint32_t mon_debug_frames(MonDebugger *debugger, uint32_t rank);
/* Appends a frame as a line, such as "sum (values=0x82ff58, n=3) at op.c:5". */
void mon_debug_describe_frame(MonDebugger *debugger, uint32_t rank, uint32_t frame, GString *out);
void mon_debug_backtrace(MonDebugger *debugger, uint32_t rank, GString *out);
void mon_debug_locals(MonDebugger *debugger, uint32_t rank, uint32_t frame, GString *out);
/* Appends the type of an expression. `whole` adds the members of a struct, union or enum. */
bool mon_debug_print_type(MonDebugger *debugger, uint32_t rank, uint32_t frame, const char *expression, bool whole,
                          GString *out, GError **error);

typedef struct MonLines { /* lines first .. last of a source file; first 0: no lines */
    const VcodeModule *module;
    uint32_t file, first, last;
} MonLines;
/* Finds the lines that "12", "5,20", "twice", "main.c:12" or "main.c:twice" mean to a user who looks at the frame. */
bool mon_debug_find_lines(MonDebugger *debugger, uint32_t rank, uint32_t frame, const char *text, MonLines *lines,
                          GError **error);
/* Finds the lines around the current line of the frame. Returns false if the frame has no line. */
bool mon_debug_present_lines(MonDebugger *debugger, uint32_t rank, uint32_t frame, MonLines *lines);
/* Appends the text of the lines, and cuts `lines` to those that the file has. Returns false if the source text is not
 * available. */
bool mon_debug_list_lines(MonDebugger *debugger, uint32_t rank, uint32_t frame, MonLines *lines, GString *out);
/* Appends the source text around the current line of the frame. */
void mon_debug_list_source(MonDebugger *debugger, uint32_t rank, uint32_t frame, GString *out);

#endif
