/* test_races.c - the core of the check for data races against a model that keeps every access: clocks, and what memory
 * remembers. */
#include "threads/check/race_clock.h"
#include "threads/check/race_memory.h"

#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

enum { SLOTS = 5, BYTES = 24, ACCESSES = 60 };

typedef struct Past { /* an access, to a byte */
    ThreadsRaceAccess access;
    uint64_t byte;
} Past;

typedef struct Model {
    ThreadsRaceMemory *memory;
    ThreadsRaceClock clocks[SLOTS];
    GArray *past; /* Past */
    uint32_t pc;
    unsigned told;
    bool races[BYTES], found[BYTES];
} Model;

static bool knows(const ThreadsRaceClock *clock, const ThreadsRaceAccess *access)
{
    return threads_race_clock_at(clock, access->slot) >= access->tick;
}

static bool conflict(const ThreadsRaceAccess *a, const ThreadsRaceAccess *b)
{
    return a->slot != b->slot && (a->write || b->write) && !(a->atomic && b->atomic);
}

static const Past *find(const Model *model, uint32_t pc)
{
    for (guint i = 0; i < model->past->len; i++)
        if (g_array_index(model->past, Past, i).access.pc == pc)
            return &g_array_index(model->past, Past, i);
    return NULL;
}

/* What is told is a race of these two, in bytes that both touch. */
static void tell(void *user, uint64_t low, uint64_t size, const ThreadsRaceAccess *now, const ThreadsRaceAccess *before)
{
    Model *model = user;
    const Past *past = find(model, before->pc);
    cr_assert(past && size);
    cr_assert_eq(now->pc, model->pc);
    cr_assert(conflict(now, &past->access), "pc %u and pc %u do not conflict", now->pc, before->pc);
    cr_assert(!knows(&model->clocks[now->slot], &past->access), "pc %u knows of pc %u", now->pc, before->pc);
    for (uint64_t byte = low; byte < low + size; byte++)
        model->found[byte] = true;
    model->told++;
}

static void access_bytes(Model *model, uint16_t slot, uint64_t low, uint64_t size, bool write, bool atomic)
{
    ThreadsRaceClock *clock = &model->clocks[slot];
    ThreadsRaceAccess now = {
        .tick = threads_race_clock_at(clock, slot), .pc = ++model->pc, .slot = slot, .write = write, .atomic = atomic};
    for (uint64_t byte = low; byte < low + size; byte++)
        for (guint i = 0; i < model->past->len; i++) {
            const Past *past = &g_array_index(model->past, Past, i);
            model->races[byte] |= past->byte == byte && conflict(&now, &past->access) && !knows(clock, &past->access);
        }
    threads_race_memory_access(model->memory, low, size, now, clock, tell, model);
    for (uint64_t byte = low; byte < low + size; byte++) {
        Past past = {.access = now, .byte = byte};
        g_array_append_val(model->past, past);
    }
}

/* One strand releases, and another one acquires it. What the first one does from now on is in its next tick. */
static void order(Model *model, uint16_t from, uint16_t to)
{
    threads_race_clock_join(&model->clocks[to], &model->clocks[from]);
    threads_race_clock_raise(&model->clocks[from], from, threads_race_clock_at(&model->clocks[from], from) + 1);
}

static void model_init(Model *model)
{
    *model = (Model){.memory = threads_race_memory_new(), .past = g_array_new(FALSE, FALSE, sizeof(Past))};
    for (uint16_t slot = 0; slot < SLOTS; slot++)
        threads_race_clock_raise(&model->clocks[slot], slot, 1);
}

static void model_clear(Model *model)
{
    threads_race_memory_free(model->memory);
    g_array_unref(model->past);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        threads_race_clock_clear(&model->clocks[slot]);
}

Test(races, clocks)
{
    ThreadsRaceClock a = {0}, b = {0};
    cr_expect_eq(threads_race_clock_at(&a, 1000), 0);
    threads_race_clock_raise(&a, 3, 7);
    threads_race_clock_raise(&a, 3, 5);
    cr_expect_eq(threads_race_clock_at(&a, 3), 7);
    threads_race_clock_raise(&b, 9, 2);
    threads_race_clock_raise(&b, 3, 8);
    threads_race_clock_join(&a, &b);
    cr_expect_eq(threads_race_clock_at(&a, 3), 8);
    cr_expect_eq(threads_race_clock_at(&a, 9), 2);
    threads_race_clock_raise(&a, 0, 1);
    threads_race_clock_copy(&a, &b);
    cr_expect_eq(threads_race_clock_at(&a, 0), 0, "a copy knows that alone");
    cr_expect_eq(threads_race_clock_at(&a, 9), 2);
    threads_race_clock_clear(&a);
    threads_race_clock_clear(&b);
}

/* Neighbours, atomic operations, readers and what is forgotten do not race. */
Test(races, by_hand)
{
    Model model;
    model_init(&model);
    access_bytes(&model, 0, 0, 4, true, false);
    access_bytes(&model, 1, 4, 4, true, false);
    access_bytes(&model, 1, 8, 8, true, true);
    access_bytes(&model, 2, 8, 8, true, true);
    access_bytes(&model, 1, 16, 8, false, false);
    access_bytes(&model, 2, 16, 8, false, false);
    cr_expect_eq(model.told, 0);
    access_bytes(&model, 2, 3, 2, false, false); /* one byte of each neighbour */
    cr_expect(model.found[3] && model.found[4]);
    unsigned told = model.told;
    threads_race_memory_forget(model.memory, 0, BYTES);
    access_bytes(&model, 3, 0, BYTES, true, false);
    cr_expect_eq(model.told, told);
    order(&model, 3, 4);
    access_bytes(&model, 4, 0, BYTES, true, false);
    cr_expect_eq(model.told, told);
    access_bytes(&model, 3, 20, 1, false, false); /* what has been done since is not known there */
    cr_expect_gt(model.told, told);
    model_clear(&model);
}

/* Whatever is told is a race; and a byte of which nothing is told has none (FastTrack finds the first one of each). */
Test(races, against_a_model)
{
    for (uint32_t seed = 1; seed <= 1500; seed++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
        Model model;
        model_init(&model);
        unsigned orders = (unsigned)g_rand_int_range(rand, 0, 4);
        for (unsigned i = 0; i < ACCESSES; i++) {
            uint16_t slot = (uint16_t)g_rand_int_range(rand, 0, SLOTS);
            for (unsigned k = 0; k < orders; k++)
                order(&model, (uint16_t)g_rand_int_range(rand, 0, SLOTS), slot);
            uint64_t size = UINT64_C(1) << g_rand_int_range(rand, 0, 4), low;
            low = (uint64_t)g_rand_int_range(rand, 0, (gint32)(BYTES - size + 1));
            access_bytes(&model, slot, low, size, g_rand_int_range(rand, 0, 3) == 0, g_rand_int_range(rand, 0, 4) == 0);
        }
        for (unsigned byte = 0; byte < BYTES; byte++)
            cr_assert_eq(model.found[byte], model.races[byte], "seed %u, byte %u: %s", seed, byte,
                         model.races[byte] ? "a race is missed" : "a false alarm");
        model_clear(&model);
    }
}
