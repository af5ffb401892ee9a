/* test_file.c - a file that was written can be read back. After any damage it is refused with a reason or, if the
 * change cannot be detected, still sound.
 */
#include "sample.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char *temporary(void)
{
    char *path = g_strdup_printf("%s/orrery-vcode-%d-XXXXXX", g_get_tmp_dir(), (int)getpid());
    int fd = g_mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    return path;
}

static void assert_same(const VcodeModule *x, const VcodeModule *y)
{
    cr_assert_eq(x->kind, y->kind);
    cr_assert_eq(x->entry, y->entry);
    cr_assert_eq(x->bss_bytes, y->bss_bytes);
    cr_assert_eq(x->data_base, y->data_base);
    for (unsigned t = 0; t < VCODE_TABLE_COUNT; t++) {
        cr_assert_eq(vcode_table(x, t)->count, vcode_table(y, t)->count, "table %s", vcode_file_table_info[t].name);
        size_t bytes = vcode_table(x, t)->count * vcode_file_table_info[t].record;
        cr_assert(bytes == 0 || memcmp(vcode_table(x, t)->items, vcode_table(y, t)->items, bytes) == 0, "table %s",
                  vcode_file_table_info[t].name);
    }
}

Test(file, round_trip_with_and_without_interpreter)
{
    static const char *const interpreters[] = {NULL, "/usr/bin/orrery run", "/x", "/usr/bin/env -S orrery run --"};
    for (unsigned i = 0; i < G_N_ELEMENTS(interpreters); i++) {
        g_autofree char *path = temporary();
        g_autoptr(VcodeModule) m = sample();
        g_autoptr(GError) error = NULL;
        cr_assert(vcode_file_write(m, path, interpreters[i], &error));
        struct stat status;
        stat(path, &status);
        cr_assert_eq((status.st_mode & 0100) != 0, interpreters[i] != NULL, "executable only with an interpreter");
        cr_assert(vcode_file_is_vcode(path));
        g_autoptr(VcodeModule) read = vcode_file_read(path, &error);
        cr_assert(read, "%s", error ? error->message : "");
        assert_same(m, read);
        cr_assert(vcode_verify(read, &error));
        g_unlink(path);
    }
}

/* A module that was read can be extended: its tables are copied out of the bytes of the file. */
Test(file, what_was_read_can_grow)
{
    g_autofree char *path = temporary();
    g_autoptr(VcodeModule) m = sample();
    cr_assert(vcode_file_write(m, path, NULL, NULL));
    g_autoptr(VcodeModule) read = vcode_file_read(path, NULL);
    cr_assert_eq(vcode_string(read, "puts"), vcode_string(m, "puts"), "known strings are found");
    cr_assert_eq(vcode_source_file(read, "sample.c"), 0);
    uint32_t old = read->strings.count;
    cr_assert_eq(vcode_string(read, "something new"), old);
    cr_assert_str_eq(vcode_text(read, vcode_string(m, "main")), "main");
    emit(read, 0);
    cr_assert_eq(read->code.items[1], m->code.items[1]);
    g_unlink(path);
}

static GBytes *bytes_of(const VcodeModule *m)
{
    g_autofree char *path = temporary();
    cr_assert(vcode_file_write(m, path, "/bin/orrery", NULL));
    char *text;
    size_t size;
    cr_assert(g_file_get_contents(path, &text, &size, NULL));
    g_unlink(path);
    return g_bytes_new_take(text, size);
}

/* Returns the offset of the header, which comes after the interpreter line. */
static size_t header_of(const uint8_t *data, size_t size)
{
    return (size_t)((const uint8_t *)memchr(data, '\n', size) - data) / 8 * 8 + 8;
}

Test(file, truncated_anywhere)
{
    g_autoptr(VcodeModule) m = sample();
    g_autoptr(GBytes) bytes = bytes_of(m);
    size_t size;
    const uint8_t *data = g_bytes_get_data(bytes, &size);
    for (size_t length = 0; length < size; length++) {
        g_autofree uint8_t *part = g_memdup2(data, length + 1); /* exact, so that ASan detects any excess */
        g_autoptr(GError) error = NULL;
        cr_assert_null(vcode_file_read_bytes(part, length, "part", &error), "%zu bytes", length);
        cr_assert(error && error->domain == VCODE_ERROR && g_str_has_prefix(error->message, "part: "));
    }
}

Test(file, every_byte_flipped)
{
    g_autoptr(VcodeModule) m = sample();
    g_autoptr(GBytes) bytes = bytes_of(m);
    size_t size;
    const uint8_t *data = g_bytes_get_data(bytes, &size);
    size_t header = header_of(data, size);
    for (size_t i = 0; i < size; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            g_autofree uint8_t *changed = g_memdup2(data, size);
            changed[i] ^= (uint8_t)(1 << bit);
            g_autoptr(GError) error = NULL;
            g_autoptr(VcodeModule) read = vcode_file_read_bytes(changed, size, "changed", &error);
            if (i >= 2 && i < header)
                continue; /* the interpreter's path is not checked */
            cr_assert_null(read, "byte %zu bit %u", i, bit);
            cr_assert(error && error->domain == VCODE_ERROR);
        }
}

/* With a correct checksum, as a forger would make it, a file is refused, or safe to walk, verify and print. */
Test(file, forged_bytes)
{
    g_autoptr(VcodeModule) original = sample();
    for (unsigned t = 0; t < VCODE_TABLE_COUNT; t++) {
        size_t bytes = vcode_table(original, t)->count * vcode_file_table_info[t].record;
        for (size_t i = 0; i < bytes; i++)
            for (unsigned change = 0; change < 3; change++) {
                g_autoptr(VcodeModule) m = sample();
                uint8_t *place = (uint8_t *)vcode_table(m, t)->items + i;
                *place = (uint8_t)(change == 0 ? 0xff : change == 1 ? *place ^ 0x80 : *place + 1);
                g_autoptr(GBytes) forged = bytes_of(m);
                size_t size;
                const void *data = g_bytes_get_data(forged, &size);
                g_autoptr(VcodeModule) read = vcode_file_read_bytes(data, size, "forged", NULL);
                if (!read)
                    continue;
                vcode_verify(read, NULL);
                g_autoptr(GString) out = g_string_new(NULL);
                vcode_disassemble(read, true, out);
            }
    }
}

Test(file, other_versions_and_other_files)
{
    g_autoptr(VcodeModule) m = sample();
    g_autoptr(GBytes) bytes = bytes_of(m);
    size_t size;
    const uint8_t *data = g_bytes_get_data(bytes, &size);
    g_autofree uint8_t *changed = g_memdup2(data, size);
    changed[header_of(data, size) + 8] = VCODE_VERSION + 1;
    g_autoptr(GError) error = NULL;
    cr_assert_null(vcode_file_read_bytes(changed, size, "f", &error));
    cr_assert_eq(error->code, VCODE_ERROR_VERSION);
    cr_assert(strstr(error->message, "version"));
    static const char *const others[] = {
        "", "#!", "#!/bin/sh\necho\n", "\177ELF", "int main(void) {}", "#!x\n\n\n\n\n"};
    for (unsigned i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autoptr(GError) other = NULL;
        cr_assert_null(vcode_file_read_bytes(others[i], strlen(others[i]), "f", &other));
        cr_assert_eq(other->code, VCODE_ERROR_FORMAT);
    }
}

Test(file, host_errors)
{
    g_autoptr(VcodeModule) m = sample();
    g_autoptr(GError) error = NULL;
    cr_assert_null(vcode_file_read("/nowhere/at/all", &error));
    cr_assert_eq(error->code, VCODE_ERROR_IO);
    cr_assert(strstr(error->message, "/nowhere/at/all"));
    g_clear_error(&error);
    cr_assert_null(vcode_file_read("/", &error));
    cr_assert_eq(error->code, VCODE_ERROR_IO);
    g_clear_error(&error);
    cr_assert_not(vcode_file_write(m, "/nowhere/at/all", NULL, &error));
    cr_assert_eq(error->code, VCODE_ERROR_IO);
    cr_assert_not(vcode_file_is_vcode("/nowhere"));
    cr_assert_not(vcode_file_is_vcode("/"));
    cr_assert(vcode_file_write(m, "/dev/null", NULL, NULL));
}

/* A full disk leaves neither half a file nor the temporary one, and the old content stays. */
Test(file, full_disk)
{
    g_autofree char *directory = g_dir_make_tmp("orrery-full-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(directory, "program", NULL);
    cr_assert(symlink("/dev/full", path) == 0);
    g_autoptr(VcodeModule) m = sample();
    g_autoptr(GError) error = NULL;
    cr_assert_not(vcode_file_write(m, path, NULL, &error));
    cr_assert_eq(error->code, VCODE_ERROR_IO);
    g_unlink(path);
    cr_assert_eq(g_rmdir(directory), 0, "something was left behind");
}

/* Debug types may refer to each other in cycles through pointers, but must not contain themselves. */
Test(file, circular_types)
{
    for (int pointer = 0; pointer < 2; pointer++) {
        g_autoptr(VcodeModule) m = sample();
        uint32_t name = vcode_string(m, "node");
        *vcode_push(m, types) = (VcodeType){VCODE_TYPE_POINTER, name, 8, 3, 0, 0, 0};         /* 2 */
        *vcode_push(m, types) = (VcodeType){VCODE_TYPE_STRUCT, name, 8, VCODE_NONE, 1, 1, 0}; /* 3 */
        *vcode_push(m, types) = (VcodeType){VCODE_TYPE_TYPEDEF, name, 8, 3, 0, 0, 0};         /* 4 */
        *vcode_push(m, members) = (VcodeMember){name, pointer ? 2 : 4, 0, 0, 0, 0, 0};
        g_autoptr(GError) error = NULL;
        cr_assert_eq(vcode_records_check(m, "m", &error), pointer == 1);
    }
}

/* Two records must not claim the same part of another table, or a short file could stand for a very long module. */
Test(file, shared_parts)
{
    for (int twice = 0; twice < 2; twice++)
        for (int kind = 0; kind < 3; kind++) {
            g_autoptr(VcodeModule) m = sample();
            if (kind == 0 && twice)
                *vcode_push(m, switches) = m->switches.items[0];
            if (kind == 1 && twice)
                *vcode_push(m, types) = m->types.items[1];
            m->variables.items[0].location = kind == 2 ? VCODE_AT_PLACES : VCODE_AT_FRAME;
            m->variables.items[0].count = kind == 2;
            *vcode_push(m, places) = (VcodePlace){0, 4, VCODE_AT_FRAME, 0, 4, 0, 0};
            if (kind == 2 && twice)
                *vcode_push(m, variables) = m->variables.items[0];
            cr_assert_eq(vcode_records_check(m, "m", NULL), !twice, "kind %d", kind);
        }
}

Test(file, bit_fields)
{
    g_autoptr(VcodeModule) m = sample();
    m->members.items[0].bit_offset = 7; /* 64 bits that begin inside a byte */
    m->members.items[0].bit_width = 64;
    cr_assert(vcode_records_check(m, "m", NULL));
    m->members.items[0].bit_width = 65;
    cr_assert_not(vcode_records_check(m, "m", NULL));
}

/* Source files that a module names may be anything. A pipe without a writer must not block. */
Test(file, source_files, .timeout = 20)
{
    g_autofree char *directory = g_dir_make_tmp("orrery-source-XXXXXX", NULL);
    g_autofree char *pipe = g_build_filename(directory, "pipe.c", NULL),
                    *text = g_build_filename(directory, "t.c", NULL);
    cr_assert_eq(mkfifo(pipe, 0600), 0);
    cr_assert(g_file_set_contents(text, "one\ntwo\n", -1, NULL));
    g_autoptr(VcodeModule) m = sample();
    uint32_t files[] = {vcode_source_file(m, pipe), vcode_source_file(m, "/dev/zero"), vcode_source_file(m, directory),
                        VCODE_NONE, 1000};
    uint32_t count;
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++)
        cr_assert_null(vcode_source_lines(m, files[i], &count));
    g_auto(GStrv) lines = vcode_source_lines(m, vcode_source_file(m, text), &count);
    cr_assert_eq(count, 3);
    cr_assert_str_eq(lines[1], "two");
    g_unlink(pipe);
    g_unlink(text);
    cr_assert_eq(g_rmdir(directory), 0);
}

/* Expansions come after those that contain them and are in the same function, so going outwards always ends. */
Test(file, expansions_in_circles)
{
    static const struct {
        uint32_t function[2], parent[2], line;
        bool good;
    } cases[] = {{{0, 0}, {VCODE_NONE, 0}, 1, true},           {{0, 0}, {1, VCODE_NONE}, 0, false},
                 {{0, 0}, {VCODE_NONE, 1}, 0, false},          {{0, 1}, {VCODE_NONE, 0}, 0, false},
                 {{1, 0}, {VCODE_NONE, VCODE_NONE}, 0, false}, {{0, 0}, {VCODE_NONE, 0}, 2, false},
                 {{0, 7}, {VCODE_NONE, VCODE_NONE}, 0, false}};
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(VcodeModule) m = sample();
        uint32_t name = vcode_string(m, "small");
        for (unsigned k = 0; k < 2; k++)
            *vcode_push(m, inlines) = (VcodeInline){name, cases[i].function[k], cases[i].parent[k], 0, 3, 1, 0, 0, 9};
        m->lines.items[1].inlined = cases[i].line;
        g_autoptr(GError) error = NULL;
        cr_assert_eq(vcode_records_check(m, "m", &error), cases[i].good, "case %u", i);
        if (cases[i].good) {
            cr_assert_eq(vcode_pc_inlined(m, 4), 1);
            cr_assert_eq(vcode_pc_inlined(m, 0), VCODE_NONE);
            cr_assert_eq(vcode_inline_depth(m, 1), 2);
            cr_assert(vcode_inline_within(m, 1, 0) && !vcode_inline_within(m, 0, 1));
        }
    }
}

/* Locations of a variable are in the table, and name existing registers of its function and existing code. */
Test(file, places_of_variables)
{
    static const struct {
        VcodePlace place;
        uint32_t first, count;
        bool good;
    } cases[] = {{{0, 4, VCODE_AT_REGISTER, 0, 4, 0, 3}, 0, 1, true},
                 {{0, 4, VCODE_AT_FRAME, 0, 4, 0, 3000}, 0, 1, true},
                 {{0, 4, VCODE_AT_REGISTER, 0, 4, 0, 4}, 0, 1, false},
                 {{0, 4, VCODE_AT_REGISTER, 0, 4, 0, -1}, 0, 1, false},
                 {{0, 99, VCODE_AT_REGISTER, 0, 4, 0, 3}, 0, 1, false},
                 {{4, 0, VCODE_AT_REGISTER, 0, 4, 0, 3}, 0, 1, false},
                 {{0, 4, VCODE_AT_DATA, 0, 4, 0, 0}, 0, 1, false},
                 {{0, 4, VCODE_AT_REGISTER, 0, 4, 0, 3}, 0, 2, false},
                 {{0, 4, VCODE_AT_REGISTER, 0, 4, 0, 3}, UINT32_MAX, 1, false}};
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(VcodeModule) m = sample();
        *vcode_push(m, places) = cases[i].place;
        VcodeVariable *v = &m->variables.items[0];
        v->location = VCODE_AT_PLACES;
        v->first = cases[i].first;
        v->count = cases[i].count;
        g_autoptr(GError) error = NULL;
        cr_assert_eq(vcode_records_check(m, "m", &error), cases[i].good, "case %u", i);
    }
}
