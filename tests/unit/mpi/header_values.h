/* header_values.h - the library's side of mpi.h, for test_header.c, which cannot include mpi/core/call.h: names
 * clash.
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
uint64_t header_value(const char *name); /* aborts where there is none */

#endif
