/* Costs of single functions, and nodes that differ: machine files, and times that can be computed exactly. */
#include "../network.h"
#include "machine/config/config.h"
#include "machine/map/map.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

static MachConfig *read_config(const char *content, GError **error)
{
    g_autofree char *folder = g_dir_make_tmp("orrery-nodes-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "test.machine", NULL);
    cr_assert(g_file_set_contents(file, content, -1, NULL));
    MachConfig *config = mach_config_load(file, NULL, error);
    g_unlink(file);
    g_rmdir(folder);
    return config;
}

static void refuse(const char *content, unsigned line, unsigned column, const char *part)
{
    g_autoptr(GError) error = NULL;
    cr_assert_null(read_config(content, &error), "accepted: %s", content);
    g_autofree char *place = g_strdup_printf("test.machine:%u:%u: error: ", line, column);
    cr_assert(strstr(error->message, place), "\"%s\" should have %s", error->message, place);
    cr_assert(strstr(error->message, part), "\"%s\" should mention \"%s\"", error->message, part);
}

/* -- [library] --------------------------------------------------------------------------------- */

static void expect_cost(MachConfig *config, const char *name, uint32_t base_q8, uint32_t unit_q8)
{
    const MachLibraryCost *cost = mach_library_cost_find(config->library, name);
    cr_assert_not_null(cost, "%s", name);
    cr_assert_eq(cost->base_q8, base_q8, "%s", name);
    cr_assert_eq(cost->unit_q8, unit_q8, "%s", name);
}

Test(library, costs_arrive)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = read_config("[library]\nmemcpy = 20 cycles + 0.0625 cycles/unit # measured\n"
                                               "strlen = 0.5 cycles/byte\nsin = 45 cycles\nMPI_Wtime = 7 cycles\n",
                                               &error);
    cr_assert_not_null(config, "%s", error ? error->message : "");
    expect_cost(config, "memcpy", 20 * 256, 16);
    expect_cost(config, "strlen", 0, 128);
    expect_cost(config, "sin", 45 * 256, 0);
    expect_cost(config, "MPI_Wtime", 7 * 256, 0);
    cr_assert_str_eq(mach_library_cost_find(config->library, "memcpy")->comment, "measured");
    cr_assert(mach_config_set(config, "library.cos = 1 cycle", &error));
    expect_cost(config, "cos", 256, 0);
}

Test(library, mistakes_have_line_and_column)
{
    refuse("[library]\nmemcpi = 1 cycle\n", 2, 1, "did you mean \"memcpy\"");
    refuse("[library]\nMPI_Sned = 1 cycle\n", 2, 1, "did you mean \"MPI_Send\"");
    refuse("[library]\nsin = 45\n", 2, 7, "has no unit");
    refuse("[library]\nsin = 1 cycle + 1 cycle/unit\n", 2, 15, "cycles per call");
    refuse("[library]\nmemcpy = 1 cycle + 1 cycle\n", 2, 20, "per byte or element");
    refuse("[library]\nmemcpy = 1 cycle + 0.01 cycles/unit\n", 2, 20, "whole number");
    refuse("[library]\nmemcpy = 1 cycle +\n", 2, 19, "per byte or element");
    refuse("[library]\nsin = 1 cycle\nsin = 2 cycles\n", 3, 1, "from line 2");
    refuse("[library]\nsin = 99999999 cycles\n", 2, 7, "too large");
    refuse("[cost]\nsin = 1 cycle\n", 2, 1, "it belongs to [library]");
    g_autoptr(MachConfig) config = read_config("", NULL);
    g_autoptr(GError) error = NULL;
    cr_assert_not(mach_config_set(config, "library.sinn=1 cycle", &error));
    cr_assert(strstr(error->message, "did you mean \"sin\""), "%s", error->message);
}

/* -- [node-type] ------------------------------------------------------------------------------- */

Test(node_types, mistakes_have_line_and_column)
{
    refuse("[node-type]\nnodes = 0\n", 1, 11, "has a name");
    refuse("[node-type a b]\nnodes = 0\n", 1, 12, "has a name");
    refuse("[node-type a]\nnodes = 0\n[node-type a]\n", 3, 12, "from line 1");
    refuse("[node-type a]\nclock = 1 GHz\n", 1, 1, "does not say which nodes");
    refuse("[node-type a]\nnodes = 0-\n[node-type b]\nnodes = 7\n", 4, 9, "[node-type a] already");
    refuse("[node-type a]\nnodes = 0-3, 2\n", 2, 14, "[node-type a] already");
    refuse("[node-type a]\nnodes = 3-1\n", 2, 9, "list of nodes");
    refuse("[node-type a]\nnodes = 1, x\n", 2, 12, "list of nodes");
    refuse("[node-type a]\nnodes =\n", 2, 8, "list of nodes");
    refuse("[node-type a]\nnodes = 99999999999999999999\n", 2, 9, "list of nodes");
    refuse("[node-type a]\nnodes = 1\nclok = 1 GHz\n", 3, 1, "did you mean \"clock\"");
    refuse("[node-type a]\nnodes = 1\nbandwidth = 1 GB/s\n", 3, 1, "no key \"bandwidth\"");
    refuse("[node-type a]\nnodes = 1\nclock = 1 Hz\n", 3, 9, "too small");
    refuse("[node-type a]\nnodes = 1\nlibrary.sinn = 1 cycle\n", 3, 1, "did you mean \"sin\"");
    refuse("[nodetype a]\n", 1, 2, "did you mean \"node-type\"");
}

static const char two_types[] = "[node-type fast]\nnodes = 1, 3-\nclock = 4 GHz\ncores = 2\ncost.integer = 0.5 cycles\n"
                                "library.sin = 3 cycles\n"
                                "[cpu]\nclock = 1 GHz\n[cost]\ninteger = 2 cycles\nbranch = 1 cycle\nmove = 0\n"
                                "call = 0\n[network]\nnodes = 5\n[node-type like-the-others]\nnodes = 2\n";

Test(node_types, what_is_printed_can_be_read)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = read_config(two_types, &error);
    cr_assert_not_null(config, "%s", error ? error->message : "");
    GString *text = g_string_new(NULL), *again = g_string_new(NULL);
    mach_config_print(config, text);
    g_autoptr(MachConfig) second = read_config(text->str, &error);
    cr_assert_not_null(second, "%s", error ? error->message : "");
    mach_config_print(second, again);
    cr_assert_str_eq(text->str, again->str);
    cr_assert(strstr(text->str, "\ncpu.clock = 4 GHz\n") && strstr(text->str, "\nlibrary.sin = 3 cycles\n"));
    g_string_free(text, TRUE);
    g_string_free(again, TRUE);
}

Test(node_types, a_node_has_the_type_that_names_it)
{
    g_autoptr(MachConfig) config = read_config(two_types, NULL);
    static const char *const expected[] = {NULL, "fast", "like-the-others", "fast", "fast"};
    for (uint32_t node = 0; node < G_N_ELEMENTS(expected); node++)
        cr_assert_eq(g_strcmp0(mach_config_node_type(config, node), expected[node]), 0, "node %u", node);
    cr_assert_eq(mach_config_total_cores(config, 5), 8);
    cr_assert(mach_config_set(config, "node-type.fast.clock=2 GHz", NULL));
    MachConfig seen;
    mach_node_config(config, 1, &seen);
    cr_assert_eq(seen.clock_hz, 2000000000);
    cr_assert_eq(config->clock_hz, 1000000000, "the others keep theirs");
    g_autoptr(GError) error = NULL;
    cr_assert_not(mach_config_set(config, "node-type.slow.clock=2 GHz", &error));
    cr_assert(strstr(error->message, "no [node-type slow]"), "%s", error->message);
}

/* A line for each type: how many nodes, which, and what differs there. */
Test(node_types, descriptions)
{
    g_autoptr(MachConfig) config = read_config(two_types, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    mach_config_describe_nodes(config, 5, text);
    cr_assert_str_eq(text->str, "node type   fast: 3 nodes, 1, 3-; clock 4 GHz; cores 2; integer 0.5 cycles\n"
                                "node type   like-the-others: 1 node, 2\n");
}

Test(node_types, mistakes_by_set)
{
    g_autoptr(MachConfig) config = read_config(two_types, NULL);
    g_autoptr(GError) no_key = NULL, no_unit = NULL;
    cr_assert_not(mach_config_set(config, "node-type.fast=2 GHz", &no_key));
    cr_assert_str_eq(no_key->message, "write node-type.fast.key=value");
    cr_assert_not(mach_config_set(config, "node-type.fast.clock=2", &no_unit));
    cr_assert(g_str_has_prefix(no_unit->message, "node-type.fast.clock: \"2\" has no unit"), "%s", no_unit->message);
}

Test(node_types, cores_of_all_types_are_filled)
{
    g_autoptr(MachConfig) config = read_config(two_types, NULL);
    static const uint32_t nodes[] = {0, 1, 1, 2, 3, 3, 4, 4};
    NetParams params;
    NetClient nobody = {0};
    params = test_network_params();
    params.topology = "crossbar";
    params.nodes = 5;
    g_autoptr(Network) net = net_network_new(&params, &nobody, NULL);
    g_autofree MachPlace *places = mach_map_ranks(config, net, 8, NULL);
    for (uint32_t rank = 0; rank < 8; rank++)
        cr_assert_eq(places[rank].node, nodes[rank], "rank %u", rank);
    g_autofree MachPlace *twice = mach_map_ranks(config, net, 16, NULL);
    for (uint32_t rank = 0; rank < 16; rank++)
        cr_assert_eq(twice[rank].node, nodes[rank / 2], "rank %u", rank);
}

/* -- times ------------------------------------------------------------------------------------- */

/* Makes a program that costs turns * (addi, bnei) and nothing else. */
static VcodeModule *assemble(unsigned turns)
{
    VcodeModule *m = vcode_module_new(VCODE_PROGRAM);
    uint32_t name = vcode_string(m, "_start");
    *vcode_push(m, functions) = (VcodeFunction){
        .name = name, .registers = 8, .parameters = 3, .file = VCODE_NONE, .return_type = VCODE_NONE, .code_count = 5};
    *vcode_push(m, code) = vcode_pack_imm32(VCODE_MOVI, 0, 3, (int32_t)turns);
    *vcode_push(m, code) = vcode_pack(VCODE_FALL, 0, 0, 0, 0);
    *vcode_push(m, code) = vcode_pack(VCODE_ADDI_L, 0, 3, 3, 0xffff);
    *vcode_push(m, code) = vcode_pack(VCODE_BNEI, 0xff, 3, 0, 0xfffe);
    *vcode_push(m, code) = vcode_pack(VCODE_RETV, 0, 0, 0, 0);
    m->data_base = 0x20000;
    m->entry = 0;
    return m;
}

static void no_note(void *user, const char *text)
{
    (void)user;
    (void)text;
}

Test(node_types, times_on_fast_and_slow_nodes_are_exact)
{
    enum { TURNS = 1000, RANKS = 6 };
    static const char *const argv[] = {"program", NULL};
    g_autoptr(MachConfig) config = read_config(two_types, NULL);
    MachProgram program = {.module = assemble(TURNS), .argv = argv, .count = RANKS};
    g_autoptr(GError) error = NULL;
    MachOptions options;
    mach_run_options_default(&options);
    options.note = no_note;
    Machine *machine = mach_run_new(config, &program, 1, &options, &error);
    cr_assert_not_null(machine, "%s", error ? error->message : "");
    cr_assert_eq(vm_rank_image(mach_run_rank(machine, 0)), vm_rank_image(mach_run_rank(machine, 3)),
                 "same costs, one image");
    cr_assert_eq(vm_rank_image(mach_run_rank(machine, 1)), vm_rank_image(mach_run_rank(machine, 5)));
    cr_assert_neq(vm_rank_image(mach_run_rank(machine, 0)), vm_rank_image(mach_run_rank(machine, 1)));
    cr_assert_eq(mach_run(machine), MACH_STOP_FINISHED);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        MachRankReport report;
        bool fast = rank != 0 && rank != 3;
        mach_run_rank_report(machine, rank, &report);
        cr_assert_eq(report.finish_ps, fast ? TURNS * 1500 / 4 : TURNS * 3000, "rank %u: %" G_GUINT64_FORMAT, rank,
                     report.finish_ps);
    }
    mach_run_free(machine);
}

Test(node_types, nodes_that_do_not_exist_are_refused)
{
    static const char *const argv[] = {"program", NULL};
    g_autoptr(MachConfig) config = read_config("[network]\nnodes = 4\n[node-type a]\nnodes = 1, 3-4\n", NULL);
    MachProgram program = {.module = assemble(1), .argv = argv, .count = 1};
    MachOptions options;
    g_autoptr(GError) error = NULL;
    mach_run_options_default(&options);
    cr_assert_null(mach_run_new(config, &program, 1, &options, &error));
    cr_assert(strstr(error->message, "test.machine:4:12: error: ") && strstr(error->message, "node 4"), "%s",
              error->message);
}
