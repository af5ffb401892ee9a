/* scene.c - the scene's data and the layout of its panels; draw_scene.c draws it. */
#include "gui/scene.h"

void gui_scene_index(GuiScene *scene, const MonRecording *recording)
{
    *scene = (GuiScene){.recording = recording};
    scene->by_rank = g_new0(GArray *, recording->ranks);
    for (uint32_t rank = 0; rank < recording->ranks; rank++)
        scene->by_rank[rank] = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < recording->intervals->len; i++) {
        const MonInterval *interval = &g_array_index(recording->intervals, MonInterval, i);
        g_array_append_val(scene->by_rank[interval->rank], i);
    }
}

void gui_scene_init(GuiScene *scene, Machine *machine, const MonRecording *recording, const char *title)
{
    gui_scene_index(scene, recording);
    scene->machine = machine;
    scene->title = title;
    scene->end_ps = MAX(MAX(recording->end_ps, mach_run_makespan(machine)), 1);
    scene->to_ps = scene->end_ps;
    scene->cursor_ps = scene->end_ps / 2;
    for (uint32_t rank = 0; rank < recording->ranks; rank++) /* if a run went wrong, its end is what matters */
        if (mach_run_rank_state(machine, rank) != MACH_RANK_FINISHED)
            scene->cursor_ps = scene->end_ps;
}

void gui_scene_clear(GuiScene *scene)
{
    for (uint32_t rank = 0; rank < scene->recording->ranks; rank++)
        g_array_unref(scene->by_rank[rank]);
    g_free(scene->by_rank);
    scene->by_rank = NULL;
}

const MonInterval *gui_scene_interval_at(const GuiScene *scene, uint32_t rank, uint64_t time_ps)
{
    const GArray *list = scene->by_rank[rank];
    guint low = 0, high = list->len;
    while (low < high) { /* finds the first interval that ends after the time */
        guint middle = (low + high) / 2;
        const MonInterval *interval =
            &g_array_index(scene->recording->intervals, MonInterval, g_array_index(list, guint, middle));
        if (interval->to_ps <= time_ps)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == list->len)
        return NULL;
    const MonInterval *found =
        &g_array_index(scene->recording->intervals, MonInterval, g_array_index(list, guint, low));
    return found->from_ps <= time_ps ? found : NULL;
}

GuiState gui_scene_state_at(const GuiScene *scene, uint32_t rank, uint64_t time_ps)
{
    const MonInterval *interval = gui_scene_interval_at(scene, rank, time_ps);
    if (interval)
        return (GuiState)interval->activity;
    switch (mach_run_rank_state(scene->machine, rank)) {
    case MACH_RANK_BLOCKED: return GUI_WAITING;
    case MACH_RANK_FAULTED: return GUI_FAULTED;
    case MACH_RANK_READY: return GUI_COMPUTING;
    case MACH_RANK_KILLED:
    case MACH_RANK_FINISHED: break;
    }
    return GUI_FINISHED;
}

const char *gui_scene_state_name(GuiState state)
{
    static const char *const names[] = BASE_CHOICE_NAMES(GUI_STATES);
    return names[state];
}

GuiPanels gui_scene_panels(double width, double height)
{
    const double margin = 8, top = 36;
    double upper = (height - top) * 0.52, left = width * 0.58;
    return (GuiPanels){
        .network = {margin, top, left - 1.5 * margin, upper - margin},
        .ranks = {left + 0.5 * margin, top, width - left - 1.5 * margin, upper - margin},
        .spacetime = {margin, top + upper, width - 2 * margin, height - top - upper - margin},
    };
}
