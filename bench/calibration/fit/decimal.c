/* Converts numbers to decimal digits and back. */
enum { N = 1200 };

static int write(char *to, unsigned value)
{
    char digits[12];
    int n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (int i = 0; i < n; i++)
        to[i] = digits[n - 1 - i];
    to[n] = 0;
    return n;
}

static unsigned read(const char *from)
{
    unsigned value = 0;
    for (; *from >= '0' && *from <= '9'; from++)
        value = value * 10 + (unsigned)(*from - '0');
    return value;
}

double kernel(void)
{
    char text[16];
    unsigned sum = 0, value = 7;
    for (int i = 0; i < N; i++) {
        value = value * 1103515245u + 12345u;
        sum += (unsigned)write(text, value >> i % 16);
        sum += read(text);
    }
    return sum;
}
