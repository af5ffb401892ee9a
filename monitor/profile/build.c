/* build.c - makes functions and lines of what was metered by instruction (MonProfileData).
 *
 * The VM charges a block of instructions where it ends. Here its time is divided among its instructions, in proportion
 * to what they cost by their class, rounded so that the parts add up to it. Debug information says which line each of
 * them belongs to, and which inlined functions: these become nodes between a function and what it calls.
 */
#include "monitor/profile/inside.h"

#include <string.h>

/* -- times ------------------------------------------------------------------------------------- */

uint64_t mon_profile_times_waiting(const MonTimes *times)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++)
        sum += times->wait_ps[i];
    return sum;
}

uint64_t mon_profile_times_all(const MonTimes *times)
{
    return times->compute_ps + times->overhead_ps + mon_profile_times_waiting(times);
}

void mon_profile_times_add(MonTimes *sum, const MonTimes *times)
{
    sum->compute_ps += times->compute_ps;
    sum->overhead_ps += times->overhead_ps;
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++)
        sum->wait_ps[i] += times->wait_ps[i];
}

void mon_profile_counts_add(MonCounts *sum, const MonCounts *counts)
{
    sum->instructions += counts->instructions;
    sum->loads += counts->loads;
    sum->stores += counts->stores;
    sum->branches += counts->branches;
    sum->mispredicted += counts->mispredicted;
    for (unsigned i = 0; i < VM_CACHE_LEVELS; i++)
        sum->misses[i] += counts->misses[i];
}

/* -- nodes and lines ---------------------------------------------------------------------------- */

typedef struct LineKey {
    int node;
    const char *file; /* equal texts are one */
    uint32_t line;
} LineKey;

typedef struct Build {
    MonProfile *profile;
    MonProfileData *data;
    const VcodeModule *module; /* of the node that is being read */
    GHashTable *lines;         /* LineKey -> index + 1 in data->lines */
    GHashTable *metered;       /* VmMeterNode -> index + 1 of its node */
    GPtrArray *children;       /* GArray of int by node: indices of its children */
} Build;

static guint key_hash(gconstpointer data)
{
    const LineKey *key = data;
    return ((guint)key->node * 0x9e3779b1u ^ key->line) * 0x85ebca6bu ^ g_direct_hash(key->file);
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    const LineKey *x = a, *y = b;
    return x->node == y->node && x->file == y->file && x->line == y->line;
}

static const char *text(Build *build, const char *name)
{
    return g_string_chunk_insert_const(build->profile->text, name);
}

static const char *file_text(Build *build, uint32_t file)
{
    return text(build, vcode_source_name(build->module, file));
}

static MonProfileNode *node_at(const MonProfileData *data, int node)
{
    return &g_array_index(data->nodes, MonProfileNode, node);
}

static bool is_same(const MonProfileNode *a, const MonProfileNode *b)
{
    return a->function == b->function && a->file == b->file && a->line == b->line && a->call_line == b->call_line &&
           a->call_file == b->call_file && a->phase == b->phase && a->inlined == b->inlined;
}

/* Returns the index of the child of `node->parent` that is like `node`, made if need be. */
static int child(Build *build, const MonProfileNode *node)
{
    GArray *among = g_ptr_array_index(build->children, node->parent + 1);
    for (guint i = 0; i < among->len; i++)
        if (is_same(node_at(build->data, g_array_index(among, int, i)), node))
            return g_array_index(among, int, i);
    int index = (int)build->data->nodes->len;
    g_array_append_val(build->data->nodes, *node);
    g_array_append_val(among, index);
    g_ptr_array_add(build->children, g_array_new(FALSE, FALSE, sizeof(int)));
    return index;
}

/* Returns the node of an expansion within `node`, whose own code it is expanded into. */
static int expanded(Build *build, int node, uint32_t inlined)
{
    if (inlined == VCODE_NONE)
        return node;
    const VcodeInline *expansion = &build->module->inlines.items[inlined];
    MonProfileNode made = {.parent = expanded(build, node, expansion->parent),
                           .phase = node_at(build->data, node)->phase,
                           .function = text(build, vcode_text(build->module, expansion->name)),
                           .file = file_text(build, expansion->file),
                           .line = expansion->line,
                           .call_file = file_text(build, expansion->call_file),
                           .call_line = expansion->call_line,
                           .inlined = true};
    return child(build, &made);
}

static MonProfileLine *line_of(Build *build, int node, const char *file, uint32_t line)
{
    LineKey key = {node, file, line};
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(build->lines, &key));
    if (!index) {
        MonProfileLine made = {.node = node, .file = file, .line = line};
        g_array_append_val(build->data->lines, made);
        index = build->data->lines->len;
        g_hash_table_insert(build->lines, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(index));
    }
    return &g_array_index(build->data->lines, MonProfileLine, index - 1);
}

/* The line of an instruction of a node. */
static MonProfileLine *line_at(Build *build, int node, uint32_t pc)
{
    const VcodeLine *line = vcode_pc_line(build->module, pc);
    if (!line)
        return line_of(build, node, text(build, "?"), 0);
    return line_of(build, expanded(build, node, line->inlined), file_text(build, line->file), line->line);
}

/* -- instructions ------------------------------------------------------------------------------ */

static MonCounts counts_of(VcodeInstr i, uint64_t times)
{
    VcodeKind kind = vcode_op_info[vcode_op(i)].kind;
    return (MonCounts){.instructions = times,
                       .loads = kind == VCODE_KIND_LOAD ? times : 0,
                       .stores = kind == VCODE_KIND_STORE ? times : 0,
                       .branches = kind == VCODE_KIND_BRANCH || kind == VCODE_KIND_BRANCH_REAL ? times : 0};
}

/* What the whole block has cost by itself, as far as so much time has passed. */
static uint64_t block_ps(const VmMeterCell *cell, uint64_t cost_q8)
{
    unsigned __int128 q8 = (unsigned __int128)cell->times * cost_q8;
    unsigned __int128 ps = q8 * cell->node->period_q32 >> 40;
    return ps < cell->compute_ps ? (uint64_t)ps : cell->compute_ps;
}

/* Divides the time of a block among its instructions. What was not charged for the block belongs to the last one. */
static void add_block(Build *build, int node, const VmMeterCell *cell)
{
    const VmImage *image = cell->node->image;
    uint32_t first;
    uint64_t cost_q8 = vm_meter_block_cost(image, cell->pc, &first), all_ps = block_ps(cell, cost_q8);
    uint64_t sum = 0, weight = 0, given_ps = 0;
    for (uint32_t pc = first; pc <= cell->pc; pc++)
        sum += vm_meter_instruction_cost(image, pc);
    for (uint32_t pc = first; pc <= cell->pc; pc++) {
        MonProfileLine *line = line_at(build, node, pc);
        weight += vm_meter_instruction_cost(image, pc);
        uint64_t until_ps = sum ? (uint64_t)((unsigned __int128)all_ps * weight / sum) : 0;
        MonCounts counts = counts_of(build->module->code.items[pc], cell->times);
        mon_profile_counts_add(&line->counts, &counts);
        line->times.compute_ps += pc == cell->pc ? cell->compute_ps - given_ps : until_ps - given_ps;
        given_ps = until_ps;
    }
}

static void add_call(Build *build, const MonProfileLine *line, const VmMeterCell *cell)
{
    VcodeInstr i = build->module->code.items[cell->pc];
    MonProfileCall call = {.node = line->node,
                           .name = vcode_op(i) == VCODE_CALLX
                                       ? vcode_text(build->module, build->module->externs.items[vcode_imm32(i)].name)
                                       : "?",
                           .program = build->module,
                           .file = line->file,
                           .line = line->line,
                           .pc = cell->pc,
                           .times = *(const MonTimes *)cell->own};
    g_array_append_val(build->data->calls, call);
}

static void add_cell(Build *build, int node, const VmMeterCell *cell)
{
    if (vm_meter_ends_block(cell->node->image, cell->pc))
        add_block(build, node, cell);
    else
        line_at(build, node, cell->pc)->times.compute_ps += cell->compute_ps;
    MonProfileLine *line = line_at(build, node, cell->pc);
    if (cell->own && mon_profile_times_all(cell->own)) {
        mon_profile_times_add(&line->times, cell->own);
        add_call(build, line, cell);
    }
    line->counts.mispredicted += cell->mispredicted;
    for (unsigned i = 0; i < VM_CACHE_LEVELS; i++)
        line->counts.misses[i] += cell->misses[i];
}

/* -- paths ------------------------------------------------------------------------------------- */

static void add_node(Build *build, int parent, const VmMeterNode *metered)
{
    build->module = vm_image_module(metered->image);
    const VcodeFunction *function = &build->module->functions.items[metered->function];
    const VcodeLine *call = metered->parent ? vcode_pc_line(build->module, metered->call_pc) : NULL;
    MonProfileNode made = {.parent = call ? expanded(build, parent, call->inlined) : parent,
                           .phase = metered->phase,
                           .function = text(build, vcode_text(build->module, function->name)),
                           .file = file_text(build, function->file),
                           .line = function->line,
                           .call_file = call ? file_text(build, call->file) : text(build, "?"),
                           .call_line = call ? call->line : 0,
                           .metered = metered};
    int node = child(build, &made);
    g_hash_table_insert(build->metered, (gpointer)(uintptr_t)metered, GINT_TO_POINTER(node + 1));
    for (uint32_t i = 0; i < metered->end - metered->start; i++)
        if (metered->cells[i] && !mon_profile_cell_is_empty(metered->cells[i]))
            add_cell(build, node, metered->cells[i]);
    g_autoptr(GPtrArray) below = mon_profile_ordered_nodes(metered);
    for (guint i = 0; i < below->len; i++)
        add_node(build, node, below->pdata[i]);
}

static void add_calls(Build *build, const VmMeterNode *metered)
{
    for (guint i = 0; i < metered->edges->len; i++) {
        const VmMeterEdge *edge = &g_array_index(metered->edges, VmMeterEdge, i);
        int node = GPOINTER_TO_INT(g_hash_table_lookup(build->metered, edge->to)) - 1;
        if (node != MON_NO_NODE)
            node_at(build->data, node)->calls += edge->calls;
    }
    for (guint i = 0; i < metered->nodes->len; i++)
        add_calls(build, g_array_index(metered->nodes, VmMeterNode *, i));
}

/* Sums lines up to nodes, and nodes to their callers. */
static void sum_up(MonProfileData *data)
{
    for (guint i = 0; i < data->lines->len; i++) {
        const MonProfileLine *line = &g_array_index(data->lines, MonProfileLine, i);
        MonProfileNode *node = node_at(data, line->node);
        mon_profile_times_add(&node->self, &line->times);
        mon_profile_counts_add(&node->counts, &line->counts);
        mon_profile_times_add(&data->times, &line->times);
        mon_profile_counts_add(&data->counts, &line->counts);
        mon_profile_times_add(&g_array_index(data->levels, MonProfilePhase, node->phase).times, &line->times);
    }
    for (guint i = data->nodes->len; i--;) {
        MonProfileNode *node = node_at(data, (int)i);
        mon_profile_times_add(&node->total, &node->self);
        if (node->parent != MON_NO_NODE)
            mon_profile_times_add(&node_at(data, node->parent)->total, &node->total);
    }
}

void mon_profile_build_nodes(MonProfile *profile)
{
    Build build = {.profile = profile,
                   .data = profile->data,
                   .lines = g_hash_table_new_full(key_hash, key_equal, g_free, NULL),
                   .metered = g_hash_table_new(NULL, NULL),
                   .children = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref)};
    g_autoptr(GPtrArray) roots = mon_profile_ordered_roots(profile);
    g_ptr_array_add(build.children, g_array_new(FALSE, FALSE, sizeof(int)));
    for (guint i = 0; i < roots->len; i++)
        add_node(&build, MON_NO_NODE, roots->pdata[i]);
    for (guint i = 0; i < roots->len; i++)
        add_calls(&build, roots->pdata[i]);
    sum_up(profile->data);
    g_hash_table_unref(build.lines);
    g_hash_table_unref(build.metered);
    g_ptr_array_unref(build.children);
}
