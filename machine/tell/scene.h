/* scene.h - the line where a program has stopped: its text, the place in it, the values that led there. */
#ifndef ORRERY_MACHINE_TELL_SCENE_H
#define ORRERY_MACHINE_TELL_SCENE_H

#include "machine/run/run.h"

/* Appends lines for a frame of the program: its source line, a caret below the place, and the values of variables that
 * the line names, with indices that lie outside of their arrays. Appends nothing if the source cannot be read. O(the
 * program's variables for each name in the line). */
void mach_scene_append(VmRank *rank, const VmFrame *frame, const char *indent, GString *out);

#endif
