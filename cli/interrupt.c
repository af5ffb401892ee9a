/* interrupt.c - Ctrl-C while a machine runs.
 *
 * The signals are blocked in the whole process and waited for by one thread: the first asks the machine to stop, a
 * second one ends the process, should the first not be heard. When the run is over, the signals are as they were.
 */
#include "cli.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

struct CliInterrupt {
    Machine *machine;
    sigset_t signals, before;
    pthread_t thread;
    bool watching;
};

static void *wait_for_signal(void *argument)
{
    CliInterrupt *interrupt = argument;
    int signal;
    sigwait(&interrupt->signals, &signal);
    mach_interrupt(interrupt->machine);
    sigwait(&interrupt->signals, &signal);
    _exit(128 + signal);
}

CliInterrupt *cli_interrupt_watch(Machine *machine, bool termination)
{
    CliInterrupt *interrupt = g_new0(CliInterrupt, 1);
    interrupt->machine = machine;
    sigemptyset(&interrupt->signals);
    sigaddset(&interrupt->signals, SIGINT);
    if (termination)
        sigaddset(&interrupt->signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &interrupt->signals, &interrupt->before);
    interrupt->watching = pthread_create(&interrupt->thread, NULL, wait_for_signal, interrupt) == 0;
    if (!interrupt->watching)
        pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    return interrupt;
}

void cli_interrupt_end(CliInterrupt *interrupt)
{
    if (interrupt->watching) {
        pthread_cancel(interrupt->thread);
        pthread_join(interrupt->thread, NULL);
        pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    }
    g_free(interrupt);
}
