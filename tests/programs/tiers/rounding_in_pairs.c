/* Two doubles that are rounded to float and widened again, side by side, are not the same two doubles (6.3.1.5). */
#include <stdio.h>

static double in[2] = {-7.80391e+173, 0.1}, out[2];

static void through_float(double *to, const double *from)
{
    float a = (float)from[0], b = (float)from[1];
    to[0] = a;
    to[1] = b;
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        through_float(out, in);
    printf("%g %.17g\n", out[0], out[1]);
    return 0;
}
