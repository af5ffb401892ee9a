#!/usr/bin/env python3
"""Keys of machines. See command.py."""
import json
import re

from command import Command, ORRERY, main


class Keys(Command):
    """Keys that the chosen machine never reads are told, and really are not read."""
    PROGRAM = "#include <mpi.h>\n#include <stdlib.h>\nint main(int argc, char **argv) { int r, n, s = 0; static char b[9000]; MPI_Init(&argc, &argv);\n" \
              "MPI_Comm_rank(MPI_COMM_WORLD, &r), MPI_Comm_size(MPI_COMM_WORLD, &n); for (int i = 0; i < 3000; i++) s += rand() % 7 / (i % 5 + 1);\n" \
              "MPI_Sendrecv(b, 700, MPI_CHAR, (r + 1) % n, 1, b + 4500, 4500, MPI_CHAR, (r + n - 1) % n, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n" \
              "MPI_Bcast(b, 9000, MPI_CHAR, 0, MPI_COMM_WORLD); MPI_Alltoall(b, 64, MPI_CHAR, b + 4500, 64, MPI_CHAR, MPI_COMM_WORLD); MPI_Finalize(); return s < 0; }\n"
    UNREAD = re.compile(r"(?m)^orrery: ([\w.-]+) = (.*) changes nothing: ")
    SHAPES = ("machine.description", "network.file", "network.table", "network.nodes", "network.dims", "faults.link", "faults.router")

    OTHERS = {"network.acknowledgement-bytes": "8 B", "background.end": "2 s", "background.pattern": "neighbour"} # where what is made of the value cannot be

    def result(self, *options):
        """Everything but that nothing was lost: that is told where something can be, even where there is one node."""
        _, err = self.good("run", "-n", "4", "--json", "r.json", *options, "program")
        result = json.loads(self.read("r.json"))
        for section in ("network", "background"):
            if section in result and not any(value for key, value in result[section].items() if key != "by_link"):
                del result[section]
        return result, err

    def keys(self, *options):
        """(key, value, what the help says of its values) of a machine."""
        section, result, kind = "", [], ""
        for line in self.good("machines", "--print", *options)[0].splitlines():
            kind = line[line.rindex("("):] if line.startswith("## ") and "(" in line else kind
            section = line[1:-1] if line.startswith("[") else section
            if " = " in line and line[0] not in "#[" and section not in ("library",) and not section.startswith("node-type"):
                result.append((section + "." + line.split(" = ")[0], line.split(" = ", 1)[1], kind))
        return [key for key in result if key[0] not in self.SHAPES]

    @staticmethod
    def another(value, kind):
        """A value that differs from this one."""
        choices = re.match(r"\(one of: (.*?); default", kind)
        example = re.search(r" like (.*?)(?: or |, |;)", kind)
        if choices:
            return next(choice for choice in choices[1].split(", ") if choice != value)
        if "grid" in kind or "extents" in kind:
            return "2x2"
        if not example:
            return "2"
        number = re.match(r"[\d.]+", value)
        if not number or value in ("0", "0 B"):
            return example[1]
        if value.isdigit():
            return str(int(value) // 2 if int(value) > 1 else 2)
        return "%g%s" % (float(number[0]) * 2, value[number.end():])

    def test_what_is_told_to_be_unread_is_unread(self):
        self.make("program.c", self.PROGRAM)
        self.good("cc", "-O1", "-o", "program", "program.c")
        machines = [line.split()[0] for line in self.good("machines")[0].splitlines() if line and line[0].isalpha()]
        variants = [["--machine", name] for name in machines]
        variants += [["--machine", "mesh-4x4", "--set", "network.switching=" + name] for name in
                     ("cut-through", "wormhole-reference", "flow", "switched-ethernet", "loggp")]
        variants += [["--machine", "mesh-4x4", "--set", "network.topology=" + name] for name in ("crossbar", "star", "ring", "full")]
        variants += [["--machine", "bus-16", "--set", "network.switching=csma-cd"],
                     ["--machine", "ring-8", "--set", "memory.model=hierarchy", "--set", "memory.L2-size=0", "--set", "cost.branch-predictor=gshare"],
                     ["--machine", "laptop", "--set", "cost.execution=out-of-order", "--set", "mapping.ranks=cyclic"],
                     ["--machine", "mesh-8x8", "--set", "background.load=0.1", "--set", "network.loss=0.001", "--set", "mapping.ranks=random"],
                     ["--machine", "hypercube-4", "--set", "noise.period=1 ms", "--set", "noise.duration=10 us"]]
        seen = set()
        for variant in variants:
            keys = self.keys(*(variant[1:] if variant[0] == "--machine" else variant))
            same = [word for key, value, _ in keys if value for word in ("--set", "%s=%s" % (key, value))]
            base, _ = self.result(*variant)
            repeated, err = self.result(*variant, *same)
            self.assertTrue(repeated == base, variant)
            unread = {key for key, _ in self.UNREAD.findall(err)}
            seen |= unread
            others = {key: self.OTHERS.get(key) or self.another(value, kind) for key, value, kind in keys if key in unread}
            for some in (set(others) - {"noise.period"}, set(others) & {"noise.period"}): # both parts of noise make some
                changed, err = self.result(*variant, *(word for key in sorted(some) for word in ("--set", "%s=%s" % (key, others[key]))))
                self.assertTrue(changed == base, (variant, {key: others[key] for key in some}))
                self.assertEqual({key for key, _ in self.UNREAD.findall(err)}, some, variant)
        self.assertGreater(len(seen), 70)

    def test_told_by_run_net_and_sweep(self):
        for machine, key, why in (("ring-8", "network.latency=3 us", "it is read where network.switching is loggp; here network.switching is store-and-forward"),
                                  ("laptop", "network.link-latency=1 us", "laptop has one node, so that no message crosses its network"),
                                  ("ring-8", "memory.L1-ways=4", "it is read where memory.model is hierarchy; here memory.model is flat"),
                                  ("loggp-cluster", "network.router-latency=1 us", "it is read where network.switching is not loggp or bus or csma-cd; here network.switching is loggp"),
                                  ("mesh-4x4", "noise.seed=5", "it is read where noise.period is not 0; here noise.period is 0")):
            message = "orrery: %s changes nothing: %s\n" % (key.replace("=", " = "), why)
            self.assertEqual(self.good("run", "-m", machine, "--set", key, "hello.c")[1], message)
            self.assertEqual(self.run_it(ORRERY, "run", "-q", "-m", machine, "--set", key, "hello.c")[2], "")
        for machine, key in (("ring-8", "network.link-latency=1 us"), ("loggp-cluster", "network.latency=1 us"), ("mesh-4x4", "mpi.eager-limit=1 KiB")):
            self.assertEqual(self.good("run", "-m", machine, "--set", key, "hello.c")[1], "")
        _, err = self.good("net", "-m", "ring-8", "--load", "0.1", "--set", "network.latency=3 us", "--set", "cpu.clock=1 GHz")
        self.assertEqual(err.count("changes nothing"), 2)
        self.make("s.sweep", "[sweep]\nprogram = hello.c\nmachines = ring-8 loggp-cluster\nranks = 1\n[vary]\nnetwork.latency = 1 us; 2 us\n")
        _, err = self.good("sweep", "s.sweep")
        self.assertEqual(err.count("changes nothing"), 2)
        self.assertEqual(self.read("s.csv").decode().count("changes nothing"), 2)

    def test_a_machine_far_too_large(self):
        out, err = self.good("run", "-n", "2", "-m", "hypercube-4", "--set", "network.dims=16", "hello.c")
        self.assertEqual(err, "orrery: the machine has 65536 nodes (hypercube, network.dims = 16: that many dimensions, and 2 to that power nodes) for 2 ranks\n")
        self.assertEqual(self.good("run", "-n", "11", "-m", "torus-8x8x16", "hello.c")[1], "")
        self.assertIn("1024 nodes (torus, network.dims = 8x8x16) for 10 ranks", self.good("run", "-n", "10", "-m", "torus-8x8x16", "hello.c")[1])


class Costs(Command):
    ROOTS = ("#include <math.h>\nvolatile double x = 2;\nvolatile float y = 2;\n"
             "int main(void) { for (int i = 0; i < 4; i++) x = sqrt(x), y = sqrtf(y), x = __builtin_sqrt(x); }\n")

    def picoseconds(self, *options):
        self.good("run", "--set", "cpu.clock=1 GHz", "--json", "out.json", *options, "roots.c")
        return json.loads(self.read("out.json"))["makespan_ps"]

    def test_a_square_root_costs_what_the_machine_says(self):
        """Whether the compiler makes an instruction of it or calls the library; what is said of the function goes before that."""
        self.make("roots.c", self.ROOTS)
        for tier in ("interp", "native"):
            usual = self.picoseconds("--tier", tier)
            self.assertEqual(self.picoseconds("--tier", tier, "--set", "cost.fp-sqrt=118 cycles"), usual + 12 * 100 * 1000)
            self.assertEqual(self.picoseconds("--tier", tier, "--set", "cost.fp-sqrt=118 cycles", "--set", "library.sqrt=20 cycles"),
                             usual + 8 * 100 * 1000)
        printed, _ = self.good("machines", "--print", "laptop")
        self.assertIn("## sqrt = 2 cycles, and what fp-sqrt costs\n", printed)

    def test_keys_of_progress_that_contradict(self):
        """Refused with the line of the key, or its name if it was not in the file; a thread needs a core."""
        head = "[machine]\ndescription = d\n[node]\ncores = %d\n[network]\ntopology = ring\nnodes = 4\n[mpi]\nprogress = thread\n"
        self.make("a.machine", head % 2 + "one-sided = inline\n")
        self.refused(r"a\.machine:10:1: error: one-sided: inline contradicts progress = thread", "run", "-m", "a.machine", "hello.c")
        self.make("b.machine", head % 1)
        self.refused(r"b\.machine:9:1: error: progress: node 0 has 1 core, but 1 rank and 1 communication thread", "run", "-m", "b.machine", "hello.c")
        self.good("run", "-q", "-m", "b.machine", "--set", "mpi.progress-core=shared", "hello.c")
        self.good("run", "-m", "b.machine", "-n", "4", "--set", "node.cores=2", "hello.c")
        self.refused("3 ranks and 1 communication thread", "run", "-m", "b.machine", "-n", "9", "--set", "node.cores=3", "--set", "mpi.progress-thread=node", "hello.c")
        self.refused(r"\[mpi\] background: inline contradicts", "run", "-m", "b.machine", "--set", "mpi.background=inline", "--set", "node.cores=2", "hello.c")

    def test_a_daemon_needs_a_core(self):
        """Of its own, or one that it shares with ranks; refused with the line of the key that asks for daemons."""
        head = "[machine]\ndescription = d\n[node]\ncores = %d\n[network]\ntopology = ring\nnodes = 4\n[protocol]\n"
        self.make("a.machine", head % 1 + "wan = put\ncluster = daemon\ncluster-nodes = 4\n")
        self.refused(r"a\.machine:10:1: error: cluster: node 0 has 1 core, but 1 rank and a daemon, which need one each", "run", "-m", "a.machine", "hello.c")
        self.good("run", "-q", "-m", "a.machine", "--set", "protocol.daemon-core=shared", "hello.c")
        self.good("run", "-q", "-m", "a.machine", "-n", "4", "--set", "node.cores=2", "hello.c")
        self.refused("node 0 has 2 cores, but 2 ranks and a daemon", "run", "-m", "a.machine", "-n", "5", "--set", "node.cores=2", "hello.c")
        both = ["run", "-m", "a.machine", "--set", "node.cores=2", "--set", "mpi.progress=thread"]
        self.refused("1 rank and 1 communication thread and a daemon, .* progress-core = shared, or daemon-core = shared", *both, "hello.c")
        self.good(*both, "-q", "--set", "mpi.progress-core=shared", "hello.c")
        self.assertIn("protocol.daemon-core = shared changes nothing", self.good("run", "-n", "2", "--set", "protocol.daemon-core=shared", "hello.c")[1])

    def test_a_cache_has_whole_sets(self):
        for keys, pattern in ((["L1-ways=7"], "L1-size: 32768 bytes are no whole number of sets of 7 lines of 64 bytes"),
                              (["L2-size=100 B"], "L2-size: 100 bytes are no whole number of sets of 16 lines of 64 bytes"),
                              (["L1-size=100 B", "L1-ways=0"], "L1-size: 100 bytes are no whole number of sets of 1 line of 64 bytes")):
            options = sum((["--set", "memory." + key] for key in ["model=hierarchy"] + keys), [])
            self.refused(pattern, "run", *options, "hello.c")
        self.good("run", "--set", "memory.model=hierarchy", "--set", "memory.L1-ways=4", "hello.c")
        self.good("run", "--set", "memory.L1-ways=7", "hello.c")  # nobody asks for caches


if __name__ == "__main__":
    main()
