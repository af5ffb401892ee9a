/* numbers.c - numbers in a form for people. */
#include "monitor/report/report.h"

void mon_report_append_time(GString *out, uint64_t ps, int width)
{
    /* Four significant digits, cut off, for reading; --json has the exact numbers. */
    static const struct {
        const char *unit;
        uint64_t one;
    } steps[] = {{"s ", UINT64_C(1000000000000)}, {"ms", 1000000000}, {"us", 1000000}, {"ns", 1000}, {"ps", 1}};
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(steps) && ps < steps[i].one)
        i++;
    uint64_t whole = ps / steps[i].one, rest = ps % steps[i].one;
    int places = whole >= 1000 || steps[i].one == 1 ? 0 : whole >= 100 ? 1 : whole >= 10 ? 2 : 3;
    uint64_t scale = 1;
    for (int k = 0; k < places; k++)
        scale *= 10;
    uint64_t digits = (uint64_t)((unsigned __int128)rest * scale / steps[i].one);
    char text[40];
    if (places)
        g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT ".%0*u %s", whole, places, (unsigned)digits, steps[i].unit);
    else
        g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT " %s", whole, ps ? steps[i].unit : "s ");
    g_string_append_printf(out, "%*s", width, text);
}

unsigned mon_report_per_mille(uint64_t part, uint64_t whole)
{
    return whole ? (unsigned)((unsigned __int128)part * 1000 / whole) : 0;
}
