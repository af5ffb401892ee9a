/* Compression by references to earlier text: the longest match in a small window. */
enum { SIZE = 1500, WINDOW = 64, MOST = 18 };
static unsigned char from[SIZE], to[2 * SIZE];

static int match(int at, int back)
{
    int n = 0;
    while (n < MOST && at + n < SIZE && from[at + n] == from[at - back + n])
        n++;
    return n;
}

double kernel(void)
{
    unsigned state = 8;
    for (int i = 0; i < SIZE; i++) {
        state = state * 1664525u + 1013904223u;
        from[i] = state >> 28 < 5 ? (unsigned char)(state >> 24 & 7) : (unsigned char)(i % 23 + i / 200);
    }
    int out = 0;
    for (int at = 0; at < SIZE;) {
        int longest = 0, where = 0;
        for (int back = 1; back <= WINDOW && back <= at; back++) {
            int n = match(at, back);
            if (n > longest) {
                longest = n;
                where = back;
            }
        }
        if (longest >= 3) {
            to[out++] = (unsigned char)(0x80 | where);
            to[out++] = (unsigned char)longest;
            at += longest;
        } else {
            to[out++] = from[at++];
        }
    }
    return out + to[out / 2];
}
