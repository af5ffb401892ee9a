/* pool.h - memory that comes and goes with every message: items of one size, and room for payloads. */
#ifndef ORRERY_MPI_POOL_H
#define ORRERY_MPI_POOL_H

#include <glib.h>
#include <stdint.h>

typedef struct MpiPool {
    size_t size;
    void *free;              /* list through the first word */
    char *fresh, *fresh_end; /* of the last chunk: what has never been taken, and so takes no memory of the host */
    GPtrArray *chunks;
    uint32_t per_chunk; /* doubles up to a limit */
} MpiPool;
void mpi_pool_init(MpiPool *pool, size_t size);
void mpi_pool_clear(MpiPool *pool);
void *mpi_pool_take(MpiPool *pool); /* zeroed */
/* Every item ever taken, with what its owner last wrote beyond the first word. */
void mpi_pool_each(MpiPool *pool, void (*visit)(void *item, void *user), void *user);
void mpi_pool_give(MpiPool *pool, void *item);

/* Room for the payload of messages: blocks of powers of two, kept for the next of their size. */
enum { MPI_PAYLOAD_CLASSES = 8, MPI_PAYLOAD_LEAST = 128 };
typedef struct MpiPayloads {
    void *free[MPI_PAYLOAD_CLASSES]; /* lists through the first word; class i: MPI_PAYLOAD_LEAST << i bytes */
    uint32_t kept[MPI_PAYLOAD_CLASSES];
    uint64_t bytes; /* taken and not given back, as they were asked for */
} MpiPayloads;
void *mpi_pool_payload_take(MpiPayloads *payloads, uint64_t bytes); /* not zeroed; g_free, or: */
void mpi_pool_payload_give(MpiPayloads *payloads, void *payload, uint64_t bytes);
void mpi_pool_payloads_clear(MpiPayloads *payloads);

#endif
