/* Particles in a box that fall and bounce; one structure for each. */
enum { PARTICLES = 150, STEPS = 60 };
typedef struct Particle {
    double x, y, vx, vy;
    int bounces;
} Particle;
static Particle all[PARTICLES];

double kernel(void)
{
    int bounces = 0;
    for (int i = 0; i < PARTICLES; i++)
        all[i] = (Particle){.x = i % 10, .y = i / 10, .vx = i % 7 - 3, .vy = i % 5 - 2};
    for (int step = 0; step < STEPS; step++)
        for (Particle *p = all; p < all + PARTICLES; p++) {
            p->vy -= 0.0981;
            p->x += 0.01 * p->vx;
            p->y += 0.01 * p->vy;
            if (p->y < 0.0) {
                p->y = -p->y;
                p->vy = -0.9 * p->vy;
                p->bounces++;
            }
            if (p->x < 0.0 || p->x > 10.0) {
                p->vx = -p->vx;
                p->bounces++;
            }
        }
    for (int i = 0; i < PARTICLES; i++)
        bounces += all[i].bounces;
    return bounces + all[3].x;
}
