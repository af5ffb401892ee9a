/* execution.c - one execution of a program that is explored.
 *
 * Each execution has a machine of its own. Only what distinguishes it from others is kept. Failures are described
 * without numbers of ranks, times and addresses, so that the same bug in another execution has the same description. */
#include "machine/explore/execution.h"

#include <string.h>

enum { MOST_TEXT = 1 << 20, MOST_STEPS = 16 };

typedef struct Io { /* `user` of the machine's callbacks */
    const MachExecutionSetup *setup;
    const char *input; /* the input that is left; NULL: not asked for yet */
    size_t input_left;
    GString *printed;
    GPtrArray *lines; /* GString of each rank, as far as one has printed; NULL: it printed nothing */
    GPtrArray *remarks;
} Io;

static void keep_line(void *user, uint32_t rank, int stream, const char *bytes, size_t size)
{
    Io *io = user;
    (void)stream;
    if (io->printed->len < MOST_TEXT)
        g_string_append_len(io->printed, bytes, (gssize)size);
    if (io->lines->len <= rank)
        g_ptr_array_set_size(io->lines, (gint)rank + 1);
    GString **line = (GString **)&io->lines->pdata[rank];
    *line = *line ? *line : g_string_new(NULL);
    if ((*line)->len < MOST_TEXT)
        g_string_append_len(*line, bytes, (gssize)size);
}

static void keep_note(void *user, const char *text)
{
    Io *io = user;
    g_ptr_array_add(io->remarks, g_strdup(text));
}

static size_t give_input(void *user, char *bytes, size_t size)
{
    Io *io = user;
    if (!io->input && io->setup->input)
        io->setup->input(io->setup->input_user, &io->input, &io->input_left);
    size_t given = MIN(size, io->input_left);
    if (given && io->input)
        memcpy(bytes, io->input, given);
    io->input = io->input ? io->input + given : NULL;
    io->input_left -= given;
    return given;
}

/* -- the machine ------------------------------------------------------------------------------- */

static MachOptions execution_options(const MachExecutionSetup *setup, const GArray *forced, bool note, Io *io)
{
    MachOptions options = setup->options;
    options.jobs = 1; /* other executions use the other cores of the host */
    options.choices = forced;
    options.explore = note;
    options.checks &= ~MPI_CHECK_BIT(MPI_CHECK_RACES); /* exploring covers races */
    options.output = NULL;
    options.line = keep_line;
    options.note = keep_note;
    options.input = give_input;
    options.progress = NULL;
    options.before_output = NULL;
    options.user = io;
    return options;
}

static Machine *build(const MachExecutionSetup *setup, const GArray *forced, bool note, Io *io, GError **error)
{
    MachOptions options = execution_options(setup, forced, note, io);
    g_autofree MachProgram *programs = g_memdup2(setup->programs, setup->n_programs * sizeof *programs);
    bool read = true;
    for (size_t i = 0; i < setup->n_programs; i++) {
        programs[i].module = read ? setup->program(setup->program_user, i, error) : NULL;
        read = read && programs[i].module;
    }
    if (read)
        return mach_run_new(setup->config, programs, setup->n_programs, &options, error);
    for (size_t i = 0; i < setup->n_programs; i++)
        g_clear_pointer(&programs[i].module, vcode_module_free);
    return NULL;
}

static void io_clear(Io *io)
{
    g_string_free(io->printed, TRUE);
    for (guint rank = 0; rank < io->lines->len; rank++)
        if (io->lines->pdata[rank])
            g_string_free(io->lines->pdata[rank], TRUE);
    g_ptr_array_unref(io->lines);
    g_ptr_array_unref(io->remarks);
}

/* -- what went wrong --------------------------------------------------------------------------- */

static void append_place(Machine *machine, uint32_t rank, GString *out)
{
    mpi_world_append_place(mach_run_mpi(machine), rank, out);
}

static gint compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends the locations where ranks wait, each once. */
static void append_waits(Machine *machine, GString *out)
{
    g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t rank = 0; rank < mach_run_ranks(machine); rank++) {
        MachRankState state = mach_run_rank_state(machine, rank);
        if (state != MACH_RANK_BLOCKED && state != MACH_RANK_READY)
            continue;
        GString *place = g_string_new(NULL);
        append_place(machine, rank, place);
        g_ptr_array_add(places, g_string_free(place, FALSE));
    }
    g_ptr_array_sort(places, compare_texts);
    for (guint i = 0; i < places->len; i++) {
        if (i && strcmp(places->pdata[i], places->pdata[i - 1]) == 0)
            continue;
        g_string_append_printf(out, "%s%s", i ? "," : "", (char *)places->pdata[i]);
    }
}

static char *name_failure(Machine *machine, MachStop stop, int status)
{
    GString *out = g_string_new(NULL);
    const VmFault *fault;
    switch (stop) {
    case MACH_STOP_DEADLOCK:
        g_string_append(out, "deadlock:");
        append_waits(machine, out);
        break;
    case MACH_STOP_FAULT:
        fault = vm_rank_fault_info(mach_run_rank(machine, mach_run_stopped_rank(machine)));
        g_string_append(out, "a rank stops:");
        append_place(machine, mach_run_stopped_rank(machine), out);
        g_string_append_printf(out, ": %s", fault->reason);
        break;
    case MACH_STOP_ABORT:
        g_string_append_printf(out, "MPI_Abort with code %d:", mpi_world_abort_code(mach_run_mpi(machine)));
        append_place(machine, mach_run_stopped_rank(machine), out);
        break;
    case MACH_STOP_KILLED: g_string_append(out, "a process is killed"); break;
    case MACH_STOP_NETWORK: g_string_append(out, "a message cannot be delivered"); break;
    case MACH_STOP_MEMORY: g_string_append(out, "it uses up its memory"); break;
    case MACH_STOP_MAX_TIME: g_string_append(out, "it does not end"); break;
    default:
        if (status)
            g_string_append_printf(out, "it ends with status %d", status);
    }
    return out->len ? g_string_free(out, FALSE) : (g_string_free(out, TRUE), NULL);
}

/* -- choices in words -------------------------------------------------------------------------- */

static gpointer point_key(const MpiChoice *choice)
{
    return GSIZE_TO_POINTER((gsize)choice->number << 32 | choice->rank);
}

static void append_step(const MachExecutionSetup *setup, Machine *machine, size_t i, GString *out)
{
    MpiChoice choice = mpi_world_choice(mach_run_mpi(machine), i);
    const char *first = g_hash_table_lookup(setup->first, point_key(&choice));
    GString *words = g_string_new(NULL);
    mpi_world_describe_choice(mach_run_mpi(machine), i, words);
    if (g_strcmp0(first, words->str) != 0) {
        g_string_append_printf(out, "%s\n", words->str);
        if (first)
            g_string_append_printf(out, "    instead of: %s\n", first);
    }
    g_string_free(words, TRUE);
}

static char *describe_steps(const MachExecutionSetup *setup, Machine *machine)
{
    GString *out = g_string_new(NULL);
    size_t n = mpi_world_choices(mach_run_mpi(machine)), shown = 0;
    for (size_t i = 0; setup->first && i < n && shown < MOST_STEPS; i++) {
        size_t before = out->len;
        append_step(setup, machine, i, out);
        shown += out->len > before;
    }
    if (shown == MOST_STEPS)
        g_string_append(out, "...\n");
    return g_string_free(out, FALSE);
}

static GHashTable *all_words(Machine *machine)
{
    GHashTable *words = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    for (size_t i = 0; i < mpi_world_choices(mach_run_mpi(machine)); i++) {
        MpiChoice choice = mpi_world_choice(mach_run_mpi(machine), i);
        GString *text = g_string_new(NULL);
        mpi_world_describe_choice(mach_run_mpi(machine), i, text);
        g_hash_table_insert(words, point_key(&choice), g_string_free(text, FALSE));
    }
    return words;
}

void mach_execution_first_take(MachExecutionSetup *setup, MachExecution *first)
{
    setup->first = g_steal_pointer(&first->words);
}

void mach_execution_first_clear(MachExecutionSetup *setup)
{
    g_clear_pointer(&setup->first, g_hash_table_unref);
}

/* -- what else could have been ----------------------------------------------------------------- */

/* Returns a matrix of bits. Row i says which choices depend on choice i, directly or through others. */
static guint64 *dependants(MpiWorld *mpi, size_t n, size_t words)
{
    guint64 *after = g_new0(guint64, n * words);
    for (size_t i = n; i-- > 0;) {
        guint64 *row = after + i * words;
        for (size_t j = i + 1; j < n; j++) {
            if ((row[j / 64] >> j % 64 & 1) || !mpi_world_choice_after(mpi, i, j))
                continue;
            row[j / 64] |= UINT64_C(1) << j % 64;
            for (size_t word = 0; word < words; word++)
                row[word] |= after[j * words + word];
        }
    }
    return after;
}

static gint compare_choices(gconstpointer a, gconstpointer b)
{
    const MpiChoice *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Returns what to force for an alternative: choice i otherwise, what goes with that, and all choices that do not depend
 * on it as they were. */
static GArray *reversed(const MpiWorld *mpi, const GArray *made, const guint64 *after, size_t i, size_t other)
{
    GArray *forced = g_array_new(FALSE, FALSE, sizeof(MpiChoice));
    for (size_t j = 0; j < made->len; j++) {
        MpiChoice choice = g_array_index(made, MpiChoice, j);
        if (after[j / 64] >> j % 64 & 1)
            continue;
        if (j == i)
            choice.taken = mpi_world_alternative(mpi, i, other);
        g_array_append_val(forced, choice);
    }
    mpi_world_companions(mpi, i, other, forced);
    g_array_sort(forced, compare_choices);
    return forced;
}

static void note_choices(Machine *machine, MachExecution *execution)
{
    MpiWorld *mpi = mach_run_mpi(machine);
    size_t n = mpi_world_choices(mpi), words = (n + 63) / 64;
    for (size_t i = 0; i < n; i++) {
        MpiChoice choice = mpi_world_choice(mpi, i);
        g_array_append_val(execution->made, choice);
    }
    const uint64_t *waiting;
    guint n_waiting = (guint)mpi_world_waiting_places(mpi, &waiting);
    g_array_append_vals(execution->waiting, waiting, n_waiting);
    g_autofree guint64 *after = dependants(mpi, n, words);
    for (size_t i = 0; i < n; i++) {
        size_t others = mpi_world_alternatives(mpi, i);
        for (size_t other = 0; other < others; other++) {
            uint64_t place = mpi_world_alternative_place(mpi, i, other);
            guint point = (guint)i;
            g_array_append_val(execution->points, point);
            g_array_append_val(execution->places, place);
            g_ptr_array_add(execution->next, reversed(mpi, execution->made, after + i * words, i, other));
        }
    }
}

/* -- one execution ----------------------------------------------------------------------------- */

static char *join_lines(const Io *io)
{
    GString *out = g_string_new(NULL);
    for (guint rank = 0; rank < io->lines->len; rank++)
        if (io->lines->pdata[rank])
            g_string_append_printf(out, "[%u]%s", rank, ((const GString *)io->lines->pdata[rank])->str);
    return g_string_free(out, FALSE);
}

static void explain(Machine *machine, MachExecution *execution)
{
    GString *out = g_string_new(NULL);
    mach_explain(machine, out);
    execution->explanation = g_string_free(out, FALSE);
}

static void conclude(const MachExecutionSetup *setup, Machine *machine, MachExecution *execution)
{
    mach_run_on(machine);
    mpi_world_conclude(mach_run_mpi(machine));
    note_choices(machine, execution);
    if (execution->failure)
        execution->steps = describe_steps(setup, machine);
    if (!setup->first)
        execution->words = all_words(machine);
}

static void execute(const MachExecutionSetup *setup, Machine *machine, MachExecution *execution, bool note)
{
    MpiChoice missed;
    execution->stop = mach_run(machine);
    execution->status = mach_run_exit_status(machine);
    execution->end_ps = mach_run_now(machine);
    execution->interrupted = execution->stop == MACH_STOP_INTERRUPT;
    execution->failure = name_failure(machine, execution->stop, execution->status);
    if (execution->interrupted)
        return;
    if (note)
        conclude(setup, machine, execution);
    else
        explain(machine, execution);
    execution->missed = mpi_world_missed_choice(mach_run_mpi(machine), &missed);
}

/* The reader must not take threads for explored. */
static void remark_threads(const Machine *machine, GPtrArray *remarks)
{
    for (uint32_t rank = 0; rank < mach_run_ranks(machine); rank++)
        if (mach_run_thread_counts(machine, rank)) {
            g_ptr_array_add(remarks, g_strdup("ranks have threads, which run in one order in each execution: what MPI "
                                              "leaves open is explored, the order of locks and of threads is not "
                                              "(--check=data-races,lock-order looks at that)"));
            return;
        }
}

MachExecution *mach_execution_run(const MachExecutionSetup *setup, const GArray *forced, bool note, GError **error)
{
    Io io = {.setup = setup, .printed = g_string_new(NULL), .lines = g_ptr_array_new()};
    io.remarks = g_ptr_array_new_with_free_func(g_free);
    Machine *machine = build(setup, forced, note, &io, error);
    MachExecution *execution = NULL;
    if (machine) {
        execution = g_new0(MachExecution, 1);
        execution->forced = g_array_copy((GArray *)forced);
        execution->made = g_array_new(FALSE, FALSE, sizeof(MpiChoice));
        execution->points = g_array_new(FALSE, FALSE, sizeof(guint));
        execution->places = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        execution->waiting = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        execution->next = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
        if (setup->begin)
            setup->begin(setup->user, machine);
        execute(setup, machine, execution, note);
        if (setup->begin)
            setup->end(setup->user, machine);
        execution->printed = g_strdup(io.printed->str);
        execution->output = join_lines(&io);
        remark_threads(machine, io.remarks);
        execution->remarks = g_ptr_array_ref(io.remarks);
    }
    io_clear(&io);
    mach_run_free(machine);
    return execution;
}

void mach_execution_free(MachExecution *execution)
{
    if (!execution)
        return;
    g_array_unref(execution->forced);
    g_array_unref(execution->made);
    g_array_unref(execution->points);
    g_array_unref(execution->places);
    g_array_unref(execution->waiting);
    g_ptr_array_unref(execution->next);
    g_ptr_array_unref(execution->remarks);
    g_clear_pointer(&execution->words, g_hash_table_unref);
    g_free(execution->failure);
    g_free(execution->explanation);
    g_free(execution->steps);
    g_free(execution->printed);
    g_free(execution->output);
    g_free(execution);
}
