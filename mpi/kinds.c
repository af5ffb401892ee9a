/* kinds.c - the functions of the handle table (core/handles.c) for objects of upper rooms, which it does not know
 * (kinds.def). */
#include "mpi/kinds.h"
#include "mpi/attribute/attribute.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handles.h"
#include "mpi/file/file.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/process.h"
#include "mpi/rma/rma.h"
#include "mpi/type/type.h"

/* -- the end of a table ------------------------------------------------------------------------ */

static void drop_comm(void *comm)
{
    mpi_attributes_drop(comm);
    mpi_comm_unref(comm);
}

static void drop_group(void *group)
{
    mpi_group_unref(group);
}

static void drop_type(void *type)
{
    mpi_type_unref(type);
}

static void drop_op(void *op)
{
    mpi_op_unref(op);
}

static void drop_errhandler(void *errhandler)
{
    mpi_error_handler_unref(errhandler);
}

static void drop_info(void *info)
{
    mpi_info_free(info);
}

static void drop_window(void *win)
{
    mpi_window_drop(win);
}

static void drop_file(void *file)
{
    mpi_file_drop(file);
}

static void drop_message(void *matched)
{
    mpi_matched_free(matched);
}

static void drop_session(void *session)
{
    mpi_session_free(session);
}

/* -- predefined objects: constant, shared by all ranks, but for communicators ------------------ */

static void *predefined_comm(MpiRank *rank, uint32_t index)
{
    if (index == MPI_COMM_WORLD_INDEX)
        return mpi_rank_world_comm(rank);
    return index == MPI_COMM_SELF_INDEX ? mpi_rank_self_comm(rank) : NULL;
}

static void *predefined_group(MpiRank *rank, uint32_t index)
{
    (void)rank;
    return index == MPI_GROUP_EMPTY_INDEX ? mpi_group_empty() : NULL;
}

static void *predefined_type(MpiRank *rank, uint32_t index)
{
    (void)rank;
    return index >= 1 && index <= MPI_PRIMITIVE_COUNT ? mpi_type_predefined((MpiPrimitive)(index - 1)) : NULL;
}

static void *predefined_op(MpiRank *rank, uint32_t index)
{
    (void)rank;
    return (MpiOp *)mpi_op_predefined(index);
}

static void *predefined_errhandler(MpiRank *rank, uint32_t index)
{
    (void)rank;
    return mpi_error_handler_predefined(index);
}

const MpiKind mpi_kinds[] = {
#define MPI_KIND(identifier, noun, null, error_class, drop, predefined) [MPI_KIND_##identifier] = {drop, predefined},
#include "mpi/core/kinds.def"
};
