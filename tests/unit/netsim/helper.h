/* helper.h - shared by the network tests: networks from a few words, a client that logs what it is told, and a random
 * generator for tests that print its seed. */
#ifndef ORRERY_TEST_NETSIM_HELPER_H
#define ORRERY_TEST_NETSIM_HELPER_H

#include "../network.h"
#include "../random.h"
#include "netsim/core/core.h"
#include "netsim/models.h"
#include "netsim/routing/routing.h"

#include <criterion/criterion.h>

typedef struct Delivery {
    uint64_t cookie, sent_ps, delivered_ps;
    unsigned sent, delivered; /* number of callbacks */
} Delivery;

typedef struct Log {
    Delivery *message; /* by cookie */
    size_t count;
    GArray *order; /* uint64_t: cookies in order of delivery */
    uint64_t last_ps;
} Log;

void log_init(Log *log, size_t messages);
void log_clear(Log *log);
NetClient log_client(Log *log);

/* Returns default parameters with these names. `dims` has the extents ("4x4"); a single number is the number of
 * nodes. */
NetParams make_params(const char *topology, const char *dims, const char *switching);
/* Makes a network. Fails the test with the reason if it is refused. */
Network *make_network(const NetParams *params, Log *log);
/* Fails the test unless the network is refused with `code` and a message that contains `word`. */
void expect_refusal(const NetParams *params, int code, const char *word);
/* Send a message from node to node by the first NIC, by NIC number `nic`, or to several nodes by multicast. */
void send_message(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie);
void send_by_nic(Network *net, uint32_t nic, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                 uint64_t cookie, bool unreported);
void send_to_many(Network *net, uint32_t nic, uint32_t from, const uint32_t *to, const uint64_t *to_cookies, uint32_t n,
                  uint64_t bytes, uint64_t time_ps, uint64_t cookie, bool unreported);
void run_all(Network *net);
/* Returns the delivery time of one message that is sent at time 0. */
uint64_t run_one(const NetParams *params, uint32_t from, uint32_t to, uint64_t bytes);

/* A sample of each topology. */
typedef struct Sample {
    const char *topology, *dims;
    uint32_t diameter;
} Sample;
extern const Sample samples[];
extern const size_t n_samples;
/* Returns whether a switching model can be combined with a topology. */
bool goes_with(const char *switching, const char *topology);

#endif
