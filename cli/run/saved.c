/* saved.c - what a machine is made of, as a value that can be kept in a file and made a machine again elsewhere.
 *
 * Programs are kept as they were linked, the machine with every key. Of the options those are kept that change what
 * happens; the working directory is the one in which the machine is made again. */
#include "cli/run/run.h"
#include "vcode/vcode.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Name and text of the machine; programs: bytes, arguments, environment, ranks; options by name: texts, lists, flags;
 * sources: path, hash. */
#define PROGRAM_TYPE "(ayaayaayu)"
const char cli_run_saved_type[] = "(saya" PROGRAM_TYPE "a{say}a{saay}a{sb}a(ays))";

/* clang-format off */
#define TEXTS(TEXT) TEXT(quantum) TEXT(seed) TEXT(choices) TEXT(max_time) TEXT(memory) TEXT(fs) TEXT(check) TEXT(optimise)
#define LISTS(LIST) LIST(kill) LIST(include) LIST(define) LIST(undefine) LIST(warnings) LIST(code)
/* clang-format on */

/* -- saving ------------------------------------------------------------------------------------ */

static GVariant *pack_program(const CliRun *run, size_t i)
{
    static const char *const nothing[] = {NULL};
    const MachProgram *program = &run->programs[i];
    const char *const *environment = program->environment ? program->environment : nothing;
    g_autoptr(GBytes) bytes = vcode_file_bytes(program->module);
    gsize size;
    const void *data = g_bytes_get_data(bytes, &size);
    return g_variant_new("(@ay@aay@aayu)", g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, data, size, 1),
                         g_variant_new_bytestring_array(program->argv, -1),
                         g_variant_new_bytestring_array(environment, -1), program->count);
}

static char *hash_of(const char *path)
{
    g_autofree char *text = NULL;
    gsize size;
    if (!g_file_get_contents(path, &text, &size, NULL))
        return g_strdup("");
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, size);
}

static void pack_sources(const VcodeModule *module, GVariantBuilder *out)
{
    for (uint32_t i = 0; i < module->files.count; i++) {
        const char *path = vcode_source_name(module, i);
        g_autofree char *hash = hash_of(path);
        if (*hash)
            g_variant_builder_add(out, "(@ays)", g_variant_new_bytestring(path), hash);
    }
}

GVariant *cli_run_save(const CliRun *run)
{
    const CliRunOptions *given = run->given;
    const char *inherited = g_getenv("ORRERY_FS");
    g_autoptr(GString) machine = g_string_new(NULL);
    GVariantBuilder programs, texts, lists, flags, sources;
    g_variant_builder_init(&programs, G_VARIANT_TYPE("a" PROGRAM_TYPE));
    g_variant_builder_init(&texts, G_VARIANT_TYPE("a{say}"));
    g_variant_builder_init(&lists, G_VARIANT_TYPE("a{saay}"));
    g_variant_builder_init(&flags, G_VARIANT_TYPE("a{sb}"));
    g_variant_builder_init(&sources, G_VARIANT_TYPE("a(ays)"));
    mach_config_print(run->config, machine);
    for (size_t i = 0; i < run->n_programs; i++) {
        g_variant_builder_add_value(&programs, pack_program(run, i));
        pack_sources(run->programs[i].module, &sources);
    }
    CliRunOptions kept = *given;
    if (!kept.fs && inherited && *inherited)
        kept.fs = (char *)inherited;
#define TEXT(name)                                                                                                     \
    if (kept.name)                                                                                                     \
        g_variant_builder_add(&texts, "{s@ay}", #name, g_variant_new_bytestring(kept.name));
#define LIST(name)                                                                                                     \
    if (kept.name)                                                                                                     \
        g_variant_builder_add(&lists, "{s@aay}", #name,                                                                \
                              g_variant_new_bytestring_array((const char *const *)kept.name, -1));
    TEXTS(TEXT)
    LISTS(LIST)
#undef TEXT
#undef LIST
    g_variant_builder_add(&flags, "{sb}", "label", kept.label);
    return g_variant_new("(s@ay@a" PROGRAM_TYPE "@a{say}@a{saay}@a{sb}@a(ays))", run->config->name,
                         g_variant_new_bytestring(machine->str), g_variant_builder_end(&programs),
                         g_variant_builder_end(&texts), g_variant_builder_end(&lists), g_variant_builder_end(&flags),
                         g_variant_builder_end(&sources));
}

/* -- making it again --------------------------------------------------------------------------- */

void cli_run_restore_options(GVariant *saved, CliRunOptions *options)
{
    gboolean label = FALSE;
    *options = (CliRunOptions){0};
    g_autoptr(GVariant) texts = g_variant_get_child_value(saved, 3), lists = g_variant_get_child_value(saved, 4),
                        flags = g_variant_get_child_value(saved, 5);
#define TEXT(name) g_variant_lookup(texts, #name, "^ay", &options->name);
#define LIST(name) g_variant_lookup(lists, #name, "^aay", &options->name);
    TEXTS(TEXT)
    LISTS(LIST)
#undef TEXT
#undef LIST
    options->label = g_variant_lookup(flags, "label", "b", &label) && label;
}

void cli_run_options_clear(CliRunOptions *options)
{
#define TEXT(name) g_clear_pointer(&options->name, g_free);
#define LIST(name) g_clear_pointer(&options->name, g_strfreev);
    TEXTS(TEXT)
    LISTS(LIST)
#undef TEXT
#undef LIST
}

/* Machines are read from files, whose name is theirs. */
static MachConfig *read_machine(GVariant *saved, GError **error)
{
    const char *name, *text;
    g_variant_get_child(saved, 0, "&s", &name);
    g_variant_get_child(saved, 1, "^&ay", &text);
    g_autofree char *folder = g_dir_make_tmp("orrery-XXXXXX", error);
    if (!folder)
        return NULL;
    g_autofree char *plain = g_path_get_basename(name), *file = g_strconcat(plain, ".machine", NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    MachConfig *config =
        g_file_set_contents(path, text, -1, error) ? mach_config_load(path, (const char *const[]){NULL}, error) : NULL;
    g_unlink(path);
    g_rmdir(folder);
    return config;
}

static bool read_program(CliRun *run, GVariant *value, GError **error)
{
    size_t i = run->n_programs++;
    MachProgram *program = &run->programs[i];
    g_autoptr(GVariant) bytes = NULL;
    gsize size;
    g_variant_get(value, "(@ay^aay^aayu)", &bytes, &run->arguments[i], &run->environments[i], &program->count);
    const void *data = g_variant_get_fixed_array(bytes, &size, 1);
    program->argv = (const char *const *)run->arguments[i];
    program->environment = (const char *const *)run->environments[i];
    if (!program->argv[0] || program->count == 0)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "a program in it has no name or no ranks");
    else
        program->module = vcode_file_read_bytes(data, size, program->argv[0], error);
    return program->module;
}

bool cli_run_prepare_saved(CliRun *run, const CliRunOptions *options, GVariant *saved, GError **error)
{
    *run = (CliRun){.example = run->example, .given = options};
    g_autoptr(GVariant) programs = g_variant_get_child_value(saved, 2);
    gsize n = g_variant_n_children(programs);
    run->programs = g_new0(MachProgram, n + 1);
    run->arguments = g_new0(char **, n + 1);
    run->environments = g_new0(char **, n + 1);
    bool good = cli_run_set_options(run, options, error) && (run->config = read_machine(saved, error));
    for (gsize i = 0; good && i < n; i++) {
        g_autoptr(GVariant) program = g_variant_get_child_value(programs, i);
        good = read_program(run, program, error);
    }
    return good && n > 0;
}

void cli_run_compare_sources(GVariant *saved, GString *out)
{
    g_autoptr(GVariant) sources = g_variant_get_child_value(saved, 6);
    GVariantIter iter;
    const char *path, *hash;
    g_variant_iter_init(&iter, sources);
    while (g_variant_iter_next(&iter, "(^&ay&s)", &path, &hash)) {
        g_autofree char *now = hash_of(path);
        if (*now && strcmp(now, hash) != 0)
            g_string_append_printf(out, "%s has changed since then: the lines that are shown are not those that run\n",
                                   path);
    }
}
