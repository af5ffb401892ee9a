#!/usr/bin/env python3
"""`orrery explore` on small programs of which is known how many executions there are and what goes wrong in how many;
and that the commands it gives lead there again, to the byte, whatever the quantum, the tier and the threads.

    explore.py --orrery build/release/bin/orrery [unittest arguments]
"""
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ORRERY = None

# program, ranks, executions, choices with alternatives, different outputs, failures: [(beginning, executions)]
CASES = [
    ("order", 2, 1, 0, 1, []),
    ("order", 3, 2, 1, 2, []),
    ("order", 4, 6, 2, 6, []),
    ("order", 5, 24, 3, 24, []),
    ("persistent", 4, 6, 2, 6, []),
    ("no_overtaking", 3, 6, 3, 6, []),
    ("rounds", 3, 4, 2, 4, []),
    ("two_receivers", 6, 4, 2, 4, []),
    ("two_communicators", 3, 1, 0, 1, []),
    ("causal", 3, 1, 0, 1, []),
    ("synchronous", 3, 1, 0, 1, []),
    ("between_irecv_and_wait", 3, 2, 1, 2, []),
    ("isendrecv", 4, 4, 2, 4, []),
    ("broadcast_orders_little", 4, 2, 1, 2, []),
    ("waitany", 3, 2, 1, 2, []),
    ("waitany", 4, 6, 2, 6, []),
    ("waitsome", 3, 3, 1, 3, []),
    ("waitsome", 4, 13, 2, 13, []), # ordered partitions of three
    ("nonblocking_collective", 3, 2, 1, 2, []),
    ("iprobe", 2, 2, 1, 2, []),
    ("poll_loop", 4, 6, 2, 6, []),
    ("test_loop", 2, 1, 0, 1, []),
    ("farm", 3, 8, 3, 2, []),
    ("one_of_six", 4, 6, 2, 1, [("a rank stops", 1)]),
    ("lock_order", 3, 2, 2, 1, [("a rank stops", 1)]),
    ("lock_order", 4, 6, 3, 1, []),
    ("lock_all_order", 2, 1, 0, 1, []),
    ("lock_all_order", 3, 2, 2, 2, []),
    ("lock_all_order", 4, 5, 3, 4, []),
    ("connect_order", 3, 2, 2, 2, []),
    ("connect_order", 4, 6, 3, 6, []),
    ("fetch_order", 2, 2, 2, 2, []),
    ("fetch_order", 3, 6, 3, 6, []),
    ("probe_then_any", 3, 4, 2, 1, [("a rank stops", 1)]),
    ("deadlock", 3, 2, 1, 1, [("deadlock: at ", 1)]),
    ("aborts", 4, 5, 2, 1, [("MPI_Abort with code 7", 1), ("it ends with status 5", 2)]),
]


def orrery(*arguments, stdin=b"", check=None):
    run = subprocess.run([ORRERY, *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                         cwd=HERE, check=False)
    if check is not None and run.returncode != check:
        raise AssertionError(f"status {run.returncode}, not {check}: {run.stderr.decode()}")
    return run


def explore(program, ranks, *options, stdin=b""):
    run = orrery("explore", "-n", str(ranks), "--json", "-", *options, program + ".c", stdin=stdin)
    if run.returncode not in (0, 3, 4):
        raise AssertionError(f"{program}: status {run.returncode}: {run.stderr.decode()}")
    return run.returncode, json.loads(run.stdout)


def again(command, *options):
    words = shlex.split(command)
    assert words[:2] == ["orrery", "run"], command
    run = orrery("run", *options, *words[2:])
    return run.returncode, run.stdout, run.stderr


class Counts(unittest.TestCase):
    def test_threads_are_one_order(self):
        """It is said, once, that threads are not explored; and not where there are none."""
        _, result = explore("with_threads", 3)
        self.assertEqual(result["executions"], 2)
        said = [remark["remark"] for remark in result["remarks"] if "ranks have threads" in remark["remark"]]
        self.assertEqual(len(said), 1)
        self.assertFalse(any("threads" in remark["remark"] for remark in explore("order", 3)[1]["remarks"]))

    def test_known_numbers(self):
        for program, ranks, executions, points, outputs, failures in CASES:
            with self.subTest(program=program, ranks=ranks):
                status, report = explore(program, ranks)
                self.assertTrue(report["complete"])
                self.assertEqual(report["executions"], executions)
                self.assertEqual(report["choice_points"], points)
                self.assertEqual(len(report["outputs"]), outputs)
                found = [(failure["failure"], failure["executions"]) for failure in report["failures"]]
                self.assertEqual(len(found), len(failures), found)
                for (text, n), (beginning, wanted) in zip(sorted(found), failures):
                    self.assertTrue(text.startswith(beginning), text)
                    self.assertEqual(n, wanted, text)
                self.assertEqual(status, 3 if failures else 0)

    def test_sums_of_executions(self):
        """Each execution ends in one output or one failure."""
        for program, ranks in (("farm", 3), ("aborts", 4), ("waitsome", 4)):
            _, report = explore(program, ranks)
            total = sum(each["executions"] for each in report["outputs"] + report["failures"])
            self.assertEqual(total, report["executions"], program)

    def test_loops_that_count_their_turns(self):
        """Where the program can tell how often a poll found nothing, that is a choice; see test_loop above."""
        _, report = explore("test_loop", 2, "-DCOUNT")
        self.assertEqual((report["executions"], len(report["outputs"])), (2, 2))

    def test_input(self):
        _, report = explore("reads_input", 3, stdin=b"5\n")
        self.assertEqual(sorted(output["output"] for output in report["outputs"]), ["24\n", "25\n"])


class Replay(unittest.TestCase):
    VARIANTS = [("--quantum", "1"), ("--quantum", "777", "--jobs", "2"), ("--tier", "interp"), ("-O0",)]

    def test_failures(self):
        for program, ranks in (("one_of_six", 4), ("lock_order", 3), ("probe_then_any", 3), ("deadlock", 3), ("aborts", 4)):
            _, report = explore(program, ranks)
            for failure in report["failures"]:
                with self.subTest(program=program, failure=failure["failure"]):
                    first = again(failure["command"])
                    self.assertEqual(first[0], failure["exit_status"])
                    self.assertIn(failure["explanation"].strip() or "", first[2].decode())
                    for variant in self.VARIANTS[:3]:
                        self.assertEqual(again(failure["command"], *variant), first, variant)

    def test_outputs(self):
        for program, ranks in (("waitany", 4), ("waitsome", 4), ("poll_loop", 4), ("farm", 3), ("iprobe", 2)):
            _, report = explore(program, ranks)
            for output in report["outputs"]:
                with self.subTest(command=output["command"]):
                    for variant in self.VARIANTS:
                        status, text, _ = again(output["command"], *variant)
                        self.assertEqual((status, text.decode()), (0, output["output"]))

    def test_in_the_debugger(self):
        _, report = explore("one_of_six", 4)
        words = shlex.split(report["failures"][0]["command"])[2:]
        run = orrery("debug", "-x", "run", "-x", "print got[0]", "-x", "quit", *words)
        self.assertIn(b"= 3", run.stdout)

    def test_endless(self):
        _, report = explore("never_ends", 3)
        self.assertFalse(report["complete"])
        failure = report["failures"][0]
        self.assertEqual(failure["failure"], "it does not end")
        self.assertIn("--max-time", failure["command"])
        self.assertEqual(again(failure["command"])[0], 1)


class Limits(unittest.TestCase):
    def test_threads_change_nothing(self):
        for program, ranks, options in (("order", 5, ()), ("waitsome", 4, ()), ("order", 5, ("--max-runs", "10"))):
            texts = {orrery("explore", "-n", str(ranks), "--jobs", jobs, *options, program + ".c").stdout
                     for jobs in ("1", "2", "7")}
            self.assertEqual(len(texts), 1, program)

    def test_runs(self):
        status, report = explore("order", 5, "--max-runs", "10")
        self.assertEqual((status, report["executions"], report["complete"]), (4, 10, False))
        status, report = explore("order", 5, "--max-runs", "24")
        self.assertEqual((status, report["executions"], report["complete"]), (0, 24, True))

    def test_depth(self):
        """One change of four messages' order: any of three may be taken first in place of the first, two of two in place
        of the second ..., and what follows as it comes."""
        status, report = explore("order", 5, "--max-depth", "1")
        self.assertEqual((status, report["executions"], report["complete"]), (4, 1 + 3 + 2 + 1, False))

    def test_interrupt(self):
        with tempfile.TemporaryDirectory() as folder:
            with subprocess.Popen([ORRERY, "explore", "-n", "9", "--max-runs", "1000000", "order.c"], cwd=HERE,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=dict(os.environ, TMPDIR=folder)) as process:
                time.sleep(1.5)
                process.send_signal(signal.SIGINT)
                out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)
        self.assertIn(b"stopped before all were done", out)

    def test_wrong_use(self):
        for arguments, text in ((["--choices", "0:1", "order.c"], b"orrery run"), (["--max-runs", "0", "order.c"], b"from 1"),
                                (["none.c"], b"none.c")):
            run = orrery("explore", *arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn(text, run.stderr)


class Choices(unittest.TestCase):
    def test_wrong_text(self):
        for text, where in (("x", b"character 1"), ("0", b"character 2"), ("0:", b"character 3"), ("0:1,", b"character 5"),
                            ("0:@", b"character 4"), ("1:0/0:1", b"character 6"), ("0:2=1,1=1", b"character 8"),
                            ("0:99999999999", b"character 3"), ("0:1 ", b"character 4"), ("0:@1+99", b"character 8")):
            run = orrery("run", "-n", "3", "--choices", text, "order.c")
            self.assertEqual(run.returncode, 2, text)
            self.assertIn(where, run.stderr, text)

    def test_choices_that_cannot_be(self):
        for text, number in (("0:7", b"number 1"), ("0:1,1", b"number 2"), ("0:9=1", b"number 9"), ("2:1", b"rank 2"),
                             ("0:@0", b"number 1")):
            run = orrery("run", "-n", "3", "--choices", text, "order.c")
            self.assertIn(b"--choices: rank", run.stderr, text)
            self.assertIn(number, run.stderr, text)

    def test_ranks_that_there_are_not(self):
        for program in ("iprobe", "poll_loop", "probe_then_any", "order"):
            run = orrery("run", "-n", "2", "--choices", "0:2", program + ".c")
            self.assertIn(b"--choices: rank 0", run.stderr, program)
            self.assertIn(run.returncode, (0, 1), program)

    def test_choices(self):
        for text, out in (("", "1 2 3 \n"), ("0:3", "3 1 2 \n"), ("0:.,3", "1 3 2 \n"), ("0:2=3", "1 3 2 \n"),
                          ("0:3,2,1", "3 2 1 \n")):
            self.assertEqual(orrery("run", "-n", "4", "--choices", text, "order.c", check=0).stdout.decode(), out)


class Races(unittest.TestCase):
    def races(self, program, ranks):
        run = orrery("run", "-n", str(ranks), "--check=races", program + ".c")
        return [line for line in run.stderr.decode().splitlines() if "[races]" in line]

    def test_found(self):
        for program, ranks, place in (("order", 3, "order.c:12"), ("poll_loop", 3, "MPI_Iprobe"),
                                      ("between_irecv_and_wait", 3, "MPI_Irecv"), ("probe_then_any", 3, "MPI_Probe"),
                                      ("broadcast_orders_little", 4, "MPI_Recv")):
            found = self.races(program, ranks)
            self.assertTrue(found and place in found[0], (program, found))

    def test_not_found_where_something_orders(self):
        for program, ranks in (("order", 2), ("causal", 3), ("synchronous", 3), ("two_communicators", 3), ("waitany", 4)):
            self.assertEqual(self.races(program, ranks), [], program)

    def test_both_sides_are_named(self):
        run = orrery("run", "-n", "4", "--check=races", "order.c", check=0)
        text = run.stderr.decode()
        self.assertIn("took the message of rank 1 (sent at order.c:17)", text)
        self.assertIn("rank 2 (sent at order.c:17), of rank 3 (sent at order.c:17)", text)
        self.assertIn("orrery explore", text)
        self.assertEqual(run.stdout, orrery("run", "-n", "4", "order.c", check=0).stdout)


class Seeds(unittest.TestCase):
    def test_seeds_reach_other_orders(self):
        for program, ranks, orders in (("order", 4, 4), ("waitany", 4, 3), ("waitsome", 4, 3), ("iprobe", 2, 2), ("poll_loop", 4, 4)):
            texts = [orrery("run", "-n", str(ranks), "--seed", str(seed), program + ".c", check=0).stdout
                     for seed in range(1, 25)]
            self.assertGreaterEqual(len(set(texts)), orders, program)
            self.assertEqual(texts[:4], [orrery("run", "-n", str(ranks), "--seed", str(seed), "--quantum", "9",
                                                program + ".c", check=0).stdout for seed in range(1, 5)], program)


if __name__ == "__main__":
    at = sys.argv.index("--orrery")
    ORRERY = os.path.abspath(sys.argv[at + 1])
    del sys.argv[at:at + 2]
    unittest.main()
