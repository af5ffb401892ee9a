/* Streams, descriptors, and which files VmFs allows. */
#include "library_test.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* Enters a new directory. */
static char *enter_directory(void)
{
    char *path = g_dir_make_tmp("orrery-test-XXXXXX", NULL);
    cr_assert(path);
    cr_assert_eq(chdir(path), 0);
    return path;
}

static void leave_directory(char *path)
{
    GDir *directory = g_dir_open(path, 0, NULL);
    for (const char *name; (name = g_dir_read_name(directory));)
        g_remove(name);
    g_dir_close(directory);
    cr_assert_eq(chdir("/"), 0);
    g_rmdir(path);
    g_free(path);
}

static void open_with(Bench *bench, VmFs fs)
{
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.fs = fs;
    bench_open(bench, &limits);
}

static uint64_t open_stream(Bench *bench, const char *path, const char *mode)
{
    return bench_call(bench, "fopen", 2, bench_string(bench, path), bench_string(bench, mode));
}

Test(library_files, write_and_read_back)
{
    char *directory = enter_directory();
    Bench bench;
    open_with(&bench, VM_FS_CWD);
    uint64_t file = open_stream(&bench, "data.txt", "w+");
    cr_assert_neq(file, 0);
    bench_call(&bench, "fputs", 2, bench_string(&bench, "one two\nthree"), file);
    cr_assert_eq(bench_call(&bench, "ftell", 1, file), 13);
    bench_call(&bench, "rewind", 1, file);
    uint64_t line = bench_call(&bench, "calloc", 2, UINT64_C(1), UINT64_C(64));
    bench_call(&bench, "fgets", 3, line, UINT64_C(64), file);
    cr_assert_str_eq(bench_text(&bench, line), "one two\n");
    bench_call(&bench, "ungetc", 2, (uint64_t)'T', file);
    cr_assert_eq(bench_call(&bench, "fread", 4, line, UINT64_C(1), UINT64_C(64), file), 6);
    cr_assert_arr_eq(vm_rank_read(bench.rank, line, 6), "Tthree", 6);
    cr_assert_neq(bench_call(&bench, "feof", 1, file), 0);
    cr_assert_eq(bench_call(&bench, "fseek", 3, file, (uint64_t)-5, UINT64_C(2)), 0);
    cr_assert_eq(bench_call(&bench, "fgetc", 1, file), 't');
    cr_assert_eq(bench_call(&bench, "fclose", 1, file), 0);
    uint64_t window[16] = {file};
    bench_call_window(&bench, "fgetc", window, 1);
    bench_assert_fault(&bench, VM_FAULT_LIBRARY, "was it closed?");
    bench_close(&bench);
    leave_directory(directory);
}

Test(library_files, descriptors_are_the_lowest_free)
{
    char *directory = enter_directory();
    Bench bench;
    open_with(&bench, VM_FS_CWD);
    uint64_t mode = 0644, slots = bench_bytes(&bench, &mode, 8), path = bench_string(&bench, "raw");
    cr_assert_eq(bench_call(&bench, "open", 3, path, (uint64_t)(O_CREAT | O_RDWR), slots), 3);
    cr_assert_eq(bench_call(&bench, "open", 3, path, UINT64_C(0), UINT64_C(0)), 4);
    cr_assert_eq(bench_call(&bench, "write", 3, UINT64_C(3), path, UINT64_C(3)), 3);
    uint64_t buffer = bench_call(&bench, "calloc", 2, UINT64_C(1), UINT64_C(8));
    cr_assert_eq(bench_call(&bench, "read", 3, UINT64_C(4), buffer, UINT64_C(8)), 3);
    cr_assert_str_eq(bench_text(&bench, buffer), "raw");
    cr_assert_eq(bench_call(&bench, "lseek", 3, UINT64_C(4), UINT64_C(1), UINT64_C(0)), 1);
    bench_call(&bench, "close", 1, UINT64_C(3));
    cr_assert_eq(bench_call(&bench, "close", 1, UINT64_C(3)), UINT64_MAX);
    cr_assert_eq(bench_errno(&bench), EBADF);
    cr_assert_eq(bench_call(&bench, "open", 3, path, UINT64_C(0), UINT64_C(0)), 3);
    bench_close(&bench);
    leave_directory(directory);
}

/* Only files below the working directory are allowed, through no link and no "..". */
Test(library_files, cwd_is_a_wall)
{
    char *directory = enter_directory();
    cr_assert_eq(symlink("/etc", "out"), 0);
    cr_assert_eq(symlink("/etc/hostname", "name"), 0);
    cr_assert_eq(symlink("/tmp/orrery-does-not-exist", "dangling"), 0);
    cr_assert(g_file_set_contents("inside", "x", 1, NULL));
    cr_assert_eq(symlink("inside", "link"), 0);
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    Bench bench;
    open_with(&bench, VM_FS_CWD);
    static const char *const refused[] = {"/etc/passwd",        "../x", "out/passwd", "name", "dangling",
                                          "./../../etc/passwd", "pipe", ".."};
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        cr_assert_eq(open_stream(&bench, refused[i], "r"), 0, "%s", refused[i]);
        cr_assert(bench_errno(&bench) == EACCES || bench_errno(&bench) == ENOENT, "%s", refused[i]);
    }
    cr_assert_eq(open_stream(&bench, "dangling", "w"), 0);
    cr_assert_neq(open_stream(&bench, "inside", "r"), 0);
    cr_assert_neq(open_stream(&bench, "link", "r"), 0);
    g_autofree char *absolute = g_build_filename(directory, "inside", NULL);
    cr_assert_neq(open_stream(&bench, absolute, "r"), 0);
    cr_assert_eq(bench_call(&bench, "unlink", 1, bench_string(&bench, "name")), 0, "the link itself lies inside");
    cr_assert_eq(bench_call(&bench, "rename", 2, bench_string(&bench, "inside"), bench_string(&bench, "../gone")),
                 UINT64_MAX);
    cr_assert_eq(open_stream(&bench, "missing", "r"), 0);
    cr_assert_eq(bench_errno(&bench), ENOENT);
    bench_close(&bench);
    leave_directory(directory);
}

Test(library_files, none_opens_nothing)
{
    char *directory = enter_directory();
    Bench bench;
    open_with(&bench, VM_FS_NONE);
    cr_assert_eq(open_stream(&bench, "x", "w"), 0);
    cr_assert_eq(bench_errno(&bench), EACCES);
    cr_assert_eq(bench_call(&bench, "tmpfile", 0), 0);
    bench_close(&bench);
    leave_directory(directory);
}

Test(library_files, the_process_is_made_up)
{
    Bench bench;
    bench_open(&bench, NULL);
    cr_assert_eq(bench_call(&bench, "getpid", 0), 1000);
    cr_assert_eq(bench_call(&bench, "isatty", 1, UINT64_C(1)), 0);
    uint64_t name = bench_call(&bench, "malloc", 1, UINT64_C(20));
    bench_call(&bench, "gethostname", 2, name, UINT64_C(20));
    cr_assert_str_eq(bench_text(&bench, name), "node-7");
    bench_close(&bench);
}

Test(library_files, null_stream_is_a_fault)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t window[16] = {0};
    bench_call_window(&bench, "fclose", window, 1);
    bench_assert_fault(&bench, VM_FAULT_NULL_POINTER, "did fopen fail?");
    bench_close(&bench);
}

/* getline and open_memstream give the program memory from its own heap. */
Test(library_files, memory_streams_and_lines)
{
    Bench bench;
    bench_open(&bench, NULL);
    uint64_t zero = 0, pointer = bench_bytes(&bench, &zero, 8), size = bench_bytes(&bench, &zero, 8);
    uint64_t stream = bench_call(&bench, "open_memstream", 2, pointer, size);
    bench_call(&bench, "fputs", 2, bench_string(&bench, "abc"), stream);
    bench_call(&bench, "fclose", 1, stream);
    uint64_t text = *(const uint64_t *)vm_rank_read(bench.rank, pointer, 8);
    cr_assert_str_eq(bench_text(&bench, text), "abc");
    cr_assert_eq(*(const uint64_t *)vm_rank_read(bench.rank, size, 8), 3);
    bench_call(&bench, "free", 1, text);
    memset(vm_rank_write(bench.rank, pointer, 8), 0, 8);
    g_string_assign(bench.input, "first\nlast");
    cr_assert_eq(bench_call(&bench, "getline", 3, pointer, size, UINT64_C(1)), 6);
    cr_assert_eq(bench_call(&bench, "getline", 3, pointer, size, UINT64_C(1)), 4);
    cr_assert_eq(bench_call(&bench, "getline", 3, pointer, size, UINT64_C(1)), UINT64_MAX);
    bench_close(&bench);
}
