/* dims.c - MPI_Dims_create: factors of a number of ranks as close to each other as possible (MPI-3.1 section 7.5.2).
 *
 * The standard leaves the meaning of "as close as possible" open. Here it is as in MPICH 4. The difference between the
 * largest and the smallest factor is as small as possible. Among those choices the smallest factor is as large as
 * possible, then the second smallest, and so on. So 24 in three dimensions is 4 x 3 x 2, 3168 is 18 x 16 x 11, and 360
 * is 10 x 6 x 6 rather than 9 x 8 x 5.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/topology/topology.h"

#include <string.h>

/* Returns all divisors of n, ascending. */
static GArray *divisors(uint32_t n)
{
    GArray *result = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t d = 1; (uint64_t)d * d <= n; d++) {
        if (n % d == 0) {
            g_array_append_val(result, d);
        }
    }
    for (guint i = result->len; i-- > 0;) {
        uint32_t large = n / g_array_index(result, uint32_t, i);
        if (large != g_array_index(result, uint32_t, result->len - 1)) {
            g_array_append_val(result, large);
        }
    }
    return result;
}

/* Whether d^k >= n. */
static bool power_reaches(uint64_t d, unsigned k, uint64_t n)
{
    uint64_t power = 1;
    for (unsigned i = 0; i < k && power < n; i++) {
        power *= d; /* below 2^32 * 2^32 */
    }
    return power >= n;
}

/* Computes the lexicographically least list of k factors of n, not ascending, each from `least` to `most`. Returns
 * false if there is none. */
static bool factorise(const GArray *candidates, uint32_t n, unsigned k, uint32_t least, uint32_t most, int *factors)
{
    if (k == 0) {
        return n == 1;
    }
    if (power_reaches(least, k, (uint64_t)n + 1) || !power_reaches(most, k, n)) {
        return false; /* even the smallest product is too large, or the largest one too small */
    }
    for (guint i = 0; i < candidates->len; i++) {
        uint32_t d = g_array_index(candidates, uint32_t, i);
        if (d > most || d > n) {
            return false;
        }
        if (d >= least && n % d == 0 && power_reaches(d, k, n)) {
            factors[0] = (int)d;
            if (factorise(candidates, n / d, k - 1, least, d, factors + 1)) {
                return true;
            }
        }
    }
    return false;
}

/* Computes, of all lists that factorise() looks at, the one whose last factor is the largest, then the one before it,
 * and so on. Returns false if there is none. */
static bool raise_smallest(const GArray *candidates, uint32_t n, unsigned k, uint32_t least, uint32_t most,
                           int *factors)
{
    if (k == 0) {
        return n == 1;
    }
    for (guint i = candidates->len; i-- > 0;) {
        uint32_t d = g_array_index(candidates, uint32_t, i);
        if (d < least) {
            return false;
        }
        if (d <= most && n % d == 0 && !power_reaches(d, k, (uint64_t)n + 1) && power_reaches(most, k, n)) {
            factors[k - 1] = (int)d;
            if (raise_smallest(candidates, n / d, k - 1, d, most, factors)) {
                return true;
            }
        }
    }
    return false;
}

void mpi_dims_balanced_factors(uint32_t n, unsigned k, int *factors)
{
    g_assert(n >= 1 && k >= 1);
    GArray *candidates = divisors(n);
    uint32_t spread = UINT32_MAX, smallest = 0; /* least difference found so far, and its smallest factor */
    for (guint i = candidates->len; i-- > 0 && spread;) {
        uint32_t least = g_array_index(candidates, uint32_t, i), most = n;
        if (spread != UINT32_MAX) {
            most = least + spread - 1; /* only a smaller difference would be better */
        }
        factors[0] = (int)least; /* the largest of one */
        if (most >= least && factorise(candidates, n / least, k - 1, least, most, factors)) {
            smallest = least;
            spread = (uint32_t)factors[0] - least;
        }
    }
    factors[k - 1] = (int)smallest;
    bool found = raise_smallest(candidates, n / smallest, k - 1, smallest, smallest + spread, factors);
    g_assert(found);
    g_array_free(candidates, TRUE);
}

/* Fills in the dimensions that the program has set to 0. The product of the others must divide the number of ranks. */
MpiStep mpi_do_Dims_create(MpiCall *call)
{
    enum { NODES, COUNT, DIMS };
    int n = mpi_int(call, NODES), count = mpi_int(call, COUNT);
    MpiInt32 *dims;
    unsigned open = 0;
    int64_t rest = n;
    MpiStep step;
    if (n < 1 || count < 0) {
        return mpi_call_error(call, NULL, MPI_ERR_DIMS, "%d ranks in %d dimensions (arguments 1 and 2)", n, count);
    }
    if (!mpi_check_output(call, NULL, DIMS, (uint64_t)count * sizeof(int32_t), (void **)&dims, &step)) {
        return step;
    }
    for (int i = 0; i < count; i++) {
        open += dims[i] == 0;
        if (dims[i] < 0 || (dims[i] > 0 && rest % dims[i])) {
            return mpi_call_error(
                call, NULL, MPI_ERR_DIMS,
                "dimension %d is given as %d, but the given dimensions must be positive and their product "
                "must divide the %d ranks (argument 3); set dimensions to 0 to have them chosen",
                i, dims[i], n);
        }
        rest /= dims[i] > 0 ? dims[i] : 1;
    }
    if (open) {
        g_autofree int *factors = g_new(int, open);
        mpi_dims_balanced_factors((uint32_t)rest, open, factors);
        for (int i = 0, next = 0; i < count; i++) {
            dims[i] = dims[i] ? dims[i] : factors[next++];
        }
    }
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}
