/* test_protocol_keys.c - keys of [protocol] that contradict each other are refused, with line and reason. */
#include "machine/config/config.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

/* Loads a machine whose section [protocol] begins in line 3, and checks it. Returns the error, or NULL. */
static char *refusal(const char *keys)
{
    g_autofree char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "m.machine", NULL);
    g_autofree char *text = g_strdup_printf("[node]\ncores = 2\n[protocol]\n%s", keys);
    GError *error = NULL;
    cr_assert(g_file_set_contents(file, text, -1, NULL));
    g_autoptr(MachConfig) config = mach_config_load(file, NULL, &error);
    cr_assert(config, "%s", error ? error->message : "");
    char *message = NULL;
    if (!mach_config_check_protocols(config, &error)) {
        message = g_strdup(strstr(error->message, "m.machine"));
        g_error_free(error);
    }
    g_remove(file);
    g_rmdir(folder);
    return message;
}

Test(protocol_keys, contradictions_are_refused_with_line_and_reason)
{
    static const struct {
        const char *keys, *message;
    } cases[] = {
        {"credits = 1 MiB\npool = 1 MiB\n",
         "m.machine:5:1: error: protocol.pool = 1 MiB: protocol.credits = 1 MiB limits"},
        {"credits = 64 KiB\n", "m.machine:4:1: error: protocol.credits = 64 KiB: there must be room for two messages"},
        {"threshold = 1 KiB\ncredits = 2000 B\n",
         "m.machine:5:1: error: protocol.credits = 2000 B: there must be room"},
        {"pool = 64 KiB\n", "m.machine:4:1: error: protocol.pool = 64 KiB: there must be room for a message"},
        {"all = receiver-post\nthreshold = 1 KiB\n",
         "m.machine:5:1: error: protocol.threshold = 1 KiB: no messages go by"},
        {"all = put\ncredits = 1 MiB\n", "m.machine:5:1: error: protocol.credits = 1 MiB: no messages go by"},
        {"chunk = 1 KiB\n", "m.machine:4:1: error: protocol.chunk = 1 KiB: no messages go by"},
        {"wan = daemon\nwan-credits = 1 MiB\ncluster-nodes = 1\n",
         "m.machine:5:1: error: protocol.wan-credits = 1 MiB: messages of wan "
         "go by daemon (protocol.wan), which does not"},
        {"wan = put\n", "m.machine:4:1: error: protocol.wan = put: there are no messages between clusters"},
        {"wan-credits = 1 MiB\n",
         "m.machine:4:1: error: protocol.wan-credits = 1 MiB: there are no messages between clusters"},
        {"pool = 1 B\n", "m.machine:4:1: error: protocol.pool = 1 B: there must be room for a message"},
        {"all = daemon\ndaemon-soft-limit = 8 MiB\n",
         "m.machine:5:1: error: protocol.daemon-soft-limit = 8 MiB: it is beyond"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *message = refusal(cases[i].keys);
        cr_assert(message && g_str_has_prefix(message, cases[i].message), "%s: %s", cases[i].keys, message);
    }
}

Test(protocol_keys, what_fits_together_is_taken)
{
    static const char *const good[] = {
        "",
        "all = eager\ncredits = 1 MiB\n",
        "all = receiver-post\nchunk = 1 B\n",
        "credits = 1 MiB\nwan-pool = 1 MiB\ncluster-nodes = 1\n",
        "all = put\nwan = eager\nwan-credits = 1 MiB\nthreshold = 1 KiB\ncluster-nodes = 1\n",
        "core = receiver-post\ncredits = 1 MiB\nchunk = 1 KiB\n",
        "all = put\n[mpi]\nprogress = inline\none-sided = thread\nbackground = offload\n",
        "wan = put\ncluster-nodes = 1\n[mpi]\nprogress = thread\n",
        "credits = 1 MiB\n[mpi]\nprogress = offload\n",
        "node-threshold = 1 KiB\n[mpi]\nbackground = inline\n",
        "all = daemon\ndaemon-core = shared\n[mpi]\nprogress = thread\nprogress-core = shared\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autofree char *message = refusal(good[i]);
        cr_assert_null(message, "%s: %s", good[i], message);
    }
}

/* What `orrery machines --print` writes has all keys; it says the same when it is read. */
Test(protocol_keys, printed_machines_are_taken)
{
    GError *error = NULL;
    g_autoptr(MachConfig) config = mach_config_load(ORRERY_SOURCE_DIR "/configs/laptop.machine", NULL, &error);
    cr_assert(config);
    g_autoptr(GString) printed = g_string_new(NULL);
    mach_config_print(config, printed);
    g_autofree char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "m.machine", NULL);
    cr_assert(g_file_set_contents(file, printed->str, -1, NULL));
    g_autoptr(MachConfig) again = mach_config_load(file, NULL, &error);
    cr_assert(again && mach_config_check_protocols(again, &error), "%s", error ? error->message : "");
    g_remove(file);
    g_rmdir(folder);
}
