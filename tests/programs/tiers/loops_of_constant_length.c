/* Nests of loops from constants to constants: every kind of test, steps up and down, ends in the middle, counters that
 * are read behind their loop, pointers that move along, and tests that are not of constants after all. */
#include <stdio.h>

typedef unsigned long Word;

static int table[8][8][8], row[64];
static double matrix[4][4];
static unsigned char bytes[300];

static int kinds(int seed)
{
    int sum = 0, i, j;
    for (i = 0; i != 6; i += 2)
        for (j = 7; j >= 0; j--)
            sum += table[i][j][(i + j) & 7] * (j + seed);
    for (unsigned u = 0; u < 5; u++)
        for (unsigned v = 9; v > 3; v -= 3)
            sum += (int)(u * v) + row[u + v];
    for (Word w = 0; w <= 4; w++)
        sum += row[w * 3];
    for (i = 5; i > -5; i -= 3)
        sum = sum * 3 + i;
    return sum + i + j;
}

/* Not of constant length: the bound, the step, or the beginning change. */
static int others(Word n, int from, int to)
{
    int sum = 0;
    for (Word k = 0; k < n; k++)
        bytes[k] = (unsigned char)(k * k >> 3);
    for (Word k = 0; k < n; k++)
        sum = sum * 31 + bytes[k];
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            sum += table[i][j][j - i];
    for (int i = from; i < 6; i++)
        for (int j = 0; j < to; j++)
            sum ^= row[i + j] << (j & 3);
    for (int i = 0; i < 5; i++) {
        int j = 0;
        if (i & 1)
            j = 3;
        for (; j < 6; j++)
            sum += row[i * 6 + j];
    }
    return sum;
}

static int ends(int wanted)
{
    int steps = 0, i, j = 0;
    for (i = 0; i < 8; i++) {
        for (j = 0; j < 8; j++) {
            steps++;
            if (table[i][j][0] == wanted)
                goto found;
            if (row[i * 8 + j] % 7 == wanted % 7)
                break;
            if (j % 3 == wanted % 3)
                continue;
            steps += 10;
        }
        row[i * 8 + j % 8]++;
    }
found:
    return steps * 100 + i * 10 + j;
}

static double product(double scale)
{
    double made[4][4], sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            made[i][j] = 0;
            for (int k = 0; k < 4; k++)
                made[i][j] += matrix[i][k] * matrix[k][j] * scale;
        }
    double *at = &made[0][0];
    for (int i = 0; i < 16; i++)
        sum = sum * 0.5 + *at++;
    at = &made[3][3];
    for (int i = 0; i < 16; i++)
        sum -= *at-- * i;
    return sum;
}

static int moved(int *p)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++)
            sum = sum * 5 + *p++;
        p += 2;
    }
    return sum + *p;
}

int main(void)
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            row[i * 8 + j] = i * 13 + j * 7;
            for (int k = 0; k < 8; k++)
                table[i][j][k] = i * 64 + j * 8 + k;
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            matrix[i][j] = (i * 3 + j * 5) % 7 * 0.25;
    long sum = 0;
    double real = 0;
    for (int turn = 0; turn < 3000; turn++) {
        sum = sum * 31 + kinds(turn) + others((Word)turn % 290, turn % 5, turn % 7) + ends(turn % 500) +
              moved(row + turn % 40);
        real = real * 0.75 + product(turn % 9 * 0.5);
        table[turn % 8][turn % 7][turn % 5] += turn;
    }
    printf("%ld %.17g\n", sum, real);
    return 0;
}
