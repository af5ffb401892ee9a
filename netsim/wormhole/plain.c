/* plain.c - the matchings of allocators.h on matrices of requests, written for reading: the reference. */
#include "netsim/wormhole/allocators.h"

void net_plain_init(NetPlainAllocator *state, NetAllocator kind, uint32_t iterations, uint32_t inputs, uint32_t outputs,
                    uint32_t width)
{
    *state = (NetPlainAllocator){
        .kind = kind,
        .iterations = MAX(iterations, 1),
        .inputs = inputs,
        .outputs = outputs,
        .width = width,
        .input_turn = g_new0(uint32_t, inputs),
        .output_turn = g_new0(uint32_t, outputs),
        .taken = g_new0(bool, outputs),
        .asks = g_new0(bool, (size_t)inputs *outputs),
        .given = g_new0(uint32_t, inputs),
    };
}

void net_plain_clear(NetPlainAllocator *state)
{
    g_free(state->input_turn);
    g_free(state->output_turn);
    g_free(state->taken);
    g_free(state->asks);
    g_free(state->given);
}

/* Returns whether an input asks for an output, and neither has been given anything. */
static bool is_open(const NetPlainAllocator *state, uint32_t input, uint32_t output)
{
    return state->asks[(size_t)input * state->outputs + output] && state->given[input] == NET_NONE &&
           !state->taken[output];
}

static void give(NetPlainAllocator *state, uint32_t input, uint32_t output, bool moves)
{
    state->given[input] = output;
    state->taken[output] = true;
    if (!moves)
        return;
    state->input_turn[input] = (output % state->width + 1) % state->width;
    state->output_turn[output] = (input + 1) % state->inputs;
}

/* Returns the output whose turn it is for an input among those marked; NET_NONE: none is marked. They are all of one
 * group. */
static uint32_t choose_output(const NetPlainAllocator *state, uint32_t input, const bool *marked)
{
    for (uint32_t step = 0; step < state->width; step++)
        for (uint32_t group = 0; group < state->outputs; group += state->width) {
            uint32_t output = group + (state->input_turn[input] + step) % state->width;
            if (marked[output])
                return output;
        }
    return NET_NONE;
}

static uint32_t choose_input(const NetPlainAllocator *state, uint32_t output, const bool *marked)
{
    for (uint32_t step = 0; step < state->inputs; step++) {
        uint32_t input = (state->output_turn[output] + step) % state->inputs;
        if (marked[input])
            return input;
    }
    return NET_NONE;
}

static void input_first(NetPlainAllocator *state)
{
    g_autofree uint32_t *chosen = g_new(uint32_t, state->inputs + 1);
    g_autofree bool *marked = g_new0(bool, MAX(state->inputs, state->outputs) + 1);
    for (uint32_t input = 0; input < state->inputs; input++) {
        for (uint32_t output = 0; output < state->outputs; output++)
            marked[output] = is_open(state, input, output);
        chosen[input] = choose_output(state, input, marked);
    }
    for (uint32_t output = 0; output < state->outputs; output++) {
        for (uint32_t input = 0; input < state->inputs; input++)
            marked[input] = chosen[input] == output;
        uint32_t input = choose_input(state, output, marked);
        if (input != NET_NONE)
            give(state, input, output, true);
    }
}

static void output_first(NetPlainAllocator *state, bool moves)
{
    g_autofree uint32_t *chosen = g_new(uint32_t, state->outputs + 1);
    g_autofree bool *marked = g_new0(bool, MAX(state->inputs, state->outputs) + 1);
    for (uint32_t output = 0; output < state->outputs; output++) {
        for (uint32_t input = 0; input < state->inputs; input++)
            marked[input] = is_open(state, input, output);
        chosen[output] = choose_input(state, output, marked);
    }
    for (uint32_t input = 0; input < state->inputs; input++) {
        for (uint32_t output = 0; output < state->outputs; output++)
            marked[output] = chosen[output] == input;
        uint32_t output = choose_output(state, input, marked);
        if (output != NET_NONE)
            give(state, input, output, moves);
    }
}

static void wavefront(NetPlainAllocator *state)
{
    uint32_t size = MAX(state->inputs, state->outputs);
    bool any = false;
    for (size_t i = 0; i < (size_t)state->inputs * state->outputs; i++)
        any |= state->asks[i];
    for (uint32_t wave = 0; any && wave < size; wave++)
        for (uint32_t input = 0; input < state->inputs; input++) {
            uint32_t output = (state->diagonal + wave + size - input) % size;
            if (output < state->outputs && is_open(state, input, output))
                give(state, input, output, false);
        }
    if (any)
        state->diagonal = (state->diagonal + 1) % size;
}

void net_plain_match(NetPlainAllocator *state)
{
    for (uint32_t input = 0; input < state->inputs; input++)
        state->given[input] = NET_NONE;
    for (uint32_t output = 0; output < state->outputs; output++)
        state->taken[output] = false;
    uint32_t iterations = state->kind == NET_ALLOCATOR_WAVEFRONT ? 1 : state->iterations;
    for (uint32_t i = 0; i < iterations; i++)
        switch (state->kind) {
        case NET_ALLOCATOR_INPUT_FIRST: input_first(state); break;
        case NET_ALLOCATOR_OUTPUT_FIRST: output_first(state, true); break;
        case NET_ALLOCATOR_ISLIP: output_first(state, i == 0); break;
        case NET_ALLOCATOR_WAVEFRONT: wavefront(state); break;
        case NET_ALLOCATOR_NONE: g_assert_not_reached();
        }
    for (size_t i = 0; i < (size_t)state->inputs * state->outputs; i++)
        state->asks[i] = false;
}
