/* fuzz_object.c - any bytes as an object or program file: read, disassembled, linked, verified and run.
 *
 * A checksum would stop nearly every mutated input at the door, so the header's magic, version, length and checksum
 * are put right first: what is tested is how forged files are met, which is the hard case. Of the first byte one bit
 * says whether this is done, so that the door itself is tested too. The mutator of its own works on the tables: it
 * changes records where they are, so that the layout survives and mutations reach what stands behind the reader.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 56, SECTION = 16, VERSION_AT = 8, TABLES_AT = 16, BYTES_AT = 40, CHECKSUM_AT = 48 };
enum { PREFIX = 8 }; /* the byte that says what to do, and padding to keep the file aligned */

static void put64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static void forge(uint8_t *file, size_t size)
{
    if (size < HEADER || size % 8)
        return;
    memcpy(file, "\x8fvCode\r\n", 8);
    put32(file + VERSION_AT, VCODE_VERSION);
    put64(file + BYTES_AT, size);
    put64(file + CHECKSUM_AT, 0);
    put64(file + CHECKSUM_AT, vcode_checksum(file, size));
}

static void use(VcodeModule *module)
{
    g_autoptr(GString) text = g_string_new(NULL);
    vcode_disassemble(module, false, text);
    VcodeModule *program = module;
    if (module->kind == VCODE_OBJECT) {
        program = fuzz_link(module);
        vcode_module_free(module);
    }
    if (program)
        fuzz_run(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < PREFIX)
        return 0;
    uint8_t *file = g_memdup2(bytes + PREFIX, size - PREFIX);
    if (bytes[0] & 1)
        forge(file, size - PREFIX);
    VcodeModule *module = vcode_read_bytes(file ? file : bytes, size - PREFIX, "fuzz.o", NULL);
    g_free(file);
    if (module)
        use(module);
    return 0;
}

#ifdef ORRERY_FUZZ
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t largest);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t largest, unsigned seed);

/* Changes some bytes of one table in place. False if the input has no such table. */
static bool mutate_table(uint8_t *bytes, size_t size, unsigned seed)
{
    uint32_t tables;
    memcpy(&tables, bytes + PREFIX + TABLES_AT, sizeof tables);
    if (tables == 0 || tables > 64 || size < PREFIX + HEADER + (size_t)tables * SECTION)
        return false;
    uint64_t offset;
    uint32_t shape[2]; /* count, record */
    const uint8_t *section = bytes + PREFIX + HEADER + (size_t)(seed % tables) * SECTION;
    memcpy(&offset, section, sizeof offset);
    memcpy(shape, section + sizeof offset, sizeof shape);
    uint64_t length = (uint64_t)shape[0] * shape[1];
    if (length == 0 || offset > size - PREFIX || length > size - PREFIX - offset)
        return false;
    uint64_t record = seed / tables % shape[0];
    uint8_t *at = bytes + PREFIX + offset + record * shape[1];
    uint8_t scratch[64] = {0};
    size_t n = MIN((size_t)shape[1], sizeof scratch);
    memcpy(scratch, at, n);
    LLVMFuzzerMutate(scratch, n, n);
    memcpy(at, scratch, n);
    return true;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t largest, unsigned seed)
{
    if (seed % 8 == 0 || size < PREFIX + HEADER)
        return LLVMFuzzerMutate(bytes, size, largest);
    bytes[0] |= 1;
    for (unsigned i = 0; i < 1 + seed / 8 % 3; i++)
        if (!mutate_table(bytes, size, (seed >> 5) + i * 2654435761u))
            return LLVMFuzzerMutate(bytes, size, largest);
    return size;
}
#endif
