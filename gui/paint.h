/* paint.h - colours and text, the same in all panels. */
#ifndef ORRERY_GUI_PAINT_H
#define ORRERY_GUI_PAINT_H

#include "base/choice.h"

#include <cairo.h>

typedef struct GuiColour {
    double red, green, blue;
} GuiColour;

/* What a rank is doing. The first three are those of MpiActivity. */
#define GUI_STATES(CHOICE)                                                                                             \
    CHOICE(GUI_COMPUTING, "computing")                                                                                 \
    CHOICE(GUI_LIBRARY, "in the library")                                                                              \
    CHOICE(GUI_WAITING, "waiting")                                                                                     \
    CHOICE(GUI_FINISHED, "finished")                                                                                   \
    CHOICE(GUI_FAULTED, "faulted")
BASE_CHOICE_ENUM(GuiState, GUI_STATES);
GuiColour gui_paint_state(GuiState state);
/* Returns the colour of a link that was busy for this share of the time (mon_load_colour). */
GuiColour gui_paint_heat(double share);

void gui_paint_colour(cairo_t *cairo, GuiColour colour);
typedef enum GuiAlign { GUI_LEFT, GUI_CENTRE, GUI_RIGHT } GuiAlign;
/* Draws text with its vertical middle at y. Returns its width. */
double gui_paint_text(cairo_t *cairo, double x, double y, double size, GuiAlign align, const char *text);

extern const GuiColour gui_paint_ink, gui_paint_faint, gui_paint_paper;

#endif
