/* Exception flags and rounding directions (C11 7.6), seen from arithmetic, conversions and the library. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

#pragma STDC FENV_ACCESS ON

static volatile double one = 1, three = 3, zero = 0, huge = 1e308, tiny = 1e-308, minus = -1;

static void show(const char *what)
{
    int flags = fetestexcept(FE_ALL_EXCEPT);
    printf("%s:%s%s%s%s%s\n", what, flags & FE_INVALID ? " invalid" : "", flags & FE_DIVBYZERO ? " divbyzero" : "",
           flags & FE_OVERFLOW ? " overflow" : "", flags & FE_UNDERFLOW ? " underflow" : "",
           flags & FE_INEXACT ? " inexact" : "");
    feclearexcept(FE_ALL_EXCEPT);
}

int main(void)
{
    static const int directions[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    volatile double result;
    volatile float narrow;
    show("start");
    result = one / three;
    show("1/3");
    result = one / zero;
    show("1/0");
    result = zero / zero;
    show("0/0");
    result = huge * huge;
    show("huge");
    result = tiny * tiny;
    show("tiny");
    result = sqrt(minus);
    show("sqrt(-1)");
    narrow = (float)(one / three);
    show("float");
    result = one + one;
    show("1+1");
    feraiseexcept(FE_OVERFLOW | FE_INVALID);
    show("raised");
    for (int i = 0; i < 4; i++) {
        printf("%d %d: ", fesetround(directions[i]), fegetround() == directions[i]);
        result = one / three;
        narrow = (float)(minus / three);
        printf("%a %a %a ", result, (double)narrow, minus / three);
        printf("%g %g %g %ld %ld ", rint(2.5), nearbyint(-2.5), rint(-0.3), lrint(2.5), lrint(-3.7));
        printf("%.3f %.0f\n", 0.0625, 2.5);
    }
    fesetround(FE_UPWARD);
    fenv_t saved;
    feraiseexcept(FE_INEXACT);
    feholdexcept(&saved);
    printf("%d %d\n", fetestexcept(FE_ALL_EXCEPT) == 0, fegetround() == FE_UPWARD);
    fesetround(FE_TONEAREST);
    feraiseexcept(FE_DIVBYZERO);
    feupdateenv(&saved);
    printf("%d %d\n", fetestexcept(FE_DIVBYZERO | FE_INEXACT) == (FE_DIVBYZERO | FE_INEXACT),
           fegetround() == FE_UPWARD);
    fesetenv(FE_DFL_ENV);
    printf("%d %d\n", fetestexcept(FE_ALL_EXCEPT), fegetround() == FE_TONEAREST);
    fexcept_t flags;
    feraiseexcept(FE_INVALID);
    fegetexceptflag(&flags, FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    fesetexceptflag(&flags, FE_INVALID);
    show("restored");
    (void)result, (void)narrow;
    return 0;
}
