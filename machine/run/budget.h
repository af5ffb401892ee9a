/* budget.h - how much memory a run may have. */
#ifndef ORRERY_MACHINE_RUN_BUDGET_H
#define ORRERY_MACHINE_RUN_BUDGET_H

#include "machine/run/run.h"

/* For a machine whose ranks have been started. */
void mach_budget_new(Machine *machine);
void mach_budget_free(Machine *machine);
/* A rank's heap has taken or given back so many bytes at that time; on any thread. The rank has ended now. */
void mach_budget_grew(Machine *machine, uint32_t rank, uint64_t time_ps, int64_t bytes);
void mach_budget_exited(Machine *machine, uint32_t rank);
/* Something has been done that may have buffered messages: looks at the host where they are many. */
void mach_budget_look(Machine *machine);
/* All has happened until `before_ps`. False: then, at what machine->now is now, the run had more than it may. */
bool mach_budget_reach(Machine *machine, uint64_t before_ps);
/* ... by the host, at an accidental time? */
bool mach_budget_is_accidental(const Machine *machine);
/* MACH_STOP_MEMORY: which bound, and who used what. */
void mach_budget_explain(const Machine *machine, GString *out);

#endif
