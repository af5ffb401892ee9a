#!/usr/bin/env python3
"""`orrery net`, and what is said of networks that cannot be. See command.py."""
import json
import re

from command import Command, main


class Net(Command):
    SMALL = ("--machine", "mesh-4x4", "--set", "network.packet-bytes=32B", "--set", "network.header-bytes=0B",
             "--set", "network.link-latency=0ns", "--set", "network.router-latency=0ns")

    def test_net(self):
        out, _ = self.good("net", *self.SMALL, "--load", "0.1:0.9:0.2,0.05", "--traffic", "uniform,tornado",
                           "--output", "curve", "--json", "curve.json", "--saturation", "--precision", "10")
        self.assertRegex(out, r"(?m)^zero load  9\.67 cycles$")
        self.assertRegex(out, r"(?m)^link full  at 0\.9375 flits per node and cycle: \(0,1\) -> \(0,2\)$")
        self.assertRegex(out, r"(?m)^saturates at 0\.\d{3} flits per node and cycle$")
        self.assertIn("latency in cycles", out)
        rows = self.read("curve.csv").decode().splitlines()
        self.assertEqual([row.split(",")[:2] for row in rows[1:]],
                         [[name, load] for name in ("uniform", "tornado") for load in ("0.05", "0.1", "0.3", "0.5", "0.7", "0.9")])
        curves = json.loads(self.read("curve.json"))["curves"]
        self.assertEqual([curve["traffic"] for curve in curves], ["uniform", "tornado"])
        light = curves[0]["points"][0]
        self.assertAlmostEqual(light["accepted"], 0.05, delta=0.005)
        self.assertGreater(light["latency_cycles"], curves[0]["zero_load_cycles"] * 0.95)
        self.assertRegex(out, r"(?m)^hot spot   at load 0\.\d{4}: \d+\.\d\d packets wait for \(\d,\d\) -> \(\d,\d\), on average$")
        self.assertRegex(out, r"(?m)^bisection  at load 0\.\d{4}: its links are busy \d+\.\d % of the time$")
        uses = [point["bisection_use"] for point in curves[0]["points"] if not point["saturated"]]
        self.assertEqual(uses, sorted(uses)) # the more is offered
        self.assertTrue(curves[0]["points"][-1]["saturated"])
        self.assertNotIn("latency_cycles", curves[0]["points"][-1])
        for name in ("curve-latency.svg", "curve-throughput.svg"):
            self.assertIn(b"tornado", self.read(name))

    def test_net_is_repeatable(self):
        command = ("net", *self.SMALL, "--load", "0.1,0.2,0.3", "--precision", "10")
        once, _ = self.good(*command, "--jobs", "1")
        self.assertEqual(self.good(*command, "--jobs", "3")[0], once)
        self.assertNotEqual(self.good(*command, "--seed", "2")[0], once)

    def test_net_sizes_and_injection(self):
        command = ("net", *self.SMALL, "--set", "network.flit-bytes=4B", "--load", "0.2", "--precision", "10")
        out, _ = self.good(*command, "--flits", "1:3,8:1", "--injection", "bursts", "--burst", "3", "--json", "sizes.json")
        self.assertIn("messages of 2.75 flits on average, in bursts of 3 on average", out)
        self.assertRegex(out, r"(?m)^at load 0\.2000: latency \d+\.\d\d of \d+ messages of 32 B$")
        curve = json.loads(self.read("sizes.json"))["curves"][0]
        self.assertEqual(curve["injection"], "bursts")
        short, long = curve["points"][0]["by_size"]
        self.assertEqual((short["bytes"], long["bytes"]), (4, 32))
        self.assertGreater(long["latency_cycles"], short["latency_cycles"])
        self.assertEqual(self.good(*command, "--bytes", "4B:3,32B", "--jobs", "2")[0].splitlines()[-2:],
                         self.good(*command, "--flits", "1:3,8")[0].splitlines()[-2:])
        self.assertIn("flits, periodic", self.good(*command, "--injection", "periodic")[0])

    def test_net_hot_spot(self):
        out, _ = self.good("net", *self.SMALL, "--traffic", "hotspot", "--hot-node", "5", "--hot-share", "20", "--load", "0.05",
                           "--precision", "10")
        self.assertRegex(out, r"(?m)^traffic    hotspot \(node 5, 20 %\), messages of ")

    def test_net_deadlock(self):
        """On a ring without virtual channels: told once, with the packets that wait for each other."""
        command = ("net", "--machine", "ring-8", "--set", "network.switching=wormhole", "--set", "network.virtual-channels=1",
                   "--set", "network.routing=shortest-path", "--load", "0.8,0.9", "--precision", "10", "--json", "ring.json")
        self.refused("can deadlock on this ring", *command)
        out = self.good(*command, "--set", "network.deadlock=fatal")[0]
        self.assertEqual(re.findall(r"(?m)^deadlock at load (.*?): ", out), ["0.8000"])
        self.assertRegex(out, r"(?m)^  packet node \d -> node \d stands in ")
        for point in json.loads(self.read("ring.json"))["curves"][0]["points"]:
            self.assertIn("stands in", point["deadlock"])

    def test_net_counters_of_ethernet(self):
        """What pauses did, in text and in JSON; a link is told to go on as often as it was stopped, but for those that still are."""
        out, _ = self.good("net", "--machine", "ethernet-24", "--load", "0.9", "--precision", "20", "--json", "ether.json")
        told = re.search(r"(?m)^at load 0\.9000: pause frames that stopped a link (\d+), pause frames that let it go on (\d+), "
                         r"time paused, of all links \d+(\.\d+)? [mu]?s, most that a buffer held (\d+) B$", out)
        self.assertTrue(told, out)
        stopped, went_on, held = int(told.group(1)), int(told.group(2)), int(told.group(4))
        self.assertTrue(0 < went_on <= stopped, out)
        self.assertIn(held, json.loads(self.read("ether.json"))["curves"][0]["points"][0].values())

    def test_net_stops_where_it_is_saturated(self):
        """A load of which nothing but the latency would still become known: some tens of thousands of messages."""
        _, _ = self.good("net", *self.SMALL, "--load", "0.95", "--json", "full.json")
        point = json.loads(self.read("full.json"))["curves"][0]["points"][0]
        self.assertTrue(point["saturated"])
        self.assertLess(point["messages"], 20000)

    def test_net_refuses(self):
        for options, why in ((("--traffic", ""), "no pattern is given"), ((), "has one node"), (("--flits", "0"), "1 to 8 flits"),
                             (("--bytes", "64B", "--flits", "3"), "give one of them"), (("--bytes", "1GiB"), "at most 10000"),
                             (("--bytes", "8B:0"), "a weight"), (("--bytes", ""), "not a size"), (("--injection", "poisson"), "bernoulli, bursts"),
                             (("--burst", "3"), "--injection bursts"), (("--injection", "bursts", "--burst", "0"), "1 to 10000"),
                             (("--hot-node", "1"), "--traffic hotspot"), (("--bytes", ",".join(["8B"] * 9)), "at most 8 sizes")):
            self.refused(why, "net", *(self.SMALL if options else ()), *options)
        self.refused("--set network.nodes=", "net", "--machine", "loggp-cluster")
        self.assertRegex(self.good("net", "--list")[0], r"(?m)^bit-reverse +to the node")
        self.refused('no traffic "unifrom"; there are: uniform', "net", "--traffic", "unifrom")
        self.refused("power of two", "net", "--machine", "mesh-4x4", "--set", "network.dims=3x4", "--traffic", "shuffle")
        self.refused("there is no node 16", "net", "--machine", "mesh-4x4", "--traffic", "hotspot", "--hot-node", "16")
        for load in ("", "0", "1.1", "x", "0.1:0.2", "0.2:0.1:0.1", "0.1:0.2:0", "0.1:0.2:0.1:0.1", "-1", "0.5x"):
            self.refused("expected FROM:TO:STEP", "net", "--load=" + load)
        self.refused("more than 10000 points", "net", "--load", "0.00001:1:0.00001")
        self.refused("--precision 0", "net", "--precision", "0")
        self.refused("--hot-share", "net", "--traffic", "hotspot", "--hot-share", "101")
        self.refused("no unit", "net", "--bytes", "100")
        self.refused('"mesh-4x4": no argument', "net", "mesh-4x4")
        self.refused("no machine", "net", "--machine", "nowhere")

    # of a [network] section: what it says, the line that is refused (1 is the section's), why

    IMPOSSIBLE = [
        ("topology = mesh(0,4)", 2, "it must be at least 1"), ("topology = msh", 2, 'did you mean "mesh"'),
        ("topology = mesh(4", 2, "topology"), ("topology = mesh(-1)", 2, "not a parameter"), ("topology = mesh(4,4) x", 2, "topology"),
        ("topology = dragonfly(p=2,q=3)", 2, "topology"), ("topology = mesh()", 2, "give nodes or dims"), ("topology = mesh\ndims = 0x4", 3, "0x4"),
        ("topology = mesh\ndims = 4x", 3, "4x"), ("topology = mesh\ndims = -4", 3, "-4"), ("topology = mesh\ndims = 4x4\nnodes = 15", 3, "makes 16 nodes"),
        ("topology = mesh(4,4)\ndims = 3x3", 3, "contradict each other"), ("dims = 4x4x1\ntopology = mesh(4,4)", 3, "contradict each other"),
        ("topology = mesh(4,4)\nnodes = 15", 2, "makes 16 nodes"), ("topology = torus(1000,1000,1000)", 2, "more than 16777216 nodes"),
        ("topology = hypercube\nnodes = 12", 3, "power of two"), ("topology = hypercube(64)", 2, "at most 24 dimensions"),
        ("topology = mesh\nnodes = 99999999999999999999", 3, "nodes"), ("topology = mesh\nnodes = 1.5", 3, "nodes"), ("topology = mesh\nnodes = nan", 3, "nodes"),
        ("topology = dragonfly(p=2,a=2,h=1,g=9)", 2, "9 groups need"), ("topology = xgft(4,4;1)", 2, "an even number"),
        ("topology = butterfly(2,40)", 2, "more than"), ("topology = clusters(1)", 2, "number of clusters"), ("topology = clos(0,2,2)", 2, "at least 1"),
        ("bandwidth = 5", 2, "no unit"), ("bandwidth = 5 GB", 2, '"GB" is not a unit'), ("bandwidth = -1 GB/s", 2, "not a bandwidth"),
        ("bandwidth = nan GB/s", 2, "not a bandwidth"), ("bandwidth = 0 GB/s", 2, "too small"), ("bandwidth = 99999999999999999999 GB/s", 2, "not a bandwidth"),
        ("link-latency = 5", 2, "no unit"), ("link-latency = 5 lightyears", 2, "not a unit"), ("link-latency = inf s", 2, "not a time"),
        ("startup = -1 ns", 2, "not a time"), ("gap-per-byte = 5 ns", 2, "not a unit"), ("packet-bytes = 0 B", 2, "too small"),
        ("packet-bytes = 1500", 2, "no unit"), ("header-bytes = 99999999999999999999 GiB", 2, "not a size"),
        ("topology = mesh(4,4)\nswitching = wormhole\nvirtual-channels = 0", 4, "too small"),
        ("topology = mesh(4,4)\nswitching = wormhole\nvirtual-channels = 1000", 4, "too large"),
        ("topology = mesh(4,4)\nswitching = wormhole\nbuffer-flits = 0", 4, "too small"),
        ("topology = mesh(4,4)\nswitching = wormhole\nflit-bytes = 2 KiB", 4, "larger than a packet"),
        ("topology = mesh(4,4)\nflit-bytes = 4 B\nswitching = wormhole\npacket-bytes = 3 B", 3, "larger than a packet"),
        ("topology = torus(4,4)\nswitching = wormhole\nrouting = dimension-order\nvirtual-channels = 1", 5, "at least 2 virtual channels"),
        ("topology = ring(8)\nswitching = wormhole", 2, "can deadlock on this ring"),
        ("topology = full(60000)\nswitching = wormhole", 2, "flit buffers"), ("vc-allocation = first", 2, "oldest-first"),
        ("topology = mesh(4,4)\nswitching = bus", 3, "shared medium"), ("topology = bus\nnodes = 4\nswitching = wormhole", 4, "shared medium"),
        ("topology = bus\nnodes = 4\nswitching = csma-cd\nlink-latency = 1 s", 5, "collision could go unheard"),
        ("topology = mesh(4,4)\nswitching = wormhol", 3, 'did you mean "wormhole"'), ("topology = mesh(4,4)\nrouting = valient", 3, 'did you mean "valiant"'),
        ("topology = torus(4,4)\nrouting = west-first", 3, "west-first is for a mesh"), ("topology = ring(8)\nrouting = ugal", 3, "for dragonflies"),
        ("topology = mesh(4,4)\nrouting = destination-mod-k", 3, "for fat-tree and xgft"), ("topology = mesh(4,4)\nrouting = table", 3, "name of a file"),
        ("topology = file", 2, "name of a file"), ("topology = file\nfile = nowhere", 3, "No such file"), ("topology = file\nfile = .", 3, "no ordinary file"),
        ("topology = file\nfile = /dev/zero", 3, "no ordinary file"), ("topology = mesh(4,4)\nrouting = table\ntable = /dev/zero", 4, "no ordinary file"),
        ("bandwith = 1 GB/s", 2, 'did you mean "bandwidth"'), ("seed = -1", 2, "seed"), ("duplex = simplex", 2, "half"),
    ]
    # of a graph file: what it says, the line, why

    BAD_GRAPHS = [
        ("", None, "has no nodes"), ("0 1\n2 3\n", None, "disconnected"), ("0 -> 1\n", None, "disconnected"), ("0 1\n1 1\n", 2, "to itself"),
        ("0 1 bandwidth=5\n", 1, "with a unit"), ("0 1 bandwidth=0B/s\n", 1, "with a unit"), ("0 1 latency=-1ns\n", 1, "with a unit"),
        ("0 1 latency=nanns\n", 1, "with a unit"), ("0 1 width=0\n", 1, "1 to 65536"), ("0 1 colour=red\n", 1, 'no "colour"'), ("0\n", 1, "two vertices"),
        ("0 1 2\n", 1, "key=value"), ("0 1 duplex=quarter\n", 1, "full or half"), ("switch 0\nswitch 1\n0 1\n", None, "has no nodes"),
        ('0 1 bandwidth="10 Gbit/s\n', 1, "quote"), ("graph {", 1, "} is missing"), ("graph { a -> b }", 1, "are --"), ("digraph { a -- b }", 1, "are ->"),
        ("graph {\n a -- a }", 2, "to itself"), ("graph { a -- b [bandwidth=fast] }", 1, "with a unit"), ("graph { a -- <b> }", 1, "HTML"),
        ("graph {" + "{" * 100000, 1, "nested too deeply"), ("x" * 3000000, 1, "two vertices"), ("0 1\n\0\n", 2, "no text file"),
    ]

    BAD_TABLES = [
        ("x\n", 1, "at to next"), ("0 1 1 1\n", 1, "at to next"), ("0 9 1\n", 1, "no such vertex"), ("99999999999 1 2\n", 1, "no such vertex"),
        ("# a row\n0 1 2\n", 2, "no link leads"), ("0 2 1\n0 2 3\n", 2, "elsewhere"), ("0 2 1\n1 2 0\n", None, "round for ever"), ("\0", 1, "no text file"),
    ]

    def test_network_refusals_have_a_place(self):
        for text, line, why in self.IMPOSSIBLE:
            self.make("bad.machine", "[network]\n" + text + "\n")
            with self.subTest(text):
                _, err = self.refused("error", "topo", "./bad.machine")
                self.assertRegex(err, r"\A(orrery: )?(./)?bad\.machine:%d:\d+: error: " % line, text)
                self.assertIn(why, err, text)

    def test_graphs_and_tables_have_a_place(self):
        graph = "[network]\ntopology = file\nfile = bad.txt\n"
        table = "[network]\ntopology = ring(4)\nrouting = table\ntable = bad.txt\n"
        for machine, cases in ((graph, self.BAD_GRAPHS), (table, self.BAD_TABLES)):
            self.make("bad.machine", machine)
            for text, line, why in cases:
                self.make("bad.txt", text)
                _, err = self.refused("error", "topo", "./bad.machine")
                self.assertRegex(err, r"\A(orrery: )?(./)?bad\.machine:%d:1: error: (file|table): (\./)?bad\.txt" % machine.count("\n"), text[:99])
                self.assertIn(why, err, text[:99])
                if line:
                    self.assertRegex(err, r"bad\.txt:%d: " % line, text[:99])


if __name__ == "__main__":
    main()
