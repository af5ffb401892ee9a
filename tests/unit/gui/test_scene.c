/* test_scene.c - the scene: what each rank does at a moment, and where the panels are. */
#include "gui/scene.h"
#include <criterion/criterion.h>

typedef struct Fixture {
    MonRecording recording;
    GuiScene scene;
} Fixture;

static void add(Fixture *fixture, uint32_t rank, uint64_t from_ps, uint64_t to_ps, MpiActivity activity)
{
    MonInterval interval = {.from_ps = from_ps, .to_ps = to_ps, .rank = rank, .activity = activity};
    g_array_append_val(fixture->recording.intervals, interval);
}

/* There are two ranks. Rank 0 computes, is not recorded for a while, then waits. Rank 1 has no intervals. The intervals
 * of the ranks are interleaved, as events are. */
static void set_up(Fixture *fixture)
{
    *fixture = (Fixture){.recording = {.ranks = 3, .end_ps = 100}};
    fixture->recording.intervals = g_array_new(FALSE, FALSE, sizeof(MonInterval));
    add(fixture, 0, 10, 20, MPI_ACTIVITY_COMPUTE);
    add(fixture, 2, 0, 15, MPI_ACTIVITY_COMPUTE);
    add(fixture, 0, 30, 40, MPI_ACTIVITY_BLOCKED);
    add(fixture, 2, 15, 100, MPI_ACTIVITY_OVERHEAD);
    add(fixture, 0, 40, 41, MPI_ACTIVITY_COMPUTE);
    gui_scene_index(&fixture->scene, &fixture->recording);
}

static void tear_down(Fixture *fixture)
{
    gui_scene_clear(&fixture->scene);
    g_array_unref(fixture->recording.intervals);
}

/* An interval includes its beginning, but not its end. */
Test(scene, interval_at_a_moment)
{
    static const struct {
        uint32_t rank;
        uint64_t time_ps;
        int64_t from_ps; /* beginning of the expected interval; -1: none */
    } cases[] = {{0, 0, -1},  {0, 9, -1},  {0, 10, 10}, {0, 19, 10}, {0, 20, -1},  {0, 29, -1},
                 {0, 30, 30}, {0, 39, 30}, {0, 40, 40}, {0, 41, -1}, {1, 0, -1},   {1, 50, -1},
                 {2, 0, 0},   {2, 14, 0},  {2, 15, 15}, {2, 99, 15}, {2, 100, -1}, {2, UINT64_MAX, -1}};
    Fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const MonInterval *found = gui_scene_interval_at(&fixture.scene, cases[i].rank, cases[i].time_ps);
        int64_t from = found != NULL ? (int64_t)found->from_ps : -1;
        cr_assert_eq(from, cases[i].from_ps, "case %zu", i);
        cr_assert(found == NULL || found->rank == cases[i].rank);
    }
    tear_down(&fixture);
}

static bool apart(GuiRect a, GuiRect b)
{
    return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

/* At every size that --size allows, panels are inside the picture, are not empty and do not overlap. */
Test(scene, panels)
{
    static const int sizes[][2] = {{320, 240}, {321, 241}, {1280, 800}, {240, 16384}, {16384, 240}, {16384, 16384}};
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        GuiRect all = {0, 0, MAX(sizes[i][0], 320), sizes[i][1]};
        GuiPanels panels = gui_scene_panels(all.width, all.height);
        const GuiRect list[] = {panels.network, panels.ranks, panels.spacetime};
        for (int k = 0; k < 3; k++) {
            cr_assert(list[k].width > 80 && list[k].height > 60);
            cr_assert(list[k].x >= 0 && list[k].x + list[k].width <= all.width);
            cr_assert(list[k].y >= 0 && list[k].y + list[k].height <= all.height);
            cr_assert(apart(list[k], list[(k + 1) % 3]));
        }
    }
}

/* A busier link has less green: from grey through yellow to red. */
Test(scene, heat)
{
    for (double share = 0.0; share < 1.0; share += 0.125) {
        GuiColour cool = gui_paint_heat(share), hot = gui_paint_heat(share + 0.125);
        cr_assert_lt(hot.green, cool.green);
    }
    GuiColour beyond = gui_paint_heat(7.0), most = gui_paint_heat(1.0);
    cr_assert(beyond.red == most.red && beyond.blue == most.blue);
}
