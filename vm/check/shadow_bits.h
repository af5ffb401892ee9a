/* shadow_bits.h - which bits of a result depend on bits that were never set.
 *
 * A value is represented by its bits and a mask of its undefined bits. The mask of a result is exact where programs and
 * compilers rely on it: masked bit-fields, `a & b` in place of `a && b`, sums whose carries cannot reach a bit,
 * comparisons that the defined bits decide. All other operations are conservative: one undefined bit makes the whole
 * result undefined. (The rules are those of Seward and Nethercote, Using Valgrind to detect undefined value errors with
 * bit-precision, USENIX 2005.)
 */
#ifndef ORRERY_VM_SHADOW_BITS_H
#define ORRERY_VM_SHADOW_BITS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct VmBits {
    uint64_t value, undefined;
} VmBits;

static inline uint64_t vm_bits_least(VmBits x)
{
    return x.value & ~x.undefined;
}

static inline uint64_t vm_bits_most(VmBits x)
{
    return x.value | x.undefined;
}

/* Mask of an undefined 32-bit register in its canonical form: the sign bit extends upwards. */
static inline uint64_t vm_bits_sign32(uint64_t undefined)
{
    return (uint64_t)(int64_t)(int32_t)(uint32_t)undefined;
}

static inline uint64_t vm_bits_zero32(uint64_t undefined)
{
    return (uint32_t)undefined;
}

static inline uint64_t vm_bits_sum(VmBits x, VmBits y)
{
    return x.undefined | y.undefined | ((vm_bits_least(x) + vm_bits_least(y)) ^ (vm_bits_most(x) + vm_bits_most(y)));
}

static inline uint64_t vm_bits_difference(VmBits x, VmBits y)
{
    return x.undefined | y.undefined | ((vm_bits_least(x) - vm_bits_most(y)) ^ (vm_bits_most(x) - vm_bits_least(y)));
}

/* Mask of a product: all bits from the lowest undefined bit upwards. */
static inline uint64_t vm_bits_upwards(uint64_t undefined)
{
    return -(undefined & -undefined);
}

static inline uint64_t vm_bits_and(VmBits x, VmBits y)
{
    return (x.undefined & vm_bits_most(y)) | (y.undefined & vm_bits_most(x));
}

static inline uint64_t vm_bits_or(VmBits x, VmBits y)
{
    return (x.undefined & ~vm_bits_least(y)) | (y.undefined & ~vm_bits_least(x));
}

/* Whether the result of a test for equality depends on undefined bits. */
static inline bool vm_bits_equality(VmBits x, VmBits y)
{
    uint64_t undefined = x.undefined | y.undefined;
    return undefined && ((x.value ^ y.value) & ~undefined) == 0;
}

static inline bool vm_bits_below(VmBits x, VmBits y)
{
    return (x.undefined | y.undefined) && vm_bits_most(x) >= vm_bits_least(y) && vm_bits_least(x) < vm_bits_most(y);
}

static inline bool vm_bits_not_above(VmBits x, VmBits y)
{
    return (x.undefined | y.undefined) && vm_bits_most(x) > vm_bits_least(y) && vm_bits_least(x) <= vm_bits_most(y);
}

/* Maps a signed number to an unsigned one of the same order, for comparisons. */
static inline VmBits vm_bits_signed(VmBits x)
{
    return (VmBits){x.value ^ UINT64_C(1) << 63, x.undefined};
}

#endif
