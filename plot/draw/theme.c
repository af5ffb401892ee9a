/* theme.c - colours.
 *
 * Hues are those of M. Okabe and K. Ito, "Color Universal Design" (2008), which people with any kind of colour vision
 * tell apart. What stands side by side differs in lightness, too, so that a photocopy can be read: the unit tests hold
 * every theme to that. The scale of heat goes through the blues of that palette, in one direction of lightness.
 */
#include "plot/plot.h"

#include <math.h>

static const PlotTheme themes[] = {
    [PLOT_LIGHT] = {.name = PLOT_LIGHT,
                    .paper = 0xffffff,
                    .ink = 0x1b2430,
                    .faint = 0x566373,
                    .grid = 0xdfe3e8,
                    .states = {0x56b4e9, 0x00395c, 0xd55e00, 0xd3d8de},
                    .patterns = {PLOT_PLAIN, PLOT_PLAIN, PLOT_RISING, PLOT_DOTS},
                    .series = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000, 0x808080},
                    .ramp = {0xeef5fb, 0x8ecaef, 0x0072b2, 0x00213a}},
    [PLOT_DARK] = {.name = PLOT_DARK,
                   .paper = 0x12171e,
                   .ink = 0xe8ecf1,
                   .faint = 0xa3afbd,
                   .grid = 0x2c3641,
                   .states = {0x56b4e9, 0xf0e442, 0xd55e00, 0x4d5866},
                   .patterns = {PLOT_PLAIN, PLOT_PLAIN, PLOT_RISING, PLOT_DOTS},
                   .series = {0x56b4e9, 0xe69f00, 0x2fc79b, 0xe29ac4, 0xf0e442, 0x3d8fd1, 0xffffff, 0x9aa4b0},
                   .ramp = {0x1d2733, 0x0a5f94, 0x56b4e9, 0xf1f9ff}},
    [PLOT_PRINT] = {.name = PLOT_PRINT,
                    .paper = 0xffffff,
                    .ink = 0x000000,
                    .faint = 0x3c3c3c,
                    .grid = 0xd8d8d8,
                    .states = {0xc9c9c9, 0x1a1a1a, 0x7d7d7d, 0xffffff},
                    .patterns = {PLOT_PLAIN, PLOT_PLAIN, PLOT_RISING, PLOT_DOTS},
                    .series = {0x000000, 0x7a7a7a, 0x3d3d3d, 0x9d9d9d, 0x5c5c5c, 0xb5b5b5, 0x202020, 0x8c8c8c},
                    .ramp = {0xf4f4f4, 0xb4b4b4, 0x5f5f5f, 0x000000}},
};

const PlotTheme *plot_theme(PlotThemeName name)
{
    return &themes[name];
}

static uint32_t mix(uint32_t from, uint32_t to, double share)
{
    uint32_t colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double low = from >> shift & 255, high = to >> shift & 255;
        colour = colour << 8 | (uint32_t)(low + share * (high - low) + 0.5);
    }
    return colour;
}

uint32_t plot_theme_heat(const PlotTheme *theme, double share)
{
    const unsigned last = G_N_ELEMENTS(theme->ramp) - 1;
    double at = fmin(fmax(share, 0), 1) * last;
    unsigned stop = MIN((unsigned)at, last - 1);
    return mix(theme->ramp[stop], theme->ramp[stop + 1], at - stop);
}

/* Strokes of a pattern: nearer to the paper than the fill. */
static uint32_t strokes_on(const PlotTheme *theme, uint32_t fill)
{
    return theme->name == PLOT_DARK ? mix(fill, 0x000000, 0.45) : mix(fill, plot_colour_on(fill), 0.6);
}

PlotInk plot_theme_state(const PlotTheme *theme, AnalysisState state)
{
    uint32_t fill = theme->states[state];
    return (PlotInk){
        .fill = fill, .line = PLOT_NONE, .pattern = theme->patterns[state], .pattern_ink = strokes_on(theme, fill)};
}

PlotInk plot_theme_series(const PlotTheme *theme, unsigned n)
{
    static const PlotPattern patterns[] = {PLOT_PLAIN, PLOT_RISING, PLOT_DOTS, PLOT_FALLING, PLOT_CROSSED, PLOT_LEVEL};
    uint32_t fill = theme->series[n % PLOT_SERIES];
    return (PlotInk){.fill = fill,
                     .line = PLOT_NONE,
                     .pattern = patterns[n % G_N_ELEMENTS(patterns)],
                     .pattern_ink = strokes_on(theme, fill)};
}
