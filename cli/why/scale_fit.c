/* scale_fit.c - speed-up, efficiency, serial fractions, and the laws of Amdahl and Gustafson.
 *
 * With q times as many ranks as the first run, and times T1 and T:
 *   speed-up      S = T1 / T; of a problem that grows with the ranks (weak scaling), q T1 / T
 *   efficiency    S / q
 *   Karp-Flatt    e = (1/S - 1/q) / (1 - 1/q)                          (Karp, Flatt: CACM 33(5), 1990)
 *   Amdahl        1/S = f + (1 - f)/q        (AFIPS 1967)              f by least squares of 1/S
 *   Gustafson     S = q - a (q - 1)          (CACM 31(5), 1988)        a by least squares of S
 * All in whole numbers: fractions of SCALE_ONE, products in 128 bits, rounded to the nearest.
 */
#include "cli/why/scale.h"

typedef __int128 Wide;

static Wide divide(Wide a, Wide b)
{
    if (b < 0) {
        a = -a;
        b = -b;
    }
    return a >= 0 ? (a + b / 2) / b : -((-a + b / 2) / b);
}

static const ScalePoint *base_of(const Scale *scale)
{
    for (uint32_t i = 0; i < scale->n; i++)
        if (scale->points[i].done && scale->points[i].total.finish_ps)
            return &scale->points[i];
    return NULL;
}

/* Returns q in SCALE_ONE. */
static Wide ratio(const ScalePoint *point, const ScalePoint *base)
{
    return divide((Wide)point->ranks * SCALE_ONE, base->ranks);
}

static void compare(const Scale *scale, ScalePoint *point, const ScalePoint *base)
{
    Wide q = ratio(point, base), time = point->total.finish_ps, first = base->total.finish_ps;
    Wide strong = divide(first * SCALE_ONE, time);
    Wide speed_up = scale->weak ? divide(first * q, time) : strong;
    point->speed_up = (int64_t)speed_up;
    point->efficiency = (int64_t)divide(speed_up * SCALE_ONE, q);
    point->compared = q != SCALE_ONE && speed_up;
    if (point->compared) {
        Wide inverse = divide((Wide)SCALE_ONE * SCALE_ONE, speed_up), share = divide((Wide)SCALE_ONE * SCALE_ONE, q);
        point->karp_flatt = (int64_t)divide((inverse - share) * SCALE_ONE, SCALE_ONE - share);
    }
}

/* Returns by which part of it the speed-up of a law differs from a point's. */
static int64_t deviation(const ScalePoint *point, Wide law)
{
    Wide apart = law > point->speed_up ? law - point->speed_up : point->speed_up - law;
    return (int64_t)divide(apart * SCALE_ONE, MAX(point->speed_up, 1));
}

static ScaleFit fit_amdahl(const Scale *scale, const ScalePoint *base)
{
    ScaleFit fit = {.possible = false};
    Wide xy = 0, xx = 0;
    for (uint32_t i = 0; i < scale->n; i++) {
        const ScalePoint *point = &scale->points[i];
        if (!point->done || !point->compared)
            continue;
        Wide share = divide((Wide)SCALE_ONE * SCALE_ONE, ratio(point, base)), x = SCALE_ONE - share,
             y = divide((Wide)SCALE_ONE * SCALE_ONE, point->speed_up) - share;
        xy += x * y;
        xx += x * x;
    }
    if (!xx)
        return fit;
    fit.possible = true;
    fit.fraction = (int64_t)divide(xy, MAX(divide(xx, SCALE_ONE), 1));
    for (uint32_t i = 0; i < scale->n; i++) {
        const ScalePoint *point = &scale->points[i];
        if (!point->done || !point->compared)
            continue;
        Wide share = divide((Wide)SCALE_ONE * SCALE_ONE, ratio(point, base)),
             inverse = fit.fraction + divide((SCALE_ONE - fit.fraction) * share, SCALE_ONE);
        Wide law = inverse > 0 ? divide((Wide)SCALE_ONE * SCALE_ONE, inverse) : 0;
        fit.deviation = MAX(fit.deviation, deviation(point, law));
    }
    return fit;
}

static ScaleFit fit_gustafson(const Scale *scale, const ScalePoint *base)
{
    ScaleFit fit = {.possible = false};
    Wide xy = 0, xx = 0;
    for (uint32_t i = 0; i < scale->n; i++) {
        const ScalePoint *point = &scale->points[i];
        if (!point->done || !point->compared)
            continue;
        Wide q = ratio(point, base), x = q - SCALE_ONE, y = q - point->speed_up;
        xy += divide(x, 1000) * divide(y, 1000); /* q may be a million: squares must fit */
        xx += divide(x, 1000) * divide(x, 1000);
    }
    if (!xx)
        return fit;
    fit.possible = true;
    fit.fraction = (int64_t)divide(xy, MAX(divide(xx, SCALE_ONE), 1));
    for (uint32_t i = 0; i < scale->n; i++) {
        const ScalePoint *point = &scale->points[i];
        if (!point->done || !point->compared)
            continue;
        Wide q = ratio(point, base), law = q - divide(fit.fraction * (q - SCALE_ONE), SCALE_ONE);
        fit.deviation = MAX(fit.deviation, deviation(point, law));
    }
    return fit;
}

void cli_scale_fit(Scale *scale)
{
    const ScalePoint *base = base_of(scale);
    if (!base)
        return;
    for (uint32_t i = 0; i < scale->n; i++)
        if (scale->points[i].done && scale->points[i].total.finish_ps)
            compare(scale, &scale->points[i], base);
    scale->amdahl = fit_amdahl(scale, base);
    scale->gustafson = fit_gustafson(scale, base);
}
