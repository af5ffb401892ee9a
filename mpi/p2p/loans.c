/* loans.c - payloads that stay in the sender's memory: long messages are copied once, from buffer to buffer.
 *
 * When the data of a rendezvous leave, the message takes a copy of them, because the sender may change its buffer
 * before they arrive. A sender that is blocked changes nothing. So the message then only borrows the buffer:
 *
 *   CTS handled by a blocked rank --> loan --+-- DATA handled by the receiver: copied from buffer to buffer
 *                                            +-- the sender is about to go on, something is stored into the lent
 *                                                bytes, or a collective of the sender goes on in the background:
 *                                                the message takes its copy now
 *
 * Nothing else writes to the memory of a blocked rank, so what arrives is what was there when the data left. Loans
 * count as payload (mpi_world_buffered()): what a program has taken does not depend on them. */
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

enum { LEAST_LOAN = 4096, MOST_LOANS = 8 }; /* more loans of one rank would make stores into it slow */

bool mpi_loan_make(MpiCall *call, MpiMessage *message, const MpiBuffer *buffer)
{
    MpiRank *rank = call->rank;
    bool waits = call->engine.blocked && !call->background && !call->collective.schedule;
    if (!waits || message->bytes < LEAST_LOAN || rank->n_loans == MOST_LOANS || vm_rank_is_watched(call->process) ||
        !vm_rank_read(call->process, buffer->address, message->bytes))
        return false;
    message->lender = rank;
    message->loan.address = buffer->address;
    message->loan.previous = NULL;
    message->loan.next = rank->loans;
    if (rank->loans)
        rank->loans->loan.previous = message;
    rank->loans = message;
    rank->n_loans++;
    call->world->payloads.bytes += message->bytes;
    return true;
}

const uint8_t *mpi_loan_data(const MpiMessage *message)
{
    const uint8_t *data = vm_rank_read(message->lender->process, message->loan.address, message->bytes);
    g_assert(data);
    return data;
}

void mpi_loan_end(MpiMessage *message)
{
    MpiRank *rank = message->lender;
    if (message->loan.next)
        message->loan.next->loan.previous = message->loan.previous;
    if (message->loan.previous)
        message->loan.previous->loan.next = message->loan.next;
    else
        rank->loans = message->loan.next;
    rank->n_loans--;
    rank->world->payloads.bytes -= message->bytes;
    message->lender = NULL;
}

/* The message takes its copy. */
static void settle(MpiMessage *message)
{
    MpiWorld *world = message->lender->world;
    uint8_t *copy = mpi_pool_payload_take(&world->payloads, message->bytes);
    memcpy(copy, mpi_loan_data(message), message->bytes);
    mpi_loan_end(message);
    message->data = copy;
}

void mpi_loans_settle_all(MpiRank *rank)
{
    while (rank->loans)
        settle(rank->loans);
}

void mpi_loans_settle_within(MpiRank *rank, const MpiMessage *but, uint64_t address, uint64_t bytes)
{
    for (MpiMessage *message = rank->loans, *next; message; message = next) {
        next = message->loan.next;
        if (message != but && address < message->loan.address + message->bytes &&
            message->loan.address < address + bytes)
            settle(message);
    }
}
