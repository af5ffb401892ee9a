/* rendezvous.c - messages ask their receiver first (RTS), which answers when it has a place for them (CTS); then the
 * data go from buffer to buffer. transfer.c has the steps. Messages up to the threshold, if there is one, go eagerly.
 */
#include "mpi/protocol/way.h"

static void send(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    flight->message->rendezvous = !flight->lane->params->threshold || !mpi_flight_is_short(flight, request);
    mpi_flight_collect(flight);
    mpi_flight_send(call, flight, request);
}

static void handle(MpiCall *call, MpiFlight *flight)
{
    mpi_flight_handle(call, flight);
}

static void describe(const MpiFlight *flight, GString *out)
{
    uint64_t threshold = flight->lane->params->threshold;
    if (threshold)
        g_string_append_printf(out, " (rendezvous beyond %" G_GUINT64_FORMAT " bytes)", threshold);
    else
        g_string_append(out, " (rendezvous: every message waits for its receive)");
}

const MpiProtocolWay mpi_protocol_rendezvous = {.send = send, .handle = handle, .describe = describe};
