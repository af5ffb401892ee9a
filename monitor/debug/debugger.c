/* debugger.c - what the functions that look share: the machine. Running it is the session's (monitor/session). */
#include "monitor/debug/debug.h"

struct MonDebugger {
    Machine *machine;
};

MonDebugger *mon_debugger_new(Machine *machine)
{
    MonDebugger *debugger = g_new0(MonDebugger, 1);
    debugger->machine = machine;
    return debugger;
}

void mon_debugger_free(MonDebugger *debugger)
{
    g_free(debugger);
}

Machine *mon_debugger_machine(MonDebugger *debugger)
{
    return debugger->machine;
}
