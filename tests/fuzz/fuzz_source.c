/* fuzz_source.c - any bytes as preprocessed source: the compiler answers with messages or with code that the verifier
 * accepts, and whether it compiles does not depend on the optimisation level.
 */
#include "fuzz.h"

static void check_program(VcodeModule *object)
{
    VcodeModule *program = fuzz_link(object);
    if (!program)
        return;
    GError *error = NULL;
    if (!vcode_verify(program, &error))
        g_error("the verifier refuses what the compiler wrote: %s", error->message);
    vcode_module_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const int levels[] = {0, 2};
    bool compiles[G_N_ELEMENTS(levels)];
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        VcodeModule *object = fuzz_compile(bytes, size, levels[i]);
        compiles[i] = object != NULL;
        if (object)
            check_program(object);
        vcode_module_free(object);
        if (!compiles[i])
            break;
    }
    g_assert(!compiles[0] || compiles[1]);
    return 0;
}
