/* overflow.c - __builtin_add_overflow and the like, for operands that no common integer type of the machine can hold.
 *
 * Exact results have up to 128 bits: a sign, and a magnitude in two words.
 */
typedef unsigned long word;

typedef struct number {
    int negative;
    word high, low;
} number;

static number read(word value, int is_signed)
{
    int negative = is_signed && (long)value < 0;
    return (number){negative, 0, negative ? -value : value};
}

static number add(number a, number b)
{
    if (a.negative == b.negative) {
        word sum = a.low + b.low;
        return (number){a.negative, sum < a.low, sum};
    }
    return a.low >= b.low ? (number){a.negative, 0, a.low - b.low} : (number){b.negative, 0, b.low - a.low};
}

static number multiply(number a, number b)
{
    word low_a = a.low & 0xffffffff, high_a = a.low >> 32, low_b = b.low & 0xffffffff, high_b = b.low >> 32;
    word low = low_a * low_b, middle = high_a * low_b + (low >> 32), other = low_a * high_b + (middle & 0xffffffff);
    return (number){a.negative != b.negative, high_a * high_b + (middle >> 32) + (other >> 32), a.low * b.low};
}

/* Computes `a` op `b`. Bits of `how`: 0-1 the operation (add, subtract, multiply), 2 and 3 whether a and b are signed,
 * 4 whether the result is signed, from 5 its size in bytes. Stores the wrapped result. Returns whether it differs from
 * the exact one. */
int __orrery_overflow(unsigned how, word a, word b, void *result)
{
    number x = read(a, how >> 2 & 1), y = read(b, how >> 3 & 1);
    unsigned operation = how & 3, is_signed = how >> 4 & 1, size = how >> 5;
    if (operation == 1)
        y.negative = !y.negative;
    number exact = operation == 2 ? multiply(x, y) : add(x, y);
    word wrapped = exact.negative ? -exact.low : exact.low;
    switch (size) {
    case 1: *(unsigned char *)result = wrapped; break;
    case 2: *(unsigned short *)result = wrapped; break;
    case 4: *(unsigned *)result = wrapped; break;
    default: *(word *)result = wrapped;
    }
    word largest = ~(word)0 >> (64 - size * 8 + is_signed);
    if (exact.negative && (exact.high || exact.low))
        return exact.high || exact.low > (is_signed ? largest + 1 : 0);
    return exact.high || exact.low > largest;
}
