/* fuzz_object.c - any bytes as an object or program file: read, disassembled, linked, verified and run.
 *
 * A checksum would stop nearly every mutated input at the door, so the header's magic, version, length and checksum
 * are put right first: what is tested is how forged files are met, which is the hard case. Of the first byte one bit
 * says whether this is done, so that the door itself is tested too. The mutator of its own works on the tables: it
 * changes records where they are, so that the layout survives and mutations reach what stands behind the reader.
 */
#include "forge.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = 8 }; /* the byte that says what to do, and padding to keep the file aligned */

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
        fuzz_forge(file, size - PREFIX);
    VcodeModule *module = vcode_file_read_bytes(file ? file : bytes, size - PREFIX, "fuzz.o", NULL);
    g_free(file);
    if (module)
        use(module);
    return 0;
}

#ifdef ORRERY_FUZZ
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t largest, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t largest, unsigned seed)
{
    if (seed % 8 == 0 || size < PREFIX)
        return LLVMFuzzerMutate(bytes, size, largest);
    bytes[0] |= 1;
    for (unsigned i = 0; i < 1 + seed / 8 % 3; i++) {
        unsigned dice = (seed >> 5) + i * 2654435761u;
        if (!fuzz_mutate_record(bytes + PREFIX, size - PREFIX, dice % FUZZ_TABLE_COUNT, dice / FUZZ_TABLE_COUNT))
            return LLVMFuzzerMutate(bytes, size, largest);
    }
    return size;
}
#endif
