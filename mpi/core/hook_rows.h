/* hook_rows.h - the rows of hooks.def as numbers, and sets of them: as many words of bits as there are rows for. */
#ifndef ORRERY_MPI_HOOK_ROWS_H
#define ORRERY_MPI_HOOK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum { /* rows of hooks.def, in their order */
#define MPI_POINT(name, way, parameters, arguments)                     MPI_HOOK_##name,
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) MPI_HOOK_##name,
#include "mpi/core/hooks.def"
       MPI_HOOK_COUNT
};

#define MPI_HOOK_WORDS_FOR(rows) (((rows) + 63) / 64)
enum { MPI_HOOK_WORDS = MPI_HOOK_WORDS_FOR(MPI_HOOK_COUNT) };

static inline bool mpi_hook_rows_have(const uint64_t *words, unsigned row)
{
    return words[row / 64] >> row % 64 & 1;
}
static inline void mpi_hook_rows_add(uint64_t *words, unsigned row)
{
    words[row / 64] |= UINT64_C(1) << row % 64;
}

#endif
