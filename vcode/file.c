/* file.c - the file form of a module.
 *
 *     #!interpreter\n          only if asked for; then newlines up to a multiple of 8
 *     FileHeader               magic, version, sizes, checksum
 *     FileSection x tables     where each table stands, in the order of VCODE_TABLES
 *     tables                   each 8-byte aligned, little endian, as in memory
 *
 * The checksum covers everything from the header on. The reader trusts nothing: a file may be truncated, damaged,
 * written by another version, or forged with a correct checksum. Afterwards records.c checks every record. The file is
 * read into one private buffer, and the tables point into it. So nobody can change the bytes after they were checked.
 */
#include "vcode/internal.h"

#include "base/checksum.h"
#include "base/write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if G_BYTE_ORDER != G_LITTLE_ENDIAN
#error "vCode files are little endian, as is every host that Orrery runs on"
#endif
_Static_assert(sizeof(VcodeFunction) == 32 && sizeof(VcodeSwitch) == 24 && sizeof(VcodeSymbol) == 40 &&
                   sizeof(VcodeReloc) == 32 && sizeof(VcodeLine) == 20 && sizeof(VcodeInline) == 32 &&
                   sizeof(VcodeVariable) == 56 && sizeof(VcodePlace) == 32 && sizeof(VcodeType) == 32 &&
                   sizeof(VcodeMember) == 24,
               "records are written as they are: their layout is the format");

#define FILE_MAGIC "\x8fvCode\r\n"
enum { MAGIC_BYTES = 8, LARGEST_FILE = 1 << 30 };

typedef struct FileHeader {
    char magic[MAGIC_BYTES];
    uint32_t version;
    uint32_t kind;
    uint32_t tables;
    uint32_t entry;
    uint64_t bss_bytes;
    uint64_t data_base;
    uint64_t bytes;    /* size from the header to the end of the file */
    uint64_t checksum; /* over all of these bytes, with this field 0 */
} FileHeader;

/* Where a table is in the file. */
typedef struct FileSection {
    uint64_t offset; /* in bytes from the start of the header */
    uint32_t count;
    uint32_t record; /* size of a record in bytes */
} FileSection;

enum { DIRECTORY_BYTES = VCODE_TABLE_COUNT * sizeof(FileSection) };

const VcodeTableInfo vcode_file_table_info[VCODE_TABLE_COUNT] = {
#define TABLE_INFO(field, record) {#field, sizeof(record), offsetof(VcodeModule, field)},
    VCODE_TABLES(TABLE_INFO)
#undef TABLE_INFO
};

static uint64_t align8(uint64_t n)
{
    return (n + 7) & ~UINT64_C(7);
}

uint64_t vcode_file_checksum(const uint8_t *bytes, size_t size)
{
    return base_checksum(bytes, size);
}

/* -- writing ----------------------------------------------------------------------------------- */

static void append_zeros_to_8(GByteArray *out, size_t start)
{
    static const uint8_t zeros[8];
    size_t size = out->len - start;
    g_byte_array_append(out, zeros, (guint)(align8(size) - size));
}

/* Appends header, directory and tables. out->len must be a multiple of 8. */
static void append_module(const VcodeModule *module, GByteArray *out)
{
    size_t start = out->len;
    FileHeader header = {.version = VCODE_VERSION,
                         .kind = module->kind,
                         .tables = VCODE_TABLE_COUNT,
                         .entry = module->entry,
                         .bss_bytes = module->bss_bytes,
                         .data_base = module->data_base};
    memcpy(header.magic, FILE_MAGIC, MAGIC_BYTES);
    FileSection sections[VCODE_TABLE_COUNT] = {0};
    g_byte_array_append(out, (const uint8_t *)&header, sizeof header);
    g_byte_array_append(out, (const uint8_t *)sections, sizeof sections);
    for (unsigned t = 0; t < VCODE_TABLE_COUNT; t++) {
        const VcodeAnyTable *table = vcode_table(module, t);
        uint32_t record = vcode_file_table_info[t].record;
        sections[t] = (FileSection){out->len - start, table->count, record};
        if (table->count)
            g_byte_array_append(out, table->items, table->count * record);
        append_zeros_to_8(out, start);
    }
    header.bytes = out->len - start;
    memcpy(out->data + start, &header, sizeof header);
    memcpy(out->data + start + sizeof header, sections, sizeof sections);
    header.checksum = vcode_file_checksum(out->data + start, out->len - start);
    memcpy(out->data + start, &header, sizeof header);
}

GBytes *vcode_file_bytes(const VcodeModule *module)
{
    GByteArray *bytes = g_byte_array_new();
    append_module(module, bytes);
    return g_byte_array_free_to_bytes(bytes);
}

bool vcode_file_write(const VcodeModule *module, const char *path, const char *interpreter, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    if (interpreter) {
        g_autofree char *line = g_strdup_printf("#!%s\n", interpreter);
        g_byte_array_append(bytes, (const uint8_t *)line, (guint)strlen(line));
        while (bytes->len % 8)
            g_byte_array_append(bytes, (const uint8_t *)"\n", 1);
    }
    append_module(module, bytes);
    g_autoptr(GError) why = NULL;
    if (interpreter ? base_write_program(path, bytes->data, bytes->len, &why)
                    : base_write_file(path, bytes->data, bytes->len, &why))
        return true;
    g_set_error_literal(error, VCODE_ERROR, VCODE_ERROR_IO, why->message);
    return false;
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool format_error(GError **error, const char *name, const char *reason)
{
    g_set_error(error, VCODE_ERROR, VCODE_ERROR_FORMAT, "%s: %s", name, reason);
    return false;
}

static void cannot_read(const char *path, GError **error)
{
    int code = errno;
    g_set_error(error, VCODE_ERROR, VCODE_ERROR_IO, "cannot read %s: %s", path, g_strerror(code));
}

/* Returns the offset at which the header is expected: after a first line "#!..." and the newlines that align it. */
static size_t header_offset(const uint8_t *bytes, size_t size)
{
    if (size < 2 || bytes[0] != '#' || bytes[1] != '!')
        return 0;
    const uint8_t *end = memchr(bytes, '\n', size);
    if (!end)
        return size;
    size_t offset = (size_t)(end - bytes) + 1;
    while (offset % 8 && offset < size && bytes[offset] == '\n')
        offset++;
    return offset;
}

static bool check_header(const FileHeader *header, const uint8_t *start, size_t size, const char *name, GError **error)
{
    if (header->version != VCODE_VERSION) {
        g_set_error(error, VCODE_ERROR, VCODE_ERROR_VERSION,
                    "%s: made by another version of Orrery (its vCode is version %u, this one runs version %u); "
                    "compile it again",
                    name, header->version, VCODE_VERSION);
        return false;
    }
    if (header->bytes != size || size % 8) {
        g_set_error(error, VCODE_ERROR, VCODE_ERROR_FORMAT,
                    "%s: truncated or damaged vCode file (%zu bytes where its header says %" G_GUINT64_FORMAT
                    "); compile it again",
                    name, size, header->bytes);
        return false;
    }
    FileHeader zeroed = *header;
    zeroed.checksum = 0;
    memcpy((void *)start, &zeroed, sizeof zeroed);
    if (vcode_file_checksum(start, size) != header->checksum)
        return format_error(error, name, "damaged vCode file (its checksum is wrong); compile it again");
    if (header->tables != VCODE_TABLE_COUNT || (header->kind != VCODE_OBJECT && header->kind != VCODE_PROGRAM))
        return format_error(error, name, "malformed vCode file (kind or number of tables)");
    return true;
}

/* Points the module's tables into the file's bytes. Sections must follow each other without gap or overlap. */
static bool place_tables(VcodeModule *module, uint8_t *start, size_t size, const char *name, GError **error)
{
    uint64_t expected = sizeof(FileHeader) + DIRECTORY_BYTES;
    for (unsigned t = 0; t < VCODE_TABLE_COUNT; t++) {
        FileSection section;
        memcpy(&section, start + sizeof(FileHeader) + t * sizeof section, sizeof section);
        uint64_t bytes = (uint64_t)section.count * section.record;
        if (section.record != vcode_file_table_info[t].record || section.offset != expected ||
            section.count == VCODE_NONE || bytes > size - expected) {
            g_set_error(error, VCODE_ERROR, VCODE_ERROR_FORMAT, "%s: malformed vCode file (bounds of table %s)", name,
                        vcode_file_table_info[t].name);
            return false;
        }
        *vcode_table(module, t) = (VcodeAnyTable){section.count ? start + section.offset : NULL, section.count, 0};
        expected = align8(expected + bytes);
    }
    return expected == size || format_error(error, name, "malformed vCode file (bytes after the last table)");
}

/* Makes a module from `buffer` and takes ownership of it. */
static VcodeModule *module_from(uint64_t *buffer, size_t size, const char *name, GError **error)
{
    g_autoptr(VcodeModule) module = vcode_module_new(VCODE_OBJECT);
    module->file_bytes = buffer;
    uint8_t *bytes = (uint8_t *)buffer;
    size_t offset = header_offset(bytes, size);
    uint8_t *start = bytes + offset;
    size_t rest = size - offset;
    if (rest < MAGIC_BYTES || memcmp(start, FILE_MAGIC, MAGIC_BYTES) != 0) {
        format_error(error, name, "not a vCode file (no program or object made by orrery cc)");
        return NULL;
    }
    if (rest < sizeof(FileHeader) + DIRECTORY_BYTES || offset % 8) {
        format_error(error, name, "truncated vCode file; compile it again");
        return NULL;
    }
    FileHeader header;
    memcpy(&header, start, sizeof header);
    if (!check_header(&header, start, rest, name, error))
        return NULL;
    module->kind = header.kind;
    module->entry = header.entry;
    module->bss_bytes = header.bss_bytes;
    module->data_base = header.data_base;
    if (!place_tables(module, start, rest, name, error) || !vcode_records_check(module, name, error))
        return NULL;
    return g_steal_pointer(&module);
}

VcodeModule *vcode_file_read_bytes(const void *bytes, size_t size, const char *name, GError **error)
{
    if (size > LARGEST_FILE) {
        format_error(error, name, "too large for a vCode file");
        return NULL;
    }
    uint64_t *buffer = g_malloc(MAX(size, 8));
    memcpy(buffer, bytes, size);
    return module_from(buffer, size, name, error);
}

int vcode_file_open_ordinary(const char *path, struct stat *status)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    if (fstat(fd, status) == 0) {
        if (S_ISREG(status->st_mode))
            return fd;
        errno = S_ISDIR(status->st_mode) ? EISDIR : EINVAL;
    }
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

ssize_t vcode_file_read_all(int fd, uint8_t *bytes, size_t size)
{
    size_t have = 0;
    while (have < size) {
        ssize_t got = read(fd, bytes + have, size - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        have += (size_t)got;
    }
    return (ssize_t)have;
}

VcodeModule *vcode_file_read(const char *path, GError **error)
{
    struct stat status;
    int fd = vcode_file_open_ordinary(path, &status);
    if (fd < 0) {
        cannot_read(path, error);
        return NULL;
    }
    if (status.st_size > LARGEST_FILE) {
        close(fd);
        format_error(error, path, "too large for a vCode file");
        return NULL;
    }
    size_t size = (size_t)status.st_size;
    uint64_t *buffer = g_malloc(MAX(size, 8));
    ssize_t got = vcode_file_read_all(fd, (uint8_t *)buffer, size);
    int code = errno;
    close(fd);
    errno = code;
    if (got < 0) {
        g_free(buffer);
        cannot_read(path, error);
        return NULL;
    }
    return module_from(buffer, (size_t)got, path, error);
}

bool vcode_file_is_vcode_bytes(const void *bytes, size_t size)
{
    size_t offset = header_offset(bytes, size);
    return offset <= size && size - offset >= MAGIC_BYTES &&
           memcmp((const uint8_t *)bytes + offset, FILE_MAGIC, MAGIC_BYTES) == 0;
}

enum { START_BYTES = 4096 };

/* Reads the first bytes of a file. Returns how many there are; 0 if it cannot be read. */
static size_t read_start(const char *path, uint8_t bytes[START_BYTES])
{
    struct stat status;
    int fd = vcode_file_open_ordinary(path, &status);
    if (fd < 0)
        return 0;
    ssize_t got = vcode_file_read_all(fd, bytes, START_BYTES);
    close(fd);
    return got > 0 ? (size_t)got : 0;
}

bool vcode_file_is_vcode(const char *path)
{
    uint8_t bytes[START_BYTES];
    return vcode_file_is_vcode_bytes(bytes, read_start(path, bytes));
}

bool vcode_file_is_program(const char *path)
{
    uint8_t bytes[START_BYTES];
    size_t size = read_start(path, bytes);
    FileHeader header;
    if (!vcode_file_is_vcode_bytes(bytes, size) || size - header_offset(bytes, size) < sizeof header)
        return false;
    memcpy(&header, bytes + header_offset(bytes, size), sizeof header);
    return header.kind == VCODE_PROGRAM;
}
