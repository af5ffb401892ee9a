/* Lengths of the Huffman codes for the letters of a text. */
enum { SYMBOLS = 64, LENGTH = 3000 };
static int weight[2 * SYMBOLS], parent[2 * SYMBOLS];

double kernel(void)
{
    unsigned state = 77;
    for (int i = 0; i < 2 * SYMBOLS; i++)
        weight[i] = parent[i] = 0;
    for (int i = 0; i < LENGTH; i++) {
        state = state * 1664525u + 1013904223u;
        weight[(state >> 26) & (state >> 20) & (SYMBOLS - 1)]++;
    }
    int n = SYMBOLS;
    for (; n < 2 * SYMBOLS - 1; n++) {
        int a = -1, b = -1;
        for (int i = 0; i < n; i++) {
            if (parent[i])
                continue;
            if (a < 0 || weight[i] < weight[a]) {
                b = a;
                a = i;
            } else if (b < 0 || weight[i] < weight[b]) {
                b = i;
            }
        }
        weight[n] = weight[a] + weight[b];
        parent[a] = parent[b] = n;
    }
    long bits = 0;
    for (int i = 0; i < SYMBOLS; i++)
        for (int p = parent[i]; p; p = parent[p])
            bits += weight[i];
    return (double)bits;
}
