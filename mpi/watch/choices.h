/* choices.h - what MPI leaves open: noted, forced, and what else it could have been.
 *
 * Where MPI leaves open what happens, a rank makes a *choice*: whose message a receive or probe from any source takes,
 * which requests MPI_Waitany and its like report, whether a poll finds something yet. Choices of a rank are numbered
 * from 1 in the order of its calls. They are noted when a run asks for it (--check, exploring), and can be forced
 * (--choices, exploring).
 *
 * What else a choice could have been is found from one run, as in the literature on dynamic verification of MPI
 * programs (ISP: Vakkalanka, Gopalakrishnan, Kirby, CAV 2008; DAMPI: Vo et al., SC 2010): every message, sooner or
 * later in virtual time, that the receive accepts and that was not sent *because of* the choice. Because-of is told
 * by vector clocks (Mattern 1989), with a component for each rank that has choices.
 *
 * All of this is a part (mpi/parts.c), and not there in other runs. Messages and requests are followed in tables beside
 * them, so that they are no larger for it. Single thread: only GLOBAL calls and deliveries come here. */
#ifndef ORRERY_MPI_CHOICES_H
#define ORRERY_MPI_CHOICES_H

#include "mpi/collective/collective.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/slots.h"

typedef struct MpiChoices MpiChoices;
typedef struct MpiChooser MpiChooser;

/* -- clocks (vector_clocks.c) ------------------------------------------------------------------------- */

/* How much of a rank's past is known: `seen` counts what it has seen complete, `matched` its receives that have met
 * their message (which a synchronous sender hears of before the receiver does). */
typedef struct MpiTick {
    uint32_t seen, matched;
} MpiTick;
/* Shared by reference, changed only while there is one reference. NULL knows nothing. */
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

/* Another value that a choice could have had. */
typedef struct MpiOther {
    int64_t taken;
    uint32_t sender, sender_pc; /* of the message behind it, where there is one */
    bool message;
} MpiOther;

/* A choice that has been made. */
typedef struct MpiDecision {
    MpiChooser *chooser;
    uint32_t number;
    MpiChoiceSort sort;
    const char *call;
    uint32_t pc;
    int64_t taken;
    bool made;
    uint64_t order; /* of the receive's posting */
    MpiKey key;     /* of the receive or probe, as the program gave it */
    MpiKey message; /* of what it took */
    uint32_t sender, sender_pc;
    uint32_t open;   /* MPI_Testall: requests that were open and have not become complete meanwhile */
    MpiTick tick;    /* `seen` 0: nothing of the rank's program depends on it yet */
    MpiClock *clock; /* what it depends on */
    GArray *others;  /* MpiOther; NULL: none */
    bool poll;       /* it may also find nothing */
} MpiDecision;

/* What is noted of a request while it is active. */
typedef struct MpiTrail {
    MpiKey key, message;
    uint64_t order;
    uint32_t matched;      /* number of its match on its rank */
    int64_t forced;        /* source, or MPI_CHOICE_FREE ... */
    uint32_t number;       /* ... of this choice */
    MpiClock *posted;      /* what its rank knew when it was started */
    MpiClock *arrived;     /* what its completion tells */
    MpiDecision *decision; /* of which it is the receive, or NULL */
    GArray *watchers;      /* MpiWatcher: choices among requests that it stood in; NULL: none */
} MpiTrail;

struct MpiChooser {    /* of one rank */
    MpiMatchRule rule; /* first: what the matcher sees, if `forces` */
    MpiChoices *choices;
    MpiRank *rank;
    uint64_t seed;    /* 0: canonical choices */
    bool forces;      /* receives are matched by the rule in match_forced.c */
    int32_t slot;     /* in clocks, -1: none yet */
    uint32_t number;  /* of the last choice */
    uint32_t matched; /* receives that have met their message */
    uint32_t seen;
    MpiClock *clock;                  /* what the rank knows */
    MpiItem *oldest, *newest;         /* posted receives, if `forces` */
    const MpiChoice *forced;          /* of this rank, by number ... */
    uint32_t n_forced;                /* ... that are still to come */
    GPtrArray *decisions;             /* of receives and probes, in the order in which they were made */
    GPtrArray *unseen;                /* those of them that nothing depends on yet */
    int64_t now;                      /* value that the rank's present probe or call among requests is forced to */
    uint32_t now_number;              /* of that call's choice, 0: it is none */
    MpiKey probed;                    /* what the present probe asked for */
    uint32_t waits_for;               /* the last receive that looks for other messages */
    bool lingered;                    /* the present call among requests has waited already */
    uint32_t last_poll_pc, last_poll; /* where it polled last, by which function */
    GArray *dry; /* MpiDrySite: polls that have found nothing since the rank last did something else */
};

struct MpiChoices { /* of a world */
    MpiWorld *world;
    bool track; /* clocks and alternatives */
    bool keep;  /* for who explores: all decisions */
    bool forces;
    uint32_t slots;
    uint32_t missed_rank, missed_number; /* the first forced choice that could not be what it was forced to */
    MpiChooser *choosers;
    GArray *waiting;       /* uint64_t: places of loops that wait by polling */
    GPtrArray *made;       /* all decisions, in the order in which they were made, if `keep` */
    GHashTable *trails;    /* MpiRequest -> MpiTrail; looked up, never iterated */
    GHashTable *messages;  /* MpiMessage -> MpiClock; looked up, never iterated */
    GHashTable *schedules; /* MpiSchedule -> MpiClock; looked up, never iterated */
};

/* Where a rank polls, and has found nothing since it last did something else. */
typedef struct MpiDrySite {
    uint32_t pc, function;
    uint32_t polls;        /* made so far */
    bool forced;           /* the first ones find nothing */
    bool waits;            /* the loop does nothing else */
    MpiDecision *decision; /* that of the first one, which found nothing; NULL: decisions are not kept */
} MpiDrySite;
enum { MPI_DRY_POLLS = 3 }; /* polls of a loop that find nothing where the first is forced to */

/* Those of a world; NULL: nobody asks. */
static inline MpiChoices *mpi_choices_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_CHOICES);
}
static inline MpiChooser *mpi_chooser_of(const MpiRank *rank)
{
    return &mpi_choices_of(rank->world)->choosers[rank->index];
}
/* The one whose rule the matcher has. */
static inline MpiChooser *mpi_chooser_of_matcher(const MpiMatcher *matcher)
{
    return (MpiChooser *)(uintptr_t)matcher->rule;
}

/* Adds what choices_collectives.c and choice_seed.c listen to. */
void mpi_choices_collectives_hooks(MpiHooks *hooks);
void mpi_choice_seed_hooks(MpiHooks *hooks);
/* The program has seen that the request is complete. */
void mpi_choices_seen(MpiRequest *request);
/* The collective learns what the clock knows. */
void mpi_choices_schedule_merge(MpiChoices *choices, MpiSchedule *schedule, MpiClock *clock);

/* What is noted of a request, new if there was nothing; what its rank has seen goes one further: that number. */
MpiTrail *mpi_choices_trail(MpiRequest *request);
uint32_t mpi_choices_see(MpiChooser *chooser);
/* Whether the function asks for something that may not have come yet; where the rank polls so, NULL: nowhere. */
bool mpi_choices_is_poll(uint32_t function);
MpiDrySite *mpi_choices_dry_site(const MpiChooser *chooser, uint32_t pc, uint32_t function);
/* What a poll that begins is forced to; the poll is a choice if it is the first of its place since the rank last did
 * something else. */
int64_t mpi_choice_poll_begin(MpiCall *call, MpiChooser *chooser, MpiChoiceSort sort);
/* It has been answered. `decision`: the choice that it was, if it was one and if they are kept. */
void mpi_choice_poll_over(const MpiCall *call, MpiChooser *chooser, MpiDecision *decision, const MpiMessage *message,
                          int64_t taken);
/* The next choice of the rank: what it is forced to. */
int64_t mpi_choice_next_forced(MpiChooser *chooser, MpiChoiceSort sort);
/* The message that a decision takes. */
void mpi_choice_note_message(MpiDecision *decision, const MpiMessage *message);

/* With a seed: the source of a message that is there for this key, any of them; MPI_CHOICE_FREE: there is none, or no
 * seed. */
int64_t mpi_choices_seeded(const MpiMatcher *matcher, MpiKey key);
/* With a seed: a number below n. */
unsigned mpi_choices_random(MpiChooser *chooser, unsigned n);
/* Whether a choice depends on another one, which was made before. */
bool mpi_choice_after(const MpiDecision *first, const MpiDecision *second);

/* "rank 0's MPI_Recv at sum.c:14 takes the message of rank 2 sent at sum.c:20" (choice_text.c). */
void mpi_choice_describe(const MpiDecision *decision, GString *out);

/* -- races.c ----------------------------------------------------------------------------------- */

/* Notes a finding, if other messages could have matched. */
void mpi_race_tell(const MpiDecision *decision);

/* Receives that do not take the first message that comes, but look a while for others. */
#define MPI_CHOICE_PATIENT (INT64_MIN + 1)

/* -- match_forced.c ---------------------------------------------------------------------------- */

extern const MpiMatchRule mpi_forced_rule;
/* How many sources have a message that a receive of the key may find; the source of number `which` of them. */
unsigned mpi_forced_sources(const MpiMatcher *matcher, MpiKey key, unsigned which, int64_t *source);
/* The same for a receive that is posted: what it holds. */
unsigned mpi_forced_held(const MpiMatcher *matcher, const MpiItem *receive, unsigned which, int64_t *source);
MpiItem *mpi_forced_holder(const MpiMatcher *matcher, const MpiItem *message);

#endif
