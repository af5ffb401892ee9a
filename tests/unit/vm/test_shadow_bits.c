/* test_shadow_bits.c - which bits of a result were never set, compared with all possible values of the undefined bits.
 *
 * All numbers of four bits are tried with all masks. A bit that a rule calls defined must be the same for every filling
 * of the undefined bits. Most rules also call no bit undefined that is always the same.
 */
#include "vm/check/shadow_bits.h"

#include <criterion/criterion.h>

enum { BITS = 4, NUMBERS = 1 << BITS };

typedef uint64_t (*Operation)(uint64_t x, uint64_t y);

/* Returns the bits of the result that differ for some filling of the undefined bits. Numbers are shifted left by
 * `shift` bits.
 */
static uint64_t varying(Operation operation, VmBits x, VmBits y, unsigned shift)
{
    uint64_t zeros = 0, ones = 0;
    for (uint64_t i = 0; i < NUMBERS; i++)
        for (uint64_t j = 0; j < NUMBERS; j++) {
            uint64_t a = i << shift, b = j << shift;
            if (((a ^ x.value) & ~x.undefined) || ((b ^ y.value) & ~y.undefined))
                continue;
            uint64_t result = operation(a, b);
            ones |= result;
            zeros |= ~result;
        }
    return zeros & ones;
}

/* Calls `check` for all pairs of numbers and masks. */
static void for_all(unsigned shift, void (*check)(VmBits x, VmBits y))
{
    for (uint64_t n = 0; n < 1 << 4 * BITS; n++) {
        VmBits x = {(n & 15) << shift, (n >> 4 & 15) << shift}, y = {(n >> 8 & 15) << shift, (n >> 12 & 15) << shift};
        if (!(x.value & x.undefined) && !(y.value & y.undefined)) /* others repeat the same case */
            check(x, y);
    }
}

static void expect(const char *rule, VmBits x, VmBits y, uint64_t told, uint64_t differ, bool exact)
{
    cr_assert(exact ? told == differ : (differ & ~told) == 0, "%s of %lx/%lx and %lx/%lx: %lx, and %lx differ", rule,
              x.value, x.undefined, y.value, y.undefined, told, differ);
}

#define OPERATION(name, expression)                                                                                    \
    static uint64_t name(uint64_t x, uint64_t y)                                                                       \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
OPERATION(sum, x + y)
OPERATION(difference, x - y)
OPERATION(product, x *y)
OPERATION(both, x &y)
OPERATION(either, x | y)
OPERATION(equal, x == y)
OPERATION(below, x < y)
OPERATION(not_above, x <= y)
OPERATION(below_signed, (int64_t)x < (int64_t)y)
OPERATION(not_above_signed, (int64_t)x <= (int64_t)y)

static void check_arithmetic(VmBits x, VmBits y)
{
    expect("sum", x, y, vm_bits_sum(x, y), varying(sum, x, y, 0), false);
    expect("difference", x, y, vm_bits_difference(x, y), varying(difference, x, y, 0), false);
    expect("product", x, y, vm_bits_upwards(x.undefined | y.undefined), varying(product, x, y, 0), false);
}

static void check_logic(VmBits x, VmBits y)
{
    expect("and", x, y, vm_bits_and(x, y), varying(both, x, y, 0), true);
    expect("or", x, y, vm_bits_or(x, y), varying(either, x, y, 0), true);
}

static void check_comparisons(VmBits x, VmBits y)
{
    expect("equality", x, y, vm_bits_equality(x, y), varying(equal, x, y, 0), true);
    expect("below", x, y, vm_bits_below(x, y), varying(below, x, y, 0), true);
    expect("not above", x, y, vm_bits_not_above(x, y), varying(not_above, x, y, 0), true);
}

enum { TOP = 64 - BITS };

static void check_signed(VmBits x, VmBits y)
{
    VmBits a = vm_bits_signed(x), b = vm_bits_signed(y);
    expect("signed below", x, y, vm_bits_below(a, b), varying(below_signed, x, y, TOP), true);
    expect("signed not above", x, y, vm_bits_not_above(a, b), varying(not_above_signed, x, y, TOP), true);
}

Test(shadow_bits, arithmetic_hides_nothing)
{
    for_all(0, check_arithmetic);
}

/* Not everything is called undefined: a carry goes no further than it can. */
Test(shadow_bits, carries_stop)
{
    cr_assert_eq(vm_bits_sum((VmBits){0x10, 1}, (VmBits){0x20, 0}), 1);
    cr_assert_eq(vm_bits_sum((VmBits){0x0e, 1}, (VmBits){0x01, 0}), 0x1f, "it may run through four ones");
    cr_assert_eq(vm_bits_difference((VmBits){0x12, 1}, (VmBits){0x02, 0}), 1);
    cr_assert_eq(vm_bits_upwards(0x14), ~UINT64_C(3));
    cr_assert_eq(vm_bits_upwards(0), 0);
}

Test(shadow_bits, logic_is_exact)
{
    for_all(0, check_logic);
}

Test(shadow_bits, comparisons_are_exact)
{
    for_all(0, check_comparisons);
    for_all(TOP, check_signed);
}

Test(shadow_bits, of_32_bits)
{
    cr_assert_eq(vm_bits_sign32(0x80000000), UINT64_C(0xffffffff80000000));
    cr_assert_eq(vm_bits_sign32(UINT64_C(0x140000000)), 0x40000000);
    cr_assert_eq(vm_bits_zero32(UINT64_C(0x1c0000000)), 0xc0000000);
}
