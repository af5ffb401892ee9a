/* notes.c - passes remarks of the simulator to its user while a machine runs. */
#include "machine/run/run.h"

static void say(Machine *machine, void (*hear)(void *user, const char *text), const char *text)
{
    if (machine->runs_on)
        return;
    if (machine->options.before_output)
        machine->options.before_output(machine->options.progress_user);
    if (hear)
        hear(machine->options.user, text);
    else
        g_printerr("orrery: %s\n", text);
}

void mach_run_note(Machine *machine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    say(machine, machine->options.note, text);
}

void mach_run_tell_finding(Machine *machine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    machine->findings++;
    say(machine, machine->options.finding ? machine->options.finding : machine->options.note, text);
}
