#!/usr/bin/env python3
"""Ranks that share the cores of a node: times against forms, and keys that contradict each other. See command.py."""
import json
import pathlib

from command import Command, main

COMPUTE = """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    volatile double x = 0;
    int rank, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && argc > 2)
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        for (int i = 0; i < atoi(argv[1]) * (argc > 3 ? rank + 1 : 1); i++)
            x += 1.0 / (i + 1);
    if (rank == 1 && argc > 2)
        MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
US, MS = 10**6, 10**9


class Node(Command):
    def ranks(self, count, *arguments, **keys):
        self.make("compute.c", COMPUTE)
        sets = [part for key, value in keys.items() for part in ("--set", "node.%s=%s" % (key.replace("_", "-"), value))]
        self.good("run", "-q", "-n", str(count), "--json", "m.json", *sets, "compute.c", *arguments)
        return json.loads(self.read("m.json"))["ranks"]

    def test_two_that_compute(self):
        work = self.ranks(1, "1000000")[0]["finish_ps"]
        for slice_ms, switch_us in ((1, 3), (4, 10), (10, 100)):
            first, second = self.ranks(2, "1000000", cores=1, time_slice="%d ms" % slice_ms, switch_time="%d us" % switch_us)
            whole = work // (slice_ms * MS)
            switches = 2 * whole + 1
            self.assertEqual(second["finish_ps"], 2 * work + switches * switch_us * US)
            self.assertEqual(first["finish_ps"], work + whole * slice_ms * MS + 2 * whole * switch_us * US)
            self.assertEqual(first["switches"] + second["switches"], switches)
            self.assertEqual(second["ready_ps"], second["blocked_ps"])
            self.assertEqual(second["finish_ps"], second["compute_ps"] + second["overhead_ps"] + second["blocked_ps"])

    def test_one_that_waits(self):
        alone = self.ranks(2, "1000000", "wait", cores=2)
        ends = {}
        for wait in ("sleep", "yield", "poll"):
            waiter, worker = self.ranks(2, "1000000", "wait", cores=1, wait=wait, wake_up="50 us", time_slice="1 ms", switch_time="3 us")
            ends[wait] = worker["finish_ps"]
            self.assertGreater(waiter["finish_ps"], alone[0]["finish_ps"])
        # the worker begins behind what rank 0 does before it waits, and a switch
        before = ends["sleep"] - alone[1]["finish_ps"]
        self.assertTrue(3 * US < before < 4 * US, before)
        self.assertEqual(ends["yield"] - ends["sleep"], 2 * 3 * US * (alone[1]["compute_ps"] // MS))
        self.assertGreater(ends["poll"], 1.9 * ends["sleep"])

    def test_the_longest_of_four(self):
        ends = [rank["finish_ps"] for rank in self.ranks(4, "300000", "", "each", cores=4)]
        together = [rank["finish_ps"] for rank in self.ranks(4, "300000", "", "each", cores=1, wait="sleep", switch_time="0")]
        self.assertLess(max(ends), max(together))
        self.assertLess(max(together), sum(ends))

    def test_priorities(self):
        low, high = self.ranks(2, "1000000", cores=1, wait="sleep", priority="1@2", switch_time="0")
        self.assertEqual(2 * high["finish_ps"], low["finish_ps"])
        for text, pattern in (("1@x", "is not RANK@LEVEL"), ("7@1", "there are only 2 ranks"), ("1-0@1", "is not RANK@LEVEL")):
            self.refused(pattern, "run", "-n", "2", "--set", "node.wait=sleep", "--set", "node.priority=" + text, "hello.c")
        for wait in ("poll", "yield"):
            self.refused("set node.wait=sleep", "run", "-n", "2", "--set", "node.wait=" + wait, "--set", "node.priority=1@1", "hello.c")
        self.make("m.machine", "[node]\nwait = poll\npriority = 0@1\n[network]\nnodes = 2\n")
        self.refused("m.machine:3:1: error: priority", "run", "-n", "2", "--machine", "./m.machine", "hello.c")

    def test_a_core_for_each_costs_nothing(self):
        one = self.ranks(2, "100000", "wait", cores=2)
        for keys in ({"wait": "sleep", "wake_up": "1 ms"}, {"wait": "poll", "time_slice": "1 us"}, {"affinity": "core"}):
            self.assertEqual(one, self.ranks(2, "100000", "wait", cores=2, **keys))

    def test_polls_of_threads_that_nobody_watches(self):
        program = str(pathlib.Path(__file__).parent.parent / "mpi" / "threads_polling.c")
        self.good("cc", "-O2", "-o", "polling", program)
        for keys in ("cores=8", "cores=2", "cores=1 wait=poll", "cores=2 wait=sleep affinity=core", "cores=4 time-slice=40us"):
            sets = [word for key in keys.split() for word in ("--set", "node." + key)]
            watched, _ = self.good("run", "-q", "-n", "3", *sets, "--json", "watched", "--trace", "trace", "polling", "1500")
            alone, _ = self.good("run", "-q", "-n", "3", *sets, "--json", "alone", "polling", "1500")
            self.assertEqual(watched, alone)
            self.assertEqual(self.read("watched"), self.read("alone"))


if __name__ == "__main__":
    main()
