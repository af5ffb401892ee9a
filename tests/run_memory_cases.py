#!/usr/bin/env python3
"""Runs the cases of memory_cases.c under --check, without and with optimisation, and compares what they say.

    run_memory_cases.py --orrery build/release/bin/orrery [NUMBER...]

Virtual times must be the same with and without --check.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory_cases.c")


def cases():
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read()
    found = [(int(number), name, expected) for number, name, expected in
             re.findall(r"^#(?:el)?if CASE == (\d+) /\* (.*?): (.*?) ?\*/$", text, re.MULTILINE)]
    if len(found) != len(re.findall(r"^# *(?:el)?if CASE\b", text, re.MULTILINE)):
        sys.exit("%s: the line of a case is not whole: #elif CASE == NUMBER /* name: what is expected */" % SOURCE)
    return found


def run(orrery, program, *options):
    done = subprocess.run([orrery, "run", "--fs", "none", *options, program], capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def complaint(orrery, number, expected, level, directory):
    """What is wrong with a case, or None."""
    program = os.path.join(directory, "case.orr")
    subprocess.run([orrery, "cc", "-w", level, "-DCASE=%d" % number, "-o", program, SOURCE], check=True)
    status, out, err = run(orrery, program, "--check=free,memory")
    if not expected and (err or status):
        return "is not silent: status %d\n%s" % (status, err)
    if expected and not re.search(expected, err):
        return "does not say '%s', but\n%s" % (expected, err)
    plain = run(orrery, program)
    if not expected and plain[:2] != (status, out):
        return "answers otherwise without --check"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("numbers", nargs="*", type=int, help="cases (all if none)")
    options = parser.parse_args()
    failed = n = 0
    with tempfile.TemporaryDirectory(prefix="orrery-memory-") as directory:
        for number, name, expected in cases():
            if options.numbers and number not in options.numbers:
                continue
            for level in ("-O0", "-O2"):
                n += 1
                wrong = complaint(os.path.abspath(options.orrery), number, expected, level, directory)
                if wrong:
                    failed += 1
                    print("case %d (%s) at %s %s" % (number, name, level, wrong), file=sys.stderr)
    print("%d cases, %d of them wrong" % (n, failed))
    return 1 if failed or not n else 0


if __name__ == "__main__":
    sys.exit(main())
