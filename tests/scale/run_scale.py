#!/usr/bin/env python3
"""Many ranks and large ones: what they print, how much of the host's memory they take, how long they may take.

    run_scale.py --orrery build/release/bin/orrery [--no-limits] [TEST...]

Memory is the peak of what is resident, which leaves out the reservation of address space. The limits are about one and
a half times what was measured, so that a page or a copy more per rank shows. --no-limits leaves them out, for builds
with sanitizers. bench/scale measures more exactly, up to a million ranks.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
RANKS = HERE.parent.parent / "bench" / "ranks"
MIB = 1 << 20
ORRERY = "orrery"
LIMITS = True


def run(folder, *command):
    """Output and peak memory of a command that must succeed."""
    with open(os.path.join(folder, "out"), "w+b") as out:
        process = subprocess.Popen([str(word) for word in command], stdout=out, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise AssertionError(f"{command}: status {process.returncode}")
        out.seek(0)
        return out.read().decode(), usage.ru_maxrss * 1024


class Scale(unittest.TestCase):
    def simulate(self, source, ranks, limit, *arguments, machine="loggp-cluster", options=()):
        with tempfile.TemporaryDirectory() as folder:
            run(folder, ORRERY, "cc", "-O2", "-o", "program", source)
            text, peak = run(folder, ORRERY, "run", "-n", ranks, "--machine", machine, *options, "program", *arguments)
            if LIMITS:
                self.assertLess(peak, limit, f"{peak / MIB:.0f} MiB for {ranks} ranks of {source.name}")
            extra = pathlib.Path(folder) / "report.json"
            return text, json.loads(extra.read_text()) if extra.exists() else None

    def test_barrier(self):
        """init, rank, allreduce, barrier, finalize"""
        text, report = self.simulate(RANKS / "barrier.c", 10000, 200 * MIB, options=["--json", "report.json"])
        self.assertEqual(text, "right\n")
        self.assertEqual([row["rank"] for row in report["ranks"]], list(range(10000)))

    def test_lines(self):
        """A line of each rank, all of them, none in pieces."""
        text, _ = self.simulate(RANKS / "lines.c", 10000, 220 * MIB)
        self.assertEqual(sorted(text.splitlines()), sorted(f"rank {i} of 10000" for i in range(10000)))

    def test_split(self):
        """Splitting a communicator takes no copy of all colours, keys and groups per member."""
        text, _ = self.simulate(HERE / "split.c", 10000, 250 * MIB)
        self.assertEqual(text, "rank 7: 92 of 100, sum 4950; 9992 of 10000\n")

    def test_more_ranks_than_cores(self):
        self.assertEqual(self.simulate(RANKS / "barrier.c", 3000, 120 * MIB, machine="torus-8x8x16")[0], "right\n")

    def test_large_heap(self):
        """1 GiB, every page of it touched; given back when freed."""
        self.assertEqual(self.simulate(RANKS / "heap.c", 1, 1100 * MIB, "1024", machine="laptop")[0], "right\n")

    def test_deep_stack_of_one_among_many(self):
        """The address map is the same for any number of ranks: so is what a pointer looks like, and what fits."""
        few, _ = self.simulate(HERE / "places.c", 2, 100 * MIB)
        many, _ = self.simulate(HERE / "places.c", 5000, 200 * MIB)
        self.assertEqual(few, many)
        self.assertEqual(len(few.splitlines()), 4)


def main():
    global ORRERY, LIMITS
    parser = argparse.ArgumentParser()
    parser.add_argument("--orrery", default=ORRERY)
    parser.add_argument("--no-limits", action="store_true")
    options, rest = parser.parse_known_args()
    ORRERY, LIMITS = os.path.abspath(options.orrery), not options.no_limits
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)


if __name__ == "__main__":
    main()
