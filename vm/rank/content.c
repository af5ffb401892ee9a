/* content.c - constant bytes that heaps of several ranks refer to (absent.c).
 *
 * They are counted atomically, as ranks of other threads may drop theirs at the same time. All contents of a world lie
 * in one mapping, in blocks whose sizes are powers of two, and are reused. */
#include "vm/rank/rank.h"

#include <sys/mman.h>

enum {
    LEAST_SHIFT = 12, /* sizes of blocks: powers of two from here on ... */
    CLASSES = 10,     /* ... so many of them */
    LARGEST = 1 << (LEAST_SHIFT + CLASSES - 1)
};
#define ALL_CONTENTS (UINT64_C(1) << 29) /* at most */

struct VmContent {
    gint refs; /* atomic */
    unsigned class;
    uint8_t *bytes;
    struct VmContents *home;
    VmContent *next; /* in the list of unused ones */
};

/* All contents of a world. */
struct VmContents {
    GMutex lock;
    uint8_t *memory;
    uint64_t used, room;
    VmContent *unused[CLASSES];
    GPtrArray *all;
};

static VmContents *contents_new(void)
{
    VmContents *contents = g_new0(VmContents, 1);
    g_mutex_init(&contents->lock);
    contents->all = g_ptr_array_new_with_free_func(g_free);
    uint64_t bytes = ALL_CONTENTS;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return contents;
    contents->memory = memory;
    contents->room = bytes;
    return contents;
}

void vm_content_clear(VmWorld *world)
{
    VmContents *contents = world->contents;
    if (!contents)
        return;
    if (contents->memory)
        munmap(contents->memory, contents->room);
    g_ptr_array_unref(contents->all);
    g_mutex_clear(&contents->lock);
    g_free(contents);
    world->contents = NULL;
}

static unsigned class_of(uint64_t bytes)
{
    unsigned class = 0;
    while (UINT64_C(1) << (LEAST_SHIFT + class) < bytes)
        class ++;
    return class;
}

static VmContent *take_content(VmContents *contents, unsigned class)
{
    VmContent *content = contents->unused[class];
    if (content) {
        contents->unused[class] = content->next;
        return content;
    }
    uint64_t bytes = UINT64_C(1) << (LEAST_SHIFT + class);
    if (bytes > contents->room - contents->used)
        return NULL;
    content = g_new0(VmContent, 1);
    content->class = class;
    content->home = contents;
    content->bytes = contents->memory + contents->used;
#ifdef MADV_POPULATE_WRITE
    madvise(content->bytes, bytes, MADV_POPULATE_WRITE); /* one call is cheaper than a fault for each page */
#endif
    contents->used += bytes;
    g_ptr_array_add(contents->all, content);
    return content;
}

VmContent *vm_content_new(VmRank *rank, uint64_t bytes)
{
    VmWorld *world = rank->world;
    if (bytes > LARGEST)
        return NULL;
    if (!world->contents)
        world->contents = contents_new();
    g_mutex_lock(&world->contents->lock);
    VmContent *content = take_content(world->contents, class_of(bytes));
    g_mutex_unlock(&world->contents->lock);
    if (content)
        content->refs = 1;
    return content;
}

uint8_t *vm_content_bytes(const VmContent *content)
{
    return content->bytes;
}

VmContent *vm_content_ref(VmContent *content)
{
    g_atomic_int_inc(&content->refs);
    return content;
}

void vm_content_unref(VmContent *content)
{
    if (!g_atomic_int_dec_and_test(&content->refs))
        return;
    VmContents *contents = content->home;
    g_mutex_lock(&contents->lock);
    content->next = contents->unused[content->class];
    contents->unused[content->class] = content;
    g_mutex_unlock(&contents->lock);
}
