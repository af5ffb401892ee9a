/* goal_binary.c - GOAL schedules in the binary format of LogGOPSim (Parser.hpp there describes it). Little endian,
 * without padding:
 *
 *     u64 4223, u32 ranks, u8 processors, u8 interfaces; for each rank u64 beginning, u64 end, counted from the ranks'
 * field of each rank: u32 operations, u32 roots, u32 each root; operations of 39 bytes; u32 each dependent of each
 * operation: u32 dependencies, u8 sort (1 send, 2 receive, 3 calc), u32 peer, u64 size, u32 tag, u8 processor, u8
 * interface, and of its end and of its beginning: u32 dependents, u32 index of the first
 */
#include "cli/replay/table.h"

#include "cli/base/base.h"

#include <string.h>

enum { COOKIE_BYTES = 8, HEAD_BYTES = 14, OP_BYTES = 39, PS_OF_UNIT = 1000 };

typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

static uint64_t number(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes); /* the host is little endian, too */
    return value;
}

static bool damaged(const ReplayTrace *trace, GError **error, const char *what)
{
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: this is no whole GOAL schedule: %s",
                (const char *)trace->files->pdata[0], what);
    return false;
}

static ReplayOp op_at(const uint8_t *at, uint32_t index)
{
    uint32_t peer = (uint32_t)number(at + 5, 4), tag = (uint32_t)number(at + 17, 4);
    ReplayOp op = {.kind = at[4], .size = number(at + 9, 8), .line = index + 1};
    op.peer = peer == UINT32_MAX ? REPLAY_ANY : (int32_t)(peer & INT32_MAX);
    op.tag = tag == UINT32_MAX ? REPLAY_ANY : (int32_t)(tag & INT32_MAX);
    if (op.kind == REPLAY_OP_CALC)
        op.size = op.size > UINT64_MAX / PS_OF_UNIT ? UINT64_MAX : op.size * PS_OF_UNIT;
    return op;
}

/* Adds the dependents of an operation: those that `at` counts. */
static bool take_edges(ReplayGraph *graph, uint32_t from, bool begun, const uint8_t *at, Bytes dependents, uint32_t ops)
{
    uint64_t n = number(at, 4), first = number(at + 4, 4), room = (uint64_t)(dependents.end - dependents.at) / 4;
    if (n && first + n > room)
        return false;
    for (uint64_t i = first; i < first + n; i++) {
        ReplayEdge edge = {from, (uint32_t)number(dependents.at + 4 * i, 4), begun};
        if (edge.to >= ops)
            return false;
        g_array_append_val(graph->edges, edge);
    }
    return true;
}

static bool take_rank(ReplayTrace *trace, ReplayTable *table, uint32_t rank, Bytes bytes, ReplayGraph *graph,
                      GError **error)
{
    uint64_t room = (uint64_t)(bytes.end - bytes.at);
    uint32_t line = 0;
    if (room < 8)
        return damaged(trace, error, "a rank is too short");
    uint64_t ops = number(bytes.at, 4), roots = number(bytes.at + 4, 4), head = 8 + 4 * roots;
    if (head > room || ops > (room - head) / OP_BYTES)
        return damaged(trace, error, "a rank is too short for its operations");
    Bytes dependents = {bytes.at + head + ops * OP_BYTES, bytes.end};
    for (uint32_t i = 0; i < ops; i++) {
        const uint8_t *at = bytes.at + head + (uint64_t)i * OP_BYTES;
        ReplayOp op = op_at(at, i);
        const char *wrong = op.kind < REPLAY_OP_SEND || op.kind > REPLAY_OP_CALC
                                ? "there is no such sort of operation"
                                : replay_graph_wrong(&op, trace->ranks);
        if (wrong) {
            g_autofree char *text = g_strdup_printf("operation %u of rank %u: %s", i, rank, wrong);
            return damaged(trace, error, text);
        }
        g_array_append_val(graph->ops, op);
        trace->streams = MAX(trace->streams, at[21] + 1U);
        if (!take_edges(graph, i, false, at + 23, dependents, (uint32_t)ops) ||
            !take_edges(graph, i, true, at + 31, dependents, (uint32_t)ops))
            return damaged(trace, error, "an operation has dependents that are not there");
    }
    return replay_graph_add_to(graph, table, rank, &line) ||
           damaged(trace, error, "operations require each other in a circle");
}

static bool take_ranks(ReplayTrace *trace, Bytes bytes, GError **error)
{
    uint64_t room = (uint64_t)(bytes.end - bytes.at) - COOKIE_BYTES;
    const uint8_t *base = bytes.at + COOKIE_BYTES;
    if (room < HEAD_BYTES - COOKIE_BYTES)
        return damaged(trace, error, "it is too short");
    uint64_t ranks = number(base, 4), places = HEAD_BYTES - COOKIE_BYTES;
    if (!ranks || ranks > REPLAY_MOST_RANKS || ranks > (room - places) / 16)
        return damaged(trace, error, "it is too short for its ranks");
    trace->ranks = (uint32_t)ranks;
    g_autoptr(ReplayTable) table = replay_table_new(REPLAY_GOAL, trace->ranks);
    ReplayGraph graph;
    bool good = true;
    replay_graph_init(&graph);
    for (uint32_t i = 0; i < trace->ranks && good; i++) {
        uint64_t begin = number(base + places + 16 * (uint64_t)i, 8),
                 end = number(base + places + 16 * (uint64_t)i + 8, 8);
        good = begin <= end && end <= room
                   ? take_rank(trace, table, i, (Bytes){base + begin, base + end}, &graph, error)
                   : damaged(trace, error, "a rank is not where it should be");
    }
    replay_graph_clear(&graph);
    return good && replay_table_write(table, trace, error);
}

bool replay_read_goal_binary(ReplayTrace *trace, GError **error)
{
    GMappedFile *file = g_mapped_file_new(trace->files->pdata[0], FALSE, error);
    if (!file)
        return false;
    const uint8_t *at = (const uint8_t *)g_mapped_file_get_contents(file);
    bool good = take_ranks(trace, (Bytes){at, at + g_mapped_file_get_length(file)}, error);
    g_mapped_file_unref(file);
    return good;
}
