/* The directory of compiled code: what is found again, what is not trusted, what goes when it is full. */
#include "base/cache.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static char *folder;

static void set_up(void)
{
    char *above = g_dir_make_tmp("orrery-cache-XXXXXX", NULL);
    folder = g_build_filename(above, "deep", "cache", NULL);
    g_free(above);
    g_unsetenv("ORRERY_CACHE_LIMIT");
}

static char *path_of(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void remove_all(void)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = path_of(name);
        g_remove(path);
    }
    if (dir)
        g_dir_close(dir);
    g_autofree char *deep = g_path_get_dirname(folder), *above = g_path_get_dirname(deep);
    g_rmdir(folder);
    g_rmdir(deep);
    g_rmdir(above);
    g_clear_pointer(&folder, g_free);
}

TestSuite(cache, .init = set_up, .fini = remove_all);

static char *key_of(unsigned number)
{
    return g_strdup_printf("%04x%s", number * 0x1100, &KEY[4]);
}

static void store(BaseCache *cache, const char *key, const char *text, gsize size)
{
    g_autoptr(GBytes) content = g_bytes_new(text, size);
    base_cache_store(cache, key, content);
}

static bool holds(BaseCache *cache, const char *key, const char *text, gsize size)
{
    g_autoptr(GBytes) content = base_cache_load(cache, key);
    gsize found = 0;
    const char *bytes = content ? g_bytes_get_data(content, &found) : NULL;
    return content && found == size && memcmp(bytes, text, size) == 0;
}

static unsigned count(void)
{
    unsigned n = 0;
    GDir *dir = g_dir_open(folder, 0, NULL);
    while (dir && g_dir_read_name(dir))
        n++;
    if (dir)
        g_dir_close(dir);
    return n;
}

Test(cache, what_is_stored_is_found)
{
    BaseCache *cache = base_cache_open(folder);
    cr_expect_not(holds(cache, KEY, "text", 4));
    store(cache, KEY, "text", 4);
    cr_expect(holds(cache, KEY, "text", 4));
    store(cache, KEY, "another text", 12);
    cr_expect(holds(cache, KEY, "another text", 12));
    store(cache, KEY, "", 0);
    cr_expect(holds(cache, KEY, "", 0));
    cr_expect_eq(count(), 1);
    base_cache_close(cache);
    base_cache_close(NULL);
}

Test(cache, places)
{
    g_setenv("ORRERY_CACHE", "", TRUE);
    BaseCache *none = base_cache_open(NULL);
    store(none, KEY, "text", 4);
    cr_expect_not(holds(none, KEY, "text", 4));
    cr_expect_null(base_cache_place());
    base_cache_close(none);
    g_setenv("ORRERY_CACHE", folder, TRUE);
    BaseCache *chosen = base_cache_open(NULL);
    store(chosen, KEY, "text", 4);
    cr_expect(holds(chosen, KEY, "text", 4));
    base_cache_close(chosen);
    g_autofree char *place = base_cache_place();
    cr_expect_str_eq(place, folder);
    g_unsetenv("ORRERY_CACHE");
    g_autofree char *own = base_cache_place();
    cr_expect(g_str_has_suffix(own, "/orrery"));
    BaseCache *usual = base_cache_open(NULL); /* touches nothing yet */
    base_cache_close(usual);
    BaseCache *nowhere = base_cache_open("/dev/null/cache");
    store(nowhere, KEY, "text", 4);
    cr_expect_not(holds(nowhere, KEY, "text", 4));
    base_cache_close(nowhere);
}

static void damage(goffset at, const char *bytes)
{
    g_autofree char *path = path_of(KEY ".native");
    FILE *file = fopen(path, "r+be");
    cr_assert(file && fseek(file, at, SEEK_SET) == 0 && fputs(bytes, file) >= 0 && fclose(file) == 0);
}

Test(cache, what_is_damaged_is_not_there)
{
    BaseCache *cache = base_cache_open(folder);
    const goffset places[] = {0, 25, 40, 70}; /* magic, size, digest, content */
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        store(cache, KEY, "some text", 9);
        damage(places[i], "?!");
        cr_expect_not(holds(cache, KEY, "some text", 9), "damage at %ld", (long)places[i]);
    }
    store(cache, KEY, "some text", 9);
    g_autofree char *path = path_of(KEY ".native"), *other = path_of("other");
    cr_assert_eq(truncate(path, 10), 0);
    cr_expect_not(holds(cache, KEY, "some text", 9));
    g_unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    cr_expect_not(holds(cache, KEY, "some text", 9));
    store(cache, KEY, "some text", 9);
    cr_expect(holds(cache, KEY, "some text", 9));
    g_rename(path, other);
    cr_assert_eq(symlink("other", path), 0);
    cr_expect_not(holds(cache, KEY, "some text", 9));
    base_cache_close(cache);
}

Test(cache, what_others_may_write_is_not_trusted)
{
    BaseCache *cache = base_cache_open(folder);
    g_autofree char *path = path_of(KEY ".native");
    store(cache, KEY, "text", 4);
    g_chmod(path, 0622);
    cr_expect_not(holds(cache, KEY, "text", 4));
    g_chmod(path, 0600);
    cr_expect(holds(cache, KEY, "text", 4));
    g_chmod(folder, 0777);
    cr_expect_not(holds(cache, KEY, "text", 4));
    store(cache, KEY, "other", 5);
    g_chmod(folder, 0700);
    cr_expect(holds(cache, KEY, "text", 4));
    base_cache_close(cache);
}

static void store_numbered(BaseCache *cache, unsigned number, gsize size)
{
    g_autofree char *key = key_of(number), *text = g_malloc0(size);
    store(cache, key, text, size);
}

static bool has(BaseCache *cache, unsigned number)
{
    g_autofree char *key = key_of(number);
    g_autoptr(GBytes) content = base_cache_load(cache, key);
    return content;
}

static BaseCache *open_with(const char *limit)
{
    g_setenv("ORRERY_CACHE_LIMIT", limit, TRUE);
    return base_cache_open(folder);
}

/* Lets an entry have been used at that time. */
static void use_at(unsigned number, time_t seconds, long ns)
{
    g_autofree char *key = key_of(number), *name = g_strconcat(key, ".native", NULL), *path = path_of(name);
    const struct timespec times[2] = {{seconds, ns}, {seconds, ns}};
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

Test(cache, what_was_not_used_for_long_goes)
{
    BaseCache *cache = open_with("50K");
    for (unsigned i = 0; i < 4; i++)
        store_numbered(cache, i, 10000);
    use_at(0, 2000000, 0);
    use_at(1, 1000000, 5);
    use_at(2, 1000000, 5); /* the name decides */
    use_at(3, 1000000, 9);
    store_numbered(cache, 4, 10000);
    store_numbered(cache, 5, 10000);
    cr_expect_not(has(cache, 1));
    cr_expect(has(cache, 2));
    cr_expect(has(cache, 0)); /* and so it has been used again */
    cr_expect(has(cache, 5));
    store_numbered(cache, 6, 60000); /* larger than all of it */
    cr_expect_not(has(cache, 6));
    base_cache_close(cache);
}

Test(cache, a_name_that_is_taken)
{
    BaseCache *cache = open_with("1M");
    g_autofree char *path = path_of(KEY ".native");
    cr_assert_eq(g_mkdir_with_parents(path, 0700), 0);
    store(cache, KEY, "text", 4);
    cr_expect_not(holds(cache, KEY, "text", 4));
    cr_expect_eq(count(), 1, "something unfinished is left");
    base_cache_close(cache);
}

Test(cache, leftovers_go_when_they_are_old)
{
    BaseCache *cache = open_with("1M");
    store_numbered(cache, 0, 10);
    g_autofree char *stale = path_of(".unfinished-1-1"), *fresh = path_of(".unfinished-1-2");
    cr_assert(g_file_set_contents(stale, "x", 1, NULL) && g_file_set_contents(fresh, "x", 1, NULL));
    const struct timespec long_ago[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    cr_assert_eq(utimensat(AT_FDCWD, stale, long_ago, 0), 0);
    store_numbered(cache, 1, 100000);
    cr_expect_neq(access(stale, F_OK), 0);
    cr_expect_eq(access(fresh, F_OK), 0);
    base_cache_close(cache);
}

/* All entries are looked at only now and then if they are small. */
Test(cache, many_small_entries)
{
    BaseCache *cache = open_with("2M");
    for (unsigned i = 0; i < 300; i++) {
        g_autofree char *key = g_strdup_printf("%04x%s", (i * 2654435761U) & 0xffff, &KEY[4]);
        store(cache, key, "x", 1);
    }
    cr_expect_leq(count(), 256 + 64);
    cr_expect_geq(count(), 200);
    base_cache_close(cache);
}

Test(cache, limits)
{
    static const char *const wrong[] = {"", "x", "-1", "10Q", "10KB", "99999999999999G"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        BaseCache *cache = open_with(wrong[i]);
        store(cache, KEY, "text", 4);
        cr_expect(holds(cache, KEY, "text", 4), "%s", wrong[i]);
        base_cache_close(cache);
    }
    static const char *const units[] = {"100000", "100k", "1M", "1g"};
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        BaseCache *cache = open_with(units[i]);
        store_numbered(cache, (unsigned)i, 1000);
        cr_expect(has(cache, (unsigned)i), "%s", units[i]);
        base_cache_close(cache);
    }
}
