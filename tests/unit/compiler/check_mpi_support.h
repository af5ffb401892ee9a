/* check_mpi_support.h - compiles small MPI programs in a test and collects the warnings about MPI. */
#ifndef ORRERY_TEST_CHECK_MPI_SUPPORT_H
#define ORRERY_TEST_CHECK_MPI_SUPPORT_H

#include "compiler/compiler.h"

typedef struct MpiRow {
    const char *option; /* the option of the expected warning */
    const char *text;
} MpiRow;

/* Returns "-Wmpi-type: argument 3 of ...\n" for each warning about MPI, and the notes that follow it. The caller frees
 * it with g_free(). `whole`: the text is a program without its includes. Otherwise it is what comes between MPI_Init
 * and MPI_Finalize. */
char *mpi_warnings(const char *text, bool whole);
void expect_warnings(const MpiRow *rows, size_t n, bool whole);
void expect_silence(const char *text, bool whole);

#endif
