/* matrix4.c - 4x4 matrices and vectors as structures, passed and returned by value.
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double m[4][4];
} Mat;
typedef struct {
    double x, y, z, w;
} Vec;

static Mat mul(Mat a, Mat b)
{
    Mat c;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double s = 0;
            for (int k = 0; k < 4; k++)
                s += a.m[i][k] * b.m[k][j];
            c.m[i][j] = s;
        }
    return c;
}

static Vec apply(const Mat *a, Vec v)
{
    Vec r;
    r.x = a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z + a->m[0][3] * v.w;
    r.y = a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z + a->m[1][3] * v.w;
    r.z = a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z + a->m[2][3] * v.w;
    r.w = a->m[3][0] * v.x + a->m[3][1] * v.y + a->m[3][2] * v.z + a->m[3][3] * v.w;
    return r;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 9000000;
    Mat a, r;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            a.m[i][j] = (i == j) * 0.9 + 0.01 * (i - j);
            r.m[i][j] = i == j;
        }
    Vec v = {1, 2, 3, 4};
    double t = 0;
    for (int k = 0; k < turns; k++) {
        r = mul(r, a);
        v = apply(&r, v);
        if (k % 64 == 0) {
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    r.m[i][j] = (i == j);
            v.x = 1;
            v.y = k % 7;
            v.z = 3;
            v.w = 2;
        }
        t += v.x - v.y;
    }
    printf("%.9g %.9g\n", t, r.m[1][2]);
    return 0;
}
