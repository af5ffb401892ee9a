/* exchange.h - rounds in which every rank sends to every other rank, made step by step. */
#ifndef ORRERY_MPI_EXCHANGE_H
#define ORRERY_MPI_EXCHANGE_H

#include "mpi/collective/schedule.h"

/* A flag in the cookie of an alarm: the rest is the address of an MpiExchange. Operations have 0 there. */
#define MPI_EXCHANGE_ALARM UINT64_C(2)

/* Whether the round of the schedule, an exchange of all with all, can be made step by step: nobody listens to messages
 * or requests, all messages to be sent are eager, and the layer above allows it. */
bool mpi_exchange_is_possible(const MpiCall *call, const MpiSchedule *schedule);
/* Starts the round on the call's time. */
void mpi_exchange_begin(MpiCall *call, MpiSchedule *schedule);
/* The round is over, or the schedule is freed. `send`: sends first what has not been sent yet. Does nothing if the
 * schedule has no exchange. */
void mpi_exchange_end(MpiWorld *world, MpiSchedule *schedule, bool send);
/* Makes the receives that are open requests like any others, for those who explain what ranks wait for. */
void mpi_exchange_spell_out(MpiWorld *world);

/* For the message path (MpiUpper in world.h). */
void mpi_exchange_hurry(MpiWorld *world, const MpiRank *rank);
void mpi_exchange_alarm(MpiWorld *world, uint64_t cookie);
uint64_t mpi_exchange_store(MpiMany *many, uint32_t source, const uint8_t *data, uint64_t bytes, int *error);
MpiRequest *mpi_exchange_request(MpiMany *many, uint32_t source);
MpiScheduleHead *mpi_exchange_head(const MpiMany *many);

#endif
