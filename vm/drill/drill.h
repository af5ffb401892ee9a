/* drill.h - for tests: ranks are stopped at drawn places and what they are there is written down, so that two tiers can
 * be held against each other in the middle of a run (docs/testing.md).
 *
 *     ORRERY_DRILL="seed=7 span=500 exits=40 stops=10000 log=FILE at=12"
 *
 *   seed, span  every run of a rank ends after so many cycles, drawn from `seed`, whatever --quantum says: 1 to `span`,
 *               mostly with those added that printed code wants before it is entered
 *   stops       behind so many stops the run goes on as without a drill (0: never)
 *   exits       printed code leaves, at a test where it need not, 1 to `exits` tests after it was entered
 *   plain       1: no direct code (vm/direct)
 *   log         file that gets a record for each stop: rank, reason, clock, hash of all that the program can come
 *               to know
 *   at          the stop, counted from 0, that is written to standard error in full
 */
#ifndef ORRERY_VM_DRILL_H
#define ORRERY_VM_DRILL_H

#include "vm/rank/rank.h"

typedef struct VmDrill VmDrill;

/* What the environment asks for; NULL: nothing. */
VmDrill *vm_drill_new(const VmImage *image);
void vm_drill_free(VmDrill *drill);

/* How long the rank may run, instead of `quantum` cycles. */
uint64_t vm_drill_quantum(VmDrill *drill, const VmRank *rank, uint64_t quantum);
/* Its run has ended. */
void vm_drill_note(VmDrill *drill, VmRank *rank, VmStop stop);

/* Whether there shall be no direct code. */
bool vm_drill_is_plain(const VmDrill *drill);
/* Whether printed code shall leave where it need not; how many tests it passes this time before it does. The
 * first also of no drill, as vm_drill_is_plain(). */
bool vm_drill_forces_exits(const VmDrill *drill);
uint64_t vm_drill_tests(VmDrill *drill);

#endif
