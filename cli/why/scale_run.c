/* scale_run.c - the runs of `orrery scale`: one for each number of ranks, several at a time, each on a machine of its
 * own.
 *
 * Results are stored where their runs are in the list, and sites get their numbers when all runs are over, so nothing
 * depends on the number of threads.
 */
#include "cli/why/scale.h"
#include "monitor/profile.h"
#include "vcode/vcode.h"

#include <string.h>
#include <unistd.h>

/* -- arguments --------------------------------------------------------------------------------- */

typedef struct Expression { /* of whole numbers: + - * / and parentheses, `ranks` */
    const char *at;
    uint32_t ranks;
    bool wrong;
    unsigned depth;
} Expression;

static int64_t sum_of(Expression *expression);

static int64_t value_of(Expression *expression)
{
    int64_t value = 0;
    enum { DEEPEST = 100 };
    while (*expression->at == ' ')
        expression->at++;
    if (*expression->at == '(' && expression->depth < DEEPEST) {
        expression->at++;
        expression->depth++;
        value = sum_of(expression);
        expression->depth--;
        expression->wrong |= *expression->at++ != ')';
    } else if (g_str_has_prefix(expression->at, "ranks")) {
        expression->at += strlen("ranks");
        value = expression->ranks;
    } else if (g_ascii_isdigit(*expression->at)) {
        while (g_ascii_isdigit(*expression->at))
            expression->wrong |= __builtin_mul_overflow(value, 10, &value) ||
                                 __builtin_add_overflow(value, *expression->at++ - '0', &value);
    } else {
        expression->wrong = true;
    }
    while (!expression->wrong && *expression->at == ' ')
        expression->at++;
    return expression->wrong ? 0 : value;
}

static int64_t product_of(Expression *expression)
{
    int64_t value = value_of(expression);
    while (!expression->wrong && (*expression->at == '*' || *expression->at == '/')) {
        bool times = *expression->at++ == '*';
        int64_t other = value_of(expression);
        if (times)
            expression->wrong |= __builtin_mul_overflow(value, other, &value);
        else if (other)
            value /= other;
        else
            expression->wrong = true;
    }
    return value;
}

static int64_t sum_of(Expression *expression)
{
    int64_t value = product_of(expression);
    while (!expression->wrong && (*expression->at == '+' || *expression->at == '-')) {
        bool plus = *expression->at++ == '+';
        int64_t other = product_of(expression);
        expression->wrong |=
            plus ? __builtin_add_overflow(value, other, &value) : __builtin_sub_overflow(value, other, &value);
    }
    return value;
}

static bool evaluate(const char *text, uint32_t ranks, int64_t *value)
{
    Expression expression = {.at = text, .ranks = ranks};
    *value = sum_of(&expression);
    return !expression.wrong && *expression.at == '\0';
}

char *cli_scale_fill_in(const char *word, uint32_t ranks, GError **error)
{
    GString *out = g_string_new(NULL);
    bool filled = false;
    int64_t value;
    for (const char *open; (open = strchr(word, '{')); filled = true) {
        const char *close = strchr(open, '}');
        g_autofree char *inner = g_strndup(open + 1, close ? (gsize)(close - open - 1) : 0);
        if (!close || !evaluate(inner, ranks, &value)) {
            cli_error_usage(error,
                            "\"%s\": between braces stand sums and products of numbers and ranks, as in "
                            "{ranks} or {ranks*1000}",
                            word);
            g_string_free(out, TRUE);
            return NULL;
        }
        g_string_append_len(out, word, open - word);
        g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
        word = close + 1;
    }
    g_string_append(out, word);
    if (filled && evaluate(out->str, ranks, &value))
        g_string_printf(out, "%" G_GINT64_FORMAT, value);
    return g_string_free(out, FALSE);
}

char **cli_scale_arguments(const char *pattern, uint32_t ranks, GError **error)
{
    g_auto(GStrv) words = NULL;
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    if (pattern && *pattern && !g_shell_parse_argv(pattern, NULL, &words, error)) {
        g_prefix_error(error, "--args: ");
        g_ptr_array_unref(out);
        return NULL;
    }
    for (char **word = words; word && *word; word++) {
        char *filled = cli_scale_fill_in(*word, ranks, error);
        if (!filled) {
            g_ptr_array_unref(out);
            return NULL;
        }
        g_ptr_array_add(out, filled);
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

/* -- what calls cost --------------------------------------------------------------------------- */

typedef struct Watch { /* a run */
    ScalePoint *point;
    uint64_t *since_ps;   /* by rank: its last call or pause ended then */
    uint64_t *present_ps; /* by rank: computing since its last call */
    uint32_t ranks;
    GHashTable *texts; /* pc + 1 -> text of the site; of `module` */
    const VcodeModule *module;
} Watch;

static const char *caller_of(const VcodeModule *module, uint32_t pc)
{
    uint32_t inlined = vcode_pc_inlined(module, pc), function = vcode_pc_function(module, pc);
    if (inlined != VCODE_NONE)
        return vcode_text(module, module->inlines.items[inlined].name);
    return function != VCODE_NONE ? vcode_text(module, module->functions.items[function].name) : "?";
}

/* Returns the time of a site. Places are described once for each module that calls in a row. */
static ScaleTime *time_of(Watch *watch, const VcodeModule *module, const MpiCallInfo *info)
{
    if (watch->module != module) {
        g_hash_table_remove_all(watch->texts);
        watch->module = module;
    }
    ScaleTime *time = g_hash_table_lookup(watch->texts, GUINT_TO_POINTER(info->pc + 1));
    if (time)
        return time;
    const VcodeLine *line = info->pc < module->code.count ? vcode_pc_line(module, info->pc) : NULL;
    const char *caller = info->pc < module->code.count ? caller_of(module, info->pc) : "?";
    char *text = g_strdup_printf("%s at %s:%u in %s", info->name, line ? vcode_source_name(module, line->file) : "?",
                                 line ? line->line : 0, caller);
    time = g_hash_table_lookup(watch->point->raw, text);
    if (!time) {
        time = g_new0(ScaleTime, 1);
        g_hash_table_insert(watch->point->raw, text, time);
    } else {
        g_free(text);
    }
    g_hash_table_insert(watch->texts, GUINT_TO_POINTER(info->pc + 1), time);
    return time;
}

static void compute_until(Watch *watch, uint32_t rank, uint64_t from_ps, uint64_t to_ps)
{
    if (from_ps > watch->since_ps[rank])
        watch->present_ps[rank] += from_ps - watch->since_ps[rank];
    watch->since_ps[rank] = MAX(watch->since_ps[rank], to_ps);
}

static void take_call(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    Watch *watch = user;
    if (info->rank >= watch->ranks || info->thread)
        return;
    ScaleTime *time = time_of(watch, program, info);
    uint64_t since_ps = watch->since_ps[info->rank];
    compute_until(watch, info->rank, info->from_ps, info->to_ps);
    time->within_ps += info->to_ps - MIN(MAX(info->from_ps, since_ps), info->to_ps);
    time->before_ps += watch->present_ps[info->rank];
    watch->present_ps[info->rank] = 0;
}

static void take_pause(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps, bool for_core)
{
    Watch *watch = user;
    (void)for_core;
    if (rank < watch->ranks)
        compute_until(watch, rank, from_ps, to_ps);
}

/* -- functions --------------------------------------------------------------------------------- */

guint cli_scale_function_hash(gconstpointer key)
{
    const ScaleFunction *function = key;
    return g_str_hash(function->name) ^ g_str_hash(function->file) * 31u ^ function->line;
}

gboolean cli_scale_function_equal(gconstpointer a, gconstpointer b)
{
    const ScaleFunction *x = a, *y = b;
    return x->line == y->line && strcmp(x->name, y->name) == 0 && strcmp(x->file, y->file) == 0;
}

static void keep_functions(Scale *scale, ScalePoint *point, const MonProfileData *data)
{
    g_mutex_lock(&scale->lock);
    for (guint i = 0; i < data->functions->len; i++) {
        const MonProfileFunction *function = &g_array_index(data->functions, MonProfileFunction, i);
        ScaleFunction key = {g_string_chunk_insert_const(scale->texts, function->function),
                             g_string_chunk_insert_const(scale->texts, function->file), function->line};
        uint64_t own_ps = mon_profile_times_all(&function->self);
        g_hash_table_insert(point->profile, g_memdup2(&key, sizeof key), g_memdup2(&own_ps, sizeof own_ps));
    }
    g_mutex_unlock(&scale->lock);
}

/* -- one run ----------------------------------------------------------------------------------- */

typedef struct Runs {
    Scale *scale;
    CliRun *run;
    char *program;
    gsize program_size;
    GMutex lock; /* protects `input` and `read` */
    GString *input;
    bool read;
    uint32_t jobs;
} Runs;

typedef struct Io {
    Runs *runs;
    size_t at;
    char *note;
} Io;

static size_t give_input(void *user, char *bytes, size_t size)
{
    Io *io = user;
    char piece[4096];
    ssize_t count;
    g_mutex_lock(&io->runs->lock);
    while (!io->runs->read && (count = read(STDIN_FILENO, piece, sizeof piece)) > 0)
        g_string_append_len(io->runs->input, piece, count);
    io->runs->read = true;
    size_t given = MIN(size, io->runs->input->len - io->at);
    memcpy(bytes, io->runs->input->str + io->at, given);
    io->at += given;
    g_mutex_unlock(&io->runs->lock);
    return given;
}

static void keep_note(void *user, const char *text)
{
    Io *io = user;
    if (!io->note)
        io->note = g_strdup(text);
}

static void say_nothing(void *user, const char *text)
{
    (void)user, (void)text;
}

static void simulate(Scale *scale, Machine *machine, ScalePoint *point, Io *io)
{
    Watch watch = {.point = point,
                   .ranks = point->ranks,
                   .since_ps = g_new0(uint64_t, point->ranks),
                   .present_ps = g_new0(uint64_t, point->ranks),
                   .texts = g_hash_table_new(NULL, NULL)};
    MachObserver observer = {.user = &watch, .call = take_call, .slept = take_pause};
    MonProfile *profile = mon_profile_new(machine, MON_PROFILE_BRIEFLY);
    mach_run_observe(machine, &observer);
    MachStop stop = mach_run(machine);
    int status = mach_run_exit_status(machine);
    mach_run_totals(machine, &point->total);
    point->done = stop == MACH_STOP_FINISHED && status == 0;
    if (stop != MACH_STOP_FINISHED) {
        GString *why = g_string_new(NULL);
        mach_explain(machine, why);
        g_string_truncate(why, strcspn(why->str, "\n"));
        point->note = g_string_free(why, FALSE);
    } else if (status) {
        point->note = g_strdup_printf("exit status %d", status);
    } else {
        point->note = g_steal_pointer(&io->note);
    }
    if (point->done)
        keep_functions(scale, point, mon_profile_data(profile));
    mon_profile_free(profile);
    g_free(watch.since_ps);
    g_free(watch.present_ps);
    g_hash_table_unref(watch.texts);
}

static void run_one(void *item, void *user)
{
    Runs *runs = user;
    ScalePoint *point = &runs->scale->points[GPOINTER_TO_UINT(item) - 1];
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = cli_run_config(runs->scale->options, &error);
    g_auto(GStrv) more = cli_scale_arguments(runs->scale->pattern, point->ranks, &error);
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    for (char **argument = runs->run->arguments[0]; *argument; argument++)
        g_ptr_array_add(arguments, strstr(*argument, "{ranks") ? cli_scale_fill_in(*argument, point->ranks, &error)
                                                               : g_strdup(*argument));
    for (char **argument = more; argument && *argument; argument++)
        g_ptr_array_add(arguments, g_strdup(*argument));
    g_ptr_array_add(arguments, NULL);
    Io io = {.runs = runs};
    MachOptions options = runs->run->options;
    options.jobs = 1; /* other runs use the other cores */
    options.memory_sharers = runs->jobs;
    options.output = cli_why_drop_output;
    options.input = give_input;
    options.note = keep_note;
    options.finding = say_nothing;
    options.user = &io;
    MachProgram program = {.argv = (const char *const *)arguments->pdata,
                           .count = point->ranks,
                           .environment = (const char *const *)runs->run->environments[0]};
    program.module =
        config && more ? vcode_file_read_bytes(runs->program, runs->program_size, arguments->pdata[0], &error) : NULL;
    Machine *machine = program.module ? mach_run_new(config, &program, 1, &options, &error) : NULL;
    if (machine)
        simulate(runs->scale, machine, point, &io);
    else
        point->note = g_strdup(error->message);
    mach_run_free(machine);
    g_free(io.note);
}

/* -- all of them ------------------------------------------------------------------------------- */

static int by_text(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Gives numbers to the sites of all runs, in the order of their texts. */
static void number_sites(Scale *scale)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) texts = g_ptr_array_new();
    for (uint32_t i = 0; i < scale->n; i++) {
        GHashTableIter iter;
        gpointer text;
        g_hash_table_iter_init(&iter, scale->points[i].raw); /* sorted below */
        while (g_hash_table_iter_next(&iter, &text, NULL))
            if (g_hash_table_add(known, text))
                g_ptr_array_add(texts, text);
    }
    g_ptr_array_sort(texts, by_text);
    for (guint i = 0; i < texts->len; i++) {
        ScaleSite site = {g_strdup(texts->pdata[i])};
        g_array_append_val(scale->sites, site);
        for (uint32_t k = 0; k < scale->n; k++) {
            const ScaleTime *time = g_hash_table_lookup(scale->points[k].raw, texts->pdata[i]);
            ScaleTime none = {0};
            g_array_append_vals(scale->points[k].times, time ? time : &none, 1);
        }
    }
}

static gint by_function(gconstpointer a, gconstpointer b)
{
    const ScaleFunction *x = a, *y = b;
    int names = strcmp(x->name, y->name), files = strcmp(x->file, y->file);
    return names ? names : files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static void number_functions(Scale *scale)
{
    g_autoptr(GHashTable) known = g_hash_table_new(cli_scale_function_hash, cli_scale_function_equal);
    for (uint32_t i = 0; i < scale->n; i++) {
        GHashTableIter iter;
        gpointer function;
        g_hash_table_iter_init(&iter, scale->points[i].profile); /* sorted below */
        while (g_hash_table_iter_next(&iter, &function, NULL))
            if (g_hash_table_add(known, function))
                g_array_append_vals(scale->functions, function, 1);
    }
    g_array_sort(scale->functions, by_function);
    for (guint i = 0; i < scale->functions->len; i++)
        for (uint32_t k = 0; k < scale->n; k++) {
            const uint64_t none = 0, *ps = g_hash_table_lookup(scale->points[k].profile,
                                                               &g_array_index(scale->functions, ScaleFunction, i));
            g_array_append_vals(scale->points[k].own_ps, ps ? ps : &none, 1);
        }
}

static bool run_all(Runs *runs, GError **error)
{
    GThreadPool *pool = g_thread_pool_new(run_one, runs, (gint)runs->jobs, TRUE, error);
    if (!pool)
        return false;
    for (uint32_t i = runs->scale->n; i > 0; i--) /* the largest first */
        g_thread_pool_push(pool, GUINT_TO_POINTER(i), NULL);
    g_thread_pool_free(pool, FALSE, TRUE);
    number_sites(runs->scale);
    number_functions(runs->scale);
    return true;
}

bool cli_scale_run(Scale *scale, int argc, char **argv, unsigned jobs, GError **error)
{
    CliRun run = {.example = "orrery scale -n '1 2 4 8' hello.c"};
    Runs runs = {.scale = scale, .run = &run, .jobs = jobs, .input = g_string_new(NULL)};
    g_mutex_init(&runs.lock);
    bool good = cli_run_prepare(&run, scale->options, argc, argv, error);
    if (good && run.n_programs != 1)
        good = cli_error_usage(error, "orrery scale runs one program; several with : between them have ranks of their "
                                      "own");
    runs.program = good ? cli_build_program_bytes(run.programs[0].module, &runs.program_size) : NULL;
    good = good && run_all(&runs, error);
    g_free(runs.program);
    g_string_free(runs.input, TRUE);
    g_mutex_clear(&runs.lock);
    cli_run_clear(&run);
    return good;
}
