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

/* -- expression.c, debugger.c -------------------------------------------------------------------- */

/* Parses and evaluates an expression in frame `level`. */
bool mon_expression_evaluate(VmRank *rank, uint32_t level, const char *text, VmValue *value, GError **error);
/* Returns the machine behind a debugger. */
Machine *mon_debugger_machine(MonDebugger *debugger);

#endif
