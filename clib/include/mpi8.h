/* mpi8.h - how programs for CPPE-MPI chose its version for messages of 8-byte words; here all of them are mpi.h */
#include <mpi.h>
