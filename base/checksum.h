/* checksum.h - tells whether bytes in a file are those that were written. */
#ifndef ORRERY_BASE_CHECKSUM_H
#define ORRERY_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of `size` bytes, a multiple of 8. A change of a single word always changes it. It finds
 * accidents; it is no protection against forgery. */
uint64_t base_checksum(const uint8_t *bytes, size_t size);

#endif
