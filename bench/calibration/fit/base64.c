/* Converts bytes to base 64 and back, by tables. */
enum { N = 3000, TURNS = 4 };
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static unsigned char bytes[N], values[128];
static char text[N / 3 * 4];

double kernel(void)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        bytes[i] = (unsigned char)(i * 31);
    for (int i = 0; i < 64; i++)
        values[(int)letters[i]] = (unsigned char)i;
    for (int t = 0; t < TURNS; t++) {
        char *to = text;
        for (int i = 0; i < N; i += 3) {
            unsigned three = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
            *to++ = letters[three >> 18];
            *to++ = letters[three >> 12 & 63];
            *to++ = letters[three >> 6 & 63];
            *to++ = letters[three & 63];
        }
        for (int i = 0, o = 0; i < N / 3 * 4; i += 4, o += 3) {
            unsigned three = (unsigned)values[(int)text[i]] << 18 | (unsigned)values[(int)text[i + 1]] << 12 |
                             (unsigned)values[(int)text[i + 2]] << 6 | values[(int)text[i + 3]];
            bytes[o] = (unsigned char)(three >> 16);
            bytes[o + 1] = (unsigned char)(three >> 8);
            bytes[o + 2] = (unsigned char)three;
        }
        sum += bytes[t * 5];
    }
    return sum;
}
