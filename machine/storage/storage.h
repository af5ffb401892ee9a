/* storage.h - where files are, and how long their servers take: section [storage] of machine files (storage.c).
 *
 * The storage knows no ranks and no data: it is given sizes, offsets and times, and says when an access is over. What
 * lies between a node and a server, and when things happen, is the client's business. */
#ifndef ORRERY_MACHINE_STORAGE_H
#define ORRERY_MACHINE_STORAGE_H

#include "machine/machine.h"

typedef struct MachStorage MachStorage;

/* What the layer above does for a storage. */
typedef struct MachStorageClient {
    void *user;
    /* Sends a message between two different nodes. When it arrives, the callee calls mach_storage_event(cookie). The
     * lowest four bits of cookies are 0. */
    void (*send)(void *user, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie);
    /* Asks the callee to call mach_storage_event(cookie) at time_ps. */
    void (*at)(void *user, uint64_t time_ps, uint64_t cookie);
    /* An access is over that began at from_ps. NULL: nobody asks. */
    void (*over)(void *user, uint32_t rank, const VmStorageAccess *access, const char *file, uint64_t from_ps,
                 uint64_t to_ps);
} MachStorageClient;

/* An access is over. */
typedef void (*MachStorageDone)(void *user, uint64_t cookie, uint64_t time_ps);

/* Makes the storage of a machine with so many nodes; NULL: files take no time. */
MachStorage *mach_storage_new(const MachStorageParams *params, uint32_t nodes, const MachStorageClient *client);
void mach_storage_free(MachStorage *storage);
/* Returns the number of the file with this name. */
uint32_t mach_storage_file(MachStorage *storage, const char *name);
/* Starts an access of a rank on a node at time_ps. At its end calls done(user of the client, cookie, time), in
 * mach_storage_event(). */
void mach_storage_start(MachStorage *storage, uint32_t rank, uint32_t node, const VmStorageAccess *access,
                        uint64_t time_ps, MachStorageDone done, uint64_t cookie);
/* What the client was asked for has come. */
void mach_storage_event(MachStorage *storage, uint64_t cookie, uint64_t time_ps);
/* Returns the rank whose access a message belongs to. */
uint32_t mach_storage_rank(uint64_t cookie);

#endif
