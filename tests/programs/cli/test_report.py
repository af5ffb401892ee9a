#!/usr/bin/env python3
"""Reports of the network: links over time, messages. See command.py."""
import csv
import json
import os
import re

from command import ALL_TO_ALL, Command, ROOT, main

PARTS = ("send", "nic", "startup", "injection", "blocked", "transit", "ejection", "order", "wait", "receive")


class Report(Command):
    """What is reported of the network: links over time, messages with their parts, hot spots."""
    MODELS = (("mesh-4x4", "store-and-forward"), ("mesh-4x4", "cut-through"), ("mesh-4x4", "wormhole"),
              ("mesh-4x4", "wormhole-reference"), ("mesh-4x4", "flow"), ("mesh-4x4", "loggp"), ("bus-16", "bus"),
              ("bus-16", "csma-cd"), ("mesh-4x4", "switched-ethernet"))

    def watched(self, machine, switching, *options):
        self.make("all.c", ALL_TO_ALL)
        self.good("run", "-n", "16", "--machine", machine, "--set", "network.switching=" + switching, "--set",
                  "network.link-latency=1us", "--network-report", "links.json", "--messages", "messages.json", "--json",
                  "run.json", "--eager-limit", "1000", *options, "all.c")
        return [json.loads(self.read(name)) for name in ("links.json", "messages.json", "run.json")]

    def test_reports_that_cannot_be_written(self):
        """The program has run and said what it says; the option is named."""
        os.symlink("/dev/full", os.path.join(self.folder.name, "full.json"))
        self.make("all.c", ALL_TO_ALL.replace("MPI_Finalize();", "MPI_Finalize(); return 0;"))
        for option in ("--json", "--traffic", "--network-report", "--messages"):
            self.refused("^orrery: %s: cannot write full.json: No space left on device\n\\Z" % option, "run", "-n", "4",
                         "--machine", "mesh-4x4", option, "full.json", "all.c")

    def test_sums(self):
        for machine, switching in self.MODELS:
            links, messages, run = self.watched(machine, switching)
            with self.subTest(switching + ", messages"):
                ends = {}
                for transfer in messages["transfers"]:
                    self.assertEqual(transfer["state"], "received")
                    self.assertEqual(sum(transfer[part + "_ps"] for part in PARTS), transfer["latency_ps"])
                    self.assertTrue(all(transfer[part + "_ps"] >= 0 for part in PARTS))
                    self.assertEqual(transfer["blocked_ps"], sum(hop["blocked_ps"] for hop in transfer["hops"]))
                    # a rendezvous is three transfers without a gap between them
                    if transfer["message"] in ends:
                        self.assertEqual(transfer["began_ps"], ends[transfer["message"]])
                    ends[transfer["message"]] = transfer["began_ps"] + transfer["latency_ps"]
                self.assertEqual({transfer["kind"] for transfer in messages["transfers"]},
                                 {"eager", "request", "permission", "data"})

            with self.subTest(switching + ", links"):
                whole = {link["link"]: link for link in run["links"]}
                self.assertEqual([link["link"] for link in links["links"]], sorted(whole))
                for link in links["links"]:
                    fields = ["bytes", "packets", "blocked_ps"] + (["busy_ps"] if switching != "flow" else [])
                    for rows in (link["windows"], link["channels"]):
                        for field in fields:
                            self.assertEqual(sum(row[field] for row in rows), whole[link["link"]][field])
                    for row in link["windows"]:
                        self.assertLessEqual(row["utilisation"], 1)
                        self.assertLessEqual(row["end_ps"] - row["begin_ps"], links["window_ps"])
                        if row["queue_mean"] > 0:
                            self.assertLessEqual(row["queue_mean"], row["queue_most"])
                self.assertEqual([spot["link"] for spot in links["hot_spots"]],
                                 [link for _, link in sorted((-link["blocked_ps"], number) for number, link in whole.items()
                                                             if link["blocked_ps"])])

    def test_same_reports(self):
        first = self.watched("mesh-4x4", "wormhole")
        for option in (("--quantum", "1000"), ("--jobs", "3"), ("--tier", "interp"), ("--check",)):
            self.assertTrue(self.watched("mesh-4x4", "wormhole", *option) == first, option)

    def test_engines_report_alike(self):
        alike = [self.watched("mesh-4x4", switching) for switching in ("wormhole", "wormhole-reference")]
        self.assertTrue(alike[0] == alike[1])

    def test_resolved_deadlocks(self):
        self.make("turn.c", "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    static char in[20000], out[20000];\n"
                            "    int rank;\n    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                            "    MPI_Sendrecv(out, 20000, MPI_CHAR, (rank + 3) % 8, 0, in, 20000, MPI_CHAR, (rank + 5) % 8, 0,\n"
                            "                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n}\n")
        alike = []
        for switching in ("wormhole", "wormhole-reference"):
            keys = ("switching=" + switching, "routing=shortest-path", "virtual-channels=1", "deadlock=resolve",
                    "packet-bytes=20000B")
            _, err = self.good("run", "-n", "8", "--machine", "ring-8", *sum((("--set", "network." + key) for key in keys), ()),
                               "--messages", "m.json", "--network-report", "l.json", "turn.c")
            self.assertIn("it is taken out and sent again", err)
            alike.append((self.read("m.json"), self.read("l.json")))
            for row in json.loads(alike[-1][0])["transfers"]:
                self.assertEqual(sum(row[part + "_ps"] for part in PARTS), row["latency_ps"])
        self.assertTrue(alike[0] == alike[1])

    def test_multicast(self):
        self.make("cast.c", "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    static char text[5000];\n"
                            "    MPI_Init(&argc, &argv);\n    MPI_Bcast(text, 5000, MPI_CHAR, 1, MPI_COMM_WORLD);\n"
                            "    MPI_Finalize();\n}\n")
        for machine in (("bus-16",), ("mesh-4x4", "--set", "network.switching=switched-ethernet")):
            self.good("run", "-n", "6", "--machine", *machine, "--set", "collectives.bcast=multicast", "--messages", "m.json",
                      "--network-report", "l.json", "--stats", "cast.c")
            sent = [row for row in json.loads(self.read("m.json"))["transfers"] if row["kind"] == "multicast"]
            self.assertEqual({row["to"] for row in sent if row["bytes"] == 5000}, {0, 2, 3, 4, 5})
            for row in sent:
                self.assertEqual(sum(row[part + "_ps"] for part in PARTS), row["latency_ps"])
            json.loads(self.read("l.json"))

    def test_losses(self):
        links, messages, run = self.watched("mesh-4x4", "cut-through", "--set", "network.loss=5%")
        for row in messages["transfers"]:
            self.assertEqual(sum(row[part + "_ps"] for part in PARTS), row["latency_ps"])
            self.assertTrue(all(row[part + "_ps"] >= 0 for part in PARTS))
        whole = {link["link"]: link for link in run["links"]}
        for link in links["links"]:
            self.assertEqual(sum(row["packets"] for row in link["windows"]), whole[link["link"]]["packets"])

    def test_windows(self):
        links, _, _ = self.watched("mesh-4x4", "cut-through", "--network-window", "100 us")
        self.assertEqual(links["window_ps"], 100000000)
        for link in links["links"]:
            self.assertTrue(all(row["begin_ps"] % 100000000 == 0 for row in link["windows"]))
        links, _, _ = self.watched("mesh-4x4", "cut-through", "--network-window", "1 ps")
        self.assertEqual(links["window_ps"] & (links["window_ps"] - 1), 0)

    def test_csv(self):
        self.make("all.c", ALL_TO_ALL)
        self.good("run", "-n", "16", "--machine", "mesh-4x4", "--network-report", "links.csv", "--messages", "messages.csv",
                  "all.c")
        links = list(csv.DictReader(self.read("links.csv").decode().splitlines()))
        self.assertEqual(links[0]["from"], "(0,0)")
        self.assertEqual({row["channel"] for row in links}, {"all", "0", "1"})
        messages = list(csv.DictReader(self.read("messages.csv").decode().splitlines()))
        self.assertEqual(len({row["message"] for row in messages}), 16 * 15 + 15)
        for row in messages:
            self.assertEqual(sum(int(row[part + "_ps"]) for part in PARTS), int(row["latency_ps"]))
            self.assertEqual(len(row["way"].split()), int(row["hops"]))

    def test_hot_spots(self):
        self.make("all.c", ALL_TO_ALL)
        _, err = self.good("run", "-n", "16", "--machine", "mesh-4x4", "--set", "network.switching=store-and-forward",
                           "--stats", "all.c")
        self.assertRegex(err, r"hot spots +waited for +at once +longest +by the message of ranks")
        self.assertRegex(err, r"\(\d,\d\) -> \(\d,\d\) .* \d+ -> \d+ behind \d+ -> \d+")
        self.assertRegex(err, r"bisection  8 links between the two halves of the nodes; 5\d\.\d % of the bytes go")

    def test_refusals(self):
        self.refused(r"--network-report: the name must end in \.csv or \.json", "run", "--network-report", "x.txt", "hello.c")
        self.refused(r"--messages: the name must end in \.csv or \.json", "run", "--messages", "x", "hello.c")
        self.refused("--network-window 0", "run", "--network-report", "x.csv", "--network-window", "0 us", "hello.c")
        self.refused("--network-window", "run", "--network-report", "x.csv", "--network-window", "10", "hello.c")
        self.refused("--network-window says nothing", "run", "--network-window", "1 us", "hello.c")
        self.refused("--network-report: ", "run", "--network-report", "no/where.csv", "hello.c")
        self.refused("--messages: ", "run", "--messages", "no/where.json", "hello.c")

    def test_pictures_hold_their_words(self):
        for machine in [line.split()[0] for line in self.good("machines")[0].splitlines() if line and line[0].isalpha()]:
            self.good("topo", machine, "-o", "m.svg")
            picture = self.read("m.svg").decode()
            width = float(re.search(r'<svg[^>]* width="([\d.]+)"', picture)[1])
            self.assertLess(width, 3300 if machine == "torus-8x8x16" else 2100, machine)
            for x, size, anchor, text in re.findall(r'<text x="([\d.]+)"[^>]*?font-size="([\d.]+)"([^>]*)>([^<]*)<', picture):
                half = 0.5 * len(text) * float(size) * (0.5 if "middle" in anchor else 1)
                self.assertTrue(float(x) + half <= width and float(x) >= (half if "middle" in anchor else 0), (machine, text))
        self.assertIn("deadlocks are resolved", self.good("topo", "torus-5x5-recovery", "-o", "t.svg") and self.read("t.svg").decode())

    def test_colours_of_links_are_absolute(self):
        """A link that was busy for the same part of the time has the same colour in any run; and a legend says so."""
        self.good("run", "-n", "8", "-m", "mesh-4x4", "--json", "r.json", os.path.join(ROOT, "samples", "greetings.c"))
        report, colours = json.loads(self.read("r.json")), []
        for most in (1, 4):
            for link in report["links"]:
                link["busy_ps"] = 0
            report["links"][0]["busy_ps"] = report["makespan_ps"] // 4
            report["links"][1]["busy_ps"] = report["makespan_ps"] * most // 4
            self.make("busy.json", json.dumps(report))
            self.good("topo", "mesh-4x4", "--load", "busy.json", "-o", "b.svg")
            picture = self.read("b.svg").decode()
            self.assertIn(">busy, % of the time<", picture)
            self.assertEqual(re.findall(r">(\d+)</text>", picture)[-6:], ["0", "1", "5", "25", "50", "100"])
            links = re.search('<g class="links">(.*?)</g>', picture, re.S)[1]
            colours.append(re.findall(r'<path[^>]*stroke="#(\w+)"', links))
            self.assertGreaterEqual(len(colours[-1]), len(report["links"]))
        self.assertEqual(sum(a != b for a, b in zip(*colours)), 1)

    def test_points_beyond_the_top_are_marked(self):
        self.good("net", "-m", "mesh-4x4", "--load", "0.1:0.9:0.2", "--precision", "20", "-o", "n")
        rows = list(csv.DictReader(self.read("n.csv").decode().splitlines()))
        missing = sum(row["saturated"] == "1" for row in rows)
        self.assertTrue(missing)
        picture = self.read("n-latency.svg").decode()
        beyond, points = picture.count("<title>beyond the picture</title>"), picture.count("<title>uniform: ")
        self.assertGreaterEqual(beyond, missing)
        self.assertEqual(beyond + points, len(rows))
        self.assertIn("Triangles at the top", picture)
        self.assertNotIn("Triangles", self.read("n-throughput.svg").decode())


if __name__ == "__main__":
    main()
