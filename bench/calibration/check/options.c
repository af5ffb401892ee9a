/* Prices of options by the formula of Black and Scholes. */
#include <math.h>
enum { N = 300 };
static double price[N], strike[N], years[N], result[N];

static double normal(double x)
{
    double k = 1.0 / (1.0 + 0.2316419 * fabs(x));
    double p = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    p *= 0.3989422804014327 * exp(-0.5 * x * x);
    return x < 0.0 ? p : 1.0 - p;
}

double kernel(void)
{
    const double rate = 0.03, volatility = 0.25;
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        price[i] = 80.0 + i % 41;
        strike[i] = 75.0 + i % 53;
        years[i] = 0.25 + i % 7 * 0.5;
    }
    for (int i = 0; i < N; i++) {
        double root = volatility * sqrt(years[i]);
        double d = (log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / root;
        result[i] = price[i] * normal(d) - strike[i] * exp(-rate * years[i]) * normal(d - root);
    }
    for (int i = 0; i < N; i++)
        sum += result[i];
    return sum;
}
