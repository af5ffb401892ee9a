/* rank.c - small questions about a rank: its index, its program, its limits. */
#include "vm/rank/rank.h"

const VmHost *vm_rank_host(const VmRank *rank)
{
    return &rank->world->host;
}

bool vm_rank_keeps_fenv(const VmRank *rank)
{
    return rank->image->keeps_fenv;
}

const VmLimits *vm_rank_limits(const VmRank *rank)
{
    return &rank->world->limits;
}

uint64_t vm_rank_heap_room(const VmRank *rank)
{
    return rank->heap_limit - rank->heap_end;
}

uint64_t vm_rank_space_end(const VmRank *rank)
{
    return MIN(rank->data_base / VM_PAGE * VM_PAGE + rank->world->stride, VCODE_CODE_BASE);
}
