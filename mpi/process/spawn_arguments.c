/* spawn_arguments.c - reads what MPI_Comm_spawn is given: commands, their arguments, numbers of processes, info
 * objects.
 *
 * Info keys (MPI-4.1 section 11.8.4): `wdir`, `path`, `host` and `arch` are for the machine. `soft` is a list of
 * numbers that will do, from which the largest one up to maxprocs is taken. `file` names a file with more keys, each on
 * a line of its own with its value behind it; a key of the info object itself counts more. `mpi_initial_errhandler`
 * names the first error handler of the processes (section 11.2.1). */
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/process/spawn.h"

#include <string.h>

enum { MOST_TEXTS = 1 << 20, MOST_PROGRAMS = 1 << 16 };

/* Takes a text. */
static const char *own(MpiRequested *requested, char *text)
{
    g_ptr_array_add(requested->texts, text);
    requested->bytes += strlen(text) + 1;
    return text;
}

/* Returns a copy of the program's string, or NULL with an error. */
static const char *read_text(MpiCall *call, uint64_t address, const char *what, MpiEnd *end, MpiRequested *requested)
{
    const char *text = address ? vm_rank_string(call->process, address) : NULL;
    if (!text)
        mpi_union_end_fail(end, MPI_ERR_ARG, "%s is not in memory", what);
    return text ? own(requested, g_strdup(text)) : NULL;
}

/* Reads element `i` of an array of pointers or handles. */
static bool read_word(MpiCall *call, uint64_t array, uint64_t i, const char *what, MpiEnd *end, uint64_t *word)
{
    const void *from = vm_rank_read(call->process, array + i * sizeof *word, sizeof *word);
    if (from)
        memcpy(word, from, sizeof *word);
    else
        mpi_union_end_fail(end, MPI_ERR_ARG, "%s is not in memory", what);
    return from;
}

static void read_arguments(MpiCall *call, uint64_t argv, MpiEnd *end, MpiRequested *requested, MpiSpawn *spawn)
{
    static const char what[] = "argv, or a text in it,";
    GPtrArray *texts = g_ptr_array_new();
    uint64_t address = 1;
    for (uint64_t i = 0; argv && !end->error && i < MOST_TEXTS; i++) {
        if (!read_word(call, argv, i, what, end, &address) || !address)
            break;
        g_ptr_array_add(texts, (char *)read_text(call, address, what, end, requested));
    }
    g_ptr_array_add(texts, NULL);
    spawn->arguments = (const char *const *)g_ptr_array_free(texts, FALSE);
}

/* -- info ------------------------------------------------------------------------------------------------ */

/* Returns the value of a key in the text of a file: lines of a key and its value, with or without "=" between. */
static char *find_in_file(const char *text, const char *key)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        char *at = g_strstrip(*line);
        size_t length = strlen(key);
        if (strncmp(at, key, length) != 0 || !strchr(" \t=", at[length]) || !at[length])
            continue;
        return g_strdup(at + length + strspn(at + length, " \t="));
    }
    return NULL;
}

static const char *value_of(MpiRequested *requested, const MpiInfo *info, const char *file, const char *key)
{
    const char *value = mpi_info_get(info, key);
    char *found = value ? g_strdup(value) : file ? find_in_file(file, key) : NULL;
    return found ? own(requested, found) : NULL;
}

/* Reads a number; *at moves behind it. */
static bool read_number(const char **at, int64_t *number)
{
    char *after;
    *number = g_ascii_strtoll(*at, &after, 10);
    bool good = after != *at;
    *at = after;
    return good;
}

/* Finds the largest number up to `most` in a list such as "1,4:16:4". Returns false if it is no such list; -1: it has
 * no such number. */
static bool parse_soft(const char *text, int64_t most, int64_t *best)
{
    *best = -1;
    for (const char *at = text;; at++) {
        int64_t first, last, stride = 1;
        if (!read_number(&at, &first))
            return false;
        last = first;
        if (*at == ':' && (at++, !read_number(&at, &last)))
            return false;
        if (*at == ':' && (at++, !read_number(&at, &stride) || !stride))
            return false;
        int64_t low = MAX(MIN(first, last), INT32_MIN), high = MIN(MAX(first, last), INT32_MAX);
        int64_t step = MIN(ABS(stride), INT32_MAX);
        bool up = stride > 0;
        if (up ? first > last : first < last)
            low = 1, high = 0; /* empty */
        if (up && high >= low && most >= low)
            *best = MAX(*best, low + (MIN(high, most) - low) / step * step);
        for (int64_t number = high; !up && number >= low; number -= step)
            if (number <= most) {
                *best = MAX(*best, number);
                break;
            }
        while (*at == ' ')
            at++;
        if (*at == '\0')
            return true;
        if (*at != ',')
            return false;
    }
}

static void soften(const char *soft, MpiEnd *end, MpiSpawn *spawn)
{
    int64_t best;
    if (!parse_soft(soft, spawn->ranks, &best))
        mpi_union_end_fail(end, MPI_ERR_INFO_VALUE,
                           "the info key soft is \"%.64s\"; it is a list of numbers and of first:last:stride", soft);
    else if (best < 0)
        mpi_union_end_fail(end, MPI_ERR_SPAWN, "the info key soft, \"%.64s\", has no number up to %u", soft,
                           spawn->ranks);
    else
        spawn->ranks = (uint32_t)best;
}

static void read_errhandler(const char *name, MpiEnd *end, MpiRequested *requested, const MpiSpawn *spawn)
{
    uint32_t index = name ? mpi_error_initial_index(name) : 0;
    if (name && !index)
        mpi_union_end_fail(end, MPI_ERR_INFO_VALUE,
                           "the info key mpi_initial_errhandler is \"%.64s\"; it is mpi_errors_are_fatal, "
                           "mpi_errors_abort or mpi_errors_return",
                           name);
    requested->errhandlers[spawn - requested->spawns] = index;
}

static void read_info(MpiCall *call, uint64_t handle, MpiEnd *end, MpiRequested *requested, MpiSpawn *spawn)
{
    const MpiInfo *info = mpi_handle_lookup(call->rank, MPI_KIND_INFO, handle);
    if (handle == MPI_HANDLE(MPI_KIND_INFO, 0) || handle == MPI_HANDLE(MPI_KIND_INFO, MPI_INFO_ENV_INDEX))
        return;
    if (!info) {
        mpi_union_end_fail(end, MPI_ERR_INFO, "an info argument is no info object; MPI_INFO_NULL stands for none");
        return;
    }
    const char *name = mpi_info_get(info, "file");
    g_autofree char *file = name ? vm_library_read_text(call->process, name) : NULL;
    if (name && !file) {
        mpi_union_end_fail(end, MPI_ERR_SPAWN, "the info key file names \"%.128s\", which cannot be read", name);
        return;
    }
    spawn->directory = value_of(requested, info, file, "wdir");
    spawn->path = value_of(requested, info, file, "path");
    spawn->host = value_of(requested, info, file, "host");
    spawn->architecture = value_of(requested, info, file, "arch");
    read_errhandler(value_of(requested, info, file, "mpi_initial_errhandler"), end, requested, spawn);
    const char *soft = value_of(requested, info, file, "soft");
    if (soft)
        soften(soft, end, spawn);
}

/* -- all of it --------------------------------------------------------------------------------------------- */

/* Reads program `i`: addresses of its command and arguments, its number of processes and its info object. */
static void read_program(MpiCall *call, uint32_t i, const uint64_t given[4], MpiEnd *end, MpiRequested *requested)
{
    MpiSpawn *spawn = &requested->spawns[i];
    int32_t ranks = (int32_t)given[2];
    spawn->command = read_text(call, given[0], "the command", end, requested);
    read_arguments(call, given[1], end, requested, spawn);
    if (ranks < 0 && !end->error)
        mpi_union_end_fail(end, MPI_ERR_ARG, "the number of processes, maxprocs, is %d", ranks);
    if (end->error)
        return;
    spawn->ranks = requested->asked[i] = (uint32_t)ranks;
    read_info(call, given[3], end, requested, spawn);
}

static void begin(MpiRequested *requested, uint32_t n)
{
    *requested = (MpiRequested){.n = n,
                                .spawns = g_new0(MpiSpawn, n),
                                .asked = g_new0(uint32_t, n),
                                .errhandlers = g_new0(uint32_t, n),
                                .texts = g_ptr_array_new_with_free_func(g_free)};
}

static void read_multiple(MpiCall *call, MpiEnd *end, MpiRequested *requested)
{
    enum { COUNT, COMMANDS, ARGVS, RANKS, INFOS };
    int count = mpi_int(call, COUNT);
    bool good = count > 0 && count <= MOST_PROGRAMS;
    begin(requested, good ? (uint32_t)count : 0);
    if (!good)
        mpi_union_end_fail(end, count < 0 ? MPI_ERR_COUNT : MPI_ERR_ARG, "argument 1, the number of commands, is %d",
                           count);
    for (uint32_t i = 0; i < requested->n && !end->error; i++) {
        uint64_t given[4] = {0};
        const void *ranks = vm_rank_read(call->process, call->args[RANKS] + i * sizeof(int32_t), sizeof(int32_t));
        if (!ranks) {
            mpi_union_end_fail(end, MPI_ERR_ARG, "argument 4, the array of maxprocs, is not in memory");
            return;
        }
        given[2] = (uint64_t)(int64_t) * (const MpiInt32 *)ranks;
        if (read_word(call, call->args[COMMANDS], i, "argument 2, the array of commands,", end, &given[0]) &&
            (!call->args[ARGVS] ||
             read_word(call, call->args[ARGVS], i, "argument 3, the array of argv,", end, &given[1])) &&
            read_word(call, call->args[INFOS], i, "argument 5, the array of info objects,", end, &given[3]))
            read_program(call, i, given, end, requested);
    }
}

void mpi_spawn_arguments_read(MpiCall *call, bool multiple, MpiEnd *end, MpiRequested *requested)
{
    uint64_t all = 0;
    if (multiple) {
        read_multiple(call, end, requested);
    } else {
        begin(requested, 1);
        read_program(call, 0, call->args, end, requested);
    }
    for (uint32_t i = 0; i < requested->n; i++)
        all += requested->asked[i];
    if (!end->error && all == 0)
        mpi_union_end_fail(end, MPI_ERR_ARG, "no process is asked for: maxprocs is 0");
    if (all > INT32_MAX) { /* nor is there room for so many error codes */
        if (!end->error)
            mpi_union_end_fail(end, MPI_ERR_SPAWN, "%" G_GUINT64_FORMAT " processes are more than can be numbered",
                               all);
        requested->n = 0;
    }
}

void mpi_spawn_arguments_clear(MpiRequested *requested)
{
    for (uint32_t i = 0; i < requested->n; i++)
        g_free((void *)requested->spawns[i].arguments);
    g_free(requested->spawns);
    g_free(requested->asked);
    g_free(requested->errhandlers);
    g_ptr_array_unref(requested->texts);
}
