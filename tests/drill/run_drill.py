#!/usr/bin/env python3
"""Stops programs at drawn places, in both tiers, and holds everything that they are there against each other; the first
tier also without direct code.

$ORRERY_DRILL (vm/drill/drill.h) makes every run of a rank end after a drawn number of cycles and writes a hash of clock, place,
stack pointer, frames, live registers and memory for each stop. The same program with the same seed stops at the same
places in both tiers; so the two logs must be equal. With `exits`, printed code leaves besides at tests that hold, so
that every way out of every function is taken sooner or later.

    run_drill.py --orrery build/release/bin/orrery [--jobs 2] [--seeds 1:4,9] [--levels 2] [--stops 20000] [--share 10] [NAME...]

NAME is a case or chapter of run_programs.py, `kernels`, or a path. A difference names the stop; the command that shows
what the rank is there in each tier is printed with it.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shlex
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import run_programs  # noqa: E402

RECORD = struct.Struct("<IIQQ")
SPANS = (40, 700, 12000)
SMALL_STACK = ["--set", "process.stack=64KiB"]
TIMEOUT = 120


class Way:
    """One way to stop a program: seed, span, forced exits, size of units, effort, size of the stack."""

    def __init__(self, seed):
        self.seed, self.span = seed, SPANS[seed % 3]
        self.exits = (0, 8, 60)[seed // 3 % 3]
        self.unit = "40" if seed % 2 else None
        self.effort = ("full", "quick", "loops")[seed // 2 % 3]
        self.small = seed % 5 == 1

    def __str__(self):
        return "seed %d (span %d, exits %d, %s%s%s)" % (self.seed, self.span, self.exits, self.effort,
                                                    ", units of 40" if self.unit else "",
                                                    ", small stack" if self.small else "")

    def environment(self, stops, log, plain):
        drill = "seed=%d span=%d exits=%d stops=%d plain=%d log=%s" % (self.seed, self.span, self.exits, stops, plain, log)
        environment = dict(os.environ, ORRERY_DRILL=drill, ORRERY_EFFORT=self.effort)
        if self.unit:
            environment["ORRERY_UNIT"] = self.unit
        return environment


class Program:
    def __init__(self, name, source, ranks="1", machine="laptop", stdin="", arguments=(), flags=()):
        self.name, self.source, self.ranks, self.machine = name, str(source), str(ranks), machine
        self.stdin, self.arguments, self.flags = stdin, list(arguments), list(flags)


def all_programs():
    programs = [Program("kernels." + path.stem, path) for path in sorted((HERE.parents[1] / "bench/kernels").glob("*.c"))]
    programs += [Program("drill." + path.stem, path) for path in sorted(HERE.glob("*.c"))]
    for case in run_programs.find_cases():
        if "--check" in " ".join(case.flags) or os.path.exists(case.golden + ".tiers"):
            continue  # the interpreter's alone, or too much for the host's compiler
        programs.append(Program(case.name, case.source, min(case.ranks, key=lambda n: (n > 8, abs(n - 4))), case.machine,
                                case.stdin, case.arguments, case.flags))
    return programs


def chosen(options):
    programs = all_programs()
    if options.names:
        found = [p for p in programs if p.name in options.names or p.name.split(".")[0] in options.names]
        found += [Program(pathlib.Path(name).stem, name) for name in options.names if name.endswith(".c")]
        return found
    return [p for p in programs if zlib.crc32(p.name.encode()) % options.share == 0]


def run(options, program, code, way, tier, directory, plain=False):
    log = os.path.join(directory, tier)
    command = [options.orrery, "run", "-n", program.ranks, "--machine", program.machine, "--jobs", "1", "--tier", tier]
    command += program.flags + (SMALL_STACK if way.small else []) + [code] + program.arguments
    done = subprocess.run(command, input=program.stdin.encode("utf-8", "surrogateescape"), capture_output=True, check=False,
                          timeout=TIMEOUT, env=way.environment(options.stops, log, plain), cwd=directory)
    data = pathlib.Path(log).read_bytes() if os.path.exists(log) else b""
    if os.path.exists(log):
        os.remove(log)
    return command, done, data


def first_difference(left, right):
    size = RECORD.size
    for i in range(min(len(left), len(right)) // size):
        if left[i * size:(i + 1) * size] != right[i * size:(i + 1) * size]:
            return i
    return min(len(left), len(right)) // size


def compare(options, program, code, way, directory):
    """What is wrong, or None; and the number of stops."""
    stops = 0
    try:
        _, expected, left = run(options, program, code, way, "interp", directory, plain=True)
        for tier in "interp", "native":
            command, got, right = run(options, program, code, way, tier, directory)
            stops = len(left) // RECORD.size
            if left != right:
                at = first_difference(left, right)
                shown = ["env", "ORRERY_DRILL=seed=%d span=%d exits=%d at=%d" % (way.seed, way.span, way.exits, at)]
                return "stop %d differs; see it with\n    %s" % (at, shlex.join(shown + command)), stops
            if (expected.returncode, expected.stdout, expected.stderr) != (got.returncode, got.stdout, got.stderr):
                return "output or exit status differs: %s" % shlex.join(command), stops
    except subprocess.TimeoutExpired:
        return "timeout", 0
    return None, stops


def drill(options, program):
    failures, stops = [], 0
    with tempfile.TemporaryDirectory(prefix="orrery-drill-") as directory:
        for level in options.levels:
            code = os.path.join(directory, program.name + "-O" + level)
            made = subprocess.run([options.orrery, "cc", "-w", "-O" + level, "-o", code, program.source],
                                  capture_output=True, check=False)
            if made.returncode != 0:
                return [], 0  # a case about compile errors
            for seed in options.seeds:
                wrong, count = compare(options, program, code, Way(seed), directory)
                stops += count
                if wrong:
                    failures.append("%s, -O%s, %s: %s" % (program.name, level, Way(seed), wrong))
    return failures, stops


def numbers(text):
    first, _, last = text.partition(":")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", default=str(HERE.parents[1] / "build/release/bin/orrery"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seeds", default="1:4", help="numbers and FIRST:LAST, with commas (default %(default)s)")
    parser.add_argument("--levels", default="2", help="optimisation levels, as digits (default %(default)s)")
    parser.add_argument("--stops", type=int, default=20000, help="of each run, at most (default %(default)s)")
    parser.add_argument("--share", type=int, default=1, metavar="N", help="without NAMEs: every N-th program")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.orrery = os.path.abspath(options.orrery)
    options.seeds = [seed for part in options.seeds.split(",") for seed in numbers(part)]
    programs = chosen(options)
    failed = stops = timeouts = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for failures, count in pool.map(lambda program: drill(options, program), programs):
            stops += count
            for failure in failures:
                timeouts += failure.endswith(": timeout")
                failed += not failure.endswith(": timeout")
                print(failure, flush=True)
    print("%d programs, %d stops compared, %d different, %d timeouts" % (len(programs), stops, failed, timeouts))
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
