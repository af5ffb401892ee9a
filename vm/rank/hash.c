/* hash.c - a hash of what a rank is at: memory from the stack pointer on, registers of its frames, place, clock. Two
 * ranks with the same history have the same. */
#include "vm/rank/rank.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

uint64_t vm_rank_hash(VmRank *rank, uint64_t hash)
{
    g_assert(rank->depth > 0);
    const VmCallFrame *frame = &rank->frames[rank->depth - 1];
    size_t registers = frame->window + rank->image->functions[vm_image_function_of(rank->image, rank->pc)].registers;
    hash = mix(mix(mix(hash, rank->pc), rank->sp), rank->clock.cycles);
    for (size_t i = 0; i < registers; i++)
        hash = mix(hash, rank->registers[i]);
    uint64_t word, low = rank->sp / sizeof word * sizeof word;
    vm_memory_bring(rank, low, rank->heap_end - low);
    for (uint64_t address = low; address + sizeof word <= rank->heap_end; address += sizeof word) {
        memcpy(&word, rank->memory + address, sizeof word);
        if (word)
            hash = mix(hash ^ address, word);
    }
    return hash;
}
