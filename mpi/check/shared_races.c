/* shared_races.c - --check=windows: loads and stores of two ranks to the memory of MPI_Win_allocate_shared that nothing
 * orders.
 *
 * Such accesses happen in the order of virtual time, one after the other (vm/rank/shared.c). So each is compared with
 * what the memory has seen before: for each word the last store, and the loads since then. Two of different ranks race
 * if one is a store, and the later rank does not know of the step in which the other one made the earlier
 * (knowledge.c). The rank is told at its next call.
 *
 * Flags: a rank may wait for the store of another one by loading the word again and again. A word is a flag if one rank
 * loads it twice at one place, with nothing but a few other loads in between, and if a store behind MPI_Win_sync meets
 * a load in front of one. Flags do not race, and who loads one knows what its writer knows. */
#include "mpi/check/window_uses.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/function.h"
#include "mpi/core/places.h"

#include <string.h>

enum { PAGE_BYTES = 1024, WORD_BYTES = 4, WORDS = PAGE_BYTES / WORD_BYTES };
enum { LOOP_LOADS = 4 };       /* most words that a loop looks at while it waits */
enum { MOST_PAGES = 1 << 15 }; /* of a window; what lies in others is not looked at */

/* A load or store of a word. */
typedef struct Seen {
    uint32_t rank, step;
    uint32_t pc : 28, bytes : 4; /* bytes of the word, as bits; 0: there is none */
} Seen;

typedef struct Word {
    GArray *loads;    /* Seen of other ranks since the last store; NULL: none */
    Seen store, load; /* the last ones */
    bool flag;
    bool polled; /* the last load was followed by another one of its rank */
    bool polite; /* the last call of who stored was MPI_Win_sync */
} Word;

typedef struct Page {
    Word words[WORDS];
} Page;

/* A finding that the rank is told at its next call. */
typedef struct Race {
    Word *word; /* the first word; NULL: there is no race */
    uint64_t low, high;
    uint32_t pc, other, other_pc;
    bool write, other_writes;
} Race;

/* The memory of a window; all members share it. */
struct SharedMemory {
    uint64_t low, high;
    GHashTable *pages; /* number -> Page; looked up, never iterated where order shows */
};

/* What a member does to it. */
struct SharedUses {
    SharedMemory *memory;
    WindowUses *uses;
    Race race;
    struct {
        uint64_t word; /* address of a word; 0: none */
        uint32_t pc;
    } loads[LOOP_LOADS]; /* its last loads, since it has stored or called anything */
    unsigned next;       /* the oldest of these */
    bool synced;         /* its last call was MPI_Win_sync */
};

/* -- memory ------------------------------------------------------------------------------------ */

static void page_free(void *data)
{
    Page *page = data;
    for (unsigned i = 0; i < WORDS; i++)
        if (page->words[i].loads)
            g_array_unref(page->words[i].loads);
    g_free(page);
}

void mpi_shared_memory_free(SharedMemory *memory)
{
    if (memory)
        g_hash_table_unref(memory->pages);
    g_free(memory);
}

static Word *word_at(SharedMemory *memory, uint64_t word)
{
    gpointer number = GSIZE_TO_POINTER(word / WORDS);
    Page *page = g_hash_table_lookup(memory->pages, number);
    if (!page && g_hash_table_size(memory->pages) >= MOST_PAGES)
        return NULL;
    if (!page) {
        page = g_new0(Page, 1);
        g_hash_table_insert(memory->pages, number, page);
    }
    return &page->words[word % WORDS];
}

/* -- races ------------------------------------------------------------------------------------- */

/* Whether the rank accesses bytes of an earlier access of another one that it does not know of. */
static bool races(const MpiRank *rank, const Seen *before, const Seen *now)
{
    return before->bytes & now->bytes && before->rank != now->rank &&
           !mpi_knowledge_has(rank, before->rank, before->step);
}

/* Notes a race, or that the one noted goes on in the next word. */
static void note_race(SharedUses *own, Word *word, uint64_t at, const Seen *now, bool write, const Seen *before,
                      bool before_writes)
{
    Race *race = &own->race;
    unsigned both = now->bytes & before->bytes, first = (unsigned)__builtin_ctz(both);
    uint64_t low = at + first, high = at + 32 - (unsigned)__builtin_clz(both);
    if (race->word && race->high == low && race->pc == now->pc && race->other == before->rank &&
        race->other_pc == before->pc && race->write == write && race->other_writes == before_writes)
        race->high = high;
    if (race->word)
        return;
    *race = (Race){.word = word,
                   .low = low,
                   .high = high,
                   .pc = now->pc,
                   .other = before->rank,
                   .other_pc = before->pc,
                   .write = write,
                   .other_writes = before_writes};
}

/* The rank knows what the writer of the flag has done so far. */
static void acquire(const MpiRank *rank, const Word *flag)
{
    if (flag->store.bytes && flag->store.rank != rank->index)
        mpi_knowledge_hear(rank, flag->store.rank);
}

/* Notes a load. Returns whether it is one of a loop that waits. */
static bool loads_again(SharedUses *own, uint64_t word, uint32_t pc)
{
    for (unsigned i = 0; i < LOOP_LOADS; i++)
        if (own->loads[i].word == word && own->loads[i].pc == pc)
            return true;
    own->loads[own->next].word = word;
    own->loads[own->next].pc = pc;
    own->next = (own->next + 1) % LOOP_LOADS;
    return false;
}

static void load(SharedUses *own, Word *word, uint64_t at, const Seen *now)
{
    const MpiRank *rank = own->uses->owner;
    bool again = loads_again(own, at, now->pc);
    if (again && races(rank, &word->store, now))
        word->flag = true; /* it has waited for this */
    if (word->flag)
        acquire(rank, word);
    else if (races(rank, &word->store, now))
        note_race(own, word, at, now, false, &word->store, true);
    word->polled = again;
    if (word->load.bytes && word->load.rank != now->rank) {
        if (!word->loads)
            word->loads = g_array_new(FALSE, FALSE, sizeof(Seen));
        for (guint i = word->loads->len; i-- > 0;) {
            const Seen *other = &g_array_index(word->loads, Seen, i);
            if (other->rank == word->load.rank || other->rank == now->rank)
                g_array_remove_index_fast(word->loads, i);
        }
        g_array_append_val(word->loads, word->load);
    }
    unsigned bytes = word->load.rank == now->rank && word->load.step == now->step ? word->load.bytes : 0;
    word->load = *now;
    word->load.bytes = (now->bytes | bytes) & 15;
}

static void store(SharedUses *own, Word *word, uint64_t at, const Seen *now)
{
    const MpiRank *rank = own->uses->owner;
    bool after_load = races(rank, &word->load, now);
    memset(own->loads, 0, sizeof own->loads);
    const Seen *before = after_load ? &word->load : NULL;
    for (guint i = 0; !before && word->loads && i < word->loads->len; i++)
        if (races(rank, &g_array_index(word->loads, Seen, i), now))
            before = &g_array_index(word->loads, Seen, i);
    if (after_load && word->polled)
        word->flag = true;
    if (!word->flag && races(rank, &word->store, now))
        note_race(own, word, at, now, true, &word->store, true);
    else if (!word->flag && before)
        note_race(own, word, at, now, true, before, false);
    unsigned bytes = word->store.rank == now->rank && word->store.step == now->step ? word->store.bytes : 0;
    word->store = *now;
    word->store.bytes = (now->bytes | bytes) & 15;
    word->load.bytes = 0;
    word->polled = false;
    word->polite = own->synced;
    if (word->loads)
        g_array_set_size(word->loads, 0);
}

/* Ranks access this memory in turn, on the main thread. */
static bool note_access(VmRank *process, uint64_t address, uint64_t size, bool write, void *user)
{
    SharedUses *own = user;
    SharedMemory *memory = own->memory;
    if (address >= memory->high || address + size <= memory->low || !vm_rank_acts(process))
        return true;
    uint64_t low = MAX(address, memory->low), high = MIN(address + size, memory->high);
    const MpiRank *rank = own->uses->owner;
    Seen now = {.rank = rank->index, .step = mpi_knowledge_next(rank), .pc = vm_rank_pc(process, 0) & ((1U << 28) - 1)};
    for (uint64_t at = low; at < high;) {
        uint64_t number = at / WORD_BYTES, next = MIN((number + 1) * WORD_BYTES, high);
        Word *word = word_at(memory, number);
        now.bytes = (((1U << (next - at)) - 1) << at % WORD_BYTES) & 15;
        if (word)
            (write ? store : load)(own, word, number * WORD_BYTES, &now);
        at = next;
    }
    return true;
}

/* -- members ----------------------------------------------------------------------------------- */

void mpi_shared_begin(WindowUses *uses)
{
    uint64_t low, high;
    MpiSlotValue *first = mpi_window_shared_extent(uses->win, &low, &high);
    if (!first)
        return;
    WindowUses *common = mpi_window_uses(first);
    if (!common->memory) {
        common->memory = g_new(SharedMemory, 1);
        *common->memory = (SharedMemory){low, high, g_hash_table_new_full(NULL, NULL, NULL, page_free)};
    }
    uses->sharing = g_new0(SharedUses, 1);
    uses->sharing->memory = common->memory;
    uses->sharing->uses = uses;
    vm_rank_add_access_check(uses->owner->process, note_access, uses->sharing);
}

void mpi_shared_cease(WindowUses *uses)
{
    if (uses->sharing)
        vm_rank_remove_access_hook(uses->owner->process, note_access, uses->sharing);
}

static bool tell(MpiCall *call, const WindowUses *uses, const Race *race, MpiStep *step)
{
    const MpiRank *other = mpi_world_rank(call->world, race->other);
    uint64_t base;
    uint32_t part = mpi_window_part(uses->win, race->low, &base);
    g_autoptr(GString) here = g_string_new(NULL), there = g_string_new(NULL);
    mpi_append_place(here, call->process, race->pc);
    mpi_append_place(there, other->process, race->other_pc);
    *step = mpi_finding_stop(
        call, MPI_CHECK_WINDOWS,
        "before this call, at %s, rank %u %s bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
        " of the shared memory of rank %u of the window, which rank %u %s at %s, and nothing orders "
        "the two; synchronise between them, with MPI_Win_sync and a barrier or message, a lock or "
        "a fence",
        here->str, call->rank->index, race->write ? "stores to" : "loads", race->low - base, race->high - 1 - base,
        part, race->other, race->other_writes ? "stores to" : "loads", there->str);
    return false;
}

bool mpi_shared_close(MpiCall *call, WindowUses *uses, MpiStep *step)
{
    SharedUses *own = uses->sharing;
    if (!own)
        return true;
    Race race = own->race;
    bool syncs = call->function == MPI_FUNCTION_Win_sync;
    own->synced = syncs;
    memset(own->loads, 0, sizeof own->loads);
    if (!race.word)
        return true;
    if (syncs && race.write) /* who polls for this may not have looked again */
        return true;
    own->race = (Race){0};
    if (race.word->flag)
        return true;
    if (syncs && race.word->polite) {
        race.word->flag = true;
        acquire(call->rank, race.word);
        return true;
    }
    return tell(call, uses, &race, step);
}
