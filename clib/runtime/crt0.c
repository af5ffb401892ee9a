/* crt0.c - the first and the last code of a simulated process.
 *
 * The VM enters _start with argc, argv and envp in the first registers. Before main, the linker's __orrery_init calls
 * the constructors. exit() runs the handlers of atexit in reverse order, then the linker's __orrery_fini for the
 * destructors. It ends in the host function _exit, which flushes the streams. A program whose entry is MPI_main is
 * linked with MPI_main as main.
 */
#include <stdlib.h>
#include <unistd.h>

char **environ;
char **__orrery_arguments; /* argv, for messages with the program's name */

int main(int argc, char **argv, char **envp);
void __orrery_init(void);
void __orrery_fini(void);

void _start(int argc, char **argv, char **envp)
{
    environ = envp;
    __orrery_arguments = argv;
    __orrery_init();
    exit(main(argc, argv, envp));
}

/* Handlers of atexit(), in blocks of 32, the least number that C11 7.22.4.2 promises. Further blocks come from the
 * heap. */
struct handlers {
    struct handlers *older;
    int count;
    void (*function[32])(void);
};

static int push(struct handlers **list, void (*function)(void))
{
    struct handlers *block = *list;
    if (block->count == 32) {
        block = malloc(sizeof *block);
        if (!block)
            return -1;
        block->older = *list;
        block->count = 0;
        *list = block;
    }
    block->function[block->count++] = function;
    return 0;
}

/* A handler of on_exit(), which gets the status and an argument. An ordinary handler calls it. */
struct call {
    struct call *older;
    void (*function)(int, void *);
    void *argument;
};
static struct call *calls;
static int exit_status;

static void run_call(void)
{
    struct call *call = calls;
    calls = call->older;
    call->function(exit_status, call->argument);
}

int on_exit(void (*function)(int, void *), void *argument)
{
    struct call *call = malloc(sizeof *call);
    if (!call || atexit(run_call) != 0) {
        free(call);
        return -1;
    }
    call->older = calls;
    call->function = function;
    call->argument = argument;
    calls = call;
    return 0;
}

/* Runs the handlers, the latest first. A handler may register more or call exit again. */
static void run(struct handlers **list)
{
    while (*list) {
        while ((*list)->count > 0)
            (*list)->function[--(*list)->count]();
        *list = (*list)->older;
    }
}

static struct handlers first_exit, first_quick;
static struct handlers *exit_list = &first_exit, *quick_list = &first_quick;

int atexit(void (*function)(void))
{
    return push(&exit_list, function);
}

int at_quick_exit(void (*function)(void))
{
    return push(&quick_list, function);
}

void exit(int status)
{
    exit_status = status;
    run(&exit_list);
    __orrery_fini();
    _exit(status);
}

void quick_exit(int status)
{
    run(&quick_list);
    _exit(status);
}

void _Exit(int status)
{
    _exit(status);
}
