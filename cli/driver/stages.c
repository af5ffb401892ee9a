/* stages.c - `orrery cc` up to the object: -E, -M, -S, -c, -fsyntax-only.
 *
 * A result gets its name only when it is complete. As with cc, a failed -E or -S removes an older result, and a failed
 * -c leaves it.
 */
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/driver/driver.h"
#include "vcode/vcode.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Returns the value of -o, or else "file.o" for "dir/file.c". */
static char *output_name(const Driver *driver, const char *input, const char *suffix)
{
    if (driver->output)
        return g_strdup(driver->output);
    g_autofree char *base = g_path_get_basename(input);
    char *dot = strrchr(base, '.');
    if (dot && dot != base)
        *dot = '\0';
    return g_strconcat(base, suffix, NULL);
}

/* Returns "dir/file" + suffix for "dir/file.o". */
static char *with_suffix(const char *path, const char *suffix)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    bool ending = dot && dot != path && dot[-1] != '/';
    g_autofree char *base = ending ? g_strndup(path, (gsize)(dot - path)) : g_strdup(path);
    return g_strconcat(base, suffix, NULL);
}

static void remove_result(const char *path)
{
    if (path && g_file_test(path, G_FILE_TEST_IS_REGULAR))
        g_unlink(path);
}

/* -- dependencies ------------------------------------------------------------------------------ */

/* Returns the file for the rules of -MD or -MMD, named as cc does: beside the result, with the ending .d. NULL: none is
 * written, or the preprocessor has its name. */
static char *rules_file(const Driver *driver, const char *input)
{
    if (!driver->depend)
        return NULL;
    if (driver->build.depend_file)
        return g_strdup(driver->build.depend_file);
    if (driver->depend_file) /* -Wp,-MD,FILE */
        return NULL;
    if (!driver->output)
        return output_name(driver, input, ".d");
    if (driver->stage != DRIVER_LINK || driver->n_sources < 2)
        return with_suffix(driver->output, ".d");
    g_autofree char *base = output_name(&(Driver){0}, input, ".d");
    g_autofree char *stem = with_suffix(driver->output, "");
    return g_strdup_printf("%s-%s", stem, base);
}

/* Compiling with rules: cpp writes the rules to a temporary file, whose text becomes the file when all has gone well.
 */
typedef struct Rules {
    char *file, *temporary; /* NULL: none */
    guint flags;            /* number of flags of the build before */
} Rules;

static bool open_rules(Driver *driver, const char *input, const char *result, Rules *rules, GError **error)
{
    GPtrArray *flags = driver->build.flags;
    *rules = (Rules){.flags = flags->len, .file = rules_file(driver, input)};
    if (!driver->depend)
        return true;
    g_ptr_array_add(flags, g_strdup(driver->build.depend));
    if (rules->file) {
        int fd = base_write_possible(rules->file, error)
                     ? g_file_open_tmp("orrery-rules-XXXXXX", &rules->temporary, error)
                     : -1;
        if (fd < 0)
            return false;
        close(fd);
        g_ptr_array_add(flags, g_strdup("-MF"));
        g_ptr_array_add(flags, g_strdup(rules->temporary));
    }
    if (!driver->depend_target && result) {
        g_ptr_array_add(flags, g_strdup("-MQ"));
        g_ptr_array_add(flags, g_strdup(result));
    }
    return true;
}

/* Writes the file of rules if all has been good so far. Returns whether it still is. */
static bool close_rules(Driver *driver, Rules *rules, bool good, GError **error)
{
    g_ptr_array_set_size(driver->build.flags, (gint)rules->flags);
    if (rules->temporary) {
        g_autofree char *text = NULL;
        gsize size = 0;
        good = good && g_file_get_contents(rules->temporary, &text, &size, error) &&
               base_write_file(rules->file, text, size, error);
        g_unlink(rules->temporary);
    }
    g_free(rules->file);
    g_free(rules->temporary);
    return good;
}

/* -- stages ------------------------------------------------------------------------------------ */

/* Returns the preprocessor's output, with the flags that only -E takes. */
static char *preprocess(Driver *driver, const char *path, gsize *size, GError **error)
{
    GPtrArray *flags = driver->build.flags;
    guint before = flags->len;
    for (guint i = 0; i < driver->build.preprocess_flags->len; i++)
        g_ptr_array_add(flags, g_strdup(g_ptr_array_index(driver->build.preprocess_flags, i)));
    char *text = cli_build_preprocess(&driver->build, path, size, error);
    g_ptr_array_set_size(flags, (gint)before);
    return text;
}

static bool print_preprocessed(Driver *driver, const DriverInput *input, GError **error)
{
    gsize size;
    const char *file = driver->rules_only && driver->build.depend_file ? driver->build.depend_file : driver->output;
    g_autofree char *text = preprocess(driver, input->name, &size, error);
    bool good = text && base_write_report(file ? file : "-", text, size, error);
    if (!good)
        remove_result(file);
    return good;
}

/* For -save-temps, writes NAME.i and NAME.s beside the result, or in the working directory. */
static bool save_temporaries(Driver *driver, const DriverInput *input, const VcodeModule *module, const char *result,
                             GError **error)
{
    if (!driver->save_temporaries)
        return true;
    g_autofree char *here = g_path_get_basename(input->name);
    const char *stem = driver->save_beside && result ? result : here;
    g_autofree char *text_name = with_suffix(stem, ".i"), *vcode_name = with_suffix(stem, ".s");
    g_autoptr(GString) vcode = g_string_new(NULL);
    vcode_disassemble(module, false, vcode);
    gsize size;
    g_autofree char *text =
        input->language == CLI_LANGUAGE_PREPROCESSED ? NULL : preprocess(driver, input->name, &size, error);
    if (input->language != CLI_LANGUAGE_PREPROCESSED && !(text && base_write_report(text_name, text, size, error)))
        return false;
    return base_write_report(vcode_name, vcode->str, vcode->len, error);
}

/* Returns the object of one source. `result` is the target in the rules of -MD, or NULL. */
static VcodeModule *compile(Driver *driver, const DriverInput *input, const char *result, GError **error)
{
    Rules rules;
    driver->build.compile.preprocessed = input->language == CLI_LANGUAGE_PREPROCESSED;
    bool open = open_rules(driver, input->name, result, &rules, error);
    VcodeModule *module = open ? cli_build_compile(&driver->build, input->name, error) : NULL;
    bool good = close_rules(driver, &rules, module, error);
    if (good && save_temporaries(driver, input, module, result, error))
        return module;
    vcode_module_free(module);
    return NULL;
}

VcodeModule *cli_driver_compile_for_link(Driver *driver, const DriverInput *input, GError **error)
{
    return compile(driver, input, driver->output ? driver->output : NULL, error);
}

static bool print_vcode(Driver *driver, const DriverInput *input, GError **error)
{
    g_autofree char *path = output_name(driver, input->name, ".s");
    g_autoptr(VcodeModule) module = compile(driver, input, path, error);
    g_autoptr(GString) out = g_string_new(NULL);
    if (module)
        vcode_disassemble(module, false, out);
    bool good = module && base_write_report(path, out->str, out->len, error);
    if (!good)
        remove_result(path);
    return good;
}

/* A header has no code of its own. Instead of a precompiled header a text is written. The preprocessor skips that file
 * and reads the header. */
static bool compile_header(Driver *driver, const DriverInput *input, GError **error)
{
    static const char text[] = "This header was found to be right; Orrery reads it anew each time.\n";
    g_autofree char *path = driver->output ? g_strdup(driver->output) : g_strconcat(input->name, ".gch", NULL);
    g_autoptr(VcodeModule) module = compile(driver, input, path, error);
    return module && base_write_report(path, text, strlen(text), error);
}

static bool compile_object(Driver *driver, const DriverInput *input, GError **error)
{
    g_autofree char *path = output_name(driver, input->name, ".o");
    g_autoptr(VcodeModule) module = compile(driver, input, path, error);
    return module && vcode_file_write(module, path, NULL, error);
}

bool cli_driver_compile(Driver *driver, const DriverInput *input, GError **error)
{
    if (input->language == CLI_LANGUAGE_LIBRARY)
        return true;
    if (input->language == CLI_LANGUAGE_LINKER) {
        if (!cli_file_check(input->name, error))
            return false;
        cli_driver_say("warning: %s: not used, because nothing is linked", input->name);
        return true;
    }
    if (driver->stage == DRIVER_PREPROCESS) {
        Rules rules;
        bool open = open_rules(driver, input->name, NULL, &rules, error);
        return close_rules(driver, &rules, open && print_preprocessed(driver, input, error), error);
    }
    if (driver->stage == DRIVER_SYNTAX_ONLY) {
        g_autoptr(VcodeModule) module = compile(driver, input, NULL, error);
        return module;
    }
    if (input->language == CLI_LANGUAGE_HEADER)
        return compile_header(driver, input, error);
    return driver->stage == DRIVER_VCODE_TEXT ? print_vcode(driver, input, error)
                                              : compile_object(driver, input, error);
}
