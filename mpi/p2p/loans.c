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
 * count as payload (mpi_world_buffered()): what a program has taken does not depend on them.
 *
 * Where messages are more than the host's caches hold, not even that copy may be needed: programs send on what they
 * have received, or receive over it. So the receiver only adopts the payload as a content that the VM keeps for it
 * until it is looked at (vm/rank/absent.c). A lender's buffer becomes a content when it is first adopted, and lender
 * and receiver then refer to it. Who sends from a buffer that is known to be a content lends that one. */
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

enum { LEAST_LOAN = 4096, MOST_LOANS = 8 }; /* more loans of one rank would make stores into it slow */

/* Lends a content that the buffer is known to be. */
static bool lend_content(MpiCall *call, MpiMessage *message, const MpiBuffer *buffer)
{
    if (vm_rank_is_watched(call->process))
        return false;
    VmContent *content = vm_rank_content(call->process, buffer->address, message->bytes);
    if (!content)
        return false;
    message->lender = call->rank;
    message->loan.content = content;
    call->world->payloads.bytes += message->bytes;
    return true;
}

bool mpi_loan_make(MpiCall *call, MpiMessage *message, const MpiBuffer *buffer)
{
    MpiRank *rank = call->rank;
    if (mpi_is_long_copy(call->world, message->bytes) && lend_content(call, message, buffer))
        return true;
    bool waits = call->engine.blocked && !call->background && !call->collective.schedule;
    bool shared = buffer->address >= VCODE_SHARED_BASE; /* others may change it meanwhile */
    if (!waits || shared || message->bytes < LEAST_LOAN || rank->n_loans == MOST_LOANS ||
        vm_rank_is_watched(call->process) || !vm_rank_can_read(call->process, buffer->address, message->bytes))
        return false;
    message->lender = rank;
    message->loan.content = NULL;
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
    if (message->loan.content)
        return vm_content_bytes(message->loan.content);
    const uint8_t *data = vm_rank_read(message->lender->process, message->loan.address, message->bytes);
    g_assert(data);
    return data;
}

static void take_out(MpiRank *rank, const MpiLoan *loan)
{
    if (loan->next)
        loan->next->loan.previous = loan->previous;
    if (loan->previous)
        loan->previous->loan.next = loan->next;
    else
        rank->loans = loan->next;
    rank->n_loans--;
}

/* Returns a new reference to a content with the lent payload, or NULL. The lender's own buffer refers to it, too. */
static VmContent *content_of(const MpiMessage *message)
{
    MpiRank *lender = message->lender;
    VmRank *process = lender->process;
    VmContent *content = vm_rank_content(process, message->loan.address, message->bytes);
    if (content)
        return content;
    content = vm_content_new(process, message->bytes);
    if (!content)
        return NULL;
    mpi_long_copy(vm_content_bytes(content), mpi_loan_data(message), message->bytes);
    if (vm_rank_may_adopt(process, message->loan.address, message->bytes))
        vm_rank_adopt(process, message->loan.address, message->bytes, content, true);
    return content;
}

bool mpi_loan_pass_on(const MpiMessage *message, const MpiBuffer *buffer)
{
    MpiWorld *world = message->lender->world;
    VmRank *process = buffer->process;
    if (!mpi_is_long_copy(world, message->bytes) || !vm_rank_may_adopt(process, buffer->address, message->bytes))
        return false;
    VmContent *content = message->loan.content ? message->loan.content : content_of(message);
    if (content)
        vm_rank_adopt(process, buffer->address, message->bytes, content, false);
    if (content && !message->loan.content)
        vm_content_unref(content);
    return content;
}

void mpi_loan_end(MpiMessage *message)
{
    MpiRank *rank = message->lender;
    if (message->loan.content)
        vm_content_unref(message->loan.content);
    else
        take_out(rank, &message->loan);
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
