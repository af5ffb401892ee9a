/* graph.c - the operations of a rank of a schedule, and what depends on what. */
#include "cli/replay/table.h"

#include <string.h>

void replay_graph_init(ReplayGraph *graph)
{
    graph->ops = g_array_new(FALSE, FALSE, sizeof(ReplayOp));
    graph->edges = g_array_new(FALSE, FALSE, sizeof(ReplayEdge));
}

void replay_graph_clear(ReplayGraph *graph)
{
    g_array_unref(graph->ops);
    g_array_unref(graph->edges);
}

const char *replay_graph_wrong(const ReplayOp *op, uint32_t ranks)
{
    if (op->kind == REPLAY_OP_CALC)
        return op->size > UINT64_MAX / 2 ? "it computes too long" : NULL;
    if (op->size > REPLAY_MOST_BYTES)
        return "messages have 2147483647 bytes at most";
    if (op->peer != REPLAY_ANY ? (uint32_t)op->peer >= ranks : op->kind == REPLAY_OP_SEND)
        return "there is no such rank";
    return op->tag == REPLAY_ANY && op->kind == REPLAY_OP_SEND ? "a send needs a tag" : NULL;
}

static ReplayOp *op_of(const ReplayGraph *graph, uint32_t number)
{
    return &g_array_index(graph->ops, ReplayOp, number);
}

/* Gives each operation its dependents: those of its end, then those of its beginning, in the order of the edges. */
static uint32_t *dependents_of(ReplayGraph *graph)
{
    uint32_t *dependents = g_new0(uint32_t, graph->edges->len + 1), n = 0;
    g_autofree uint32_t *done = g_new0(uint32_t, graph->ops->len + 1), *begun = g_new0(uint32_t, graph->ops->len + 1);
    for (guint i = 0; i < graph->edges->len; i++) {
        const ReplayEdge *edge = &g_array_index(graph->edges, ReplayEdge, i);
        ReplayOp *from = op_of(graph, edge->from);
        op_of(graph, edge->to)->needs++;
        *(edge->begun ? &from->begun : &from->done) += 1;
    }
    for (guint i = 0; i < graph->ops->len; i++) {
        op_of(graph, i)->first = n;
        n += op_of(graph, i)->done + op_of(graph, i)->begun;
    }
    for (guint i = 0; i < graph->edges->len; i++) {
        const ReplayEdge *edge = &g_array_index(graph->edges, ReplayEdge, i);
        const ReplayOp *from = op_of(graph, edge->from);
        dependents[from->first + (edge->begun ? from->done + begun[edge->from]++ : done[edge->from]++)] = edge->to;
    }
    return dependents;
}

/* Takes away, again and again, what depends on nothing more. Returns an operation that is left, or UINT32_MAX. */
static uint32_t circle(const ReplayGraph *graph, const uint32_t *dependents)
{
    guint n = graph->ops->len, first = 0, end = 0;
    g_autofree uint32_t *needs = g_new(uint32_t, n + 1), *free_ops = g_new(uint32_t, n + 1);
    for (guint i = 0; i < n; i++) {
        needs[i] = op_of(graph, i)->needs;
        if (!needs[i])
            free_ops[end++] = i;
    }
    while (first < end) {
        const ReplayOp *op = op_of(graph, free_ops[first++]);
        for (uint32_t i = op->first; i < op->first + op->done + op->begun; i++)
            if (--needs[dependents[i]] == 0)
                free_ops[end++] = dependents[i];
    }
    for (guint i = 0; i < n && end < n; i++)
        if (needs[i])
            return i;
    return UINT32_MAX;
}

bool replay_graph_add_to(ReplayGraph *graph, ReplayTable *table, uint32_t rank, uint32_t *line)
{
    g_autofree uint32_t *dependents = dependents_of(graph);
    uint32_t left = circle(graph, dependents);
    if (left != UINT32_MAX) {
        *line = op_of(graph, left)->line;
        return false;
    }
    ReplayRank *mine = &table->ranks[rank];
    mine->ops = mine->requests = graph->ops->len;
    for (guint i = 0; i < graph->ops->len; i++) {
        const ReplayOp *op = op_of(graph, i);
        if (op->kind == REPLAY_OP_SEND)
            mine->largest = MAX(mine->largest, op->size);
        replay_table_add(table, rank, op, sizeof *op);
    }
    if (graph->edges->len)
        replay_table_add(table, rank, dependents, graph->edges->len * sizeof *dependents);
    g_array_set_size(graph->ops, 0);
    g_array_set_size(graph->edges, 0);
    return true;
}
