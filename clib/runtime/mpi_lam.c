/* mpi_lam.c - the functions of <mpi_lam.h>. A function that we lack says so when it is called. */
#include <mpi_lam.h>
#include <stdio.h>

MPI_Comm __orrery_comm_parent(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_get_parent(&parent);
    return parent;
}

int MPIL_Comm_parent(MPI_Comm *parent)
{
    return MPI_Comm_get_parent(parent);
}

int MPIL_Universe_size(int *size)
{
    int *value, found;
    int error = MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &found);
    if (error == MPI_SUCCESS && found)
        *size = *value;
    return error;
}

static int refuse(const char *name, const char *instead)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr,
            "%s on rank %d: LAM's early process creation is not simulated (MPI-2 has %s instead); start all processes "
            "together: orrery run -n 1 parent : -n 4 child\n",
            name, rank, instead);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return MPI_ERR_OTHER;
}

#define REFUSED(name, instead)                                                                                         \
    int name()                                                                                                         \
    {                                                                                                                  \
        return refuse(#name, instead);                                                                                 \
    }
REFUSED(MPI_Spawn, "MPI_Comm_spawn")
REFUSED(MPI_Spawn_multiple, "MPI_Comm_spawn_multiple")
REFUSED(MPIL_Spawn, "MPI_Comm_spawn")
REFUSED(MPI_Port_open, "MPI_Open_port")
REFUSED(MPI_Port_close, "MPI_Close_port")
REFUSED(MPI_Name_get, "MPI_Lookup_name")
REFUSED(MPI_Name_put, "MPI_Publish_name")
REFUSED(MPI_Name_delete, "MPI_Unpublish_name")
