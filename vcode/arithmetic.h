/* arithmetic.h - the rows of arithmetic.def as inline functions on register contents.
 *
 *   vcode_do_ADD_D(b, c)         returns the result register for two operand registers
 *   vcode_do_ADDI_L(b, imm)      returns the result register for a register and an immediate
 *   vcode_do_BLT_D(a, b)         returns whether the branch is taken
 *   vcode_do_DIV_W(b, c)         returns the quotient; undefined if the division has no result
 *   vcode_refuses_DIV_W(b, c)    returns why the division has no result, or VCODE_DIVIDES
 *
 * A register holds an integer in canonical form (signed types sign-extended, unsigned ones zero-extended), a double as
 * its bits, and a float as its bits in the low half, with 32 zeros above.
 */
#ifndef ORRERY_VCODE_ARITHMETIC_H
#define ORRERY_VCODE_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#define HELPER(...) __VA_ARGS__
#include "vcode/arithmetic.def"

typedef uint64_t VcodeOperandI;
typedef double VcodeOperandD;
typedef float VcodeOperandF;
#define VCODE_AS_I(x)   (x)
#define VCODE_AS_D(x)   as_double(x)
#define VCODE_AS_F(x)   as_float(x)
#define VCODE_FROM_I(x) ((uint64_t)(x))
#define VCODE_FROM_D(x) from_double(x)
#define VCODE_FROM_F(x) from_float(x)

/* Whether a division has a result, and why not. */
typedef enum VcodeRefusal { VCODE_DIVIDES, VCODE_BY_ZERO, VCODE_OVERFLOW } VcodeRefusal;

#define BINARY(name, A, B, C, expression)                                                                              \
    static inline uint64_t vcode_do_##name(uint64_t b_register, uint64_t c_register)                                   \
    {                                                                                                                  \
        VcodeOperand##B b = VCODE_AS_##B(b_register);                                                                  \
        VcodeOperand##C c = VCODE_AS_##C(c_register);                                                                  \
        return VCODE_FROM_##A(expression);                                                                             \
    }
#define UNARY(name, A, B, expression)                                                                                  \
    static inline uint64_t vcode_do_##name(uint64_t b_register)                                                        \
    {                                                                                                                  \
        VcodeOperand##B b = VCODE_AS_##B(b_register);                                                                  \
        return VCODE_FROM_##A(expression);                                                                             \
    }
#define IMMEDIATE(name, expression)                                                                                    \
    static inline uint64_t vcode_do_##name(uint64_t b, int64_t imm)                                                    \
    {                                                                                                                  \
        return (uint64_t)(expression);                                                                                 \
    }
#define DIVISION(name, by_zero, overflow, expression)                                                                  \
    static inline VcodeRefusal vcode_refuses_##name(uint64_t b, uint64_t c)                                            \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return (by_zero) ? VCODE_BY_ZERO : (overflow) ? VCODE_OVERFLOW : VCODE_DIVIDES;                                \
    }                                                                                                                  \
    static inline uint64_t vcode_do_##name(uint64_t b, uint64_t c)                                                     \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
#define CONDITION(name, B, expression)                                                                                 \
    static inline bool vcode_do_##name(uint64_t a_register, uint64_t b_register)                                       \
    {                                                                                                                  \
        VcodeOperand##B a = VCODE_AS_##B(a_register), b = VCODE_AS_##B(b_register);                                    \
        return expression;                                                                                             \
    }
#define CONDITION_IMMEDIATE(name, expression)                                                                          \
    static inline bool vcode_do_##name(uint64_t a, int64_t imm)                                                        \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
#include "vcode/arithmetic.def"

#endif
