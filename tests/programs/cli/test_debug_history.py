#!/usr/bin/env python3
"""The debugger where a run has gone wrong, and what it keeps of history. See command.py."""
import json
import re

from command import Command, main

DEADLOCK = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d\\n", rank);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""

RACE = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, x = 0;
    char line[20] = "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && fgets(line, sizeof line, stdin))
        printf("read %s", line);
    if (rank == 2)
        for (int i = 0; i < 2; i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("end %d\\n", rank);
    MPI_Finalize();
    return 0;
}
"""

UNSET = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++)
        x += i * rank;
    if (rank == 1) {
        int *p = malloc(8);
        x = p[1];
        if (x > 5)
            x = 2;
        free(p);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("end %d\\n", rank);
    MPI_Finalize();
    return 0;
}
"""


class OnFinding(Command):
    """orrery run --debug-on-finding"""

    def test_a_run_in_which_nothing_is_found_is_a_run(self):
        out, err = self.good("run", "-n", "4", "--check", "--debug-on-finding", "-x", "backtrace", "hello.c")
        plain, _ = self.good("run", "-n", "4", "--check", "hello.c")
        self.assertEqual(out, plain)
        self.assertNotIn("debugger", err)

    def test_a_deadlock_opens_it_with_the_way_back(self):
        self.make("stuck.c", DEADLOCK)
        status, out, err = self.orrery("run", "-n", "2", "-O0", "--debug-on-finding", "-x", "info ranks", "-x", "reverse-step",
                                       "-x", "print rank", "stuck.c")
        self.assertEqual(status, 1, err)
        self.assertEqual(out.count("rank 1\n"), 1, out)
        self.assertIn("deadlock: no rank can go on", out)
        self.assertRegex(out, r"\* +0  blocked .*MPI_Recv waits for a message from rank 1, tag 7")
        self.assertRegex(out, r"->    9      if \(rank == 0\)\nrank = 0\n")
        self.assertIn("the debugger opens", err)

    def test_without_a_terminal_it_says_so(self):
        self.make("stuck.c", DEADLOCK)
        status, out, err = self.orrery("run", "-n", "2", "--debug-on-finding", "stuck.c")
        self.assertEqual(status, 1)
        self.assertEqual(out, "rank 0\nrank 1\n")
        self.assertIn("deadlock: no rank can go on", err)
        self.assertIn("there is no terminal, so the debugger does not open", err)

    def test_times_are_those_of_the_run(self):
        self.make("unset.c", UNSET)
        self.good("run", "-n", "3", "--check", "--json", "plain.json", "unset.c")
        self.good("run", "-n", "3", "--check", "--json", "watched.json", "--debug-on-finding", "unset.c")
        plain, watched = json.loads(self.read("plain.json")), json.loads(self.read("watched.json"))
        self.assertEqual(plain["makespan_ps"], watched["makespan_ps"])
        self.assertEqual(plain["ranks"], watched["ranks"])

    def test_a_finding_is_shown_where_it_is_made(self):
        self.make("unset.c", UNSET)
        status, out, err = self.orrery("run", "-n", "3", "-O0", "--check", "--check-fail", "--debug-on-finding", "-x",
                                       "info history", "-x", "reverse-step", "-x", "continue", "-x", "continue", "unset.c")
        self.assertEqual(status, 3, err)
        self.assertEqual(out.count("[uninitialised]"), 2, out)  # going on from before it comes to it again, and goes on
        self.assertEqual(len(re.findall(r"^rank 1 at .*unset\.c:14\n->   14 ", out, re.M)), 2, out)
        self.assertRegex(out, r"->   13          x = p\[1\];")
        for rank in range(3):
            self.assertEqual(out.count("end %d\n" % rank), 1, out)

    def test_a_race_known_at_the_end_is_shown_at_its_receive(self):
        self.make("race.c", RACE)
        status, out, err = self.orrery("run", "-n", "3", "-O0", "--check", "--debug-on-finding", "-x", "print rank", "-x",
                                       "reverse-step", "-x", "continue", "race.c", stdin="words\nmore\n")
        self.assertEqual(status, 0, err)
        self.assertEqual(out.count("read words\n"), 1, out)
        self.assertRegex(out, r"is a race: .*\[races\]\n.*\nrank 2 at .*race\.c:13\n->   13 .*\nrank = 2\n")
        self.assertEqual(out.count("end 2\n"), 1, out)

    def test_the_debugger_takes_it_too(self):
        self.make("unset.c", UNSET)
        out, _ = self.good("debug", "-n", "3", "--check", "--debug-on-finding", "unset.c", stdin="run\nrun\n")
        self.assertEqual(len(re.findall(r"^->   14 ", out, re.M)), 2, out)

    def test_commands_need_the_option(self):
        self.refused("-x is for the debugger that --debug-on-finding opens", "run", "-x", "bt", "hello.c")


if __name__ == "__main__":
    main()
