/* complete.c - `orrery complete bash|zsh|fish`: prints the completion script of a shell, made from the tables of
 * commands and options. The build runs it, and users install what it prints. For `orrery complete man COMMAND` see
 * manual.c.
 */
#include "cli/base/base.h"
#include "cli/run/run.h"
#include "cli/table.h"

#include <string.h>

/* Returns "--name" of a long option, else "-c". The caller frees it with g_free(). */
static char *option_word(const CliOption *option)
{
    return *option->name ? g_strconcat("--", option->name, NULL) : g_strdup_printf("-%c", option->letter);
}

/* Returns the first line of the help of an option. The caller frees it with g_free(). */
static char *option_help(const CliOption *option)
{
    return g_strndup(option->help, strcspn(option->help, "\n"));
}

static void append_words(GString *out, const CliOption *options)
{
    for (; options->name; options++) {
        g_autofree char *word = option_word(options);
        g_string_append_printf(out, "%s ", word);
    }
    g_string_append(out, "--help");
}

/* -- bash -------------------------------------------------------------------------------------- */

/* Appends the values of those options of a command that have a fixed list. An option of the same name may have others
 * in another command. */
static void append_bash_choices(GString *out, const CliCommand *command)
{
    for (const CliOption *option = command->options; option->name; option++) {
        if (option->argument != CLI_CHOICE && option->argument != CLI_MACHINE)
            continue;
        if (*option->name && option->letter)
            g_string_append_printf(out, "    '%s -%c'|", command->name, option->letter);
        g_autofree char *word = option_word(option), *words = g_strdelimit(g_strdup(option->value), "|", ' ');
        g_string_append_printf(out, "    '%s %s') ", command->name, word);
        if (option->argument == CLI_MACHINE)
            g_string_append(out, "machines=yes ;;\n");
        else
            g_string_append_printf(out, "COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); return ;;\n", words);
    }
}

static void append_bash_values(GString *out)
{
    g_string_append(out, "    case \"${COMP_WORDS[1]} $previous\" in\n"
                         "    'topo topo'|'machines machines') [ \"${word#-}\" = \"$word\" ] && machines=yes ;;\n");
    for (const CliCommand *command = cli_table; command->name; command++)
        append_bash_choices(out, command);
    g_string_append(out,
                    "    esac\n    if [ \"$machines\" ]; then\n"
                    "        COMPREPLY=($(compgen -W \"$(orrery machines 2>/dev/null | cut -d' ' -f1)\" -- \"$word\") "
                    "$(compgen -f -X '!*.machine' -- \"$word\"))\n"
                    "        return\n    fi\n    case \"$previous\" in\n");
    g_autofree char *checks = g_strdelimit(g_strdup(cli_check_choices), "|", ' ');
    g_string_append_printf(out,
                           "    =) [ \"${COMP_WORDS[COMP_CWORD-2]}\" = --check ] && "
                           "COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); return ;;\n",
                           checks);
    g_string_append(out, "    esac\n");
}

static void print_bash(GString *out)
{
    g_string_append(
        out,
        "# bash completion of orrery, made from its tables of options\n"
        "_orrery()\n{\n"
        "    local word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" options= machines=\n");
    append_bash_values(out);
    g_string_append(out, "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (const CliCommand *command = cli_table; command->name; command++)
        g_string_append_printf(out, "%s ", command->name);
    g_string_append(out, "--version --help\" -- \"$word\"))\n        return\n    fi\n"
                         "    case \"${COMP_WORDS[1]}\" in\n");
    for (const CliCommand *command = cli_table; command->name; command++) {
        g_string_append_printf(out, "    %s) options=\"", command->name);
        append_words(out, command->options);
        g_string_append(out, "\" ;;\n");
    }
    g_string_append(out, "    esac\n    case \"$word\" in\n"
                         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                         "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
                         "complete -o filenames -F _orrery orrery\n");
}

/* -- zsh --------------------------------------------------------------------------------------- */

#define ZSH_MACHINES                                                                                                   \
    "machine:{compadd -- ${(f)\"$(orrery machines 2>/dev/null | cut -d\" \" -f1)\"}; _files -g \"*.machine\"}"

/* Quotes a text for use inside single quotes and [] of an _arguments specification. */
static char *zsh_text(const char *text)
{
    GString *out = g_string_new(NULL);
    for (; *text; text++) {
        if (*text == '\'')
            g_string_append(out, "'\\''");
        else if (strchr("[]:\\", *text))
            g_string_append_printf(out, "\\%c", *text);
        else
            g_string_append_c(out, *text);
    }
    return g_string_free(out, FALSE);
}

static void append_zsh_value(GString *out, const CliOption *option)
{
    g_autofree char *words = option->value ? g_strdelimit(g_strdup(option->value), "|", ' ') : NULL;
    switch (option->argument) {
    case CLI_FLAG: break;
    case CLI_FILE:
    case CLI_RESULT: g_string_append(out, ":file:_files"); break;
    case CLI_RESULTS:
    case CLI_FOLDERS: g_string_append(out, ":directory:_files -/"); break;
    case CLI_CHOICE: g_string_append_printf(out, ":value:(%s)", words); break;
    case CLI_CHECKS: {
        g_autofree char *checks = g_strdelimit(g_strdup(cli_check_choices), "|", ' ');
        g_string_append_printf(out, "::checks:_values -s , check %s", checks);
        break;
    }
    case CLI_MACHINE: g_string_append(out, ":" ZSH_MACHINES); break;
    default: g_string_append(out, ":value:"); break;
    }
}

static void print_zsh(GString *out)
{
    g_string_append(out, "#compdef orrery\n# zsh completion of orrery, made from its tables of options\n"
                         "_orrery() {\n    if (( CURRENT == 2 )); then\n        local -a commands=(\n");
    for (const CliCommand *command = cli_table; command->name; command++) {
        g_autofree char *help = zsh_text(command->help);
        g_string_append_printf(out, "            '%s:%s'\n", command->name, help);
    }
    g_string_append(out, "        )\n        _describe command commands\n        return\n    fi\n"
                         "    local command=$words[2]\n    shift words; (( CURRENT-- ))\n    case $command in\n");
    for (const CliCommand *command = cli_table; command->name; command++) {
        g_string_append_printf(out, "    %s) _arguments", command->name);
        for (const CliOption *option = command->options; option->name; option++) {
            g_autofree char *word = option_word(option);
            g_autofree char *text = option_help(option);
            g_autofree char *help = zsh_text(text);
            bool many = option->argument == CLI_LIST || option->argument == CLI_FOLDERS;
            g_string_append_printf(out, " \\\n        '%s%s%s[%s]", many ? "*" : "", word,
                                   option->argument == CLI_CHECKS ? "=-" : "", help);
            append_zsh_value(out, option);
            g_string_append_c(out, '\'');
        }
        bool machine = strcmp(command->name, "topo") == 0 || strcmp(command->name, "machines") == 0;
        g_string_append_printf(out, " \\\n        '--help[help]' '*:%s' ;;\n", machine ? ZSH_MACHINES : "file:_files");
    }
    g_string_append(out, "    esac\n}\n_orrery \"$@\"\n");
}

/* -- fish -------------------------------------------------------------------------------------- */

static char *fish_text(const char *text)
{
    GString *out = g_string_new(NULL);
    for (; *text; text++)
        g_string_append_printf(out, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    return g_string_free(out, FALSE);
}

static void append_fish_option(GString *out, const char *command, const CliOption *option)
{
    g_autofree char *text = option_help(option);
    g_autofree char *help = fish_text(text);
    g_autofree char *words = option->value ? g_strdelimit(g_strdup(option->value), "|", ' ') : NULL;
    g_autofree char *checks = g_strdelimit(g_strdup(cli_check_choices), "|", ' ');
    g_string_append_printf(out, "complete -c orrery -n '__fish_seen_subcommand_from %s'", command);
    if (*option->name)
        g_string_append_printf(out, " -l %s", option->name);
    if (option->letter)
        g_string_append_printf(out, " -s %c", option->letter);
    if (option->argument == CLI_MACHINE)
        g_string_append(out, " -r -a '(orrery machines 2>/dev/null | cut -d\" \" -f1)'");
    else if (option->argument == CLI_CHOICE)
        g_string_append_printf(out, " -x -a '%s'", words);
    else if (option->argument == CLI_CHECKS)
        g_string_append_printf(out, " -a '%s'", checks);
    else if (option->argument != CLI_FLAG)
        g_string_append(out, " -r");
    g_string_append_printf(out, " -d '%s'\n", help);
}

static void print_fish(GString *out)
{
    g_string_append(out, "# fish completion of orrery, made from its tables of options\n");
    for (const CliCommand *command = cli_table; command->name; command++) {
        g_autofree char *help = fish_text(command->help);
        g_string_append_printf(out, "complete -c orrery -n __fish_use_subcommand -a %s -d '%s'\n", command->name, help);
        if (strcmp(command->name, "topo") == 0 || strcmp(command->name, "machines") == 0)
            g_string_append_printf(out,
                                   "complete -c orrery -n '__fish_seen_subcommand_from %s' -a '(orrery machines "
                                   "2>/dev/null | cut -d\" \" -f1)'\n",
                                   command->name);
        for (const CliOption *option = command->options; option->name; option++)
            append_fish_option(out, command->name, option);
    }
}

int cli_complete(int argc, char **argv)
{
    GString *out = g_string_new(NULL);
    const char *shell = argc > 1 ? argv[1] : "";
    int status = 0;
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else if (strcmp(shell, "fish") == 0)
        print_fish(out);
    else if (argc == 4 && strcmp(shell, "man") == 0 && cli_manual_append(argv[2], argv[3], out))
        status = 0;
    else
        status = CLI_STATUS_USAGE;
    if (status)
        cli_say("complete: the shells are bash, zsh and fish");
    else if (!cli_say_output(out->str))
        status = CLI_STATUS_USAGE;
    g_string_free(out, TRUE);
    return status;
}
