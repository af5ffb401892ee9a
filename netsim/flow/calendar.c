/* calendar.c - which stream's flow ends first.
 *
 * Rates change far more often than flows end, and an event cannot be removed from the network's queue. Therefore that
 * queue has an event for the first end only. All ends are in this calendar, a binary heap in which every stream knows
 * its index. Only an end that comes nearer moves at once. An end that moves away stays where it is until it comes to
 * the top.
 */
#include "netsim/flow/flow.h"
#include "netsim/params/params.h"

static bool is_before(const FlowDate *a, const FlowDate *b)
{
    if (a->time_ps != b->time_ps)
        return a->time_ps < b->time_ps;
    return a->from != b->from ? a->from < b->from : a->sequence < b->sequence;
}

static void put(FlowState *state, uint32_t place, FlowDate date)
{
    state->calendar[place] = date;
    state->stream[date.stream].calendar = place;
}

static void move_up(FlowState *state, uint32_t place, FlowDate date)
{
    for (; place && is_before(&date, &state->calendar[(place - 1) / 2]); place = (place - 1) / 2)
        put(state, place, state->calendar[(place - 1) / 2]);
    put(state, place, date);
}

static void move_down(FlowState *state, uint32_t place, FlowDate date)
{
    for (uint32_t child; (child = 2 * place + 1) < state->dates; place = child) {
        if (child + 1 < state->dates && is_before(&state->calendar[child + 1], &state->calendar[child]))
            child++;
        if (!is_before(&state->calendar[child], &date))
            break;
        put(state, place, state->calendar[child]);
    }
    put(state, place, date);
}

void net_flow_set_date(FlowState *state, uint32_t index)
{
    Stream *stream = &state->stream[index];
    FlowDate date = {stream->end_ps, stream->from, stream->end[0].sequence, index};
    if (stream->calendar == NET_NONE)
        move_up(state, state->dates++, date);
    else if (state->calendar[stream->calendar].time_ps >= date.time_ps)
        move_up(state, stream->calendar, date);
}

void net_flow_drop_date(FlowState *state, uint32_t index)
{
    uint32_t place = state->stream[index].calendar;
    if (place == NET_NONE)
        return;
    state->stream[index].calendar = NET_NONE;
    FlowDate last = state->calendar[--state->dates];
    if (last.stream == index)
        return;
    move_up(state, place, last);
    move_down(state, state->stream[last.stream].calendar, last);
}

uint32_t net_flow_first_date(FlowState *state)
{
    while (state->dates) {
        FlowDate first = state->calendar[0];
        uint64_t end_ps = state->stream[first.stream].end_ps;
        if (end_ps == first.time_ps)
            return first.stream;
        first.time_ps = end_ps;
        first.sequence = state->stream[first.stream].end[0].sequence;
        move_down(state, 0, first);
    }
    return NET_NONE;
}
