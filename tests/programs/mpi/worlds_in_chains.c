/* Worlds that are connected through others: a head starts three links, which connect with each other in a chain, and
 * keeps only the first. Its MPI_Finalize waits for the last one, unless the chain is cut; or for the world that two
 * links have started together, a communicator of three worlds, unless that is disconnected. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINKS = 3 };

/* The chains come one after the other, so that their lines do not depend on what cores share. */
static void begin(const char *kind)
{
    static const char *const kinds[] = {"whole", "cut", "three", "apart"};
    for (int i = 0; strcmp(kind, kinds[i]); i++)
        usleep(20000);
}

static MPI_Comm spawn(const char *program, const char *role, const char *kind, const char *number, MPI_Comm by)
{
    char *arguments[] = {(char *)role, (char *)kind, (char *)number, NULL};
    MPI_Comm made;
    MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, by, &made, MPI_ERRCODES_IGNORE);
    return made;
}

static int end(const char *role, const char *kind, const char *number)
{
    printf("%s: %s%s calls MPI_Finalize\n", kind, role, number);
    MPI_Finalize();
    usleep(!strcmp(role, "last") ? 900 : *number ? 100 * (number[1] - '0' + 1) : 0);
    printf("%s: %s%s ends\n", kind, role, number);
    return 0;
}

static int head(const char *program, const char *kind, MPI_Comm main_world)
{
    MPI_Comm links[LINKS];
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm_disconnect(&main_world);
    begin(kind);
    for (int i = 0; i < LINKS; i++) {
        char number[] = {' ', (char)('0' + i), 0};
        links[i] = spawn(program, "link", kind, number, MPI_COMM_WORLD);
        if (i)
            MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, links[i]);
        if (i + 1 < LINKS)
            MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, links[i], MPI_STATUS_IGNORE);
        if (i)
            MPI_Comm_disconnect(&links[i]);
    }
    return end("head", kind, "");
}

/* Two links start a world together. */
static void start_together(const char *program, const char *kind, MPI_Comm other, int high)
{
    MPI_Comm both;
    MPI_Intercomm_merge(other, high, &both);
    MPI_Comm started = spawn(program, "last", kind, "", both);
    if (!strcmp(kind, "apart"))
        MPI_Comm_disconnect(&started);
    MPI_Comm_disconnect(&both);
}

static int link_of_chain(const char *program, const char *kind, int number, MPI_Comm parent)
{
    MPI_Comm before = MPI_COMM_NULL, behind = MPI_COMM_NULL;
    char port[MPI_MAX_PORT_NAME];
    if (number) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parent, MPI_STATUS_IGNORE);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &before);
    }
    if (number + 1 < LINKS) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parent);
    }
    if (number)
        MPI_Comm_disconnect(&parent);
    if (number + 1 < LINKS)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &behind);
    if ((!strcmp(kind, "three") || !strcmp(kind, "apart")) && number < 2)
        start_together(program, kind, number ? before : behind, number);
    int cuts = strcmp(kind, "whole") != 0;
    if (cuts && number == 1) {
        MPI_Comm_disconnect(&before);
        MPI_Comm_disconnect(&behind);
    } else if (cuts) {
        MPI_Comm_disconnect(number ? &before : &behind);
    }
    usleep(number == 2 ? 2000 : 200 + 100 * number);
    return end("link", kind, number == 0 ? " 0" : number == 1 ? " 1" : " 2");
}

static int last(const char *kind, MPI_Comm parents)
{
    if (!strcmp(kind, "apart"))
        MPI_Comm_disconnect(&parents);
    usleep(4000);
    return end("last", kind, "");
}

int main(int argc, char **argv)
{
    static const char *kinds[] = {"whole", "cut", "three", "apart"};
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL && !strcmp(argv[1], "head"))
        return head(argv[0], argv[2], parent);
    if (parent != MPI_COMM_NULL && !strcmp(argv[1], "link"))
        return link_of_chain(argv[0], argv[2], argv[3][1] - '0', parent);
    if (parent != MPI_COMM_NULL)
        return last(argv[2], parent);
    for (int i = 0; i < 4; i++) {
        MPI_Comm head_world = spawn(argv[0], "head", kinds[i], "", MPI_COMM_WORLD);
        MPI_Comm_disconnect(&head_world);
    }
    MPI_Finalize();
    return 0;
}
