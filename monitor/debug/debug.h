/* debug.h - what the files of the debugger core share. */
#ifndef ORRERY_MONITOR_DEBUG_DEBUG_H
#define ORRERY_MONITOR_DEBUG_DEBUG_H

#include "monitor/expression/expression.h"
#include "monitor/monitor.h"
#include "vm/value.h"

/* -- inspect.c --------------------------------------------------------------------------------- */

/* Appends for example "main at a.c:12", the innermost place in the program itself. */
void mon_debug_append_place(VmRank *rank, GString *out);
/* Returns whether a file of the program is the one asked for, which may be named with or without folders. `asked` NULL:
 * any file will do. */
bool mon_debug_same_file(const char *known, const char *asked);
/* Returns the name of a state, for tables. */
const char *mon_debug_state_name(MachRankState state, bool lacks_core);

/* -- threads.c --------------------------------------------------------------------------------- */

/* Fills in the thread of a rank that is looked at. Returns whether the rank has several. */
bool mon_debug_looked_at(Machine *machine, uint32_t rank, MachThread *thread);
/* Number of threads that live. */
uint32_t mon_debug_living(Machine *machine, uint32_t rank);
/* Appends what a thread waits for, if it is not NULL. */
void mon_debug_append_doing(const char *doing, GString *out);

/* -- debugger.c -------------------------------------------------------------------------------- */

/* Returns the machine behind a debugger. */
Machine *mon_debugger_machine(MonDebugger *debugger);

#endif
