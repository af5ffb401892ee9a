/* utf8.c - text in UTF-8 taken apart by a machine of states in tables, and made again; upper case by a switch. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { START, ONE, TWO, THREE, BAD, STATES };
enum { ASCII, CONTINUED, LEAD2, LEAD3, LEAD4, WRONG, KINDS };
static const uint8_t step[STATES][KINDS] = {
    {START, BAD, ONE, TWO, THREE, BAD}, {BAD, START, BAD, BAD, BAD, BAD},   {BAD, ONE, BAD, BAD, BAD, BAD},
    {BAD, TWO, BAD, BAD, BAD, BAD},     {START, BAD, ONE, TWO, THREE, BAD},
};

static int kind_of(uint8_t b)
{
    if (b < 0x80)
        return ASCII;
    if (b < 0xC0)
        return CONTINUED;
    if (b < 0xE0)
        return LEAD2;
    if (b < 0xF0)
        return LEAD3;
    if (b < 0xF8)
        return LEAD4;
    return WRONG;
}

static int encode(uint32_t c, uint8_t *out)
{
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (uint8_t)(0xC0 | c >> 6);
        out[1] = (uint8_t)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xE0 | c >> 12);
        out[1] = (uint8_t)(0x80 | (c >> 6 & 63));
        out[2] = (uint8_t)(0x80 | (c & 63));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | c >> 18);
    out[1] = (uint8_t)(0x80 | (c >> 12 & 63));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 63));
    out[3] = (uint8_t)(0x80 | (c & 63));
    return 4;
}

static uint32_t upper(uint32_t c)
{
    switch (c) {
    case 'a':
    case 'b':
    case 'c':
    case 'd':
    case 'e':
    case 'f':
    case 'g':
    case 'h':
    case 'i':
    case 'j': return c - 32;
    case 0xE4:
    case 0xF6:
    case 0xFC: return c - 32;
    case 0xFF: return 0x178;
    case 0x153: return 0x152;
    default: return c;
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 400, n = argc > 2 ? atoi(argv[2]) : 50000;
    uint8_t *text = malloc((size_t)n * 4), *out = malloc((size_t)n * 4 + 4);
    static const uint32_t limits[] = {128, 128, 128, 0x800, 0x200, 0xD000, 0x10FFFF, 128};
    size_t bytes = 0;
    unsigned seed = 23;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes += (size_t)encode((seed >> 8) % limits[seed >> 29], text + bytes);
    }
    unsigned long sum = 0, bad = 0;
    for (int turn = 0; turn < turns; turn++) {
        uint32_t code = 0;
        int state = START;
        size_t length = 0;
        for (size_t i = 0; i < bytes; i++) {
            uint8_t b = text[i];
            int kind = kind_of(b);
            code = kind == CONTINUED ? code << 6 | (b & 63) : kind == ASCII ? b : b & (0x3Fu >> (kind - 1));
            state = step[state][kind];
            if (state == START)
                length += (size_t)encode(upper(code), out + length);
            else if (state == BAD)
                bad++;
        }
        sum = sum * 31 + length + out[(size_t)turn * 31 % length];
    }
    printf("%lu %lu\n", sum, bad);
    return 0;
}
