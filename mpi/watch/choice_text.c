/* choice_text.c - choices as text: the format of --choices, and sentences for people.
 *
 *      choices := rank ":" item { "," item } { "/" rank ":" item { "," item } }
 *      item    := [ number "=" ] value
 *      value   := source | "@" index { "+" index } | "+" | "-" | "." | rank "." number
 *
 * Items are numbered from the last number on. "." leaves a choice free. Free choices at the end are not written, and
 * runs of them are skipped with a number. No character of the format has a meaning in a shell. */
#include "mpi/core/places.h"
#include "mpi/core/world.h"
#include "mpi/watch/choices.h"

#include <string.h>

/* -- reading ----------------------------------------------------------------------------------- */

typedef struct Reader {
    const char *at;
    uint32_t rank, number;
    GArray *out;
    const char *wrong; /* what the parser expected at an error; NULL: no error */
} Reader;

static bool fail(Reader *reader, const char *expected)
{
    if (!reader->wrong)
        reader->wrong = expected;
    return false;
}

static bool read_number(Reader *reader, uint32_t *value, const char *expected)
{
    char *end;
    if (!g_ascii_isdigit(*reader->at))
        return fail(reader, expected);
    guint64 number = g_ascii_strtoull(reader->at, &end, 10);
    if (number > INT32_MAX)
        return fail(reader, "a smaller number");
    *value = (uint32_t)number;
    reader->at = end;
    return true;
}

static bool take(Reader *reader, char wanted)
{
    bool there = *reader->at == wanted;
    reader->at += there;
    return there;
}

/* Reads the indices that follow "@". */
static bool read_indices(Reader *reader, MpiChoice *choice)
{
    uint32_t index;
    if (!read_number(reader, &index, "the index of a request, as in @0 or @0+2"))
        return false;
    choice->sort = MPI_CHOICE_ANY;
    choice->taken = index;
    int64_t bits = index < 62 ? INT64_C(1) << index : 0;
    while (take(reader, '+')) {
        if (!read_number(reader, &index, "the index of a request behind the +"))
            return false;
        if (!bits || index >= 62)
            return fail(reader, "indices below 62 where there are several");
        choice->sort = MPI_CHOICE_SOME;
        choice->taken = bits |= INT64_C(1) << index;
    }
    return true;
}

/* A single index may also stand for a set; the call that makes the choice decides. */
static bool read_value(Reader *reader, MpiChoice *choice)
{
    uint32_t source = 0;
    if (take(reader, '@'))
        return read_indices(reader, choice);
    if (take(reader, '.')) {
        choice->taken = MPI_CHOICE_FREE;
        return true;
    }
    choice->sort = MPI_CHOICE_TEST;
    choice->taken = *reader->at == '-' ? MPI_CHOICE_NOTHING : 1;
    if (take(reader, '-') || take(reader, '+'))
        return true;
    choice->sort = MPI_CHOICE_SOURCE;
    if (!read_number(reader, &source, "a rank, @ and the index of a request, +, - or ."))
        return false;
    choice->taken = source;
    if (!take(reader, '.'))
        return true;
    uint32_t number = 0;
    if (!read_number(reader, &number, "the number of a choice behind the ., as in 1.2"))
        return false;
    choice->sort = MPI_CHOICE_AFTER;
    choice->taken |= (int64_t)number << 32;
    return true;
}

static bool read_item(Reader *reader)
{
    size_t digits = strspn(reader->at, "0123456789");
    uint32_t number = reader->number + 1;
    if (digits && reader->at[digits] == '=') {
        if (!read_number(reader, &number, "a number"))
            return false;
        if (number <= reader->number)
            return fail(reader, "numbers that grow");
        take(reader, '=');
    }
    MpiChoice choice = {.rank = reader->rank, .number = reader->number = number};
    if (!read_value(reader, &choice))
        return false;
    if (choice.taken != MPI_CHOICE_FREE)
        g_array_append_val(reader->out, choice);
    return true;
}

static bool read_rank(Reader *reader, bool first)
{
    uint32_t before = reader->rank;
    if (!read_number(reader, &reader->rank, "a rank"))
        return false;
    if (!first && reader->rank <= before)
        return fail(reader, "ranks that grow");
    if (!take(reader, ':'))
        return fail(reader, ": behind the rank");
    reader->number = 0;
    do {
        if (!read_item(reader))
            return false;
    } while (take(reader, ','));
    return true;
}

GArray *mpi_choices_parse(const char *text, char **wrong)
{
    Reader reader = {.at = text, .out = g_array_new(FALSE, FALSE, sizeof(MpiChoice))};
    bool good = *text == '\0' || read_rank(&reader, true);
    while (good && take(&reader, '/'))
        good = read_rank(&reader, false);
    if (good && *reader.at)
        good = fail(&reader, "a comma, / or the end");
    if (good)
        return reader.out;
    *wrong = g_strdup_printf("character %td: expected %s", reader.at - text + 1, reader.wrong);
    g_array_unref(reader.out);
    return NULL;
}

/* -- writing ----------------------------------------------------------------------------------- */

static void print_bits(uint64_t bits, GString *out)
{
    const char *before = "@";
    for (unsigned i = 0; i < 64; i++) {
        if (!(bits >> i & 1))
            continue;
        g_string_append_printf(out, "%s%u", before, i);
        before = "+";
    }
}

static void print_value(const MpiChoice *choice, GString *out)
{
    if (choice->taken == MPI_CHOICE_NOTHING)
        g_string_append_c(out, '-');
    else if (choice->sort == MPI_CHOICE_SOME)
        print_bits((uint64_t)choice->taken, out);
    else if (choice->sort == MPI_CHOICE_AFTER)
        g_string_append_printf(out, "%u.%u", (uint32_t)choice->taken, (uint32_t)(choice->taken >> 32));
    else if (choice->sort == MPI_CHOICE_TEST)
        g_string_append_c(out, '+');
    else
        g_string_append_printf(out, "%s%" G_GINT64_FORMAT, choice->sort == MPI_CHOICE_ANY ? "@" : "", choice->taken);
}

void mpi_choices_print(const GArray *choices, GString *out)
{
    for (guint i = 0; i < choices->len; i++) {
        const MpiChoice *choice = &g_array_index(choices, MpiChoice, i);
        const MpiChoice *before = i ? choice - 1 : NULL;
        bool same = before && before->rank == choice->rank;
        if (same)
            g_string_append_c(out, ',');
        else
            g_string_append_printf(out, "%s%u:", i ? "/" : "", choice->rank);
        uint32_t expected = same ? before->number + 1 : 1;
        if (choice->number == expected + 1)
            g_string_append(out, ".,");
        else if (choice->number != expected)
            g_string_append_printf(out, "%u=", choice->number);
        print_value(choice, out);
    }
}

/* -- for people -------------------------------------------------------------------------------- */

static void describe_source(const MpiDecision *decision, GString *out)
{
    MpiRank *rank = decision->chooser->rank;
    if (decision->taken == MPI_CHOICE_NOTHING) {
        g_string_append(out, "finds nothing yet");
        return;
    }
    g_string_append_printf(out, "%s the message of rank %u sent at ", decision->poll ? "finds" : "takes",
                           decision->sender);
    mpi_append_place(out, mpi_world_rank(rank->world, decision->sender)->process, decision->sender_pc);
}

static void describe_some(int64_t bits, GString *out)
{
    g_string_append(out, "reports request ");
    const char *before = "";
    for (unsigned i = 0; i < 63; i++) {
        if (!(bits >> i & 1))
            continue;
        g_string_append_printf(out, "%s%u", before, i);
        before = " and ";
    }
}

/* Appends for example "comes after that of rank 1 at sum.c:12". */
static void describe_order(const MpiDecision *decision, GString *out)
{
    if (decision->taken == MPI_CHOICE_NOTHING) {
        g_string_append(out, "comes before those of others");
        return;
    }
    g_string_append_printf(out, "comes after that of rank %u at ", decision->sender);
    mpi_append_place(out, mpi_world_rank(decision->chooser->rank->world, decision->sender)->process,
                     decision->sender_pc);
}

void mpi_choice_describe(const MpiDecision *decision, GString *out)
{
    MpiRank *rank = decision->chooser->rank;
    g_string_append_printf(out, "rank %u's %s at ", rank->index, decision->call);
    mpi_append_place(out, rank->process, decision->pc);
    g_string_append_c(out, ' ');
    if (decision->sort == MPI_CHOICE_SOURCE)
        describe_source(decision, out);
    else if (decision->sort == MPI_CHOICE_AFTER)
        describe_order(decision, out);
    else if (decision->taken == MPI_CHOICE_NOTHING)
        g_string_append(out, "finds nothing complete yet");
    else if (decision->sort == MPI_CHOICE_ANY)
        g_string_append_printf(out, "reports request %" G_GINT64_FORMAT, decision->taken);
    else if (decision->sort == MPI_CHOICE_SOME)
        describe_some(decision->taken, out);
    else
        g_string_append(out, "finds all complete");
}
