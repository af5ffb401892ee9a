/* The first operand that is a NaN is the result of an arithmetic operation, made quiet; else it is the second. So it is
 * in each tier, at each level, in loops that become vectors and in those that cannot, whatever C compilers know of
 * sums, products and signs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 13, PAIRS = VALUES * VALUES, OPERATIONS = 4 };

static const uint64_t doubles[VALUES] = {
    0x7ff8000000000000, 0xfff8000000000000, 0x7ff8000000000001, 0xfff8000000000abc, 0x7ff80000deadbeef,
    0x7ff0000000000001, 0xfff4000000000005, 0x7ff0000000000000, 0xfff0000000000000, 0,
    0x8000000000000000, 0x3ff8000000000000, 0xc008000000000000};
static const uint32_t floats[VALUES] = {0x7fc00000, 0xffc00000, 0x7fc00001, 0xffc00abc, 0x7fd0beef,
                                        0x7f800001, 0xffa00005, 0x7f800000, 0xff800000, 0,
                                        0x80000000, 0x3fc00000, 0xc0400000};

static unsigned wrong;
static uint64_t hash = 14695981039346656037u;

static double to_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t of_double(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static float to_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t of_float(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static int is_nan(uint64_t bits)
{
    return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

static int is_nan_f(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* Notes a result, and that it must be so if one of the operands is a NaN. */
static void note(const char *what, uint64_t a, uint64_t b, uint64_t result)
{
    uint64_t expected = is_nan(a) ? a | 0x8000000000000 : b | 0x8000000000000;
    hash = (hash ^ result) * 1099511628211u;
    if ((is_nan(a) || is_nan(b)) && result != expected && wrong++ < 10)
        printf("%s of %016llx and %016llx is %016llx\n", what, (unsigned long long)a, (unsigned long long)b,
               (unsigned long long)result);
}

static void note_f(const char *what, uint32_t a, uint32_t b, uint32_t result)
{
    uint32_t expected = is_nan_f(a) ? a | 0x400000 : b | 0x400000;
    hash = (hash ^ result) * 1099511628211u;
    if ((is_nan_f(a) || is_nan_f(b)) && result != expected && wrong++ < 10)
        printf("%s of %08x and %08x is %08x\n", what, a, b, result);
}

#define FLIP(x)   ((x) ^ 0x8000000000000000)
#define FLIP_F(x) ((x) ^ 0x80000000)

/* -- one by one -------------------------------------------------------------------------------- */

static void pair(uint64_t x, uint64_t y)
{
    double a = to_double(x), b = to_double(y);
    note("a + b", x, y, of_double(a + b));
    note("b + a", y, x, of_double(b + a));
    note("a - b", x, y, of_double(a - b));
    note("a * b", x, y, of_double(a * b));
    note("b * a", y, x, of_double(b * a));
    note("a / b", x, y, of_double(a / b));
    note("a - -b", x, FLIP(y), of_double(a - -b));
    note("a + -b", x, FLIP(y), of_double(a + -b));
    note("-a + b", FLIP(x), y, of_double(-a + b));
    note("-a - b", FLIP(x), y, of_double(-a - b));
    note("-a * -b", FLIP(x), FLIP(y), of_double(-a * -b));
    note("-a * b", FLIP(x), y, of_double(-a * b));
    note("a * -b", x, FLIP(y), of_double(a * -b));
    note("-a / -b", FLIP(x), FLIP(y), of_double(-a / -b));
    note("-(a + b)", FLIP(x), FLIP(y), of_double(-(a + b)) | 0x8000000000000);
    note("a * -1", x, 0, of_double(a * -1.0));
    note("-1 * a", x, 0, of_double(-1.0 * a));
    note("a + 0", x, 0, of_double(a + 0.0));
    note("a - 0", x, 0, of_double(a - 0.0));
    note("0 - a", x, 0, of_double(0.0 - a));
    note("a * 1", x, 0, of_double(a * 1.0));
    note("a / -1", x, 0, of_double(a / -1.0));
    note("a + a", x, x, of_double(a + a));
    note("2 * a", x, 0, of_double(2.0 * a));
    note("a + b + a", x, y, of_double(a + b + a));
    note("a * b - a", x, y, of_double(a * b - a));
}

static void pair_f(uint32_t x, uint32_t y)
{
    float a = to_float(x), b = to_float(y);
    note_f("a + b", x, y, of_float(a + b));
    note_f("b + a", y, x, of_float(b + a));
    note_f("a - b", x, y, of_float(a - b));
    note_f("a * b", x, y, of_float(a * b));
    note_f("b * a", y, x, of_float(b * a));
    note_f("a / b", x, y, of_float(a / b));
    note_f("a - -b", x, FLIP_F(y), of_float(a - -b));
    note_f("-a + b", FLIP_F(x), y, of_float(-a + b));
    note_f("-a * -b", FLIP_F(x), FLIP_F(y), of_float(-a * -b));
    note_f("a * -b", x, FLIP_F(y), of_float(a * -b));
    note_f("-a / -b", FLIP_F(x), FLIP_F(y), of_float(-a / -b));
    note_f("a * -1", x, 0, of_float(a * -1.0f));
    note_f("a + 0", x, 0, of_float(a + 0.0f));
    note_f("a * 1", x, 0, of_float(a * 1.0f));
    note_f("a + b + a", x, y, of_float(a + b + a));
}

/* -- constants --------------------------------------------------------------------------------- */

static const double folded[] = {NAN + -NAN, -NAN + NAN, NAN * -NAN,         -NAN *NAN,
                                NAN - -NAN, -NAN / NAN, INFINITY - INFINITY};

static void constants(void)
{
    uint64_t plus = of_double(NAN), minus = FLIP(plus);
    note("NAN + -NAN", plus, minus, of_double(folded[0]));
    note("-NAN + NAN", minus, plus, of_double(folded[1]));
    note("NAN * -NAN", plus, minus, of_double(folded[2]));
    note("-NAN * NAN", minus, plus, of_double(folded[3]));
    note("NAN - -NAN", plus, minus, of_double(folded[4]));
    note("-NAN / NAN", minus, plus, of_double(folded[5]));
    note("NAN + -NAN", plus, minus, of_double(NAN + -NAN));
    note("-NAN + NAN", minus, plus, of_double(-NAN + NAN));
    note("-NAN * NAN", minus, plus, of_double(-NAN * NAN));
    note("NAN / -NAN", plus, minus, of_double(NAN / -NAN));
    for (int i = 0; i < VALUES; i++) {
        note("NAN + a", plus, doubles[i], of_double(NAN + to_double(doubles[i])));
        note("a + NAN", doubles[i], plus, of_double(to_double(doubles[i]) + NAN));
        note("-NAN * a", minus, doubles[i], of_double(-NAN * to_double(doubles[i])));
    }
}

/* -- loops ------------------------------------------------------------------------------------- */

static uint64_t left[PAIRS + 2], right[PAIRS + 2], results[PAIRS + 2];
static uint32_t left_f[PAIRS + 2], right_f[PAIRS + 2], results_f[PAIRS + 2];

static void fill(void)
{
    for (int i = 0; i < PAIRS + 2; i++) {
        left[i] = doubles[i % PAIRS / VALUES];
        right[i] = doubles[i % VALUES];
        left_f[i] = floats[i % PAIRS / VALUES];
        right_f[i] = floats[i % VALUES];
    }
}

static void run(int operation, double *to, const double *a, const double *b, int n)
{
    switch (operation) {
    case 0:
        for (int i = 0; i < n; i++)
            to[i] = a[i] + b[i];
        break;
    case 1:
        for (int i = 0; i < n; i++)
            to[i] = a[i] - b[i];
        break;
    case 2:
        for (int i = 0; i < n; i++)
            to[i] = a[i] * b[i];
        break;
    default:
        for (int i = 0; i < n; i++)
            to[i] = a[i] / b[i];
    }
}

static void run_f(int operation, float *to, const float *a, const float *b, int n)
{
    switch (operation) {
    case 0:
        for (int i = 0; i < n; i++)
            to[i] = a[i] + b[i];
        break;
    case 1:
        for (int i = 0; i < n; i++)
            to[i] = a[i] - b[i];
        break;
    case 2:
        for (int i = 0; i < n; i++)
            to[i] = a[i] * b[i];
        break;
    default:
        for (int i = 0; i < n; i++)
            to[i] = a[i] / b[i];
    }
}

/* n shrinks, so that there are ends of all lengths; in place, apart, and onto what follows. */
static void loops(void)
{
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int n = PAIRS; n > PAIRS - 5; n--) {
            fill();
            run(operation, (double *)results, (double *)left, (double *)right, n);
            run_f(operation, (float *)results_f, (float *)left_f, (float *)right_f, n);
            for (int i = 0; i < n; i++) {
                note("loop", left[i], right[i], results[i]);
                note_f("loop", left_f[i], right_f[i], results_f[i]);
            }
            run(operation, (double *)left, (double *)left, (double *)right, n);
            for (int i = 0; i < n; i++)
                note("loop in place", doubles[i / VALUES], right[i], left[i]);
            fill();
            run(operation, (double *)right, (double *)left, (double *)right, n);
            for (int i = 0; i < n; i++)
                note("loop in the other's place", left[i], doubles[i % VALUES], right[i]);
            fill();
            run(operation, (double *)right, (double *)left, (double *)right + 1, n);
            for (int i = 0; i < n; i++)
                note("loop that reads ahead", left[i], doubles[(i + 1) % VALUES], right[i]);
            fill();
            run(operation, (double *)right + 1, (double *)right, (double *)left,
                n); /* each turn takes what the last one made */
            for (int i = 0; i < n; i++)
                note("loop that reads what it wrote", right[i], left[i], right[i + 1]);
        }
}

/* a * x + y, with a that does not change, and sums in order. */
static void combined(double a, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

static double sum(double s, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

static double sum_before(double s, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        s = x[i] - s;
    return s;
}

static double dot(double s, const double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++)
        s -= x[i] * -y[i];
    return s;
}

static void sums(void)
{
    for (int i = 0; i < VALUES; i++) {
        double a = to_double(doubles[i]);
        fill();
        combined(a, (double *)left, (double *)right, PAIRS);
        for (int k = 0; k < PAIRS; k++)
            hash = (hash ^ right[k]) * 1099511628211u;
        fill();
        for (int n = 0; n < 2 * VALUES; n++) {
            note("sum", doubles[i], is_nan(doubles[i]) || n == 0 ? 0 : right[0],
                 of_double(sum(a, (double *)right, n)) | (n == 0 ? 0x8000000000000 : 0));
            hash = (hash ^ of_double(sum_before(a, (double *)right, n))) * 1099511628211u;
            hash = (hash ^ of_double(dot(a, (double *)right, (double *)left + 20, n))) * 1099511628211u;
        }
    }
}

/* -- the library, and conversions -------------------------------------------------------------- */

static void others(void)
{
    for (int i = 0; i < PAIRS; i++) {
        double a = to_double(doubles[i / VALUES]), b = to_double(doubles[i % VALUES]);
        float f = to_float(floats[i / VALUES]), g = to_float(floats[i % VALUES]);
        uint64_t made[] = {
            of_double(fmin(a, b)),     of_double(fmax(a, b)),      of_double(fma(a, b, 1)),  of_double(fma(1, a, b)),
            of_double(copysign(a, b)), of_double(fabs(a)),         of_double(sqrt(fabs(a))), of_float(fminf(f, g)),
            of_float(fmaxf(f, g)),     of_double((double)f),       of_float((float)a),       of_float((float)(double)f),
            of_double(floor(a)),       of_double(ceil(a)),         of_double(trunc(a)),      of_double((double)f + b),
            of_double(a * (double)g),  (uint64_t)(int64_t)(a < b), of_double(a < b ? a : b), of_double(a > b ? a : b),
            of_double(sqrt(a)),        of_float(sqrtf(f)),         of_double(a + f),         of_double(f + a)};
        for (unsigned k = 0; k < sizeof made / sizeof *made; k++)
            hash = (hash ^ made[k]) * 1099511628211u;
    }
}

int main(void)
{
    for (int turn = 0; turn < 20; turn++) {
        for (int i = 0; i < PAIRS; i++) {
            pair(doubles[i / VALUES], doubles[i % VALUES]);
            pair_f(floats[i / VALUES], floats[i % VALUES]);
        }
        constants();
        loops();
        sums();
        others();
    }
    printf("%u wrong\n%016llx\n", wrong, (unsigned long long)hash);
    return 0;
}
