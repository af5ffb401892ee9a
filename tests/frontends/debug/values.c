#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>

enum colour { RED, GREEN = 5, BLUE };
typedef enum { SMALL = -1, LARGE = 1 } Size;
struct point { int x, y; };
union word { int i; float f; unsigned char bytes[4]; };
typedef struct node {
    struct node *next;
    char name[8];
    struct point at;
    double weight;
    unsigned flag : 1, level : 3;
    int delta : 4;
    enum colour colour;
    union { int whole; short halves[2]; };
} Node;

int global = 42;
static double table[2][3] = {{1, 2, 3}, {4, 5, 6.5}};
static Node first = {NULL, "first", {1, -2}, 2.5, 1, 6, -3, BLUE, {65537}};
const char *title = "a \"quoted\"\ttext\n";

static int twice(int n)
{
    static int calls;
    int result = 2 * n;
    calls++;
    return result;
}

static int apply(int (*function)(int), int value)
{
    int local = value + 1;
    int answer = function(local);
    return answer;
}

int main(int argc, char **argv)
{
    char c = 'A';
    signed char sc = -5;
    unsigned char uc = 200;
    short s = -300;
    unsigned short us = 65000;
    long l = -1234567890123L;
    unsigned long ul = 18446744073709551615UL;
    bool yes = true;
    float f = 0.1f;
    double d = -1.5e300, third = 1.0 / 3.0;
    int array[5] = {1, 2, 3, 4, 5};
    int *p = array + 2;
    int **pp = &p;
    Node second = {&first, "second", {3, 4}, -0.5, 0, 7, 5, GREEN, {3}};
    Node *node = &second;
    enum colour colour = BLUE;
    Size size = SMALL;
    union word w;
    int (*function)(int) = twice;
    void *nothing = NULL, *wild = (void *)0x123456789abc;
    char *text = "hello";
    char letters[] = {'a', 'b', 0, 'c'};
    struct point points[2] = {{1, 2}, {3, 4}};
    w.f = 1.0f;
    for (int i = 0; i < 2; i++) {
        int square = i * i;
        array[i] = square + apply(function, i);
    }
    {
        int c = 99;
        array[4] = c;
    }
    printf("%d %d %f %s\n", array[0], array[4], table[1][2], node->name);
    return argc > 5 ? s + us + sc + uc + (int)l + (int)ul + yes + (int)f + (int)d + (int)third + **pp + colour + size
        + (nothing == wild) + text[0] + letters[0] + points[0].x + c + global + title[0]: 0;
}
