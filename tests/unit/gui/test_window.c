/* test_window.c - what mouse and keys do, in a window without a screen (SDL's driver "dummy").
 *
 * A test makes the user act in the window. It ends with S, which writes what is shown to a file, and compares that with
 * the picture of a scene that it has made itself. The window is 1280 x 800. Its time axis has 1192 pixels of 1 us from
 * x = 64.
 */
#include "finished_run.h"

#include <SDL.h>
#include <cairo-svg.h>
#include <glib/gstdio.h>
#include <unistd.h>

enum { US = 1000000, AXIS = 64, END_PS = 1192 * US, RANKS = 3, INSIDE_Y = 600 };

typedef struct Act { /* an action of the user */
    enum { KEY, PRESS, MOVE, RELEASE, WHEEL } kind;
    int what; /* a key; x; turns of the wheel, positive is up */
    int y;
} Act;

typedef struct User {
    const Act *acts;
    size_t n;
    int mouse_x, mouse_y;
    bool shift, acted;
} User;

static void push(const Act *act)
{
    SDL_Event event = {0};
    switch (act->kind) {
    case KEY:
        event.type = SDL_KEYDOWN;
        event.key.keysym.sym = act->what;
        break;
    case PRESS:
    case RELEASE:
        event.type = act->kind == PRESS ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        event.button.x = act->what;
        event.button.y = act->y;
        break;
    case MOVE:
        event.type = SDL_MOUSEMOTION;
        event.motion.x = act->what;
        event.motion.y = act->y;
        break;
    case WHEEL:
        event.type = SDL_MOUSEWHEEL;
        event.wheel.y = act->what;
        break;
    }
    cr_assert_eq(SDL_PushEvent(&event), 1);
}

/* Does everything at once when the window appears. */
static int act_in_window(void *data, SDL_Event *event)
{
    User *user = data;
    if (user->acted || event->type != SDL_WINDOWEVENT || event->window.event != SDL_WINDOWEVENT_SHOWN)
        return 0;
    user->acted = true;
    SDL_WarpMouseInWindow(SDL_GetWindowFromID(event->window.windowID), user->mouse_x, user->mouse_y);
    SDL_SetModState(user->shift ? KMOD_LSHIFT : KMOD_NONE);
    for (size_t i = 0; i < user->n; i++)
        push(&user->acts[i]);
    push(&(Act){KEY, SDLK_s, 0});
    push(&(Act){KEY, SDLK_q, 0});
    return 0;
}

/* Returns the text of a picture without the numbers that Cairo gives to surfaces. */
static char *read_picture(const char *path)
{
    g_autofree char *text = NULL;
    cr_assert(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
    g_autoptr(GRegex) numbers = g_regex_new("(surface|clip|glyph|mask)[0-9]+(-[0-9]+)*", 0, 0, NULL);
    return g_regex_replace(numbers, text, -1, 0, "\\1", 0, NULL);
}

static void draw_expected(GuiScene *scene, const char *path)
{
    cairo_surface_t *surface = cairo_svg_surface_create(path, 1280, 800);
    cairo_t *cairo = cairo_create(surface);
    gui_draw_scene(scene, cairo, 1280, 800);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
}

typedef struct View { /* the view that is expected */
    uint64_t cursor_ps, from_ps, to_ps;
    uint32_t first_rank;
} View;
static const View at_first = {END_PS / 2, 0, END_PS, 0};

static void set_up(void)
{
    g_autofree char *folder = g_dir_make_tmp("orrery-window-XXXXXX", NULL);
    cr_assert_eq(chdir(folder), 0);
    g_setenv("SDL_VIDEODRIVER", "dummy", TRUE);
}

static void tear_down(void)
{
    g_autofree char *folder = g_get_current_dir();
    g_unlink("orrery.svg");
    g_unlink("expected.svg");
    g_unlink("window.png");
    g_rmdir(folder);
}

TestSuite(window, .init = set_up, .fini = tear_down);

static void open_run(FinishedRun *run)
{
    run_open(run, "ring-8", NULL, (RunEnd[RANKS]){0}, RANKS, END_PS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        run_interval(run, rank, 0, 100 * US * (rank + 1), MPI_ACTIVITY_COMPUTE);
        run_interval(run, rank, 100 * US * (rank + 1), END_PS, MPI_ACTIVITY_BLOCKED);
    }
}

static void expect_view(User user, View view)
{
    FinishedRun run;
    GuiScene scene;
    open_run(&run);
    SDL_AddEventWatch(act_in_window, &user);
    g_autoptr(GError) error = NULL;
    const GuiOptions options = {.title = "test"};
    cr_assert(gui_window_show(run.machine, &run.recording, &options, &error), "%s", error ? error->message : "");
    SDL_DelEventWatch(act_in_window, &user);
    cr_assert(user.acted);

    gui_scene_init(&scene, run.machine, &run.recording, "test");
    scene.cursor_ps = view.cursor_ps;
    scene.from_ps = view.from_ps;
    scene.to_ps = view.to_ps;
    scene.first_rank = view.first_rank;
    draw_expected(&scene, "expected.svg");
    g_autofree char *got = read_picture("orrery.svg"), *expected = read_picture("expected.svg");
    cr_assert(strcmp(got, expected) == 0, "the window shows something else");
    gui_scene_clear(&scene);
    run_close(&run);
}

#define ACTS(...) .acts = (const Act[]){__VA_ARGS__}, .n = G_N_ELEMENTS(((const Act[]){__VA_ARGS__}))

/* Views that differ only in one field have different pictures, or the other tests would prove nothing. */
Test(window, pictures_tell_views_apart)
{
    FinishedRun run;
    GuiScene scene;
    open_run(&run);
    gui_scene_init(&scene, run.machine, &run.recording, "test");
    draw_expected(&scene, "expected.svg");
    scene.cursor_ps += US;
    draw_expected(&scene, "orrery.svg");
    g_autofree char *first = read_picture("expected.svg"), *second = read_picture("orrery.svg");
    cr_assert_neq(strcmp(first, second), 0);
    scene.cursor_ps -= US;
    draw_expected(&scene, "orrery.svg");
    g_autofree char *again = read_picture("orrery.svg");
    cr_assert_eq(strcmp(first, again), 0);
    gui_scene_clear(&scene);
    run_close(&run);
}

Test(window, shows_the_middle_at_first)
{
    expect_view((User){.acts = NULL}, at_first);
}

Test(window, click_moves_the_moment)
{
    View view = at_first;
    view.cursor_ps = 298 * US;
    expect_view(
        (User){ACTS({PRESS, AXIS + 298, INSIDE_Y}, {RELEASE, AXIS + 298, INSIDE_Y}, {MOVE, AXIS + 500, INSIDE_Y})},
        view);
}

Test(window, clicks_beside_the_diagram_do_nothing)
{
    expect_view((User){ACTS({PRESS, AXIS + 298, 100}, {MOVE, AXIS + 298, INSIDE_Y}, {PRESS, AXIS - 1, INSIDE_Y})},
                at_first);
}

Test(window, drag_moves_the_moment_and_stays_on_the_axis)
{
    View view = at_first;
    view.cursor_ps = 894 * US;
    expect_view((User){ACTS({PRESS, AXIS + 298, INSIDE_Y}, {MOVE, AXIS + 894, 100})}, view);
    view.cursor_ps = 0;
    expect_view((User){ACTS({PRESS, AXIS + 298, INSIDE_Y}, {MOVE, 3, INSIDE_Y})}, view);
    view.cursor_ps = END_PS;
    expect_view((User){ACTS({PRESS, AXIS + 298, INSIDE_Y}, {MOVE, 1279, INSIDE_Y})}, view);
}

/* A step is a hundredth of the visible time. */
Test(window, arrows_step_the_moment)
{
    View view = at_first;
    view.cursor_ps = END_PS / 2 + 11920000;
    expect_view((User){ACTS({KEY, SDLK_RIGHT, 0}, {KEY, SDLK_RIGHT, 0}, {KEY, SDLK_LEFT, 0}, {KEY, SDLK_x, 0})}, view);
    view.cursor_ps = 0;
    expect_view((User){ACTS({PRESS, AXIS, INSIDE_Y}, {KEY, SDLK_LEFT, 0})}, view);
}

/* The wheel zooms by a fifth. The time below the mouse stays there: 298 ns, a quarter of the way. */
Test(window, wheel_zooms_around_the_mouse)
{
    View view = at_first;
    view.from_ps = 298 * US - 953600000 / 4;
    view.to_ps = 298 * US + 953600000 / 4 * 3;
    User user = {.mouse_x = AXIS + 298, .mouse_y = INSIDE_Y, ACTS({WHEEL, 1, 0})};
    expect_view(user, view);
    User back = {.mouse_x = AXIS + 298, .mouse_y = INSIDE_Y, ACTS({WHEEL, 1, 0}, {WHEEL, -1, 0}, {WHEEL, -1, 0})};
    expect_view(back, at_first); /* no further than the whole run */
    User whole = {.mouse_x = AXIS + 298, .mouse_y = INSIDE_Y, ACTS({WHEEL, 1, 0}, {WHEEL, 1, 0}, {KEY, SDLK_0, 0})};
    expect_view(whole, at_first);
}

/* The axis shows at least 100 ps: 0.8 to the 80th of it would be 21 ps. */
Test(window, zoom_ends)
{
    Act acts[80];
    for (size_t i = 0; i < G_N_ELEMENTS(acts); i++)
        acts[i] = (Act){WHEEL, 1, 0};
    View view = at_first;
    view.to_ps = 100;
    expect_view((User){.mouse_x = AXIS, .mouse_y = INSIDE_Y, .acts = acts, .n = G_N_ELEMENTS(acts)}, view);
}

Test(window, wheel_scrolls_the_ranks)
{
    View view = at_first;
    view.first_rank = 1;
    User shifted = {.shift = true, .mouse_x = AXIS + 298, .mouse_y = INSIDE_Y, ACTS({WHEEL, -1, 0})};
    expect_view(shifted, view);
    User above_list = {.mouse_x = 1000, .mouse_y = 200, ACTS({WHEEL, -1, 0}, {WHEEL, -1, 0}, {WHEEL, 1, 0})};
    expect_view(above_list, view);
    view.first_rank = RANKS - 1;
    User far = {.shift = true, ACTS({WHEEL, -10, 0})};
    expect_view(far, view);
    User first = {.shift = true, ACTS({WHEEL, -1, 0}, {WHEEL, 10, 0})};
    expect_view(first, at_first);
}

/* The window shows the picture that is drawn. */
Test(window, picture_of_the_window)
{
    FinishedRun run;
    GuiScene scene;
    open_run(&run);
    const GuiOptions options = {
        .title = "test", .screenshot = "window.png", .window = true, .width = 400, .height = 300};
    g_autoptr(GError) error = NULL;
    cr_assert(gui_window_check_display(&options, &error), "%s", error ? error->message : "");
    cr_assert(gui_window_show(run.machine, &run.recording, &options, &error), "%s", error ? error->message : "");
    gui_scene_init(&scene, run.machine, &run.recording, "test");
    cairo_surface_t *got = cairo_image_surface_create_from_png("window.png"), *expected = run_picture(&scene, 400, 300);
    run_expect_same_pictures(got, expected);
    cairo_surface_destroy(got);
    cairo_surface_destroy(expected);
    gui_scene_clear(&scene);
    run_close(&run);
}

Test(window, no_display)
{
    FinishedRun run;
    open_run(&run);
    g_setenv("SDL_VIDEODRIVER", "nosuch", TRUE);
    const GuiOptions options = {.title = "test"};
    g_autoptr(GError) checked = NULL, shown = NULL;
    cr_assert_not(gui_window_check_display(&options, &checked));
    cr_assert(g_str_has_prefix(checked->message, "cannot open a display: "), "%s", checked->message);
    cr_assert(strstr(checked->message, "--screenshot FILE works without one"), "%s", checked->message);
    cr_assert_not(gui_window_show(run.machine, &run.recording, &options, &shown));
    cr_assert_str_eq(shown->message, checked->message);
    run_close(&run);
}
