/* bignum.c - factorials, Fibonacci numbers and division of numbers as long as they need, in digits of 32 bits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 400
typedef struct {
    int n;
    uint32_t d[DIGITS];
} big;

static void set(big *x, uint32_t v)
{
    x->n = 1;
    x->d[0] = v;
}

static void mul_small(big *x, uint32_t m)
{
    uint64_t carry = 0;
    for (int i = 0; i < x->n; i++) {
        carry += (uint64_t)x->d[i] * m;
        x->d[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        x->d[x->n++] = (uint32_t)carry;
}

static uint32_t div_small(big *x, uint32_t m)
{
    uint64_t r = 0;
    for (int i = x->n; i-- > 0;) {
        r = r << 32 | x->d[i];
        x->d[i] = (uint32_t)(r / m);
        r %= m;
    }
    while (x->n > 1 && !x->d[x->n - 1])
        x->n--;
    return (uint32_t)r;
}

static void add(big *r, const big *a, const big *b)
{
    uint64_t carry = 0;
    int n = a->n > b->n ? a->n : b->n;
    for (int i = 0; i < n; i++) {
        if (i < a->n)
            carry += a->d[i];
        if (i < b->n)
            carry += b->d[i];
        r->d[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        r->d[n++] = (uint32_t)carry;
    r->n = n;
}

static void mul(big *r, const big *a, const big *b)
{
    memset(r->d, 0, sizeof r->d);
    for (int i = 0; i < a->n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->n; j++) {
            carry += (uint64_t)a->d[i] * b->d[j] + r->d[i + j];
            r->d[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        r->d[i + b->n] = (uint32_t)carry;
    }
    r->n = a->n + b->n;
    while (r->n > 1 && !r->d[r->n - 1])
        r->n--;
}

static char *print(const big *x, char *end)
{
    static big t;
    t = *x;
    *--end = 0;
    do {
        uint32_t part = div_small(&t, 1000000000);
        for (int i = 0; i < 9; i++, part /= 10)
            *--end = (char)('0' + part % 10);
    } while (t.n > 1 || t.d[0]);
    while (*end == '0' && end[1])
        end++;
    return end;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 280;
    static char text[DIGITS * 10 + 20];
    unsigned check = 0;
    for (int turn = 0; turn < turns; turn++) {
        static big f, a, b, c, m;
        set(&f, 1);
        for (unsigned i = 2; i <= 800u + (unsigned)turn % 10; i++)
            mul_small(&f, i);
        set(&a, 0);
        set(&b, 1);
        for (int i = 0; i < 4000; i++) {
            add(&c, &a, &b);
            a = b;
            b = c;
        }
        mul(&m, &a, &b);
        for (const char *s = print(&f, text + sizeof text); *s; s++)
            check = check * 31 + (unsigned)*s;
        for (const char *s = print(&m, text + sizeof text); *s; s++)
            check = check * 31 + (unsigned)*s;
    }
    printf("%u\n", check);
    return 0;
}
