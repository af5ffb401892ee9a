/* test_pictures.c - what is drawn where: rows of the diagram, states of ranks, messages in transit, links; files. */
#include "finished_run.h"

#include <glib/gstdio.h>

static uint32_t rounded(GuiColour colour)
{
    return (uint32_t)(colour.red * 255 + 0.5) << 16 | (uint32_t)(colour.green * 255 + 0.5) << 8 |
           (uint32_t)(colour.blue * 255 + 0.5);
}

static bool near(uint32_t pixel, uint32_t colour)
{
    for (int shift = 0; shift < 24; shift += 8)
        if (ABS((int)(pixel >> shift & 255) - (int)(colour >> shift & 255)) > 1)
            return false;
    return true;
}

static uint32_t state_colour(GuiState state)
{
    return rounded(gui_paint_state(state));
}

typedef struct Spots {
    int pixels;
    double x, y; /* centre of these pixels */
} Spots;

/* Finds a colour in a part of the picture. */
static Spots find_colour(cairo_surface_t *picture, GuiRect area, uint32_t colour)
{
    Spots found = {0};
    for (int y = (int)area.y; y < (int)(area.y + area.height); y++)
        for (int x = (int)area.x; x < (int)(area.x + area.width); x++)
            if (near(run_pixel(picture, x, y), colour)) {
                found.pixels++;
                found.x += x;
                found.y += y;
            }
    if (found.pixels > 0) {
        found.x /= found.pixels;
        found.y /= found.pixels;
    }
    return found;
}

/* A picture of 1280 x 800 has a time axis of 1192 pixels from x = 64, with 1 us each. */
enum { US = 1000000, WIDTH = 1280, HEIGHT = 800, AXIS = 64, END_PS = 1192 * US };
static const uint32_t message_colour = 0x0045b3; /* colour of the dot in the network */

static double row_middle(const GuiScene *scene, uint32_t row)
{
    return scene->spacetime.y + (row + 0.5) * 40; /* a row is 40 pixels high if there is room */
}

static void expect_state(cairo_surface_t *picture, const GuiScene *scene, int x, uint32_t row, GuiState state)
{
    uint32_t pixel = run_pixel(picture, x, (int)row_middle(scene, row));
    cr_assert(near(pixel, state_colour(state)), "row %u at %d is %06x, and %s is %06x", row, x, pixel,
              gui_scene_state_name(state), state_colour(state));
}

static void expect_paper(cairo_surface_t *picture, const GuiScene *scene, int x, uint32_t row)
{
    cr_assert_eq(run_pixel(picture, x, (int)row_middle(scene, row)), 0xffffff, "row %u at %d", row, x);
}

Test(pictures, intervals_stand_where_their_times_are)
{
    FinishedRun run;
    GuiScene scene;
    run_open(&run, "ring-8", NULL, (RunEnd[3]){0}, 3, END_PS);
    run_interval(&run, 0, 100 * US, 200 * US, MPI_ACTIVITY_COMPUTE);
    run_interval(&run, 0, 200 * US, 300 * US, MPI_ACTIVITY_OVERHEAD);
    run_interval(&run, 2, 0, END_PS, MPI_ACTIVITY_BLOCKED);
    gui_scene_init(&scene, run.machine, &run.recording, "test");
    cr_assert_eq(scene.cursor_ps, END_PS / 2, "the middle, of a run that went well");
    cairo_surface_t *picture = run_picture(&scene, WIDTH, HEIGHT);
    cr_assert_eq(scene.spacetime.x, AXIS);
    cr_assert_eq(scene.spacetime.width, END_PS / US);
    expect_paper(picture, &scene, AXIS + 95, 0);
    expect_state(picture, &scene, AXIS + 102, 0, GUI_COMPUTING);
    expect_state(picture, &scene, AXIS + 198, 0, GUI_COMPUTING);
    expect_state(picture, &scene, AXIS + 202, 0, GUI_LIBRARY);
    expect_paper(picture, &scene, AXIS + 305, 0);
    expect_paper(picture, &scene, AXIS + 105, 1);
    expect_state(picture, &scene, AXIS + 1, 2, GUI_WAITING);
    expect_state(picture, &scene, AXIS + 1190, 2, GUI_WAITING);
    cr_assert_lt(run_pixel(picture, AXIS + 596, (int)row_middle(&scene, 0)) & 255, 160,
                 "the cursor, half of its width");
    expect_paper(picture, &scene, AXIS + 594, 0);
    cairo_surface_destroy(picture);

    /* Scrolled by two ranks, and zoomed to a tenth of the time axis. */
    scene.first_rank = 2;
    scene.from_ps = 119200000;
    scene.to_ps = 238400000;
    picture = run_picture(&scene, WIDTH, HEIGHT);
    expect_state(picture, &scene, AXIS + 600, 0, GUI_WAITING);
    expect_paper(picture, &scene, AXIS + 600, 1);
    scene.first_rank = 0;
    cairo_surface_destroy(picture);
    picture = run_picture(&scene, WIDTH, HEIGHT);
    expect_state(picture, &scene, AXIS + 806, 0, GUI_COMPUTING); /* 200,000 ps is at pixel 808 */
    expect_state(picture, &scene, AXIS + 810, 0, GUI_LIBRARY);
    cairo_surface_destroy(picture);
    gui_scene_clear(&scene);
    run_close(&run);
}

/* A rank that waits for ever waits to the end of the picture, whatever was recorded. The network shows it at the
 * cursor. */
Test(pictures, deadlock)
{
    FinishedRun run;
    GuiScene scene;
    run_open(&run, "ring-8", NULL, (RunEnd[2]){RUN_FINISHES, RUN_WAITS_IN_VAIN}, 2, END_PS);
    run_interval(&run, 1, 0, 500 * US, MPI_ACTIVITY_COMPUTE);
    gui_scene_init(&scene, run.machine, &run.recording, "test");
    cr_assert_eq(scene.cursor_ps, END_PS, "a run that went wrong shows its end");
    cr_assert_eq(gui_scene_state_at(&scene, 0, END_PS), GUI_FINISHED);
    cr_assert_eq(gui_scene_state_at(&scene, 1, 500 * US - 1), GUI_COMPUTING);
    cr_assert_eq(gui_scene_state_at(&scene, 1, 500 * US), GUI_WAITING);
    cairo_surface_t *picture = run_picture(&scene, WIDTH, HEIGHT);
    expect_paper(picture, &scene, AXIS + 150, 0);
    expect_state(picture, &scene, AXIS + 498, 1, GUI_COMPUTING);
    expect_state(picture, &scene, AXIS + 502, 1, GUI_WAITING);
    expect_state(picture, &scene, AXIS + 1188, 1, GUI_WAITING);
    cr_assert_gt(find_colour(picture, scene.network, state_colour(GUI_WAITING)).pixels, 50, "a node");
    cr_assert_gt(find_colour(picture, scene.ranks, state_colour(GUI_WAITING)).pixels, 50, "a row of the list");
    cairo_surface_destroy(picture);
    scene.cursor_ps = 0; /* rank 1 computes, rank 0 has no interval and has finished */
    picture = run_picture(&scene, WIDTH, HEIGHT);
    cr_assert_eq(find_colour(picture, scene.network, state_colour(GUI_WAITING)).pixels, 0);
    cr_assert_gt(find_colour(picture, scene.network, state_colour(GUI_COMPUTING)).pixels, 50);
    cairo_surface_destroy(picture);
    gui_scene_clear(&scene);
    run_close(&run);
}

Test(pictures, a_fault_stops_the_others)
{
    FinishedRun run;
    GuiScene scene;
    run_open(&run, "ring-8", "mpi.call-overhead=1 us", (RunEnd[2]){RUN_DIVIDES_BY_ZERO, RUN_FINISHES}, 2, END_PS);
    gui_scene_init(&scene, run.machine, &run.recording, "test");
    cr_assert_eq(gui_scene_state_at(&scene, 0, scene.end_ps), GUI_FAULTED);
    cr_assert_str_eq(gui_scene_state_name(GUI_FAULTED), "faulted");
    cr_assert_eq(gui_scene_state_at(&scene, 1, scene.end_ps), GUI_COMPUTING, "it has not ended");
    cairo_surface_t *picture = run_picture(&scene, WIDTH, HEIGHT);
    cr_assert_gt(find_colour(picture, scene.network, state_colour(GUI_FAULTED)).pixels, 50);
    cr_assert_gt(find_colour(picture, scene.network, state_colour(GUI_COMPUTING)).pixels, 50);
    cairo_surface_destroy(picture);
    gui_scene_clear(&scene);
    run_close(&run);
}

/* A dot moves from the sender's node to the receiver's while the message is in transit, and only then. */
Test(pictures, messages_under_way)
{
    FinishedRun run;
    GuiScene scene;
    run_open(&run, "linear-8", NULL, (RunEnd[8]){0}, 8, END_PS);
    run_message(&run, 0, 7, 200 * US, 600 * US);
    gui_scene_init(&scene, run.machine, &run.recording, "test");
    static const uint64_t outside[] = {0, 200 * US - 1, 600 * US, END_PS};
    for (size_t i = 0; i < G_N_ELEMENTS(outside); i++) {
        scene.cursor_ps = outside[i];
        cairo_surface_t *picture = run_picture(&scene, WIDTH, HEIGHT);
        cr_assert_eq(find_colour(picture, scene.network, message_colour).pixels, 0, "case %zu", i);
        cairo_surface_destroy(picture);
    }
    /* Half of the way is between the nodes of ranks 3 and 4, where no node covers the dot. Before that it is to the
     * left, by 2/7 of half of the way, between the nodes of 2 and 3. */
    scene.cursor_ps = 400 * US;
    cairo_surface_t *picture = run_picture(&scene, WIDTH, HEIGHT);
    Spots spots = find_colour(picture, scene.network, message_colour);
    cr_assert_gt(spots.pixels, 20);
    double half = spots.x;
    cr_assert_float_eq(half, scene.network.x + scene.network.width / 2, 1.5);
    cairo_surface_destroy(picture);
    scene.cursor_ps = 200 * US + (uint64_t)400 * US * 5 / 14;
    picture = run_picture(&scene, WIDTH, HEIGHT);
    double left = find_colour(picture, scene.network, message_colour).x;
    double line = scene.network.width - 60; /* from the first node to the last */
    cr_assert_float_eq(half - left, line / 7, 1.5, "%g left of %g", left, half);

    /* In the diagram the message is a line from row 0 at 200 to row 7 at 600: half way, it is between rows 3 and 4. */
    int y = (int)(scene.spacetime.y + scene.spacetime.height / 8 * 4), touched = 0;
    for (int x = AXIS + 396; x <= AXIS + 404; x++)
        touched += run_pixel(picture, x, y) != 0xffffff;
    cr_assert_gt(touched, 0);
    cairo_surface_destroy(picture);
    gui_scene_clear(&scene);
    run_close(&run);
}

/* Links without traffic are drawn, unless there are so many that nothing else could be seen. */
Test(pictures, idle_links)
{
    static const struct {
        const char *dims;
        bool drawn;
    } cases[] = {{"network.dims=4x4", true}, {"network.dims=64x64", false}}; /* 64 and 16,384 links */
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        FinishedRun run;
        GuiScene scene;
        run_open(&run, "torus-8x8x16", cases[i].dims, (RunEnd[1]){0}, 1, END_PS);
        gui_scene_init(&scene, run.machine, &run.recording, "test");
        cairo_surface_t *picture = run_picture(&scene, WIDTH, HEIGHT);
        Spots idle = find_colour(picture, scene.network, rounded(gui_paint_heat(0)));
        cr_assert_eq(idle.pixels > 0, cases[i].drawn, "%s: %d pixels", cases[i].dims, idle.pixels);
        cairo_surface_destroy(picture);
        gui_scene_clear(&scene);
        run_close(&run);
    }
}

/* The file holds the picture that is drawn. */
Test(pictures, files)
{
    FinishedRun run;
    GuiScene scene;
    g_autofree char *folder = g_dir_make_tmp("orrery-pictures-XXXXXX", NULL);
    g_autofree char *png = g_build_filename(folder, "a.png", NULL), *svg = g_build_filename(folder, "a.svg", NULL);
    g_autofree char *nowhere = g_build_filename(folder, "nosuch", "a.png", NULL);
    run_open(&run, "mesh-4x4", NULL, (RunEnd[4]){0}, 4, END_PS);
    run_interval(&run, 3, 0, END_PS, MPI_ACTIVITY_BLOCKED);
    GuiOptions options = {.title = "folder/test", .screenshot = png, .width = 400, .height = 300};
    cr_assert(gui_window_check_display(&options, NULL), "a picture needs no display");
    cr_assert(gui_window_show(run.machine, &run.recording, &options, NULL));
    gui_scene_init(&scene, run.machine, &run.recording, "test");
    cairo_surface_t *expected = run_picture(&scene, 400, 300), *got = cairo_image_surface_create_from_png(png);
    run_expect_same_pictures(got, expected);
    cairo_surface_destroy(got);
    cairo_surface_destroy(expected);
    gui_scene_clear(&scene);

    options = (GuiOptions){.screenshot = svg};
    cr_assert(gui_window_show(run.machine, &run.recording, &options, NULL));
    g_autofree char *text = NULL;
    cr_assert(g_file_get_contents(svg, &text, NULL, NULL));
    cr_assert(strstr(text, "viewBox=\"0 0 1280 800\""), "the size where none is given");

    options.screenshot = nowhere;
    g_autoptr(GError) error = NULL;
    cr_assert_not(gui_window_show(run.machine, &run.recording, &options, &error));
    g_autofree char *message = g_strdup_printf("cannot write the picture %s: ", nowhere);
    cr_assert(g_str_has_prefix(error->message, message), "%s", error->message);
    run_close(&run);
    g_unlink(png);
    g_unlink(svg);
    g_rmdir(folder);
}
