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
        self.assertEqual(max(lines, key=lines.get), line_of("MPI_Barrier"), "waiting for rank 5")
        loop = next(line for line in data["lines"] if line[1] == line_of("x +="))
        self.assertGreater(loop[2], data["totals"][0] * .7) # computing stands where it happens
        self.assertEqual(loop[3:], [0, 0])
        for state, total in enumerate((data["totals"][0], data["totals"][1], sum(data["totals"][2:]))):
            got = sum(line[2 + state] for line in data["lines"])
            self.assertLessEqual(got, total)
            self.assertGreater(got, total * .99) # the rest is the C library's, which the page does not show
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
