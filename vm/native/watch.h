/* watch.h - where a program spends its time, by samples.
 *
 * Nothing is counted while nobody asks. While somebody does, ranks run in short pieces of several lengths, and at the
 * end of each the functions of the innermost frames are noted. Where pieces end is no part of any result (a rank stops
 * where a quantum might have ended), and neither is what is noted: it decides only what is compiled first.
 */
#ifndef ORRERY_VM_NATIVE_WATCH_H
#define ORRERY_VM_NATIVE_WATCH_H

#include "vm/code/code.h"
#include "vm/native/native.h"

VmWatch *vm_watch_new(const VmImage *image);
/* No rank of the image may be running. */
void vm_watch_free(VmWatch *watch);
/* While it is open, ranks of the image are sampled, on whatever threads they run. */
void vm_watch_open(VmWatch *watch, VmImage *image);
void vm_watch_close(VmImage *image);
/* How often each instruction was found where a frame stands. */
void vm_watch_counts(const VmWatch *watch, uint32_t *counts);

#endif
