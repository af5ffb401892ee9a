/* Ports, published names, MPI_Comm_accept and MPI_Comm_connect within one run (MPI-4.1 section 11.9). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;

static const char *class_of(int error)
{
    int class;
    MPI_Error_class(error, &class);
    return class == MPI_SUCCESS       ? "success"
           : class == MPI_ERR_PORT    ? "MPI_ERR_PORT"
           : class == MPI_ERR_NAME    ? "MPI_ERR_NAME"
           : class == MPI_ERR_SERVICE ? "MPI_ERR_SERVICE"
           : class == MPI_ERR_ARG     ? "MPI_ERR_ARG"
                                      : "?";
}

static void talk(MPI_Comm between, const char *who)
{
    int n, sum, mine;
    MPI_Comm_rank(between, &mine);
    MPI_Comm_remote_size(between, &n);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
    printf("%s %d: %d on the other side, their ranks add up to %d\n", who, mine, n, sum);
    MPI_Comm_disconnect(&between);
}

static void refused(char *port)
{
    MPI_Comm comm;
    printf("lookup: %s\n", class_of(MPI_Lookup_name("nothing", MPI_INFO_NULL, port)));
    printf("unpublish: %s\n", class_of(MPI_Unpublish_name("nothing", MPI_INFO_NULL, "port")));
    printf("publish twice: %s\n", class_of(MPI_Publish_name("service", MPI_INFO_NULL, "port")));
    printf("close: %s\n", class_of(MPI_Close_port("port")));
    printf("connect: %s\n", class_of(MPI_Comm_connect("port", MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm)));
    printf("accept: %s\n", class_of(MPI_Comm_accept("port", MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm)));
    printf("join: %s\n", class_of(MPI_Comm_join(1, &comm)));
}

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm part, between;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int server = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, server ? 0 : rank, rank, &part); /* two serve, and every other is a client */
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Publish_name("service", MPI_INFO_NULL, port);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int client = 2; server && client < size; client++) {
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, part, &between);
        talk(between, "server");
    }
    if (!server) {
        MPI_Lookup_name("service", MPI_INFO_NULL, port);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, part, &between);
        talk(between, "client");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        char other[MPI_MAX_PORT_NAME];
        refused(other);
        MPI_Unpublish_name("service", MPI_INFO_NULL, port);
        MPI_Recv(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double end = MPI_Wtime() + 1e-3; /* until somebody waits at the port */
        while (MPI_Wtime() < end)
            ;
        MPI_Close_port(port);
    } else if (rank == 2) {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        printf("closed meanwhile: %s\n", class_of(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between)));
    }
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
