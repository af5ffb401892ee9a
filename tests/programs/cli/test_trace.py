#!/usr/bin/env python3
"""Traces: what is recorded, in every quantum; parts of it; two side by side; files that are none. See command.py."""
import csv
import io
import json
import os

from command import Command, main

PROGRAM = """#include <mpi.h>
#include <unistd.h>
static int ranks, rank;
static void pass(int turns)
{
    int token = 7;
    for (int i = 0; i < turns; i++) {
        if (rank % 2 == 0) {
            MPI_Send(&token, 1, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_INT, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_INT, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&token, 1, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD);
        }
    }
}
int main(int argc, char **argv)
{
    double mine[200] = {1}, all[200];
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    pass(20);
    usleep(100 * rank);
    MPI_Irecv(all, 200, MPI_DOUBLE, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(mine, 200, MPI_DOUBLE, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(mine, 1, MPI_DOUBLE, rank ^ 1, 6, all, 1, MPI_DOUBLE, rank ^ 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(mine, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#ifdef QUIET
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
#endif
    MPI_Finalize();
    return rank == 3 ? 4 : 0;
}
"""


class Trace(Command):
    def setUp(self):
        super().setUp()
        self.make("p.c", PROGRAM)

    def record(self, name, *options, status=4):
        self.assertEqual(self.orrery("run", "-q", "-n", "6", "--trace", name, *options, "p.c")[0], status)
        with open(os.path.join(self.folder.name, name), "rb") as file:
            return file.read()

    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.good("trace", "convert", *arguments)[0])))

    def test_bytes_do_not_depend_on_how_it_runs(self):
        for machine in ("laptop", "mesh-4x4"):
            first = self.record("a.trace", "--machine", machine)
            for options in (("--quantum", "1"), ("--quantum", "3001", "--tier", "interp"), ("--jobs", "3"), ("--tier", "native"),
                            ("--json", "run.json", "--traffic", "run.traffic"), ("--stats", "--profile", "run.profile")):
                with self.subTest(machine=machine, options=options):
                    self.assertEqual(self.record("b.trace", "--machine", machine, *options), first)

    def test_times_agree_with_statistics(self):
        """Calls, and what they were blocked for, are those that are counted; so are messages."""
        for options in ((), ("--check",), ("--machine", "mesh-4x4"), ("--set", "node.cores=2")):
            self.record("a.trace", "--json", "run.json", *options)
            run = json.loads(self.read("run.json"))
            rows = self.rows("a.trace")
            for rank in run["ranks"]:
                mine = [row for row in rows if row["rank"] == str(rank["rank"])]
                calls = [row for row in mine if row["kind"] == "call"]
                pauses = sum(int(row["time_ps"]) - int(row["from_ps"]) for row in mine if row["kind"] == "pause")
                time = sum(int(row["time_ps"]) - int(row["from_ps"]) for row in calls)
                blocked = sum(int(row["blocked_ps"]) for row in calls)
                ended = [row for row in mine if row["kind"] == "ended"]
                with self.subTest(options=options, rank=rank["rank"]):
                    self.assertLessEqual({"MPI_Send", "MPI_Recv", "MPI_Sendrecv", "MPI_Allreduce", "MPI_Waitall"},
                                         {row["function"] for row in calls})
                    self.assertEqual(blocked + pauses, rank["blocked_ps"])
                    self.assertEqual(time - blocked, rank["overhead_ps"])
                    self.assertEqual([int(row["time_ps"]) for row in ended], [rank["finish_ps"]])
                    self.assertEqual(ended[0]["status"], "4" if rank["rank"] == 3 else "0")
            ids = [int(row["id"]) for row in rows if row["kind"] == "message"]
            self.assertEqual((len(ids), len(set(ids))), (run["messages"], run["messages"]))

    def test_recording_can_be_switched_off(self):
        self.record("a.trace", "-DQUIET", "--json", "run.json")
        rows = self.rows("a.trace")
        self.assertNotIn("MPI_Barrier", {row["function"] for row in rows})
        self.assertLess(len([row for row in rows if row["kind"] == "message"]), json.loads(self.read("run.json"))["messages"])

    def test_calls_name_their_place_and_arguments(self):
        self.record("a.trace")
        sends = [row for row in self.rows("--ranks", "2", "--kinds", "call", "a.trace") if row["function"] == "MPI_Send"]
        self.assertEqual(len(sends), 20)
        self.assertEqual({(row["file"], row["line"], row["caller"]) for row in sends}, {("p.c", "9", "pass")})
        self.assertEqual({row["arguments"].split()[3] for row in sends}, {"3"}) # destination
        self.assertEqual({row["arguments"].split()[1] for row in sends}, {"1"}) # count
        both = [json.loads(line) for line in self.good("trace", "convert", "--format", "json", "--kinds", "call,ended",
                                                       "a.trace")[0].splitlines()]
        table = self.rows("--kinds", "call,ended", "a.trace")
        self.assertEqual([(row["rank"], row["time_ps"]) for row in both],
                         [(int(row["rank"]), int(row["time_ps"])) for row in table])

    def test_parts(self):
        self.record("a.trace")
        rows = [row for row in self.rows("a.trace") if row["rank"] in ("0", "4", "5") and int(row["time_ps"]) >= 9000000 and
                min(int(row[name]) for name in ("time_ps", "from_ps", "sent_ps") if row[name]) <= 20000000]
        self.assertGreater(len(rows), 10)
        self.good("trace", "cut", "--ranks", "4-5,0", "--from", "9us", "--to", "20us", "-o", "b.trace", "a.trace")
        self.assertEqual(self.rows("b.trace"), rows)
        self.assertIn("program   p\n", self.good("trace", "info", "b.trace")[0])
        self.good("trace", "cut", "-o", "c.trace", "a.trace")
        self.assertEqual(self.rows("c.trace"), self.rows("a.trace"))

    def test_differences(self):
        self.record("a.trace")
        self.assertIn("make the same calls at the same times", self.good("trace", "diff", "a.trace", "a.trace")[0])
        self.record("b.trace", "--set", "mpi.call-overhead=1us")
        out = self.good("trace", "diff", "a.trace", "b.trace")[0]
        self.assertIn("make the same calls, at other times", out)
        self.assertIn("working in MPI_Send at p.c:9", out)
        self.make("p.c", PROGRAM.replace("    usleep", "    MPI_Barrier(MPI_COMM_WORLD); usleep"))
        self.record("c.trace")
        out = self.good("trace", "diff", "a.trace", "c.trace")[0]
        self.assertRegex(out, "first call that differs is on rank [0-5]:\n  a.trace: MPI_Irecv at p.c:26.*\n  c.trace: MPI_Barrier at p.c:25")

    def test_traces_that_are_not_whole(self):
        whole = self.record("a.trace", "--set", "mpi.call-overhead=1us")
        path = os.path.join(self.folder.name, "b.trace")
        for size in (len(whole) - 1, len(whole) // 2, 400, 16):
            with open(path, "wb") as file:
                file.write(whole[:size])
            self.assertIn("The recording ended early", self.good("trace", "info", "b.trace")[0])
        for at in (3, 9, 20, 70, len(whole) // 2, len(whole) - 20):
            with open(path, "wb") as file:
                file.write(whole[:at] + bytes([whole[at] ^ 0x5a]) + whole[at + 1:])
            status, _, err = self.orrery("trace", "convert", "b.trace")
            self.assertIn(status, (0, 2), err)

    def test_output_goes_where_it_is_told(self):
        self.record("a.trace")
        os.symlink("/dev/null", os.path.join(self.folder.name, "null"))
        os.symlink("part.csv", os.path.join(self.folder.name, "link"))
        before = set(os.listdir(self.folder.name))
        self.good("trace", "convert", "-o", "null", "a.trace")
        self.good("trace", "cut", "-o", "null", "a.trace")
        self.good("trace", "info", "-o", "link", "a.trace")
        self.assertTrue(os.path.islink(os.path.join(self.folder.name, "null")))
        self.assertTrue(os.path.islink(os.path.join(self.folder.name, "link")))
        self.assertIn(b"events", self.read("part.csv"))
        self.refused("cannot write /dev/full: No space left", "trace", "convert", "-o", "/dev/full", "a.trace")
        self.refused("cannot write .*: No space left", "trace", "cut", "-o", "/dev/full", "a.trace")
        self.assertEqual(set(os.listdir(self.folder.name)) - before, {"part.csv"})

    def test_what_cannot_be(self):
        self.record("a.trace")
        os.symlink("/dev/full", os.path.join(self.folder.name, "full.trace"))
        status, _, err = self.orrery("run", "-q", "-n", "6", "--trace", "full.trace", "p.c")
        self.assertEqual((status, "--trace: cannot write the trace full.trace: No space left on device" in err), (4, True), err)
        for text, arguments in (("a trace needs a file", ("run", "--trace", "-", "p.c")),
                                ("cannot write no/such.trace", ("run", "--trace", "no/such.trace", "p.c")),
                                ("p.c: no trace", ("trace", "info", "p.c")), ("cannot read the trace n.trace", ("trace", "info", "n.trace")),
                                ("what is to be done", ("trace",)), ("traces have info", ("trace", "draw", "a.trace")),
                                ("needs one trace", ("trace", "info")), ("needs two traces", ("trace", "diff", "a.trace")),
                                ("where to", ("trace", "cut", "a.trace")), ("no range", ("trace", "cut", "--ranks", "3-1", "-o", "b", "a.trace")),
                                ("no unit", ("trace", "convert", "--from", "5", "a.trace")),
                                ("is later than", ("trace", "convert", "--from", "5us", "--to", "1us", "a.trace")),
                                ('no events "calls"', ("trace", "convert", "--kinds", "calls", "a.trace"))):
            self.refused(text, *arguments)
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "b")))


main()
