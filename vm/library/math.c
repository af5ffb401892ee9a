/* math.c - <math.h> (C11 7.12) for double, float and long double, which is double here.
 *
 * The results are those of the host's libm. That is allowed: the same simulator on the same machine gives the same
 * result every time, and a program prints the same here as natively. (Between hosts with different libms the last bit
 * of a transcendental function may differ, as it does for native programs.) sqrt, fma, fabs, rounding and remainders
 * are exact. Rounding is always to nearest. errno is set as the host's libm sets it (glibc: domain and range errors).
 *
 * Each name is declared once below by its shape. The macros make the double, float (f) and long double (l) functions.
 */
#include "vm/library/calls.h"

#include <math.h>

/* Passes the errno of the host function just called on to the program. */
static void pass_errno(VmRank *rank)
{
    if (G_UNLIKELY(errno))
        vm_library_set_errno(rank, errno);
}

#define RESULT(suffix_type, expression)                                                                                \
    errno = 0;                                                                                                         \
    suffix_type result = (expression);                                                                                 \
    pass_errno(rank);

#define REAL_1(name)                                                                                                   \
    C_FUNCTION(name)                                                                                                   \
    {                                                                                                                  \
        RESULT(double, name(c_double(args[0])))                                                                        \
        return c_return_double(args, result);                                                                          \
    }                                                                                                                  \
    C_FUNCTION(name##f)                                                                                                \
    {                                                                                                                  \
        RESULT(float, name##f(c_float(args[0])))                                                                       \
        return c_return_float(args, result);                                                                           \
    }                                                                                                                  \
    C_FUNCTION(name##l)                                                                                                \
    {                                                                                                                  \
        return vm_library_c_##name(rank, args);                                                                        \
    }

#define REAL_2(name)                                                                                                   \
    C_FUNCTION(name)                                                                                                   \
    {                                                                                                                  \
        RESULT(double, name(c_double(args[0]), c_double(args[1])))                                                     \
        return c_return_double(args, result);                                                                          \
    }                                                                                                                  \
    C_FUNCTION(name##f)                                                                                                \
    {                                                                                                                  \
        RESULT(float, name##f(c_float(args[0]), c_float(args[1])))                                                     \
        return c_return_float(args, result);                                                                           \
    }                                                                                                                  \
    C_FUNCTION(name##l)                                                                                                \
    {                                                                                                                  \
        return vm_library_c_##name(rank, args);                                                                        \
    }

/* The same for functions whose arguments C compilers exchange: of two that are no numbers the first one, made quiet, is
 * the result, as it is of sums and products (vcode/arithmetic.def). */
#define EITHER(name, x, y) (isnan(x) && isnan(y) ? (x) + (x) : name(x, y))
#define REAL_2_EITHER(name)                                                                                            \
    C_FUNCTION(name)                                                                                                   \
    {                                                                                                                  \
        RESULT(double, EITHER(name, c_double(args[0]), c_double(args[1])))                                             \
        return c_return_double(args, result);                                                                          \
    }                                                                                                                  \
    C_FUNCTION(name##f)                                                                                                \
    {                                                                                                                  \
        RESULT(float, EITHER(name##f, c_float(args[0]), c_float(args[1])))                                             \
        return c_return_float(args, result);                                                                           \
    }                                                                                                                  \
    C_FUNCTION(name##l)                                                                                                \
    {                                                                                                                  \
        return vm_library_c_##name(rank, args);                                                                        \
    }

/* Functions from real to integer. */
#define INTEGER_1(name, type)                                                                                          \
    C_FUNCTION(name)                                                                                                   \
    {                                                                                                                  \
        RESULT(type, name(c_double(args[0])))                                                                          \
        return c_return(args, (uint64_t)(int64_t)result);                                                              \
    }                                                                                                                  \
    C_FUNCTION(name##f)                                                                                                \
    {                                                                                                                  \
        RESULT(type, name##f(c_float(args[0])))                                                                        \
        return c_return(args, (uint64_t)(int64_t)result);                                                              \
    }                                                                                                                  \
    C_FUNCTION(name##l)                                                                                                \
    {                                                                                                                  \
        return vm_library_c_##name(rank, args);                                                                        \
    }

/* Functions from real and integer to real. */
#define SCALE(name, type)                                                                                              \
    C_FUNCTION(name)                                                                                                   \
    {                                                                                                                  \
        RESULT(double, name(c_double(args[0]), (type)args[1]))                                                         \
        return c_return_double(args, result);                                                                          \
    }                                                                                                                  \
    C_FUNCTION(name##f)                                                                                                \
    {                                                                                                                  \
        RESULT(float, name##f(c_float(args[0]), (type)args[1]))                                                        \
        return c_return_float(args, result);                                                                           \
    }                                                                                                                  \
    C_FUNCTION(name##l)                                                                                                \
    {                                                                                                                  \
        return vm_library_c_##name(rank, args);                                                                        \
    }

/* Bessel functions of integer order (POSIX). */
#define BESSEL(name)                                                                                                   \
    C_FUNCTION(name)                                                                                                   \
    {                                                                                                                  \
        RESULT(double, name(c_int(args[0]), c_double(args[1])))                                                        \
        return c_return_double(args, result);                                                                          \
    }                                                                                                                  \
    C_FUNCTION(name##f)                                                                                                \
    {                                                                                                                  \
        RESULT(float, name##f(c_int(args[0]), c_float(args[1])))                                                       \
        return c_return_float(args, result);                                                                           \
    }                                                                                                                  \
    C_FUNCTION(name##l)                                                                                                \
    {                                                                                                                  \
        return vm_library_c_##name(rank, args);                                                                        \
    }

REAL_1(acos)
REAL_1(acosh)
REAL_1(asin)
REAL_1(asinh)
REAL_1(atan)
REAL_1(atanh)
REAL_1(cbrt)
REAL_1(ceil)
REAL_1(cos)
REAL_1(cosh)
REAL_1(erf)
REAL_1(erfc)
REAL_1(exp)
REAL_1(exp10)
REAL_1(exp2)
REAL_1(expm1)
REAL_1(fabs)
REAL_1(floor)
REAL_1(log)
REAL_1(log10)
REAL_1(log1p)
REAL_1(log2)
REAL_1(logb)
REAL_1(nearbyint)
REAL_1(rint)
REAL_1(round)
REAL_1(sin)
REAL_1(sinh)
REAL_1(sqrt)
REAL_1(tan)
REAL_1(tanh)
REAL_1(tgamma)
REAL_1(trunc)

REAL_2(atan2)
REAL_2(copysign)
REAL_2(fdim)
REAL_2_EITHER(fmax)
REAL_2_EITHER(fmin)
REAL_2(fmod)
REAL_2(hypot)
REAL_2(nextafter)
REAL_2(pow)
REAL_2(remainder)

INTEGER_1(ilogb, int)
INTEGER_1(lrint, long)
INTEGER_1(llrint, long long)
INTEGER_1(lround, long)
INTEGER_1(llround, long long)

SCALE(ldexp, int)
SCALE(scalbn, int)
SCALE(scalbln, long)

BESSEL(jn)
BESSEL(yn)
REAL_1(j0)
REAL_1(j1)
REAL_1(significand)
REAL_1(y0)
REAL_1(y1)
REAL_2(scalb)

/* The first argument that is no number, made quiet, is the result, whatever the host's function does. */
#define FIRST_NAN(x, y, z, otherwise) (isnan(x) ? (x) + (x) : isnan(y) ? (y) + (y) : isnan(z) ? (z) + (z) : (otherwise))

C_FUNCTION(fma)
{
    double x = c_double(args[0]), y = c_double(args[1]), z = c_double(args[2]);
    RESULT(double, FIRST_NAN(x, y, z, fma(x, y, z)))
    return c_return_double(args, result);
}

C_FUNCTION(fmal)
{
    return vm_library_c_fma(rank, args);
}

C_FUNCTION(fmaf)
{
    float x = c_float(args[0]), y = c_float(args[1]), z = c_float(args[2]);
    RESULT(float, FIRST_NAN(x, y, z, fmaf(x, y, z)))
    return c_return_float(args, result);
}

/* The second argument is a long double in each of these functions, so it is a double here. */
C_FUNCTION(nexttoward)
{
    return vm_library_c_nextafter(rank, args);
}

C_FUNCTION(nexttowardl)
{
    return vm_library_c_nextafter(rank, args);
}

C_FUNCTION(nexttowardf)
{
    RESULT(float, nexttowardf(c_float(args[0]), (long double)c_double(args[1])))
    return c_return_float(args, result);
}

/* -- functions with a second result behind a pointer ------------------------------------------- */

C_FUNCTION(frexp)
{
    int exponent;
    double result = frexp(c_double(args[0]), &exponent);
    return c_store(1, &exponent, sizeof exponent) ? c_return_double(args, result) : VM_CALL_FAULT;
}

C_FUNCTION(frexpl)
{
    return vm_library_c_frexp(rank, args);
}

C_FUNCTION(frexpf)
{
    int exponent;
    float result = frexpf(c_float(args[0]), &exponent);
    return c_store(1, &exponent, sizeof exponent) ? c_return_float(args, result) : VM_CALL_FAULT;
}

C_FUNCTION(modf)
{
    double whole;
    double result = modf(c_double(args[0]), &whole);
    return c_store(1, &whole, sizeof whole) ? c_return_double(args, result) : VM_CALL_FAULT;
}

C_FUNCTION(modfl)
{
    return vm_library_c_modf(rank, args);
}

C_FUNCTION(modff)
{
    float whole;
    float result = modff(c_float(args[0]), &whole);
    return c_store(1, &whole, sizeof whole) ? c_return_float(args, result) : VM_CALL_FAULT;
}

C_FUNCTION(remquo)
{
    int quotient;
    RESULT(double, remquo(c_double(args[0]), c_double(args[1]), &quotient))
    return c_store(2, &quotient, sizeof quotient) ? c_return_double(args, result) : VM_CALL_FAULT;
}

C_FUNCTION(remquol)
{
    return vm_library_c_remquo(rank, args);
}

C_FUNCTION(remquof)
{
    int quotient;
    RESULT(float, remquof(c_float(args[0]), c_float(args[1]), &quotient))
    return c_store(2, &quotient, sizeof quotient) ? c_return_float(args, result) : VM_CALL_FAULT;
}

/* lgamma_r; the runtime's lgamma passes the program's signgam. */
C_FUNCTION(lgamma_r)
{
    int sign;
    RESULT(double, lgamma_r(c_double(args[0]), &sign))
    return c_store(1, &sign, sizeof sign) ? c_return_double(args, result) : VM_CALL_FAULT;
}

C_FUNCTION(lgammaf_r)
{
    int sign;
    RESULT(float, lgammaf_r(c_float(args[0]), &sign))
    return c_store(1, &sign, sizeof sign) ? c_return_float(args, result) : VM_CALL_FAULT;
}

C_FUNCTION(sincosf)
{
    float value = c_float(args[0]), sine = sinf(value), cosine = cosf(value);
    bool stored = c_store(1, &sine, sizeof sine) && c_store(2, &cosine, sizeof cosine);
    return stored ? c_return(args, 0) : VM_CALL_FAULT;
}

C_FUNCTION(sincos)
{
    double value = c_double(args[0]), sine = sin(value), cosine = cos(value);
    bool stored = c_store(1, &sine, sizeof sine) && c_store(2, &cosine, sizeof cosine);
    return stored ? c_return(args, 0) : VM_CALL_FAULT;
}

C_FUNCTION(nan)
{
    const char *tag = c_string(0);
    return tag ? c_return_double(args, nan(tag)) : VM_CALL_FAULT;
}

C_FUNCTION(nanl)
{
    return vm_library_c_nan(rank, args);
}

C_FUNCTION(nanf)
{
    const char *tag = c_string(0);
    return tag ? c_return_float(args, nanf(tag)) : VM_CALL_FAULT;
}

/* -- the functions themselves ------------------------------------------------------------------ */

void (*const vm_library_maths[])(void) = {
#define PLAIN(name, kind, arity, refused) (void (*)(void)) name,
#define TRIED(name, kind, arity, fine)    (void (*)(void)) name,
#include "vm/library/maths.def"
};

/* -- <fenv.h> ---------------------------------------------------------------------------------- */

/* The runtime's only access to flags and rounding direction. args[0]: 0 gets the flags, 1 sets them, 2 gets the
 * direction, 3 sets it to args[1]. Returns -1 if that cannot be. */
C_FUNCTION(__orrery_fenv)
{
    (void)rank;
    return c_return_int(args, vm_fenv_ask((unsigned)args[0], (unsigned)args[1]));
}
