/* access.h - what the files of this room share: open files, views, representations, and accesses.
 *
 *   files.c              opens and closes files; what concerns a file as a whole
 *   meetings.c           what members say to each other in a collective call
 *   views.c              the bytes of a file that a view shows; view_calls.c: the functions for that; positions.c
 *   representations.c    data representations: sizes and conversions; file_types.c: datatypes as they are in a file
 *   access_calls.c       the functions that read and write; host_access.c: what they do to the file of the host
 *   timing.c             the time that an access takes; two_phase.c: what collective buffering makes of accesses
 *   hints.c              info objects; file_handlers.c: error handlers and Fortran's handles
 *   conflicts.c          the check "files": accesses that nothing orders
 *
 * An access has its effect on the file and on the program's memory at once, in the GLOBAL call that starts it. GLOBAL
 * calls come in the order of virtual time, so files change in that order, whatever the quantum, and no data wait in the
 * simulator. What follows is time: messages among the members and accesses to the storage of the machine
 * (MpiEnv.storage), which carry sizes only.
 *
 *      call: host_access.c --> MpiAccess: agree -> exchange <-> storage -> ... -> request complete   (timing.c)
 *                                             on the clock of an agent, whatever the rank is doing
 *
 * The ranks of a file share one MpiSharedFile: descriptor of the host, shared file pointer, and meetings.
 */
#ifndef ORRERY_MPI_FILE_ACCESS_H
#define ORRERY_MPI_FILE_ACCESS_H

#include "mpi/core/call.h"
#include "mpi/file/file.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

/* -- data representations (representations.c) -------------------------------------------------- */

typedef enum MpiRepresentationSort { MPI_REP_NATIVE, MPI_REP_EXTERNAL32, MPI_REP_USER } MpiRepresentationSort;
typedef struct MpiRepresentation {
    MpiRepresentationSort sort;
    const char *name;
    uint64_t read, write, extent, extra; /* USER: functions of the program (0: no conversion), and their extra state */
} MpiRepresentation;
/* Returns the representation of this name that the rank knows, or NULL. */
const MpiRepresentation *mpi_representation_find(const MpiRank *rank, const char *name);

/* How many bytes each primitive has in files. */
typedef struct MpiFileSizes {
    uint32_t of[MPI_PRIMITIVE_COUNT];
} MpiFileSizes;
/* The sizes in a representation that is not the user's. */
MpiFileSizes mpi_representation_sizes(const MpiRepresentation *representation);
/* Asks the program for the sizes of the primitives in both types, if the representation is the user's. Goes on at
 * `then`, with the answers in *sizes, which must live as long as the call. The call must have no state of its own. */
MpiStep mpi_representation_ask(MpiCall *call, const MpiRepresentation *representation, const MpiType *one,
                               const MpiType *other, MpiFileSizes *sizes, MpiHandler then);
/* Returns the bytes of one item in a file. */
uint64_t mpi_representation_bytes(const MpiFileSizes *sizes, const MpiType *type);
/* Returns how many bytes in memory the first `bytes` of items in a file are. A primitive that is not all there counts
 * only if nothing is converted. */
uint64_t mpi_representation_memory_bytes(const MpiRepresentation *representation, const MpiFileSizes *sizes,
                                         const MpiType *type, uint64_t bytes);

/* Makes the datatype that a type is in a file, where its primitives have other sizes (file_types.c). NULL: it would be
 * too large. The caller owns a reference. */
MpiType *mpi_file_type(const MpiFileSizes *sizes, const MpiType *type);

/* -- views (views.c) --------------------------------------------------------------------------- */

/* The bytes of a file that a rank sees: those of the file type, again and again from the displacement on. Immutable,
 * shared by reference. */
typedef struct MpiView {
    int refs;
    uint64_t given;            /* the displacement that the program gave */
    uint64_t displacement;     /* where the first file type, or a dense view, begins */
    MpiType *etype, *filetype; /* as the program gave them; referenced */
    const MpiRepresentation *representation;
    MpiFileSizes sizes;
    uint64_t etype_bytes;         /* of an etype in the file */
    uint64_t tile_bytes;          /* of the data of one file type in the file */
    int64_t tile_extent;          /* distance from one file type to the next */
    bool dense;                   /* without gaps */
    bool overlapping;             /* a file type has some bytes twice: not for writing */
    MpiSegment *segments;         /* none of them is empty */
    uint64_t *before;             /* by segment: bytes of the segments before it */
    MpiLoop *loops;               /* as in MpiLayout */
    uint32_t n_segments, n_loops; /* */
    uint64_t turn_bytes;          /* bytes of all segments together */
} MpiView;
/* Makes a view. `tile` is the file type as it is in the file. Returns NULL with a text in *wrong if no view can have
 * this file type. */
MpiView *mpi_view_new(uint64_t displacement, MpiType *etype, MpiType *filetype, const MpiType *tile,
                      const MpiRepresentation *representation, const MpiFileSizes *sizes, const char **wrong);
MpiView *mpi_view_ref(MpiView *view);
void mpi_view_unref(MpiView *view);
/* The view of a file that has just been opened: bytes. */
MpiView *mpi_view_of_bytes(void);

/* A walk along a view. A run is a piece of the file without gaps. */
typedef struct MpiWalk {
    const MpiView *view;
    uint64_t left;      /* bytes of data that are still to come */
    uint64_t tile;      /* number of the file type */
    int64_t base;       /* offset of the turn in the tile: the loops' part */
    uint64_t index[64]; /* of each loop */
    uint32_t segment;
    uint64_t within; /* bytes of the segment that are gone */
    uint64_t offset; /* dense views: where the next run begins */
} MpiWalk;
/* Begins a walk over `bytes` bytes of data, from byte `position` of the view's data on. */
void mpi_view_walk(MpiWalk *walk, const MpiView *view, uint64_t position, uint64_t bytes);
/* Stores the next run. Returns false at the end. */
bool mpi_view_next(MpiWalk *walk, uint64_t *offset, uint64_t *bytes);
/* Returns the place in the file of byte `position` of the view's data; UINT64_MAX: it is beyond what files can hold. */
uint64_t mpi_view_offset(const MpiView *view, uint64_t position);
/* Returns how many bytes of the view's data lie before `end` in the file. */
uint64_t mpi_view_bytes_before(const MpiView *view, uint64_t end);

/* -- files (files.c) --------------------------------------------------------------------------- */

typedef struct MpiMeeting MpiMeeting;
typedef struct MpiSequence MpiSequence; /* of a rank's accesses (conflicts.c) */
typedef struct MpiFileUses MpiFileUses; /* what ranks have done to a file (conflicts.c) */

/* What the hints of a file say (hints.c). */
typedef struct MpiFileHints {
    MpiFileWay collective[2]; /* of reads and of writes */
    MpiFileWay sieving[2];
    uint32_t aggregators;
    uint64_t buffer_bytes, sieve_bytes[2];
} MpiFileHints;

/* An open file, as all ranks see it that have opened it together. */
typedef struct MpiSharedFile {
    uint32_t refs;    /* ranks and accesses that use it */
    uint32_t members; /* ranks that have it open */
    MpiWorld *world;
    char *name;       /* of vm_rank_file_name() */
    int descriptor;   /* of the host */
    bool readable;    /* by the host's permissions, even if not by amode */
    uint32_t storage; /* number of the file in the machine's storage */
    int amode;
    uint64_t pointer; /* shared file pointer, in etypes */
    bool atomic;
    MpiFileUses *uses;    /* of all that open the file; NULL: nobody checks */
    GHashTable *meetings; /* number -> MpiMeeting; never iterated */
} MpiSharedFile;

/* A rank's view of an open file. */
struct MpiFile {
    MpiRaiser raiser; /* first member: handle and error handler */
    uint32_t refs;    /* one for the handle, one for each access */
    MpiRank *owner;
    MpiComm *comm; /* of the library alone; the group of the file */
    MpiSharedFile *shared;
    MpiView *view;
    uint64_t position; /* individual file pointer, in etypes */
    uint64_t meetings; /* number of collective calls so far */
    MpiInfo *info;
    MpiFileHints hints;
    MpiRequest *split; /* the split collective that has begun; NULL: none */
    const char *split_name;
    uint64_t split_buffer;
    MpiSequence *sequence; /* NULL: nobody checks */
};
/* Looks up the file of argument 0, which then gets the errors of the call. */
bool mpi_file_check(MpiCall *call, MpiFile **file, MpiStep *step);
MpiFile *mpi_file_ref(MpiFile *file);
void mpi_file_unref(MpiFile *file);
/* What the rank keeps for files. */
typedef struct MpiFilesOfRank {
    MpiRaiser null;             /* MPI_FILE_NULL, whose handler is the default of new files */
    GPtrArray *representations; /* MpiRepresentation, made by the program */
    MpiFileSizes asked;         /* answers of an extent function, while its call lasts */
} MpiFilesOfRank;
MpiFilesOfRank *mpi_files_of(MpiRank *rank);
/* Returns the error class for an errno value of the host. */
int mpi_file_error_class(int error);
/* Ends the call with that class; `what` is what could not be done: "the file cannot be opened". */
MpiStep mpi_file_fail(MpiCall *call, const MpiSharedFile *shared, const char *what, int error);
/* Stores the size of the file in *size. Returns false, with errno set, if the host does not know it. */
bool mpi_file_size(const MpiSharedFile *shared, uint64_t *size);
/* Ends a call that the members have made together; counts the time. */
MpiStep mpi_file_done(MpiCall *call);

/* -- meetings (meetings.c) --------------------------------------------------------------------- */

/* What a member says in a collective call. */
typedef struct MpiSaid {
    uint64_t a, b;
    MpiView *view; /* or NULL; referenced */
} MpiSaid;

typedef struct MpiTwoPhase MpiTwoPhase;

/* A collective call of a file's members. It exists until the last member has left it. */
struct MpiMeeting {
    uint64_t number;
    uint32_t size, entered, left; /* members: all, that have come, that have gone */
    uint32_t function;            /* row of functions.def */
    uint32_t first, first_pc;     /* world rank and place of the first member that came */
    bool decided;                 /* what follows has been done by the first that went on */
    int error;                    /* of what was done; an errno value */
    uint64_t answer;
    MpiTwoPhase *plan;
    MpiSaid *said; /* by rank in the file's group */
};
/* Makes the table of a file's meetings. */
GHashTable *mpi_meetings_new(void);
/* Ends the call: a member of the file's group has failed. */
MpiStep mpi_file_misses_member(MpiCall *call);
/* Enters the next meeting of the file. Returns NULL, with the error in *step, if the others make another call. */
MpiMeeting *mpi_meeting_enter(MpiCall *call, MpiFile *file, MpiSaid said, MpiStep *step);
/* Leaves it. The last one frees it. */
void mpi_meeting_leave(MpiSharedFile *shared, MpiMeeting *meeting);
/* Enters the next meeting, and takes the time in which all members learn what the others say. Goes on at `then`, with
 * mpi_meeting_of() and mpi_meeting_file() as long as the call lasts. */
MpiStep mpi_meeting_hold(MpiCall *call, MpiFile *file, MpiSaid said, MpiHandler then);
MpiMeeting *mpi_meeting_of(const MpiCall *call);
MpiFile *mpi_meeting_file(const MpiCall *call);
/* Whether all members say the same in `a` and `b`. Else the call ends with MPI_ERR_NOT_SAME. */
bool mpi_meeting_agrees(MpiCall *call, const char *what, MpiStep *step);

/* -- accesses ---------------------------------------------------------------------------------- */

/* What the forms of an access are made of. */
enum {
    MPI_ACCESS_WRITE = 1,
    MPI_ACCESS_AT = 2,      /* at an explicit offset */
    MPI_ACCESS_SHARED = 4,  /* at the shared file pointer */
    MPI_ACCESS_ORDERED = 8, /* there, in the order of ranks */
    MPI_ACCESS_ALL = 16,    /* collective */
    MPI_ACCESS_LATER = 32,  /* non-blocking: ends with a request */
    MPI_ACCESS_BEGIN = 64,  /* the beginning of a split collective */
};

/* Starts the time that an access takes, from call->now on, with effects that have come already: `bytes` bytes of the
 * view's data from byte `position` on. `meeting` is that of a collective access, which the access leaves; or NULL.
 * Returns its request, which is complete at once if nothing takes time. */
MpiRequest *mpi_timing_start(MpiCall *call, MpiFile *file, unsigned form, uint64_t position, uint64_t bytes,
                             MpiMeeting *meeting);
/* Waits for the request, then goes on at `then`, which must call mpi_timing_end(). */
MpiStep mpi_timing_wait(MpiCall *call, MpiRequest *request, MpiHandler then);
/* The same for an access to the name of the file with this number in the storage, or to all that was written. */
MpiStep mpi_timing_one(MpiCall *call, MpiComm *comm, uint32_t storage, VmStorageSort sort, MpiHandler then);
void mpi_timing_end(MpiCall *call);

/* Reads or writes the data of `bytes` bytes of the view from byte `position` on, from or to `data`. Returns the bytes
 * done; *error is an errno value, or 0. A read that meets the end of the file is short (host_access.c). */
uint64_t mpi_host_access(const MpiSharedFile *shared, const MpiView *view, bool write, uint64_t position,
                         uint64_t bytes, uint8_t *data, int *error);

/* -- collective buffering (two_phase.c) -------------------------------------------------------- */

/* One aggregator's part in one round: a piece of the file that it accesses for all. */
typedef struct MpiCell {
    uint64_t first, end;    /* of what is accessed there */
    uint64_t covered;       /* bytes that members want */
    uint32_t share, shares; /* index of the first of MpiTwoPhase.shares, and their number */
} MpiCell;
typedef struct MpiCellShare { /* what one member wants of a cell */
    uint32_t rank, cell;
    uint64_t bytes;
} MpiCellShare;

/* A collective access, made by aggregators in rounds. */
struct MpiTwoPhase {
    bool used;            /* false: each member accesses the file by itself */
    uint32_t aggregators; /* number of them */
    uint32_t *ranks;      /* their ranks in the file's group */
    uint32_t rounds;
    MpiCell *cells;       /* by round, then by aggregator */
    MpiCellShare *shares; /* by cell, then by rank */
    uint32_t *own;        /* by rank: where its own begin in own_shares */
    uint32_t *own_shares; /* indices in shares: by rank, then by cell */
};
/* Makes the plan of a meeting in which each member has said position, bytes and view. */
MpiTwoPhase *mpi_two_phase_new(const MpiFile *file, const MpiMeeting *meeting, bool write);
void mpi_two_phase_free(MpiTwoPhase *plan); /* NULL is allowed */

/* -- accesses that nothing orders (conflicts.c) ------------------------------------------------ */

/* A sequence of accesses of a rank begins, ends. */
MpiSequence *mpi_file_sequence_new(uint32_t rank, uint64_t begun_ps);
void mpi_file_sequence_end(MpiSequence *sequence, uint64_t time_ps); /* NULL is allowed here, and below */
void mpi_file_sequence_unref(MpiSequence *sequence);
/* What is kept of a file. */
MpiFileUses *mpi_file_uses_new(void);
void mpi_file_uses_free(void *uses);
/* Under --check=files compares an access with those of other ranks before it, and notes it. */
void mpi_conflicts_note(MpiCall *call, const MpiFile *file, bool write, uint64_t position, uint64_t bytes);

/* -- hints (hints.c) --------------------------------------------------------------------------- */

/* Takes over the hints of an info object, which may be NULL. */
void mpi_hints_take(MpiFile *file, const MpiInfo *info);
void mpi_hints_default(MpiFile *file);

#endif
