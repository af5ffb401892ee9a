/* Minimum, maximum and their positions in numbers without order. */
enum { N = 2500, TURNS = 8 };
static double numbers[N];

double kernel(void)
{
    unsigned state = 77;
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = state / 1024.0;
    }
    for (int t = 0; t < TURNS; t++) {
        double least = numbers[0], greatest = numbers[0];
        int where = 0;
        for (int i = 1; i < N; i++) {
            if (numbers[i] < least) {
                least = numbers[i];
                where = i;
            }
            if (numbers[i] > greatest)
                greatest = numbers[i];
        }
        numbers[where] = greatest;
        sum += least;
    }
    return sum;
}
