/* prelude.h - what every printed unit begins with, and in it the state by which printed code sees the simulator: one
 * struct, as C for us and as text for it.
 *
 * The text of VM_NATIVE_STATE is compiled here and printed into every unit, so the two cannot differ.
 */
#ifndef ORRERY_VM_PRELUDE_H
#define ORRERY_VM_PRELUDE_H

#include <stdint.h>

#define VM_NATIVE_STATE(...)                                                                                           \
    /* what a printed function returns; fuel GONE: it has left */                                                      \
    typedef struct Outcome {                                                                                           \
        uint64_t value;                                                                                                \
        int64_t fuel;                                                                                                  \
    } Outcome;                                                                                                         \
    typedef void (*VmHostFunction)(void);                                                                              \
    typedef struct State State;                                                                                        \
    typedef Outcome (*Entry)(State * k, uint64_t * R, int64_t fuel, uint32_t entry);                                   \
    /* what calls from other units and through pointers come to: a function of the form Outcome(State *k, uint64_t *R, \
     * int64_t fuel, uint64_t p0, ...); NULL, and shape 0, as long as it is not there. Else shape is its own plus 1 */ \
    typedef struct Callee {                                                                                            \
        uint64_t shape;                                                                                                \
        void (*call)(void);                                                                                            \
    } Callee;                                                                                                          \
    struct State {                                                                                                     \
        uint8_t *memory;          /* host address of guest address 0 */                                                \
        uint8_t *private;         /* ... of the lowest private one */                                                  \
        uint64_t limit;           /* accessible bytes from the data on, less 7 */                                      \
        uint64_t sp;              /* guest stack pointer */                                                            \
        uint64_t stack_low;       /* its least value */                                                                \
        uint64_t entry_sp;        /* what it was when the function that is entered at a loop began */                  \
        uint32_t next;            /* block where another part of the function goes on, plus 1; 0: it has returned */   \
        uint32_t inward;          /* block that is entered in a loop, plus 1, on the way to it; 0: none */             \
        uint64_t again;           /* not 0: it has left only to be entered again where it stands */                    \
        uint32_t *tail;           /* log of instructions that were calls, but jumped; end of what is in use */         \
        uint32_t *tail_end;       /* and of all */                                                                     \
        uint64_t *register_limit; /* windows may begin up to here */                                                   \
        const Callee *functions;  /* by number */                                                                      \
        char *stack_limit;        /* the host's stack may reach down to here */                                        \
        uint64_t drill;           /* tests up to one that fails for no reason (drill.h); 0: none does */               \
        const uint8_t *constants; /* host address of the constants, less their guest address */                        \
        uint64_t start;           /* clock, cycles (q8), when the fuel is 0 */                                         \
        const void *input;        /* VmStreamWindow of the stream that single bytes are read from */                   \
        const void *output;       /* ... and written to */                                                             \
        const VmHostFunction *maths; /* functions of <math.h>, in the order of vm/library/maths.def */                 \
        void (*leave)(State * k, uint64_t *R, uint32_t pc, uint64_t entry_sp, int64_t fuel);                           \
        void (*unwind)(State * k, uint64_t *R, uint32_t pc, uint64_t entry_sp, int64_t held);                          \
        void (*note_tails)(State * k, uint64_t *R, const uint32_t *first, const uint32_t *end);                        \
        int64_t (*external)(State * k, uint64_t *R, uint32_t pc, int64_t fuel);                                        \
    };                                                                                                                 \
    /* a place where the interpreter may enter: instruction, function, which of its blocks */                          \
    typedef struct Way {                                                                                               \
        uint32_t pc;                                                                                                   \
        uint32_t entry;                                                                                                \
        uint32_t room; /* registers above the beginning of its window that there must be */                            \
        Entry function;                                                                                                \
    } Way;                                                                                                             \
    /* a function of the unit, by number, for the table of those that other units call */                              \
    typedef struct Offer {                                                                                             \
        uint32_t function;                                                                                             \
        void (*call)(void);                                                                                            \
    } Offer;                                                                                                           \
    typedef struct Unit {                                                                                              \
        uint32_t version;                                                                                              \
        uint32_t way_count;                                                                                            \
        const Way *ways;                                                                                               \
        uint32_t offer_count;                                                                                          \
        const Offer *offers;                                                                                           \
    } Unit;

VM_NATIVE_STATE()

enum {
    VM_NATIVE_VERSION = 11,
    VM_NATIVE_LEVELS = 64, /* direct calls that follow each other without a test of their depth */
    VM_NATIVE_TAILS = 4096 /* calls at the end of their function that one stay in printed code may have open */
};
#define VM_NATIVE_GONE   INT64_MIN
#define VM_NATIVE_SYMBOL "orrery_unit"

/* What every unit's text begins with. */
const char *vm_prelude(void);
/* ... and what follows that: vectors, for loops over elements. */
const char *vm_prelude_lanes(void);

#endif
