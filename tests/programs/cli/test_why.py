#!/usr/bin/env python3
"""Where the time went: critical path, slack, what-if, scaling, the diagnosis of --stats. See command.py."""
import csv
import io
import json
import os
import re
from fractions import Fraction

from command import Command, ROOT, main

# Rank 0 computes and sends to 1, who computes and sends to 2. Rank 3 computes EXTRA rounds and meets them at the end.
CHAIN = """#include <mpi.h>
#ifndef EXTRA
#define EXTRA 0
#endif
static double work(long n)
{
    volatile double s = 0;
    for (long i = 0; i < n; i++)
        s += i * 0.5;
    return s;
}
int main(int argc, char **argv)
{
    double x = 1;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        work(20000);
        MPI_Send(&x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(30000);
        MPI_Send(&x, 1, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&x, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_DOUBLE, 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(10000);
    } else {
        work(1000 + EXTRA);
        MPI_Send(&x, 1, MPI_DOUBLE, 2, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
"""
SEND_0, RECV_1, SEND_1, RECV_2, SEND_3 = 20, 22, 24, 26, 31

# Ranks compute unequally long before each of three meetings.
UNEQUAL = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    volatile double s = 0;
    int rank, ranks, c = getchar();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int turn = 0; turn < 3; turn++) {
        long n = LEVEL ? 20000 + 10000 * (ranks - 1) : 20000 + 20000 * ((rank + turn) % ranks);
        for (long i = 0; i < n; i++)
            s += i;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("read %c\\n", c);
    MPI_Finalize();
}
"""

# A serial part on rank 0, and one that ranks share.
AMDAHL = """#include <mpi.h>
#include <stdlib.h>
static double work(long n)
{
    volatile double s = 0;
    for (long i = 0; i < n; i++)
        s += i * 0.5;
    return s;
}
static void serial(int rank)
{
    if (rank == 0)
        work(100000);
    MPI_Barrier(MPI_COMM_WORLD);
}
static void shared(int ranks, long n)
{
    work(n / ranks);
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 3)
        MPI_Abort(MPI_COMM_WORLD, 7);
    serial(rank);
    shared(ranks, argc > 1 ? atol(argv[1]) : 900000);
    MPI_Finalize();
}
"""

MACHINE = ("--machine", "loggp-cluster")


class Why(Command):
    def makespan(self, *arguments, **options):
        self.good("run", "-q", "--json", "m.json", *arguments, **options)
        return json.loads(self.read("m.json"))["makespan_ps"]


class CriticalPath(Why):
    def path(self, *arguments):
        self.good("critical-path", "--json", "p.json", *arguments)
        return json.loads(self.read("p.json"))

    def line(self, path, kind, number):
        return next(row for row in path["lines"] if row["kind"] == kind and row.get("line") == number)

    def test_a_chain_whose_path_is_known(self):
        self.make("chain.c", CHAIN)
        path = self.path("-n", "4", *MACHINE, "chain.c")
        self.assertEqual(path["makespan_ps"], self.makespan("-n", "4", *MACHINE, "chain.c"))
        self.assertEqual([(piece["rank"], piece["line"]) for piece in path["pieces"] if piece["kind"] == "transfer"],
                         [(1, RECV_1), (2, RECV_2)])
        ranks = [piece["rank"] for piece in path["pieces"] if piece["kind"] == "computing"]
        self.assertEqual(sorted(ranks), ranks)
        self.assertEqual(set(ranks), {0, 1, 2})
        for number in SEND_0, SEND_1:
            row = self.line(path, "computing", number)
            self.assertEqual(row["path_ps"], row["time_ps"])
            self.assertEqual(row["slack_ps"], 0)
        self.assertEqual(self.line(path, "computing", SEND_3)["path_ps"], 0)

    def test_pieces_add_up(self):
        self.make("chain.c", CHAIN)
        for program, ranks in (("chain.c", 4), ("hello.c", 5)):
            out, _ = self.good("critical-path", "--csv", "-", "-n", str(ranks), program)
            done = 0
            for row in csv.DictReader(io.StringIO(out)):
                self.assertEqual(int(row["from_ps"]), done)
                done = int(row["to_ps"])
            self.assertEqual(done, self.makespan("-n", str(ranks), program))
            path = self.path("-n", str(ranks), program)
            self.assertEqual(sum(path["kinds"].values()), done)
            self.assertEqual(sum(row["path_ps"] for row in path["lines"]), done)

    def test_states_add_up_to_the_statistics(self):
        """Also of a program whose operators run within calls (io_rank.c)."""
        self.make("chain.c", CHAIN)
        for program, ranks, text in (("chain.c", 4, ""), (os.path.join(ROOT, "samples", "io_rank.c"), 6, "2.5"), (os.path.join(ROOT, "samples", "jacobi.c"), 4, "")):
            self.good("run", "-q", "-n", str(ranks), "--json", "m.json", program, stdin=text)
            counted = {name: sum(rank[name + "_ps"] for rank in json.loads(self.read("m.json"))["ranks"]) for name in ("compute", "overhead", "blocked")}
            found = {"compute": 0, "overhead": 0, "blocked": 0}
            self.good("critical-path", "-n", str(ranks), "--json", "p.json", program, stdin=text)
            for row in json.loads(self.read("p.json"))["lines"]:
                found[{"computing": "compute", "overhead": "overhead"}.get(row["kind"], "blocked")] += row["time_ps"]
            self.assertEqual(found, counted, program)

    def test_slack_is_what_it_says(self):
        """Computing that takes less than its slack longer changes nothing; what is beyond comes on top."""
        self.make("chain.c", CHAIN)
        base = self.path("-n", "4", *MACHINE, "chain.c")
        before = self.line(base, "computing", SEND_3)
        self.assertGreater(before["slack_ps"], 0)
        round_ps = before["time_ps"] // 1000
        for part, longer in ((Fraction(1, 2), False), (Fraction(9, 10), False), (Fraction(3, 2), True)):
            extra = int(before["slack_ps"] * part / round_ps)
            path = self.path("-n", "4", *MACHINE, "-DEXTRA=%d" % extra, "chain.c")
            grown = self.line(path, "computing", SEND_3)["time_ps"] - before["time_ps"]
            self.assertEqual(path["makespan_ps"] - base["makespan_ps"], max(0, grown - before["slack_ps"]))
            self.assertEqual(grown > before["slack_ps"], longer)

    def test_links(self):
        """A message from node 0 to node 3 of a ring goes over three links, and all its time is theirs."""
        self.make("far.c", CHAIN.replace("rank == 1", "rank == 3").replace("MPI_DOUBLE, 1, 0", "MPI_DOUBLE, 3, 0").replace("} else {", "} else if (0) {"
                  ).replace("rank == 2", "rank == 4").replace("MPI_Send(&x, 1, MPI_DOUBLE, 2", "if (0) MPI_Send(&x, 1, MPI_DOUBLE, 2"))
        path = self.path("-n", "4", "--machine", "ring-8", "far.c")
        self.assertEqual([piece["link"] for piece in path["pieces"] if "link" in piece],
                         ["network interface", "node 0 -> node 1", "node 1 -> node 2", "node 2 -> node 3"])
        self.assertEqual(sum(path["links"].values()), path["kinds"]["transfer"])

    def test_a_trace_says_the_same(self):
        self.make("chain.c", CHAIN)
        self.good("run", "-n", "4", "--trace", "t", "--trace-detail", "waits,hops", "--quantum", "7", "chain.c")
        self.good("run", "-n", "4", "--trace", "plain", "chain.c")
        expected = self.good("critical-path", "-n", "4", "chain.c")[0]
        self.assertEqual(self.good("critical-path", "t")[0], expected)
        for options in (["--quantum", "1"], ["--tier", "interp"], ["--jobs", "2"]):
            self.assertEqual(self.good("critical-path", "-n", "4", *options, "chain.c")[0], expected)
        self.assertEqual(self.good("critical-path", "plain")[0].split("\n\n")[:3], expected.split("\n\n")[:3])
        self.assertIn("by line", expected)
        self.assertNotIn("Hello", self.good("critical-path", "-n", "2", "hello.c")[0])

    def test_what_is_refused(self):
        self.refused("no trace and no program", "critical-path")
        self.refused("--longest", "critical-path", "--longest", "x", "hello.c")
        self.refused("nothing.c", "critical-path", "nothing.c")
        self.make("t", b"\x8fTrace\r\n\x01\0\0\0\0\0\0\0")
        self.refused("no time of any rank|trace", "critical-path", "t")


class WhatIf(Why):
    def gains(self, *what, ranks=4, program="chain.c", options=(), **more):
        """The makespans of the table, "as it is" among them."""
        given = [argument for each in what for argument in ("--what-if", each)]
        _, err = self.good("run", "-n", str(ranks), *options, *given, program, **more)
        rows = re.findall(r"(?m)^  (\S.*?) {2,}([\d.]+ [mun]?s)(?: |$)", err)
        units = {"s": 10**12, "ms": 10**9, "us": 10**6, "ns": 10**3, "ps": 1}
        return {name: int(Fraction(time.split()[0]) * units[time.split()[1]]) for name, time in rows}

    def test_network_and_processor(self):
        self.make("chain.c", CHAIN)
        found = self.gains("network=free", "cpu=2x", "cpu=0.5x", "network=free+cpu=2x", options=MACHINE)
        path = json.loads(self.good("critical-path", "--json", "-", "-n", "4", *MACHINE, "chain.c")[0])
        self.assertEqual(found["as it is"], path["makespan_ps"])
        self.assertEqual(found["as it is"] - found["network=free"], path["kinds"]["transfer"])
        clock = self.makespan("-n", "4", *MACHINE, "chain.c")
        self.assertEqual(clock, found["as it is"])
        computing = path["kinds"]["computing"]
        self.assertLess(abs(found["as it is"] - found["cpu=2x"] - computing // 2), 10)
        self.assertLess(abs(found["cpu=0.5x"] - found["as it is"] - computing), 10)
        self.assertLess(found["network=free+cpu=2x"], found["cpu=2x"])

    def test_json(self):
        self.make("chain.c", CHAIN)
        found = self.gains("cpu=2x", "cpu=0.5x", options=(*MACHINE, "--json", "w.json"))
        run = json.loads(self.read("w.json"))
        self.assertEqual([(row["what"], row["makespan_ps"]) for row in run["what_if"]],
                         [(what, found[what]) for what in ("cpu=2x", "cpu=0.5x")])
        self.assertEqual([row["gain_ps"] for row in run["what_if"]],
                         [run["makespan_ps"] - row["makespan_ps"] for row in run["what_if"]])
        self.good("run", "-n", "4", *MACHINE, "--json", "w.json", "chain.c")
        self.assertNotIn("what_if", json.loads(self.read("w.json")))

    def test_imbalance(self):
        """Ranks that compute their mean between meetings are as fast as a program whose ranks compute equally long."""
        self.make("unequal.c", UNEQUAL)
        level = self.makespan("-n", "4", "-DLEVEL=1", "unequal.c", stdin="x")
        found = self.gains("imbalance=none", program="unequal.c", options=["-DLEVEL=0"], stdin="x")
        self.assertGreater(found["as it is"], level * 1.2)
        self.assertLess(abs(found["imbalance=none"] - level), level // 1000)

    def test_processor_time_goes_on(self):
        """clock() never goes back where cycles become shorter."""
        self.make("clock.c", "#include <mpi.h>\n#include <time.h>\nint main(int argc, char **argv)\n{\n    volatile double s = 0;\n    clock_t last = 0, now;\n"
                             "    int rank;\n    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                             "    for (int k = 0; k < 6; k++, last = now) {\n        for (long i = 0; i < 20000L * (1 + (rank + k) % 4); i++)\n            s += i;\n"
                             "        MPI_Barrier(MPI_COMM_WORLD), now = clock();\n        if (now < last)\n            MPI_Abort(MPI_COMM_WORLD, 3);\n    }\n    MPI_Finalize();\n}\n")
        found = self.gains("imbalance=none", program="clock.c")
        self.assertLess(found["imbalance=none"], 0.7 * found["as it is"])

    def test_algorithm_is_that_key(self):
        self.make("bcast.c", "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    static char x[100000];\n    MPI_Init(&argc, &argv);\n"
                             "    MPI_Bcast(x, 100000, MPI_CHAR, 0, MPI_COMM_WORLD);\n    MPI_Finalize();\n}\n")
        found = self.gains("algorithm:bcast=chain", ranks=8, program="bcast.c")
        self.assertEqual(found["algorithm:bcast=chain"], self.makespan("-n", "8", "--set", "collectives.bcast=chain", "bcast.c"))

    def test_a_link(self):
        self.make("link.c", "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    static char x[1000000];\n    int rank;\n"
                            "    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                            "    if (rank == 0)\n        MPI_Send(x, 1000000, MPI_CHAR, 1, 0, MPI_COMM_WORLD);\n"
                            "    if (rank == 1)\n        MPI_Recv(x, 1000000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n}\n")
        for machine in ("ring-8", "mesh-4x4", "torus-8x8x16"):
            found = self.gains("link:0-1=4x", "link:1-0=4x", "link:0-1=0.5x", ranks=2, program="link.c", options=["--machine", machine])
            before = found["as it is"]
            self.assertEqual(found["link:0-1=4x"], found["link:1-0=4x"])
            self.assertLess(found["link:0-1=4x"], before * 0.5, machine)
            self.assertGreater(found["link:0-1=0.5x"], before * 1.5, machine)
            if machine != "mesh-4x4": # the clock of a wormhole network is that of its fastest link
                free = self.gains("link:2-3=4x", ranks=2, program="link.c", options=["--machine", machine])
                self.assertEqual(free["link:2-3=4x"], before)

    def test_a_line(self):
        self.make("chain.c", CHAIN)
        found = self.gains("wait:%d=0" % RECV_1, "wait:chain.c:%d=0" % SEND_0, "wait:%d=0" % SEND_3, "network=free",
                           "wait:%d=0+wait:%d=0" % (RECV_1, RECV_2), options=MACHINE)
        one = found["as it is"] - found["wait:%d=0" % RECV_1]
        self.assertEqual(found["wait:chain.c:%d=0" % SEND_0], found["wait:%d=0" % RECV_1])
        self.assertGreater(one, 0)
        self.assertEqual(found["wait:%d=0" % SEND_3], found["as it is"])
        self.assertEqual(found["wait:%d=0+wait:%d=0" % (RECV_1, RECV_2)], found["network=free"])

    def test_nothing_but_the_table_is_new(self):
        self.make("unequal.c", UNEQUAL)
        asked = ["--what-if", "imbalance=none", "--what-if", "wait:14=0", "--what-if", "network=free"]
        expected = self.good("run", "-n", "4", "-DLEVEL=0", *asked, "unequal.c", stdin="y")
        self.assertEqual(expected[0], "read y\n")
        for options in (["--quantum", "1"], ["--tier", "interp"], ["--tier", "native"], ["--jobs", "2"]):
            self.assertEqual(self.good("run", "-n", "4", "-DLEVEL=0", *options, *asked, "unequal.c", stdin="y"), expected, options)

    def test_what_is_refused(self):
        self.make("chain.c", CHAIN)
        for what, pattern in (("netwrk=free", "did you mean network"), ("network=fast", "only be free"), ("cpu=2", "such as 2x"),
                              ("cpu=0x", "above 0"), ("cpu=-1x", "above 0"), ("cpu=1e3x", "above 0"), ("link:0=4x", "both ends"),
                              ("link:0-77=4x", "no link 0-77"), ("wait:0=0", "a line is needed"), ("wait:x.c=0", "a line is needed"),
                              ("wait:4711=0", "no code at line 4711"), ("wait:other.c:20=0", "no code at line 20 of other.c"),
                              ("wait:20=1", "only be 0"), ("algorithm:bcst=chain", "did you mean bcast"),
                              ("algorithm:bcast=chian", "there is no algorithm"), ("imbalance=half", "only be none"), ("", "There are"),
                              ("cpu", "There are"), ("cpu:2=2x", "There are"), ("link=2x", "There are"),
                              ("cpu=2x+cpu=3x", "twice in one run"), ("network=free+link:0-1=2x", "no link or wait"), ("cpu=2x+", "There are")):
            self.refused(pattern, "run", "-n", "2", "--machine", "ring-8", "--what-if", what, "chain.c")
        self.refused("given twice", "run", "--what-if", "cpu=2x", "--what-if", "cpu=2x", "chain.c")
        self.refused("loggp has no links", "run", "-n", "2", *MACHINE, "--what-if", "link:0-1=2x", "chain.c")


class Scaling(Why):
    def scale(self, *arguments, status=0, **options):
        got, _, err = self.orrery("scale", "--json", "s.json", *arguments, **options)
        self.assertEqual(got, status, err)
        return json.loads(self.read("s.json"))

    def test_strong(self):
        self.make("amdahl.c", AMDAHL)
        found = self.scale(*MACHINE, "-n", "1,2 4;8", "amdahl.c")
        points = found["points"]
        self.assertEqual([point["ranks"] for point in points], [1, 2, 4, 8])
        first = points[0]["makespan_ps"]
        for point in points:
            ranks, time = point["ranks"], point["makespan_ps"]
            self.assertEqual(time, self.makespan("-n", str(ranks), *MACHINE, "amdahl.c"))
            self.assertLess(abs(Fraction(str(point["speed_up"])) - Fraction(first, time)), Fraction(1, 10**6))
            self.assertLess(abs(Fraction(point["efficiency"]) - Fraction(first, time * ranks)), Fraction(1, 10**6))
            if ranks > 1:
                serial = (Fraction(time, first) - Fraction(1, ranks)) / (1 - Fraction(1, ranks))
                self.assertLess(abs(Fraction(str(point["karp_flatt"])) - serial), Fraction(1, 10**6))
        self.assertTrue(0.10 < float(found["amdahl"]["serial_fraction"]) < 0.11, found["amdahl"])
        self.assertLess(float(found["amdahl"]["deviation"]), 0.02)
        worst = found["functions"][0]
        self.assertEqual((worst["name"], worst["file"], worst["times_ps"][0], worst["times_ps"][-1]),
                         ("serial", "amdahl.c", worst["first_ps"], worst["last_ps"]))
        self.assertEqual(worst["growth"], round(worst["last_ps"] / worst["first_ps"], 6))
        for point, *times in zip(points, *(row["times_ps"] for row in found["functions"])):
            every = sum(point[key] for key in ("compute_ps", "overhead_ps", "blocked_ps"))
            self.assertLess(abs(sum(times) * point["ranks"] - every), 10 * point["ranks"]) # means are rounded
        rows = list(csv.DictReader(io.StringIO(self.good("scale", *MACHINE, "-n", "1,2 4;8", "--by", "function", "--csv", "-",
                                                         "amdahl.c")[0])))
        self.assertEqual([int(row["mean_rank_ps"]) for row in rows[:4]], worst["times_ps"])
        self.assertEqual((rows[0]["name"], rows[0]["growth"], rows[3]["ideal_ps"]), ("serial", "1.000000", str(worst["ideal_ps"])))
        self.refused("add --csv", "scale", "--by", "function", "amdahl.c")
        self.refused("function", "scale", "--by", "functoin", "--csv", "-", "amdahl.c")
        self.assertEqual(found["sites"][0]["name"], "MPI_Barrier at amdahl.c:14 in serial")

    def test_weak(self):
        self.make("amdahl.c", AMDAHL)
        found = self.scale(*MACHINE, "--weak", "--args", "{ranks}*900000", "-n", "1 4 16", "amdahl.c")
        first = found["points"][0]["makespan_ps"]
        for point in found["points"]:
            ranks = point["ranks"]
            self.assertEqual(point["makespan_ps"], self.makespan("-n", str(ranks), *MACHINE, "amdahl.c", str(900000 * ranks)))
            self.assertLess(abs(Fraction(point["efficiency"]) - Fraction(first, point["makespan_ps"])), Fraction(1, 10**6))
        self.assertLess(float(found["gustafson"]["serial_fraction"]), 0.02)
        self.assertLess(float(found["gustafson"]["deviation"]), 0.01)
        same = self.scale(*MACHINE, "--weak", "--args", "'{(ranks + 0) * 900000}'", "-n", "1 4 16", "amdahl.c")
        self.assertEqual(same, found)
        self.assertEqual(self.scale(*MACHINE, "--weak", "-n", "1 4 16", "amdahl.c", "{ranks}*900000"), found)

    def test_jobs_change_nothing(self):
        self.make("amdahl.c", AMDAHL)
        expected = self.good("scale", *MACHINE, "--jobs", "1", "amdahl.c")[0]
        for jobs in ("2", "7"):
            self.assertEqual(self.good("scale", *MACHINE, "--jobs", jobs, "amdahl.c")[0], expected)
        rows = list(csv.DictReader(io.StringIO(self.good("scale", *MACHINE, "--csv", "-", "amdahl.c")[0])))
        self.assertEqual([row["ranks"] for row in rows], ["1", "2", "4", "8", "16"])

    def test_a_run_without_a_result(self):
        self.make("amdahl.c", AMDAHL)
        status, out, _ = self.orrery("scale", *MACHINE, "-n", "3", "amdahl.c")
        self.assertEqual(status, 1)
        self.assertIn("no result", out)
        found = self.scale(*MACHINE, "-n", "2,3,4", "amdahl.c", status=1)
        self.assertNotIn("makespan_ps", found["points"][1])
        self.assertIn("MPI_Abort", found["points"][1]["note"])
        self.assertEqual(found["points"][0]["speed_up"], 1)

    def test_what_is_refused(self):
        for options, pattern in ((["-n", "0"], "at least one rank"), (["-n", "4,2"], "comes too late"), (["-n", "2,2"], "comes too late"),
                                 (["-n", "two"], "-n"), (["-n", ","], "a list"), (["--weak"], "must grow"),
                                 (["--args", "{rank}"], "sums and products"), (["--args", "{ranks"], "sums and products"),
                                 (["--args", "{ranks/0}"], "sums and products"), (["--args", "'"], "--args"), (["--jobs", "0"], "--jobs"),
                                 (["--args", "{ranks*9223372036854775807}", "-n", "2"], "sums and products")):
            self.refused(pattern, "scale", *options, "hello.c")
        self.refused("one program", "scale", "-n", "1,2", "hello.c", ":", "-n", "1", "hello.c")


class Diagnosis(Why):
    def losses(self, *arguments):
        _, err = self.good("run", "--stats", *arguments, stdin="x")
        return err[err.index("largest losses"):]

    def test_line_cause_and_advice(self):
        self.make("chain.c", CHAIN)
        text = self.losses("-n", "4", *MACHINE, "chain.c")
        self.assertRegex(text, r"1\. .* %% of the time of all ranks: late sender in MPI_Recv at chain.c:%d\n" % RECV_2)
        self.assertRegex(text, r"2\. .* late sender in MPI_Recv at chain.c:%d\n" % RECV_1)
        self.assertIn("rank 2 for rank 1", text.replace("\n     ", " "))
        self.assertEqual(text.count("What usually helps"), len(re.findall(r"(?m)^  \d\. ", text)))

    def test_imbalance(self):
        self.make("unequal.c", UNEQUAL)
        text = self.losses("-n", "4", "-DLEVEL=0", "unequal.c")
        self.assertRegex(text, r"1\. .*: wait at collective in MPI_Barrier at unequal.c:14\n")
        self.assertIn("--what-if imbalance=none", text.replace("\n     ", " "))

    def test_none_is_invented(self):
        self.make("alone.c", "int main(void) { volatile int s = 0; for (int i = 0; i < 100000; i++) s += i; return s == 1; }\n")
        self.assertIn("none:", self.losses("alone.c"))
        self.make("unequal.c", UNEQUAL)
        self.assertIn("none:", self.losses("-n", "1", "-DLEVEL=0", "unequal.c"))

    def test_never_without_stats(self):
        self.assertNotIn("losses", self.good("run", "-n", "2", "hello.c")[1])

    def test_quantum_and_tier_change_nothing(self):
        self.make("unequal.c", UNEQUAL)
        expected = self.losses("-n", "4", "-DLEVEL=0", "unequal.c")
        for options in (["--quantum", "1"], ["--tier", "native"], ["--jobs", "2"]):
            self.assertEqual(self.losses("-n", "4", "-DLEVEL=0", *options, "unequal.c"), expected)


if __name__ == "__main__":
    main()
