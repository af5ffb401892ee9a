/* unit.h - what the checks of MPI calls share.
 *
 *   unit.c    one walk over the unit: which calls there are, what sets each variable, what happens to requests
 *   flow.c    what variables that are set several times are worth at each of their uses
 *   values.c  questions asked of that: constants, communicators, datatypes, the object behind a pointer
 *   type.c    buffers against datatypes                  count.c       counts against objects
 *   arguments.c  ranks, tags, operators ...              request.c     requests and statuses
 *   pending.c    buffers in flight                       collective.c  collectives under a test of the rank
 *   init.c       MPI_Init and MPI_Finalize
 *
 * A check speaks only of what is certain. What may be changed behind its back (a variable whose address is known
 * elsewhere, a global that other files may write, memory behind a pointer) it does not know, and is silent.
 */
#ifndef ORRERY_COMPILER_CHECK_MPI_UNIT_H
#define ORRERY_COMPILER_CHECK_MPI_UNIT_H

#include "compiler/mpi_types/mpi_types.h"
#include "compiler/tree/tree.h"

/* mpi.h's constants; tests/unit/compiler/test_check_mpi_table.c holds them to it. */
enum {
    CC_MPI_PROC_NULL = -1000000103,
    CC_MPI_ANY_SOURCE = -1000000205,
    CC_MPI_ROOT = -1000000307,
    CC_MPI_ANY_TAG = -1000000409,
};

/* What a parameter is. IN stands for an argument that is only read, VALUE for one of which nothing is known: what its
 * pointer points to may be read, written and kept. */
typedef enum CcMpiRole {
    NOTHING, /* there is no such parameter */
    VALUE,
    OUT,         /* a variable that the call sets */
    SEND,        /* data that are read */
    RECEIVE,     /* data that are written */
    BUFFER,      /* both, or either */
    COUNT,       /* of items, of the buffers before it */
    COUNTS,      /* an array of counts */
    TYPE,        /* of those items */
    TYPE_ONLY,   /* a datatype without a buffer */
    NEW_TYPE,    /* a datatype that the call makes */
    OLD_TYPE,    /* pointer to one that is there: commit, free */
    RAW,         /* memory that is written; if a BYTES follows: or read, and as large as that says */
    BYTES,       /* size of the RAW before it */
    OPERATOR,    /* of a reduction */
    ROOT,        /* the rank that matters most */
    DESTINATION, /* rank */
    SOURCE,      /* rank, or MPI_ANY_SOURCE */
    SEND_TAG,
    RECEIVE_TAG, /* or MPI_ANY_TAG */
    COMM,
    NEW_COMM, /* a copy of the COMM, set by the call */
    OLD_COMM, /* pointer to one that is there */
    RANK,     /* set to the caller's rank in COMM */
    SIZE,     /* set to the number of ranks in COMM */
    LENGTH,   /* of the arrays of requests and statuses that follow */
    STATUS,   /* set by the call, or MPI_STATUS_IGNORE */
    STATUSES, /* an array of them */
    STATUS_READ,
    NEW_REQUEST,    /* set to a request that is pending */
    NEW_PERSISTENT, /* set to a request that waits to be started */
    START_REQUEST,  /* neither sets nor completes it */
    START_REQUESTS,
    WAIT_REQUEST, /* completes it, perhaps */
    WAIT_REQUESTS,
    FREE_REQUEST,
} CcMpiRole;

typedef enum CcMpiSort {
    LOCAL,      /* no rank but the caller need call it */
    COLLECTIVE, /* every rank of the communicator must call it */
    START_MPI,
    END_MPI,
    ANY_TIME, /* allowed outside of MPI_Init ... MPI_Finalize, or harmless there */
} CcMpiSort;

enum { CC_MPI_MAX_ROLES = 14 };

typedef struct CcMpiFunction {
    const char *name; /* without MPI_ */
    CcMpiSort sort;
    CcMpiRole roles[CC_MPI_MAX_ROLES];
} CcMpiFunction;

typedef struct CcMpiCall {
    const CcMpiFunction *function;
    const char *name; /* as called: MPI_Send, PMPI_Send */
    const CcExpr *expr;
} CcMpiCall;

/* -- variables --------------------------------------------------------------------------------- */

typedef struct CcMpiLoop {
    struct CcMpiLoop *outer;
    unsigned first, last; /* numbers of the events inside */
    bool leaves;          /* something in it may end it early */
} CcMpiLoop;

typedef enum CcMpiEventKind {
    CC_MPI_CREATED,  /* request: by a call that starts something */
    CC_MPI_PREPARED, /* request: persistent */
    CC_MPI_STARTED,
    CC_MPI_COMPLETED, /* request: waited for, tested, freed */
    CC_MPI_FILLED,    /* status: set by a call */
    CC_MPI_READ,      /* status */
    CC_MPI_ASSIGNED,
    CC_MPI_OTHER, /* anything: it is out of sight from here on */
} CcMpiEventKind;

/* What happens to a request or a status, in order of the source. */
typedef struct CcMpiEvent {
    struct CcMpiEvent *next;
    CcMpiEventKind kind;
    unsigned number; /* counts the events of the unit */
    const CcExpr *expr;
    const CcMpiCall *call; /* NULL: none */
    int64_t element;       /* of an array; -1: any or all */
    CcMpiLoop *loop;
    bool conditional;         /* anything decides whether it happens */
    bool conditional_in_loop; /* ... inside the loop, other than a != */
} CcMpiEvent;

typedef enum CcMpiKnown { CC_MPI_UNASKED, CC_MPI_ASKING, CC_MPI_KNOWN, CC_MPI_UNKNOWN } CcMpiKnown;

/* What is known of a variable, or of a member whatever its struct. */
typedef struct CcMpiVariable {
    const CcSymbol *symbol;  /* NULL: a member */
    unsigned writes;         /* assignments, initialisers, calls that set it */
    const CcExpr *value;     /* what the last of them assigns; NULL: not an expression */
    bool escapes;            /* its address is known elsewhere */
    bool committed;          /* a datatype: by MPI_Type_commit; or copied, so who knows */
    const CcMpiCall *setter; /* a call that sets it as ... */
    CcMpiRole set_as;
    bool set_otherwise; /* by a call in another role or of another communicator, or by a value that is not constant */
    CcMpiKnown state;   /* of .number: the constant that it always is */
    int64_t number;
    const CcSymbol
        *rank_of; /* parameter that gets a rank: the parameter that gets the communicator; itself: the world */
    const CcExpr *rank_from; /* the argument that says so */
    CcMpiEvent *first_event, *last_event;
    bool out_of_sight; /* one of them is CC_MPI_OTHER */
} CcMpiVariable;

/* -- the unit ---------------------------------------------------------------------------------- */

typedef struct CcMpiBody {
    CcSymbol *symbol; /* the function */
    guint first_call, n_calls;
    guint first_tracked, n_tracked; /* requests and statuses that live in it */
    bool calls_unknown;             /* code that nobody sees here */
    bool jumps;                     /* goto, labels: order of the source is not order of events */
} CcMpiBody;

typedef struct CcMpiUnit {
    CcUnit *unit;
    GHashTable *functions; /* CcSymbol -> CcMpiFunction */
    GHashTable *variables; /* CcSymbol or CcMember -> CcMpiVariable; only asked, never listed */
    GHashTable *bodies;    /* CcSymbol -> CcMpiBody */
    GHashTable *summaries; /* collective.c: CcSymbol -> what it calls */
    GHashTable *values;    /* flow.c: use of a variable (CcExpr) -> what it was set to last (CcExpr) */
    GHashTable *unreached; /* uses of variables where control does not come */
    GHashTable *warned;    /* calls whose buffers have the wrong type already */
    GPtrArray *calls;      /* CcMpiCall */
    GPtrArray *tracked;    /* CcMpiVariable */
    GPtrArray *list;       /* CcMpiBody, in order of definition */
    GPtrArray *others;     /* CcExpr: calls of functions that are defined in this unit */
} CcMpiUnit;

/* The row for a function, or NULL. */
const CcMpiFunction *cc_mpi_function(const CcMpiUnit *mpi, const CcSymbol *symbol);
/* The row by name without MPI_, or NULL. */
const CcMpiFunction *cc_mpi_function_named(const char *name);
/* The same for a call: NULL too when the number of arguments is not the row's. */
const CcMpiFunction *cc_mpi_called(const CcMpiUnit *mpi, const CcExpr *call);
/* The position of the next argument with that role, from `from`; CC_MPI_MAX_ROLES: none. */
unsigned cc_mpi_find_role(const CcMpiFunction *function, CcMpiRole role, unsigned from);
/* What is known of a variable or member; NULL: nothing. */
CcMpiVariable *cc_mpi_variable(const CcMpiUnit *mpi, const CcExpr *lvalue);
/* The local variable (or array, and which element; -1: not known) that a request or status lvalue is; NULL: not one. */
const CcSymbol *cc_mpi_tracked(const CcExpr *lvalue, int64_t *element);
/* Whether code that nobody sees here runs in the call: a pointer, or a function of another file that no header of the
 * system declares. */
bool cc_mpi_calls_unknown(const CcMpiUnit *mpi, const CcExpr *call);

/* -- values (values.c) ------------------------------------------------------------------------- */

/* The integer that an expression always is. */
bool cc_mpi_constant(const CcMpiUnit *mpi, const CcExpr *expr, int64_t *value);
/* The expression that a variable's use stands for, as far as it is known; the expression itself where it is none. */
const CcExpr *cc_mpi_followed(const CcMpiUnit *mpi, const CcExpr *expr);
/* Finds what variables are worth at their uses in a function. */
void cc_mpi_follow(CcMpiUnit *mpi, const CcMpiBody *body);
/* Whether two expressions are the same constant, or the same variable that nothing changes. */
bool cc_mpi_same_value(const CcMpiUnit *mpi, const CcExpr *a, const CcExpr *b);
/* Whether they are written alike, and evaluating them changes nothing. */
bool cc_mpi_same_expression(const CcExpr *a, const CcExpr *b);

typedef enum CcMpiHandle { CC_MPI_COMM = 1, CC_MPI_GROUP, CC_MPI_TYPE_HANDLE, CC_MPI_OP, CC_MPI_REQUEST } CcMpiHandle;
/* The index of a predefined handle of that kind (0: null handle), or -1. */
int cc_mpi_handle(const CcExpr *expr, CcMpiHandle kind);
bool cc_mpi_is_type(const CcType *type, const char *tag); /* struct tag, or a pointer to it */

/* What a communicator is: the handle's index, or the variable that it came from; both 0 and NULL: not known. Copies
 * made by MPI_Comm_dup count as what they are a copy of. */
typedef struct CcMpiComm {
    int index; /* 1: world, 2: self */
    const void *key;
} CcMpiComm;
CcMpiComm cc_mpi_comm(const CcMpiUnit *mpi, const CcExpr *expr);
bool cc_mpi_same_comm(CcMpiComm a, CcMpiComm b); /* both known and the same */
static inline bool cc_mpi_comm_known(CcMpiComm comm)
{
    return comm.index > 0 || comm.key;
}

typedef struct CcMpiType {
    const CcMpiItem *item; /* what it consists of; NULL: not known */
    bool predefined;
    bool sized;            /* the following are known */
    uint64_t bytes;        /* data */
    uint64_t span, extent; /* bytes from first to last; distance between two */
} CcMpiType;
CcMpiType cc_mpi_type(const CcMpiUnit *mpi, const CcExpr *expr);

/* The memory that a buffer argument points to. */
typedef struct CcMpiMemory {
    const CcExpr *expr;     /* without conversions to void * */
    const CcType *item;     /* what it consists of, arrays taken apart; NULL: not known */
    bool is_null, in_place; /* constants; .constant: any constant */
    bool constant;
    const CcSymbol *object; /* the variable, or the pointer to what malloc made; NULL: not known */
    const CcExpr *allocation;
    const CcExpr *string; /* a string literal */
    bool exact;           /* .offset is where it points to; else somewhere behind it */
    uint64_t offset;
    bool sized;
    uint64_t bytes; /* from .offset to the end of the object */
} CcMpiMemory;
CcMpiMemory cc_mpi_memory(const CcMpiUnit *mpi, const CcExpr *argument);
/* The same for an object that an lvalue names; .bytes is not set apart. */
CcMpiMemory cc_mpi_place(const CcMpiUnit *mpi, const CcExpr *lvalue);
/* "'a'" or "the buffer"; points into the arena. */
const char *cc_mpi_memory_name(const CcMpiUnit *mpi, const CcMpiMemory *memory);
/* Notes where it was declared or allocated. */
void cc_mpi_note_memory(const CcMpiUnit *mpi, const CcMpiMemory *memory);

/* -- checks (mpi_checks.def) -------------------------------------------------------------------- */

#define CC_MPI_CALL_CHECK(function, warning) void function(CcMpiUnit *mpi, const CcMpiCall *call);
#define CC_MPI_BODY_CHECK(function, warning) void function(CcMpiUnit *mpi, const CcMpiBody *body);
#include "compiler/check_mpi/mpi_checks.def"

#endif
