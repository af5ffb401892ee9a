/* files.c - tells what a file on a command line is: source, object, archive, program, or a file of another compiler. */
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "vcode/vcode.h"

#include <string.h>

bool cli_file_is_source(const char *path)
{
    return (g_str_has_suffix(path, ".c") || g_str_has_suffix(path, ".i")) && !vcode_file_is_program(path);
}

bool cli_file_is_input(const char *path)
{
    return cli_file_is_source(path) || g_str_has_suffix(path, ".o") || g_str_has_suffix(path, ".vco") ||
           g_str_has_suffix(path, ".a") || g_str_has_suffix(path, ".so");
}

int cli_file_count_inputs(int argc, char **argv)
{
    int n = 0;
    if (argc && vcode_file_is_program(argv[0])) /* whatever its name: `cc -o x.o a.c` links */
        return 1;
    while (n < argc && cli_file_is_input(argv[n]))
        n++;
    return argc && !n ? 1 : n;
}

bool cli_file_check(const char *path, GError **error)
{
    const char *problem = NULL;
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        problem = "there is no such file";
    else if (g_file_test(path, G_FILE_TEST_IS_DIR))
        problem = "this is a directory";
    if (problem)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: %s", path, problem);
    return !problem;
}

/* -- by content -------------------------------------------------------------------------------- */

const char *cli_file_describe(const char *bytes, gsize size)
{
    static const struct {
        const char *magic;
        gsize size;
        const char *what;
    } kinds[] = {{"\177ELF", 4, "machine code of this host (ELF), made by another compiler"},
                 {"BC\xc0\xde", 4, "LLVM bitcode, made by another compiler"},
                 {"\xde\xc0\x17\x0b", 4, "LLVM bitcode, made by another compiler"},
                 {"\xcf\xfa\xed\xfe", 4, "a Mach-O file, made by another compiler"},
                 {"MZ", 2, "a Windows program"},
                 {"!<arch>\n", 8, "an archive"},
                 {"!<thin>\n", 8, "an archive"},
                 {"\037\213", 2, "a compressed file"},
                 {"gpch", 4, "a precompiled header of another compiler"}};
    if (size == 0)
        return "an empty file";
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (size >= kinds[i].size && memcmp(bytes, kinds[i].magic, kinds[i].size) == 0)
            return kinds[i].what;
    for (gsize i = 0; i < MIN(size, 512); i++)
        if ((guchar)bytes[i] < 0x20 && !g_ascii_isspace(bytes[i]))
            return "neither C source (.c, .i) nor an object or archive of `orrery cc`";
    return "text, neither C source (.c, .i) nor an object or archive of `orrery cc`";
}

CliFileKind cli_file_kind(const char *path, const char **what)
{
    char bytes[4096];
    bool regular = g_file_test(path, G_FILE_TEST_IS_REGULAR); /* what is read of a pipe is gone */
    FILE *file = regular ? fopen(path, "rbe") : NULL;
    gsize size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    *what = regular ? cli_file_describe(bytes, size) : "no regular file";
    if (file)
        fclose(file);
    if (vcode_file_is_vcode_bytes(bytes, size))
        return CLI_FILE_VCODE;
    return size >= 8 && (memcmp(bytes, "!<arch>\n", 8) == 0 || memcmp(bytes, "!<thin>\n", 8) == 0) ? CLI_FILE_ARCHIVE
                                                                                                   : CLI_FILE_FOREIGN;
}
