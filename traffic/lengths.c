/* lengths.c - how long messages are: all alike, or several sizes by weight, such as requests and replies of a memory.
 */
#include "traffic/internal.h"

#define MOST_FLITS (UINT64_C(1) << 40) /* keeps weighted sums within 64 bits */

static uint64_t packets_of(const NetParams *params, uint64_t bytes)
{
    return MAX(bytes / params->packet_bytes + (bytes % params->packet_bytes != 0), 1);
}

static uint64_t flits_of(const NetParams *params, uint64_t bytes)
{
    uint64_t packets = packets_of(params, bytes);
    uint64_t last = bytes - (packets - 1) * params->packet_bytes + params->header_bytes;
    uint64_t full = (uint64_t)params->packet_bytes + params->header_bytes, flit = params->wormhole.flit_bytes;
    return MAX((packets - 1) * ((full + flit - 1) / flit) + (last + flit - 1) / flit, 1);
}

static bool add_length(TrafficLengths *lengths, const NetParams *params, TrafficSize size, GError **error)
{
    if (size.weight < 1 || size.weight > TRAFFIC_MOST_WEIGHT)
        return traffic_error_refuse(error, TRAFFIC_ERROR_OPTION,
                                    "the weight of a message size is 1 to %" G_GUINT64_FORMAT, TRAFFIC_MOST_WEIGHT);
    uint64_t packets = packets_of(params, size.bytes);
    if (packets > TRAFFIC_MOST_PACKETS)
        return traffic_error_refuse(
            error, TRAFFIC_ERROR_OPTION,
            "a message of %" G_GUINT64_FORMAT " bytes is %" G_GUINT64_FORMAT
            " packets of %u bytes; at most %d can be measured: take shorter messages or larger packets",
            size.bytes, packets, params->packet_bytes, TRAFFIC_MOST_PACKETS);
    uint64_t flits = flits_of(params, size.bytes);
    if (flits > MOST_FLITS)
        return traffic_error_refuse(error, TRAFFIC_ERROR_OPTION,
                                    "a message of %" G_GUINT64_FORMAT " bytes is %" G_GUINT64_FORMAT
                                    " flits; take a shorter one",
                                    size.bytes, flits);
    lengths->weight += size.weight;
    lengths->flits += flits * size.weight;
    lengths->length[lengths->count++] =
        (TrafficLength){.bytes = size.bytes, .packets = packets, .flits = flits, .up_to = lengths->weight};
    return true;
}

bool traffic_lengths_init(TrafficLengths *lengths, const NetParams *params, const TrafficOptions *options,
                          GError **error)
{
    *lengths = (TrafficLengths){0};
    if (!options->n_sizes)
        return add_length(lengths, params, (TrafficSize){params->packet_bytes, 1}, error);
    if (options->n_sizes > TRAFFIC_MOST_SIZES)
        return traffic_error_refuse(error, TRAFFIC_ERROR_OPTION, "there are at most %d sizes of messages",
                                    TRAFFIC_MOST_SIZES);
    for (uint32_t i = 0; i < options->n_sizes; i++)
        if (!add_length(lengths, params, options->sizes[i], error))
            return false;
    return true;
}

uint32_t traffic_lengths_random(const TrafficLengths *lengths, TrafficRandom *random)
{
    uint32_t chosen = 0;
    if (lengths->count == 1)
        return 0;
    for (uint64_t number = traffic_random_below(random, (uint32_t)lengths->weight);
         number >= lengths->length[chosen].up_to;)
        chosen++;
    return chosen;
}

double traffic_lengths_zero_load_ps(const TrafficLengths *lengths, const Network *net, uint32_t from, uint32_t to)
{
    double sum = 0;
    uint64_t before = 0;
    for (uint32_t i = 0; i < lengths->count; i++) {
        const TrafficLength *length = &lengths->length[i];
        sum += (double)net_zero_load_ps(net, from, to, length->bytes) * (double)(length->up_to - before);
        before = length->up_to;
    }
    return sum / (double)lengths->weight;
}
