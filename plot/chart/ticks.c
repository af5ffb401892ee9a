/* ticks.c - values at which axes are labelled, and their labels. */
#include "plot/chart/chart.h"

#include <math.h>
#include <string.h>

double plot_chart_scale_place(const ChartScale *scale, double value)
{
    double share = scale->base ? log(value / scale->low) / log(scale->high / scale->low)
                               : (value - scale->low) / (scale->high - scale->low);
    return scale->pixel_low + share * (scale->pixel_high - scale->pixel_low);
}

/* -- labels ------------------------------------------------------------------------------------ */

/* Writes a number with as many decimals as the step needs, and no zeros at the end. */
static void write_plain(double value, double step, const char *unit, char label[CHART_LABEL])
{
    int decimals = 0;
    char format[8], text[G_ASCII_DTOSTR_BUF_SIZE + 400];
    for (double left = fabs(step); left > 0 && fabs(left - floor(left + 0.5)) > 1e-6 * left && decimals < 9; decimals++)
        left *= 10;
    if (fabs(value) >= 1e15) {
        g_ascii_formatd(text, sizeof text, "%.3g", value);
    } else {
        g_snprintf(format, sizeof format, "%%.%df", decimals);
        g_ascii_formatd(text, sizeof text, format, value);
        if (decimals) {
            size_t end = strlen(text);
            while (text[end - 1] == '0')
                end--;
            text[text[end - 1] == '.' ? end - 1 : end] = '\0';
        }
    }
    g_snprintf(label, CHART_LABEL, "%s%s", strcmp(text, "-0") == 0 ? "0" : text, unit);
}

typedef struct Prefix {
    double one;
    const char *text;
} Prefix;
static const Prefix counts[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1, ""}};
static const Prefix sizes[] = {
    {1099511627776.0, " TiB"}, {1073741824.0, " GiB"}, {1048576.0, " MiB"}, {1024.0, " KiB"}, {1, " B"}};
static const Prefix times[] = {{1e12, " s"}, {1e9, " ms"}, {1e6, " us"}, {1e3, " ns"}, {1, " ps"}};

static void write_prefixed(const Prefix *prefixes, double value, double step, char label[CHART_LABEL])
{
    while (prefixes->one > 1 && fabs(value) < prefixes->one)
        prefixes++;
    write_plain(value / prefixes->one, step / prefixes->one, value == 0 && prefixes->one == 1 ? "" : prefixes->text,
                label);
}

void plot_chart_label(PlotNumbers numbers, double value, double step, char label[CHART_LABEL])
{
    switch (numbers) {
    case PLOT_NUMBERS: write_plain(value, step, "", label); break;
    case PLOT_COUNTS: write_prefixed(counts, value, step, label); break;
    case PLOT_SIZES: write_prefixed(sizes, value, step, label); break;
    case PLOT_TIMES: write_prefixed(times, value, step, label); break;
    }
}

double plot_chart_rounding(double value, unsigned digits)
{
    double step = 1;
    value = fabs(value);
    if (!isfinite(value))
        return step;
    for (double most = pow(10, digits); value / step >= most;)
        step *= 10;
    for (double least = pow(10, digits - 1.0); value > 0 && value / step < least;)
        step /= 10;
    return step;
}

ChartUnit plot_chart_time_unit(uint64_t span_ps)
{
    static const ChartUnit units[] = {
        {"s", 1000000000000}, {"ms", 1000000000}, {"us", 1000000}, {"ns", 1000}, {"ps", 1}};
    unsigned i = 0;
    while (i + 1 < G_N_ELEMENTS(units) && span_ps < units[i].ps * 2)
        i++;
    return units[i];
}

/* -- ticks ------------------------------------------------------------------------------------- */

/* Returns 1, 2 or 5 times a power of ten, so that at most so many steps fit; of sizes, a power of two. */
static double step_for(PlotNumbers numbers, double span, unsigned most)
{
    double least = span / MAX(most, 1), step = 1;
    if (!(least > 0) || !isfinite(least))
        return 1;
    if (numbers == PLOT_SIZES) {
        while (step < least)
            step *= 2;
        return step;
    }
    while (step < least)
        step *= 10;
    while (step / 10 >= least)
        step /= 10;
    return step / 5 >= least ? step / 5 : step / 2 >= least ? step / 2 : step;
}

static void add_tick(GArray *ticks, const ChartScale *scale, double value, double step, bool labelled)
{
    ChartTick tick = {.value = value};
    if (labelled)
        plot_chart_label(scale->numbers, value, step, tick.label);
    g_array_append_val(ticks, tick);
}

static void add_linear(GArray *ticks, const ChartScale *scale, unsigned most)
{
    double span = scale->high - scale->low, step = step_for(scale->numbers, span, most);
    double first = ceil(scale->low / step - 1e-9);
    /* Next to numbers without decimals, steps may be too small to lead on. */
    for (unsigned i = 0; i <= most + 1 && (first + i) * step <= scale->high + 1e-9 * span; i++)
        add_tick(ticks, scale, (first + i) * step, step, true);
}

/* Powers of the base; if there are few, of ten also 2 and 5 times them. */
static void add_logarithmic(GArray *ticks, const ChartScale *scale, unsigned most)
{
    static const double parts[] = {1, 2, 5};
    double base = scale->base, power = pow(base, floor(log(scale->low) / log(base) + 1e-9));
    unsigned powers = (unsigned)(log(scale->high / power) / log(base) + 1.5);
    unsigned every = (powers + most - 1) / MAX(most, 1);
    if (scale->numbers == PLOT_SIZES && every > 2) /* so that 1 KiB and 1 MiB are among them */
        every = (every + 4) / 5 * 5;
    unsigned n_parts = scale->base == 10 && powers * 3 <= most ? 3 : 1;
    for (unsigned i = 0; power <= scale->high * (1 + 1e-9); i++, power *= base)
        for (unsigned part = 0; part < n_parts; part++) {
            double value = power * parts[part];
            if (value >= scale->low * (1 - 1e-9) && value <= scale->high * (1 + 1e-9))
                add_tick(ticks, scale, value, value, i % MAX(every, 1) == 0);
        }
}

GArray *plot_chart_ticks(const ChartScale *scale, unsigned most)
{
    GArray *ticks = g_array_new(FALSE, FALSE, sizeof(ChartTick));
    if (scale->ticks)
        return g_array_append_vals(ticks, scale->ticks->data, scale->ticks->len);
    (scale->base ? add_logarithmic : add_linear)(ticks, scale, most);
    return ticks;
}

double plot_chart_nice_end(double high, unsigned steps)
{
    double step = step_for(PLOT_NUMBERS, high, steps);
    return ceil(high / step - 1e-9) * step;
}
