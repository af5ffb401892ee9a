/* parts.h - what the files of this room share. */
#ifndef ORRERY_MONITOR_PAGE_PARTS_H
#define ORRERY_MONITOR_PAGE_PARTS_H

#include "monitor/page/page.h"

#include <jansson.h>

/* -- columns of numbers (pack.c) --------------------------------------------------------------- */

void mon_page_put(GByteArray *out, uint64_t number);
void mon_page_put_signed(GByteArray *out, int64_t number);
/* Returns the bytes deflated, as text in base64. The caller frees it with g_free(). */
char *mon_page_pack(const GByteArray *bytes);

/* -- names and places (sources.c) -------------------------------------------------------------- */

/* What events speak of, each kind numbered in the order in which it came. */
typedef struct MonPageSources MonPageSources;
MonPageSources *mon_page_sources_new(const TraceReader *trace);
void mon_page_sources_free(MonPageSources *sources);
/* Returns the number of an activity: a state of states.def (or MON_PAGE_MIXED), in a function, at a place of the trace,
 * for a cause. Texts may be NULL. */
enum { MON_PAGE_MIXED = 4 };
uint32_t mon_page_activity(MonPageSources *sources, unsigned state, const char *function, uint32_t site,
                           const char *cause);
/* Adds time of a state to the line of that place. */
void mon_page_add_time(MonPageSources *sources, uint32_t site, unsigned state, uint64_t time_ps);
/* Adds the files that the functions of a program come from. */
void mon_page_add_program(MonPageSources *sources, const VcodeModule *module);
/* Returns the file and line of a place of the trace as JSON: keys "file" and "line"; NULL: unknown. */
json_t *mon_page_place(MonPageSources *sources, uint32_t site);
/* Adds all of it to the page's data: activities, functions, causes, sites, files with their texts, lines. */
void mon_page_sources_json(MonPageSources *sources, json_t *data);

/* -- routes (routes.c) ------------------------------------------------------------------------- */

typedef struct MonPageRoutes MonPageRoutes;
MonPageRoutes *mon_page_routes_new(const Machine *machine);
void mon_page_routes_free(MonPageRoutes *routes);
/* Reads the links that messages have taken, where the trace tells them: of every `every`-th message. */
bool mon_page_routes_read(MonPageRoutes *routes, TraceReader *trace, uint64_t every, GError **error);
/* Returns the number of the route of a message between two ranks: the one that it took, if that is known, else that on
 * an empty network; 0: none is known, or they are on one node. */
uint32_t mon_page_route(MonPageRoutes *routes, uint64_t message, uint32_t sender, uint32_t receiver);
/* Adds the routes to the page's data, whether all messages between two nodes take the same one, and whether they are
 * those that messages took. */
void mon_page_routes_json(const MonPageRoutes *routes, json_t *data);

/* -- events (events.c) ------------------------------------------------------------------------- */

typedef struct MonPageEvents {
    GArray *rows; /* uint32_t: location of each row, by rank and thread */
    GByteArray *intervals, *messages;
    uint64_t totals_ps[4]; /* by state */
    uint64_t n_messages;   /* in the trace */
    char *left_out;        /* what the page does not have; NULL: nothing */
} MonPageEvents;
bool mon_page_events_read(const MonPage *page, MonPageSources *sources, MonPageRoutes *routes, MonPageEvents *events,
                          GError **error);
void mon_page_events_clear(MonPageEvents *events);

/* -- facts (facts.c) --------------------------------------------------------------------------- */

/* Adds program, machine, statistics, findings and network to the page's data. */
void mon_page_facts(const MonPage *page, MonPageSources *sources, json_t *data);
/* Returns for how long each link was busy in each window of time. */
GByteArray *mon_page_use(const MonPage *page);

/* The page with marks @TITLE@, @DATA@, @INTERVALS@, @MESSAGES@ and @USE@ (made of web/ by the build). */
extern const char mon_page_template[];

#endif
