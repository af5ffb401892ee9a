/* goal.c - schedules in GOAL, the Group Operation Assembly Language (Hoefler, Siebert, Lumsdaine, "Group Operation
 * Assembly Language - A Flexible Way to Express Collective Communication", 2009), for LogGOPSim. Times are in ns: parts
 * of one are carried to the next calc, so that no more than one ns of a rank's computing is lost.
 *
 * Collective operations are their messages. Each operation requires the one before it; what comes behind a non-blocking
 * send requires that it has begun (irequires), what comes behind a non-blocking receive does not require it at all,
 * until it is waited for. */
#include "cli/export/operations.h"

typedef struct Tail { /* what the next operation requires */
    uint64_t label;
    bool begun; /* only that it has begun */
} Tail;

typedef struct Goal {
    TraceText *text;
    GArray *tails;      /* Tail */
    GHashTable *labels; /* number of a non-blocking operation -> its label */
    uint64_t label, rest_ps;
} Goal;

static void begin_rank(void *user, uint32_t rank)
{
    Goal *goal = user;
    goal->label = goal->rest_ps = 0;
    g_array_set_size(goal->tails, 0);
    g_hash_table_remove_all(goal->labels);
    g_string_append_printf(cli_trace_text(goal->text), "\nrank %u {\n", rank);
}

static void end_rank(void *user, uint32_t rank)
{
    Goal *goal = user;
    (void)rank;
    if (!goal->label) /* a rank that does nothing */
        g_string_append(cli_trace_text(goal->text), "l1: calc 0\n");
    g_string_append(cli_trace_text(goal->text), "}\n");
}

/* Writes what the operation that has just been written requires. It becomes what the next one does, unless it `stays`
 * aside. */
static void require(Goal *goal, bool aside, bool begun)
{
    GString *out = cli_trace_text(goal->text);
    for (guint i = 0; i < goal->tails->len; i++) {
        const Tail *tail = &g_array_index(goal->tails, Tail, i);
        g_string_append_printf(out, "l%" G_GUINT64_FORMAT " %s l%" G_GUINT64_FORMAT "\n", goal->label,
                               tail->begun ? "irequires" : "requires", tail->label);
    }
    if (aside)
        return;
    Tail tail = {goal->label, begun};
    g_array_set_size(goal->tails, 0);
    g_array_append_val(goal->tails, tail);
}

static void compute(Goal *goal, uint64_t ps)
{
    goal->rest_ps += ps;
    if (goal->rest_ps < 1000)
        return;
    g_string_append_printf(cli_trace_text(goal->text), "l%" G_GUINT64_FORMAT ": calc %" G_GUINT64_FORMAT "\n",
                           ++goal->label, goal->rest_ps / 1000);
    goal->rest_ps %= 1000;
    require(goal, false, false);
}

static void move(Goal *goal, const ExportOp *op)
{
    bool sends = op->sort == EXPORT_OP_SEND || op->sort == EXPORT_OP_ISEND;
    g_string_append_printf(cli_trace_text(goal->text),
                           "l%" G_GUINT64_FORMAT ": %s %" G_GUINT64_FORMAT "b %s %u tag %u\n", ++goal->label,
                           sends ? "send" : "recv", MAX(1, op->bytes), sends ? "to" : "from", op->peer, op->tag);
    require(goal, op->sort == EXPORT_OP_IRECEIVE, op->sort == EXPORT_OP_ISEND);
    if (op->number)
        g_hash_table_insert(goal->labels, GUINT_TO_POINTER(op->number), GUINT_TO_POINTER(goal->label));
}

static void wait_for(Goal *goal, const ExportOp *op)
{
    Tail tail = {GPOINTER_TO_UINT(g_hash_table_lookup(goal->labels, GUINT_TO_POINTER(op->number))), false};
    g_hash_table_remove(goal->labels, GUINT_TO_POINTER(op->number));
    if (!tail.label)
        return;
    for (guint i = 0; i < goal->tails->len; i++)
        if (g_array_index(goal->tails, Tail, i).label == tail.label) {
            g_array_index(goal->tails, Tail, i).begun = false;
            return;
        }
    g_array_append_val(goal->tails, tail);
}

static void write_op(void *user, const ExportOp *op)
{
    switch (op->sort) {
    case EXPORT_OP_COMPUTE:
    case EXPORT_OP_SLEEP: compute(user, op->ps); break;
    case EXPORT_OP_WAIT: wait_for(user, op); break;
    case EXPORT_OP_COLLECTIVE: break;
    default: move(user, op); break;
    }
}

static uint32_t count_ranks(const ExportJob *job)
{
    uint32_t ranks = 0;
    for (uint32_t i = 0; i < job->locations; i++) {
        TraceLocation at = trace_reader_location(job->reader, i);
        ranks = at.thread ? ranks : MAX(ranks, at.rank + 1);
    }
    return ranks;
}

bool export_goal(const ExportJob *job, GError **error)
{
    Goal goal = {.text = cli_trace_text_to(job->output, error)};
    if (!goal.text)
        return false;
    goal.tails = g_array_new(FALSE, FALSE, sizeof(Tail));
    goal.labels = g_hash_table_new(NULL, NULL);
    g_string_append_printf(cli_trace_text(goal.text), "num_ranks %u\n", count_ranks(job));
    bool good = export_operations(
        job, &(ExportOpUser){.user = &goal, .begin = begin_rank, .op = write_op, .end = end_rank}, error);
    g_array_unref(goal.tails);
    g_hash_table_unref(goal.labels);
    return cli_trace_text_end(goal.text, good, error);
}
