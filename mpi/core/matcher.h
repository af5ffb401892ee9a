/* matcher.h - the queues of a rank: posted receives, and messages that have not been received yet.
 *
 * The rank owns them (rank.h); p2p/match.c matches them. */
#ifndef ORRERY_MPI_MATCHER_H
#define ORRERY_MPI_MATCHER_H

#include "mpi/core/call.h"

/* What messages and receives are matched by. `space` is context << 1 | collective, so that collectives and user
 * messages of one communicator never meet. `source` is a rank of the communicator. */
struct MpiKey {
    uint32_t space;
    int32_t source; /* a rank of the communicator, or MPI_ANY_SOURCE_ */
    int32_t tag;    /* or MPI_ANY_TAG_ */
};

typedef struct MpiBin MpiBin; /* the items with one key, in order (match.c) */
typedef struct MpiItem MpiItem;
/* Links an item into a bin. */
typedef struct MpiItemLink {
    MpiBin *bin;
    MpiItem *previous, *next;
} MpiItemLink;

/* Number of kinds of keys: exact, any source, any tag, both wildcards. */
enum { MPI_KINDS = 4 };

/* A posted receive or an unexpected message in its queue. A receive lies in the one bin of its key. A message lies in
 * one bin for each kind of key that this rank has ever received with (in most programs: one). */
struct MpiItem {
    MpiKey key;
    bool many;                /* it is the first member of an MpiMany */
    bool paid;                /* a message on which a thread or a network interface has worked: its rank only takes the
                               * data (progress.c) */
    uint64_t order;           /* number of the posting or of the arrival */
    MpiItem *previous, *next; /* all unexpected messages, in order of arrival */
    MpiItemLink exact;        /* for receives, and for messages by their own key */
    MpiItemLink *wild;        /* for messages by keys with wildcards, at index kind - 1; allocated when the first is
                               * needed */
};

/* A receive of one message from each of several ranks, all with one tag of a collective. It stays posted until all of
 * them have come, and takes as much memory as one receive. */
struct MpiMany {
    MpiItem item;      /* first member; its source is MPI_ANY_SOURCE_, and item.many is set */
    uint64_t *awaited; /* bit set of the sources whose messages have not come */
    uint32_t open;     /* number of these */
};

typedef struct MpiIndex { /* hash of bins; grows from one chain */
    MpiBin **chains;
    MpiBin *first;       /* the only chain while chains is NULL */
    uint32_t mask, bins; /* number of chains - 1; number of bins */
} MpiIndex;

typedef struct MpiMatcher MpiMatcher;
typedef struct MpiQueueWatch MpiQueueWatch;

/* A matching rule other than first come, first served (match_forced.c). Receives and messages under it lie in no
 * bins. */
typedef struct MpiMatchRule {
    MpiItem *(*posted)(const MpiMatcher *matcher, const MpiItem *message); /* replaces mpi_match_posted() */
    void (*post)(MpiMatcher *matcher, MpiItem *receive);
    void (*withdraw)(MpiMatcher *matcher, MpiItem *receive);
    MpiItem *(*find)(const MpiMatcher *matcher, MpiKey key, const MpiItem *receive); /* receive is NULL for a probe */
    /* Returns a message that may be matched now because the receive that made it wait is gone. *receive is the receive
     * that takes it. Returns NULL if there is none. */
    MpiItem *(*released)(MpiMatcher *matcher, MpiItem **receive);
} MpiMatchRule;

struct MpiMatcher {
    MpiItem *lone;            /* the only posted receive, which then lies in no bin; NULL: there is none or there are
                               * several */
    MpiItem *oldest, *newest; /* all unexpected messages */
    uint64_t order;           /* counts postings and arrivals */
    uint32_t n_unexpected;
    uint32_t indexed;              /* bit set of the kinds of keys that unexpected messages are indexed by */
    uint32_t posted_of[MPI_KINDS]; /* number of posted receives by kind of key */
    MpiIndex posted, unexpected;
    bool by_rank;             /* without a rule, a receive from any source takes that of the lowest rank */
    MpiQueueWatch *watch;     /* counts what searches look at (queues.c); NULL: nobody asks */
    const MpiMatchRule *rule; /* NULL: a wildcard takes the message that came first */
};

/* Whether a rule other than first come, first served is in force. */
static inline bool mpi_match_is_ruled(const MpiMatcher *matcher)
{
    return G_UNLIKELY(matcher->rule);
}

#endif
