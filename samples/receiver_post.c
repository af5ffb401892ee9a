/* receiver_post.c - does a message go before it is wanted? Three small experiments on two ranks.
 *
 *     receiver_post flood              rank 0 sends 1,000 messages of 16 KiB while rank 1 computes for 200 ms
 *     receiver_post both BYTES         both ranks send BYTES to each other, and then receive
 *     receiver_post one BYTES          one message, whose receive has been posted long before
 *
 * Run:      orrery run -n 2 --machine crossbar-16 samples/receiver_post.c flood
 * Look at:  when the sends are done, and how much waits for a receive when rank 1 looks.
 * Change:   --set protocol.credits=256KiB; --set protocol.all=receiver-post (docs/lessons/17-receiver-post.md). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 1000, BYTES = 16384, MILLISECOND = 571429 /* turns of compute() at 2 GHz */ };

static double compute(long turns)
{
    double x = 1.0;
    for (long i = 0; i < turns; i++)
        x = x * 0.999999 + 0.5;
    return x;
}

/* The bytes of messages that this rank knows of and that wait for a receive: the library counts them. */
static unsigned long long unexpected(void)
{
    unsigned long long bytes = 0;
    int provided, index, count;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    if (MPI_T_pvar_get_index("unexpected_bytes", MPI_T_PVAR_CLASS_LEVEL, &index) == MPI_SUCCESS) {
        MPI_T_pvar_session_create(&session);
        MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count);
        MPI_T_pvar_read(session, handle, &bytes);
        MPI_T_pvar_handle_free(session, &handle);
        MPI_T_pvar_session_free(&session);
    }
    MPI_T_finalize();
    return bytes;
}

static void flood(int rank)
{
    static char data[BYTES];
    double began = MPI_Wtime();
    if (rank == 0) {
        for (int i = 0; i < MESSAGES; i++)
            MPI_Send(data, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        printf("all sent after %.1f ms\n", 1e3 * (MPI_Wtime() - began));
    } else if (rank == 1) {
        int there;
        double x = compute(200L * MILLISECOND);
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* the library looks at what has come */
        printf("computed %.0f; %llu bytes wait for a receive\n", x, unexpected());
        for (int i = 0; i < MESSAGES; i++)
            MPI_Recv(data, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("all received after %.1f ms\n", 1e3 * (MPI_Wtime() - began));
    }
}

static void both(int rank, char *data, int bytes)
{
    if (rank > 1)
        return;
    MPI_Send(data, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(data, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d has sent and received\n", rank);
}

static void one(int rank, char *data, int bytes)
{
    if (rank == 0) {
        double x = compute(MILLISECOND), began = MPI_Wtime();
        MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        printf("computed %.0f; %d bytes sent after %.3f ms\n", x, bytes, 1e3 * (MPI_Wtime() - began));
    } else if (rank == 1) {
        MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "flood";
    int rank, bytes = argc > 2 ? atoi(argv[2]) : 0;
    char *data = calloc((size_t)bytes + 1, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "flood") == 0)
        flood(rank);
    else if (strcmp(what, "both") == 0)
        both(rank, data, bytes);
    else
        one(rank, data, bytes);
    free(data);
    MPI_Finalize();
    return 0;
}
