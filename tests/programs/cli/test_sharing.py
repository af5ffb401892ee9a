#!/usr/bin/env python3
"""Ranks that share a core: their times, to the picosecond, are those of ranks with cores and what switches cost. See
command.py."""
import json
import os
import re

from command import Command, main

PROGRAM = """#include <mpi.h>
#include <stdlib.h>
#include <string.h>
static double work(long turns)
{
    double x = 1.0;
    for (long i = 0; i < turns; i++)
        x = x * 0.999999 + 0.5;
    return x;
}
int main(int argc, char **argv)
{
    int rank, size, token = 0;
    long turns = atol(argv[2]);
    volatile double x = 0;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    int together = strcmp(argv[1], "together") == 0, alone = strcmp(argv[1], "waiting") == 0;
    if (!together && rank)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!alone || rank == 0)
        x = work(turns);
    if (!together && rank + 1 < size)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
"""
MS, US = 10 ** 9, 10 ** 6


class Sharing(Command):
    ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
    SWITCH, WAKE_UP = 3 * US, 7 * US

    def run_on(self, cores, ranks, mode, turns, wait="sleep"):
        """Returns the greatest time of a rank, and the number of switches."""
        keys = ["node.cores=%d" % cores, "node.wait=" + wait, "node.switch-time=3 us", "node.wake-up=7 us", "node.time-slice=10 ms"]
        self.good("run", "-q", "-n", str(ranks), "--json", "j", *sum((["--set", key] for key in keys), []), "program", mode, str(turns))
        told = json.loads(self.read("j"))
        return told["makespan_ps"], sum(rank["switches"] for rank in told["ranks"])

    def setUp(self):
        super().setUp()
        self.make("program.c", PROGRAM)
        self.good("cc", "program.c", "-o", "program")

    def test_computing_together(self):
        """Two of 21.7 ms on one core: 43.4 ms and the switches, however a waiting rank would wait."""
        alone, none = self.run_on(1, 1, "together", 18600000)
        self.assertEqual((none, alone // (MS // 10)), (0, 217))
        for wait in ("sleep", "yield", "poll"):
            shared, switches = self.run_on(1, 2, "together", 18600000, wait)
            self.assertEqual(shared, 2 * alone + switches * self.SWITCH)
            self.assertGreaterEqual(switches, 5) # between three slices each
            self.assertEqual(self.run_on(2, 2, "together", 18600000, wait), (alone, 0))

    def test_one_that_waits(self):
        """It costs its wake-up and the switches, and not half of the core."""
        for wait in ("sleep", "yield"):
            apart, _ = self.run_on(2, 2, "waiting", 18600000)
            shared, switches = self.run_on(1, 2, "waiting", 18600000, wait)
            more = shared - apart - switches * self.SWITCH - (self.WAKE_UP if wait == "sleep" else 0)
            self.assertLess(abs(more), US, (wait, shared, apart, switches))

    def test_a_scan(self):
        """A token goes through four ranks of 17.1 ms: on one core as on four, but for switches and wake-ups."""
        apart, _ = self.run_on(4, 4, "scan", 14657143)
        self.assertEqual(apart // (MS // 10), 684)
        for wait in ("sleep", "yield"):
            shared, switches = self.run_on(1, 4, "scan", 14657143, wait)
            more = shared - apart - switches * self.SWITCH - (3 * self.WAKE_UP if wait == "sleep" else 0)
            self.assertLess(abs(more), US, (wait, shared, apart, switches))

    def test_a_communication_thread(self):
        """4 MiB behind 65 ms wait for 34 ms inline, for nothing with a thread on a second core or with the network interface;
        a thread on the rank's core costs something between."""
        def times(*keys):
            options = sum((["--set", "mpi." + key if "." not in key else key] for key in keys), [])
            out, _ = self.good("run", "-q", "-n", "2", "-m", "crossbar-16", *options, os.path.join(self.ROOT, "samples/overlap.c"))
            send, compute, wait = (float(time) for time in re.search(r"Isend (\S+) ms, computing (\S+) ms .*Wait (\S+) ms", out).groups())
            return send + compute + wait, wait

        inline, own = times(), times("progress=thread", "node.cores=2")
        self.assertTrue(34 < inline[1] < 35 and own[1] < 0.1, (inline, own))
        self.assertLess(times("progress=offload")[1], 0.1)
        for preemption in ("wake-up", "slice"):
            shared = times("progress=thread", "progress-core=shared", "node.preemption=" + preemption)
            self.assertTrue(own[0] < shared[0] < inline[0] and own[1] <= shared[1] < inline[1], (own, shared, inline))


if __name__ == "__main__":
    main()
