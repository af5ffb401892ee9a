/* arena.h - memory that is freed all at once. */
#ifndef ORRERY_COMPILER_ARENA_H
#define ORRERY_COMPILER_ARENA_H

#include <stddef.h>

typedef struct CcArena CcArena;
CcArena *cc_arena_new(void);
void cc_arena_free(CcArena *arena);
void *cc_arena_alloc(CcArena *arena, size_t size); /* zeroed, 16-aligned; aborts when the host has no memory */
char *cc_arena_strdup(CcArena *arena, const char *text, size_t length);
#define CC_NEW(arena, Type) ((Type *)cc_arena_alloc((arena), sizeof(Type)))

#endif
