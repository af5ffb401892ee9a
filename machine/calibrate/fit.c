/* fit.c - least squares with parameters that cannot be negative, and the fit of a model to measurements.
 *
 * The fit is deterministic: sums are in fixed order, and there is no randomness. The error of a sample is the logarithm
 * of outcome by measurement, so half as much and twice as much are equally wrong. Errors are weighted as under a Cauchy
 * distribution, so samples that the model cannot describe have little influence (iteratively reweighted least squares).
 * The model is linear between kinks. So each round solves the linear problem at the present point and goes part of the
 * way to its solution. The best point seen is kept.
 */
#include "machine/calibrate/calibrate.h"

#include <math.h>
#include <string.h>

/* -- least squares ----------------------------------------------------------------------------- */

typedef struct Normal { /* the normal equations of a problem, and of its free columns */
    size_t n;
    double *gram, *right; /* A'A and A'b */
    double *matrix, *solution;
    size_t *free; /* columns whose x may be positive */
    size_t n_free;
} Normal;

static void normal_init(Normal *normal, const double *a, const double *b, size_t rows, size_t n)
{
    *normal = (Normal){.n = n,
                       .gram = g_new0(double, n *n),
                       .right = g_new0(double, n),
                       .matrix = g_new(double, n *(n + 1)),
                       .solution = g_new(double, n),
                       .free = g_new(size_t, n)};
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < n; i++) {
            normal->right[i] += a[r * n + i] * b[r];
            for (size_t j = 0; j < n; j++)
                normal->gram[i * n + j] += a[r * n + i] * a[r * n + j];
        }
}

static void normal_clear(Normal *normal)
{
    g_free(normal->gram);
    g_free(normal->right);
    g_free(normal->matrix);
    g_free(normal->solution);
    g_free(normal->free);
}

/* Gauss-Jordan elimination on the free columns. A column that depends on the others gets 0. */
static void solve_free(Normal *s)
{
    size_t n = s->n_free, width = n + 1;
    double *m = s->matrix;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            m[i * width + j] = s->gram[s->free[i] * s->n + s->free[j]];
        m[i * width + n] = s->right[s->free[i]];
    }
    for (size_t i = 0; i < n; i++) { /* the matrix is positive semidefinite, so the diagonal is a good pivot */
        double pivot = m[i * width + i];
        bool good = pivot > 1e-13 * s->gram[s->free[i] * s->n + s->free[i]];
        for (size_t k = 0; k < n && good; k++) {
            double factor = k == i ? 0.0 : m[k * width + i] / pivot;
            for (size_t j = i; j < width && factor != 0.0; j++)
                m[k * width + j] -= factor * m[i * width + j];
        }
        if (!good)
            m[i * width + i] = 0.0;
    }
    for (size_t i = 0; i < n; i++)
        s->solution[i] = m[i * width + i] > 0.0 ? m[i * width + n] / m[i * width + i] : 0.0;
}

/* Returns the column that is not free and whose x would lower the error most, or n if there is none. */
static size_t steepest(const Normal *s, const double *x, const bool *is_free)
{
    size_t best = s->n;
    double most = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double gradient = s->right[i], scale = fabs(s->right[i]);
        for (size_t j = 0; j < s->n; j++)
            gradient -= s->gram[i * s->n + j] * x[j];
        if (!is_free[i] && gradient > 1e-10 * scale && gradient > most) {
            most = gradient;
            best = i;
        }
    }
    return best;
}

static void list_free(Normal *s, const bool *is_free)
{
    s->n_free = 0;
    for (size_t i = 0; i < s->n; i++)
        if (is_free[i])
            s->free[s->n_free++] = i;
}

/* Goes towards the solution as far as all x stay >= 0. Returns false if it went the whole way. */
static bool go_to_bound(Normal *s, double *x, bool *is_free)
{
    double part = 1.0;
    bool bound = false;
    for (size_t i = 0; i < s->n_free; i++)
        if (s->solution[i] <= 0.0) {
            double old = x[s->free[i]];
            part = MIN(part, old / (old - s->solution[i]));
            bound = true;
        }
    for (size_t i = 0; i < s->n_free; i++) {
        double *value = &x[s->free[i]];
        *value += part * (s->solution[i] - *value);
        if (bound && s->solution[i] <= 0.0 && *value <= 1e-12 * fabs(s->solution[i]) + 1e-300) {
            *value = 0.0;
            is_free[s->free[i]] = false;
        }
    }
    return bound;
}

void mach_fit_nonnegative(const double *a, const double *b, size_t rows, size_t columns, double *x)
{
    Normal s;
    g_autofree bool *is_free = g_new0(bool, columns);
    normal_init(&s, a, b, rows, columns);
    memset(x, 0, columns * sizeof *x);
    for (size_t round = 0; round < 4 * columns; round++) {
        size_t next = steepest(&s, x, is_free);
        if (next == columns)
            break;
        is_free[next] = true;
        for (size_t inner = 0; inner <= columns; inner++) {
            list_free(&s, is_free);
            solve_free(&s);
            if (!go_to_bound(&s, x, is_free))
                break;
        }
    }
    normal_clear(&s);
}

/* -- fitting a model --------------------------------------------------------------------------- */

static const double usual_error = 0.15, narrowing = 0.85, pull = 0.7, least_part = 0.05;

typedef struct Fit {
    const MachFitModel *model;
    double *a, *b; /* a row for each sample, and one for each parameter that holds it near the expected value */
    double *outcome, *try;
    bool *matters; /* by sample and parameter: the outcome depends on it */
} Fit;

/* Finds out which parameters each sample depends on: most samples depend on few. */
static void find_what_matters(Fit *fit)
{
    size_t n = fit->model->parameters;
    for (size_t p = 0; p < n; p++)
        fit->try[p] = 0.0;
    for (size_t s = 0; s < fit->model->samples; s++)
        for (size_t p = 0; p < n; p++) {
            double none = fit->model->outcome(fit->model->user, s, fit->try);
            fit->try[p] = fit->model->expected[p];
            fit->matters[s * n + p] = fit->model->outcome(fit->model->user, s, fit->try) != none;
            fit->try[p] = 0.0;
        }
}

static double derivative(const Fit *fit, size_t sample, double *x, size_t p)
{
    if (!fit->matters[sample * fit->model->parameters + p])
        return 0.0;
    double step = fit->model->expected[p] * fit->model->step, old = x[p];
    x[p] = old + step;
    double outcome = fit->model->outcome(fit->model->user, sample, x);
    x[p] = old;
    return (outcome - fit->outcome[sample]) / step;
}

/* Returns the error of a sample's outcome as a logarithm: twice as much and half as much are equally wrong. */
static double log_error(const Fit *fit, size_t sample)
{
    double measured = fit->model->measured[sample];
    return log(MAX(fit->outcome[sample], measured * least_part) / measured);
}

static double odd(const Fit *fit, const double *x, size_t p)
{
    return pull * (x[p] / fit->model->expected[p] - 1.0);
}

/* Returns what the fit minimises: the negative logarithm of a Cauchy distribution. A sample that is far off has little
 * influence. */
static double badness(Fit *fit, const double *x)
{
    double sum = 0.0;
    for (size_t p = 0; p < fit->model->parameters; p++)
        sum += odd(fit, x, p) * odd(fit, x, p);
    for (size_t s = 0; s < fit->model->samples; s++) {
        fit->outcome[s] = fit->model->outcome(fit->model->user, s, x);
        double error = log_error(fit, s) / usual_error;
        sum += log1p(error * error);
    }
    return sum;
}

/* Fills in the rows of the linear problem at x. Errors beyond `scale` have less weight. Parameters are in units of
 * their expected values. */
static void linearise(Fit *fit, double *x, double scale)
{
    size_t n = fit->model->parameters, samples = fit->model->samples;
    for (size_t s = 0; s < samples; s++) {
        double error = log_error(fit, s), outcome = MAX(fit->outcome[s], fit->model->measured[s] * least_part);
        double weight = 1.0 / sqrt(scale * scale + error * error), rest = fit->outcome[s];
        for (size_t p = 0; p < n; p++) {
            double slope = derivative(fit, s, x, p);
            rest -= slope * x[p];
            fit->a[s * n + p] = weight * slope * fit->model->expected[p] / outcome;
        }
        fit->b[s] = weight * (1.0 - error - rest / outcome);
    }
    memset(fit->a + samples * n, 0, n * n * sizeof *fit->a);
    for (size_t p = 0; p < n; p++)
        fit->a[(samples + p) * n + p] = fit->b[samples + p] = pull * usual_error / scale;
}

double mach_fit(const MachFitModel *model, double *x)
{
    size_t n = model->parameters, rows = model->samples + n;
    Fit fit = {.model = model,
               .a = g_new(double, rows *n),
               .b = g_new(double, rows),
               .outcome = g_new(double, model->samples),
               .try = g_new(double, n),
               .matters = g_new(bool, model->samples *n)};
    find_what_matters(&fit);
    g_autofree double *best = g_new(double, n);
    double least = badness(&fit, x);
    memcpy(best, x, n * sizeof *x);
    for (unsigned round = 0; round < model->rounds; round++) {
        double part = round < model->rounds / 2 ? model->stride : 0.4 * model->stride;
        linearise(
            &fit, x,
            MAX(usual_error, pow(narrowing, 40.0 * round / model->rounds))); /* at first, all samples have influence */
        mach_fit_nonnegative(fit.a, fit.b, rows, n, fit.try);
        for (size_t p = 0; p < n; p++)
            x[p] += part * (fit.try[p] * model->expected[p] - x[p]);
        double now = badness(&fit, x);
        if (now < least) {
            least = now;
            memcpy(best, x, n * sizeof *x);
        }
    }
    memcpy(x, best, n * sizeof *x);
    g_free(fit.a);
    g_free(fit.b);
    g_free(fit.outcome);
    g_free(fit.try);
    g_free(fit.matters);
    return least;
}
