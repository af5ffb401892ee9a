/* sorter.h - records that are put in order, more than fit in memory. */
#ifndef ORRERY_CLI_EXPORT_SORTER_H
#define ORRERY_CLI_EXPORT_SORTER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The order is that of the keys, the first one first; records with the same keys stay in the order in which they came.
 */
typedef struct ExportRecord {
    uint64_t keys[3];
    uint32_t size; /* of its bytes */
    const void *bytes;
} ExportRecord;

typedef struct ExportSorter ExportSorter;
/* Makes a sorter that keeps about so many bytes of records in memory, and others in a temporary file. */
ExportSorter *export_sorter_new(size_t memory);
void export_sorter_free(ExportSorter *sorter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExportSorter, export_sorter_free)
/* Adds a record and copies its bytes. A failure of the temporary file is told by export_sorter_begin(). */
void export_sorter_add(ExportSorter *sorter, const ExportRecord *record);
/* Ends the adding. Returns false with an error if records were lost, because the temporary file could not be written.
 */
bool export_sorter_begin(ExportSorter *sorter, GError **error);
/* Gives the next record, whose bytes stay until the next call. Returns false at the end, or if the temporary file
 * cannot be read, which export_sorter_end() tells. O(log(all / memory)). */
bool export_sorter_next(ExportSorter *sorter, ExportRecord *record);
bool export_sorter_end(const ExportSorter *sorter, GError **error);

#endif
