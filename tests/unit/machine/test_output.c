/* Standard output and error: in virtual-time order, in whole lines, and nothing from after the end of the run. */
#include "machine/output/output.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct Sink {
    MachOptions options;
    MachOutput *output;
    GString *text; /* all output; standard error is in <> */
} Sink;

static void collect(void *user, int stream, const char *bytes, size_t size)
{
    Sink *sink = user;
    if (stream == 2)
        g_string_append(sink->text, "<");
    g_string_append_len(sink->text, bytes, (gssize)size);
    if (stream == 2)
        g_string_append(sink->text, ">");
}

static void sink_init(Sink *sink, bool label)
{
    mach_run_options_default(&sink->options);
    sink->options.label = label;
    sink->options.output = collect;
    sink->options.user = sink;
    sink->text = g_string_new(NULL);
    sink->output = mach_output_new(4, &sink->options);
}

static void put(Sink *sink, uint32_t rank, uint64_t time, const char *text)
{
    mach_output_write(sink->output, rank, 1, time, text, strlen(text));
}

static void expect(Sink *sink, const char *text)
{
    cr_assert_str_eq(sink->text->str, text);
    mach_output_free(sink->output);
    g_string_free(sink->text, TRUE);
}

Test(output, time_then_rank_then_sequence)
{
    Sink sink;
    sink_init(&sink, false);
    put(&sink, 2, 30, "c\n");
    put(&sink, 3, 10, "b\n");
    put(&sink, 1, 10, "a1\n");
    put(&sink, 1, 10, "a2\n");
    mach_output_flush(sink.output, 10);
    cr_assert_str_eq(sink.text->str, "", "somebody may still write at time 10");
    mach_output_flush(sink.output, 11);
    cr_assert_str_eq(sink.text->str, "a1\na2\nb\n");
    mach_output_end(sink.output, UINT64_MAX);
    expect(&sink, "a1\na2\nb\nc\n");
}

Test(output, lines_are_whole_and_stand_where_they_end)
{
    Sink sink;
    sink_init(&sink, false);
    put(&sink, 0, 1, "be");
    put(&sink, 1, 2, "other\n");
    put(&sink, 0, 3, "gin\nnext");
    mach_output_end(sink.output, UINT64_MAX);
    expect(&sink, "other\nbegin\nnext");
}

Test(output, labels)
{
    Sink sink;
    sink_init(&sink, true);
    put(&sink, 3, 1, "a\nb\n");
    put(&sink, 1, 2, "c");
    mach_output_end(sink.output, UINT64_MAX);
    expect(&sink, "[3] a\n[3] b\n[1] c");
}

/* No line end is added, unless the text of another rank would follow on the same line. */
Test(output, the_last_line_of_a_rank_stays_as_it_is)
{
    Sink sink;
    sink_init(&sink, false);
    put(&sink, 0, 1, "a");
    mach_output_finish(sink.output, 0, 5);
    put(&sink, 1, 9, "b\n");
    put(&sink, 2, 10, "end");
    mach_output_finish(sink.output, 2, 11);
    mach_output_end(sink.output, UINT64_MAX);
    expect(&sink, "a\nb\nend");
}

/* A rank that ran ahead of the end of the run has written nothing there, not even the end of a line that began
 * before. */
Test(output, nothing_from_after_the_end)
{
    Sink sink;
    sink_init(&sink, false);
    put(&sink, 0, 5, "kept ");
    put(&sink, 0, 9, "lost\n");
    put(&sink, 1, 7, "at the end\n");
    put(&sink, 1, 8, "too late\n");
    mach_output_end(sink.output, 7);
    expect(&sink, "at the end\nkept ");
}

Test(output, streams_keep_their_order)
{
    Sink sink;
    sink_init(&sink, false);
    put(&sink, 0, 1, "out\n");
    mach_output_write(sink.output, 0, 2, 2, "err\n", 4);
    put(&sink, 0, 3, "out\n");
    mach_output_end(sink.output, UINT64_MAX);
    expect(&sink, "out\n<err\n>out\n");
}

/* The output is the same in whatever order the ranks ran, and at whatever times it was flushed. */
Test(output, does_not_depend_on_who_ran_first)
{
    enum { RANKS = 4, WRITES = 200, LAST = 90 };
    GString *expected = NULL;
    guint32 seed = 20261121;
    for (int round = 0; round < 20; round++) {
        Sink sink;
        sink_init(&sink, false);
        guint next[RANKS] = {0};
        GRand *random = g_rand_new_with_seed(seed + (guint32)round);
        for (int i = 0; i < RANKS * WRITES; i++) {
            uint32_t rank = (uint32_t)g_rand_int_range(random, 0, RANKS);
            while (next[rank] == WRITES)
                rank = (rank + 1) % RANKS;
            guint k = next[rank]++;
            g_autofree char *text = g_strdup_printf("%u.%u%s", rank, k, k % 3 ? "" : "\n");
            put(&sink, rank, k / 2, text);
            guint least = MIN(MIN(next[0], next[1]), MIN(next[2], next[3]));
            if (g_rand_boolean(random))
                mach_output_flush(sink.output, MIN(least / 2, LAST)); /* the run ends there */
        }
        g_rand_free(random);
        mach_output_end(sink.output, LAST);
        if (!expected)
            expected = g_string_new(sink.text->str);
        cr_assert_str_eq(sink.text->str, expected->str, "seed %u", seed + (guint32)round);
        mach_output_free(sink.output);
        g_string_free(sink.text, TRUE);
    }
    g_string_free(expected, TRUE);
}
