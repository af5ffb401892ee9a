/* place.h - where in its program a rank is, as text: the thread of it that is selected. */
#ifndef ORRERY_MACHINE_TELL_PLACE_H
#define ORRERY_MACHINE_TELL_PLACE_H

#include "machine/run/run.h"

bool mach_place_in_library(const VcodeModule *module, const VmFrame *frame);
/* Finds the innermost frame of the program itself, not of the runtime library. Returns false if there is none. */
bool mach_place_frame(VmRank *rank, VmFrame *frame);
/* Appends a text like " at ring.c:31". */
void mach_place_append_line(const VcodeModule *module, const VmFrame *frame, GString *out);
/* Appends a text like ", in main at ring.c:31", or nothing. */
void mach_place_append(VmRank *rank, GString *out);

#endif
