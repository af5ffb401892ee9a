#!/usr/bin/env python3
"""Checks what benchmarks compute and what their tables say, without running them: ctest `benchmarks`."""
import importlib.machinery
import importlib.util
import math
import os
import pathlib
import re
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench"
sys.path.insert(0, str(BENCH))
sys.dont_write_bytecode = True

import figures  # noqa: E402
import measure  # noqa: E402
import strangers_inputs  # noqa: E402


def script(name):
    """A program of bench/ as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(BENCH / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Figures(unittest.TestCase):
    def test_geometric_mean(self):
        self.assertAlmostEqual(figures.geometric_mean([1, 4]), 2)
        self.assertAlmostEqual(figures.geometric_mean(x for x in (2.5, 2.5, 2.5)), 2.5)
        self.assertIsNone(figures.geometric_mean([]))

    def test_exponent_is_that_of_the_growth_whatever_it_begins_with(self):
        sizes = [1 << k for k in range(4, 10)]
        for power in (0.5, 1, 1.5, 2):
            for base in (0, 7, 1000):
                costs = [base + 3 * n ** power for n in sizes]
                self.assertAlmostEqual(figures.exponent(sizes, costs), power, places=6)

    def test_exponent_of_what_does_not_grow(self):
        self.assertIsNone(figures.exponent([1, 2, 4], [5, 5, 5]))
        self.assertIsNone(figures.exponent([1], [5]))

    def test_halves_are_those_of_the_name(self):
        self.assertEqual(figures.half_of("lua"), "tuned")
        self.assertEqual(figures.half_of("bzip2"), "held")


class Measure(unittest.TestCase):
    def test_status_output_and_input(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"text")
            file.flush()
            cost = measure.observe(["/bin/sh", "-c", "cat; echo bad >&2; exit 3"], stdin=file.name)
        self.assertEqual((cost.status, cost.output, cost.errors), (3, b"text", b"bad\n"))
        self.assertLessEqual(cost.user, cost.cpu + 1e-9)

    def test_time_limit(self):
        with self.assertRaises(measure.TookTooLong):
            measure.observe(["/bin/sh", "-c", "sleep 60"], seconds=0.2)


class Strangers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = script("strangers")
        cls.programs = cls.script.read_table(BENCH / "strangers.ini")

    def test_there_are_enough_in_both_halves(self):
        self.assertGreaterEqual(len(self.programs), 40)
        for half in ("tuned", "held"):
            self.assertGreaterEqual(sum(program.half == half for program in self.programs), 15)
        self.assertGreaterEqual(sum(program.ranks > 1 for program in self.programs), 3)

    def test_inputs_that_rows_name_are_made(self):
        with tempfile.TemporaryDirectory() as folder:
            strangers_inputs.make(folder)
            made = set(os.listdir(folder))
        for program in self.programs:
            for word in (program.build, program.stdin or "", *program.run):
                for name in re.findall(r"\$INPUTS/([\w.-]+)", word):
                    self.assertIn(name, made, program.name)

    def test_a_row_with_another_field_is_refused(self):
        with self.assertRaises(ValueError):
            self.script.Program("x", {"package": "x", "build": "true", "run": "x", "tier": "native"})

    def test_what_takes_no_time_has_no_ratio(self):
        seconds = {"gcc": 0.5, "cold": 2.0, "warm": 1.0, "interp": 4.0}
        self.assertEqual(self.script.ratios_of({"user": seconds, "wall": seconds}),
                         {"cold": 4.0, "warm": 2.0, "interp": 8.0, "cold wall": 4.0})
        self.assertIsNone(self.script.ratios_of({"user": {**seconds, "gcc": 0.001}, "wall": seconds}))

    def test_results_are_those_of_one_orrery_and_row(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.json"
            first, second = self.programs[:2]
            self.script.Results(path, "one", 3).put(first, {"user": {}, "wall": {}})
            self.script.Results(path, "one", 3).put(second, {"fault": "no"})
            kept = self.script.Results(path, "one", 3)
            self.assertIsNotNone(kept.get(first))
            self.assertIsNone(kept.get(second), "a fault is tried again")
            self.assertIsNone(self.script.Results(path, "two", 3).get(first))


class Growth(unittest.TestCase):
    def test_programs_of_cases_are_there(self):
        source = (BENCH / "growth").read_text(encoding="utf-8")
        for name in re.findall(r'bench\.simulated\([^"]*"(\w+)"', source):
            self.assertTrue(any((BENCH / kind / (name + ".c")).exists() for kind in ("growing", "mpi", "ranks")), name)

    def test_noise_at_the_beginning_is_no_growth(self):
        grown = script("growth").grown
        sizes = [1, 2, 4, 8, 16]
        self.assertAlmostEqual(grown(sizes, [1 + 0.01 * n for n in sizes], 0.03), 1)
        self.assertIsNone(grown(sizes, [1, 1.001, 1, 1.002, 1], 0.03))
        self.assertIsNone(grown([1, 2], [1, 2], 0.03))
        self.assertTrue(math.isclose(grown(sizes, [1, 1, 1.1, 1.3, 1.7], 0.03), 1, rel_tol=1e-6))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
