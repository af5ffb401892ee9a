/* window.c - the SDL2 window around a scene, and pictures written to files.
 *
 * The window has no state of its own but the scene. Every event changes the scene, and then the whole picture is drawn
 * again.
 *
 *   click or drag in the diagram   move the moment shown        wheel        zoom the time axis around the mouse
 *   left, right                    step the moment              shift+wheel  scroll the ranks
 *   0                              whole run                    S            write orrery.svg       Q, Esc   quit
 */
#include "gui/gui.h"
#include "gui/scene.h"

#include <SDL.h>
#include <cairo-svg.h>

#define GUI_ERROR (gui_error_quark())
enum { GUI_ERROR_DISPLAY, GUI_ERROR_FILE };

static GQuark gui_error_quark(void)
{
    return g_quark_from_static_string("orrery-gui-error");
}

/* -- files ------------------------------------------------------------------------------------- */

static bool check_written(cairo_status_t status, const char *path, GError **error)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    g_set_error(error, GUI_ERROR, GUI_ERROR_FILE, "cannot write the picture %s: %s", path,
                cairo_status_to_string(status));
    return false;
}

static bool write_picture(GuiScene *scene, const char *path, int width, int height, GError **error)
{
    bool svg = g_str_has_suffix(path, ".svg");
    cairo_surface_t *surface = svg ? cairo_svg_surface_create(path, width, height)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *cairo = cairo_create(surface);
    gui_draw_scene(scene, cairo, width, height);
    cairo_destroy(cairo);
    cairo_status_t status;
    if (svg) {
        cairo_surface_finish(surface);
        status = cairo_surface_status(surface);
    } else {
        status = cairo_surface_write_to_png(surface, path);
    }
    cairo_surface_destroy(surface);
    return check_written(status, path, error);
}

/* -- window ------------------------------------------------------------------------------------ */

typedef struct Window {
    SDL_Window *window;
    SDL_Renderer *renderer;
    GuiScene *scene;
    bool dragging, quit;
} Window;

static bool open_display(GError **error)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        g_set_error(
            error, GUI_ERROR, GUI_ERROR_DISPLAY,
            "cannot open a display: %s (is DISPLAY or WAYLAND_DISPLAY set? --screenshot FILE works without one)",
            SDL_GetError());
        return false;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (!SDL_getenv("SDL_VIDEODRIVER") && (!g_strcmp0(driver, "offscreen") || !g_strcmp0(driver, "dummy"))) {
        g_set_error_literal(error, GUI_ERROR, GUI_ERROR_DISPLAY,
                            "there is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY leads to one "
                            "(--screenshot FILE works without)");
        return false;
    }
    return true;
}

bool gui_window_check_display(const GuiOptions *options, GError **error)
{
    if (options->screenshot && !options->window)
        return true;
    bool good = open_display(error);
    SDL_Quit(); /* the window is opened later, when there is something to show */
    return good;
}

static bool open_window(Window *window, const char *title, int width, int height, GError **error)
{
    if (!open_display(error))
        return false;
    window->window =
        SDL_CreateWindow(title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height, SDL_WINDOW_RESIZABLE);
    if (window->window)
        window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_SOFTWARE);
    if (!window->renderer) {
        g_set_error(error, GUI_ERROR, GUI_ERROR_DISPLAY, "cannot open a window: %s", SDL_GetError());
        return false;
    }
    return true;
}

static void close_window(Window *window)
{
    if (window->renderer)
        SDL_DestroyRenderer(window->renderer);
    if (window->window)
        SDL_DestroyWindow(window->window);
    SDL_Quit();
}

/* Draws the scene with Cairo directly into a texture's memory. */
static void paint(Window *window)
{
    int width, height, pitch;
    void *pixels;
    SDL_GetRendererOutputSize(window->renderer, &width, &height);
    SDL_Texture *texture =
        SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STREAMING, width, height);
    if (!texture || SDL_LockTexture(texture, NULL, &pixels, &pitch) != 0)
        return;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_RGB24, width, height, pitch);
    cairo_t *cairo = cairo_create(surface);
    gui_draw_scene(window->scene, cairo, width, height);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    SDL_UnlockTexture(texture);
    SDL_RenderCopy(window->renderer, texture, NULL, NULL);
    SDL_DestroyTexture(texture);
}

static uint64_t time_at(const GuiScene *scene, double x)
{
    double share = CLAMP((x - scene->spacetime.x) / MAX(scene->spacetime.width, 1.0), 0.0, 1.0);
    return scene->from_ps + (uint64_t)(share * (double)(scene->to_ps - scene->from_ps));
}

static bool inside(GuiRect area, double x, double y)
{
    return x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height;
}

static void zoom(GuiScene *scene, double x, double factor)
{
    double span = (double)(scene->to_ps - scene->from_ps) * factor, end = (double)scene->end_ps;
    double centre = (double)time_at(scene, x),
           share = (centre - (double)scene->from_ps) / (double)(scene->to_ps - scene->from_ps);
    span = CLAMP(span, 100.0, end);
    double from = CLAMP(centre - share * span, 0.0, end - span);
    scene->from_ps = (uint64_t)from;
    scene->to_ps = (uint64_t)(from + span);
}

static void scroll_ranks(GuiScene *scene, int rows)
{
    int64_t first = (int64_t)scene->first_rank + rows;
    scene->first_rank = (uint32_t)CLAMP(first, 0, (int64_t)scene->recording->ranks - 1);
}

static void step_cursor(GuiScene *scene, double share)
{
    double moved = (double)scene->cursor_ps + share * (double)(scene->to_ps - scene->from_ps);
    scene->cursor_ps = (uint64_t)CLAMP(moved, 0.0, (double)scene->end_ps);
}

static void on_key(Window *window, SDL_Keycode key)
{
    switch (key) {
    case SDLK_q:
    case SDLK_ESCAPE: window->quit = true; break;
    case SDLK_LEFT: step_cursor(window->scene, -0.01); break;
    case SDLK_RIGHT: step_cursor(window->scene, 0.01); break;
    case SDLK_0:
        window->scene->from_ps = 0;
        window->scene->to_ps = window->scene->end_ps;
        break;
    case SDLK_s: {
        g_autoptr(GError) problem = NULL;
        if (!write_picture(window->scene, "orrery.svg", GUI_WIDTH, GUI_HEIGHT, &problem))
            g_printerr("orrery: %s\n", problem->message);
        break;
    }
    default: break;
    }
}

static void on_event(Window *window, const SDL_Event *event)
{
    GuiScene *scene = window->scene;
    int x, y;
    switch (event->type) {
    case SDL_QUIT: window->quit = true; break;
    case SDL_KEYDOWN: on_key(window, event->key.keysym.sym); break;
    case SDL_MOUSEBUTTONDOWN:
        window->dragging = inside(scene->spacetime, event->button.x, event->button.y);
        if (window->dragging)
            scene->cursor_ps = time_at(scene, event->button.x);
        break;
    case SDL_MOUSEBUTTONUP: window->dragging = false; break;
    case SDL_MOUSEMOTION:
        if (window->dragging)
            scene->cursor_ps = time_at(scene, event->motion.x);
        break;
    case SDL_MOUSEWHEEL:
        SDL_GetMouseState(&x, &y);
        if ((SDL_GetModState() & KMOD_SHIFT) != 0 || inside(scene->ranks, x, y))
            scroll_ranks(scene, -event->wheel.y);
        else
            zoom(scene, x, event->wheel.y > 0 ? 0.8 : 1.25);
        break;
    default: break;
    }
}

/* Writes what the window really shows, read back from it, to a file. */
static bool window_picture(Window *window, const char *path, GError **error)
{
    int width, height;
    SDL_GetRendererOutputSize(window->renderer, &width, &height);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_surface_flush(surface);
    int failed = SDL_RenderReadPixels(window->renderer, NULL, SDL_PIXELFORMAT_RGB888,
                                      cairo_image_surface_get_data(surface), cairo_image_surface_get_stride(surface));
    cairo_surface_mark_dirty(surface);
    bool ok = !failed && check_written(cairo_surface_write_to_png(surface, path), path, error);
    if (failed)
        g_set_error(error, GUI_ERROR, GUI_ERROR_DISPLAY, "cannot read the window back: %s", SDL_GetError());
    cairo_surface_destroy(surface);
    return ok;
}

static bool run_window(GuiScene *scene, const GuiOptions *options, int width, int height, GError **error)
{
    Window window = {.scene = scene};
    bool ok = open_window(&window, scene->title, width, height, error);
    if (ok && options->screenshot) {
        SDL_PumpEvents();
        paint(&window);
        ok = window_picture(&window, options->screenshot, error);
        SDL_RenderPresent(window.renderer);
        window.quit = true;
    }
    while (ok && !window.quit) {
        SDL_Event event;
        paint(&window);
        SDL_RenderPresent(window.renderer);
        if (SDL_WaitEvent(&event)) {
            on_event(&window, &event);
            while (SDL_PollEvent(&event))
                on_event(&window, &event);
        }
    }
    close_window(&window);
    return ok;
}

bool gui_window_show(Machine *machine, const MonRecording *recording, const GuiOptions *options, GError **error)
{
    GuiScene scene;
    int width = options->width > 0 ? options->width : GUI_WIDTH;
    int height = options->height > 0 ? options->height : GUI_HEIGHT;
    gui_scene_init(&scene, machine, recording, options->title ? options->title : "orrery");
    bool ok = options->screenshot && !options->window ? write_picture(&scene, options->screenshot, width, height, error)
                                                      : run_window(&scene, options, width, height, error);
    gui_scene_clear(&scene);
    return ok;
}
