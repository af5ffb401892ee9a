/* nearest.c - the name that was probably meant, of several that are tried one after the other. */
#include "compiler/report/report.h"

#include <string.h>

/* Optimal string alignment: insert, delete, replace, swap neighbours. A letter in the wrong case is a quarter of a
 * mistake, so that of two names as far away the one with the right letters is nearer (MPI_INT, not MPI_Init, for
 * MPI_INTT). */
enum { MISTAKE = 4, WRONG_CASE = 1 };

static unsigned spelling_distance(const char *a, const char *b, unsigned limit)
{
    enum { LONGEST = 64 };
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
            bool only_case = !same && g_ascii_tolower(a[i - 1]) == g_ascii_tolower(b[j - 1]);
            unsigned best = above[j - 1] + (same ? 0 : only_case ? WRONG_CASE : MISTAKE);
            best = MIN(best, MIN(above[j], row[j - 1]) + MISTAKE);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = MIN(best, two_above[j - 2] + MISTAKE);
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

/* A third of the letters may be wrong, of one or two letters none (but their case). */
CcNearest cc_nearest(const char *wanted)
{
    return (CcNearest){.wanted = wanted, .limit = (unsigned)strlen(wanted) / 3 * MISTAKE + MISTAKE - 1};
}

void cc_nearest_try(CcNearest *nearest, const char *name)
{
    if (strcmp(name, nearest->wanted) == 0)
        return;
    unsigned distance = spelling_distance(nearest->wanted, name, nearest->limit);
    if (distance > nearest->limit || (nearest->best && distance == nearest->limit))
        return;
    nearest->best = name;
    nearest->limit = distance;
}
