/* look.h - what a debugger looks at in a stopped machine: sets of ranks, C expressions, values over ranks, stacks, and
 * what ranks have in MPI.
 *
 *   MonRankSet     "1-15,!7", "all", "comm(ring)", names that users give               (room ranks)
 *   MonExpression  a C expression, read by the compiler's own front end for one place  (room expression)
 *   MonSpread      an expression's values over ranks, equal ones folded                (room look)
 *   mon_look_...   merged stacks, queues of messages, who would have to act            (room look)
 *
 * Nothing here changes the machine but mon_expression_set(). Functions of the program that an expression calls run in a
 * copy of the simulator, so what they do is gone when they have returned. Errors of what users type have the domain
 * MON_ERROR; their texts show the place in the text by a caret.
 */
#ifndef ORRERY_MONITOR_LOOK_H
#define ORRERY_MONITOR_LOOK_H

#include "machine/machine.h"

/* -- sets of ranks (ranks/) -------------------------------------------------------------------- */

/* A set of ranks: disjoint runs in ascending order. */
typedef struct MonRankSet MonRankSet;
/* Returns an empty set; free it with mon_ranks_free(). */
MonRankSet *mon_ranks_new(void);
MonRankSet *mon_ranks_copy(const MonRankSet *set);
void mon_ranks_free(MonRankSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MonRankSet, mon_ranks_free)
/* Adds the ranks first .. last. O(1) behind the last run, else O(runs). */
void mon_ranks_add(MonRankSet *set, uint32_t first, uint32_t last);
/* O(log runs). */
bool mon_ranks_has(const MonRankSet *set, uint32_t rank);
/* Number of ranks in the set. O(1). */
uint32_t mon_ranks_count(const MonRankSet *set);
/* Returns the least rank of the set from `from` on, or UINT32_MAX. O(log runs). */
uint32_t mon_ranks_next(const MonRankSet *set, uint32_t from);
/* Return new sets: ranks in a or b; in both; in a and not in b. O(runs). */
MonRankSet *mon_ranks_union(const MonRankSet *a, const MonRankSet *b);
MonRankSet *mon_ranks_intersection(const MonRankSet *a, const MonRankSet *b);
MonRankSet *mon_ranks_minus(const MonRankSet *a, const MonRankSet *b);
/* Appends the set as mon_ranks_read() reads it: "0-3,7"; "none" if it is empty. */
void mon_ranks_append(const MonRankSet *set, GString *out);

/* Names that a user has given to sets. */
typedef struct MonRankNames MonRankNames;
MonRankNames *mon_rank_names_new(void);
void mon_rank_names_free(MonRankNames *names);
/* Gives a set a name; the set that had it is forgotten. Fails if the name is no word or is one of the language. `set`
 * is copied. */
bool mon_rank_names_set(MonRankNames *names, const char *name, const MonRankSet *set, GError **error);
/* Takes a name back; returns false if there is none such. */
bool mon_rank_names_remove(MonRankNames *names, const char *name);
/* Returns the set of a name, or NULL. */
const MonRankSet *mon_rank_names_find(const MonRankNames *names, const char *name);
/* Calls `each` for all names in ascending order. */
void mon_rank_names_each(const MonRankNames *names, void (*each)(const char *name, const MonRankSet *set, void *user),
                         void *user);

/* What the names of communicators and states mean: what the parser of sets needs from the outside. Any may be NULL. */
typedef struct MonRankWorld {
    uint32_t ranks;   /* number of ranks: 0 .. ranks - 1 */
    uint32_t current; /* the rank that is looked at, for `this` */
    const MonRankNames *names;
    /* Adds the ranks of comm(text). Returns false with an error if there is no such communicator. */
    bool (*communicator)(void *user, const char *text, MonRankSet *set, GError **error);
    /* Adds the ranks that are in a state ("blocked", "ready", "finished"). Returns false if there is no such state. */
    bool (*state)(void *user, const char *name, MonRankSet *set);
    void *user;
} MonRankWorld;
/* Reads a set of ranks. Returns NULL with an error, whose text shows the place, if it cannot be read.
 *
 *   7   1-15   1-15:2 (every second)   all   none   this   workers (a name)   comm(NAME)   blocked, ready, finished
 *   a,b  a+b  a|b   union (a list)     a - b   minus, with blanks around it, or a\b     a & b   intersection
 *   !a   all but a; within a list (1-15,!7) it takes away from what stands before it    (a)
 *
 * & binds tighter than union and minus, which go from left to right. A leading @ is allowed: @all. */
MonRankSet *mon_ranks_read(const MonRankWorld *world, const char *text, GError **error);
/* Reads the set that `text` begins with, up to a blank outside of parentheses that no operator follows. *rest: what
 * follows it. Else as above. */
MonRankSet *mon_ranks_take(const MonRankWorld *world, const char *text, const char **rest, GError **error);
/* Fills in the world of a stopped machine: communicators are those that its ranks have (COMM_WORLD, COMM_SELF, the name
 * of MPI_Comm_set_name, or a variable of the rank that is looked at in `frame`). `names` may be NULL. Free
 * it with mon_rank_world_clear(). */
void mon_rank_world_of(Machine *machine, uint32_t current, uint32_t frame, const MonRankNames *names,
                       MonRankWorld *world);
void mon_rank_world_clear(MonRankWorld *world);

/* -- C expressions (expression/) --------------------------------------------------------------- */

/* Where an expression is evaluated: the thread of a rank that is looked at, and the number of a frame as users count
 * (0: innermost). */
typedef struct MonSpot {
    Machine *machine;
    uint32_t rank, frame;
} MonSpot;

/* How values are written. Letters are gdb's: x d u o t (bits) z (hexadecimal with zeros) c f a s, 0: by type. */
typedef struct MonFormat {
    char letter;
    char size;      /* of x/: b h w g; 0: by type */
    uint32_t count; /* of x/: how many; 0: one */
} MonFormat;
/* Takes "/4xb" off *text, if it begins with a slash. Returns false with an error if no such format exists. */
bool mon_expression_format(const char **text, MonFormat *format, GError **error);

typedef struct MonExpression MonExpression;
/* Reads an expression for a spot: names mean what they mean there. Beyond C: `object@n` are n objects side by side,
 * `array[from:to:step]` the elements from .. to - 1, each as a Python slice. Names of macros that the sources define
 * with #define are known as far as these can be read. Returns NULL with an error. Free it with mon_expression_free().
 * O(variables of the program). */
MonExpression *mon_expression_new(const MonSpot *spot, const char *text, GError **error);
void mon_expression_free(MonExpression *expression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MonExpression, mon_expression_free)
/* Whether the expression was read for the code of this spot, so that it may be evaluated there, too. O(depth). */
bool mon_expression_fits(const MonExpression *expression, const MonSpot *spot);
/* Whether evaluating it would change the program: assignments, ++, -- . */
bool mon_expression_changes(const MonExpression *expression);
/* Whether it calls functions of the program. */
bool mon_expression_calls(const MonExpression *expression);

/* Appends the value as people write it. Fails where memory cannot be read, a variable is optimised out, a function
 * cannot be called; and for expressions that change the program. Calls run in a copy. */
bool mon_expression_print(const MonExpression *expression, const MonSpot *spot, const MonFormat *format, GString *out,
                          GError **error);
/* For conditions: whether the value is not zero. */
bool mon_expression_truth(const MonExpression *expression, const MonSpot *spot, bool *truth, GError **error);
/* For watchpoints: the memory that the expression names, if it names some (a variable in memory, a section of an
 * array). Fails for values and for variables in registers. */
bool mon_expression_memory(const MonExpression *expression, const MonSpot *spot, uint64_t *address, uint64_t *bytes,
                           GError **error);
/* The value as a number, if it is one: *real, and *whole if it is an integer of at most 64 bits. */
typedef struct MonNumber {
    double real;
    int64_t whole;
    bool is_whole, is_unsigned;
} MonNumber;
bool mon_expression_number(const MonExpression *expression, const MonSpot *spot, MonNumber *number, GError **error);
/* For conditions of breakpoints: whether the text can be read at an instruction of a program that no rank may have come
 * to yet, and changes nothing. Returns false with an error. */
bool mon_expression_check(const VcodeModule *module, uint32_t pc, const char *text, GError **error);
/* For watchpoints on values: appends the memory (MonArea) of all objects that the value depends on here. Fails for what
 * is in registers. */
typedef struct MonArea {
    uint64_t address, bytes;
} MonArea;
bool mon_expression_areas(const MonExpression *expression, const MonSpot *spot, GArray *areas, GError **error);
/* Whether it names variables that live in a frame. */
bool mon_expression_is_framed(const MonExpression *expression);
/* Appends the scalar of the expression's type that these bytes are. Returns false if its type is no scalar. */
bool mon_expression_print_bytes(const MonExpression *expression, const MonSpot *spot, const void *bytes, GString *out);
/* Evaluates an expression that may change variables of the rank (assignments, ++, --): the only function here that
 * changes the program. What it would call is refused. Appends the value if `out` is not NULL. */
bool mon_expression_set(const MonExpression *expression, const MonSpot *spot, GString *out, GError **error);
/* Appends its type; `whole`: with the members of structs, unions and enums. */
void mon_expression_type(const MonExpression *expression, const MonSpot *spot, bool whole, GString *out);

/* How many parts a tree shows below the value: members, elements (*indexed), what a pointer points to; 0: none. */
uint64_t mon_expression_parts(const MonExpression *expression, const MonSpot *spot, bool *indexed);
/* Returns names and expressions of the parts, by turns (char *): of elements `count` from `first` on, of members all.
 */
GPtrArray *mon_expression_part_names(const MonExpression *expression, const MonSpot *spot, uint64_t first,
                                     uint64_t count);

/* Appends memory from `address` on as x/ shows it: lines of address, the object that it is in, and values. */
bool mon_memory_print(const MonSpot *spot, uint64_t address, const MonFormat *format, GString *out, GError **error);

/* Append the arguments of the call in the frame; its variables with types, lines and homes; its line and code
 * (lists.c). */
void mon_expression_arguments(const MonSpot *spot, GString *out);
void mon_expression_visible(const MonSpot *spot, GString *out);
void mon_expression_line(const MonSpot *spot, GString *out);

/* -- values over ranks (look/) ----------------------------------------------------------------- */

typedef struct MonSpreadGroup { /* ranks with the same value */
    MonRankSet *ranks;
    char *text;
    bool failed; /* `text` says why there is no value */
} MonSpreadGroup;
typedef struct MonSpread {
    GPtrArray *groups; /* MonSpreadGroup, by their least rank */
    uint32_t values;   /* ranks that have one */
    bool numeric;      /* all of these are numbers; then: */
    uint32_t numbers;  /* ... those that are no NaN */
    MonNumber least, most, sum;
    uint32_t least_rank, most_rank; /* the least rank that has it */
    bool sum_overflows;             /* whole numbers: the sum does not fit; `sum.real` is near it */
    uint32_t bins[10];              /* histogram from least to most, of equal widths, NaN left out */
    uint32_t n_bins;
    double bin_width;
} MonSpread;
/* Evaluates text on each rank of a set: on the rank `spot` of it in that frame, on others in their innermost frame of
 * the program. Ranks that have ended have no value. O(ranks) and one reading for each place in the code. */
MonSpread *mon_spread_new(const MonSpot *spot, const MonRankSet *ranks, const char *text, const MonFormat *format,
                          GError **error);
void mon_spread_free(MonSpread *spread);
/* Appends "0-62: 3.5, 63: nan" in lines, and for numbers least, most and sum. `difference`: by how much ranks
 * differ from the least rank of the set; `histogram`: with that. */
void mon_spread_append(const MonSpread *spread, bool difference, bool histogram, GString *out);

/* Appends the stacks of the ranks merged into a tree, outermost function first, with the ranks (and the number of
 * threads, where there are several) of each place. O(ranks * depth). */
void mon_look_stacks(Machine *machine, const MonRankSet *ranks, GString *out);
/* Appends where ranks are, a line for each place: "0-1023: main at 9". */
void mon_look_places(Machine *machine, const MonRankSet *ranks, GString *out);

/* -- what ranks have in MPI and in the network now (look/messages.c) ----------------------------- */

/* Follows messages through the network from the first run on, so that mon_look_queues() can say where one is. Returns
 * NULL if the switching model does not tell. Free it with mon_look_track_free(), before the machine. */
typedef struct MonTracker MonTracker;
MonTracker *mon_look_track(Machine *machine);
void mon_look_track_free(MonTracker *tracker);
/* Appends the posted receives, unexpected messages and messages on their way to the ranks of a set, with the calls that
 * made them; of those on their way the route, the hop where they are, and who blocks them. `tracker` may be NULL. */
void mon_look_queues(Machine *machine, const MonTracker *tracker, const MonRankSet *ranks, GString *out);
/* Appends why a rank waits: who would have to act, where that rank is, and so on to the end of the chain. */
void mon_look_why(Machine *machine, uint32_t rank, GString *out);
/* Appends what each blocked rank waits for, equal waits together, and the cycles among them. */
void mon_look_waits(Machine *machine, GString *out);
/* Appends what checks have found so far. */
void mon_look_findings(Machine *machine, GString *out);
/* Appends what the links of the network have carried so far, the busiest first. */
void mon_look_load(Machine *machine, GString *out);

#endif
