/* arena.h - memory that is freed all at once. */
#ifndef ORRERY_COMPILER_ARENA_H
#define ORRERY_COMPILER_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct CcArena CcArena;
CcArena *cc_arena_new(void);
void cc_arena_free(CcArena *arena);
void *cc_arena_alloc(CcArena *arena, size_t size); /* zeroed, 16-aligned; aborts when the host has no memory */
char *cc_arena_strdup(CcArena *arena, const char *text, size_t length);
/* Grows an array in the arena to hold one more; the old one is left to the arena. */
void cc_arena_grow(CcArena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size);
#define CC_NEW(arena, Type) ((Type *)cc_arena_alloc((arena), sizeof(Type)))

#endif
