/* test_absent.c - parts of heaps that lie elsewhere: whatever is adopted, written, read and given back in whatever
 * order, each rank reads what it would read if all of it had been copied. */
#include "assembler.h"

enum { RANKS = 3, HEAP = 64 * 4096, STEPS = 4000, BLOCK = 4096, MOST_BLOCKS = 8 };

typedef struct Model {
    VmImage *image;
    VmWorld *world;
    VmRank *rank[RANKS];
    uint8_t bytes[RANKS][HEAP]; /* what the heaps should read */
    uint64_t heap, state;
} Model;

static uint32_t draw(Model *model, uint32_t below)
{
    model->state = model->state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(model->state >> 33) % below;
}

static void open_model(Model *model)
{
    GError *error = NULL;
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    VmLimits limits;
    vm_world_limits_default(&limits);
    model->image = vm_image_new(asm_close(&a), NULL, 0, NULL, &error);
    cr_assert(model->image, "%s", error ? error->message : "");
    model->world = vm_world_new(RANKS, &limits, NULL, &error);
    cr_assert_not_null(model->world);
    for (uint32_t i = 0; i < RANKS; i++) {
        cr_assert(vm_world_start(model->world, i, model->image, NULL, NULL, UINT64_C(500) << 32, &error));
        model->rank[i] = vm_world_rank(model->world, i);
        model->heap = vm_rank_heap_start(model->rank[i]);
        cr_assert_eq(vm_rank_sbrk(model->rank[i], HEAP), model->heap);
    }
}

static void close_model(Model *model)
{
    vm_world_free(model->world);
    vm_image_unref(model->image);
}

static void expect(Model *model, uint32_t r, uint32_t at, uint32_t bytes)
{
    const uint8_t *found = vm_rank_read(model->rank[r], model->heap + at, bytes);
    cr_assert_not_null(found);
    cr_assert_eq(memcmp(found, model->bytes[r] + at, bytes), 0, "rank %u, %u bytes at %u", r, bytes, at);
}

/* As a message that passes from buffer to buffer. */
static void pass(Model *model, uint32_t from, uint32_t to, uint32_t at, uint32_t target, uint32_t bytes)
{
    VmRank *sender = model->rank[from], *receiver = model->rank[to];
    if (!vm_rank_may_adopt(receiver, model->heap + target, bytes))
        return;
    VmContent *content = vm_rank_content(sender, model->heap + at, bytes);
    if (!content) {
        content = vm_content_new(sender, bytes);
        cr_assert_not_null(content);
        memcpy(vm_content_bytes(content), vm_rank_read(sender, model->heap + at, bytes), bytes);
        if (vm_rank_may_adopt(sender, model->heap + at, bytes))
            vm_rank_adopt(sender, model->heap + at, bytes, content, true);
    }
    vm_rank_adopt(receiver, model->heap + target, bytes, content, false);
    vm_content_unref(content);
    memmove(model->bytes[to] + target, model->bytes[from] + at, bytes);
}

static void write_some(Model *model, uint32_t r, uint32_t at, uint32_t bytes)
{
    uint8_t value = (uint8_t)draw(model, 256), *place = vm_rank_write(model->rank[r], model->heap + at, bytes);
    cr_assert_not_null(place);
    memset(place, value, bytes);
    memset(model->bytes[r] + at, value, bytes);
}

/* The end of the heap goes and comes back: what was there is 0. */
static void shrink(Model *model, uint32_t r, uint32_t at)
{
    VmRank *rank = model->rank[r];
    cr_assert_eq(vm_rank_sbrk(rank, -(int64_t)(HEAP - at)), model->heap + HEAP);
    cr_expect_null(vm_rank_read(rank, model->heap + at, 1));
    cr_assert_eq(vm_rank_sbrk(rank, HEAP - at), model->heap + at);
    memset(model->bytes[r] + at, 0, HEAP - at);
}

static void step(Model *model)
{
    uint32_t r = draw(model, RANKS), blocks = 1 + draw(model, MOST_BLOCKS);
    uint32_t places = HEAP / BLOCK - blocks + 1, bytes = blocks * BLOCK, shift = draw(model, 4) ? 16 : 0;
    uint32_t at = draw(model, places) * BLOCK, target = draw(model, places) * BLOCK;
    if (blocks > 1)
        bytes -= BLOCK, at += shift, target += shift;
    switch (draw(model, 16)) {
    case 0: write_some(model, r, at + draw(model, bytes - 8), 1 + draw(model, 8)); break;
    case 1: write_some(model, r, at, bytes); break;
    case 2: expect(model, r, at + draw(model, bytes - 8), 8); break;
    case 3: expect(model, r, at, bytes); break;
    case 4:
        if (!draw(model, 32))
            shrink(model, r, at);
        break;
    default: pass(model, r, draw(model, RANKS), at, target, bytes); break;
    }
    cr_assert(vm_rank_can_write(model->rank[r], model->heap + at, bytes));
    cr_assert(vm_rank_can_read(model->rank[r], model->heap + at, bytes));
    cr_assert_not(vm_rank_can_write(model->rank[r], model->heap + HEAP - 8, 16));
}

Test(absent, heaps_read_as_if_all_had_been_copied)
{
    Model *model = g_new0(Model, 1);
    open_model(model);
    for (int i = 0; i < STEPS; i++) {
        step(model);
        if (i % 64 == 0)
            for (uint32_t r = 0; r < RANKS; r++)
                expect(model, r, draw(model, HEAP / 2), draw(model, 2) ? HEAP / 2 : 1);
    }
    for (uint32_t r = 0; r < RANKS; r++)
        expect(model, r, 0, HEAP);
    close_model(model);
    g_free(model);
}

Test(absent, what_is_passed_on_and_overwritten_is_never_copied)
{
    Model *model = g_new0(Model, 1);
    open_model(model);
    write_some(model, 0, 0, BLOCK);
    for (uint32_t i = 0; i < 100; i++) {
        pass(model, i % RANKS, (i + 1) % RANKS, 0, 0, BLOCK);
        cr_assert_lt(model->rank[(i + 1) % RANKS]->near_end, model->heap + 1, "turn %u", i);
    }
    expect(model, 100 % RANKS, 0, BLOCK);
    cr_assert_eq(model->rank[100 % RANKS]->near_end, model->heap + HEAP);
    close_model(model);
    g_free(model);
}

Test(absent, strings_run_on_into_what_was_adopted)
{
    Model *model = g_new0(Model, 1);
    open_model(model);
    write_some(model, 0, 0, HEAP);
    memset(vm_rank_write(model->rank[0], model->heap, 2 * BLOCK), 'x', 2 * BLOCK);
    memset(vm_rank_write(model->rank[1], model->heap, BLOCK), 'y', BLOCK);
    memset(model->bytes[0], 'x', 2 * BLOCK);
    memset(model->bytes[1], 'y', BLOCK);
    write_some(model, 0, BLOCK + 5, 1);
    *(uint8_t *)vm_rank_write(model->rank[0], model->heap + BLOCK + 5, 1) = 0;
    pass(model, 0, 1, BLOCK, BLOCK, BLOCK);
    cr_assert_eq(strlen(vm_rank_string(model->rank[1], model->heap + 7)), BLOCK + 5 - 7);
    close_model(model);
    g_free(model);
}
