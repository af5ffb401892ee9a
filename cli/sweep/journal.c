/* journal.c - keeps the results of a running sweep in a file, so that a killed sweep can go on.
 *
 *   orrery sweep journal FINGERPRINT
 *   RUN DONE STATUS VALUE... NOTE          one line for each run that is over, as they end
 *
 * The fingerprint covers everything that results depend on, so results of another program or machine are never taken
 * over. A line is written at once and counts only with its line end. Half a line, after a power failure, is cut off
 * when the file is opened again.
 */
#include "cli/base/base.h"
#include "cli/sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct SweepJournal {
    char *path;
    int descriptor;
};

static const char title[] = "orrery sweep journal ";

/* Reads one line, without its end. Returns false if it is not valid. */
static bool read_line(const char *line, SweepResult *results, guint runs)
{
    g_auto(GStrv) words = g_strsplit(line, " ", 3 + SWEEP_MEASURES + 1);
    guint64 run, number;
    if (g_strv_length(words) != 3 + SWEEP_MEASURES + 1 ||
        !g_ascii_string_to_unsigned(words[0], 10, 0, runs - 1, &run, NULL))
        return false;
    SweepResult result = {.known = true, .done = strcmp(words[1], "1") == 0};
    if (!g_ascii_string_to_unsigned(words[2], 10, 0, INT32_MAX, &number, NULL))
        return false;
    result.status = (int)number;
    for (int i = 0; i < SWEEP_MEASURES; i++)
        if (!g_ascii_string_to_unsigned(words[3 + i], 10, 0, UINT64_MAX, &result.values[i], NULL))
            return false;
    result.note = *words[3 + SWEEP_MEASURES] ? g_strcompress(words[3 + SWEEP_MEASURES]) : NULL;
    g_free(results[run].note);
    results[run] = result;
    return true;
}

/* Reads the results in a file. Returns how many bytes of it are whole lines of this sweep. */
static size_t read_all(const char *text, size_t size, const char *head, SweepResult *results, guint runs)
{
    if (size < strlen(head) || strncmp(text, head, strlen(head)) != 0)
        return 0;
    const char *at = text + strlen(head), *end = text + size, *stop;
    while ((stop = memchr(at, '\n', (size_t)(end - at)))) {
        g_autofree char *line = g_strndup(at, (gsize)(stop - at));
        if (!read_line(line, results, runs))
            break;
        at = stop + 1;
    }
    return (size_t)(at - text);
}

static bool write_whole(int descriptor, const char *text, size_t size)
{
    off_t before = lseek(descriptor, 0, SEEK_END);
    ssize_t written = write(descriptor, text, size);
    if (written == (ssize_t)size)
        return true;
    int reason = written < 0 ? errno : ENOSPC;
    if (before < 0 || ftruncate(descriptor, before) != 0)
        reason = errno;
    errno = reason;
    return false;
}

static bool fail(const SweepJournal *journal, GError **error)
{
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "cannot write %s: %s", journal->path, g_strerror(errno));
    return false;
}

SweepJournal *cli_sweep_journal_open(const char *path, const char *fingerprint, SweepResult *results, guint runs,
                                     guint *found, GError **error)
{
    g_autofree char *head = g_strconcat(title, fingerprint, "\n", NULL), *text = NULL;
    gsize size = 0;
    size_t whole = g_file_get_contents(path, &text, &size, NULL) ? read_all(text, size, head, results, runs) : 0;
    SweepJournal *journal = g_new0(SweepJournal, 1);
    journal->path = g_strdup(path);
    journal->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool good = journal->descriptor >= 0 && ftruncate(journal->descriptor, (off_t)whole) == 0 &&
                (whole || write_whole(journal->descriptor, head, strlen(head)));
    *found = 0;
    for (guint run = 0; run < runs; run++)
        *found += results[run].known;
    if (good)
        return journal;
    fail(journal, error);
    cli_sweep_journal_close(journal, false);
    return NULL;
}

bool cli_sweep_journal_add(SweepJournal *journal, guint run, const SweepResult *result, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_autofree char *note = g_strescape(result->note ? result->note : "", NULL);
    g_string_append_printf(line, "%u %d %d ", run, result->done, result->status);
    for (int i = 0; i < SWEEP_MEASURES; i++)
        g_string_append_printf(line, "%" G_GUINT64_FORMAT " ", result->values[i]);
    g_string_append_printf(line, "%s\n", note);
    return write_whole(journal->descriptor, line->str, line->len) || fail(journal, error);
}

void cli_sweep_journal_close(SweepJournal *journal, bool finished)
{
    if (!journal)
        return;
    if (journal->descriptor >= 0)
        close(journal->descriptor);
    if (finished)
        unlink(journal->path);
    g_free(journal->path);
    g_free(journal);
}
