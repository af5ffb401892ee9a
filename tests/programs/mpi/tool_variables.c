/* The tool interface: control variables are the machine's keys, performance variables the simulator's counters; both
 * begin before MPI_Init and go on after MPI_Finalize (MPI-4.1 sections 15.3.4 to 15.3.7). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
#define SAY(...) (rank ? 0 : printf(__VA_ARGS__))

static void expect(const char *what, int result, int wanted)
{
    if (result != wanted)
        printf("rank %d: %s: %d instead of %d\n", rank, what, result, wanted);
}

static int pvar(const char *name, int class)
{
    int index = -1;
    expect(name, MPI_T_pvar_get_index(name, class, &index), MPI_SUCCESS);
    return index;
}

static void control_variables(void)
{
    int n, index, count, length = 0, verbosity, bind, scope, value, limits[2];
    char name[64], text[8];
    MPI_Datatype type;
    MPI_T_enum names;
    MPI_T_cvar_handle handle;
    unsigned long long limit;
    MPI_T_cvar_get_num(&n);
    SAY("more than 100 control variables: %s\n", n > 100 ? "yes" : "no");
    for (int i = 0; i < n; i++) {
        length = sizeof name;
        expect("cvar_get_info", MPI_T_cvar_get_info(i, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL), 0);
        expect("cvar_get_index", MPI_T_cvar_get_index(name, &index), 0);
        expect("index of the name", index, i);
    }
    expect("index too high", MPI_T_cvar_get_info(n, name, &length, 0, 0, 0, 0, 0, 0, 0), MPI_T_ERR_INVALID_INDEX);
    expect("unknown name", MPI_T_cvar_get_index("mpi.none", &index), MPI_T_ERR_INVALID_NAME);

    MPI_T_cvar_get_index("mpi.eager-limit", &index);
    length = sizeof text; /* the name is cut */
    MPI_T_cvar_get_info(index, text, &length, &verbosity, &type, &names, NULL, NULL, &bind, &scope);
    SAY("\"%s\" of %d characters, %s, %s, %s, %s\n", text, length,
           type == MPI_UNSIGNED_LONG_LONG ? "a number" : "?", names == MPI_T_ENUM_NULL ? "no names" : "?",
           bind == MPI_T_BIND_NO_OBJECT ? "unbound" : "?", scope == MPI_T_SCOPE_LOCAL ? "local" : "?");
    expect("alloc", MPI_T_cvar_handle_alloc(index, NULL, &handle, &count), MPI_SUCCESS);
    expect("count", count, 1);
    expect("read", MPI_T_cvar_read(handle, &limit), MPI_SUCCESS);
    SAY("eager limit %llu\n", limit);
    limit = 16;
    expect("write", MPI_T_cvar_write(handle, &limit), MPI_SUCCESS);
    limit = 0;
    MPI_T_cvar_read(handle, &limit);
    SAY("eager limit %llu\n", limit);
    expect("free", MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
    expect("freed", handle == MPI_T_CVAR_HANDLE_NULL, 1);
    expect("read of nothing", MPI_T_cvar_read(handle, &limit), MPI_T_ERR_INVALID_HANDLE);

    MPI_T_cvar_get_index("collectives.bcast", &index);
    MPI_T_cvar_get_info(index, NULL, NULL, NULL, &type, &names, NULL, NULL, NULL, &scope);
    length = sizeof name;
    MPI_T_enum_get_info(names, &n, name, &length);
    SAY("%s: %d names, %s, %s\n", name, n, type == MPI_INT ? "an int" : "?",
           scope == MPI_T_SCOPE_ALL_EQ ? "the same on all" : "?");
    for (int i = 0; i < n; i++) {
        length = sizeof name;
        MPI_T_enum_get_item(names, i, &value, name, &length);
        SAY("  %d %s\n", value, name);
    }
    expect("no item", MPI_T_enum_get_item(names, n, &value, name, &length), MPI_T_ERR_INVALID_ITEM);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    value = 1;
    expect("write", MPI_T_cvar_write(handle, &value), MPI_SUCCESS);
    value = 1000;
    expect("no such algorithm", MPI_T_cvar_write(handle, &value), MPI_T_ERR_INVALID);
    MPI_T_cvar_read(handle, &limits[0]);
    SAY("algorithm %d\n", limits[0]);
    value = 0; /* auto again */
    MPI_T_cvar_write(handle, &value);
    MPI_T_cvar_handle_free(&handle);

    MPI_T_cvar_get_index("machine.description", &index);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    char *description = malloc(count);
    MPI_T_cvar_read(handle, description);
    SAY("the description has %s\n", (int)strlen(description) == count - 1 ? "its length" : "another length");
    expect("description", MPI_T_cvar_write(handle, description), MPI_T_ERR_CVAR_SET_NEVER);
    MPI_T_cvar_handle_free(&handle);
    free(description);
}

static unsigned long long number(MPI_T_pvar_session session, MPI_T_pvar_handle handle)
{
    unsigned long long value = 0;
    expect("pvar_read", MPI_T_pvar_read(session, handle, &value), MPI_SUCCESS);
    return value;
}

static void performance_variables(void)
{
    int n, count, data[100] = {0}, first[100] = {0}, more[100], alone = 0, other = 1 - rank, readonly, continuous, atomic, class, bind, value = 0;
    MPI_T_pvar_session session, second;
    MPI_T_pvar_handle sent, twice, unexpected, peak, timer, rendezvous, on_dup, posted, state, expected, late;
    MPI_Comm dup;
    MPI_Request requests[3];
    double seconds = -1;
    unsigned level;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_T_pvar_get_num(&n);
    SAY("more than 20 performance variables: %s\n", n > 20 ? "yes" : "no");
    expect("session", MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    MPI_T_pvar_session_create(&second);
    MPI_T_pvar_handle_alloc(session, pvar("messages_sent", MPI_T_PVAR_CLASS_COUNTER), NULL, &sent, &count);
    MPI_T_pvar_handle_alloc(second, pvar("messages_sent", MPI_T_PVAR_CLASS_COUNTER), NULL, &twice, &count);
    MPI_T_pvar_handle_alloc(session, pvar("unexpected_messages", MPI_T_PVAR_CLASS_LEVEL), NULL, &unexpected, &count);
    MPI_T_pvar_handle_alloc(session, pvar("posted_receives", MPI_T_PVAR_CLASS_LEVEL), NULL, &posted, &count);
    MPI_T_pvar_handle_alloc(session, pvar("unexpected_messages_peak", MPI_T_PVAR_CLASS_HIGHWATERMARK), NULL, &peak,
                            &count);
    MPI_T_pvar_handle_alloc(session, pvar("time_blocked", MPI_T_PVAR_CLASS_TIMER), NULL, &timer, &count);
    MPI_T_pvar_handle_alloc(session, pvar("rendezvous_sends", MPI_T_PVAR_CLASS_COUNTER), NULL, &rendezvous, &count);
    MPI_T_pvar_handle_alloc(session, pvar("matches_expected", MPI_T_PVAR_CLASS_COUNTER), NULL, &expected, &count);
    MPI_T_pvar_handle_alloc(session, pvar("matches_unexpected", MPI_T_PVAR_CLASS_COUNTER), NULL, &late, &count);
    MPI_T_pvar_handle_alloc(session, pvar("thread_level", MPI_T_PVAR_CLASS_STATE), NULL, &state, &count);
    expect("bound to nothing",
           MPI_T_pvar_handle_alloc(session, pvar("comm_bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE), NULL, &on_dup, &count),
           MPI_T_ERR_INVALID);
    expect("bound",
           MPI_T_pvar_handle_alloc(session, pvar("comm_bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE), &dup, &on_dup, &count),
           MPI_SUCCESS);
    MPI_T_pvar_get_info(pvar("messages_sent", MPI_T_PVAR_CLASS_COUNTER), NULL, NULL, NULL, &class, NULL, NULL, NULL,
                        NULL, &bind, &readonly, &continuous, &atomic);
    SAY("counter: class %d, readonly %d, continuous %d, atomic %d\n", class, readonly, continuous, atomic);
    MPI_T_pvar_get_info(pvar("posted_receives", MPI_T_PVAR_CLASS_LEVEL), NULL, NULL, NULL, &class, NULL, NULL, NULL,
                        NULL, &bind, &readonly, &continuous, &atomic);
    SAY("level: class %d, readonly %d, continuous %d, atomic %d\n", class, readonly, continuous, atomic);
    expect("wrong session", MPI_T_pvar_read(second, sent, data), MPI_T_ERR_INVALID_HANDLE);
    expect("no session", MPI_T_pvar_read(MPI_T_PVAR_SESSION_NULL, sent, data), MPI_T_ERR_INVALID_SESSION);
    expect("start a level", MPI_T_pvar_start(session, posted), MPI_T_ERR_PVAR_NO_STARTSTOP);
    expect("write a level", MPI_T_pvar_write(session, posted, &value), MPI_T_ERR_PVAR_NO_WRITE);
    expect("reset a level", MPI_T_pvar_reset(session, posted), MPI_T_ERR_PVAR_NO_WRITE);
    MPI_T_pvar_read(session, state, &value);
    expect("level of threads", value, MPI_THREAD_FUNNELED);
    MPI_Barrier(MPI_COMM_WORLD);
    SAY("not started: %llu\n", number(session, sent));
    expect("start all", MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);

    for (int i = 0; i < 3; i++)
        MPI_Send(data, 2, MPI_INT, other, 5, MPI_COMM_WORLD); /* eager */
    MPI_Isend(first, 100, MPI_INT, other, 6, dup, &requests[0]); /* longer than the limit that was set */
    expect("start", MPI_T_pvar_start(second, twice), MPI_SUCCESS);
    MPI_Isend(&alone, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv(data, 100, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* overtakes */
    MPI_T_pvar_read(session, unexpected, &level);
    SAY("unexpected %u\n", level);
    MPI_Irecv(more, 100, MPI_INT, other, 99, MPI_COMM_WORLD, &requests[2]);
    MPI_T_pvar_read(session, posted, &level);
    SAY("posted %u\n", level);
    for (int i = 0; i < 3; i++)
        MPI_Recv(data, 100, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 100, MPI_INT, other, 6, dup, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Cancel(&requests[2]);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);

    SAY("sent %llu, since the last: %llu\n", number(session, sent), number(second, twice));
    MPI_T_pvar_read(session, peak, &level);
    SAY("at most unexpected: %u\n", level);
    SAY("on the duplicate %llu bytes, %llu rendezvous\n", number(session, on_dup), number(session, rendezvous));
    SAY("matched at once %llu, late %llu\n", number(session, expected), number(session, late));
    MPI_T_pvar_read(session, timer, &seconds);
    SAY("blocked: %s\n", seconds > 0 && seconds < 1 ? "some time" : "no time");
    expect("stop", MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    MPI_Sendrecv(data, 1, MPI_INT, other, 9, data + 1, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    SAY("stopped: %llu, going on: %llu\n", number(session, sent), number(second, twice));
    unsigned long long much = 1000, before;
    expect("write", MPI_T_pvar_write(session, sent, &much), MPI_SUCCESS);
    expect("readreset", MPI_T_pvar_readreset(session, sent, &before), MPI_SUCCESS);
    SAY("written %llu, reset %llu\n", before, number(session, sent));
    expect("reset all", MPI_T_pvar_reset(second, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    SAY("reset %llu\n", number(second, twice));
    expect("read all", MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, data), MPI_T_ERR_INVALID_HANDLE);
    expect("free", MPI_T_pvar_handle_free(session, &sent), MPI_SUCCESS);
    expect("null", sent == MPI_T_PVAR_HANDLE_NULL, 1);
    expect("free session", MPI_T_pvar_session_free(&session), MPI_SUCCESS);
    expect("null", session == MPI_T_PVAR_SESSION_NULL, 1);
    expect("gone with its session", MPI_T_pvar_read(second, unexpected, data), MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_session_free(&second);
    MPI_Comm_free(&dup);
}

int main(int argc, char **argv)
{
    int provided, n;
    expect("not initialised", MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    expect("finalize before", MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    expect("init", MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    expect("provided", provided, MPI_THREAD_SINGLE);
    MPI_T_init_thread(MPI_THREAD_FUNNELED, &provided);
    MPI_T_finalize(); /* counted: still there */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    control_variables();
    performance_variables();
    MPI_Finalize();
    expect("after MPI_Finalize", MPI_T_cvar_get_num(&n), MPI_SUCCESS);
    expect("finalize", MPI_T_finalize(), MPI_SUCCESS);
    expect("over", MPI_T_cvar_get_num(&n), MPI_T_ERR_NOT_INITIALIZED);
    return 0;
}
