/* Hints of communicators (MPI-4.1 section 7.4.4): which calls give them, and which values count. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;

static void show(const char *what, MPI_Comm *comm)
{
    static const char *const keys[] = {"mpi_assert_no_any_tag", "mpi_assert_exact_length", "mpi_assert_allow_overtaking",
                                       "unknown"};
    char value[32];
    MPI_Info info;
    MPI_Comm_get_info(*comm, &info);
    for (int i = 0; i < 4; i++) {
        int flag, length = sizeof value;
        MPI_Info_get_string(info, keys[i], &length, value, &flag);
        if (!rank)
            printf("%s%s", i ? " " : what, flag ? value : "-");
    }
    if (!rank)
        printf("\n");
    MPI_Info_free(&info);
    MPI_Comm_free(comm);
}

int main(int argc, char **argv)
{
    int degree = 1, here;
    MPI_Comm comm;
    MPI_Group group;
    MPI_Info info;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    here = rank;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Info_set(info, "mpi_assert_exact_length", "perhaps");
    MPI_Info_set(info, "unknown", "true");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    show("none:           ", &comm);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    show("dup:            ", &comm);
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("idup:           ", &comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, info, &comm);
    show("split:          ", &comm);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &here, &degree, &here, MPI_UNWEIGHTED, info, 0, &comm);
    show("graph:          ", &comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &here, MPI_UNWEIGHTED, 1, &here, MPI_UNWEIGHTED, info, 0, &comm);
    show("adjacent:       ", &comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &here, MPI_UNWEIGHTED, 1, &here, MPI_UNWEIGHTED, info, 1, &comm);
    show("reordered:      ", &comm);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create_from_group(group, "hints", info, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Info_set(info, "mpi_assert_exact_length", "true");
    MPI_Info_set(info, "mpi_assert_no_any_tag", "none");
    MPI_Comm_set_info(comm, info);
    show("group, then set:", &comm);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
