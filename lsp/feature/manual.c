/* manual.c - what MPI's functions and their parameters mean, from manual.def; and parameters of C functions as text. */
#include "lsp/feature/feature.h"

#include <string.h>

typedef struct Entry {
    const char *name, *text;
} Entry;

static const Entry functions[] = {
#define MANUAL(name, text) {#name, text},
#include "lsp/feature/manual.def"
};
static const Entry parameters[] = {
#define PARAMETER(name, text) {#name, text},
#include "lsp/feature/manual.def"
};

static const char *look_up(const Entry *entries, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(entries[i].name, name) == 0)
            return entries[i].text;
    return NULL;
}

static const char *function(const char *name)
{
    return look_up(functions, G_N_ELEMENTS(functions), name);
}

char *lsp_manual_function(const char *name)
{
    const char *form = "";
    if (*name == 'P')
        name++;
    if (!g_str_has_prefix(name, "MPI_"))
        return NULL;
    g_autofree char *stem = g_strdup(name + strlen("MPI_"));
    if (g_str_has_suffix(stem, "_c") && !function(stem)) {
        stem[strlen(stem) - 2] = '\0';
        form = " Counts are of type MPI_Count.";
    }
    if (function(stem))
        return g_strconcat(function(stem), form, NULL);
    if (g_str_has_suffix(stem, "_init")) {
        stem[strlen(stem) - strlen("_init")] = '\0';
        return function(stem) ? g_strconcat("Prepares a persistent operation, for MPI_Start. Started, it does this: ",
                                            function(stem), form, NULL)
                              : NULL;
    }
    if (stem[0] != 'I' || !stem[1])
        return NULL;
    stem[1] = g_ascii_toupper(stem[1]);
    return function(stem + 1) ? g_strconcat("Begins an operation and returns at once; a wait or test completes it, and "
                                            "until then its buffers are not to be touched. The operation: ",
                                            function(stem + 1), form, NULL)
                              : NULL;
}

const char *lsp_manual_parameter(const char *name)
{
    return look_up(parameters, G_N_ELEMENTS(parameters), name);
}

GPtrArray *lsp_manual_parameters(const char *head)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    const char *open = strchr(head, '('), *from = open ? open + 1 : NULL;
    int depth = 0;
    for (const char *at = from; at && *at; at++) {
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (!(depth == 0 && *at == ',') && depth >= 0)
            continue;
        char *text = g_strstrip(g_strndup(from, (gsize)(at - from)));
        if (*text && strcmp(text, "void") != 0)
            g_ptr_array_add(list, text);
        else
            g_free(text);
        from = at + 1;
        if (depth < 0)
            break;
    }
    return list;
}

char *lsp_manual_parameter_name(const char *parameter)
{
    g_autofree char *text = g_strdup(parameter);
    char *pointer = strstr(text, "(*");
    char *end = pointer ? pointer + 2 + strcspn(pointer + 2, ")") : text + strcspn(text, "[");
    while (end > text && !g_ascii_isalnum(end[-1]) && end[-1] != '_')
        end--;
    char *start = end;
    while (start > text && (g_ascii_isalnum(start[-1]) || start[-1] == '_'))
        start--;
    *end = '\0';
    return start > text && lsp_words_is_name(start) ? g_strdup(start) : NULL;
}
