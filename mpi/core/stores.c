/* stores.c - stores small results in the program's memory. */
#include "mpi/core/stores.h"
#include "mpi/core/call.h"

#include <string.h>

bool mpi_store_handle(MpiCall *call, uint64_t address, MpiHandle handle)
{
    void *to = vm_rank_write(call->process, address, sizeof handle);
    if (to)
        memcpy(to, &handle, sizeof handle);
    return to;
}

bool mpi_store_int(MpiCall *call, uint64_t address, int value)
{
    int32_t stored = value;
    void *to = vm_rank_write(call->process, address, sizeof stored);
    if (to)
        memcpy(to, &stored, sizeof stored);
    return to;
}
