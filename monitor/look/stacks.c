/* stacks.c - the stacks of ranks and their threads, merged into a tree, and the places where ranks are, folded. */
#include "monitor/expression/expression.h"
#include "monitor/look.h"

#include <string.h>

typedef struct Node {
    struct Node *parent, *first, *last, *next;
    const char *name, *file; /* file "": a function of the library or of MPI, without a line */
    uint32_t line;
    MonRankSet *ranks;
    uint32_t visits; /* threads of these ranks */
} Node;

static Node *node_new(Node *parent, const char *name, const char *file, uint32_t line)
{
    Node *node = g_new0(Node, 1);
    *node = (Node){.parent = parent, .name = name, .file = file, .line = line, .ranks = mon_ranks_new()};
    if (parent && parent->last)
        parent->last->next = node;
    else if (parent)
        parent->first = node;
    if (parent)
        parent->last = node;
    return node;
}

static bool is_place(const Node *node, const char *name, const char *file, uint32_t line)
{
    return node->line == line && strcmp(node->name, name) == 0 && strcmp(node->file, file) == 0;
}

/* Ranks come in ascending order, and neighbours are often at the same place: the child found last comes first. */
static Node *child(Node *parent, Node **recent, const char *name, const char *file, uint32_t line)
{
    if (*recent && (*recent)->parent == parent && is_place(*recent, name, file, line))
        return *recent;
    for (Node *node = parent->first; node; node = node->next)
        if (is_place(node, name, file, line))
            return *recent = node;
    return *recent = node_new(parent, name, file, line);
}

static void visit(Node *node, uint32_t rank)
{
    mon_ranks_add(node->ranks, rank, rank);
    node->visits++;
}

static void free_tree(Node *node)
{
    while (node->first) {
        Node *gone = node->first;
        node->first = gone->next;
        free_tree(gone);
    }
    mon_ranks_free(node->ranks);
    g_free(node);
}

/* -- building ---------------------------------------------------------------------------------- */

/* Frames of the program from main on, and the function of MPI or of the library that the innermost one is in. */
static void add_stack(Node *root, VmRank *rank)
{
    enum { MOST = 200 };
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    VmFrame frames[MOST], frame;
    uint32_t n = 0;
    const char *inner = NULL;
    for (bool more = mon_debug_frame(rank, 0, &frame); more && n < MOST; more = vm_rank_caller(rank, &frame)) {
        bool library = (module->functions.items[frame.function].flags & VCODE_FUNCTION_LIBRARY) != 0;
        if (!library)
            frames[n++] = frame;
        else if (n == 0)
            inner = frame.name;
    }
    const VmRequest *request = vm_rank_open_requests(rank) ? vm_rank_request(rank) : NULL;
    if (!inner && request && request->function)
        inner = request->function->name;
    Node *node = root, *recent = root->last;
    visit(root, vm_rank_index(rank));
    while (n > 0) {
        const VmFrame *one = &frames[--n];
        node = child(node, &recent, one->name, vcode_source_name(module, one->file), one->line);
        visit(node, vm_rank_index(rank));
        recent = node->last;
    }
    if (inner)
        visit(child(node, &recent, inner, "", 0), vm_rank_index(rank));
}

static void add_rank(Node *root, Machine *machine, uint32_t rank)
{
    VmRank *vm = mach_run_rank(machine, rank);
    MachRankState state = mach_run_rank_state(machine, rank);
    if (vm_rank_depth(vm) == 0 || state == MACH_RANK_FINISHED || state == MACH_RANK_KILLED)
        return;
    if (mach_look_threads_made(machine, rank) <= 1) {
        add_stack(root, vm);
        return;
    }
    g_autoptr(GArray) threads = mach_look_threads(machine, rank);
    uint64_t looked_at = mach_look_thread(machine, rank);
    const MachThread *before = NULL;
    for (guint i = 0; i < threads->len; i++) {
        const MachThread *thread = &g_array_index(threads, MachThread, i);
        if (thread->ended)
            continue;
        if (thread->id == looked_at)
            before = thread;
        mach_look_at(machine, rank, thread);
        add_stack(root, vm);
    }
    if (before)
        mach_look_at(machine, rank, before);
}

static Node *build(Machine *machine, const MonRankSet *ranks)
{
    Node *root = node_new(NULL, "", "", 0);
    for (uint32_t rank = mon_ranks_next(ranks, 0); rank != UINT32_MAX; rank = mon_ranks_next(ranks, rank + 1))
        add_rank(root, machine, rank);
    return root;
}

/* -- as text ----------------------------------------------------------------------------------- */

/* A file's name is left out where the program has only one. */
static bool one_file(Machine *machine)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(mach_run_rank(machine, 0)));
    uint32_t file = VCODE_NONE;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const VcodeFunction *function = &module->functions.items[i];
        if ((function->flags & VCODE_FUNCTION_LIBRARY) != 0 || function->file == VCODE_NONE)
            continue;
        if (file != VCODE_NONE && function->file != file)
            return false;
        file = function->file;
    }
    return true;
}

static void append_place(const Node *node, bool short_names, GString *out)
{
    if (!*node->file)
        g_string_append_printf(out, "in %s", node->name);
    else if (short_names)
        g_string_append_printf(out, "%s at %u", node->name, node->line);
    else
        g_string_append_printf(out, "%s at %s:%u", node->name, node->file, node->line);
}

static void append_node(const Node *node, int depth, bool short_names, GString *out)
{
    g_string_append_printf(out, "%*s", 2 * depth, "");
    mon_ranks_append(node->ranks, out);
    g_string_append(out, ": ");
    append_place(node, short_names, out);
    if (node->visits > mon_ranks_count(node->ranks))
        g_string_append_printf(out, " (%u threads)", node->visits);
    g_string_append_c(out, '\n');
    for (const Node *inner = node->first; inner; inner = inner->next)
        append_node(inner, depth + 1, short_names, out);
}

static void append_ended(const MonRankSet *ranks, const Node *root, GString *out)
{
    g_autoptr(MonRankSet) ended = mon_ranks_minus(ranks, root->ranks);
    if (mon_ranks_count(ended) == 0)
        return;
    mon_ranks_append(ended, out);
    g_string_append(out, ": ended\n");
}

void mon_look_stacks(Machine *machine, const MonRankSet *ranks, GString *out)
{
    Node *root = build(machine, ranks);
    bool short_names = one_file(machine);
    for (const Node *node = root->first; node; node = node->next)
        append_node(node, 0, short_names, out);
    append_ended(ranks, root, out);
    free_tree(root);
}

/* The innermost places of the program: leaves, or what calls a function of the library. */
static void append_leaves(const Node *node, bool short_names, GString *out)
{
    uint32_t below = 0;
    bool leaf = *node->file || (node->parent && !node->parent->parent); /* the library, before main */
    for (const Node *inner = node->first; inner; inner = inner->next) {
        leaf = leaf && !*inner->file && node->parent;
        below += inner->visits;
    }
    if (leaf || (*node->file && below < node->visits)) {
        mon_ranks_append(node->ranks, out);
        g_string_append(out, ": ");
        append_place(node, short_names, out);
        if (node->first && !node->first->next && node->first->visits == node->visits) {
            g_string_append(out, ", ");
            append_place(node->first, short_names, out);
        }
        g_string_append_c(out, '\n');
    }
    for (const Node *inner = node->first; inner; inner = inner->next)
        append_leaves(inner, short_names, out);
}

void mon_look_places(Machine *machine, const MonRankSet *ranks, GString *out)
{
    Node *root = build(machine, ranks);
    append_leaves(root, one_file(machine), out);
    append_ended(ranks, root, out);
    free_tree(root);
}
