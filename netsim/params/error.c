/* error.c - refusals: what is wrong with a parameter, and the nearest name where one is unknown. */
#include "netsim/params/params.h"

#include <string.h>

GQuark net_error_quark(void)
{
    return g_quark_from_static_string("orrery-net-error");
}

bool net_error_refuse(GError **error, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, NET_ERROR, NET_ERROR_PARAMETER, "%s: %s", key, reason);
    return false;
}

/* Levenshtein distance (Wagner and Fischer, 1974), one row at a time; `a` is cut at 63 characters. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned row[64];
    unsigned length = (unsigned)MIN(strlen(a), G_N_ELEMENTS(row) - 1);
    for (unsigned i = 0; i <= length; i++)
        row[i] = i;
    for (unsigned j = 1; b[j - 1]; j++) {
        unsigned diagonal = row[0];
        row[0] = j;
        for (unsigned i = 1; i <= length; i++) {
            unsigned replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[i];
            row[i] = MIN(replaced, MIN(row[i], row[i - 1]) + 1);
        }
    }
    return row[length];
}

/* Whether a person may have meant `known` by `name`: one is the beginning of the other, or few letters differ. */
static unsigned name_distance(const char *name, const char *known)
{
    if (*name && (g_str_has_prefix(known, name) || g_str_has_prefix(name, known)))
        return 1;
    return edit_distance(name, known);
}

/* "no topology 'msh'; did you mean 'mesh'? There are: ..." */
void net_error_unknown(GError **error, const char *what, const char *name, const char *const *known)
{
    unsigned least = UINT_MAX;
    const char *nearest = known[0];
    for (size_t i = 0; known[i]; i++) {
        unsigned distance = name_distance(name, known[i]);
        if (distance < least) {
            least = distance;
            nearest = known[i];
        }
    }
    g_autofree char *all = g_strjoinv(", ", (char **)known);
    if (least <= MAX(2, strlen(nearest) / 2))
        g_set_error(error, NET_ERROR, NET_ERROR_UNKNOWN, "%s: there is no '%s'; did you mean '%s'? (known: %s)", what,
                    name, nearest, all);
    else
        g_set_error(error, NET_ERROR, NET_ERROR_UNKNOWN, "%s: there is no '%s' (known: %s)", what, name, all);
}
