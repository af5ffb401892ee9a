/* style.c - colours on a terminal. */
#include "cli/console/console.h"

#include <string.h>
#include <unistd.h>

const char *cli_console_style(bool coloured, ConsoleStyle style)
{
    /* blue, yellow and cyan are told apart by all kinds of eyes, on black and on white with bold */
    static const char *const sequences[CONSOLE_STYLES] = {
        [CONSOLE_PLAIN] = "",           [CONSOLE_NUMBER] = "\033[36m",  [CONSOLE_CURRENT] = "\033[1m",
        [CONSOLE_RANKS] = "\033[1;34m", [CONSOLE_POINT] = "\033[1;33m", [CONSOLE_PROMPT] = "\033[1m",
    };
    return coloured ? sequences[style] : "";
}

const char *cli_console_style_end(bool coloured)
{
    return coloured ? "\033[0m" : "";
}

static bool is_set(const char *value)
{
    return value && *value && strcmp(value, "0") != 0;
}

bool cli_console_coloured(const char *mode)
{
    const char *no = g_getenv("NO_COLOR");
    if (mode && strcmp(mode, "auto") != 0)
        return strcmp(mode, "always") == 0;
    if (no && *no)
        return false;
    return is_set(g_getenv("CLICOLOR_FORCE")) ||
           (isatty(STDOUT_FILENO) && g_strcmp0(g_getenv("TERM"), "dumb") != 0 && g_getenv("TERM"));
}
