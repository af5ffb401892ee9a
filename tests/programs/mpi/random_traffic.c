/* Random traffic that every rank can work out: modes, sizes on both sides of the eager limit, gapped types,
 * completed one by one or together. Every message must be the one that MPI's order of
 * messages (MPI-3.1 section 3.5) says. The argument is the seed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 300, MOST = 9000, BATCH = 12 };

static unsigned long state;

static int number(int below)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((state >> 33) % (unsigned long)below);
}

static int rank, size, errors;
static MPI_Datatype gapped; /* every second int */

static void fill(int *data, int n, int stride, int message)
{
    for (int i = 0; i < n; i++)
        data[i * stride] = message * 100003 + i;
}

static void check(const int *data, int n, int stride, int message)
{
    for (int i = 0; i < n; i++)
        if (data[i * stride] != message * 100003 + i) {
            if (!errors++)
                printf("rank %d: message %d has %d at %d\n", rank, message, data[i * stride], i);
            return;
        }
}

int main(int argc, char **argv)
{
    MPI_Request *requests = malloc(2 * BATCH * sizeof *requests);
    int **buffers = malloc(2 * BATCH * sizeof *buffers), all;
    char *attached;
    int attached_size = BATCH * (2 * MOST * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = argc > 1 ? (unsigned long)atol(argv[1]) : 1;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gapped);
    MPI_Type_commit(&gapped);
    attached = malloc(attached_size);
    MPI_Buffer_attach(attached, attached_size);
    for (int batch = 0; batch < MESSAGES / BATCH; batch++) {
        int n = 0, expect[2 * BATCH], counts[2 * BATCH], strides[2 * BATCH];
        for (int i = 0; i < BATCH; i++) {
            int message = batch * BATCH + i, from = number(size), to = number(size), tag = number(2);
            int count = number(4) ? number(50) : number(MOST), mode = number(4), out_gap = number(2), in_gap = number(2);
            if (from == rank) {
                buffers[n] = malloc((2 * count + 1) * sizeof(int));
                fill(buffers[n], count, out_gap + 1, message);
                expect[n] = -1;
                MPI_Datatype type = out_gap ? gapped : MPI_INT;
                if (mode == 0)
                    MPI_Isend(buffers[n], count, type, to, tag, MPI_COMM_WORLD, &requests[n]);
                else if (mode == 1)
                    MPI_Issend(buffers[n], count, type, to, tag, MPI_COMM_WORLD, &requests[n]);
                else if (mode == 2)
                    MPI_Ibsend(buffers[n], count, type, to, tag, MPI_COMM_WORLD, &requests[n]);
                else
                    MPI_Isend(buffers[n], count, type, to, tag, MPI_COMM_WORLD, &requests[n]);
                n++;
            }
            if (to == rank) {
                buffers[n] = malloc((2 * count + 1) * sizeof(int));
                memset(buffers[n], 0xee, (2 * count + 1) * sizeof(int));
                expect[n] = message;
                counts[n] = count;
                strides[n] = in_gap + 1;
                MPI_Irecv(buffers[n], count, in_gap ? gapped : MPI_INT, from, tag, MPI_COMM_WORLD, &requests[n]);
                n++;
            }
        }
        if (batch % 3 == 0)
            MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        else if (batch % 3 == 1)
            for (int k = 0; k < n; k++) {
                int index;
                MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
            }
        else
            for (int k = n - 1, flag; k >= 0; k--)
                for (flag = 0; !flag;)
                    MPI_Test(&requests[k], &flag, MPI_STATUS_IGNORE);
        for (int k = 0; k < n; k++) {
            if (expect[k] >= 0)
                check(buffers[k], counts[k], strides[k], expect[k]);
            free(buffers[k]);
        }
    }
    MPI_Buffer_detach(&attached, &attached_size);
    free(attached);
    MPI_Type_free(&gapped);
    MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d errors\n", all);
    MPI_Finalize();
    return 0;
}
