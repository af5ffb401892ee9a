/* unit.h - what the checks of MPI calls share.
 *
 *   unit.c    one walk over the unit: which calls there are, what sets each variable, what happens to requests
 *   flow.c    the values, at each use, of variables that are set several times
 *   values.c  queries on these facts: constants, communicators, datatypes, the object that a pointer points to
 *   type.c    buffers against datatypes                  count.c       counts against objects
 *   arguments.c  ranks, tags, operators ...              request.c     requests and statuses
 *   pending.c    buffers in flight                       collective.c  collectives under a test of the rank
 *   init.c       MPI_Init and MPI_Finalize
 *
 * A check warns only if it is certain. It treats as unknown whatever other code may change: a variable whose address is
 * known elsewhere, a global that other files may write, memory that a pointer points to. Then it gives no warning.
 */
#ifndef ORRERY_COMPILER_CHECK_MPI_UNIT_H
#define ORRERY_COMPILER_CHECK_MPI_UNIT_H

#include "compiler/mpi_types/mpi_types.h"
#include "compiler/tree/tree.h"

/* Constants of mpi.h. tests/unit/compiler/test_check_mpi_table.c compares them with the header. */
enum {
    CC_MPI_PROC_NULL = -1000000103,
    CC_MPI_ANY_SOURCE = -1000000205,
    CC_MPI_ROOT = -1000000307,
    CC_MPI_ANY_TAG = -1000000409,
};

/* The meaning of a parameter. VALUE is an argument about which nothing is known: what its pointer points to may be
 * read, written and kept. */
typedef enum CcMpiRole {
    NOTHING, /* no more parameters */
    VALUE,
    OUT,            /* a variable that the call sets */
    SEND,           /* data that the call reads */
    RECEIVE,        /* data that the call writes */
    BUFFER,         /* data that the call reads, writes, or both */
    COUNT,          /* number of items in the preceding buffers */
    COUNTS,         /* array of such counts */
    TYPE,           /* datatype of these items */
    TYPE_ONLY,      /* datatype without a buffer */
    NEW_TYPE,       /* pointer to a datatype that the call makes */
    OLD_TYPE,       /* pointer to an existing datatype: commit, free */
    RAW,            /* memory that the call writes; if BYTES follows: memory of that size that it reads or writes */
    BYTES,          /* size in bytes of the preceding RAW */
    OPERATOR,       /* operator of a reduction */
    ROOT,           /* rank of the root */
    DESTINATION,    /* rank */
    SOURCE,         /* rank, or MPI_ANY_SOURCE */
    SEND_TAG,       /* tag */
    RECEIVE_TAG,    /* tag, or MPI_ANY_TAG */
    COMM,           /* communicator */
    NEW_COMM,       /* pointer to a communicator that the call sets to a copy of the COMM */
    OLD_COMM,       /* pointer to an existing communicator */
    RANK,           /* pointer to a variable that is set to the caller's rank in COMM */
    SIZE,           /* pointer to a variable that is set to the number of ranks in COMM */
    LENGTH,         /* length of the arrays of requests and statuses that follow */
    STATUS,         /* status that the call sets, or MPI_STATUS_IGNORE */
    STATUSES,       /* array of such statuses */
    STATUS_READ,    /* status that the call reads */
    NEW_REQUEST,    /* request that the call sets and starts */
    NEW_PERSISTENT, /* request that the call sets and does not start */
    START_REQUEST,  /* request that the call neither sets nor completes */
    START_REQUESTS, /* array of such requests */
    WAIT_REQUEST,   /* request that the call may complete */
    WAIT_REQUESTS,  /* array of such requests */
    FREE_REQUEST,   /* request that the call frees */
} CcMpiRole;

/* When, and by which ranks, a function must be called. */
typedef enum CcMpiSort {
    LOCAL,      /* only the caller needs to call it */
    COLLECTIVE, /* every rank of the communicator must call it */
    START_MPI,  /* starts MPI, as MPI_Init does */
    END_MPI,    /* ends MPI, as MPI_Finalize does */
    ANY_TIME,   /* allowed, or harmless, outside of MPI_Init ... MPI_Finalize */
} CcMpiSort;

enum { CC_MPI_MAX_ROLES = 14 };

/* A row of roles.def. */
typedef struct CcMpiFunction {
    const char *name; /* without MPI_ */
    CcMpiSort sort;
    CcMpiRole roles[CC_MPI_MAX_ROLES];
} CcMpiFunction;

/* A call of an MPI function. */
typedef struct CcMpiCall {
    const CcMpiFunction *function;
    const char *name; /* name in the call: MPI_Send, PMPI_Send */
    const CcExpr *expr;
} CcMpiCall;

/* -- variables --------------------------------------------------------------------------------- */

/* A loop around events. */
typedef struct CcMpiLoop {
    struct CcMpiLoop *outer;
    unsigned first, last; /* range of the numbers of the events inside */
    bool leaves;          /* something in the loop may leave it early */
} CcMpiLoop;

/* Kinds of events in the life of a request or a status. */
typedef enum CcMpiEventKind {
    CC_MPI_CREATED,   /* request: a call sets and starts it */
    CC_MPI_PREPARED,  /* request: a call makes it persistent, and does not start it */
    CC_MPI_STARTED,   /* request: a call uses it without setting or completing it, as MPI_Start does */
    CC_MPI_COMPLETED, /* request: a call waits for it, tests it or frees it */
    CC_MPI_FILLED,    /* status: a call sets it */
    CC_MPI_READ,      /* status: it is read */
    CC_MPI_ASSIGNED,  /* request or status: it is assigned */
    CC_MPI_OTHER,     /* any other use: the checks cannot follow it any more */
} CcMpiEventKind;

/* An event in the life of a request or a status. Events are listed in the order of the source. */
typedef struct CcMpiEvent {
    struct CcMpiEvent *next;
    CcMpiEventKind kind;
    unsigned number; /* numbers the events of the whole unit */
    const CcExpr *expr;
    const CcMpiCall *call; /* call that causes the event, or NULL */
    int64_t element;       /* index of the element of an array; -1: any or all */
    CcMpiLoop *loop;
    bool conditional;         /* some condition decides whether it happens */
    bool conditional_in_loop; /* a condition inside the loop, other than a !=, decides it */
} CcMpiEvent;

/* Progress of computing a value. CC_MPI_ASKING detects cycles. */
typedef enum CcMpiKnown { CC_MPI_UNASKED, CC_MPI_ASKING, CC_MPI_KNOWN, CC_MPI_UNKNOWN } CcMpiKnown;

/* Facts about a variable, or about a member in all objects of its struct. */
typedef struct CcMpiVariable {
    const CcSymbol *symbol;  /* the variable; NULL: a member */
    unsigned writes;         /* number of assignments, initialisers and calls that set it */
    const CcExpr *value;     /* value of the last assignment; NULL: not an expression */
    bool escapes;            /* code elsewhere may know its address */
    bool committed;          /* a datatype: MPI_Type_commit was called, or the handle was copied, so it may have been */
    const CcMpiCall *setter; /* a call that sets it, in role set_as */
    CcMpiRole set_as;
    bool set_otherwise; /* another call sets it in another role or for another communicator, or it gets a value that is
                           not constant */
    CcMpiKnown state;   /* of `number`, the constant that it always is */
    int64_t number;
    /* For a parameter that gets a rank: the parameter that gets its communicator; the symbol itself: the world. */
    const CcSymbol *rank_of;
    const CcExpr *rank_from; /* the argument in a call that shows it */
    CcMpiEvent *first_event, *last_event;
    bool out_of_sight; /* it has an event of kind CC_MPI_OTHER */
} CcMpiVariable;

/* -- the unit ---------------------------------------------------------------------------------- */

/* A function of the unit. */
typedef struct CcMpiBody {
    CcSymbol *symbol;               /* the function */
    guint first_call, n_calls;      /* its part of CcMpiUnit.calls */
    guint first_tracked, n_tracked; /* its requests and statuses: part of CcMpiUnit.tracked */
    bool calls_unknown;             /* it calls code that the compiler does not see */
    bool jumps;                     /* it has goto or labels, so the order of the source is not the order of events */
} CcMpiBody;

/* The facts about a unit that the walk gathers. */
typedef struct CcMpiUnit {
    CcUnit *unit;
    GHashTable *functions; /* CcSymbol -> CcMpiFunction */
    GHashTable *variables; /* CcSymbol or CcMember -> CcMpiVariable; never iterated over */
    GHashTable *bodies;    /* CcSymbol -> CcMpiBody */
    GHashTable *summaries; /* collective.c: CcSymbol -> the steps of the function */
    GHashTable *values;    /* flow.c: use of a variable (CcExpr) -> the value that was last assigned (CcExpr) */
    GHashTable *unreached; /* uses of variables (CcExpr) that control never reaches */
    GHashTable *warned;    /* calls that got a warning about the type of a buffer */
    GPtrArray *calls;      /* CcMpiCall */
    GPtrArray *tracked;    /* CcMpiVariable */
    GPtrArray *list;       /* CcMpiBody, in order of definition */
    GPtrArray *others;     /* CcExpr: calls of functions that are defined in this unit */
} CcMpiUnit;

/* Returns the row for a function, or NULL. */
const CcMpiFunction *cc_mpi_function(const CcMpiUnit *mpi, const CcSymbol *symbol);
/* Returns the row with that name, which is without MPI_, or NULL. */
const CcMpiFunction *cc_mpi_function_named(const char *name);
/* Returns the row for the callee of a call, or NULL. Also NULL if the number of arguments is not that of the row. */
const CcMpiFunction *cc_mpi_called(const CcMpiUnit *mpi, const CcExpr *call);
/* Returns the position of the next argument with that role, from `from` on; CC_MPI_MAX_ROLES: there is none. */
unsigned cc_mpi_find_role(const CcMpiFunction *function, CcMpiRole role, unsigned from);
/* Returns the facts about a variable or member, or NULL if there are none. */
CcMpiVariable *cc_mpi_variable(const CcMpiUnit *mpi, const CcExpr *lvalue);
/* Returns the local variable that a request or status lvalue belongs to, or NULL if it is none. *element is its index
 * in an array; -1: not known. */
const CcSymbol *cc_mpi_tracked(const CcExpr *lvalue, int64_t *element);
/* Returns whether the call may run code that the compiler does not see: the callee is a pointer, or a function of
 * another file that no system header declares. */
bool cc_mpi_calls_unknown(const CcMpiUnit *mpi, const CcExpr *call);

/* -- values (values.c) ------------------------------------------------------------------------- */

/* Returns whether the expression always is the same integer, and sets *value to it. */
bool cc_mpi_constant(const CcMpiUnit *mpi, const CcExpr *expr, int64_t *value);
/* Follows variables to the expression that they stand for, as far as it is known. Returns `expr` itself if it stands
 * for no other. */
const CcExpr *cc_mpi_followed(const CcMpiUnit *mpi, const CcExpr *expr);
/* Computes the values of the function's variables at their uses (flow.c). */
void cc_mpi_follow(CcMpiUnit *mpi, const CcMpiBody *body);
/* Returns whether two expressions are the same constant, or the same variable that nothing changes. */
bool cc_mpi_same_value(const CcMpiUnit *mpi, const CcExpr *a, const CcExpr *b);
/* Returns whether two expressions are written alike and evaluating them has no side effects. */
bool cc_mpi_same_expression(const CcExpr *a, const CcExpr *b);

typedef enum CcMpiHandle { CC_MPI_COMM = 1, CC_MPI_GROUP, CC_MPI_TYPE_HANDLE, CC_MPI_OP, CC_MPI_REQUEST } CcMpiHandle;
/* Returns the index of the predefined handle of that kind (0: the null handle), or -1 if it is none. */
int cc_mpi_handle(const CcExpr *expr, CcMpiHandle kind);
bool cc_mpi_is_type(const CcType *type, const char *tag); /* type is the struct with that tag, or a pointer to it */

/* Identifies a communicator by the index of its handle or by the variable that it came from. 0 and NULL: not known. A
 * copy made by MPI_Comm_dup counts as the original. */
typedef struct CcMpiComm {
    int index; /* 1: world, 2: self */
    const void *key;
} CcMpiComm;
CcMpiComm cc_mpi_comm(const CcMpiUnit *mpi, const CcExpr *expr);
bool cc_mpi_same_comm(CcMpiComm a, CcMpiComm b); /* both are known, and equal */
static inline bool cc_mpi_comm_known(CcMpiComm comm)
{
    return comm.index > 0 || comm.key;
}

/* A datatype. */
typedef struct CcMpiType {
    const CcMpiItem *item; /* what it consists of; NULL: not known */
    bool predefined;
    bool sized;            /* bytes, span and extent are known */
    uint64_t bytes;        /* size of its data */
    uint64_t span, extent; /* bytes from the first to the last; distance between two items */
} CcMpiType;
CcMpiType cc_mpi_type(const CcMpiUnit *mpi, const CcExpr *expr);

/* The memory that a buffer argument points to. */
typedef struct CcMpiMemory {
    const CcExpr *expr;       /* the argument without conversions to void * */
    const CcType *item;       /* type of the items, arrays taken apart; NULL: not known */
    bool is_null, in_place;   /* it is a null pointer, or MPI_IN_PLACE */
    bool constant;            /* it is a constant of any value */
    const CcSymbol *object;   /* the variable, or the pointer to what malloc() returned; NULL: not known */
    const CcExpr *allocation; /* the call that allocated it, or NULL */
    const CcExpr *string;     /* the string literal, or NULL */
    bool exact;               /* it points to `offset`; else to somewhere at or after it */
    uint64_t offset;          /* bytes from the start of the object */
    bool sized;               /* `bytes` is known */
    uint64_t bytes;           /* size from `offset` to the end of the object */
} CcMpiMemory;
CcMpiMemory cc_mpi_memory(const CcMpiUnit *mpi, const CcExpr *argument);
/* Returns the memory of an object that an lvalue names. Here `bytes` is the size of the whole object. */
CcMpiMemory cc_mpi_place(const CcMpiUnit *mpi, const CcExpr *lvalue);
/* Returns "'a'", "the string" or "the buffer". The text is in the arena. */
const char *cc_mpi_memory_name(const CcMpiUnit *mpi, const CcMpiMemory *memory);
/* Adds a note to the last warning: where the memory was declared or allocated. */
void cc_mpi_note_memory(const CcMpiUnit *mpi, const CcMpiMemory *memory);

/* -- checks (mpi_checks.def) -------------------------------------------------------------------- */

#define CC_MPI_CALL_CHECK(function, warning) void function(CcMpiUnit *mpi, const CcMpiCall *call);
#define CC_MPI_BODY_CHECK(function, warning) void function(CcMpiUnit *mpi, const CcMpiBody *body);
#include "compiler/check_mpi/mpi_checks.def"

#endif
