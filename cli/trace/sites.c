/* sites.c - which places in the source of two versions of a program are the same.
 *
 * A place is known by its caller and by what is called there, not by its line, which moves when lines are added above.
 * The places of a caller are taken in the order of their lines, and the two orders are aligned by their longest common
 * subsequence, as programs do that compare texts.
 */
#include "cli/trace/trace_command.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096 }; /* places of one caller: those behind are not matched */

typedef struct Place {
    uint32_t site;
    TraceSite of;
    const char *function; /* that is called there first */
} Place;

static int by_caller(gconstpointer a, gconstpointer b)
{
    const Place *one = a, *other = b;
    int order = strcmp(one->of.function, other->of.function);
    order = order ? order : strcmp(one->of.file, other->of.file);
    if (order || one->of.line != other->of.line)
        return order ? order : one->of.line < other->of.line ? -1 : 1;
    return (one->site > other->site) - (one->site < other->site);
}

/* Returns the places that calls have come from, in the order of callers and lines; NULL with an error. */
static GArray *places_of(TraceReader *reader, GError **error)
{
    TraceSelection calls = trace_selection_all();
    g_autoptr(GArray) known = g_array_new(FALSE, TRUE, sizeof(bool));
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
    calls.kinds = UINT64_C(1) << TRACE_CALL;
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, &calls);
    TraceEvent event;
    while (trace_cursor_next(cursor, &event)) {
        uint64_t site = event.fields[TRACE_CALL_SITE];
        TraceSite of = trace_reader_site(reader, site);
        if (!of.file || (site < known->len && g_array_index(known, bool, site)))
            continue;
        if (site >= known->len)
            g_array_set_size(known, (guint)site + 1);
        g_array_index(known, bool, site) = true;
        Place place = {(uint32_t)site, of, trace_reader_text(reader, event.fields[TRACE_CALL_FUNCTION])};
        g_array_append_val(places, place);
    }
    if (!trace_cursor_end(cursor, error))
        return NULL;
    g_array_sort(places, by_caller);
    return g_steal_pointer(&places);
}

/* Returns how many places from `first` on have the same caller. */
static guint of_caller(const GArray *places, guint first)
{
    guint n = 1;
    while (first + n < places->len && strcmp(g_array_index(places, Place, first).of.function,
                                             g_array_index(places, Place, first + n).of.function) == 0)
        n++;
    return n;
}

static bool same_calls(const Place *one, const Place *other)
{
    return strcmp(one->function, other->function) == 0;
}

/* Aligns the n and m places of a caller in the two versions, and notes the pairs. */
static void align(const Place *one, guint n, const Place *other, guint m, GArray *pairs)
{
    g_autofree uint16_t *common = g_new0(uint16_t, (gsize)(n + 1) * (m + 1)); /* of what follows i and k */
#define COMMON(i, k) common[(gsize)(i) * (m + 1) + (k)]
    for (guint i = n; i-- > 0;)
        for (guint k = m; k-- > 0;)
            COMMON(i, k) = same_calls(&one[i], &other[k]) ? (uint16_t)(COMMON(i + 1, k + 1) + 1)
                                                          : MAX(COMMON(i + 1, k), COMMON(i, k + 1));
    for (guint i = 0, k = 0; i < n && k < m;) {
        if (same_calls(&one[i], &other[k]))
            g_array_index(pairs, uint32_t, other[k++].site) = one[i++].site;
        else if (COMMON(i + 1, k) >= COMMON(i, k + 1))
            i++;
        else
            k++;
    }
#undef COMMON
}

static GArray *match(const GArray *one, const GArray *other)
{
    GArray *pairs = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    for (guint k = 0; k < other->len; k++)
        if (g_array_index(other, Place, k).site >= pairs->len)
            g_array_set_size(pairs, g_array_index(other, Place, k).site + 1);
    for (guint i = 0, k = 0; i < one->len && k < other->len;) {
        guint n = of_caller(one, i), m = of_caller(other, k);
        int order = strcmp(g_array_index(one, Place, i).of.function, g_array_index(other, Place, k).of.function);
        if (order == 0)
            align(&g_array_index(one, Place, i), MIN(n, LONGEST), &g_array_index(other, Place, k), MIN(m, LONGEST),
                  pairs);
        i += order <= 0 ? n : 0;
        k += order >= 0 ? m : 0;
    }
    return pairs;
}

GArray *cli_trace_match_sites(TraceReader *const readers[2], GError **error)
{
    g_autoptr(GArray) one = places_of(readers[0], error);
    g_autoptr(GArray) other = one ? places_of(readers[1], error) : NULL;
    return other ? match(one, other) : NULL;
}
