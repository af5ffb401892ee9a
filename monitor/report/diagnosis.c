/* diagnosis.c - the end of --stats: the largest losses of a run, in plain words, with what usually helps.
 *
 * A loss is time that calls at a line waited for one cause, or worked, added up over all ranks. What is below 1 % of
 * the time of all ranks is not spoken of.
 */
#include "machine/machine.h"
#include "monitor/report/report.h"

#include <string.h>

enum { LOSSES = 3, LEAST_PER_MILLE = 10, OVERHEAD = MPI_WAIT_CAUSES, CAUSES, WIDTH = 100, INDENT = 5 };

static const struct {
    const char *what, *help; /* NULL: no loss */
} advice[CAUSES] = {
#define MON_ADVICE(cause, what, help)   [MPI_WAIT_##cause] = {what, help},
#define MON_ADVICE_OVERHEAD(what, help) [OVERHEAD] = {what, help},
#include "monitor/report/advice.def"
};

typedef struct Longest { /* the longest single wait */
    uint64_t ps, from_ps;
    uint32_t rank, peer;
} Longest;

typedef struct Site { /* a place that calls something */
    const char *name; /* of the function; "": no call */
    const VcodeModule *module;
    uint32_t pc;
    uint64_t ps[CAUSES];
    Longest longest[CAUSES];
} Site;

typedef struct Program {
    const VcodeModule *module;
    Site **sites; /* by pc; each is also in `all` */
} Program;

struct MonDiagnosis {
    const Machine *machine;
    GArray *programs; /* Program; the one that called last is the first */
    GPtrArray *all;   /* Site */
    Site *outside;    /* of what happens outside calls; NULL: nothing */
};

/* -- watching ---------------------------------------------------------------------------------- */

static Site *site_new(MonDiagnosis *diagnosis, const char *name, const VcodeModule *module, uint32_t pc)
{
    Site *site = g_new0(Site, 1);
    site->name = name;
    site->module = module;
    site->pc = pc;
    g_ptr_array_add(diagnosis->all, site);
    return site;
}

static Site **sites_of(MonDiagnosis *diagnosis, const VcodeModule *module)
{
    Program *programs = (Program *)(void *)diagnosis->programs->data;
    for (guint i = 0; i < diagnosis->programs->len; i++) {
        if (programs[i].module != module)
            continue;
        Program found = programs[i];
        programs[i] = programs[0];
        programs[0] = found;
        return found.sites;
    }
    Program program = {module, g_new0(Site *, (gsize)module->code.count + 1)};
    g_array_prepend_val(diagnosis->programs, program);
    return program.sites;
}

static void add(Site *site, unsigned cause, uint64_t ps, Longest wait)
{
    site->ps[cause] += ps;
    if (wait.ps > site->longest[cause].ps)
        site->longest[cause] = wait;
}

static void take_call(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    MonDiagnosis *diagnosis = user;
    uint32_t pc = MIN(info->pc, program->code.count);
    Site **site = &sites_of(diagnosis, program)[pc];
    if (!*site)
        *site = site_new(diagnosis, info->name, program, pc);
    (*site)->ps[OVERHEAD] += info->overhead_ps;
    for (unsigned i = 0; i < info->n_waits; i++) {
        const MpiWait *wait = &info->waits[i];
        uint64_t ps = wait->to_ps - wait->from_ps;
        Longest longest = {wait->longest_ps ? wait->longest_ps : ps, wait->from_ps, info->rank, wait->peer};
        add(*site, wait->cause, ps, longest);
    }
}

static void take_pause(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps, bool for_core)
{
    MonDiagnosis *diagnosis = user;
    if (!for_core)
        return;
    if (!diagnosis->outside)
        diagnosis->outside = site_new(diagnosis, "", NULL, 0);
    add(diagnosis->outside, MPI_WAIT_PROCESSOR, to_ps - from_ps, (Longest){to_ps - from_ps, from_ps, rank, UINT32_MAX});
}

MonDiagnosis *mon_diagnosis_new(Machine *machine)
{
    MonDiagnosis *diagnosis = g_new0(MonDiagnosis, 1);
    diagnosis->machine = machine;
    diagnosis->programs = g_array_new(FALSE, FALSE, sizeof(Program));
    diagnosis->all = g_ptr_array_new_with_free_func(g_free);
    MachObserver observer = {.user = diagnosis, .call = take_call, .slept = take_pause, .waits = true, .sums = true};
    mach_run_observe(machine, &observer);
    return diagnosis;
}

void mon_diagnosis_free(MonDiagnosis *diagnosis)
{
    if (!diagnosis)
        return;
    for (guint i = 0; i < diagnosis->programs->len; i++)
        g_free(g_array_index(diagnosis->programs, Program, i).sites);
    g_array_unref(diagnosis->programs);
    g_ptr_array_unref(diagnosis->all);
    g_free(diagnosis);
}

/* -- losses ------------------------------------------------------------------------------------ */

typedef struct Loss {
    char *place; /* "MPI_Recv at a.c:12" */
    unsigned cause;
    uint64_t ps;
    Longest longest;
} Loss;

static char *place_of(const Site *site)
{
    if (!site->module)
        return g_strdup("outside calls of MPI");
    const VcodeLine *line = vcode_pc_line(site->module, site->pc);
    return line ? g_strdup_printf("in %s at %s:%u", site->name, vcode_source_name(site->module, line->file), line->line)
                : g_strdup_printf("in %s", site->name);
}

static void clear_loss(gpointer user)
{
    g_free(((Loss *)user)->place);
}

static int by_size(gconstpointer a, gconstpointer b)
{
    const Loss *one = a, *other = b;
    if (one->ps != other->ps)
        return one->ps < other->ps ? 1 : -1;
    int order = strcmp(one->place, other->place);
    return order ? order : (int)one->cause - (int)other->cause;
}

/* Adds to the loss of the same line and cause, or makes it. */
static void merge(GArray *losses, GHashTable *known, const Site *site, unsigned cause, const char *place)
{
    g_autofree char *key = g_strdup_printf("%u %s", cause, place);
    gpointer number = g_hash_table_lookup(known, key);
    if (!number) {
        Loss fresh = {.place = g_strdup(place), .cause = cause};
        g_array_append_val(losses, fresh);
        number = GUINT_TO_POINTER(losses->len);
        g_hash_table_insert(known, g_steal_pointer(&key), number);
    }
    Loss *loss = &g_array_index(losses, Loss, GPOINTER_TO_UINT(number) - 1);
    loss->ps += site->ps[cause];
    if (site->longest[cause].ps > loss->longest.ps)
        loss->longest = site->longest[cause];
}

/* Returns all losses, the largest first. */
static GArray *losses_of(const MonDiagnosis *diagnosis)
{
    GArray *losses = g_array_new(FALSE, FALSE, sizeof(Loss));
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_array_set_clear_func(losses, clear_loss);
    for (guint i = 0; i < diagnosis->all->len; i++) {
        const Site *site = diagnosis->all->pdata[i];
        g_autofree char *place = place_of(site);
        for (unsigned cause = 0; cause < CAUSES; cause++)
            if (site->ps[cause] && advice[cause].what)
                merge(losses, known, site, cause, place);
    }
    g_array_sort(losses, by_size);
    return losses;
}

/* -- words ------------------------------------------------------------------------------------- */

/* Appends a paragraph, in lines of WIDTH columns behind INDENT blanks. */
static void append_wrapped(const char *text, GString *out)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    size_t column = 0;
    for (char **word = words; *word; word++) {
        if (column == 0 || column + 1 + strlen(*word) > WIDTH) {
            g_string_append_printf(out, "%s%*s", column ? "\n" : "", INDENT, "");
            column = INDENT;
        } else {
            g_string_append_c(out, ' ');
            column++;
        }
        g_string_append(out, *word);
        column += strlen(*word);
    }
    g_string_append_c(out, '\n');
}

/* Without the blank that columns have behind "s". */
static void append_time(uint64_t ps, GString *out)
{
    mon_report_append_time(out, ps, 0);
    while (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
}

static void append_loss(const Loss *loss, unsigned number, uint64_t all_ps, GString *out)
{
    g_autoptr(GString) text = g_string_new(advice[loss->cause].what);
    unsigned share = mon_report_per_mille(loss->ps, all_ps);
    g_string_append_printf(out, "  %u. ", number);
    append_time(loss->ps, out);
    g_string_append_printf(out, ", %u.%u %% of the time of all ranks: %s %s\n", share / 10, share % 10,
                           loss->cause == OVERHEAD ? "overhead" : mpi_wait_name((MpiWaitCause)loss->cause),
                           loss->place);
    if (loss->longest.ps) {
        g_string_append_printf(text, " The longest wait was that of rank %u", loss->longest.rank);
        if (loss->longest.peer != UINT32_MAX && loss->longest.peer != loss->longest.rank)
            g_string_append_printf(text, " for rank %u", loss->longest.peer);
        g_string_append(text, ": ");
        append_time(loss->longest.ps, text);
        g_string_append(text, " from ");
        append_time(loss->longest.from_ps, text);
        g_string_append(text, " on.");
    }
    append_wrapped(text->str, out);
    g_autofree char *help = g_strconcat("What usually helps: ", advice[loss->cause].help, NULL);
    append_wrapped(help, out);
}

void mon_diagnosis_print(const MonDiagnosis *diagnosis, GString *out)
{
    MachRankReport totals;
    mach_run_totals(diagnosis->machine, &totals);
    uint64_t all_ps = totals.compute_ps + totals.overhead_ps + totals.blocked_ps;
    g_autoptr(GArray) losses = losses_of(diagnosis);
    unsigned told = 0;
    g_string_append(out, "\n  largest losses\n");
    for (guint i = 0; i < losses->len && told < LOSSES; i++) {
        const Loss *loss = &g_array_index(losses, Loss, i);
        if (mon_report_per_mille(loss->ps, all_ps) >= LEAST_PER_MILLE)
            append_loss(loss, ++told, all_ps, out);
    }
    if (!told)
        g_string_append(out, "  none: no line of the program waits or works in MPI for 1 % of the time of all ranks\n");
}
