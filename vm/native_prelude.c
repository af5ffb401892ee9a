/* native_prelude.c - what every printed unit begins with: types, the state, and what instructions compute.
 *
 * Made from the same rows that the interpreter is compiled from (arithmetic.def) and from the struct that the simulator
 * uses (native_state.h), turned into text by the preprocessor.
 */
#include "vm/native_print.h"
#include "vm/native_state.h"

#define TEXT(...)    #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)

static const char prelude[] =
    "/* made from vCode by Orrery */\n"
    "typedef __INT8_TYPE__ int8_t; typedef __INT16_TYPE__ int16_t; typedef __INT32_TYPE__ int32_t; typedef "
    "__INT64_TYPE__ int64_t;\n"
    "typedef __UINT8_TYPE__ uint8_t; typedef __UINT16_TYPE__ uint16_t; typedef __UINT32_TYPE__ uint32_t; typedef "
    "__UINT64_TYPE__ uint64_t;\n"
    "#define UINT64(x) ((uint64_t)(x))\n"
    "#define LIKELY(x) __builtin_expect(!!(x), 1)\n"
    "#define UNLIKELY(x) __builtin_expect(!!(x), 0)\n"
    "/* memory of the program: any alignment, any type over any other */\n"
    "#define MEMORY(name, type) typedef type __attribute__((may_alias, aligned(1))) name;\n"
    "MEMORY(m_s8, int8_t) MEMORY(m_u8, uint8_t) MEMORY(m_s16, int16_t) MEMORY(m_u16, uint16_t) MEMORY(m_s32, int32_t)\n"
    "MEMORY(m_u32, uint32_t) MEMORY(m_u64, uint64_t) MEMORY(m_double, double) MEMORY(m_float, float)\n"
    "/* a rank has 64 KiB at least; only larger blocks can be larger than all that it has */\n"
    "#define PRIVATE(address, more) (((more) <= 0x8000 || (more) < limit) && UINT64(address) - LOW < limit - (more))\n"
    "#define CONSTANT(address, more) (CONSTANTS > (more) && UINT64(address) - CONSTANTS_BASE < CONSTANTS - (more))\n"
    "#define SP_IS_OWN(x, bytes) ((x) % 16 == 0 && (x) >= k->stack_low && (x) <= entry_sp - (bytes))\n"
    "#define TOO_DEEP() (R > k->register_limit || (char *)__builtin_frame_address(0) < k->stack_limit)\n"
    "#define GONE (-9223372036854775807 - 1)\n" TEXT_OF(VM_NATIVE_STATE()) "\n"
                                                                           "static const Outcome gone = {0, GONE};\n"
#define HELPER(...)                       #__VA_ARGS__ "\n"
#define BINARY(name, A, B, C, expression) "#define " #name "(b, c) (" #expression ")\n"
#define UNARY(name, A, B, expression)     "#define " #name "(b) (" #expression ")\n"
#define IMMEDIATE(name, expression)       "#define " #name "(b, imm) ((uint64_t)(" #expression "))\n"
#define DIVISION(name, by_zero, overflow, remainder, expression)                                                       \
    "#define " #name "(b, c) (" #expression ")\n"                                                                      \
    "#define REFUSES_" #name "(b, c) ((" #by_zero ") || (" #overflow "))\n"
#define CONDITION(name, B, expression)        "#define " #name "(a, b) (" #expression ")\n"
#define CONDITION_IMMEDIATE(name, expression) "#define " #name "(a, imm) (" #expression ")\n"
#include "vcode/arithmetic.def"
    ;

const char *vm_native_prelude(void)
{
    return prelude;
}
