/* fuzz_run.c - any bytes as preprocessed source, compiled, and run for a while: whatever the program does, it ends in
 * a fault of its own, never in one of the simulator.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    VcodeModule *object = fuzz_compile(bytes, size, (int)(size % 4));
    VcodeModule *program = object ? fuzz_link(object) : NULL;
    vcode_module_free(object);
    if (program)
        fuzz_run(program);
    return 0;
}
