/* Names of communicators: predefined, none, set, cut to length, not inherited by MPI_Comm_dup and its kin (MPI-3.1
 * section 6.8); MPI_Comm_idup_with_info. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;

static void show(const char *what, MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1;
    memset(name, 'x', sizeof name);
    MPI_Comm_get_name(comm, name, &length);
    if (rank == 0)
        printf("%s: \"%s\", %s\n", what, length < 40 ? name : "long",
               length == (int)strlen(name) ? "right length" : "?");
}

int main(int argc, char **argv)
{
    MPI_Comm dup, other, none = MPI_COMM_NULL;
    MPI_Info info;
    MPI_Request request;
    char name[2 * MPI_MAX_OBJECT_NAME], value[16] = "";
    int length, flag = 0, error_class, result;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    show("world", MPI_COMM_WORLD);
    show("self", MPI_COMM_SELF);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    show("a new one", dup);
    MPI_Comm_set_name(dup, "  workers of stage 2");
    show("named", dup);
    MPI_Comm_dup(dup, &other);
    show("its duplicate", other);
    MPI_Comm_free(&other);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    MPI_Comm_set_name(dup, name);
    MPI_Comm_get_name(dup, name, &length);
    if (rank == 0)
        printf("cut: %d\n", length == MPI_MAX_OBJECT_NAME - 1);
    MPI_Comm_set_name(dup, "");
    show("named nothing", dup);
    MPI_Comm_set_name(MPI_COMM_WORLD, "everybody");
    show("the world by another name", MPI_COMM_WORLD);

    MPI_Error_class(MPI_Comm_set_name(none, "nobody"), &error_class);
    if (rank == 0)
        printf("name of none: %s\n", error_class == MPI_ERR_COMM ? "MPI_ERR_COMM" : "?");
    MPI_Error_class(MPI_Comm_set_name(dup, NULL), &error_class);
    if (rank == 0)
        printf("no name: %s\n", error_class == MPI_ERR_ARG ? "MPI_ERR_ARG" : "?");

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Comm_idup_with_info(dup, info, &other, &request);
    MPI_Info_free(&info);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_compare(dup, other, &result);
    MPI_Comm_get_info(other, &info);
    MPI_Info_get(info, "mpi_assert_no_any_tag", 15, value, &flag);
    if (rank == 0)
        printf("in the background: %s, hint %s\n", result == MPI_CONGRUENT ? "congruent" : "?",
               flag ? value : "not kept");
    MPI_Info_free(&info);
    MPI_Comm_free(&other);
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
