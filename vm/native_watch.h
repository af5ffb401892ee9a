/* native_watch.h - where a program spends its time, by samples.
 *
 * Nothing is counted while nobody asks. While somebody does, ranks run in short pieces of several lengths, and at the
 * end of each the functions of the innermost frames are noted. Where pieces end is no part of any result (a rank stops
 * where a quantum might have ended), and neither is what is noted: it decides only what is compiled first.
 */
#ifndef ORRERY_VM_NATIVE_WATCH_H
#define ORRERY_VM_NATIVE_WATCH_H

#include "vm/internal.h"

typedef struct VmWatch VmWatch;

VmWatch *vm_watch_new(const VmImage *image);
/* No rank of the image may be running. */
void vm_watch_free(VmWatch *watch);
/* While it is open, ranks of the image are sampled, on whatever threads they run. */
void vm_watch_open(VmWatch *watch, VmImage *image);
void vm_watch_close(VmImage *image);
/* Samples so far. */
uint32_t vm_watch_samples(const VmWatch *watch);
/* How often each function was found. */
void vm_watch_counts(const VmWatch *watch, uint32_t *counts);

/* As vm_interpret(), with samples; may end a run early, as a quantum would. */
VmStop vm_watch_run(VmWatch *watch, VmRank *rank, uint64_t quantum);

#endif
