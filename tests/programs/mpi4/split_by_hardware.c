/* Splitting by nodes on a machine that has several, guided by info and not (MPI-4.0 section 7.4.2). */
#include "../mpi/in_order.h"

static void tell(const char *what, MPI_Comm comm)
{
    int rank, n = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_size(comm, &n);
        MPI_Comm_free(&comm);
    }
    say("rank %d, %s: %d\n", rank, what, n);
}

int main(int argc, char **argv)
{
    MPI_Comm comm, node;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_dup(node, &comm);
    tell("shared", comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &comm);
    tell("unguided", comm);
    MPI_Comm_split_type(node, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &comm);
    tell("unguided again", comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &comm);
    tell("guided by nothing", comm);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &comm);
    tell("guided", comm);
    MPI_Info_set(info, "mpi_hw_resource_type", "orrery://nic");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &comm);
    tell("guided by network interfaces", comm);
    MPI_Info_set(info, "mpi_hw_resource_type", "flux capacitor");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &comm);
    tell("guided by what there is not", comm);
    MPI_Info_free(&info);
    MPI_Comm_free(&node);
    say_all();
    MPI_Finalize();
    return 0;
}
