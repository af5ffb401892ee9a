/* thread_storage.c - objects of which each thread has a copy: finds that of the thread that is looked at.
 *
 * The compiler describes such an object x as what it is for the first thread, and makes a record x.tls beside it
 * (compiler/sema/thread_storage.c); the runtime keeps a table for each other thread (clib/runtime/tls.c). */
#include "monitor/expression/expression.h"

#include <string.h>

enum { SIZE, ALIGNMENT, IMAGE, FIRST, NUMBER, WORDS }; /* of the record */

/* The record of an object; NULL: all threads share it. Static objects of several files may have the same name. */
static const uint64_t *record_of(VmRank *rank, const VcodeVariable *object)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    g_autofree char *name = g_strconcat(vcode_text(module, object->name), ".tls", NULL);
    for (uint32_t i = 0; object->location == VCODE_AT_DATA && i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if (variable->location != VCODE_AT_DATA || strcmp(vcode_text(module, variable->name), name) != 0)
            continue;
        const uint64_t *record = vm_rank_peek(rank, (uint64_t)variable->where, WORDS * sizeof *record);
        if (record && record[FIRST] == (uint64_t)object->where)
            return record;
    }
    return NULL;
}

/* The address of the copy of the thread that is selected; 0: it has not used the object yet. */
static uint64_t copy_of(VmRank *rank, const uint64_t *record)
{
    uint64_t table = vm_thread_storage(rank), at = record[NUMBER] * sizeof(uint64_t);
    const uint64_t *count = table ? vm_rank_peek(rank, table, sizeof *count) : NULL;
    if (!count || !record[NUMBER] || record[NUMBER] >= *count)
        return 0;
    const uint64_t *copy = vm_rank_peek(rank, table + sizeof *count + at, sizeof *copy);
    return copy ? *copy : 0;
}

VmValue mon_thread_storage_value(VmRank *rank, const VcodeVariable *variable, const VmFrame *frame)
{
    VmValue value = vm_variable_value(variable, frame);
    const uint64_t *record = vm_thread_selected(rank) ? record_of(rank, variable) : NULL;
    if (!record)
        return value;
    value.bits = copy_of(rank, record);
    if (!value.bits)
        value.bits = record[IMAGE]; /* what its copy will begin with */
    return value.bits ? value : (VmValue){.shape = VM_INTEGER, .type = VCODE_NONE};
}
