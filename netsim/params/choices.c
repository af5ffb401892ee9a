/* choices.c - the names of choices (netsim.h). */
#include "netsim/netsim.h"

#include <stddef.h>

#define NAME(enumerator, name) name,

const char *const *net_choice_duplexes(void)
{
    static const char *const names[] = {NET_DUPLEXES(NAME) NULL};
    return names;
}

const char *const *net_choice_allocations(void)
{
    static const char *const names[] = {NET_ALLOCATIONS(NAME) NULL};
    return names;
}

const char *const *net_choice_decisions(void)
{
    static const char *const names[] = {NET_DECISIONS(NAME) NULL};
    return names;
}

const char *const *net_choice_deadlock_policies(void)
{
    static const char *const names[] = {NET_DEADLOCK_POLICIES(NAME) NULL};
    return names;
}

const char *const *net_choice_flow_controls(void)
{
    static const char *const names[] = {NET_FLOW_CONTROLS(NAME) NULL};
    return names;
}
