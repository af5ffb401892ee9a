/* Partitioned and persistent requests by the standard (MPI-4.1 sections 3.7, 3.9, 4.2, 6.13 and 8.8): partitions that
 * the two sides divide differently, marked in every way and order; requests started in any order, freed while active,
 * asked without being completed; collectives and neighbourhood collectives started again. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
static int rank, size, bad;
static void expect(const char *what, long got, long want)
{
    if (got != want) {
        printf("rank %d: %s: %ld instead of %ld\n", rank, what, got, want);
        bad++;
    }
}
static int class_of(int code)
{
    int c;
    MPI_Error_class(code, &c);
    return c;
}
int main(int argc, char **argv)
{
    int data[160], got[160], flag, index, n, indices[8];
    MPI_Request r[8], s;
    MPI_Status st[8], status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    /* Partitions of the two sides. */
    int shapes[][2] = {{1, 1}, {1, 4}, {4, 1}, {3, 4}, {12, 4}, {4, 12}, {6, 4}, {12, 12}, {5, 3}};
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        int sp = shapes[k][0], rp = shapes[k][1], total = sp * rp;
        MPI_Psend_init(data, sp, total / sp, MPI_INT, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
        MPI_Precv_init(got, rp, total / rp, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
        MPI_Parrived(r[1], 0, &flag); /* it counts as there while it is inactive */
        expect("parrived inactive", flag, 1);
        for (int turn = 0; turn < 3; turn++) {
            memset(got, 255, sizeof got);
            for (int i = 0; i < total; i++)
                data[i] = 1000 * rank + 100 * turn + i;
            if (turn == 1) {
                MPI_Start(&r[1]);
                MPI_Start(&r[0]);
            } else
                MPI_Startall(2, r);
            expect("pready of receive", class_of(MPI_Pready(0, r[1])), MPI_ERR_REQUEST);
            if (turn == 0)
                for (int i = sp - 1; i >= 0; i--)
                    MPI_Pready(i, r[0]);
            else if (turn == 1)
                MPI_Pready_range(0, sp - 1, r[0]);
            else {
                int list[160];
                for (int i = 0; i < sp; i++)
                    list[i] = (i + 1) % sp;
                MPI_Pready_list(sp, list, r[0]);
            }
            for (int p = 0; p < rp; p++) {
                do
                    MPI_Parrived(r[1], p, &flag);
                while (!flag);
                for (int i = p * (total / rp); i < (p + 1) * (total / rp); i++)
                    expect("data", got[i], 1000 * left + 100 * turn + i);
            }
            MPI_Waitall(2, r, st);
            n = -5;
            MPI_Get_count(&st[1], MPI_INT, &n);
            expect("count", n, total);
            expect("source", st[1].MPI_SOURCE, left);
            expect("tag", st[1].MPI_TAG, 7);
            expect("not freed", r[0] != MPI_REQUEST_NULL && r[1] != MPI_REQUEST_NULL, 1);
        }
        expect("pready inactive", class_of(MPI_Pready(0, r[0])), MPI_ERR_REQUEST);
        MPI_Request_free(&r[0]);
        MPI_Request_free(&r[1]);
    }
    /* Arguments. */
    expect("any source",
           class_of(MPI_Precv_init(got, 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &s)),
           MPI_ERR_RANK);
    expect("any tag",
           class_of(MPI_Precv_init(got, 1, 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &s)),
           MPI_ERR_TAG);
    expect("partitions -1",
           class_of(MPI_Psend_init(got, -1, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &s)) != MPI_SUCCESS, 1);
    expect("count -1", class_of(MPI_Psend_init(got, 1, -1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &s)),
           MPI_ERR_COUNT);
    /* Nobody on the other side. */
    MPI_Psend_init(data, 3, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Precv_init(got, 3, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    MPI_Startall(2, r);
    MPI_Pready_range(0, 2, r[0]);
    MPI_Parrived(r[1], 2, &flag);
    MPI_Waitall(2, r, st);
    expect("null source", st[1].MPI_SOURCE, MPI_PROC_NULL);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    /* Freed while it is active. */
    MPI_Recv_init(got, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(&rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &r[1]);
    MPI_Startall(2, r);
    MPI_Request_free(&r[1]);
    expect("freed", r[1] == MPI_REQUEST_NULL, 1);
    expect("start active", class_of(MPI_Start(&r[0])), MPI_ERR_REQUEST);
    MPI_Wait(&r[0], &status);
    expect("got", got[0], left);
    /* Asked without being freed. */
    MPI_Start(&r[0]);
    MPI_Send(&rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
    do
        MPI_Request_get_status(r[0], &flag, &status);
    while (!flag);
    expect("status source", status.MPI_SOURCE, left);
    MPI_Request_get_status(r[0], &flag, &status);
    expect("again", flag, 1);
    MPI_Test(&r[0], &flag, &status);
    expect("test", flag, 1);
    expect("test source", status.MPI_SOURCE, left);
    MPI_Request_get_status(r[0], &flag, &status);
    expect("inactive flag", flag, 1);
    expect("empty source", status.MPI_SOURCE, MPI_ANY_SOURCE);
    MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status);
    expect("null flag", flag, 1);
    MPI_Request_free(&r[0]);
    /* Several of them. */
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, left, 20 + i, MPI_COMM_WORLD, &r[i]);
    r[3] = MPI_REQUEST_NULL;
    MPI_Request_get_status_any(4, r, &index, &flag, &status);
    expect("none yet", flag, 0);
    MPI_Request_get_status_all(4, r, &flag, st);
    expect("not all", flag, 0);
    MPI_Request_get_status_some(4, r, &n, indices, st);
    expect("none", n, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, right, 21, MPI_COMM_WORLD);
    do
        MPI_Request_get_status_any(4, r, &index, &flag, &status);
    while (!flag);
    expect("index", index, 1);
    expect("tag 21", status.MPI_TAG, 21);
    expect("kept", r[1] != MPI_REQUEST_NULL, 1);
    MPI_Request_get_status_some(4, r, &n, indices, st);
    expect("some", n, 1);
    expect("which", indices[0], 1);
    MPI_Send(&rank, 1, MPI_INT, right, 20, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, right, 22, MPI_COMM_WORLD);
    do
        MPI_Request_get_status_all(4, r, &flag, st);
    while (!flag);
    for (int i = 0; i < 3; i++)
        expect("all tag", st[i].MPI_TAG, 20 + i);
    expect("all null", st[3].MPI_SOURCE, MPI_ANY_SOURCE);
    MPI_Waitall(4, r, st);
    MPI_Request_get_status_any(4, r, &index, &flag, &status);
    expect("all null flag", flag, 1);
    expect("undefined", index, MPI_UNDEFINED);
    MPI_Request_get_status_some(4, r, &n, indices, st);
    expect("undefined count", n, MPI_UNDEFINED);
    MPI_Request_get_status_all(4, r, &flag, MPI_STATUSES_IGNORE);
    expect("all of none", flag, 1);
    MPI_Request_get_status_any(0, NULL, &index, &flag, &status);
    expect("0 flag", flag, 1);
    /* Collectives, started in any order. */
    int sum = 0, in = rank, inplace[8];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_strict_persistent_collective_ordering", "true");
    MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, info, &r[0]);
    MPI_Info_free(&info);
    for (int i = 0; i < size && i < 8; i++)
        inplace[i] = 0;
    MPI_Allgather_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, inplace, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]);
    for (int turn = 0; turn < 3; turn++) {
        in = rank + turn;
        inplace[rank] = 10 * rank + turn;
        if (turn == 1) {
            MPI_Start(&r[1]);
            MPI_Start(&r[0]);
            MPI_Start(&r[2]);
        } else
            MPI_Startall(3, r);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
        expect("sum", sum, size * (size - 1) / 2 + size * turn);
        for (int i = 0; i < size; i++)
            expect("gathered", inplace[i], 10 * i + turn);
    }
    expect("cancel of a collective", class_of((MPI_Start(&r[2]), MPI_Cancel(&r[2]))), MPI_ERR_REQUEST);
    MPI_Wait(&r[2], MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&r[i]);
    /* Neighbours. */
    int periods = 1, nb[2], out = rank;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
    MPI_Neighbor_allgather_init(&out, 1, MPI_INT, nb, 1, MPI_INT, ring, MPI_INFO_NULL, &r[0]);
    MPI_Neighbor_alltoall_init(data, 1, MPI_INT, got, 1, MPI_INT, ring, MPI_INFO_NULL, &r[1]);
    for (int turn = 0; turn < 2; turn++) {
        out = rank + 5 * turn;
        data[0] = rank * 2;
        data[1] = rank * 2 + 1;
        MPI_Startall(2, r);
        MPI_Waitall(2, r, st);
        expect("left", nb[0], left + 5 * turn);
        expect("right", nb[1], right + 5 * turn);
        expect("from left", got[0], left * 2 + 1);
        expect("from right", got[1], right * 2);
    }
    MPI_Start(&r[0]);
    expect("free an active collective", class_of(MPI_Request_free(&r[0])), MPI_ERR_REQUEST);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    MPI_Barrier(ring);
    MPI_Comm_free(&ring);
    /* What cannot be started. */
    r[0] = MPI_REQUEST_NULL;
    expect("start null", class_of(MPI_Startall(1, r)), MPI_ERR_REQUEST);
    MPI_Irecv(got, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[0]);
    expect("start nonpersistent", class_of(MPI_Startall(1, r)), MPI_ERR_REQUEST);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Reduce(rank ? &bad : MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("%d bad\n", bad);
    MPI_Finalize();
    return 0;
}
