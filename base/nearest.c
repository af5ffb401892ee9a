/* nearest.c - the word that was probably meant.
 *
 * Optimal string alignment: insert, delete, replace, swap neighbours, each one mistake. A letter in the wrong case, or
 * '_' for '-', is a quarter of one, so that of two names as far away the one with the right letters is nearer (MPI_INT,
 * not MPI_Init, for MPI_INTT). A third of the letters may be wrong, of one or two letters none. Ties go to the name
 * that is tried first, so the answer does not depend on anything else.
 */
#include "base/nearest.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

enum { MISTAKE = 4, WRONG_FORM = 1, LONGEST = 64, LEAST_BEGINNING = 3 };

static char plain(char c)
{
    return c == '_' ? '-' : g_ascii_tolower(c);
}

static unsigned spelling_distance(const char *a, const char *b, unsigned limit)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST || (n > m ? n - m : m - n) * MISTAKE > limit)
        return limit + 1;
    unsigned rows[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j * MISTAKE;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (unsigned)i * MISTAKE;
        for (size_t j = 1; j <= m; j++) {
            bool same = a[i - 1] == b[j - 1];
            bool only_form = !same && plain(a[i - 1]) == plain(b[j - 1]);
            unsigned best = above[j - 1] + (same ? 0 : only_form ? WRONG_FORM : MISTAKE);
            best = MIN(best, MIN(above[j], row[j - 1]) + MISTAKE);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = MIN(best, two_above[j - 2] + MISTAKE);
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

/* So many letters may be wrong; the form of letters nearly always. */
static BaseNearest nearest_within(const char *wanted, size_t letters)
{
    return (BaseNearest){.wanted = wanted, .limit = (unsigned)letters * MISTAKE + MISTAKE - 1};
}

BaseNearest base_nearest_of(const char *wanted)
{
    return nearest_within(wanted, strlen(wanted) / 3);
}

void base_nearest_try(BaseNearest *nearest, const char *name)
{
    if (strcmp(name, nearest->wanted) == 0)
        return;
    unsigned distance = spelling_distance(nearest->wanted, name, nearest->limit);
    if (distance > nearest->limit || (nearest->best && distance == nearest->limit))
        return;
    nearest->best = name;
    nearest->limit = distance;
}

/* The shortest name that begins with a word. */
static const char *abbreviated(const char *word, const char *const *names)
{
    const char *best = NULL;
    size_t length = strlen(word);
    for (; length >= LEAST_BEGINNING && *names; names++)
        if (strncmp(*names, word, length) == 0 && (!best || strlen(*names) < strlen(best)))
            best = *names;
    return best;
}

/* The longest name that a word begins with. */
static const char *lengthened(const char *word, const char *const *names)
{
    const char *best = NULL;
    size_t longest = LEAST_BEGINNING - 1;
    for (; *names; names++)
        if (strlen(*names) > longest && g_str_has_prefix(word, *names)) {
            best = *names;
            longest = strlen(best);
        }
    return best;
}

const char *base_nearest(const char *name, const char *const *names)
{
    BaseNearest nearest = nearest_within(name, strlen(name) / 2);
    const char *best = abbreviated(name, names);
    for (const char *const *n = names; !best && *n; n++) {
        if (strcmp(*n, name) == 0)
            return *n;
        base_nearest_try(&nearest, *n);
    }
    if (!best)
        best = nearest.best;
    return best ? best : lengthened(name, names);
}
