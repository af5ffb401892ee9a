/* play.h - runs the library of threads on one process with real threads of the VM, whose code is lists of calls.
 *
 *     Play p;
 *     play_open(&p);
 *     play_call(&p, 0, "pthread_mutex_lock", OBJECT(0));   list 0 is what main() does
 *     play_make(&p, 0, 1);                                 it makes a thread that runs list 1
 *     play_run(&p);
 *     cr_expect_eq(play_result(&p, 1, 0), EBUSY);
 *     play_close(&p);
 *
 * Instructions cost nothing, so only threads/ and play_spend() advance clocks. Events come in the order (time, kind,
 * thread). A thread's list ends with __orrery_thread_exit(), unless the list is that of main().
 */
#ifndef ORRERY_TEST_PLAY_H
#define ORRERY_TEST_PLAY_H

#include "../externs.h"
#include "base/queue.h"
#include "threads/core/layouts.h"
#include "threads/threads.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { PLAY_LISTS = 8, PLAY_THREADS = 64, PLAY_WINDOW = 4, PLAY_STACK = 16384, PLAY_BSS = 1 << 20 };
#define PLAY_DATA   UINT64_C(0x20000)
#define OBJECT(i)   (PLAY_DATA + 128 * (uint64_t)(i))
#define PLAY_STACKS (PLAY_DATA + 65536)

typedef struct Play {
    VcodeModule *module;
    GArray *code[PLAY_LISTS]; /* VcodeInstr */
    GArray *results[PLAY_LISTS];
    ThreadsCosts costs;
    uint32_t checks;
    ThreadsWorld *world;
    VmImage *image;
    VmWorld *vms;
    VmRank *vm;
    VmExtern *externs;
    BaseQueue *queue;
    uint64_t now, finish_ps[PLAY_THREADS];
    uint32_t list_of[PLAY_THREADS]; /* by number of the VM */
    bool exited, faulted;
    GString *findings;
} Play;

enum { PLAY_READY, PLAY_CALL, PLAY_WAKE, PLAY_ALARM, PLAY_UPCALL, PLAY_EXIT };

static inline void play_word(Play *play, unsigned list, VcodeInstr word)
{
    g_array_append_val(play->code[list], word);
}

static inline void play_emit(Play *play, unsigned list, const char *name, unsigned n, const uint64_t *values)
{
    for (unsigned i = 0; i < n; i++)
        play_word(
            play, list,
            vcode_pack_imm32(VCODE_MOVK, 0, PLAY_WINDOW + i, (int32_t)vcode_constant(play->module, values[i], false)));
    play_word(play, list, vcode_pack_imm32(VCODE_CALLX, n, PLAY_WINDOW, (int32_t)test_extern(play->module, name)));
}

static inline void play_call_array(Play *play, unsigned list, const char *name, unsigned n, const uint64_t *values)
{
    play_emit(play, list, name, n, values);
    play_word(play, list, vcode_pack_imm32(VCODE_CALLX, 1, PLAY_WINDOW, (int32_t)test_extern(play->module, "note")));
}
/* Adds a call whose result play_result() returns. */
#define play_call(play, list, name, ...)                                                                               \
    play_call_array(play, list, name, G_N_ELEMENTS(((uint64_t[]){__VA_ARGS__})), (uint64_t[]){__VA_ARGS__})
/* The list computes for so long. */
static inline void play_spend(Play *play, unsigned list, uint64_t ps)
{
    play_emit(play, list, "spend", 1, &ps);
}
/* The list makes a thread that runs the list `made`; the result is its id. */
static inline void play_make(Play *play, unsigned list, unsigned made)
{
    uint64_t args[5] = {made, 0, PLAY_STACK, 0, 0}; /* `entry` is the number of the list: see play_start_thread() */
    play_call_array(play, list, "__orrery_thread_create", 5, args);
}

static inline VmCallResult play_note(VmRank *vm, uint64_t *args, unsigned n, void *user)
{
    (void)n;
    Play *play = user;
    g_array_append_val(play->results[play->list_of[vm_thread_selected(vm)]], args[0]);
    return VM_CALL_DONE;
}

/* -- the environment --------------------------------------------------------------------------- */

static inline uint32_t play_start_thread(void *user, uint32_t rank, uint64_t entry, uint64_t argument, uint64_t stack,
                                         uint64_t stack_bytes, const uint64_t *set, uint64_t time_ps)
{
    Play *play = user;
    (void)set;
    (void)rank, (void)stack;
    uint64_t address = VCODE_CODE_BASE + 16 * entry;
    uint32_t least = 1;
    while (least < PLAY_THREADS && vm_thread_lives(play->vm, least))
        least++;
    if (least >= PLAY_THREADS - 1)
        return THREADS_NONE;
    VmThreadStack memory = {PLAY_STACKS + least * PLAY_STACK, stack_bytes};
    uint32_t thread = vm_thread_new(play->vm, address, &argument, 1, memory, time_ps);
    cr_assert_eq(thread, least);
    play->list_of[thread] = (uint32_t)entry;
    base_queue_push(play->queue, time_ps, PLAY_READY, thread, 0, 0);
    return thread;
}
static inline void play_end_thread(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps)
{
    Play *play = user;
    (void)rank;
    play->finish_ps[play->list_of[thread]] = time_ps;
    if (thread)
        vm_thread_end(play->vm, thread, 0);
}
static inline void play_wake(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps)
{
    Play *play = user;
    (void)rank;
    cr_assert(time_ps >= play->now);
    base_queue_push(play->queue, time_ps, PLAY_WAKE, thread, 0, 0);
}
static inline void play_alarm(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps, uint64_t cookie)
{
    Play *play = user;
    (void)rank;
    cr_assert(time_ps >= play->now);
    base_queue_push(play->queue, time_ps, PLAY_ALARM, thread, cookie, 0);
}
static inline uint32_t play_selected(void *user, uint32_t rank)
{
    (void)rank;
    return vm_thread_selected(((Play *)user)->vm);
}
static inline void play_finding(void *user, uint32_t rank, ThreadsFinding finding, uint64_t time_ps, const char *what,
                                const char *detail, const char *fix)
{
    (void)rank, (void)finding, (void)time_ps, (void)fix;
    g_string_append_printf(((Play *)user)->findings, "%s\n%s\n", what, detail ? detail : "");
}

/* -- running ----------------------------------------------------------------------------------- */

static inline void play_open(Play *play)
{
    memset(play, 0, sizeof *play);
    play->module = vcode_module_new(VCODE_PROGRAM);
    play->module->entry = 0;
    play->module->bss_bytes = PLAY_BSS + PLAY_THREADS * PLAY_STACK;
    play->module->data_base = PLAY_DATA;
    play->findings = g_string_new(NULL);
    for (unsigned i = 0; i < PLAY_LISTS; i++) {
        play->code[i] = g_array_new(FALSE, FALSE, sizeof(VcodeInstr));
        play->results[i] = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
    play->costs = (ThreadsCosts){.create = 1000,
                                 .join = 100,
                                 .lock = 10,
                                 .unlock = 20,
                                 .hand_over = 300,
                                 .wait = 50,
                                 .signal = 30,
                                 .signal_per_thread = 40,
                                 .barrier = 500,
                                 .barrier_per_thread = 7};
}

static inline void play_begin(Play *play)
{
    GError *error = NULL;
    const ThreadsEnv env = {.user = play,
                            .start = play_start_thread,
                            .end = play_end_thread,
                            .wake = play_wake,
                            .alarm = play_alarm,
                            .selected = play_selected,
                            .finding = play_finding};
    for (unsigned list = 0; list < PLAY_LISTS; list++) {
        uint64_t result = 77;
        if (list)
            play_emit(play, list, "__orrery_thread_exit", 1, &result);
        else /* a process ends in its turn */
            play_emit(play, list, "__orrery_turn", 0, NULL);
        play_word(play, list, vcode_pack_imm32(VCODE_MOVI, 0, 1, 0));
        play_word(play, list, vcode_pack(VCODE_RET, 0, 1, 0, 0));
        g_autofree char *name = g_strdup_printf("list%u", list);
        uint32_t text = vcode_string(play->module, list ? name : "main"), start = play->module->code.count;
        uint32_t file = vcode_source_file(play->module, "play.c");
        for (guint i = 0; i < play->code[list]->len; i++) {
            *vcode_push(play->module, lines) =
                (VcodeLine){start + i, file, list * 100 + i, 1, VCODE_LINE_STATEMENT, VCODE_NONE};
            *vcode_push(play->module, code) = g_array_index(play->code[list], VcodeInstr, i);
        }
        *vcode_push(play->module, functions) = (VcodeFunction){.name = text,
                                                               .code_start = start,
                                                               .code_count = play->code[list]->len,
                                                               .registers = 24,
                                                               .parameters = list ? 1 : 0,
                                                               .file = VCODE_NONE,
                                                               .return_type = VCODE_NONE};
    }
    play->queue = base_queue_new();
    play->world = threads_world_new(1, &play->costs, &env, play->checks);
    threads_world_count_locks(play->world);
    size_t n;
    const VmExtern *threads = threads_world_externs(play->world, &n);
    VmExtern *externs = play->externs = g_new0(VmExtern, n + 2);
    memcpy(externs, threads, n * sizeof *externs);
    externs[n] = (VmExtern){"note", play_note, play, 0, 0, 1};
    externs[n + 1] = (VmExtern){"spend", test_spend, play, 0, 0, 1};
    VmCosts costs = {0};
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.stack_bytes = 1 << 16;
    play->vms = vm_world_new(1, &limits, NULL, &error);
    cr_assert(play->vms, "%s", error ? error->message : "");
    play->image = vm_image_new(play->module, externs, n + 2, &costs, &error);
    cr_assert(play->image, "%s", error ? error->message : "");
    cr_assert(vm_world_start(play->vms, 0, play->image, NULL, NULL, UINT64_C(500) << 32, &error));
    play->vm = vm_world_rank(play->vms, 0);
}

static inline void *play_memory(Play *play, unsigned object, uint64_t bytes)
{
    void *memory = vm_rank_write(play->vm, OBJECT(object), bytes);
    cr_assert_not_null(memory);
    return memory;
}

static inline void play_piece(Play *play, uint32_t thread)
{
    vm_thread_select(play->vm, thread);
    VmStop stop = vm_rank_run(play->vm, 1000000);
    uint64_t now = vm_clock_now(vm_rank_clock(play->vm));
    switch (stop) {
    case VM_STOP_REQUEST: base_queue_push(play->queue, now, PLAY_CALL, thread, 0, 0); break;
    case VM_STOP_UPCALL_DONE: base_queue_push(play->queue, now, PLAY_UPCALL, thread, 0, 0); break;
    case VM_STOP_EXITED: base_queue_push(play->queue, now, PLAY_EXIT, thread, 0, 0); break;
    default: play->faulted = true; break;
    }
}

static inline void play_go(Play *play)
{
    BaseEvent event;
    base_queue_push(play->queue, 0, PLAY_READY, 0, 0, 0);
    while (!play->exited && !play->faulted && base_queue_pop(play->queue, &event)) {
        ThreadsOutcome outcome = THREADS_OUTCOME_BLOCKED;
        cr_assert(event.time_ps >= play->now);
        play->now = event.time_ps;
        if (event.kind != PLAY_ALARM)
            vm_thread_select(play->vm, event.rank);
        switch (event.kind) {
        case PLAY_READY: play_piece(play, event.rank); continue;
        case PLAY_EXIT:
            play->exited = true;
            play->finish_ps[0] = event.time_ps;
            continue;
        case PLAY_ALARM: threads_world_alarm(play->world, 0, event.rank, event.time_ps, event.a); continue;
        case PLAY_WAKE: outcome = threads_world_resume(play->world, 0, event.rank, event.time_ps); break;
        case PLAY_CALL: outcome = threads_world_call(play->world, 0, event.rank, event.time_ps); break;
        default: outcome = threads_world_upcall_done(play->world, 0, event.rank, event.time_ps); break;
        }
        if (outcome == THREADS_OUTCOME_FAULT)
            play->faulted = true;
        if (outcome == THREADS_OUTCOME_DONE || outcome == THREADS_OUTCOME_UPCALL)
            base_queue_push(play->queue, vm_clock_now(vm_rank_clock(play->vm)), PLAY_READY, event.rank, 0, 0);
    }
}

static inline void play_run(Play *play)
{
    play_begin(play);
    play_go(play);
}

static inline int64_t play_result(const Play *play, unsigned list, unsigned call)
{
    cr_assert(call < play->results[list]->len, "list %u has only done %u calls%s", list, play->results[list]->len,
              play->faulted ? vm_rank_fault_info(play->vm)->reason : "");
    return (int64_t)g_array_index(play->results[list], uint64_t, call);
}

static inline void play_close(Play *play)
{
    threads_world_free(play->world);
    vm_world_free(play->vms);
    vm_image_unref(play->image);
    base_queue_free(play->queue);
    g_free(play->externs);
    g_string_free(play->findings, TRUE);
    for (unsigned i = 0; i < PLAY_LISTS; i++) {
        g_array_unref(play->code[i]);
        g_array_unref(play->results[i]);
    }
}

#endif
