/* checkpoint.c - a moment of a session in a file, and a session that goes on there, on this machine or another.
 *
 * The file has what the machine is made of (cli/run/saved.c), what the session was like (monitor/session/checkpoint.c),
 * the whole standard input, and what belongs to the terminal. It begins with a header that tells what may be wrong with
 * it before anything of it is believed:
 *
 *     16 bytes  "orreryCheckpoint"      4  version      4  size of the rest      32  its SHA-256      the rest
 *
 * Numbers are little endian, as the rest is: a serialised GVariant. */
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/debug/debug.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC "orreryCheckpoint"
enum { VERSION = 1, MAGIC_BYTES = 16, SUM_BYTES = 32, HEADER_BYTES = MAGIC_BYTES + 8 + SUM_BYTES };

/* What writes it; what the machine is made of; the session; standard input, whether there is any; rank, frame; sets of
 * ranks with names. */
static char *rest_type(void)
{
    return g_strdup_printf("(s%s%sbayuua(ss))", cli_run_saved_type, mon_session_saved_type);
}

/* -- writing ----------------------------------------------------------------------------------- */

static GVariant *pack_input(int input)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint8 block[65536];
    ssize_t n;
    while (input >= 0 && (n = pread(input, block, sizeof block, (off_t)bytes->len)) > 0)
        g_byte_array_append(bytes, block, (guint)n);
    return g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, bytes->data, bytes->len, 1);
}

static void pack_group(const char *name, const MonRankSet *set, void *user)
{
    g_autoptr(GString) ranks = g_string_new(NULL);
    mon_ranks_append(set, ranks);
    g_variant_builder_add(user, "(ss)", name, ranks->str);
}

static GVariant *pack(DebugSession *session, GError **error)
{
    GVariantBuilder groups;
    g_autoptr(GVariant) made_of = NULL;
    g_autoptr(GVariant) saved = mon_session_save(session->core, &made_of, error);
    if (!saved)
        return NULL;
    g_variant_builder_init(&groups, G_VARIANT_TYPE("a(ss)"));
    if (session->groups)
        mon_rank_names_each(session->groups, pack_group, &groups);
    return g_variant_ref_sink(g_variant_new("(s@*@*b@ayuu@a(ss))", ORRERY_VERSION, made_of, saved, session->input >= 0,
                                            pack_input(session->input), session->rank, session->frame,
                                            g_variant_builder_end(&groups)));
}

static void put_number(uint8_t *at, uint32_t number)
{
    number = GUINT32_TO_LE(number);
    memcpy(at, &number, sizeof number);
}

static void sum_of(const void *bytes, size_t size, uint8_t sum[SUM_BYTES])
{
    gsize length = SUM_BYTES;
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, bytes, (gssize)size);
    g_checksum_get_digest(checksum, sum, &length);
}

static bool write_checkpoint(DebugSession *session, const char *path, GError **error)
{
    uint8_t header[HEADER_BYTES] = MAGIC;
    g_autoptr(GVariant) value = pack(session, error);
    if (!value)
        return false;
    const void *bytes = g_variant_get_data(value);
    size_t size = g_variant_get_size(value);
    if (size > UINT32_MAX) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: programs and input are too large for a checkpoint", path);
        return false;
    }
    put_number(header + MAGIC_BYTES, VERSION);
    put_number(header + MAGIC_BYTES + 4, (uint32_t)size);
    sum_of(bytes, size, header + MAGIC_BYTES + 8);
    BaseWriting *writing = base_write_begin(path, error);
    if (!writing)
        return false;
    base_write_add(writing, header, sizeof header);
    base_write_add(writing, bytes, size);
    return base_write_end(writing, true, error);
}

void cli_debug_do_checkpoint(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    MonHistory history;
    mon_session_history(session->core, &history);
    if (write_checkpoint(session, arguments, &error))
        g_string_append_printf(session->out, "moment %" G_GUINT64_FORMAT " of branch %u is in %s\n", history.moment,
                               mon_session_branch(session->core), arguments);
    else
        g_string_append_printf(session->out, "%s\n", error->message);
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool refuse(const char *path, const char *why, GError **error)
{
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: %s", path, why);
    return false;
}

static uint32_t number_at(const char *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return GUINT32_FROM_LE(number);
}

static bool check_header(const char *path, const char *bytes, gsize size, GError **error)
{
    uint8_t sum[SUM_BYTES];
    if (size < MAGIC_BYTES || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0)
        return refuse(path, "this is no checkpoint of Orrery", error);
    if (size < HEADER_BYTES)
        return refuse(path, "the checkpoint is cut off in its first bytes; copy it again", error);
    uint32_t version = number_at(bytes + MAGIC_BYTES), rest = number_at(bytes + MAGIC_BYTES + 4);
    if (version != VERSION) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                    "%s: the checkpoint has format %u, of a%s Orrery; this one reads format %d", path, version,
                    version > VERSION ? " newer" : "n older", VERSION);
        return false;
    }
    if (size - HEADER_BYTES != rest) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                    "%s: the checkpoint is %s: %" G_GSIZE_FORMAT " bytes of %" G_GUINT64_FORMAT "; copy it again", path,
                    size - HEADER_BYTES < rest ? "cut off" : "too long", size, (uint64_t)rest + HEADER_BYTES);
        return false;
    }
    sum_of(bytes + HEADER_BYTES, rest, sum);
    if (memcmp(sum, bytes + MAGIC_BYTES + 8, SUM_BYTES) != 0)
        return refuse(path, "the checkpoint is damaged: its bytes are not those that were written; copy it again",
                      error);
    return true;
}

static GVariant *read_checkpoint(const char *path, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autofree char *bytes = NULL, *type = rest_type();
    gsize size;
    if (!g_file_get_contents(path, &bytes, &size, &failure)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s", failure->message);
        return NULL;
    }
    if (!check_header(path, bytes, size, error))
        return NULL;
    g_autoptr(GBytes) rest = g_bytes_new(bytes + HEADER_BYTES, size - HEADER_BYTES);
    g_autoptr(GVariant) value = g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(type), rest, FALSE));
    if (g_variant_is_normal_form(value))
        return g_steal_pointer(&value);
    refuse(path, "the checkpoint is damaged: it makes no sense", error);
    return NULL;
}

/* -- going on there ---------------------------------------------------------------------------- */

static int restore_input(GVariant *value)
{
    gboolean there;
    gsize size;
    g_autoptr(GVariant) bytes = g_variant_get_child_value(value, 4);
    const char *at = g_variant_get_fixed_array(bytes, &size, 1);
    g_variant_get_child(value, 3, "b", &there);
    int input = there ? memfd_create("orrery-input", MFD_CLOEXEC) : -1;
    for (ssize_t n = 1; input >= 0 && size > 0 && n > 0; at += n, size -= (gsize)n)
        n = MAX(write(input, at, size), 0);
    return input;
}

static void restore_terminal(DebugSession *session, GVariant *value)
{
    g_autoptr(GVariant) groups = g_variant_get_child_value(value, 7);
    g_autoptr(GString) said = g_string_new(NULL);
    GVariantIter iter;
    const char *name, *ranks;
    uint32_t rank, frame;
    GString *out = session->out;
    g_variant_get_child(value, 5, "u", &rank);
    g_variant_get_child(value, 6, "u", &frame);
    if (rank < mon_session_ranks(session->core))
        session->rank = rank;
    session->frame = frame < cli_debug_frames(session, NULL) ? frame : 0;
    session->out = said; /* sets are not told again */
    g_variant_iter_init(&iter, groups);
    while (g_variant_iter_next(&iter, "(&s&s)", &name, &ranks)) {
        g_autofree char *line = g_strdup_printf("%s = %s", name, ranks);
        cli_debug_do_group(session, line);
    }
    session->out = out;
}

static void interrupt(void *core)
{
    mon_session_interrupt(core);
}

/* The session that there was is taken apart, as the other one stands. */
static void replace(DebugSession *session, DebugSession *old, GVariant *value, MonStop *stop)
{
    g_autoptr(GVariant) saved = g_variant_get_child_value(value, 1);
    cli_run_compare_sources(saved, session->out);
    session->started = stop->reason != MON_BEGINNING;
    g_clear_pointer(&session->groups, mon_rank_names_free);
    cli_debug_say_stop(session, stop);
    gsize said = session->out->len;
    uint32_t rank = session->rank, frame = session->frame;
    restore_terminal(session, value);
    if (stop->reason != MON_ENDED && (rank != session->rank || frame != session->frame)) {
        g_string_truncate(session->out, said);
        cli_debug_say_place(session);
    }
    mon_session_free(old->core);
    if (old->input >= 0)
        close(old->input);
    g_clear_pointer(&old->saved, g_variant_unref);
    cli_run_options_clear(&old->restored.run);
}

bool cli_debug_restart(DebugSession *session, const char *path, GError **error)
{
    DebugSession old = *session;
    g_autoptr(GVariant) value = read_checkpoint(path, error);
    if (!value)
        return false;
    g_autoptr(GVariant) state = g_variant_get_child_value(value, 2);
    session->saved = g_variant_get_child_value(value, 1);
    session->input = restore_input(value);
    session->restored = *session->target;
    cli_run_restore_options(session->saved, &session->restored.run);
    session->restored.run.wdir = old.target->run.wdir;
    session->target = &session->restored;
    MonSessionOptions options = cli_debug_options_of(session);
    MonStop *stop = NULL;
    if (cli_run_parse_memory(session->target->history, &options.history_bytes, error)) {
        options.beside = old.core;
        session->core = mon_session_new(&options);
        CliInterrupt *watch =
            cli_debug_start(session, error) ? cli_interrupt_watch_with(interrupt, session->core) : NULL;
        stop = watch ? mon_session_restore(session->core, state, error) : NULL;
        if (watch)
            cli_interrupt_end(watch);
    }
    if (stop) {
        replace(session, &old, value, stop);
        mon_session_free_stop(stop);
        return true;
    }
    g_prefix_error(error, "%s: ", path);
    if (session->core != old.core)
        mon_session_free(session->core);
    if (session->input >= 0)
        close(session->input);
    g_variant_unref(session->saved);
    cli_run_options_clear(&session->restored.run);
    *session = old;
    return false;
}

void cli_debug_do_restart(DebugSession *session, const char *arguments)
{
    g_autoptr(GError) error = NULL;
    if (!cli_debug_restart(session, arguments, &error))
        g_string_append_printf(session->out, "%s\n", error ? error->message : "it cannot be made again");
}
