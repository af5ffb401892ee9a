/* file.h - files (MPI-4.1 chapter 14).
 *
 * All of MPI's file functions are in this room; only the tables of mpi/ name them. access.h is its table of contents.
 */
#ifndef ORRERY_MPI_FILE_H
#define ORRERY_MPI_FILE_H

#include "mpi/core/rank.h"

/* Constants that mpi.h repeats. */
enum {
    MPI_MODE_CREATE_ = 1,
    MPI_MODE_RDONLY_ = 2,
    MPI_MODE_WRONLY_ = 4,
    MPI_MODE_RDWR_ = 8,
    MPI_MODE_DELETE_ON_CLOSE_ = 16,
    MPI_MODE_UNIQUE_OPEN_ = 32,
    MPI_MODE_EXCL_ = 64,
    MPI_MODE_APPEND_ = 128,
    MPI_MODE_SEQUENTIAL_ = 256,
    MPI_SEEK_SET_ = 600,
    MPI_SEEK_CUR_ = 602,
    MPI_SEEK_END_ = 604,
    MPI_DISPLACEMENT_CURRENT_ = -54278278,
    MPI_MAX_DATAREP_STRING_ = 128,
};

/* Appends what an open file is: name, access, position, view (file_state.c). */
void mpi_file_append_state(GString *out, const void *file);

/* The failure of a process is known: ends the collective accesses of the rank to files that it has opened, too. */
void mpi_file_process_failed(MpiRank *rank, uint32_t failed, uint64_t time_ps);

/* Releases a file that a rank has not closed: the handle table of the rank is freed. */
void mpi_file_drop(void *file);

#endif
