/* ti.c - time-independent traces, as SimGrid's SMPI replays them. A line is the rank, an action, and its arguments.
 *
 * Computing is in floating-point operations of a processor that does 10^9 of them in a second, so its number is the
 * time in ns; sizes are in bytes, but for collective operations that have a datatype which the format knows. Collective
 * operations are actions, if they are blocking, all ranks take part, and their calls say how long they are; otherwise
 * they are their messages. Their combining is not computing of the trace: whoever replays it does it in his own way. */
#include "cli/export/operations.h"

#include <string.h>

enum { BYTE = 6 /* number of MPI_BYTE */ };

typedef struct Ti {
    TraceText *text;
    uint32_t rank;
    GHashTable *points; /* number of a non-blocking operation -> Point */
} Ti;

typedef struct Point { /* by which a wait finds its operation */
    uint32_t from, to, tag;
} Point;

/* A part of a collective operation: how many of what. */
typedef struct Part {
    int64_t count;
    int type;
} Part;

static GString *begin_line(const Ti *ti, const char *action)
{
    GString *out = cli_trace_text(ti->text);
    g_string_append_printf(out, "%u %s", ti->rank, action);
    return out;
}

static void begin_rank(void *user, uint32_t rank)
{
    Ti *ti = user;
    ti->rank = rank;
    g_hash_table_remove_all(ti->points);
    g_string_append_c(begin_line(ti, "init"), '\n');
}

static void end_rank(void *user, uint32_t rank)
{
    (void)rank;
    g_string_append_c(begin_line(user, "finalize"), '\n');
}

static void write_point(Ti *ti, const ExportOp *op)
{
    static const char *const actions[] = {[EXPORT_OP_SEND] = "send",
                                          [EXPORT_OP_ISEND] = "isend",
                                          [EXPORT_OP_RECEIVE] = "recv",
                                          [EXPORT_OP_IRECEIVE] = "irecv"};
    bool sends = op->sort == EXPORT_OP_SEND || op->sort == EXPORT_OP_ISEND;
    Point point = {sends ? ti->rank : op->peer, sends ? op->peer : ti->rank, op->tag};
    g_string_append_printf(begin_line(ti, actions[op->sort]), " %u %u %" G_GUINT64_FORMAT "\n", op->peer, op->tag,
                           op->bytes);
    if (op->number)
        g_hash_table_insert(ti->points, g_memdup2(&op->number, sizeof op->number), g_memdup2(&point, sizeof point));
}

static void write_wait(Ti *ti, const ExportOp *op)
{
    const Point *point = g_hash_table_lookup(ti->points, &op->number);
    if (!point)
        return;
    g_string_append_printf(begin_line(ti, "wait"), " %u %u %u\n", point->from, point->to, point->tag);
    g_hash_table_remove(ti->points, &op->number);
}

/* -- collective operations --------------------------------------------------------------------- */

static Part part_of(const ExportOp *op, int count, int type)
{
    Part part = {0, BYTE};
    if (count < 0 || type < 0)
        return part;
    part.type = export_call_ti_type(op->arguments[type]);
    part.count = MAX(0, op->arguments[count]);
    if (part.type < 0) {
        part.count *= export_call_type_bytes(op->arguments[type]);
        part.type = BYTE;
    }
    return part;
}

/* The sides of an operation with two: where one does not count, at ranks that are not the root or with MPI_IN_PLACE, it
 * is like the other one. */
static void sides_of(const Ti *ti, const ExportOp *op, Part *sent, Part *received)
{
    const ExportCollective *collective = op->collective;
    bool away = collective->root >= 0 && op->arguments[collective->root] != ti->rank;
    *sent = part_of(op, collective->count, collective->type);
    *received = part_of(op, collective->receive_count, collective->receive_type);
    if (op->arguments[0] == EXPORT_IN_PLACE || (away && collective->operation == EXPORT_OP_SCATTER))
        *sent = *received;
    else if (op->arguments[3] == EXPORT_IN_PLACE || (away && collective->operation == EXPORT_OP_GATHER))
        *received = *sent;
}

static void write_collective(Ti *ti, const ExportOp *op)
{
    const ExportCollective *collective = op->collective;
    Part sent = part_of(op, collective->count, collective->type), received;
    int root = collective->root < 0 ? 0 : (int)op->arguments[collective->root];
    GString *out = begin_line(ti, collective->action);
    switch (collective->operation) {
    case EXPORT_OP_BARRIER: break;
    case EXPORT_OP_BCAST:
        g_string_append_printf(out, " %" G_GINT64_FORMAT " %d %d", (gint64)sent.count, root, sent.type);
        break;
    case EXPORT_OP_REDUCE:
        g_string_append_printf(out, " %" G_GINT64_FORMAT " 0 %d %d", (gint64)sent.count, root, sent.type);
        break;
    case EXPORT_OP_ALLREDUCE:
        g_string_append_printf(out, " %" G_GINT64_FORMAT " 0 %d", (gint64)sent.count, sent.type);
        break;
    default:
        sides_of(ti, op, &sent, &received);
        g_string_append_printf(out, " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, (gint64)sent.count,
                               (gint64)received.count);
        if (collective->root >= 0)
            g_string_append_printf(out, " %d", root);
        g_string_append_printf(out, " %d %d", sent.type, received.type);
        break;
    }
    g_string_append_c(out, '\n');
}

static void write_op(void *user, const ExportOp *op)
{
    Ti *ti = user;
    switch (op->sort) {
    case EXPORT_OP_COMPUTE:
        g_string_append_printf(begin_line(ti, "compute"), " %" G_GUINT64_FORMAT ".%03u\n", op->ps / 1000,
                               (unsigned)(op->ps % 1000));
        break;
    case EXPORT_OP_SLEEP:
        g_string_append_printf(begin_line(ti, "sleep"), " %" G_GUINT64_FORMAT ".%012" G_GUINT64_FORMAT "\n",
                               op->ps / UINT64_C(1000000000000), op->ps % UINT64_C(1000000000000));
        break;
    case EXPORT_OP_WAIT: write_wait(ti, op); break;
    case EXPORT_OP_COLLECTIVE: write_collective(ti, op); break;
    default: write_point(ti, op); break;
    }
}

bool export_ti(const ExportJob *job, GError **error)
{
    Ti ti = {.text = cli_trace_text_to(job->output, error)};
    if (!ti.text)
        return false;
    ti.points = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    ExportOpUser user = {.user = &ti, .collectives = true, .begin = begin_rank, .op = write_op, .end = end_rank};
    bool good = export_operations(job, &user, error);
    g_hash_table_unref(ti.points);
    return cli_trace_text_end(ti.text, good, error);
}
