/* output.h - standard output and error of the ranks, in the order of virtual time. */
#ifndef ORRERY_MACHINE_OUTPUT_OUTPUT_H
#define ORRERY_MACHINE_OUTPUT_OUTPUT_H

#include "machine/machine.h"

typedef struct MachOutput MachOutput;
MachOutput *mach_output_new(uint32_t ranks, const MachOptions *options);
void mach_output_free(MachOutput *output);
/* Adds bytes that a rank wrote to stream 1 or 2. The times of one rank never decrease. */
void mach_output_write(MachOutput *output, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size);
/* Two steps in place of mach_output_write(), for a rank that runs on another thread: collect writes in an array, then
 * take them over in the order in which they were added. mach_output_take() leaves the array empty. */
GPtrArray *mach_output_writes_new(void);
void mach_output_writes_add(GPtrArray *writes, uint32_t rank, int stream, uint64_t time_ps, const char *bytes,
                            size_t size);
void mach_output_take(MachOutput *output, GPtrArray *writes);
/* Some of so many tasks, which are ranks or threads of ranks, write by clocks that do not show virtual time. Calls
 * `wrote` when something of a task is held where nothing was. */
void mach_output_hold_tasks(MachOutput *output, uint32_t tasks, void (*wrote)(void *user, uint32_t task), void *user);
/* Holds what the task writes from now on, until mach_output_release(); or no longer, and drops what is held. */
void mach_output_hold(MachOutput *output, uint32_t task, bool held);
/* Returns the time of the first thing that is held for the task, or UINT64_MAX. */
uint64_t mach_output_held(const MachOutput *output, uint32_t task);
/* What is held for the task up to `last_ps` has been written at now_ps. */
void mach_output_release(MachOutput *output, uint32_t task, uint64_t last_ps, uint64_t now_ps);
/* mach_output_write() for a task of the rank. */
void mach_output_write_of(MachOutput *output, uint32_t task, uint32_t rank, int stream, uint64_t time_ps,
                          const char *bytes, size_t size);
/* What the rank writes from now on is lost. */
void mach_output_cut(MachOutput *output, uint32_t rank);
/* Notes that the rank has ended: text that it wrote without a line end now counts as a line. */
void mach_output_finish(MachOutput *output, uint32_t rank, uint64_t time_ps);
/* Writes out everything older than `before_ps`. The caller guarantees that nothing older will come. */
void mach_output_flush(MachOutput *output, uint64_t before_ps);
/* Ends the output at `last_ps`. Writes out everything up to that time, then unfinished lines in order of rank. Later
 * text never happened. */
void mach_output_end(MachOutput *output, uint64_t last_ps);
/* Ends the output like mach_output_end(), but also writes out what the first `late_ranks` ranks have written up to
 * late_ps. */
void mach_output_end_late(MachOutput *output, uint64_t last_ps, uint64_t late_ps, uint32_t late_ranks);
/* Writes out the prompt of a rank that is about to read, for a person at a terminal. */
void mach_output_prompt(MachOutput *output, uint32_t rank, uint64_t time_ps);
/* Returns errno of the first failed write, or 0. */
uint64_t mach_output_printed(const MachOutput *output); /* bytes that have gone to the host */
int mach_output_error(const MachOutput *output);

#endif
