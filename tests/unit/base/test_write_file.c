/* Results in files: written as a whole or not at all, in place if it is a device, and checked before the work. */
#include "base/write_file.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *folder;

static void set_up(void)
{
    folder = g_dir_make_tmp("orrery-write-XXXXXX", NULL);
    cr_assert_eq(chdir(folder), 0);
}

static void tear_down(void)
{
    g_unlink("file");
    g_unlink("link");
    g_rmdir("sub");
    g_rmdir(folder);
    g_free(folder);
}

TestSuite(write_file, .init = set_up, .fini = tear_down);

static void expect_content(const char *path, const char *expected)
{
    g_autofree char *text = NULL;
    cr_assert(g_file_get_contents(path, &text, NULL, NULL));
    cr_assert_str_eq(text, expected);
}

static void expect_refusal(bool answer, GError *error, int code, const char *message)
{
    cr_assert_not(answer, "%s", message);
    cr_assert(g_error_matches(error, G_FILE_ERROR, code), "%d: %s", error->code, error->message);
    cr_assert_str_eq(error->message, message);
    g_error_free(error);
}

Test(write_file, takes_the_place_of_what_was_there)
{
    cr_assert(base_write_file("file", "a long text", 11, NULL));
    expect_content("file", "a long text");
    cr_assert(base_write_file("file", "short, of which more", 5, NULL));
    expect_content("file", "short");
    cr_assert(base_write_report("file", "report", 6, NULL));
    expect_content("file", "report");
}

/* A device stays a device. */
Test(write_file, devices_are_written_to_in_place)
{
    cr_assert(base_write_file("/dev/null", "text", 4, NULL));
    GStatBuf device;
    cr_assert_eq(g_stat("/dev/null", &device), 0);
    cr_assert(S_ISCHR(device.st_mode));
    GError *error = NULL;
    bool good = base_write_file("/dev/full", "text", 4, &error);
    expect_refusal(good, error, G_FILE_ERROR_NOSPC, "cannot write /dev/full: No space left on device");
}

/* A symbolic link stays, and so does one that leads to where nothing is yet. */
Test(write_file, links_are_followed)
{
    cr_assert_eq(symlink("file", "link"), 0);
    cr_assert(base_write_file("link", "first", 5, NULL));
    expect_content("file", "first");
    cr_assert(base_write_program("link", "second", 6, NULL));
    expect_content("file", "second");
    cr_assert(g_file_test("link", G_FILE_TEST_IS_SYMLINK));
    cr_assert_not(g_file_test("file", G_FILE_TEST_IS_SYMLINK));
}

Test(write_file, a_circle_of_links)
{
    cr_assert_eq(symlink("link", "link"), 0);
    GError *error = NULL;
    bool good = base_write_file("link", "text", 4, &error);
    cr_assert_not(good);
    cr_assert_str_eq(error->message, "cannot write link: Too many levels of symbolic links");
    g_error_free(error);
}

/* What leads to an open file is written behind what stands there, as /dev/stdout is. */
Test(write_file, open_files_are_written_to_in_place)
{
    FILE *file = fopen("file", "w");
    cr_assert_not_null(file);
    fputs("before ", file);
    fflush(file);
    g_autofree char *open_file = g_strdup_printf("/proc/self/fd/%d", fileno(file));
    cr_assert_eq(symlink(open_file, "link"), 0);
    cr_assert(base_write_report("link", "text", 4, NULL));
    fclose(file);
    expect_content("file", "before text");
    cr_assert(g_file_test("link", G_FILE_TEST_IS_SYMLINK));
}

Test(write_file, a_folder_is_no_file)
{
    GError *error = NULL;
    cr_assert_eq(g_mkdir("sub", 0700), 0);
    bool good = base_write_file("sub", "text", 4, &error);
    expect_refusal(good, error, G_FILE_ERROR_ISDIR, "cannot write sub: Is a directory");
    error = NULL;
    good = base_write_possible("sub", &error);
    expect_refusal(good, error, G_FILE_ERROR_ISDIR, "cannot write sub: Is a directory");
}

/* The error names the file asked for, not the temporary one beside it that is written first. */
Test(write_file, nothing_is_written_where_no_folder_is)
{
    GError *error = NULL;
    bool good = base_write_file("nosuch/file", "text", 4, &error);
    expect_refusal(good, error, G_FILE_ERROR_NOENT, "cannot write nosuch/file: No such file or directory");
    error = NULL;
    good = base_write_possible("nosuch/file", &error);
    expect_refusal(good, error, G_FILE_ERROR_NOENT, "cannot write nosuch/file: No such file or directory");
}

Test(write_file, what_is_below_a_file)
{
    GError *error = NULL;
    cr_assert(base_write_file("file", "", 0, NULL));
    bool good = base_write_possible("file/below", &error);
    expect_refusal(good, error, G_FILE_ERROR_NOTDIR, "cannot write file/below: Not a directory");
}

Test(write_file, possible)
{
    cr_assert(base_write_possible("-", NULL), "standard output");
    cr_assert(base_write_possible("file", NULL), "a new file");
    cr_assert_not(g_file_test("file", G_FILE_TEST_EXISTS), "asking makes nothing");
    cr_assert(base_write_file("file", "kept", 4, NULL));
    cr_assert(base_write_possible("file", NULL), "one that is there");
    expect_content("file", "kept");
}

Test(write_file, standard_output, .init = cr_redirect_stdout)
{
    cr_assert(base_write_report("-", "to standard output\n", 19, NULL));
    cr_assert_stdout_eq_str("to standard output\n");
}

Test(write_file, standard_output_that_is_full)
{
    cr_assert_not_null(freopen("/dev/full", "w", stdout));
    GError *error = NULL;
    bool good = base_write_report("-", "text", 4, &error);
    expect_refusal(good, error, G_FILE_ERROR_NOSPC, "cannot write to standard output: No space left on device");
}

/* -- piece by piece ---------------------------------------------------------------------------- */

static BaseWriting *begin_two_pieces(const char *path)
{
    BaseWriting *writing = base_write_begin(path, NULL);
    cr_assert_not_null(writing);
    base_write_add(writing, "one, ", 5);
    base_write_add(writing, "two", 3);
    return writing;
}

static void expect_empty_folder(void)
{
    g_autoptr(GDir) dir = g_dir_open(".", 0, NULL);
    const char *name = g_dir_read_name(dir);
    cr_assert_null(name, "%s is left", name);
}

Test(write_file, pieces_become_a_file_at_their_end)
{
    cr_assert(base_write_file("file", "before", 6, NULL));
    BaseWriting *writing = begin_two_pieces("file");
    expect_content("file", "before");
    cr_assert_eq(write(base_write_descriptor(writing), ", three", 7), 7);
    cr_assert(base_write_end(writing, true, NULL));
    expect_content("file", "one, two, three");
    g_unlink("file");
    expect_empty_folder();
}

Test(write_file, pieces_that_are_not_good_leave_nothing)
{
    GError *error = NULL;
    cr_assert_not(base_write_end(begin_two_pieces("file"), false, &error));
    cr_assert_null(error, "the caller knows why");
    expect_empty_folder();
}

Test(write_file, pieces_for_a_device)
{
    cr_assert(base_write_end(begin_two_pieces("/dev/null"), true, NULL));
    GStatBuf device;
    cr_assert_eq(g_stat("/dev/null", &device), 0);
    cr_assert(S_ISCHR(device.st_mode));
    GError *error = NULL;
    bool good = base_write_end(begin_two_pieces("/dev/full"), true, &error);
    expect_refusal(good, error, G_FILE_ERROR_NOSPC, "cannot write /dev/full: No space left on device");
}

Test(write_file, pieces_where_no_folder_is)
{
    GError *error = NULL;
    cr_assert_null(base_write_begin("nosuch/file", &error));
    expect_refusal(false, error, G_FILE_ERROR_NOENT, "cannot write nosuch/file: No such file or directory");
}

Test(write_file, pieces_for_standard_output, .init = cr_redirect_stdout)
{
    cr_assert(base_write_end(begin_two_pieces("-"), true, NULL));
    cr_assert_stdout_eq_str("one, two");
}
