/* prelude.c - what every printed unit begins with: types, the state, and what instructions compute.
 *
 * Made from the same rows that the interpreter is compiled from (arithmetic.def) and from the struct that the simulator
 * uses (prelude.h), turned into text by the preprocessor.
 */
#include "vm/prelude/prelude.h"

#define TEXT(...)    #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)

/* Vectors of 16 bytes, for loops over elements. What becomes of NaNs is as with single ones (arithmetic.def). */
#define LANES(helper, type, instruction, symbol)                                                                       \
    "static inline " #type " LANES_" #helper "(" #type " b, " #type " c)\n"                                            \
    "#ifdef __x86_64__\n"                                                                                              \
    "{ __asm__(\"" #instruction " %1, %0\" : \"+x\"(b) : \"x\"(c)); return b; }\n"                                     \
    "#else\n"                                                                                                          \
    "{ return b " #symbol " c; }\n"                                                                                    \
    "#endif\n"
static const char lanes[] =
    "typedef double lanes_d __attribute__((vector_size(16))); typedef float lanes_f __attribute__((vector_size(16)));\n"
    "typedef uint64_t bits_d __attribute__((vector_size(16)));\n"
    "typedef uint32_t bits_f __attribute__((vector_size(16)));\n"
    "typedef lanes_d __attribute__((may_alias, aligned(1))) m_lanes_d;\n"
    "typedef lanes_f __attribute__((may_alias, aligned(1))) m_lanes_f;\n"
    "#define SPREAD_d(x) ({ double s = (x); (lanes_d){s, s}; })\n"
    "#define SPREAD_f(x) ({ float s = (x); (lanes_f){s, s, s, s}; })\n"
    "#define LANES_NEG_D(b) ((lanes_d)((bits_d)b ^ UINT64(1) << 63))\n"
    "#define LANES_ABS_D(b) ((lanes_d)((bits_d)b & ~UINT64(0) >> 1))\n"
    "#define LANES_NEG_F(b) ((lanes_f)((bits_f)b ^ 0x80000000u))\n"
    "/* whether blocks of so many bytes have nothing in common; or what is read, before, is not behind */\n"
    "#define APART(a, b, bytes) (UINT64((a) - (b)) >= UINT64(bytes) && UINT64((b) - (a)) >= UINT64(bytes))\n"
    "#define READ_AHEAD(a, b, bytes) (UINT64((b) - (a)) <= UINT64(FAR) || UINT64((a) - (b)) >= UINT64(bytes))\n" LANES(
        add_d, lanes_d, addpd, +) LANES(sub_d, lanes_d, subpd, -) LANES(mul_d, lanes_d, mulpd, *)
        LANES(div_d, lanes_d, divpd, /) LANES(add_f, lanes_f, addps, +) LANES(sub_f, lanes_f, subps, -)
            LANES(mul_f, lanes_f, mulps, *) LANES(div_f, lanes_f, divps, /);

const char *vm_prelude_lanes(void)
{
    return lanes;
}

static const char prelude[] =
    "/* made from vCode by Orrery */\n"
    "typedef __INT8_TYPE__ int8_t; typedef __INT16_TYPE__ int16_t; typedef __INT32_TYPE__ int32_t; typedef "
    "__INT64_TYPE__ int64_t;\n"
    "typedef __UINT8_TYPE__ uint8_t; typedef __UINT16_TYPE__ uint16_t; typedef __UINT32_TYPE__ uint32_t; typedef "
    "__UINT64_TYPE__ uint64_t;\n"
    "#ifdef __clang__\n"
    "#define OPERAND \"x\"\n"
    "#else\n"
    "#define OPERAND \"xm\"\n"
    "#endif\n"
    "#define UINT64(x) ((uint64_t)(x))\n"
    "#ifdef OPAQUE /* constants that C compilers shall not compute with: they would round to nearest */\n"
    "#undef OPAQUE\n"
    "static inline uint64_t OPAQUE(uint64_t x) { __asm__(\"\" : \"+r\"(x)); return x; }\n"
    "#else\n"
    "#define OPAQUE(x) (x)\n"
    "#endif\n"
    "#define LIKELY(x) __builtin_expect(!!(x), 1)\n"
    "#ifndef UNLIKELY\n"
    "#define UNLIKELY(x) __builtin_expect(!!(x), 0)\n"
    "#endif\n"
    "/* memory of the program: any alignment, any type over any other */\n"
    "#define MEMORY(name, type) typedef type __attribute__((may_alias, aligned(1))) name;\n"
    "MEMORY(m_u8, uint8_t) MEMORY(m_u16, uint16_t)\n"
    "MEMORY(m_u32, uint32_t) MEMORY(m_u64, uint64_t) MEMORY(m_double, double) MEMORY(m_float, float)\n"
    "/* a rank has 64 KiB at least; only larger blocks can be larger than all that it has */\n"
    "#define PRIVATE(address, more) (((more) <= 0x8000 || (more) < limit) && UINT64(address) - LOW < limit - (more))\n"
    "#define CONSTANT(address, bytes) (CONSTANT_BYTES >= (bytes) && UINT64(address) - CONSTANTS_BASE <= CONSTANT_BYTES "
    "- (bytes))\n"
    "/* how far 8 bytes that begin behind the frame's beginning can be accessed */\n"
    "#define BEHIND(frame) (entry_sp - (frame) - LOW < limit ? limit - (entry_sp - (frame) - LOW) : 0)\n"
    "/* whether [address, address + bytes) is private */\n"
    "#define WALKS(address, bytes) (UINT64(bytes) <= limit + 7 && UINT64(address) - LOW <= limit + 7 - UINT64(bytes))\n"
    "/* whether a loop's constant length is paid within few cycles: then it is run as a whole or not at all */\n"
    "#define IS_SHORT(all, cost) (__builtin_constant_p(all) && (all) * (cost) <= 0x100000)\n"
    "#define SP_IS_OWN(x, bytes) ((x) % 16 == 0 && (x) >= k->stack_low && (x) <= entry_sp - (bytes))\n"
    "#define NO_ROOM() (R + MORE_ROOM > k->register_limit)\n"
    "#define TOO_DEEP() (NO_ROOM() || (char *)__builtin_frame_address(0) < k->stack_limit)\n"
    "#define CALLEE(at) k->functions[at]\n"
    "#define SHAPE_OF(at) __atomic_load_n(&CALLEE(at).shape, __ATOMIC_ACQUIRE)\n"
    "#define GONE (-9223372036854775807 - 1)\n"
    "#define INWARD __builtin_expect(k->inward != 0, 0)\n"
    "#define HAS_LEFT(fuel) __builtin_expect((fuel) < -0x7fffffff, 0)\n"
    "#define COLD static __attribute__((noinline, cold))\n" TEXT_OF(
        VM_NATIVE_STATE()) "\n"
                           "static const Outcome gone = {0, GONE};\n"
                           "#define MOST_TRIPS 0x7fffffff\n"
                           "#define FAR ((int64_t)1 << 62)\n"
                           "/* how many of v, v + step, ... are less than (or equal to) bound, the rest being not; -1: "
                           "do not ask */\n"
                           "static inline int64_t trips(int64_t v, int64_t bound, int64_t step, int equal)\n"
                           "{ if (v > FAR || v < -FAR || bound > FAR || bound < -FAR) return -1;\n"
                           "  return v > bound - !equal ? 0 : (bound - v + equal + step - 1) / step; }\n"
                           "static inline int64_t trips_near(int64_t v, int64_t bound, int64_t step, int equal)\n"
                           "{ return v > bound - !equal ? 0 : (bound - v + equal + step - 1) / step; }\n"
                           "static inline int64_t trips_unsigned(int64_t v, int64_t bound, int64_t step, int equal)\n"
                           "{ return v < 0 || bound < 0 ? -1 : trips(v, bound, step, equal); }\n"
                           "static inline int64_t trips_unequal(int64_t v, int64_t bound, int64_t step)\n"
                           "{ if (v > FAR || v < -FAR || bound > FAR || bound < -FAR) return -1;\n"
                           "  return (bound - v) % step || (bound - v) / step < 0 ? -1 : (bound - v) / step; }\n"
                           "/* whether first, first + step, ... (n of them) are 32-bit integers */\n"
                           "static inline int fits(int64_t first, int64_t step, int64_t n)\n"
                           "{ if (step > MOST_TRIPS || step < -MOST_TRIPS) return 0;\n"
                           "  int64_t last = first + step * (n - 1); return first == (int32_t)first && last == "
                           "(int32_t)last; }\n"
                           "static inline int fits_unsigned(int64_t first, int64_t step, int64_t n)\n"
                           "{ if (step > MOST_TRIPS || step < -MOST_TRIPS) return 0;\n"
                           "  int64_t last = first + step * (n - 1); return first == (uint32_t)first && last == "
                           "(uint32_t)last; }\n"
                           "/* whether [at, at + size), [at + step, ...), ... (n of them) lie in the private interval, "
                           "counted from its low end */\n"
                           "static inline int reaches(uint64_t at, int64_t step, int64_t n, uint64_t size, uint64_t "
                           "limit)\n"
                           "{ if (step > MOST_TRIPS || step < -MOST_TRIPS) return 0;\n"
                           "  uint64_t way = (uint64_t)(step * (n - 1)), low = step < 0 ? at + way : at, width = (step "
                           "< 0 ? -way : way) + size;\n"
                           "  return low <= limit + 7 && width <= limit + 7 - low; }\n"
                           "/* whether none of them has a byte of [place, place + bytes) */\n"
                           "static inline int misses(uint64_t at, int64_t step, int64_t n, uint64_t size, uint64_t "
                           "place, uint64_t bytes)\n"
                           "{ if (step > MOST_TRIPS || step < -MOST_TRIPS) return 0;\n"
                           "  uint64_t way = (uint64_t)(step * (n - 1)), low = step < 0 ? at + way : at, width = (step "
                           "< 0 ? -way : way) + size;\n"
                           "  return place - low >= width && low - place >= bytes; }\n"
#define HELPER(...)                       #__VA_ARGS__ "\n"
#define BINARY(name, A, B, C, expression) "#define " #name "(b, c) (" #expression ")\n"
/* PLAIN: where one operand at least is no NaN, as C compilers like it best. LANES: of vectors. */
#define ORDERED(name, A, symbol, helper)                                                                               \
    "#define " #name "(b, c) " #helper "(b, c)\n"                                                                      \
    "#define PLAIN_" #name "(b, c) (b " #symbol " c)\n"                                                                \
    "#define LANES_" #name "(b, c) LANES_" #helper "(b, c)\n"
#define UNARY(name, A, B, expression) "#define " #name "(b) (" #expression ")\n"
#define IMMEDIATE(name, expression)   "#define " #name "(b, imm) ((uint64_t)(" #expression "))\n"
#define DIVISION(name, by_zero, overflow, expression)                                                                  \
    "#define " #name "(b, c) (" #expression ")\n"                                                                      \
    "#define REFUSES_" #name "(b, c) ((" #by_zero ") || (" #overflow "))\n"
#define CONDITION(name, B, expression)        "#define " #name "(a, b) (" #expression ")\n"
#define CONDITION_IMMEDIATE(name, expression) "#define " #name "(a, imm) (" #expression ")\n"
#include "vcode/arithmetic.def"
    ;

const char *vm_prelude(void)
{
    return prelude;
}
