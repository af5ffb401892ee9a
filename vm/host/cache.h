/* cache.h - a directory of compiled code, shared by all runs of a user. */
#ifndef ORRERY_VM_HOST_CACHE_H
#define ORRERY_VM_HOST_CACHE_H

#include <glib.h>

typedef struct VmCache VmCache;

/* NULL: $ORRERY_CACHE, or else orrery/native in the user's cache directory. "": none. Never fails and touches nothing
 * yet: what cannot be used holds nothing. All functions may be called by any thread, and by other processes on the same
 * directory. */
VmCache *vm_cache_open(const char *directory);
void vm_cache_close(VmCache *cache);

/* What was stored under `key` (a SHA-256 in hexadecimal digits), or NULL. */
GBytes *vm_cache_load(VmCache *cache, const char *key);
/* Keeps `content` under `key` if that is possible, and removes the least recently used entries where all together are
 * larger than $ORRERY_CACHE_LIMIT (default 512M). */
void vm_cache_store(VmCache *cache, const char *key, GBytes *content);

#endif
