/* findings.c - what checks have found: noted while the run goes on, reported at its end.
 *
 * A note is one sentence about one rank. Ranks that run on other threads make LOCAL calls at any moment. So notes of
 * different ranks come in any order, while those of one rank come in the order of its calls. The report depends on
 * (rank, time, order within the rank) alone. Notes with the same sentence become one finding, in the position of its
 * first rank.
 *
 * If a run stops half-way, the report omits notes later than its end: whether a rank has come that far already depends
 * on the quantum. */
#include "mpi/core/findings.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/world.h"

#include <string.h>

typedef struct Note {
    uint32_t rank;
    uint8_t check;
    const char *what, *detail, *fix; /* in MpiFindings.strings; equal strings have equal addresses */
    uint64_t time_ps;                /* time of the first occurrence */
    uint64_t order;                  /* counts the notes of all ranks; meaningful only within one rank */
    uint64_t times;                  /* number of occurrences */
} Note;

struct MpiFindings {
    GMutex lock;
    GStringChunk *strings;
    GHashTable *notes; /* set of Note, keyed by (what, rank); always sorted after an iteration */
    uint64_t order;
    GArray *told;  /* MpiFinding, result of the last mpi_world_findings() */
    GArray *ranks; /* uint32_t, the memory of MpiFinding.ranks */
};

/* -- noting ------------------------------------------------------------------------------------ */

static guint note_hash(gconstpointer key)
{
    const Note *note = key;
    return (guint)(((uintptr_t)note->what ^ (uint64_t)note->rank << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static gboolean note_equal(gconstpointer a, gconstpointer b)
{
    const Note *x = a, *y = b;
    return x->what == y->what && x->rank == y->rank;
}

MpiFindings *mpi_findings_new(void)
{
    MpiFindings *findings = g_new0(MpiFindings, 1);
    g_mutex_init(&findings->lock);
    findings->strings = g_string_chunk_new(4096);
    findings->notes = g_hash_table_new_full(note_hash, note_equal, g_free, NULL);
    return findings;
}

void mpi_findings_free(MpiFindings *findings)
{
    g_mutex_clear(&findings->lock);
    g_string_chunk_free(findings->strings);
    g_hash_table_unref(findings->notes);
    g_clear_pointer(&findings->told, g_array_unref);
    g_clear_pointer(&findings->ranks, g_array_unref);
    g_free(findings);
}

void mpi_finding_add(MpiRank *rank, MpiCheck check, uint64_t time_ps, const char *what, const char *detail,
                     const char *fix)
{
    MpiFindings *findings = rank->world->findings;
    if (!mpi_check_is_on(rank->world, check))
        return;
    g_mutex_lock(&findings->lock);
    Note key = {.rank = rank->index, .what = g_string_chunk_insert_const(findings->strings, what)};
    Note *note = g_hash_table_lookup(findings->notes, &key);
    if (!note) {
        note = g_new(Note, 1);
        *note = key;
        note->check = (uint8_t)check;
        note->detail = detail ? g_string_chunk_insert_const(findings->strings, detail) : NULL;
        note->fix = fix;
        note->time_ps = time_ps;
        note->order = findings->order++;
        note->times = 0;
        g_hash_table_add(findings->notes, note);
    }
    note->times++;
    g_mutex_unlock(&findings->lock);
    mpi_tell_found(rank->world, rank, check, what);
}

void mpi_world_note(MpiWorld *world, uint32_t rank, MpiCheck check, uint64_t time_ps, const char *what,
                    const char *detail, const char *fix)
{
    mpi_finding_add(mpi_world_rank(world, rank), check, time_ps, what, detail, fix);
}

MpiStep mpi_finding_stop(MpiCall *call, MpiCheck check, const char *format, ...)
{
    if (vm_rank_fault_info(call->process)->kind != VM_FAULT_NONE)
        return MPI_STEP_FAULT;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    mpi_tell_found(call->world, call->rank, check, reason);
    vm_rank_fault(call->process, VM_FAULT_LIBRARY, 0, "%s: %s [%s]", call->name, reason, mpi_check_row(check)->name);
    return MPI_STEP_FAULT;
}

/* -- telling ----------------------------------------------------------------------------------- */

static int compare_notes(const void *a, const void *b)
{
    const Note *x = *(const Note *const *)a, *y = *(const Note *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->time_ps != y->time_ps)
        return x->time_ps < y->time_ps ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool is_told(const Note *note, bool finished, uint64_t until_ps)
{
    MpiCheckSort sort = mpi_check_row(note->check)->sort;
    return finished || (sort != MPI_FINDING_LEFT && note->time_ps <= until_ps);
}

/* Returns all notes to report, in order. */
static GPtrArray *sorted_notes(const MpiFindings *findings, bool finished, uint64_t until_ps)
{
    GPtrArray *notes = g_ptr_array_new();
    GHashTableIter iterator;
    gpointer note;
    g_hash_table_iter_init(&iterator, findings->notes);
    while (g_hash_table_iter_next(&iterator, &note, NULL))
        if (is_told(note, finished, until_ps))
            g_ptr_array_add(notes, note);
    g_ptr_array_sort(notes, compare_notes);
    return notes;
}

/* Lists the findings and counts the ranks of each. `which` maps a sentence to the index of its finding plus 1. */
static void count_findings(GArray *told, const GPtrArray *notes, GHashTable *which)
{
    for (guint i = 0; i < notes->len; i++) {
        const Note *note = g_ptr_array_index(notes, i);
        guint at = GPOINTER_TO_UINT(g_hash_table_lookup(which, note->what));
        if (!at) {
            MpiFinding fresh = {.check = note->check,
                                .what = note->what,
                                .detail = note->detail,
                                .fix = note->fix,
                                .same_detail = true};
            g_array_append_val(told, fresh);
            at = told->len;
            g_hash_table_insert(which, (gpointer)note->what, GUINT_TO_POINTER(at));
        }
        MpiFinding *finding = &g_array_index(told, MpiFinding, at - 1);
        finding->n_ranks++;
        finding->times += note->times;
        finding->same_detail &= finding->detail == note->detail;
    }
}

/* Stores the ranks of all findings in one array, finding by finding. */
static void list_ranks(GArray *told, GArray *ranks, const GPtrArray *notes, GHashTable *which)
{
    g_autofree uint32_t *next = g_new(uint32_t, told->len + 1);
    uint32_t at = 0;
    g_array_set_size(ranks, notes->len);
    for (guint i = 0; i < told->len; i++) {
        MpiFinding *finding = &g_array_index(told, MpiFinding, i);
        finding->ranks = (const uint32_t *)(void *)ranks->data + at;
        next[i] = at;
        at += finding->n_ranks;
    }
    for (guint i = 0; i < notes->len; i++) {
        const Note *note = g_ptr_array_index(notes, i);
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(which, note->what)) - 1;
        g_array_index(ranks, uint32_t, next[number]++) = note->rank;
    }
}

/* Lets the parts report what they know only at the end. */
static void parts_report(MpiWorld *world, bool finished)
{
    for (const MpiPart *const *part = world->parts; *part; part++)
        if ((*part)->report)
            (*part)->report(world);
    for (const MpiPart *const *part = world->parts; *part && finished; part++)
        if ((*part)->end)
            (*part)->end(world);
}

const MpiFinding *mpi_world_findings(MpiWorld *world, bool finished, uint64_t until_ps, size_t *count)
{
    MpiFindings *findings = world->findings;
    if (!findings->told)
        parts_report(world, finished);
    g_clear_pointer(&findings->told, g_array_unref);
    g_clear_pointer(&findings->ranks, g_array_unref);
    findings->told = g_array_new(FALSE, FALSE, sizeof(MpiFinding));
    findings->ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    GPtrArray *notes = sorted_notes(findings, finished, until_ps);
    g_autoptr(GHashTable) which = g_hash_table_new(NULL, NULL);
    count_findings(findings->told, notes, which);
    list_ranks(findings->told, findings->ranks, notes, which);
    g_ptr_array_unref(notes);
    *count = findings->told->len;
    return (const MpiFinding *)(void *)findings->told->data;
}

void mpi_finding_portability(MpiCall *call, const char *what, const char *fix)
{
    if (!mpi_check_is_on(call->world, MPI_CHECK_PORTABILITY))
        return;
    g_autoptr(GString) text = g_string_new(call->name);
    g_string_append(text, " at ");
    mpi_append_place(text, call->process, call->pc);
    g_string_append_printf(text, " %s", what);
    mpi_finding_add(call->rank, MPI_CHECK_PORTABILITY, call->entered_ps, text->str, NULL, fix);
}
