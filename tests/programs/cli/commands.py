#!/usr/bin/env python3
"""The `orrery` command as people use it: every sub-command, every kind of wrong usage, what is left behind.

    commands.py --orrery build/release/bin/orrery [TEST...]

Each test runs in an empty directory of its own with hello.c and others made there. Wrong usage must give one clear message,
a status that is not 0, and leave no file.
"""
import argparse
import csv
import fcntl
import glob
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ORRERY = "orrery"

HELLO = open(os.path.join(HERE, "hello.c"), encoding="utf-8").read()
MISUSE = open(os.path.join(HERE, "misuse.c"), encoding="utf-8").read()
STATUS = "#include <stdlib.h>\nint main(int argc, char **argv) { return argc > 1 ? atoi(argv[1]) : 0; }\n"
WRONG = "int main(void) { return x; }\n"
SPIN = "int main(void) { volatile int i = 0; for (;;) i++; }\n"
FAULT = "int main(void) { int *p = 0; *p = 1; return 0; }\n"
ECHO = "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }\n"


HALF = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (volatile int i = 0; rank % 2; i++) ;
    MPI_Recv(&rank, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""

POLL = """#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, flag = 0, value = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank) {
        MPI_Irecv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &request);
        while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    usleep(atoi(argv[1]));
    if (rank < 2) MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    printf("%d %.12f\\n", rank, MPI_Wtime());
    MPI_Finalize();
}
"""


class Terminal:
    """`orrery run half.c` on a pseudo-terminal of its own."""
    def __init__(self, folder, columns, term, *options):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.start = time.monotonic()
        self.process = subprocess.Popen([ORRERY, "run", "-n", "2", *options, "half.c"], cwd=folder, stdin=slave, stdout=slave,
                                        stderr=slave, env=dict(os.environ, TERM=term), start_new_session=True)
        os.close(slave)

    def end(self, after=None):
        """Interrupts it after 3 s, or when that has been written; answers all that was."""
        text, sent = "", False
        while True:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    text += os.read(self.master, 65536).decode()
                except OSError:
                    break
            age = time.monotonic() - self.start
            if not sent and (after in text if after and age < 30 else age > 3):
                sent = True
                self.process.send_signal(signal.SIGINT)
        os.close(self.master)
        self.process.wait(timeout=30)
        return text


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="orrery-cli-")
        self.make("hello.c", HELLO)

    def tearDown(self):
        self.folder.cleanup()

    def make(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.folder.name, name), "rb") as file:
            return file.read()

    def run_it(self, *arguments, stdin="", environment=None):
        done = subprocess.run(arguments, input=stdin.encode(), capture_output=True, cwd=self.folder.name, timeout=60,
                              env=dict(os.environ, **(environment or {})), check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def orrery(self, *arguments, **options):
        return self.run_it(ORRERY, *arguments, **options)

    def good(self, *arguments, **options):
        status, out, err = self.orrery(*arguments, **options)
        self.assertEqual(status, 0, err)
        return out, err

    def refused(self, pattern, *arguments, status=2, **options):
        """Refused with this status and a message like the pattern, and no new file."""
        before = sorted(os.listdir(self.folder.name))
        got, out, err = self.orrery(*arguments, **options)
        self.assertEqual(got, status, err)
        self.assertRegex(err, pattern)
        self.assertEqual(sorted(os.listdir(self.folder.name)), before, "something is left behind")
        return out, err


class Keys(Command):
    """Keys that the chosen machine never reads are told, and really are not read."""
    PROGRAM = "#include <mpi.h>\n#include <stdlib.h>\nint main(int argc, char **argv) { int r, n, s = 0; static char b[9000]; MPI_Init(&argc, &argv);\n" \
              "MPI_Comm_rank(MPI_COMM_WORLD, &r), MPI_Comm_size(MPI_COMM_WORLD, &n); for (int i = 0; i < 3000; i++) s += rand() % 7 / (i % 5 + 1);\n" \
              "MPI_Sendrecv(b, 700, MPI_CHAR, (r + 1) % n, 1, b + 4500, 4500, MPI_CHAR, (r + n - 1) % n, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n" \
              "MPI_Bcast(b, 9000, MPI_CHAR, 0, MPI_COMM_WORLD); MPI_Alltoall(b, 64, MPI_CHAR, b + 4500, 64, MPI_CHAR, MPI_COMM_WORLD); MPI_Finalize(); return s < 0; }\n"
    UNREAD = re.compile(r"(?m)^orrery: ([\w.-]+) = (.*) changes nothing: ")
    SHAPES = ("machine.description", "network.file", "network.table", "network.nodes", "network.dims", "faults.link", "faults.router")

    OTHERS = {"network.acknowledgement-bytes": "8 B", "background.end": "2 s", "background.pattern": "neighbour"} # where what is made of the value cannot be

    def result(self, *options):
        """Everything but that nothing was lost: that is told where something can be, even where there is one node."""
        _, err = self.good("run", "-n", "4", "--json", "r.json", *options, "program")
        result = json.loads(self.read("r.json"))
        for section in ("network", "background"):
            if section in result and not any(value for key, value in result[section].items() if key != "by_link"):
                del result[section]
        return result, err

    def keys(self, *options):
        """(key, value, what the help says of its values) of a machine."""
        section, result, kind = "", [], ""
        for line in self.good("machines", "--print", *options)[0].splitlines():
            kind = line[line.rindex("("):] if line.startswith("## ") and "(" in line else kind
            section = line[1:-1] if line.startswith("[") else section
            if " = " in line and line[0] not in "#[" and section not in ("library",) and not section.startswith("node-type"):
                result.append((section + "." + line.split(" = ")[0], line.split(" = ", 1)[1], kind))
        return [key for key in result if key[0] not in self.SHAPES]

    @staticmethod
    def another(value, kind):
        """A value that differs from this one."""
        choices = re.match(r"\(one of: (.*?); default", kind)
        example = re.search(r" like (.*?)(?: or |, |;)", kind)
        if choices:
            return next(choice for choice in choices[1].split(", ") if choice != value)
        if "grid" in kind or "extents" in kind:
            return "2x2"
        if not example:
            return "2"
        number = re.match(r"[\d.]+", value)
        if not number or value in ("0", "0 B"):
            return example[1]
        if value.isdigit():
            return str(int(value) // 2 if int(value) > 1 else 2)
        return "%g%s" % (float(number[0]) * 2, value[number.end():])

    def test_what_is_told_to_be_unread_is_unread(self):
        self.make("program.c", self.PROGRAM)
        self.good("cc", "-O1", "-o", "program", "program.c")
        machines = [line.split()[0] for line in self.good("machines")[0].splitlines() if line and line[0].isalpha()]
        variants = [["--machine", name] for name in machines]
        variants += [["--machine", "mesh-4x4", "--set", "network.switching=" + name] for name in
                     ("cut-through", "wormhole-reference", "flow", "switched-ethernet", "loggp")]
        variants += [["--machine", "mesh-4x4", "--set", "network.topology=" + name] for name in ("crossbar", "star", "ring", "full")]
        variants += [["--machine", "bus-16", "--set", "network.switching=csma-cd"],
                     ["--machine", "ring-8", "--set", "memory.model=hierarchy", "--set", "memory.L2-size=0", "--set", "cost.branch-predictor=gshare"],
                     ["--machine", "laptop", "--set", "cost.execution=out-of-order", "--set", "mapping.ranks=cyclic"],
                     ["--machine", "mesh-8x8", "--set", "background.load=0.1", "--set", "network.loss=0.001", "--set", "mapping.ranks=random"],
                     ["--machine", "hypercube-4", "--set", "noise.period=1 ms", "--set", "noise.duration=10 us"]]
        seen = set()
        for variant in variants:
            keys = self.keys(*(variant[1:] if variant[0] == "--machine" else variant))
            same = [word for key, value, _ in keys if value for word in ("--set", "%s=%s" % (key, value))]
            base, _ = self.result(*variant)
            repeated, err = self.result(*variant, *same)
            self.assertTrue(repeated == base, variant)
            unread = {key for key, _ in self.UNREAD.findall(err)}
            seen |= unread
            others = {key: self.OTHERS.get(key) or self.another(value, kind) for key, value, kind in keys if key in unread}
            for some in (set(others) - {"noise.period"}, set(others) & {"noise.period"}): # both parts of noise make some
                changed, err = self.result(*variant, *(word for key in sorted(some) for word in ("--set", "%s=%s" % (key, others[key]))))
                self.assertTrue(changed == base, (variant, {key: others[key] for key in some}))
                self.assertEqual({key for key, _ in self.UNREAD.findall(err)}, some, variant)
        self.assertGreater(len(seen), 70)

    def test_told_by_run_net_and_sweep(self):
        for machine, key, why in (("ring-8", "network.latency=3 us", "it is read where network.switching is loggp; here network.switching is store-and-forward"),
                                  ("laptop", "network.link-latency=1 us", "laptop has one node, so that no message crosses its network"),
                                  ("ring-8", "memory.L1-ways=4", "it is read where memory.model is hierarchy; here memory.model is flat"),
                                  ("loggp-cluster", "network.router-latency=1 us", "it is read where network.switching is not loggp or bus or csma-cd; here network.switching is loggp"),
                                  ("mesh-4x4", "noise.seed=5", "it is read where noise.period is not 0; here noise.period is 0")):
            message = "orrery: %s changes nothing: %s\n" % (key.replace("=", " = "), why)
            self.assertEqual(self.good("run", "-m", machine, "--set", key, "hello.c")[1], message)
            self.assertEqual(self.run_it(ORRERY, "run", "-q", "-m", machine, "--set", key, "hello.c")[2], "")
        for machine, key in (("ring-8", "network.link-latency=1 us"), ("loggp-cluster", "network.latency=1 us"), ("mesh-4x4", "mpi.eager-limit=1 KiB")):
            self.assertEqual(self.good("run", "-m", machine, "--set", key, "hello.c")[1], "")
        _, err = self.good("net", "-m", "ring-8", "--load", "0.1", "--set", "network.latency=3 us", "--set", "cpu.clock=1 GHz")
        self.assertEqual(err.count("changes nothing"), 2)
        self.make("s.sweep", "[sweep]\nprogram = hello.c\nmachines = ring-8 loggp-cluster\nranks = 1\n[vary]\nnetwork.latency = 1 us; 2 us\n")
        _, err = self.good("sweep", "s.sweep")
        self.assertEqual(err.count("changes nothing"), 2)
        self.assertEqual(self.read("s.csv").decode().count("changes nothing"), 2)

    def test_a_machine_far_too_large(self):
        out, err = self.good("run", "-n", "2", "-m", "hypercube-4", "--set", "network.dims=16", "hello.c")
        self.assertEqual(err, "orrery: the machine has 65536 nodes (hypercube, network.dims = 16: that many dimensions, and 2 to that power nodes) for 2 ranks\n")
        self.assertEqual(self.good("run", "-n", "11", "-m", "torus-8x8x16", "hello.c")[1], "")
        self.assertIn("1024 nodes (torus, network.dims = 8x8x16) for 10 ranks", self.good("run", "-n", "10", "-m", "torus-8x8x16", "hello.c")[1])


class Lessons(Command):
    """What the lessons, the README and a sweep say can be seen, can: at least 10 %, or less than 1 % where they say so."""
    ROOT = os.path.join(HERE, "..", "..", "..")

    def makespan(self, options, program, *arguments):
        self.good("run", "-q", "--json", "m.json", *options, os.path.join(self.ROOT, "samples", program), *arguments)
        return json.loads(self.read("m.json"))["makespan_ps"]

    def page(self, name):
        with open(os.path.join(self.ROOT, name), encoding="utf-8") as file:
            return file.read()

    def test_a_first_run(self):
        base = ["-n", "8", "--machine", "mesh-4x4"]
        plain = self.makespan(base, "greetings.c")
        page = self.page("docs/lessons/1-a-first-run.md")
        for key, least, most in (("network.bandwidth=1 GB/s", 0, 1), ("cpu.clock=100 MHz", 10, 100), ("mpi.recv-overhead=5 us", 10, 100)):
            self.assertIn("--set %s='%s'" % tuple(key.split("=")), page)
            gain = 100 * (plain - self.makespan([*base, "--set", key], "greetings.c")) / plain
            self.assertTrue(least <= gain <= most, (key, gain))
        self.assertGreater(plain, 1.25 * self.makespan([*base, "--set", "mpi.recv-overhead=5 us"], "greetings.c"))
        self.assertIn('--set mpi.recv-overhead="5 us"', self.page("README.md"))

    def test_topologies(self):
        page, base = self.page("docs/lessons/2-topologies.md"), ["-n", "16", "--machine", "mesh-4x4"]
        slow = ["--set", "network.bandwidth=1 MB/s", "--set", "network.switching=store-and-forward"]
        times = {}
        for topology in ("ring", "mesh", "hypercube"):
            self.assertIn("--set network.bandwidth='1 MB/s' --set network.switching=store-and-forward --set network.topology=" + topology, page)
            times[topology] = self.makespan([*base, *slow, "--set", "network.topology=" + topology], "bitonic_sort.c", "4096")
        self.assertGreater(times["ring"], times["mesh"] / 0.78)
        self.assertGreater(times["mesh"], times["hypercube"] / 0.9)
        far = self.makespan([*base, *slow, "--set", "network.topology=ring", "--set", "network.link-latency=1 ms"], "bitonic_sort.c", "4096")
        self.assertGreater(far, 1.1 * times["ring"])

    def test_mapping(self):
        for name, mapping, least, most in (("block", [], 0, 5), ("random", ["--set", "mapping.ranks=random"], 10, 100)):
            out, _ = self.good("run", "-n", "16", "--machine", "hypercube-4", *mapping, os.path.join(self.ROOT, "samples/halo_exchange.c"))
            before, after = map(int, re.findall(r": (\d+) ms", out))
            self.assertTrue(least <= 100 * (before - after) / before <= most, (name, out))
        sort = os.path.join(self.ROOT, "samples/bitonic_sort.c")
        self.good("run", "-n", "16", "--machine", "hypercube-4", "--traffic", "t", sort, "4096")
        self.good("map", "--machine", "mesh-4x4", "--set", "mapping.ranks=random", "--traffic", "t", "--output", "m")
        base = ["-n", "16", "--machine", "mesh-4x4", "--set", "network.bandwidth=1 MB/s", "--set"]
        self.assertGreater(self.makespan([*base, "mapping.ranks=random"], "bitonic_sort.c", "4096"),
                           1.1 * self.makespan([*base, "mapping.ranks=./m"], "bitonic_sort.c", "4096"))

    def test_the_sweep_of_broadcasts(self):
        self.good("sweep", "-o", "s", os.path.join(self.ROOT, "samples/sweeps/broadcast.sweep"))
        rows = {(row["network.topology"], row["network.link-latency"], row["ranks"]): int(row["makespan_ps"])
                for row in csv.DictReader(self.read("s.csv").decode().splitlines())}
        self.assertGreater(rows["ring", "20 us", "16"], 1.3 * rows["mesh", "20 us", "16"])
        self.assertGreater(rows["mesh", "20 us", "16"], 1.1 * rows["hypercube", "20 us", "16"])
        self.assertLess(rows["ring", "10 ns", "16"], 1.05 * rows["hypercube", "10 ns", "16"])


class HostCompiler(Command):
    """The compiler of the native tier, replaced by one that leaves a mark and fails in some way."""
    ALONE = "orrery: the interpreter runs the program alone: "

    def compiler(self, ending):
        path = self.make("compiler", '#!/bin/sh\necho >> "$(dirname "$0")/called"\n' + ending + "\n")
        os.chmod(path, 0o700)
        return {"ORRERY_CC": path, "ORRERY_CACHE": ""}

    def test_failures_are_told_once(self):
        object_of_its_own = ('while [ $# -gt 1 ]; do [ "$1" = -o ] && echo "int x;" > o.c && cc -shared -fPIC -o "$2" o.c; '
                             'shift; done')
        for ending, pattern in (("echo broken >&2; exit 1", "the C compiler .*/compiler failed: broken$"),
                                ("kill -SEGV $$", "the C compiler .*/compiler failed$"),
                                ("exit 0", "the C compiler .*/compiler failed: it made nothing$"),
                                (object_of_its_own, "what the C compiler made is not what it was given$")):
            _, err = self.good("run", "--tier", "native", "hello.c", environment=self.compiler(ending))
            self.assertRegex(err, "(?m)^" + self.ALONE + pattern)
            self.assertEqual(err.count("orrery:"), 1, err)

    def test_a_failure_in_the_background_is_told_once(self):
        self.make("spin.c", SPIN)
        _, _, err = self.orrery("run", "--max-time", "100ms", "spin.c", environment=self.compiler("exit 1"))
        self.assertRegex(err, "(?m)^" + self.ALONE + "the C compiler .* failed$")
        self.assertEqual(err.count(self.ALONE), 1, err)

    def test_is_not_called_where_its_code_would_not_run(self):
        for options in (["--check"], ["--set", "memory.model=hierarchy"], ["--tier", "interp"]):
            self.good("run", "--tier", "native", *options, "hello.c", environment=self.compiler("exit 1"))
            self.assertFalse(os.path.exists(os.path.join(self.folder.name, "called")), options)
        self.good("run", "--tier", "native", "--check=leaks", "hello.c", environment=self.compiler("exit 1"))
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "called")))


class Costs(Command):
    ROOTS = ("#include <math.h>\nvolatile double x = 2;\nvolatile float y = 2;\n"
             "int main(void) { for (int i = 0; i < 4; i++) x = sqrt(x), y = sqrtf(y), x = __builtin_sqrt(x); }\n")

    def picoseconds(self, *options):
        self.good("run", "--set", "cpu.clock=1 GHz", "--json", "out.json", *options, "roots.c")
        return json.loads(self.read("out.json"))["makespan_ps"]

    def test_a_square_root_costs_what_the_machine_says(self):
        """Whether the compiler makes an instruction of it or calls the library; what is said of the function goes before that."""
        self.make("roots.c", self.ROOTS)
        for tier in ("interp", "native"):
            usual = self.picoseconds("--tier", tier)
            self.assertEqual(self.picoseconds("--tier", tier, "--set", "cost.fp-sqrt=118 cycles"), usual + 12 * 100 * 1000)
            self.assertEqual(self.picoseconds("--tier", tier, "--set", "cost.fp-sqrt=118 cycles", "--set", "library.sqrt=20 cycles"),
                             usual + 8 * 100 * 1000)
        printed, _ = self.good("machines", "--print", "laptop")
        self.assertIn("## sqrt = 2 cycles, and what fp-sqrt costs\n", printed)

    def test_a_cache_has_whole_sets(self):
        for keys, pattern in ((["L1-ways=7"], "L1-size: 32768 bytes are no whole number of sets of 7 lines of 64 bytes"),
                              (["L2-size=100 B"], "L2-size: 100 bytes are no whole number of sets of 16 lines of 64 bytes"),
                              (["L1-size=100 B", "L1-ways=0"], "L1-size: 100 bytes are no whole number of sets of 1 line of 64 bytes")):
            options = sum((["--set", "memory." + key] for key in ["model=hierarchy"] + keys), [])
            self.refused(pattern, "run", *options, "hello.c")
        self.good("run", "--set", "memory.model=hierarchy", "--set", "memory.L1-ways=4", "hello.c")
        self.good("run", "--set", "memory.L1-ways=7", "hello.c")  # nobody asks for caches


class Run(Command):
    def test_ranks_and_arguments(self):
        out, err = self.good("run", "-n", "2", "hello.c", "a", "-n", "b c")
        self.assertEqual(out, "hello 0 of 2: <a> <-n> <b c>\nhello 1 of 2: <a> <-n> <b c>\n")
        self.assertEqual(err, "")

    def test_np_and_joined_values(self):
        for way in (["-np", "2"], ["-n2"], ["--ranks=2"], ["--ranks", "2"]):
            self.assertEqual(len(self.good("run", *way, "hello.c")[0].splitlines()), 2, way)

    def test_several_sources_and_double_dash(self):
        self.make("a.c", 'int f(void);\n#include <stdio.h>\nint main(int c, char **v)\n{ printf("%d %s\\n", f(), v[1]); }\n')
        self.make("b.c", "int f(void) { return 42; }\n")
        self.assertEqual(self.good("run", "a.c", "b.c", "--", "x.c")[0], "42 x.c\n")

    def test_mpmd_knows_its_program(self):
        self.make("which.c", "#include <mpi.h>\n#include <stdio.h>\nint main(int c, char **v) {\n"
                  "    int *n, flag, rank; char arguments[1024], ranks[1024];\n    MPI_Init(&c, &v);\n"
                  "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &n, &flag);\n"
                  "    MPI_Info_get(MPI_INFO_ENV, \"argv\", 1023, arguments, &flag);\n"
                  "    MPI_Info_get(MPI_INFO_ENV, \"maxprocs\", 1023, ranks, &flag);\n"
                  "    printf(\"%d: program %d, %s ranks, %s\\n\", rank, *n, ranks, arguments);\n"
                  "    MPI_Finalize();\n    return 0;\n}\n")
        out, _ = self.good("run", "-n", "1", "which.c", "a", "b", ":", "-n", "2", "which.c", "c")
        self.assertEqual(sorted(out.splitlines()), ["0: program 0, 1 ranks, a b", "1: program 1, 2 ranks, c",
                                                    "2: program 1, 2 ranks, c"])

    def test_mpmd(self):
        self.make("other.c", HELLO.replace("hello", "other"))
        out, _ = self.good("run", "-n", "1", "hello.c", "a", ":", "-n", "2", "other.c", "b")
        self.assertEqual(out, "hello 0 of 3: <a>\nother 1 of 3: <b>\nother 2 of 3: <b>\n")

    def test_label(self):
        self.assertEqual(self.good("run", "-n", "2", "--label", "hello.c")[0], "[0] hello 0 of 2:\n[1] hello 1 of 2:\n")

    def test_standard_input_goes_to_rank_0(self):
        self.make("echo.c", ECHO)
        self.assertEqual(self.good("run", "-n", "2", "echo.c", stdin="one\ntwo")[0], "one\ntwo")

    def test_exit_status_is_the_program_s(self):
        self.make("status.c", STATUS)
        self.assertEqual(self.orrery("run", "status.c", "7")[0], 7)
        self.assertEqual(self.orrery("run", "status.c", "256")[0], 0)
        self.assertEqual(self.orrery("run", "status.c", ":", "status.c", "9", ":", "status.c", "3")[0], 9)

    def test_fault(self):
        self.make("fault.c", FAULT)
        out, err = self.refused("orrery: rank 0 stopped at fault.c:1 .*null pointer", "run", "fault.c", status=139)
        self.assertEqual(out, "")

    def test_max_time(self):
        self.make("spin.c", SPIN)
        self.refused("limit of 1 ms.*\n(.*\n)*  rank 1: computing, in main at spin.c:1", "run", "-n", "2", "--max-time",
                     "1ms", "spin.c", status=1)
        self.refused("--max-time: \"1\" has no unit", "run", "--max-time", "1", "spin.c")
        self.refused("--max-time 0", "run", "--max-time", "0", "spin.c")

    def test_interrupt(self):
        self.make("spin.c", SPIN)
        process = subprocess.Popen([ORRERY, "run", "--quantum", "1000000000", "spin.c"], cwd=self.folder.name,
                                   stderr=subprocess.PIPE)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=30)[1].decode()
        self.assertEqual(process.returncode, 130)
        self.assertRegex(err, "interrupted at virtual time .*\n.*\n  rank 0: computing, in main at spin.c:1")

    def test_interrupt_finds_threads_and_says_who_waits(self):
        self.make("half.c", HALF)
        for number, jobs in ((signal.SIGINT, "1"), (signal.SIGTERM, "3")):
            process = subprocess.Popen([ORRERY, "run", "-n", "6", "--jobs", jobs, "--quantum", "1000000", "half.c"],
                                       cwd=self.folder.name, stderr=subprocess.PIPE)
            time.sleep(1.5)
            start = time.monotonic()
            process.send_signal(number)
            err = process.communicate(timeout=30)[1].decode()
            self.assertLess(time.monotonic() - start, 5, "0.2 s, were the host not busy")
            self.assertEqual(process.returncode, 128 + number)
            self.assertRegex(err, "rank 0: MPI_Recv waits for a message from rank 1, tag 7, .* at half.c:7\n"
                                  "  rank 1: computing, in main at half.c:6")

    def test_polling_takes_no_host_time_and_the_debugger_sees_the_same(self):
        self.make("poll.c", POLL)
        self.good("cc", "-o", "poll", "poll.c")
        short = self.good("run", "-n", "3", "poll", "2000")[0]
        self.assertIn(short.strip(), self.orrery("debug", "-n", "3", "poll", "2000", stdin="run\n")[1])
        start = time.monotonic()
        self.good("run", "-n", "3", "poll", "900000000")
        self.assertLess(time.monotonic() - start, 30, "nine billion polls")

    def test_watching_changes_no_time(self):
        """Messages go the short way only where nobody looks on."""
        program = os.path.join(HERE, os.pardir, "mpi", "plain_sends.c")
        alone = self.good("run", "-n", "4", "--json", "alone.json", program)[0]
        watched = [["--stats"], ["--messages", "m.csv"], ["--check"], ["--check=no-signatures"]]
        for options in watched:
            self.assertEqual(self.good("run", "-n", "4", "--json", "watched.json", *options, program)[0], alone, options)
            one, other = [json.loads(self.read(name)) for name in ("alone.json", "watched.json")]
            self.assertEqual((one["makespan_ps"], one["ranks"]), (other["makespan_ps"], other["ranks"]), options)

    def test_progress(self):
        self.make("half.c", HALF)
        long, usual, narrow, dumb, never = [Terminal(self.folder.name, *way) for way in (
            (140, "xterm"), (80, "xterm", "--max-time", "1000s"), (40, "xterm"), (100, "dumb"), (100, "xterm", "--progress=never"))]
        for terminal in (long, usual, narrow, dumb, never):
            self.addCleanup(terminal.process.kill)
        piped = subprocess.Popen([ORRERY, "run", "-n", "2", "half.c"], cwd=self.folder.name, stderr=subprocess.PIPE)
        lines = subprocess.Popen([ORRERY, "run", "-n", "2", "--progress=always", "--max-time", "1000s", "half.c"],
                                 cwd=self.folder.name, stderr=subprocess.PIPE)
        self.addCleanup(piped.kill)
        self.addCleanup(lines.kill)
        text = long.end(after="events/s")
        self.assertRegex(text, r"\r\[0:0\d\] virtual [\d.]+ [mun]?s, 0 of 2 ranks finished, 0 messages, [\d.]+ k? ?events/s, "
                               r"[\d.]+( [kMG])? times (slower|faster) than the machine\x1b\[K\r")
        self.assertRegex(text, r"\r\x1b\[Korrery: interrupted", "the line must be gone before anything else is said")
        self.assertRegex(usual.end(after="events/s"), r"\r\[0:0\d\] [\d.]+ [mun]?s \(0 %, at most [\d:]+ left\), 0/2 ranks, "
                                                      r"0 messages, [\d.]+ k? ?events/s\x1b\[K\r")
        for line in re.findall(r"\r(\[[^\x1b]*)\x1b", narrow.end(after="\r[")):
            self.assertLess(len(line), 40)
        self.assertNotIn("virtual 1", dumb.end().split("interrupted")[0])
        self.assertNotIn("\x1b[K", never.end())
        piped.send_signal(signal.SIGINT)
        self.assertNotIn(b"ranks finished", piped.communicate(timeout=30)[1])
        self.assertRegex(lines.stderr.readline().decode(), "^orrery: .0:.* 0 % of 1000 s, at most .* left$")
        lines.send_signal(signal.SIGINT)
        lines.communicate(timeout=30)

    def test_quiet(self):
        self.assertIn("share a core", self.orrery("run", "-n", "9", "--machine", "ring-8", "hello.c")[2])
        self.assertEqual(self.orrery("run", "-q", "-n", "9", "--machine", "ring-8", "hello.c")[2], "")
        self.refused("--progress", "run", "--progress=loud", "hello.c")

    def test_closed_output_ends_quietly(self):
        self.make("much.c", '#include <stdio.h>\nint main(void) { for (;;) puts("much"); }\n')
        process = subprocess.Popen([ORRERY, "run", "much.c"], cwd=self.folder.name, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.communicate(timeout=30)[1], b"")
        self.assertEqual(process.returncode, 128 + signal.SIGPIPE)

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([ORRERY, "run", "hello.c"], cwd=self.folder.name, stdout=full, stderr=subprocess.PIPE,
                                  check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"No space left", done.stderr)

    def test_statistics(self):
        out, err = self.good("run", "-n", "3", "--machine", "ring-8", "--stats", "--json", "s.json", "hello.c")
        self.assertEqual(len(out.splitlines()), 3)
        self.assertRegex(err, r"makespan  [0-9.]+ us")
        data = json.loads(self.read("s.json"))
        self.assertEqual(data["machine"], "ring-8")
        self.assertEqual(len(data["ranks"]), 3)
        for rank in data["ranks"]:
            self.assertEqual(rank["finish_ps"], rank["compute_ps"] + rank["overhead_ps"] + rank["blocked_ps"])
            self.assertLessEqual({"messages_sent", "bytes_sent"}, set(rank))
        self.assertEqual(data["makespan_ps"], max(rank["finish_ps"] for rank in data["ranks"]))

    def test_sleeping_is_blocked(self):
        """Between calls, before the end, and in a loop that polls, which is accounted for in closed form."""
        self.make("s.c", """
            #include <mpi.h>
            #include <time.h>
            #include <unistd.h>
            int main(int argc, char **argv) {
                int rank, flag = 0, x = 0; MPI_Request request;
                struct timespec second = {1, 0}, rest;
                MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                usleep(250000); sleep(2);
                if (rank == 0) { nanosleep(&second, &rest); MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }
                else {
                    MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
                    while (MPI_Test(&request, &flag, MPI_STATUS_IGNORE), !flag) usleep(1000);
                }
                MPI_Finalize(); sleep(1); return 0; }""")
        accounts = []
        for options in ([], ["--quantum", "7"], ["--tier", "interp", "--jobs", "2"]):
            self.good("run", "-n", "2", *options, "--json", "s.json", "s.c")
            accounts.append(json.loads(self.read("s.json"))["ranks"])
        self.assertEqual(accounts[0], accounts[1])
        self.assertEqual(accounts[0], accounts[2])
        for rank in accounts[0]:
            self.assertEqual(rank["finish_ps"], rank["compute_ps"] + rank["overhead_ps"] + rank["blocked_ps"])
            self.assertGreaterEqual(rank["blocked_ps"], 4.2e12)
            self.assertLess(rank["compute_ps"], 1e10)
        self.assertEqual(accounts[0][0]["blocked_ps"] // 10**9, 4250)

    def test_sharing_is_noted_once(self):
        _, err = self.good("run", "-n", "20", "--machine", "ring-8", "hello.c")
        self.assertEqual(len(re.findall("share a core", err)), 1)
        self.assertEqual(len(err.splitlines()), 1)

    def test_set_and_own_machine_file(self):
        text, _ = self.good("machines", "--print", "mesh-4x4")
        self.make("mine.machine", text)
        one, _ = self.good("run", "-n", "16", "--machine", "./mine.machine", "--json", "-", "hello.c")
        two, _ = self.good("run", "-n", "16", "--machine", "mesh-4x4", "--json", "-", "hello.c")
        self.assertEqual(one.replace('"mine"', '"mesh-4x4"'), two)
        slow, _ = self.good("run", "-n", "16", "--machine", "mesh-4x4", "--set", "cpu.clock=1 MHz", "--json", "-", "hello.c")
        self.assertNotEqual(slow, two)

    def test_eager_limit(self):
        self.make("unsafe.c", "#include <mpi.h>\nint main(int c, char **v)\n{\n    int r, x = 0, y;\n    MPI_Init(&c, &v);\n"
                  "    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n    MPI_Send(&x, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD);\n"
                  "    MPI_Recv(&y, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n"
                  "    return 0;\n}\n")
        self.good("run", "-n", "2", "unsafe.c")
        self.refused(r"orrery: deadlock(.*\n)*.*rank 0.*unsafe.c:7.*MPI_Send", "run", "-n", "2", "--eager-limit", "0",
                     "unsafe.c", status=1)
        self.good("run", "-n", "2", "--eager-limit", "4 KiB", "unsafe.c")
        self.good("run", "-n", "2", "--eager-limit", "4096", "unsafe.c")

    def test_options_that_never_change_a_result(self):
        plain, _ = self.good("run", "-n", "4", "--machine", "mesh-4x4", "--json", "-", "hello.c")
        for option in (["--quantum", "1"], ["--jobs", "4"], ["-j1"], ["--tier", "interp"], ["--tier=auto"]):
            self.assertEqual(self.good("run", "-n", "4", "--machine", "mesh-4x4", "--json", "-", *option, "hello.c")[0], plain)

    def test_checks(self):
        """Lists of checks; what is only possible or left over changes nothing and is told once for many ranks."""
        self.make("leak.c", "#include <mpi.h>\n#include <stdio.h>\nint main(int c, char **v)\n{\n    MPI_Comm d;\n    int r;\n"
                  "    MPI_Init(&c, &v);\n    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n    MPI_Comm_dup(MPI_COMM_WORLD, &d);\n"
                  "    if (r)\n        MPI_Comm_dup(MPI_COMM_SELF, &d);\n    printf(\"%d\\n\", r);\n    MPI_Finalize();\n}\n")
        run = ["run", "-n", "64", "--machine", "loggp-cluster", "--json", "-"]
        plain, err = self.good(*run, "leak.c")
        self.assertEqual(err, "")
        for option in ("--check", "--check=all", "--check=leaks", "--check=lost,leaks", "--check=no-races"):
            out, err = self.good(*run, option, "leak.c")
            self.assertEqual(out, plain, option)
            self.assertEqual(re.findall(r"(?m)^orrery: (ranks [\d-]+): the communicator that MPI_Comm_dup made at leak.c:(\d+) "
                                        r"was never freed \[leaks\]$", err), [("ranks 0-63", "9"), ("ranks 1-63", "11")], option)
        for option in ("--check=lost", "--check=all,no-leaks", "--check=no-leaks"):
            self.assertEqual(self.good(*run, option, "leak.c"), (plain, ""), option)
        out, quiet = self.good(*run, "--check", "--quiet", "leak.c") # findings were asked for: they are no chatter
        self.assertEqual((out, quiet), (plain, self.good(*run, "--check", "leak.c")[1]))
        self.assertIn("[leaks]", quiet)
        self.refused('no check "leeks"; did you mean "leaks"', "run", "--check=leeks", "leak.c")
        self.refused('no check ""', "run", "--check=leaks,", "leak.c")
        self.refused("no-deadlock: .*cannot be left out", "run", "--check=no-deadlock", "leak.c")

    def test_findings_as_exit_status(self):
        """--check-fail and ORRERY_CHECK_FAIL: 3 where checks found something and the program's status is 0."""
        self.make("leak.c", "#include <mpi.h>\n#include <stdlib.h>\nint main(int c, char **v)\n{\n    MPI_Init(&c, &v);\n"
                  "    if (c > 1)\n        malloc(7);\n    if (c > 2)\n        return 5;\n    MPI_Finalize();\n}\n")
        fail = {"ORRERY_CHECK_FAIL": "1"}
        for arguments, environment, status, says in (
                (["--check", "leak.c"], {}, 0, ""),
                (["--check", "--check-fail", "leak.c"], {}, 0, ""),
                (["--check", "leak.c", "1"], {}, 0, "not freed"),
                (["--check", "--check-fail", "leak.c", "1"], {}, 3, "not freed"),
                (["--check", "leak.c", "1"], fail, 3, "not freed"),
                (["--check", "leak.c", "1"], {"ORRERY_CHECK_FAIL": ""}, 0, "not freed"),
                (["--check", "leak.c", "1"], {"ORRERY_CHECK_FAIL": "0"}, 0, "not freed"),
                (["-q", "--check-fail", "--check", "leak.c", "1"], {}, 3, "not freed"),
                (["--check-fail", "leak.c", "1"], {}, 0, ""),
                (["leak.c", "1", "2"], {}, 5, "without calling MPI_Finalize"),
                (["-q", "leak.c", "1", "2"], {}, 5, ""),
                (["-q", "leak.c", "1", "2"], fail, 5, "without calling MPI_Finalize"),
                (["--check=no-finalize,no-memory", "--check-fail", "leak.c", "1", "2"], {}, 5, "")):
            got, out, err = self.orrery("run", *arguments, environment=environment)
            self.assertEqual((got, out), (status, ""), (arguments, environment, err))
            if says:
                self.assertIn(says, err, arguments)
            else:
                self.assertEqual(err, "", arguments)

    def test_names_of_checks(self):
        """What is printed in brackets is a name that --check takes, and no-NAME silences it; each name that can be left
        out is printed by a test program."""
        names = set(re.findall(r"(?m)^ {10}([a-z]+): ", self.good("run", "--help")[0]))
        folder = os.path.join(os.path.dirname(HERE), "checks")
        printed = {}
        for file in sorted(glob.glob(os.path.join(folder, "*.says")) + glob.glob(os.path.join(folder, "*.err"))):
            with open(file, encoding="utf-8") as lines:
                for name in re.findall(r"\\?\[([a-z]+)\\?\]", lines.read()):
                    printed.setdefault(name, os.path.splitext(file)[0])
        self.assertEqual(set(printed) - names, set())
        fixed = {name for name in names if self.orrery("run", "--check=no-" + name, "hello.c")[0] == 2}
        self.assertEqual(fixed, {"arguments", "state", "truncation", "deadlock"})
        self.assertEqual(names - set(printed) - fixed, set())
        for name, case in printed.items():
            ranks = "2"
            if os.path.exists(case + ".ranks"):
                with open(case + ".ranks", encoding="utf-8") as file:
                    ranks = file.read().split()[0]
            self.assertIn("[%s]" % name, self.orrery("run", "-n", ranks, "--check=memory," + name, case + ".c")[2], case)
            for option in ("--check=no-" + name, "--check=all,no-" + name):
                self.assertNotIn("[%s]" % name, self.orrery("run", "-n", ranks, option, case + ".c")[2], (case, option))

    def test_defines_and_includes(self):
        os.mkdir(os.path.join(self.folder.name, "inc"))
        self.make("inc/value.h", "#define VALUE 3\n")
        self.make("d.c", "#include <value.h>\nint main(void) { return VALUE + ADD; }\n")
        self.assertEqual(self.orrery("run", "-Iinc", "-D", "ADD=4", "-O0", "d.c")[0], 7)

    def test_bad_usage(self):
        self.make("wrong.c", WRONG)
        self.make("text", "no program\n")
        self.refused("no program is given", "run")
        self.refused("nofile.c: there is no such file", "run", "nofile.c")
        self.refused("-n 0", "run", "-n", "0", "hello.c")
        self.refused("-n -3", "run", "-n", "-3", "hello.c")
        self.refused("-n many", "run", "-n", "many", "hello.c")
        self.refused("99999999 ranks", "run", "-n", "99999999", "hello.c")
        self.refused("did you mean \"mesh-4x4\"", "run", "--machine", "mesh-4x5", "hello.c")
        self.refused("--bogus", "run", "--bogus", "hello.c")
        self.refused("--tier fast: it is one of", "run", "--tier", "fast", "hello.c")
        self.refused("--quantum 0", "run", "--quantum", "0", "hello.c")
        self.refused("--jobs none", "run", "--jobs", "none", "hello.c")
        self.refused("--fs everything", "run", "--fs", "everything", "hello.c")
        self.refused("did you mean \"network.bandwidth\"", "run", "--set", "network.bandwith=1 MB/s", "hello.c")
        self.refused("^orrery: --set network.bandwith: there is no such key; did you mean", "run", "--set", "network.bandwith=1 MB/s", "hello.c")
        self.refused("has no unit", "run", "--set", "cpu.clock=3", "hello.c")
        self.refused(r"^orrery: --set network.topology: .*72 nodes, but nodes is 1", "run", "--set", "topology=dragonfly(2,4,2)", "hello.c")
        self.refused("dims", "run", "--machine", "mesh-4x4", "--set", "network.nodes=5", "hello.c")
        self.refused("neither a .c file nor a program", "run", "text")
        self.refused("directory", "run", ".")
        self.refused("no program is given", "run", "hello.c", ":", "-n", "2")
        self.refused("cannot|Failed|No such", "run", "--json", "no/where.json", "hello.c")
        _, err = self.refused(r"^wrong.c:1:25: error: ", "run", "wrong.c", status=1)
        self.assertEqual(len(err.splitlines()), 3)

    def test_what_was_meant(self):
        for pattern, *words in (
                ("did you mean \"orrery --version\"", "--verson"), ("did you mean \"orrery --version\"", "version"),
                ("did you mean \"orrery --help\"", "--hlep"), ("did you mean \"help\"", "helo"),
                ("did you mean \"orrery cc\"", "compile", "hello.c"),
                ("for example: orrery debug -n 4", "debug"), ("for example: orrery explore -n 4", "explore"),
                ("did you mean \"network.latency\"", "run", "--set", "network.lat=3 us", "hello.c"),
                ("did you mean \"network.latency\"", "run", "--set", "lat=3 us", "hello.c")):
            self.refused("^orrery: .*" + pattern, *words)
        for name, language in (("a.cc", "C\\+\\+"), ("a.cpp", "C\\+\\+"), ("a.cxx", "C\\+\\+"), ("a.C", "C\\+\\+"),
                               ("a.hpp", "C\\+\\+"), ("a.f90", "Fortran"), ("a.F", "Fortran")):
            self.make(name, "int main(void) { return 0; }\n")
            self.refused("^orrery: " + name + ": this is " + language, name)
            for command in ("run", "debug", "explore"):
                self.refused("^orrery: " + name + ": this is " + language, command, name)

    def test_machine_file_errors_have_a_place(self):
        self.make("m.machine", "[network]\ntopology = mesh\nbandwith = 1 MB/s\n")
        self.refused(r"^m.machine:3:1: error: .*did you mean \"bandwidth\"\?\n.*bandwith = 1 MB/s\n.*\^", "run", "--machine",
                     "m.machine", "hello.c")
        self.make("m.machine", "[network]\ntopology = mesh\ndims = 4x4\npacket-bytes = 1 B\nswitching = wormhole\n"
                  "virtual-channels = 0\n")
        self.refused(r"^m.machine:6:20: error: ", "run", "--machine", "m.machine", "hello.c")
        self.make("m.machine", "[network]\ntopology = hypercube\nnodes = 6\n")
        self.refused(r"^m.machine:3:1: error: nodes", "run", "--machine", "m.machine", "hello.c")


class Host(Command):
    """Nothing of the host shows in a program, and nothing of the simulator is in its reach."""

    MODES = r"""
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static void show(const char *name)
{
    struct stat s;
    if (stat(name, &s))
        perror(name);
    else
        printf("%s %o %ld %d %d %ld\n", name, s.st_mode, (long)s.st_nlink, (int)s.st_uid, (int)s.st_dev, (long)s.st_mtime);
    remove(name);
}
int main(void)
{
    fclose(fopen("made", "w"));
    show("made");
    close(open("opened", O_CREAT | O_WRONLY, 0666));
    show("opened");
    close(open("closed", O_CREAT | O_WRONLY | O_EXCL, 0400));
    show("closed");
    mkdir("folder", 0777);
    show("folder");
    printf("%o\n", umask(0027));
    close(creat("masked", 0777));
    show("masked");
    char name[] = "tempXXXXXX";
    close(mkstemp(name));
    show(name);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("%ld %ld\n", (long)limit.rlim_cur, sysconf(_SC_OPEN_MAX));
    printf("%s %s\n", getenv("HOME"), getenv("PATH"));
    return 0;
}
"""
    MANY = r"""
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, n = 0, most = atoi(argv[1]), last = -1, fd;
    char name[40];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sprintf(name, "file%d", rank);
    while (n < most && (fd = open(name, O_CREAT | O_RDWR, 0600)) >= 0)
        n++, last = fd;
    printf("%d: %d %d %s\n", rank, n, last, n < most ? strerror(errno) : "");
    if (n < most) {
        sprintf(name, "not%d", rank);
        printf("%d %d %d %d\n", open(name, O_CREAT | O_RDWR, 0600), access(name, F_OK), dup(0), fopen(name, "w") != 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
    BURGLAR = r"""
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static int n;
static void try(int worked)
{
    n++;
    if (worked)
        printf("%d works\n", n);
}
int main(int argc, char **argv)
{
    char cache[500], orrery[500], entry[500], up[600];
    sprintf(cache, "%s/.cache", argv[1]), sprintf(orrery, "%s/orrery", cache), sprintf(entry, "%s/native/entry", orrery);
    sprintf(up, "%s/x/../.cache/orrery/native/entry", argv[1]);
    try(fopen(entry, "r") != 0);
    try(fopen(entry, "w") != 0);
    try(fopen(up, "r+") != 0);
    mkdir("x", 0777);
    try(fopen(up, "r+") != 0);
    try(unlink(entry) == 0);
    try(chmod(entry, 0777) == 0);
    try(truncate(entry, 0) == 0);
    try(rename(entry, "taken") == 0);
    try(link(entry, "taken") == 0);
    try(symlink(entry, "link") == 0 && fopen("link", "r") != 0);
    try(symlink(orrery, "way") == 0 && fopen("way/native/entry", "r+") != 0);
    try(symlink("nothing", "way/native/new") == 0);
    try(symlink(".cache/orrery/native/fresh", "dangling") == 0 && fopen("dangling", "w") != 0);
    try(rename(cache, "moved") == 0);
    try(rename(orrery, "moved") == 0);
    try(rename("x", cache) == 0);
    try(opendir(orrery) != 0);
    try(chdir(orrery) == 0);
    try(chdir(cache) == 0 && fopen("orrery/native/entry", "r") != 0);
    try(mkdir(orrery, 0777) == 0);
    try(rmdir(orrery) == 0);
    try(access(entry, F_OK) == 0);
    try(open("/proc/self/mem", O_RDWR) >= 0);
    try(open("/proc/self/maps", O_RDONLY) >= 0);
    printf("%d tried\n", n);
    return 0;
}
"""

    def test_modes_of_new_files(self):
        self.make("modes.c", self.MODES)
        first = None
        for mask in (0o022, 0, 0o077, 0o777):
            old = os.umask(mask)
            try:
                done = subprocess.run([ORRERY, "run", "modes.c"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      cwd=self.folder.name, text=True, timeout=100, check=False,
                                      env=dict(os.environ, HOME="/somewhere", TMPDIR=self.folder.name))
            finally:
                os.umask(old)
            first = first or done.stdout
            self.assertEqual(done.stdout, first, f"umask {mask:o}")
        for line in ("made 100644 1 1000 1 946684800", "opened 100644 ", "closed 100400 ", "folder 40755 2 ", "22",
                     "masked 100750 ", "1024 1024", "/ /usr/bin:/bin"):
            self.assertIn(line, first)

    def test_each_rank_has_its_descriptors(self):
        self.make("many.c", self.MANY)
        wanted = None
        for soft in (64, 300):
            done = subprocess.run(["sh", "-c", f"ulimit -S -n {soft}; exec {ORRERY} run -n 3 many.c 2000"],
                                  capture_output=True, cwd=self.folder.name, text=True, timeout=100, check=False)
            wanted = wanted or done.stdout
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, wanted)
        for rank in range(3):
            self.assertIn(f"{rank}: 1021 1023 Too many open files", wanted)
        self.assertEqual(wanted.count("-1 -1 -1 0"), 3)

    def test_the_host_s_own_limit_is_told(self):
        self.make("many.c", self.MANY)
        done = subprocess.run(["sh", "-c", f"ulimit -n 128; exec {ORRERY} run -n 3 many.c 100"], capture_output=True,
                              cwd=self.folder.name, text=True, timeout=100, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("open: the simulator cannot open more files for all ranks together: this host allows it 128",
                      done.stderr)
        self.assertNotIn("Too many", done.stdout)

    HOG = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, x = 0, kind = argc > 1 ? atoi(argv[1]) : 0;
    static char block[5000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d\n", rank);
    for (int i = 0; kind == 3 && i < 1000; i++) {
        char *p = malloc(1 << 20);
        memset(p, 1, 100);
        free(p);
    }
    while (kind == 0 && rank == 1) {
        char *p = malloc(100000);
        if (!p)
            puts("NULL");
        memset(p, 1, 100000);
    }
    while (kind == 1 && rank == 0)
        MPI_Send(block, sizeof block, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    while (kind == 2 && rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

    def hog(self, *options):
        status, out, err = self.orrery("run", "-n", "3", "--json", "run.json", *options)
        return status, out, err, json.loads(self.read("run.json"))

    def test_memory_has_a_bound(self):
        self.make("hog.c", self.HOG)
        for kind, said in (("0", r"data and heaps of the ranks: 20\.0 MiB\n    rank 1: 20\.0 MiB"),
                           ("1", r"messages sent and not yet received: 20\.0 MiB\n    at rank 1: [34]... that"),
                           ("2", r"8.... messages sent and not yet received: 20\.0 MiB\n    at rank 1: 8")):
            first = self.hog("--memory", "20 MiB", "hog.c", kind)
            self.assertEqual(first[0], 1, first[2])
            self.assertEqual(first[1], "rank 0\nrank 1\nrank 2\n")
            self.assertRegex(first[2], r"stopped at virtual time .*: the program has taken more than the 20\.0 MiB of memory")
            self.assertRegex(first[2], said)
            for options in (["--quantum", "100"], ["--jobs", "2"], ["--check", "-q"], ["--stats"]):
                again = self.hog("--memory", "20 MiB", *options, "hog.c", kind)
                self.assertEqual((again[0], again[1], again[3]), (first[0], first[1], first[3]), options)
        status, _, err, _ = self.hog("--memory", "20 MiB", "hog.c", "3")
        self.assertEqual(status, 0, err)

    def test_memory_of_other_commands(self):
        self.make("hog.c", self.HOG)
        self.make("hog.sweep", "[sweep]\nprogram = hog.c\nranks = 2 3\nmachines = laptop\n")
        _, _, err = self.orrery("sweep", "--memory", "5 MiB", "hog.sweep")
        self.assertIn("run 2 has no result: stopped at virtual time", err)
        status, out, err = self.orrery("explore", "-n", "2", "--memory", "5 MiB", "hog.c")
        self.assertEqual(status, 3, err)
        self.assertIn("uses up its memory", out + err)
        _, out, err = self.orrery("debug", "-n", "2", "--memory", "5 MiB", "hog.c", stdin="run\nquit\n")
        self.assertIn("has taken more than the 5.0 MiB", out + err)
        self.refused("--memory 0: nothing could run", "run", "--memory", "0", "hello.c")
        self.refused("--memory: ", "run", "--memory", "much", "hello.c")

    def test_the_cache_is_out_of_reach(self):
        self.make("burglar.c", self.BURGLAR)
        for fs in ("cwd", "all"):
            for where in ("HOME", "ORRERY_CACHE"):
                home = os.path.join(self.folder.name, f"{where}-{fs}")
                os.makedirs(os.path.join(home, ".cache/orrery/native"))
                self.make(os.path.join(home, ".cache/orrery/native/entry"), "secret")
                environment = {k: v for k, v in os.environ.items() if k not in ("ORRERY_CACHE", "XDG_CACHE_HOME")}
                environment["HOME"] = home
                if where == "ORRERY_CACHE":
                    environment.update(HOME="/nowhere", ORRERY_CACHE=os.path.join(home, ".cache/orrery"))
                done = subprocess.run([ORRERY, "run", "--fs", fs, "--tier", "interp", "../burglar.c", home],
                                      capture_output=True, cwd=home, text=True, timeout=100, env=environment, check=False)
                self.assertEqual(done.stdout, "24 tried\n", f"--fs {fs}, {where}: {done.stderr}")
                with open(os.path.join(home, ".cache/orrery/native/entry"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "secret")


class Faults(Command):
    """Every kind of fault: exit status 128 + signal, what was accessed, the calls with their arguments."""

    # argument of misuse.c, exit status, what the report says
    ALWAYS = [
        ("null-read", 139, r"stopped at misuse.c:17 .*: reads 4 bytes at address 0xc through a null pointer",
         r"    in get \(from=0x0, index=3\) at misuse.c:17\n        return from\[index\];\n    called from accesses "
         r"\(what=.*, block=0x.*, local=0x.*\) at misuse.c:\d+\n"),
        ("null-write", 139, r"writes 4 bytes at address 0x0 through a null pointer", r"in put \(to=0x0, index=0, value=7\)"),
        ("wild", 139, r"reads 4 bytes at address 0x123456789abc: that is outside the process", r"in get \(from=0x123456789abc"),
        ("far-static", 139, r"writes 4 bytes at address 0x\w+: that is no object", r"in put \(to=0x\w+, index=-1000000000, value=1\)"),
        ("constant", 139, r"writes 4 bytes at address 0x\w+, which is constant",
         r"is 4 bytes into the variable primes \(int \[4\], 16 bytes\)\n"),
        ("literal", 139, r"strcpy: argument 1 is the address 0x\w+, where 2 bytes cannot be written \(a constant\?\)",
         r"stands \"immutable\"\n"),
        ("arguments", 139, r"writes 4 bytes at address 0x0",
         r"in weigh \(p=.*, q=.*, name=0x\w+ \"name\", scale=2.5, to=0x0\)"),
        ("printf", 139, r"printf: argument 2 is the address 0x\w+, where there is no string"),
        ("strcpy", 139, r"strcpy: argument 1 is the null pointer 0x0, where 5 bytes cannot be written"),
        ("divide", 136, r"integer division by zero", r"in divide \(a=7, b=0\) at misuse.c:25\n"),
        ("remainder", 136, r"integer remainder by zero"),
        ("overflow", 136, r"integer division \(the least value by -1\) does not fit", r"in divide \(a=-2147483648, b=-1\)"),
        ("unreachable", 132, r"never reached", r"in never \(n=0\)"),
        ("trap", 132, r"__builtin_trap\(\) was reached"),
        ("abort", 134, r"abort\(\)"),
        ("null-call", 139, r"calls a null function pointer"),
        ("wild-call", 139, r"calls 0x\w+, which is no function"),
        ("stack", 139, r"stack overflow", r"in deeper \(n=\d+\) at misuse.c:32\n(.*\n)*    \.\.\. \d+ more calls \.\.\.\n"),
        ("free-twice", 134, r"double free", r"in drop \(block=0x\w+\)"),
    ]
    CHECKED = [
        ("past-read", 139, r"reads 1 byte at address 0x\w+, which is in no block of the heap",
         r"is 0 bytes past the end of a block of 20 bytes, allocated by malloc in make at misuse.c:51, called from main at "
         r"misuse.c:\d+\n"),
        ("past-write", 139, r"writes 4 bytes", r"is 0 bytes past the end of a block of 20 bytes"),
        ("across", 139, r"reads 4 bytes at address 0x\w+, beyond the end of the block", r"is 18 bytes into a block of 20 bytes"),
        ("before", 139, r"reads 4 bytes", r"is 4 bytes before a block of 20 bytes, allocated by malloc in make"),
        ("freed-read", 139, r"reads 4 bytes at address 0x\w+, in a block that has been freed",
         r"is 8 bytes into a block of 20 bytes, allocated by malloc in make at misuse.c:51.*\n"
         r"    the block was freed by free in drop at misuse.c:55, called from heap at misuse.c:\d+"),
        ("freed-write", 139, r"writes 4 bytes at address 0x\w+, in a block that has been freed", r"in put \(to=0x\w+, index=2, value=1\)"),
        ("freed-printf", 139, r"printf: reads 5 bytes at address 0x\w+, in a block that has been freed"),
        ("moved", 139, r"in a block that has been freed", r"the block was freed by realloc in heap"),
        ("memset", 139, r"memset: writes 21 bytes at address 0x\w+, beyond the end of the block"),
        ("sprintf", 139, r"sprintf: writes 21 bytes at address 0x\w+, beyond the end of the block"),
        ("free-inside", 134, r"free\(0x\w+\): not the start of a heap block, but an address inside it",
         r"is 4 bytes into a block of 20 bytes"),
        ("free-static", 134, r"free\(0x\w+\): this address is in no block of the heap", r"is 4 bytes into the variable table"),
        ("dangling", 139, r"on the stack below everything in use"),
    ]

    def setUp(self):
        super().setUp()
        self.make("misuse.c", MISUSE)
        self.good("cc", "-w", "-o", "misuse", "misuse.c")

    def expect(self, row, *options):
        status, out, err = self.orrery("run", *options, "misuse", row[0])
        self.assertEqual((status, out), (row[1], ""), (row[0], err))
        for pattern in row[2:]:
            self.assertRegex(err, pattern, row[0])

    def test_every_kind_with_and_without_check(self):
        for row in self.ALWAYS:
            self.expect(row)
            self.expect(row, "--check")

    def test_what_check_finds(self):
        for row in self.CHECKED:
            self.expect(row, "--check")

    def test_far_from_an_object(self):
        self.expect(("far-heap", 139, r"beyond the end of the heap", r"is 3999980 bytes past the end of a block of 20 bytes on the "
                     r"heap; --check tells"))
        self.expect(("far-heap", 139, r"beyond the end of the heap", r"is 3999980 bytes past the end of a block of 20 bytes, allocated"),
                    "--check")
        self.expect(("far-stack", 139, r"writes 4 bytes at address", r"is \d+ bytes before the variable \w+"))

    def test_optimised_or_not_the_same_is_said(self):
        for level in ("-O0", "-O2"):
            _, _, err = self.orrery("run", level, "-Wno-div-by-zero", "--check", "misuse.c", "freed-read")
            self.assertRegex(err, r"in get \(from=0x\w+, index=2\) at misuse.c:17\n")
            self.assertRegex(err, r"freed by free in drop at misuse.c:55, called from heap at misuse.c:\d+")

        _, _, err = self.orrery("run", "-O0", "-Wno-div-by-zero", "misuse.c", "arguments")
        self.assertRegex(err, r"in weigh \(p=\{x = 1, y = 2\}, q=0x\w+, name=0x\w+ \"name\", scale=2.5, to=0x0\)")

    def test_leaks(self):
        out, err = self.good("run", "-n", "3", "--check", "misuse", "leak")
        self.assertEqual(out, "survived\n" * 3)
        self.assertRegex(err, r"^orrery: memory that was not freed:\n  ranks 0-2: 60 bytes in 3 blocks, allocated by malloc in make "
                         r"at misuse.c:51, called from main at misuse.c:\d+\n$")
        self.assertEqual(self.good("run", "--check", "misuse")[1], "")
        self.assertEqual(self.good("run", "misuse", "leak")[1], "")

    def test_check_changes_neither_output_nor_time(self):
        plain = self.good("run", "-n", "2", "--json", "-", "misuse")
        self.assertEqual(self.good("run", "-n", "2", "--json", "-", "--check", "misuse"), plain)

    def test_unaligned(self):
        self.expect(("unaligned", 135, r"reads 4 bytes at address 0x\w+, which is no multiple of 4", r"in get \("), "--set",
                    "cpu.alignment=natural")
        self.assertNotEqual(self.orrery("run", "misuse", "unaligned")[0], 135)
        self.make("bytes.c", "#include <stdio.h>\n#include <string.h>\nstruct __attribute__((packed)) wire { char kind; int value; "
                  "double rest; };\nint main(void)\n{\n    char bytes[32] = {0};\n    struct wire w = {1, 2, 3};\n    int n;\n"
                  "    w.value *= 2;\n    w.rest += w.value;\n    memcpy(bytes + 1, &w, sizeof w);\n    memcpy(&n, bytes + 2, 4);\n"
                  "    printf(\"%d %g\\n\", n, ((struct wire *)(bytes + 1))->rest);\n}\n")
        for level in ("-O0", "-O1", "-O2"):
            out, _ = self.good("run", level, "--set", "cpu.alignment=natural", "bytes.c")
            self.assertEqual(out, "4 7\n", level)
        self.refused("there is no alignment \"odd\"", "run", "--set", "cpu.alignment=odd", "misuse")

    def test_the_earliest_fault_counts_then_the_least_rank(self):
        self.make("race.c", "#include <mpi.h>\n#include <stdlib.h>\nint main(int c, char **v)\n{\n    int r, *p = NULL;\n"
                  "    MPI_Init(&c, &v);\n    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n    for (volatile int i = 0; c > 1 && i < 100 * (7 - r); )"
                  "\n        i++;\n    if (r > 1)\n        *p = r;\n    MPI_Barrier(MPI_COMM_WORLD);\n    MPI_Finalize();\n}\n")
        for quantum in ("1", "1000000000"):
            _, _, err = self.orrery("run", "-n", "6", "--quantum", quantum, "race.c")
            self.assertRegex(err, r"^orrery: rank 2 stopped at race.c:11 (.*\n)*  rank 0: .*MPI_Barrier.*\n(.*\n)*  rank 3: .*fault")
            _, _, err = self.orrery("run", "-n", "6", "--quantum", quantum, "race.c", "later")
            self.assertRegex(err, r"^orrery: rank 5 stopped at race.c:11 ")

    def test_many_ranks_are_told_in_groups(self):
        self.make("all.c", "#include <mpi.h>\nint main(int c, char **v)\n{\n    int r, n = 0;\n    MPI_Init(&c, &v);\n"
                  "    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n    if (r == 7)\n        n = 1 / n;\n"
                  "    MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n}\n")
        _, _, err = self.orrery("run", "-n", "100", "--machine", "loggp-cluster", "all.c")
        self.assertRegex(err, r"rank 7 stopped at all.c:8 .*integer division by zero\n(.*\n)*the other ranks:\n"
                         r"  ranks 0-6, 8-99: computing, next MPI_Recv, in main at all.c:9\n$")

    def test_in_what_mpi_calls_and_accesses(self):
        self.make("mpi.c", "#include <mpi.h>\n#include <stdlib.h>\n#include <string.h>\n"
                  "static void add(void *in, void *inout, int *n, MPI_Datatype *type)\n{\n    (void)type;\n"
                  "    for (int i = 0; i < *n; i++)\n        ((int *)inout)[i] /= ((int *)in)[i];\n}\n"
                  "int main(int c, char **v)\n{\n    int r, all[4] = {0}, *buffer = malloc(16);\n    MPI_Op op;\n"
                  "    MPI_Request request;\n    MPI_Init(&c, &v);\n    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
                  "    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\n    memset(buffer, 0, 16);\n"
                  "    if (strcmp(v[1], \"operator\") == 0) {\n        MPI_Op_create(add, 1, &op);\n"
                  "        MPI_Allreduce(buffer, all, 4, MPI_INT, op, MPI_COMM_WORLD);\n    } else if (r == 1) {\n"
                  "        MPI_Send(all, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);\n    } else {\n"
                  "        MPI_Irecv(buffer, strcmp(v[1], \"past\") == 0 ? 5 : 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);\n"
                  "        free(buffer);\n        MPI_Wait(&request, MPI_STATUS_IGNORE);\n    }\n    MPI_Finalize();\n}\n")
        status, _, err = self.orrery("run", "-n", "2", "mpi.c", "operator")
        self.assertEqual(status, 136)
        self.assertRegex(err, r"in add \(.*n=0x\w+, .*\) at mpi.c:8 \(called by the MPI library\)\n(.*\n)*"
                         r"    called from main \(.*\) at mpi.c:21\n")
        status, _, err = self.orrery("run", "-n", "2", "--check", "mpi.c", "past")
        self.assertEqual(status, 139)
        self.assertRegex(err, r"mpi.c:25 .*MPI_Irecv: writes 20 bytes at address 0x\w+, beyond the end of the block")
        status, _, err = self.orrery("run", "-n", "2", "--check", "mpi.c", "freed")
        self.assertEqual(status, 134)
        self.assertRegex(err, r"mpi.c:26 .*free gives back the buffer that MPI_Irecv at mpi.c:25 receives into")
        status, _, err = self.orrery("run", "-n", "2", "--check=memory", "mpi.c", "freed")
        self.assertEqual(status, 139)
        self.assertRegex(err, r"mpi.c:27 .*MPI_Wait: writes 16 bytes at address 0x\w+, in a block that has been freed\n"
                         r".*allocated by malloc in main at mpi.c:12\n    the block was freed by free in main at mpi.c:26\n")


class Compile(Command):
    def test_the_result_runs_by_itself(self):
        self.good("cc", "hello.c", "-o", "hello")
        status, out, _ = self.run_it("./hello", "x")
        self.assertEqual((status, out), (0, "hello 0 of 1: <x>\n"))
        self.assertEqual(self.good("run", "-n", "2", "./hello")[0], "hello 0 of 2:\nhello 1 of 2:\n")
        self.good("cc", "hello.c")
        self.assertEqual(self.run_it("./a.out")[0], 0)

    def test_a_program_is_known_by_its_content(self):
        for name in ["x.o", "x.c", "x.i", "x.a", "x.so"]:
            self.good("cc", "-o", name, "hello.c")
            self.assertEqual(self.good("run", name, "y.o")[0], "hello 0 of 1: <y.o>\n")
            self.assertRegex(self.good("dis", name)[0], "^vCode program")
        self.assertEqual(self.run_it("./x.o")[:2], (0, "hello 0 of 1:\n"))
        self.good("cc", "-c", "hello.c", "-o", "hello.vco")
        self.assertEqual(self.good("run", "hello.vco")[0], "hello 0 of 1:\n")
        self.refused("this is a linked program; only objects can be linked", "cc", "x.o", "hello.c", "-o", "p", status=1)

    def test_layout_of_bit_fields_by_option(self):
        self.make("m.c", "struct S { char a : 4; int b : 4; }; struct T { char a : 4; int b : 4; } __attribute__((gcc_struct));\n"
                         "int main(void) { return 10 * sizeof(struct S) + sizeof(struct T); }\n")
        for option, status in [("-O1", 44), ("-mms-bitfields", 84), ("-mno-ms-bitfields", 44)]:
            self.good("cc", option, "m.c", "-o", "m")
            self.assertEqual(self.run_it("./m")[0], status)

    def test_objects_and_archives(self):
        self.make("a.c", "int f(void);\nint main(void) { return f(); }\n")
        self.make("f.c", "int f(void) { return 5; }\n")
        self.good("cc", "-c", "a.c", "f.c")
        self.good("cc", "-o", "p", "a.o", "f.o", "-lm")
        self.assertEqual(self.run_it("./p")[0], 5)
        self.run_it("ar", "rcs", "libf.a", "f.o")
        self.good("cc", "-o", "q", "a.c", "-L.", "-lf")
        self.assertEqual(self.run_it("./q")[0], 5)
        self.good("cc", "a.o", "libf.a", "-o", "r")
        self.assertEqual(self.orrery("run", "a.o", "f.c")[0], 5)
        self.refused("-lnone: there is no libnone.a", "cc", "a.c", "-lnone", status=1)
        self.make("libg.a", b"!<arch>\n" + b"x" * 70)
        self.refused("libg.a: damaged archive", "cc", "a.c", "-L.", "-lg", status=1)

    def test_flags_of_other_compilers(self):
        self.good("cc", "-O3", "-g", "-std=c99", "-Wall", "-Wextra", "-march=native", "-fPIC", "-pthread", "-pipe", "-DX=1",
                  "-UX", "-I.", "hello.c", "-o", "hello", "-lm", "-lpthread", "-Wl,-rpath,x")
        self.refused("unknown option '-Zfoo'", "cc", "-Zfoo", "hello.c", status=1)

    def test_preprocess_and_text(self):
        self.make("m.c", "#define A 17\nint a = A;\n")
        self.assertIn("int a = 17;", self.good("cc", "-E", "m.c")[0])
        self.good("cc", "-S", "hello.c")
        self.assertRegex(self.read("hello.s"), rb"call +MPI_Init")

    def test_dependencies(self):
        self.make("h.h", "")
        self.make("m.c", '#include "h.h"\nint a;\n')
        self.good("cc", "-MMD", "-c", "m.c")
        self.assertRegex(self.read("m.d").decode(), r"^m\.o:.*h\.h")

    def test_questions(self):
        for question in ("--version", "-dumpversion", "-dumpmachine", "-show", "--help", "-v"):
            self.assertEqual(self.orrery("cc", question)[0], 0, question)

    def test_bad_usage(self):
        self.make("wrong.c", WRONG)
        self.make("undefined.c", "void nowhere(void);\nint main(void)\n{\n    nowhere();\n}\n")
        self.refused("no input files", "cc", status=1)
        self.refused("no such file", "cc", "nofile.c", status=1)
        self.refused("wrong.c:1:25: error", "cc", "wrong.c", "-o", "p", status=1)
        self.refused("wrong.c:1:25: error", "cc", "-c", "wrong.c", status=1)
        self.refused("undefined.c:4.*nowhere", "cc", "undefined.c", "-o", "p", status=1)
        self.refused("-o cannot name", "cc", "-c", "hello.c", "wrong.c", "-o", "p", status=1)
        self.refused("no/such/place", "cc", "hello.c", "-o", "no/such/place", status=1)

    def test_damaged_programs_are_refused(self):
        self.good("cc", "hello.c", "-o", "hello")
        program = self.read("hello")
        self.make("short", program[:len(program) // 2])
        self.refused("damaged|truncated", "run", "short")
        step = max(1, len(program) // 64)
        for at in range(0, len(program), step):
            self.make("bad", program[:at] + bytes([program[at] ^ 0x55]) + program[at + 1:])
            status, _, err = self.orrery("run", "--max-time", "1s", "bad")
            self.assertTrue(status in (0, 1, 2), "byte %d: status %d: %s" % (at, status, err))
        self.make("random", b"#!/x\n" + os.urandom(1000))
        self.refused("random: ", "run", "random")


class Driver(Command):
    """`orrery cc` as a drop-in for cc: what build systems do with it, and what must never be left behind."""

    def cc(self, *arguments, **options):
        return self.good("cc", *arguments, **options)

    def wrong(self, pattern, *arguments, **options):
        return self.refused(pattern, "cc", *arguments, status=1, **options)

    def value(self, *arguments):
        """What the program returns that these make."""
        self.cc("-o", "program", *arguments)
        return self.run_it("./program")[0]

    def test_archive_members_are_drawn_by_need(self):
        self.make("main.c", "int a(void);\nint main(void) { return a(); }\n")
        self.make("a.c", "int b(void);\nint a(void) { return b() + 1; }\n")
        self.make("b.c", "int b(void) { return 2; }\n")
        self.make("clash.c", "int a(void) { return 50; }\nint unused(void) { return 1; }\n")
        self.cc("-c", "main.c", "a.c", "b.c", "clash.c")
        for members, way in ((("b.o", "a.o"), "rc"), (("a.o", "b.o"), "rcs"), (("a.o", "b.o"), "rcsT")):
            self.run_it("rm", "-f", "lib.a")
            self.assertEqual(self.run_it("ar", way, "lib.a", *members)[0], 0)
            self.assertEqual(self.value("main.o", "lib.a"), 3, way)
            self.assertEqual(self.value("lib.a", "main.o"), 3, way)
        self.assertEqual(self.run_it("ranlib", "lib.a")[0], 0)
        self.run_it("ar", "rc", "libclash.a", "clash.o")
        self.assertEqual(self.value("main.o", "lib.a", "libclash.a"), 3, "the first offer counts")
        self.assertEqual(self.value("main.o", "-L.", "-lclash", "-l:lib.a"), 50)
        self.wrong("clash.c:1: error: 'a' is defined here.*", "main.o", "a.o", "b.o", "-Wl,--whole-archive", "libclash.a",
                   "-Wl,--no-whole-archive", "-o", "p")
        self.assertEqual(self.value("main.o", "-Wl,--start-group", "lib.a", "-Wl,--end-group", "-Wl,-Map,x.map"), 3)

    def test_main_in_an_archive_and_names_that_are_long(self):
        self.make("the_longest_name_of_a_member.c", "int main(void) { return 9; }\n")
        self.cc("-c", "the_longest_name_of_a_member.c")
        self.run_it("ar", "rc", "lib.a", "the_longest_name_of_a_member.o")
        self.assertEqual(self.value("lib.a"), 9)

    def test_foreign_and_damaged_files_get_a_name(self):
        self.cc("-c", "hello.c")
        good = self.read("hello.o")
        for content, message in ((b"\x7fELF" + bytes(60), "machine code of this host"), (b"BC\xc0\xde" + bytes(60), "LLVM bitcode"),
                                 (b"", "an empty file"), (b"int x;\n", "text, neither"), (good[:100], "truncated"),
                                 (good[:200] + bytes([good[200] ^ 1]) + good[201:], "checksum|malformed"), (bytes(64), "neither C source")):
            self.make("x.o", content)
            self.wrong("x.o: .*" + message, "x.o", "-o", "p")
        other = good[:8] + bytes([good[8] ^ 7]) + good[9:]
        self.make("x.o", other)
        self.wrong("x.o: made by another version of Orrery", "x.o", "-o", "p")
        self.make("x.o", b"\x7fELF" + bytes(60))
        self.run_it("ar", "rc", "libx.a", "x.o")
        self.wrong("libx.a: what is in this archive is machine code", "hello.o", "libx.a", "-o", "p")
        self.make("liby.so", b"\x7fELF" + bytes(60))
        self.wrong("-ly: ./liby.so is machine code", "hello.o", "-L.", "-ly", "-o", "p")
        self.make("libm.so", b"\x7fELF" + bytes(60))
        self.cc("hello.o", "./libm.so", "-o", "p")
        self.run_it("ar", "rc", "lib.a", "hello.o", "x.o")
        archive = self.read("lib.a")
        for cut in list(range(0, 200)) + list(range(200, len(archive), 97)):
            self.make("cut.a", archive[:cut])
            self.assertIn(self.orrery("cc", "cut.a", "-o", "p2")[0], (0, 1))

    def test_other_languages_are_refused(self):
        for name, language in (("a.cpp", "C\\+\\+"), ("a.S", "assembly"), ("a.f90", "Fortran"), ("a.cu", "CUDA")):
            self.make(name, "")
            self.wrong(name + ": " + language + " is not compiled here", "-c", name)
        self.wrong("-x c\\+\\+: only C", "-x", "c++", "hello.c")

    def test_response_files(self):
        self.make("outer", "@inner -o \"my program\"")
        self.make("m.c", "#include <string.h>\nint main(void) { return N + strlen(TEXT); }\n")
        self.make("inner", "'-DTEXT=\"a b\"'\n  -DN=3 ")
        self.cc("@outer", "m.c")
        self.assertEqual(self.run_it("./my program")[0], 6)
        self.wrong("@none: there is no such file", "@none")
        self.make("self", "@self")
        self.wrong("without end", "@self")

    def test_standard_input_and_languages_by_option(self):
        self.cc("-x", "c", "-", "-o", "p", stdin="int main(void) { return 4; }")
        self.assertEqual(self.run_it("./p")[0], 4)
        self.make("odd.txt", "int f(void) { return 5; }\n")
        self.make("main.c", "int f(void);\nint main(void) { return f(); }\n")
        self.assertEqual(self.value("-x", "c", "odd.txt", "-x", "none", "main.c"), 5)
        self.make("done.i", '# 7 "was.c"\nint main(void) { return x; }\n')
        self.wrong("^was.c:7:25: error", "-c", "done.i")
        self.assertIn("int main", self.cc("-E", "-", stdin="int main;")[0])

    def test_dialects(self):
        self.make("d.c", "int inline_ = 1, typeof = 2;\nint asm(void) { return typeof; }\nint main(void) { return asm(); }\n")
        self.assertEqual(self.value("-std=c99", "d.c"), 2)
        self.wrong("error", "d.c", "-o", "p")
        self.make("c89.c", "int restrict = 1; int inline = 2;\n#ifndef __STRICT_ANSI__\n#error\n#endif\n"
                  "int main(void) { return restrict + inline + (\"??=\"[1] ? 0 : 4); }\n")
        self.assertEqual(self.value("-ansi", "c89.c"), 7)
        self.make("v.c", "int main(void) { return (int)(__STDC_VERSION__ / 100 % 100); }\n")
        self.assertEqual([self.value("-std=" + name, "v.c") for name in ("gnu99", "c11", "gnu17")], [99, 11, 17 % 100])
        self.make("c.c", "int main(void) { char c = -1; return (c > 0) + 2 * ('\\377' > 0); }\n")
        self.assertEqual([self.value(flag, "c.c") for flag in ("-fsigned-char", "-funsigned-char")], [0, 3])
        self.make("i.c", "inline int f(void) { return 3; }\n")
        self.make("u.c", "int f(void);\nint main(void) { return f(); }\n")
        self.assertEqual(self.value("-fgnu89-inline", "i.c", "u.c"), 3)
        self.make("o.c", "int main(void) { return _OPENMP > 200000; }\n")
        self.assertEqual(self.value("-fopenmp", "o.c"), 1)
        self.make("t1.c", "int t;\nint main(void) { return t; }\n")
        self.make("t2.c", "int t;\n")
        self.assertEqual(self.value("t1.c", "t2.c"), 0)
        self.wrong("t2.c:1: error: 't' is defined here", "-fno-common", "t1.c", "t2.c", "-o", "p")
        self.wrong("-m32: a simulated process is LP64", "-m32", "-c", "hello.c")
        self.wrong("-std=c\\+\\+11", "-std=c++11", "-c", "hello.c")

    def test_rules_for_make(self):
        self.make("h.h", "")
        self.make("m.c", '#include "h.h"\n#include <stdio.h>\nint main(void) { return 0; }\n')
        self.assertEqual(self.cc("-MM", "m.c")[0], "m.o: m.c h.h\n")
        self.assertIn("stdio.h", self.cc("-M", "m.c")[0])
        os.mkdir(os.path.join(self.folder.name, "sub"))
        self.cc("-MMD", "-MP", "-c", "m.c", "-o", "sub/n.o")
        self.assertEqual(self.read("sub/n.d"), b"sub/n.o: m.c h.h\nh.h:\n")
        self.cc("-MD", "-MF", "rules", "-MT", "a target", "m.c", "-o", "p")
        self.assertRegex(self.read("rules").decode(), r"^a target: m.c h.h")
        self.cc("-Wp,-MMD,old.d", "-c", "m.c")
        self.assertRegex(self.read("old.d").decode(), r"^m.o: m.c h.h")
        self.assertEqual(self.cc("-MM", "-MG", "-", stdin='#include "made.h"\n')[0], "-: made.h\n")
        self.make("bad.c", '#include "h.h"\n#include "none.h"\n')
        self.wrong("bad.c:2:10: fatal error: none.h", "-MMD", "-c", "bad.c")

    def test_no_partial_output(self):
        self.make("wrong.c", WRONG)
        self.make("undefined.c", "int nowhere(void);\nint main(void) { return nowhere(); }\n")
        self.make("keep", "old")
        self.wrong("error", "-c", "wrong.c", "-o", "keep")
        self.assertEqual(self.read("keep"), b"old", "as with gcc, an object stays")
        before = sorted(os.listdir(self.folder.name))
        self.assertEqual(self.orrery("cc", "undefined.c", "-o", "keep")[0], 1)
        before.remove("keep")
        self.assertEqual(sorted(os.listdir(self.folder.name)), before, "as with gcc, a program goes")
        script = "ulimit -f 1; exec \"$0\" cc \"$@\""
        for way in (["-c", "hello.c", "-o", "o.o"], ["hello.c", "-o", "p"], ["-E", "hello.c", "-o", "p.i"], ["-S", "hello.c"]):
            status, _, err = self.run_it("sh", "-c", script, ORRERY, *way)
            self.assertEqual(status, 1, err)
            self.assertRegex(err, "File too large", way)
            self.assertEqual(sorted(os.listdir(self.folder.name)), before, way)
        self.assertEqual(self.orrery("cc", "-E", "hello.c", "-o", "/dev/full")[0], 1)
        self.assertEqual(self.orrery("cc", "hello.c", "-o", "/dev/full")[0], 1)
        self.wrong("no/such/place", "-E", "hello.c", "-o", "no/such/place")

    def test_link_errors_have_places(self):
        self.make("a.c", "int counter = 1;\nint helper(void) { return 1; }\n")
        self.make("b.c", "int hepler(void);\ndouble counter = 2;\nint main(void)\n{\n    return hepler();\n}\n")
        _, err = self.wrong("^a.c:1: |^b.c:2: error: 'counter' is defined here", "a.c", "b.c", "-o", "p")
        self.assertRegex(err, "note: the other definition is here\n")
        self.assertRegex(err, "b.c:5: error: undefined reference to 'hepler'; did you mean 'helper'\\?\n +5 | +return hepler")
        self.make("c.c", "extern int shared[2];\nint main(void) { return shared[1]; }\n")
        self.make("d.c", "long shared[2] = {1, 2};\n")
        _, err = self.cc("c.c", "d.c", "-o", "p")
        self.assertRegex(err, "c.c:1: warning: 'shared' is of another size here")
        self.make("f.c", "int popen_(void);\nint main(int c, char **v) { return c > 1 ? popen_() : 6; }\n")
        self.wrong("error: undefined reference", "f.c", "-o", "q")
        _, err = self.cc("f.c", "-Wl,--warn-unresolved-symbols", "-o", "p")
        self.assertRegex(err, "f.c:2: warning: undefined reference to 'popen_'")
        self.assertEqual(self.run_it("./p")[0], 6)
        self.assertGreater(self.run_it("./p", "x")[0], 128)
        self.make("e.c", "int f(void) { return 1; }\n")
        self.wrong("no main: none of the files defines", "e.c", "-o", "q")

    def test_joined_objects_and_libraries(self):
        self.make("a.c", "static int n = 3;\nint b(void);\nint a(void) { return n + b(); }\nint twice(void) { return 2; }\n")
        self.make("b.c", 'static int n = 4;\nint b(void) { return n * "\\1\\2"[1]; }\n')
        self.make("main.c", "int a(void), twice(void);\nint main(void) { return a() * twice(); }\n")
        self.cc("-c", "a.c", "b.c", "main.c")
        self.cc("-r", "-o", "both.o", "a.o", "b.o")
        self.assertEqual(self.value("main.o", "both.o"), 22)
        self.cc("-shared", "-fPIC", "-Wl,-soname,libboth.so.1", "-o", "libboth.so", "a.o", "b.o")
        self.assertEqual(self.value("main.o", "-L.", "-lboth", "-Wl,-rpath,."), 22)
        self.make("own.c", "int twice(void) { return 5; }\n")
        self.assertEqual(self.value("main.o", "own.c", "libboth.so"), 55, "the program's own goes before a library's")
        self.wrong("'a' is defined here", "-r", "-o", "x.o", "a.o", "a.o")

    def test_wrapped_and_wanted_names(self):
        self.make("w.c", "int real(void) { return 1; }\n")
        self.make("x.c", "int real(void), __real_real(void);\nint __wrap_real(void) { return 10 + __real_real(); }\n"
                  "int main(void) { return real(); }\n")
        self.assertEqual(self.value("w.c", "x.c", "-Wl,--wrap=real"), 11)

    def test_questions_of_build_systems(self):
        self.assertRegex(self.cc("--version")[0], r"\Aorrery cc \(Orrery \d+\.\d+\.\d+\) \d+\.\d+\.\d+\n")
        self.assertRegex(self.cc("-dumpversion")[0], r"\A\d+\.\d+\.\d+\n\Z")
        self.assertRegex(self.cc("-dumpmachine")[0], r"\A\w+-\w+-linux\n\Z")
        self.assertEqual(self.cc("-print-prog-name=ld")[0], "ld\n")
        self.assertTrue(os.path.exists(self.cc("-print-libgcc-file-name")[0].strip()))
        self.assertTrue(os.path.exists(self.cc("-print-file-name=libm.a")[0].strip()))
        self.assertEqual(self.cc("-print-file-name=none.a")[0], "none.a\n")
        self.assertRegex(self.cc("-print-search-dirs")[0], r"(?m)^libraries: =/")
        self.assertRegex(self.cc("-show", "-c", "x.c")[0], r"orrery-cc -c x.c\n\Z")
        self.assertRegex(self.cc("-showme:compile")[0], r"\A-I/.*include\n\Z")
        self.assertRegex(self.cc("-link_info")[0], r"orrery-cc -L/.* -lmpi\n\Z")
        self.assertRegex(self.cc("-Wl,--version")[0], r"\AOrrery linker .*GNU ld\n\Z", "for Meson")
        self.assertEqual(self.cc("-###", "hello.c")[0], "")
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "a.out")))
        self.wrong("-dumpspecs: there are no specs", "-dumpspecs")
        self.wrong("unknown option '-inclde'; did you mean '-include'", "-inclde", "x", "hello.c")

    def test_macros_of_identity(self):
        out, _ = self.cc("-dM", "-E", "-", stdin="")
        macros = dict(re.findall(r"(?m)^#define (\w+) (.*)$", out))
        self.assertEqual((macros["__GNUC__"], macros["__ORRERY__"], macros["__LP64__"]), ("8", "1", "1"))
        self.assertFalse({"__x86_64__", "__i386__", "__aarch64__", "__STRICT_ANSI__", "__OPTIMIZE__"} & set(macros))
        self.assertEqual(self.cc("-dM", "-E", "-O2", "-", stdin="")[0].count("__OPTIMIZE__"), 1)

    def test_preprocessing_hostile_input(self):
        self.make("r.h", '#include "r.h"\n#include "r.h"\n')
        self.wrong("nested depth 200", "-c", "-x", "c", "r.h")
        self.make("bom.c", b"\xef\xbb\xbfint main(void)\r\n{\r\n    int \xc3\xa4 = 4;\\\r\n    return \xc3\xa4;\r\n}")
        self.assertEqual(self.value("bom.c"), 4)
        self.make("long.c", "int main(void) { return 0" + " + 0" * 262144 + "; }")
        self.assertIn(self.orrery("cc", "long.c", "-o", "p")[0], (0, 1))
        self.make("nul.c", b"int main(void) { return 3; }\0\n")
        self.assertIn(self.orrery("cc", "nul.c", "-o", "p")[0], (0, 1))
        self.make("date.c", "#include <string.h>\nint main(void) { return strcmp(__DATE__ __TIME__, \"Jan  1 200000:00:00\") != 0; }\n")
        self.assertEqual(self.value("date.c"), 0)
        self.cc("-o", "program", "date.c", environment={"SOURCE_DATE_EPOCH": "86400"})
        self.assertEqual(self.run_it("./program")[0], 1)
        self.make("e.c", "#error no\n#warning perhaps\n")
        self.wrong(r"^e.c:1:2: error: #error no", "-c", "e.c")

    def test_cmake_finds_mpi(self):
        shims = os.path.realpath(os.path.join(os.path.dirname(ORRERY), "..", "share", "orrery", "shims"))
        environment = {"PATH": shims + ":" + os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"}
        self.make("CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(t C)\nset(CMAKE_C_STANDARD 17)\n"
                  "set(CMAKE_C_STANDARD_REQUIRED ON)\nfind_package(MPI REQUIRED COMPONENTS C)\nfind_library(M m REQUIRED)\n"
                  "add_library(part SHARED part.c)\nadd_executable(app hello.c)\n"
                  "target_compile_features(app PRIVATE c_std_99)\ntarget_link_libraries(app part MPI::MPI_C ${M})\n"
                  "enable_testing()\nadd_test(NAME app COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 "
                  "${MPIEXEC_PREFLAGS} $<TARGET_FILE:app> x ${MPIEXEC_POSTFLAGS})\n")
        self.make("part.c", "int part(void) { return 1; }\n")
        status, out, err = self.run_it("cmake", "-S", ".", "-B", "b", "-DCMAKE_C_COMPILER=mpicc", environment=environment)
        self.assertEqual(status, 0, out + err)
        self.assertIn("identification is GNU", out)
        status, out, err = self.run_it("cmake", "--build", "b", environment=environment)
        self.assertEqual(status, 0, out + err)
        status, out, err = self.run_it("ctest", "--test-dir", "b", "-V", environment=environment)
        self.assertEqual(status, 0, out + err)
        self.assertIn("hello 2 of 3: <x>", out)

    def test_cmake_never_pairs_our_header_with_another_library(self):
        """With another compiler it finds either no MPI, or nothing of ours but the launcher."""
        share = os.path.realpath(os.path.join(os.path.dirname(ORRERY), "..", "share", "orrery"))
        environment = {"PATH": share + "/shims:" + os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"}
        self.make("CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(t C)\nfind_package(MPI COMPONENTS C)\n"
                  "message(STATUS \"found <${MPI_C_FOUND}> headers <${MPI_C_INCLUDE_DIRS}>\")\n")
        for options in ([], ["-DMPI_HOME=" + share], ["-DMPI_C_COMPILER=" + share + "/shims/mpicc"]):
            _, out, err = self.run_it("cmake", "-S", ".", "-B", "b", "--fresh", "-DCMAKE_C_COMPILER=gcc", *options, environment=environment)
            found = re.search("found <(.*)> headers <(.*)>", out)
            self.assertTrue(found, out + err)
            self.assertTrue(found[1].upper() != "TRUE" or share not in found[2], out)
        _, out, err = self.run_it("cmake", "-S", ".", "-B", "b2", "-DMPI_HOME=" + share, "-DCMAKE_C_COMPILER=" + share + "/bin/mpicc")
        self.assertIn("found <TRUE> headers <>", out, err)
        status, _, err = self.run_it("gcc", "-fsyntax-only", "-I" + share + "/include", "hello.c")
        self.assertTrue(status)
        self.assertIn("this mpi.h is Orrery's, and the compiler is another", err)
        self.make("mentions.c", "int MPI_Init(); int main(void) { return MPI_Init(); }\n")
        status, _, err = self.run_it("gcc", "mentions.c", "-L" + share + "/lib", "-lmpi")
        self.assertTrue(status)
        self.assertIn("this is the MPI of Orrery, and the linker is another", err)
        self.good("cc", "hello.c", share + "/lib/libmpi.so", "-o", "hello")
        if shutil.which("pkg-config"):
            for name in ("mpi", "mpich", "ompi", "ompi-c"):
                flags = self.run_it("pkg-config", "--cflags", "--libs", name, environment={"PKG_CONFIG_PATH": share + "/pkgconfig"})[1]
                self.good("cc", "hello.c", *flags.split(), "-o", "hello")


class Map(Command):
    RING = "ranks 16\n" + "".join("%d %d 1000 2\n" % (i, (i + 1) % 16) for i in range(16))

    def setUp(self):
        super().setUp()
        self.make("ring.traffic", self.RING)

    def map_json(self, *arguments):
        out, _ = self.good("map", "--json", "-", *arguments)
        return json.loads(out)

    def test_records_traffic(self):
        """Payload, of collectives too, by pairs; and nothing else changes."""
        self.make("talk.c", "#include <mpi.h>\nint main(int argc, char **argv) { int rank; char text[100] = \"\";\n"
                  "MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                  "for (int i = 0; i < 3; i++)\n"
                  "if (rank == 1) MPI_Send(text, 50 + i, MPI_CHAR, 2, 0, MPI_COMM_WORLD);\n"
                  "else if (rank == 2) MPI_Recv(text, 100, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
                  "MPI_Finalize(); }\n")
        options = ("run", "-n", "3", "--machine", "ring-8", "--set", "collectives.barrier=linear", "--json")
        self.good(*options, "a.json", "talk.c")
        self.good(*options, "b.json", "--traffic", "t.traffic", "talk.c")
        self.assertEqual(self.read("a.json"), self.read("b.json"))
        lines = self.read("t.traffic").decode().splitlines()
        self.assertEqual(lines[1], "ranks 3")
        flows = {tuple(map(int, line.split()[:2])): tuple(map(int, line.split()[2:])) for line in lines[3:]}
        self.assertEqual(flows[1, 2][0], 153)
        statistics = json.loads(self.read("a.json"))
        self.assertEqual(sum(bytes for bytes, _ in flows.values()), statistics["bytes"])
        self.assertEqual(sum(messages for _, messages in flows.values()), statistics["messages"])
        self.assertEqual(list(flows), sorted(flows))
        _, _, err = self.orrery("run", "--traffic", "nowhere/t.traffic", "hello.c")
        self.assertIn("--traffic: ", err)

    def test_a_table_of_all(self):
        out, _ = self.good("map", "--machine", "hypercube-4", "--traffic", "ring.traffic")
        self.assertRegex(out, r"(?m)^before  block +30000 +1\.875 +1\.875 +4 +1000  node 0 -> node 1$")
        self.assertRegex(out, r"(?m)^        gray +16000 +1\.000 +1\.000 +1 +1000 ")
        self.assertRegex(out, r"(?m)^        grid +cannot be: grid needs the extents")
        self.assertRegex(out, r"best     gray: 46\.6 % fewer")
        table = self.map_json("--machine", "hypercube-4", "--traffic", "ring.traffic")
        self.assertEqual(table["before"]["hop_bytes"], 30000)
        after = {row["mapping"]: row for row in table["after"]}
        self.assertEqual(after["snake"]["nodes"], [i ^ i >> 1 for i in range(16)])
        self.assertLessEqual(after["local-search"]["hop_bytes"],
                             min(row["hop_bytes"] for name, row in after.items() if name in ("block", "greedy", "bisection")))
        for name, row in after.items():
            if "nodes" in row:
                self.assertEqual(sorted(row["nodes"]), list(range(16)), name)

    def test_writes_what_a_run_reads(self):
        """The mapping does what the table says, and the local search begins with the mapping that there is."""
        machine = ("--machine", "mesh-4x4", "--traffic", "ring.traffic")
        self.good("map", *machine, "--strategy", "snake", "-o", "ring.mapping")
        text = self.read("ring.mapping").decode()
        self.assertIn("\n7 4\n", text)
        row = self.map_json(*machine, "--set", "mapping.ranks=ring.mapping", "--strategy", "block")["before"]
        self.assertEqual((row["mapping"], row["hop_bytes"]), ("ring.mapping", 15000 + 3000))
        self.good("run", "-n", "16", "--machine", "mesh-4x4", "--set", "mapping.ranks=ring.mapping", "hello.c")
        for seed in "12":
            table = self.map_json(*machine, "--set", "mapping.ranks=random", "--set", "mapping.seed=" + seed, "--strategy",
                                  "local-search,ring.mapping", "--strategy", "cyclic")
            self.assertEqual([row["mapping"] for row in table["after"]], ["local-search", "ring.mapping", "cyclic"])
            self.assertLess(table["after"][0]["hop_bytes"], table["before"]["hop_bytes"])

    def test_a_machine_file_may_ask_for_it(self):
        self.make("m.machine", "[network]\ntopology = torus\ndims = 4x4\n[mapping]\nranks = bisection\ntraffic = ring.traffic\n")
        self.good("run", "-n", "16", "--machine", "./m.machine", "hello.c")
        self.refused(r"ring.traffic:1:1: error: the traffic is that of 16 ranks, but 8 run", "run", "-n", "8", "--machine",
                     "./m.machine", "hello.c")
        self.make("n.machine", "[network]\ntopology = star\nnodes = 4\n[mapping]\nranks = snake\n")
        self.refused(r"n.machine:5:1: error: ranks: snake is for .*star", "run", "--machine", "./n.machine", "hello.c")
        self.refused("greedy needs to know who talks to whom", "run", "--set", "mapping.ranks=greedy", "hello.c")
        self.refused("did you mean \"bisection\"", "run", "--set", "mapping.ranks=bisecton", "hello.c")
        self.refused("gray is for hypercubes", "run", "--machine", "ring-8", "--set", "mapping.ranks=gray", "hello.c")
        self.refused("a grid of 12 is not one of 16 ranks", "run", "-n", "16", "--machine", "mesh-4x4", "--set",
                     "mapping.ranks=grid", "--set", "mapping.grid=3x4", "hello.c")
        self.refused("cannot be laid onto", "run", "-n", "14", "--machine", "mesh-4x4", "--set", "mapping.ranks=grid", "--set",
                     "mapping.grid=2x7", "hello.c")
        self.refused("mapping.grid: \"4y4\"", "run", "--set", "mapping.grid=4y4", "hello.c")

    def test_cores_and_many_ranks(self):
        """Several ranks a node: those that talk share one; more ranks than cores: each core its share."""
        self.make("pairs.traffic", "ranks 8\n" + "".join("%d %d 500\n" % (i, i ^ 4) for i in range(8)))
        table = self.map_json("--machine", "ring-8", "--set", "network.nodes=4", "--set", "node.cores=2", "--traffic",
                              "pairs.traffic")
        after = {row["mapping"]: row for row in table["after"]}
        self.assertEqual(table["before"]["hop_bytes"], 8 * 2 * 500)
        for name in ("greedy", "bisection", "local-search"):
            self.assertEqual(after[name]["hop_bytes"], 0, name)
        table = self.map_json("--machine", "ring-8", "--set", "network.nodes=4", "--traffic", "pairs.traffic", "--strategy",
                              "bisection")
        self.assertEqual(table["after"][0]["hop_bytes"], 0)
        self.assertEqual(sorted(table["after"][0]["nodes"]), [0, 0, 1, 1, 2, 2, 3, 3])

    def test_wrong_usage(self):
        self.refused("no traffic is given", "map")
        self.refused("cannot be read", "map", "--traffic", "nowhere")
        self.refused("takes only options", "map", "--traffic", "ring.traffic", "hello.c")
        self.refused(r"ring.traffic:1:1: error: the traffic is that of 16 ranks, not of 8", "map", "-n", "8", "--traffic",
                     "ring.traffic")
        self.refused(r"--strategy gray: gray is for hypercubes", "map", "--machine", "mesh-4x4", "--traffic", "ring.traffic",
                     "--strategy", "gray", "-o", "x.mapping")
        self.refused("did you mean \"snake\"", "map", "--machine", "mesh-4x4", "--traffic", "ring.traffic", "--strategy", "snakes")
        self.make("bad.traffic", "ranks 2\n0 1 -7\n")
        self.refused(r"bad.traffic:2:1: error: bytes \"-7\" is negative", "map", "--traffic", "bad.traffic")
        self.refused("No such file", "map", "--traffic", "ring.traffic", "-o", "nowhere/x.mapping")


ALL_TO_ALL = """#include <mpi.h>
int main(int argc, char **argv)
{
    static char out[16 * 1200], in[16 * 1200];
    int rank;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alltoall(out, 1200, MPI_CHAR, in, 1200, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Gather(out, 200, MPI_CHAR, in, 200, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
"""
PARTS = ("send", "nic", "startup", "injection", "blocked", "transit", "ejection", "order", "wait", "receive")


class Report(Command):
    """What is reported of the network: links over time, messages with their parts, hot spots."""
    MODELS = (("mesh-4x4", "store-and-forward"), ("mesh-4x4", "cut-through"), ("mesh-4x4", "wormhole"),
              ("mesh-4x4", "wormhole-reference"), ("mesh-4x4", "flow"), ("mesh-4x4", "loggp"), ("bus-16", "bus"),
              ("bus-16", "csma-cd"), ("mesh-4x4", "switched-ethernet"))

    def watched(self, machine, switching, *options):
        self.make("all.c", ALL_TO_ALL)
        self.good("run", "-n", "16", "--machine", machine, "--set", "network.switching=" + switching, "--set",
                  "network.link-latency=1us", "--network-report", "links.json", "--messages", "messages.json", "--json",
                  "run.json", "--eager-limit", "1000", *options, "all.c")
        return [json.loads(self.read(name)) for name in ("links.json", "messages.json", "run.json")]

    def test_sums(self):
        for machine, switching in self.MODELS:
            links, messages, run = self.watched(machine, switching)
            with self.subTest(switching + ", messages"):
                ends = {}
                for transfer in messages["transfers"]:
                    self.assertEqual(transfer["state"], "received")
                    self.assertEqual(sum(transfer[part + "_ps"] for part in PARTS), transfer["latency_ps"])
                    self.assertTrue(all(transfer[part + "_ps"] >= 0 for part in PARTS))
                    self.assertEqual(transfer["blocked_ps"], sum(hop["blocked_ps"] for hop in transfer["hops"]))
                    # a rendezvous is three transfers without a gap between them
                    if transfer["message"] in ends:
                        self.assertEqual(transfer["began_ps"], ends[transfer["message"]])
                    ends[transfer["message"]] = transfer["began_ps"] + transfer["latency_ps"]
                self.assertEqual({transfer["kind"] for transfer in messages["transfers"]},
                                 {"eager", "request", "permission", "data"})

            with self.subTest(switching + ", links"):
                whole = {link["link"]: link for link in run["links"]}
                self.assertEqual([link["link"] for link in links["links"]], sorted(whole))
                for link in links["links"]:
                    fields = ["bytes", "packets", "blocked_ps"] + (["busy_ps"] if switching != "flow" else [])
                    for rows in (link["windows"], link["channels"]):
                        for field in fields:
                            self.assertEqual(sum(row[field] for row in rows), whole[link["link"]][field])
                    for row in link["windows"]:
                        self.assertLessEqual(row["utilisation"], 1)
                        self.assertLessEqual(row["end_ps"] - row["begin_ps"], links["window_ps"])
                        if row["queue_mean"] > 0:
                            self.assertLessEqual(row["queue_mean"], row["queue_most"])
                self.assertEqual([spot["link"] for spot in links["hot_spots"]],
                                 [link for _, link in sorted((-link["blocked_ps"], number) for number, link in whole.items()
                                                             if link["blocked_ps"])])

    def test_same_reports(self):
        first = self.watched("mesh-4x4", "wormhole")
        for option in (("--quantum", "1000"), ("--jobs", "3"), ("--tier", "interp"), ("--check",)):
            self.assertTrue(self.watched("mesh-4x4", "wormhole", *option) == first, option)

    def test_engines_report_alike(self):
        alike = [self.watched("mesh-4x4", switching) for switching in ("wormhole", "wormhole-reference")]
        self.assertTrue(alike[0] == alike[1])

    def test_resolved_deadlocks(self):
        self.make("turn.c", "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    static char in[20000], out[20000];\n"
                            "    int rank;\n    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                            "    MPI_Sendrecv(out, 20000, MPI_CHAR, (rank + 3) % 8, 0, in, 20000, MPI_CHAR, (rank + 5) % 8, 0,\n"
                            "                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n}\n")
        alike = []
        for switching in ("wormhole", "wormhole-reference"):
            keys = ("switching=" + switching, "routing=shortest-path", "virtual-channels=1", "deadlock=resolve",
                    "packet-bytes=20000B")
            _, err = self.good("run", "-n", "8", "--machine", "ring-8", *sum((("--set", "network." + key) for key in keys), ()),
                               "--messages", "m.json", "--network-report", "l.json", "turn.c")
            self.assertIn("it is taken out and sent again", err)
            alike.append((self.read("m.json"), self.read("l.json")))
            for row in json.loads(alike[-1][0])["transfers"]:
                self.assertEqual(sum(row[part + "_ps"] for part in PARTS), row["latency_ps"])
        self.assertTrue(alike[0] == alike[1])

    def test_multicast(self):
        self.make("cast.c", "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    static char text[5000];\n"
                            "    MPI_Init(&argc, &argv);\n    MPI_Bcast(text, 5000, MPI_CHAR, 1, MPI_COMM_WORLD);\n"
                            "    MPI_Finalize();\n}\n")
        for machine in (("bus-16",), ("mesh-4x4", "--set", "network.switching=switched-ethernet")):
            self.good("run", "-n", "6", "--machine", *machine, "--set", "collectives.bcast=multicast", "--messages", "m.json",
                      "--network-report", "l.json", "--stats", "cast.c")
            sent = [row for row in json.loads(self.read("m.json"))["transfers"] if row["kind"] == "multicast"]
            self.assertEqual({row["to"] for row in sent if row["bytes"] == 5000}, {0, 2, 3, 4, 5})
            for row in sent:
                self.assertEqual(sum(row[part + "_ps"] for part in PARTS), row["latency_ps"])
            json.loads(self.read("l.json"))

    def test_losses(self):
        links, messages, run = self.watched("mesh-4x4", "cut-through", "--set", "network.loss=5%")
        for row in messages["transfers"]:
            self.assertEqual(sum(row[part + "_ps"] for part in PARTS), row["latency_ps"])
            self.assertTrue(all(row[part + "_ps"] >= 0 for part in PARTS))
        whole = {link["link"]: link for link in run["links"]}
        for link in links["links"]:
            self.assertEqual(sum(row["packets"] for row in link["windows"]), whole[link["link"]]["packets"])

    def test_windows(self):
        links, _, _ = self.watched("mesh-4x4", "cut-through", "--network-window", "100 us")
        self.assertEqual(links["window_ps"], 100000000)
        for link in links["links"]:
            self.assertTrue(all(row["begin_ps"] % 100000000 == 0 for row in link["windows"]))
        links, _, _ = self.watched("mesh-4x4", "cut-through", "--network-window", "1 ps")
        self.assertEqual(links["window_ps"] & (links["window_ps"] - 1), 0)

    def test_csv(self):
        self.make("all.c", ALL_TO_ALL)
        self.good("run", "-n", "16", "--machine", "mesh-4x4", "--network-report", "links.csv", "--messages", "messages.csv",
                  "all.c")
        links = list(csv.DictReader(self.read("links.csv").decode().splitlines()))
        self.assertEqual(links[0]["from"], "(0,0)")
        self.assertEqual({row["channel"] for row in links}, {"all", "0", "1"})
        messages = list(csv.DictReader(self.read("messages.csv").decode().splitlines()))
        self.assertEqual(len({row["message"] for row in messages}), 16 * 15 + 15)
        for row in messages:
            self.assertEqual(sum(int(row[part + "_ps"]) for part in PARTS), int(row["latency_ps"]))
            self.assertEqual(len(row["way"].split()), int(row["hops"]))

    def test_hot_spots(self):
        self.make("all.c", ALL_TO_ALL)
        _, err = self.good("run", "-n", "16", "--machine", "mesh-4x4", "--set", "network.switching=store-and-forward",
                           "--stats", "all.c")
        self.assertRegex(err, r"hot spots +waited for +at once +longest +by the message of ranks")
        self.assertRegex(err, r"\(\d,\d\) -> \(\d,\d\) .* \d+ -> \d+ behind \d+ -> \d+")
        self.assertRegex(err, r"bisection  8 links between the two halves of the nodes; 5\d\.\d % of the bytes go")

    def test_refusals(self):
        self.refused(r"--network-report: the name must end in \.csv or \.json", "run", "--network-report", "x.txt", "hello.c")
        self.refused(r"--messages: the name must end in \.csv or \.json", "run", "--messages", "x", "hello.c")
        self.refused("--network-window 0", "run", "--network-report", "x.csv", "--network-window", "0 us", "hello.c")
        self.refused("--network-window", "run", "--network-report", "x.csv", "--network-window", "10", "hello.c")
        self.refused("--network-window says nothing", "run", "--network-window", "1 us", "hello.c")
        self.refused("--network-report: ", "run", "--network-report", "no/where.csv", "hello.c")
        self.refused("--messages: ", "run", "--messages", "no/where.json", "hello.c")

    def test_pictures_hold_their_words(self):
        for machine in [line.split()[0] for line in self.good("machines")[0].splitlines() if line and line[0].isalpha()]:
            self.good("topo", machine, "-o", "m.svg")
            picture = self.read("m.svg").decode()
            width = float(re.search(r'<svg[^>]* width="([\d.]+)"', picture)[1])
            self.assertLess(width, 3300 if machine == "torus-8x8x16" else 2100, machine)
            for x, size, anchor, text in re.findall(r'<text x="([\d.]+)"[^>]*?font-size="([\d.]+)"([^>]*)>([^<]*)<', picture):
                half = 0.5 * len(text) * float(size) * (0.5 if "middle" in anchor else 1)
                self.assertTrue(float(x) + half <= width and float(x) >= (half if "middle" in anchor else 0), (machine, text))
        self.assertIn("deadlocks are resolved", self.good("topo", "torus-5x5-recovery", "-o", "t.svg") and self.read("t.svg").decode())

    def test_colours_of_links_are_absolute(self):
        """A link that was busy for the same part of the time has the same colour in any run; and a legend says so."""
        self.good("run", "-n", "8", "-m", "mesh-4x4", "--json", "r.json", os.path.join(HERE, "..", "..", "..", "samples", "greetings.c"))
        report, colours = json.loads(self.read("r.json")), []
        for most in (1, 4):
            for link in report["links"]:
                link["busy_ps"] = 0
            report["links"][0]["busy_ps"] = report["makespan_ps"] // 4
            report["links"][1]["busy_ps"] = report["makespan_ps"] * most // 4
            self.make("busy.json", json.dumps(report))
            self.good("topo", "mesh-4x4", "--load", "busy.json", "-o", "b.svg")
            picture = self.read("b.svg").decode()
            self.assertIn(">busy, % of the time<", picture)
            self.assertEqual(re.findall(r">(\d+)</text>", picture)[-6:], ["0", "1", "5", "25", "50", "100"])
            colours.append(re.findall(r'<(?:line|path)[^>]*stroke="#(\w+)"', picture)[:60])
        self.assertEqual(sum(a != b for a, b in zip(*colours)), 1)

    def test_points_beyond_the_top_are_marked(self):
        self.good("net", "-m", "mesh-4x4", "--load", "0.1:0.9:0.2", "--precision", "20", "-o", "n")
        rows = list(csv.DictReader(self.read("n.csv").decode().splitlines()))
        missing = sum(row["saturated"] == "1" for row in rows)
        self.assertTrue(missing)
        picture = self.read("n-latency.svg").decode()
        self.assertGreaterEqual(picture.count("l5 9 h-10 z"), missing)
        self.assertEqual(picture.count("l5 9 h-10 z") + picture.count("<circle"), len(rows))
        self.assertIn("triangles at the top", picture)
        self.assertNotIn("triangles", self.read("n-throughput.svg").decode())


class Others(Command):
    def commands(self):
        """Names of all sub-commands."""
        listed = self.good("--help")[0].split("Commands:\n")[1].split("\n\n")[0]
        return [line.split()[0] for line in listed.splitlines()]

    def test_overview(self):
        out, _ = self.good("--help")
        for command in ("run", "cc", "dis", "topo", "machines"):
            self.assertRegex(out, r"(?m)^  %s " % command)
        self.assertEqual(self.good("help")[0], out)
        self.assertRegex(self.good("--version")[0], r"^orrery \d+\.\d+\.\d+\n$")
        self.refused("Usage: orrery", )
        self.refused("no command \"rnu\"; did you mean \"run\"\\? There are: run, cc", "rnu")
        self.refused("no command \"rnu\"", "help", "rnu")
        self.refused("orrery run hello.c", "hello.c")

    def test_own_files_are_missing(self):
        nowhere = {"ORRERY_SHARE": "/nowhere"}
        advice = ": .*; install or build it again, or set ORRERY_SHARE to its share/orrery\n"
        self.refused("machines are missing in /nowhere/configs" + advice, "run", "hello.c", environment=nowhere)
        self.refused("machines are missing in /nowhere/configs" + advice, "machines", environment=nowhere)
        self.refused("headers are missing in /nowhere/include" + advice, "cc", "-c", "hello.c", status=1,
                     environment=nowhere)
        os.makedirs(os.path.join(self.folder.name, "share", "include"))
        self.make("empty.c", "int main(void) { return 0; }\n")
        self.refused("runtime library is missing in ./share/lib" + advice, "cc", "empty.c", status=1,
                     environment={"ORRERY_SHARE": "./share"})

    def test_without_proc(self):
        hide = ["--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        ways = [["unshare", *hide], ["unshare", "--user", "--map-root-user", *hide]] if shutil.which("unshare") else []
        can = [way for way in ways if self.run_it(*way, ORRERY, "--version")[0] == 0]
        if not can:
            self.skipTest("needs the right to mount, and no sanitizer: those need /proc")
        self.assertEqual(self.run_it(*can[0], ORRERY, "run", "hello.c"), (0, "hello 0 of 1:\n", ""))
        path = {"PATH": os.path.dirname(ORRERY) + os.pathsep + os.environ["PATH"]}
        self.assertEqual(self.run_it(*can[0], "orrery", "cc", "-o", "hello", "hello.c", environment=path), (0, "", ""))
        self.assertEqual(self.run_it(*can[0], "./hello"), (0, "hello 0 of 1:\n", ""))
        status, _, err = self.run_it(*can[0], "bash", "-c", 'exec -a other "$0" run hello.c', ORRERY)
        self.assertEqual(status, 2)
        self.assertRegex(err, "^orrery: the machines are missing in .*: without /proc, .*; mount /proc, or set ORRERY_SHARE")
        status, _, err = self.run_it(*can[0], ORRERY, "run", "--tier", "native", "hello.c")
        self.assertIn("path in /proc, which is not mounted", err)

    def test_wrong_options(self):
        self.refused("unknown option --rank; did you mean --ranks\\? see `orrery run --help`", "run", "--rank", "2", "hello.c")
        self.refused("unknown option --jsno; did you mean --json", "net", "--jsno=x.json")
        self.refused("unknown option -z; see `orrery run --help`", "run", "-z", "hello.c")
        self.refused("unknown option --; see", "run", "--=3", "hello.c")
        self.refused("-n needs RANKS behind it, as in -n 16; see `orrery run --help`", "run", "-n")
        self.refused("--machine needs NAME|FILE behind it", "topo", "--machine")
        self.assertEqual(self.good("run", "-np", "2", "hello.c")[0], self.good("run", "-n2", "hello.c")[0])

    def test_options_behind_arguments(self):
        """Where no argument belongs to a program; elsewhere they are the program's."""
        small = self.good("topo", "--set", "network.dims=2x2", "mesh-4x4")[0]
        self.assertIn("topology    mesh 2x2", small)
        self.assertEqual(self.good("topo", "mesh-4x4", "--set", "network.dims=2x2")[0], small)
        self.assertEqual(self.good("topo", "--set", "network.dims=2x2", "--machine", "mesh-4x4")[0], small)
        self.refused("\"ring-8\": one machine can be drawn at a time", "topo", "mesh-4x4", "ring-8")
        self.refused("\"ring-8\": one machine can be drawn at a time", "topo", "-m", "mesh-4x4", "ring-8")
        self.refused("--labels is for pictures", "topo", "mesh-4x4", "--labels", "both")
        self.assertIn("dims = 2x2", self.good("machines", "mesh-4x4", "--set", "network.dims=2x2")[0])
        self.refused("\"ring-8\": one machine can be printed at a time", "machines", "mesh-4x4", "ring-8")
        self.refused("--set needs a machine", "machines", "--set", "network.dims=2x2")
        self.assertIn("0 functions provided", self.good("mpi", "MPI_Send", "--state", "missing")[0])
        self.assertNotIn("int main", self.good("dis", "hello.c", "--plain")[0])
        self.refused("one file is shown at a time", "dis", "hello.c", "hello.c")
        self.assertIn("<--label>", self.good("run", "hello.c", "--label")[0])
        self.assertIn("<--label>", self.good("run", "--", "hello.c", "--label")[0])

    def test_what_cannot_be_written_is_refused_before_the_work(self):
        self.make("occupied", "")
        for option in ("--json", "--traffic"):
            self.assertEqual(self.refused("%s: cannot write nowhere/x: No such file or directory\n$" % option, "run", option,
                                          "nowhere/x", "hello.c")[0], "")
            self.assertEqual(self.refused("%s: cannot write .: Is a directory\n$" % option, "run", option, ".", "hello.c")[0], "")
            self.assertEqual(self.refused("cannot write occupied/x: Not a directory\n$", "run", option, "occupied/x", "hello.c")[0], "")
        self.refused("--output: cannot write nowhere/x.csv: No such", "net", "-m", "ring-8", "--output", "nowhere/x")
        self.refused("--json: cannot write nowhere/x: No such", "mpi", "--json", "nowhere/x")
        self.make("s.sweep", "[sweep]\nprogram = hello.c\nranks = 1\nx = ranks\n")
        self.assertEqual(self.refused("--output: cannot write nowhere/x.csv: No such", "sweep", "-o", "nowhere/x", "s.sweep")[0], "")
        os.mkdir(os.path.join(self.folder.name, "s.csv"))
        self.assertEqual(self.refused("cannot write s.csv: Is a directory", "sweep", "s.sweep")[0], "")
        os.mkdir(os.path.join(self.folder.name, "results"))
        self.good("sweep", "-o", "results", "s.sweep")

    def test_reports_to_standard_output(self):
        self.assertEqual(json.loads(self.good("run", "--json", "-", "hello.c")[0].split("\n", 1)[1])["ranks_total"], 1)
        self.assertIn("ranks 1\n", self.good("run", "--traffic", "-", "hello.c")[0])
        self.assertIn('"functions"', self.good("mpi", "--json", "-", "MPI_Send")[0])

    def test_full_device(self):
        for arguments in (["--help"], ["--version"], ["run", "--help"], ["machines"], ["topo", "ring-8"], ["mpi", "--list"], ["dis", "hello.c"], ["debug", "-x", "help", "hello.c"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([ORRERY, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=self.folder.name, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr.decode()), (2, "orrery: cannot write: No space left on device\n"), arguments)

    def test_every_option_has_an_example(self):
        for command in self.commands():
            out, _ = self.good(command, "--help")
            self.assertEqual(self.good("help", command)[0], out)
            options = re.findall(r"(?m)^  +(?:-\w(?:, )?)?(?:--[\w-]+)?(?: \S+)?\n", out.split("\nOptions:\n")[-1])
            if command != "help":
                self.assertGreaterEqual(out.count("\n        Example: "), len(options) - 1, command)

    def test_manual_pages_and_help_have_the_same_options_and_defaults(self):
        pages = os.path.join(HERE, "..", "..", "..", "docs", "man")
        for command in self.commands():
            if command == "help":
                continue
            with open(os.path.join(pages, "orrery-%s.1" % command), encoding="utf-8") as file:
                page = file.read()
            text = self.good(command, "--help")[0].split("\nOptions:\n")[-1]
            helped = {option.strip() for options in re.findall(r"(?m)^  ((?:-\w, +| +)?--?\w[\w-]*)", text) for option in options.split(", ")}
            told = {dashes.replace("Fl ", "-") + name for mark in re.findall(r"(?m)^\.It (Fl .*)$", page)
                    for dashes, name in re.findall(r"((?:Fl )+)([\w-]+)", mark)}
            self.assertEqual(helped, told, command)
            words = " ".join(re.sub(r"(?m)^\.\w\w ", "", page.replace("\\-", "-").replace("Fl Fl ", "--")).split()).lower()
            for name, default in re.findall(r"(?m)^  (?:-\w, +| +)?--([\w-]+).*\n(?: {8}.*\n)*? {8}.*(\(default:? [^)]*\))", text):
                if (command, name) != ("explore", "jobs"):  # there it is for executions
                    self.assertIn(default.lower(), words, "%s --%s" % (command, name))

    def test_every_check_is_documented(self):
        root = os.path.join(HERE, "..", "..", "..")
        rows = re.findall(r"(?m)^          ([a-z]+): (.*?)(?:  \(.*\))?$", self.good("run", "--help")[0])
        self.assertGreater(len(rows), 12)
        with open(os.path.join(root, "docs", "checks.md"), encoding="utf-8") as file:
            page = file.read()
        with open(os.path.join(root, "docs", "man", "orrery-run.1"), encoding="utf-8") as file:
            manual = file.read()
        self.assertEqual(re.findall(r"(?m)^## ([a-z]+)$", page), [name for name, _ in rows])
        self.assertEqual(re.findall(r"(?m)^\| \[([a-z]+)\]", page), [name for name, _ in rows])
        for name, text in rows:
            self.assertIn(".It %s\n%s" % (name, text[0].upper() + text[1:]), manual)

    def test_machines(self):
        out, _ = self.good("machines")
        names = [line.split()[0] for line in out.splitlines()]
        for name in ("laptop loggp-cluster ring-8 mesh-4x4 mesh-8x8 hypercube-4 torus-8x8x16 bus-16 fat-tree-64 "
                     "crossbar-16 linear-8 ethernet-24 torus-5x5-recovery").split():
            self.assertIn(name, names)
        for name in names:
            self.good("topo", name)
            text, _ = self.good("machines", "--print", name)
            self.make("again.machine", text)
            again, _ = self.good("machines", "--print", "./again.machine")
            self.assertEqual(again.replace("machine again", "machine " + name), text)
            self.good("run", "-n", "5", "--machine", name, "hello.c")

    def test_topo(self):
        out, _ = self.good("topo", "mesh-4x4", "--svg", "m.svg")
        self.assertRegex(out, r"diameter +6 hops")
        self.assertIn("[ 0]--[ 1]--[ 2]--[ 3]", out)
        self.assertEqual(self.read("m.svg").count(b"<circle"), 16)
        self.assertEqual(self.read("m.svg").count(b"<line"), 24)
        self.assertIn("[8]", self.good("topo", "mesh-4x4", "--set", "network.dims=3x3")[0])
        self.assertRegex(self.good("topo", "mesh-4x4", "--links")[0], r"link 47: ")
        self.refused("no machine is given", "topo")
        self.refused("no machine \"nowhere\"", "topo", "nowhere")
        self.refused("network.dims: \"0x4\"", "topo", "mesh-4x4", "--set", "network.dims=0x4")

    def test_topo_numbers(self):
        out, _ = self.good("topo", "mesh-4x4")
        self.assertIn("degree      2 to 4\n", out)
        self.assertIn("cost        24 cables, 48 ports of nodes, 4.8 GB/s in all links together\n", out)
        self.assertIn("            24 node distances of wire, as it is drawn\n", out)
        out, _ = self.good("topo", "fat-tree-64")
        self.assertIn("degree      1; of switches 4 to 8\n", out)
        self.assertIn("cost        192 cables, 64 ports of nodes and 320 of switches", out)
        out, _ = self.good("topo", "mesh-8x8", "--set", "network.dims=256x256")
        self.assertIn("not worked out for more than 4096 nodes", out)

    def test_topo_pictures(self):
        self.good("topo", "mesh-4x4", "--set", "network.dims=3x3", "-o", "a.svg", "--labels", "both")
        picture = self.read("a.svg").decode()
        for words in (">(1,2)</text>", ">0/7</text>", "every link: 100 MB/s", "<title>(0,0)</title>"):
            self.assertIn(words, picture)
        self.good("topo", "mesh-4x4", "--set", "network.dims=3x3", "--svg", "b.svg", "--labels=links")
        self.assertNotIn(">(1,2)</text>", self.read("b.svg").decode())
        self.make("all.c", ALL_TO_ALL)
        self.good("run", "-n", "8", "--machine", "ring-8", "--set", "network.switching=cut-through", "--json", "run.json",
                  "--network-report", "links.json", "all.c")
        self.good("topo", "ring-8", "-o", "c.svg", "--load", "run.json")
        self.good("topo", "ring-8", "-o", "d.svg", "--load", "links.json")
        self.assertEqual(self.read("c.svg"), self.read("d.svg"))
        self.assertEqual(self.read("c.svg").count(b"<line"), 16 + 60) # both directions, and the scale of colours
        self.assertGreater(len(set(re.findall(rb'stroke="(#......)" stroke-width', self.read("c.svg")))), 1)
        self.good("topo", "torus-8x8x16", "--set", "network.dims=4x4", "-o", "e.svg")
        self.assertEqual(self.read("e.svg").count(b"<path d=\"M"), 1 + 8) # the paper, and links around the back
        for name in sorted(os.listdir(os.path.join(HERE, "..", "..", "..", "configs"))):
            machine = name.removesuffix(".machine")
            if machine != name and machine not in ("laptop", "loggp-cluster"):
                self.good("topo", machine, "-o", machine + ".svg")

    def test_topo_marks_failures(self):
        """Links that fail, alone or with a router, are x in text, dashed and red in pictures; others stay as they are."""
        out, _ = self.good("topo", "unreliable-mesh", "-o", "f.svg")
        self.assertIn("  [ 0]--[ 1]xx[ 2]--[ 3]\n"
                      "    |     x     |     |\n"
                      "  [ 4]xx[ 5]xx[ 6]--[ 7]\n"
                      "    |     x     |     |\n"
                      "  [ 8]--[ 9]--[10]--[11]\n"
                      "    x     |     |     |\n"
                      "  [12]--[13]--[14]--[15]\n\n"
                      "  Failures (x: a link that fails):\n"
                      "  link (0,1)-(0,2) fails at 100 us, is repaired at 400 us\n", out)
        picture = self.read("f.svg").decode()
        self.assertEqual(len(re.findall(r"<line .*#c0392b.*dasharray", picture)), 6)
        self.assertIn("dashed, red: links that fail", picture)
        out, _ = self.good("topo", "ring-8", "--set", "faults.link=7->0", "-o", "r.svg")
        self.assertIn("  +xxxxxx", out)
        self.assertEqual(self.read("r.svg").count(b"dasharray"), 1)
        out, _ = self.good("topo", "torus-8x8x16", "--set", "network.dims=4x4", "--set", "faults.link=0-3;0-12",
                           "--set", "network.routing=shortest-path", "--set", "network.switching=cut-through")
        self.assertIn("      x     |     |     |\n  xx[ 0]--[ 1]--[ 2]--[ 3]xx\n", out)
        self.assertIn("      x     |     |     |\n  Loose ends", out)
        out, _ = self.good("topo", "crossbar-16", "--set", "faults.link=3-16")
        self.assertIn("    |     |     |     x     |", out)
        out, _ = self.good("topo", "fat-tree-64", "--set", "network.dims=2x2", "--set", "network.switching=cut-through",
                           "--set", "faults.link=2-5;4-6")
        self.assertIn("switch 1.1 above x node 2, node 3\n  switch 2.0 above x switch 1.0, switch 1.1\n", out)
        out, _ = self.good("topo", "mesh-4x4")
        self.assertNotIn("x", out[out.index("[ 0]"):])

    def test_topo_refuses_pictures(self):
        self.refused(r"-o a.gif: the name must end in \.svg or \.png", "topo", "ring-8", "-o", "a.gif")
        self.refused("two of one kind", "topo", "ring-8", "-o", "a.svg", "--svg", "b.svg")
        self.refused("--labels", "topo", "ring-8", "-o", "a.svg", "--labels", "all")
        self.refused("no/where.svg", "topo", "ring-8", "-o", "no/where.svg")
        self.refused("too many to be seen", "topo", "mesh-8x8", "--set", "network.dims=256x256", "-o", "a.svg")
        self.refused("--load no.json", "topo", "ring-8", "-o", "a.svg", "--load", "no.json")
        self.make("bad.json", '{"links": [{"link": 99, "from": "x", "to": "y"}], "makespan_ps": 5}')
        self.refused("entry 1 of its links is not one of this network's", "topo", "ring-8", "-o", "a.svg", "--load",
                     "bad.json")
        self.make("other.json", "[1]")
        self.refused("is no report of links", "topo", "ring-8", "--load", "other.json")

    SMALL = ("--machine", "mesh-4x4", "--set", "network.packet-bytes=32B", "--set", "network.header-bytes=0B",
             "--set", "network.link-latency=0ns", "--set", "network.router-latency=0ns")

    def test_net(self):
        out, _ = self.good("net", *self.SMALL, "--load", "0.1:0.9:0.2,0.05", "--traffic", "uniform,tornado",
                           "--output", "curve", "--json", "curve.json", "--saturation", "--precision", "10")
        self.assertRegex(out, r"(?m)^zero load  9\.67 cycles$")
        self.assertRegex(out, r"(?m)^link full  at 0\.9375 flits per node and cycle: \(0,1\) -> \(0,2\)$")
        self.assertRegex(out, r"(?m)^saturates at 0\.\d{3} flits per node and cycle$")
        self.assertIn("latency in cycles", out)
        rows = self.read("curve.csv").decode().splitlines()
        self.assertEqual([row.split(",")[:2] for row in rows[1:]],
                         [[name, load] for name in ("uniform", "tornado") for load in ("0.05", "0.1", "0.3", "0.5", "0.7", "0.9")])
        curves = json.loads(self.read("curve.json"))["curves"]
        self.assertEqual([curve["traffic"] for curve in curves], ["uniform", "tornado"])
        light = curves[0]["points"][0]
        self.assertAlmostEqual(light["accepted"], 0.05, delta=0.005)
        self.assertGreater(light["latency_cycles"], curves[0]["zero_load_cycles"] * 0.95)
        self.assertRegex(out, r"(?m)^hot spot   at load 0\.\d{4}: \d+\.\d\d packets wait for \(\d,\d\) -> \(\d,\d\), on average$")
        self.assertRegex(out, r"(?m)^bisection  at load 0\.\d{4}: its links are busy \d+\.\d % of the time$")
        uses = [point["bisection_use"] for point in curves[0]["points"] if not point["saturated"]]
        self.assertEqual(uses, sorted(uses)) # the more is offered
        self.assertTrue(curves[0]["points"][-1]["saturated"])
        self.assertNotIn("latency_cycles", curves[0]["points"][-1])
        for name in ("curve-latency.svg", "curve-throughput.svg"):
            self.assertIn(b"tornado", self.read(name))

    def test_net_is_repeatable(self):
        command = ("net", *self.SMALL, "--load", "0.1,0.2,0.3", "--precision", "10")
        once, _ = self.good(*command, "--jobs", "1")
        self.assertEqual(self.good(*command, "--jobs", "3")[0], once)
        self.assertNotEqual(self.good(*command, "--seed", "2")[0], once)

    def test_net_sizes_and_injection(self):
        command = ("net", *self.SMALL, "--set", "network.flit-bytes=4B", "--load", "0.2", "--precision", "10")
        out, _ = self.good(*command, "--flits", "1:3,8:1", "--injection", "bursts", "--burst", "3", "--json", "sizes.json")
        self.assertIn("messages of 2.75 flits on average, in bursts of 3 on average", out)
        self.assertRegex(out, r"(?m)^at load 0\.2000: latency \d+\.\d\d of \d+ messages of 32 B$")
        curve = json.loads(self.read("sizes.json"))["curves"][0]
        self.assertEqual(curve["injection"], "bursts")
        short, long = curve["points"][0]["by_size"]
        self.assertEqual((short["bytes"], long["bytes"]), (4, 32))
        self.assertGreater(long["latency_cycles"], short["latency_cycles"])
        self.assertEqual(self.good(*command, "--bytes", "4B:3,32B", "--jobs", "2")[0].splitlines()[-2:],
                         self.good(*command, "--flits", "1:3,8")[0].splitlines()[-2:])
        self.assertIn("flits, periodic", self.good(*command, "--injection", "periodic")[0])

    def test_net_stops_where_it_is_saturated(self):
        """A load of which nothing but the latency would still become known: some tens of thousands of messages."""
        _, _ = self.good("net", *self.SMALL, "--load", "0.95", "--json", "full.json")
        point = json.loads(self.read("full.json"))["curves"][0]["points"][0]
        self.assertTrue(point["saturated"])
        self.assertLess(point["messages"], 20000)

    def test_net_refuses(self):
        for options, why in ((("--traffic", ""), "no pattern is given"), ((), "has one node"), (("--flits", "0"), "1 to 8 flits"),
                             (("--bytes", "64B", "--flits", "3"), "give one of them"), (("--bytes", "1GiB"), "at most 10000"),
                             (("--bytes", "8B:0"), "a weight"), (("--bytes", ""), "not a size"), (("--injection", "poisson"), "bernoulli, bursts"),
                             (("--burst", "3"), "--injection bursts"), (("--injection", "bursts", "--burst", "0"), "1 to 10000"),
                             (("--hot-node", "1"), "--traffic hotspot"), (("--bytes", ",".join(["8B"] * 9)), "at most 8 sizes")):
            self.refused(why, "net", *(self.SMALL if options else ()), *options)
        self.refused("--set network.nodes=", "net", "--machine", "loggp-cluster")
        self.assertRegex(self.good("net", "--list")[0], r"(?m)^bit-reverse +to the node")
        self.refused('no traffic "unifrom"; there are: uniform', "net", "--traffic", "unifrom")
        self.refused("power of two", "net", "--machine", "mesh-4x4", "--set", "network.dims=3x4", "--traffic", "shuffle")
        self.refused("there is no node 16", "net", "--machine", "mesh-4x4", "--traffic", "hotspot", "--hot-node", "16")
        for load in ("", "0", "1.1", "x", "0.1:0.2", "0.2:0.1:0.1", "0.1:0.2:0", "0.1:0.2:0.1:0.1", "-1", "0.5x"):
            self.refused("expected FROM:TO:STEP", "net", "--load=" + load)
        self.refused("more than 10000 points", "net", "--load", "0.00001:1:0.00001")
        self.refused("--precision 0", "net", "--precision", "0")
        self.refused("--hot-share", "net", "--traffic", "hotspot", "--hot-share", "101")
        self.refused("no unit", "net", "--bytes", "100")
        self.refused('"mesh-4x4": no argument', "net", "mesh-4x4")
        self.refused("no machine", "net", "--machine", "nowhere")

    # of a [network] section: what it says, the line that is refused (1 is the section's), why
    IMPOSSIBLE = [
        ("topology = mesh(0,4)", 2, "it must be at least 1"), ("topology = msh", 2, 'did you mean "mesh"'),
        ("topology = mesh(4", 2, "topology"), ("topology = mesh(-1)", 2, "not a parameter"), ("topology = mesh(4,4) x", 2, "topology"),
        ("topology = dragonfly(p=2,q=3)", 2, "topology"), ("topology = mesh()", 2, "give nodes or dims"), ("topology = mesh\ndims = 0x4", 3, "0x4"),
        ("topology = mesh\ndims = 4x", 3, "4x"), ("topology = mesh\ndims = -4", 3, "-4"), ("topology = mesh\ndims = 4x4\nnodes = 15", 3, "makes 16 nodes"),
        ("topology = mesh(4,4)\ndims = 3x3", 3, "contradict each other"), ("dims = 4x4x1\ntopology = mesh(4,4)", 3, "contradict each other"),
        ("topology = mesh(4,4)\nnodes = 15", 2, "makes 16 nodes"), ("topology = torus(1000,1000,1000)", 2, "more than 16777216 nodes"),
        ("topology = hypercube\nnodes = 12", 3, "power of two"), ("topology = hypercube(64)", 2, "at most 24 dimensions"),
        ("topology = mesh\nnodes = 99999999999999999999", 3, "nodes"), ("topology = mesh\nnodes = 1.5", 3, "nodes"), ("topology = mesh\nnodes = nan", 3, "nodes"),
        ("topology = dragonfly(p=2,a=2,h=1,g=9)", 2, "9 groups need"), ("topology = xgft(4,4;1)", 2, "an even number"),
        ("topology = butterfly(2,40)", 2, "more than"), ("topology = clusters(1)", 2, "number of clusters"), ("topology = clos(0,2,2)", 2, "at least 1"),
        ("bandwidth = 5", 2, "no unit"), ("bandwidth = 5 GB", 2, '"GB" is not a unit'), ("bandwidth = -1 GB/s", 2, "not a bandwidth"),
        ("bandwidth = nan GB/s", 2, "not a bandwidth"), ("bandwidth = 0 GB/s", 2, "too small"), ("bandwidth = 99999999999999999999 GB/s", 2, "not a bandwidth"),
        ("link-latency = 5", 2, "no unit"), ("link-latency = 5 lightyears", 2, "not a unit"), ("link-latency = inf s", 2, "not a time"),
        ("startup = -1 ns", 2, "not a time"), ("gap-per-byte = 5 ns", 2, "not a unit"), ("packet-bytes = 0 B", 2, "too small"),
        ("packet-bytes = 1500", 2, "no unit"), ("header-bytes = 99999999999999999999 GiB", 2, "not a size"),
        ("topology = mesh(4,4)\nswitching = wormhole\nvirtual-channels = 0", 4, "too small"),
        ("topology = mesh(4,4)\nswitching = wormhole\nvirtual-channels = 1000", 4, "too large"),
        ("topology = mesh(4,4)\nswitching = wormhole\nbuffer-flits = 0", 4, "too small"),
        ("topology = mesh(4,4)\nswitching = wormhole\nflit-bytes = 2 KiB", 4, "larger than a packet"),
        ("topology = mesh(4,4)\nflit-bytes = 4 B\nswitching = wormhole\npacket-bytes = 3 B", 3, "larger than a packet"),
        ("topology = torus(4,4)\nswitching = wormhole\nrouting = dimension-order\nvirtual-channels = 1", 5, "at least 2 virtual channels"),
        ("topology = ring(8)\nswitching = wormhole", 2, "can deadlock on this ring"),
        ("topology = full(60000)\nswitching = wormhole", 2, "flit buffers"), ("vc-allocation = first", 2, "oldest-first"),
        ("topology = mesh(4,4)\nswitching = bus", 3, "shared medium"), ("topology = bus\nnodes = 4\nswitching = wormhole", 4, "shared medium"),
        ("topology = bus\nnodes = 4\nswitching = csma-cd\nlink-latency = 1 s", 5, "collision could go unheard"),
        ("topology = mesh(4,4)\nswitching = wormhol", 3, 'did you mean "wormhole"'), ("topology = mesh(4,4)\nrouting = valient", 3, 'did you mean "valiant"'),
        ("topology = torus(4,4)\nrouting = west-first", 3, "west-first is for a mesh"), ("topology = ring(8)\nrouting = ugal", 3, "for dragonflies"),
        ("topology = mesh(4,4)\nrouting = destination-mod-k", 3, "for fat-tree and xgft"), ("topology = mesh(4,4)\nrouting = table", 3, "name of a file"),
        ("topology = file", 2, "name of a file"), ("topology = file\nfile = nowhere", 3, "No such file"), ("topology = file\nfile = .", 3, "no ordinary file"),
        ("topology = file\nfile = /dev/zero", 3, "no ordinary file"), ("topology = mesh(4,4)\nrouting = table\ntable = /dev/zero", 4, "no ordinary file"),
        ("bandwith = 1 GB/s", 2, 'did you mean "bandwidth"'), ("seed = -1", 2, "seed"), ("duplex = simplex", 2, "half"),
    ]
    # of a graph file: what it says, the line, why
    BAD_GRAPHS = [
        ("", None, "has no nodes"), ("0 1\n2 3\n", None, "disconnected"), ("0 -> 1\n", None, "disconnected"), ("0 1\n1 1\n", 2, "to itself"),
        ("0 1 bandwidth=5\n", 1, "with a unit"), ("0 1 bandwidth=0B/s\n", 1, "with a unit"), ("0 1 latency=-1ns\n", 1, "with a unit"),
        ("0 1 latency=nanns\n", 1, "with a unit"), ("0 1 width=0\n", 1, "1 to 65536"), ("0 1 colour=red\n", 1, 'no "colour"'), ("0\n", 1, "two vertices"),
        ("0 1 2\n", 1, "key=value"), ("0 1 duplex=quarter\n", 1, "full or half"), ("switch 0\nswitch 1\n0 1\n", None, "has no nodes"),
        ('0 1 bandwidth="10 Gbit/s\n', 1, "quote"), ("graph {", 1, "} is missing"), ("graph { a -> b }", 1, "are --"), ("digraph { a -- b }", 1, "are ->"),
        ("graph {\n a -- a }", 2, "to itself"), ("graph { a -- b [bandwidth=fast] }", 1, "with a unit"), ("graph { a -- <b> }", 1, "HTML"),
        ("graph {" + "{" * 100000, 1, "nested too deeply"), ("x" * 3000000, 1, "two vertices"), ("0 1\n\0\n", 2, "no text file"),
    ]
    BAD_TABLES = [
        ("x\n", 1, "at to next"), ("0 1 1 1\n", 1, "at to next"), ("0 9 1\n", 1, "no such vertex"), ("99999999999 1 2\n", 1, "no such vertex"),
        ("# a row\n0 1 2\n", 2, "no link leads"), ("0 2 1\n0 2 3\n", 2, "elsewhere"), ("0 2 1\n1 2 0\n", None, "round for ever"), ("\0", 1, "no text file"),
    ]

    def test_network_refusals_have_a_place(self):
        for text, line, why in self.IMPOSSIBLE:
            self.make("bad.machine", "[network]\n" + text + "\n")
            with self.subTest(text):
                _, err = self.refused("error", "topo", "./bad.machine")
                self.assertRegex(err, r"\A(orrery: )?(./)?bad\.machine:%d:\d+: error: " % line, text)
                self.assertIn(why, err, text)

    def test_graphs_and_tables_have_a_place(self):
        graph = "[network]\ntopology = file\nfile = bad.txt\n"
        table = "[network]\ntopology = ring(4)\nrouting = table\ntable = bad.txt\n"
        for machine, cases in ((graph, self.BAD_GRAPHS), (table, self.BAD_TABLES)):
            self.make("bad.machine", machine)
            for text, line, why in cases:
                self.make("bad.txt", text)
                _, err = self.refused("error", "topo", "./bad.machine")
                self.assertRegex(err, r"\A(orrery: )?(./)?bad\.machine:%d:1: error: (file|table): (\./)?bad\.txt" % machine.count("\n"), text[:99])
                self.assertIn(why, err, text[:99])
                if line:
                    self.assertRegex(err, r"bad\.txt:%d: " % line, text[:99])

    def test_dis(self):
        out, _ = self.good("dis", "hello.c")
        self.assertIn("MPI_Init(&argc, &argv);", out, "source lines")
        self.assertRegex(out, r"call +MPI_Init")
        self.good("cc", "-c", "hello.c")
        self.assertRegex(self.good("dis", "--plain", "hello.o")[0], r"call +MPI_Init")
        native = self.good("dis", "--native", "-O2", "hello.c")[0]
        self.assertRegex(native, r"/\* main \*/")
        self.assertRegex(native, r"fuel -= \d+;")
        self.assertNotEqual(native, self.good("dis", "--native", "--set", "cost.call=77 cycles", "-O2", "hello.c")[0], "costs")
        self.refused("nothing", "dis", "--native", "nothing")
        self.refused("no such file", "dis", "nothing")
        self.refused("no program", "dis")

    def test_mpi_list(self):
        out, _ = self.good("mpi", "--list")
        self.assertRegex(out, r"(?m)^MPI_Send +MPI-1.0 +provided +communicates$")
        self.assertRegex(out, r"(?m)^MPI_Comm_rank +MPI-1.0 +provided +local$")
        self.assertRegex(out, r"(?m)^MPI_Session_init +MPI-4.0 +missing$")
        rows = [line for line in out.splitlines() if line.startswith("MPI_")]
        self.assertGreater(len(rows), 600)
        self.assertEqual(len(rows), len({line.split()[0] for line in rows}), "a function is listed twice")
        self.assertEqual(len({line.index(" MPI-") for line in rows}), 1, "columns are not aligned")
        self.assertEqual(self.good("mpi", "--list", "cart_SHIFT", "graph_map")[0].split()[::4][:2], ["MPI_Cart_shift", "MPI_Graph_map"])
        out = self.good("mpi", "--list", "--state", "missing", "MPI_Win_*")[0]
        self.assertTrue(all(line.split()[0].startswith("MPI_Win_") and line.split()[2] == "missing"
                            for line in out.splitlines()[:-1]), out)
        self.assertEqual(self.good("mpi", "--list", "nothing like it")[0],
                         "0 functions provided, each also under its PMPI_ name; 0 missing\n")
        self.good("mpi", "--json", "mpi.json", "type_size")
        self.assertEqual(json.loads(self.read("mpi.json"))["functions"][0],
                         {"name": "MPI_Type_size", "standard": "1.0", "state": "provided", "local": True})
        self.refused("elsewhere", "mpi", "--state", "elsewhere")

    def test_mpi_functions_that_are_missing(self):
        self.make("put.c", "#include <mpi.h>\nint main(void) { MPI_Win_fence(0, 0); PMPI_File_sync(0); return 0; }\n")
        status, _, err = self.orrery("cc", "-c", "-Wall", "-Werror", "put.c")
        self.assertEqual(status, 0, err)
        self.assertIn("'MPI_Win_fence': Orrery does not have this function of MPI 2.0", err)
        self.assertIn("'PMPI_File_sync': Orrery does not have this function of MPI 2.0", err)
        self.assertEqual(self.orrery("cc", "-c", "-Werror=attribute-warning", "put.c")[0], 1)
        self.assertEqual(self.good("cc", "-c", "-w", "put.c"), ("", ""))
        self.assertEqual(self.good("cc", "-c", "-Wno-attribute-warning", "put.c"), ("", ""))
        status, _, err = self.orrery("run", "put.c")
        self.assertEqual(status, 134)
        self.assertIn("put.c:2", err)
        self.assertIn("MPI_Win_fence cannot be called: Orrery does not have this function of MPI 2.0", err)
        self.make("declared.c", "int MPI_Session_init(int);\nint main(void) { return MPI_Session_init(0); }\n")
        self.good("cc", "declared.c", "-o", "declared")
        status, _, err = self.orrery("run", "declared")
        self.assertEqual(status, 134)
        self.assertIn("MPI_Session_init cannot be called: Orrery does not have this function of MPI 4.0", err)

    def test_calls_that_a_rank_cannot_make(self):
        """The linker warns where they stand, by name and with the reason; the program runs as long as it does without."""
        calls = (("fork()", "cannot start processes"), ('execl("/bin/true", "true", (char *)0)', "cannot start processes"),
                 ("waitpid(-1, &n, 0)", "no child processes"), ('popen("ls", "r")', "cannot start processes"),
                 ("pipe(ends)", "no other process"), ("pthread_create(&thread, 0, work, 0)", "has one thread"),
                 ("sem_wait(&semaphore)", "has one thread"), ('dlopen("libm.so", RTLD_NOW)', "linked as a whole"),
                 ("socket(AF_INET, SOCK_STREAM, 0)", "ranks talk through MPI"), ("connect(n, 0, 0)", "ranks talk through MPI"),
                 ('gethostbyname("localhost")', "ranks talk through MPI"), ('shm_open("/x", 0, 0)', "share no memory"),
                 ("shmget(IPC_PRIVATE, 10, 0)", "share no memory"), ("alarm(10)", "no signal arrives"),
                 ("ioctl(1, TIOCGWINSZ, 0)", "no such devices"), ("ptrace(PTRACE_TRACEME)", "no such devices"),
                 ("sbrk(0)", "belongs to malloc"))
        headers = ("dlfcn.h", "netdb.h", "pthread.h", "semaphore.h", "stdio.h", "stdlib.h", "sys/ioctl.h", "sys/mman.h", "sys/ptrace.h",
                   "sys/shm.h", "sys/socket.h", "sys/wait.h", "unistd.h")
        text = "".join("#include <%s>\n" % header for header in headers)
        text += ("void *work(void *argument) { return argument; }\n"
                 "int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 0, ends[2]; pthread_t thread; sem_t semaphore;\n"
                 'puts("runs"); fflush(stdout);\n')
        first = text.count("\n") + 1
        text += "".join("if (n == %d) %s;\n" % (i + 1, call) for i, (call, _) in enumerate(calls)) + "return 0; }\n"
        self.make("calls.c", text)
        _, err = self.good("cc", "calls.c", "-o", "calls")
        for i, (call, reason) in enumerate(calls):
            name = call.split("(")[0]
            self.assertRegex(err, r"calls\.c:%d: warning: '%s' ends the run if it is called: .*%s" % (first + i, name, reason))
        self.assertEqual(self.good("cc", "-w", "calls.c", "-o", "calls"), ("", ""))
        self.assertEqual(self.good("run", "calls"), ("runs\n", ""))
        for i, (call, reason) in enumerate(calls):
            status, out, err = self.orrery("run", "calls", str(i + 1))
            self.assertEqual((status, out), (134, "runs\n"))
            self.assertRegex(err, r"calls\.c:%d .*%s cannot be called: .*%s" % (first + i, call.split("(")[0], reason))

    def test_functions_that_are_only_mentioned(self):
        """What never runs does no harm; only what the unit can reach is warned of, once; weak references are null."""
        self.make("helpers.h", "#include <mpi.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\n"
                  "static inline void fence(MPI_Win w) { MPI_Win_fence(0, w); }\n"
                  "static void __attribute__((unused)) shut(MPI_File *f) { MPI_File_close(f); }\n")
        self.make("quiet.c", '#include "helpers.h"\nint main(void) { puts("ok"); return 0; }\n')
        self.assertEqual(self.good("run", "quiet.c"), ("ok\n", ""))
        self.make("mention.c", '#include "helpers.h"\n'
                  "static int later(int n) { return n > 9 ? MPI_Put(0, 0, MPI_INT, 0, 0, 0, MPI_INT, MPI_WIN_NULL) : n; }\n"
                  "static int (*const table[])(int, MPI_Win) = {MPI_Win_fence};\n"
                  "extern int MPI_Win_sync(MPI_Win) __attribute__((weak));\n"
                  "extern unsigned alarm(unsigned) __attribute__((weak));\n"
                  'int main(int argc, char **argv) { MPIO_Request r = MPI_REQUEST_NULL; MPI_T_enum e = MPI_T_ENUM_NULL;\n'
                  '  if (argc > 7) table[0](0, MPI_WIN_NULL); if (argc > 8) fork(); if (argc > 8) fork();\n'
                  '  printf("%d %d %d\\n", later(argc), MPI_Win_sync != 0, alarm != 0); return r != MPI_REQUEST_NULL || e; }\n')
        out, err = self.good("run", "mention.c")
        self.assertEqual(out, "1 0 0\n")
        self.assertEqual([err.count(name) for name in ("'MPI_Put':", "'MPI_Win_fence':", "'fork' ends", "MPI_File_close", "alarm")],
                         [1, 1, 1, 0, 0], err)
        status, _, err = self.orrery("run", "mention.c", *7 * ["x"])
        self.assertEqual(status, 134)
        self.assertIn("MPI_Win_fence cannot be called", err)
        self.make("forks.c", "#include <unistd.h>\nint main(void) { return fork(); }\n")
        status, _, err = self.orrery("run", "forks.c")
        self.assertEqual(status, 134)
        self.assertIn("fork cannot be called: a simulated rank cannot start processes", err)
        self.make("nowhere.c", "int nowhere(int);\nint main(int argc, char **argv) { return argc > 1 ? nowhere(1) : 0; }\n")
        self.refused("undefined reference to 'nowhere'", "cc", "nowhere.c", "-o", "nowhere", status=1)
        self.good("cc", "nowhere.c", "-Wl,--warn-unresolved-symbols", "-o", "nowhere")
        self.good("run", "nowhere")
        status, _, err = self.orrery("run", "nowhere", "x")
        self.assertEqual(status, 134)
        self.assertIn("nowhere cannot be called: neither the program nor Orrery has this function", err)

    def test_completion_scripts(self):
        for shell in ("bash", "zsh", "fish"):
            out, _ = self.good("complete", shell)
            self.assertIn("eager-limit", out)
        script = self.make("complete.bash", self.good("complete", "bash")[0])
        status, out, err = self.run_it("bash", "-c", "source %s; COMP_WORDS=(orrery run --ma); COMP_CWORD=2; _orrery; "
                                       "echo ${COMPREPLY[*]}" % script)
        self.assertEqual((status, out, err), (0, "--machine --max-time\n", ""))
        status, out, err = self.run_it("bash", "-c", "source %s; COMP_WORDS=(orrery run --check = le); COMP_CWORD=4; _orrery; "
                                       "echo ${COMPREPLY[*]}" % script)
        self.assertEqual((status, out, err), (0, "leaks\n", ""))
        for words, wanted in (("topo mesh", "mesh-4x4 mesh-8x8"), ("machines ring", "ring-8"), ("topo --labels n", "none nodes"),
                              ("mpi --state m", "missing"), ("dis -m ring", "ring-8"), ("run -m mesh-4", "mesh-4x4"), ("cc --sta", ""),
                              ("topo --ma", "--machine"), ("dis --he", "--help")):
            status, out, err = self.run_it("bash", "-c", "source %s; PATH=%s:$PATH; COMP_WORDS=(orrery %s); COMP_CWORD=%d; _orrery; "
                                           "echo ${COMPREPLY[*]}" % (script, os.path.dirname(ORRERY), words, len(words.split())))
            self.assertEqual((status, out, err), (0, wanted + "\n", ""), words)

    def test_shims(self):
        shims = os.path.join(os.path.dirname(ORRERY), "..", "share", "orrery", "shims")
        path = {"PATH": os.path.realpath(shims) + ":" + os.environ["PATH"]}
        self.make("Makefile", "CC = mpicc\nCFLAGS = -O2 -Wall\nhello: hello.o\n\t$(CC) $(CFLAGS) -o $@ $^\n"
                  "test: hello\n\tmpirun -np 2 --oversubscribe ./hello x -n 3\n\tmpiexec -n 1 ./hello a : -n 1 ./hello b\n")
        status, out, err = self.run_it("make", "-s", "test", environment=path)
        self.assertEqual(status, 0, err)
        self.assertEqual(out, "hello 0 of 2: <x> <-n> <3>\nhello 1 of 2: <x> <-n> <3>\n"
                         "hello 0 of 2: <a>\nhello 1 of 2: <b>\n")
        for launcher in ("mpirun", "mpiexec"):
            status, out, err = self.run_it(launcher, "--mca", "btl", "self", "-c", "2", "--tag-output", "--traffic", "t.traffic",
                                           "-host", "a,b", "./hello", "-x", environment=path)
            self.assertEqual((status, out, err), (0, "[0] hello 0 of 2: <-x>\n[1] hello 1 of 2: <-x>\n", ""))
            self.assertIn("ranks 2\n", self.read("t.traffic").decode())
            self.assertEqual(self.run_it(launcher, "--version", environment=path)[:2], (0, self.good("--version")[0]))

    LAUNCHED = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <mpi.h>\nint main(int argc, char **argv)\n" \
               "{ int r, n; char b[4096]; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r), MPI_Comm_size(MPI_COMM_WORLD, &n);\n" \
               "printf(\"%d/%d\", r, n); for (int i = 1; i < argc; i++) printf(\" %s=%s\", argv[i], getenv(argv[i]) ? getenv(argv[i]) : \"-\");\n" \
               "if (argc == 1) printf(\" %s\", getcwd(b, sizeof b)); puts(\"\"); MPI_Finalize(); }\n"

    def test_launcher_options(self):
        """Open MPI's and MPICH's, behind one dash or two, with = or a blank."""
        self.make("l.c", self.LAUNCHED)
        self.good("cc", "-o", "l", "l.c")
        def launch(*words, status=0, environment=None):
            got, out, err = self.run_it(ORRERY, "mpirun", *words, environment=environment)
            self.assertEqual(got, status, err)
            return sorted(out.splitlines()), err
        here = {"ONE": "1", "TWO_A": "2", "TWO_B": "3"}
        for words, lines in (
                (["-np", "2", "./l", "ONE"], ["0/2 ONE=-", "1/2 ONE=-"]),
                (["--np=1", "-x", "ONE", "./l", "ONE"], ["0/1 ONE=1"]),
                (["-x", "ONE=7=8", "-x", "EMPTY=", "./l", "ONE", "EMPTY"], ["0/1 ONE=7=8 EMPTY="]),
                (["-x", "TWO_*", "./l", "TWO_A", "TWO_B", "ONE"], ["0/1 TWO_A=2 TWO_B=3 ONE=-"]),
                (["-env", "ONE", "5", "./l", "ONE", ":", "./l", "ONE"], ["0/2 ONE=5", "1/2 ONE=-"]),
                (["./l", "ONE", ":", "-genv", "ONE", "5", "./l", "ONE"], ["0/2 ONE=5", "1/2 ONE=5"]),
                (["-genvlist", "ONE,TWO_A", "./l", "ONE", "TWO_A", ":", "-x", "ONE=9", "./l", "ONE"], ["0/2 ONE=1 TWO_A=2", "1/2 ONE=9"]),
                (["-envlist", "ONE", "./l", "ONE", ":", "./l", "ONE"], ["0/2 ONE=1", "1/2 ONE=-"]),
                (["-genvall", "./l", "TWO_B"], ["0/1 TWO_B=3"]),
                (["-genvnone", "./l", "ONE", "USER"], ["0/1 ONE=- USER=orrery"]),
                (["--env", "ONE=3", "./l", "ONE"], ["0/1 ONE=3"]),
                (["--hostfile=h", "-hostfile", "h", "-machinefile", "h", "-f", "h", "-quiet", "--display-allocation", "-cpu-set", "0,1",
                  "--bind-to", "core", "--map-by=socket", "--mca", "btl", "self", "-ppn", "2", "-hosts", "a,b", "-v",
                  "--use-hwthread-cpus", "--allow-run-as-root", "--oversubscribe", "--report-bindings", "-launcher", "ssh",
                  "--timeout", "5", "-c", "1", "--", "./l", "ONE"], ["0/1 ONE=-"]),
                (["-l", "-n", "1", "./l", "-l"], ["[0] 0/1 -l=-"]),
                (["--output", "tag,merge", "./l", "X"], ["[0] 0/1 X=-"]),
                (["-n2", "--machine", "ring-8", "-s", "cpu.clock=1 GHz", "-prepend-rank", "./l", "X"], ["[0] 0/2 X=-", "[1] 1/2 X=-"])):
            self.assertEqual(launch(*words, environment=here), (lines, ""), words)
        self.assertEqual(launch("-x", "NOT_HERE", "./l", "ONE"), (["0/1 ONE=-"], "orrery: there is no variable NOT_HERE to hand on\n"))
        for pattern, words in (("unknown option --bogus; see `orrery mpirun", ["--bogus", "./l"]), ("did you mean -hostfile", ["--hostfiel=x", "./l"]),
                               ("-gdb: `orrery debug", ["-gdb", "./l"]), ("--np needs a value", ["--np"]), ("-genv needs a name and a value", ["-genv", "A"]),
                               ("-n 0: a program needs", ["-n", "0", "./l"]), ("-n x: a whole number", ["-n", "x", "./l"]), ("--output-filename: standard output", ["--output-filename=f", "./l"]),
                               ("--timeout x|--max-time: ", ["--timeout", "x", "./l"]), ("no program is given", ["-n", "2"]), ("no program is given", ["./l", ":"]),
                               ("-stdin 3: standard input goes to rank 0", ["-stdin", "3", "./l"])):
            self.assertRegex(launch(*words, status=2)[1], pattern)
        self.make("spin.c", SPIN)
        self.assertIn("--max-time", launch("--timeout", "0.001", "spin.c", status=1)[1])

    def test_launcher_files_and_folders(self):
        self.make("l.c", self.LAUNCHED)
        os.makedirs(os.path.join(self.folder.name, "sub"))
        os.makedirs(os.path.join(self.folder.name, "other"))
        self.good("cc", "-o", "sub/l", "l.c")
        folder = os.path.realpath(self.folder.name)
        for words in (["-wdir", "sub", "./l"], ["--wdir=sub", "l"], ["-wd", "sub", "-n", "1", "sub/l"], ["--wdir", os.path.join(folder, "sub"), "./l"]):
            self.assertEqual(self.good("mpirun", *words), ("0/1 %s/sub\n" % folder, ""))
        self.assertEqual(self.good("run", "--wdir", "sub", "--json", "x.json", "l.c")[0], "0/1 %s/sub\n" % folder)
        self.assertIn("makespan_ps", json.loads(self.read("x.json")))
        self.refused("-wdir other: the programs of one run have one working directory, here sub", "mpirun", "-wdir", "sub", "./l", ":", "-wdir", "other", "./l")
        self.refused("--wdir nowhere: No such file", "run", "--wdir", "nowhere", "l.c")
        self.refused("--wdir l.c: Not a directory", "run", "--wdir", "l.c", "l.c")
        self.make("f", "# two programs\n-n 1 -x ONE=1 sub/l ONE\n\n-n 2 sub/l 'X Y' # and more\n")
        for words, lines in ((["-configfile", "f"], "0/3 ONE=1|1/3 X Y=-|2/3 X Y=-"), (["--app", "f", "-l"], "[0] 0/3 ONE=1|[1] 1/3 X Y=-|[2] 2/3 X Y=-"),
                             (["-configfile", "f", "sub/l", "Z"], "0/4 ONE=1|1/4 X Y=-|2/4 X Y=-|3/4 Z=-"),
                             (["sub/l", "Z", ":", "-configfile", "f"], "0/4 Z=-|1/4 ONE=1|2/4 X Y=-|3/4 X Y=-")):
            self.assertEqual("|".join(sorted(self.good("mpirun", *words)[0].splitlines())), lines)
        self.make("g", "-configfile g\n")
        self.refused("name each other", "mpirun", "-configfile", "g")
        self.make("g", "-n 1 'sub/l\n")
        self.refused("g:1: ", "mpirun", "-configfile", "g")
        self.refused("No such file", "mpirun", "-configfile", "none")

    def test_files_outside_are_told_once(self):
        self.make("o.c", "#include <stdio.h>\n#include <mpi.h>\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); FILE *f = fopen(\"/etc/passwd\", \"r\");\n"
                  "FILE *g = fopen(\"../x\", \"w\"), *h = fopen(\"missing\", \"r\"); puts(f ? \"yes\" : g || h ? \"?\" : \"no\"); MPI_Finalize(); }\n")
        out, err = self.good("run", "-n", "3", "o.c")
        self.assertEqual(out, "no\n" * 3)
        self.assertRegex(err, r'^orrery: rank 0 asks for "/etc/passwd", outside the working directory, .*--fs all .*ORRERY_FS=all.*\n$')
        self.good("cc", "-o", "o", "o.c")
        self.assertEqual(self.run_it("./o", environment={"ORRERY_FS": "cwd"})[1], "no\n")
        self.assertEqual(self.run_it(ORRERY, "run", "-q", "o.c"), (0, "no\n", ""))
        self.assertIn("with --fs none there are no files", self.good("run", "--fs", "none", "o.c")[1])
        self.make("p.c", "#include <stdio.h>\nint main(void) { puts(fopen(\"/etc/passwd\", \"r\") ? \"yes\" : \"no\"); }\n")
        self.good("cc", "-o", "p", "p.c")
        self.assertEqual(self.run_it("./p", environment={"ORRERY_FS": "all"}), (0, "yes\n", ""))
        self.assertEqual(self.run_it(ORRERY, "run", "--fs", "cwd", "-q", "p.c", environment={"ORRERY_FS": "all"}), (0, "no\n", ""))
        self.assertIn("ORRERY_FS every: it is one of", self.run_it("./p", environment={"ORRERY_FS": "every"})[2])

    def test_environment_of_programs(self):
        self.make("e.c", "#include <stdio.h>\nextern char **environ;\nint main(void) { for (char **e = environ; *e; e++) puts(*e); }\n")
        small = "PATH=/usr/bin:/bin\nHOME=/\nUSER=orrery\nLANG=C\n"
        self.assertEqual(self.good("run", "e.c"), (small, ""))
        more = {"B_2": "b", "B_1": "a"}
        self.assertEqual(self.run_it(ORRERY, "run", "--env", "B_*", "--env", "LANG=de", "--env", "B_1=c", "e.c", environment=more)[1],
                         small.replace("LANG=C", "LANG=de") + "B_1=c\nB_2=b\n")
        self.assertEqual(self.good("debug", "--env", "X=1", "-x", "run", "e.c")[0].count("X=1\n"), 1)
        self.refused("--env =1: NAME=VALUE is needed", "run", "--env", "=1", "e.c")
        self.refused("--env NOT_HERE: there is no such variable here", "run", "--env", "NOT_HERE", "e.c")

    def test_shims_of_other_languages(self):
        shims = os.path.realpath(os.path.join(os.path.dirname(ORRERY), "..", "share", "orrery", "shims"))
        for name in ("mpicxx", "mpic++", "mpiCC", "mpif77", "mpif90", "mpifort"):
            self.assertRegex(" ".join(map(str, self.run_it(os.path.join(shims, name), "x"))), r"^1  %s: Orrery compiles C only" % re.escape(name))

    def test_shims_of_the_source_tree(self):
        """They find the command in PATH."""
        shims = os.path.realpath(os.path.join(HERE, "..", "..", "..", "cli", "shims"))
        path = {"PATH": os.pathsep.join([shims, os.path.dirname(os.path.abspath(ORRERY)), os.environ["PATH"]])}
        for compiler in ("mpicc", "orrery-cc"):
            self.assertEqual(self.run_it(compiler, "-o", "hello", "hello.c", environment=path), (0, "", ""))
        for launcher in ("mpirun", "mpiexec"):
            self.assertEqual(self.run_it(launcher, "-n", "1", "./hello", environment=path), (0, "hello 0 of 1:\n", ""))


class Calibrate(Command):
    """orrery calibrate, with a few of its kernels and few runs: what is written is a machine, what is wrong is refused."""

    FITTED = ("axpy", "crc", "linked_list", "recursion", "sieve")
    SOURCES = os.path.join(HERE, "..", "..", "..", "bench", "calibration")
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


def main():
    global ORRERY
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", default=os.path.join(HERE, "..", "..", "..", "build", "release", "bin", "orrery"))
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    ORRERY = os.path.abspath(options.orrery)
    unittest.main(argv=[sys.argv[0]] + options.tests)


if __name__ == "__main__":
    main()
