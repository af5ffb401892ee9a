/* fenv.h - C11 7.6: rounding is to nearest, exception flags are not kept (so none is defined) */
#ifndef _FENV_H
#define _FENV_H

typedef unsigned int fexcept_t;
typedef struct {
    unsigned int orrery_unused;
} fenv_t;

#define FE_ALL_EXCEPT 0
#define FE_TONEAREST  0
#define FE_DFL_ENV    ((const fenv_t *)0)

int feclearexcept(int exceptions);
int feraiseexcept(int exceptions);
int fetestexcept(int exceptions);
int fegetexceptflag(fexcept_t *flags, int exceptions);
int fesetexceptflag(const fexcept_t *flags, int exceptions);
int fegetround(void);
int fesetround(int mode);
int fegetenv(fenv_t *environment);
int fesetenv(const fenv_t *environment);
int feholdexcept(fenv_t *environment);
int feupdateenv(const fenv_t *environment);

#endif
