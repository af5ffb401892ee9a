/* Distances, normals and square roots of many points. */
#include <math.h>

enum { N = 1500, TURNS = 4 };
static double px[N], py[N], pz[N];

double kernel(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        px[i] = i % 13;
        py[i] = i % 11;
        pz[i] = 1 + i % 7;
    }
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < N; i++) {
            double length = sqrt(px[i] * px[i] + py[i] * py[i] + pz[i] * pz[i]);
            double cosine = pz[i] / length;
            px[i] = px[i] / length * 3.0;
            sum += cosine;
        }
    return sum;
}
