/* Rotates, moves and projects the vertices of a model. */
enum { CORNERS = 800 };
typedef struct Vector {
    float x, y, z, w;
} Vector;
typedef struct Matrix {
    float m[4][4];
} Matrix;
static Vector model[CORNERS], seen[CORNERS];

static Matrix product(const Matrix *a, const Matrix *b)
{
    Matrix c;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            c.m[i][j] = 0;
            for (int k = 0; k < 4; k++)
                c.m[i][j] += a->m[i][k] * b->m[k][j];
        }
    return c;
}

static Vector apply(const Matrix *a, Vector v)
{
    return (Vector){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z + a->m[0][3] * v.w,
                    a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z + a->m[1][3] * v.w,
                    a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z + a->m[2][3] * v.w,
                    a->m[3][0] * v.x + a->m[3][1] * v.y + a->m[3][2] * v.z + a->m[3][3] * v.w};
}

double kernel(void)
{
    Matrix turn = {{{0.8f, -0.6f, 0, 0}, {0.6f, 0.8f, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    Matrix move = {{{1, 0, 0, 2}, {0, 1, 0, -1}, {0, 0, 1, 30}, {0, 0, 0.1f, 0}}}, both = product(&move, &turn);
    int inside = 0;
    for (int i = 0; i < CORNERS; i++)
        model[i] = (Vector){(float)(i % 10) - 5, (float)(i / 10 % 10) - 5, (float)(i / 100), 1};
    for (int frame = 0; frame < 3; frame++) {
        for (int i = 0; i < CORNERS; i++) {
            Vector v = apply(&both, model[i]);
            seen[i] = (Vector){v.x / v.w, v.y / v.w, v.z, 1};
            inside += seen[i].x > -1 && seen[i].x < 1 && seen[i].y > -1 && seen[i].y < 1;
        }
        both = product(&both, &turn);
    }
    return inside;
}
