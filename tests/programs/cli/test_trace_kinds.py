#!/usr/bin/env python3
"""Traces: kinds of events beside calls and messages; merged parts; versions of a program; bad ends. See command.py."""
import json
import os
import re
import signal
import subprocess
import threading
import time

from command import Command, ORRERY, main

PHASES = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, sum;
    char text[2000] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Pcontrol(2);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Pcontrol(3);
    MPI_Ibcast(text, 2000, MPI_CHAR, 0, MPI_COMM_WORLD, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    for (int i = 1; i < size; i++)
        if (rank == 0)
            MPI_Recv(text, 2000, MPI_CHAR, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank)
        MPI_Send(text, 2000, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        FILE *file = fopen("out.txt", "w");
        fputs("some text", file), fclose(file);
    }
#ifdef LOST
    if (rank == 1) MPI_Irecv(text, 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &request);
#endif
#ifdef FAULT
    if (rank == 1) *(volatile int *)0 = 1;
#endif
    MPI_Finalize();
}
"""
THREADS = """#include <mpi.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *data)
{
    pthread_mutex_lock(&lock);
    for (volatile int i = 0; i < 100000; i++) ;
    pthread_mutex_unlock(&lock);
    return data;
}
int main(int argc, char **argv)
{
    int level;
    pthread_t threads[3];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    MPI_Finalize();
}
"""
SPAWN = """#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    MPI_Init(&argc, &argv), MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn("p.c", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Finalize();
}
"""
WINDOW = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, memory[2] = {0}, mine = 7, other;
    MPI_Win window;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&mine, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Get(&other, 1, MPI_INT, (rank + 2) % size, 1, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Fetch_and_op(&mine, &other, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window), MPI_Finalize();
}
"""
NOTHING = "int main(void) { return 0; }\n"
LONG = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, token = 0;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < 1000000000; i++)
        MPI_Sendrecv_replace(&token, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
"""


class Kinds(Command):
    def record(self, text, *options, ranks=4, status=0, name="a.trace"):
        self.make("p.c", text)
        got, _, err = self.orrery("run", "-q", "-n", str(ranks), "--trace", name, *options, "p.c")
        self.assertEqual(got, status, err)

    def events(self, *arguments):
        out = self.good("trace", "convert", "--format", "json", *arguments)[0]
        return [json.loads(line) for line in out.splitlines()]

    def rows(self, name):
        return sorted(self.good("trace", "convert", name)[0].splitlines())

    def test_collectives_and_their_messages(self):
        self.record(PHASES, "--machine", "mesh-4x4")
        collectives = self.events("--kinds", "collective", "a.trace")
        self.assertEqual(sorted((event["rank"], event["number"], event["function"]) for event in collectives),
                         sorted((rank, number, name) for rank in range(4)
                                for number, name in ((1, "MPI_Allreduce"), (2, "MPI_Ibcast"))))
        self.assertEqual({event["algorithm"] for event in collectives} & {"", "auto"}, set())
        inner = [event for event in self.events("--kinds", "message", "a.trace") if event["tag"] < 0]
        self.assertGreater(len(inner), 6)
        for message in inner:
            self.assertTrue(any(event["rank"] == message["rank"] and event["context"] == message["context"] and
                                event["from_ps"] <= message["time_ps"] <= event["time_ps"] for event in collectives), message)

    def test_phases(self):
        self.record(PHASES, "--set", "mpi.call-overhead=1us")
        for rank in range(4):
            regions = self.events("--kinds", "region", "--ranks", str(rank), "a.trace")
            self.assertEqual([(event["name"], event["sort"], event["line"]) for event in regions],
                             [("phase 2", "phase", 9), ("phase 3", "phase", 11), ("phase 1", "phase", 15)])
            self.assertEqual(regions[0]["time_ps"], regions[1]["from_ps"])
            self.assertLess(regions[1]["time_ps"], regions[2]["from_ps"])

    def test_details_are_asked_for(self):
        self.record(PHASES, "--machine", "mesh-4x4", "--json", "run.json")
        self.assertEqual(self.events("--kinds", "wait,hop,queue,link", "a.trace"), [])
        self.record(PHASES, "--machine", "mesh-4x4", "--trace-detail", "all", "--json", "run.json")
        events = self.events("a.trace")
        blocked = {}
        for event in events: # the parts of waits come before their call and add up to what it was blocked for
            if event["kind"] == "wait":
                blocked[event["rank"]] = blocked.get(event["rank"], 0) + event["time_ps"] - event["from_ps"]
            if event["kind"] == "call":
                self.assertEqual(blocked.pop(event["rank"], 0), event["blocked_ps"], event)
        run = json.loads(self.read("run.json"))
        carried = {}
        for event in events:
            if event["kind"] == "link":
                carried[event["link"]] = carried.get(event["link"], 0) + event["bytes"]
        self.assertGreater(len(carried), 3)
        self.assertEqual(sum(carried.values()), sum(link["bytes"] for link in run["links"]))
        messages = {event["id"]: event for event in events if event["kind"] == "message"}
        for event in events:
            if event["kind"] == "hop" and event["message"] in messages:
                self.assertIn(event["rank"], (messages[event["message"]]["sender"], messages[event["message"]]["rank"]))
        self.assertTrue(any(event["kind"] == "queue" and event["unexpected"] + event["posted"] for event in events))
        self.refused('no "speed"; there are waits, queues, links, hops, and all', "run", "--trace", "b.trace",
                     "--trace-detail", "waits,speed", "p.c")
        self.refused("says nothing without --trace", "run", "--trace-detail", "waits", "p.c")

    def test_bytes_do_not_depend_on_how_it_runs(self):
        for detail in ((), ("--trace-detail", "all")):
            self.record(PHASES, "--machine", "mesh-4x4", *detail)
            first = self.read("a.trace")
            for options in (("--quantum", "1"), ("--tier", "interp"), ("--jobs", "3"), ("--stats",)):
                self.record(PHASES, "--machine", "mesh-4x4", *detail, *options, name="b.trace")
                self.assertEqual(self.read("b.trace"), first, options)

    def test_files_findings_failures(self):
        self.record(PHASES, "--set", "storage.kind=local")
        accesses = self.events("--kinds", "access", "a.trace")
        self.assertEqual({event["rank"] for event in accesses}, {1})
        self.assertEqual([event["bytes"] for event in accesses if event["function"] == "write"], [9])
        self.assertTrue(all("out.txt" in event["object"] for event in accesses))
        self.record(PHASES, "--check", "-DLOST")
        findings = self.events("--kinds", "finding", "a.trace")
        self.assertEqual([event["rank"] for event in findings], [1])
        self.assertIn("MPI_Irecv", findings[0]["text"])
        self.assertIn(findings[0]["check"], findings[0]["text"])
        self.record(PHASES, "-DFAULT", status=139)
        self.assertEqual([(event["rank"], event["why"]) for event in self.events("--kinds", "failed", "a.trace")], [(1, "fault")])

    def test_windows(self):
        for machine in ("mesh-4x4", "laptop"):
            self.record(WINDOW, "--machine", machine)
            found = {name: sorted((event["rank"], event["target"]) for event in self.events("--kinds", "access", "a.trace")
                                  if event["function"] == name and event["bytes"] == 4) for name in ("put", "get", "fetch")}
            self.assertEqual(found, {"put": [(rank, (rank + 1) % 4) for rank in range(4)],
                                     "get": [(rank, (rank + 2) % 4) for rank in range(4)],
                                     "fetch": [(rank, 0) for rank in range(4)]}) # rank 0's own window, too

    def test_own_window(self):
        self.record("#include <mpi.h>\nint main(int c, char **v)\n{\n    int rank, mine[2] = {0}, x = 1, y;\n    MPI_Win w;\n"
                    "    MPI_Init(&c, &v), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                    "    MPI_Win_create(mine, sizeof mine, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w), MPI_Win_lock_all(0, w);\n"
                    "    MPI_Put(&x, 1, MPI_INT, rank, 0, 1, MPI_INT, w), MPI_Win_flush(rank, w);\n"
                    "    MPI_Get(&y, 1, MPI_INT, rank, 1, 1, MPI_INT, w);\n"
                    "    MPI_Accumulate(&x, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, w);\n"
                    "    MPI_Compare_and_swap(&x, &y, &y, MPI_INT, rank, 0, w);\n"
                    "    MPI_Win_unlock_all(w), MPI_Win_free(&w);\n    return MPI_Finalize();\n}\n")
        calls = {event["function"]: event for event in self.events("--kinds", "call", "--ranks", "1", "a.trace")}
        accesses = self.events("--kinds", "access", "--ranks", "1", "a.trace")
        self.assertEqual([(event["function"], event["target"], event["bytes"]) for event in accesses],
                         [(name, 1, 4) for name in ("put", "get", "accumulate", "swap")])
        for event, name in zip(accesses, ("Put", "Get", "Accumulate", "Compare_and_swap")):
            call = calls["MPI_" + name]
            self.assertTrue(call["from_ps"] <= event["from_ps"] <= event["time_ps"] <= call["time_ps"], event)

    def test_threads_and_spawned_ranks(self):
        self.record(THREADS, ranks=2)
        for rank in (0, 1):
            mine = self.events("--ranks", str(rank), "a.trace")
            began = [event["thread"] for event in mine if event["kind"] == "started"]
            self.assertEqual(len(began), 3)
            self.assertEqual(sorted(event["thread"] for event in mine if event["kind"] == "ended"), sorted([0, *began]))
            self.assertTrue(any(event["kind"] == "pause" and event["why"] == "for a mutex" and event["thread"] for event in mine))
        self.record(SPAWN, ranks=2)
        started = self.events("--kinds", "started", "a.trace")
        self.assertEqual([(event["rank"], event["parent"], event["program"]) for event in started], [(2, 1, "p.c"), (3, 1, "p.c")])

    def test_threads_that_end_with_their_rank(self):
        self.make("t.c", "#include <mpi.h>\nint main(int c, char **v)\n{\n    MPI_Init(&c, &v);\n"
                         "#pragma omp parallel num_threads(3)\n    for (volatile int i = 0; i < 1000; i++) continue;\n"
                         "    for (volatile int i = 0; i < 50000; i++) continue;\n    return MPI_Finalize();\n}\n")
        self.good("run", "-q", "-n", "2", "-fopenmp", "--trace", "a.trace", "t.c")
        for rank in ("0", "1"):
            mine = self.events("--ranks", rank, "a.trace")
            ended = {event["thread"]: event["time_ps"] for event in mine if event["kind"] == "ended"}
            self.assertEqual(set(ended), {0, 1, 2})
            self.assertEqual(len(set(ended.values())), 1)
            for thread in (1, 2):
                last = [event for event in mine if event["kind"] == "pause" and event["thread"] == thread][-1]
                self.assertEqual((last["why"], last["time_ps"]), ("for work", ended[0]))
                self.assertGreater(last["time_ps"] - last["from_ps"], 50 * 10**6)

    def test_runs_without_events(self):
        self.record(NOTHING, ranks=3)
        self.assertIn("ended 3", self.good("trace", "info", "a.trace")[0])
        self.good("trace", "cut", "--kinds", "message", "-o", "b.trace", "a.trace")
        self.assertIn("events    0", self.good("trace", "info", "b.trace")[0])
        self.assertEqual(self.events("b.trace"), [])
        self.good("trace", "merge", "-o", "c.trace", "b.trace", "b.trace")
        self.assertIn("make the same calls", self.good("trace", "diff", "b.trace", "c.trace")[0])

    def test_merging(self):
        self.record(PHASES, "--machine", "mesh-4x4", "--trace-detail", "all")
        whole = self.rows("a.trace")
        end = max(int(row.split(",")[3]) for row in whole if not row.startswith("kind,"))
        for first, second in ((("--ranks", "0,2"), ("--ranks", "1,3")), (("--to", f"{end // 2} ps"), ("--from", f"{end // 2} ps"))):
            self.good("trace", "cut", *first, "-o", "b.trace", "a.trace")
            self.good("trace", "cut", *second, "-o", "c.trace", "a.trace")
            self.good("trace", "merge", "-o", "d.trace", "c.trace", "b.trace")
            self.assertEqual(self.rows("d.trace"), whole)
        self.good("trace", "merge", "-o", "d.trace", "a.trace", "b.trace", "a.trace")
        self.assertEqual(self.rows("d.trace"), whole)
        for options in (("--machine", "laptop"), ("--machine", "mesh-4x4", "--set", "mpi.call-overhead=9us")):
            self.record(PHASES, *options, name="e.trace")
            self.refused("are of different runs", "trace", "merge", "-o", "f.trace", "a.trace", "e.trace")
        self.refused("where to", "trace", "merge", "a.trace")
        self.refused("needs traces", "trace", "merge", "-o", "f.trace")
        self.refused("p.c: no trace", "trace", "merge", "-o", "f.trace", "a.trace", "p.c")

    def test_versions_of_a_program(self):
        self.record(PHASES)
        self.record("\n\n" + PHASES.replace("    MPI_Pcontrol(0);\n", "    MPI_Pcontrol(0);\n\n").replace(
            "    if (rank == 1) {", "    for (volatile int i = 0; i < 100000; i++) ;\n    if (rank == 1) {"), name="b.trace")
        out = self.good("trace", "diff", "a.trace", "b.trace")[0]
        self.assertIn("The runs make the same calls, at other times.", out)
        self.assertRegex(out, r"What changed most.*\n  \+[0-9.]+ us  computing before MPI_Finalize at p.c:31\n")

    def test_change_of_makespan(self):
        """Lines of the critical path tell the change of the makespan, however much others change on other ranks."""
        source = ("#include <mpi.h>\n#define WORK(n) for (volatile int i = 0; i < (n); i++) continue\n"
                  "int main(int c, char **v)\n{\n    int rank; MPI_Init(&c, &v), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                  "    if (rank) WORK(SPARE);\n    if (!rank) WORK(20000);\n    MPI_Barrier(MPI_COMM_WORLD);\n"
                  "    if (rank == 2) WORK(LATE);\n    MPI_Barrier(MPI_COMM_WORLD);\n    return MPI_Finalize();\n}\n")
        for name, spare, late in (("a", 1000, 3000), ("b", 9000, 4000)): # 3 * 8000 beside the path, 1000 on it
            self.make("m.c", source.replace("SPARE", str(spare)).replace("LATE", str(late)))
            self.good("run", "-q", "-O0", "-n", "4", "--trace", f"{name}.trace", "m.c")
            self.good("critical-path", "--json", f"{name}.json", f"{name}.trace")
        paths = [json.loads(self.read(name + ".json")) for name in "ab"]
        change = paths[1]["makespan_ps"] - paths[0]["makespan_ps"]
        out = self.good("trace", "diff", "a.trace", "b.trace")[0]
        told = re.search(r"The makespan changes by \+([0-9.]+) us, along the critical paths:\n  \+([0-9.]+) us  "
                         r"computing before MPI_Barrier at m.c:10\n", out)
        self.assertIsNotNone(told, out)
        self.assertAlmostEqual(float(told[1]), change / 1e6, delta=0.001)
        self.assertLess(abs(float(told[2]) - change / 1e6), 0.05 * change / 1e6)
        self.assertNotIn("m.c:8\n", out[:out.index("What changed most")].split("critical paths:")[1])
        self.assertRegex(out, r"What changed most, as a mean over the ranks:\n.*MPI_Barrier at m.c:8\n")
        self.assertNotIn("makespan", self.good("trace", "diff", "a.trace", "a.trace")[0])

    def test_signals_pipes_and_two_writers(self):
        self.make("p.c", LONG)
        def begin(path):
            return subprocess.Popen([ORRERY, "run", "-q", "-n", "2", "--trace", path, "p.c"], cwd=self.folder.name,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        def wait_for(path, size):
            path = os.path.join(self.folder.name, path)
            while not os.path.exists(path) or os.path.getsize(path) < size:
                time.sleep(0.01)
        run = begin("a.trace")
        wait_for("a.trace", 100000)
        self.refused("another run is writing it", "run", "-q", "--trace", "a.trace", "p.c")
        run.send_signal(signal.SIGINT)
        run.communicate()
        self.assertEqual(run.returncode, 130)
        out = self.good("trace", "info", "a.trace")[0]
        self.assertIn("exit_status 130", out)
        self.assertNotIn("ended early", out)
        run = begin("b.trace")
        wait_for("b.trace", 100000)
        run.kill()
        run.communicate()
        self.assertIn("The recording ended early", self.good("trace", "info", "b.trace")[0])
        os.mkfifo(os.path.join(self.folder.name, "pipe"))
        run = begin("pipe")
        with open(os.path.join(self.folder.name, "pipe"), "rb") as pipe: # who reads goes away; the run goes on
            self.assertEqual(len(pipe.read(5000)), 5000)
        time.sleep(0.05)
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGINT)
        self.assertIn(b"cannot write the trace pipe", run.communicate()[1])
        self.record(PHASES, "--trace", "/dev/null")
        read = []
        reader = threading.Thread(target=lambda: read.append(self.read("pipe")))
        reader.start()
        self.record(PHASES, name="pipe")
        reader.join()
        self.record(PHASES)
        self.assertEqual(read[0], self.read("a.trace"))


main()
