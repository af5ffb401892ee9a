/* way.h - what the protocols share: lanes, flights, packets. Internal to protocol/.
 *
 *   way      a protocol: a table of functions (MpiProtocolWay), one for each row of protocols.def
 *   lane     what two ranks know of the messages from the one to the other
 *   flight   what a protocol knows of a message besides MpiMessage; it lives as long as the message
 *   post     a receive that a rank has posted, as its sender sees it
 *   packet   what travels besides the phases of messages: posts, pieces of data, acknowledgements, credits
 *
 * A packet for a rank is handled like a phase of a message: at once, if the rank is blocked in a call, or else at its
 * next call. Lanes are found by a hash table that is never iterated. */
#ifndef ORRERY_MPI_PROTOCOL_WAY_H
#define ORRERY_MPI_PROTOCOL_WAY_H

#include "mpi/core/call.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/remote.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

typedef struct MpiFlight MpiFlight;
typedef struct MpiPacket MpiPacket;
typedef struct MpiPost MpiPost;
typedef struct MpiDaemon MpiDaemon;
typedef struct MpiLane MpiLane;

typedef struct MpiProtocolWay {
    /* A message begins, for a request. */
    void (*send)(MpiCall *call, MpiFlight *flight, MpiRequest *request);
    /* A message that was held back or deferred goes on. NULL: none is. */
    void (*launch)(MpiCall *call, MpiFlight *flight);
    /* A phase of the message has come to the call's rank, which works on it. */
    void (*handle)(MpiCall *call, MpiFlight *flight);
    /* A receive from this rank alone has been posted, and no message waits for it. NULL: nothing happens. */
    void (*posted)(MpiCall *call, MpiLane *lane, MpiRequest *receive);
    /* The message will not be received, as its operation has ended: what is stored of it at its receiver is gone. NULL:
     * nothing is. */
    void (*lost)(MpiWorld *world, MpiFlight *flight, uint64_t time_ps);
    /* Says why a send waits; NULL: for its receiver. */
    void (*describe)(const MpiFlight *flight, GString *out);
} MpiProtocolWay;

#define MPI_PROTOCOL(identifier, name, way, help) extern const MpiProtocolWay mpi_protocol_##way;
#include "mpi/protocols.def"

struct MpiLane {
    uint64_t key;
    uint32_t from, to; /* world ranks */
    MpiPath path;
    const MpiProtocolParams *params; /* of that path, complete */
    const MpiProtocolWay *way;

    uint32_t sent, seen; /* numbers of the last envelope that was sent, and of the last that has arrived */
    /* eager: */
    uint64_t credits; /* bytes that the sender may still send */
    uint64_t freed;   /* bytes that the receiver has freed and not told yet */
    GQueue waiting;   /* MpiFlight: what waits for room in the pool, oldest first */
    uint64_t asked;   /* bytes of the pool that the sender has asked for */
    uint64_t given;   /* and that the receiver has given, and no message has used */
    /* receiver-post: */
    GQueue posts;     /* MpiPost: what the sender knows of, unused, oldest first */
    GQueue announced; /* MpiFlight: what the receiver has been told of and the sender has no post for */
    MpiFlight *busy;  /* the long message whose pieces are on their way; referenced */
    GQueue deferred;  /* MpiFlight: long ones that wait for it */
    /* The lists of the sender's and of the receiver's lanes, newest first: */
    MpiLane *next_of_sender, *next_of_receiver;
};

struct MpiFlight {
    MpiWorld *world;
    MpiMessage *message;
    MpiLane *lane;
    uint64_t need;     /* bytes of the receiver's buffer that it takes; 0: none */
    uint64_t credits;  /* of the other direction that come with it */
    uint64_t held_ps;  /* since when it waits for room */
    uint64_t moved;    /* bytes whose pieces have been handed over */
    uint64_t here;     /* bytes whose pieces the receiver has handled */
    uint32_t number;   /* of its envelope, in the lane */
    bool is_announced; /* its envelope went without data */
    bool promised;     /* the sender has a post for it */
    bool held;         /* it waits for room, or for its receive as there was none */
    bool denied;       /* there is no room in the pool */
    bool vital;        /* survivors of a failure agree: it needs no room, and goes on where all else has been revoked */
    bool gone;         /* nobody will receive it */
    bool begun;        /* its first piece has been handed over */
    bool acknowledged; /* the receiver says that it has found its receive (daemon.c) */
    bool matched;      /* the receive was found, so that pieces can be handled */
    MpiPacket *early;  /* a piece that came before that; NULL: none */
    MpiDaemon *daemon; /* that stores it */
    MpiPacket *waiting; /* the data, which wait at the sender's daemon until they may go */
    bool wanted;        /* the receiver has said so: no limit holds for it */
    bool stored;        /* the receiver's daemon has the data ... */
    bool here_whole;    /* ... and the envelope went before them */
};

typedef enum MpiPostState { MPI_POST_WILD, MPI_POST_HELD, MPI_POST_SENT, MPI_POST_USED } MpiPostState;
struct MpiPost {
    MpiRequest *receive; /* NULL: it is over */
    MpiKey key;
    MpiLane *lane; /* NULL: from any source */
    MpiPostState state;
    uint32_t seen; /* the lane's `seen` when it was sent: it is for none of those */
    uint32_t refs;
};

typedef enum MpiPacketKind {
    MPI_PACKET_POST,
    MPI_PACKET_PIECE,       /* of receiver-post */
    MPI_PACKET_ACKNOWLEDGE, /* a piece */
    MPI_PACKET_WRITTEN,     /* the acknowledgement of put, and that of a synchronous send by a daemon */
    MPI_PACKET_CREDIT,
    MPI_PACKET_ASK,   /* for room in a pool */
    MPI_PACKET_GRANT, /* it is given */
    MPI_PACKET_DENY,  /* there is none */
    /* never on the wire: */
    MPI_PACKET_LAUNCH,   /* a message can go on, on the time of its sender */
    MPI_PACKET_PHASE,    /* a phase of a message has come that a worker handles */
    MPI_PACKET_DELIVER,  /* data are in place, and ... */
    MPI_PACKET_COMPLETE, /* ... sends complete at this time */
    /* between daemons: */
    MPI_PACKET_STORE,    /* a message ... */
    MPI_PACKET_REFUSE,   /* ... that is not taken */
    MPI_PACKET_ENVELOPE, /* ... whose data wait at the sender's daemon */
    MPI_PACKET_WANT,     /* its receiver wants the data */
    MPI_PACKET_STOP,
    MPI_PACKET_GO,
    MPI_PACKET_ROOM, /* never on the wire: the daemon may have room for senders of its node */
} MpiPacketKind;

struct MpiPacket {
    MpiRemoteHead head; /* first member */
    MpiPacketKind kind;
    uint8_t refs; /* one until it has taken effect, and one until the network has reported that it has left */
    bool last;    /* the last piece */
    bool stored;  /* the receiver's daemon has it */
    bool leaves;  /* it is handed to the network when it is due */
    MpiLane *lane;
    MpiFlight *flight; /* its message is referenced; or NULL */
    MpiPost *post;     /* referenced; or NULL */
    uint64_t amount;   /* bytes of credit, or of a piece */
    uint32_t owner;    /* whom the worker works for that has it */
    MpiProgress by;    /* and who that is */
    MpiPhase phase;    /* of MPI_PACKET_PHASE */
    bool found;        /* its receive has found it in the queue */
};

typedef struct MpiMailbox {         /* of a rank */
    MpiLane *lanes_from, *lanes_to; /* lists of its lanes, as their sender and as their receiver */
    uint64_t stored;                /* bytes that its daemon has for it */
    MpiMessage note;                /* stands for the packets in its inbox; phase MPI_PHASE_PACKETS */
    bool noted;                     /* the note is in the inbox */
    GQueue packets;                 /* MpiPacket: what the rank's next call handles */
    GQueue wild, held;              /* MpiPost: receives from any source; receives that are behind them */
    bool released;                  /* a receive from any source is gone, so that others may be posted */
    uint64_t pool[MPI_PATHS];       /* bytes of its buffer that are in use */
    GArray *regions;                /* registered memory, used last first (put.c); NULL: none */
} MpiMailbox;

typedef struct MpiProtocols {
    const MpiProtocolWay *ways[MPI_PROTOCOLS];
    MpiProtocolParams paths[MPI_PATHS]; /* complete */
    GHashTable *lanes;                  /* from << 32 | to -> MpiLane */
    GHashTable *daemons;                /* node -> MpiDaemon (daemon.c) */
    GPtrArray *order;                   /* MpiDaemon, as they were made */
    MpiMailbox **mailboxes;             /* by rank; NULL: none yet */
    MpiPool flights, packets, posts;
    uint32_t room; /* of mailboxes */
} MpiProtocols;

MpiProtocols *mpi_protocol_state(const MpiWorld *world);

/* -- lanes and mailboxes (lanes.c) --------------------------------------------------------------- */

/* Returns a lane, or NULL if there is none; returns it and makes it first. */
MpiLane *mpi_lane_find(const MpiWorld *world, uint32_t from, uint32_t to);
MpiLane *mpi_lane_of(MpiWorld *world, uint32_t from, uint32_t to);
void mpi_lane_free(void *lane);
MpiMailbox *mpi_lane_mailbox(const MpiRank *rank);
void mpi_lane_mailbox_free(MpiMailbox *mailbox);

/* -- flights (flights.c) ------------------------------------------------------------------------- */

static inline MpiFlight *mpi_flight_of(const MpiMessage *message)
{
    return message->notes[MPI_MESSAGE_NOTE_FLIGHT];
}

/* Whether the message goes at once and is buffered by its receiver, if there is room: it is no longer than the
 * threshold of its path, and not synchronous. */
bool mpi_flight_is_short(const MpiFlight *flight, const MpiRequest *request);
/* An envelope is about to be handed over: it takes what its sender has freed of the other direction's credits. */
void mpi_flight_collect(MpiFlight *flight);
/* A message begins to wait for room, and ends that. The first makes it the message of the request. */
void mpi_flight_hold(MpiCall *call, MpiFlight *flight, MpiRequest *request);
void mpi_flight_release(MpiCall *call, MpiFlight *flight);
/* Lets a message go on that was in a list, on the time of its sender: of `call` if that is the right one. */
void mpi_flight_launch(MpiCall *call, MpiFlight *flight, uint64_t time_ps);
/* Send a message plainly, handle its phase plainly, and deliver it, which is all there is: transfer.c. In an agent that
 * is ahead, what the program sees of that comes later. The flight may be gone then. */
void mpi_flight_send(MpiCall *call, MpiFlight *flight, MpiRequest *request);
void mpi_flight_handle(MpiCall *call, MpiFlight *flight);
void mpi_flight_deliver(MpiCall *call, MpiFlight *flight);
/* The program may have its buffer back at the time of the call; the send is complete with request->error. */
void mpi_flight_sent(MpiCall *call, MpiFlight *flight);
/* Lists of flights keep a reference to each message: who takes one out gives it up. */
void mpi_flight_push(GQueue *list, MpiFlight *flight);

/* -- packets (packets.c) ----------------------------------------------------------------------- */

/* Makes a packet of a lane; `back`: it goes from the lane's receiver to its sender. */
MpiPacket *mpi_packet_new(MpiWorld *world, MpiPacketKind kind, MpiLane *lane, bool back, MpiFlight *flight);
/* Hands a packet with `payload` bytes of data to the network; the call pays for that and for copying. */
void mpi_packet_send(MpiCall *call, MpiPacket *packet, uint64_t payload, uint64_t copying_ps, bool reported);
/* A daemon does so, at time_ps. */
void mpi_packet_transmit(MpiWorld *world, MpiPacket *packet, uint64_t payload, uint64_t time_ps, bool reported);
/* What stands for the packet in the layer below. */
uint64_t mpi_packet_cookie(const MpiPacket *packet);
/* Asks for mpi_protocol_alarm() at time_ps. */
void mpi_packet_alarm(const MpiWorld *world, MpiPacket *packet, uint64_t time_ps);
void mpi_packet_free(MpiWorld *world, MpiPacket *packet);    /* gives up a reference */
void mpi_packet_discard(MpiWorld *world, MpiPacket *packet); /* whose rank has failed */
/* The packet takes effect on the time of a rank: of the background operation that `request` belongs to, of the rank's
 * blocked call, or of its next call. `request` may be NULL. */
void mpi_packet_to_rank(MpiRank *rank, const MpiRequest *request, MpiPacket *packet, uint64_t time_ps);
/* The call works on a packet that has come: charges `ps` and tells observers. */
void mpi_packet_charge(MpiCall *call, const MpiPacket *packet, uint64_t ps);
/* Does what the packet asks for on the time of a call, and gives it up. */
void mpi_packet_act(MpiCall *call, MpiPacket *packet);
/* Processor time of receiving so many bytes. */
uint64_t mpi_protocol_receive_ps(const MpiCall *call, uint64_t bytes);
/* And of matching a message with its receive, which has been found. */
uint64_t mpi_protocol_match_ps(const MpiCall *call, const MpiMessage *message);

/* -- workers: communication threads and network interfaces (workers.c) ------------------------------ */

/* Lets a worker of the rank work on a packet that has come; takes the packet. */
void mpi_worker_take(MpiRank *rank, MpiProgress by, MpiPacket *packet, uint64_t time_ps);
/* The worker handles a phase of a message. */
void mpi_worker_phase(MpiCall *worker, const MpiPacket *packet);
/* Whether the worker also works for what the request belongs to. */
bool mpi_worker_is_for(const MpiCall *worker, const MpiRequest *request);
/* The time has come at which the program sees something. Takes the packet. */
void mpi_worker_due(MpiWorld *world, MpiPacket *packet, uint64_t time_ps);

/* -- what packets do, on the time of a call ------------------------------------------------------ */

/* eager.c: the receiver tells of room; a message has brought credits; the sender has failed, so that what it has been
 * given is free. */
void mpi_eager_credits(MpiCall *call, const MpiPacket *packet);
void mpi_eager_brought(MpiWorld *world, MpiFlight *flight);
void mpi_eager_forget(MpiLane *lane, MpiMailbox *mailbox);
void mpi_eager_asked(MpiCall *call, const MpiPacket *packet);

/* receiver_post.c */
void mpi_posts_arrived(MpiWorld *world, MpiPacket *packet, uint64_t time_ps); /* takes the packet */
void mpi_posts_piece(MpiCall *call, const MpiPacket *packet);
void mpi_posts_acknowledged(MpiCall *call, const MpiPacket *packet);
void mpi_posts_add_wild(MpiRequest *receive);
void mpi_posts_over(MpiRequest *receive);
void mpi_posts_release(MpiCall *call);
void mpi_posts_ended(MpiLane *lane, uint64_t time_ps); /* sends have ended because a process has failed */
void mpi_post_unref(MpiWorld *world, MpiPost *post);

/* daemon.c */
void mpi_daemon_delivered(MpiWorld *world, MpiPacket *packet, uint64_t time_ps); /* takes the packet */
void mpi_daemon_left(MpiWorld *world, const MpiPacket *packet, uint64_t time_ps);
void mpi_daemon_due(MpiWorld *world, MpiPacket *packet, uint64_t time_ps); /* takes the packet */
void mpi_daemon_ended(MpiWorld *world, uint32_t rank);                     /* sends of the rank have ended */
void mpi_daemon_forget(MpiWorld *world, uint32_t rank, uint64_t time_ps);  /* the rank receives nothing more */
void mpi_daemon_unused(MpiFlight *flight); /* the daemon had room for it, but it does not come */
void mpi_daemon_explain(MpiWorld *world, const MpiFlight *flight, GString *out); /* appends why its sender waits */
void mpi_daemon_free(void *daemon);

#endif
