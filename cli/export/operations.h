/* operations.h - what ranks compute, send and receive, in their order: what formats for replay are made of.
 *
 * Receives are given with the sender and the tag of the message that they got, and sends with the rank in the world and
 * the bytes that they really sent: so wildcards, other communicators and datatypes of the program are resolved, by
 * following the matching of MPI: messages and receives of a rank meet in the order of time.
 */
#ifndef ORRERY_CLI_EXPORT_OPERATIONS_H
#define ORRERY_CLI_EXPORT_OPERATIONS_H

#include "cli/export/calls.h"
#include "cli/export/timeline.h"

typedef enum ExportOpSort {
    EXPORT_OP_COMPUTE,   /* ps */
    EXPORT_OP_SLEEP,     /* ps */
    EXPORT_OP_SEND,      /* peer, tag, bytes; blocking */
    EXPORT_OP_ISEND,     /* the same; with a number, to be waited for */
    EXPORT_OP_RECEIVE,   /* the same */
    EXPORT_OP_IRECEIVE,  /* the same, with a number */
    EXPORT_OP_WAIT,      /* number of the operation that it waits for; peer, tag: its own */
    EXPORT_OP_COLLECTIVE /* collective, arguments */
} ExportOpSort;

typedef struct ExportOp {
    ExportOpSort sort;
    bool sends; /* WAIT: for a send */
    uint64_t ps, bytes;
    uint32_t peer, tag;
    uint64_t number; /* of the rank's ISEND and IRECEIVE, from 1 on; WAIT: which one */
    const ExportCollective *collective;
    int64_t arguments[TRACE_LIST]; /* COLLECTIVE: of the call */
} ExportOp;

typedef struct ExportOpUser {
    void *user;
    bool collectives; /* blocking operations of the world are given as such, if the calls of all of them tell enough;
                       * otherwise, and those of other communicators, by their messages */
    /* The ranks come one after the other, in ascending order. */
    void (*begin)(void *user, uint32_t rank);
    void (*op)(void *user, const ExportOp *op);
    void (*end)(void *user, uint32_t rank);
} ExportOpUser;

/* Gives the operations of all ranks. Threads of ranks are left out, but for their messages. Memory: that of the
 * operations of a rank behind a receive whose message is late, and EXPORT_SORT_MEMORY. Returns false with an error. */
bool export_operations(const ExportJob *job, const ExportOpUser *user, GError **error);

#endif
