/* choices.c - the names of choices (netsim.h). */
#include "netsim/netsim.h"

#include <stddef.h>

const char *const *net_choice_duplexes(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(NET_DUPLEXES);
    return names;
}

const char *const *net_choice_allocations(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(NET_ALLOCATIONS);
    return names;
}

const char *const *net_choice_allocators(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(NET_ALLOCATORS);
    return names;
}

const char *const *net_choice_speculations(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(NET_SPECULATIONS);
    return names;
}

const char *const *net_choice_decisions(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(NET_DECISIONS);
    return names;
}

const char *const *net_choice_deadlock_policies(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(NET_DEADLOCK_POLICIES);
    return names;
}

const char *const *net_choice_flow_controls(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(NET_FLOW_CONTROLS);
    return names;
}
