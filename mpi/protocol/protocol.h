/* protocol.h - how point-to-point messages go where that is not the usual way (transfer.c): the functions behind
 * MpiUpper.protocol_*(). */
#ifndef ORRERY_MPI_PROTOCOL_H
#define ORRERY_MPI_PROTOCOL_H

#include "mpi/core/call.h"

/* See MpiUpper. */
void mpi_protocol_send(MpiCall *call, MpiRequest *request, MpiMessage *message);
void mpi_protocol_handle(MpiCall *call, MpiMessage *message);
void mpi_protocol_posted(MpiCall *call, MpiRequest *receive);
bool mpi_protocol_may_cancel(const MpiRequest *request);
bool mpi_protocol_is_held(const MpiRequest *send);
void mpi_protocol_brought(MpiWorld *world, MpiMessage *message, uint64_t time_ps);
void mpi_protocol_arrives(MpiWorld *world, MpiMessage *message);
void mpi_protocol_lost(MpiWorld *world, MpiMessage *message, uint64_t time_ps);
void mpi_protocol_failed(MpiWorld *world, uint32_t failed, uint64_t time_ps);
void mpi_protocol_revoked(MpiRank *rank, uint32_t context, uint64_t time_ps);
void mpi_protocol_delivered(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_protocol_sent(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_protocol_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
uint64_t mpi_protocol_work(MpiWorld *world, uint64_t cookie, uint64_t time_ps);
void mpi_protocol_hand_over(MpiRank *rank, MpiProgress by, MpiMessage *message, bool found, uint64_t time_ps);
void mpi_protocol_defer(const MpiCall *agent, MpiMessage *message, bool send);
void mpi_protocol_note(MpiCall *call);
bool mpi_protocol_explain(MpiWorld *world, GString *out);
void mpi_protocol_describe(const MpiRequest *send, GString *out);

#endif
