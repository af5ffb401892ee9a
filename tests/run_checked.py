#!/usr/bin/env python3
"""Runs correct programs under --check: it must not find anything wrong, nor change what they print.

    run_checked.py --orrery build/release/bin/orrery [--share N] [NAME...]

The cases are those of run_programs.py in which nothing ends badly, each with its first number of ranks. With --share N
every N-th of them is run, the same ones every time.
"""
import argparse
import os
import shutil
import sys
import tempfile
import zlib

import run_programs

CHAPTERS = ("mpi", "mpi4", "samples")


def is_candidate(case, options):
    if options.names:
        return case.name in options.names or case.name.split(".")[0] in options.names
    return (case.name.split(".")[0] in CHAPTERS and case.status == 0 and
            zlib.crc32(case.name.encode()) % options.share == 0)


def complaint(orrery, case, directory):
    """What is wrong with a run of the case under --check, or None."""
    plain = run_programs.run_once(orrery, case, case.source, case.ranks[0], [], directory)
    checked = run_programs.run_once(orrery, case, case.source, case.ranks[0], ["--check"], directory)
    if checked[0] != plain[0]:
        return "exit status %d instead of %d; standard error:\n%s" % (checked[0], plain[0], checked[2][-2000:])
    if checked[1] != plain[1]:
        return run_programs.difference("output", plain[1], checked[1])
    if "[uninitialised]" in checked[2]:
        return "a value counts as never set:\n%s" % checked[2][-2000:]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--share", type=int, default=1, metavar="N", help="run every N-th case (default: every one)")
    parser.add_argument("names", nargs="*", help="cases or chapters (all of MPI if none)")
    options = parser.parse_args()
    orrery = os.path.abspath(options.orrery)
    cases = [case for case in run_programs.find_cases() if is_candidate(case, options)]
    failed = 0
    for case in cases:
        directory = tempfile.mkdtemp(prefix="orrery-check-")
        try:
            wrong = complaint(orrery, case, directory)
        except run_programs.Failure as failure:
            wrong = str(failure)
        finally:
            shutil.rmtree(directory)
        if wrong:
            failed += 1
            print("%s: %s" % (case.name, wrong), file=sys.stderr)
    print("%d programs under --check, %d of them stopped or answered otherwise" % (len(cases), failed))
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
