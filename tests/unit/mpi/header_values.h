/* header_values.h - values of mpi.h as the library has them, for test_header.c. That file includes mpi.h, so it cannot
 * include mpi/core/call.h: their names clash.
 */
#ifndef HEADER_VALUES_H
#define HEADER_VALUES_H

#include <stddef.h>
#include <stdint.h>

typedef struct HeaderValue {
    const char *name;
    uint64_t value;
} HeaderValue;

extern const HeaderValue header_values[];
extern const size_t n_header_values;
uint64_t header_value(const char *name); /* aborts if there is no such name */

#endif
