/* scene.h - what the drawing files of gui/ share: the scene.
 *
 * A scene is a finished run plus what the viewer looks at: the moment shown and the visible part of the time axis.
 * Cairo draws everything into the surface that is given (window, PNG, SVG), so all of them show the same picture.
 */
#ifndef ORRERY_GUI_SCENE_H
#define ORRERY_GUI_SCENE_H

#include "gui/paint.h"
#include "monitor/monitor.h"

#include <cairo.h>

typedef struct GuiRect {
    double x, y, width, height;
} GuiRect;

typedef struct GuiScene {
    Machine *machine;
    const MonRecording *recording;
    const char *title;
    uint64_t cursor_ps;                /* the moment that the network and the list of ranks show */
    uint64_t from_ps, to_ps;           /* visible part of the time axis */
    uint64_t end_ps;                   /* end of the time axis */
    uint32_t first_rank;               /* first row shown */
    GuiRect network, ranks, spacetime; /* where the panels were last drawn; needed to interpret the mouse */
    GArray **by_rank;                  /* per rank: indices of its intervals, in order of time */
} GuiScene;

void gui_scene_init(GuiScene *scene, Machine *machine, const MonRecording *recording, const char *title);
/* Initialises only what gui_scene_interval_at() needs. */
void gui_scene_index(GuiScene *scene, const MonRecording *recording);
void gui_scene_clear(GuiScene *scene);
/* The positions of the panels in a picture. */
typedef struct GuiPanels {
    GuiRect network, ranks, spacetime;
} GuiPanels;
GuiPanels gui_scene_panels(double width, double height);
/* Draws the whole picture. */
void gui_draw_scene(GuiScene *scene, cairo_t *cairo, double width, double height);

void gui_draw_network(GuiScene *scene, cairo_t *cairo, GuiRect area);
void gui_draw_ranks(GuiScene *scene, cairo_t *cairo, GuiRect area);
void gui_draw_spacetime(GuiScene *scene, cairo_t *cairo, GuiRect area);

/* Returns what a rank does at a time; NULL if no interval of it covers that time. O(log intervals). */
const MonInterval *gui_scene_interval_at(const GuiScene *scene, uint32_t rank, uint64_t time_ps);
/* Returns a rank's state. A rank that is in a deadlock waits for ever, whatever was recorded of it. */
GuiState gui_scene_state_at(const GuiScene *scene, uint32_t rank, uint64_t time_ps);
/* Returns a name: "computing", "in the library", "waiting" ... */
const char *gui_scene_state_name(GuiState state);

#endif
