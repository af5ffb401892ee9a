/* calls.h - what exports know of the arguments of MPI's functions, and of MPI's constants in them. */
#ifndef ORRERY_CLI_EXPORT_CALLS_H
#define ORRERY_CLI_EXPORT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* -- constants, as programs have them in their mpi.h ------------------------------------------- */

enum { EXPORT_PROC_NULL = -1000000103, EXPORT_ANY_SOURCE = -1000000205, EXPORT_ANY_TAG = -1000000409 };
#define EXPORT_COMM_WORLD (INT64_C(1) << 32 | 1)
#define EXPORT_IN_PLACE   INT64_C(-1)
enum { EXPORT_WORLD_CONTEXT = 1, EXPORT_REQUEST_BYTES = 8 };

/* Returns the bytes of an element of a basic datatype; 0: the datatype is the program's own. */
unsigned export_call_type_bytes(int64_t datatype);
/* Returns the number of the datatype in SimGrid's traces, or -1. */
int export_call_ti_type(int64_t datatype);

/* -- functions --------------------------------------------------------------------------------- */

typedef struct ExportCollective {
    const char *name;   /* like "MPI_Bcast" */
    const char *action; /* of SimGrid's traces; "": none */
    int operation;      /* ExportOperation */
    int count, type, receive_count, receive_type, root, comm;
} ExportCollective;

typedef enum ExportPointSort {
    EXPORT_SEND,
    EXPORT_ISEND,
    EXPORT_RECEIVE,
    EXPORT_IRECEIVE,
    EXPORT_SENDRECV,
    EXPORT_SENDRECV_REPLACE,
    EXPORT_WAIT,
    EXPORT_WAIT_SOME
} ExportPointSort;

typedef struct ExportPoint {
    const char *name;
    ExportPointSort sort;
    int count, type, peer, tag, comm, request;
} ExportPoint;

/* The order is that of calls.def. */
typedef enum ExportOperation {
#define COLLECTIVE(name, action, operation, count, type, receive_count, receive_type, root, comm) EXPORT_OP_##operation,
#include "cli/export/calls.def"
    EXPORT_OPERATIONS
} ExportOperation;

/* Return what is known of a function, or NULL. Non-blocking collectives are found by the names of the blocking ones
 * with an I: MPI_Ibcast. O(number of rows). */
const ExportCollective *export_call_collective(const char *function);
const ExportPoint *export_call_point(const char *function);

#endif
