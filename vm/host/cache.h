/* cache.h - a directory of compiled code, shared by all runs of a user. */
#ifndef ORRERY_VM_HOST_CACHE_H
#define ORRERY_VM_HOST_CACHE_H

#include <glib.h>

typedef struct VmCache VmCache;

/* Opens a cache. NULL: $ORRERY_CACHE, or else orrery/native in the user's cache directory. "": no cache. Never fails
 * and touches nothing yet: a directory that cannot be used acts as an empty cache. Any thread may call all these
 * functions, and other processes may use the same directory at the same time. */
VmCache *vm_cache_open(const char *directory);
void vm_cache_close(VmCache *cache);

/* Returns what was stored under `key` (a SHA-256 in hexadecimal digits), or NULL. The caller releases it with
 * g_bytes_unref(). */
GBytes *vm_cache_load(VmCache *cache, const char *key);
/* Stores `content` under `key` if that is possible. Removes the least recently used entries if all together are larger
 * than $ORRERY_CACHE_LIMIT (default 512M). */
void vm_cache_store(VmCache *cache, const char *key, GBytes *content);

#endif
