/* questions.c - questions that build systems ask a compiler, and the answers.
 *
 * autoconf, CMake, Meson and libtool ask as they would ask gcc. Build systems that look for MPI ask as they would ask
 * MPICH's mpicc (-show, -compile_info, -link_info) or Open MPI's (-showme:...). Version numbers are those of the GNU C
 * that Orrery accepts (see predefined.def), because the questions are about that. --version gives both versions.
 */
#include "cli/base/base.h"
#include "cli/driver/driver.h"
#include "compiler/compiler.h"

#include <stdio.h>
#include <string.h>

#define TARGET "vcode-orrery-linux"

typedef enum Topic {
    VERSION,
    LINKER_VERSION,
    SHORT_VERSION,
    MACHINE,
    HELP,
    WARNINGS,
    SPECS,
    SEARCH,
    FILE_NAME,
    PROGRAM_NAME,
    RUNTIME_FILE,
    DOT,
    MULTILIB,
    NOTHING,
    COMMAND_LINE,
    COMMAND,
    MPI_COMPILE,
    MPI_LINK,
    MPI_COMPILE_COMMAND,
    MPI_LINK_COMMAND,
    MPI_INCLUDE,
    MPI_LIBRARY_FOLDERS,
    MPI_LIBRARIES,
    MPI_VERSION,
} Topic;

/* With one dash or two. A name that ends with '=' is followed by a value. */
static const struct {
    const char *name;
    Topic topic;
} topics[] = {
    {"version", VERSION},
    {"dumpversion", SHORT_VERSION},
    {"dumpfullversion", SHORT_VERSION},
    {"dumpmachine", MACHINE},
    {"print-target-triple", MACHINE},
    {"dumpspecs", SPECS},
    {"help", HELP},
    {"h", HELP},
    {"target-help", HELP},
    {"help=warnings", WARNINGS},
    {"help=warning", WARNINGS},
    {"help=", HELP},
    {"print-search-dirs", SEARCH},
    {"print-file-name=", FILE_NAME},
    {"print-prog-name=", PROGRAM_NAME},
    {"print-libgcc-file-name", RUNTIME_FILE},
    {"print-multi-directory", DOT},
    {"print-multi-os-directory", DOT},
    {"print-multi-lib", MULTILIB},
    {"print-multiarch", NOTHING},
    {"print-sysroot", NOTHING},
    {"print-sysroot-headers-suffix", NOTHING},
    {"show", COMMAND_LINE},
    {"showme", COMMAND_LINE},
    {"showme:command", COMMAND},
    {"compile_info", MPI_COMPILE_COMMAND},
    {"compile-info", MPI_COMPILE_COMMAND},
    {"link_info", MPI_LINK_COMMAND},
    {"link-info", MPI_LINK_COMMAND},
    {"showme:compile", MPI_COMPILE},
    {"showme:link", MPI_LINK},
    {"showme:incdirs", MPI_INCLUDE},
    {"showme:libdirs", MPI_LIBRARY_FOLDERS},
    {"showme:libs", MPI_LIBRARIES},
    {"showme:version", MPI_VERSION},
    {"showme:help", HELP},
};

/* Returns the topic of a word, or -1. *value becomes what follows '='. */
static int topic_of(const char *word, const char **value)
{
    if (word[0] != '-' || !word[1])
        return -1;
    if (g_str_has_prefix(word, "-Wl,") && (strcmp(word, "-Wl,--version") == 0 || strcmp(word, "-Wl,-v") == 0))
        return LINKER_VERSION;
    const char *name = word + (word[1] == '-' ? 2 : 1);
    for (size_t i = 0; i < G_N_ELEMENTS(topics); i++) {
        size_t length = strlen(topics[i].name);
        bool joined = topics[i].name[length - 1] == '=';
        *value = name + length;
        if (joined ? strncmp(topics[i].name, name, length) == 0 : strcmp(topics[i].name, name) == 0)
            return (int)topics[i].topic;
    }
    return -1;
}

bool cli_driver_is_question(const char *word)
{
    const char *value;
    return topic_of(word, &value) >= 0;
}

/* Returns a command that stands for the compiler where a single word is needed. */
static char *compiler_command(void)
{
    g_autofree char *shims = cli_path_share("shims");
    return g_build_filename(shims, "orrery-cc", NULL);
}

/* Returns the path of a file if Orrery has it, else the name as it was, as cc does. */
static char *file_name(const char *name)
{
    g_autofree char *include = cli_path_share("include");
    static const char *const folders[] = {"lib", "shims"};
    for (size_t i = 0; i < G_N_ELEMENTS(folders) && *name; i++) {
        g_autofree char *folder = cli_path_share(folders[i]);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_EXISTS))
            return g_steal_pointer(&path);
    }
    return strcmp(name, "include") == 0 ? g_steal_pointer(&include) : g_strdup(name);
}

static void append_command_line(GString *out, const Driver *driver)
{
    g_autofree char *command = compiler_command();
    g_string_append(out, command);
    for (guint i = 0; i < driver->words->len; i++) {
        const char *word = g_ptr_array_index(driver->words, i);
        if (!cli_driver_is_question(word))
            g_string_append_printf(out, " %s", word);
    }
    g_string_append_c(out, '\n');
}

static void append_answer(GString *out, const Driver *driver, Topic topic, const char *value)
{
    g_autofree char *include = cli_path_share("include"), *library = cli_path_share("lib"),
                    *command = compiler_command();
    g_autofree char *file = file_name(topic == FILE_NAME ? value : "libgcc.a");
    switch (topic) {
    case VERSION:
        g_string_append(out,
                        "orrery cc (Orrery " ORRERY_VERSION ") " CC_GNU_VERSION "\n"
                        "vCode compiler of the Orrery simulator of parallel machines. It accepts the C of GCC "
                        "" CC_GNU_VERSION ",\nthe compiler of the Free Software Foundation, with which it shares no "
                        "code.\n");
        break;
    case LINKER_VERSION: /* Meson looks for the second name */
        g_string_append(out, "Orrery linker " ORRERY_VERSION ", with options like those of GNU ld\n");
        break;
    case SHORT_VERSION: g_string_append(out, CC_GNU_VERSION "\n"); break;
    case MACHINE: g_string_append(out, TARGET "\n"); break;
    case HELP: cli_driver_append_help(out); break;
    case WARNINGS:
        g_string_append(out, "Warnings of orrery cc; -Wno-NAME switches one off, -Werror=NAME makes it an error.\n\n");
        cc_warning_help(out);
        break;
    case SEARCH:
        g_string_append_printf(out, "install: %s/\nprograms: =%s/\nlibraries: =%s/\n", library, library, library);
        break;
    case FILE_NAME:
    case RUNTIME_FILE: g_string_append_printf(out, "%s\n", file); break;
    case PROGRAM_NAME: g_string_append_printf(out, "%s\n", value); break;
    case DOT: g_string_append(out, ".\n"); break;
    case MULTILIB: g_string_append(out, ".;\n"); break;
    case COMMAND_LINE: append_command_line(out, driver); break;
    case COMMAND: g_string_append_printf(out, "%s\n", command); break;
    case MPI_COMPILE: g_string_append_printf(out, "-I%s\n", include); break;
    case MPI_LINK: g_string_append_printf(out, "-L%s -lmpi\n", library); break;
    case MPI_COMPILE_COMMAND: g_string_append_printf(out, "%s -I%s\n", command, include); break;
    case MPI_LINK_COMMAND: g_string_append_printf(out, "%s -L%s -lmpi\n", command, library); break;
    case MPI_INCLUDE: g_string_append_printf(out, "%s\n", include); break;
    case MPI_LIBRARY_FOLDERS: g_string_append_printf(out, "%s\n", library); break;
    case MPI_LIBRARIES: g_string_append(out, "mpi\n"); break;
    case MPI_VERSION: g_string_append(out, "mpicc: Orrery " ORRERY_VERSION " (Language: C)\n"); break;
    case NOTHING:
    case SPECS: g_string_append(out, topic == NOTHING ? "\n" : ""); break;
    }
}

bool cli_driver_answer(const Driver *driver, const char *question, GError **error)
{
    const char *value = "";
    Topic topic = (Topic)topic_of(question, &value);
    if (topic == SPECS)
        return cli_error_usage(error, "%s: there are no specs: nothing but Orrery itself is run", question);
    g_autoptr(GString) out = g_string_new(NULL);
    append_answer(out, driver, topic, value);
    if (cli_say_output(out->str))
        return true;
    g_set_error_literal(error, CLI_ERROR, CLI_ERROR_PRINTED, "cannot write");
    return false;
}

void cli_driver_print_version_details(const Driver *driver)
{
    g_autofree char *include = cli_path_share("include");
    g_printerr("orrery cc (Orrery " ORRERY_VERSION ")\nTarget: " TARGET "\nThread model: single\n"
               "gcc version " CC_GNU_VERSION " (accepted by Orrery " ORRERY_VERSION ")\n");
    if (!driver->inputs->len)
        return;
    g_printerr("#include \"...\" search starts here:\n#include <...> search starts here:\n");
    for (guint i = 0; i < driver->build.flags->len; i++) {
        const char *flag = g_ptr_array_index(driver->build.flags, i);
        if (g_str_has_prefix(flag, "-I") && flag[2])
            g_printerr(" %s\n", flag + 2);
    }
    if (!driver->build.compile.no_headers)
        g_printerr(" %s\n", include);
    g_printerr("End of search list.\n");
}
