/* functions.c - the table of all functions (functions.def), and the handler of each. */
#include "threads/handlers.h"
#include "threads/life/life.h"
#include "threads/sync/sync.h"

const ThreadsFunction *threads_functions_table(size_t *count)
{
    static const ThreadsFunction functions[] = {
#define THREADS_FUNCTION(name, handler, arity, mode) {name, threads_do_##handler, arity, THREADS_MODE_##mode},
#include "threads/functions.def"
    };
    *count = G_N_ELEMENTS(functions);
    return functions;
}

const char *const *threads_functions(size_t *count)
{
    static const char *const names[] = {
#define THREADS_FUNCTION(name, handler, arity, mode) name,
#include "threads/functions.def"
    };
    *count = G_N_ELEMENTS(names);
    return names;
}
