/* complex.c - <complex.h> (C11 7.3) by the host's functions, so that a program prints the same here as natively.
 *
 * Host functions neither take nor return structures. So the runtime (runtime/complex.c) passes the parts of the
 * arguments and an address for the parts of the result. long double is double.
 */
#include "vm/library/calls.h"

#include <complex.h>

#ifndef CMPLX /* glibc's header defines them for gcc only */
#define CMPLX(x, y)  __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#endif

static VmCallResult store(VmRank *rank, uint64_t *args, int index, double complex result)
{
    double parts[2] = {creal(result), cimag(result)};
    return c_store(index, parts, sizeof parts) ? c_return(args, 0) : VM_CALL_FAULT;
}

static VmCallResult store_float(VmRank *rank, uint64_t *args, int index, float complex result)
{
    float parts[2] = {crealf(result), cimagf(result)};
    return c_store(index, parts, sizeof parts) ? c_return(args, 0) : VM_CALL_FAULT;
}

/* Functions name(real, imaginary, result *). */
#define COMPLEX_1(name)                                                                                                \
    C_FUNCTION(__orrery_##name)                                                                                        \
    {                                                                                                                  \
        return store(rank, args, 2, name(CMPLX(c_double(args[0]), c_double(args[1]))));                                \
    }                                                                                                                  \
    C_FUNCTION(__orrery_##name##f)                                                                                     \
    {                                                                                                                  \
        return store_float(rank, args, 2, name##f(CMPLXF(c_float(args[0]), c_float(args[1]))));                        \
    }

COMPLEX_1(cacos)
COMPLEX_1(cacosh)
COMPLEX_1(casin)
COMPLEX_1(casinh)
COMPLEX_1(catan)
COMPLEX_1(catanh)
COMPLEX_1(ccos)
COMPLEX_1(ccosh)
COMPLEX_1(cexp)
COMPLEX_1(clog)
COMPLEX_1(clog10)
COMPLEX_1(csin)
COMPLEX_1(csinh)
COMPLEX_1(csqrt)
COMPLEX_1(ctan)
COMPLEX_1(ctanh)

C_FUNCTION(__orrery_cpow)
{
    return store(rank, args, 4,
                 cpow(CMPLX(c_double(args[0]), c_double(args[1])), CMPLX(c_double(args[2]), c_double(args[3]))));
}

C_FUNCTION(__orrery_cpowf)
{
    return store_float(rank, args, 4,
                       cpowf(CMPLXF(c_float(args[0]), c_float(args[1])), CMPLXF(c_float(args[2]), c_float(args[3]))));
}
