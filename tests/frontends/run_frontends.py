#!/usr/bin/env python3
"""The front ends as people use them: debugger, sweep, window, installed tree, completions.

    run_frontends.py --bin build/release/bin --build build/release --source . TEST...
    run_frontends.py --bin build/release/bin --record Debug      writes the transcripts anew (read the difference!)

Debugger scripts are debug/*.cmd: commands in, the transcript in the .out beside it, exact but for times
and addresses. Exit status 77: skipped.
"""
import argparse
import glob
import os
import pty
import random
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
import xml.dom.minidom
import zlib

import random_expressions

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OPTIONS = None
SKIPPED = 77

# Leaks of the font library are not ours to mend.
QUIET = {"LSAN_OPTIONS": "suppressions=%s:print_suppressions=0" % os.path.join(ROOT, "tests", "leaks.supp")}
# SDL unloads its display modules before the end, so that leaks in them have no name left to tell them by.
UNLOADED = {"ASAN_OPTIONS": "detect_leaks=0"}

# Debugger script: program, options.
SCRIPTS = {
    "arrays": (["arrays.c"], []),
    "arguments": (["arrays.c"], []),
    "values": (["values.c"], []),
    "wide": (["wide.c"], ["-O0"]),
    "back": (["back.c"], ["-n", "4"]),
    "bytes": (["branches.c"], []),
    "branches": (["branches.c"], ["-n", "4"]),
    "values_o2": (["values.c"], ["-O2"]),
    "inlined": (["inlined.c"], ["-O2"]),
    "operators": (["operators.c"], []),
    "operator": (["operator.c"], ["-n", "8", "--machine", "mesh-4x4"]),
    "fault": (["fault.c"], []),
    "deadlock": ([os.path.join("..", "..", "..", "samples", "deadlock_ring.c")], ["-n", "3", "--machine", "ring-8"]),
    "callback": (["callback.c"], []),
    "again": (["fault.c"], []),
    "objects": (["objects.c"], ["-n", "3"]),
    "input": (["input.c"], ["--input", "input.txt"]),
    "threads": (["threads.c"], []),
    "threads_ends": (["threads_ends.c"], []),
    "threads_deadlock": (["threads_deadlock.c"], ["-n", "2"]),
    "team": (["team.c"], ["-fopenmp"]),
    "expressions": (["expressions.c"], ["-n", "2"]),
    "ranks": (["expressions.c"], ["-n", "4"]),
    "scopes": (["expressions.c"], ["-n", "2", "-O2"]),
    "queues": (["queues.c"], ["-n", "4", "--machine", "ring-8"]),
    "stops": (["stops.c"], ["-n", "4"]),
    "watches": (["stops.c"], ["-n", "4"]),
    "together": (["stops.c"], ["-n", "4"]),
    "history": (["stops.c"], ["-n", "4"]),
    "hops": (["hops.c"], ["-n", "6", "--machine", "fat-tree-64"]),
}


def tool(name):
    return os.path.join(OPTIONS.bin, name)


class FrontEnd(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="orrery-front-")

    def tearDown(self):
        self.folder.cleanup()

    def path(self, *name):
        return os.path.join(self.folder.name, *name)

    def make(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run_it(self, *arguments, cwd=None, stdin="", environment=None):
        done = subprocess.run(arguments, input=stdin, capture_output=True, cwd=cwd or self.folder.name, text=True,
                              errors="surrogateescape", timeout=120, env=dict(os.environ, **(environment or {})), check=False)
        return done.returncode, done.stdout, done.stderr

    def good(self, *arguments, **options):
        status, out, err = self.run_it(*arguments, **options)
        self.assertEqual(status, 0, out + err)
        return out


def steady(text):
    """Without what a better compiler or another cost table may change: addresses, times, lines of the runtime library."""
    text = re.sub(r"0x[0-9a-f]{4,}", "0x...", text)
    text = re.sub(r"\b((omp|pthread)[a-z_]*\.c):\d+", r"\1:LINE", text)
    return re.sub(r" +\d+(\.\d+)? (ns|us|ms|s)\b", " TIME", text)


def wait_until_watched(pid):
    """A run that Ctrl-C can stop has the signal blocked."""
    blocked = 0
    while not blocked & 1 << (signal.SIGINT - 1):
        time.sleep(0.01)
        with open("/proc/%d/status" % pid, encoding="ascii") as file:
            blocked = int(re.search(r"SigBlk:\s+(\w+)", file.read()).group(1), 16)


class Debug(FrontEnd):
    def script(self, name):
        program, options = SCRIPTS[name]
        folder = os.path.join(HERE, "debug")
        with open(os.path.join(folder, name + ".cmd"), encoding="utf-8", errors="surrogateescape") as file:
            commands = file.read()
        _, out, err = self.run_it(tool("orrery"), "debug", *options, *program, cwd=folder, stdin=commands)
        self.assertEqual(err, "")
        out = steady(out)
        path = os.path.join(folder, name + ".out")
        if OPTIONS.record:
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(out)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            self.assertEqual(out, file.read())

    def test_scripts(self):
        for name in SCRIPTS:
            with self.subTest(script=name):
                self.script(name)

    def test_every_script_is_run(self):
        files = {os.path.basename(path)[:-4] for path in glob.glob(os.path.join(HERE, "debug", "*.cmd"))}
        self.assertEqual(files, set(SCRIPTS))

    def test_the_debugger_changes_no_time_and_no_output(self):
        """Rule 4 of time: nothing depends on whether a debugger is watching."""
        program = os.path.join(HERE, "debug", "operator.c")
        options = ["-n", "8", "--machine", "mesh-4x4", "-O0"]
        out = self.good(tool("orrery"), "run", *options, "--json", self.path("run.json"), program)
        finish = re.findall(r'"finish_ps": ?(\d+)', self.read("run.json"))
        self.assertEqual(len(finish), 8)
        steps = "break combine\nbreak sum_of\nrun\n" + "next\nstep\nfinish\nprint *b\nbacktrace\n" * 40
        for commands in ("run\n", steps + "delete 1\ndelete 2\ncontinue\n"):
            seen = self.good(tool("orrery"), "debug", *options, program, stdin=commands + "info ranks\n")
            printed = [line for line in seen.splitlines() if re.match(r"rank \d+: -?\d+ \d+$", line)]
            self.assertEqual(printed, out.splitlines())
            times = re.findall(r"^[ *] +\d+  finished +([\d.]+) us", seen, re.M)
            self.assertEqual([int(round(float(t) * 1000000)) for t in times], [int(f) for f in finish])

    def test_looking_at_everything_changes_nothing(self):
        """Calls of functions, queues and chains of waits are looked at in a copy: times, counts and output stay."""
        program = os.path.join(HERE, "debug", "expressions.c")
        options = ["-n", "4", "--machine", "mesh-4x4", "-O0"]
        out = self.good(tool("orrery"), "run", *options, "--json", self.path("run.json"), program)
        finish = re.findall(r'"finish_ps": ?(\d+)', self.read("run.json"))
        look = ("print twice(rank)\nprint length_of(\"four\")\nprint sends(1)\nprint @all twice(a[1])\nwhy\nwhy 1\n"
                "waits\nqueues\nfindings\nload\nstacks\nwhere\ninfo requests\ninfo datatypes\ninfo args\n"
                "info scope\nx/4xw a\nprint column\nprint @comm(half) rank\n")
        steps = "break 20\nrun\n" + (look + "next\n") * 60 + "delete 1\ncontinue\n"
        seen = self.good(tool("orrery"), "debug", *options, program, stdin=steps + "info ranks\n")
        self.assertIn("twice(rank) = ", seen)
        for line in out.splitlines():
            self.assertIn(line, seen)
        times = re.findall(r"^[ *] +\d+  finished +([\d.]+) us", seen, re.M)
        self.assertEqual([int(round(float(t) * 1000000)) for t in times], [int(f) for f in finish])

    def test_expressions_are_those_of_the_compiler(self):
        """The debugger's values are those that the compiled program prints."""
        texts = random_expressions.expressions(20, 200)
        program = self.make("random.c", random_expressions.program(texts))
        printed = self.good(tool("orrery"), "run", "-q", "-O0", program).splitlines()
        commands = "break stop\nrun\nup\n" + "".join("print %s\n" % text for text in texts)
        seen = self.good(tool("orrery"), "debug", program, stdin=commands)
        told = dict(line.rsplit(" = ", 1) for line in seen.splitlines() if line.startswith("(") and " = " in line)
        self.assertEqual(len(printed), len(texts))
        for text, expected in zip(texts, printed):
            told_value = told.get(text, "nothing")
            if text.startswith("(long)") or "nan" in expected:
                self.assertEqual(told_value.lstrip("-") if "nan" in expected else told_value,
                                 expected.lstrip("-") if "nan" in expected else expected, text)
            else:
                self.assertEqual(float(told_value), float(expected), text)

    def test_history_is_exact(self):
        """Whichever way the debugger comes to a moment, the ranks are the same there: memory, clocks, frames."""
        seed = int(os.environ.get("ORRERY_SEED", "7"))
        drawn = random.Random(seed)
        for program, options in (("../../samples/bitonic_sort.c", ["-n", "8"]), ("../../samples/jacobi.c", ["-n", "4"]),
                                 ("debug/threads.c", []), ("debug/back.c", ["-n", "4"])):
            path = os.path.join(HERE, program)
            moments = [drawn.randrange(1, 600) for _ in range(24)]
            commands = "".join("goto %d\ninfo state\n" % moment for moment in moments)
            seen = self.good(tool("orrery"), "debug", *options, path,
                             stdin="run\ngoto 1\n" + commands)
            states = re.findall(r"^([0-9a-f]{16})  \(of the memory", seen, re.MULTILINE)
            self.assertEqual(len(states), len(moments), seen)
            fresh = self.good(tool("orrery"), "debug", *options, path, stdin="".join(
                "run\ngoto %d\ninfo state\n" % moment for moment in moments[:4]))
            known = dict(zip(moments[:4], re.findall(r"^([0-9a-f]{16})  ", fresh, re.MULTILINE)))
            for moment, state in zip(moments, states):
                self.assertEqual(known.setdefault(moment, state), state, "%s, moment %d, seed %d" % (program, moment, seed))

    def test_stops_are_the_same_backwards(self):
        """Whatever kind a breakpoint is of, going back finds the stops of going forwards, in reverse, and time stands."""
        program = os.path.join(HERE, "debug", "stops.c")
        options = ["-n", "4", "-O0"]
        out = self.good(tool("orrery"), "run", *options, "--json", self.path("run.json"), program)
        finish = re.findall(r'"finish_ps": ?(\d+)', self.read("run.json"))
        for kind in ("catch message", "catch message arrived", "catch message matched inner", "catch message inner to 0",
                     "catch end", "break at 16us", "tbreak main\nrun\nwatch @all total", "break main\nrun\nrwatch total",
                     "tbreak main\nrun\nwatch total > 20", "break add ranks 2 if by > 2", "break MPI_Send ranks 1",
                     "catch message from 1-3\nbreak add ranks 3"):
            setup = kind + "\n" + ("" if "run" in kind else "run\n")
            forwards = self.good(tool("orrery"), "debug", *options, program, stdin=setup + "continue\n" * 60 + "info ranks\n")
            stops = re.findall(r"^(?:break|watch)point \d+, (.*)", forwards, re.M)
            if "run" in kind: # stops at main belong to the setup
                stops = stops[1:]
            self.assertGreater(len(stops), 0, forwards)
            self.assertLess(len(stops), 60, forwards)
            times = re.findall(r"^[ *] +\d+  finished +([\d.]+) us", forwards, re.M)
            self.assertEqual([int(round(float(t) * 1000000)) for t in times], [int(f) for f in finish], kind)
            for line in out.splitlines():
                self.assertIn(line, forwards)
            back = self.good(tool("orrery"), "debug", *options, program,
                             stdin=setup + "continue\n" * 60 + "reverse-continue\n" * (len(stops) + 2))
            found = re.findall(r"^(?:break|watch)point \d+, (.*)", back[back.index("the program has ended at"):], re.M)
            if kind != "catch end": # the last rank's is the end itself
                self.assertEqual(found[:len(stops)], stops[::-1], kind)

    def test_many_ranks_are_few_lines(self):
        self.make("many_ranks.c", """
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank;
    double x = 3.5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1000)
        x = 0.0 / (rank - 1000);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
""")
        seen = self.good(tool("orrery"), "debug", "-n", "1024", "--machine", "loggp-cluster", self.path("many_ranks.c"),
                         stdin="break 12\nrun\nstacks\nprint @all x\nprint @all rank < 512\n")
        self.assertIn("x = 0-999,1001-1023: 3.5, 1000: nan\n", seen.replace("-nan", "nan"))
        self.assertIn("rank < 512 = 0-511: 1, 512-1023: 0\n", seen)
        self.assertIn("breakpoint 1, 1024 ranks:\n0-1023: main at 12\n", seen)
        self.assertIn("\n0-1023: main at 12\nx = ", seen)

    def test_looking_at_threads_changes_nothing(self):
        """Two ranks with threads and messages: stepping through all of them leaves each time and count as it is."""
        program = os.path.join(ROOT, "tests", "programs", "mpi", "threads_messages.c")
        options = ["-n", "2", "-O0"]
        out = self.good(tool("orrery"), "run", *options, "--json", self.path("run.json"), program)
        finish = re.findall(r'"finish_ps": ?(\d+)', self.read("run.json"))
        look = "info threads\ninfo locks\nthread 1\nthread 2\nthread apply all info locals\nbacktrace\ninfo ranks\n"
        with open(program, encoding="utf-8") as file:
            functions = re.findall(r"^static void \*(\w+)\(", file.read(), re.M)
        self.assertTrue(functions)
        steps = "".join("break %s\n" % name for name in functions) + "run\n"
        steps += (look + "next\n" + look + "step\n" + look + "finish\ncontinue\n") * 8
        steps += "".join("delete %d\n" % (i + 1) for i in range(len(functions))) + "continue\n"
        seen = self.good(tool("orrery"), "debug", *options, program, stdin=steps + "info ranks\n")
        self.assertIn(", thread 3", seen)
        for line in out.splitlines():
            self.assertIn(line, seen)
        times = re.findall(r"^[ *] +\d+  finished +([\d.]+) (ms|us)", seen, re.M)[-2:]
        scale = {"us": 1000000, "ms": 1000000000}
        self.assertEqual([int(round(float(t) * scale[unit])) for t, unit in times], [int(f) for f in finish])

    def test_a_thousand_threads(self):
        self.make("many.c", """
#include <pthread.h>
static pthread_barrier_t barrier;
static void *work(void *argument)
{
    pthread_barrier_wait(&barrier);
    return argument;
}
int main(void)
{
    static pthread_t threads[1000];
    pthread_barrier_init(&barrier, NULL, 1001);
    for (int i = 0; i < 1000; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 1000; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
""")
        commands = "break 15\nrun\ninfo threads\nnext\nthread 1001\nthread 1002\nthread 0\nthread apply all print 1\n" \
                   "next\nnext\ninfo threads\ncontinue\nthread 3\n"
        seen = self.good(tool("orrery"), "debug", "many.c", stdin=commands)
        self.assertGreater(len(re.findall(r"waits for barrier `barrier` in pthread_barrier_wait", seen)), 900)
        self.assertEqual(len(re.findall(r"^1 = 1$", seen, re.M)), 1001)
        self.assertIn("rank 0, thread 1001 at", seen)
        self.assertIn("rank 0 has no thread 1002", seen)
        self.assertIn("rank 0 has no thread 0", seen)
        self.assertIn("exit status 0", seen)

    def test_interrupt_comes_back_to_the_prompt(self):
        self.make("spin.c", "int main(void)\n{\n    volatile int i = 0;\n    for (;;)\n        i++;\n}\n")
        with subprocess.Popen([tool("orrery"), "debug", "spin.c"], cwd=self.folder.name, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, bufsize=1) as child:
            child.stdin.write("break main\nrun\n")
            self.assertIn("breakpoint 1 at spin.c:3 (main)", child.stdout.readline())
            self.assertIn("breakpoint 1, rank 0", child.stdout.readline())
            self.assertIn("->", child.stdout.readline())
            child.stdin.write("continue\n")
            wait_until_watched(child.pid)
            child.send_signal(signal.SIGINT)
            self.assertRegex(child.stdout.readline(), r"^interrupted, rank 0 at .*: main \(\) at spin.c:5")
            self.assertIn("->", child.stdout.readline())
            out, _ = child.communicate("print i > 0\nquit\n", timeout=60)
            self.assertEqual(out, "i > 0 = 1\n")
            self.assertEqual(child.returncode, 0)

    def test_on_a_terminal(self):
        """Line editing: history, an empty line repeats; Ctrl-C stops the program, and at the prompt gives a new prompt."""
        self.make("count.c", "int main(void)\n{\n    volatile int i = 0;\n    for (;;)\n        i++;\n}\n")
        try:
            child, terminal = pty.fork()
        except OSError as problem: # a bare chroot
            self.skipTest("no pseudo-terminals here: %s" % problem)
        if child == 0:
            os.chdir(self.folder.name)
            os.environ["TERM"] = "dumb"
            os.execv(tool("orrery"), ["orrery", "debug", "count.c"])
        seen = ""

        def wait_for(pattern):
            nonlocal seen
            while not re.search(pattern, seen, re.S):
                self.assertTrue(select.select([terminal], [], [], 60)[0], seen)
                seen += os.read(terminal, 4096).decode()
            taken, seen = seen, ""
            return taken

        def type_in(text): # not before the editor has the terminal: until then the system edits lines
            while termios.tcgetattr(terminal)[3] & termios.ICANON:
                time.sleep(0.005)
            os.write(terminal, text.encode())

        def enter(line):
            type_in(line + "\n")

        try:
            wait_for(r"\(orrery\) ")
            enter("break 5")
            wait_for(r"breakpoint 1 at count.c:5\r.*\(orrery\) ")
            enter("run")
            wait_for(r"breakpoint 1, rank 0.*\(orrery\) ")
            enter("print i")
            wait_for(r"i = 0\r.*\(orrery\) ")
            enter("continue")
            wait_for(r"breakpoint 1, rank 0.*\(orrery\) ")
            enter("") # again
            wait_for(r"breakpoint 1, rank 0.*\(orrery\) ")
            enter("print i")
            wait_for(r"i = 2\r.*\(orrery\) ")
            type_in("nonsense")
            wait_for("nonsense")
            type_in("\x03") # away with this line
            wait_for(r"\(orrery\) $")
            enter("delete 1")
            wait_for(r"breakpoint 1 is gone.*\(orrery\) ")
            enter("continue")
            wait_for(r"\n")
            os.write(terminal, b"\x03")
            wait_for(r"interrupted, rank 0 at .*\(orrery\) ")
            type_in("\x04") # end of input
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
            child = 0
        finally:
            if child:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            os.close(terminal)


SWEEP = """[sweep]
program = talk.c
arguments = "x,y"
ranks = 2 4
machines = ring-8 mesh-4x4
title = <A> & "B"
y = messages

[vary]
network.link-latency = 10 ns; 1 us
"""
TALK = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < size - 1)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    if (DEADLOCK(size))
        MPI_Recv(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
"""


class Sweep(FrontEnd):
    def setUp(self):
        super().setUp()
        self.make("talk.c", "#define DEADLOCK(size) 0\n" + TALK)
        self.make("talk.sweep", SWEEP)

    def test_table(self):
        self.good(tool("orrery"), "sweep", "talk.sweep")
        lines = self.read("talk.csv").splitlines()
        names = lines[0].split(",")
        self.assertEqual(names[:9], ["machine", "network.link-latency", "ranks", "makespan_ps", "compute_ps",
                                     "overhead_ps", "blocked_ps", "ready_ps", "switches"])
        self.assertEqual(names[-2:], ["exit_status", "note"])
        rows = [line.split(",") for line in lines[1:]]
        self.assertEqual([row[:3] for row in rows],
                         [[m, l, r] for m in ("ring-8", "mesh-4x4") for l in ("10 ns", "1 us") for r in ("2", "4")])
        for row in rows:
            of = dict(zip(names, row))
            self.assertEqual((of["messages"], of["bytes"]), (str(int(row[2]) - 1), str(4 * (int(row[2]) - 1))))
            self.assertEqual([of[n] for n in ("ready_ps", "switches", "bytes-read", "puts", "exit_status", "note")],
                             ["0", "0", "0", "0", "0", ""])
            out = self.run_it(tool("orrery"), "run", "-n", row[2], "--machine", row[0], "--set",
                              "network.link-latency=" + row[1], "--json", "one.json", "talk.c")
            self.assertEqual(out[0], 0, out[2])
            self.assertEqual(re.search(r'"makespan_ps": ?(\d+)', self.read("one.json")).group(1), row[3])

    def test_threads_change_nothing(self):
        self.good(tool("orrery"), "sweep", "--jobs", "1", "talk.sweep", "--output", "one")
        self.good(tool("orrery"), "sweep", "talk.sweep", "-o", "four", "-j", "4")
        self.assertEqual(self.read("one.csv"), self.read("four.csv"))
        self.assertEqual(self.read("one.svg"), self.read("four.svg"))

    def test_plot(self):
        self.good(tool("orrery"), "sweep", "talk.sweep")
        plot = xml.dom.minidom.parse(self.path("talk.svg"))
        self.assertEqual(sum(group.getAttribute("class") == "series" for group in plot.getElementsByTagName("g")), 4)
        points = [node for node in plot.getElementsByTagName("title") if re.search(r": \d+, \d+$", node.firstChild.data)]
        self.assertEqual(len(points), 8)
        texts = [node.firstChild.data for node in plot.getElementsByTagName("text")]
        for text in ('<A> & "B"', "ring-8, 10 ns", "mesh-4x4, 1 us", "messages", "ranks"):
            self.assertIn(text, texts)

    def test_failing_runs_keep_their_row(self):
        self.make("talk.c", "#define DEADLOCK(size) ((size) == 4)\n" + TALK)
        status, _, err = self.run_it(tool("orrery"), "sweep", "talk.sweep")
        self.assertEqual(status, 1)
        self.assertIn("run 2 has no result: deadlock", err)
        rows = self.read("talk.csv").splitlines()[1:]
        self.assertRegex(rows[0], r"^ring-8,10 ns,2,\d+,")
        self.assertRegex(rows[1], r'^ring-8,10 ns,4,,+1,"?deadlock')

    def test_values_that_are_words(self):
        """They stand at 1, 2, 3 on the axis, and in quotes in the table where they have commas."""
        self.make("talk.sweep", "[sweep]\nprogram = talk.c\nranks = 2\nmachines = loggp-cluster\nx = mpi.send-overhead\n"
                                "[vary]\nmpi.send-overhead = 0 B: 10 ns, 4 KiB: 20 ns; 30 ns\n"
                                "network.switching = loggp\n")
        self.good(tool("orrery"), "sweep", "talk.sweep")
        rows = self.read("talk.csv").splitlines()
        self.assertEqual(rows[0].split(",")[:4], ["machine", "mpi.send-overhead", "network.switching", "ranks"])
        self.assertRegex(rows[1], r'^loggp-cluster,"0 B: 10 ns, 4 KiB: 20 ns",loggp,2,\d+,')
        self.assertRegex(rows[2], r"^loggp-cluster,30 ns,loggp,2,\d+,")

    def test_too_many_runs(self):
        values = "; ".join("%d ns" % i for i in range(1, 1002))
        self.make("talk.sweep", "[sweep]\nprogram = talk.c\nranks = 2\n[vary]\nmpi.send-overhead = %s\n"
                                "mpi.recv-overhead = %s\n" % (values, values))
        status, _, err = self.run_it(tool("orrery"), "sweep", "talk.sweep")
        self.assertEqual(status, 2)
        self.assertIn("1002001 runs are more than 1000000: vary less, or in several files", err)

    WAITS = '#include <stdio.h>\n#include <mpi.h>\nint main(int argc, char **argv) { int n; MPI_Init(&argc, &argv);\n' \
            'MPI_Comm_size(MPI_COMM_WORLD, &n); while (n > 3 && !fopen("go", "r")) ; MPI_Finalize(); }\n'

    def start_and_kill(self, jobs):
        """A sweep of which 4 of 6 runs end; killed when they have."""
        self.make("waits.c", self.WAITS)
        self.make("w.sweep", "[sweep]\nprogram = waits.c\nranks = 1 2 4\n[vary]\nmpi.match-time = 10 ns; 20 ns\n")
        process = subprocess.Popen([tool("orrery"), "sweep", "-j", str(jobs), "w.sweep"], cwd=self.folder.name,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        begin = time.monotonic()
        while time.monotonic() - begin < 60:
            if os.path.exists(self.path("w.part")) and self.read("w.part").count("\n") == 1 + (4 if jobs > 2 else 2):
                break
            time.sleep(0.05)
        process.kill()
        process.wait()
        return self.read("w.part").splitlines()

    def test_a_killed_sweep_goes_on(self):
        kept = self.start_and_kill(3)
        self.assertEqual(sorted(line.split()[0] for line in kept[1:]), ["0", "1", "3", "4"])
        self.make("go", "")
        # A mark shows that what was kept is not done again; half a line is as if it had not been.
        marked = re.sub("(?m)^0 1 0 \\d+", "0 1 0 7777777", "\n".join(kept))
        self.make("w.part", marked + "\n5 1 0 12")
        status, out, err = self.run_it(tool("orrery"), "sweep", "--progress=always", "w.sweep")
        self.assertEqual(status, 0, err)
        self.assertIn("4 of 6 runs are done already, by w.part", err)
        self.assertIn("] 6 of 6 runs", err)
        rows = self.read("w.csv").splitlines()
        self.assertEqual(len(rows), 7)
        self.assertTrue(rows[1].startswith("laptop,10 ns,1,7777777,"), rows)
        self.assertFalse(os.path.exists(self.path("w.part")))
        self.good(tool("orrery"), "sweep", "-o", "again", "w.sweep")
        again = self.read("again.csv").splitlines()
        self.assertEqual([rows[0]] + rows[2:], [again[0]] + again[2:])

    def test_what_another_sweep_has_left_is_not_taken(self):
        self.start_and_kill(3)
        self.make("go", "")
        for old, new in (("waits.c", self.WAITS.replace("n > 3", "n > 4")), ("w.sweep", self.read("w.sweep").replace("20 ns", "30 ns")),
                         ("w.sweep", self.read("w.sweep") + "mpi.envelope = 8 B\n")):
            part = self.read("w.part")
            self.make(old, new)
            status, _, err = self.run_it(tool("orrery"), "sweep", "w.sweep")
            self.assertEqual((status, "already" in err), (0, False), err)
            self.make("w.part", part)

    def test_rows_come_and_max_time_ends_runs(self):
        self.start_and_kill(1)
        self.make("w.sweep", self.read("w.sweep").replace("[vary]", "max-time = 1 ms\n[vary]"))
        status, out, err = self.run_it(tool("orrery"), "sweep", "w.sweep")
        self.assertEqual(status, 1)
        rows = self.read("w.csv").splitlines()
        self.assertEqual([row.split(",")[2] for row in rows[1:]], ["1", "2", "4"] * 2)
        self.assertRegex(rows[3], "^laptop,10 ns,4,,+1,.*max-time")
        self.assertFalse(os.path.exists(self.path("w.part")))

    def test_refusals(self):
        for text, message in (("", "no section [sweep]"), ("[sweep]\nprogram = talk.c\nmax-time = 0 s\n", "nothing could run"),
                              ("[sweep]\nprogram = talk.c\nmax-time = soon\n", "max-time = soon"), ("junk\n", "junk"), ("[sweep]\n", "says no program"),
                              ("[sweep]\nprogram =\n", "says no program"),
                              ("[sweep]\nprogram = talk.c\nrank = 3\n", "unknown key 'rank'"),
                              ("[sweep]\nprogram = talk.c\n[very]\n", "unknown section [very]"),
                              ("[sweep]\nprogram = talk.c\nranks =\n", "ranks has no values"),
                              ("[sweep]\nprogram = talk.c\nranks = 0\n", "ranks 0"),
                              ("[sweep]\nprogram = talk.c\nranks = 2 2\n", "twice"),
                              ("[sweep]\nprogram = talk.c\nmachines =\n", "machine has no values"),
                              ("[sweep]\nprogram = talk.c\nmachines = nosuch\n", "nosuch"),
                              ("[sweep]\nprogram = talk.c\nlogarithmic = maybe\n", "true or false"),
                              ("[sweep]\nprogram = talk.c\nx = foo\n", "x = foo"),
                              ("[sweep]\nprogram = talk.c\ny = foo\n", "y = foo"),
                              ("[sweep]\nprogram = talk.c\nset = foo=1\n", "foo"),
                              ("[sweep]\nprogram = talk.c\n[vary]\nfoo.bar = 1\n", "foo.bar"),
                              ("[sweep]\nprogram = talk.c\n[vary]\nnetwork.link-latency = 1 furlong\n", "furlong"),
                              ("[sweep]\nprogram = talk.c\n[vary]\nnetwork.link-latency =\n", "no values"),
                              ("[sweep]\nprogram = nosuch.c\n", "nosuch.c")):
            with self.subTest(text=text):
                self.make("bad.sweep", text)
                status, out, err = self.run_it(tool("orrery"), "sweep", "bad.sweep")
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn(message, err)
                self.assertFalse(os.path.exists(self.path("bad.csv")))
        self.assertEqual(self.run_it(tool("orrery"), "sweep")[0], 2)
        self.assertEqual(self.run_it(tool("orrery"), "sweep", "talk.sweep", "talk.sweep")[0], 2)
        self.assertEqual(self.run_it(tool("orrery"), "sweep", "talk.sweep", "--frob")[0], 2)

    def test_samples(self):
        for path in glob.glob(os.path.join(ROOT, "samples", "sweeps", "*.sweep")):
            self.good(tool("orrery"), "sweep", "--list", path)


def png_colours(path):
    """How many different pixels an 8-bit PNG without interlacing has, and its size."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, header = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        header = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    width, height, _, colour = header[:4]
    pixel = {2: 3, 6: 4}[colour]
    raw, line, seen = zlib.decompress(packed), bytearray(width * pixel), set()
    for row in range(height):
        start = row * (width * pixel + 1)
        kind, this = raw[start], bytearray(raw[start + 1:start + 1 + width * pixel])
        for i, value in enumerate(this):
            left, up = this[i - pixel] if i >= pixel else 0, line[i]
            corner = line[i - pixel] if i >= pixel else 0
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda x: abs(guess - x))
            this[i] = (value + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        line = this
        seen.update(bytes(line[i:i + 3]) for i in range(0, len(line), pixel))
    return width, height, seen


COMPUTING, WAITING = (0, 158, 115), (214, 94, 0)


def has_colour(colours, wanted):
    """Cairo's versions round differently."""
    return any(all(abs(a - b) <= 1 for a, b in zip(colour, wanted)) for colour in colours)


class Gui(FrontEnd):
    def check(self, path, width, height):
        size_x, size_y, colours = png_colours(path)
        self.assertEqual((size_x, size_y), (width, height))
        self.assertTrue(has_colour(colours, COMPUTING))
        self.assertTrue(has_colour(colours, WAITING))

    def test_pictures(self):
        sort = os.path.join(ROOT, "samples", "bitonic_sort.c")
        for machine in ("mesh-4x4", "fat-tree-64"):
            self.good(tool("orrery"), "gui", "-n", "8", "--machine", machine, "--size", "400x300", "--screenshot", "a.png",
                      sort, environment=QUIET)
            self.check(self.path("a.png"), 400, 300)
        self.good(tool("orrery"), "gui", "-n", "8", "--screenshot", "a.svg", sort, environment=QUIET)
        xml.dom.minidom.parse(self.path("a.svg"))

    def test_network_as_png(self):
        self.good(tool("orrery"), "topo", "torus-8x8x16", "--set", "network.dims=4x4", "-o", "t.png", "--labels", "both",
                  environment=QUIET)
        width, height, colours = png_colours(self.path("t.png"))
        self.assertGreater(width, 300)
        self.assertGreater(height, 300)
        self.assertTrue(has_colour(colours, (0x56, 0x63, 0x73))) # links
        status, _, err = self.run_it(tool("orrery"), "topo", "ring-8", "--png", "nosuch/t.png", environment=QUIET)
        self.assertEqual(status, 2)
        self.assertIn("nosuch/t.png", err)

    def test_deadlock_is_shown(self):
        status, _, err = self.run_it(tool("orrery"), "gui", "-n", "3", "--size", "400x300", "--screenshot", "a.png",
                                     os.path.join(ROOT, "samples", "deadlock_ring.c"), environment=QUIET)
        self.assertEqual(status, 1)
        self.assertIn("cycle: ", err)
        self.check(self.path("a.png"), 400, 300)

    def test_refusals(self):
        sample = os.path.join(ROOT, "samples", "greetings.c")
        for options, message in ((["--size", "12"], "--size 12"), (["--screenshot", "a.gif"], ".png or .svg"),
                                 (["--screenshot", "nosuch/a.png"], "nosuch/a.png"), ([], "no display")):
            environment = dict(QUIET, DISPLAY="", WAYLAND_DISPLAY="")
            status, _, err = self.run_it(tool("orrery"), "gui", *options, sample, environment=environment)
            self.assertEqual(status, 2)
            self.assertIn(message, err)
        with open(self.path("never.c"), "w", encoding="utf-8") as file: # neither compiled nor run without a display
            file.write("#include <stdio.h>\nint main(void) { puts(\"ran\"); return 0; }\nint x = ;\n")
        status, out, err = self.run_it(tool("orrery"), "gui", self.path("never.c"),
                                       environment=dict(QUIET, DISPLAY="", WAYLAND_DISPLAY=""))
        self.assertEqual((status, out), (2, ""))
        self.assertIn("no display", err)
        self.assertNotIn("expected expression", err)


class Window(FrontEnd):
    def setUp(self):
        if not shutil.which("xvfb-run"):
            self.skipTest("xvfb-run is not installed")
        super().setUp()

    def test_screenshot_of_the_window(self):
        self.good("xvfb-run", "-a", tool("orrery"), "gui", "-n", "8", "--machine", "ring-8", "--window", "--size", "400x300",
                  "--screenshot", "a.png", os.path.join(ROOT, "samples", "bitonic_sort.c"), environment=UNLOADED)
        _, _, colours = png_colours(self.path("a.png"))
        self.assertTrue(has_colour(colours, COMPUTING))

    def test_mouse_and_keys(self):
        """Zoom, move the moment, scroll, save, quit: S writes the picture into the working directory, Q ends with 0."""
        if not shutil.which("xdotool"):
            self.skipTest("xdotool is not installed")
        script = self.make("drive.sh", """
"$1" gui -n 8 --machine ring-8 "$2" & child=$!
window=$(timeout 30 xdotool search --sync --onlyvisible --pid $child | head -1)
[ -n "$window" ] || { kill $child; exit 1; }
xdotool windowfocus "$window" mousemove 700 600 click 1 click 4 click 4 click 5 keydown shift click 5 keyup shift
xdotool key Right key Left key 0 key s
for i in $(seq 200); do [ -s orrery.svg ] && break; sleep 0.05; done
xdotool key q
wait $child
""")
        self.good("xvfb-run", "-a", "sh", script, tool("orrery"), os.path.join(ROOT, "samples", "bitonic_sort.c"),
                  environment=UNLOADED)
        xml.dom.minidom.parse(self.path("orrery.svg"))


MAKEFILE = """CC = mpicc
CFLAGS = -O2
app: main.o part.o
\t$(CC) -o $@ main.o part.o -lm
"""


class Install(FrontEnd):
    @classmethod
    def setUpClass(cls):
        if not OPTIONS.build:
            raise unittest.SkipTest("--build is not given")
        cls.tree = tempfile.TemporaryDirectory(prefix="orrery-install-")
        cls.prefix = os.path.join(cls.tree.name, "pré fix")
        done = subprocess.run(["cmake", "--install", OPTIONS.build, "--prefix", cls.prefix], capture_output=True,
                              text=True, check=False, preexec_fn=lambda: os.umask(0o077))
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)

    @classmethod
    def tearDownClass(cls):
        if OPTIONS.build:
            cls.tree.cleanup()

    def installed(self, *name):
        return os.path.join(self.prefix, *name)

    def test_installed_command(self):
        out = self.good(self.installed("bin", "orrery"), "run", "-n", "8", "--machine", "mesh-4x4",
                        os.path.join(ROOT, "samples", "greetings.c"))
        self.assertEqual(out, "Rank 0 of 8 is listening\n" +
                         "".join("Greetings from rank %d of 8\n" % i for i in range(1, 8)))
        self.assertIn("torus-8x8x16", self.good(self.installed("bin", "orrery"), "machines"))
        # nothing in it leads back to where it was built, and all of it is for everybody
        for folder, _, files in os.walk(self.prefix):
            self.assertEqual(os.stat(folder).st_mode & 0o777, 0o755, folder)
            for name in files:
                path = os.path.join(folder, name)
                self.assertFalse(os.path.islink(path), path)
                self.assertEqual(os.stat(path).st_mode & 0o644, 0o644, path)

    def test_program_runs_by_its_name(self):
        self.good(self.installed("bin", "orrery"), "cc", "-o", "greetings", os.path.join(ROOT, "samples", "greetings.c"))
        self.assertEqual(self.good("./greetings"), "Rank 0 of 1 is listening\n")

    def test_manual_pages(self):
        pages = glob.glob(self.installed("share", "man", "man1", "*.1"))
        self.assertTrue(pages)
        if shutil.which("man"):
            for page in pages:
                done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=False,
                                      env=dict(os.environ, MANWIDTH="100", LC_ALL="C.UTF-8"))
                if "has been minimized" in done.stdout + done.stderr:
                    continue
                self.assertEqual((done.returncode, done.stderr), (0, ""), page)

    def complete(self, *line):
        script = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_orrery
printf '%s\\n' "${COMPREPLY[@]}"
"""
        file = self.installed("share", "bash-completion", "completions", "orrery")
        path = self.installed("bin") + os.pathsep + os.environ["PATH"]
        return self.good("bash", "-c", script, "bash", file, "orrery", *line, environment={"PATH": path}).split()

    def test_completion(self):
        self.assertEqual(self.complete("de"), ["debug"])
        self.assertLessEqual({"run", "cc", "dis", "topo", "machines", "debug", "sweep", "gui"}, set(self.complete("")))
        self.assertEqual(self.complete("run", "--machine", "mesh"), ["mesh-4x4", "mesh-8x8"])
        self.assertEqual(self.complete("run", "--eag"), ["--eager-limit"])
        self.assertEqual(self.complete("sweep", "--o"), ["--output"])
        self.assertEqual(self.complete("gui", "--scr"), ["--screenshot"])
        self.assertEqual(self.complete("run", "--tier", "n"), ["native"])

    def test_makefile_with_the_shims(self):
        self.make("Makefile", MAKEFILE)
        self.make("part.c", "#include <math.h>\ndouble half(double x) { return sqrt(x * x / 4); }\n")
        self.make("main.c", "#include <mpi.h>\n#include <stdio.h>\ndouble half(double);\n"
                            "int main(int c, char **v)\n{\n    int rank;\n    double mine, sum;\n    MPI_Init(&c, &v);\n"
                            "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    mine = half(rank);\n    MPI_Reduce(&mine, &sum,"
                            " 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n    if (rank == 0)\n        printf(\"%g\\n\","
                            " sum);\n    MPI_Finalize();\n    return 0;\n}\n")
        path = self.installed("share", "orrery", "shims") + os.pathsep + os.environ["PATH"]
        self.good("make", environment={"PATH": path})
        for launcher in ("mpirun", "mpiexec"):
            self.assertEqual(self.good(launcher, "-n", "4", "./app", environment={"PATH": path}), "3\n")


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--build", default="")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("tests", nargs="*", default=["Debug", "Sweep", "Gui", "Window", "Install"])
    OPTIONS = parser.parse_args()
    OPTIONS.bin = os.path.abspath(OPTIONS.bin)
    tests = unittest.defaultTestLoader.loadTestsFromNames(OPTIONS.tests, sys.modules[__name__])
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    if not result.wasSuccessful():
        return 1
    return SKIPPED if result.testsRun == len(result.skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
