#!/usr/bin/env python3
"""Lives of communicators: a campaign with tests/programs/mpi/communicator_life.c.

Runs its random stories on several numbers of ranks, quanta and threads, and under --check, and holds what they say
against what they must say; with --chaos, ranks go their own ways in between, and any end is good but that of a simulator
that fails. With --mpi, the same stories run under another MPI as well, which is a test of the story-teller.

    communicator_life.py --orrery build/release/bin/orrery [--seed N] [--rounds N] [--chaos] [--mpi mpicc mpirun]
"""
import argparse
import os
import subprocess
import sys
import tempfile

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs", "mpi", "communicator_life.c")
SIZES = [1, 2, 3, 4, 5, 7, 8, 13]
OPTIONS = [[], ["--quantum", "1", "--jobs", "1"], ["--quantum", "1000", "--jobs", "4"], ["--check"], ["--eager-limit", "0"],
           ["--machine", "torus-8x8x16"], ["--check=no-collectives"]]
SEEDS, STEPS, TIMEOUT = 8, 60, 300


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, errors="replace")


def told(result, seed):
    """What is wrong with the end of a run of right programs; None: nothing."""
    lines = result.stdout.splitlines()
    good = result.returncode == 0 and lines[-1:] == ["wrong: 0"] and lines[0].startswith(f"seed {seed}:")
    return None if good else f"status {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}"


def told_of_chaos(result):
    """The same of wrong ones."""
    failed = result.returncode < 0 or any(word in result.stderr for word in ("Sanitizer", "runtime error", "assertion failed", "ERROR:"))
    return f"status {result.returncode}\n{result.stderr[-3000:]}" if failed else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=len(OPTIONS))
    parser.add_argument("--chaos", action="store_true")
    parser.add_argument("--mpi", nargs=2, metavar=("CC", "RUN"))
    a = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        program, native = os.path.join(folder, "life"), os.path.join(folder, "native")
        subprocess.run([a.orrery, "cc", "-o", program, PROGRAM], check=True)
        if a.mpi:
            subprocess.run([a.mpi[0], "-o", native, PROGRAM], check=True)
        for i in range(a.rounds):
            seed, size = a.seed + i * SEEDS, SIZES[i % len(SIZES)]
            chaos = str((1, 3, 10, 50)[i % 4]) if a.chaos else "0"
            arguments = [str(seed), str(1 if a.chaos else SEEDS), str(STEPS), chaos]
            commands = [[a.orrery, "run", "-q", "-n", str(size), *OPTIONS[i // len(SIZES) % len(OPTIONS)], program, "--", *arguments]]
            if a.mpi and not a.chaos:
                commands.append([a.mpi[1], "-n", str(size), native, *arguments])
            for command in commands:
                result = run(command)
                wrong = told_of_chaos(result) if a.chaos else told(result, seed)
                if wrong:
                    failures += 1
                    print(f"{' '.join(command)}\n{wrong}")
    print(f"{a.rounds} rounds, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
