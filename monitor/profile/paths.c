/* paths.c - a profile for other tools: callgrind's format ("Callgrind Format Specification" in the manual of Valgrind)
 * and folded stacks. Both have the paths of calls, as far as the profile does: recursion folds into the first call.
 *
 * Functions of MPI, and others outside of the program that time has passed in, are functions without lines in both. */
#include "monitor/profile/inside.h"

#include <string.h>

/* -- callgrind --------------------------------------------------------------------------------- */

typedef struct Part { /* of a function: a line of its own, or calls from one */
    const char *file;
    uint32_t line;
    const char *to; /* function that is called; NULL: none */
    const char *to_file;
    uint32_t to_line;
    uint64_t calls;
    MonTimes times;
} Part;

typedef struct Function {
    const char *name, *file;
    GArray *parts; /* Part */
} Function;

static void append_costs(uint32_t line, const MonTimes *times, GString *out)
{
    g_string_append_printf(out, "%u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", line,
                           times->compute_ps, times->overhead_ps, mon_profile_times_waiting(times));
}

static const MonProfileNode *node_at(const MonProfileData *data, int node)
{
    return &g_array_index(data->nodes, MonProfileNode, node);
}

static void free_function(gpointer data)
{
    Function *function = data;
    g_array_unref(function->parts);
    g_free(function);
}

/* Returns the function, made if need be. */
static Function *function_of(GPtrArray *functions, GHashTable *known, const char *name, const char *file)
{
    g_autofree char *key = g_strdup_printf("%s\n%s", name, file);
    Function *function = g_hash_table_lookup(known, key);
    if (function)
        return function;
    function = g_new0(Function, 1);
    *function = (Function){name, file, g_array_new(FALSE, FALSE, sizeof(Part))};
    g_ptr_array_add(functions, function);
    g_hash_table_insert(known, g_steal_pointer(&key), function);
    return function;
}

static const char outside[] = "(outside of the program)";

/* Gives functions their lines, and what they call. A line has what its calls take not by itself. */
static GPtrArray *gather(const MonProfileData *data)
{
    GPtrArray *functions = g_ptr_array_new_with_free_func(free_function);
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree Function **of = g_new0(Function *, MAX(data->nodes->len, 1));
    for (guint i = 0; i < data->nodes->len; i++) {
        const MonProfileNode *node = node_at(data, (int)i);
        of[i] = function_of(functions, known, node->function, node->file);
        Part call = {node->call_file, node->call_line, node->function,       node->file,
                     node->line,      node->calls,     (MonTimes)node->total};
        if (node->parent != MON_NO_NODE)
            g_array_append_val(of[node->parent]->parts, call);
    }
    for (guint i = 0; i < data->lines->len; i++) {
        const MonProfileLine *line = &g_array_index(data->lines, MonProfileLine, i);
        Part own = {.file = line->file, .line = line->line, .times = {.compute_ps = line->times.compute_ps}};
        g_array_append_val(of[line->node]->parts, own);
    }
    for (guint i = 0; i < data->calls->len; i++) {
        const MonProfileCall *call = &g_array_index(data->calls, MonProfileCall, i);
        Part made = {call->file, call->line, call->name, outside, 0, 1, call->times};
        g_array_append_val(of[call->node]->parts, made);
        made = (Part){.file = outside, .times = call->times};
        g_array_append_val(function_of(functions, known, call->name, outside)->parts, made);
    }
    return functions;
}

static int order(const Part *x, const Part *y)
{
    int files = strcmp(x->file, y->file), names = g_strcmp0(x->to, y->to), places = g_strcmp0(x->to_file, y->to_file);
    return files                      ? files
           : x->line != y->line       ? (x->line < y->line ? -1 : 1)
           : names                    ? names
           : places                   ? places
           : x->to_line != y->to_line ? (x->to_line < y->to_line ? -1 : 1)
                                      : 0;
}

static gint by_place(gconstpointer a, gconstpointer b)
{
    return order(a, b);
}

static void append_part(const Part *part, GString *out)
{
    if (part->to)
        g_string_append_printf(out, "cfl=%s\ncfn=%s\ncalls=%" G_GUINT64_FORMAT " %u\n", part->to_file, part->to,
                               MAX(part->calls, 1), part->to_line);
    append_costs(part->line, &part->times, out);
}

static void append_function(const Function *function, GString *out)
{
    const char *file = function->file;
    g_array_sort(function->parts, by_place);
    g_string_append_printf(out, "\nfl=%s\nfn=%s\n", function->file, function->name);
    for (guint i = 0; i < function->parts->len; i++) {
        Part part = g_array_index(function->parts, Part, i);
        for (; i + 1 < function->parts->len && order(&part, &g_array_index(function->parts, Part, i + 1)) == 0; i++) {
            mon_profile_times_add(&part.times, &g_array_index(function->parts, Part, i + 1).times);
            part.calls += g_array_index(function->parts, Part, i + 1).calls;
        }
        if (strcmp(file, part.file) != 0)
            g_string_append_printf(out, "fe=%s\n", part.file);
        file = part.file;
        append_part(&part, out);
    }
}

void mon_profile_print_callgrind(const MonProfileData *data, const char *program, GString *out)
{
    g_autoptr(GPtrArray) functions = gather(data);
    g_string_append_printf(out,
                           "# callgrind format\nversion: 1\ncreator: orrery\ncmd: %s\ndesc: Machine: %s\n"
                           "positions: line\nevent: Computing : ps of computing\nevent: Library : ps of work in MPI\n"
                           "event: Waiting : ps of waiting\nevent: Time = Computing + Library + Waiting : ps in all\n"
                           "events: Computing Library Waiting\n",
                           program, data->machine);
    g_autoptr(GString) totals = g_string_new(NULL);
    append_costs(0, &data->times, totals);
    g_string_append_printf(out, "summary: %s", strchr(totals->str, ' ') + 1);
    for (guint i = 0; i < functions->len; i++)
        append_function(functions->pdata[i], out);
    g_string_append_printf(out, "\ntotals: %s", strchr(totals->str, ' ') + 1);
}

/* -- folded stacks ----------------------------------------------------------------------------- */

/* Appends a frame, without the characters that have a meaning. */
static void append_frame(const char *frame, GString *out)
{
    if (out->len)
        g_string_append_c(out, ';');
    for (const char *at = frame; *at; at++)
        g_string_append_c(out, *at == ';' ? ':' : (unsigned char)*at < ' ' ? ' ' : *at);
}

static void append_path(const MonProfileData *data, int node, GString *out)
{
    if (node == MON_NO_NODE)
        return;
    append_path(data, node_at(data, node)->parent, out);
    append_frame(node_at(data, node)->function, out);
}

/* Adds time of a stack to those that are equal: paths may differ in lines, which are no frames here. */
static void add_stack(GHashTable *known, GPtrArray *stacks, const char *stack, uint64_t ps)
{
    uint64_t *sum = g_hash_table_lookup(known, stack);
    if (!ps)
        return;
    if (!sum) {
        char *own = g_strdup(stack);
        sum = g_new0(uint64_t, 1);
        g_hash_table_insert(known, own, sum);
        g_ptr_array_add(stacks, own);
    }
    *sum += ps;
}

static void add_call(const MonProfileData *data, const MonProfileCall *call, GHashTable *known, GPtrArray *stacks)
{
    g_autoptr(GString) stack = g_string_new(NULL);
    append_path(data, call->node, stack);
    append_frame(call->name, stack);
    gsize length = stack->len;
    append_frame("library", stack);
    add_stack(known, stacks, stack->str, call->times.overhead_ps);
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++) {
        g_string_truncate(stack, length);
        append_frame("waiting", stack);
        append_frame(mpi_wait_name((MpiWaitCause)i), stack);
        add_stack(known, stacks, stack->str, call->times.wait_ps[i]);
    }
}

void mon_profile_print_folded(const MonProfileData *data, GString *out)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GPtrArray) stacks = g_ptr_array_new();
    for (guint i = 0; i < data->nodes->len; i++) {
        g_autoptr(GString) stack = g_string_new(NULL);
        append_path(data, (int)i, stack);
        add_stack(known, stacks, stack->str, node_at(data, (int)i)->self.compute_ps);
    }
    for (guint i = 0; i < data->calls->len; i++)
        add_call(data, &g_array_index(data->calls, MonProfileCall, i), known, stacks);
    for (guint i = 0; i < stacks->len; i++) {
        uint64_t ns = (*(uint64_t *)g_hash_table_lookup(known, stacks->pdata[i]) + 500) / 1000;
        if (ns)
            g_string_append_printf(out, "%s %" G_GUINT64_FORMAT "\n", (char *)stacks->pdata[i], ns);
    }
}
