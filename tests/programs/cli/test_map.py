#!/usr/bin/env python3
"""`orrery map`. See command.py."""
import json

from command import Command, main


class Map(Command):
    RING = "ranks 16\n" + "".join("%d %d 1000 2\n" % (i, (i + 1) % 16) for i in range(16))

    def setUp(self):
        super().setUp()
        self.make("ring.traffic", self.RING)

    def map_json(self, *arguments):
        out, _ = self.good("map", "--json", "-", *arguments)
        return json.loads(out)

    def test_records_traffic(self):
        """Payload, of collectives too, by pairs; and nothing else changes."""
        self.make("talk.c", "#include <mpi.h>\nint main(int argc, char **argv) { int rank; char text[100] = \"\";\n"
                  "MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                  "for (int i = 0; i < 3; i++)\n"
                  "if (rank == 1) MPI_Send(text, 50 + i, MPI_CHAR, 2, 0, MPI_COMM_WORLD);\n"
                  "else if (rank == 2) MPI_Recv(text, 100, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
                  "MPI_Finalize(); }\n")
        options = ("run", "-n", "3", "--machine", "ring-8", "--set", "collectives.barrier=linear", "--json")
        self.good(*options, "a.json", "talk.c")
        self.good(*options, "b.json", "--traffic", "t.traffic", "talk.c")
        self.assertEqual(self.read("a.json"), self.read("b.json"))
        lines = self.read("t.traffic").decode().splitlines()
        self.assertEqual(lines[1], "ranks 3")
        flows = {tuple(map(int, line.split()[:2])): tuple(map(int, line.split()[2:])) for line in lines[3:]}
        self.assertEqual(flows[1, 2][0], 153)
        statistics = json.loads(self.read("a.json"))
        self.assertEqual(sum(bytes for bytes, _ in flows.values()), statistics["bytes"])
        self.assertEqual(sum(messages for _, messages in flows.values()), statistics["messages"])
        self.assertEqual(list(flows), sorted(flows))
        _, _, err = self.orrery("run", "--traffic", "nowhere/t.traffic", "hello.c")
        self.assertIn("--traffic: ", err)

    def test_a_table_of_all(self):
        out, _ = self.good("map", "--machine", "hypercube-4", "--traffic", "ring.traffic")
        self.assertRegex(out, r"(?m)^before  block +30000 +1\.875 +1\.875 +4 +1000  node 0 -> node 1$")
        self.assertRegex(out, r"(?m)^        gray +16000 +1\.000 +1\.000 +1 +1000 ")
        self.assertRegex(out, r"(?m)^        grid +cannot be: grid needs the extents")
        self.assertRegex(out, r"best     gray: 46\.6 % fewer")
        table = self.map_json("--machine", "hypercube-4", "--traffic", "ring.traffic")
        self.assertEqual(table["before"]["hop_bytes"], 30000)
        after = {row["mapping"]: row for row in table["after"]}
        self.assertEqual(after["snake"]["nodes"], [i ^ i >> 1 for i in range(16)])
        self.assertLessEqual(after["local-search"]["hop_bytes"],
                             min(row["hop_bytes"] for name, row in after.items() if name in ("block", "greedy", "bisection")))
        for name, row in after.items():
            if "nodes" in row:
                self.assertEqual(sorted(row["nodes"]), list(range(16)), name)

    def test_writes_what_a_run_reads(self):
        """The mapping does what the table says, and the local search begins with the mapping that there is."""
        machine = ("--machine", "mesh-4x4", "--traffic", "ring.traffic")
        self.good("map", *machine, "--strategy", "snake", "-o", "ring.mapping")
        text = self.read("ring.mapping").decode()
        self.assertIn("\n7 4\n", text)
        row = self.map_json(*machine, "--set", "mapping.ranks=ring.mapping", "--strategy", "block")["before"]
        self.assertEqual((row["mapping"], row["hop_bytes"]), ("ring.mapping", 15000 + 3000))
        self.good("run", "-n", "16", "--machine", "mesh-4x4", "--set", "mapping.ranks=ring.mapping", "hello.c")
        for seed in "12":
            table = self.map_json(*machine, "--set", "mapping.ranks=random", "--set", "mapping.seed=" + seed, "--strategy",
                                  "local-search,ring.mapping", "--strategy", "cyclic")
            self.assertEqual([row["mapping"] for row in table["after"]], ["local-search", "ring.mapping", "cyclic"])
            self.assertLess(table["after"][0]["hop_bytes"], table["before"]["hop_bytes"])

    def test_a_machine_file_may_ask_for_it(self):
        self.make("m.machine", "[network]\ntopology = torus\ndims = 4x4\n[mapping]\nranks = bisection\ntraffic = ring.traffic\n")
        self.good("run", "-n", "16", "--machine", "./m.machine", "hello.c")
        self.refused(r"ring.traffic:1:1: error: the traffic is that of 16 ranks, but 8 run", "run", "-n", "8", "--machine",
                     "./m.machine", "hello.c")
        self.make("n.machine", "[network]\ntopology = star\nnodes = 4\n[mapping]\nranks = snake\n")
        self.refused(r"n.machine:5:1: error: ranks: snake is for .*star", "run", "--machine", "./n.machine", "hello.c")
        self.refused("greedy needs to know who talks to whom", "run", "--set", "mapping.ranks=greedy", "hello.c")
        self.refused("did you mean \"bisection\"", "run", "--set", "mapping.ranks=bisecton", "hello.c")
        self.refused("gray is for hypercubes", "run", "--machine", "ring-8", "--set", "mapping.ranks=gray", "hello.c")
        self.refused("a grid of 12 is not one of 16 ranks", "run", "-n", "16", "--machine", "mesh-4x4", "--set",
                     "mapping.ranks=grid", "--set", "mapping.grid=3x4", "hello.c")
        self.refused("cannot be laid onto", "run", "-n", "14", "--machine", "mesh-4x4", "--set", "mapping.ranks=grid", "--set",
                     "mapping.grid=2x7", "hello.c")
        self.refused("mapping.grid: \"4y4\"", "run", "--set", "mapping.grid=4y4", "hello.c")

    def test_cores_and_many_ranks(self):
        """Several ranks a node: those that talk share one; more ranks than cores: each core its share."""
        self.make("pairs.traffic", "ranks 8\n" + "".join("%d %d 500\n" % (i, i ^ 4) for i in range(8)))
        table = self.map_json("--machine", "ring-8", "--set", "network.nodes=4", "--set", "node.cores=2", "--traffic",
                              "pairs.traffic")
        after = {row["mapping"]: row for row in table["after"]}
        self.assertEqual(table["before"]["hop_bytes"], 8 * 2 * 500)
        for name in ("greedy", "bisection", "local-search"):
            self.assertEqual(after[name]["hop_bytes"], 0, name)
        table = self.map_json("--machine", "ring-8", "--set", "network.nodes=4", "--traffic", "pairs.traffic", "--strategy",
                              "bisection")
        self.assertEqual(table["after"][0]["hop_bytes"], 0)
        self.assertEqual(sorted(table["after"][0]["nodes"]), [0, 0, 1, 1, 2, 2, 3, 3])

    def test_wrong_usage(self):
        self.refused("no traffic is given", "map")
        self.refused("cannot be read", "map", "--traffic", "nowhere")
        self.refused("takes only options", "map", "--traffic", "ring.traffic", "hello.c")
        self.refused(r"ring.traffic:1:1: error: the traffic is that of 16 ranks, not of 8", "map", "-n", "8", "--traffic",
                     "ring.traffic")
        self.refused(r"--strategy gray: gray is for hypercubes", "map", "--machine", "mesh-4x4", "--traffic", "ring.traffic",
                     "--strategy", "gray", "-o", "x.mapping")
        self.refused("did you mean \"snake\"", "map", "--machine", "mesh-4x4", "--traffic", "ring.traffic", "--strategy", "snakes")
        self.make("bad.traffic", "ranks 2\n0 1 -7\n")
        self.refused(r"bad.traffic:2:1: error: bytes \"-7\" is negative", "map", "--traffic", "bad.traffic")
        self.refused("No such file", "map", "--traffic", "ring.traffic", "-o", "nowhere/x.mapping")


if __name__ == "__main__":
    main()
