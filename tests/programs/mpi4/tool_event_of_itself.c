/* Callbacks that cause the events which they are told of, each its own and each the other's, do not run for ever
 * (MPI-4.1 section 15.3.8): what they cause is told once and then dropped, and the handler of that may cause more. */
#include <mpi.h>
#include <stdio.h>

static int told[2], handlers;
static MPI_Count dropped;
static MPI_Comm self;

static void send_to_self(void)
{
    int out = 1, in;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 5, &in, 1, MPI_INT, 0, 5, self, MPI_STATUS_IGNORE);
}

static void callback(MPI_T_event_instance event, MPI_T_event_registration registration, MPI_T_cb_safety safety, void *data)
{
    (void)event, (void)registration, (void)safety;
    ++*(int *)data;
    send_to_self();
}

static void on_dropped(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety safety,
                       void *data)
{
    (void)registration, (void)source, (void)safety, (void)data;
    handlers++;
    dropped += count;
    send_to_self();
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"message_sent", "message_received"};
    MPI_T_event_registration registrations[2];
    int level;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    for (int i = 0; i < 2; i++) {
        int index;
        MPI_T_event_get_index(names[i], &index);
        MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &registrations[i]);
        MPI_T_event_register_callback(registrations[i], MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &told[i], callback);
    }
    for (int i = 0; i < 3; i++) {
        send_to_self();
        printf("told %d and %d\n", told[0], told[1]);
    }
    MPI_T_event_set_dropped_handler(registrations[1], on_dropped);
    for (int i = 0; i < 3; i++) {
        send_to_self();
        printf("told %d and %d, dropped %d in %d calls\n", told[0], told[1], (int)dropped, handlers);
    }
    MPI_T_event_handle_free(registrations[0], NULL, NULL);
    MPI_T_event_handle_free(registrations[1], NULL, NULL);
    MPI_T_finalize();
    MPI_Comm_free(&self);
    MPI_Finalize();
    return 0;
}
