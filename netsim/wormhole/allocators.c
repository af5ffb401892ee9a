/* allocators.c - the matchings of allocators.h, on bit sets. The cost follows the number of requests, not the size of
 * the router. What is found does not depend on the order of requests. */
#include "netsim/wormhole/allocators.h"

void net_allocator_init(NetAllocatorState *state, NetAllocator kind, uint32_t iterations, uint32_t inputs,
                        uint32_t outputs, uint32_t width)
{
    uint32_t groups = width ? outputs / width : 0;
    assert(width <= 64 && groups * width == outputs);
    *state = (NetAllocatorState){
        .kind = kind,
        .iterations = MAX(iterations, 1),
        .inputs = inputs,
        .outputs = outputs,
        .width = width,
        .input_turn = g_new0(uint8_t, inputs),
        .output_turn = g_new0(uint32_t, outputs),
        .best = g_new(uint32_t, outputs),
        .touched = g_new(uint32_t, outputs),
        .left = g_new(uint64_t, groups),
        .chosen = g_new0(uint64_t, inputs),
        .waves = MAX(inputs, outputs),
    };
    memset(state->left, 0xff, groups * sizeof *state->left);
    memset(state->best, 0xff, outputs * sizeof *state->best);
    if (kind != NET_ALLOCATOR_WAVEFRONT)
        return;
    state->wave = g_new(uint32_t, MAX(state->waves, 1));
    memset(state->wave, 0xff, state->waves * sizeof *state->wave);
    state->later = g_new(uint32_t, (size_t)inputs * 64);
}

void net_allocator_clear(NetAllocatorState *state)
{
    g_free(state->input_turn);
    g_free(state->output_turn);
    g_free(state->best);
    g_free(state->touched);
    g_free(state->left);
    g_free(state->chosen);
    g_free(state->wave);
    g_free(state->later);
}

/* Returns the first of the bits, which must not be empty, from `turn` on. */
static inline uint32_t next_bit(uint64_t bits, uint32_t turn)
{
    uint64_t later = bits & ~UINT64_C(0) << turn;
    return (uint32_t)__builtin_ctzll(later ? later : bits);
}

/* Returns how many inputs come before this one in the turns of an output. */
static inline uint32_t distance(const NetAllocatorState *state, uint32_t output, uint32_t input)
{
    uint32_t turn = state->output_turn[output];
    return input >= turn ? input - turn : input + state->inputs - turn;
}

/* Lets an output consider a request. Returns the number of outputs that consider one. */
static inline uint32_t consider(NetAllocatorState *state, const NetRequest *requests, uint32_t i, uint32_t output,
                                uint32_t touched)
{
    uint32_t *best = &state->best[output];
    if (*best == NET_NONE) {
        state->touched[touched++] = output;
        *best = i;
    } else if (distance(state, output, requests[i].input) < distance(state, output, requests[*best].input)) {
        *best = i;
    }
    return touched;
}

/* An output of an input has been given: both prefer the next one now. */
static inline void move_turns(NetAllocatorState *state, uint32_t input, uint32_t output, uint32_t bit)
{
    state->input_turn[input] = (uint8_t)(bit + 1 == state->width ? 0 : bit + 1);
    state->output_turn[output] = input + 1 == state->inputs ? 0 : input + 1;
}

static inline void give(NetAllocatorState *state, NetRequest *request, uint32_t output, bool moves)
{
    uint32_t bit = output - request->group * state->width;
    request->given = output;
    state->left[request->group] &= ~(UINT64_C(1) << bit);
    if (moves)
        move_turns(state, request->input, output, bit);
}

/* Each input chooses, then each output. Returns whether anything was given. */
static bool input_first(NetAllocatorState *state, NetRequest *requests, uint32_t count)
{
    uint32_t touched = 0;
    for (uint32_t i = 0; i < count; i++) {
        const NetRequest *request = &requests[i];
        uint64_t outputs = request->outputs & state->left[request->group];
        if (request->given != NET_NONE || !outputs)
            continue;
        uint32_t bit = next_bit(outputs, state->input_turn[request->input]);
        touched = consider(state, requests, i, request->group * state->width + bit, touched);
    }
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t output = state->touched[i];
        give(state, &requests[state->best[output]], output, true);
        state->best[output] = NET_NONE;
    }
    return touched;
}

/* Each output chooses, then each input. Returns whether anything was given. */
static bool output_first(NetAllocatorState *state, NetRequest *requests, uint32_t count, bool moves)
{
    uint32_t touched = 0;
    for (uint32_t i = 0; i < count; i++) {
        const NetRequest *request = &requests[i];
        uint64_t outputs = request->given == NET_NONE ? request->outputs & state->left[request->group] : 0;
        for (; outputs; outputs &= outputs - 1)
            touched = consider(state, requests, i, request->group * state->width + (uint32_t)__builtin_ctzll(outputs),
                               touched);
    }
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t output = state->touched[i], best = state->best[output];
        state->chosen[best] |= UINT64_C(1) << (output - requests[best].group * state->width);
        state->best[output] = NET_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        NetRequest *request = &requests[i];
        if (!state->chosen[i])
            continue;
        uint32_t bit = next_bit(state->chosen[i], state->input_turn[request->input]);
        give(state, request, request->group * state->width + bit, moves);
        state->chosen[i] = 0;
    }
    return touched;
}

static inline void turn_wave(NetAllocatorState *state)
{
    state->diagonal = state->diagonal + 1 == state->waves ? 0 : state->diagonal + 1;
}

/* Goes through the diagonals input + output = constant, from state->diagonal on. Requests of one diagonal are no
 * rivals. */
static void wavefront(NetAllocatorState *state, NetRequest *requests, uint32_t count)
{
    uint32_t first = state->waves, last = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t left = requests[i].outputs; left; left &= left - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(left);
            uint32_t wave = requests[i].input + requests[i].group * state->width + bit + state->waves - state->diagonal;
            wave -= wave >= 2 * state->waves ? 2 * state->waves : wave >= state->waves ? state->waves : 0;
            state->later[i * 64 + bit] = state->wave[wave];
            state->wave[wave] = i * 64 + bit;
            first = MIN(first, wave);
            last = MAX(last, wave);
        }
    for (uint32_t wave = first; wave <= last && wave < state->waves; wave++) {
        for (uint32_t item = state->wave[wave]; item != NET_NONE; item = state->later[item]) {
            NetRequest *request = &requests[item / 64];
            if (request->given == NET_NONE && state->left[request->group] >> item % 64 & 1)
                give(state, request, request->group * state->width + item % 64, false);
        }
        state->wave[wave] = NET_NONE;
    }
    turn_wave(state);
}

/* Returns whether no two requests are for the same output. */
static inline bool has_no_rivals(NetAllocatorState *state, const NetRequest *requests, uint32_t count)
{
    uint32_t i = 0;
    for (; i < count && !(requests[i].outputs & ~state->left[requests[i].group]); i++)
        state->left[requests[i].group] &= ~requests[i].outputs;
    for (uint32_t seen = 0; seen < i; seen++)
        state->left[requests[seen].group] = UINT64_MAX;
    return i == count;
}

/* Of the outputs of a request, returns the bit of the one whose diagonal comes first. */
static inline uint32_t first_on_wave(const NetAllocatorState *state, const NetRequest *request)
{
    uint32_t begin = state->diagonal + (state->diagonal < request->input ? state->waves : 0) - request->input;
    uint32_t base = request->group * state->width;
    return next_bit(request->outputs, begin > base && begin < base + state->width ? begin - base : 0);
}

/* Gives an input the one of its outputs that it prefers. Nobody else asks for them, so nothing is marked as given. */
static inline void give_preferred(NetAllocatorState *state, NetRequest *request)
{
    uint32_t base = request->group * state->width;
    if (state->kind == NET_ALLOCATOR_WAVEFRONT) {
        request->given = base + first_on_wave(state, request);
        return;
    }
    uint32_t bit = next_bit(request->outputs, state->input_turn[request->input]);
    request->given = base + bit;
    move_turns(state, request->input, base + bit, bit);
}

void net_allocator_match(NetAllocatorState *state, NetRequest *requests, uint32_t count)
{
    assert(count <= state->inputs);
    if (count == 1 || has_no_rivals(state, requests, count)) {
        for (uint32_t i = 0; i < count; i++)
            give_preferred(state, &requests[i]);
        if (count && state->kind == NET_ALLOCATOR_WAVEFRONT)
            turn_wave(state);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        requests[i].given = NET_NONE;
    bool more = true;
    for (uint32_t i = 0; more && i < state->iterations; i++)
        switch (state->kind) {
        case NET_ALLOCATOR_INPUT_FIRST: more = input_first(state, requests, count); break;
        case NET_ALLOCATOR_OUTPUT_FIRST: more = output_first(state, requests, count, true); break;
        case NET_ALLOCATOR_ISLIP: more = output_first(state, requests, count, i == 0); break;
        case NET_ALLOCATOR_WAVEFRONT:
            wavefront(state, requests, count);
            more = false;
            break;
        case NET_ALLOCATOR_NONE: g_assert_not_reached();
        }
    for (uint32_t i = 0; i < count; i++)
        state->left[requests[i].group] = UINT64_MAX;
}
