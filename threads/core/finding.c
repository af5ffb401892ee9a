/* finding.c - what checks have found, on its way up. */
#include "threads/core/call.h"

void threads_finding(const ThreadsCall *call, ThreadsFinding finding, const char *detail, const char *fix,
                     const char *format, ...)
{
    const ThreadsEnv *env = &call->world->env;
    if (!env->finding)
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    env->finding(env->user, call->process->rank, finding, call->now, what, detail, fix);
}
