/* sites.c - time by place in the source. Computing goes to the line of the call that follows, and to the program's end
 * if there is none. */
#include "cli/export/sites.h"

#include <string.h>

typedef struct Sites {
    const ExportJob *job;
    GHashTable *places; /* ExportSite -> itself */
} Sites;

static guint hash_site(gconstpointer key)
{
    const ExportSite *site = key;
    return (g_str_hash(site->file) * 31 + g_str_hash(site->caller)) * 31 + site->line * 31 +
           (site->function ? g_str_hash(site->function) : 0);
}

static int compare_sites(const ExportSite *one, const ExportSite *other)
{
    int order = strcmp(one->file, other->file);
    if (!order)
        order = strcmp(one->caller, other->caller);
    if (!order)
        order = (one->line > other->line) - (one->line < other->line);
    return order ? order : g_strcmp0(one->function, other->function);
}

static gboolean equal_sites(gconstpointer a, gconstpointer b)
{
    return compare_sites(a, b) == 0;
}

static void free_site(gpointer site)
{
    g_array_unref(((ExportSite *)site)->waits);
    g_free(site);
}

static ExportSite *site_of(Sites *sites, uint64_t number, const char *function)
{
    TraceSite at = trace_reader_site(sites->job->reader, number);
    ExportSite key = {.file = at.file ? at.file : "?",
                      .caller = at.file && *at.function ? at.function : "?",
                      .line = at.line,
                      .function = function};
    ExportSite *site = g_hash_table_lookup(sites->places, &key);
    if (!site) {
        site = g_memdup2(&key, sizeof key);
        site->waits = g_array_new(FALSE, FALSE, sizeof(ExportSiteWait));
        g_hash_table_add(sites->places, site);
    }
    return site;
}

static void add_wait(ExportSite *site, const char *cause, uint64_t ps)
{
    guint at = 0;
    if (!ps)
        return;
    while (at < site->waits->len && strcmp(g_array_index(site->waits, ExportSiteWait, at).cause, cause) < 0)
        at++;
    if (at == site->waits->len || strcmp(g_array_index(site->waits, ExportSiteWait, at).cause, cause) != 0) {
        ExportSiteWait fresh = {.cause = cause};
        g_array_insert_val(site->waits, at, fresh);
    }
    g_array_index(site->waits, ExportSiteWait, at).ps += ps;
    site->waiting_ps += ps;
}

static void take_call(void *user, const ExportCall *call)
{
    Sites *sites = user;
    ExportSite *site = site_of(sites, call->site, call->function);
    uint64_t known_ps = 0, lasts_ps = call->to_ps - call->from_ps;
    uint64_t blocked_ps = MIN(call->blocked_ps, lasts_ps);
    site->calls++;
    site->computing_ps += call->computing_ps;
    site->overhead_ps += lasts_ps - blocked_ps;
    for (unsigned i = 0; i < call->n_waits; i++) {
        uint64_t ps = MIN(call->waits[i].to_ps - call->waits[i].from_ps, blocked_ps - known_ps);
        add_wait(site, call->waits[i].cause, ps);
        known_ps += ps;
    }
    add_wait(site, "", blocked_ps - known_ps);
}

static void take_pause(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *why)
{
    (void)location;
    add_wait(site_of(user, 0, NULL), why, to_ps - from_ps);
}

static void take_end(void *user, uint32_t location, uint64_t time_ps, uint64_t computing_ps)
{
    (void)location, (void)time_ps;
    site_of(user, 0, NULL)->computing_ps += computing_ps;
}

static int by_place(gconstpointer a, gconstpointer b)
{
    return compare_sites(*(ExportSite *const *)a, *(ExportSite *const *)b);
}

GPtrArray *export_sites(const ExportJob *job, GError **error)
{
    Sites sites = {job, g_hash_table_new(hash_site, equal_sites)};
    GPtrArray *places = g_ptr_array_new_with_free_func(free_site);
    ExportTimeline timeline = {.user = &sites, .call = take_call, .pause = take_pause, .ended = take_end};
    GHashTableIter iter;
    gpointer site;
    bool good = export_timeline(job, &timeline, error);
    g_hash_table_iter_init(&iter, sites.places);
    while (g_hash_table_iter_next(&iter, &site, NULL))
        g_ptr_array_add(places, site);
    g_hash_table_unref(sites.places);
    g_ptr_array_sort(places, by_place);
    if (!good)
        g_clear_pointer(&places, g_ptr_array_unref);
    return places;
}
