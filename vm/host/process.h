/* process.h - runs a program of the host (the C compiler) with a time limit and a way to cancel it. */
#ifndef ORRERY_VM_HOST_PROCESS_H
#define ORRERY_VM_HOST_PROCESS_H

#include <glib.h>
#include <stdatomic.h>

typedef enum VmProcessEnd {
    VM_PROCESS_SUCCEEDED, /* exit status 0 */
    VM_PROCESS_FAILED,    /* another status, a signal, or it could not be started: see the messages */
    VM_PROCESS_CANCELLED,
    VM_PROCESS_OVERDUE, /* it was killed because its time was over */
} VmProcessEnd;

/* Runs `argv` (argv[0] is a path) and waits for its end. Its input is empty; what it prints on both streams is returned
 * in *messages, which the caller frees. The program and all that it starts are killed if *cancel becomes true (`cancel`
 * may be NULL), if it has used `seconds` of processor time, or if three times as much time has passed. Its temporary
 * files lie in `directory` (NULL: where they usually do). The directory is removed if this process is killed. */
VmProcessEnd vm_process_run(const char *const *argv, const char *directory, unsigned seconds, const atomic_bool *cancel,
                            char **messages);

/* Opens a file of the host without a name, in memory if possible. Returns -1 with errno set if that fails. */
int vm_process_nameless_file(void);

#endif
