/* No argument that a program can pass crashes the simulator: every host function gets random hostile arguments, under
 * the sanitizers. Results do not matter here, and a fault of the simulated process is fine. */
#include "library_test.h"

#include <glib/gstdio.h>
#include <unistd.h>

enum { TUPLES = 40, ARGUMENTS = 8 };

/* Draws a random argument from interesting addresses and numbers. */
static uint64_t draw(Bench *bench, GRand *random, uint64_t blocks[8])
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       2,
                                       3,
                                       10,
                                       16,
                                       255,
                                       4096,
                                       UINT64_MAX,
                                       UINT64_MAX - 1,
                                       INT64_MAX,
                                       INT32_MAX,
                                       (uint64_t)INT64_MIN,
                                       (uint64_t)(int64_t)INT32_MIN,
                                       UINT64_C(1) << 40,
                                       (UINT64_C(1) << 42) + 3,
                                       VCODE_RODATA_BASE,
                                       VCODE_RODATA_BASE + 0x10000,
                                       UINT64_C(0x7ff0000000000000),
                                       UINT64_C(0x3ff8000000000000)};
    guint32 kind = g_rand_int(random);
    switch (kind % 4) {
    case 0: return numbers[kind / 4 % G_N_ELEMENTS(numbers)];
    case 1: return bench->rank->heap_end - kind / 4 % 40; /* just at the end of memory */
    case 2: return blocks[kind / 4 % 8] + kind / 32 % 3;
    default: return blocks[kind / 4 % 8];
    }
}

/* Makes blocks of text, formats, pointers, a FILE and a path that refer to each other. */
static void make_blocks(Bench *bench, uint64_t blocks[8])
{
    static const char *const texts[] = {"some text", "%d %s %f %n %*d%5$s", "%s%[a-z]%ms %lf", "12 0x1f nan(", "w+"};
    for (int i = 0; i < 5; i++)
        blocks[i] = bench_string(bench, texts[i]);
    blocks[5] = bench_bytes(bench, blocks, 5 * 8);
    blocks[6] = vm_library_malloc(bench->rank, 64);
    blocks[7] = bench_call(bench, "tmpfile", 0);
}

static bool dangerous(const char *name)
{
    return strcmp(name, "setjmp") == 0 || strcmp(name, "longjmp") == 0; /* they need a frame: the VM's own tests */
}

Test(library_hostile, no_argument_crashes_the_simulator, .timeout = 120)
{
    g_autofree char *path = g_dir_make_tmp("orrery-hostile-XXXXXX", NULL);
    cr_assert_eq(chdir(path), 0);
    guint32 seed = 1234567;
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    size_t count;
    const VmExtern *externs = vm_library(&count);
    for (size_t i = 0; i < count; i++) {
        Bench bench;
        uint64_t blocks[8] = {0};
        bool open = false;
        for (int t = 0; t < TUPLES && !dangerous(externs[i].name); t++) {
            if (!open) {
                bench_open(&bench, NULL);
                g_string_assign(bench.input, "12 word 3.5\nline\n");
                make_blocks(&bench, blocks);
                open = true;
            }
            uint64_t window[16] = {0};
            for (int a = 0; a < ARGUMENTS; a++)
                window[a] = draw(&bench, random, blocks);
            bench_call_window(&bench, externs[i].name, window, g_rand_int_range(random, 0, ARGUMENTS + 1));
            if (bench.result != VM_CALL_DONE) {
                bench_close(&bench);
                open = false;
            }
        }
        if (open)
            bench_close(&bench);
    }
    GDir *directory = g_dir_open(path, 0, NULL);
    for (const char *name; (name = g_dir_read_name(directory));) {
        g_autofree char *full = g_build_filename(path, name, NULL);
        g_remove(full);
    }
    g_dir_close(directory);
    cr_assert_eq(chdir("/"), 0);
    g_rmdir(path);
}
