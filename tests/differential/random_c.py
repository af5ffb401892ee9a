#!/usr/bin/env python3
"""random_c.py - random C programs of what csmith does not make: floating point and conversions, variable length
arrays, structures by value, variable arguments, switch, goto, strings, setjmp, compound literals, designated
initialisers, complex numbers, bit-fields, function pointers, loops that invite the optimiser, output formats.

A program is a handful of features (random_features.py), each a function that computes something and prints it, and the
declarations that it needs. random_layouts.py has structs that are hard to lay out, random_wide.py __int128. The same seed is the same program, everywhere.

    random_c.py SEED [FEATURE]
"""
import sys

import random_features
import random_layouts
import random_wide
from random_core import Dice

HEAD = """#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double clamp(double x, double low, double high)
{
    return x >= low && x <= high ? x : x > high ? high : low;
}
static void show(const char *name, double x)
{
    if (x != x)
        printf("%s = nan\\n", name);
    else
        printf("%s = %a %.17g\\n", name, x, x);
}
"""


ALL = random_features.ALL + [random_layouts.layouts, random_wide.wide]


def program(seed, feature=None):
    """A program of several features, or of the one that is named."""
    chosen = [f for f in ALL if f.__name__ == feature] or ALL
    dice = Dice(seed)
    parts, calls = [HEAD], []
    for number in range(dice.between(4, 8)):
        feature = dice.pick(chosen)
        name = "%s_%d" % (feature.__name__, number)
        parts.append(feature(dice, name))
        calls.append('    puts("-- %s");\n    %s();\n' % (name, name))
    status = dice.below(100)
    parts.append("int main(void)\n{\n%s    return %d;\n}\n" % ("".join(calls), status))
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(program(int(sys.argv[1]), *sys.argv[2:3]))
