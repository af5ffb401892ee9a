#!/usr/bin/env python3
"""Lists the MPI functions that no test program calls, and fails if there are any.

`orrery mpi --list` says which functions are provided; what a program calls is in the names that its compiled form refers
to. Programs are those of tests/programs/mpi, mpi4, deadlock and samples.

    list_untested_mpi.py --orrery build/release/bin/orrery
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ["programs/mpi/*.c", "programs/mpi4/*.c", "programs/rma/*.c", "programs/deadlock/*.c", "../samples/*.c"]


def provided(orrery):
    listed = subprocess.run([orrery, "mpi", "--list", "--state", "provided"], check=True, capture_output=True, text=True)
    return set(re.findall(r"^(MPI_\w+)", listed.stdout, re.M))


def called(orrery, source, folder):
    compiled = os.path.join(folder, os.path.basename(source) + ".o")
    result = subprocess.run([orrery, "cc", "-c", "-w", "-o", compiled, source], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit("%s does not compile:\n%s" % (source, result.stderr))
    with open(compiled, "rb") as file:
        names = re.findall(rb"(?<![A-Za-z0-9_])P?(MPI_\w+)(?=\0)", file.read())
    return {name.decode() for name in names}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--orrery", required=True)
    orrery = os.path.abspath(parser.parse_args().orrery)
    names = set()
    with tempfile.TemporaryDirectory() as folder:
        for pattern in PROGRAMS:
            for source in sorted(glob.glob(os.path.join(TESTS, pattern))):
                names |= called(orrery, source, folder)
    untested = sorted(provided(orrery) - names)
    for name in untested:
        print("no test program calls %s" % name)
    sys.exit(1 if untested else 0)


main()
