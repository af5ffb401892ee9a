/* forge.h - vCode files made by fuzzers: their header put right, their tables changed where they are. */
#ifndef ORRERY_FUZZ_FORGE_H
#define ORRERY_FUZZ_FORGE_H

#include "vcode/vcode.h"

typedef enum FuzzTable {
#define FUZZ_TABLE_NUMBER(field, record) FUZZ_TABLE_##field,
    VCODE_TABLES(FUZZ_TABLE_NUMBER)
#undef FUZZ_TABLE_NUMBER
        FUZZ_TABLE_COUNT
} FuzzTable;

/* Magic, version, length and checksum as they must be for `size` bytes. */
void fuzz_forge(uint8_t *file, size_t size);
/* The records of a table, or NULL where the file has none. */
uint8_t *fuzz_records(uint8_t *file, size_t size, FuzzTable table, uint32_t *count, uint32_t *record);

#ifdef ORRERY_FUZZ
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t largest);
/* Changes some bytes of one record where it is. False if the table is empty. */
bool fuzz_mutate_record(uint8_t *file, size_t size, FuzzTable table, uint32_t index);
#endif

#endif
