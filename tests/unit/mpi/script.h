/* script.h - runs the MPI engine on scripts. A script is a list of calls for each rank. The network is one formula, and
 * the rules of the scheduler (least time first, then kind, then rank) take forty lines.
 *
 *     Script s;
 *     script_open(&s, 2);
 *     script_call(&s, 0, "MPI_Send", 6, DATA(0), 4, INT, 1, 7, WORLD);
 *     ...
 *     script_run(&s);
 *     cr_assert_eq(s.ranks[0].finish_ps, ...);
 *     script_close(&s);
 *
 * Instructions cost nothing, so only MPI and script_compute() advance a rank's clock. Each rank begins with MPI_Init
 * unless `raw` is set. A message of b bytes (envelope included) has left after b * byte_ps. It arrives latency_ps
 * later, unless `latency` is set.
 */
#ifndef ORRERY_TEST_SCRIPT_H
#define ORRERY_TEST_SCRIPT_H

#include "../externs.h"
#include "base/queue.h"
#include "mpi/check/check.h"
#include "netsim/netsim.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <string.h>

enum { SCRIPT_RANKS = 8, SCRIPT_BSS = 1 << 17, SCRIPT_WINDOW = 4 };
#define SCRIPT_DATA     UINT64_C(0x20000)
#define DATA(offset)    (SCRIPT_DATA + (uint64_t)(offset))
#define WORLD           MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX)
#define TYPE(primitive) MPI_HANDLE(MPI_KIND_TYPE, MPI_PRIM_##primitive + 1)
#define INT             TYPE(INT)
#define NO_REQUEST      MPI_HANDLE(MPI_KIND_REQUEST, 0)

typedef struct ScriptRank {
    VcodeModule *module;
    VmImage *image;
    VmRank *vm;
    bool ended;
    MpiOutcome last;
    uint64_t finish_ps;
    GArray *results;              /* uint64_t, one per call */
    uint64_t told[3], told_until; /* what the observer was told: total time by activity, and end of the last interval */
} ScriptRank;

typedef struct Script {
    uint32_t n;
    bool raw;        /* ranks do not begin with MPI_Init */
    bool unobserved; /* there is no observer */
    bool alarms;     /* the environment has alarms */
    uint64_t (*doorbell)(void *user, uint32_t rank, uint32_t to_rank, uint64_t from_ps); /* of the environment */
    uint64_t (*copy)(void *user, uint32_t rank, uint64_t bytes, uint64_t from_ps, uint64_t copy_ps);
    uint64_t bss_bytes; /* at least so much memory for data; SCRIPT_BSS anyway */
    bool apart;         /* each rank is on a node of its own; otherwise nothing is said about nodes */
    MpiParams params;
    uint64_t latency_ps, byte_ps;
    uint64_t (*latency)(struct Script *script, uint64_t number); /* of transmission `number`; NULL: latency_ps */
    ScriptRank ranks[SCRIPT_RANKS];
    VmWorld *vm;
    MpiWorld *world;
    VmExtern *externs;
    BaseQueue *queue;
    uint64_t now, transmissions;
    GArray *messages; /* MpiMessageInfo, from the observer */
} Script;

enum { SCRIPT_SENT, SCRIPT_DELIVERED, SCRIPT_ALARM, SCRIPT_WAKE, SCRIPT_CALL, SCRIPT_UPCALL };

/* -- writing ----------------------------------------------------------------------------------- */

static inline void script_word(ScriptRank *rank, VcodeInstr word)
{
    *vcode_push(rank->module, code) = word;
}

static inline void script_emit(ScriptRank *rank, const char *name, unsigned n, const uint64_t *values)
{
    uint32_t line = rank->module->lines.count + 1;
    uint32_t file = vcode_source_file(rank->module, "script.c");
    *vcode_push(rank->module, lines) =
        (VcodeLine){rank->module->code.count, file, line, 1, VCODE_LINE_STATEMENT, VCODE_NONE};
    for (unsigned i = 0; i < n; i++)
        script_word(rank, vcode_pack_imm32(VCODE_MOVK, 0, SCRIPT_WINDOW + i,
                                           (int32_t)vcode_constant(rank->module, values[i], false)));
    script_word(rank, vcode_pack_imm32(VCODE_CALLX, n, SCRIPT_WINDOW, (int32_t)test_extern(rank->module, name)));
}

/* Adds a call with n arguments. The macro below converts each of them to uint64_t. */
static inline void script_call_array(Script *script, uint32_t rank, const char *name, unsigned n,
                                     const uint64_t *values)
{
    ScriptRank *r = &script->ranks[rank];
    script_emit(r, name, n, values);
    script_word(r, vcode_pack_imm32(VCODE_CALLX, 1, SCRIPT_WINDOW, (int32_t)test_extern(r->module, "note")));
}
#define script_call(script, rank, name, ...)                                                                           \
    script_call_array(script, rank, name, G_N_ELEMENTS(((uint64_t[]){__VA_ARGS__})), (uint64_t[]){__VA_ARGS__})

static inline void script_compute(Script *script, uint32_t rank, uint64_t ps)
{
    script_emit(&script->ranks[rank], "spend", 1, &ps);
}

static inline VmCallResult script_note(VmRank *vm, uint64_t *args, unsigned n, void *user)
{
    (void)n;
    Script *script = user;
    g_array_append_val(script->ranks[vm_rank_index(vm)].results, args[0]);
    return VM_CALL_DONE;
}

/* -- the environment --------------------------------------------------------------------------- */

static inline void script_transmit(void *user, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                                   uint64_t cookie)
{
    Script *script = user;
    cr_assert(from < script->n && to < script->n && time_ps >= script->now);
    uint64_t latency = script->latency ? script->latency(script, script->transmissions) : script->latency_ps;
    script->transmissions++;
    uint64_t left = time_ps + bytes * script->byte_ps;
    base_queue_push(script->queue, left, SCRIPT_SENT, from, cookie, 0);
    base_queue_push(script->queue, left + latency, SCRIPT_DELIVERED, to, cookie, 0);
}
static inline void script_wake(void *user, uint32_t rank, uint64_t time_ps)
{
    Script *script = user;
    cr_assert(time_ps >= script->now);
    base_queue_push(script->queue, time_ps, SCRIPT_WAKE, rank, 0, 0);
}
static inline void script_alarm(void *user, uint32_t rank, uint64_t time_ps, uint64_t cookie)
{
    Script *script = user;
    cr_assert(time_ps >= script->now);
    base_queue_push(script->queue, time_ps, SCRIPT_ALARM, rank, cookie, 0);
}
static inline uint32_t script_node(void *user, uint32_t rank)
{
    (void)user;
    return rank;
}
static inline void script_activity(void *user, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                                   const char *call)
{
    ScriptRank *r = &((Script *)user)->ranks[rank];
    cr_assert(call && from_ps < to_ps && from_ps >= r->told_until, "%s: intervals overlap", call);
    r->told[activity] += to_ps - from_ps;
    r->told_until = to_ps;
}
static inline void script_message(void *user, const MpiMessageInfo *message)
{
    g_array_append_val(((Script *)user)->messages, *message);
}
/* -- running ----------------------------------------------------------------------------------- */

static inline void script_open(Script *script, uint32_t n)
{
    memset(script, 0, sizeof *script);
    script->n = n;
    script->params = (MpiParams){.eager_limit = 1000,
                                 .send_overhead.ps = 300,
                                 .recv_overhead.ps = 500,
                                 .copy_byte_fs = 2000,
                                 .call_overhead_ps = 70,
                                 .match_ps = 11,
                                 .envelope_bytes = 40,
                                 .checks = mpi_checks_default()};
    script->latency_ps = 10000;
    script->byte_ps = 10;
    script->messages = g_array_new(FALSE, FALSE, sizeof(MpiMessageInfo));
    for (uint32_t i = 0; i < n; i++) {
        ScriptRank *rank = &script->ranks[i];
        rank->results = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        rank->module = vcode_module_new(VCODE_PROGRAM);
        rank->module->entry = 0;
        rank->module->bss_bytes = SCRIPT_BSS;
        rank->module->data_base = SCRIPT_DATA;
        uint32_t text = vcode_string(rank->module, "main");
        *vcode_push(rank->module, functions) =
            (VcodeFunction){.name = text, .registers = 24, .file = VCODE_NONE, .return_type = VCODE_NONE};
        uint64_t none[2] = {0, 0};
        if (!script->raw)
            script_emit(rank, "MPI_Init", 2, none);
    }
}

static inline void script_start(Script *script)
{
    GError *error = NULL;
    const MpiEnv env = {.user = script,
                        .transmit = script_transmit,
                        .wake = script_wake,
                        .alarm = script->alarms ? script_alarm : NULL,
                        .node = script->apart ? script_node : NULL,
                        .doorbell = script->doorbell,
                        .copy = script->copy};
    for (uint32_t i = 0; i < script->n; i++)
        script->ranks[i].module->bss_bytes = MAX(SCRIPT_BSS, script->bss_bytes);
    const MpiObserver observer = {.user = script, .activity = script_activity, .message = script_message};
    script->queue = base_queue_new();
    script->world = mpi_world_new(script->n, &script->params, &env);
    if (!script->unobserved)
        mpi_world_observe(script->world, &observer);
    size_t n_mpi;
    const VmExtern *mpi = mpi_world_externs(script->world, &n_mpi);
    VmExtern *externs = script->externs = g_new0(VmExtern, n_mpi + 2);
    memcpy(externs, mpi, n_mpi * sizeof *externs);
    for (size_t i = 0; i < n_mpi; i++)
        externs[i].base_q8 = 0;
    externs[n_mpi] = (VmExtern){"note", script_note, script, 0, 0, 1};
    externs[n_mpi + 1] = (VmExtern){"spend", test_spend, script, 0, 0, 1};
    VmCosts costs = {0};
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.stack_bytes = 1 << 16;
    script->vm = vm_world_new(script->n, &limits, NULL, &error);
    cr_assert(script->vm, "%s", error ? error->message : "");
    for (uint32_t i = 0; i < script->n; i++) {
        ScriptRank *rank = &script->ranks[i];
        script_word(rank, vcode_pack_imm32(VCODE_MOVI, 0, 1, 0));
        script_word(rank, vcode_pack(VCODE_RET, 0, 1, 0, 0));
        rank->module->functions.items[0].code_count = rank->module->code.count;
        rank->image = vm_image_new(rank->module, externs, n_mpi + 2, &costs, &error);
        cr_assert(rank->image, "%s", error ? error->message : "");
        cr_assert(vm_world_start(script->vm, i, rank->image, NULL, NULL, UINT64_C(500) << 32, &error));
        rank->vm = vm_world_rank(script->vm, i);
        mpi_world_attach(script->world, i, rank->vm);
    }
}

static inline void *script_memory(Script *script, uint32_t rank, uint64_t offset, uint64_t bytes)
{
    void *host = vm_rank_write(script->ranks[rank].vm, DATA(offset), bytes);
    cr_assert_not_null(host);
    return host;
}
static inline int32_t script_int(Script *script, uint32_t rank, uint64_t offset)
{
    int32_t value;
    memcpy(&value, script_memory(script, rank, offset, 4), 4);
    return value;
}
static inline void script_set_int(Script *script, uint32_t rank, uint64_t offset, int32_t value)
{
    memcpy(script_memory(script, rank, offset, 4), &value, 4);
}
static inline MpiStatus script_status(Script *script, uint32_t rank, uint64_t offset)
{
    MpiStatus status;
    memcpy(&status, script_memory(script, rank, offset, sizeof status), sizeof status);
    return status;
}
static inline uint64_t script_result(Script *script, uint32_t rank, unsigned call)
{
    GArray *results = script->ranks[rank].results;
    cr_assert(call < results->len, "rank %u has only done %u calls", rank, results->len);
    return g_array_index(results, uint64_t, call);
}

static inline void script_resume(Script *script, uint32_t index)
{
    ScriptRank *rank = &script->ranks[index];
    VmStop stop = vm_rank_run(rank->vm, 1000000);
    uint64_t now = vm_clock_now(vm_rank_clock(rank->vm));
    switch (stop) {
    case VM_STOP_REQUEST: base_queue_push(script->queue, now, SCRIPT_CALL, index, 0, 0); break;
    case VM_STOP_UPCALL_DONE: base_queue_push(script->queue, now, SCRIPT_UPCALL, index, 0, 0); break;
    case VM_STOP_EXITED:
        rank->ended = true;
        rank->finish_ps = now;
        mpi_world_exited(script->world, index);
        break;
    default:
        cr_assert_eq(stop, VM_STOP_FAULT);
        rank->last = MPI_OUTCOME_FAULT;
        break;
    }
}

/* Runs until nothing can move. A test that prepares memory calls script_start() first, and then this. */
static inline void script_go(Script *script)
{
    for (uint32_t i = 0; i < script->n; i++)
        script_resume(script, i);
    BaseEvent event;
    while (base_queue_pop(script->queue, &event)) {
        cr_assert(event.time_ps >= script->now);
        script->now = event.time_ps;
        MpiOutcome outcome = MPI_OUTCOME_BLOCKED;
        switch (event.kind) {
        case SCRIPT_SENT: mpi_world_sent(script->world, event.a, event.time_ps); break;
        case SCRIPT_DELIVERED: mpi_world_delivered(script->world, event.a, event.time_ps); break;
        case SCRIPT_ALARM: mpi_world_alarm(script->world, event.a, event.time_ps); break;
        case SCRIPT_WAKE: outcome = mpi_world_resume(script->world, event.rank, event.time_ps); break;
        case SCRIPT_CALL: outcome = mpi_world_call(script->world, event.rank, event.time_ps); break;
        default: outcome = mpi_world_upcall_done(script->world, event.rank); break;
        }
        if (event.kind <= SCRIPT_ALARM)
            continue;
        script->ranks[event.rank].last = outcome;
        if (outcome == MPI_OUTCOME_DONE || outcome == MPI_OUTCOME_UPCALL)
            script_resume(script, event.rank);
    }
    /* The observer must have been told the same times of overhead and blocking as the statistics have. */
    for (uint32_t i = 0; i < script->n; i++) {
        const MpiRankStats *stats = mpi_world_stats(script->world, i);
        if (!script->ranks[i].ended || script->unobserved)
            continue;
        cr_assert_eq(script->ranks[i].told[MPI_ACTIVITY_OVERHEAD], stats->overhead_ps);
        cr_assert_eq(script->ranks[i].told[MPI_ACTIVITY_BLOCKED], stats->blocked_ps);
    }
}
static inline void script_run(Script *script)
{
    script_start(script);
    script_go(script);
}

static inline const char *script_fault(Script *script, uint32_t rank)
{
    cr_assert_eq(script->ranks[rank].last, MPI_OUTCOME_FAULT);
    return vm_rank_fault_info(script->ranks[rank].vm)->reason;
}

static inline void script_close(Script *script)
{
    mpi_world_free(script->world);
    vm_world_free(script->vm);
    base_queue_free(script->queue);
    g_free(script->externs);
    for (uint32_t i = 0; i < script->n; i++) {
        vm_image_unref(script->ranks[i].image);
        g_array_free(script->ranks[i].results, TRUE);
    }
    g_array_free(script->messages, TRUE);
}

#endif
