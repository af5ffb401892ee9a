/* Machine files: values reach the config, every mistake is reported with its position, printed files can be read. */
#include "machine/config/config.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Folder {
    char *path, *file;
} Folder;

static Folder folder_new(const char *content)
{
    Folder folder = {.path = g_dir_make_tmp("orrery-config-XXXXXX", NULL)};
    folder.file = g_build_filename(folder.path, "test.machine", NULL);
    cr_assert(g_file_set_contents(folder.file, content, -1, NULL));
    return folder;
}

static void folder_free(Folder *folder)
{
    g_unlink(folder->file);
    g_rmdir(folder->path);
    g_free(folder->path);
    g_free(folder->file);
}

static MachConfig *read_config(const char *content, GError **error)
{
    Folder folder = folder_new(content);
    MachConfig *config = mach_config_load(folder.file, NULL, error);
    folder_free(&folder);
    return config;
}

/* Checks that the error begins with "...:line:column: error: " and mentions `part`. */
static void refuse(const char *content, unsigned line, unsigned column, const char *part)
{
    g_autoptr(GError) error = NULL;
    MachConfig *config = read_config(content, &error);
    cr_assert_null(config, "accepted: %s", content);
    cr_assert(g_error_matches(error, MACH_ERROR, MACH_ERROR_CONFIG));
    g_autofree char *place = g_strdup_printf("test.machine:%u:%u: error: ", line, column);
    cr_assert(strstr(error->message, place), "\"%s\" should have %s", error->message, place);
    cr_assert(strstr(error->message, part), "\"%s\" should mention \"%s\"", error->message, part);
}

Test(config, values_arrive)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = read_config("[machine]\ndescription = a = b\n"
                                               "[cpu]\n clock = 1.5 GHz  # from the box\n"
                                               "[cost]\ninteger = 0.75 cycles\nlibrary = 2.5\n"
                                               "[network]\ntopology=torus\ndims = 2 x 3x4\nbandwidth = 10 Mbit/s\r\n"
                                               "[mapping]\nranks = cyclic\n",
                                               &error);
    cr_assert_not_null(config, "%s", error ? error->message : "");
    cr_assert_str_eq(config->name, "test");
    cr_assert_str_eq(config->description, "a = b");
    cr_assert_eq(config->clock_hz, 1500000000);
    cr_assert_eq(config->costs.class_q8[VCODE_COST_INTEGER], 192);
    cr_assert_eq(config->costs.library_q8, 640);
    cr_assert_str_eq(config->net.topology, "torus");
    cr_assert_eq(config->net.n_dims, 3);
    cr_assert_eq(config->net.dims[2], 4);
    cr_assert_eq(config->net.bandwidth, 1250000);
    cr_assert_str_eq(config->mapping, "cyclic");
    cr_assert_str_eq(mach_setting_find(config->settings, "cpu", "clock")->comment, "from the box");
    cr_assert_str_eq(mach_config_value(config, "network", "dims"), "2 x 3x4");
}

/* Frees texts, all of them empty, and clears their pointers, which differ between configs. */
static void forget_texts(MachConfig *config)
{
    const char **const texts[] = {&config->net.file, &config->net.table, &config->net.faults.links,
                                  &config->net.faults.routers};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        cr_assert_str_empty(*texts[i]);
        g_free((char *)*texts[i]);
        *texts[i] = NULL;
    }
}

/* Every part of a config has its default from a row of keys.def. */
Test(config, every_default_comes_from_its_row)
{
    g_autoptr(MachConfig) config = read_config("", NULL), blank = read_config("", NULL);
    GHashTable *algorithms = blank->mpi.algorithms;
    forget_texts(blank);
    memset(&blank->net, 0, sizeof blank->net);
    memset(&blank->costs, 0, sizeof blank->costs);
    memset(&blank->memory, 0, sizeof blank->memory);
    memset(&blank->noise, 0, sizeof blank->noise);
    memset(&blank->background, 0, sizeof blank->background);
    memset(&blank->mpi, 0, sizeof blank->mpi);
    blank->mpi.algorithms = algorithms;
    for (guint i = 0; i < blank->settings->len; i++) {
        const MachSetting *setting = &g_array_index(blank->settings, MachSetting, i);
        size_t where;
        cr_assert_str_eq(setting->value, setting->fallback);
        cr_assert(!setting->given && !setting->line);
        cr_assert(mach_setting_store(blank, setting, setting->fallback, &where, NULL), "%s", setting->name);
    }
    forget_texts(blank);
    forget_texts(config);
    cr_assert_arr_eq(&config->net, &blank->net, sizeof config->net);
    cr_assert_arr_eq(&config->costs, &blank->costs, sizeof config->costs);
    cr_assert_arr_eq(&config->memory, &blank->memory, sizeof config->memory);
    cr_assert_arr_eq(&config->noise, &blank->noise, sizeof config->noise);
    cr_assert_arr_eq(&config->background, &blank->background, sizeof config->background);
    for (const char *const *name = mpi_collectives(); *name; name++)
        cr_assert_str_eq(g_hash_table_lookup(config->mpi.algorithms, *name), "auto");
    config->mpi.algorithms = NULL;
    blank->mpi.algorithms = NULL;
    cr_assert_arr_eq(&config->mpi, &blank->mpi, sizeof config->mpi);
    config->mpi.algorithms = g_hash_table_new(NULL, NULL);
    blank->mpi.algorithms = algorithms;
}

Test(config, an_empty_file_is_all_defaults)
{
    g_autoptr(MachConfig) config = read_config("", NULL);
    cr_assert_not_null(config);
    VmCosts costs;
    vm_costs_default(&costs);
    cr_assert_arr_eq(config->costs.class_q8, costs.class_q8, sizeof costs.class_q8, "[cost] and costs.def agree");
}

/* A name of a closed list is stored as the enum that it stands for. */
Test(config, choices_are_enums)
{
    g_autoptr(MachConfig) config = read_config("[cpu]\nalignment = natural\n[memory]\nmodel = hierarchy\n[noise]\n"
                                               "distribution = exponential\narrival = random\nphase = aligned\n",
                                               NULL);
    cr_assert_not_null(config);
    cr_assert_eq(config->alignment, MACH_ALIGNMENT_NATURAL);
    cr_assert_eq(config->memory.model, MACH_MEMORY_HIERARCHY);
    cr_assert_eq(config->noise.distribution, BASE_DISTRIBUTION_EXPONENTIAL);
    cr_assert_eq(config->noise.arrival, MACH_NOISE_RANDOM);
    cr_assert_eq(config->noise.phase, MACH_NOISE_PHASE_ALIGNED);
    refuse("[memory]\nmodel = hierarchical\n", 2, 9, "did you mean \"hierarchy\"");
}

Test(config, mistakes_have_line_and_column)
{
    refuse("[cpu]\nclok = 1 GHz\n", 2, 1, "did you mean \"clock\"");
    refuse("[cpu]\n\tclock = 1 Ghz\n", 3 - 1, 12, "did you mean \"GHz\"");
    refuse("[cpu]\nclock = 1\n", 2, 9, "has no unit");
    refuse("[cpu]\nclock =\n", 2, 8, "not a frequency");
    refuse("[netwrok]\nnodes = 1\n", 1, 2, "did you mean \"network\"");
    refuse("[network]\nclock = 1 GHz\n", 2, 1, "it belongs to [cpu]");
    refuse("[cpu]\nclock = 1 GHz\nclock = 2 GHz\n", 3, 1, "from line 2");
    refuse("clock = 1 GHz\n", 1, 1, "must come before");
    refuse("[cpu]\nhello\n", 2, 1, "neither a [section] nor");
    refuse("[cpu\n", 1, 5, "missing");
    refuse("[cpu] x\n", 1, 6, "nothing may follow");
    refuse("[network]\ntopology = moesh\n", 2, 12, "did you mean \"mesh\"");
    refuse("[network]\ndims = 4x0\n", 2, 10, "extents");
    refuse("[network]\ntopology = mesh(0,4)\n", 2, 12, "parameter 1 of the mesh is 0");
    refuse("[network]\ntopology = dragonfly(p=2, q=4)\n", 2, 12, "no parameter \"q\"; it has p a h g");
    refuse("[network]\ntopology = mush(4,4)\n", 2, 12, "did you mean 'mesh'");
    refuse("[network]\nvirtual-channels = 0\n", 2, 20, "too small");
    refuse("[network]\nbuffer-flits = 0\n", 2, 16, "too small");
    refuse("[network]\nrouting-decision = sauce\n", 2, 20, "did you mean \"source\"");
    refuse("[network]\ninjection-channels = 0\n", 2, 22, "too small");
    refuse("[network]\ninjection-flits = many\n", 2, 19, "number");
    refuse("[network]\ndeadlock-interval = 0\n", 2, 21, "too small");
    refuse("[network]\nretry-delay = 5\n", 2, 15, "unit");
    refuse("[network]\ndeadlock = resolved\n", 2, 12, "did you mean \"resolve\"");
    refuse("[network]\nglobal-bandwidth = 100\n", 2, 20, "unit");
    refuse("[network]\ndeadlock = ignore\n", 2, 12, "there are: refuse, fatal");
    refuse("[network]\nflow-control = pause frames\n", 2, 16, "did you mean \"pause\"");
    refuse("[network]\nbuffer-bytes = 65536\n", 2, 16, "unit");
    refuse("[network]\nbuffer-bytes = 0\n", 2, 16, "too small");
    refuse("[network]\npause-quanta = 65536\n", 2, 16, "too large");
    refuse("[network]\nretransmission-timeout = 0\n", 2, 26, "too small");
    refuse("[network]\ndims = 4*4\n", 2, 9, "extents");
    refuse("[cpu]\nclock = 1 Hz\n", 2, 9, "too small");
    refuse("[mapping]\nranks =\n", 2, 8, "empty");
}

/* Values by size of message: single values, and pieces with and without a part per byte. */
Test(config, overheads_and_gaps_by_size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = read_config(
        "[network]\ngap-per-byte = 0: 80 ps/B, 64 KiB: 0.1 ns/B # measured\n"
        "[mpi]\nsend-overhead = 0 B:500ns,4KiB: 2 us + 100 ps/B ,64 KiB:9 us\nrecv-overhead = 1 us + 10 ps/B\n",
        &error);
    cr_assert_not_null(config, "%s", error ? error->message : "");
    const MpiOverhead *send = &config->mpi.send_overhead, *receive = &config->mpi.recv_overhead;
    cr_assert(send->n == 3 && send->ps == 500000);
    cr_assert(send->piece[1].from_bytes == 4096 && send->piece[1].ps == 2000000 && send->piece[1].byte_fs == 100000);
    cr_assert(send->piece[2].from_bytes == 65536 && send->piece[2].ps == 9000000 && send->piece[2].byte_fs == 0);
    cr_assert(receive->n == 1 && receive->ps == 1000000 && receive->piece[0].byte_fs == 10000);
    cr_assert(config->net.loggp.n_gaps == 2 && config->net.loggp.gap_per_byte_fs == 80000);
    cr_assert(config->net.loggp.gaps[1].from_bytes == 65536 && config->net.loggp.gaps[1].gap_per_byte_fs == 100000);
    cr_assert(mach_config_set(config, "send-overhead=1 us", &error) && send->n == 0 && send->ps == 1000000);
    cr_assert(mach_config_set(config, "gap-per-byte=0", &error) && config->net.loggp.n_gaps == 0);
    cr_assert_not(mach_config_set(config, "gap-per-byte=0: 1 ps/B, 1 B: 2 us", &error));
}

Test(config, pieces_that_are_refused)
{
    refuse("[mpi]\nsend-overhead = 0: 500 ns, 4 KiB: 2\n", 2, 35, "has no unit");
    refuse("[mpi]\nsend-overhead = 0: 500 ns, 4: 2 us\n", 2, 28, "has no unit");
    refuse("[mpi]\nsend-overhead = 1 KiB: 5 ns\n", 2, 17, "begins at 0 bytes");
    refuse("[mpi]\nsend-overhead = 0: 1 us, 4 KiB: 2 us, 2 KiB: 3 us\n", 2, 39, "must ascend");
    refuse("[mpi]\nsend-overhead = 500 ns, 4 KiB: 1 us\n", 2, 17, "size and value");
    refuse("[mpi]\nrecv-overhead = 0: 1 us,\n", 2, 25, "size and value");
    refuse("[mpi]\nrecv-overhead = 0: 2 s, 4 B: 1 us\n", 2, 20, "too large");
    refuse("[mpi]\nrecv-overhead = 1 us + 3\n", 2, 24, "has no unit");
    refuse("[mpi]\nrecv-overhead =\n", 2, 16, "is not a time");
    refuse("[network]\ngap-per-byte = 80 ps/B + 1 ps/B\n", 2, 24, "nothing to add");
    GString *many = g_string_new("[mpi]\nsend-overhead = 0: 1 us");
    for (int i = 1; i <= MPI_MAX_PIECES; i++)
        g_string_append_printf(many, ", %d B: 1 us", i);
    g_autoptr(GError) error = NULL;
    cr_assert_null(read_config(many->str, &error));
    cr_assert(strstr(error->message, "more than 16 pieces"), "%s", error->message);
    g_string_free(many, TRUE);
}

/* Parameters after a topology's name are its dims. A file that is named is searched beside the machine file. */
Test(config, topology_with_parameters)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(MachConfig) config = read_config("[network]\ntopology = xgft(4,4; 1,2)\nfile = net.dot\n", &error);
    cr_assert_not_null(config, "%s", error ? error->message : "");
    cr_assert_str_eq(config->net.topology, "xgft");
    cr_assert(config->net.n_dims == 4 && config->net.dims[3] == 2);
    cr_assert(g_path_is_absolute(config->net.file) && g_str_has_suffix(config->net.file, "/net.dot"));
}

Test(config, all_mistakes_are_reported_with_their_line)
{
    g_autoptr(GError) error = NULL;
    cr_assert_null(read_config("[cpu]\nclok = 1 GHz\n[node]\ncores = 8 pieces\n", &error));
    cr_assert(strstr(error->message, ":2:1: error: ") && strstr(error->message, ":4:11: error: "));
    cr_assert(strstr(error->message, "clok = 1 GHz\n") && strstr(error->message, "| ^~~~"), "%s", error->message);
}

/* Bytes that are not a machine file. */
Test(config, garbage_is_refused)
{
    g_autoptr(GError) error = NULL;
    cr_assert_null(read_config("\xff\xfe\x01", &error));
    cr_assert(strstr(error->message, "UTF-8"));
    GString *long_line = g_string_new("[cpu]\n");
    for (int i = 0; i < 100000; i++)
        g_string_append_c(long_line, 'x');
    g_autoptr(GError) second = NULL;
    cr_assert_null(read_config(long_line->str, &second));
    cr_assert(strlen(second->message) < 2000, "a long line is cut in the message");
    g_string_free(long_line, TRUE);
}

Test(config, set_overrides)
{
    g_autoptr(MachConfig) config = read_config("[cpu]\nclock = 1 GHz\n", NULL);
    g_autoptr(GError) error = NULL;
    cr_assert(mach_config_set(config, "cpu.clock=2 GHz", NULL));
    cr_assert_eq(config->clock_hz, 2000000000);
    cr_assert(mach_config_set(config, " cores = 4 ", NULL), "the section may be left out where the key is unique");
    cr_assert_eq(config->cores, 4);
    cr_assert_not(mach_config_set(config, "seed=3", &error));
    cr_assert(strstr(error->message, "several sections"), "%s", error->message);
    g_clear_error(&error);
    cr_assert_not(mach_config_set(config, "network.bandwith=1 MB/s", &error));
    cr_assert(strstr(error->message, "did you mean \"network.bandwidth\""), "%s", error->message);
    g_clear_error(&error);
    cr_assert_not(mach_config_set(config, "bandwith=1 MB/s", &error));
    cr_assert(strstr(error->message, "bandwidth"), "%s", error->message);
    g_clear_error(&error);
    cr_assert_not(mach_config_set(config, "cpu.clock", &error));
    cr_assert(strstr(error->message, "gives no value"), "%s", error->message);
    g_clear_error(&error);
    cr_assert_not(mach_config_set(config, "cpu.clock=1 s", &error));
    cr_assert(g_str_has_prefix(error->message, "cpu.clock: "), "%s", error->message);
    cr_assert_eq(config->clock_hz, 2000000000, "a refused value changes nothing");
}

Test(config, what_is_printed_reads_back_the_same)
{
    g_autoptr(MachConfig) config = read_config("[cpu]\n# a source\nclock = 1.5 GHz\n[network]\ndims=3x3\n", NULL);
    g_autoptr(GError) error = NULL;
    GString *once = g_string_new(NULL), *twice = g_string_new(NULL);
    cr_assert(mach_config_set(config, "cores=3", NULL));
    mach_config_print(config, once);
    g_autoptr(MachConfig) again = read_config(once->str, &error);
    cr_assert_not_null(again, "%s", error ? error->message : "");
    cr_assert_eq(again->cores, 3);
    mach_config_print(again, twice);
    cr_assert_str_eq(once->str, twice->str);
    cr_assert(strstr(once->str, "# a source\nclock = 1.5 GHz"));
    g_string_free(once, TRUE);
    g_string_free(twice, TRUE);
}

Test(config, unknown_machines_get_the_nearest_name)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    g_autoptr(GError) error = NULL;
    cr_assert_null(mach_config_load("mesh4x4", search, &error));
    cr_assert(g_error_matches(error, MACH_ERROR, MACH_ERROR_UNKNOWN));
    cr_assert(strstr(error->message, "did you mean \"mesh-4x4\""), "%s", error->message);
    g_clear_error(&error);
    cr_assert_null(mach_config_load("./no/such.machine", search, &error));
    cr_assert(strstr(error->message, "./no/such.machine"));
    g_clear_error(&error);
    cr_assert_null(mach_config_load("/", search, &error), "a directory is no machine file");
}

/* -- the machines that come with Orrery -------------------------------------------------------- */

/* Machines that DESIGN section 8 promises. */
Test(machines, the_promised_ones_exist)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    static const char *const names[] = {"laptop",      "loggp-cluster", "ring-8",       "mesh-4x4",
                                        "mesh-8x8",    "hypercube-4",   "torus-8x8x16", "bus-16",
                                        "fat-tree-64", "crossbar-16",   "linear-8",     "ethernet-24"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(MachConfig) config = mach_config_load(names[i], search, &error);
        cr_assert_not_null(config, "%s", error ? error->message : "");
        cr_assert_str_eq(config->name, names[i]);
    }
}

static bool is_number(const MachSetting *setting)
{
    return setting->kind != MACH_KIND_TEXT && g_ascii_isdigit(setting->value[0]);
}

/* A shape that is given twice is printed so that it can be read again. */
Test(config, printed_topology_with_parameters_reads_back)
{
    static const struct {
        const char *text, *set;
        uint32_t nodes;
    } cases[] = {
        {"[network]\ntopology = mesh(4,4)\n", NULL, 16},
        {"[network]\ntopology = mesh(4,4)\ndims = 4x4\n", NULL, 16},
        {"[network]\ntopology = mesh(4,4)\n", "network.dims=3x3", 9},
        {"[network]\ntopology = mesh\ndims = 4x4\n", "network.topology=torus(5,5)", 25},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *name = g_build_filename(g_get_tmp_dir(), "printed-XXXXXX", NULL);
        g_autoptr(GString) printed = g_string_new(cases[i].text);
        int file = g_mkstemp(name);
        cr_assert_geq(file, 0);
        close(file);
        for (int turn = 0; turn < 2; turn++) {
            cr_assert(g_file_set_contents(name, printed->str, -1, NULL));
            g_autoptr(MachConfig) config = mach_config_load(name, NULL, &error);
            cr_assert(config, "case %zu, turn %d: %s", i, turn, error ? error->message : "");
            if (!turn && cases[i].set)
                cr_assert(mach_config_set(config, cases[i].set, &error));
            g_autoptr(Network) net = net_network_new(&config->net, NULL, &error);
            cr_assert(net, "%s", error ? error->message : "");
            cr_assert_eq(net_network_nodes(net), cases[i].nodes, "case %zu, turn %d", i, turn);
            g_string_truncate(printed, 0);
            mach_config_print(config, printed);
        }
        g_unlink(name);
    }
}

Test(machines, every_number_has_its_source_and_every_network_can_be_built)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    g_auto(GStrv) names = mach_config_list(search);
    cr_assert_geq(g_strv_length(names), 8);
    for (char **name = names; *name; name++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(MachConfig) config = mach_config_load(*name, search, &error);
        cr_assert_not_null(config, "%s", error ? error->message : "");
        cr_assert(*config->description, "%s has no description", *name);
        for (guint i = 0; i < config->settings->len; i++) {
            const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
            cr_assert(!setting->given || !is_number(setting) || (setting->comment && *setting->comment),
                      "%s: %s has no source", *name, setting->name);
        }
        if (!config->net.nodes && !config->net.n_dims)
            config->net.nodes = 4; /* as many as the ranks need */
        NetClient nobody = {0};
        g_autoptr(Network) net = net_network_new(&config->net, &nobody, &error);
        cr_assert_not_null(net, "%s: %s", *name, error ? error->message : "");
    }
}

/* Machine files are GLib key files, so other tools can read them. */
Test(machines, are_key_files)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    g_auto(GStrv) names = mach_config_list(search);
    for (char **name = names; *name; name++) {
        g_autofree char *path = g_strdup_printf(ORRERY_SOURCE_DIR "/configs/%s.machine", *name);
        g_autoptr(GKeyFile) file = g_key_file_new();
        g_autoptr(GError) error = NULL;
        cr_assert(g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error), "%s: %s", path,
                  error ? error->message : "");
        cr_assert(g_key_file_has_key(file, "machine", "description", NULL));
    }
}

/* Mistakes in probabilities, noise and failures, and their positions. */
Test(config, faults_are_checked)
{
    refuse("[network]\nloss = 2\n", 2, 8, "a probability is at most 1");
    refuse("[network]\nloss = 101 %\n", 2, 8, "a probability is at most 1");
    refuse("[network]\nloss = -0.1\n", 2, 8, "is not a probability");
    refuse("[network]\nloss = 1e-19\n", 2, 8, "is not a probability");
    refuse("[network]\njitter = 5\n", 2, 10, "has no unit");
    refuse("[network]\njitter-distribution = gaus\n", 2, 23, "there are: uniform, exponential");
    refuse("[network]\nretransmission-timeout = 0\n", 2, 26, "too small");
    refuse("[noise]\ndistribution = exponentail\n", 2, 16, "did you mean \"exponential\"");
    refuse("[noise]\nperiod = often\n", 2, 10, "is not a time");
    refuse("[background]\npattern = unifrom\n", 2, 11, "did you mean \"uniform\"");
    refuse("[faults]\nlinks = 3-4\n", 2, 1, "did you mean \"link\"");
}

Test(config, chances_are_exact)
{
    static const struct {
        const char *text;
        uint64_t value;
    } chances[] = {{"0", 0},
                   {"1", NET_CHANCE_ONE},
                   {"100 %", NET_CHANCE_ONE},
                   {"0.25", NET_CHANCE_ONE / 4},
                   {"0.1%", NET_CHANCE_ONE / 1000},
                   {"1e-18", 1},
                   {"2.5E-10", 250000000}};
    g_autoptr(MachConfig) config = read_config("", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(chances); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *assignment = g_strconcat("network.loss=", chances[i].text, NULL);
        cr_assert(mach_config_set(config, assignment, &error), "%s", error ? error->message : "");
        cr_assert_eq(config->net.faults.loss, chances[i].value, "%s", chances[i].text);
    }
}

/* Links and routers are known only when the network exists. The message has the position of the key all the same. */
Test(config, failures_have_their_place)
{
    static const char *const wrong[][2] = {{"link = 0-9 at 1 ms", "there is no vertex \"9\""},
                                           {"link = 0-1 at 2 ms until 1 ms", "is repaired before it fails"},
                                           {"router = 0 at 5", "is not a time"}};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text =
            g_strconcat("[network]\ntopology = linear\nnodes = 4\n[faults]\n", wrong[i][0], "\n", NULL);
        g_autoptr(MachConfig) config = read_config(text, NULL);
        cr_assert_null(mach_config_network(config, 4, &error));
        cr_assert(strstr(error->message, "test.machine:5:1: error: "), "%s", error->message);
        cr_assert(strstr(error->message, wrong[i][1]), "%s", error->message);
    }
}

/* -- processes that fail; keys for programs ---------------------------------------------------- */

Test(config, kills_are_parsed)
{
    g_autoptr(GArray) kills = g_array_new(FALSE, FALSE, sizeof(MachKill));
    static const char *const wrong[] = {"",    "3",        "@1ms",   "x@1ms",  "3@",
                                        "3@1", "node@1ms", "-1@1ms", "3@1ms,", "3@-1ms"};
    cr_assert(mach_kills_parse("3@1ms, node2@5us", kills, NULL));
    cr_assert_eq(kills->len, 2);
    const MachKill *kill = &g_array_index(kills, MachKill, 0);
    cr_expect(!kill[0].node && kill[0].number == 3 && kill[0].time_ps == UINT64_C(1000000000));
    cr_expect(kill[1].node && kill[1].number == 2 && kill[1].time_ps == UINT64_C(5000000));
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        cr_expect(!mach_kills_parse(wrong[i], kills, &error), "\"%s\"", wrong[i]);
        cr_expect(error);
    }
}

/* As the tool interface of MPI shows them, each in the form that its values have. */
Test(config, keys_for_programs)
{
    g_autoptr(MachConfig) config =
        read_config("[mpi]\neager-limit = 1 KiB\n[node-type fast]\nnodes = 1\ncpu.clock = 9 GHz\n", NULL);
    MpiMachineKey key;
    unsigned clocks = 0, limits = 0, tuned = 0;
    cr_assert(config);
    for (uint32_t i = 0; mach_config_key(config, 1, i, &key); i++) {
        const char *value = mach_config_value(config, key.section, key.name);
        cr_expect(key.help && key.value && (key.form != MPI_KEY_CHOICE || key.names));
        if (!strcmp(key.name, "clock")) {
            clocks++;
            cr_expect(key.form == MPI_KEY_NUMBER && key.number == UINT64_C(9000000000) && strcmp(value, "9 GHz"));
            cr_expect_str_eq(key.unit, "Hz");
        }
        if (!strcmp(key.name, "eager-limit")) {
            limits++;
            cr_expect(key.form == MPI_KEY_NUMBER && key.number == 1024 && key.tunes == MPI_TUNES_EAGER_LIMIT);
        }
        tuned += key.tunes == MPI_TUNES_ALGORITHM;
    }
    cr_expect(clocks == 1 && limits == 1 && tuned > 5);
}
