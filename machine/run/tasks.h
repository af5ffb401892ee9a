/* tasks.h - threads of ranks as tasks: rows behind those of the ranks, which the scheduler runs as it runs ranks.
 *
 * The threads of a rank share its memory, so "running changes nothing outside that rank" does not keep them apart. What
 * one of them computes must not depend on how far the quantum let another one run. Therefore a thread of a rank with
 * several runs in *pieces*: from one call to the next, but for at most MACH_TURN_PS of its clock. A piece runs to its
 * end before anything else happens, in the order (clock at its beginning, task). So a program with data races has one
 * outcome, whatever the quantum, and a loop that waits for what another thread writes ends one turn after that. A
 * program without data races sees what C11 promises, because each operation that synchronises is a call that takes
 * effect in the order of virtual time.
 */
#ifndef ORRERY_MACHINE_RUN_TASKS_H
#define ORRERY_MACHINE_RUN_TASKS_H

#include "machine/run/run.h"

#define MACH_TURN_PS UINT64_C(10000000)
#define MACH_NO_TASK UINT32_MAX
/* A piece that begins with an atomic operation does not end in it, however slow the clock is: not at one of so many
 * branches. Which clock is slow: one that leaves no more cycles of a piece. */
#define MACH_WHOLE_BRANCHES 4
#define MACH_SHORT_PIECE    UINT64_C(16384)

/* Looks whether one of the programs makes threads. Sets machine->tasks then. Ranks have not been made yet. */
void mach_tasks_prepare(Machine *machine, const MachProgram *programs, size_t n);
void mach_tasks_free(Machine *machine);
/* Number of rows of machine->processes. */
uint32_t mach_tasks_room(const Machine *machine);

/* Makes a thread of a rank that calls the function at a guest address with one argument, from time_ps on. If
 * stack.address is 0, the stack is taken from the heap; if stack.bytes is 0, it has the usual size. `set` are the
 * processors that it may use; NULL: all. Returns the task, or MACH_NO_TASK if there is no room for it. */
uint32_t mach_tasks_start(Machine *machine, uint32_t rank, uint64_t function, uint64_t argument, VmThreadStack stack,
                          const uint64_t *set, uint64_t time_ps);
/* The rank runs in pieces from now on, although it has one thread. */
void mach_tasks_order(Machine *machine, uint32_t rank);
/* A thread, which is selected, has ended and does not run again. Thread 0 stays where it is. Another one is selected
 * then. */
void mach_tasks_end(Machine *machine, uint32_t rank, uint32_t thread);
/* The process of the rank has ended or failed: so have its threads. */
void mach_tasks_drop(Machine *machine, uint32_t rank);
/* The task of a thread, and of the thread that is selected. */
uint32_t mach_tasks_of(const Machine *machine, uint32_t rank, uint32_t thread);
uint32_t mach_tasks_selected(const Machine *machine, uint32_t rank);
/* How many threads a rank has had at a time, at most: those beyond have no task. */
uint32_t mach_tasks_numbers(const Machine *machine, uint32_t rank);
/* Computing time of all threads of a rank but the first, ended or not. */
uint64_t mach_tasks_compute_ps(const Machine *machine, uint32_t rank);

/* Selects the thread of a task. */
static inline void mach_tasks_select(const Machine *machine, const MachProcess *process)
{
    if (G_UNLIKELY(process->threaded)) {
        vm_thread_select(process->vm, process->thread);
        mpi_world_select(machine->mpi, process->rank, process->thread, (uint32_t)(process - machine->processes));
    }
}
typedef struct MachLook { /* somebody looks at another thread of a rank than the one where the run stands */
    uint32_t rank, thread;
} MachLook;
/* Selects the threads again where the run stands. machine->looks must be there. */
void mach_tasks_look_away(Machine *machine);
/* Runs a piece of a thread, or the rest of one. */
VmStop mach_tasks_run(Machine *machine, uint32_t task);

#endif
