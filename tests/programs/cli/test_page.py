#!/usr/bin/env python3
"""Reports: what is in the folder, and the page in a browser, with clicks and keys. See command.py."""
import html.parser
import json
import os
import re
import unittest

from browser import Browser
from command import Command, main

PROGRAM = """#include <mpi.h>
static void exchange(int rank, int ranks, int turns)
{
    int token = rank;
    for (int i = 0; i < turns; i++)
        MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + 1) % ranks, 7, (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
    static char large[5000];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    exchange(rank, ranks, 10);
    volatile double x = 0;
    for (int i = 0; i < 20000 * rank; i++)
        x += i; /* "</script><b>&amp;" */
    if (rank == 0)
        MPI_Recv(large, 5000, MPI_CHAR, 3, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 3)
        MPI_Send(large, 5000, MPI_CHAR, 0, 9, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
"""
DEADLOCK = """#include <mpi.h>
int main(int argc, char **argv)
{
    int x;
    MPI_Init(&argc, &argv);
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""
THREADS = """#include <mpi.h>
int main(int argc, char **argv)
{
    double a[1000] = {0};
    MPI_Init(&argc, &argv);
    for (int t = 0; t < 3; t++) {
        #pragma omp parallel for num_threads(3)
        for (int i = 0; i < 1000; i++)
            for (int k = 0; k < 20; k++)
                a[i] += i * k;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return a[3] < 0;
}
"""
CROWD = """#include <mpi.h>
int main(int argc, char **argv)
{
    static char large[4000];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank)
        for (int i = 0; i < 4; i++)
            MPI_Send(large, 4000, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    else
        for (int i = 0; i < 60; i++)
            MPI_Recv(large, 4000, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""
SERIAL = "int main(void) { volatile int i; for (i = 0; i < 1000; i++) ; }\n"


def line_of(text):
    return PROGRAM[:PROGRAM.index(text)].count("\n") + 1


class Links(html.parser.HTMLParser):
    """What a page would load or lead to."""
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for key, value in attrs if key in ("src", "href", "srcset", "action", "data") and value]


class Report(Command):
    def report(self, program=PROGRAM, *options, status=0, name="p.c"):
        self.make(name, program)
        got, _, err = self.orrery("run", "-q", "-n", "6", "--machine", "mesh-4x4", "--report", "r", *options, name)
        self.assertEqual(got, status, err)
        return self.read("r/index.html").decode()

    def data(self, page):
        return json.loads(re.search('<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))

    def test_folder(self):
        page = self.report()
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder.name, "r"))), ["index.html", "run.trace"])
        links = Links()
        links.feed(page)
        self.assertEqual(links.found, ["#timeline-section"])
        for word in ("http:", "https:", "@import", "url("):
            self.assertNotIn(word, page.replace("http://www.w3.org/2000/svg", ""))
        self.assertNotIn("@", re.sub(r'id="data">.*?</script>', "", page, flags=re.S).replace("@media", ""))
        self.assertIn("run.trace", os.listdir(os.path.join(self.folder.name, "r")))
        self.good("trace", "info", "r/run.trace")

    def test_same_bytes(self):
        page = self.report()
        for options in (("--quantum", "1000"), ("--tier", "interp"), ("--jobs", "2")):
            self.assertEqual(self.report(PROGRAM, *options), page, options)

    def test_what_it_tells(self):
        self.good("run", "-q", "-n", "6", "--machine", "mesh-4x4", "--json", "out.json", self.make("p.c", PROGRAM))
        run, data = json.loads(self.read("out.json")), self.data(self.report())
        self.assertEqual([data[key] for key in ("makespan_ps", "ranks_total", "program")], [run["makespan_ps"], 6, "p"])
        self.assertEqual(data["totals"][0], sum(rank["compute_ps"] for rank in run["ranks"]))
        self.assertEqual(data["totals"][1], sum(rank["overhead_ps"] for rank in run["ranks"]))
        self.assertEqual(sum(data["totals"][2:]), sum(rank["blocked_ps"] for rank in run["ranks"]))
        self.assertEqual(data["files"][0]["text"], PROGRAM)
        self.assertEqual(data["messages_total"], run["messages"])
        lines = {line[1]: sum(line[2:]) for line in data["lines"]}
        self.assertEqual(max(lines, key=lines.get), line_of("MPI_Barrier"), "waiting for rank 5, and its loop before")
        columns = [column["title"] for column in data["statistics"]["columns"]]
        self.assertEqual(columns[:3], ["rank", "node", "finish"])
        self.assertEqual([row[2] for row in data["statistics"]["rows"]], [rank["finish_ps"] for rank in run["ranks"]])

    def test_runs_that_fail(self):
        data = self.data(self.report(DEADLOCK, status=1))
        self.assertIn("deadlock", data["end"])
        self.assertEqual(self.data(self.report(SERIAL))["messages_total"], 0)
        self.make("p.c", SERIAL)
        self.good("cc", "-o", "p", "p.c")
        os.remove(os.path.join(self.folder.name, "p.c"))
        self.good("run", "-q", "--report", "s", "p")

    def test_what_cannot_be(self):
        self.make("p.c", SERIAL)
        self.make("file", "")
        self.refused("file is a file; a report needs a folder", "run", "--report", "file", "p.c")
        self.refused("cannot make the folder file/r", "run", "--report", "file/r", "p.c")


class Page(Command):
    """The page as people use it."""
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser.find()
        if not cls.browser:
            raise unittest.SkipTest("there is no Chromium")

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def setUp(self):
        super().setUp()
        self.make("p.c", PROGRAM)
        self.good("run", "-q", "-n", "6", "--machine", "mesh-4x4", "--report", "r", "p.c")
        self.open("r")

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])
        super().tearDown()

    def open(self, folder):
        self.browser.open(os.path.join(self.folder.name, folder, "index.html"))

    def detail(self):
        return self.browser.text("#detail")

    def test_clicks(self):
        self.browser.click("#timeline", 0.5, 0.5)
        self.assertRegex(self.detail(), r"^Rank [23], (computing|overhead|waiting).* long\.")
        self.browser.click("#zoom-in")
        self.browser.click("#zoom-in")
        first, last = re.match(r"([\d.]+ \w+) to ([\d.]+ \w+),", self.browser.text("#view-text")).groups()
        self.assertNotEqual(first, "0 ps")
        self.browser.click("#zoom-all")
        self.assertTrue(self.browser.text("#view-text").startswith("0 ps to "))
        self.browser.wheel("#timeline", -300)
        self.assertNotIn(last, "")
        self.assertFalse(self.browser.text("#view-text").startswith("0 ps to "))
        self.browser.click("#theme")
        self.assertEqual(self.browser.text("#theme"), "Light")

    def test_keys(self):
        self.browser.evaluate('document.getElementById("timeline").focus()')
        self.browser.press("n")
        self.assertRegex(self.detail(), r"^Message \d+ from rank \d to rank \d, \d+ bytes, tag 7")
        self.assertIn("Sent by MPI_Sendrecv_replace at p.c:6 in exchange", self.detail())
        self.assertIn("Received by MPI_Sendrecv_replace at p.c:6", self.detail())
        first = self.detail()
        self.browser.press("n")
        self.assertNotEqual(self.detail(), first)
        self.browser.press("p")
        self.assertEqual(self.detail(), first)
        self.browser.press("ArrowDown")
        self.assertTrue(self.detail().startswith("Rank 1, "))
        self.browser.press("]")
        self.assertTrue(self.detail().startswith("Rank 1, "))
        self.browser.press("Escape")
        self.assertEqual(self.detail(), "Nothing.")
        self.browser.press("+")
        self.assertFalse(self.browser.text("#view-text").startswith("0 ps to "))
        self.browser.press("0")
        self.assertTrue(self.browser.text("#view-text").startswith("0 ps to "))

    def test_steps_through_time(self):
        times = set()
        for _ in range(5):
            self.browser.click("#step-on")
            times.add(self.browser.text("#time-text"))
        self.assertEqual(len(times), 5)
        self.browser.click("#step-back")
        self.assertIn(self.browser.text("#time-text"), times)
        self.assertIn("messages on their way", self.browser.text("#network-text"))

    def test_filters(self):
        shown = lambda: [int(n.replace(",", "")) for n in re.search(r"([\d,]+) of ([\d,]+) rows, ([\d,]+) messages",
                                                                    self.browser.text("#view-text")).groups()]
        self.assertEqual(shown(), [6, 6, 61])
        self.browser.type("#filter-tag", "9")
        self.assertEqual(shown(), [6, 6, 1])
        self.browser.evaluate('document.getElementById("timeline").focus()')
        self.browser.press("n")
        self.assertIn("from rank 3 to rank 0, 5,000 bytes, tag 9", self.detail())
        self.assertIn(f"Sent by MPI_Send at p.c:{line_of('MPI_Send(')}", self.detail())
        self.assertIn(f"Received by MPI_Recv at p.c:{line_of('MPI_Recv(')}", self.detail())
        marked = self.browser.evaluate('[...document.querySelectorAll("#source tr.chosen")].map(row => row.id)')
        self.assertEqual(marked, [f"line-{line_of(name)}" for name in ("MPI_Recv(", "MPI_Send(")])
        self.browser.click("#filter-reset")
        self.browser.wait('/ 61 messages/.test(document.getElementById("view-text").textContent)')
        self.browser.type("#filter-ranks", "1-2, 5")
        self.assertEqual(shown()[:2], [3, 6])
        self.browser.type("#filter-ranks", "x")
        self.assertEqual(self.browser.evaluate('document.getElementById("filter-ranks").getAttribute("aria-invalid")'), "true")
        self.browser.type("#filter-ranks", "")
        self.browser.type("#filter-least", "100")
        self.assertEqual(shown()[2], 1)
        self.browser.click("#filter-reset")
        self.browser.click("#filter-collective")
        self.assertGreater(shown()[2], 61)

    def test_many_ranks(self):
        self.good("run", "-q", "-n", "400", "--report", "many", "p.c")
        self.open("many")
        self.assertIn("400 of 400 rows", self.browser.text("#view-text"))
        self.browser.click("#timeline", 0.5, 0.9)
        deep = int(re.match(r"Rank (\d+)|Message \d+ from rank (\d+)", self.detail()).group(1) or 0)
        self.assertGreater(deep, 300)
        for _ in range(7):
            self.browser.press("h")
        self.browser.evaluate('document.getElementById("timeline").focus()')
        self.browser.press("ArrowUp")
        self.assertTrue(self.detail().startswith(f"Rank {deep - 1}, "), self.detail())

    def test_network_and_route(self):
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#network .vertex").length'), 16)
        self.browser.type("#filter-tag", "9")
        self.browser.evaluate('document.getElementById("timeline").focus()')
        self.browser.press("n")
        self.assertIn("Route: (0,3) to (0,2), (0,2) to (0,1), (0,1) to (0,0).", self.detail())
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#network .link.chosen").length'), 3)
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#network .vertex.chosen").length'), 2)
        self.browser.evaluate('document.querySelector("#network .hit").dispatchEvent(new Event("click"))')
        self.assertRegex(self.detail(), r"^Link \(0,0\) to \(\d,\d\): busy for ")

    def test_routes_that_messages_took(self):
        """Where messages may take several ways, those are told that they took: from one node to the next, to the end."""
        self.make("c.c", CROWD)
        self.good("run", "-q", "-n", "16", "--machine", "mesh-4x4", "--set", "network.routing=minimal-adaptive", "--report", "c", "c.c")
        self.open("c")
        self.browser.type("#filter-ranks", "15")
        self.browser.evaluate('document.getElementById("timeline").focus()')
        ways = set()
        for _ in range(4):
            self.browser.press("n")
            self.assertIn("from rank 15 to rank 0", self.detail())
            way = re.search(r"Route that it took: (.*)\.", self.detail())[1]
            hops = [tuple(hop.split(" to ")) for hop in way.split(", ")]
            self.assertEqual((hops[0][0], hops[-1][1], len(hops)), ("(3,3)", "(0,0)", 6))
            self.assertEqual([hop[1] for hop in hops[:-1]], [hop[0] for hop in hops[1:]])
            ways.add(way)
        told = self.good("trace", "convert", "--kinds", "hop", "c/run.trace")[0]
        self.assertGreater(told.count("\n"), 60)

    def test_threads_have_rows(self):
        self.make("t.c", THREADS)
        self.good("run", "-q", "-n", "2", "--machine", "laptop", "-fopenmp", "--report", "t", "t.c")
        self.open("t")
        self.assertIn("6 of 6 rows", self.browser.text("#view-text"))
        seen = set()
        self.browser.evaluate('document.getElementById("timeline").focus()')
        for row in range(5):
            self.browser.press("ArrowDown")
            self.browser.press("]")
            self.assertNotIn(": nothing", self.detail())
            seen.add(re.match(r"Rank ([\d.]+), (computing|paused)", self.detail()).group(1))
        self.assertTrue({"0.1", "0.2", "1", "1.1", "1.2"} <= seen, seen)
        data = json.loads(self.browser.text("#data"))
        self.good("run", "-q", "-n", "2", "--machine", "laptop", "-fopenmp", "--json", "t.json", "t.c")
        ranks = json.loads(self.read("t.json"))["ranks"]
        self.assertEqual(sum(data["totals"]), sum(rank["finish_ps"] for rank in ranks), "threads are not counted twice")

    def test_the_network_moves(self):
        box = lambda: [float(n) for n in self.browser.evaluate('document.querySelector("#network svg").getAttribute("viewBox")').split()]
        whole = box()
        self.browser.click("#network-in")
        self.assertLess(box()[2], whole[2])
        self.browser.click("#network-all")
        self.assertEqual(box(), whole)
        self.browser.evaluate('document.querySelector("#network svg").focus()')
        for key in ("+", "ArrowRight", "ArrowDown"):
            before = box()
            self.browser.press(key)
            self.assertNotEqual(box(), before)
        for _ in range(30):
            self.browser.press("+")
        self.assertGreater(box()[2], 100)
        for _ in range(40):
            self.browser.press("-")
        self.assertAlmostEqual(box()[2], whole[2])
        self.browser.press("0")
        self.browser.wheel("#network svg", -200)
        self.assertLess(box()[2], whole[2])
        self.make("w.c", SERIAL)
        self.good("run", "-q", "-n", "512", "--machine", "torus-8x8x16", "--set", "network.dims=4x4x32", "--report", "w", "w.c")
        self.open("w")
        self.assertLess(box()[2] / box()[3], 6, "a wide network is broken into lines")

    def test_links_are_seen_in_the_dark(self):
        strokes = '[...document.querySelectorAll("#network .link")].map(line => line.style.stroke)[0]'
        light = self.browser.evaluate(strokes)
        self.browser.click("#theme")
        self.assertNotEqual(self.browser.evaluate(strokes), light)

    def test_messages_of_collectives(self):
        """They are shown by themselves where there are few, and no others."""
        self.make("b.c", SERIAL.replace("int main(void) {", "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); MPI_Barrier(MPI_COMM_WORLD);")
                  .replace("; }", "; MPI_Finalize(); }"))
        self.assertRegex(self.browser.text("#view-text"), "61 messages, without those within collectives")
        self.good("run", "-q", "-n", "4", "--report", "b", "b.c")
        self.open("b")
        self.assertTrue(self.browser.evaluate('document.getElementById("filter-collective").checked'))
        self.assertNotIn(" 0 messages", self.browser.text("#view-text"))
        self.browser.click("#filter-collective")
        self.assertIn(" 0 messages, without those", self.browser.text("#view-text"))

    def test_findings_have_their_lines(self):
        self.make("u.c", DEADLOCK.replace("MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
                                          "MPI_Request r;\n    MPI_Irecv(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r);\n    x = 1;\n"
                                          "    MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF);\n    MPI_Wait(&r, MPI_STATUS_IGNORE);"))
        self.orrery("run", "-q", "-n", "1", "--check", "--report", "u", "u.c")
        self.open("u")
        places = self.browser.evaluate('[...document.querySelectorAll("#findings button")].map(button => button.textContent)')
        self.assertTrue({"u.c:7", "u.c:6"} <= set(places) or {"u.c:7", "u.c:8"} <= set(places), (places, self.browser.text("#findings")))
        self.browser.click("#findings button")
        self.assertEqual(self.browser.evaluate('document.querySelector("#source tr.chosen").id'), "line-" + places[0].split(":")[1])

    def test_source(self):
        self.assertIn('x += i; /* "</script><b>&amp;" */', self.browser.text("#source"))
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#source tbody tr").length'), PROGRAM.count("\n"))

    def test_a_screen_reader(self):
        tree = self.browser.accessible()
        for role, name in (("heading", "Timeline"), ("heading", "Network"), ("heading", "Source"), ("button", "Step"),
                           ("textbox", "Ranks"), ("slider", "Time"), ("combobox", "Communicator"), ("checkbox", "messages"),
                           ("region", "Source with the time of each line"), ("application", "Timeline of the ranks")):
            self.assertTrue(any(r == role and n.startswith(name) for r, n in tree), (role, name))
        controls = {"button", "textbox", "slider", "checkbox", "combobox", "link", "application"}
        self.assertEqual([node for node in tree if node[0] in controls and not node[1].strip()], [])

    def test_every_control_has_a_way_by_tab(self):
        seen = []
        for _ in range(60):
            self.browser.press("Tab")
            name = self.browser.evaluate("document.activeElement.id")
            if name:
                seen.append(name)
        for name in ("filter-ranks", "filter-tag", "filter-context", "zoom-in", "step-on", "time", "timeline", "source-file", "source"):
            self.assertIn(name, seen)

    def test_picture(self):
        picture = self.browser.screenshot()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        colours = self.browser.evaluate("""(() => { const c = document.getElementById("timeline"), all = new Set();
            const p = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
            for (let i = 0; i < p.length; i += 4) all.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]);
            return [0x009e73, 0x0072b2, 0xf0b23c].map(x => all.has(x)); })()""")
        self.assertEqual(colours, [True, True, True])

    def test_runs_without_much(self):
        self.make("s.c", SERIAL)
        self.good("run", "-q", "--report", "s", "s.c")
        self.open("s")
        self.assertIn("0 messages on their way", self.browser.text("#network-text"))
        self.browser.click("#step-on")
        self.make('h"&.c', SERIAL.encode() + b"/* \xff <!-- <script> */\n")
        self.good("run", "-q", "--report", "h", 'h"&.c')
        self.open("h")
        self.assertEqual(self.browser.text("h1"), 'h"&')
        self.assertIn("/* \ufffd <!-- <script> */", self.browser.text("#source"))
        self.make("d.c", DEADLOCK)
        self.orrery("run", "-q", "-n", "2", "--report", "d", "d.c")
        self.open("d")
        self.assertIn("deadlock", self.browser.text("#findings"))


main()
