#!/usr/bin/env python3
"""`orrery plot`: every kind of picture from traces, programs and tables; wrong requests. See command.py."""
import os
import re
import xml.etree.ElementTree

from command import Command, WRONG, main

RING = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, ranks, token = 1;
    double sum, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int turn = 0; turn < 3; turn++)
        MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % ranks, 1, &token, 1, MPI_INT, (rank + ranks - 1) % ranks, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %g, %d arguments\\n", sum, argc - 1);
    MPI_Finalize();
    return argc > 1 ? 5 : 0;
}
"""
ALONE = "int main(void) { volatile int s = 0; for (int i = 0; i < 1000; i++) s += i; return 0; }\n"
FROM_TRACE = ("timeline", "space-time", "matrix", "sizes", "waits", "message", "flame")
SWEEP = "machine,ranks,makespan_ps,exit_status,note\nring,1,1000000,0,\nring,2,600000,0,\nring,4,,1,deadlock\n"
NET = "traffic,offered,saturated,latency_cycles\nuniform,0.1,0,31.5\nuniform,0.2,0,44\nuniform,0.3,1,\n"
PROFILE = """{"orrery": 1, "schema": "orrery-profile", "machine": "laptop", "ranks_total": 2, "makespan_ps": 9000000,
"nodes": [{"parent": null, "function": "main", "self": {"compute_ps": 5000000, "blocked_ps": 1000000}},
          {"parent": 0, "function": "work", "self": {"compute_ps": 3000000, "overhead_ps": 40000}}],
"functions": [{"function": "main", "self": {"compute_ps": 5000000}, "counts": {"instructions": 9000, "loads": 10}},
              {"function": "work", "self": {"compute_ps": 3000000}, "counts": {"instructions": 60, "stores": 5}}]}
"""
ROOF = "name,operations,bytes,time_ps\ntriad,2000,24000,3000000\n"


class Plot(Command):
    def setUp(self):
        super().setUp()
        self.make("ring.c", RING)

    def record(self, name="run.trace", ranks="4", program="ring.c"):
        self.good("run", "-n", ranks, "--trace", name, program)

    def picture(self, *arguments, name="p.svg"):
        """The text of an SVG that is well formed."""
        self.good("plot", *arguments, "-o", name)
        text = self.read(name).decode()
        root = xml.etree.ElementTree.fromstring(text)
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertTrue(root[0].text, "a picture has a title")
        return text

    def test_all_kinds_in_all_themes(self):
        self.record()
        for name, text in (("sweep.csv", SWEEP), ("net.csv", NET), ("roof.csv", ROOF)):
            self.make(name, text)
        inputs = [(kind, "run.trace") for kind in FROM_TRACE]
        inputs += [("speedup", "sweep.csv"), ("latency", "net.csv"), ("latency", "sweep.csv"), ("roofline", "roof.csv")]
        for kind, name in inputs:
            papers = set()
            for theme in ("light", "dark", "print"):
                text = self.picture(kind, "--theme", theme, name)
                papers.add(re.search(r'<rect width="[0-9.]+" height="[0-9.]+" fill="(#......)"/>', text).group(1))
                self.assertEqual(text, self.picture(kind, name, "--theme", theme), kind)
                if theme == "print": # greys only
                    for colour in re.findall(r'"#(..)(..)(..)"', text):
                        self.assertEqual(len(set(colour)), 1, kind)
            self.assertEqual(papers, {"#ffffff", "#12171e"}, kind)
        self.assertEqual(self.picture("timeline", "--print", "run.trace"),
                         self.picture("timeline", "--theme=print", "run.trace"))

    def test_what_they_show(self):
        self.record()
        text = self.picture("timeline", "run.trace")
        for words in ("4 ranks on laptop", ">computing</text>", ">waiting</text>", ">virtual time (", ">rank</text>"):
            self.assertIn(words, text)
        self.assertRegex(text, r"<title>rank 2, [0-9.]+ to [0-9.]+ us: waiting in MPI_\w+, [^<]*ring.c:\d+ \(")
        text = self.picture("space-time", "run.trace")
        self.assertEqual(len(re.findall(r"<title>message \d+ from 3 to 0, 4 B</title>", text)), 3)
        self.assertIn(">within a collective operation</text>", text)
        self.assertIn("<title>3 to 0: 3 messages, 12 bytes</title>", self.picture("matrix", "--ranks", "0,3", "run.trace"))
        self.assertNotIn(">2</text>", re.sub(r"(?s).*class=\"axis y\"", "", self.picture("timeline", "--ranks", "0-1",
                                                                                          "run.trace")))
        self.assertIn(">My &lt;own&gt; title</text>", self.picture("waits", "--title", "My <own> title", "run.trace"))
        self.assertRegex(self.picture("message", "--id", "1", "run.trace"), r">Message 1: 4 B from rank \d to rank \d<")
        self.assertRegex(self.picture("flame", "run.trace"), r"<title>ring.c:\d+: [^<]* %</title>")
        self.make("sweep.csv", SWEEP)
        self.assertRegex(self.picture("speedup", "sweep.csv"), r"<title>ring: 2, 1.66667</title>")

    def test_parts(self):
        self.record()
        whole, part = self.picture("timeline", "run.trace"), self.picture("timeline", "--from", "2 us", "--to", "4 us",
                                                                            "run.trace")
        self.assertLess(part.count("<title>"), whole.count("<title>"))
        self.assertEqual(self.picture("timeline", "--to", "5 s", "run.trace"), whole) # as long as there is something
        self.refused("nothing is to be seen from 3 s on: the recorded run ends at", "plot", "timeline", "--from", "3 s",
                     "run.trace", "-o", "x.svg")
        self.refused("--from 5us is later than --to 4us", "plot", "timeline", "--from", "5us", "--to", "4us",
                     "run.trace", "-o", "x.svg")
        self.refused("none of the ranks", "plot", "matrix", "--ranks", "7-9", "run.trace", "-o", "x.svg")
        self.refused("--ranks: \"no\" is no rank", "plot", "matrix", "--ranks", "no", "run.trace", "-o", "x.svg")
        self.refused("there is no message 999; those recorded have numbers from 1 to", "plot", "message", "--id", "999",
                     "run.trace", "-o", "x.svg")
        self.refused("--id", "plot", "message", "--id", "-1", "run.trace", "-o", "x.svg")

    def test_programs(self):
        self.good("run", "-n", "4", "--trace", "run.trace", "--trace-detail", "waits", "ring.c")
        out, _ = self.good("plot", "timeline", "-n", "4", "ring.c", "-o", "direct.svg")
        self.assertEqual(out, "sum 4, 0 arguments\n")
        self.assertEqual(self.read("direct.svg").decode(), self.picture("timeline", "run.trace"))
        status, out, _ = self.orrery("plot", "timeline", "-n", "2", "ring.c", "-o", "p.svg", "--", "a", "-b")
        self.assertEqual((status, out), (5, "sum 2, 2 arguments\n"))
        self.assertTrue(self.read("p.svg").startswith(b"<svg"))
        self.good("plot", "timeline", "-n", "2", "-o", "p.svg", "ring.c", ":", "-n", "3", "ring.c")
        self.assertEqual(set(re.findall(r"<title>(rank \d+),", self.read("p.svg").decode())), {f"rank {i}" for i in range(5)})
        self.refused("say where the picture goes", "plot", "timeline", "ring.c", ":", "ring.c", "-o", "x.svg")
        self.make("stuck.c", "#include <mpi.h>\nint main(int c, char **v) { int x; MPI_Init(&c, &v);\n"
                             "MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }\n")
        status, _, err = self.orrery("plot", "timeline", "stuck.c", "-o", "stuck.svg")
        self.assertEqual(status, 1)
        self.assertIn("deadlock", err)
        self.assertTrue(self.read("stuck.svg").startswith(b"<svg"))
        self.refused("error", "plot", "timeline", self.make("wrong.c", WRONG), "-o", "x.svg",
                     status=1)

    def test_profiles(self):
        self.make("p.json", PROFILE)
        text = self.picture("flame", "p.json")
        self.assertIn("<title>work: 3.04 us, 33.6 %</title>", text)
        self.assertIn("2 ranks on laptop; ran for 9 us", text)
        self.assertIn(">instructions per load or store</text>", self.picture("roofline", "p.json"))
        self.make("run.json", "{}")
        self.make("bad.json", "{")
        self.make("loop.json", PROFILE.replace('"parent": 0', '"parent": 1'))
        self.refused("run.json: this is no profile", "plot", "flame", "run.json", "-o", "x.svg")
        self.refused("bad.json: line 1:", "plot", "flame", "bad.json", "-o", "x.svg")
        self.refused("loop.json: node 1 has no caller before it", "plot", "flame", "loop.json", "-o", "x.svg")
        self.refused("this is a profile, or other JSON; timeline is drawn from a trace", "plot", "timeline", "p.json",
                     "-o", "x.svg")

    def test_networks(self):
        mesh = ("-m", "mesh-4x4", "-n", "16", "ring.c")
        text = self.picture("links", *mesh)
        self.assertIn(">(0,0) -&gt; (0,1)</text>", text)
        self.assertIn(">busy (% of the time)</text>", text)
        text = self.picture("network", *mesh)
        self.assertEqual(text.count("<circle"), 16)
        self.assertIn("The network of mesh-4x4 at", text)
        self.assertRegex(self.picture("message", *mesh), r"<title>\(\d,\d\) -&gt; \(\d,\d\): [^<]*s</title>")
        self.good("run", "-n", "16", "-m", "mesh-4x4", "--trace", "run.trace", "--trace-detail", "links", "ring.c")
        self.assertEqual(self.picture("network", "run.trace"), text)
        self.assertNotEqual(self.picture("network", "--at", "1us", "run.trace"), text)
        self.refused("--at 5 s is not within the run", "plot", "network", "--at", "5s", "run.trace", "-o", "x.svg")
        self.refused("no machine \"nowhere\"", "plot", "network", "-m", "nowhere", "run.trace", "-o", "x.svg")

    def test_runs_without_messages(self):
        self.make("alone.c", ALONE)
        self.record("alone.trace", "1", "alone.c")
        for kind in ("timeline", "flame"):
            self.assertIn(">computing</text>", self.picture(kind, "alone.trace"))
        for kind in ("space-time", "matrix", "sizes"):
            self.assertIn("There are no messages in what is shown.", self.picture(kind, "alone.trace"))
        self.assertIn("Nobody waited in what is shown.", self.picture("waits", "alone.trace"))
        self.refused("the trace has no messages", "plot", "message", "alone.trace", "-o", "x.svg")
        for kind in ("links", "network"):
            self.refused("the trace has no samples of links|no links to draw", "plot", kind, "alone.trace", "-o", "x.svg")

    def test_wrong_files(self):
        self.record()
        whole = self.read("run.trace")
        self.make("half.trace", whole[:len(whole) * 2 // 3])
        self.make("newer.trace", whole[:8] + b"\x63" + whole[9:])
        self.make("foreign.trace", "OTF2" * 20)
        self.make("empty.trace", "")
        self.make("head.trace", whole[:16])
        self.make("table.csv", "a,b\n1,2\n")
        self.make("broken.csv", "ranks,makespan_ps\n1\n")
        self.make("binary.csv", whole)
        status, _, err = self.orrery("plot", "timeline", "half.trace", "-o", "half.svg")
        if status == 0: # a whole block was left
            self.assertIn("the recording ended early", self.read("half.svg").decode())
            os.remove(os.path.join(self.folder.name, "half.svg"))
        else:
            self.assertIn("no events in the trace", err)
        for kind, name, pattern in (
                ("timeline", "newer.trace", "version 99"), ("timeline", "foreign.trace", "no trace"),
                ("timeline", "empty.trace", "no trace"), ("matrix", "head.trace", "no events"),
                ("timeline", "gone.trace", "there is no such file"), ("timeline", ".", "this is a directory"),
                ("timeline", "table.csv", "this is a table; timeline is drawn from a trace"),
                ("speedup", "run.trace", "this is a trace; speedup is drawn from a table"),
                ("speedup", "ring.c", "this is a program; speedup is drawn from a table"),
                ("speedup", "table.csv", "no column \"ranks\""), ("latency", "table.csv", "makespan_ps"),
                ("roofline", "table.csv", "no column \"operations\""),
                ("speedup", "broken.csv", "broken.csv: line 2 has 1 fields, but the first line has 2"),
                ("speedup", "binary.csv", "this is a trace")):
            self.refused(pattern, "plot", kind, name, "-o", "x.svg")

    def test_wrong_usage(self):
        self.record()
        trace = ("run.trace", "-o", "x.svg")
        self.refused("which picture\\?", "plot")
        self.refused("no picture \"timelime\"; did you mean \"timeline\"\\?", "plot", "timelime", *trace)
        self.refused("there are timeline, space-time", "plot", "qq", *trace)
        self.refused("say where the picture goes", "plot", "timeline", "run.trace")
        self.refused("must end in .svg, .pdf or .png", "plot", "timeline", "run.trace", "-o", "x.gif")
        self.refused("cannot write nowhere/x.svg: No such file or directory", "plot", "timeline", "run.trace", "-o",
                     "nowhere/x.svg")
        self.refused("timeline is drawn from a trace, which", "plot", "timeline", "-o", "x.svg")
        self.refused("--theme pink: it is one of light, dark, print", "plot", "timeline", "--theme", "pink", *trace)
        self.refused("give one of them", "plot", "timeline", "--print", "--theme", "dark", *trace)
        self.refused("--measure", "plot", "matrix", "--measure", "weight", *trace)
        self.refused("\"soon\" is not a time", "plot", "network", "--at", "soon", *trace)
        self.refused("--peak -3: expected a number above 0", "plot", "roofline", "--peak", "-3", *trace)
        self.refused("one trace is drawn at a time", "plot", "timeline", "run.trace", "run.trace", "-o", "x.svg")
        self.refused("--ranks says which ranks", "plot", "timeline", "-n", "4", *trace)

    def test_help(self):
        out, _ = self.good("plot", "--help")
        for kind in FROM_TRACE + ("links", "network", "speedup", "latency", "roofline"):
            self.assertRegex(out, r"\n  %s +\w" % kind)

    def test_png_and_pdf(self):
        self.record()
        if self.orrery("plot", "matrix", "run.trace", "-o", "m.png")[0] == 2:
            self.skipTest("orrery-gui is not built")
        self.assertTrue(self.read("m.png").startswith(b"\x89PNG\r\n"))
        self.good("plot", "timeline", "run.trace", "-o", "t.pdf")
        first = self.read("t.pdf")
        self.assertTrue(first.startswith(b"%PDF-"))
        self.assertNotIn(b"CreationDate", first)
        self.good("plot", "timeline", "run.trace", "-o", "t.pdf")
        self.assertEqual(self.read("t.pdf"), first)


if __name__ == "__main__":
    main()
