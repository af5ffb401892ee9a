/* arena.h - memory that is freed all at once. Not safe for threads: each translation unit has its own arena. */
#ifndef ORRERY_COMPILER_ARENA_H
#define ORRERY_COMPILER_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct CcArena CcArena;
CcArena *cc_arena_new(void);
/* Frees the arena and everything allocated in it. NULL is ignored. */
void cc_arena_free(CcArena *arena);
/* Returns zeroed memory aligned to 16 bytes. Aborts when the host has no memory. */
void *cc_arena_alloc(CcArena *arena, size_t size);
/* Copies `length` bytes of `text` and appends a zero byte. */
char *cc_arena_strdup(CcArena *arena, const char *text, size_t length);
/* Makes room for one more item in an array in the arena, by doubling: amortised O(1) per item. The old array stays
 * allocated until the arena is freed. `size` is the size of an item in bytes. */
void cc_arena_grow(CcArena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size);
#define CC_NEW(arena, Type) ((Type *)cc_arena_alloc((arena), sizeof(Type)))

#endif
