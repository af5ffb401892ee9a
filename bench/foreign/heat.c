/* heat.c - heat in a plate: floats in two arrays that change places, until little changes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define IDX(x, y) ((y)*width + (x))

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 700, width = argc > 2 ? atoi(argv[2]) : 512, height = width;
    float *now = calloc((size_t)(width * height), sizeof *now), *then = calloc((size_t)(width * height), sizeof *then);
    for (int x = 0; x < width; x++)
        now[IDX(x, 0)] = then[IDX(x, 0)] = 100.0f;
    float change = 0;
    for (int t = 0; t < turns; t++) {
        for (int y = 1; y < height - 1; y++)
            for (int x = 1; x < width - 1; x++)
                then[IDX(x, y)] =
                    now[IDX(x, y)] + 0.2f * (now[IDX(x - 1, y)] + now[IDX(x + 1, y)] + now[IDX(x, y - 1)] +
                                             now[IDX(x, y + 1)] - 4 * now[IDX(x, y)]);
        if (t % 10 == 0) {
            change = 0;
            for (int i = 0; i < width * height; i++) {
                float d = fabsf(then[i] - now[i]);
                if (d > change)
                    change = d;
            }
        }
        float *s = now;
        now = then;
        then = s;
    }
    printf("%.6f %.6f\n", now[IDX(width / 2, 10)], change);
    return 0;
}
