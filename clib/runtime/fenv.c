/* fenv.c - the floating-point environment (C11 7.6), all through one host function (vm/rank/fenv.c). */
#define _GNU_SOURCE
#include <fenv.h>

enum { GET_FLAGS, SET_FLAGS, GET_DIRECTION, SET_DIRECTION };
int __orrery_fenv(int what, int value);

int feclearexcept(int exceptions)
{
    return __orrery_fenv(SET_FLAGS, __orrery_fenv(GET_FLAGS, 0) & ~exceptions);
}

int feraiseexcept(int exceptions)
{
    return __orrery_fenv(SET_FLAGS, __orrery_fenv(GET_FLAGS, 0) | (exceptions & FE_ALL_EXCEPT));
}

int fetestexcept(int exceptions)
{
    return __orrery_fenv(GET_FLAGS, 0) & exceptions;
}

int fegetexceptflag(fexcept_t *flags, int exceptions)
{
    *flags = (fexcept_t)fetestexcept(exceptions);
    return 0;
}

int fesetexceptflag(const fexcept_t *flags, int exceptions)
{
    exceptions &= FE_ALL_EXCEPT;
    return __orrery_fenv(SET_FLAGS, (__orrery_fenv(GET_FLAGS, 0) & ~exceptions) | (*flags & exceptions));
}

int fegetround(void)
{
    return __orrery_fenv(GET_DIRECTION, 0);
}

int fesetround(int mode)
{
    return __orrery_fenv(SET_DIRECTION, mode) != 0;
}

int fegetenv(fenv_t *environment)
{
    environment->orrery_flags = (unsigned short)__orrery_fenv(GET_FLAGS, 0);
    environment->orrery_rounding = (unsigned short)__orrery_fenv(GET_DIRECTION, 0);
    return 0;
}

int fesetenv(const fenv_t *environment)
{
    static const fenv_t standard;
    if (environment == FE_NOMASK_ENV)
        return -1; /* exceptions never trap */
    if (environment == FE_DFL_ENV)
        environment = &standard;
    __orrery_fenv(SET_FLAGS, environment->orrery_flags);
    return __orrery_fenv(SET_DIRECTION, environment->orrery_rounding) != 0;
}

int feholdexcept(fenv_t *environment)
{
    fegetenv(environment);
    return feclearexcept(FE_ALL_EXCEPT);
}

int feupdateenv(const fenv_t *environment)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    return fesetenv(environment) != 0 || feraiseexcept(raised) != 0;
}

/* There are no traps. Enabling one fails, as the function is allowed to. */
int feenableexcept(int exceptions)
{
    return exceptions & FE_ALL_EXCEPT ? -1 : 0;
}

int fedisableexcept(int exceptions)
{
    (void)exceptions;
    return 0;
}

int fegetexcept(void)
{
    return 0;
}
