/* buffering_end.c - what is left of the rehearsal of check_buffering.c when nothing can go on any more: other messages
 * for receives from any source, and findings. */
#include "mpi/check/buffering.h"
#include "mpi/core/findings.h"
#include "mpi/core/places.h"
#include "mpi/p2p/p2p.h"

/* -- other messages ---------------------------------------------------------------------------- */

static bool fits(const Op *receive, const Op *send)
{
    return send->send && send->begun && !send->done && send->to == receive->to &&
           mpi_match_accepts(receive->key, send->key);
}

/* Lets a receive from any source take the oldest message that has begun, instead of the one that it took in the run. */
static bool take_another(Rehearsal *rehearsal, Op *receive)
{
    for (Op *send = rehearsal->oldest; send; send = send->next)
        if (fits(receive, send)) {
            mpi_buffering_op_finish(receive);
            mpi_buffering_op_finish(send);
            return true;
        }
    return false;
}

static bool is_choice(const Op *op)
{
    return !op->send && op->begun && !op->done && op->key.source == MPI_ANY_SOURCE_ && !op->background;
}

/* Lets a waiting probe find another message, as take_another() does for receives. */
static bool probe_another(Rehearsal *rehearsal, Line *line)
{
    const Step *step = line_step(line);
    if (!step || step->kind != STEP_PROBE || step->key.source != MPI_ANY_SOURCE_)
        return false;
    Op asked = {.key = step->key, .to = line->rank};
    for (const Op *send = rehearsal->oldest; send; send = send->next)
        if (fits(&asked, send)) {
            mpi_buffering_line_pop(rehearsal, line);
            mpi_buffering_line_wake(rehearsal, line);
            return true;
        }
    return false;
}

enum { MOST_CHOICES = 100000 };

void mpi_buffering_choose_others(Rehearsal *rehearsal)
{
    bool chosen = true;
    for (unsigned turns = 0; chosen && turns < MOST_CHOICES; turns++) {
        chosen = false;
        for (Op *op = rehearsal->oldest; op && !chosen; op = op->next)
            chosen = is_choice(op) && take_another(rehearsal, op);
        for (guint i = 0; i < rehearsal->all->len && !chosen; i++)
            chosen = probe_another(rehearsal, rehearsal->all->pdata[i]);
        mpi_buffering_run_ready(rehearsal);
    }
}

/* -- circles ----------------------------------------------------------------------------------- */

/* Returns the incomplete operation that the line cannot go on without; NULL: the line can go on. */
static Op *missing_op(const Line *line)
{
    const Step *step = line_step(line);
    Op *missing = NULL;
    if (!step || line->held)
        return NULL;
    for (uint32_t i = step->at; i < step->n; i++) {
        Op *op = step_ops(step)[i];
        if (!op->done && (!missing || (!missing->partner && op->partner)))
            missing = op;
    }
    return missing;
}

/* Returns the line that must advance before this one can; NULL: there is none. */
static Line *line_ahead(const Line *line)
{
    const Step *step = line_step(line);
    const Op *op = missing_op(line);
    if (!op)
        return NULL;
    if (step->kind == STEP_PROBE)
        return op->line;
    return op->background ? op->background : op->partner ? op->partner->line : NULL;
}

static void append_op(GString *out, const Rehearsal *rehearsal, const Op *op)
{
    g_string_append_printf(out, "%s at ", op->name);
    mpi_append_place(out, mpi_world_rank(rehearsal->world, op->line->rank)->process, op->pc);
}

static void append_wait(GString *out, const Rehearsal *rehearsal, const Line *line, const Step *step, const Op *op)
{
    g_string_append_printf(out, "%s at ", step->name);
    mpi_append_place(out, mpi_world_rank(rehearsal->world, line->rank)->process, step->pc);
    if (step->kind != STEP_PROBE && (step->pc != op->pc || step->name != op->name)) {
        g_string_append(out, ", for ");
        append_op(out, rehearsal, op);
        g_string_append_c(out, ',');
    }
    g_string_append(out, " would wait for ever if standard sends did not buffer: ");
}

#define RECEIVE_FIRST "use MPI_Sendrecv, start receives with MPI_Irecv before sending, or let one side receive first"
#define ORDER_THEM                                                                                                     \
    "call collectives of several communicators, and receives that others wait for, in the same order on all ranks"
#define SHOWN "; --eager-limit 0 shows it happen" /* unless protocols have other limits */
static const char *const fixes[2][2] = {{RECEIVE_FIRST SHOWN, ORDER_THEM SHOWN}, {RECEIVE_FIRST, ORDER_THEM}};

/* Whether another check reports the operation. An unmatched send or receive is reported as lost, and a collective that
 * lacks members as a mismatch. Then the cause is not buffering. */
static bool is_told_otherwise(const Rehearsal *rehearsal, const Op *op)
{
    return mpi_check_is_on(rehearsal->world, op->key.space & 1 ? MPI_CHECK_COLLECTIVES : MPI_CHECK_LOST);
}

static void tell_line(const Rehearsal *rehearsal, const Line *line, const char *detail)
{
    const Step *step = line_step(line);
    const Op *op = missing_op(line), *other = step->kind == STEP_PROBE ? op : op->partner;
    g_autoptr(GString) what = g_string_new(NULL);
    append_wait(what, rehearsal, line, step, op);
    g_assert(op);
    if (!other) {
        g_string_append(what, op->send ? "nobody receives its message" : "nobody sends it a message");
    } else {
        append_op(what, rehearsal, other);
        g_string_append(what, other->send ? ", which sends its message, comes only after a wait in the same circle"
                                          : ", which receives its message, comes only after a wait in the same circle");
    }
    bool collective = op->key.space & 1;
    mpi_finding_add(mpi_world_rank(rehearsal->world, line->rank), MPI_CHECK_BUFFERING, UINT64_MAX, what->str, detail,
                    fixes[rehearsal->world->protocols][collective]);
}

enum { LONGEST_CYCLE = 16 };

static char *describe_cycle(const Line *start)
{
    GString *out = g_string_new("ranks that wait for each other: ");
    const Line *at = start;
    unsigned n = 0;
    g_string_append_printf(out, "%u", start->rank);
    do {
        const Line *next = line_ahead(at);
        if (next->rank != at->rank && (++n <= LONGEST_CYCLE || next == start))
            g_string_append_printf(out, " -> %u", next->rank);
        else if (n == LONGEST_CYCLE + 1)
            g_string_append(out, " -> ...");
        at = next;
    } while (at != start);
    return g_string_free(out, FALSE);
}

/* Reports a cycle. If a background line is part of it, its steps are those of the call that began the collective. */
static void tell_cycle(const Rehearsal *rehearsal, const Line *start)
{
    g_autofree char *detail = describe_cycle(start);
    const Line *at = start;
    do {
        const Op *op = missing_op(at);
        if (!op->background)
            tell_line(rehearsal, at, detail);
        at = line_ahead(at);
    } while (at != start);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
    const Line *x = *(Line *const *)a, *y = *(Line *const *)b;
    return x->rank < y->rank ? -1 : x->rank > y->rank; /* the sort is stable, so lines of a rank stay in the order in
                                                        * which they were made */
}

/* Finds all cycles. Each walk marks the lines that it passes with its own number; meeting that mark again closes a
 * cycle. */
void mpi_buffering_tell_all(Rehearsal *rehearsal, bool finished)
{
    g_ptr_array_sort(rehearsal->all, compare_lines);
    for (guint i = 0; i < rehearsal->all->len; i++) {
        Line *start = rehearsal->all->pdata[i], *at = start;
        while (!at->mark) {
            Line *next = line_ahead(at);
            at->mark = i + 1;
            if (!next)
                break;
            at = next;
        }
        const Line *next = line_ahead(at);
        if (next && at->mark == i + 1)
            tell_cycle(rehearsal, at);
        else if (!next && at->mark == i + 1 && missing_op(at) && finished &&
                 !is_told_otherwise(rehearsal, missing_op(at)))
            tell_line(rehearsal, at, NULL);
    }
}
