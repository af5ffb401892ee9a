/* quantity.c - times and bandwidths in texts that parameters name or are: files of graphs, failures. */
#include "netsim/params/params.h"

#include <string.h>

typedef struct Unit {
    const char *name;
    uint64_t times, per; /* value * times / per */
} Unit;

static const Unit bandwidth_units[] = {
    {"Tbit/s", 1000000000000, 8},
    {"Gbit/s", 1000000000, 8},
    {"Mbit/s", 1000000, 8},
    {"kbit/s", 1000, 8},
    {"bit/s", 1, 8},
    {"TB/s", 1000000000000, 1},
    {"GB/s", 1000000000, 1},
    {"MB/s", 1000000, 1},
    {"kB/s", 1000, 1},
    {"GiB/s", 1 << 30, 1},
    {"MiB/s", 1 << 20, 1},
    {"KiB/s", 1 << 10, 1},
    {"B/s", 1, 1},
    {NULL, 0, 0},
};
static const Unit time_units[] = {
    {"ps", 1, 1}, {"ns", 1000, 1}, {"us", 1000000, 1}, {"ms", 1000000000, 1}, {"s", 1000000000000, 1}, {NULL, 0, 0},
};

/* A decimal number and a unit, exactly; false: it is none, or none that is whole. */
static bool read_quantity(const char *text, const Unit *units, uint64_t most, uint64_t *value)
{
    unsigned __int128 number = 0;
    unsigned __int128 scale = 1;
    bool point = false;
    const char *at = text;
    for (; g_ascii_isdigit(*at) || (*at == '.' && !point); at++) {
        if (*at == '.')
            point = true;
        else if (at - text > 18)
            return false;
        else {
            number = number * 10 + (unsigned)(*at - '0');
            scale *= point ? 10 : 1;
        }
    }
    if (at == text)
        return false;
    at += strspn(at, " ");
    for (; units->name; units++)
        if (strcmp(units->name, at) == 0)
            break;
    if (!units->name)
        return false;
    number *= units->times;
    scale *= units->per;
    if (number % scale || number / scale > most)
        return false;
    *value = (uint64_t)(number / scale);
    return true;
}

bool net_quantity_read_bandwidth(const char *text, uint64_t *bytes_per_s)
{
    return read_quantity(text, bandwidth_units, UINT64_C(1000000000000000), bytes_per_s);
}

bool net_quantity_read_time(const char *text, uint64_t *ps)
{
    return read_quantity(text, time_units, NET_MAX_TIME, ps);
}

char *net_quantity_format_time(uint64_t ps)
{
    static const struct {
        const char *name;
        uint64_t one;
        int places;
    } units[] = {{"s", NET_PS_PER_S, 12}, {"ms", 1000000000, 9}, {"us", 1000000, 6}, {"ns", 1000, 3}, {"ps", 1, 0}};
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(units) && ps < units[i].one)
        i++;
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%" G_GUINT64_FORMAT, ps / units[i].one);
    if (ps % units[i].one) {
        g_string_append_printf(out, ".%0*" G_GINT64_MODIFIER "u", units[i].places, ps % units[i].one);
        while (out->str[out->len - 1] == '0')
            g_string_truncate(out, out->len - 1);
    }
    g_string_append_printf(out, " %s", ps ? units[i].name : "s");
    return g_string_free(out, FALSE);
}
