/* thread_states.h - what the threads of a rank do, for explanations of stops. */
#ifndef ORRERY_MACHINE_TELL_THREAD_STATES_H
#define ORRERY_MACHINE_TELL_THREAD_STATES_H

#include "machine/run/run.h"

/* Appends what each thread of a rank does, in one line. Returns false if only one lives. */
bool mach_threads_append(Machine *machine, uint32_t rank, GString *out);
/* Appends ", thread 2" for the thread that is selected, if the rank has had several. */
void mach_threads_append_selected(const Machine *machine, uint32_t rank, GString *out);
/* Appends a line for each thread of a rank but the one that is selected, which has stopped. */
void mach_threads_append_others(Machine *machine, uint32_t rank, GString *out);

#endif
