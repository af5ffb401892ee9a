#!/usr/bin/env python3
"""`orrery topo`: numbers, drawings, pictures. See command.py."""
import os
import re

from command import ALL_TO_ALL, Command, ROOT, main


class Topo(Command):
    def test_topo(self):
        out, _ = self.good("topo", "mesh-4x4", "--svg", "m.svg")
        self.assertRegex(out, r"diameter +6 hops")
        self.assertIn("[ 0]--[ 1]--[ 2]--[ 3]", out)
        self.assertEqual(self.read("m.svg").count(b"<circle"), 16)
        self.assertEqual(self.read("m.svg").count(b'<path d="M'), 24)
        self.assertIn("[8]", self.good("topo", "mesh-4x4", "--set", "network.dims=3x3")[0])
        self.assertRegex(self.good("topo", "mesh-4x4", "--links")[0], r"link 47: ")
        self.refused("no machine is given", "topo")
        self.refused("no machine \"nowhere\"", "topo", "nowhere")
        self.refused("network.dims: \"0x4\"", "topo", "mesh-4x4", "--set", "network.dims=0x4")

    def test_topo_numbers(self):
        out, _ = self.good("topo", "mesh-4x4")
        self.assertIn("degree      2 to 4\n", out)
        self.assertIn("cost        24 cables, 48 ports of nodes, 4.8 GB/s in all links together\n", out)
        self.assertIn("            24 node distances of wire, as it is drawn\n", out)
        out, _ = self.good("topo", "fat-tree-64")
        self.assertIn("degree      1; of switches 4 to 8\n", out)
        self.assertIn("cost        192 cables, 64 ports of nodes and 320 of switches", out)
        out, _ = self.good("topo", "mesh-8x8", "--set", "network.dims=256x256")
        self.assertIn("not worked out for more than 4096 nodes", out)

    def test_topo_pictures(self):
        self.good("topo", "mesh-4x4", "--set", "network.dims=3x3", "-o", "a.svg", "--labels", "both")
        self.assertIn("mesh-4x4 with network.dims=3x3", self.read("a.svg").decode()) # it is not what the machine's file says
        self.assertNotIn("sixteen", self.read("a.svg").decode())
        picture = self.read("a.svg").decode()
        for words in (">(1,2)</text>", ">0/7</text>", "every link: 100 MB/s", "<title>(0,0)</title>"):
            self.assertIn(words, picture)
        self.good("topo", "mesh-4x4", "--set", "network.dims=3x3", "--svg", "b.svg", "--labels=links")
        self.assertNotIn(">(1,2)</text>", self.read("b.svg").decode())
        self.make("all.c", ALL_TO_ALL)
        self.good("run", "-n", "8", "--machine", "ring-8", "--set", "network.switching=cut-through", "--json", "run.json",
                  "--network-report", "links.json", "all.c")
        self.good("topo", "ring-8", "-o", "c.svg", "--load", "run.json")
        self.good("topo", "ring-8", "-o", "d.svg", "--load", "links.json")
        self.assertEqual(self.read("c.svg"), self.read("d.svg"))
        links = re.search(rb'<g class="links">(.*?)</g>', self.read("c.svg"), re.S)[1]
        self.assertEqual(links.count(b"<path"), 16) # both directions
        self.assertGreater(len(set(re.findall(rb'stroke="(#......)" stroke-width', links))), 1)
        for theme, paper in (("dark", b"#12171e"), ("print", b"#ffffff")):
            self.good("topo", "ring-8", "-o", "t.svg", "--theme", theme)
            self.assertIn(b'fill="%s"' % paper, self.read("t.svg"))
        self.refused("--theme pink", "topo", "ring-8", "-o", "t.svg", "--theme", "pink")
        self.good("topo", "torus-8x8x16", "--set", "network.dims=4x4", "-o", "e.svg")
        curves = [path for path in re.findall(rb'<path d="(M[^"]*)"', self.read("e.svg")) if path.count(b"L") > 1]
        self.assertEqual(len(curves), 8) # links around the back
        for name in sorted(os.listdir(os.path.join(ROOT, "configs"))):
            machine = name.removesuffix(".machine")
            if machine != name and machine not in ("laptop", "loggp-cluster"):
                self.good("topo", machine, "-o", machine + ".svg")

    def test_topo_marks_failures(self):
        """Links that fail, alone or with a router, are x in text, dashed in pictures; others stay as they are."""
        out, _ = self.good("topo", "unreliable-mesh", "-o", "f.svg")
        self.assertIn("  [ 0]--[ 1]xx[ 2]--[ 3]\n"
                      "    |     x     |     |\n"
                      "  [ 4]xx[ 5]xx[ 6]--[ 7]\n"
                      "    |     x     |     |\n"
                      "  [ 8]--[ 9]--[10]--[11]\n"
                      "    x     |     |     |\n"
                      "  [12]--[13]--[14]--[15]\n\n"
                      "  Failures (x: a link that fails):\n"
                      "  link (0,1)-(0,2) fails at 100 us, is repaired at 400 us\n", out)
        picture = self.read("f.svg").decode()
        self.assertEqual(len(re.findall(r'<path .*#d55e00.*dasharray', picture)), 6)
        self.assertIn("dashed: links that fail", picture)
        out, _ = self.good("topo", "ring-8", "--set", "faults.link=7->0", "-o", "r.svg")
        self.assertIn("  +xxxxxx", out)
        self.assertEqual(self.read("r.svg").count(b"dasharray"), 1)
        out, _ = self.good("topo", "torus-8x8x16", "--set", "network.dims=4x4", "--set", "faults.link=0-3;0-12",
                           "--set", "network.routing=shortest-path", "--set", "network.switching=cut-through")
        self.assertIn("      x     |     |     |\n  xx[ 0]--[ 1]--[ 2]--[ 3]xx\n", out)
        self.assertIn("      x     |     |     |\n  Loose ends", out)
        out, _ = self.good("topo", "crossbar-16", "--set", "faults.link=3-16")
        self.assertIn("    |     |     |     x     |", out)
        out, _ = self.good("topo", "fat-tree-64", "--set", "network.dims=2x2", "--set", "network.switching=cut-through",
                           "--set", "faults.link=2-5;4-6")
        self.assertIn("switch 1.1 above x node 2, node 3\n  switch 2.0 above x switch 1.0, switch 1.1\n", out)
        out, _ = self.good("topo", "mesh-4x4")
        self.assertNotIn("x", out[out.index("[ 0]"):])

    def test_topo_refuses_pictures(self):
        self.refused(r"-o a.gif: the name must end in \.svg or \.png", "topo", "ring-8", "-o", "a.gif")
        self.refused("two of one kind", "topo", "ring-8", "-o", "a.svg", "--svg", "b.svg")
        self.refused("--labels", "topo", "ring-8", "-o", "a.svg", "--labels", "all")
        self.refused("no/where.svg", "topo", "ring-8", "-o", "no/where.svg")
        self.refused("too many to be seen", "topo", "mesh-8x8", "--set", "network.dims=256x256", "-o", "a.svg")
        self.refused("--load no.json", "topo", "ring-8", "-o", "a.svg", "--load", "no.json")
        self.make("bad.json", '{"links": [{"link": 99, "from": "x", "to": "y"}], "makespan_ps": 5}')
        self.refused("entry 1 of its links is not one of this network's", "topo", "ring-8", "-o", "a.svg", "--load",
                     "bad.json")
        self.make("other.json", "[1]")
        self.refused("is no report of links", "topo", "ring-8", "--load", "other.json")


if __name__ == "__main__":
    main()
