/* forge.c - see forge.h. What is known of the layout stands in vcode/file.c. */
#include "forge.h"

#include <string.h>

enum { HEADER = 56, SECTION = 16, VERSION_AT = 8, TABLES_AT = 16, BYTES_AT = 40, CHECKSUM_AT = 48 };

static void put64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

void fuzz_forge(uint8_t *file, size_t size)
{
    uint32_t version = VCODE_VERSION;
    if (size < HEADER || size % 8)
        return;
    memcpy(file, "\x8fvCode\r\n", 8);
    memcpy(file + VERSION_AT, &version, sizeof version);
    put64(file + BYTES_AT, size);
    put64(file + CHECKSUM_AT, 0);
    put64(file + CHECKSUM_AT, vcode_file_checksum(file, size));
}

uint8_t *fuzz_records(uint8_t *file, size_t size, FuzzTable table, uint32_t *count, uint32_t *record)
{
    uint32_t tables;
    if (size < HEADER)
        return NULL;
    memcpy(&tables, file + TABLES_AT, sizeof tables);
    if (table >= tables || tables > 64 || size < HEADER + (size_t)tables * SECTION)
        return NULL;
    const uint8_t *section = file + HEADER + (size_t)table * SECTION;
    uint64_t offset;
    memcpy(&offset, section, sizeof offset);
    memcpy(count, section + 8, sizeof *count);
    memcpy(record, section + 12, sizeof *record);
    uint64_t length = (uint64_t)*count * *record;
    return length && offset <= size && length <= size - offset ? file + offset : NULL;
}

#ifdef ORRERY_FUZZ
bool fuzz_mutate_record(uint8_t *file, size_t size, FuzzTable table, uint32_t index)
{
    uint32_t count, record;
    uint8_t *records = fuzz_records(file, size, table, &count, &record);
    uint8_t scratch[64] = {0};
    if (!records)
        return false;
    uint8_t *at = records + (size_t)(index % count) * record;
    size_t n = MIN((size_t)record, sizeof scratch);
    memcpy(scratch, at, n);
    LLVMFuzzerMutate(scratch, n, n);
    memcpy(at, scratch, n);
    return true;
}
#endif
