/* Assigns points to the nearest of a few centres, which move to the mean of their points (k-means). */
enum { POINTS = 500, CENTRES = 6, TURNS = 5 };
static double px[POINTS], py[POINTS], cx[CENTRES], cy[CENTRES];

double kernel(void)
{
    unsigned state = 3;
    for (int i = 0; i < POINTS; i++) {
        state = state * 1664525u + 1013904223u;
        px[i] = (state >> 12 & 0xfff) / 64.0;
        py[i] = (state >> 20) / 64.0;
    }
    for (int c = 0; c < CENTRES; c++) {
        cx[c] = px[c * 7];
        cy[c] = py[c * 7];
    }
    for (int t = 0; t < TURNS; t++) {
        double sx[CENTRES] = {0}, sy[CENTRES] = {0};
        int n[CENTRES] = {0};
        for (int i = 0; i < POINTS; i++) {
            int nearest = 0;
            double least = 1e30;
            for (int c = 0; c < CENTRES; c++) {
                double dx = px[i] - cx[c], dy = py[i] - cy[c], d = dx * dx + dy * dy;
                if (d < least) {
                    least = d;
                    nearest = c;
                }
            }
            sx[nearest] += px[i];
            sy[nearest] += py[i];
            n[nearest]++;
        }
        for (int c = 0; c < CENTRES; c++)
            if (n[c]) {
                cx[c] = sx[c] / n[c];
                cy[c] = sy[c] / n[c];
            }
    }
    return cx[0] + cy[CENTRES - 1];
}
