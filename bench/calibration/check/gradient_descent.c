/* Logistic regression by steps down the gradient. */
#include <math.h>
enum { ROWS = 120, FEATURES = 6, STEPS = 8 };
static double x[ROWS][FEATURES], weight[FEATURES];
static int label[ROWS];

double kernel(void)
{
    for (int r = 0; r < ROWS; r++) {
        double sum = 0.0;
        for (int f = 0; f < FEATURES; f++) {
            x[r][f] = (r * (f + 3) % 11) / 11.0 - 0.5;
            sum += x[r][f] * (f % 2 ? 1.0 : -1.0);
        }
        label[r] = sum > 0.0;
    }
    for (int f = 0; f < FEATURES; f++)
        weight[f] = 0.0;
    for (int t = 0; t < STEPS; t++) {
        double slope[FEATURES] = {0};
        for (int r = 0; r < ROWS; r++) {
            double z = 0.0;
            for (int f = 0; f < FEATURES; f++)
                z += weight[f] * x[r][f];
            double wrong = 1.0 / (1.0 + exp(-z)) - label[r];
            for (int f = 0; f < FEATURES; f++)
                slope[f] += wrong * x[r][f];
        }
        for (int f = 0; f < FEATURES; f++)
            weight[f] -= 0.05 * slope[f];
    }
    return weight[0] + weight[5];
}
