/* interrupt.c - Ctrl-C while a machine runs.
 *
 * The signals are blocked in the whole process, and one thread waits for them. The first signal asks the machine to
 * stop. A second one ends the process, in case the machine does not react. When the run is over, the signals are as
 * before. The same thread is the timer that asks the machine for its progress.
 */
#include "cli/run/run.h"
#include "machine/machine.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#define ASK_NS 100000000 /* time between two requests for progress */

struct CliInterrupt {
    Machine *machine; /* NULL: `stop` is called instead */
    void (*stop)(void *user);
    void *user;
    bool progress;
    atomic_int received;
    atomic_bool over;
    sigset_t signals, before;
    pthread_t thread;
    bool watching;
};

/* Waits for a signal and returns it. Returns 0 when the run is over. */
static int next_signal(CliInterrupt *interrupt)
{
    const struct timespec pause = {.tv_nsec = ASK_NS};
    int signal;
    while ((signal = sigtimedwait(&interrupt->signals, NULL, interrupt->progress ? &pause : NULL)) < 0)
        if (interrupt->progress)
            mach_run_request_progress(interrupt->machine);
    return atomic_load(&interrupt->over) ? 0 : signal;
}

/* Ends the process. Who has taken the terminal has a handler that gives it back. */
static void leave(int signal)
{
    struct sigaction handler;
    sigset_t termination;
    sigemptyset(&termination);
    sigaddset(&termination, SIGTERM);
    if (sigaction(SIGTERM, NULL, &handler) == 0 && handler.sa_handler != SIG_DFL && handler.sa_handler != SIG_IGN) {
        pthread_sigmask(SIG_UNBLOCK, &termination, NULL);
        raise(SIGTERM);
    }
    _exit(128 + signal);
}

static void *wait_for_signal(void *argument)
{
    CliInterrupt *interrupt = argument;
    int first = next_signal(interrupt);
    if (!first)
        return NULL;
    atomic_store(&interrupt->received, first);
    interrupt->progress = false;
    if (interrupt->machine)
        mach_run_interrupt(interrupt->machine);
    else
        interrupt->stop(interrupt->user);
    int second = next_signal(interrupt);
    if (second)
        leave(second);
    return NULL;
}

static void begin(CliInterrupt *interrupt, bool termination)
{
    sigemptyset(&interrupt->signals);
    sigaddset(&interrupt->signals, SIGINT);
    if (termination)
        sigaddset(&interrupt->signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &interrupt->signals, &interrupt->before);
    interrupt->watching = pthread_create(&interrupt->thread, NULL, wait_for_signal, interrupt) == 0;
    if (!interrupt->watching)
        pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
}

CliInterrupt *cli_interrupt_watch(Machine *machine, bool termination, bool progress)
{
    CliInterrupt *interrupt = g_new0(CliInterrupt, 1);
    interrupt->machine = machine;
    interrupt->progress = progress;
    begin(interrupt, termination);
    return interrupt;
}

CliInterrupt *cli_interrupt_watch_with(void (*stop)(void *user), void *user)
{
    CliInterrupt *interrupt = g_new0(CliInterrupt, 1);
    interrupt->stop = stop;
    interrupt->user = user;
    begin(interrupt, true);
    return interrupt;
}

int cli_interrupt_end(CliInterrupt *interrupt)
{
    if (interrupt->watching) {
        atomic_store(&interrupt->over, true);
        pthread_kill(interrupt->thread, SIGINT); /* only this thread waits for the signal, so nobody else gets it */
        pthread_join(interrupt->thread, NULL);
        pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    }
    int signal = atomic_load(&interrupt->received);
    g_free(interrupt);
    return signal;
}
