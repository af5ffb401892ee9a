/* size_dependent.c - values that depend on the size of a message: a list of pieces, each of which begins at a size.
 *
 *     send-overhead = 500 ns                                         the same for all messages
 *     send-overhead = 500 ns + 10 ps/B                               the second part for each byte of the message
 *     send-overhead = 0: 500 ns, 4 KiB: 2 us + 100 ps/B, 64 KiB: 9 us
 *     gap-per-byte = 0: 80 ps/B, 64 KiB: 100 ps/B
 *
 * The value of a message is that of the last piece whose size it reaches. Sizes begin with 0 and ascend.
 */
#include "base/units.h"
#include "machine/config/config.h"

#include <string.h>

typedef struct Piece {
    uint64_t from_bytes, value, byte_fs;
} Piece;

typedef struct PieceReader {
    const MachSetting *setting;
    BaseUnit unit;
    bool per_byte; /* a part after a + is allowed */
    size_t *where;
    GError **error;
} PieceReader;

static bool refuse(const PieceReader *reader, size_t at, const char *format, ...) G_GNUC_PRINTF(3, 4);
static bool refuse(const PieceReader *reader, size_t at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    *reader->where = at;
    g_set_error(reader->error, MACH_ERROR, MACH_ERROR_CONFIG, "%s: %s", reader->setting->name, text);
    return false;
}

/* Scans the quantity text[from, to). */
static bool scan(const PieceReader *reader, const char *text, size_t from, size_t to, BaseUnit unit, uint64_t *value)
{
    g_autofree char *part = g_strndup(text + from, to - from);
    bool scanned = base_units_scan(part, unit, value, reader->where, reader->error);
    if (!scanned)
        *reader->where += from;
    return scanned;
}

static size_t skip_blanks(const char *text, size_t at)
{
    return at + strspn(text + at, " \t");
}

static bool check_value(const PieceReader *reader, const char *text, size_t at, uint64_t value)
{
    const MachSetting *setting = reader->setting;
    return (value >= setting->least && value <= setting->greatest) ||
           refuse(reader, skip_blanks(text, at), "this is too %s to be possible",
                  value < setting->least ? "small" : "large");
}

/* Scans "VALUE" or "VALUE + PER BYTE" in text[from, to). */
static bool scan_value(const PieceReader *reader, const char *text, size_t from, size_t to, Piece *piece)
{
    const char *plus = memchr(text + from, '+', to - from);
    size_t end = plus ? (size_t)(plus - text) : to;
    if (plus && !reader->per_byte)
        return refuse(reader, end, "a time per byte has nothing to add to it");
    if (!scan(reader, text, from, end, reader->unit, &piece->value) || !check_value(reader, text, from, piece->value))
        return false;
    if (!plus)
        return true;
    if (!scan(reader, text, end + 1, to, BASE_UNIT_TIME_PER_BYTE, &piece->byte_fs))
        return false;
    return piece->byte_fs <= UINT64_C(1000000000000) ||
           refuse(reader, skip_blanks(text, end + 1), "this is too large to be possible");
}

static bool check_order(const PieceReader *reader, size_t at, const Piece *piece, const Piece *before)
{
    if (!before && piece->from_bytes)
        return refuse(reader, at, "the first piece begins at 0 bytes, like \"0: 500 ns, 4 KiB: 2 us\"");
    if (before && piece->from_bytes <= before->from_bytes)
        return refuse(reader, at, "sizes must ascend: %" G_GUINT64_FORMAT " B comes after %" G_GUINT64_FORMAT " B",
                      piece->from_bytes, before->from_bytes);
    return true;
}

/* Scans "SIZE: VALUE" in text[from, to). */
static bool scan_piece(const PieceReader *reader, const char *text, size_t from, size_t to, Piece *piece,
                       const Piece *before)
{
    const char *colon = memchr(text + from, ':', to - from);
    size_t at = skip_blanks(text, from);
    if (!colon)
        return refuse(reader, MIN(at, to), "a piece is written as size and value, like \"4 KiB: %s\"",
                      base_units_example(reader->unit));
    return scan(reader, text, from, (size_t)(colon - text), BASE_UNIT_SIZE, &piece->from_bytes) &&
           check_order(reader, at, piece, before) && scan_value(reader, text, (size_t)(colon - text) + 1, to, piece);
}

/* Returns the number of pieces; 0: refused. */
static uint32_t scan_pieces(const PieceReader *reader, const char *text, Piece pieces[MPI_MAX_PIECES])
{
    uint32_t n = 0;
    size_t length = strlen(text);
    if (!strpbrk(text, ":,"))
        return scan_value(reader, text, 0, length, &pieces[0]);
    for (size_t from = 0, to; from <= length; from = to + 1) {
        to = from + strcspn(text + from, ",");
        if (n == MPI_MAX_PIECES) {
            refuse(reader, skip_blanks(text, from), "there are more than %d pieces", MPI_MAX_PIECES);
            return 0;
        }
        if (!scan_piece(reader, text, from, to, &pieces[n], n ? &pieces[n - 1] : NULL))
            return 0;
        n++;
    }
    return n;
}

bool mach_config_assign_overhead(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                                 GError **error)
{
    PieceReader reader = {setting, BASE_UNIT_TIME, true, where, error};
    Piece pieces[MPI_MAX_PIECES] = {{0}};
    uint32_t n = scan_pieces(&reader, text, pieces);
    MpiOverhead *overhead = (MpiOverhead *)(void *)((char *)config + setting->offset);
    if (!n)
        return false;
    *overhead = (MpiOverhead){.ps = pieces[0].value};
    overhead->n = n == 1 && !pieces[0].byte_fs ? 0 : n;
    for (uint32_t i = 0; i < overhead->n; i++)
        overhead->piece[i] = (MpiPiece){pieces[i].from_bytes, pieces[i].value, pieces[i].byte_fs};
    return true;
}

bool mach_config_assign_gaps(MachConfig *config, const MachSetting *setting, const char *text, size_t *where,
                             GError **error)
{
    PieceReader reader = {setting, BASE_UNIT_TIME_PER_BYTE, false, where, error};
    Piece pieces[MPI_MAX_PIECES] = {{0}};
    uint32_t n = scan_pieces(&reader, text, pieces);
    if (!n)
        return false;
    config->net.loggp.gap_per_byte_fs = pieces[0].value;
    config->net.loggp.n_gaps = n == 1 ? 0 : n;
    for (uint32_t i = 0; i < config->net.loggp.n_gaps; i++)
        config->net.loggp.gaps[i] = (NetGap){pieces[i].from_bytes, pieces[i].value};
    return true;
}
