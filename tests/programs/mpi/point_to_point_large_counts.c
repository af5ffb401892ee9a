/* point_to_point.c with the functions for large counts (MPI-4.0 section 2.5.8). */
#include <mpi.h>

#define COUNT MPI_Count
#define MPI_Send MPI_Send_c
#define MPI_Ssend MPI_Ssend_c
#define MPI_Bsend MPI_Bsend_c
#define MPI_Rsend MPI_Rsend_c
#define MPI_Recv MPI_Recv_c
#define MPI_Isend MPI_Isend_c
#define MPI_Issend MPI_Issend_c
#define MPI_Ibsend MPI_Ibsend_c
#define MPI_Irsend MPI_Irsend_c
#define MPI_Irecv MPI_Irecv_c
#define MPI_Send_init MPI_Send_init_c
#define MPI_Recv_init MPI_Recv_init_c
#define MPI_Sendrecv MPI_Sendrecv_c
#define MPI_Sendrecv_replace MPI_Sendrecv_replace_c
#define MPI_Buffer_attach MPI_Buffer_attach_c
#define MPI_Buffer_detach MPI_Buffer_detach_c

#include "point_to_point.c"
