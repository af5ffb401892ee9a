"""Random expressions of C, for holding the debugger's values to those that the compiled program prints."""
import random

INTEGERS = [("signed char", "sc", "-7"), ("unsigned char", "uc", "200"), ("short", "sh", "-300"),
            ("unsigned short", "us", "60000"), ("int", "i", "-123456"), ("unsigned", "u", "4000000000"),
            ("long", "l", "-9000000000"), ("unsigned long", "ul", "18000000000000000000UL"), ("_Bool", "bo", "1"),
            ("char", "c", "-65"), ("long long", "ll", "77")]
REALS = [("float", "f", "2.75"), ("double", "d", "-1234.5625"), ("long double", "ld", "0.1")]
OTHERS = ["3", "7u", "-5", "100L", "0x10UL", "'a'", "s.bf", "s.ub", "arr[2]", "*p", "p[1]", "(*q).x", "q->x", "E2",
          "sizeof(int)", "sizeof arr", "m[1][2]", "s.in.y", "LIMIT"]
PROGRAM = """#include <stdio.h>
enum { LIMIT = 12 };
enum e { E1, E2 = 9, E3 = -4 };
struct in { int x, y; };
struct st { int bf : 5; unsigned ub : 7; double d; struct in in; };
static void stop(void) { }
int main(void)
{
%s
    int arr[5] = {1, -2, 30, 4, 5}, *p = &arr[1], m[3][4] = {{1}, {2, 3, 44}, {5}};
    struct in pair = {-8, 9}, *q = &pair;
    struct st s = {-3, 100, 6.125, {7, -70}};
    stop();
%s
    (void)arr, (void)p, (void)m, (void)q, (void)s;
    return 0;
}
"""


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def integer(self, depth):
        """An expression of integers without undefined behaviour but for overflow, which wraps here."""
        pick = self.random
        if depth == 0 or pick.random() < 0.2:
            return pick.choice([name for _, name, _ in INTEGERS] + OTHERS)
        a, b, c = (self.integer(depth - 1) for _ in range(3))
        return pick.choice([
            "(%s %s %s)" % (a, pick.choice("+-*&|^"), b),
            "(%s %s ((%s & 63) | 1))" % (a, pick.choice("/%"), b),
            "(%s >> (%s & 7))" % (a, b),
            "((%s & 1023) << (%s & 7))" % (a, b),
            "(%s %s %s)" % (a, pick.choice(["<", "<=", ">", ">=", "==", "!=", "&&", "||"]), b),
            "%s(%s)" % (pick.choice("-~!+"), a),
            "(%s)(%s)" % (pick.choice(INTEGERS)[0], a),
            "(%s ? %s : %s)" % (a, b, c),
            "(%s, %s)" % (a, b)])

    def real(self, depth):
        pick = self.random
        if depth == 0 or pick.random() < 0.2:
            return pick.choice([name for _, name, _ in REALS] + ["1.5", "2.25f", "s.d"])
        a, b = self.real(depth - 1), self.real(depth - 1)
        return pick.choice([
            "(%s %s %s)" % (a, pick.choice("+-*/"), pick.choice([b, "(%s & 255)" % self.integer(1)])),
            "-(%s)" % a,
            "(%s)(%s)" % (pick.choice(["float", "double"]), a),
            "(%s ? %s : %s)" % (self.integer(1), a, b)])


def expressions(seed, count):
    """`count` expressions of type long, and half as many of type double."""
    writer = Writer(seed)
    return (["(long)(%s)" % writer.integer(3) for _ in range(count)] +
            ["(double)(%s)" % writer.real(3) for _ in range(count // 2)])


def program(texts):
    """A program that stops in stop(), then prints each expression on a line of its own."""
    declared = "\n".join("    %s %s = %s;" % row for row in INTEGERS + REALS)
    printed = "\n".join('    printf("%%%s\\n", %s);' % ("ld" if text.startswith("(long)") else ".17g", text) for text in texts)
    return PROGRAM % (declared, printed)
