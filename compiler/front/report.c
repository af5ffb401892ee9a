/* report.c - errors, warnings and notes of the parser. */
#include "compiler/report/report.h"
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/tree/tree.h"

CcLoc cc_front_join_locs(CcLoc first, CcLoc last)
{
    if (first.line == 0)
        return last;
    int length = last.column + last.length - first.column;
    if (first.file == last.file && first.line == last.line && length > first.length)
        first.length = (uint16_t)MIN(length, UINT16_MAX);
    else if (first.file == last.file && first.line < last.line)
        first.length = UINT16_MAX; /* to the end of the line */
    return first;
}

CcLoc cc_front_behind_previous(const CcParser *p)
{
    CcLoc place = p->last_token;
    place.column = (uint16_t)MIN(place.column + place.length, UINT16_MAX);
    place.length = 1;
    return place;
}

void cc_front_error(CcParser *p, CcLoc loc, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    p->stop |= cc_report_list(p->unit, CC_SEVERITY_ERROR, loc, NULL, format, list);
    va_end(list);
}

void cc_front_warning(CcParser *p, CcLoc loc, const char *option, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    p->stop |= cc_report_list(p->unit, CC_WARNING, loc, option, format, list);
    va_end(list);
}

void cc_front_note(CcParser *p, CcLoc loc, const char *format, ...)
{
    if (loc.line == 0 || p->stop) /* a built-in name has no location; after a stop nothing is reported */
        return;
    va_list list;
    va_start(list, format);
    (void)cc_report_list(p->unit, CC_NOTE, loc, NULL, format, list);
    va_end(list);
}

void cc_front_fatal(CcParser *p, CcLoc loc, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)cc_report_list(p->unit, CC_FATAL, loc, NULL, format, list);
    va_end(list);
    p->stop = true;
}
