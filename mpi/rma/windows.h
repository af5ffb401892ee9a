/* windows.h - shared by the files of this room: windows as their members see them, and what travels between members.
 *
 *   window_making.c  making and freeing windows        window_info.c     keys of info objects, group, name, attributes
 *   window_memory.c  the memory of a window            dynamic.c         memory attached to a window
 *   accesses.c       MPI_Put, MPI_Get ...: arguments   access_checks.c   whether an access may be made
 *   plain_access.c   the short way of most of them
 *   remotes.c        transfers: on their way, handled  combine.c         what an access does at its target
 *   locks.c          locks of targets                  passive.c         MPI_Win_lock, unlock, flush ...
 *   active.c         fence; post, start, complete, wait
 *   window_steps.c   what checks are told of these
 *   losses.c   windows of which a member has failed
 *
 * All members of a window share an MpiWindow, and each has an MpiWin. What one member does at another one travels as an
 * MpiRemote, through the network like a message. A member keeps an MpiPeer for each other member that it works with,
 * from its first access or lock until the end of the epoch, so a window takes O(1) memory for each rank, and no call
 * looks at members that it has nothing to do with.
 */
#ifndef ORRERY_MPI_WINDOWS_H
#define ORRERY_MPI_WINDOWS_H

#include "mpi/attribute/attribute.h"
#include "mpi/comm/comm.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/remote.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"
#include "mpi/type/type.h"

/* Constants that mpi.h repeats. */
typedef enum MpiFlavour {
    MPI_FLAVOUR_CREATE = 1,
    MPI_FLAVOUR_ALLOCATE,
    MPI_FLAVOUR_DYNAMIC,
    MPI_FLAVOUR_SHARED
} MpiFlavour;
enum {
    MPI_MODE_NOCHECK = 1024,
    MPI_MODE_NOSTORE = 2048,
    MPI_MODE_NOPUT = 4096,
    MPI_MODE_NOPRECEDE = 8192,
    MPI_MODE_NOSUCCEED = 16384
};

typedef struct MpiWindow MpiWindow;
typedef struct MpiWin MpiWin;
typedef struct MpiRemote MpiRemote;
typedef struct MpiWindows MpiWindows;

/* -- what travels (remotes.c) ------------------------------------------------------------------ */

typedef enum MpiRemoteSort {
    MPI_REMOTE_PUT,
    MPI_REMOTE_GET,
    MPI_REMOTE_ACCUMULATE,
    MPI_REMOTE_FETCH, /* accumulate, and bring what was there before */
    MPI_REMOTE_SWAP,  /* compare and swap */
    MPI_REMOTE_FLUSH, /* answers when all accesses before it are done */
    MPI_REMOTE_LOCK,
    MPI_REMOTE_UNLOCK,   /* like a flush, and gives the lock back */
    MPI_REMOTE_POST,     /* from target to origin: MPI_Win_post */
    MPI_REMOTE_COMPLETE, /* MPI_Win_complete: takes effect when all accesses before it are done */
} MpiRemoteSort;

enum { MPI_REMOTE_INLINE_BYTES = 32 };

struct MpiRemote {
    MpiRemoteHead head; /* first member: cookies point to it */
    MpiRemote *next;    /* in the list that it waits in */
    MpiWin *origin, *target;
    MpiPeer *peer; /* what the origin keeps of the target */
    uint8_t sort;  /* MpiRemoteSort */
    uint8_t refs;  /* one for the way, one for the report that it has left */
    bool back;     /* it is the answer */
    bool answers;  /* an answer is wanted */
    bool leaves;   /* the origin wants to know when its data have left */
    bool ordered;  /* accumulates: it has a number among those to its target */
    bool live;     /* the item of the pool is in use */
    bool refused;  /* the lock that it needs cannot be had any more */
    uint8_t lock;  /* MpiLockSort */
    uint32_t pc;   /* location of the call in the origin's program */
    uint32_t number;
    uint64_t address; /* at the target */
    uint64_t count;
    MpiType *type;       /* of the data at the target; a reference */
    const MpiOp *op;     /* predefined */
    MpiBuffer result;    /* where the answer goes; its type is a reference */
    MpiRequest *request; /* or NULL */
    uint64_t bytes;      /* of the data below */
    uint8_t *data;       /* `bytes_inline`, or from the pool of payloads; NULL: none */
    uint8_t bytes_inline[MPI_REMOTE_INLINE_BYTES];
};

/* Makes something that travels from one member, whose call this is, to another. `peer` is what the origin keeps of the
 * target; NULL for a post. */
MpiRemote *mpi_remote_new(MpiCall *call, MpiWin *origin, MpiWin *target, MpiPeer *peer, MpiRemoteSort sort);
/* The same without an MpiCall, for a call of the rank at `pc`. */
MpiRemote *mpi_remote_make(const MpiRank *rank, MpiWin *origin, MpiWin *target, MpiPeer *peer, MpiRemoteSort sort,
                           uint32_t pc);
/* Makes room for its data. */
void mpi_remote_take_data(MpiRemote *remote, uint64_t bytes);
/* Sends it on the time of the call, which pays for that and for `copied` bytes; where origin and target are the same
 * rank, it is done at once. */
void mpi_remote_send(MpiCall *call, MpiRemote *remote, uint64_t copied);
/* Gives it to the network at time_ps, when the rank has worked for it since began_ps. */
void mpi_remote_transmit(MpiRemote *remote, uint64_t began_ps, uint64_t time_ps);
/* Sends the answer back: on the time of `call`, or at time_ps if that is NULL. */
void mpi_remote_answer(MpiCall *call, MpiRemote *remote, uint64_t time_ps);
/* A call of the rank has begun, at time_ps. If only answers wait in its inbox, and they cost it nothing, does what they
 * bring, as the call would do first of all; else returns false. */
bool mpi_remotes_take_answers(MpiRank *rank, uint64_t time_ps);
/* It is over. */
void mpi_remote_drop(MpiRemote *remote);

/* -- peers ------------------------------------------------------------------------------------- */

/* What a member keeps of another one that it works with. */
struct MpiPeer {
    MpiPeer *next; /* the other peers of the member */
    uint32_t refs; /* one while it is among them, one for each remote that names it */
    MpiWin *win;   /* the member */
    MpiWin *target;
    uint32_t fetches;     /* answers with data that have not come */
    uint32_t leaving;     /* accesses whose data have not left */
    uint32_t acks;        /* answers without data that have not come */
    uint32_t on_way;      /* accesses that are not done at the target */
    uint32_t unconfirmed; /* accesses without an answer since the last flush */
    uint32_t posts;       /* MPI_Win_post of the target that no MPI_Win_start has taken */
    uint32_t numbered;    /* number of the next ordered access */
    uint32_t turn;        /* number of the ordered access whose turn it is at the target */
    uint8_t lock;         /* MpiLockSort that the origin has, or asks for, at the target */
    bool asked, granted;  /* the target has been asked for it; has granted it */
    bool refused;         /* or it cannot be had any more */
    bool nocheck;         /* MPI_MODE_NOCHECK: there is no lock at the target */
    bool started;         /* it is in the group of MPI_Win_start */
    bool awaits_post;     /* MPI_Win_start waits for its post */
    bool all;             /* the lock belongs to MPI_Win_lock_all */
    uint32_t pc;          /* location of the call that locked it */
    uint32_t first_pc;    /* location of its first access in this epoch */
    MpiRemote *held;      /* flushes and the like that wait until on_way is 0; newest first */
    MpiRemote *early;     /* ordered accesses before their turn */
    MpiRemote *ungranted; /* accesses that wait for the lock at the target, oldest first */
    MpiRemote **ungranted_end;
    MpiPeer *before, *after;         /* other holders of the lock at the target */
    uint64_t flushes, local_flushes; /* see MpiWindowAccess */
    GPtrArray *uses; /* under checks: MpiRequest of accesses whose buffers the program must not touch; or NULL */
};

/* Returns the peer for a member, making it if there is none. */
MpiPeer *mpi_peer_of(MpiWin *win, uint32_t target);
/* Returns the peer, or NULL. */
MpiPeer *mpi_peer_find(const MpiWin *win, uint32_t target);
/* Frees the peers that nothing is left of. */
void mpi_peers_tidy(MpiWin *win);
/* The member has given the lock of the peer back, and may lock it again before the target hears of that. So the peer is
 * no longer among those of the member. */
void mpi_peer_retire(MpiPeer *peer);
void mpi_peer_unref(MpiPeer *peer);

/* -- windows ----------------------------------------------------------------------------------- */

/* Who has the lock of a member's window, and who waits for it. */
typedef struct MpiLock {
    MpiPeer *holders;   /* one if exclusive */
    uint8_t sort;       /* MpiLockSort */
    MpiRemote *waiting; /* oldest first */
    MpiRemote **end;
} MpiLock;

typedef enum MpiWinWait { /* what a member's blocked call waits for */
                          MPI_WIN_WAIT_NONE,
                          MPI_WIN_WAIT_DONE,     /* all accesses to a peer, or to all peers, are done */
                          MPI_WIN_WAIT_LOCAL,    /* their buffers may be used again */
                          MPI_WIN_WAIT_LOCK,     /* the lock of a peer */
                          MPI_WIN_WAIT_POST,     /* MPI_Win_post of all members of a group */
                          MPI_WIN_WAIT_COMPLETE, /* MPI_Win_complete of all members of a group */
} MpiWinWait;

typedef struct MpiRegion { /* memory attached to a dynamic window, or the public copy of a window's memory */
    uint64_t address, bytes;
    uint8_t *public, *synced; /* in the separate model: the public copy; and both copies as they last agreed */
    uint32_t pc;              /* location of the call that attached it */
} MpiRegion;

/* One member's view of a window. */
struct MpiWin {
    MpiAttributed attributed; /* first member: handle, error handler, attributes */
    MpiWindow *window;
    MpiRank *owner;
    MpiComm *comm; /* for the collectives of the window; not seen by the program */
    uint32_t rank; /* rank in the window */
    uint64_t base, size;
    uint64_t memory; /* of MPI_Win_allocate: address of the block of the heap; else 0 */
    int disp_unit;
    uint64_t values; /* address of the values of predefined attributes; 0: not asked for yet */
    char *name;
    MpiInfo *info;
    uint32_t made_pc;
    const char *made_by;
    GArray *regions; /* MpiRegion; ascending in dynamic windows; NULL: none */

    MpiPeer *peers, *last_peer; /* newest first; the one that was last asked for */
    GHashTable *peer_table;     /* target + 1 -> MpiPeer, when there are many */
    uint32_t n_peers;
    uint32_t fetches, leaving, acks; /* sums of the peers' */

    /* epochs */
    bool fence_open;                    /* a fence may have begun an epoch */
    uint32_t fence_pc, fence_ops;       /* location of the last one; accesses since then */
    uint32_t fences;                    /* number of fences that the member has gone through */
    uint32_t exposure_fence;            /* what that will be when `exposure` holds; if it is a fence's */
    bool no_locks;                      /* the info key: nobody locks the window */
    bool started, all, all_nocheck;     /* MPI_Win_start; MPI_Win_lock_all */
    uint32_t start_pc, all_pc, post_pc; /* locations of these */
    uint32_t locks;                     /* peers with a lock of their own */
    MpiGroup *exposed;                  /* the group of MPI_Win_post; NULL: none */
    MpiGroup *access;                   /* the group of MPI_Win_start; NULL: none */
    uint32_t completes;                 /* MPI_Win_complete that have come, and not been waited for */
    int exposure;                       /* assertions of the last fence or post */
    uint32_t exposure_pc;
    uint32_t missing_posts; /* posts that MPI_Win_start waits for */

    uint64_t stamps;   /* for MpiPeer.flushes: number of the last one */
    uint64_t posts;    /* number of MPI_Win_post */
    MpiSlotValue kept; /* what a check keeps of accesses to this member */

    MpiCall *waiters; /* calls of the process's threads that wait on the window */
    MpiLock lock;
    int failed; /* error class of an access that could not be done at its target; told by the next synchronisation */
    char *failure;
};

/* What all members share. */
struct MpiWindow {
    MpiOccasion at;   /* the call that makes it: its place in the table of windows being made */
    uint32_t refs;    /* members that have not freed it, and transfers under way */
    uint32_t missing; /* members that have not made their MpiWin yet */
    MpiWorld *world;
    MpiWindows *pools;
    MpiFlavour flavour;
    bool separate;
    bool unordered; /* accumulate_ordering is "none" */
    MpiGroup *group;
    uint32_t context;
    MpiWin **members;   /* by rank; NULL before a member has come */
    VmSegment *segment; /* of MPI_Win_allocate_shared; or NULL */
};

/* Pools of a world (MPI_SLOT_WINDOWS). */
struct MpiWindows {
    MpiPool remotes, peers;
    GHashTable *making; /* MpiOccasion -> MpiWindow; looked up, never iterated */
};
MpiWindows *mpi_windows_of(MpiWorld *world);

/* Gets the window in an argument, whose error handler then gets the errors of the call. */
bool mpi_rma_check_win(MpiCall *call, unsigned arg, MpiWin **win, MpiStep *step);
void mpi_window_unref(MpiWindow *window);
/* Appends "the window that MPI_Win_create made at x.c:12", or the name that the program gave. */
void mpi_rma_append_win(GString *out, const MpiWin *win);
/* Checks that the assertion in an argument has only these bits. */
bool mpi_check_assertion(MpiCall *call, unsigned arg, int allowed, int *assertion, MpiStep *step);
/* Returns "x.c:12" for a location in the program of the call's rank; the caller frees it. */
char *mpi_rma_place(const MpiWin *win, uint32_t pc);
/* Ends the call because an epoch that `what` at `pc` began is open; `end` ends it. */
MpiStep mpi_rma_still_open(MpiCall *call, const MpiWin *win, uint32_t pc, const char *what, const char *end);
/* Ends the call with an error that an access met at its target; call it at the end of synchronisations. */
MpiStep mpi_rma_done(MpiCall *call, MpiWin *win);

/* -- hints (window_info.c) --------------------------------------------------------------------- */

/* Makes the info object of a window: the hints that the program gave, or NULL, and those of the standard. Returns NULL
 * if one of them has a wrong value. */
MpiInfo *mpi_rma_info_new(MpiCall *call, MpiComm *comm, const MpiInfo *given, MpiStep *step);
bool mpi_rma_info_is(const MpiInfo *info, const char *key); /* its value is "true" */
bool mpi_rma_info_is_unordered(const MpiInfo *info);        /* accumulates need no order */
bool mpi_rma_check_extents(MpiCall *call, MpiComm *comm, const MpiWin *win, const MpiInfo *info, MpiStep *step);

/* -- memory (window_memory.c) ------------------------------------------------------------------ */

/* Checks that the items lie in the window of the target; computes their address there. */
bool mpi_window_check_range(MpiCall *call, const MpiWin *target, int64_t displacement, const MpiType *type,
                            uint64_t count, uint64_t *address, MpiStep *step);
/* Read and write items of a member's window. Return false if the memory is gone. */
bool mpi_window_load(const MpiWin *win, uint64_t address, const MpiType *type, uint64_t count, void *out);
bool mpi_window_store(MpiWin *win, uint64_t address, MpiType *type, uint64_t count, const void *in, uint64_t bytes);
/* In the separate model: local stores become public; public ones become private. */
void mpi_window_publish(MpiWin *win);
void mpi_window_fetch(MpiWin *win);
/* Begins to keep a region of memory. */
void mpi_window_add_region(MpiWin *win, uint64_t address, uint64_t bytes, uint32_t pc);
void mpi_window_remove_region(MpiWin *win, guint at);
void mpi_window_clear_regions(MpiWin *win);
/* -- shared memory (shared_windows.c) ----------------------------------------------------------- */

/* Gives this member its part of the memory that all share; all sizes are known. Returns false if there is none. */
bool mpi_window_share(MpiCall *call, MpiWin *win);
bool mpi_window_on_one_node(const MpiCall *call, const MpiComm *comm);

/* -- combining (combine.c) --------------------------------------------------------------------- */

/* Returns the one predefined datatype that the items consist of, which may be a pair; MPI_PRIMITIVE_COUNT: there are
 * several. */
MpiPrimitive mpi_combine_element(const MpiType *type);
/* Whether the operator can be used in accumulates on such items. */
bool mpi_combine_allows(const MpiOp *op, const MpiType *type);
bool mpi_combine_replaces(const MpiOp *op); /* MPI_REPLACE */
bool mpi_combine_is_none(const MpiOp *op);  /* MPI_NO_OP */
/* Does an access at its target: moves data between the window and remote->data. Returns false if the memory is gone. */
bool mpi_combine(MpiRemote *remote);

/* -- locks (locks.c) --------------------------------------------------------------------------- */

/* A request for the lock of remote->target has come. Returns true if it is granted now; otherwise it waits, and
 * mpi_lock_give_back() of another grants it. */
bool mpi_lock_ask(MpiRemote *remote);
/* The peer gives the lock of its target back. Grants it to those who wait: on the time of `call`, or at time_ps. */
void mpi_lock_give_back(MpiPeer *peer, MpiCall *call, uint64_t time_ps);

/* A lock that is needed cannot be had: tells the origin, and those that wait behind it. */
void mpi_remote_refuse(MpiRemote *remote, MpiCall *call, uint64_t time_ps);
/* A lock was granted to the peer of this request: tells the origin, and does what waited for it. */
void mpi_remote_granted(MpiCall *call, MpiRemote *remote, uint64_t time_ps);

/* -- waiting (remotes.c) ----------------------------------------------------------------------- */

/* Blocks the call until it is so; then goes on at `then`. */
MpiStep mpi_rma_wait(MpiCall *call, MpiWin *win, MpiWinWait wait, MpiPeer *peer, MpiHandler then);
/* Wakes the rank if its call has what it waited for. */
void mpi_rma_settle(MpiRank *rank, uint64_t time_ps);
/* Whether it is so. */
bool mpi_rma_is(const MpiWin *win, MpiWinWait wait, const MpiPeer *peer);
/* Something has changed: ends the wait of the member's call if what it waits for is there. */
void mpi_rma_look(MpiWin *win);
/* Asks the target to say when all accesses of this member are done there, if it does not do so anyway. */
void mpi_rma_flush_peer(MpiCall *call, MpiPeer *peer);
void mpi_rma_flush_peers(MpiCall *call, MpiWin *win);

/* -- members that have failed (losses.c) --------------------------------------------------- */

/* The next synchronisation of the member tells that another one has failed. */
void mpi_rma_note_loss(MpiWin *win, uint32_t member);
/* Whether the failure of a member is known. */
bool mpi_rma_has_lost(const MpiWin *win);
/* It is not sent, since its target is known to have failed. */
void mpi_rma_lose(MpiRemote *remote);
/* MPI_Win_complete of a member that has failed will not come, so those that are missing are not waited for. */
void mpi_rma_complete_for_lost(MpiWin *win);
/* Whether a holder of the lock that has failed keeps the peer out for ever. */
bool mpi_rma_lock_is_lost(const MpiLock *lock, const MpiPeer *peer);
/* Notes at the origin which holder that is. */
void mpi_rma_note_lost_lock(const MpiRemote *remote);

/* -- buffers of accesses (peers.c) -------------------------------------------------------------- */

/* Under checks: the access uses a buffer until the program synchronises with the peer. */
void mpi_peer_use(MpiCall *call, MpiPeer *peer, const MpiBuffer *read, const MpiBuffer *written);
/* The program has synchronised with the peer, or, if that is NULL, with all of them: `local`: only as to buffers. */
void mpi_peers_synchronised(MpiWin *win, MpiPeer *peer, bool local);

/* -- for checks (window_steps.c) ---------------------------------------------------------------- */

/* Asks checks about a step of the member's epochs; `peer` is NULL if no target is concerned. Returns false if the call
 * is over. */
bool mpi_window_ask(MpiCall *call, MpiWin *win, const MpiPeer *peer, MpiWindowEvent event, MpiStep *step);
/* Tells them of a step that cannot be wrong: towards a peer, or towards each that the member has. */
void mpi_window_tell(MpiCall *call, MpiWin *win, const MpiPeer *peer, MpiWindowEvent event);
void mpi_window_tell_all(MpiCall *call, MpiWin *win, MpiWindowEvent event);

/* -- epochs (access_checks.c) ---------------------------------------------------------------------------------- */

/* Whether the member may access the target now. `writes`: it changes the target's memory. */
bool mpi_check_epoch(MpiCall *call, MpiWin *win, uint32_t target, bool writes, MpiStep *step);
/* Returns the number of the epoch that the member accesses the target in, see MpiWindowAccess. */
uint64_t mpi_access_epoch(const MpiWin *win, const MpiPeer *peer);
/* Whether the member has locked something. */
bool mpi_check_passive(MpiCall *call, const MpiWin *win, MpiStep *step);

#endif
