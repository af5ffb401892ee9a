/* cache.c - a directory of compiled code, one file per entry, named by the hash of what it was made from.
 *
 *     KEY.native:   "orrery native code 1\n"   size   SHA-256 of key and content   content
 *
 * The content will be executed, so nothing is trusted. Directory and file must belong to this user and be writable by
 * nobody else, and size and hash must agree with the content; otherwise there is no such entry. The bytes are read
 * once, and the verified bytes are the ones returned. Entries are written under another name and then renamed, so any
 * number of processes may use the directory at once. A crash in between leaves at worst an invalid entry. The time of
 * last use is the file's modification time.
 */
#include "base/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX     ".native"
#define UNFINISHED ".unfinished-"

enum { KEY_DIGITS = 64, DIGEST_BYTES = 32, HOUR = 3600, LEAST_COST = 8192, FEW = 64, SELDOM = 16 };

static const uint64_t DEFAULT_LIMIT = UINT64_C(512) << 20;

/* The beginning of an entry's file. */
typedef struct Header {
    char magic[24];
    uint64_t size; /* bytes of the content */
    uint8_t digest[DIGEST_BYTES];
} Header;

static const char MAGIC[sizeof(((Header *)NULL)->magic)] = "orrery native code 1\n";

struct BaseCache {
    char *directory; /* NULL: no cache */
    uint64_t limit;
};

/* -- opening ----------------------------------------------------------------------------------- */

/* Parses a number of bytes such as "64M", "2G" or "1000". Returns the default for anything else. */
static uint64_t parse_limit(const char *text)
{
    static const char units[] = "KMG";
    char *rest;
    if (!text || !g_ascii_isdigit(*text))
        return DEFAULT_LIMIT;
    uint64_t number = g_ascii_strtoull(text, &rest, 10);
    const char *unit = *rest ? strchr(units, g_ascii_toupper(*rest)) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (*rest && (!unit || rest[1]))
        return DEFAULT_LIMIT;
    return number > UINT64_MAX >> shift ? UINT64_MAX : number << shift;
}

static char *choose_directory(const char *directory)
{
    if (!directory)
        directory = g_getenv("ORRERY_CACHE");
    if (!directory)
        return g_build_filename(g_get_user_cache_dir(), "orrery", "native", NULL);
    return *directory ? g_canonicalize_filename(directory, NULL) : NULL;
}

/* The default cache is a subdirectory of orrery in the user's cache directory. That directory holds nothing but our
 * files, so it is returned. */
char *base_cache_place(void)
{
    const char *chosen = g_getenv("ORRERY_CACHE");
    return chosen ? choose_directory(chosen) : g_build_filename(g_get_user_cache_dir(), "orrery", NULL);
}

BaseCache *base_cache_open(const char *directory)
{
    BaseCache *cache = g_new0(BaseCache, 1);
    cache->directory = choose_directory(directory);
    cache->limit = parse_limit(g_getenv("ORRERY_CACHE_LIMIT"));
    return cache;
}

void base_cache_close(BaseCache *cache)
{
    if (!cache)
        return;
    g_free(cache->directory);
    g_free(cache);
}

/* Whether a file is ours and nobody else can have changed it. */
static bool is_private(const struct stat *status)
{
    return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

static int open_directory(const BaseCache *cache)
{
    struct stat status;
    int directory = cache->directory ? open(cache->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (directory >= 0 && (fstat(directory, &status) || !is_private(&status))) {
        close(directory);
        return -1;
    }
    return directory;
}

/* -- reading ----------------------------------------------------------------------------------- */

static void make_digest(const char *key, const uint8_t *content, size_t size, uint8_t digest[DIGEST_BYTES])
{
    gsize length = DIGEST_BYTES;
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, (const guchar *)key, KEY_DIGITS);
    g_checksum_update(sum, content, (gssize)size);
    g_checksum_get_digest(sum, digest, &length);
    g_checksum_free(sum);
}

static bool read_all(int file, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = read(file, (uint8_t *)bytes + done, size - done);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got < 0 ? 0 : (size_t)got;
    }
    return true;
}

/* Reads the content of an open entry, if it is what was stored under `key`. */
static GBytes *read_entry(int file, const char *key)
{
    struct stat status;
    Header header;
    uint8_t digest[DIGEST_BYTES];
    if (fstat(file, &status) || !S_ISREG(status.st_mode) || !is_private(&status))
        return NULL;
    if (!read_all(file, &header, sizeof header) || memcmp(header.magic, MAGIC, sizeof MAGIC) != 0)
        return NULL;
    if (header.size != (uint64_t)status.st_size - sizeof header)
        return NULL;
    uint8_t *content = g_try_malloc(MAX(header.size, 1));
    if (content && read_all(file, content, header.size)) {
        make_digest(key, content, header.size, digest);
        if (memcmp(digest, header.digest, sizeof digest) == 0)
            return g_bytes_new_take(content, header.size);
    }
    g_free(content);
    return NULL;
}

GBytes *base_cache_load(BaseCache *cache, const char *key)
{
    char name[KEY_DIGITS + sizeof SUFFIX];
    int directory = open_directory(cache);
    if (directory < 0)
        return NULL;
    g_assert(strlen(key) == KEY_DIGITS);
    snprintf(name, sizeof name, "%s" SUFFIX, key);
    /* non-blocking, because somebody may have put a FIFO there */
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    GBytes *content = file < 0 ? NULL : read_entry(file, key);
    if (content)
        futimens(file, NULL);
    if (file >= 0)
        close(file);
    close(directory);
    return content;
}

/* -- removing what was not used for long ------------------------------------------------------- */

typedef struct Entry {
    char *name;
    uint64_t size;
    struct timespec used;
} Entry;

static int compare_entries(const void *left, const void *right)
{
    const Entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    if (a->used.tv_nsec != b->used.tv_nsec)
        return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void clear_entry(void *entry)
{
    g_free(((Entry *)entry)->name);
}

/* Lists all entries. Removes temporary files older than an hour, left by processes that died. */
static GArray *list_entries(int directory)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    g_array_set_clear_func(entries, clear_entry);
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = copy < 0 ? NULL : fdopendir(copy);
    struct stat status;
    for (struct dirent *item; stream && (item = readdir(stream));) {
        if (fstatat(directory, item->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
            continue;
        if (g_str_has_prefix(item->d_name, UNFINISHED)) {
            if (status.st_mtim.tv_sec + HOUR < g_get_real_time() / G_USEC_PER_SEC)
                unlinkat(directory, item->d_name, 0);
        } else if (strlen(item->d_name) == KEY_DIGITS + strlen(SUFFIX) && g_str_has_suffix(item->d_name, SUFFIX)) {
            Entry entry = {g_strdup(item->d_name), (uint64_t)status.st_size, status.st_mtim};
            g_array_append_val(entries, entry);
        }
    }
    if (stream)
        closedir(stream);
    else if (copy >= 0)
        close(copy);
    return entries;
}

/* What an entry counts for. A small one takes a block of the disk, and time whenever all are looked at. */
static uint64_t cost_of(uint64_t size)
{
    return MAX(size, LEAST_COST);
}

/* Whether to look at all entries after one of this size was stored. With small ones that is done now and then, so that
 * the cache may have many. */
static bool is_time_to_trim(const BaseCache *cache, const char *key, uint64_t size)
{
    return cost_of(size) > cache->limit / FEW || strtoul((char[]){key[0], key[1], '\0'}, NULL, 16) % SELDOM == 0;
}

static void trim(const BaseCache *cache, int directory)
{
    GArray *entries = list_entries(directory);
    uint64_t total = 0;
    for (guint i = 0; i < entries->len; i++)
        total += cost_of(g_array_index(entries, Entry, i).size);
    if (total > cache->limit)
        g_array_sort(entries, compare_entries);
    for (guint i = 0; i < entries->len && total > cache->limit; i++) {
        const Entry *entry = &g_array_index(entries, Entry, i);
        unlinkat(directory, entry->name, 0);
        total -= cost_of(entry->size);
    }
    g_array_unref(entries);
}

/* -- writing ----------------------------------------------------------------------------------- */

static bool write_all(int file, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(file, (const uint8_t *)bytes + done, size - done);
        if (put < 0 && errno != EINTR)
            return false;
        done += put < 0 ? 0 : (size_t)put;
    }
    return true;
}

static bool write_entry(int directory, const char *unfinished, const char *key, GBytes *content)
{
    gsize size;
    const uint8_t *bytes = g_bytes_get_data(content, &size);
    Header header = {.size = size};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    make_digest(key, bytes, size, header.digest);
    int file = openat(directory, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool written = write_all(file, &header, sizeof header) && write_all(file, bytes, size);
    return close(file) == 0 && written;
}

void base_cache_store(BaseCache *cache, const char *key, GBytes *content)
{
    char name[KEY_DIGITS + sizeof SUFFIX], unfinished[64];
    if (!cache->directory || g_bytes_get_size(content) + sizeof(Header) > cache->limit)
        return;
    g_mkdir_with_parents(cache->directory, 0700);
    int directory = open_directory(cache);
    if (directory < 0)
        return;
    g_assert(strlen(key) == KEY_DIGITS);
    snprintf(name, sizeof name, "%s" SUFFIX, key);
    snprintf(unfinished, sizeof unfinished, UNFINISHED "%ld-%08x", (long)getpid(), g_random_int());
    if (!write_entry(directory, unfinished, key, content) || renameat(directory, unfinished, directory, name))
        unlinkat(directory, unfinished, 0);
    if (is_time_to_trim(cache, key, g_bytes_get_size(content)))
        trim(cache, directory);
    close(directory);
}
