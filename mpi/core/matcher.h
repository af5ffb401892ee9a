/* matcher.h - what a rank has in its queues: posted receives, and messages that nobody has received yet.
 *
 * The rank has them (rank.h); p2p/match.c matches them. */
#ifndef ORRERY_MPI_MATCHER_H
#define ORRERY_MPI_MATCHER_H

#include "mpi/core/call.h"

/* What a receive names and a message has. `space` is context << 1 | collective, so that collectives and user messages
 * of one communicator never meet. `source` is a rank of the communicator. */
struct MpiKey {
    uint32_t space;
    int32_t source; /* or MPI_ANY_SOURCE_ */
    int32_t tag;    /* or MPI_ANY_TAG_ */
};

typedef struct MpiBin MpiBin;
typedef struct MpiItem MpiItem;
typedef struct MpiItemLink {
    MpiBin *bin;
    MpiItem *previous, *next;
} MpiItemLink;

/* The ways to name a message: exact, any source, any tag, both. */
enum { MPI_KINDS = 4 };

/* A posted receive or an unexpected message in its queue. A receive lies in the one bin of its key; a message lies in
 * the bin of each kind of key that this rank has ever received with (most programs: one). */
struct MpiItem {
    MpiKey key;
    uint64_t order;           /* of posting, or of arrival */
    MpiItem *previous, *next; /* unexpected: all of them, in order of arrival */
    MpiItemLink exact;        /* receives, and messages by their own key */
    MpiItemLink *wild;        /* messages by keys with wildcards, by kind - 1: made when the first is needed */
};

typedef struct MpiIndex { /* hash of bins, grows from one chain */
    MpiBin **chains;
    MpiBin *first; /* the only chain while !chains */
    uint32_t mask, bins;
} MpiIndex;

typedef struct MpiMatcher MpiMatcher;

/* Another rule than first come, first served (match_forced.c). Its receives and messages lie in no bins. */
typedef struct MpiMatchRule {
    MpiItem *(*posted)(const MpiMatcher *matcher, const MpiItem *message); /* as mpi_match_posted() */
    void (*post)(MpiMatcher *matcher, MpiItem *receive);
    void (*withdraw)(MpiMatcher *matcher, MpiItem *receive);
    MpiItem *(*find)(const MpiMatcher *matcher, MpiKey key, const MpiItem *receive); /* NULL: for a probe */
    /* A message that may be matched now, since a receive that had it wait is gone; *receive takes it. NULL: none. */
    MpiItem *(*released)(MpiMatcher *matcher, MpiItem **receive);
} MpiMatchRule;

struct MpiMatcher {
    MpiItem *lone;            /* the only posted receive, which then lies in no bin; NULL: there are none or several */
    MpiItem *oldest, *newest; /* all unexpected */
    uint64_t order;
    uint32_t n_unexpected;
    uint32_t indexed;              /* bit set: kinds that unexpected messages are indexed by */
    uint32_t posted_of[MPI_KINDS]; /* how many posted receives are of each kind */
    MpiIndex posted, unexpected;
    const MpiMatchRule *rule; /* NULL: a wildcard takes the message that came first */
};

/* Whether receives may have to wait for the message of one source. */
static inline bool mpi_match_is_ruled(const MpiMatcher *matcher)
{
    return G_UNLIKELY(matcher->rule);
}

#endif
