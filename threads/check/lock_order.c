/* lock_order.c - locks that threads take in different orders, which is a deadlock on a bad day.
 *
 * The locks of a process are a graph: an edge leads from a lock to one that a thread took while it held the first. A
 * cycle is a finding, whether or not this run met the deadlock, unless one thread alone took all these locks, or a
 * further lock was held along all edges and kept the threads apart. Who only tries a lock does not wait for it, so that
 * makes no edge. */
#include "threads/check/check.h"

enum { MOST_GATES = 4, LONGEST_CYCLE = 16 };

typedef struct Held { /* a lock that a thread holds */
    uint64_t key, address;
    uint64_t thread;
    ThreadsSort sort;
    uint32_t pc;
} Held;

typedef struct Edge {
    uint64_t from, to;  /* keys */
    Held first, second; /* how it came about */
    bool several;       /* several threads have gone this way */
    unsigned n_gates;
    uint64_t gates[MOST_GATES]; /* locks that were held as well, every time */
} Edge;

typedef struct Order {
    GArray *held;     /* Held, of all threads, in the order in which they were taken */
    GArray *edges;    /* Edge, in the order in which they were found */
    GHashTable *told; /* pairs of keys that have been reported; never iterated */
} Order;

static uint64_t key_of(ThreadsSort sort, uint64_t address)
{
    return address ^ (uint64_t)sort << 56;
}

static void order_free(void *data)
{
    Order *order = data;
    g_array_unref(order->held);
    g_array_unref(order->edges);
    g_hash_table_unref(order->told);
    g_free(order);
}

static Order *order_of(ThreadsProcess *process)
{
    if (process->order)
        return process->order;
    Order *order = g_new(Order, 1);
    order->held = g_array_new(FALSE, FALSE, sizeof(Held));
    order->edges = g_array_new(FALSE, FALSE, sizeof(Edge));
    order->told = g_hash_table_new(NULL, NULL);
    process->order_free = order_free;
    return process->order = order;
}

static Held *held_at(const Order *order, guint i)
{
    return &g_array_index(order->held, Held, i);
}

static Edge *edge_at(const Order *order, guint i)
{
    return &g_array_index(order->edges, Edge, i);
}

/* -- the graph --------------------------------------------------------------------------------- */

static Edge *find_edge(const Order *order, uint64_t from, uint64_t to)
{
    for (guint i = 0; i < order->edges->len; i++)
        if (edge_at(order, i)->from == from && edge_at(order, i)->to == to)
            return edge_at(order, i);
    return NULL;
}

/* Keeps only the gates that the thread holds now as well. */
static void keep_gates(const Order *order, Edge *edge, uint64_t thread)
{
    unsigned kept = 0;
    for (unsigned g = 0; g < edge->n_gates; g++)
        for (guint i = 0; i < order->held->len; i++)
            if (held_at(order, i)->thread == thread && held_at(order, i)->key == edge->gates[g]) {
                edge->gates[kept++] = edge->gates[g];
                break;
            }
    edge->n_gates = kept;
}

static void find_gates(const Order *order, Edge *edge)
{
    for (guint i = 0; i < order->held->len && edge->n_gates < MOST_GATES; i++) {
        const Held *held = held_at(order, i);
        if (held->thread == edge->second.thread && held->key != edge->from && held->key != edge->to)
            edge->gates[edge->n_gates++] = held->key;
    }
}

/* Adds the edge, or what is new about it. Returns it if a cycle through it may be one that was none before. */
static Edge *note_edge(Order *order, const Held *first, const Held *second)
{
    Edge *edge = find_edge(order, first->key, second->key);
    if (!edge) {
        Edge made = {.from = first->key, .to = second->key, .first = *first, .second = *second};
        find_gates(order, &made);
        g_array_append_val(order->edges, made);
        return edge_at(order, order->edges->len - 1);
    }
    unsigned gates = edge->n_gates;
    bool news = !edge->several && edge->second.thread != second->thread;
    edge->several |= news;
    keep_gates(order, edge, second->thread);
    return news || edge->n_gates < gates ? edge : NULL;
}

/* Whether threads that go along these edges may be in each other's way. */
static bool is_dangerous(Edge *const *cycle, unsigned n)
{
    bool alone = true, gated = false;
    for (unsigned i = 0; i < n; i++)
        alone &= !cycle[i]->several && cycle[i]->second.thread == cycle[0]->second.thread;
    for (unsigned g = 0; g < cycle[0]->n_gates && !gated; g++) {
        gated = true;
        for (unsigned i = 1; i < n && gated; i++) {
            bool has = false;
            for (unsigned k = 0; k < cycle[i]->n_gates; k++)
                has |= cycle[i]->gates[k] == cycle[0]->gates[g];
            gated = has;
        }
    }
    return !alone && !gated;
}

/* Finds a dangerous way from `from` to `to`, as edges cycle[n] and on. Returns the length of the cycle; 0: none. */
static unsigned find_way(const Order *order, uint64_t from, uint64_t to, Edge **cycle, unsigned n)
{
    for (guint i = 0; n < LONGEST_CYCLE && i < order->edges->len; i++) {
        Edge *edge = edge_at(order, i);
        bool seen = edge->from != from;
        for (unsigned k = 0; k < n && !seen; k++)
            seen = cycle[k]->to == edge->to && edge->to != to;
        if (seen)
            continue;
        cycle[n] = edge;
        unsigned length =
            edge->to == to ? (is_dangerous(cycle, n + 1) ? n + 1 : 0) : find_way(order, edge->to, to, cycle, n + 1);
        if (length)
            return length;
    }
    return 0;
}

/* -- findings ---------------------------------------------------------------------------------- */

static void append_edge(const ThreadsProcess *process, const Edge *edge, GString *out)
{
    g_string_append_printf(out, "thread %" G_GUINT64_FORMAT " takes ", edge->second.thread);
    threads_place_append_object(process, edge->second.sort, edge->second.address, out);
    g_string_append(out, " at ");
    threads_place_append(process, edge->second.pc, out);
    g_string_append(out, " while it holds ");
    threads_place_append_object(process, edge->first.sort, edge->first.address, out);
    g_string_append(out, " since ");
    threads_place_append(process, edge->first.pc, out);
}

static void tell(const ThreadsCall *call, Order *order, Edge *const *cycle, unsigned n)
{
    const Edge *last = cycle[0];
    uint64_t pair = MIN(last->from, last->to) * 31 + MAX(last->from, last->to);
    if (!g_hash_table_add(order->told, GSIZE_TO_POINTER(pair)))
        return;
    g_autoptr(GString) place = g_string_new(NULL), first = g_string_new(NULL), second = g_string_new(NULL),
                       detail = g_string_new(NULL);
    threads_place_append(call->process, last->second.pc, place);
    threads_place_append_object(call->process, last->first.sort, last->first.address, first);
    threads_place_append_object(call->process, last->second.sort, last->second.address, second);
    for (unsigned i = 0; i < n; i++) {
        append_edge(call->process, cycle[i], detail);
        if (i + 1 < n)
            g_string_append(detail, "\n    ");
    }
    threads_finding(call, THREADS_FINDING_LOCK_ORDER, detail->str, "take these locks in the same order everywhere",
                    "%s at %s: %s and %s are taken in different orders, so threads can wait for each other for ever",
                    call->binding->name, place->str, first->str, second->str);
}

/* -- what calls do ----------------------------------------------------------------------------- */

static bool is_lock(ThreadsSort sort)
{
    return sort == THREADS_MUTEX || sort == THREADS_READ_WRITE_LOCK || sort == THREADS_SPIN_LOCK;
}

static void locked(const ThreadsCall *call, ThreadsSort sort, uint64_t address)
{
    Order *order = order_of(call->process);
    Held lock = {key_of(sort, address), address, call->thread->id, sort, call->pc};
    bool tried = strstr(call->binding->name, "try") != NULL;
    for (guint i = 0; i < order->held->len && !tried && is_lock(sort); i++) {
        Held first = *held_at(order, i);
        if (first.thread != lock.thread || first.key == lock.key)
            continue;
        Edge *cycle[LONGEST_CYCLE] = {note_edge(order, &first, &lock)};
        unsigned n = cycle[0] ? find_way(order, lock.key, first.key, cycle, 1) : 0;
        if (n)
            tell(call, order, cycle, n);
    }
    g_array_append_val(order->held, lock);
}

/* The thread gives back the lock; or, of all who hold it, another one's is given back. */
static void unlocked(const ThreadsCall *call, ThreadsSort sort, uint64_t address)
{
    Order *order = order_of(call->process);
    uint64_t key = key_of(sort, address);
    guint found = order->held->len;
    for (guint i = 0; i < order->held->len; i++)
        if (held_at(order, i)->key == key) {
            found = i;
            if (held_at(order, i)->thread == call->thread->id)
                break;
        }
    if (found < order->held->len)
        g_array_remove_index(order->held, found);
}

/* Another lock begins at this address. */
static void unmade(const ThreadsCall *call, ThreadsSort sort, uint64_t address)
{
    Order *order = order_of(call->process);
    uint64_t key = key_of(sort, address);
    for (guint i = order->edges->len; i-- > 0;)
        if (edge_at(order, i)->from == key || edge_at(order, i)->to == key)
            g_array_remove_index(order->edges, i);
}

void threads_check_lock_order(ThreadsWorld *world)
{
    world->locked = locked;
    world->unlocked = unlocked;
    world->unmade = unmade;
}
