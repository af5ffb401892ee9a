/* check_backlog.c - reports messages that pile up because they come faster than they are received (--check=unbounded).
 *
 * A standard send of a short message is over when its data have been copied, so a slow receiver does not slow the
 * sender down. Such a program runs until the library has no memory left; the standard promises none (MPI-3.1
 * section 3.5). Many waiting messages are not wrong by themselves: a program may send all its work first. So the check
 * looks at growth. It notes, for each receiver, when the number of waiting messages doubles, and how many messages had
 * been sent and received by then. It reports a backlog that
 *
 *   grew in DOUBLINGS steps, with receives between each and the next, to at least LEAST_MESSAGES messages, and to at
 *   least one in PART of all that were ever sent to the rank: twice as long a run would make twice as many wait; or
 *   came to LARGE_BYTES, however that happened.
 *
 * It ignores messages of collectives, and long messages, which wait for their receiver. */
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

enum { DOUBLINGS = 3, LEAST_MESSAGES = 512, PART = 16 };
#define LARGE_BYTES (UINT64_C(64) << 20)
enum { FIRST_MARK = 32, MARKS = 40, MARKS_SHOWN = 4 };

typedef struct Mark { /* the time when the number of waiting messages had doubled */
    uint64_t waiting, sent, received;
} Mark;

typedef struct Source { /* the messages to one rank that were sent at one source line of another rank */
    uint32_t from, to, pc;
    uint64_t waiting, most; /* waiting messages now, and the greatest number so far */
} Source;

typedef struct Backlog { /* the backlog of a receiver */
    uint64_t waiting, bytes, sent, received;
    uint64_t most, most_bytes; /* greatest values of `waiting` and `bytes` so far */
    uint32_t n_marks;
    Mark marks[MARKS];
} Backlog;

typedef struct Backlogs { /* the backlogs of a world, for --check=unbounded */
    uint32_t ranks;
    Backlog **of;        /* by receiver; NULL: no message has ever waited for it */
    GHashTable *sources; /* Source, for lookup */
    GPtrArray *listed;   /* the same sources in the order in which they came */
} Backlogs;

static Backlogs *backlogs_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_BACKLOGS);
}

/* -- keeping count ----------------------------------------------------------------------------- */

static guint source_hash(gconstpointer key)
{
    const Source *source = key;
    uint64_t pair = (uint64_t)source->from << 32 | source->to;
    return (guint)((pair * 31 + source->pc) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static gboolean source_equal(gconstpointer a, gconstpointer b)
{
    const Source *x = a, *y = b;
    return x->from == y->from && x->to == y->to && x->pc == y->pc;
}

static void backlogs_free(void *data)
{
    Backlogs *backlogs = data;
    for (uint32_t i = 0; i < backlogs->ranks; i++)
        g_free(backlogs->of[i]);
    g_free(backlogs->of);
    g_hash_table_unref(backlogs->sources);
    g_ptr_array_unref(backlogs->listed);
    g_free(backlogs);
}

static bool counts(const MpiMessage *message)
{
    return !message->collective && !message->rendezvous;
}

static Source *source_of(Backlogs *backlogs, const MpiMessage *message)
{
    Source key = {.from = message->from, .to = message->to, .pc = message->sent_pc};
    Source *source = g_hash_table_lookup(backlogs->sources, &key);
    if (!source) {
        source = g_new(Source, 1);
        *source = key;
        g_hash_table_add(backlogs->sources, source);
        g_ptr_array_add(backlogs->listed, source);
    }
    return source;
}

static void note_come(MpiWorld *world, const MpiMessage *message, bool waits)
{
    if (!counts(message))
        return;
    Backlog **of = &backlogs_of(world)->of[message->to];
    if (!*of)
        *of = g_new0(Backlog, 1);
    Backlog *backlog = *of;
    backlog->sent++;
    backlog->received += !waits;
    if (!waits)
        return;
    Source *source = source_of(backlogs_of(world), message);
    source->waiting++;
    source->most = MAX(source->most, source->waiting);
    backlog->bytes += message->bytes;
    backlog->most_bytes = MAX(backlog->most_bytes, backlog->bytes);
    backlog->waiting++;
    backlog->most = MAX(backlog->most, backlog->waiting);
    uint64_t next = backlog->n_marks ? 2 * backlog->marks[backlog->n_marks - 1].waiting : FIRST_MARK;
    if (backlog->waiting >= next && backlog->n_marks < MARKS)
        backlog->marks[backlog->n_marks++] = (Mark){backlog->waiting, backlog->sent, backlog->received};
}

static void note_arrived(MpiWorld *world, MpiMessage *message, MpiRequest *receive, uint64_t time_ps)
{
    (void)time_ps;
    note_come(world, message, !receive);
}

/* A message that has waited is received. */
static void note_taken(MpiWorld *world, MpiMessage *message)
{
    if (!counts(message))
        return;
    Backlog *backlog = backlogs_of(world)->of[message->to];
    backlog->waiting--;
    backlog->received++;
    backlog->bytes -= message->bytes;
    source_of(backlogs_of(world), message)->waiting--;
}

static void note_matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    (void)receive;
    if (message->queued)
        note_taken(world, message);
}

static void note_matched_plainly(MpiWorld *world, MpiPlainReceive *receive, MpiMessage *message)
{
    (void)receive;
    if (message->queued)
        note_taken(world, message);
    else
        note_come(world, message, false);
}

/* -- telling ----------------------------------------------------------------------------------- */

static bool has_grown(const Backlog *backlog)
{
    unsigned doublings = 0;
    for (uint32_t i = 1; i < backlog->n_marks; i++)
        doublings += backlog->marks[i].received > backlog->marks[i - 1].received;
    return doublings >= DOUBLINGS && backlog->most >= LEAST_MESSAGES && backlog->most >= backlog->sent / PART;
}

/* Returns the source line that most of the messages came from. */
static const Source *main_source(const Backlogs *backlogs, uint32_t to)
{
    const Source *main = NULL;
    for (guint i = 0; i < backlogs->listed->len; i++) {
        const Source *source = backlogs->listed->pdata[i];
        if (source->to == to &&
            (!main || source->most > main->most || (source->most == main->most && source->from < main->from)))
            main = source;
    }
    return main;
}

static void append_growth(GString *out, const Backlog *backlog)
{
    uint32_t first = backlog->n_marks > MARKS_SHOWN ? backlog->n_marks - MARKS_SHOWN : 0;
    for (uint32_t i = first; i < backlog->n_marks; i++)
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " waited when %" G_GUINT64_FORMAT " had come, ",
                               backlog->marks[i].waiting, backlog->marks[i].sent);
    g_string_append_printf(out, "at most %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " (%" G_GUINT64_FORMAT " bytes)",
                           backlog->most, backlog->sent, backlog->most_bytes);
}

static void tell(MpiRank *rank, const Backlog *backlog)
{
    bool grown = has_grown(backlog);
    if (!grown && backlog->most_bytes < LARGE_BYTES)
        return;
    const Source *source = main_source(backlogs_of(rank->world), rank->index);
    g_autoptr(GString) what = g_string_new("messages to this rank, sent at ");
    mpi_append_place(what, mpi_world_rank(rank->world, source->from)->process, source->pc);
    g_string_append(what, grown ? ", come faster than it receives them, so that more and more of them wait"
                                : ", wait in large amounts before it receives them");
    g_autoptr(GString) detail = g_string_new(NULL);
    g_string_append_printf(detail, "from rank %u%s: ", source->from,
                           source->most < backlog->most ? ", which sent most of them" : "");
    append_growth(detail, backlog);
    mpi_finding_add(rank, MPI_CHECK_UNBOUNDED, 0, what->str, detail->str,
                    "let senders wait for their receiver from time to time, by MPI_Ssend or by an answer from it: how "
                    "much a library buffers is not for the program to count on");
}

static void report(MpiWorld *world)
{
    const Backlogs *backlogs = backlogs_of(world);
    for (uint32_t i = 0; backlogs && i < world->n_ranks; i++)
        if (backlogs->of[i])
            tell(mpi_world_rank(world, i), backlogs->of[i]);
}

static void begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_UNBOUNDED))
        return;
    Backlogs *backlogs = g_new0(Backlogs, 1);
    backlogs->ranks = world->room;
    backlogs->of = g_new0(Backlog *, world->room);
    backlogs->sources = g_hash_table_new(source_hash, source_equal);
    backlogs->listed = g_ptr_array_new_with_free_func(g_free);
    mpi_world_set_slot(world, MPI_SLOT_BACKLOGS, backlogs, backlogs_free);
    mpi_hooks_add_short(world, &(MpiHooks){.arrived = note_arrived,
                                           .matched = note_matched,
                                           .claimed = note_taken,
                                           .matched_plainly = note_matched_plainly});
}

const MpiPart mpi_part_backlogs = {.begin = begin, .report = report};
