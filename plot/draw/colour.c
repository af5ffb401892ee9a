/* colour.c - how light colours are (WCAG 2.1, "relative luminance"), and what can be read on them. */
#include "plot/plot.h"

#include <math.h>

static double linear(uint32_t channel)
{
    double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

double plot_colour_luminance(uint32_t colour)
{
    return 0.2126 * linear(colour >> 16 & 255) + 0.7152 * linear(colour >> 8 & 255) + 0.0722 * linear(colour & 255);
}

uint32_t plot_colour_on(uint32_t colour)
{
    return plot_colour_luminance(colour) > 0.18 ? 0x000000 : 0xffffff; /* where both contrasts are the same */
}
