/* errors.c - errors of monitor/. */
#include "monitor/report/report.h"

GQuark mon_error_quark(void)
{
    return g_quark_from_static_string("orrery-monitor-error");
}
