/* Elements of tables whose index has only so many bits that it cannot lead beyond: in static memory, among constants
 * and in the frame, read and written, up to the last one; and such that may be beyond, or before, as far as bits tell.
 */
#include <stdio.h>

enum { MANY = 60000 };

static unsigned table[256];
static unsigned char letters[256];
static const unsigned short squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
static const double weights[256] = {[0] = 0.5, [255] = 0.25};
static struct {
    long before;
    double values[128];
    long after;
} record;
static int around[512];
static unsigned char text[MANY];
static unsigned short indices[MANY];

static unsigned sum_of_bytes(int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + table[text[i]] + letters[text[i] ^ 255] + squares[text[i] & 15] + squares[text[i] >> 4];
    return sum;
}

static unsigned checksum(int n)
{
    unsigned c = ~0u;
    for (int i = 0; i < n; i++)
        c = table[(c ^ text[i]) & 0xff] ^ (c >> 8);
    return ~c;
}

static int histogram(int n)
{
    int counts[256] = {0}, most = 0;
    for (int i = 0; i < n; i++)
        counts[text[i]]++;
    for (int i = 0; i < 256; i++)
        most = counts[i] > counts[most] ? i : most;
    return most * 1000 + counts[255] + counts[0];
}

static double in_record(unsigned seed, int turns)
{
    double sum = 0;
    for (int i = 0; i < turns; i++) {
        seed = seed * 1664525 + 1013904223;
        record.values[seed >> 8 & 127] += 1;
        sum += record.values[seed >> 20 & 127] * weights[seed >> 24];
    }
    return sum;
}

/* Indices with a sign lead before the table's middle. */
static int with_sign(int n)
{
    const signed char *codes = (const signed char *)text;
    int sum = 0, *middle = around + 256;
    for (int i = 0; i < n; i++) {
        middle[codes[i]] += i;
        around[256 + codes[i]] ^= 1;
        sum += middle[codes[i] / 2];
    }
    return sum;
}

/* An index of 16 bits could be beyond the table. */
static int in_short_table(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += squares[indices[i]];
    return sum;
}

int main(void)
{
    unsigned seed = 7;
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
        letters[i] = (unsigned char)(i * 7);
    }
    for (int i = 0; i < MANY; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = (unsigned char)(seed >> 13);
        indices[i] = (unsigned short)(seed >> 28);
    }
    text[0] = 255, text[1] = 0;
    for (int turn = 0; turn < 4; turn++)
        printf("%u %08x %d %g %d %d\n", sum_of_bytes(MANY), checksum(MANY), histogram(MANY), in_record(seed, MANY),
               with_sign(MANY), in_short_table(MANY));
    printf("%ld %ld\n", record.before, record.after);
    return 0;
}
