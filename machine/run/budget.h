/* budget.h - bounds the memory of a run. */
#ifndef ORRERY_MACHINE_RUN_BUDGET_H
#define ORRERY_MACHINE_RUN_BUDGET_H

#include "machine/run/run.h"

/* Starts to count. The ranks of the machine must have been started. */
void mach_budget_new(Machine *machine);
void mach_budget_free(Machine *machine);
/* Note that a rank's heap has grown by `bytes` at time_ps (negative: shrunk), and that a rank has ended. The first may
 * be called on any thread. */
void mach_budget_grew(Machine *machine, uint32_t rank, uint64_t time_ps, int64_t bytes);
/* A rank has come during the run. */
void mach_budget_came(Machine *machine, uint32_t rank);
void mach_budget_exited(Machine *machine, uint32_t rank);
/* Looks at the host's memory if many messages are buffered. To be called after anything that may have buffered some. */
void mach_budget_look(Machine *machine);
/* Accounts for all that has happened before `before_ps`. Returns false if the run had more than it may; machine->now is
 * then the time of that. */
bool mach_budget_reach(Machine *machine, uint64_t before_ps);
/* The same for a call at `now_ps` of a rank that runs, before the next event. Returns the time before which it may make
 * others without asking: nobody takes more until then. 0: the run had more than it may. */
uint64_t mach_budget_reach_quietly(Machine *machine, uint64_t now_ps);
/* Returns whether the host's memory was the bound that ended the run: then the time of the end is accidental. */
bool mach_budget_is_accidental(const Machine *machine);
/* Explains MACH_STOP_MEMORY: which bound was reached, and which ranks used how much. */
void mach_budget_explain(const Machine *machine, GString *out);

#endif
