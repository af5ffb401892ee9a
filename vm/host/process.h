/* process.h - runs a program of the host (the C compiler), bounded in time and to be cancelled. */
#ifndef ORRERY_VM_HOST_PROCESS_H
#define ORRERY_VM_HOST_PROCESS_H

#include <glib.h>
#include <stdatomic.h>

typedef enum VmProcessEnd {
    VM_PROCESS_SUCCEEDED, /* exit status 0 */
    VM_PROCESS_FAILED,    /* another status, a signal, or it could not be started: see the messages */
    VM_PROCESS_CANCELLED,
    VM_PROCESS_OVERDUE, /* it was killed after its time */
} VmProcessEnd;

/* Runs `argv` (argv[0] is a path) and waits for its end. Its input is empty; what it prints on both streams comes back
 * in *messages. It and all that it starts are killed once *cancel (which may be NULL) is true, when it has used
 * `seconds` of processor time, or three times as much has passed. Temporary files that it makes lie in `directory`
 * (NULL: where they usually do), which is removed if this process is killed. */
VmProcessEnd vm_process_run(const char *const *argv, const char *directory, unsigned seconds, const atomic_bool *cancel,
                            char **messages);

/* A nameless file of the host, in memory where that can be; -1 with errno set. */
int vm_process_nameless_file(void);

#endif
