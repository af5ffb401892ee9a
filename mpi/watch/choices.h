/* choices.h - choices that MPI leaves open: recording them, forcing them, and finding their alternatives.
 *
 * Where MPI leaves open what happens, a rank makes a *choice*: whose message a receive or probe from any source takes,
 * which requests MPI_Waitany and the like report, whether a poll finds something yet. The choices of a rank are
 * numbered from 1 in the order of its calls. A run records them if asked to (--check, exploring). They can be forced
 * (--choices, exploring).
 *
 * The alternatives of a choice are found from one run, as in the literature on dynamic verification of MPI programs
 * (ISP: Vakkalanka, Gopalakrishnan, Kirby, CAV 2008; DAMPI: Vo et al., SC 2010). They are all messages, sooner or later
 * in virtual time, that the receive accepts and that were not sent *because of* the choice. Vector clocks (Mattern
 * 1989) tell whether a message was sent because of a choice. They have a component for each rank that has choices.
 *
 * All of this is a part (mpi/parts.c), and is absent in other runs. Data about messages and requests are in separate
 * tables, so that messages and requests are no larger for it. Only the main thread comes here, in GLOBAL calls and
 * deliveries. */
#ifndef ORRERY_MPI_CHOICES_H
#define ORRERY_MPI_CHOICES_H

#include "mpi/collective/collective.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/slots.h"

typedef struct MpiChoices MpiChoices;
typedef struct MpiChooser MpiChooser;
typedef struct MpiOrders MpiOrders;

/* -- clocks (vector_clocks.c) ------------------------------------------------------------------------- */

/* How much of a rank's past is known. `seen` counts the completions that the rank has seen. `matched` counts its
 * receives that have met their message; a synchronous sender learns of this before the receiver does. */
typedef struct MpiTick {
    uint32_t seen, matched;
} MpiTick;
/* A vector clock, shared by reference and changed only while there is one reference. NULL knows nothing. */
typedef struct MpiClock {
    uint32_t refs, n;
    MpiTick ticks[];
} MpiClock;
MpiClock *mpi_clock_ref(MpiClock *clock);
void mpi_clock_unref(MpiClock *clock);
void mpi_clock_merge(MpiClock **clock, MpiClock *other);
void mpi_clock_raise(MpiClock **clock, uint32_t slot, MpiTick least);
MpiTick mpi_clock_at(const MpiClock *clock, uint32_t slot);

/* -- choices (choices.c) ----------------------------------------------------------------------- */

/* An alternative of a choice. */
typedef struct MpiOther {
    int64_t taken;
    uint32_t sender, sender_pc; /* sender of the message behind it and location of the send; valid if `message` */
    bool message;
} MpiOther;

/* A choice that the rank has made. */
typedef struct MpiDecision {
    MpiChooser *chooser;
    uint32_t number;
    MpiChoiceSort sort;
    const char *call;
    uint32_t pc;
    uint64_t entered_ps; /* when the call was made */
    int64_t taken;
    bool made;
    uint64_t order; /* order number of the receive's posting */
    MpiKey key;     /* key of the receive or probe, as the program gave it */
    MpiKey message; /* key of the message that it took */
    uint32_t sender, sender_pc;
    uint32_t open;   /* MPI_Testall: requests that were open and have not become complete since */
    MpiTick tick;    /* `seen` is 0 while nothing in the rank's program depends on the choice */
    MpiClock *clock; /* what the choice depends on */
    GArray *others;  /* MpiOther, the alternatives; NULL: none */
    bool poll;       /* the choice may also be that nothing is found */
} MpiDecision;

/* What is recorded about a request while it is active. */
typedef struct MpiTrail {
    MpiKey key, message;
    uint64_t order;
    uint32_t matched;      /* number of its match, counted on its rank */
    int64_t forced;        /* forced source, or MPI_CHOICE_FREE */
    uint32_t number;       /* number of the forced choice */
    MpiClock *posted;      /* what its rank knew when it was started */
    MpiClock *arrived;     /* what a rank learns from its completion */
    MpiDecision *decision; /* the choice that the request makes as a receive, or NULL */
    GArray *watchers;      /* MpiWatcher: choices among requests that include it; NULL: none */
} MpiTrail;

struct MpiChooser {    /* the choices of one rank */
    MpiMatchRule rule; /* first member, since the matcher sees only this; used if `forces` */
    MpiChoices *choices;
    MpiRank *rank;
    uint64_t seed;                    /* 0: canonical choices */
    bool forces;                      /* receives are matched by the rule of match_forced.c */
    int32_t slot;                     /* index of the rank in clocks; -1: none yet */
    uint32_t number;                  /* number of the last choice */
    uint32_t matched;                 /* number of receives that have met their message */
    uint32_t seen;                    /* number of completions that the rank has seen */
    MpiClock *clock;                  /* what the rank knows */
    MpiItem *oldest, *newest;         /* posted receives, if `forces` */
    const MpiChoice *forced;          /* the next forced choice of the rank; they are sorted by number */
    uint32_t n_forced;                /* number of forced choices left */
    GPtrArray *decisions;             /* choices of receives and probes, in the order in which they were made */
    GPtrArray *unseen;                /* those of `decisions` that nothing depends on yet */
    int64_t now;                      /* value that the present probe or call among requests is forced to */
    uint32_t now_number;              /* number of that call's choice; 0: the call makes no choice */
    MpiKey probed;                    /* key that the present probe asked for */
    uint32_t waits_for;               /* number of the last patient receive with an alarm (choice_seed.c) */
    bool lingered;                    /* the present call among requests has waited already */
    uint32_t last_poll_pc, last_poll; /* location and function of the rank's last poll */
    GArray *dry; /* MpiDrySite: polls that have found nothing since the rank last did something else */
};

struct MpiChoices { /* the choices of a world */
    MpiWorld *world;
    bool track; /* maintain clocks */
    bool seeks; /* find alternatives */
    bool keep;  /* keep all decisions, for exploring */
    bool forces;
    uint32_t slots;                      /* number of components of clocks in use */
    uint32_t missed_rank, missed_number; /* the first forced choice that could not be made as forced */
    MpiChooser *choosers;
    GArray *waiting;       /* uint64_t: source locations of loops that wait by polling */
    GPtrArray *made;       /* all decisions in the order in which they were made, if `keep` */
    GHashTable *trails;    /* MpiRequest -> MpiTrail; looked up, never iterated */
    GHashTable *messages;  /* MpiMessage -> MpiClock; looked up, never iterated */
    MpiOrders *orders;     /* locks and accumulates (choice_orders.c); NULL: none yet */
    GHashTable *schedules; /* MpiSchedule -> MpiClock; looked up, never iterated */
};

/* A call at which a rank polls and has found nothing since it last did something else. */
typedef struct MpiDrySite {
    uint32_t pc, function;
    uint32_t polls;        /* number of polls so far */
    bool forced;           /* the first polls are forced to find nothing */
    bool waits;            /* the loop does nothing but wait */
    MpiDecision *decision; /* choice of the first poll, which found nothing; NULL: decisions are not kept */
} MpiDrySite;
enum { MPI_DRY_POLLS = 3 }; /* number of polls of a loop that find nothing if the first is forced to */

/* Returns the choices of a world; NULL: no feature needs them. */
static inline MpiChoices *mpi_choices_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_CHOICES);
}
static inline MpiChooser *mpi_chooser_of(const MpiRank *rank)
{
    return &mpi_choices_of(rank->world)->choosers[rank->index];
}
/* Returns the chooser whose rule the matcher uses. */
static inline MpiChooser *mpi_chooser_of_matcher(const MpiMatcher *matcher)
{
    return (MpiChooser *)(uintptr_t)matcher->rule;
}

/* Add the callbacks of choices_collectives.c, choice_seed.c and choice_polls.c. */
void mpi_choices_collectives_hooks(MpiHooks *hooks);
void mpi_choice_seed_hooks(MpiHooks *hooks);
void mpi_choice_poll_hooks(MpiHooks *hooks);
/* Called when the program has seen that the request is complete. */
void mpi_choices_seen(MpiRequest *request);
/* Adds what the clock knows to the knowledge of the collective. */
void mpi_choices_schedule_merge(MpiChoices *choices, MpiSchedule *schedule, MpiClock *clock);

/* Gives the rank a component in clocks. Returns false if there are no clocks, or too many ranks have one. */
bool mpi_choices_follow(MpiChooser *chooser);
/* Returns the record of a request; makes it if there is none. */
MpiTrail *mpi_choices_trail(MpiRequest *request);
/* Counts a completion that the rank has seen, and returns the new count. Returns 0 if the rank has no component. */
uint32_t mpi_choices_see(MpiChooser *chooser);
/* Whether the function asks for something that may not have come yet. */
bool mpi_choices_is_poll(uint32_t function);
/* Returns the entry of a poll that has found nothing, by location and function; NULL: there is none. */
MpiDrySite *mpi_choices_dry_site(const MpiChooser *chooser, uint32_t pc, uint32_t function);
/* Returns what a beginning poll is forced to. The poll is a choice if it is the first of its call since the rank last
 * did something else. */
int64_t mpi_choice_poll_begin(MpiCall *call, MpiChooser *chooser, MpiChoiceSort sort);
/* Called when a poll has been answered. `decision` is the choice that it was; NULL if it was none or choices are not
 * kept. */
void mpi_choice_poll_over(const MpiCall *call, MpiChooser *chooser, MpiDecision *decision, const MpiMessage *message,
                          int64_t taken);
/* Counts the next choice of the rank and returns what it is forced to. */
int64_t mpi_choice_next_forced(MpiChooser *chooser, MpiChoiceSort sort);
/* Makes a decision; NULL if choices are not tracked. */
MpiDecision *mpi_choice_new(MpiCall *call, MpiChooser *chooser, MpiChoiceSort sort);
/* The decision is made: it takes this value. */
void mpi_choice_made(MpiDecision *decision, int64_t taken);
/* Adds an alternative, unless it is there. */
void mpi_choice_add_other(MpiDecision *decision, MpiOther other);
/* Whether who has the clock knows of the decision. */
bool mpi_choice_is_known(const MpiClock *clock, const MpiDecision *decision);
/* Records the message that a decision takes. */
void mpi_choice_note_message(MpiDecision *decision, const MpiMessage *message);

/* With a seed: returns the source of a random message that is present for this key. Returns MPI_CHOICE_FREE if there
 * is none, or no seed. */
int64_t mpi_choices_seeded(const MpiMatcher *matcher, MpiKey key);
/* With a seed: returns a random number below n. */
unsigned mpi_choices_random(MpiChooser *chooser, unsigned n);
/* Whether `second` depends on `first`, which was made before. */
bool mpi_choice_after(const MpiDecision *first, const MpiDecision *second);

/* Appends for example "rank 0's MPI_Recv at sum.c:14 takes the message of rank 2 sent at sum.c:20" (choice_text.c). */
void mpi_choice_describe(const MpiDecision *decision, GString *out);

/* -- knowledge.c ------------------------------------------------------------------------------- */

/* What ranks know of each other, for checks. From now on, clocks know of this rank. Returns false if they cannot. */
bool mpi_knowledge_follow(MpiRank *rank);
/* The rank begins a new step; returns its number. Who hears of the rank from now on knows of all steps up to it. */
uint32_t mpi_knowledge_step(const MpiRank *rank);
/* Returns the number of the step that mpi_knowledge_step() will begin next. */
uint32_t mpi_knowledge_next(const MpiRank *rank);
/* Whether the rank knows that the other one has begun the step. True if clocks do not know. */
bool mpi_knowledge_has(const MpiRank *rank, uint32_t other, uint32_t step);
/* The rank learns all that the other one has done so far, and what that knows. */
void mpi_knowledge_hear(const MpiRank *rank, uint32_t other);
/* What the rank knows is added to a clock; it learns what a clock knows. */
void mpi_knowledge_give(const MpiRank *rank, MpiClock **clock);
void mpi_knowledge_take(const MpiRank *rank, MpiClock *clock);

/* -- races.c ----------------------------------------------------------------------------------- */

/* Adds a finding if other messages could have matched. */
void mpi_race_tell(const MpiDecision *decision);

/* A forced value for receives that wait a while for other messages before they take one. */
#define MPI_CHOICE_PATIENT (INT64_MIN + 1)

/* -- choosers.c -------------------------------------------------------------------------------- */

/* Makes the chooser of a rank. Values that were shared out to it stay. */
void mpi_chooser_init(MpiChoices *choices, uint32_t index);
/* A rank has come during the run. */
void mpi_chooser_came(MpiRank *rank);
/* Gives the choosers, also those of ranks that may come, the values that are forced. */
void mpi_choosers_share_out(MpiChoices *choices, const GArray *forced);
void mpi_chooser_clear(MpiChooser *chooser);

/* -- choice_orders.c --------------------------------------------------------------------------- */

/* Adds the callbacks for the orders of locks, accumulates and connections. */
void mpi_choice_order_hooks(MpiWorld *world, MpiHooks *hooks);
void mpi_choice_orders_free(MpiOrders *orders);
/* See mpi_world_companions(): `later` comes before the decision instead. */
void mpi_choice_companions(const MpiDecision *decision, int64_t later, GArray *forced);

/* -- match_forced.c ---------------------------------------------------------------------------- */

extern const MpiMatchRule mpi_forced_rule;
/* Returns how many sources have a message that a receive with the key may find. Stores in *source the one with index
 * `which`. */
unsigned mpi_forced_sources(const MpiMatcher *matcher, MpiKey key, unsigned which, int64_t *source);
/* As mpi_forced_sources(), for a posted receive and the messages that it holds. */
unsigned mpi_forced_held(const MpiMatcher *matcher, const MpiItem *receive, unsigned which, int64_t *source);
/* Returns the oldest posted receive that accepts the message, and so holds it; NULL: none. */
MpiItem *mpi_forced_holder(const MpiMatcher *matcher, const MpiItem *message);

#endif
