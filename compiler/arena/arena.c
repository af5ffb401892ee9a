/* arena.c - bump allocator for the memory of a translation unit, which is freed all at once.
 *
 * Each new block is twice as large as the one before, up to 1 MiB. Small units thus use little memory, and large units
 * make few calls of the host's allocator. An allocation larger than a quarter of the largest block gets its own block.
 */
#include "compiler/arena/arena.h"

#include <glib.h>

#include <string.h>

typedef struct Block {
    struct Block *next;
    size_t size; /* bytes in `bytes` */
    _Alignas(16) char bytes[];
} Block;

struct CcArena {
    Block *blocks;    /* all blocks, newest first */
    char *free, *end; /* the unused rest of the current block */
    size_t next_size; /* bytes of the next block */
};

enum { FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 1024 * 1024 };

CcArena *cc_arena_new(void)
{
    CcArena *arena = g_new0(CcArena, 1);
    arena->next_size = FIRST_BLOCK;
    return arena;
}

void cc_arena_free(CcArena *arena)
{
    if (!arena)
        return;
    for (Block *block = arena->blocks; block;) {
        Block *next = block->next;
        g_free(block);
        block = next;
    }
    g_free(arena);
}

static Block *add_block(CcArena *arena, size_t size)
{
    Block *block = g_malloc0(sizeof *block + size);
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *cc_arena_alloc(CcArena *arena, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > LARGEST_BLOCK / 4)
        return add_block(arena, size)->bytes;
    if (size > (size_t)(arena->end - arena->free)) {
        Block *block = add_block(arena, MAX(arena->next_size, size));
        arena->free = block->bytes;
        arena->end = block->bytes + block->size;
        arena->next_size = MIN(arena->next_size * 2, (size_t)LARGEST_BLOCK);
    }
    void *memory = arena->free;
    arena->free += size;
    return memory;
}

char *cc_arena_strdup(CcArena *arena, const char *text, size_t length)
{
    char *copy = cc_arena_alloc(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

void cc_arena_grow(CcArena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return;
    uint32_t wanted = MAX(*capacity * 2, 8u);
    void *grown = cc_arena_alloc(arena, wanted * size);
    if (count)
        memcpy(grown, *items, count * size);
    *items = grown;
    *capacity = wanted;
}
