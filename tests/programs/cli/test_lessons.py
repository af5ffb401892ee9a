#!/usr/bin/env python3
"""The numbers of the lessons. See command.py."""
import csv
import json
import os
import re

from command import Command, ROOT, main


class Lessons(Command):
    """What the lessons, the README and a sweep say can be seen, can: at least 10 %, or less than 1 % where they say so."""
    ROOT = ROOT

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

    def test_sharing_a_core(self):
        sample, page = os.path.join(self.ROOT, "samples/sharing_a_core.c"), self.page("docs/lessons/12-sharing-a-core.md")
        times = {}
        for wait in ("sleep", "yield", "poll"):
            self.assertIn("orrery run -n 4 -q --set node.cores=1 --set node.wait=%s samples/sharing_a_core.c" % wait, page)
            out, _ = self.good("run", "-n", "4", "-q", "--set", "node.cores=1", "--set", "node.wait=" + wait, sample)
            times[wait] = [float(time) for time in re.findall(r"([\d.]+) ms", out)]
        self.assertTrue(8 < times["sleep"][0] < 8.3 and 8 < times["yield"][0] < 8.3, times)
        self.assertGreater(times["sleep"][1], 1.2 * times["sleep"][0])
        self.assertLess(times["yield"][1], 1.05 * times["yield"][0])
        self.assertGreater(times["poll"][0], 1.2 * times["sleep"][0])

    def hybrid(self, ranks, threads, *options):
        out, _ = self.good("run", "-n", str(ranks), "-q", "-fopenmp", "--env", "OMP_NUM_THREADS=%d" % threads, "--machine", "smp-cluster",
                           *options, os.path.join(self.ROOT, "samples/hybrid_jacobi.c"))
        self.assertIn("%2d ranks of %d threads: heat 103426.013495," % (ranks, threads), out)
        self.assertIn(out.strip(), self.page("docs/lessons/15-ranks-and-threads.md")) if not options or options[-1] == "mapping.ranks=cyclic" else None
        return float(re.search(r"([\d.]+) ms", out)[1])

    def test_ranks_and_threads(self):
        spread = ["--set", "mapping.ranks=cyclic"]
        self.assertLess(abs(self.hybrid(64, 1) - self.hybrid(16, 4, *spread)), 0.05)
        slow = ["--set", "node.local-latency=10 us"]
        self.assertGreater(self.hybrid(64, 1, *slow), 1.2 * self.hybrid(16, 4, *spread, *slow))
        barrier = ["--set", "threads.barrier=20 us"]
        self.assertLess(2 * self.hybrid(64, 1, *barrier), self.hybrid(16, 4, *spread, *barrier))

    def test_a_lock_convoy(self):
        times, page = {}, self.page("docs/lessons/16-a-lock-convoy.md")
        for threads in (1, 4):
            self.assertIn("--env OMP_NUM_THREADS=%d samples/lock_convoy.c" % threads, page)
            out, _ = self.good("run", "-n", "1", "-q", "-fopenmp", "--env", "OMP_NUM_THREADS=%d" % threads,
                               os.path.join(self.ROOT, "samples/lock_convoy.c"))
            for line in out.strip().splitlines():
                self.assertIn(line, page)
            times[threads] = [float(time) for time in re.findall(r"([\d.]+) ms", out)]
        self.assertGreater(times[4][0], 50 * times[1][0])
        self.assertLess(times[4][1], 1.2 * times[1][1])
        self.assertTrue(times[4][2] > 0.9 * times[1][2] and times[4][3] < 0.4 * times[1][3] and times[4][4] < 0.4 * times[1][4], times)

    def test_find_the_loss(self):
        """Every line that the lesson shows is printed; and what was foretold comes true."""
        page, base = self.page("docs/lessons/18-find-the-loss.md"), ["-n", "8", "--machine", "crossbar-16"]
        program = "samples/find_the_loss.c"
        shown = [line.strip() for line in page.splitlines() if line.startswith("      ") and line.strip() != "..."]
        printed = []
        for arguments in ([], ["packed"], ["cyclic", "packed"]):
            _, err = self.good("run", *base, "--stats", "--what-if", "network=free", "--what-if", "cpu=2x", "--what-if", "imbalance=none",
                               os.path.join(self.ROOT, program), *arguments)
            printed += [line.strip().replace(self.ROOT + "/", "") for line in err.splitlines()]
        printed += [line.strip() for line in self.good("critical-path", *base, os.path.join(self.ROOT, program), "packed")[0].splitlines()]
        printed += [line.strip() for line in self.good("scale", "--machine", "crossbar-16", "-n", "1 2 4 8 16", os.path.join(self.ROOT, program))[0].splitlines()]
        self.assertGreater(len(shown), 15)
        for line in shown:
            self.assertIn(line, printed)
        found = {arguments: self.makespan(base, "find_the_loss.c", *arguments.split()) for arguments in ("", "packed", "cyclic packed")}
        self.assertGreater(found[""], 6 * found["packed"])
        self.assertLess(abs(found["cyclic packed"] - 2100314192), 2100314192 // 100)

    def test_receiver_post(self):
        page, program = self.page("docs/lessons/17-receiver-post.md"), "samples/receiver_post.c"

        def run(options, *arguments):
            self.assertIn("orrery run -n 2 -q --machine %s %s %s" % (options, program, " ".join(arguments)), page)
            out, _ = self.good("run", "-n", "2", "-q", "--json", "j", "--messages", "m.csv", "--machine", *options.split(),
                               os.path.join(self.ROOT, program), *arguments)
            for line in out.strip().splitlines():
                self.assertIn(line, page)
            return out, json.loads(self.read("j"))["ranks"], list(csv.DictReader(self.read("m.csv").decode().splitlines()))

        def unasked(out):
            return int(re.search(r"(\d+) bytes wait", out)[1]), float(re.search(r"sent after ([\d.]+)", out)[1])

        out, ranks, _ = run("crossbar-16", "flood")
        held, sent = unasked(out)
        self.assertTrue(held == 1000 * 16384 and sent < 20 and ranks[0]["sends_held"] == 0, out)
        out, ranks, _ = run("crossbar-16 --set protocol.credits=256KiB", "flood")
        held, sent = unasked(out)
        self.assertTrue(held == 16 * 16384 and sent > 300 and ranks[0]["sends_held"] == 110, out)
        self.assertTrue(314 < ranks[0]["held_ps"] / 1e9 < 315)
        out, _, messages = run("crossbar-16 --set protocol.all=receiver-post", "flood")
        held, sent = unasked(out)
        self.assertTrue(held == 16384 and sent > 400, out)
        self.assertGreaterEqual(min(int(row["began_ps"]) for row in messages if int(row["bytes"])), 200 * 10 ** 9)
        for size, pieces in ((65536, 1), (65537, 2), (4194304, 64)):
            _, ranks, messages = run("receiver-post-16", "one", str(size))
            data = [int(row["bytes"]) for row in messages if int(row["bytes"])]
            self.assertEqual((len(data), sum(data), len(messages) - len(data)), (pieces, size, pieces))
            kinds = [row["kind"] for row in messages]
            self.assertEqual((kinds.count("post"), kinds.count("acknowledgement")), (1, pieces - 1))
            self.assertEqual(ranks[1]["controls_sent"], pieces)
        run("crossbar-16", "both", "0")
        for size in ("0", "16384"):
            self.assertIn("! orrery run -n 2 -q --machine receiver-post-16 %s both %s" % (program, size), page)
            self.refused(r"\(receiver-post: every message waits for its receive\)[^$]*cycle: 0 -> 1 -> 0", "run", "-n", "2", "--machine",
                         "receiver-post-16", os.path.join(self.ROOT, program), "both", size, status=1)

    def test_the_sweep_of_overlap(self):
        self.assertIn("`orrery sweep samples/sweeps/overlap.sweep` has drawn this", self.page("docs/lessons/13-overlap.md"))
        self.good("sweep", "-o", "s", os.path.join(self.ROOT, "samples/sweeps/overlap.sweep"))
        self.assertEqual(self.read("s.svg").decode(), self.page("docs/images/overlap.svg"))
        time = {(row["mpi.progress"], row["network.bandwidth"]): int(row["makespan_ps"])
                for row in csv.DictReader(self.read("s.csv").decode().splitlines())}
        for rate in ("1 Gbit/s", "4 Gbit/s", "16 Gbit/s"):
            self.assertGreater(time["inline", rate], 1.1 * time["thread", rate])
            self.assertLess(abs(time["thread", rate] - time["offload", rate]), 0.01 * time["thread", rate])

    def test_the_sweep_of_broadcasts(self):
        self.good("sweep", "-o", "s", os.path.join(self.ROOT, "samples/sweeps/broadcast.sweep"))
        rows = {(row["network.topology"], row["network.link-latency"], row["ranks"]): int(row["makespan_ps"])
                for row in csv.DictReader(self.read("s.csv").decode().splitlines())}
        self.assertGreater(rows["ring", "20 us", "16"], 1.3 * rows["mesh", "20 us", "16"])
        self.assertGreater(rows["mesh", "20 us", "16"], 1.1 * rows["hypercube", "20 us", "16"])
        self.assertLess(rows["ring", "10 ns", "16"], 1.05 * rows["hypercube", "10 ns", "16"])


if __name__ == "__main__":
    main()
