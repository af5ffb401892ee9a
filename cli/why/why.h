/* why.h - shared by the files of `orrery critical-path`, `orrery scale` and `--what-if`.
 *
 *   cmd_critical_path.c  the command                              record.c   runs a program for its trace
 *   cmd_scale.c          `orrery scale`, see scale.h
 *   critical_report.c    a critical path as text, CSV and JSON    what_if.c  --what-if of `orrery run`
 */
#ifndef ORRERY_CLI_WHY_H
#define ORRERY_CLI_WHY_H

#include "analysis/analysis.h"
#include "cli/run/run.h"

/* Appends a critical path for people. `longest`: so many pieces at most. */
void cli_why_append_path(const AnalysisPath *path, TraceReader *reader, unsigned longest, GString *out);
/* Return it as a table of its pieces, or as an object. The caller frees the text with g_free() or free(). */
char *cli_why_path_csv(const AnalysisPath *path, TraceReader *reader);
char *cli_why_path_json(const AnalysisPath *path, TraceReader *reader);

/* Runs a program, drops what it prints, and records a trace in a new file *file, which the caller removes and whose
 * name he frees, also after an error. Returns the exit status of the program. */
int cli_why_record(const CliRunOptions *options, int argc, char **argv, char **file, GError **error);
/* MachOptions.output that drops everything. */
void cli_why_drop_output(void *user, int stream, const char *bytes, size_t size);
/* Writes a text to a file, or to standard output if the path is "-". */
bool cli_why_write(const char *path, const char *text, GError **error);

/* -- what if (what_if.c) ----------------------------------------------------------------------- */

typedef struct CliWhatIf CliWhatIf;
/* Parses the values of --what-if, which live as long as the result. Returns NULL with an error. */
CliWhatIf *cli_what_if_new(char **texts, const CliRunOptions *options, GError **error);
/* Checks them against the machine and the program, and keeps what further runs need: programs, standard input. To be
 * called before cli_run_machine(); the run must stay. */
bool cli_what_if_prepare(CliWhatIf *asked, CliRun *run, GError **error);
/* Watches the run itself, before it begins. */
void cli_what_if_watch(CliWhatIf *asked, Machine *machine);
/* Makes the other runs and appends the table of what each gains. Returns the same as JSON, for g_free(). */
char *cli_what_if_run(CliWhatIf *asked, const Machine *baseline, GString *out);
void cli_what_if_free(CliWhatIf *asked);

#endif
