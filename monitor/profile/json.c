/* json.c - a profile as JSON: an object with "orrery" (version of this layout, 1) and "schema" ("orrery-profile"). Keys
 * are added, never changed in meaning. Times are picoseconds. Nodes and lines refer to nodes by index; parents come
 * before their children. */
#include "monitor/profile/inside.h"

#include <jansson.h>
#include <stdlib.h>

static void set_number(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *key, const char *value)
{
    json_t *text = json_string(value);
    json_object_set_new(object, key, text ? text : json_string("?")); /* a name may be no UTF-8 */
}

/* Causes without time are left out. */
static json_t *times_json(const MonTimes *times)
{
    json_t *object = json_object(), *waits = json_object();
    set_number(object, "compute_ps", times->compute_ps);
    set_number(object, "overhead_ps", times->overhead_ps);
    set_number(object, "blocked_ps", mon_profile_times_waiting(times));
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++)
        if (times->wait_ps[i])
            set_number(waits, mpi_wait_name((MpiWaitCause)i), times->wait_ps[i]);
    json_object_set_new(object, "wait_ps", waits);
    return object;
}

static json_t *counts_json(const MonProfileData *data, const MonCounts *counts)
{
    json_t *object = json_object();
    set_number(object, "instructions", counts->instructions);
    set_number(object, "loads", counts->loads);
    set_number(object, "stores", counts->stores);
    set_number(object, "branches", counts->branches);
    if (data->has_predictor)
        set_number(object, "mispredicted", counts->mispredicted);
    if (data->has_caches) {
        json_t *misses = json_array();
        for (unsigned i = 0; i < VM_CACHE_LEVELS; i++)
            json_array_append_new(misses, json_integer((json_int_t)counts->misses[i]));
        json_object_set_new(object, "cache_misses", misses);
    }
    return object;
}

static void set_place(json_t *object, const char *file, uint32_t line)
{
    set_text(object, "file", file);
    set_number(object, "line", line);
}

static json_t *nodes_json(const MonProfileData *data)
{
    json_t *rows = json_array();
    for (guint i = 0; i < data->nodes->len; i++) {
        const MonProfileNode *node = &g_array_index(data->nodes, MonProfileNode, i);
        json_t *row = json_object();
        json_object_set_new(row, "parent", node->parent == MON_NO_NODE ? json_null() : json_integer(node->parent));
        set_number(row, "phase", node->phase);
        set_text(row, "function", node->function);
        set_place(row, node->file, node->line);
        set_text(row, "call_file", node->call_file);
        set_number(row, "call_line", node->call_line);
        json_object_set_new(row, "inlined", json_boolean(node->inlined));
        set_number(row, "calls", node->calls);
        json_object_set_new(row, "self", times_json(&node->self));
        json_object_set_new(row, "total", times_json(&node->total));
        json_object_set_new(row, "counts", counts_json(data, &node->counts));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *lines_json(const MonProfileData *data, const GArray *lines)
{
    json_t *rows = json_array();
    for (guint i = 0; i < lines->len; i++) {
        const MonProfileLine *line = &g_array_index(lines, MonProfileLine, i);
        json_t *row = json_object();
        if (line->node != MON_NO_NODE)
            json_object_set_new(row, "node", json_integer(line->node));
        set_place(row, line->file, line->line);
        json_object_set_new(row, "times", times_json(&line->times));
        json_object_set_new(row, "counts", counts_json(data, &line->counts));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *calls_json(const MonProfileData *data)
{
    json_t *rows = json_array();
    for (guint i = 0; i < data->calls->len; i++) {
        const MonProfileCall *call = &g_array_index(data->calls, MonProfileCall, i);
        json_t *row = json_object();
        set_number(row, "node", (uint64_t)call->node);
        set_text(row, "call", call->name);
        set_place(row, call->file, call->line);
        json_object_set_new(row, "times", times_json(&call->times));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *functions_json(const MonProfileData *data)
{
    json_t *rows = json_array();
    for (guint i = 0; i < data->functions->len; i++) {
        const MonProfileFunction *function = &g_array_index(data->functions, MonProfileFunction, i);
        json_t *row = json_object();
        set_text(row, "function", function->function);
        set_place(row, function->file, function->line);
        json_object_set_new(row, "inlined", json_boolean(function->inlined));
        set_number(row, "calls", function->calls);
        json_object_set_new(row, "self", times_json(&function->self));
        json_object_set_new(row, "total", times_json(&function->total));
        json_object_set_new(row, "counts", counts_json(data, &function->counts));
        if (!function->inlined) {
            set_number(row, "least_ps", function->least_ps);
            set_number(row, "most_ps", function->most_ps);
            set_number(row, "mean_ps", function->mean_ps);
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *sites_json(const MonProfileData *data)
{
    json_t *rows = json_array();
    for (guint i = 0; i < data->sites->len; i++) {
        const MonProfileSite *site = &g_array_index(data->sites, MonProfileSite, i);
        json_t *row = json_object();
        set_number(row, "site", i + 1);
        set_text(row, "call", site->name);
        set_text(row, "function", site->function);
        set_place(row, site->file, site->line);
        set_number(row, "calls", site->calls);
        set_number(row, "max_ps", site->longest_ps);
        set_number(row, "imbalance_ps", site->imbalance_ps);
        set_number(row, "min_ps", site->shortest_ps);
        json_object_set_new(row, "times", times_json(&site->times));
        set_number(row, "messages", site->messages);
        set_number(row, "bytes", site->bytes);
        set_number(row, "min_bytes", site->least_bytes);
        set_number(row, "max_bytes", site->most_bytes);
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *collectives_json(const MonProfileData *data)
{
    json_t *rows = json_array();
    for (guint i = 0; i < data->collectives->len; i++) {
        const MonProfileCollective *collective = &g_array_index(data->collectives, MonProfileCollective, i);
        json_t *row = json_object();
        set_text(row, "collective", collective->name);
        set_text(row, "algorithm", collective->algorithm);
        set_number(row, "calls", collective->calls);
        set_number(row, "max_ps", collective->longest_ps);
        set_number(row, "min_ps", collective->shortest_ps);
        set_number(row, "bytes", collective->bytes);
        json_object_set_new(row, "times", times_json(&collective->times));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *phases_json(const GArray *phases)
{
    json_t *rows = json_array();
    for (guint i = 0; i < phases->len; i++) {
        const MonProfilePhase *phase = &g_array_index(phases, MonProfilePhase, i);
        json_t *row = json_object();
        set_text(row, "name", phase->name);
        json_object_set_new(row, "times", times_json(&phase->times));
        if (phase->first) {
            set_text(row, "file", phase->file);
            set_number(row, "first_line", phase->first);
            set_number(row, "last_line", phase->last);
            set_number(row, "turns", phase->turns);
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *ranks_json(const MonProfileData *data)
{
    json_t *rows = json_array();
    for (guint i = 0; i < data->by_rank->len; i++) {
        const MonProfileRank *rank = &g_array_index(data->by_rank, MonProfileRank, i);
        json_t *row = json_object();
        set_number(row, "rank", i);
        set_number(row, "finish_ps", rank->finish_ps);
        json_object_set_new(row, "times", times_json(&rank->times));
        json_array_append_new(rows, row);
    }
    return rows;
}

void mon_profile_print_json(const MonProfileData *data, GString *out)
{
    json_t *root = json_object();
    set_number(root, "orrery", 1);
    set_text(root, "schema", "orrery-profile");
    set_text(root, "machine", data->machine);
    set_number(root, "ranks_total", data->ranks);
    set_number(root, "makespan_ps", data->makespan_ps);
    json_object_set_new(root, "times", times_json(&data->times));
    set_number(root, "estimated_ps", data->estimated_ps);
    set_number(root, "imbalance_ps", data->imbalance_ps);
    json_object_set_new(root, "counts", counts_json(data, &data->counts));
    json_object_set_new(root, "functions", functions_json(data));
    json_object_set_new(root, "source_lines", lines_json(data, data->all_lines));
    json_object_set_new(root, "nodes", nodes_json(data));
    json_object_set_new(root, "lines", lines_json(data, data->lines));
    json_object_set_new(root, "sites", sites_json(data));
    json_object_set_new(root, "no_site", times_json(&data->no_site));
    json_object_set_new(root, "calls", calls_json(data));
    json_object_set_new(root, "collectives", collectives_json(data));
    json_object_set_new(root, "levels", phases_json(data->levels));
    json_object_set_new(root, "loops", phases_json(data->loops));
    json_object_set_new(root, "ranks", ranks_json(data));
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    g_string_append(out, text);
    g_string_append_c(out, '\n');
    free(text);
    json_decref(root);
}
