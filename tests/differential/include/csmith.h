/* csmith.h - the small library that programs made by csmith lean on, written anew for Orrery's tests.
 *
 * csmith's programs include a header of this name and expect from it operators that never have undefined behaviour
 * (safe_add_func_int32_t_s_s and so on: operation, result type, s or u for each operand) and a checksum over their
 * global variables. The names are csmith's interface; what the functions answer where the plain operator would be
 * undefined is ours: the first operand. Both compilers see this header, so nothing hangs on the choice.
 */
#ifndef ORRERY_TEST_CSMITH_H
#define ORRERY_TEST_CSMITH_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* -- integers --------------------------------------------------------------------------------------------------- */

/* Signed: the exact result is computed by unsigned arithmetic and refused where it does not fit. */
#define SIGNED_OPERATORS(type, unsigned_type, least, greatest)                                                         \
    static inline type safe_unary_minus_func_##type##_s(type a)                                                        \
    {                                                                                                                  \
        return a == least ? a : (type)-a;                                                                              \
    }                                                                                                                  \
    static inline type safe_add_func_##type##_s_s(type a, type b)                                                      \
    {                                                                                                                  \
        int too_big = b > 0 && a > greatest - b, too_small = b < 0 && a < least - b;                                   \
        return too_big || too_small ? a : (type)(a + b);                                                               \
    }                                                                                                                  \
    static inline type safe_sub_func_##type##_s_s(type a, type b)                                                      \
    {                                                                                                                  \
        int too_big = b < 0 && a > greatest + b, too_small = b > 0 && a < least + b;                                   \
        return too_big || too_small ? a : (type)(a - b);                                                               \
    }                                                                                                                  \
    static inline type safe_mul_func_##type##_s_s(type a, type b)                                                      \
    {                                                                                                                  \
        int fits = a == 0 || b == 0 ||                                                                                 \
                   (a > 0 ? (b > 0 ? a <= greatest / b : b >= least / a)                                               \
                          : (b > 0 ? a >= least / b : a >= greatest / b && b >= greatest / a));                        \
        return fits ? (type)((unsigned_type)a * (unsigned long long)(unsigned_type)b) : a;                             \
    }                                                                                                                  \
    static inline type safe_div_func_##type##_s_s(type a, type b)                                                      \
    {                                                                                                                  \
        return b == 0 || (a == least && b == -1) ? a : (type)(a / b);                                                  \
    }                                                                                                                  \
    static inline type safe_mod_func_##type##_s_s(type a, type b)                                                      \
    {                                                                                                                  \
        return b == 0 || (a == least && b == -1) ? a : (type)(a % b);                                                  \
    }                                                                                                                  \
    static inline type safe_lshift_func_##type##_s_s(type a, int n)                                                    \
    {                                                                                                                  \
        return a < 0 || n < 0 || n >= (int)(sizeof a * 8) || a > (greatest >> n) ? a : (type)(a << n);                 \
    }                                                                                                                  \
    static inline type safe_lshift_func_##type##_s_u(type a, unsigned n)                                               \
    {                                                                                                                  \
        return a < 0 || n >= sizeof a * 8 || a > (greatest >> n) ? a : (type)(a << n);                                 \
    }                                                                                                                  \
    static inline type safe_rshift_func_##type##_s_s(type a, int n)                                                    \
    {                                                                                                                  \
        return a < 0 || n < 0 || n >= (int)(sizeof a * 8) ? a : (type)(a >> n);                                        \
    }                                                                                                                  \
    static inline type safe_rshift_func_##type##_s_u(type a, unsigned n)                                               \
    {                                                                                                                  \
        return a < 0 || n >= sizeof a * 8 ? a : (type)(a >> n);                                                        \
    }

#define UNSIGNED_OPERATORS(type, greatest)                                                                             \
    static inline type safe_unary_minus_func_##type##_u(type a)                                                        \
    {                                                                                                                  \
        return (type)-a;                                                                                               \
    }                                                                                                                  \
    static inline type safe_add_func_##type##_u_u(type a, type b)                                                      \
    {                                                                                                                  \
        return (type)(a + b);                                                                                          \
    }                                                                                                                  \
    static inline type safe_sub_func_##type##_u_u(type a, type b)                                                      \
    {                                                                                                                  \
        return (type)(a - b);                                                                                          \
    }                                                                                                                  \
    static inline type safe_mul_func_##type##_u_u(type a, type b)                                                      \
    {                                                                                                                  \
        return (type)((unsigned long long)a * b);                                                                      \
    }                                                                                                                  \
    static inline type safe_div_func_##type##_u_u(type a, type b)                                                      \
    {                                                                                                                  \
        return b == 0 ? a : (type)(a / b);                                                                             \
    }                                                                                                                  \
    static inline type safe_mod_func_##type##_u_u(type a, type b)                                                      \
    {                                                                                                                  \
        return b == 0 ? a : (type)(a % b);                                                                             \
    }                                                                                                                  \
    static inline type safe_lshift_func_##type##_u_s(type a, int n)                                                    \
    {                                                                                                                  \
        return n < 0 || n >= (int)(sizeof a * 8) || a > (greatest >> n) ? a : (type)(a << n);                          \
    }                                                                                                                  \
    static inline type safe_lshift_func_##type##_u_u(type a, unsigned n)                                               \
    {                                                                                                                  \
        return n >= sizeof a * 8 || a > (greatest >> n) ? a : (type)(a << n);                                          \
    }                                                                                                                  \
    static inline type safe_rshift_func_##type##_u_s(type a, int n)                                                    \
    {                                                                                                                  \
        return n < 0 || n >= (int)(sizeof a * 8) ? a : (type)(a >> n);                                                 \
    }                                                                                                                  \
    static inline type safe_rshift_func_##type##_u_u(type a, unsigned n)                                               \
    {                                                                                                                  \
        return n >= sizeof a * 8 ? a : (type)(a >> n);                                                                 \
    }

SIGNED_OPERATORS(int8_t, uint8_t, INT8_MIN, INT8_MAX)
SIGNED_OPERATORS(int16_t, uint16_t, INT16_MIN, INT16_MAX)
SIGNED_OPERATORS(int32_t, uint32_t, INT32_MIN, INT32_MAX)
SIGNED_OPERATORS(int64_t, uint64_t, INT64_MIN, INT64_MAX)
UNSIGNED_OPERATORS(uint8_t, UINT8_MAX)
UNSIGNED_OPERATORS(uint16_t, UINT16_MAX)
UNSIGNED_OPERATORS(uint32_t, UINT32_MAX)
UNSIGNED_OPERATORS(uint64_t, UINT64_MAX)

/* -- floating point: the result, or the first operand where it is not finite ------------------------------------ */

#define FLOATING_OPERATOR(name, type, operator)                                                                        \
    static inline type safe_##name##_func_##type##_f_f(type a, type b)                                                 \
    {                                                                                                                  \
        type result = a operator b;                                                                                    \
        return isfinite(result) ? result : a;                                                                          \
    }
FLOATING_OPERATOR(add, float, +)
FLOATING_OPERATOR(sub, float, -)
FLOATING_OPERATOR(mul, float, *)
FLOATING_OPERATOR(div, float, /)
FLOATING_OPERATOR(add, double, +)
FLOATING_OPERATOR(sub, double, -)
FLOATING_OPERATOR(mul, double, *)
FLOATING_OPERATOR(div, double, /)

static inline int32_t safe_convert_func_float_to_int32_t(float a)
{
    return a > -2147483648.0f && a < 2147483648.0f ? (int32_t)a : INT32_MAX;
}

/* -- checksum ----------------------------------------------------------------------------------------------------- */

static uint32_t crc32_table[256];
static uint32_t crc32_context = 0xffffffffu;

static inline void crc32_gentab(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t remainder = byte;
        for (int bit = 0; bit < 8; bit++)
            remainder = remainder & 1 ? remainder >> 1 ^ 0xedb88320u : remainder >> 1;
        crc32_table[byte] = remainder;
    }
}

static inline void crc32_add(const volatile unsigned char *bytes, int n)
{
    for (int i = 0; i < n; i++)
        crc32_context = crc32_context >> 8 ^ crc32_table[(crc32_context ^ bytes[i]) & 0xff];
}

static inline void crc32_show(const char *name, int flag)
{
    if (flag)
        printf("after %s: %08X\n", name, crc32_context ^ 0xffffffffu);
}

static inline void transparent_crc(uint64_t value, const char *name, int flag)
{
    crc32_add((const volatile unsigned char *)&value, sizeof value);
    crc32_show(name, flag);
}

static inline void transparent_crc_bytes(const volatile void *bytes, int n, const char *name, int flag)
{
    crc32_add((const volatile unsigned char *)bytes, n);
    crc32_show(name, flag);
}

static inline void platform_main_begin(void) {}

static inline void platform_main_end(uint32_t crc, int flag)
{
    (void)flag;
    printf("checksum = %08X\n", crc);
}

#endif
