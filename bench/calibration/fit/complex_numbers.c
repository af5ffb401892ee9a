/* Products and sums of complex numbers in structures. */
enum { N = 800, TURNS = 25 };
typedef struct Complex {
    double re, im;
} Complex;
static Complex a[N], b[N];

static Complex multiply(Complex x, Complex y)
{
    return (Complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

double kernel(void)
{
    Complex sum = {0.0, 0.0};
    for (int i = 0; i < N; i++) {
        a[i] = (Complex){i % 3, i % 5};
        b[i] = (Complex){0.25, 0.5 - i % 2};
    }
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < N; i++) {
            Complex c = multiply(a[i], b[i]);
            a[i].re = 0.5 * c.re + 1.0;
            a[i].im = 0.5 * c.im;
            sum.re += c.re;
            sum.im += c.im;
        }
    return sum.re + sum.im;
}
