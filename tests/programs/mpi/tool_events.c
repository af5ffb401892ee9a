/* Events: callbacks hear of messages that wait, matches, requests and collectives, with data and time; safety levels,
 * copies, the handler of dropped events, the end of a registration (MPI-4.1 section 15.3.8). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, calls, dropped, freed, depth;
static long data[4] = {11, 22, 33, 44};
static MPI_Count last_time;
typedef struct Seen {
    int peer, tag;
    unsigned long long bytes;
    int waited;
} Seen;

static void expect(const char *what, int result, int wanted)
{
    if (result != wanted)
        printf("rank %d: %s: %d instead of %d\n", rank, what, result, wanted);
}

static void hear(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                 void *user)
{
    Seen seen = {0};
    int peer, tag, source = -1;
    unsigned long long bytes;
    MPI_Count time, now;
    expect("copy", MPI_T_event_copy(instance, &seen), MPI_SUCCESS);
    expect("read 0", MPI_T_event_read(instance, 0, &peer), MPI_SUCCESS);
    expect("read 1", MPI_T_event_read(instance, 1, &tag), MPI_SUCCESS);
    expect("read 2", MPI_T_event_read(instance, 2, &bytes), MPI_SUCCESS);
    expect("read 9", MPI_T_event_read(instance, 9, &bytes), MPI_T_ERR_INVALID_INDEX);
    expect("time", MPI_T_event_get_timestamp(instance, &time), MPI_SUCCESS);
    expect("source", MPI_T_event_get_source(instance, &source), MPI_SUCCESS);
    MPI_T_source_get_timestamp(source, &now);
    expect("peer", peer, seen.peer);
    expect("tag", tag, seen.tag);
    expect("bytes", bytes == seen.bytes, 1);
    expect("source", source, 0);
    expect("safety", safety, MPI_T_CB_REQUIRE_NONE);
    expect("in order of time", time >= last_time && time <= now, 1);
    last_time = time;
    calls++;
    printf("%s: peer %d, tag %d, %llu bytes\n", (const char *)user, peer, tag, bytes);
}

static void count(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                  void *user)
{
    int number = -1;
    MPI_T_event_read(instance, 0, &number);
    ++*(int *)user;
}

/* A callback may call MPI, which causes further events. */
static void call(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                 void *user)
{
    int mine = 1, sum = 0, flag;
    expect("not nested", depth++, 0);
    MPI_Iprobe(MPI_ANY_SOURCE, 1234, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (++*(int *)user <= 3) /* or it would go on for ever */
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    depth--;
}

static void drop(MPI_Count number, MPI_T_event_registration registration, int source, MPI_T_cb_safety safety, void *user)
{
    dropped += (int)number;
    expect("user data", *(int *)user, 3); /* what was kept has been told */
}

static void gone(MPI_T_event_registration registration, MPI_T_cb_safety safety, void *user)
{
    freed += *(int *)user;
}

static MPI_T_event_registration listen(const char *name, void *object, MPI_T_event_cb_function *function, void *user)
{
    MPI_T_event_registration registration = NULL;
    int index = -1;
    expect(name, MPI_T_event_get_index(name, &index), MPI_SUCCESS);
    expect("alloc", MPI_T_event_handle_alloc(index, object, MPI_INFO_NULL, &registration), MPI_SUCCESS);
    expect("register",
           MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, user, function),
           MPI_SUCCESS);
    return registration;
}

static void describe(void)
{
    int n, length, elements = 4, verbosity, bind;
    char name[64], description[128];
    MPI_Datatype types[4];
    MPI_Aint places[4];
    MPI_T_enum names;
    MPI_Info info;
    MPI_T_source_order order;
    MPI_Count ticks, most;
    int description_length = sizeof description;
    MPI_T_event_get_num(&n);
    for (int i = 0; i < n; i++) {
        length = sizeof name;
        MPI_T_event_get_info(i, name, &length, &verbosity, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind);
        printf("%s%s\n", name, bind == MPI_T_BIND_MPI_COMM ? " (of a communicator)" : "");
    }
    MPI_T_event_get_index("message_matched", &n);
    MPI_T_event_get_info(n, NULL, NULL, NULL, types, places, &elements, &names, &info, description,
                         &description_length, NULL);
    MPI_Info_free(&info);
    printf("%d elements:", elements);
    for (int i = 0; i < elements; i++)
        printf(" %s at %d", types[i] == MPI_INT ? "int" : "unsigned long long", (int)places[i]);
    printf("; %s\n", description);
    MPI_T_source_get_num(&n);
    length = sizeof name;
    MPI_T_source_get_info(0, name, &length, NULL, NULL, &order, &ticks, &most, NULL);
    printf("%d source: %s, %s, %lld ticks in a second\n", n, name, order == MPI_T_SOURCE_ORDERED ? "ordered" : "?", ticks);
}

int main(int argc, char **argv)
{
    int provided, other, collectives = 0, ended = 0, called = 0, seven = 7, heard = 0, waits = 0, requests = 0;
    long in[4];
    MPI_Comm dup;
    MPI_Request request;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    other = 1 - rank;
    if (rank == 1) { /* it only serves */
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 3; i++)
            MPI_Send(data, i + 1, MPI_LONG, 0, i, i == 2 ? dup : MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(in, 4, MPI_LONG, 0, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 4, MPI_LONG, 0, 51, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 10; i++)
            MPI_Send(data, 1, MPI_LONG, 0, 60, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
    }
    describe();
    MPI_T_event_registration queued = listen("message_queued", NULL, hear, "queued"),
                             on_dup = listen("comm_message_queued", &dup, hear, "queued on the duplicate"),
                             matched = listen("message_matched", NULL, hear, "matched"),
                             received = listen("message_received", NULL, hear, "received"),
                             sent = listen("message_sent", NULL, hear, "sent");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); /* all three have come */
    for (int i = 2; i >= 0; i--)
        MPI_Recv(in, 4, MPI_LONG, other, i, i == 2 ? dup : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 4, MPI_LONG, other, 51, MPI_COMM_WORLD, &request);
    MPI_Send(data, 4, MPI_LONG, other, 50, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d callbacks\n", calls);
    expect("take back", MPI_T_event_register_callback(sent, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, NULL), MPI_SUCCESS);
    MPI_T_event_handle_free(on_dup, NULL, NULL);
    MPI_T_event_handle_free(matched, NULL, NULL);
    MPI_T_event_handle_free(received, NULL, NULL);
    expect("free", MPI_T_event_handle_free(queued, &seven, gone), MPI_SUCCESS);
    expect("gone", freed, 7);
    expect("free again", MPI_T_event_handle_free(queued, &seven, gone), MPI_T_ERR_INVALID_HANDLE);

    /* A registration with room for three. */
    int index;
    char value[32] = "";
    MPI_Info_create(&info);
    MPI_Info_set(info, "orrery_records", "3");
    MPI_T_event_get_index("message_queued", &index);
    MPI_T_event_handle_alloc(index, NULL, info, &queued);
    MPI_T_event_register_callback(queued, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, &heard, count);
    MPI_T_event_set_dropped_handler(queued, drop);
    MPI_Info_free(&info);
    MPI_T_event_handle_get_info(queued, &info);
    MPI_Info_get(info, "orrery_records", 31, value, &index);
    MPI_Info_free(&info);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("room for %s: %d dropped, %d told\n", value, dropped, heard);
    MPI_T_event_handle_free(queued, NULL, NULL);

    MPI_T_event_registration begun = listen("collective_begun", NULL, count, &collectives),
                             end = listen("comm_collective_ended", &dup, count, &ended),
                             calling = listen("collective_begun", NULL, call, &called),
                             blocked = listen("call_blocked", NULL, count, &waits),
                             complete = listen("request_completed", NULL, count, &requests);
    MPI_Comm one;
    MPI_Comm_split(MPI_COMM_SELF, 0, 0, &one);
    int before = collectives;
    MPI_Bcast(data, 1, MPI_LONG, 0, one);
    MPI_T_event_handle_free(calling, NULL, NULL);
    printf("one broadcast: %d\n", collectives - before);
    for (int i = 0; i < 10; i++) {
        MPI_Irecv(in, 1, MPI_LONG, other, 60, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    printf("%d requests; none ended on the duplicate: %d\n", requests, ended);
    MPI_T_event_handle_free(begun, NULL, NULL);
    MPI_T_event_handle_free(end, NULL, NULL);
    MPI_T_event_handle_free(blocked, NULL, NULL);
    MPI_T_event_handle_free(complete, NULL, NULL);
    MPI_T_finalize();
    MPI_Comm_free(&one);
    MPI_Finalize();
    return 0;
}
