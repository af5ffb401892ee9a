/* helper.h - what the network tests share: networks from a few words, a client that writes down what it is told, and
 * a random generator whose seed is printed. */
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
    unsigned sent, delivered; /* how often */
} Delivery;

typedef struct Log {
    Delivery *message; /* by cookie */
    size_t count;
    GArray *order; /* uint64_t cookies in order of delivery */
    uint64_t last_ps;
} Log;

void log_init(Log *log, size_t messages);
void log_clear(Log *log);
NetClient log_client(Log *log);

/* Default parameters with these names; extents by `dims` ("4x4"), or nodes where it is a single number. */
NetParams make_params(const char *topology, const char *dims, const char *switching);
/* Fails the test with the reason where it is refused. */
Network *make_network(const NetParams *params, Log *log);
/* Fails the test unless it is refused with `code` and a message that contains `word`. */
void expect_refusal(const NetParams *params, int code, const char *word);
/* From node to node, by the first NIC or another; to several, by multicast. */
void send_message(Network *net, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie);
void send_by_nic(Network *net, uint32_t nic, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                 uint64_t cookie, bool unreported);
void send_to_many(Network *net, uint32_t nic, uint32_t from, const uint32_t *to, const uint64_t *to_cookies, uint32_t n,
                  uint64_t bytes, uint64_t time_ps, uint64_t cookie, bool unreported);
void run_all(Network *net);
/* Delivery time of one message at time 0. */
uint64_t run_one(const NetParams *params, uint32_t from, uint32_t to, uint64_t bytes);

/* One of each topology, with names of the switching models that go with it. */
typedef struct Sample {
    const char *topology, *dims;
    uint32_t diameter;
} Sample;
extern const Sample samples[];
extern const size_t n_samples;
/* Whether a switching model goes with a topology. */
bool goes_with(const char *switching, const char *topology);

#endif
