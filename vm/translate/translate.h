/* translate.h - vCode as C text, for the native tier.
 *
 *   flow.c, webs.c, ranges.c     what is known of one function: blocks, loops, variables, how wide they are
 *   calls.c, bounds.c            ... of calls in a unit, and what they cost at most
 *   loops.c, strips.c            counted loops, which are printed without tests
 *   unit.c, print.c and others   the text
 *   subject.c                    by what texts are found that were made before
 *
 * A unit is functions that are printed together: one C text.
 */
#ifndef ORRERY_VM_TRANSLATE_H
#define ORRERY_VM_TRANSLATE_H

#include "vm/rank/rank.h"

typedef struct VmFlow VmFlow;
typedef struct VmUnit VmUnit;

/* -- functions (flow.c) ------------------------------------------------------------------------ */

/* Whether the native tier prints a function: no setjmp, and a C compiler gets through with it. */
bool vm_flow_fits(const VmImage *image, uint32_t function);
/* Analyses a function of a verified program; NULL where it is not one for the native tier (setjmp, too large).
 * O(instructions + blocks * registers). Free with vm_flow_free(). */
VmFlow *vm_flow_new(const VmImage *image, uint32_t function);
void vm_flow_free(VmFlow *flow);
/* The registers that are live before the instruction at `pc` of the module, as a set of bits; its words. */
uint32_t vm_flow_words(const VmFlow *flow);
void vm_web_live_at(const VmFlow *flow, uint32_t pc, uint64_t *live);

/* A loop that can be compiled without the rest of its function (partition.c): where it is entered, and instructions of
 * the module between which all of it is, and perhaps more. */
typedef struct VmLoopPlace {
    uint32_t function, header, start, end;
} VmLoopPlace;
/* Finds the next loop of the flow's function with a header behind `from` or there, of those that have at most `most`
 * instructions and are in no other such loop. False: there is none. */
bool vm_partition_next_loop(const VmFlow *flow, uint32_t from, uint32_t most, VmLoopPlace *place);

/* -- units (unit.c) ---------------------------------------------------------------------------- */

typedef struct VmUnitOptions {
    bool quick;        /* to be compiled quickly: every block is printed once, calls go to the best code there is */
    bool exits_forced; /* for tests: it may leave where it need not */
    const VmLoopPlace *loop; /* all that is to be printed of its function; quickly. NULL: functions are whole */
} VmUnitOptions;

/* The unit of these functions (uint32_t), of ranks whose private addresses begin at `low`. Free with vm_unit_free(). */
VmUnit *vm_unit_new(const VmImage *image, uint64_t low, const GArray *functions, VmUnitOptions options);
void vm_unit_free(VmUnit *unit);
/* Its C text. */
char *vm_unit_print(const VmUnit *unit);
/* A text that stands for all of the image that units' texts depend on: the same only where they are (subject.c). */
char *vm_unit_subject(const VmImage *image, uint64_t low);
/* Fuel (q8 cycles) counts from here in all texts, so that most tests compare with 0. */
int64_t vm_unit_bias(void);
/* Registers that there must be above the beginning of a window that the interpreter enters with, in all of them. */
uint32_t vm_unit_room(void);

#endif
