/* wide.c - functions that the compiler calls for quotients of __int128 and for conversions from and to floating types.
 *
 * Division goes bit by bit from the first bit that can be in the quotient. If both operands fit 64 bits, the machine
 * divides.
 */
typedef unsigned __int128 Wide;
typedef __int128 SignedWide;
typedef unsigned long Half;

static int leading_zeros(Wide x)
{
    Half high = (Half)(x >> 64);
    return high ? __builtin_clzl(high) : (Half)x ? 64 + __builtin_clzl((Half)x) : 128;
}

/* Divides two digits of 64 bits by one; the quotient fits one digit (Knuth, volume 2, 4.3.1, with digits of 32
 * bits). */
static Half divide_digit(Half high, Half low, Half by, Half *rest)
{
    int shift = __builtin_clzl(by);
    by <<= shift;
    high = shift ? high << shift | low >> (64 - shift) : high;
    low <<= shift;
    Half first = by >> 32, second = by & 0xffffffff, digits[2] = {low >> 32, low & 0xffffffff}, quotient = 0;
    for (int i = 0; i < 2; i++) {
        Half q = high / first, r = high % first;
        while (q >> 32 || q * second > (r << 32 | digits[i])) {
            q--;
            r += first;
            if (r >> 32)
                break;
        }
        high = (high << 32 | digits[i]) - q * by;
        quotient = quotient << 32 | q;
    }
    *rest = high >> shift;
    return quotient;
}

static Wide divide(Wide a, Wide b, Wide *rest)
{
    Half quotient_high = 0, r;
    if (!(Half)(b >> 64)) {
        Half by = (Half)b, high = (Half)(a >> 64);
        if (!high) {
            *rest = (Half)a % by;
            return (Half)a / by;
        }
        if (high >= by) {
            quotient_high = high / by;
            high %= by;
        }
        Half quotient = divide_digit(high, (Half)a, by, &r);
        *rest = r;
        return (Wide)quotient_high << 64 | quotient;
    }
    Half quotient = 0;
    for (int i = leading_zeros(b) - leading_zeros(a); i >= 0; i--) {
        Wide shifted = b << i;
        quotient <<= 1;
        if (a >= shifted) {
            a -= shifted;
            quotient |= 1;
        }
    }
    *rest = a;
    return quotient;
}

Wide __orrery_wide_udiv(Wide a, Wide b)
{
    Wide rest;
    return divide(a, b, &rest);
}

Wide __orrery_wide_umod(Wide a, Wide b)
{
    Wide rest;
    (void)divide(a, b, &rest);
    return rest;
}

static Wide magnitude(SignedWide x)
{
    return x < 0 ? 0 - (Wide)x : (Wide)x;
}

SignedWide __orrery_wide_div(SignedWide a, SignedWide b)
{
    Wide rest, quotient = divide(magnitude(a), magnitude(b), &rest);
    return (SignedWide)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}

SignedWide __orrery_wide_mod(SignedWide a, SignedWide b)
{
    Wide rest;
    (void)divide(magnitude(a), magnitude(b), &rest);
    return (SignedWide)(a < 0 ? 0 - rest : rest);
}

/* -- floating types: rounded to nearest, ties to even ------------------------------------------ */

/* Splits x into m * 2^shift, with m of at most 64 bits. The last bit of m tells whether any bits were lost, so that the
 * machine's conversion of m rounds as if it saw them all. */
static Half cut(Wide x, int *shift)
{
    *shift = 64 - leading_zeros(x);
    if (*shift <= 0) {
        *shift = 0;
        return (Half)x;
    }
    Wide lost = x & (((Wide)1 << *shift) - 1);
    return (Half)(x >> *shift) | (lost != 0);
}

static double power_of_two(int n)
{
    union {
        Half bits;
        double value;
    } u = {(Half)(1023 + n) << 52};
    return u.value;
}

double __orrery_wide_u_to_double(Wide x)
{
    int shift;
    Half m = cut(x, &shift);
    return (double)m * power_of_two(shift);
}

float __orrery_wide_u_to_float(Wide x)
{
    int shift;
    Half m = cut(x, &shift);
    return (float)((double)(float)m * power_of_two(shift));
}

double __orrery_wide_to_double(SignedWide x)
{
    double value = __orrery_wide_u_to_double(magnitude(x));
    return x < 0 ? -value : value;
}

float __orrery_wide_to_float(SignedWide x)
{
    float value = __orrery_wide_u_to_float(magnitude(x));
    return x < 0 ? -value : value;
}

/* A value out of range is undefined (C11 6.3.1.4p1). The result is libgcc's. */
Wide __orrery_wide_u_from_double(double x)
{
    if (!(x >= 1))
        return 0;
    Half high = (Half)(x * 0x1p-64);
    return (Wide)high << 64 | (Half)(x - (double)high * 0x1p64);
}

SignedWide __orrery_wide_from_double(double x)
{
    return (SignedWide)(x < 0 ? 0 - __orrery_wide_u_from_double(-x) : __orrery_wide_u_from_double(x));
}
