#!/usr/bin/env python3
"""`orrery replay`: traces and schedules of other tools as programs, and what Orrery exports for them. See command.py."""
import json
import os
import shutil
import struct
import subprocess
import unittest

from command import Command, main

TI = """0 init
1 init
2 init
0 compute 1000.5
0 isend 1 5 100
0 irecv 2 6 8 0
0 wait 0 1 5
0 test 2 0 6
0 wait 2 0 6
1 recv 0 5 100
1 sleep 1e-6
1 Send 2 7 3 1
2 irecv 1 7 3 1
2 isend 0 6 8 0
2 waitall
# everything that is collective
"""
COLLECTIVES = """comm_size 3
comm_split
comm_dup 3
location p.c 12
barrier
bcast 10
bcast 10 1 0
reduce 10 500
reduce 10 0 2 5
allreduce 16 0 0
scan 4 0 1
exscan 4 0 1
alltoall 10 10
alltoall 4 4 0 0
gather 5 5 1
gather 5 5 1 0 0
allgather 6 6 1 1
scatter 7 7 2 0 0
gatherv 4 4 4 4 0 0 0
allgatherv 4 4 4 4 0 0
allgatherv 4 4 4 4 0 0 4 8
scatterv 3 3 3 3 1 0 0
reducescatter 2 2 2 100 0
alltoallv 9 3 3 3 9 3 3 3
sendrecv 8 PEER 8 FROM
finalize
"""
PROGRAM = """#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    double mine[200] = {1}, all[800], column[40];
    int rank, ranks, got, counts[4] = {1, 2, 3, 4}, starts[4] = {0, 1, 3, 6};
    MPI_Request request[2];
    MPI_Datatype every;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_vector(10, 1, 4, MPI_DOUBLE, &every), MPI_Type_commit(&every);
    for (int i = 0; i < 5; i++) {
        MPI_Irecv(all, 200, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(mine, 200, MPI_DOUBLE, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, &request[1]);
        for (volatile int k = 0; k < 1000 * rank; k++)
            ;
        MPI_Waitany(2, request, &got, MPI_STATUS_IGNORE);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        if (rank == 0)
            MPI_Send(column, 1, every, 1, 9, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(column, 1, every, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(mine, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
#ifdef HARD
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Sendrecv(mine, 9, MPI_DOUBLE, (rank / 2 + 1) % 2, 4, all, 9, MPI_DOUBLE, (rank / 2 + 1) % 2, 4, half,
                 MPI_STATUS_IGNORE);
    MPI_Bcast(mine, 50, MPI_DOUBLE, 1, half);
    MPI_Allgatherv(mine, rank + 1, MPI_DOUBLE, all, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Scan(mine, all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
    usleep(10);
    MPI_Finalize();
    return 0;
}
"""
# Parameters of LogGOPS, in ps; messages are copied for nothing, and all are eager.
L, O, GAP, BYTE = 1500000, 500000, 300000, 100
LOGGP = ("--machine", "loggp-cluster", "--set", "mpi.copy-per-byte=0")


def message(size):
    """From the beginning of a send to the end of its receive."""
    return O + L + (size - 1) * BYTE + O


class Replay(Command):
    def replay(self, name, *options):
        self.good("replay", "--json", "replay.json", *options, name)
        return json.loads(self.read("replay.json"))

    def finish(self, name, *options):
        return [rank["finish_ps"] for rank in self.replay(name, *options)["ranks"]]

    # -- time-independent traces

    def all_actions(self):
        lines = TI
        for line in COLLECTIVES.splitlines():
            for rank in range(3):
                lines += f"{rank} {line}\n".replace("PEER", str((rank + 1) % 3)).replace("FROM", str((rank + 2) % 3))
        return lines

    def test_all_actions(self):
        self.make("all.ti", self.all_actions())
        first = self.replay("all.ti", "--machine", "mesh-4x4")
        self.assertEqual(len(first["ranks"]), 3)
        self.assertLessEqual(abs(first["ranks"][0]["compute_ps"] - 1600500), 600)
        for options in (("--quantum", "1"), ("--tier", "interp"), ("--jobs", "2"), ("--check",)):
            with self.subTest(options=options):
                again = self.replay("all.ti", "--machine", "mesh-4x4", *options)
                self.assertEqual([rank["finish_ps"] for rank in again["ranks"]],
                                 [rank["finish_ps"] for rank in first["ranks"]])

    def test_files_of_ranks_and_lists(self):
        whole = self.all_actions().splitlines()
        self.make("all.ti", self.all_actions())
        expected = self.finish("all.ti")
        os.mkdir(os.path.join(self.folder.name, "parts"))
        for rank in range(3):
            self.make(f"parts/r{rank}", "\n".join(line for line in whole if line.startswith(str(rank))) + "\n")
        self.make("parts/list", "# ranks\nr0\nr1\nr2\n")
        self.assertEqual(self.finish("parts/list"), expected)
        self.good("replay", "parts/r0", "parts/r1", "parts/r2")
        self.make("p.ti", "\n".join("p" + line for line in whole if not line.startswith("#")))
        self.assertEqual(self.finish("p.ti"), expected)

    def test_rate_of_computing(self):
        self.make("c.ti", "0 init\n0 compute 2e6\n0 finalize\n")
        for rate, ps in (("1e9", 2 * 10**9), ("2.5e9", 8 * 10**8)):
            computed = self.replay("c.ti", *LOGGP, "--flop-rate", rate)["ranks"][0]["compute_ps"]
            self.assertEqual(computed, ps)
        self.refused("--flop-rate fast", "replay", "--flop-rate", "fast", "c.ti")

    def test_ranks_share_cores(self):
        self.make("c.ti", "".join(f"{rank} init\n{rank} compute 1e6\n" for rank in range(4)))
        times = self.finish("c.ti", "--machine", "laptop", "--set", "node.cores=2", "--set", "network.nodes=1")
        self.assertGreater(max(times), 199 * 10**7)

    def test_wrong_lines(self):
        for text, pattern in (("0 init\n0 sned 1 2 3\n", r"w.ti:2: there is no action \"sned\"; did you mean send"),
                              ("0 init\nx send\n", r"w.ti:2: \"x\" is no rank"),
                              ("0 send 1 2\n1 init\n", r"w.ti:1: send needs more than 2 arguments"),
                              ("0 send 1 2 3 4 5\n1 init\n", r"w.ti:1: send: \"5\" is one argument too many"),
                              ("0 init\n0 send 7 2 3\n", r"w.ti:2: send: \"7\" is no rank"),
                              ("0 bcast many\n", r"w.ti:1: bcast: \"many\" is no number"),
                              ("0 bcast 1e300\n", r"w.ti:1: bcast: \"1e300\" is no whole number"),
                              ("0 bcast 8 0 77\n", r"w.ti:1: bcast: \"77\" is no datatype"),
                              ("0 sleep 1e30\n", r"w.ti:1: sleep: \"1e30\" lasts too long"),
                              ("0 gatherv 1 2\n1 init\n", r"w.ti:1: gatherv needs a count for each of the 2 ranks"),
                              ("0 init\n0\n", r"w.ti:2: there is no action behind the rank"),
                              ("nothing\n", r"w.ti:1: this is no action"), ("", "nothing in this file")):
            with self.subTest(text=text):
                self.make("w.ti", text)
                self.refused(pattern, "replay", "w.ti")
        self.refused("cannot read none", "replay", "none")
        self.refused("what is to be replayed", "replay")
        self.refused("Is a directory", "replay", ".")
        self.make("noise.ti", bytes(i * i * 7 % 251 + 1 for i in range(5000)))
        status, _, err = self.orrery("replay", "noise.ti")
        self.assertEqual(status, 2, err)

    def test_deadlock_names_lines(self):
        self.make("d.ti", "0 init\n1 init\n0 recv 1 5 100\n1 compute 10\n1 recv 0 5 100\n")
        status, _, err = self.orrery("replay", "d.ti")
        self.assertEqual(status, 1)
        self.assertIn("rank 0 was at d.ti:3: 0 recv 1 5 100\n", err)
        self.assertIn("rank 1 was at d.ti:5: 1 recv 0 5 100\n", err)
        self.assertEqual([name for name in os.listdir("/tmp") if name.startswith("orrery-replay-")
                          and os.stat("/tmp/" + name).st_size == 0], [])

    def test_options_of_run_hold(self):
        self.make("all.ti", self.all_actions())
        _, err = self.good("replay", "--stats", "--trace", "t.trace", "-m", "ring-8", "all.ti")
        self.assertIn("machine   ring-8, 3 ranks", err)
        self.assertIn("MPI_Alltoallv", self.good("trace", "info", "t.trace")[0])
        self.assertIn("--trace", self.good("replay", "--help")[0])
        self.refused("--optimise|-O", "replay", "-O2", "all.ti")

    # -- schedules

    def test_ping_pong_is_that_of_loggops(self):
        for size in (1, 10, 1001, 16384):
            self.make("pp.goal", f"""num_ranks 2
rank 0 {{ // begins
l1: calc 1000 cpu 0
l2: send {size}b to 1 tag 7 cpu 0 nic 0
l3: recv {size}b from 1 tag 7
l2 requires l1
l3 requires l2
}}
rank 1 {{ /* answers
  at once */
l1: recv {size}b from -1 tag -1
l2: send {size} b to 0 tag 7
l2 requires l1
}}
""")
            start = 1000000
            self.assertEqual(self.finish("pp.goal", *LOGGP),
                             [start + 2 * message(size), start + message(size) + O])

    def test_burst_has_gaps(self):
        """Messages of one sender are g + (s - 1) G apart, if that is more than o; a receiver takes o for each."""
        n, size = 6, 8001
        apart = GAP + (size - 1) * BYTE
        sends = "".join(f"s{i}: send {size}b to {1 + i} tag 0\n" for i in range(n))
        order = "".join(f"s{i} irequires s{i - 1}\n" for i in range(1, n))
        others = "".join(f"rank {1 + i} {{\nrecv {size}b from 0 tag 0\n}}\n" for i in range(n))
        self.make("b.goal", f"num_ranks {n + 1}\nrank 0 {{\n{sends}{order}}}\n{others}")
        self.assertGreater(apart, O)
        self.assertEqual(self.finish("b.goal", *LOGGP)[1:], [i * apart + message(size) for i in range(n)])

    def test_fan_in_has_gaps(self):
        n, size = 5, 5001
        apart = GAP + (size - 1) * BYTE
        receives = "".join(f"recv {size}b from {1 + i} tag 3\n" for i in range(n))
        others = "".join(f"rank {1 + i} {{\nsend {size}b to 0 tag 3\n}}\n" for i in range(n))
        self.make("f.goal", f"num_ranks {n + 1}\nrank 0 {{\n{receives}}}\n{others}")
        self.assertEqual(self.finish("f.goal", *LOGGP)[0], (n - 1) * apart + message(size))

    def tree(self, ranks):
        """A binomial tree: the schedule, and when each rank is done: sends of a rank are o apart."""
        done, text = [0] * ranks, f"num_ranks {ranks}\n"
        children = {rank: [rank + (1 << k) for k in range(rank.bit_length(), ranks.bit_length())
                           if rank + (1 << k) < ranks] for rank in range(ranks)}
        for rank in range(ranks):
            text += f"rank {rank} {{\n"
            last = None
            if rank:
                last = "r"
                text += f"r: recv 8b from {rank - (1 << (rank.bit_length() - 1))} tag 0\n"
            for child in children[rank]:
                text += f"s{child}: send 8b to {child} tag 0\n"
                if last:
                    text += f"s{child} requires {last}\n"
                last = f"s{child}"
                done[child] = done[rank] + message(8)
                done[rank] += O
            text += "}\n"
        return text, done

    def test_tree_is_that_of_loggops(self):
        for ranks in (2, 7, 16, 64):
            text, done = self.tree(ranks)
            self.make("t.goal", text)
            self.assertEqual(self.finish("t.goal", *LOGGP), done)

    def binary(self, ranks):
        """LogGOPSim's binary format. ranks: for each a list of (sort, peer, size, tag, what depends on its end)."""
        head, parts = struct.pack("<IBB", len(ranks), 0, 0), []
        place = len(head) + 16 * len(ranks)
        table = b""
        for ops in ranks:
            needs = [sum(i in op[4] for op in ops) for i in range(len(ops))]
            roots = [i for i, need in enumerate(needs) if need == 0]
            part = struct.pack(f"<II{len(roots)}I", len(ops), len(roots), *roots)
            edges = []
            for need, (sort, peer, size, tag, after) in zip(needs, ops):
                part += struct.pack("<IBIQIBBIIII", need, sort, peer, size, tag, 0, 0, len(after), len(edges), 0,
                                    len(edges) + len(after))
                edges += after
            part += struct.pack(f"<{len(edges)}I", *edges)
            table += struct.pack("<QQ", place, place + len(part))
            place += len(part)
            parts.append(part)
        return struct.pack("<Q", 4223) + head + table + b"".join(parts)

    def test_binary_schedule(self):
        whole = self.binary([[(3, 0, 1000, 0, [1]), (1, 1, 100, 7, [2]), (2, 1, 100, 7, [])],
                             [(2, 0, 100, 7, [1]), (1, 0, 100, 7, [])]])
        self.make("pp.bin", whole)
        self.assertEqual(self.finish("pp.bin", *LOGGP)[0], 1000000 + 2 * message(100))
        for length in range(8, len(whole), 5):
            self.make("cut.bin", whole[:length])
            status, _, err = self.orrery("replay", "cut.bin")
            self.assertEqual(status, 2, (length, err))
        self.make("w.bin", self.binary([[(1, 5, 100, 7, [])]]))
        self.refused("operation 0 of rank 0: there is no such rank", "replay", "w.bin")
        self.make("w.bin", self.binary([[(3, 0, 1, 0, [1]), (3, 0, 1, 0, [0])]]))
        self.refused("in a circle", "replay", "w.bin")

    def test_wrong_schedules(self):
        for text, pattern in (("num_ranks 2\nrank 0 {\nl1: calc\n}\n", r"w.goal:3: a number expected at the end"),
                              ("num_ranks 2\nrank 2 {\n}\n", r"w.goal:2: rank 2: there are 2, from 0 on"),
                              ("num_ranks 2\nrank 0 {\nsend 10b to 5\n}\n", r"w.goal:3: there is no such rank"),
                              ("num_ranks 2\nrank 0 {\nsend 10 to 1\n}\n", r"w.goal:3: a size like 10b expected"),
                              ("num_ranks 2\nrank 0 {\nsend 10b from 1\n}\n", r"w.goal:3: to expected, not \"from\""),
                              ("num_ranks 2\nrank 0 {\na: calc 1\na: calc 2\n}\n", r"w.goal:4: the label a comes twice"),
                              ("num_ranks 2\nrank 0 {\na: calc 1\na requires b\n}\n", r"w.goal:4: there is no operation b"),
                              ("num_ranks 2\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n",
                               r"w.goal:3: the operation requires, in a circle"),
                              ("num_ranks 2\nrank 0 {\ncalc 1\n", r"w.goal:3: the file ends within rank 0"),
                              ("num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", r"w.goal:4: rank 0 comes twice"),
                              ("num_ranks 0\n", r"w.goal:1: num_ranks 0"),
                              ("// nothing\n", r"w.goal:1: there is no num_ranks"),
                              ("num_ranks 1\nrank 0 {\ncalc 99999999999999999999\n}\n", r"w.goal:3: a number")):
            with self.subTest(text=text):
                self.make("w.goal", text)
                self.refused(pattern, "replay", "w.goal")

    def test_schedule_that_waits_for_ever(self):
        self.make("d.goal", "num_ranks 2\nrank 0 {\nrecv 10b from 1 tag 1\n}\nrank 1 {\nrecv 10b from 0 tag 1\n}\n")
        status, _, err = self.orrery("replay", "d.goal")
        self.assertEqual(status, 1)
        self.assertIn("rank 1 was at d.goal:6: recv 10b from 0 tag 1\n", err)

    # -- there and back

    def there_and_back(self, form, define, machine, tolerance):
        options = ("-D" + define,) if define else ()
        self.good("run", "-q", "-n", "4", *machine, *options, "--trace", "p.trace", "--json", "p.json", "p.c")
        self.good("trace", "convert", "--format", form, "-o", "p." + form, "p.trace")
        ran, again = json.loads(self.read("p.json")), self.replay("p." + form, *machine)
        self.assertAlmostEqual(again["makespan_ps"] / ran["makespan_ps"], 1, delta=tolerance)
        return ran, again

    def test_there_and_back(self):
        self.make("p.c", PROGRAM)
        for form in ("ti", "goal"):
            for define in ("", "HARD"):
                for machine in ((), ("--machine", "mesh-4x4")):
                    with self.subTest(form=form, define=define, machine=machine):
                        self.there_and_back(form, define, machine, 0.1)

    def test_blocking_programs_come_back_the_same(self):
        """No call of these is split into others, so the times are equal but for the rounding of cycles."""
        self.make("p.c", """#include <mpi.h>
int main(int argc, char **argv)
{
    double a[100] = {0}, b[400];
    int rank, ranks;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 10; i++) {
        if (rank)
            MPI_Recv(b, 100, MPI_DOUBLE, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank + 1 < ranks)
            MPI_Send(a, 100, MPI_DOUBLE, rank + 1, i, MPI_COMM_WORLD);
        MPI_Bcast(a, 100, MPI_DOUBLE, 2, MPI_COMM_WORLD);
        MPI_Allgather(a, 100, MPI_DOUBLE, b, 100, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Alltoall(MPI_IN_PLACE, 25, MPI_DOUBLE, b, 25, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Gather(a, 10, MPI_DOUBLE, b, 10, MPI_DOUBLE, 1, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
""")
        for machine in ((), ("--machine", "loggp-cluster"), ("--machine", "mesh-4x4")):
            ran, again = self.there_and_back("ti", "", machine, 1e-5)
            for one, other in zip(ran["ranks"], again["ranks"]):
                for key in ("messages_sent", "bytes_sent", "overhead_ps"):
                    self.assertEqual(one[key], other[key])

    @unittest.skipUnless(shutil.which("smpirun"), "SimGrid's smpirun is not installed")
    def test_simgrid_replays_exports(self):
        self.make("p.c", PROGRAM)
        self.make("hosts", "".join(f"n{i}\n" for i in range(4)))
        self.make("platform.xml", """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="125MBps" lat="5us"/></platform>
""")
        for define in ("", "HARD"):
            with self.subTest(define=define):
                options = ("-D" + define,) if define else ()
                self.good("run", "-q", "-n", "4", *options, "--trace", "p.trace", "p.c")
                self.good("trace", "convert", "--format", "ti", "-o", "p.ti", "p.trace")
                self.make("list", "p.ti\n")
                done = subprocess.run(["smpirun", "-np", "4", "-platform", "platform.xml", "-hostfile", "hosts", "-replay",
                                       "list"], cwd=self.folder.name, capture_output=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("Simulation time", (done.stdout + done.stderr).decode())


main()
