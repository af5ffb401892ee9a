/* page.h - a report of a run as one page of HTML that needs nothing else: `orrery run --report`.
 *
 *   page.c     puts the page together       facts.c    what is told as JSON: program, machine, statistics, network
 *   events.c   intervals and messages of the trace, thinned out where there are very many, as columns of numbers
 *   sources.c  the texts of the source, and the time of each line
 *   routes.c   the links that messages take
 *   pack.c     columns of numbers: groups of 7 bits, deflated, in base64
 *   web/       the page itself: HTML, style and scripts, which the build puts into one template
 */
#ifndef ORRERY_MONITOR_PAGE_PAGE_H
#define ORRERY_MONITOR_PAGE_PAGE_H

#include "monitor/monitor.h"
#include "monitor/network/network.h"
#include "monitor/profile.h"
#include "monitor/report/report.h"
#include "trace/trace.h"

typedef struct MonPage { /* what a page is made of; all of it is borrowed */
    const Machine *machine;
    MonNetwork *network; /* the use of links over time; NULL: not known */
    TraceReader *trace;
    const MonDiagnosis *diagnosis;
    const MonProfileData *profile; /* the time of lines; NULL: computing counts for the call that follows it */
} MonPage;
/* Writes the page; the file is replaced as a whole. Memory is bounded: of long runs, short intervals are told together
 * and some messages are left out, which the page says. */
bool mon_page_write(const MonPage *page, const char *path, GError **error);

#endif
