/* expression.h - what this room offers to those above, besides look.h: frames and variables of a stopped rank, found by
 * the names and numbers that users give them, and expressions that are evaluated on many ranks. */
#ifndef ORRERY_MONITOR_EXPRESSION_EXPRESSION_H
#define ORRERY_MONITOR_EXPRESSION_EXPRESSION_H

#include "monitor/look.h"
#include "vm/value.h"

/* Finds the frame that a user counts as number `level`; inlined calls have frames of their own. Returns false if there
 * is none. */
bool mon_debug_frame(VmRank *rank, uint32_t level, VmFrame *frame);
/* Returns the level of the innermost frame of the program itself: users are not interested in the library's own
 * functions. 0: there is none. */
uint32_t mon_frame_program_level(VmRank *rank);
/* Finds a variable that is in scope in a frame: inner scopes first, then globals. Returns its index, or VCODE_NONE. */
uint32_t mon_frame_find_variable(const VcodeModule *module, const VmFrame *frame, const char *name);
/* Returns the value of a variable of a frame: of one with thread storage, that of the thread that is looked at. */
VmValue mon_thread_storage_value(VmRank *rank, const VcodeVariable *variable, const VmFrame *frame);

/* Evaluates an expression, appends its value, and sets *numeric if it is a number, which goes to *number. An expression
 * that calls functions may only be evaluated in a copy. */
bool mon_expression_once(const MonExpression *expression, const MonSpot *spot, const MonFormat *format, GString *out,
                         MonNumber *number, bool *numeric, GError **error);
/* Runs `work` in a copy of the simulator, and appends to `out` what it has appended there. Fails if it does, or if it
 * does not end in time. */
bool mon_expression_in_copy(bool (*work)(void *user, GString *out, GError **error), void *user, GString *out,
                            GError **error);

#endif
