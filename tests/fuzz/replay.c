/* replay.c - a fuzzer without libFuzzer: feeds it the files and directories of its command line, in order of their
 * names, so that every input that was ever interesting is a test in every build.
 */
#include <glib.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int compare_names(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

static void collect(const char *path, GPtrArray *files)
{
    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        g_ptr_array_add(files, g_strdup(path));
        return;
    }
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *inner = g_build_filename(path, name, NULL);
        collect(inner, files);
    }
}

int main(int argc, char **argv)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    for (int i = 1; i < argc; i++)
        collect(argv[i], files);
    g_ptr_array_sort(files, compare_names);
    for (guint i = 0; i < files->len; i++) {
        const char *path = g_ptr_array_index(files, i);
        g_autofree char *bytes = NULL;
        gsize size;
        GError *error = NULL;
        if (!g_file_get_contents(path, &bytes, &size, &error)) {
            fprintf(stderr, "%s\n", error->message);
            return 1;
        }
        /* Said before, not after: the last name is the one that crashed. */
        printf("%s\n", path);
        fflush(stdout);
        LLVMFuzzerTestOneInput((const uint8_t *)bytes, size);
    }
    printf("%u inputs\n", files->len);
    return files->len == 0;
}
