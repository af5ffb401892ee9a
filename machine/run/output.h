/* output.h - standard output and error of the ranks, in the order of virtual time. */
#ifndef ORRERY_MACHINE_RUN_OUTPUT_H
#define ORRERY_MACHINE_RUN_OUTPUT_H

#include "machine/machine.h"

typedef struct MachOutput MachOutput;
MachOutput *mach_output_new(uint32_t ranks, const MachOptions *options);
void mach_output_free(MachOutput *output);
/* Bytes that a rank wrote to stream 1 or 2. A rank's times never go back. */
void mach_output_write(MachOutput *output, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size);
/* The same in two steps, for a rank that runs on another thread: what was collected is written in the order in which it
 * was added. mach_output_take() leaves the array empty. */
GPtrArray *mach_output_writes_new(void);
void mach_output_writes_add(GPtrArray *writes, uint32_t rank, int stream, uint64_t time_ps, const char *bytes,
                            size_t size);
void mach_output_take(MachOutput *output, GPtrArray *writes);
/* The rank has ended: what it wrote without a line end is a line now. */
void mach_output_finish(MachOutput *output, uint32_t rank, uint64_t time_ps);
/* Writes out what is older than `before_ps`: nothing older can come any more. */
void mach_output_flush(MachOutput *output, uint64_t before_ps);
/* The run ends at `last_ps`: what is not younger comes out, unfinished lines last, in order of rank; the rest never
 * happened. */
void mach_output_end(MachOutput *output, uint64_t last_ps);
/* The same, and what the first `late_ranks` ranks have written until late_ps. */
void mach_output_end_late(MachOutput *output, uint64_t last_ps, uint64_t late_ps, uint32_t late_ranks);
/* Lets a person at a terminal see the prompt of the rank that is about to read. */
void mach_output_prompt(MachOutput *output, uint32_t rank, uint64_t time_ps);
/* errno of the first failed write, 0 if all is well. */
int mach_output_error(const MachOutput *output);

#endif
