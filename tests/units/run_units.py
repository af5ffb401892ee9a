#!/usr/bin/env python3
"""Programs that the native tier compiles in several units (ORRERY_UNIT makes units small, so that small programs have many).

Each part makes a program of many functions that call each other directly, through pointers and recursively, with loops and
messages, and holds runs of it against the interpreter's: output, standard error, exit status and statistics to the byte.

    tiers     --tier native, under several sizes of units and quanta
    huge      a function that is printed in many parts
    depth     recursion over the borders of units: its end, and where it never ends
    faults    a fault far inside calls over borders: the same line, the same call stack
    hot       --tier auto: units by what is hot, while the program runs; a later run finds them
    cache     entries that are damaged, all in one way or another; notes of units that are
    together  two runs at once that fill one cache

    run_units.py --orrery build/release/bin/orrery [PART...]
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

TIMEOUT = 240


class Failure(Exception):
    pass


# -- programs

PIECES = [
    "for (u j = 0; j < 5 + (y & 7); j++) { s = s * %(odd)d + words[(s + j) & 255]; s ^= s >> %(shift)d; }",
    "for (int j = 0; j < 16; j++) d = d * 0.5 + table[(j + %(some)d) & 255];",
    "if ((s >> %(shift)d) & 1) s += %(some)d; else s = s * 3 + (u)d;",
    "switch (s & 7) { case 0: s += 5; break; case 1: s ^= y; break; case 3: s -= x; break; default: s++; }",
    "words[s & 255] = s + %(some)d; table[y & 255] = d * 0.25; s += words[(s >> 7) & 255] * (u)%(some)d;",
    "{ u q = s; while (q > %(some)d) { s += q & 15; q >>= 3; } }",
]


def fill(text, draw):
    return text % {"odd": draw.randrange(1, 9999) | 1, "shift": draw.randrange(3, 30), "some": draw.randrange(1, 900)}


def make_program(functions, pieces, last="", huge=0):
    """`last`: statements of the last function, to which calls come down."""
    draw = random.Random(functions)
    names = ["f%d" % i for i in range(functions)]
    lines = ["#include <mpi.h>", "#include <stdio.h>", "#include <stdlib.h>", "typedef unsigned long u;",
             "static double table[256];", "static u words[256];", "static u far(u x, u y);"]
    lines += ["u %s(u x, u y);" % name for name in names]
    lines.append("static u (*const several[])(u, u) = {%s};" % ", ".join(names))
    for i, name in enumerate(names):
        lines += ["u %s(u x, u y)" % name, "{", "    u s = x ^ %du; double d = 1.0 + (double)(y %% 17);" % draw.randrange(1 << 30)]
        lines += ["    " + fill(draw.choice(PIECES), draw) for _ in range(pieces)]
        if i + 1 < functions:
            lines.append("    if (y > 0) s += f%d(s, y - 1);" % draw.randrange(i + 1, min(functions, i + 5)))
        else:
            lines.append("    " + last)
        if i % 3 == 0:
            lines.append("    if (y > 4) s ^= several[(s >> 3) %% %du](s, 2);" % functions)
        if i % 4 == 1:
            lines.append("    if (y > 2) s += far(s, y - 2);")
        lines += ["    return s + (u)(d * 1000);", "}"]
    lines += ["static u far(u x, u y)", "{", "    return y == 0 ? x : f%d(x + 1, y - 1) ^ 1;" % (functions // 2), "}"]
    if huge:
        lines += ["u huge(u s, u y)", "{", "    u x = s; double d = 1; float e = (float)y;",
                  "    for (u t = 0; t < y; t++) switch (s % " + "%du) {" % huge]
        lines += ["    case %d: %s s += far(t, 1); e = e * 0.5f + (float)(s & 3); break;" % (
            k, " ".join(fill(draw.choice(PIECES), draw) for _ in range(6))) for k in range(huge)]
        lines += ["    }", "    return s + (u)d + (u)e;", "}"]
    lines += [
        "int main(int argc, char **argv)", "{",
        "    u s = 1, turns = argc > 1 ? strtoul(argv[1], 0, 10) : 200, all = 0; int rank, size;",
        "    MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);",
        "    for (u t = 0; t < turns; t++) {",
        "        s += several[(s ^ t) %% %du](s, t %% 9);" % functions,
        "        s += huge(s, 3);" if huge else "",
        "        if (t % 64 == 63) MPI_Sendrecv_replace(&s, 1, MPI_UNSIGNED_LONG, (rank + 1) % size, 0, (rank + size - 1) % size, 0,",
        "            MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "    }",
        "    MPI_Allreduce(&s, &all, 1, MPI_UNSIGNED_LONG, MPI_BXOR, MPI_COMM_WORLD);",
        "    printf(\"%d: %lx %lx %.6f\\n\", rank, s, all, MPI_Wtime() * 1e3);",
        "    MPI_Finalize();", "    return 0;", "}"]
    return "\n".join(lines) + "\n"


DEPTH = """#include <stdio.h>
static unsigned long sum;
unsigned long down(unsigned long n), %(names)s;
unsigned long down(unsigned long n) { sum += n; return %(stop)s ? 1 : a0(n - 1) + n %% 3; }
%(functions)s
int main(void)
{
    for (int t = 1; t < 40; t++) printf("%%lx %%lx\\n", down((unsigned long)t * 37), sum);
    printf("%%lx\\n", down(20000));
    return 0;
}
"""


def make_deep(stop):
    """Functions that call each other in a circle, each with a loop of its own, so that no unit has them all."""
    count = 6
    functions = ["unsigned long a%d(unsigned long n) { unsigned long s = n; for (int j = 0; j < %d; j++) s = s * 3 + sum; sum ^= s; "
                 "return %s ? s : %s(n - 1) * 5 + s; }" % (k, k + 2, stop, "a%d" % (k + 1) if k + 1 < count else "down")
                 for k in range(count)]
    return DEPTH % {"names": ", ".join("a%d(unsigned long n)" % k for k in range(count)), "stop": stop,
                    "functions": "\n".join(functions)}


# -- running

class Place:
    """A program and a cache of its own."""

    def __init__(self, orrery, directory, source):
        self.orrery, self.directory, self.cache = orrery, directory, os.path.join(directory, "cache")
        self.program = os.path.join(directory, "program")
        path = os.path.join(directory, "program.c")
        with open(path, "w", encoding="ascii") as file:
            file.write(source)
        done = subprocess.run([orrery, "cc", "-O2", "-w", "-o", self.program, path], capture_output=True, check=False)
        if done.returncode != 0:
            raise Failure("does not compile:\n" + done.stderr.decode())

    def start(self, tier, unit, options=(), arguments=(), name="statistics", effort=None):
        environment = dict(os.environ, ORRERY_CACHE=self.cache)
        for name_of, value in (("ORRERY_UNIT", unit), ("ORRERY_EFFORT", effort)):
            environment.pop(name_of, None)
            if value:
                environment[name_of] = str(value)
        command = [self.orrery, "run", "--tier", tier, "--json", os.path.join(self.directory, name)] + list(options)
        return subprocess.Popen(command + [self.program] + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=environment, cwd=self.directory)

    def end(self, process, name="statistics"):
        out, err = process.communicate(timeout=TIMEOUT)
        path = os.path.join(self.directory, name)
        statistics = open(path, "rb").read() if os.path.exists(path) else b""
        if statistics:
            os.remove(path)
        return process.returncode, out, err, statistics

    def run(self, tier, unit=None, options=(), arguments=(), effort=None):
        return self.end(self.start(tier, unit, options, arguments, effort=effort))

    def entries(self):
        if not os.path.isdir(self.cache):
            return []
        return sorted(os.path.join(self.cache, name) for name in os.listdir(self.cache))


def hold(what, expected, got):
    for part, left, right in zip(("exit status", "output", "standard error", "statistics"), expected, got):
        if left != right:
            raise Failure("%s: %s differs:\n  expected %r\n  got      %r" % (what, part, left[-1500:] if part != "exit status" else left,
                                                                       right[-1500:] if part != "exit status" else right))


def expect_units(place, least):
    if len(place.entries()) < least + 1:  # a note of the units
        raise Failure("%d entries in the cache, expected %d units and a note of them" % (len(place.entries()), least))


# -- parts

def check_tiers(orrery, directory):
    place = Place(orrery, directory, make_program(16, 3))
    for ranks in ("1", "3"):
        expected = place.run("interp", options=["-n", ranks])
        if expected[0] != 0:
            raise Failure("exit status %d: %s" % (expected[0], expected[2].decode()))
        for unit in ("1", "300"):
            for quantum, effort in (("1000000000", "quick"), ("1000", "full"), ("1000", "quick")):
                got = place.run("native", unit, ["-n", ranks, "--quantum", quantum], effort=effort)
                hold("%s ranks, units of %s, quantum %s, %s" % (ranks, unit, quantum, effort), expected, got)
    expect_units(place, 10)


def check_huge(orrery, directory):
    place = Place(orrery, directory, make_program(4, 2, huge=90))
    expected = place.run("interp", arguments=["400"])
    listing = subprocess.run([orrery, "dis", place.program], capture_output=True, check=True).stdout.decode()
    body = listing.split("\nhuge:")[1].split("; function ")[1]
    size = sum(line[:8].strip().isdigit() for line in body.splitlines())
    if size <= 5000:
        raise Failure("the huge function has become small: %d instructions" % size)
    for quantum, effort in (("1000000000", "quick"), ("1000", "full"), ("1000", "quick")):
        hold("quantum %s, %s" % (quantum, effort), expected, place.run("native", None, ["--quantum", quantum], ["400"], effort))


def check_depth(orrery, directory):
    for what, stop in (("an end", "n == 0 || n > 1ul << 60"), ("no end", "n == 12345678")):
        place = Place(orrery, directory, make_deep(stop))
        expected = place.run("interp")
        for quantum, effort in (("1000000000", "quick"), ("1000", "full")):
            hold("recursion with %s, quantum %s" % (what, quantum), expected,
                 place.run("native", "1", ["--quantum", quantum], effort=effort))


def check_faults(orrery, directory):
    last = "if (words[0] % 61 == 60) s += *(volatile int *)(s & 0xfff);"
    place = Place(orrery, directory, make_program(12, 3, last=last))
    expected = place.run("interp", arguments=["100000"])
    if expected[0] != 139:
        raise Failure("no fault: exit status %d" % expected[0])
    for unit, effort in (("1", "full"), ("150", "quick")):
        hold("units of " + unit, expected, place.run("native", unit, arguments=["100000"], effort=effort))


def check_hot(orrery, directory):
    place = Place(orrery, directory, make_program(40, 2))
    arguments = ["2500000"] # long enough for the host's compiler, however busy the host is
    expected = place.run("interp", arguments=arguments)
    hold("first run", expected, place.run("auto", "60", arguments=arguments))
    before = set(place.entries())
    expect_units(place, 1)
    hold("second run", expected, place.run("auto", "60", arguments=arguments))
    if not before <= set(place.entries()):
        raise Failure("a later run has lost entries of the cache")
    hold("two ranks", place.run("interp", options=["-n", "2"], arguments=arguments),
         place.run("auto", "60", ["-n", "2", "--jobs", "2"], arguments))


def damage(path, how):
    data = bytearray(open(path, "rb").read())
    if how == "flip":
        data[len(data) // 2] ^= 1
    elif how == "cut":
        data = data[:len(data) - 1]
    elif how == "empty":
        data = bytearray()
    with open(path, "wb") as file:
        file.write(bytes(data))


def check_cache(orrery, directory):
    place = Place(orrery, directory, make_program(12, 2))
    expected = place.run("interp")
    hold("filling", expected, place.run("native", "150"))
    expect_units(place, 3)
    entries = {path: open(path, "rb").read() for path in place.entries()}
    for how in ("flip", "cut", "empty"):
        for path in entries:
            damage(path, how)
        hold("damaged: " + how, expected, place.run("native", "150"))
        if set(entries) != set(place.entries()) or any(open(path, "rb").read()[:24] != b[:24] for path, b in entries.items()):
            raise Failure("damaged entries (%s) have not been made again" % how)
    times = {path: os.stat(path).st_size for path in place.entries()}
    hold("from the cache", expected, place.run("native", "150"))
    if times != {path: os.stat(path).st_size for path in place.entries()}:
        raise Failure("a run that found everything changed the cache")
    units = sorted(place.entries())
    for path in units[::2]:
        os.remove(path)
    hold("half of it lost", expected, place.run("native", "150"))


def check_together(orrery, directory):
    place = Place(orrery, directory, make_program(12, 2))
    expected = place.run("interp")
    for tier in ("native", "auto"):
        shutil.rmtree(place.cache, ignore_errors=True)
        both = [place.start(tier, "150", name="statistics%d" % k) for k in range(2)]
        for k, process in enumerate(both):
            hold("two at once, " + tier, expected, place.end(process, "statistics%d" % k))
    hold("after them", expected, place.run("native", "150"))


PARTS = {"tiers": check_tiers, "huge": check_huge, "depth": check_depth, "faults": check_faults, "hot": check_hot,
         "cache": check_cache, "together": check_together}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build",
                                                         "release", "bin", "orrery"))
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    failed = 0
    for part in options.parts or PARTS:
        directory = tempfile.mkdtemp(prefix="orrery-units-")
        try:
            PARTS[part](os.path.abspath(options.orrery), directory)
            print("ok %s" % part, flush=True)
        except Failure as failure:
            failed += 1
            print("FAILED %s: %s" % (part, failure), flush=True)
        finally:
            shutil.rmtree(directory)
    return 1 if failed else 0


sys.exit(main())
