/* mpif.h - refuses Fortran's interface to MPI, so that a build system that looks for it learns why. */
#error "mpif.h, like the modules mpi and mpi_f08, is for Fortran, which Orrery does not compile; C programs include mpi.h"
