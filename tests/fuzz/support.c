/* support.c - compiling, linking and running for the fuzzers, without the `orrery` command and without files. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void drop(const CcDiagnostic *diagnostic, const char *rendered, void *user)
{
    (void)diagnostic;
    (void)rendered;
    (void)user;
}

VcodeModule *fuzz_compile(const uint8_t *text, size_t size, int level)
{
    CcOptions options;
    cc_options_default(&options);
    options.include_dir = "/nowhere";
    options.optimise = level;
    options.warn_all = true;
    CcDiagnostics *diagnostics = cc_diagnostics_new(drop, NULL, false);
    /* Exactly the bytes: reading one too many is an error that the sanitizer then sees. */
    char *copy = g_malloc(MAX(size, 1));
    memcpy(copy, text, size);
    VcodeModule *module = cc_compile_text(copy, size, "fuzz.c", &options, diagnostics, NULL);
    g_free(copy);
    cc_diagnostics_free(diagnostics);
    return module;
}

/* -- linking ----------------------------------------------------------------------------------- */

static VcodeModule *start_object(void)
{
    static const char text[] = "int main(int, char **, char **); void __orrery_init(void), __orrery_fini(void);\n"
                               "_Noreturn void _exit(int);\n"
                               "void exit(int status) { __orrery_fini(); _exit(status); }\n"
                               "void _start(int n, char **arguments, char **environment)\n"
                               "{ __orrery_init(); exit(main(n, arguments, environment)); }\n";
    VcodeModule *module = fuzz_compile((const uint8_t *)text, sizeof text - 1, 1);
    g_assert(module);
    return module;
}

VcodeModule *fuzz_link(VcodeModule *object)
{
    size_t n;
    const VmExtern *library = vm_library(&n);
    const char **names = g_new(const char *, n);
    for (size_t i = 0; i < n; i++)
        names[i] = library[i].name;
    VcodeModule *start = start_object();
    CcLinkOptions options = {.externs = names, .n_externs = n, .debug = true};
    VcodeModule *program = cc_link((VcodeModule *[]){object, start}, 2, &options, NULL);
    vcode_module_free(start);
    g_free(names);
    return program;
}

/* -- running ----------------------------------------------------------------------------------- */

static void drop_output(void *user, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size)
{
    (void)user, (void)rank, (void)stream, (void)time_ps, (void)bytes, (void)size;
}

static void run_rank(VmRank *rank)
{
    enum { TURNS = 20, QUANTUM = 5000 };
    for (int turn = 0; turn < TURNS; turn++) {
        VmStop stop = vm_rank_run(rank, QUANTUM);
        if (stop == VM_STOP_REQUEST && vm_rank_request(rank)->in_order)
            stop = vm_rank_perform(rank);
        else if (stop == VM_STOP_REQUEST)
            vm_rank_complete(rank, 0);
        if (stop == VM_STOP_EXITED || stop == VM_STOP_FAULT)
            return;
    }
}

void fuzz_run(VcodeModule *program)
{
    VmCosts costs;
    vm_costs_default(&costs);
    VmLimits limits = {
        .stack_bytes = 1 << 20, .heap_bytes = 8 << 20, .call_depth = 2000, .fs = VM_FS_NONE, .check = true};
    VmHost host = {.write = drop_output};
    VmImage *image = vm_image_new(program, NULL, 0, &costs, NULL);
    if (!image)
        return;
    VmWorld *world = vm_world_new(1, &limits, &host, NULL);
    const char *const arguments[] = {"fuzz", "1", NULL}, *const environment[] = {NULL};
    if (world && vm_world_start(world, 0, image, arguments, environment, UINT64_C(500) << 32, NULL))
        run_rank(vm_world_rank(world, 0));
    if (world)
        vm_world_free(world);
    vm_image_unref(image);
}
