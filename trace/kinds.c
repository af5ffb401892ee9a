/* kinds.c - the kinds of events, from events.def. */
#include "trace/trace.h"

const TraceKindInfo trace_kinds[TRACE_KINDS] = {
#define TRACE_FIELD(kind, identifier, name, form) {name, TRACE_FORM_##form},
#define TRACE_KIND(identifier, name, fields)      [TRACE_##identifier] = {name, TRACE_##identifier##_FIELDS, {fields}},
#include "trace/events.def"
};

#define TRACE_FIELD(kind, identifier, name, form)
#define TRACE_KIND(identifier, name, fields)                                                                           \
    _Static_assert((unsigned)TRACE_##identifier##_FIELDS <= (unsigned)TRACE_FIELDS, "TRACE_FIELDS is too small");
#include "trace/events.def"
_Static_assert(TRACE_KINDS < 64, "TraceSelection.kinds has a bit for each");
