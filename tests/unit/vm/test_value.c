/* test_value.c - values of programs with wrong debug information: whatever types and locations a module claims,
 * printing ends soon and stays within bounds. (Transcripts of the debugger show correct programs.)
 */
#include "vm/value.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct Stand {
    VcodeModule *module;
    VmImage *image;
    VmWorld *world;
    VmRank *rank;
} Stand;

/* Makes a program of one function that never ran. The test adds the types. */
static void stand_open(Stand *stand)
{
    VcodeModule *m = stand->module = vcode_module_new(VCODE_PROGRAM);
    m->data_base = 2 * VCODE_RODATA_BASE;
    m->entry = 0;
    uint32_t name = vcode_string(m, "main");
    *vcode_push(m, functions) = (VcodeFunction){name, 0, 1, 4, 0, 0, VCODE_NONE, 0, VCODE_NONE};
    *vcode_push(m, code) = vcode_pack(VCODE_RET, 0, 0, 0, 0);
}

static void stand_start(Stand *stand)
{
    GError *error = NULL;
    stand->image = vm_image_new(stand->module, NULL, 0, NULL, &error);
    cr_assert(stand->image, "%s", error ? error->message : "");
    stand->world = vm_world_new(1, NULL, NULL, NULL);
    cr_assert(vm_world_start(stand->world, 0, stand->image, NULL, NULL, UINT64_C(500) << 32, NULL));
    stand->rank = vm_world_rank(stand->world, 0);
}

static void stand_close(Stand *stand)
{
    vm_world_free(stand->world);
    vm_image_unref(stand->image);
}

static uint32_t add_type(Stand *stand, VcodeTypeKind kind, uint64_t size, uint32_t target, uint32_t first,
                         uint32_t count)
{
    uint32_t name = vcode_string(stand->module, "");
    *vcode_push(stand->module, types) = (VcodeType){kind, name, size, target, first, count, 0};
    return stand->module->types.count - 1;
}

Test(value, pointer_to_itself)
{
    Stand stand;
    stand_open(&stand);
    uint32_t pointer = add_type(&stand, VCODE_TYPE_POINTER, 8, 0, 0, 0);
    stand_start(&stand);
    g_autoptr(GString) out = g_string_new(NULL);
    vm_type_format(stand.module, pointer, out);
    cr_assert(g_str_has_prefix(out->str, "..."), "%s", out->str);
    cr_assert_lt(out->len, 200);
    stand_close(&stand);
}

/* 300 members of a structure of 300 members of ...: printing all of it would not end. */
Test(value, structures_of_structures, .timeout = 20)
{
    enum { MEMBERS = 300, LEVELS = 5 };
    Stand stand;
    stand_open(&stand);
    uint32_t inner = add_type(&stand, VCODE_TYPE_SIGNED, 4, VCODE_NONE, 0, 0);
    for (uint32_t level = 0; level < LEVELS; level++) {
        uint32_t first = stand.module->members.count, name = vcode_string(stand.module, "m");
        for (uint32_t i = 0; i < MEMBERS; i++)
            *vcode_push(stand.module, members) = (VcodeMember){name, inner, 0, 0, 0, 0, 0};
        inner = add_type(&stand, VCODE_TYPE_STRUCT, 4, VCODE_NONE, first, MEMBERS);
    }
    stand_start(&stand);
    g_autoptr(GString) out = g_string_new(NULL);
    VmValue value = {.type = inner, .in_memory = true, .bits = stand.module->data_base};
    vm_value_format(stand.rank, &value, out);
    cr_assert(g_str_has_suffix(out->str, ", ...}"));
    cr_assert_lt(out->len, 100000);
    stand_close(&stand);
}

/* A variable of 2^60 bytes without a location. */
Test(value, huge_and_optimised_out, .timeout = 20)
{
    Stand stand;
    stand_open(&stand);
    uint32_t type = add_type(&stand, VCODE_TYPE_STRUCT, UINT64_C(1) << 60, VCODE_NONE, 0, 0);
    VcodeVariable variable = {.type = type, .location = VCODE_AT_PLACES, .pc_high = 1, .inlined = VCODE_NONE};
    *vcode_push(stand.module, variables) = variable;
    stand_start(&stand);
    g_autoptr(GString) out = g_string_new(NULL);
    VmFrame frame = vm_rank_frame(stand.rank, 0);
    VmValue value = vm_variable_value(&stand.module->variables.items[0], &frame);
    vm_value_format(stand.rank, &value, out);
    cr_assert_str_eq(out->str, "<optimized out>");
    stand_close(&stand);
}
