#!/usr/bin/env python3
"""Exports of traces: each is opened by the tool that it is made for, where it is installed. See command.py."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from command import Command, main

PROGRAM = """#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    double mine[200] = {1}, all[800];
    MPI_Request request[2];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    usleep(20 * rank);
    MPI_Irecv(all, 200, MPI_DOUBLE, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(mine, 200, MPI_DOUBLE, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Allreduce(mine, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(mine, 100, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
EMPTY = "int main(void) { return 0; }\n"
OTF2_READER = """import otf2
with otf2.reader.open("p.otf2/traces.otf2") as trace:
    print(trace.timer_resolution)
    print([event.msg_length for _, event in trace.events if isinstance(event, otf2.events.MpiSend)])
"""
TEXTS = ("paje", "chrome", "callgrind", "folded", "dot", "vcd", "ti", "goal")


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


class Exports(Command):
    def setUp(self):
        super().setUp()
        self.make("p.c", PROGRAM)
        self.make("empty.c", EMPTY)
        self.good("run", "-q", "-n", "4", "--trace", "p.trace", "--json", "p.json", "p.c")
        self.good("run", "-q", "-n", "2", "--trace", "empty.trace", "empty.c")

    def convert(self, form, name="p", *options):
        self.good("trace", "convert", "--format", form, "-o", f"{name}.{form}", *options, f"{name}.trace")
        return self.read(f"{name}.{form}").decode()

    def tool(self, *arguments):
        """Runs a tool, which must not complain."""
        done = subprocess.run(arguments, cwd=self.folder.name, capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        return done.stdout.decode()

    def finish_ps(self):
        return sum(rank["finish_ps"] for rank in json.loads(self.read("p.json"))["ranks"])

    def test_text_comes_to_standard_output_too(self):
        for form in TEXTS:
            with self.subTest(form=form):
                text = self.convert(form)
                self.assertEqual(self.good("trace", "convert", "--format", form, "p.trace")[0], text)
                self.assertTrue(self.convert(form, "p", "--ranks", "1,3", "--from", "10us"))
                self.convert(form, "empty")

    @needs("pj_dump")
    def test_paje_is_read_by_pajeng(self):
        self.convert("paje")
        lines = [line.split(", ") for line in self.tool("pj_dump", "p.paje").splitlines()]
        self.assertEqual(sum(line[0] == "Container" for line in lines), 6)
        calls = [line for line in lines if line[0] == "State" and line[-1] == "MPI_Waitall"]
        self.assertEqual(len(calls), 4)
        links = [line for line in lines if line[0] == "Link" and "tag 5" in line]
        self.assertEqual(len(links), 4)
        for name in ("empty",):
            self.convert("paje", name)
            self.tool("pj_dump", f"{name}.paje")

    def test_chrome_is_json(self):
        events = json.loads(self.convert("chrome"))["traceEvents"]
        slices = [event for event in events if event["ph"] == "X" and event["name"] == "MPI_Waitall"]
        self.assertEqual(sorted(event["pid"] for event in slices), [0, 1, 2, 3])
        self.assertTrue(all(re.search("p.c:13$", event["args"]["site"]) for event in slices))
        begun = {event["id"]: event for event in events if event["ph"] == "s"}
        ended = {event["id"]: event for event in events if event["ph"] == "f"}
        self.assertEqual(begun.keys(), ended.keys())
        self.assertTrue(all(ended[key]["ts"] >= begun[key]["ts"] for key in begun))
        for rank in range(4): # slices of a rank are nested, or follow each other
            ends = []
            own = [event for event in events if event["ph"] == "X" and event["pid"] == rank]
            for event in sorted(own, key=lambda event: (event["ts"], -event["dur"])):
                while ends and ends[-1] <= event["ts"] + 1e-7:
                    ends.pop()
                self.assertTrue(not ends or event["ts"] + event["dur"] <= ends[-1] + 1e-7)
                ends.append(event["ts"] + event["dur"])

    @needs("callgrind_annotate")
    def test_callgrind_is_read_and_adds_up(self):
        text = self.convert("callgrind")
        totals = re.search(r"^totals: (\d+) (\d+) (\d+)$", text, re.MULTILINE)
        self.assertEqual(sum(int(number) for number in totals.groups()), self.finish_ps())
        shown = self.tool("callgrind_annotate", "p.callgrind")
        self.assertIn("MPI:MPI_Waitall (4x)", shown)
        self.assertIn("p.c:main", shown)
        self.convert("callgrind", "empty")
        self.tool("callgrind_annotate", "--auto=no", "empty.callgrind")

    def test_folded_adds_up(self):
        total = 0
        for line in self.convert("folded").splitlines():
            stack, number = re.fullmatch(r"([^;]+(?:;[^;]+)*) (\d+)", line).groups()
            self.assertTrue(stack.startswith("p"))
            total += int(number)
        self.assertAlmostEqual(total, self.finish_ps() / 1000, delta=100)

    @needs("dot")
    def test_dot_is_drawn(self):
        text = self.convert("dot")
        self.assertEqual(len(re.findall(r"-> .*messages=", text)), len(re.findall("->", text)))
        self.assertIn("<svg", self.tool("dot", "-Tsvg", "p.dot"))
        self.convert("dot", "empty")
        self.tool("dot", "-Tsvg", "empty.dot")

    @needs("vcd2fst")
    def test_vcd_is_read_by_gtkwave(self):
        self.convert("vcd")
        self.tool("vcd2fst", "p.vcd", "p.fst")
        again = self.tool("fst2vcd", "p.fst")
        times = [int(time) for time in re.findall(r"^#(\d+)", again, re.MULTILINE)]
        self.assertEqual(times, sorted(times))
        self.assertEqual(len(re.findall(r"\$scope module rank_\d", again)), 4)
        last = {} # nothing is on its way at the end
        for value, name in re.findall(r"^b(\w+) (\S+)$", self.read("p.vcd").decode(), re.MULTILINE):
            last[name] = value
        self.assertEqual(set(last.values()), {"0", "xx"})
        self.convert("vcd", "empty")
        self.tool("vcd2fst", "empty.vcd", "empty.fst")

    def test_paraver_is_in_order(self):
        self.good("trace", "convert", "--format", "paraver", "-o", "p.prv", "p.trace")
        lines = self.read("p.prv").decode().splitlines()
        self.assertRegex(lines[0], r"^#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):\d+_ns:1\(4\):1:4\(1:1,1:1,1:1,1:1\)$")
        length = int(re.search(r"(\d+)_ns", lines[0]).group(1))
        last = 0
        fields = {1: 8, 2: 8, 3: 15}
        for line in lines[1:]:
            numbers = [int(number) for number in line.split(":")]
            self.assertEqual(len(numbers), fields[numbers[0]])
            self.assertTrue(all(1 <= number <= 4 for number in (numbers[1], numbers[3])))
            self.assertLessEqual(last, numbers[5])
            last = numbers[5]
            self.assertLessEqual(last, length)
        values = re.findall(r"^(\d+) +(\S.*)$", self.read("p.pcf").decode(), re.MULTILINE)
        self.assertIn("MPI_Waitall", [name for _, name in values])
        self.assertIn("LEVEL THREAD SIZE 4\nrank 0\n", self.read("p.row").decode())
        self.refused("NAME.prv", "trace", "convert", "--format", "paraver", "-o", "p.x", "p.trace")
        self.refused("Say it with -o", "trace", "convert", "--format", "paraver", "p.trace")

    @needs("otf2-print")
    def test_otf2_is_read_by_its_library(self):
        status, _, err = self.orrery("trace", "convert", "--format", "otf2", "-o", "p.otf2", "p.trace")
        if status and "built without OTF2" in err:
            self.skipTest("this Orrery was built without OTF2")
        self.assertEqual((status, err), (0, ""))
        events = self.tool("otf2-print", "p.otf2/traces.otf2")
        self.assertEqual(len(re.findall("^MPI_SEND ", events, re.MULTILINE)), 4)
        self.assertEqual(len(re.findall("^MPI_RECV ", events, re.MULTILINE)), 4)
        self.assertEqual(len(re.findall("^MPI_COLLECTIVE_END .*ALLREDUCE", events, re.MULTILINE)), 4)
        self.assertIn("p.c:13 in main", events)
        stacks = {}
        for kind, place, region in re.findall(r'^(ENTER|LEAVE) +(\d+) +\d+  Region: "([^"]*)"', events, re.MULTILINE):
            stack = stacks.setdefault(place, [])
            if kind == "ENTER":
                stack.append(region)
            else:
                self.assertEqual(stack.pop(), region)
        self.assertEqual(stacks, {str(rank): [] for rank in range(4)})
        self.assertIn('Name: "MPI_COMM_WORLD"', self.tool("otf2-print", "-G", "p.otf2/traces.otf2"))
        self.refused("Is a directory", "trace", "convert", "--format", "otf2", "-o", "p.otf2", "p.trace")
        self.good("trace", "convert", "--format", "otf2", "-o", "empty.otf2", "empty.trace")
        self.tool("otf2-print", "empty.otf2/traces.otf2")

    def test_otf2_is_read_by_python(self):
        python = next((name for name in (sys.executable, "/usr/bin/python3")
                       if subprocess.run([name, "-c", "import otf2"], capture_output=True, check=False).returncode == 0), None)
        if not python:
            self.skipTest("python3-otf2 is not installed")
        if self.orrery("trace", "convert", "--format", "otf2", "-o", "p.otf2", "p.trace")[0]:
            self.skipTest("this Orrery was built without OTF2")
        self.assertEqual(self.tool(python, "-c", OTF2_READER), "1000000000000\n[1600, 1600, 1600, 1600]\n")

    def test_wrong_usage(self):
        self.refused("--format svg: it is one of csv, json, otf2", "trace", "convert", "--format", "svg", "p.trace")
        for form in TEXTS:
            self.refused("cannot write", "trace", "convert", "--format", form, "-o", "no/where", "p.trace")
        self.make("damaged.trace", self.read("p.trace")[:1000] + bytes(900) + self.read("p.trace")[1900:])
        for form in TEXTS:
            status, _, err = self.orrery("trace", "convert", "--format", form, "-o", "damaged.out", "damaged.trace")
            self.assertEqual(status, 2, err)
            self.assertFalse(os.path.exists(os.path.join(self.folder.name, "damaged.out")))


main()
