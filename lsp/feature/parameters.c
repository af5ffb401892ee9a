/* parameters.c - parameters of C functions as text: what hover, completion and signatures show of them. */
#include "lsp/feature/feature.h"
#include "lsp/lsp.h"

#include <string.h>

GPtrArray *lsp_parameters(const char *head)
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

char *lsp_parameter_name(const char *parameter)
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
