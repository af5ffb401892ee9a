#!/usr/bin/env python3
"""Profiles: every table adds up to what --json counts; why calls wait, to the picosecond; runs that end badly. See command.py."""
import csv
import io
import json
import os
import shutil
import subprocess

from command import Command, main

# On loggp-cluster: latency 1.5 us, 100 ps for each byte but the first, overhead 500 ns, copies 125 ps for each byte.
LATENCY, BYTE, OVERHEAD, COPY = 1500000, 100, 500000, 125
SLEEP = 100000000

WAITS = """#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
static char a[1000000], b[1000000];
int main(int argc, char **argv)
{
    int rank, ranks, mode = atoi(argv[1]), bytes = atoi(argv[2]), which, flag = 0;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Status *ignore = MPI_STATUS_IGNORE;
    MPI_Request r[2];
    MPI_Win win;
    MPI_Init(&argc, &argv), MPI_Comm_rank(world, &rank), MPI_Comm_size(world, &ranks);
    switch (mode) {
    case 1:
        if (rank == 0) usleep(100), MPI_Send(a, bytes, MPI_CHAR, 1, 0, world);
        if (rank == 1) MPI_Recv(a, bytes, MPI_CHAR, 0, 0, world, ignore);
        break;
    case 2:
        if (rank == 0) MPI_Ssend(a, bytes, MPI_CHAR, 1, 0, world);
        if (rank == 1) usleep(100), MPI_Recv(a, bytes, MPI_CHAR, 0, 0, world, ignore);
        break;
    case 3: usleep(100 * rank); MPI_Barrier(world); break;
    case 4:
        if (rank) usleep(100);
        MPI_Reduce(a, b, bytes, MPI_CHAR, MPI_BAND, 0, world);
        break;
    case 5:
        if (!rank) usleep(100);
        MPI_Bcast(a, bytes, MPI_CHAR, 0, world);
        break;
    case 6:
        if (rank < ranks / 2) MPI_Send(a, bytes, MPI_CHAR, rank + ranks / 2, 0, world);
        else MPI_Recv(a, bytes, MPI_CHAR, rank - ranks / 2, 0, world, ignore);
        break;
    case 7:
        if (rank == 1) usleep(100);
        for (int i = 0; i < 10; i++)
            if (rank == 0) MPI_Send(a, bytes, MPI_CHAR, 1, 0, world);
            else MPI_Recv(a, bytes, MPI_CHAR, 0, 0, world, ignore);
        break;
    case 8: case 9: /* two messages, the second one later */
        if (rank < 2) usleep(rank ? 50 : 100), MPI_Send(a, bytes, MPI_CHAR, 2, 0, world);
        if (rank != 2) break;
        MPI_Irecv(a, bytes, MPI_CHAR, 0, 0, world, &r[0]), MPI_Irecv(b, bytes, MPI_CHAR, 1, 0, world, &r[1]);
        if (mode == 8) { MPI_Waitall(2, r, MPI_STATUSES_IGNORE); break; }
        MPI_Waitany(2, r, &which, ignore);
        MPI_Wait(&r[!which], ignore);
        break;
    case 10:
        MPI_Win_create(b, sizeof b, 1, MPI_INFO_NULL, world, &win);
        if (rank < 2) {
            if (rank == 1) usleep(10);
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
            MPI_Put(a, bytes, MPI_CHAR, 0, 0, bytes, MPI_CHAR, win);
            MPI_Win_flush(0, win);
            if (rank == 0) usleep(100);
            MPI_Win_unlock(0, win);
        }
        MPI_Win_free(&win);
        break;
    case 11:
        if (rank == 0) MPI_Isend(a, bytes, MPI_CHAR, 1, 0, world, r), usleep(200), MPI_Wait(r, ignore);
        if (rank == 1) MPI_Recv(a, bytes, MPI_CHAR, 0, 0, world, ignore);
        break;
    case 12:
        if (rank == 0) usleep(100);
        MPI_Ibarrier(world, r), MPI_Wait(r, ignore);
        break;
    case 13: for (volatile int i = 0; i < 300000; i++) continue; MPI_Barrier(world); break;
    case 14:
        if (rank == 1) usleep(100), MPI_Send(a, bytes, MPI_CHAR, 0, 0, world);
        if (rank == 0) for (MPI_Irecv(a, bytes, MPI_CHAR, 1, 0, world, r); !flag;) MPI_Test(r, &flag, ignore);
        break;
    }
    MPI_Finalize();
}
"""

PROGRAM = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double x[1000];
static double half(double v) { return v * 0.5; }
static void work(int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 1000; i++)
            x[i] = half(x[i]) + i;
}
static int depth(int n)
{
    return n ? depth(n - 1) + 1 : 0;
}
int main(int argc, char **argv)
{
    int rank, ranks, how = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Pcontrol(7);
    for (int turn = 0; turn < 5; turn++) {
        double sum = x[3], all;
        work(3 + rank);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Send(x, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(x, 1000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("%d %d\\n", rank, depth(rank + 3));
    MPI_Pcontrol(0);
    if (how == 1 && rank == 1)
        *(volatile int *)0 = 1;
    if (how == 2)
        MPI_Recv(x, 1, MPI_DOUBLE, (rank + 1) % ranks, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (how == 3 && rank == 2)
        MPI_Abort(MPI_COMM_WORLD, 5);
    work(10);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return rank == 2 ? 3 : 0;
}
"""

STACKS = """#include <mpi.h>
static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void first(int n) { for (volatile int i = 0; i < n; i++) continue; meet(); }
static void second(void) { meet(); }
int main(int c, char **v)
{
    int rank; MPI_Init(&c, &v), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    first(1000 * rank + 10), second();
    return MPI_Finalize();
}
"""

LONG = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char big[4000000], other[4000000];
static double x[2000];
static double smooth(int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 1; i < 1999; i++)
            x[i] = (x[i - 1] + x[i + 1]) * .5 + 1;
    return x[7];
}
static unsigned collatz(unsigned n)
{
    unsigned k = 0;
    for (; n != 1; k++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return k;
}
static void copy(void) { memcpy(big, other, sizeof big); }
static unsigned tails(unsigned n, unsigned a)
{
    if (!n) { memset(other, (int)a, 300000); return a; }
    return tails(n - 1, a * 3 + n);
}
int main(int argc, char **argv)
{
    int rank, ranks, how = argc > 1 ? atoi(argv[1]) : 0;
    double s = 0, all = 0;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int turn = 0; turn < 24; turn++) {
        if (turn % 10 == 4) MPI_Pcontrol(turn % 3 + 2);
        s += smooth(40 + 20 * rank) + tails(rank + 5, turn) + MPI_Wtime();
        for (unsigned i = 1; i < 2000; i++)
            s += collatz(i);
        copy();
        if (turn % 7 == 2) usleep(50);
        MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (how == 1 && rank == 1 && turn == 18) *(volatile int *)0 = 1;
        if (how == 2 && turn == 20) MPI_Recv(x, 1, MPI_DOUBLE, !rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return MPI_Finalize();
}
"""

KINDS = ("compute_ps", "overhead_ps", "blocked_ps")


def total(rows, field):
    return tuple(sum(row[field][kind] if field else row[kind] for row in rows) for kind in KINDS)


class Profile(Command):
    def setUp(self):
        super().setUp()
        self.make("p.c", PROGRAM)
        self.make("w.c", WAITS)

    def profile(self, *arguments, status=0):
        got, _, err = self.orrery("run", "-q", "--json", "run.json", "--profile", "profile.json", *arguments)
        self.assertEqual(got, status, err)
        return json.loads(self.read("profile.json")), json.loads(self.read("run.json"))

    def adds_up(self, profile, run):
        """All tables are divisions of the same time, that of all ranks."""
        ranks = total(run["ranks"], None)
        for table, field in (("functions", "self"), ("nodes", "self"), ("lines", "times"), ("source_lines", "times"),
                             ("levels", "times"), ("loops", "times"), ("ranks", "times")):
            self.assertEqual(total(profile[table], field), ranks, table)
        self.assertEqual(total([profile], "times"), ranks)
        self.assertEqual(total([node for node in profile["nodes"] if node["parent"] is None], "total"), ranks)
        mpi = [a + b for a, b in zip(total(profile["sites"], "times"), total([profile], "no_site"))]
        self.assertEqual(mpi[1:], list(ranks[1:]))
        for mine, row in zip(profile["ranks"], run["ranks"]):
            self.assertEqual([mine["times"][kind] for kind in KINDS], [row[kind] for kind in KINDS])
            self.assertEqual(mine["finish_ps"], row["finish_ps"])
        for table, field in (("nodes", "self"), ("nodes", "total"), ("functions", "self"), ("sites", "times")):
            for row in profile[table]:
                self.assertEqual(sum(row[field]["wait_ps"].values()), row[field]["blocked_ps"])
        self.assertEqual(profile["makespan_ps"], run["makespan_ps"])

    def test_profiling_changes_nothing_and_adds_up(self):
        for options in ((), ("-O0",), ("-m", "mesh-4x4"), ("-m", "bus-16"), ("--set", "cost.branch-predictor=gshare"), ("--check",),
                        ("-m", "loggp-cluster", "--set", "node.cores=1", "--set", "network.nodes=2")):
            with self.subTest(options=options):
                plain = self.orrery("run", "-q", "-n", "4", "--json", "plain.json", *options, "p.c")
                profile, run = self.profile("-n", "4", *options, "p.c", status=3)
                self.assertEqual(run, json.loads(self.read("plain.json")))
                self.assertEqual(plain[0], 3)
                self.adds_up(profile, run)

    def test_bytes_do_not_depend_on_how_it_runs(self):
        for arguments, status in ((("p.c",), 3), (("p.c", "1"), 139), (("--max-time", "40us", "p.c"), 1)):
            first, _ = self.profile("-n", "4", *arguments, status=status)
            for options in (("--quantum", "1"), ("--quantum", "999999"), ("--jobs", "3"), ("--tier", "native")):
                with self.subTest(arguments=arguments, options=options):
                    self.assertEqual(self.profile("-n", "4", *options, *arguments, status=status)[0], first)

    def test_long_runs_are_sampled(self):
        """Sums are exact, and shares are nearly right; long calls of the library and calls of MPI are never sampled."""
        self.make("l.c", LONG)
        exact, run = None, None
        for options in ((), ("--quantum", "777", "--tier", "interp"), ("--quantum", "99999999", "--tier", "native")):
            profile, run = self.profile("-n", "2", *options, "l.c")
            self.adds_up(profile, run)
            exact = exact or profile
            self.assertEqual(profile, exact, options)
        self.assertGreater(profile["estimated_ps"], profile["times"]["compute_ps"] // 2)
        self.assertLess(profile["estimated_ps"], profile["times"]["compute_ps"])
        self.good("profile", "--exact", "-n", "2", "--json", "exact.json", "l.c")
        exact = json.loads(self.read("exact.json"))
        self.assertEqual(exact["estimated_ps"], 0)
        self.adds_up(exact, run)
        self.assertEqual([site["calls"] for site in exact["sites"]], [site["calls"] for site in profile["sites"]])
        self.assertEqual(exact["sites"], profile["sites"])
        self.assertEqual([row.get("turns") for row in exact["loops"]], [row.get("turns") for row in profile["loops"]])
        for name in ("smooth", "collatz", "copy"):
            true, found = (sum(row["total"]["compute_ps"] for row in one["functions"] if row["function"] == name)
                           for one in (exact, profile))
            self.assertAlmostEqual(found / true, 1, delta=.15, msg=name)

    def test_sampled_ranks_that_change(self):
        """Threads come when a rank has been sampled for long; memory is shared; ranks are spawned."""
        threads = ("#include <mpi.h>\n#include <setjmp.h>\nstatic double x[50000];\nstatic jmp_buf there;\n"
                   "static void deep(int n) { if (!n) longjmp(there, 1); deep(n - 1); }\n"
                   "int main(int c, char **v)\n{\n    double s = 0, g;\n    MPI_Init(&c, &v);\n"
                   "    for (int t = 0; t < 60; t++) {\n"
                   "        for (int i = 1; i < 49999; i++) x[i] = (x[i - 1] + x[i + 1]) * .5 + t;\n"
                   "        if (!setjmp(there)) deep(20);\n"
                   "        if (t > 50) {\n#pragma omp parallel for reduction(+:s)\n"
                   "            for (int i = 0; i < 2000; i++) s += x[i];\n        }\n"
                   "        MPI_Allreduce(&s, &g, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n    }\n"
                   "    return MPI_Finalize();\n}\n")
        spawns = ("#include <mpi.h>\nint main(int c, char **v)\n{\n    MPI_Comm parent, other;\n    double s = 0;\n"
                  "    MPI_Init(&c, &v), MPI_Comm_get_parent(&parent);\n    other = parent;\n"
                  "    for (int i = 0; i < 2000000; i++) s += i * .5;\n"
                  "    if (parent == MPI_COMM_NULL) MPI_Comm_spawn(v[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,\n"
                  "                                                &other, MPI_ERRCODES_IGNORE);\n"
                  "    MPI_Barrier(other);\n    for (int i = 0; i < 2000000; i++) s += i * .25;\n"
                  "    return MPI_Finalize() + (s < 0);\n}\n")
        for text, more in ((threads, ("-fopenmp",)), (spawns, ())):
            self.make("c.c", text)
            first = None
            for options in ((), ("--quantum", "5000", "--jobs", "2"), ("--tier", "native", "--jobs", "1")):
                with self.subTest(more=more, options=options):
                    profile, run = self.profile("-n", "2", *more, *options, "c.c")
                    first = first or profile
                    self.assertEqual(profile, first)
                    self.assertGreater(profile["estimated_ps"], 0)
                    self.assertEqual(profile["times"]["compute_ps"], sum(row["compute_ps"] for row in run["ranks"]))

    def test_sampled_runs_that_end_badly(self):
        self.make("l.c", LONG)
        for how, status in (("1", 139), ("2", 1)):
            first = None
            for options in ((), ("--quantum", "777"), ("--quantum", "99999999", "--tier", "native")):
                with self.subTest(how=how, options=options):
                    profile, run = self.profile("-n", "2", *options, "l.c", how, status=status)
                    self.adds_up(profile, run)
                    first = first or profile
                    self.assertEqual(profile, first)

    def test_runs_that_end_badly(self):
        for how, status in (("1", 139), ("2", 1), ("3", 5)):
            with self.subTest(how=how):
                self.adds_up(*self.profile("-n", "3", "p.c", how, status=status))
        for time in ("1ns", "10us", "33us"):
            with self.subTest(time=time):
                self.adds_up(*self.profile("-n", "3", "--max-time", time, "p.c", status=1))

    def test_programs_without_mpi_and_without_lines(self):
        self.make("s.c", "#include <stdio.h>\nint main(void) { int n = 0; for (int i = 0; i < 50; i++) n += i; return printf(\"%d\\n\", n) - 5; }\n")
        profile, run = self.profile("s.c")
        self.adds_up(profile, run)
        self.assertEqual((profile["sites"], profile["collectives"]), ([], []))
        self.good("cc", "-g0", "-o", "p", "p.c")
        profile, run = self.profile("-n", "3", "./p", status=3)
        self.adds_up(profile, run)
        self.assertIn("main", {row["function"] for row in profile["functions"]})

    def test_functions_paths_and_loops(self):
        profile, _ = self.profile("-n", "3", "-O0", "p.c", status=3)
        named = {row["function"]: row for row in profile["functions"]}
        self.assertEqual(named["work"]["calls"], 3 * 5 + 3)
        self.assertEqual(named["half"]["calls"], 1000 * (5 * (3 + 4 + 5) + 3 * 10))
        self.assertEqual(named["depth"]["calls"], 4 + 5 + 6)
        self.assertEqual(len([node for node in profile["nodes"] if node["function"] == "depth"]), 1) # recursion folds
        self.assertGreater(named["work"]["most_ps"], named["work"]["least_ps"])
        loop = [row for row in profile["loops"] if "turns" in row]
        self.assertEqual([(row["first_line"], row["last_line"], row["turns"]) for row in loop if "main" in row["name"]],
                         [(21, 28, 15)])
        inlined, _ = self.profile("-n", "3", "-O2", "p.c", status=3)
        self.assertIn(("half", True), {(row["function"], row["inlined"]) for row in inlined["functions"]})
        self.assertEqual([row["name"] for row in profile["levels"]], ["level 1", "level 7", "level 0 (not recorded)"])
        self.assertGreater(profile["levels"][1]["times"]["compute_ps"], 0)

    def test_call_sites_and_collectives(self):
        profile, _ = self.profile("-n", "4", "p.c", status=3)
        sites = {(row["call"], row["line"]): row for row in profile["sites"]}
        send = sites["MPI_Send", 26]
        self.assertEqual((send["function"], send["calls"], send["messages"], send["bytes"], send["min_bytes"], send["max_bytes"]),
                         ("main", 5, 5, 40000, 8000, 8000))
        self.assertLessEqual(send["min_ps"], send["max_ps"])
        self.assertEqual([(row["collective"], row["algorithm"], row["calls"]) for row in profile["collectives"]],
                         [("MPI_Allreduce", "recursive-doubling", 20)])
        self.assertNotIn("MPI_Barrier", {name for name, _ in sites}) # MPI_Pcontrol(0) has ended the recording

    def test_stacks(self):
        self.make("p.c", STACKS)
        profile, run = self.profile("-n", "3", "-O0", "p.c")
        self.adds_up(profile, run)
        nodes = profile["nodes"]
        paths = set()
        for call in profile["calls"]:
            frames, node = [call["call"]], call["node"]
            while node is not None:
                frames.append(nodes[node]["function"])
                node = nodes[node]["parent"]
            paths.add(" ".join(frames[:-1]))
        self.assertLessEqual({"MPI_Barrier meet first main", "MPI_Barrier meet second main"}, paths)
        self.assertEqual(total(profile["calls"], "times")[1:], total(run["ranks"], None)[1:])
        self.good("profile", "-n", "3", "-O0", "--by", "stack", "--csv", "s.csv", "p.c")
        rows = [row for row in csv.DictReader(io.StringIO(self.read("s.csv").decode())) if row["call"] == "MPI_Barrier"]
        self.assertEqual({row["site"] for row in rows}, {"1"})
        self.assertEqual(sorted(row["stack"].split(" < _start")[0] for row in rows),
                         ["meet p.c:2 < first p.c:3 < main p.c:8", "meet p.c:2 < second p.c:4 < main p.c:8"])

    def test_callgrind_and_folded_stacks(self):
        self.make("p.c", STACKS)
        self.good("profile", "-n", "3", "-O0", "--callgrind", "p.out", "--folded", "p.folded", "--json", "p.json", "p.c")
        profile = json.loads(self.read("p.json"))
        times = [profile["times"][kind] for kind in KINDS]
        lines = self.read("p.out").decode().splitlines()
        self.assertIn("summary: " + " ".join(map(str, times)), lines)
        own = [[int(part) for part in line.split()[1:]] for before, line in zip(lines, lines[1:])
               if line[:1].isdigit() and not before.startswith("calls=")]
        self.assertEqual([sum(column) for column in zip(*own)], times)
        folded = [line.rsplit(" ", 1) for line in self.read("p.folded").decode().splitlines()]
        self.assertLess(abs(sum(int(ns) for _, ns in folded) * 1000 - sum(times)), 1000 * len(folded))
        self.assertTrue(any(stack.startswith("_start;main;second;meet;MPI_Barrier;waiting;") for stack, _ in folded))
        if not shutil.which("callgrind_annotate"):
            self.skipTest("callgrind_annotate is not installed")
        shown = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--tree=calling", "p.out"], cwd=self.folder.name,
                               capture_output=True, text=True)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        named = {row["function"]: row for row in profile["functions"]}
        whole = f"{named['first']['total']['compute_ps']:,}"
        self.assertRegex(shown.stdout, whole + r" .*\* +p\.c:first")

    def test_imbalance(self):
        """Who has computed for less than the slowest one, waits for it; not for a sleep, nor for messages."""
        self.make("i.c", "#include <mpi.h>\n#include <unistd.h>\nint main(int c, char **v)\n{\n"
                         "    int rank; MPI_Init(&c, &v), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                         "    MPI_Barrier(MPI_COMM_WORLD);\n"
                         "    for (volatile int i = 0; i < 20000 * rank; i++) continue;\n"
                         "    MPI_Barrier(MPI_COMM_WORLD);\n"
                         "    if (rank == 1) usleep(100);\n"
                         "    MPI_Barrier(MPI_COMM_WORLD);\n    return MPI_Finalize();\n}\n")
        profile, run = self.profile("-n", "4", *("-m", "loggp-cluster"), "i.c")
        self.adds_up(profile, run)
        sites = {site["line"]: site for site in profile["sites"] if site["call"] == "MPI_Barrier"}
        computed = [rank["times"]["compute_ps"] for rank in profile["ranks"]]
        expected = sum(max(computed) - each for each in computed)
        self.assertLess(abs(sites[8]["imbalance_ps"] - expected), expected // 100)
        self.assertLess(sites[10]["imbalance_ps"], expected // 100)
        self.assertGreater(sites[10]["times"]["blocked_ps"], 3 * SLEEP)
        self.assertEqual(profile["imbalance_ps"], sum(site["imbalance_ps"] for site in profile["sites"]))
        self.assertRegex(self.good("profile", "-n", "4", "i.c")[1], r"of it, by imbalance +\d")

    def test_imbalance_in_any_communicator(self):
        """Ranks that have met in a row wait in the column only for what others have computed more since; nonblocking
        collectives meet where they begin, and are waited for where they end."""
        self.make("i.c", "#include <mpi.h>\n#define WORK(n) for (volatile int i = 0; i < (n); i++) continue\n"
                         "int main(int c, char **v)\n{\n"
                         "    int rank; MPI_Comm row, column; MPI_Request request;\n"
                         "    MPI_Init(&c, &v), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                         "    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &row), MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &column);\n"
                         "    if (rank == 0) WORK(20000);\n"
                         "    MPI_Barrier(row);\n"
                         "    MPI_Barrier(column);\n"
                         "    if (rank == 3) WORK(30000);\n"
                         "    MPI_Ibarrier(MPI_COMM_WORLD, &request);\n"
                         "    if (rank == 1) WORK(10000);\n"
                         "    MPI_Wait(&request, MPI_STATUS_IGNORE);\n"
                         "    MPI_Barrier(MPI_COMM_SELF);\n    return MPI_Finalize();\n}\n")
        profile, run = self.profile("-n", "4", *("-m", "loggp-cluster"), "i.c")
        self.adds_up(profile, run)
        unit = profile["ranks"][0]["times"]["compute_ps"] - profile["ranks"][2]["times"]["compute_ps"]
        sites = {site["line"]: site["imbalance_ps"] / unit for site in profile["sites"]}
        # the row of rank 1: 1; ranks 2 and 3 in the column: 1 each; at the end ranks 0 and 2: 1.5, rank 1: 1.5 - 0.5
        for line, expected in ((9, 1), (10, 2), (14, 4), (15, 0)):
            self.assertAlmostEqual(sites[line], expected, delta=0.05, msg=line)
        self.assertEqual(profile["imbalance_ps"], sum(site["imbalance_ps"] for site in profile["sites"]))
        waited = {site["line"]: site["times"]["blocked_ps"] for site in profile["sites"]}
        self.assertTrue(all(site["imbalance_ps"] <= waited[site["line"]] for site in profile["sites"]))

    def test_imbalance_where_not_all_come(self):
        """Meetings that a rank is not recorded at, or that nobody ends, keep nobody from going on."""
        self.make("n.c", "#include <mpi.h>\nint main(int c, char **v)\n{\n    int rank; MPI_Init(&c, &v), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                         "    if (rank == 1) MPI_Pcontrol(0);\n    for (int i = 0; i < 6000; i++) MPI_Barrier(MPI_COMM_WORLD);\n"
                         "    if (rank == 1) MPI_Pcontrol(1);\n    for (volatile int i = 0; i < 1000 * rank; i++) continue;\n"
                         "    MPI_Barrier(MPI_COMM_WORLD);\n    return MPI_Finalize();\n}\n")
        profile, run = self.profile("-n", "3", *("-m", "loggp-cluster"), "n.c")
        self.adds_up(profile, run)

    def test_functions_that_calls_run(self):
        """What a call waits for between an operator's runs is the call's, and has its cause."""
        self.make("o.c", "#include <mpi.h>\n"
                         "static void op(void *a, void *b, int *n, MPI_Datatype *t)\n"
                         "{ for (volatile int k = 0; k < 1000; k++) continue; *(int *)b += *(int *)a + *n - *n + !t; }\n"
                         "int main(int c, char **v) { int s = 1, t; MPI_Op o; MPI_Init(&c, &v), MPI_Op_create(op, 1, &o);\n"
                         "for (int i = 0; i < 3; i++) MPI_Allreduce(&s, &t, 1, MPI_INT, o, MPI_COMM_WORLD);\n"
                         "MPI_Op_free(&o), MPI_Finalize(); return t != 8; }\n")
        profile, run = self.profile("-n", "8", "-O0", "o.c")
        self.adds_up(profile, run)
        self.assertLessEqual(set(profile["times"]["wait_ps"]), {"transfer", "wait at collective", "contention"})
        named = {row["function"]: row for row in profile["functions"]}
        self.assertEqual((named["op"]["self"]["overhead_ps"], named["op"]["self"]["blocked_ps"]), (0, 0))
        self.assertGreater(named["op"]["self"]["compute_ps"], 0)

    def test_floating_point_flags_stay_those_of_the_program(self):
        self.make("f.c", "#include <fenv.h>\n#include <stdio.h>\n#pragma STDC FENV_ACCESS ON\n"
                         "static int __attribute__((noinline)) other(int i) { return i + 1; }\n"
                         "int main(void) { volatile double one = 1, x; int raised = 0; for (int i = 0; i < 50; i++) {\n"
                         "feclearexcept(FE_ALL_EXCEPT); x = one / (i % 4 ? i % 4 : 2); printf(\"%d\", other(i));\n"
                         "raised = raised * 3 % 10007 + (fetestexcept(FE_INEXACT) != 0); } printf(\" %d\\n\", raised); }\n")
        self.assertEqual(self.good("run", "f.c")[0], self.good("run", "--profile", "p.json", "f.c")[0])

    def test_counts(self):
        profile, run = self.profile("-n", "2", "--set", "cost.branch-predictor=bimodal", "p.c")
        self.assertEqual(profile["counts"]["mispredicted"], sum(row["mispredicted"] for row in run["ranks"]))
        self.assertEqual(profile["counts"]["instructions"], sum(row["counts"]["instructions"] for row in profile["source_lines"]))
        self.assertGreater(profile["counts"]["loads"], 0)

    # -- why calls wait -------------------------------------------------------------------------

    def waits(self, mode, ranks, bytes_, *options, machine="loggp-cluster"):
        profile, run = self.profile("-m", machine, "-n", str(ranks), *options, "w.c", str(mode), str(bytes_))
        self.adds_up(profile, run)
        return {row["call"]: row["times"]["wait_ps"] for row in profile["sites"]}, profile

    def is_near(self, got, expected):
        """The sleeps of the two sides are exact, but not when they begin."""
        self.assertLess(abs(got - expected), 2000000)

    def test_late_sender(self):
        for bytes_ in (1, 8, 1001):
            waits = self.waits(1, 2, bytes_)[0]["MPI_Recv"]
            self.assertEqual(set(waits), {"late sender", "transfer"})
            self.assertEqual(waits["transfer"], LATENCY + (bytes_ - 1) * BYTE)
            self.is_near(waits["late sender"], SLEEP)
        waits = self.waits(11, 2, 100000)[0] # rendezvous: the sender computes when it is permitted to go on
        self.assertEqual(waits["MPI_Recv"]["transfer"], LATENCY + 99999 * BYTE)
        self.assertEqual(waits["MPI_Recv"]["hand-shake"], 2 * LATENCY + 2 * OVERHEAD)
        self.is_near(waits["MPI_Recv"]["late sender"], 2 * SLEEP - LATENCY * 2)
        self.assertEqual(waits["MPI_Wait"], {"transfer": 99999 * BYTE})

    def test_late_receiver(self):
        for bytes_ in (8, 100000):
            waits = self.waits(2, 2, bytes_)[0]
            self.assertEqual({name: waits["MPI_Ssend"][name] for name in ("transfer", "hand-shake")},
                             {"transfer": (bytes_ - 1) * BYTE, "hand-shake": 2 * LATENCY + 2 * OVERHEAD})
            self.is_near(waits["MPI_Ssend"]["late receiver"], SLEEP - LATENCY)
            self.assertEqual(waits["MPI_Recv"], {"hand-shake": LATENCY + 2 * OVERHEAD, "transfer": LATENCY + (bytes_ - 1) * BYTE})

    def test_collectives(self):
        waits = self.waits(3, 3, 0)[0]["MPI_Barrier"]
        self.assertEqual(waits["transfer"], 3 * LATENCY)
        self.is_near(waits["wait at collective"], 3 * SLEEP + 2 * (LATENCY + OVERHEAD))
        waits = self.waits(4, 2, 8)[0]["MPI_Reduce"]
        self.assertEqual(waits["transfer"], LATENCY + 7 * BYTE)
        self.is_near(waits["early reduce"], SLEEP)
        self.assertEqual(set(waits), {"transfer", "early reduce"})
        waits = self.waits(5, 2, 8)[0]["MPI_Bcast"]
        self.assertEqual(waits["transfer"], LATENCY + 7 * BYTE)
        self.is_near(waits["late broadcast"], SLEEP)
        self.assertEqual(waits["wait at collective"], OVERHEAD + 8 * COPY) # the root sends
        waits, profile = self.waits(12, 3, 0)
        self.assertEqual([(row["collective"], row["calls"]) for row in profile["collectives"]], [("MPI_Ibarrier", 3)])
        waits = waits["MPI_Wait"]
        self.assertEqual(waits["transfer"], 3 * LATENCY)
        self.is_near(waits["wait at collective"], 2 * SLEEP + 3 * (LATENCY + OVERHEAD))

    def test_contention(self):
        """On a bus, messages that begin at once pass one after the other: the i-th waits for i others."""
        alone = self.waits(6, 2, 1000, machine="bus-16")[1]["times"]["wait_ps"]
        self.assertNotIn("contention", alone)
        both = self.waits(6, 8, 1000, machine="bus-16")[1]["times"]["wait_ps"]
        self.assertEqual(both["transfer"], 4 * alone["transfer"])
        self.assertGreater(both["contention"], 3 * alone["transfer"])

    def test_requests(self):
        waits = self.waits(8, 3, 8)[0]["MPI_Waitall"] # the later one has ended it
        self.assertEqual(waits["transfer"], LATENCY + 7 * BYTE)
        self.is_near(waits["late sender"], SLEEP - LATENCY)
        waits = self.waits(9, 3, 8)[0]
        self.assertEqual((waits["MPI_Waitany"]["transfer"], waits["MPI_Wait"]["transfer"]), (LATENCY + 7 * BYTE,) * 2)
        self.is_near(waits["MPI_Waitany"]["late sender"], SLEEP // 2)
        self.is_near(waits["MPI_Wait"]["late sender"], SLEEP // 2 - LATENCY)
        self.adds_up(*self.profile("-m", "loggp-cluster", "-n", "2", "w.c", "14", "8"))

    def test_protocols(self):
        waits = self.waits(7, 2, 9000, "--set", "protocol.credits=32 KiB")[0]["MPI_Send"]
        self.assertEqual(set(waits), {"credits", "transfer"}) # three messages without credits go by rendezvous
        self.assertEqual(waits["transfer"], 3 * 8999 * BYTE)
        self.is_near(waits["credits"], SLEEP + 14 * LATENCY // 2 + 3 * LATENCY)
        waits = self.waits(2, 2, 1000, "--set", "protocol.all=receiver-post")[0]["MPI_Ssend"]
        self.is_near(waits["late receiver"], SLEEP - LATENCY)
        waits = self.waits(2, 2, 1000, "--set", "protocol.all=daemon", "--set", "node.cores=2")[0]["MPI_Ssend"]
        self.is_near(waits["late receiver"], SLEEP + OVERHEAD)
        self.waits(7, 2, 9000, "--set", "protocol.all=put")
        for progress in (("offload",), ("thread", "--set", "node.cores=2")):
            waits = self.waits(2, 2, 100000, "--set", "mpi.progress=" + progress[0], *progress[1:])[0]
            self.assertEqual(waits["MPI_Ssend"]["transfer"], 99999 * BYTE)

    def test_locks_and_cores(self):
        waits = self.waits(10, 2, 8)[0]
        self.is_near(waits["MPI_Win_lock"]["lock"], SLEEP - SLEEP // 10)
        self.assertEqual(set(waits["MPI_Win_flush"]), {"window"})
        profile = self.waits(13, 3, 0, "--set", "node.cores=1", "--set", "network.nodes=1")[1]
        self.assertGreater(profile["no_site"]["wait_ps"]["processor"], profile["ranks"][0]["times"]["compute_ps"])

    # -- the command ---------------------------------------------------------------------------

    def test_tables(self):
        names = ("function", "tree", "line", "site", "collective", "phase", "counts", "rank", "source")
        status, out, err = self.orrery("profile", "-n", "4", "p.c")
        self.assertEqual((status, sorted(out.split("\n"))), (3, sorted(["", "0 3", "1 4", "2 5", "3 6"])))
        for text in ("By function:", "By source line:", "By MPI call site:", "By collective and algorithm:", "By phase",
                     "wait at collective", "recursive-doubling", "loop in main, p.c:21-28"):
            self.assertIn(text, err)
        for name in names:
            with self.subTest(name=name):
                self.orrery("profile", "-n", "4", "-q", "--by", name, "--csv", "t.csv", "-o", "t.txt", "p.c")
                rows = list(csv.DictReader(io.StringIO(self.read("t.csv").decode())))
                self.assertGreater(len(rows), 0)
                self.assertIn(b"4 ranks on laptop", self.read("t.txt"))
                if name in ("function", "line", "rank", "source"):
                    profile, run = self.profile("-n", "4", "p.c", status=3)
                    self.assertEqual(tuple(sum(int(row[kind]) for row in rows) for kind in KINDS), total(run["ranks"], None))
        _, _, err = self.orrery("profile", "-n", "4", "--by", "line", "--rows", "2", "p.c")
        self.assertRegex(err, r"\(\d+ more rows; --rows 0 shows all\)")
        _, _, err = self.orrery("profile", "-n", "4", "--by", "source", "p.c")
        self.assertIn("x[i] = half(x[i]) + i;", err)

    def test_wrong_usage(self):
        self.refused("--by", "profile", "--by", "nothing", "p.c")
        self.refused("--rows", "profile", "--rows", "-1", "p.c")
        self.refused("--csv writes one table", "profile", "--csv", "t.csv", "p.c")
        self.refused("--csv writes one table", "profile", "--by", "line,site", "--csv", "t.csv", "p.c")
        self.refused("no program is given", "profile")
        self.refused("missing", "profile", "--json", "missing/t.json", "p.c")

    def test_many_ranks(self):
        self.make("m.c", "#include <mpi.h>\nint main(int c, char **v) { int s = 1, t; MPI_Init(&c, &v);\n"
                         "MPI_Allreduce(&s, &t, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); MPI_Finalize(); return t != 3000; }\n")
        self.adds_up(*self.profile("-m", "loggp-cluster", "-n", "3000", "m.c"))

    def test_a_burst_that_ends_in_the_last_function(self):
        """Of many ranks, some end behind a sample that ended in a function called at the end."""
        self.make("b.c", "#include <mpi.h>\n#include <stdlib.h>\nint main(int c, char **v) { int r, n, x = 1, y;\n"
                         "MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &n); srand(r);\n"
                         "for (int i = 0; i < 101; i++) { volatile int s = 0; for (int k = rand() % 300; k > 0; k--) s += k;\n"
                         "MPI_Sendrecv(&x, 1, MPI_INT, (r + 1) % n, 0, &y, 1, MPI_INT, (r + n - 1) % n, 0, MPI_COMM_WORLD,\n"
                         "MPI_STATUS_IGNORE); } MPI_Finalize(); return 0; }\n")
        self.adds_up(*self.profile("-m", "loggp-cluster", "-n", "512", "b.c"))


if __name__ == "__main__":
    main()
