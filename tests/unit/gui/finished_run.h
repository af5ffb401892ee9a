/* finished_run.h - a run that has ended, with a recording that the test writes itself, and pictures of it.
 *
 * The programs are a few instructions long. The recording has nothing to do with them: it ends long after them, so that
 * a test chooses the scale of the time axis.
 */
#ifndef ORRERY_TEST_GUI_FINISHED_RUN_H
#define ORRERY_TEST_GUI_FINISHED_RUN_H

#include "gui/gui.h"
#include "gui/scene.h"

#include <criterion/criterion.h>
#include <string.h>

typedef enum RunEnd { RUN_FINISHES, RUN_DIVIDES_BY_ZERO, RUN_WAITS_IN_VAIN } RunEnd;

typedef struct FinishedRun {
    MachConfig *config;
    Machine *machine;
    MonRecording recording;
} FinishedRun;

static inline void run_instruction(VcodeModule *m, VcodeInstr instruction)
{
    *vcode_push(m, code) = instruction;
}

static inline void run_constant(VcodeModule *m, unsigned reg, uint64_t value)
{
    run_instruction(m, vcode_pack_imm32(VCODE_MOVK, 0, reg, (int32_t)vcode_constant(m, value, false)));
}

static inline void run_call(VcodeModule *m, const char *name, unsigned n, const uint64_t *values)
{
    enum { WINDOW = 4 };
    for (unsigned i = 0; i < n; i++)
        run_constant(m, WINDOW + i, values[i]);
    vcode_push(m, externs)->name = vcode_string(m, name);
    run_instruction(m, vcode_pack_imm32(VCODE_CALLX, n, WINDOW, (int32_t)m->externs.count - 1));
}

static inline VcodeModule *run_program(RunEnd end)
{
    VcodeModule *m = vcode_module_new(VCODE_PROGRAM);
    *vcode_push(m, functions) = (VcodeFunction){.name = vcode_string(m, "_start"),
                                                .registers = 16,
                                                .parameters = 3,
                                                .file = VCODE_NONE,
                                                .return_type = VCODE_NONE};
    run_instruction(m, vcode_pack_imm32(VCODE_ENTER, 0, 0, 16));
    run_call(m, "MPI_Init", 2, (uint64_t[]){0, 0});
    if (end == RUN_WAITS_IN_VAIN) { /* nobody sends; constants as in mpi.h (tests/unit/mpi/test_header.c) */
        const uint64_t comm_world = UINT64_C(0x100000001), type_int = UINT64_C(0x300000008);
        const int any_source = -1000000205, tag = 7, status_ignore = 1;
        run_call(m, "MPI_Recv", 7, (uint64_t[]){0, 0, type_int, (uint64_t)any_source, tag, comm_world, status_ignore});
    }
    if (end == RUN_DIVIDES_BY_ZERO) {
        run_constant(m, 2, 0);
        run_instruction(m, vcode_pack(VCODE_DIV_L, 0, 3, 2, 2));
    }
    run_call(m, "MPI_Finalize", 0, NULL);
    run_call(m, "_exit", 1, (uint64_t[]){0});
    run_instruction(m, vcode_pack(VCODE_RETV, 0, 0, 0, 0));
    m->functions.items[0].code_count = m->code.count;
    m->data_base = 0x20000;
    m->entry = 0;
    return m;
}

static inline void run_say_nothing(void *user, const char *text)
{
    (void)user, (void)text;
}

/* Runs rank i to ends[i] on the machine, and begins a recording that ends at end_ps. */
static inline void run_open(FinishedRun *run, const char *machine, const char *setting, const RunEnd *ends,
                            uint32_t ranks, uint64_t end_ps)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    static const char *const argv[] = {"program", NULL};
    g_autoptr(GError) error = NULL;
    run->config = mach_config_load(machine, search, &error);
    cr_assert_not_null(run->config, "%s", error ? error->message : "");
    if (setting)
        cr_assert(mach_config_set(run->config, setting, &error), "%s", error ? error->message : "");
    MachProgram *programs = g_new0(MachProgram, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
        programs[rank] = (MachProgram){.module = run_program(ends[rank]), .argv = argv, .count = 1};
    MachOptions options;
    mach_run_options_default(&options);
    options.note = run_say_nothing;
    run->machine = mach_run_new(run->config, programs, ranks, &options, &error);
    cr_assert_not_null(run->machine, "%s", error ? error->message : "");
    g_free(programs);
    mach_run(run->machine);
    cr_assert_lt(mach_run_makespan(run->machine), end_ps);
    run->recording = (MonRecording){.ranks = ranks, .end_ps = end_ps};
    run->recording.intervals = g_array_new(FALSE, FALSE, sizeof(MonInterval));
    run->recording.messages = g_array_new(FALSE, TRUE, sizeof(MpiMessageInfo));
}

static inline void run_close(FinishedRun *run)
{
    g_array_unref(run->recording.intervals);
    g_array_unref(run->recording.messages);
    mach_run_free(run->machine);
    mach_config_free(run->config);
}

static inline void run_interval(FinishedRun *run, uint32_t rank, uint64_t from_ps, uint64_t to_ps, MpiActivity activity)
{
    MonInterval interval = {.from_ps = from_ps, .to_ps = to_ps, .rank = rank, .activity = activity};
    g_array_append_val(run->recording.intervals, interval);
}

static inline void run_message(FinishedRun *run, uint32_t from, uint32_t to, uint64_t sent_ps, uint64_t delivered_ps)
{
    MpiMessageInfo message = {.from = from, .to = to, .sent_ps = sent_ps, .delivered_ps = delivered_ps};
    g_array_append_val(run->recording.messages, message);
}

/* Returns a picture of the whole scene. The caller frees it with cairo_surface_destroy(). */
static inline cairo_surface_t *run_picture(GuiScene *scene, int width, int height)
{
    cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *cairo = cairo_create(picture);
    gui_draw_scene(scene, cairo, width, height);
    cairo_destroy(cairo);
    cairo_surface_flush(picture);
    return picture;
}

/* Returns the colour of a pixel as 0xrrggbb. */
static inline uint32_t run_pixel(cairo_surface_t *picture, int x, int y)
{
    cr_assert(x >= 0 && x < cairo_image_surface_get_width(picture));
    cr_assert(y >= 0 && y < cairo_image_surface_get_height(picture));
    uint32_t pixel;
    memcpy(&pixel, cairo_image_surface_get_data(picture) + y * cairo_image_surface_get_stride(picture) + x * 4, 4);
    return pixel & 0xffffff;
}

static inline void run_expect_same_pictures(cairo_surface_t *got, cairo_surface_t *expected)
{
    int width = cairo_image_surface_get_width(expected), height = cairo_image_surface_get_height(expected);
    cr_assert_eq(cairo_image_surface_get_width(got), width);
    cr_assert_eq(cairo_image_surface_get_height(got), height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            cr_assert_eq(run_pixel(got, x, y), run_pixel(expected, x, y), "pixel %d, %d", x, y);
}

#endif
