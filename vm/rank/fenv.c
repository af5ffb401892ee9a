/* fenv.c - the floating-point environment of a rank: its flags and rounding direction (C11 7.6).
 *
 * The interpreter computes with the host's own arithmetic, so while a rank runs, the host's environment is the rank's.
 * Only programs that use the environment pay: vm_fenv_enter() installs it before their code runs, and vm_fenv_leave()
 * saves it behind. The program's numbers for flags and directions are those of Linux on x86-64; this file translates
 * them to the host's.
 */
#include "vm/rank/rank.h"

#include <fenv.h>

typedef struct CFenvName {
    uint16_t program;
    int host;
} CFenvName;

static const CFenvName flags[] = {
    {0x01, FE_INVALID}, {0x04, FE_DIVBYZERO}, {0x08, FE_OVERFLOW}, {0x10, FE_UNDERFLOW}, {0x20, FE_INEXACT}};
static const CFenvName directions[] = {
    {0x000, FE_TONEAREST}, {0x400, FE_DOWNWARD}, {0x800, FE_UPWARD}, {0xc00, FE_TOWARDZERO}};

static uint8_t present_flags(void)
{
    int host = fetestexcept(FE_ALL_EXCEPT);
    unsigned result = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
        if (host & flags[i].host)
            result |= flags[i].program;
    return (uint8_t)result;
}

/* Sets the host's flags to the program's, without raising anything. */
static void set_flags(unsigned program)
{
    fexcept_t all;
    feclearexcept(FE_ALL_EXCEPT);
    if (!program)
        return;
    int host = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
        if (program & flags[i].program)
            host |= flags[i].host;
    feraiseexcept(host); /* no exception is trapped, so this only sets the flags */
    if (fegetexceptflag(&all, host) == 0) {
        feclearexcept(FE_ALL_EXCEPT);
        fesetexceptflag(&all, host);
    }
}

static unsigned present_direction(void)
{
    int host = fegetround();
    for (size_t i = 0; i < G_N_ELEMENTS(directions); i++)
        if (directions[i].host == host)
            return directions[i].program;
    return 0;
}

static bool set_direction(unsigned program)
{
    for (size_t i = 0; i < G_N_ELEMENTS(directions); i++)
        if (directions[i].program == program)
            return fesetround(directions[i].host) == 0;
    return false;
}

void vm_fenv_enter(const VmRank *rank)
{
    set_flags(rank->fe_flags);
    set_direction((unsigned)rank->fe_rounding << 8);
}

void vm_fenv_leave(VmRank *rank)
{
    rank->fe_flags = present_flags();
    rank->fe_rounding = (uint8_t)(present_direction() >> 8);
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
}

int vm_fenv_ask(unsigned what, unsigned value)
{
    switch (what) {
    case 0: return present_flags();
    case 1: set_flags(value); return 0;
    case 2: return (int)present_direction();
    case 3: return set_direction(value) ? 0 : -1;
    default: return -1;
    }
}
