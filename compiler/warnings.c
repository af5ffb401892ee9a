/* warnings.c - which warnings are on: the groups and names of warnings.def, and what the command line says of them.
 *
 * What was said of a warning by name (-Wname, -Wno-name) beats what was said of its group, in whatever order, as with
 * gcc. A warning that counts as an error is on.
 */
#include "compiler/front.h"

#include <string.h>

typedef enum When { ALWAYS, ALL, EXTRA, PEDANTIC, MPI, ASKED } When;

static const struct {
    const char *option, *help;
    When when;
} warnings[CC_WARNING_COUNT] = {
#define CC_W(identifier, option, when, help) [CC_WARNING_##identifier] = {option, help, when},
#include "compiler/warnings.def"
#undef CC_W
};

static bool group_is_on(const CcOptions *options, When when)
{
    switch (when) {
    case ALWAYS: return true;
    case ALL: return options->warn_all || options->warn_extra;
    case EXTRA: return options->warn_extra;
    case PEDANTIC: return options->warn_pedantic;
    case MPI: return options->warn_all || options->warn_extra || options->warn_mpi;
    case ASKED: break;
    }
    return false;
}

bool cc_warning_is_on(const CcOptions *options, CcWarningId warning)
{
    if (options->no_warnings)
        return false;
    switch (options->warnings[warning]) {
    case CC_WARNING_ON:
    case CC_WARNING_ERROR: return true;
    case CC_WARNING_OFF: return false;
    default: return group_is_on(options, warnings[warning].when);
    }
}

bool cc_warning_is_error(const CcOptions *options, CcWarningId warning)
{
    return options->warnings[warning] == CC_WARNING_ERROR ||
           (options->warnings_are_errors && !options->not_errors[warning]);
}

CcWarningId cc_warning_find(const char *option)
{
    for (unsigned i = 0; i < CC_WARNING_COUNT; i++)
        if (strcmp(warnings[i].option, option) == 0)
            return (CcWarningId)i;
    return CC_WARNING_COUNT;
}
