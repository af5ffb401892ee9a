/* tool.c - starting and ending the tool interface, the objects behind its handles, and results for programs (MPI-4.1
 * sections 15.3.3 and 15.3.4).
 *
 * A handle is tag << 56 | kind << 48 | number. Numbers are never used twice, so a handle of an object that is gone is
 * recognised. */
#include "mpi/tool/tool.h"
#include "mpi/comm/comm.h"
#include "mpi/core/handlers.h"
#include "mpi/core/threads.h"
#include "mpi/type/type.h"

#include <string.h>

enum { HANDLE_TAG = 0x54 };

/* -- the state of a rank ----------------------------------------------------------------------- */

MpiTool *mpi_tool_of(const MpiRank *rank)
{
    return mpi_rank_slot(rank, MPI_RANK_SLOT_TOOL);
}

static void clear_objects(MpiTool *tool)
{
    mpi_tool_records_clear(tool);
    for (int kind = MPI_TOOL_KINDS - 1; kind > 0; kind--)
        while (tool->objects[kind].head)
            mpi_tool_remove(tool, tool->objects[kind].head->data);
}

static void tool_free(void *data)
{
    clear_objects(data);
    g_free(data);
}

MpiStep mpi_tool_answer(MpiCall *call, int error_class)
{
    call->result = (uint64_t)error_class;
    return MPI_STEP_DONE;
}

bool mpi_tool_begin(MpiCall *call, MpiTool **tool, MpiStep *step)
{
    *tool = mpi_tool_of(call->rank);
    if (*tool && (*tool)->initialised)
        return true;
    *step = mpi_tool_answer(call, MPI_T_ERR_NOT_INITIALIZED);
    return false;
}

/* May come before MPI_Init and after MPI_Finalize. Calls are counted. */
MpiStep mpi_tool_run(MpiCall *call, int (*function)(MpiCall *call, MpiTool *tool))
{
    MpiTool *tool;
    MpiStep step;
    return mpi_tool_begin(call, &tool, &step) ? mpi_tool_answer(call, function(call, tool)) : step;
}

MpiStep mpi_do_T_init_thread(MpiCall *call)
{
    int required = mpi_int(call, 0);
    MpiInt32 *provided = mpi_tool_place(call, 1, sizeof *provided);
    if (required < MPI_THREAD_SINGLE_ || required > MPI_THREAD_MULTIPLE_ || !provided)
        return mpi_tool_answer(call, MPI_T_ERR_INVALID);
    MpiTool *tool = mpi_tool_of(call->rank);
    if (!tool) {
        tool = g_new0(MpiTool, 1);
        mpi_rank_set_slot(call->rank, MPI_RANK_SLOT_TOOL, tool, tool_free);
    }
    *provided = required;
    tool->initialised++;
    return mpi_tool_answer(call, MPI_SUCCESS);
}

/* The last call frees all handles. */
MPI_TOOL_FUNCTION(finalize)
{
    if (--tool->initialised == 0)
        clear_objects(tool);
    return MPI_SUCCESS;
}

/* -- objects ----------------------------------------------------------------------------------- */

uint64_t mpi_tool_add(MpiTool *tool, MpiToolKind kind, MpiToolObject *object, void (*free)(MpiToolObject *object))
{
    object->kind = kind;
    object->free = free;
    object->handle = (uint64_t)HANDLE_TAG << 56 | (uint64_t)kind << 48 | ++tool->serial;
    object->link.data = object;
    g_queue_push_tail_link(&tool->objects[kind], &object->link);
    return object->handle;
}

void *mpi_tool_find(const MpiTool *tool, MpiToolKind kind, uint64_t handle)
{
    for (GList *link = tool->objects[kind].tail; link; link = link->prev)
        if (((const MpiToolObject *)link->data)->handle == handle)
            return link->data;
    return NULL;
}

void mpi_tool_remove(MpiTool *tool, MpiToolObject *object)
{
    g_queue_unlink(&tool->objects[object->kind], &object->link);
    object->free(object);
}

/* -- results ----------------------------------------------------------------------------------- */

void *mpi_tool_place(MpiCall *call, unsigned arg, uint64_t bytes)
{
    return call->args[arg] ? vm_rank_write(call->process, call->args[arg], bytes) : NULL;
}

bool mpi_tool_put_int(MpiCall *call, unsigned arg, int value)
{
    MpiInt32 *to = mpi_tool_place(call, arg, sizeof *to);
    if (to)
        *to = value;
    return to || !call->args[arg];
}

bool mpi_tool_put_word(MpiCall *call, unsigned arg, uint64_t value)
{
    MpiWord *to = mpi_tool_place(call, arg, sizeof *to);
    if (to)
        *to = value;
    return to || !call->args[arg];
}

bool mpi_tool_put_text(MpiCall *call, unsigned arg, const char *text)
{
    MpiInt32 *length = mpi_tool_place(call, arg + 1, sizeof *length);
    if (!length)
        return !call->args[arg + 1]; /* without a length there is no string, either */
    int room = *length;
    size_t all = strlen(text);
    if (call->args[arg] && room > 0) {
        size_t copied = MIN(all, (size_t)room - 1);
        char *to = vm_rank_write(call->process, call->args[arg], copied + 1);
        if (!to)
            return false;
        memcpy(to, text, copied);
        to[copied] = '\0';
    }
    return mpi_tool_put_int(call, arg + 1, (int)all + 1);
}

const char *mpi_tool_wanted(MpiCall *call, unsigned arg)
{
    return call->args[0] && mpi_tool_place(call, arg, sizeof(int32_t)) ? vm_rank_string(call->process, call->args[0])
                                                                       : NULL;
}

int mpi_tool_give_int(MpiCall *call, unsigned arg, int value)
{
    return call->args[arg] && mpi_tool_put_int(call, arg, value) ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

int mpi_tool_find_name(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

bool mpi_tool_bound_comm(MpiCall *call, unsigned arg, uint32_t *context)
{
    const MpiWord *handle = call->args[arg] ? vm_rank_read(call->process, call->args[arg], sizeof *handle) : NULL;
    const MpiComm *comm = handle ? mpi_handle_lookup(call->rank, MPI_KIND_COMM, *handle) : NULL;
    *context = comm ? comm->context : 0;
    return comm;
}

uint64_t mpi_tool_datatype(unsigned primitive)
{
    return MPI_HANDLE(MPI_KIND_TYPE, primitive + 1);
}
