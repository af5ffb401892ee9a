/* debug.h - what the files of the debugger core share: variables and expressions of a stopped rank. */
#ifndef ORRERY_MONITOR_DEBUG_DEBUG_H
#define ORRERY_MONITOR_DEBUG_DEBUG_H

#include "monitor/monitor.h"
#include "vm/value.h"

/* -- frames.c ---------------------------------------------------------------------------------- */

/* Finds the frame that a user counts as number `level`; inlined calls have frames of their own. Returns false if there
 * is none. */
bool mon_debug_frame(VmRank *rank, uint32_t level, VmFrame *frame);
/* Finds a variable that is in scope in frame `level` of a rank: inner scopes first, then globals. */
bool mon_debug_find_variable(VmRank *rank, uint32_t level, const char *name, VmValue *value);
/* Returns whether a file of the program is the one asked for, which may be named with or without folders. `asked` NULL:
 * any file will do. */
bool mon_debug_same_file(const char *known, const char *asked);

/* Appends for example "main at a.c:12", the innermost place in the program itself. */
void mon_debug_append_place(VmRank *rank, GString *out);
/* Returns the name of a state, for tables. */
const char *mon_debug_state_name(MachRankState state, bool lacks_core);

/* -- thread_storage.c -------------------------------------------------------------------------- */

/* Returns the value of a variable of a frame: of one with thread storage, that of the thread that is looked at. */
VmValue mon_debug_value(VmRank *rank, const VcodeVariable *variable, const VmFrame *frame);

/* -- threads.c --------------------------------------------------------------------------------- */

/* Fills in the thread of a rank that is looked at. Returns whether the rank has several. */
bool mon_debug_looked_at(Machine *machine, uint32_t rank, MachThread *thread);
/* Number of threads that live. */
uint32_t mon_debug_living(Machine *machine, uint32_t rank);
/* Appends what a thread waits for, if it is not NULL. */
void mon_debug_append_doing(const char *doing, GString *out);

/* -- expression.c, debugger.c -------------------------------------------------------------------- */

/* Parses and evaluates an expression in frame `level`. */
bool mon_expression_evaluate(VmRank *rank, uint32_t level, const char *text, VmValue *value, GError **error);
/* Returns the machine behind a debugger. */
Machine *mon_debugger_machine(MonDebugger *debugger);

#endif
