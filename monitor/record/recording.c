/* recording.c - keeps what happened in a run, for pictures and exports.
 *
 * This observer appends: intervals and messages come in event order and are kept so. Adjacent intervals of one rank
 * with the same activity and call are merged, so a rank that computes for a million quanta is one interval. The result
 * is the same whatever the quantum is.
 */
#include "monitor/monitor.h"

typedef struct Recorder {
    MonRecording recording; /* must be first: callers see only this */
    GArray *last;           /* guint per rank: index + 1 of its last interval */
} Recorder;

static bool continues(const MonInterval *last, MpiActivity activity, uint64_t from_ps, const char *call)
{
    return last->activity == activity && last->to_ps == from_ps && g_strcmp0(last->call, call) == 0;
}

/* Ranks may come during the run. */
static guint *last_of(Recorder *recorder, uint32_t rank)
{
    if (rank >= recorder->last->len)
        g_array_set_size(recorder->last, rank + 1);
    recorder->recording.ranks = MAX(recorder->recording.ranks, rank + 1);
    return &g_array_index(recorder->last, guint, rank);
}

static void record_activity(void *user, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                            const char *call)
{
    Recorder *recorder = user;
    GArray *intervals = recorder->recording.intervals;
    if (from_ps >= to_ps)
        return;
    recorder->recording.end_ps = MAX(recorder->recording.end_ps, to_ps);
    guint *last_of_rank = last_of(recorder, rank);
    if (*last_of_rank > 0) {
        MonInterval *last = &g_array_index(intervals, MonInterval, *last_of_rank - 1);
        if (continues(last, activity, from_ps, call)) {
            last->to_ps = to_ps;
            return;
        }
    }
    MonInterval interval = {.from_ps = from_ps, .to_ps = to_ps, .rank = rank, .activity = activity, .call = call};
    g_array_append_val(intervals, interval);
    *last_of_rank = intervals->len;
}

static void record_message(void *user, const MpiMessageInfo *message)
{
    Recorder *recorder = user;
    recorder->recording.end_ps = MAX(recorder->recording.end_ps, message->delivered_ps);
    g_array_append_vals(recorder->recording.messages, message, 1);
}

MonRecording *mon_recording_new(Machine *machine)
{
    Recorder *recorder = g_new0(Recorder, 1);
    recorder->recording.intervals = g_array_new(FALSE, FALSE, sizeof(MonInterval));
    recorder->recording.messages = g_array_new(FALSE, FALSE, sizeof(MpiMessageInfo));
    recorder->recording.ranks = mach_run_ranks(machine);
    recorder->last = g_array_sized_new(FALSE, TRUE, sizeof(guint), recorder->recording.ranks);
    MachObserver observer = {.user = recorder, .activity = record_activity, .message = record_message};
    mach_run_observe(machine, &observer);
    return &recorder->recording;
}

void mon_recording_free(MonRecording *recording)
{
    if (!recording)
        return;
    Recorder *recorder = (Recorder *)recording;
    g_array_unref(recording->intervals);
    g_array_unref(recording->messages);
    g_array_unref(recorder->last);
    g_free(recorder);
}
