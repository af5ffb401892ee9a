/* cmd_dis.c - `orrery dis`: the vCode of a program or object as text, the compiler's stages before it, or the C text
 * that the native tier makes of a program on some machine. */
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/commands.h"
#include "cli/run/run.h"
#include "machine/machine.h"
#include "vcode/vcode.h"
#include "vm/vm.h"

#include <stdio.h>

typedef struct DisTarget {
    CliRunOptions run; /* only optimise, include, define, undefine, machine and set are used */
    gboolean plain, link, native;
    char *dump;
} DisTarget;

const CliOption cli_dis_options[] = {
    {"dump", 0, CLI_TEXT, "STAGES", offsetof(DisTarget, dump),
     "of a .c file: print stages of the compiler (ast, ir, vcode) instead", "--dump ast,ir"},
    {"plain", 'p', CLI_FLAG, NULL, offsetof(DisTarget, plain), "leave out the source lines", "--plain"},
    {"link", 'L', CLI_FLAG, NULL, offsetof(DisTarget, link), "link .c files first: the whole program, with its library",
     "--link"},
    {"native", 'N', CLI_FLAG, NULL, offsetof(DisTarget, native),
     "print the C text that the native tier compiles instead: the functions of the whole program", "--native"},
    {"machine", 'm', CLI_MACHINE, "NAME|FILE", offsetof(DisTarget, run.machine),
     "with --native: the machine whose costs are charged (default " CLI_MACHINE_NAME ")", "--machine mesh-4x4"},
    {"set", 's', CLI_LIST, "KEY=VALUE", offsetof(DisTarget, run.set), "with --native: change a key of the machine",
     "--set cost.divide='30 cycles'"},
    {"optimise", 'O', CLI_TEXT, "LEVEL", offsetof(DisTarget, run.optimise), "optimisation of .c files, 0 to 3", "-O0"},
    {"include", 'I', CLI_FOLDERS, "DIR", offsetof(DisTarget, run.include), "look for headers there too", "-Iinclude"},
    {"", 'W', CLI_LIST, "NAME", offsetof(DisTarget, run.warnings), "warnings, as for `orrery cc`", "-Wall"},
    {"", 'f', CLI_LIST, "NAME", offsetof(DisTarget, run.code), "as for `orrery cc`: -fopenmp", "-fopenmp"},
    {"define", 'D', CLI_LIST, "NAME[=VALUE]", offsetof(DisTarget, run.define), "define a macro", "-DN=100"},
    {"undefine", 'U', CLI_LIST, "NAME", offsetof(DisTarget, run.undefine), "take a macro away", "-UNDEBUG"},
    {0}};

static const CliUsage dis_usage = {
    .command = "dis",
    .synopsis = "[OPTION...] PROGRAM",
    .text = "Prints the vCode of a program or object that `orrery cc` made, or of a .c file, with its source lines.\n\n"
            "  orrery dis -O0 hello.c\n"
            "  orrery dis --native -O2 hello.c",
    .options = cli_dis_options,
    .mixed = true,
};

/* Returns the module to show: the object of one .c file, unless it is to be linked. */
static VcodeModule *load(CliBuild *build, const DisTarget *target, int argc, char **argv, GError **error)
{
    bool source = cli_file_is_source(argv[0]);
    if (target->link && source)
        return cli_build_program(build, argv, cli_file_count_inputs(argc, argv), error);
    if (source)
        return cli_build_compile(build, argv[0], error);
    return cli_file_check(argv[0], error) ? vcode_file_read(argv[0], error) : NULL;
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
        status = cli_say_output(out->str) ? 0 : CLI_STATUS_USAGE;
        g_string_free(out, TRUE);
        vcode_module_free(module);
    }
    cli_build_clear(&build);
    return status;
}

/* Prints the text of the native tier. It depends on what the program is linked with and on costs, so it is taken from a
 * machine that is ready to run. */
static int print_native(const DisTarget *target, int argc, char **argv, GError **error)
{
    CliRun run;
    int status = CLI_STATUS_USAGE;
    Machine *machine = cli_run_prepare(&run, &target->run, argc, argv, error) ? cli_run_machine(&run, error) : NULL;
    if (machine) {
        g_autofree char *text = vm_native_text(mach_run_rank(machine, 0));
        status = cli_say_output(text) ? 0 : CLI_STATUS_USAGE;
    }
    mach_run_free(machine);
    cli_run_clear(&run);
    return status;
}

int cli_dis(int argc, char **argv)
{
    DisTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    int status = 0;
    if (cli_option_parse(&dis_usage, &target, &argc, argv, &done, &error) && !done) {
        if (argc < 2)
            g_set_error_literal(&error, CLI_ERROR, CLI_ERROR_USAGE,
                                "no program is given; for example: orrery dis hello.c");
        else if (argc > 2 && !target.native && !target.link)
            g_set_error(&error, CLI_ERROR, CLI_ERROR_USAGE,
                        "\"%s\": one file is shown at a time; several .c files are linked first with --link", argv[2]);
        else if (target.native)
            status = print_native(&target, argc - 1, argv + 1, &error);
        else
            status = disassemble(&target, argc - 1, argv + 1, &error);
    }
    if (error)
        status = cli_error_report(error);
    cli_option_clear(cli_dis_options, &target);
    return status;
}
