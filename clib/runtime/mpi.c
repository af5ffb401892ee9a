/* mpi.c - the predefined attribute callbacks of MPI (MPI-3.1 section 6.7.2 and 6.7.4; the names of MPI-1 in 15.1).
 *
 * They are ordinary functions of the program, so that it can call or wrap them. The simulator knows them by name and
 * does not really call them.
 */
#include <mpi.h>

static int copy_nothing(int *flag)
{
    *flag = 0;
    return MPI_SUCCESS;
}

static int copy_value(void *in, void *out, int *flag)
{
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

#define NULL_COPY(name, Handle)                                                                                        \
    int name(Handle old, int keyval, void *extra_state, void *in, void *out, int *flag)                                \
    {                                                                                                                  \
        (void)old, (void)keyval, (void)extra_state, (void)in, (void)out;                                               \
        return copy_nothing(flag);                                                                                     \
    }
#define DUP(name, Handle)                                                                                              \
    int name(Handle old, int keyval, void *extra_state, void *in, void *out, int *flag)                                \
    {                                                                                                                  \
        (void)old, (void)keyval, (void)extra_state;                                                                    \
        return copy_value(in, out, flag);                                                                              \
    }
#define NULL_DELETE(name, Handle)                                                                                      \
    int name(Handle object, int keyval, void *value, void *extra_state)                                                \
    {                                                                                                                  \
        (void)object, (void)keyval, (void)value, (void)extra_state;                                                    \
        return MPI_SUCCESS;                                                                                            \
    }

NULL_COPY(MPI_NULL_COPY_FN, MPI_Comm)
NULL_COPY(MPI_COMM_NULL_COPY_FN, MPI_Comm)
NULL_COPY(MPI_TYPE_NULL_COPY_FN, MPI_Datatype)
DUP(MPI_DUP_FN, MPI_Comm)
DUP(MPI_COMM_DUP_FN, MPI_Comm)
DUP(MPI_TYPE_DUP_FN, MPI_Datatype)
NULL_DELETE(MPI_NULL_DELETE_FN, MPI_Comm)
NULL_DELETE(MPI_COMM_NULL_DELETE_FN, MPI_Comm)
NULL_DELETE(MPI_TYPE_NULL_DELETE_FN, MPI_Datatype)
