/* Escape times of the Mandelbrot set. */
enum { WIDTH = 48, HEIGHT = 32, MOST = 60 };

double kernel(void)
{
    long total = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            double cr = -2.0 + 3.0 * column / WIDTH, ci = -1.0 + 2.0 * row / HEIGHT, zr = 0.0, zi = 0.0;
            int n = 0;
            while (n < MOST && zr * zr + zi * zi < 4.0) {
                double t = zr * zr - zi * zi + cr;
                zi = 2.0 * zr * zi + ci;
                zr = t;
                n++;
            }
            total += n;
        }
    return (double)total;
}
