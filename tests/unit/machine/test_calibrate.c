/* Calibration: the solver, the fit, and the counts of kernels, with exactly known tables. */
#include "machine/calibrate/calibrate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static void expect_near(const double *x, const double *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cr_expect(fabs(x[i] - expected[i]) < 1e-9, "x[%zu] is %.12f, not %.12f", i, x[i], expected[i]);
}

Test(fit, a_consistent_table_is_recovered_exactly)
{
    const double a[] = {5, 0, 1, 2, 7, 0, 0, 3, 4, 1, 1, 1, 9, 2, 6}, truth[] = {0.25, 4.0, 12.5};
    double b[5], x[3];
    for (int r = 0; r < 5; r++)
        b[r] = a[3 * r] * truth[0] + a[3 * r + 1] * truth[1] + a[3 * r + 2] * truth[2];
    mach_fit_nonnegative(a, b, 5, 3, x);
    expect_near(x, truth, 3);
}

/* min (x - y + 3)^2 + (x + y - 1)^2 would have x = -1; with x >= 0 it has x = 0, y = 2. */
Test(fit, nothing_becomes_negative)
{
    const double a[] = {1, -1, 1, 1}, b[] = {-3, 1}, expected[] = {0, 2};
    double x[2];
    mach_fit_nonnegative(a, b, 2, 2, x);
    expect_near(x, expected, 2);
}

Test(fit, columns_that_say_the_same_do_no_harm)
{
    const double a[] = {1, 1, 0, 2, 2, 0, 3, 3, 0}, b[] = {2, 4, 6};
    double x[3];
    mach_fit_nonnegative(a, b, 3, 3, x);
    cr_expect(fabs(x[0] + x[1] - 2.0) < 1e-9 && x[2] == 0.0, "%f %f %f", x[0], x[1], x[2]);
}

/* sample 0: x0 + x1; sample 1: max(2 x0, x1); sample 2: 3 x0 */
static double kinked(void *user, size_t sample, const double *x)
{
    (void)user;
    return sample == 0 ? x[0] + x[1] : sample == 1 ? MAX(2 * x[0], x[1]) : 3 * x[0];
}

Test(fit, a_model_with_kinks_is_fitted)
{
    const double measured[] = {6.0, 5.0, 3.0}, expected[] = {1.0, 5.0};
    double x[] = {3.0, 1.0};
    MachFitModel model = {.samples = 3,
                          .parameters = 2,
                          .outcome = kinked,
                          .measured = measured,
                          .rounds = 40,
                          .stride = 0.5,
                          .step = 1e-3,
                          .expected = expected};
    mach_fit(&model, x);
    cr_expect(fabs(x[0] - 1.0) < 0.02 && fabs(x[1] - 5.0) < 0.1, "%f %f", x[0], x[1]);
}
