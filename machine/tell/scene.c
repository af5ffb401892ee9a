/* scene.c - the line where a program has stopped: its text, the place in it, the values that led there.
 *
 * The line is read as words: names that are variables in scope are shown with their values, "name[index]" is held
 * against the array. That is no parser; what macros hide stays hidden. */
#include "machine/tell/scene.h"

#include "vm/value.h"

#include <string.h>

enum { LONGEST_LINE = 100, LONGEST_VALUE = 40, MOST_NAMES = 6 };

typedef struct Scene {
    VmRank *rank;
    const VmFrame *frame;
    const VcodeModule *module;
    GString *values, *indices, *hidden; /* hidden: names of variables that are optimised out */
    GPtrArray *seen;                    /* char *: names that were looked up */
    char *null;                         /* the first pointer that is null; NULL: none is */
} Scene;

/* -- variables by name ------------------------------------------------------------------------- */

/* The innermost variable of the name that is visible in the frame, or a global one; NULL: none. */
static const VcodeVariable *find_variable(const Scene *scene, const char *name)
{
    const VcodeVariable *best = NULL;
    for (uint32_t i = 0; i < scene->module->variables.count; i++) {
        const VcodeVariable *variable = &scene->module->variables.items[i];
        bool global = variable->function == VCODE_NONE && variable->location == VCODE_AT_DATA;
        if (strcmp(vcode_text(scene->module, variable->name), name) != 0 ||
            !(global || vm_variable_in_scope(variable, scene->frame)))
            continue;
        if (!best || best->function == VCODE_NONE ||
            (!global && variable->pc_high - variable->pc_low <= best->pc_high - best->pc_low))
            best = variable;
    }
    return best;
}

static const VcodeType *type_of(const Scene *scene, const VcodeVariable *variable)
{
    return vm_type_record(scene->module, vm_type_strip(scene->module, variable->type));
}

static bool is_scalar(const VcodeType *type)
{
    return type && type->kind != VCODE_TYPE_ARRAY && type->kind != VCODE_TYPE_STRUCT &&
           type->kind != VCODE_TYPE_UNION && type->kind != VCODE_TYPE_FUNCTION && type->size <= 8;
}

/* Handles of MPI are numbers that mean nothing to people. */
static bool is_handle(const Scene *scene, const VcodeVariable *variable)
{
    g_autoptr(GString) type = g_string_new(NULL);
    vm_type_format(scene->module, variable->type, type);
    return g_str_has_prefix(type->str, "MPI_") && !strchr(type->str, '*');
}

static bool load(const Scene *scene, const VcodeVariable *variable, VmValue *value, uint64_t *bits)
{
    *value = vm_variable_value(variable, scene->frame);
    value->frame = *scene->frame;
    value->framed = true;
    return vm_value_load(scene->rank, value, bits, NULL);
}

/* -- what the line says ------------------------------------------------------------------------ */

static bool first_time(Scene *scene, const char *name)
{
    for (guint i = 0; i < scene->seen->len; i++)
        if (strcmp(g_ptr_array_index(scene->seen, i), name) == 0)
            return false;
    g_ptr_array_add(scene->seen, g_strdup(name));
    return true;
}

static void tell_value(Scene *scene, const char *name, const VcodeVariable *variable)
{
    VmValue value;
    uint64_t bits;
    g_autoptr(GString) text = g_string_new(NULL);
    if (scene->seen->len >= MOST_NAMES || !is_scalar(type_of(scene, variable)) || is_handle(scene, variable) ||
        !first_time(scene, name))
        return;
    if (!load(scene, variable, &value, &bits)) {
        g_string_append_printf(scene->hidden, "%s%s", scene->hidden->len ? ", " : "", name);
        return;
    }
    vm_value_format(scene->rank, &value, text);
    if (bits == 0 && type_of(scene, variable)->kind == VCODE_TYPE_POINTER && !scene->null)
        scene->null = g_strdup(name);
    if (text->len <= LONGEST_VALUE)
        g_string_append_printf(scene->values, "%s%s = %s", scene->values->len ? ", " : "", name, text->str);
}

/* "name[index]": whether the index is one of the array. `index` is a name, or a number. */
static void tell_index(Scene *scene, const char *name, const VcodeVariable *variable, const char *index)
{
    const VcodeType *type = type_of(scene, variable);
    const VcodeVariable *by = g_ascii_isdigit(*index) ? NULL : find_variable(scene, index);
    uint64_t count, bits;
    VmValue value;
    g_autofree char *whole = g_strdup_printf("%s[%s]", name, index);
    if (!type || type->kind != VCODE_TYPE_ARRAY || !vm_type_array_count(scene->rank, scene->frame, type, &count) ||
        count == 0)
        return;
    if (by ? !is_scalar(type_of(scene, by)) || !load(scene, by, &value, &bits)
           : !g_ascii_string_to_unsigned(index, 10, 0, INT64_MAX, &bits, NULL))
        return;
    if (bits < count || !first_time(scene, whole))
        return;
    g_string_append_printf(scene->indices, "%s%s", scene->indices->len ? "; " : "", by ? index : "");
    if (by)
        g_string_append(scene->indices, " = ");
    g_string_append_printf(scene->indices,
                           "%" G_GINT64_FORMAT " is no index of %s, whose elements are 0 to %" G_GUINT64_FORMAT,
                           (gint64)bits, name, count - 1);
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (g_ascii_isalnum(at[n]) || at[n] == '_')
        n++;
    return n;
}

/* Looks at a name, and at the index behind it if that is a single word. */
static void tell_name(Scene *scene, const char *name, const char *behind)
{
    const VcodeVariable *variable = find_variable(scene, name);
    behind += strspn(behind, " ");
    if (!variable || *behind == '(')
        return;
    tell_value(scene, name, variable);
    if (*behind != '[')
        return;
    behind += 1 + strspn(behind + 1, " ");
    size_t length = word_length(behind);
    if (length > 0 && behind[length + strspn(behind + length, " ")] == ']') {
        g_autofree char *index = g_strndup(behind, length);
        tell_index(scene, name, variable, index);
    }
}

/* Returns what follows a string, a character or a comment to the end of the line; the same place if none is there. */
static const char *skip_text(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strlen(at);
    if (*at != '"' && *at != '\'')
        return at;
    char quote = *at++;
    for (; *at && *at != quote; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

static void read_line(Scene *scene, const char *line)
{
    for (const char *at = line; *at;) {
        const char *behind = skip_text(at);
        size_t length = word_length(at);
        if (behind > at) {
            at = behind;
        } else if (length == 0) {
            at++;
        } else {
            bool member = (at > line && at[-1] == '.') || (at > line + 1 && at[-1] == '>' && at[-2] == '-');
            g_autofree char *name = g_strndup(at, length);
            if (!member && !g_ascii_isdigit(*name))
                tell_name(scene, name, at + length);
            at += length;
        }
    }
}

/* -- the text ---------------------------------------------------------------------------------- */

/* The column of the instruction, from 1; 0: not known. */
static uint32_t column_of(const VcodeModule *module, const VmFrame *frame)
{
    uint32_t low = 0, high = module->lines.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (module->lines.items[middle].pc <= frame->pc)
            low = middle + 1;
        else
            high = middle;
    }
    const VcodeLine *row = low ? &module->lines.items[low - 1] : NULL;
    return row && row->line == frame->line && row->file == frame->file ? row->column : 0;
}

/* Below the text: blanks as wide as what stands before the column; tabs stay. */
static void append_caret(const char *line, const char *text, uint32_t column, const char *indent, GString *out)
{
    if (column == 0 || column > strlen(line) || line + column - 1 < text)
        return;
    g_string_append(out, indent);
    for (const char *at = text; at < line + column - 1; at++)
        if (((unsigned char)*at & 0xc0) != 0x80)
            g_string_append_c(out, *at == '\t' ? '\t' : ' ');
    g_string_append(out, "^\n");
}

static bool was_null(const VmRank *rank)
{
    const VmFault *fault = vm_rank_fault_info(rank);
    return fault && fault->kind == VM_FAULT_NULL_POINTER;
}

static void append_values(const Scene *scene, const char *indent, GString *out)
{
    if (scene->values->len)
        g_string_append_printf(out, "%swith %s\n", indent, scene->values->str);
    if (scene->hidden->len)
        g_string_append_printf(out, "%s(optimised out: %s; -O0 shows more)\n", indent, scene->hidden->str);
    if (scene->indices->len)
        g_string_append_printf(out, "%s%s\n", indent, scene->indices->str);
    if (scene->null && was_null(scene->rank))
        g_string_append_printf(
            out, "%s%s is null here: it was never set, or what gave it had nothing to give; test it before use\n",
            indent, scene->null);
}

void mach_scene_append(VmRank *rank, const VmFrame *frame, const char *indent, GString *out)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    uint32_t count;
    g_auto(GStrv) lines = vcode_source_lines(module, frame->file, &count);
    if (frame->line == 0 || frame->line > count)
        return;
    const char *line = lines[frame->line - 1];
    g_autofree char *text = g_strstrip(g_strndup(line, LONGEST_LINE));
    if (!*text || !g_utf8_validate(text, -1, NULL))
        return;
    g_string_append_printf(out, "%s%s\n", indent, text);
    if (strlen(line) < LONGEST_LINE)
        append_caret(line, line + strspn(line, " \t"), column_of(module, frame), indent, out);
    Scene scene = {rank,
                   frame,
                   module,
                   g_string_new(NULL),
                   g_string_new(NULL),
                   g_string_new(NULL),
                   g_ptr_array_new_with_free_func(g_free),
                   NULL};
    read_line(&scene, text);
    append_values(&scene, indent, out);
    g_string_free(scene.values, TRUE);
    g_string_free(scene.indices, TRUE);
    g_string_free(scene.hidden, TRUE);
    g_ptr_array_unref(scene.seen);
    g_free(scene.null);
}
