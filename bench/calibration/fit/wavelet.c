/* Daubechies wavelet transform with four coefficients, forward and back. */
enum { N = 1024 };
static double data[N], work[N];
static const double h[4] = {0.4829629131445341, 0.8365163037378079, 0.2241438680420134, -0.1294095225512604};

static void forward(int n)
{
    int half = n / 2;
    for (int i = 0; i < half; i++) {
        int a = 2 * i, b = (a + 1) % n, c = (a + 2) % n, d = (a + 3) % n;
        work[i] = h[0] * data[a] + h[1] * data[b] + h[2] * data[c] + h[3] * data[d];
        work[i + half] = h[3] * data[a] - h[2] * data[b] + h[1] * data[c] - h[0] * data[d];
    }
    for (int i = 0; i < n; i++)
        data[i] = work[i];
}

double kernel(void)
{
    double sum = 0.0;
    for (int t = 0; t < 8; t++) {
        for (int i = 0; i < N; i++)
            data[i] = (i + t) % 19;
        for (int n = N; n >= 4; n /= 2)
            forward(n);
        sum += data[1];
    }
    return sum;
}
