#!/usr/bin/env python3
"""The full screen of `orrery debug`, on a terminal that remembers what it shows. See command.py."""
import os
import re
import signal
import unittest

from command import ORRERY, Command, main
from screen import Screen

PROGRAM = """#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        got += rank;
        got++; /* äöü 漢字 */
    }
    if (rank == 0)
        MPI_Recv(&got, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(&got, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    printf("%d: %d\\n", rank, got);
    MPI_Finalize();
    return 0;
}
"""

WIDE = """\
f.c                                             |ranks
         1  #include <mpi.h>                    |*0 ready main at f.c:10  TIME
         2  #include <stdio.h>                  | 1 ready main at f.c:10  TIME
         3                                      | 2 ready main at f.c:10  TIME
         4  int main(int argc, char **argv)     | 3 ready main at f.c:10  TIME
         5  {                                   |
         6      int rank, got = 0;              |
         7      MPI_Init(&argc, &argv);         |
         8      MPI_Comm_rank(MPI_COMM_WORLD, &r|
         9      for (int i = 0; i < 2; i++) {   |
0-3>*   10>         got += rank;                |
        11          got++; /* äöü 漢字 */       |
        12      }                               |
output                                          |messages of rank 0
(orrery) break 10                               |rank 0 does not wait in MPI
breakpoint 1 at f.c:10                          |no message waits or is on its w
(orrery) run                                    |ay, and no receive is posted
breakpoint 1, 4 ranks:                          |
0-3: main at 10                                 |
->   10          got += rank;                   |
                                                |
                                                |
                                                |
(orrery)"""

NARROW = """\
f.c
         8      MPI_Comm_rank(MPI_COMM_W
         9      for (int i = 0; i < 2; i
0-3>*   10>         got += rank;
        11          got++; /* äöü 漢字 *
        12      }
output
0-3: main at 10
->   10          got += rank;
(orrery)"""


def steady(text):
    """Without what the cost table may change, and blanks at ends."""
    text = re.sub(r"(at f\.c:\d+  )[0-9.]+$", r"\1TIME", text, flags=re.M)
    return "\n".join(line.rstrip() for line in text.splitlines())


class FullScreen(Command):
    def setUp(self):
        super().setUp()
        self.make("f.c", PROGRAM.encode())
        self.open = []

    def tearDown(self):
        for screen in self.open:
            screen.close()
        super().tearDown()

    def screen(self, *options, columns=80, rows=24, environment=None, ready=r"^\(orrery\)", program="f.c"):
        home = {"HOME": self.folder.name, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        screen = Screen([ORRERY, "debug", "-nx", "-n", "4", *options, program], columns, rows, self.folder.name,
                        dict(home, **(environment or {})))
        self.open.append(screen)
        screen.wait(ready)
        return screen

    def begun(self, **more):
        screen = self.screen("--tui", **more)
        screen.type("break 10\r")
        screen.wait("breakpoint 1 at")
        screen.type("run\r")
        screen.wait(r"^ *0-3>\*? *10>.*->   10")
        return screen

    def test_80_by_24(self):
        self.assertEqual(steady(self.begun().text()), WIDE)

    def test_40_by_10_and_back(self):
        screen = self.begun(columns=40, rows=10)
        self.assertEqual(steady(screen.text()), NARROW)
        screen.resize(80, 24)
        shown = screen.wait("messages of rank 0")
        self.assertIn("0-3>*   10>         got += rank;", shown)
        for columns, rows in ((20, 4), (8, 2), (3, 1), (1, 1), (300, 80), (80, 24)):
            screen.resize(columns, rows)
            while screen.read(0.1):
                pass
        screen.type("print got\r")
        screen.wait("got = 0")

    def test_the_mouse(self):
        screen = self.begun()
        screen.mouse(0, 60, 3) # row of rank 2
        self.assertIn("|*2 ready", screen.wait(r"messages of rank 2"))
        screen.mouse(0, 2, 12) # margin of line 12
        screen.wait(r"breakpoint 2 at f.c:13 .*\n\(orrery\)$")
        screen.mouse(0, 2, 11) # and of line 11
        screen.wait(r"^ +\* +11 ")
        screen.mouse(0, 2, 11)
        screen.wait(r"^ {5,}11 ")
        screen.mouse(65, 5, 5) # wheel over the source
        self.assertNotIn("#include <mpi.h>", screen.wait(r"^ +15 "))
        screen.mouse(64, 5, 5)
        screen.wait(r"#include <mpi.h>")
        screen.mouse(0, 79, 23)
        screen.mouse(0, 20, 0)
        screen.type("print got\r")
        screen.wait("got = 0")

    def test_keys(self):
        screen = self.begun()
        screen.type("print gto\x1b[D\x1b[D\x1b[3~\x1b[C\x01\x05t\r".replace("\x1b[D", "\x1bOD").replace("\x1b[C", "\x1bOC"))
        screen.wait(r"got = 0")
        screen.type("\r") # again
        screen.wait(r"got = 0.*got = 0")
        screen.type("info lo\t\t")
        screen.wait("locals  locks")
        screen.type("\x15\x10\x10\x15nonsense\x03")
        screen.wait(r"^\(orrery\)$")
        screen.type("\x1b[6~\x1b[5~\x0c\x18x")
        screen.type("layout ranks\r")
        screen.wait(r"^ranks.*^\*0 ready")
        screen.type("tui filter 10\rtui filter\rlayout src\r")
        screen.wait(r"^f\.c")
        screen.type("\x18a")
        shown = screen.wait(r"\(orrery\) ?$")
        self.assertNotIn(1049, screen.modes)
        self.assertNotIn("|ranks", shown)
        screen.type("print got\n")
        screen.wait("got = 0")
        screen.type("\x18a") # and back
        screen.wait(r"\|ranks")
        screen.type("\x04")
        self.assertEqual(screen.end(), 0)

    def test_output_and_end(self):
        screen = self.begun()
        screen.type("delete 1\rcontinue\r")
        shown = screen.wait("has ended at")
        self.assertIn("\n0: 4", shown)
        self.assertIn("0 finished", shown)
        screen.type("quit\r")
        self.assertEqual(screen.end(), 0)

    def test_ctrl_c_stops_the_program(self):
        self.make("spin.c", "int main(void) { for (volatile int i = 0;;) i++; }\n")
        screen = self.screen("--tui", program="spin.c")
        screen.type("run\r")
        while not screen.has_signals():
            screen.read(0.01)
        screen.type("\x03")
        screen.wait("interrupted, rank")

    def test_the_terminal_is_given_back(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT):
            screen = self.begun()
            self.assertIn(1049, screen.modes)
            self.assertFalse(screen.is_cooked())
            screen.kill(number)
            while screen.read(1):
                pass
            self.assertFalse(screen.modes & {1049, 1000, 1006}, number)
            self.assertEqual(screen.end(1), -number)

    def test_poor_terminals(self):
        for name in ("dumb", "unknown", ""):
            screen = self.screen("--tui", environment={"TERM": name}, ready=r"cannot place its cursor")
            screen.type("print 1\n")
            screen.wait("1 = 1")
        screen = self.begun(environment={"TERM": "vt100"})
        self.assertEqual(screen.colours, set())
        self.assertEqual(self.begun(environment={"NO_COLOR": "1"}).colours, set())
        self.assertNotEqual(self.begun().colours, set())
        done = self.run_it(ORRERY, "debug", "-nx", "f.c", stdin="tui\nlayout src\nprint 1\n")
        self.assertEqual(done[1].count("a full screen needs a terminal"), 2)
        self.assertIn("1 = 1\n", done[1])
        self.assertIn("f.c", self.begun(environment={"LC_ALL": "C"}).text())


if __name__ == "__main__":
    main()
