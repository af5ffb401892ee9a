/* monitor.h - watches and controls a Machine: statistics, recorder, exporters, debugger core.
 *
 * Front ends (cli/, gui/) use only this and machine.h. Nothing in here changes what the simulated program does or when.
 */
#ifndef ORRERY_MONITOR_H
#define ORRERY_MONITOR_H

#include "machine/machine.h"

/* -- statistics (report/) ---------------------------------------------------------------------- */

/* The table that --stats prints: makespan, per rank compute / overhead / wait, messages, bytes, busiest links. */
void mon_print_statistics(const Machine *machine, GString *out);
/* What exploring has found, as JSON; `commands`: those that run the failures, then the outputs again
 * (exploration.c). "-": to standard output. */
bool mon_write_exploration(const MachExploration *result, const GPtrArray *commands, const char *path, GError **error);

/* -- exports (export/) ------------------------------------------------------------------------- */

/* What a run is written into files as: the rows of exports.def. */
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

typedef struct MonExportsAsked { /* the values of options; NULL: not given */
    char *paths[MON_EXPORTS];
    char *settings[MON_EXPORT_SETTINGS];
    bool hot_spots; /* mon_exports_print_hot_spots() will be called */
} MonExportsAsked;
/* Whether all of that can be, as far as it can be said without a machine. Errors name their option. */
bool mon_exports_check(const MonExportsAsked *asked, GError **error);

typedef struct MonExports MonExports;
/* Watches a machine; before its first run. `asked` is used until the end. NULL: the network's model says too little. */
MonExports *mon_exports_new(Machine *machine, const MonExportsAsked *asked, GError **error);
void mon_exports_free(MonExports *exports);
/* Where packets waited longest, behind whom; how the network's bisection was used. */
void mon_exports_print_hot_spots(const MonExports *exports, GString *out);
/* Writes what was asked for, each file whole or not at all; the first that cannot be written ends it. */
bool mon_exports_write(const MonExports *exports, GError **error);

/* -- recorder (record/) ------------------------------------------------------------------------ */

/* Keeps what happened, for pictures: intervals per rank and messages. */
typedef struct MonInterval {
    uint64_t from_ps, to_ps;
    uint32_t rank;
    MpiActivity activity;
    const char *call;
} MonInterval;
typedef struct MonRecording {
    GArray *intervals; /* MonInterval, in event order */
    GArray *messages;  /* MpiMessageInfo */
    uint64_t end_ps;
    uint32_t ranks;
} MonRecording;
MonRecording *mon_recording_new(Machine *machine); /* observes it; before the first run */
void mon_recording_free(MonRecording *recording);

/* -- plots (report/plot.c) --------------------------------------------------------------------- */

typedef struct MonPoint {
    double x, y;
} MonPoint;
typedef struct MonSeries {
    char *name;
    GArray *points; /* MonPoint, ascending in x */
    GArray *beyond; /* double: x of points that have no place, because y is too large; marked at the top */
} MonSeries;
MonSeries *mon_plot_series_new(const char *name);
void mon_plot_series_free(MonSeries *series);
/* Writes a line plot as SVG, atomically. Axes start at 0 unless `logarithmic` (both axes; all values must be > 0). */
bool mon_plot_write_svg(const char *path, const char *title, const char *x_label, const char *y_label,
                        const GPtrArray *series /* MonSeries */, bool logarithmic, GError **error);

/* -- how busy links were, as a colour (report/load_colour.c): the same in all pictures --------- */

/* 0xrrggbb for a part of the time, 0 to 1: grey over yellow and orange to red. The scale is the same whatever is drawn,
 * and goes by the square root, so that a few percent can be told from nothing. */
uint32_t mon_load_colour(double busy);
/* Where a load stands on that scale, 0 to 1. */
double mon_load_place(double busy);
/* The loads that a legend names, in percent; ends with 100. */
extern const unsigned mon_load_marks[];

/* -- debugger core (debug/): what the terminal, DAP and GUI debuggers share -------------------- */

typedef struct MonDebugger MonDebugger;
MonDebugger *mon_debugger_new(Machine *machine);
void mon_debugger_free(MonDebugger *debugger);

/* "file.c:12", "12" (in the main file) or a function's name; number of the breakpoint, or 0 with an error. */
unsigned mon_debug_break_add(MonDebugger *debugger, const char *where, GError **error);
bool mon_debug_break_remove(MonDebugger *debugger, unsigned number);
/* "bp.c:5 (line 3 has no code)": where breakpoint `number` stops, and what was asked for if that is another line. */
void mon_debug_break_describe(const MonDebugger *debugger, unsigned number, GString *out);
/* It does not stop the next `count` times. False: there is no such breakpoint. */
bool mon_debug_break_ignore(MonDebugger *debugger, unsigned number, uint64_t count);
/* Numbers below this one are not given out: for breakpoints that keep theirs when a program starts again. */
void mon_debug_break_reserve(MonDebugger *debugger, unsigned number);
void mon_debug_break_list(const MonDebugger *debugger, GString *out);

typedef enum MonReason { MON_BREAKPOINT, MON_STEP, MON_ENDED } MonReason;
typedef struct MonEvent {
    MonReason reason;
    uint32_t rank;
    unsigned breakpoint;
    MachStop stop; /* of MON_ENDED */
} MonEvent;
MonEvent mon_debug_continue(MonDebugger *debugger);
/* Runs until `rank` comes to another source line (over calls, or into them); the other ranks go on as far as virtual
 * time demands. */
MonEvent mon_debug_step(MonDebugger *debugger, uint32_t rank, bool into);
/* Runs until the current function of `rank` has returned. */
MonEvent mon_debug_finish(MonDebugger *debugger, uint32_t rank);

/* Value of a C expression made of variables, members, array elements, * and & in a frame of a rank. */
bool mon_debug_print(MonDebugger *debugger, uint32_t rank, uint32_t frame, const char *expression, GString *out,
                     GError **error);
/* One line per rank: state, virtual time, place, what it waits for. */
void mon_debug_info_ranks(MonDebugger *debugger, GString *out);
/* The innermost frame of the program itself (not of the C library); 0 if there is none. */
uint32_t mon_debug_program_frame(MonDebugger *debugger, uint32_t rank);
/* Number of frames of a rank down to main, those of inlined calls included: what called main is not the program's. */
uint32_t mon_debug_frames(MonDebugger *debugger, uint32_t rank);
/* "sum (values=0x82ff58, n=3) at op.c:5" and a newline. */
void mon_debug_describe_frame(MonDebugger *debugger, uint32_t rank, uint32_t frame, GString *out);
void mon_debug_backtrace(MonDebugger *debugger, uint32_t rank, GString *out);
void mon_debug_locals(MonDebugger *debugger, uint32_t rank, uint32_t frame, GString *out);
/* The type of an expression; `whole`: with its members, if it is a struct, union or enum. */
bool mon_debug_print_type(MonDebugger *debugger, uint32_t rank, uint32_t frame, const char *expression, bool whole,
                          GString *out, GError **error);

typedef struct MonLines { /* of a source file; first 0: nothing */
    const VcodeModule *module;
    uint32_t file, first, last;
} MonLines;
/* What "12", "5,20", "twice", "main.c:12", "main.c:twice" mean to somebody who looks at the frame. */
bool mon_debug_find_lines(MonDebugger *debugger, uint32_t rank, uint32_t frame, const char *text, MonLines *lines,
                          GError **error);
/* Those around the line of the frame; false: it has none. */
bool mon_debug_present_lines(MonDebugger *debugger, uint32_t rank, uint32_t frame, MonLines *lines);
/* Appends them as far as the file has them, and cuts `lines` to that; false: the source text is not there. */
bool mon_debug_list_lines(MonDebugger *debugger, uint32_t rank, uint32_t frame, MonLines *lines, GString *out);
/* Source text around where a rank is. */
void mon_debug_list_source(MonDebugger *debugger, uint32_t rank, uint32_t frame, GString *out);

#endif
