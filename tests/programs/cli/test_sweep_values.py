#!/usr/bin/env python3
"""Ranges of values in sweep files: what they mean, what is refused. See command.py."""
from command import Command, main


class Values(Command):
    def spec(self, ranks="2", vary=""):
        self.make("s.sweep", "[sweep]\nprogram = hello.c\nranks = %s\n[vary]\n%s" % (ranks, vary))

    def values(self, key, ranks="2", vary=""):
        self.spec(ranks, vary)
        lines = self.good("sweep", "--list", "s.sweep")[0].splitlines()
        return [part.split("=", 1)[1] for line in lines for part in line.split("  ") if part.startswith(key + "=")]

    def test_numbers(self):
        for text, wanted in (("2:5", "2 3 4 5"), ("2:9:3", "2 5 8"), ("2:8:3", "2 5 8"), ("8:2:2", "8 6 4 2"), ("2^1:2^6", "2 4 8 16 32 64"), ("3^0:3^3", "1 3 9 27"),
                             ("2^3:2^1", "8 4 2"), ("1:100:log10", "1 10 100"), ("1:99:log10", "1 10"), ("64:4:log2", "64 32 16 8 4"), ("5:5", "5"), ("1 4:6, 9", "1 4 5 6 9")):
            self.assertEqual(" ".join(self.values("ranks", ranks=text)), wanted, text)

    def test_quantities(self):
        for text, wanted in (("1us:1ms:log10", ["1 us", "10 us", "100 us", "1000 us"]), ("1 us : 4 us", ["1 us", "2 us", "3 us", "4 us"]),
                             ("1 us:2 us:500 ns", ["1 us", "1.5 us", "2 us"]), ("10 ns; 1 us:3 us:2us", ["10 ns", "1 us", "3 us"]), ("4 us:1 us:log2", ["4 us", "2 us", "1 us"])):
            self.assertEqual(self.values("network.link-latency", vary="network.link-latency = %s\n" % text), wanted, text)
        self.assertEqual(self.values("network.bandwidth", vary="network.bandwidth = 1 Gbit/s:4 Gbit/s:log2\n"), ["1 Gbit/s", "2 Gbit/s", "4 Gbit/s"])

    def test_what_is_no_range_stays(self):
        self.assertEqual(self.values("network.topology", vary="network.topology = ring\n"), ["ring"])

    def test_wrong_ranges(self):
        for ranks, words in (("2:8:0", "for ever"), ("0:8:log2", "for ever"), ("1:8:log1", "for ever"), ("1:8:logx", "factor"), ("1:8:x", "neither a step"),
                             ("1:10000000000", "more than"), ("1:4:2us", "neither a step"), ("2:8 4", "twice"), ("1:", "1:"), (":", "ranks"), ("1:2:3:4", "1:2:3:4"),
                             ("2^1:3^4", "2\\^1"), ("2^1:2^99", "2\\^1")):
            self.spec(ranks)
            self.refused(words, "sweep", "--list", "s.sweep")
        self.spec("2", "network.link-latency = 1 us:4 KiB\n")
        self.refused("one kind", "sweep", "--list", "s.sweep")
        self.spec("1:10000", "network.link-latency = 1 ns:10000 ns\nnetwork.bandwidth = 1 Gbit/s:10000 Gbit/s\n")
        self.refused("1000000000000 runs", "sweep", "--list", "s.sweep")

    def test_a_sweep_over_a_range(self):
        self.spec("2^0:2^3", "mpi.send-overhead = 1us:2us\n")
        self.good("sweep", "-o", "out", "s.sweep")
        rows = self.read("out.csv").decode().splitlines()
        self.assertEqual(len(rows), 1 + 4 * 2)
        self.assertEqual(len(set(rows)), len(rows))


main()
