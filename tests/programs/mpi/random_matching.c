/* Property test: messages sent in every mode and received by every kind of receive and probe, with and without
 * wildcards. All ranks know the plan; whatever the source of a message turns out to be, it must be the first one left
 * from there that the receive names (MPI-3.1 section 3.5), and its status and data must be its own. The argument is the
 * seed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4, MESSAGES = 60, TAGS = 3, COMMS = 2, MOST = 3000, POSTED = 3 };
enum { RECEIVE, PROBE, MATCHED_PROBE, POLL, MATCHED_POLL, PERSISTENT, BACKGROUND, EXCHANGE, WAYS };

typedef struct Message {
    int from, to, tag, comm, count, mode, left;
} Message;

typedef struct Posted { /* a receive and what it names */
    int source, tag, comm, expected;
    MPI_Request request;
    int *data;
} Posted;

static unsigned long state, own;
static Message plan[MESSAGES];
static int rank, size, failures;
static MPI_Comm comms[COMMS];

static int draw(unsigned long *from, int below)
{
    *from = *from * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((*from >> 33) % (unsigned long)below);
}

static void fail(const char *what, int message, int has)
{
    if (failures++ < 3)
        printf("rank %d: message %d: %s %d\n", rank, message, what, has);
}

static void make_plan(void)
{
    for (int i = 0; i < MESSAGES; i++)
        plan[i] = (Message){.from = draw(&state, size),
                            .to = draw(&state, size),
                            .tag = draw(&state, TAGS),
                            .comm = draw(&state, COMMS),
                            .count = draw(&state, 3) ? draw(&state, 20) : draw(&state, MOST),
                            .mode = draw(&state, 5),
                            .left = 1};
}

/* In the second communicator ranks are reversed. */
static int in_comm(int comm, int member)
{
    return comm && member >= 0 ? size - 1 - member : member;
}

static int accepts(const Message *m, int source, int tag, int comm)
{
    return m->left && m->to == rank && m->comm == comm && (source == MPI_ANY_SOURCE || source == m->from) &&
           (tag == MPI_ANY_TAG || tag == m->tag);
}

/* The first that is left from a source; MESSAGES: none. */
static int first(int source, int tag, int comm)
{
    int i = 0;
    while (i < MESSAGES && !accepts(&plan[i], source, tag, comm))
        i++;
    return i;
}

static void check(const MPI_Status *status, const int *data, int source, int tag, int comm)
{
    int from = in_comm(comm, status->MPI_SOURCE), count = -1;
    if (source != MPI_ANY_SOURCE && from != source)
        fail("source", -1, from);
    int i = first(from, tag, comm);
    if (i == MESSAGES) {
        fail("nothing was left from", -1, from);
        return;
    }
    plan[i].left = 0;
    MPI_Get_count(status, MPI_INT, &count);
    if (status->MPI_TAG != plan[i].tag)
        fail("tag", i, status->MPI_TAG);
    if (count != plan[i].count)
        fail("count", i, count);
    for (int k = 0; k < count && k < plan[i].count; k++)
        if (data[k] != i * 10007 + k) {
            fail("data", i, data[k]);
            break;
        }
}

static void send_all(MPI_Request *requests, int **data, int *n)
{
    *n = 0;
    for (int i = 0; i < MESSAGES; i++) {
        const Message *m = &plan[i];
        MPI_Comm c = comms[m->comm];
        MPI_Request *r = &requests[*n];
        int to = in_comm(m->comm, m->to);
        if (m->from != rank)
            continue;
        int *d = data[*n] = malloc((m->count + 1) * sizeof *d);
        for (int k = 0; k < m->count; k++)
            d[k] = i * 10007 + k;
        switch (m->mode) {
        case 0: MPI_Issend(d, m->count, MPI_INT, to, m->tag, c, r); break;
        case 1: MPI_Ibsend(d, m->count, MPI_INT, to, m->tag, c, r); break;
        case 2:
            MPI_Send_init(d, m->count, MPI_INT, to, m->tag, c, r);
            MPI_Start(r);
            break;
        case 3:
            MPI_Ssend_init(d, m->count, MPI_INT, to, m->tag, c, r);
            MPI_Start(r);
            break;
        default: MPI_Isend(d, m->count, MPI_INT, to, m->tag, c, r);
        }
        ++*n;
    }
}

/* One message by one way of several; `source` is of MPI_COMM_WORLD. */
static void receive(int way, int source, int tag, int comm)
{
    static int data[MOST];
    MPI_Status status, probed;
    MPI_Message message;
    MPI_Request request;
    MPI_Comm c = comms[comm];
    int from = in_comm(comm, source), flag = 0, count;
    switch (way) {
    case RECEIVE: MPI_Recv(data, MOST, MPI_INT, from, tag, c, &status); break;
    case PROBE:
    case POLL:
        if (way == PROBE)
            MPI_Probe(from, tag, c, &probed);
        while (way == POLL && !flag)
            MPI_Iprobe(from, tag, c, &flag, &probed);
        MPI_Get_count(&probed, MPI_INT, &count);
        MPI_Recv(data, count, MPI_INT, probed.MPI_SOURCE, probed.MPI_TAG, c, &status);
        break;
    case MATCHED_PROBE:
        MPI_Mprobe(from, tag, c, &message, &probed);
        MPI_Mrecv(data, MOST, MPI_INT, &message, &status);
        break;
    case MATCHED_POLL:
        while (!flag)
            MPI_Improbe(from, tag, c, &flag, &message, &probed);
        MPI_Get_count(&probed, MPI_INT, &count);
        MPI_Imrecv(data, count, MPI_INT, &message, &request);
        MPI_Wait(&request, &status);
        break;
    case PERSISTENT:
        MPI_Recv_init(data, MOST, MPI_INT, from, tag, c, &request);
        MPI_Start(&request);
        MPI_Wait(&request, &status);
        MPI_Request_free(&request);
        break;
    case EXCHANGE: MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, data, MOST, MPI_INT, from, tag, c, &status); break;
    default:
        MPI_Irecv(data, MOST, MPI_INT, from, tag, c, &request);
        while (!flag)
            MPI_Test(&request, &flag, &status);
    }
    check(&status, data, source, tag, comm);
}

/* Several receives at a time, each for what the ones before it leave: they name sources and tags exactly. */
static void receive_several(void)
{
    static int buffers[POSTED][MOST];
    MPI_Request requests[POSTED];
    MPI_Status statuses[POSTED];
    int which[POSTED], n = 0, i = draw(&own, MESSAGES);
    for (int step = 0; step < MESSAGES && n < POSTED; step++, i = (i + 1) % MESSAGES)
        if (accepts(&plan[i], MPI_ANY_SOURCE, MPI_ANY_TAG, plan[i].comm)) {
            int first_left = first(plan[i].from, plan[i].tag, plan[i].comm);
            which[n] = first_left; /* what this receive must get: in order of posting */
            plan[first_left].left = 0;
            MPI_Irecv(buffers[n], MOST, MPI_INT, in_comm(plan[i].comm, plan[i].from), plan[i].tag, comms[plan[i].comm],
                      &requests[n]);
            n++;
        }
    MPI_Waitall(n, requests, statuses);
    for (int k = 0; k < n; k++) {
        plan[which[k]].left = 1;
        check(&statuses[k], buffers[k], plan[which[k]].from, plan[which[k]].tag, plan[which[k]].comm);
    }
}

static void receive_all(void)
{
    for (;;) {
        int i = draw(&own, MESSAGES), left = 0;
        for (int k = 0; k < MESSAGES; k++)
            left += plan[k].left && plan[k].to == rank;
        if (!left)
            return;
        while (!accepts(&plan[i], MPI_ANY_SOURCE, MPI_ANY_TAG, plan[i].comm))
            i = (i + 1) % MESSAGES;
        if (draw(&own, 6) == 0)
            receive_several();
        else
            receive(draw(&own, WAYS), draw(&own, 2) ? plan[i].from : MPI_ANY_SOURCE,
                    draw(&own, 2) ? plan[i].tag : MPI_ANY_TAG, plan[i].comm);
    }
}

int main(int argc, char **argv)
{
    enum { ROOM = MESSAGES * (MOST * (int)sizeof(int) + MPI_BSEND_OVERHEAD) };
    MPI_Request requests[MESSAGES];
    int *data[MESSAGES], n, all, bytes;
    char *buffer = malloc(ROOM);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = argc > 1 ? (unsigned long)atol(argv[1]) : 1;
    own = state * 1000 + rank;
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
    MPI_Buffer_attach(buffer, ROOM);
    for (int round = 0; round < ROUNDS; round++) {
        make_plan();
        send_all(requests, data, &n);
        receive_all();
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < n; i++) {
            if (requests[i] != MPI_REQUEST_NULL)
                MPI_Request_free(&requests[i]);
            free(data[i]);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* wildcards must not meet the next round's */
    }
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    MPI_Comm_free(&comms[1]);
    MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("failures: %d\n", all);
    MPI_Finalize();
    return 0;
}
