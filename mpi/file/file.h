/* file.h - files (MPI-4.1 chapter 14).
 *
 * All of MPI's file functions are in this room; only the tables of mpi/ name them. access.h is its table of contents.
 */
#ifndef ORRERY_MPI_FILE_H
#define ORRERY_MPI_FILE_H

/* Releases a file that a rank has not closed: the handle table of the rank is freed. */
void mpi_file_drop(void *file);

#endif
