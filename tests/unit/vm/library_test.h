/* library_test.h - calls host functions of the simulated C library directly, on a world of one rank.
 *
 *     Bench bench;
 *     bench_open(&bench, NULL);
 *     uint64_t text = bench_string(&bench, "abc");
 *     cr_assert_eq(bench_call(&bench, "strlen", 1, text), 3);
 *
 * bench.output collects what the rank writes to stdout and stderr; bench.input is its stdin.
 */
#ifndef ORRERY_TEST_LIBRARY_TEST_H
#define ORRERY_TEST_LIBRARY_TEST_H

#include "vm/library/calls.h"

#include <criterion/criterion.h>
#include <stdarg.h>

typedef struct Bench {
    VmImage *image;
    VmWorld *world;
    VmRank *rank;
    VmBinding binding;
    VmCallResult result; /* of the last call */
    GString *output;     /* "1:..." and "2:..." for each write */
    GString *input;
} Bench;

static inline void bench_write(void *user, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size)
{
    (void)rank, (void)time_ps;
    Bench *bench = user;
    g_string_append_printf(bench->output, "%d:", stream);
    g_string_append_len(bench->output, bytes, (gssize)size);
}

static inline size_t bench_read(void *user, uint32_t rank, char *bytes, size_t size)
{
    (void)rank;
    Bench *bench = user;
    size = MIN(size, bench->input->len);
    memcpy(bytes, bench->input->str, size);
    g_string_erase(bench->input, 0, (gssize)size);
    return size;
}

static inline const char *bench_hostname(void *user, uint32_t rank)
{
    (void)user, (void)rank;
    return "node-7";
}

/* Makes a rank whose program is a single return instruction. The tests call library functions on its behalf. */
static inline void bench_open(Bench *bench, const VmLimits *limits)
{
    memset(bench, 0, sizeof *bench);
    bench->output = g_string_new(NULL);
    bench->input = g_string_new(NULL);
    VcodeModule *module = vcode_module_new(VCODE_PROGRAM);
    VcodeFunction *function = vcode_push(module, functions);
    *function = (VcodeFunction){.name = vcode_string(module, "_start"),
                                .code_count = 1,
                                .registers = 4,
                                .parameters = 3,
                                .file = VCODE_NONE,
                                .return_type = VCODE_NONE};
    *vcode_push(module, code) = vcode_pack(VCODE_RETV, 0, 0, 0, 0);
    module->entry = 0;
    module->data_base = VCODE_RODATA_BASE + 0x10000;
    module->bss_bytes = 4096;
    GError *error = NULL;
    bench->image = vm_image_new(module, NULL, 0, NULL, &error);
    cr_assert(bench->image, "%s", error ? error->message : "");
    VmLimits defaults;
    vm_world_limits_default(&defaults);
    VmHost host = {.user = bench, .write = bench_write, .read = bench_read, .hostname = bench_hostname};
    bench->world = vm_world_new(1, limits ? limits : &defaults, &host, &error);
    cr_assert(bench->world, "%s", error ? error->message : "");
    cr_assert(vm_world_start(bench->world, 0, bench->image, NULL, NULL, UINT64_C(500) << 32, &error));
    bench->rank = vm_world_rank(bench->world, 0);
}

static inline void bench_close(Bench *bench)
{
    vm_world_free(bench->world);
    vm_image_unref(bench->image);
    g_string_free(bench->output, TRUE);
    g_string_free(bench->input, TRUE);
}

static inline const VmExtern *bench_find(const char *name)
{
    size_t count;
    const VmExtern *externs = vm_library(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(externs[i].name, name) == 0)
            return &externs[i];
    cr_assert_fail("the library has no %s", name);
    return NULL;
}

/* Calls a function with the given register window. bench->result says how the call ended. */
static inline uint64_t bench_call_window(Bench *bench, const char *name, uint64_t *window, unsigned n)
{
    const VmExtern *function = bench_find(name);
    bench->binding = (VmBinding){.function = function};
    bench->rank->binding = &bench->binding;
    bench->result = function->function(bench->rank, window, n, function->user);
    if (bench->result == VM_CALL_AGAIN) { /* a request for its turn, which the only rank always has */
        VmRank *rank = bench->rank;
        rank->request_capacity = MAX(rank->request_capacity, 1);
        rank->requests = g_renew(VmOpenRequest, rank->requests, rank->request_capacity);
        rank->requests[0] = (VmOpenRequest){.binding = &bench->binding};
        rank->request_count = 1;
        rank->in_order = true;
        bench->result = function->function(rank, window, n, function->user);
        rank->in_order = false;
        rank->request_count = 0;
    }
    return window[0];
}

/* Calls a function with `n` uint64_t arguments. It must not fault. */
static inline uint64_t bench_call(Bench *bench, const char *name, int n, ...)
{
    uint64_t window[16] = {0};
    va_list list;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        window[i] = va_arg(list, uint64_t);
    va_end(list);
    uint64_t value = bench_call_window(bench, name, window, (unsigned)n);
    cr_assert_eq(bench->result, VM_CALL_DONE, "%s: %s", name,
                 bench->result == VM_CALL_FAULT ? vm_rank_fault_info(bench->rank)->reason : "did not return");
    return value;
}

static inline uint64_t bench_bytes(Bench *bench, const void *bytes, size_t size)
{
    uint64_t address = vm_library_malloc(bench->rank, size);
    cr_assert(address);
    memcpy(vm_rank_write(bench->rank, address, size), bytes, size);
    return address;
}

static inline uint64_t bench_string(Bench *bench, const char *text)
{
    return bench_bytes(bench, text, strlen(text) + 1);
}

static inline const char *bench_text(Bench *bench, uint64_t address)
{
    const char *text = vm_rank_string(bench->rank, address);
    cr_assert(text);
    return text;
}

static inline int bench_errno(Bench *bench)
{
    return vm_library_errno(bench->rank);
}

static inline uint64_t bench_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Checks that the last call has faulted with a reason that contains `part`. */
#define bench_assert_fault(bench, fault_kind, part)                                                                    \
    do {                                                                                                               \
        cr_assert_eq((bench)->result, VM_CALL_FAULT);                                                                  \
        const VmFault *fault_ = vm_rank_fault_info((bench)->rank);                                                     \
        cr_assert_eq(fault_->kind, (fault_kind), "kind %d: %s", fault_->kind, fault_->reason);                         \
        cr_assert(strstr(fault_->reason, (part)), "%s", fault_->reason);                                               \
    } while (0)

#endif
