/* queries.h - a question as the functions that answer it get it. */
#ifndef ORRERY_MONITOR_SESSION_QUERIES_H
#define ORRERY_MONITOR_SESSION_QUERIES_H

#include "monitor/session/engine.h"

typedef struct MonQuestion {
    MonEngine *engine;
    MonDebugger *debugger;
    uint32_t rank, frame;
    const char *argument;
    GString *out;
    GError **error;
} MonQuestion;

/* -- queries_ranks.c: append the answer, or return false with an error --------------------------- */

bool mon_queries_print_over(const MonQuestion *question, bool whole);
bool mon_queries_group(const MonQuestion *question);
/* The set of ranks that the question names, and nothing else; all, if it names none. NULL with an error. */
MonRankSet *mon_queries_ranks(const MonQuestion *question);
/* Calls `look` for the set of ranks that the question names; all, if it names none. */
bool mon_queries_look(const MonQuestion *question,
                      void (*look)(Machine *machine, const MonRankSet *ranks, GString *out));

/* -- queries_names.c ----------------------------------------------------------------------------- */

bool mon_queries_names(const MonQuestion *question);
void mon_queries_positions(const MonQuestion *question);

/* -- queries_data.c: append JSON ----------------------------------------------------------------- */

bool mon_queries_data_ranks(const MonQuestion *question);
bool mon_queries_data_stack(const MonQuestion *question);
bool mon_queries_data_variables(const MonQuestion *question);
bool mon_queries_data_value(const MonQuestion *question);
bool mon_queries_data_parts(const MonQuestion *question);
bool mon_queries_data_sources(const MonQuestion *question);
bool mon_queries_data_lines(const MonQuestion *question);
bool mon_queries_data_bytes(const MonQuestion *question);
bool mon_queries_data_code(const MonQuestion *question);
bool mon_queries_data_names(const MonQuestion *question);

#endif
