/* cache.h - a directory of compiled code (objects of sources, native code of programs), shared by all runs of a
 * user. */
#ifndef ORRERY_BASE_CACHE_H
#define ORRERY_BASE_CACHE_H

#include <glib.h>

typedef struct BaseCache BaseCache;

/* Opens a cache. NULL: $ORRERY_CACHE, or else orrery/native in the user's cache directory. "": no cache. Never fails
 * and touches nothing yet: a directory that cannot be used acts as an empty cache. Any thread may call all these
 * functions, and other processes may use the same directory at the same time. */
BaseCache *base_cache_open(const char *directory);
void base_cache_close(BaseCache *cache);

/* Returns what was stored under `key` (a SHA-256 in hexadecimal digits), or NULL. The caller releases it with
 * g_bytes_unref(). */
GBytes *base_cache_load(BaseCache *cache, const char *key);
/* Stores `content` under `key` if that is possible. Removes the least recently used entries if all together are larger
 * than $ORRERY_CACHE_LIMIT (default 512M). */
void base_cache_store(BaseCache *cache, const char *key, GBytes *content);

/* Returns the directory that belongs to the default cache alone, which programs must not touch. NULL: there is none.
 * The caller frees it with g_free(). */
char *base_cache_place(void);

#endif
