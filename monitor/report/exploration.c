/* exploration.c - what `orrery explore` has found, as JSON. */
#include "base/write_file.h"
#include "monitor/monitor.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *text_or_null(const char *text)
{
    if (!text)
        return json_null();
    json_t *string = json_string(text);
    return string ? string : json_string("(not UTF-8)");
}

static json_t *explored_json(const MachExplored *explored, const char *command)
{
    json_t *object = json_object();
    GString *choices = g_string_new(NULL);
    mpi_choices_print(explored->choices, choices);
    json_object_set_new(object, "executions", json_integer((json_int_t)explored->runs));
    json_object_set_new(object, "choices", text_or_null(choices->str));
    if (command)
        json_object_set_new(object, "command", text_or_null(command));
    g_string_free(choices, TRUE);
    return object;
}

static json_t *failures_json(const MachExploration *result, const GPtrArray *commands)
{
    json_t *list = json_array();
    for (guint i = 0; i < result->failures->len; i++) {
        const MachExplored *failure = result->failures->pdata[i];
        json_t *object = explored_json(failure, commands->pdata[i]);
        json_object_set_new(object, "failure", text_or_null(failure->key));
        json_object_set_new(object, "explanation", text_or_null(failure->what));
        json_object_set_new(object, "steps", text_or_null(failure->steps));
        json_object_set_new(object, "exit_status", json_integer(failure->status));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *outputs_json(const MachExploration *result, const GPtrArray *commands)
{
    json_t *list = json_array();
    for (guint i = 0; i < result->outputs->len; i++) {
        const MachExplored *output = result->outputs->pdata[i];
        json_t *object = explored_json(output, commands->pdata[result->failures->len + i]);
        json_object_set_new(object, "output", text_or_null(output->what));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *remarks_json(const MachExploration *result)
{
    json_t *list = json_array();
    for (guint i = 0; i < result->remarks->len; i++) {
        const MachExplored *remark = result->remarks->pdata[i];
        json_t *object = explored_json(remark, NULL);
        json_object_set_new(object, "remark", text_or_null(remark->what));
        json_array_append_new(list, object);
    }
    return list;
}

bool mon_write_exploration(const MachExploration *result, const GPtrArray *commands, const char *path, GError **error)
{
    json_t *root = json_object();
    json_object_set_new(root, "orrery", json_integer(1));
    json_object_set_new(root, "executions", json_integer((json_int_t)result->runs));
    json_object_set_new(root, "choice_points", json_integer((json_int_t)result->points));
    json_object_set_new(root, "complete", json_boolean(result->complete));
    json_object_set_new(root, "interrupted", json_boolean(result->interrupted));
    json_object_set_new(root, "failures", failures_json(result, commands));
    json_object_set_new(root, "outputs", outputs_json(result, commands));
    json_object_set_new(root, "remarks", remarks_json(result));
    char *text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    g_autofree char *whole = g_strconcat(text, "\n", NULL);
    free(text);
    return base_write_report(path, whole, strlen(whole), error);
}
