/* Factorials with many digits, in base 10^9. */
enum { LIMBS = 60, LAST = 150 };
static unsigned number[LIMBS];

double kernel(void)
{
    int length = 1;
    number[0] = 1;
    for (unsigned n = 2; n <= LAST; n++) {
        unsigned long carry = 0;
        for (int i = 0; i < length; i++) {
            carry += (unsigned long)number[i] * n;
            number[i] = (unsigned)(carry % 1000000000u);
            carry /= 1000000000u;
        }
        if (carry)
            number[length++] = (unsigned)carry;
    }
    return number[length - 1] + length;
}
