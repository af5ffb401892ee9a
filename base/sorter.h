/* sorter.h - records that are put in order, more than fit in memory. */
#ifndef ORRERY_BASE_SORTER_H
#define ORRERY_BASE_SORTER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The order is that of the keys, the first one first; records with the same keys stay in the order in which they came.
 */
typedef struct BaseRecord {
    uint64_t keys[3];
    uint32_t size; /* of its bytes */
    const void *bytes;
} BaseRecord;

typedef struct BaseSorter BaseSorter;
/* Makes a sorter that keeps about so many bytes of records in memory, and others in a temporary file. */
BaseSorter *base_sorter_new(size_t memory);
void base_sorter_free(BaseSorter *sorter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BaseSorter, base_sorter_free)
/* Adds a record and copies its bytes. A failure of the temporary file is told by base_sorter_begin(). */
void base_sorter_add(BaseSorter *sorter, const BaseRecord *record);
/* Ends the adding. Returns false with an error if records were lost, because the temporary file could not be written.
 */
bool base_sorter_begin(BaseSorter *sorter, GError **error);
/* Gives the next record, whose bytes stay until the next call. Returns false at the end, or if the temporary file
 * cannot be read, which base_sorter_end() tells. O(log(all / memory)). */
bool base_sorter_next(BaseSorter *sorter, BaseRecord *record);
bool base_sorter_end(const BaseSorter *sorter, GError **error);

#endif
