/* check_mpi_support.h - compiles small MPI programs in a test and keeps the warnings about MPI. */
#ifndef ORRERY_TEST_CHECK_MPI_SUPPORT_H
#define ORRERY_TEST_CHECK_MPI_SUPPORT_H

#include "compiler/compiler.h"

typedef struct MpiRow {
    const char *option; /* that must be given */
    const char *text;
} MpiRow;

/* `whole`: the text is a program, but for its includes; else what stands between MPI_Init and MPI_Finalize.
 *
 * "-Wmpi-type: argument 3 of ...\n" for each warning about MPI, and the notes that follow it. Free with g_free. */
char *mpi_warnings(const char *text, bool whole);
void expect_warnings(const MpiRow *rows, size_t n, bool whole);
void expect_silence(const char *text, bool whole);

#endif
