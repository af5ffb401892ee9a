/* cmd_dis.c - `orrery dis`: the vCode of a program or object as text, or what the compiler thinks on the way there. */
#include "cli.h"

#include <stdio.h>

typedef struct DisTarget {
    CliRunOptions run; /* only optimise, include, define, undefine */
    gboolean plain, link;
    char *dump;
} DisTarget;

const CliOption cli_dis_options[] = {
    {"dump", 0, CLI_TEXT, "STAGES", offsetof(DisTarget, dump),
     "of a .c file: print stages of the compiler (ast, ir, vcode) instead", "--dump ast,ir"},
    {"plain", 'p', CLI_FLAG, NULL, offsetof(DisTarget, plain), "leave out the source lines", "--plain"},
    {"link", 'L', CLI_FLAG, NULL, offsetof(DisTarget, link), "link .c files first: the whole program, with its library",
     "--link"},
    {"optimise", 'O', CLI_TEXT, "LEVEL", offsetof(DisTarget, run.optimise), "optimisation of .c files, 0 to 3", "-O0"},
    {"include", 'I', CLI_FOLDERS, "DIR", offsetof(DisTarget, run.include), "look for headers there too", "-Iinclude"},
    {"", 'W', CLI_LIST, "NAME", offsetof(DisTarget, run.warnings), "warnings, as for `orrery cc`", "-Wall"},
    {"define", 'D', CLI_LIST, "NAME[=VALUE]", offsetof(DisTarget, run.define), "define a macro", "-DN=100"},
    {"undefine", 'U', CLI_LIST, "NAME", offsetof(DisTarget, run.undefine), "take a macro away", "-UNDEBUG"},
    {0}};

static const CliUsage dis_usage = {
    .command = "dis",
    .synopsis = "[OPTION...] PROGRAM",
    .text = "Prints the vCode of a program or object that `orrery cc` made, or of a .c file, with its source lines.\n\n"
            "  orrery dis -O0 hello.c",
    .options = cli_dis_options,
};

/* The module to show: an object of one .c file, unless it shall be linked. */
static VcodeModule *load(CliBuild *build, const DisTarget *target, int argc, char **argv, GError **error)
{
    bool source = cli_is_source(argv[0]);
    if (target->link && source)
        return cli_program(build, argv, cli_count_inputs(argc, argv), error);
    if (source)
        return cli_compile(build, argv[0], error);
    return cli_check_file(argv[0], error) ? vcode_read(argv[0], error) : NULL;
}

static int disassemble(const DisTarget *target, int argc, char **argv, GError **error)
{
    CliBuild build;
    int status = CLI_STATUS_USAGE;
    VcodeModule *module = NULL;
    if (cli_run_init_build(&build, &target->run, error)) {
        if (target->dump) {
            build.compile.dump = stdout;
            build.compile.dump_stages = target->dump;
        }
        module = load(&build, target, argc, argv, error);
    }
    if (module) {
        GString *out = g_string_new(NULL);
        if (!target->dump)
            vcode_disassemble(module, !target->plain, out);
        status = cli_print(out->str) ? 0 : CLI_STATUS_USAGE;
        g_string_free(out, TRUE);
        vcode_module_free(module);
    }
    cli_build_clear(&build);
    return status;
}

int cli_dis(int argc, char **argv)
{
    DisTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_parse(&dis_usage, &target, &argc, argv, &done, &error) && !done) {
        if (argc < 2)
            g_set_error_literal(&error, CLI_ERROR, CLI_ERROR_USAGE,
                                "no program is given; for example: orrery dis hello.c");
        else
            status = disassemble(&target, argc - 1, argv + 1, &error);
    }
    if (error)
        status = cli_fail(error);
    cli_options_clear(cli_dis_options, &target);
    return status;
}
