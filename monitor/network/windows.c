/* windows.c - what channels were used for, in windows of virtual time.
 *
 * A channel has windows once something has happened there. Windows have the length that was asked for, or begin with a
 * nanosecond. When there would be too many, their length is doubled, so memory stays bounded however long the run is.
 * The sums of two windows add up to those of the window that they become. So it does not matter when that happens, nor
 * in which order anything is reported.
 *
 * Amounts that took some time (bytes on the wire, waiting) are spread evenly over it, exactly: the share up to a moment
 * is rounded down, and each window has the difference between its end and its beginning. A packet counts where its last
 * bit went.
 */
#include "monitor/network/network.h"

enum { MOST_CHOSEN = 64, MOST_GIVEN = 4096, SHORTEST_PS = 1000 };

typedef struct Series { /* the windows of a channel */
    MonUse *use;
    uint32_t count, capacity;
    uint32_t doublings; /* doublings that have been applied to it */
    uint64_t held_ps;   /* until then the channel has been held */
} Series;

struct MonWindows {
    uint64_t window_ps;
    uint32_t most, doublings; /* most windows of a channel; how often window_ps has been doubled */
    Series *series;
    size_t channels;
};

MonWindows *mon_windows_new(size_t channels, uint64_t window_ps)
{
    MonWindows *windows = g_new0(MonWindows, 1);
    windows->window_ps = window_ps ? window_ps : SHORTEST_PS;
    windows->most = window_ps ? MOST_GIVEN : MOST_CHOSEN;
    windows->channels = channels;
    windows->series = g_new0(Series, channels);
    return windows;
}

void mon_windows_free(MonWindows *windows)
{
    if (!windows)
        return;
    for (size_t i = 0; i < windows->channels; i++)
        g_free(windows->series[i].use);
    g_free(windows->series);
    g_free(windows);
}

uint64_t mon_windows_length(const MonWindows *windows)
{
    return windows->window_ps;
}

/* -- making room ------------------------------------------------------------------------------- */

static MonUse sum_of(const MonUse *a, const MonUse *b)
{
    return (MonUse){.bytes = a->bytes + b->bytes,
                    .packets = a->packets + b->packets,
                    .busy_ps = a->busy_ps + b->busy_ps,
                    .held_ps = a->held_ps + b->held_ps,
                    .blocked_ps = a->blocked_ps + b->blocked_ps,
                    .queue_ps = a->queue_ps + b->queue_ps,
                    .most = MAX(a->most, b->most)};
}

/* Merges every two windows of a channel into one, once for each doubling that it has missed. */
static void catch_up(const MonWindows *windows, Series *series)
{
    static const MonUse nothing = {0};
    for (; series->doublings < windows->doublings; series->doublings++) {
        for (uint32_t i = 0; i < series->count; i += 2)
            series->use[i / 2] = sum_of(&series->use[i], i + 1 < series->count ? &series->use[i + 1] : &nothing);
        series->count = (series->count + 1) / 2;
    }
}

static MonUse *use_at(Series *series, uint64_t window)
{
    if (window >= series->capacity) {
        series->capacity = (uint32_t)MAX(window + 1, 2 * (uint64_t)series->capacity);
        series->use = g_renew(MonUse, series->use, series->capacity);
    }
    for (; series->count <= window; series->count++)
        series->use[series->count] = (MonUse){0};
    return &series->use[window];
}

/* Returns a channel's windows, with room for what happens before or at `end_ps`. */
static Series *series_for(MonWindows *windows, size_t channel, uint64_t end_ps)
{
    g_assert(channel < windows->channels);
    while (end_ps / windows->window_ps >= windows->most && windows->window_ps <= UINT64_MAX / 2) {
        windows->window_ps *= 2;
        windows->doublings++;
    }
    catch_up(windows, &windows->series[channel]);
    return &windows->series[channel];
}

/* -- adding ------------------------------------------------------------------------------------ */

/* Returns the share up to a moment of what is spread evenly over a time. */
static uint64_t share_until(uint64_t total, uint64_t from_ps, uint64_t to_ps, uint64_t moment_ps)
{
    return (uint64_t)((unsigned __int128)total * (moment_ps - from_ps) / (to_ps - from_ps));
}

/* Spreads `total` over [from, to). What takes no time belongs to the window that it is in. */
static void spread(const MonWindows *windows, Series *series, size_t field, uint64_t total, uint64_t from_ps,
                   uint64_t to_ps)
{
    uint64_t length = windows->window_ps, done = 0;
    if (!total)
        return;
    if (to_ps <= from_ps) {
        *(uint64_t *)((char *)use_at(series, from_ps / length) + field) += total;
        return;
    }
    for (uint64_t window = from_ps / length; window <= (to_ps - 1) / length; window++) {
        uint64_t end = MIN((window + 1) * length, to_ps), share = share_until(total, from_ps, to_ps, end);
        *(uint64_t *)((char *)use_at(series, window) + field) += share - done;
        done = share;
    }
}

#define SPREAD(field, total, from_ps, to_ps)                                                                           \
    spread(windows, series, offsetof(MonUse, field), (total), (from_ps), (to_ps))

void mon_windows_passed(MonWindows *windows, size_t channel, const NetPassage *passage)
{
    Series *series = series_for(windows, channel, passage->left_ps);
    uint64_t got = passage->got_ps, left = passage->left_ps, last = left > got ? left - 1 : left;
    SPREAD(bytes, passage->bytes, got, left);
    SPREAD(busy_ps, passage->busy_ps, got, left);
    SPREAD(blocked_ps, got - passage->asked_ps, passage->asked_ps, got);
    use_at(series, last / windows->window_ps)->packets += passage->packets;
    /* The next packet has the channel before the last bit of the previous one has left. */
    got = MAX(got, series->held_ps);
    if (left > got)
        SPREAD(held_ps, left - got, got, left);
    series->held_ps = MAX(series->held_ps, left);
}

void mon_windows_queue(MonWindows *windows, size_t channel, uint64_t from_ps, uint64_t to_ps, uint32_t depth)
{
    g_assert(from_ps < to_ps);
    Series *series = series_for(windows, channel, to_ps);
    SPREAD(queue_ps, (to_ps - from_ps) * depth, from_ps, to_ps);
    for (uint64_t window = from_ps / windows->window_ps; window <= (to_ps - 1) / windows->window_ps; window++) {
        MonUse *use = use_at(series, window);
        use->most = MAX(use->most, depth);
    }
}

/* -- looking ----------------------------------------------------------------------------------- */

uint32_t mon_windows_count(MonWindows *windows, size_t channel)
{
    catch_up(windows, &windows->series[channel]);
    return windows->series[channel].count;
}

const MonUse *mon_windows_use(MonWindows *windows, size_t channel, uint32_t window)
{
    g_assert(window < mon_windows_count(windows, channel));
    return &windows->series[channel].use[window];
}
