/* mpi2.h - how programs for CPPE-MPI chose its version for messages of 2-byte words; here all of them are mpi.h */
#include <mpi.h>
