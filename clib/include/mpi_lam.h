/* mpi_lam.h - what LAM had for making processes before MPI-2 settled it
 *
 * Programs that were written for it compile. The functions are declared without prototypes, since drafts differ in their
 * arguments; a process that calls one ends the program and is told what MPI-2 made of it.
 */
#ifndef _MPI_LAM_H
#define _MPI_LAM_H

#include <mpi.h>

/* The communicator to the processes that started this one: MPI_COMM_NULL if a user did. */
#define MPI_COMM_PARENT __orrery_comm_parent()
MPI_Comm __orrery_comm_parent(void);

int MPI_Spawn();
int MPI_Spawn_multiple();
int MPI_Port_open();
int MPI_Port_close();
int MPI_Name_get();
int MPI_Name_put();
int MPI_Name_delete();
int MPIL_Spawn();
int MPIL_Comm_parent(MPI_Comm *parent);
int MPIL_Universe_size(int *size);

#endif
