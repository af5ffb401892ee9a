/* nearest.c - the word that was probably meant.
 *
 * Edit distance with insertion, deletion, substitution and exchange of neighbours, each 1, and 0 for a difference in
 * case only or between '-' and '_'. Ties go to the name that comes first in the list, so the answer does not depend on
 * anything else.
 */
#include "base/nearest.h"

#include <glib.h>
#include <string.h>

enum { LONGEST = 63 };

static char plain(char c)
{
    return c == '_' ? '-' : g_ascii_tolower(c);
}

static unsigned edit_distance(const char *a, const char *b)
{
    size_t n = MIN(strlen(a), LONGEST), m = MIN(strlen(b), LONGEST);
    unsigned rows[3][LONGEST + 2];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = (unsigned)j;
    memcpy(before, last, sizeof rows[0]);
    for (size_t i = 1; i <= n; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned differs = plain(a[i - 1]) != plain(b[j - 1]);
            row[j] = MIN(MIN(last[j] + 1, row[j - 1] + 1), last[j - 1] + differs);
            if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) && plain(a[i - 2]) == plain(b[j - 1]))
                row[j] = MIN(row[j], before[j - 2] + 1);
        }
        unsigned *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

const char *base_nearest(const char *name, const char *const *names)
{
    enum { LEAST_PREFIX = 3 };
    const char *best = NULL;
    size_t length = strlen(name);
    for (const char *const *n = names; length >= LEAST_PREFIX && *n; n++) /* an abbreviation */
        if (strncmp(*n, name, length) == 0 && (!best || strlen(*n) < strlen(best)))
            best = *n;
    if (best)
        return best;
    unsigned best_distance = (unsigned)strlen(name) / 2 + 1; /* farther than that is not a misspelling */
    for (; *names; names++) {
        unsigned distance = edit_distance(name, *names);
        if (distance < best_distance) {
            best = *names;
            best_distance = distance;
        }
    }
    return best;
}
