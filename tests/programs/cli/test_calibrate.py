#!/usr/bin/env python3
"""`orrery calibrate`. See command.py."""
import json
import os
import re
import signal
import subprocess
import time

from command import Command, ORRERY, ROOT, main


class Calibrate(Command):
    """orrery calibrate, with a few of its kernels and few runs: what is written is a machine, what is wrong is refused."""

    FITTED = ("axpy", "crc", "linked_list", "recursion", "sieve")
    SOURCES = os.path.join(ROOT, "bench", "calibration")
    TIMES = "clock 3 GHz\nfit/axpy 70000\nfit/crc 110000\nfit/linked_list 70000\nfit/recursion 6000\n" \
            "fit/sieve 50000\ncheck/events 24000   # the last one\n"

    def setUp(self):
        super().setUp()
        for name in ("harness.c", "clock.c", "shared/crc.h", "check/events.c", *("fit/%s.c" % name for name in self.FITTED)):
            with open(os.path.join(self.SOURCES, name), encoding="utf-8") as source:
                os.makedirs(os.path.dirname(os.path.join(self.folder.name, "few", name)), exist_ok=True)
                self.make(os.path.join("few", name), source.read())
        self.make("host.times", self.TIMES)

    def calibrate(self, *options, execution="blocks", **more):
        return self.good("calibrate", "--kernels", "few", "--execution", execution, *options, **more)

    def refused_table(self, pattern, text):
        self.make("bad.times", text)
        self.refused(pattern, "calibrate", "--kernels", "few", "--measurements", "bad.times")

    def test_measures_and_writes_a_machine(self):
        out, _ = self.calibrate("--turns", "2", "--clock", "3 GHz", "--record", "my.times", "-o", "my.machine")
        self.assertRegex(out, r"(?m)^fitted +predicted us +measured us +error$")
        for kernel in (*("fit/" + name for name in self.FITTED), "check/events"):
            self.assertRegex(out, r"(?m)^  %s +\d+\.\d+ +\d+\.\d+ +[-+]\d+\.\d %%$" % kernel)
        self.assertEqual(len(re.findall(r"(?m)^  median error +\d+\.\d %$", out)), 2)
        self.assertRegex(self.read("my.times").decode(), r"(?m)^clock 3000 MHz\n(\w+/\w+ \d+\n){6}$")
        self.assertEqual(self.good("run", "--machine", "./my.machine", "hello.c")[0], self.good("run", "hello.c")[0])
        printed = self.good("machines", "--print", "./my.machine")[0]
        self.assertRegex(printed, r"(?m)^load-latency = .*cycle")
        self.assertIn("calibrated", printed)
        again = self.calibrate("--measurements", "my.times", "--base", "./my.machine")[0]
        self.assertIn("[cost]", again)

    def test_a_table_gives_the_same_machine_each_time(self):
        first, report = self.calibrate("--measurements", "host.times", "--comment", "of a table")
        self.assertEqual(self.calibrate("--measurements", "host.times", "--comment", "of a table"), (first, report))
        self.assertTrue(first.startswith("# of a table\n"), first[:60])
        self.assertRegex(report, r"(?m)^not fitted")
        self.assertNotRegex(first, r"(?m)^not fitted")
        self.calibrate("--measurements", "host.times", "-o", "/dev/stdout")

    def test_a_calibrated_machine_has_one_clock(self):
        """In every tier and under every quantum: waiting and mispredicting are costs of blocks, or predictors and cores the rank's."""
        self.good("calibrate", "--kernels", "few", "--measurements", "host.times", "-o", "my.machine")
        self.assertRegex(self.read("my.machine").decode(), r"(?m)^execution = out-of-order$")
        self.calibrate("--measurements", "host.times", "-o", "predicted.machine")
        self.calibrate("--measurements", "host.times", "-o", "blocks.machine", "--branch-predictor", "none")
        with open(os.path.join(self.SOURCES, "fit", "quicksort.c"), encoding="utf-8") as source:
            self.make("sort.c", source.read() + "int main(void) { double x = 0; for (int i = 0; i < 9; i++) x += kernel();\n"
                                                "return x < 0; }\n")
        for machine in ("./my.machine", "./predicted.machine", "./blocks.machine"):
            clocks = set()
            for options in (["--tier", "interp"], ["--tier", "native"], ["--quantum", "777"], ["--tier", "auto"]):
                self.good("run", "--machine", machine, *options, "--json", "out.json", "sort.c")
                clocks.add(json.loads(self.read("out.json"))["makespan_ps"])
            self.assertEqual(len(clocks), 1, clocks)
            self.assertGreater(min(clocks), 10**8)

    def test_the_machine_file_gives_what_was_predicted(self):
        """A kernel that decides much, run with the written file, takes the time of the report: within its 1/256 cycles."""
        for execution in ("blocks", "out-of-order"):
            report, _ = self.calibrate("--measurements", "host.times", "-o", "my.machine", execution=execution)
            for kernel in ("check/events", "fit/sieve"):
                predicted = float(re.search(r"(?m)^  %s +(\d+\.\d+)" % kernel, report)[1]) * 1000
                out, _ = self.good("run", "-O2", "--machine", "./my.machine", "few/harness.c", "few/%s.c" % kernel, "1")
                self.assertLess(abs(int(out) / predicted - 1), 0.01, (execution, kernel, out, predicted))

    def test_cross_validation(self):
        """Each kernel by a fit to others: one row for each of the six, and a median of its own."""
        out, _ = self.calibrate("--measurements", "host.times", "--folds", "2", "-o", "my.machine")
        crossed = out[out.index("cross validation"):]
        self.assertEqual(len(re.findall(r"(?m)^  (?:fit|check)/\w+ +\d", crossed)), 6)
        self.assertRegex(crossed, r"(?m)^  median error +\d+\.\d %$")
        self.refused("--folds", "calibrate", "--kernels", "few", "--measurements", "host.times", "--folds", "1")

    def test_the_native_tier_is_refused_aloud(self):
        self.make("empty.c", "int main(void) { return 0; }\n")
        for setting in ("cost.branch-predictor=gshare", "cost.execution=out-of-order"):
            key, value = setting.split("=")
            _, err = self.good("run", "--tier", "native", "--set", setting, "empty.c")
            self.assertIn("with %s = %s the interpreter runs the program" % (key, value), err)
            self.assertNotIn("interpreter", self.good("run", "--set", setting, "empty.c")[1])

    def test_without_a_predictor(self):
        """Kinds of branches have mean costs instead, and mispredicting none."""
        machine, _ = self.calibrate("--measurements", "host.times", "--branch-predictor", "none")
        self.assertNotRegex(machine, r"(?m)^misprediction = [^0]")
        self.assertRegex(machine, r"(?m)^branch-order = .*cycle")
        self.assertNotRegex(machine, r"(?m)^execution = out-of-order")
        machine, _ = self.calibrate("--measurements", "host.times")
        self.assertRegex(machine, r"(?m)^branch-predictor = tage$")
        self.assertRegex(machine, r"(?m)^misprediction = .*cycle")

    def test_predictions_are_shown(self):
        self.make("sum.c", "int main(int n, char **v) { (void)v; for (int i = 0; i < 99; i++) if (n & i) n += 3, v++; return 0; }\n")
        out, _ = self.good("run", "--stats", "--json", "out.json", "--set", "cost.branch-predictor=gshare", "sum.c")
        ranks = json.loads(self.read("out.json"))["ranks"]
        self.assertGreater(ranks[0]["branches"], 0)
        self.assertIn("mispredicted", ranks[0])
        self.refused('"perceptron"', "run", "--set", "cost.branch-predictor=perceptron", "sum.c")

    def test_wrong_usage(self):
        self.refused("--branch-predictor: ", "calibrate", "--kernels", "few", "--measurements", "host.times",
                     "--branch-predictor", "oracle")
        self.refused('--execution: .*"in-order"', "calibrate", "--kernels", "few", "--measurements", "host.times",
                     "--execution", "in-order")
        self.refused("takes options only", "calibrate", "hello.c")
        self.refused("--turns", "calibrate", "--turns", "1")
        self.refused("--turns", "calibrate", "--turns", "many")
        self.refused("--clock: ", "calibrate", "--clock", "fast")
        self.refused("nowhere", "calibrate", "--kernels", "nowhere")
        self.refused("no machine", "calibrate", "--kernels", "few", "--measurements", "host.times", "--base", "nothing")

    def test_wrong_tables(self):
        self.refused("cannot read the measurements", "calibrate", "--kernels", "few", "--measurements", "none.times")
        self.refused_table(r'bad.times:2:1: error: there is no kernel "fit/axpi", did you mean "fit/axpy"\?',
                           "clock 3 GHz\nfit/axpi 5\n")
        self.refused_table(r'bad.times:2:1: error: .*"5 us" is no time', "clock 3 GHz\nfit/axpy 5 us\n")
        self.refused_table(r"bad.times:3:1: error: fit/axpy has a time already", "clock 1 GHz\nfit/axpy 5\nfit/axpy 6\n")
        self.refused_table(r'bad.times:1:1: error: "furlongs" is not a unit of frequency', "clock 3 furlongs\n")
        self.refused_table("does not say what the clock was", "fit/axpy 5\n")
        self.refused_table("1 kernels in fit/ have been measured; at least 5", "clock 1 GHz\nfit/axpy 5\n")

    def test_no_place_to_write_to_is_seen_at_once(self):
        for option in ("-o", "--record"):
            self.refused("cannot write no/where: No such file", "calibrate", "--cc", "none-such", option, "no/where")
            self.refused("cannot write few: Is a directory", "calibrate", "--cc", "none-such", option, "few")

    def test_no_compiler(self):
        self.refused("no C compiler to measure with", "calibrate", "--kernels", "few", "--cc", "none-such", "-o", "x")
        self.refused("no C compiler to measure with", "calibrate", "--kernels", "few", "-o", "x",
                     environment={"ORRERY_CC": "none-such"})
        self.refused("false does not compile", "calibrate", "--kernels", "few", "--cc", "false", "-o", "x")

    def test_stopped_it_leaves_nothing(self):
        os.mkdir(os.path.join(self.folder.name, "tmp"))
        process = subprocess.Popen([ORRERY, "calibrate", "--turns", "100000", "-o", "my.machine", "--record", "my.times"],
                                   cwd=self.folder.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, TMPDIR=os.path.join(self.folder.name, "tmp")))
        end = time.time() + 30
        while not os.listdir(os.path.join(self.folder.name, "tmp")) and time.time() < end:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(30), -signal.SIGINT)
        self.assertEqual(os.listdir(os.path.join(self.folder.name, "tmp")), [])
        self.assertFalse({"my.machine", "my.times"} & set(os.listdir(self.folder.name)))


if __name__ == "__main__":
    main()
