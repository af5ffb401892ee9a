/* Lorenz's equations by the classical Runge-Kutta method. */
typedef struct State {
    double x, y, z;
} State;

static State slope(State s)
{
    return (State){10.0 * (s.y - s.x), s.x * (28.0 - s.z) - s.y, s.x * s.y - 8.0 / 3.0 * s.z};
}

static State ahead(State s, State d, double h)
{
    return (State){s.x + h * d.x, s.y + h * d.y, s.z + h * d.z};
}

double kernel(void)
{
    State s = {1.0, 1.0, 1.0};
    const double h = 0.005;
    for (int i = 0; i < 3000; i++) {
        State a = slope(s), b = slope(ahead(s, a, h / 2)), c = slope(ahead(s, b, h / 2)), d = slope(ahead(s, c, h));
        s.x += h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
        s.y += h / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
        s.z += h / 6 * (a.z + 2 * b.z + 2 * c.z + d.z);
    }
    return s.x;
}
