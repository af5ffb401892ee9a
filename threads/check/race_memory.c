/* race_memory.c - what the memory of a process has seen (race_memory.h).
 *
 * Pages of 4 KiB are looked at from their first access on, each with a page of words here. A word has room for two
 * accesses, most need no more; others have a list. What does not fit into the most pages is not looked at, and the
 * oldest access of a long list is forgotten: then races may be missed, but none is made up. */
#include "threads/check/race_memory.h"

#include <string.h>

enum { WORD_BYTES = 8, PAGE_BYTES = 4096, WORDS = PAGE_BYTES / WORD_BYTES, ROOM = 2 };
enum { MOST_PAGES = 1 << 15, MOST_ACCESSES = 64 };

typedef struct Word {
    ThreadsRaceAccess few[ROOM];
    GArray *more; /* ThreadsRaceAccess beyond these; NULL: none */
} Word;

typedef struct Page {
    Word words[WORDS];
} Page;

struct ThreadsRaceMemory {
    GHashTable *pages; /* number -> Page; never iterated where order shows */
    uint64_t last;     /* number of the page that was looked up last */
    Page *last_page;   /* NULL: none */
};

static void page_free(void *data)
{
    Page *page = data;
    for (unsigned i = 0; i < WORDS; i++)
        if (page->words[i].more)
            g_array_unref(page->words[i].more);
    g_free(page);
}

ThreadsRaceMemory *threads_race_memory_new(void)
{
    ThreadsRaceMemory *memory = g_new0(ThreadsRaceMemory, 1);
    memory->pages = g_hash_table_new_full(NULL, NULL, NULL, page_free);
    return memory;
}

void threads_race_memory_free(ThreadsRaceMemory *memory)
{
    g_hash_table_unref(memory->pages);
    g_free(memory);
}

/* Returns the page of a number. `make`: makes it, unless there are too many. NULL: there is none. */
static Page *page_at(ThreadsRaceMemory *memory, uint64_t number, bool make)
{
    if (memory->last_page && memory->last == number)
        return memory->last_page;
    Page *page = g_hash_table_lookup(memory->pages, GSIZE_TO_POINTER(number));
    if (!page && make && g_hash_table_size(memory->pages) < MOST_PAGES) {
        page = g_new0(Page, 1);
        g_hash_table_insert(memory->pages, GSIZE_TO_POINTER(number), page);
    }
    memory->last = number;
    memory->last_page = page;
    return page;
}

/* -- a word ------------------------------------------------------------------------------------ */

static ThreadsRaceAccess *access_at(Word *word, guint i)
{
    return i < ROOM ? &word->few[i] : &g_array_index(word->more, ThreadsRaceAccess, i - ROOM);
}

static guint count(const Word *word)
{
    return ROOM + (word->more ? word->more->len : 0);
}

static void drop(Word *word, guint i)
{
    if (i < ROOM)
        word->few[i].bytes = 0;
    else
        g_array_remove_index(word->more, i - ROOM);
}

static void keep(Word *word, const ThreadsRaceAccess *now)
{
    for (guint i = 0; i < ROOM; i++)
        if (!word->few[i].bytes) {
            word->few[i] = *now;
            return;
        }
    if (!word->more)
        word->more = g_array_new(FALSE, FALSE, sizeof(ThreadsRaceAccess));
    if (word->more->len == MOST_ACCESSES)
        g_array_remove_index(word->more, 0);
    g_array_append_val(word->more, *now);
}

/* Whether all that races with the earlier access, which is in the past of the later one, races with that as well. */
static bool is_covered(const ThreadsRaceAccess *before, const ThreadsRaceAccess *now)
{
    return !(before->bytes & ~now->bytes) && (now->write || !before->write) && (!now->atomic || before->atomic);
}

static bool is_race(const ThreadsRaceAccess *before, const ThreadsRaceAccess *now)
{
    return before->bytes & now->bytes && (before->write || now->write) && !(before->atomic && now->atomic);
}

/* Whether the strand has made such an access since its last release: then nothing is new about it. */
static bool is_known(const Word *word, const ThreadsRaceAccess *now)
{
    for (guint i = 0; i < ROOM; i++) {
        const ThreadsRaceAccess *seen = &word->few[i];
        if (seen->slot == now->slot && seen->tick == now->tick && !(now->bytes & ~seen->bytes) &&
            seen->write >= now->write && seen->atomic == now->atomic)
            return true;
    }
    return false;
}

static void look(Word *word, uint64_t at, const ThreadsRaceAccess *now, const ThreadsRaceClock *clock,
                 ThreadsRaceTell tell, void *user)
{
    if (is_known(word, now))
        return;
    for (guint i = count(word); i-- > 0;) {
        const ThreadsRaceAccess *before = access_at(word, i);
        if (!before->bytes)
            continue;
        if (before->slot == now->slot || before->tick <= threads_race_clock_at(clock, before->slot)) {
            if (is_covered(before, now))
                drop(word, i);
        } else if (is_race(before, now)) {
            unsigned both = before->bytes & now->bytes, first = (unsigned)__builtin_ctz(both);
            unsigned end = 32 - (unsigned)__builtin_clz(both);
            ThreadsRaceAccess other = *before;
            tell(user, at + first, end - first, now, &other);
        }
    }
    keep(word, now);
}

/* -- memory ------------------------------------------------------------------------------------ */

void threads_race_memory_access(ThreadsRaceMemory *memory, uint64_t address, uint64_t size, ThreadsRaceAccess now,
                                const ThreadsRaceClock *clock, ThreadsRaceTell tell, void *user)
{
    for (uint64_t at = address, end = address + size; at < end;) {
        uint64_t word = at / WORD_BYTES, next = MIN((word + 1) * WORD_BYTES, end);
        Page *page = page_at(memory, word / WORDS, true);
        now.bytes = (uint8_t)(((1U << (next - at)) - 1) << at % WORD_BYTES);
        if (page)
            look(&page->words[word % WORDS], word * WORD_BYTES, &now, clock, tell, user);
        at = next;
    }
}

static void forget_bytes(Word *word, unsigned bytes)
{
    for (guint i = count(word); i-- > 0;) {
        ThreadsRaceAccess *access = access_at(word, i);
        access->bytes &= (uint8_t)~bytes;
        if (!access->bytes)
            drop(word, i);
    }
}

void threads_race_memory_forget(ThreadsRaceMemory *memory, uint64_t address, uint64_t size)
{
    for (uint64_t at = address, end = address + size; at < end;) {
        uint64_t number = at / PAGE_BYTES, next = MIN((number + 1) * PAGE_BYTES, end);
        Page *page = page_at(memory, number, false);
        if (page && next - at == PAGE_BYTES) {
            g_hash_table_remove(memory->pages, GSIZE_TO_POINTER(number));
            memory->last_page = NULL;
        } else if (page) {
            for (uint64_t from = at; from < next;) {
                uint64_t word = from / WORD_BYTES, to = MIN((word + 1) * WORD_BYTES, next);
                forget_bytes(&page->words[word % WORDS], (((1U << (to - from)) - 1) << from % WORD_BYTES) & 0xff);
                from = to;
            }
        }
        at = next;
    }
}
