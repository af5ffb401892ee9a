#!/usr/bin/env python3
"""The debugger where a run has gone wrong, and what it keeps of history. See command.py."""
import json
import os
import re
import shutil
import struct

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


class Checkpoint(Command):
    """checkpoint FILE, restart FILE"""

    COMPUTES = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, ranks, sum = 0, n = atoi(argv[1]);
    char line[20] = "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0 && fgets(line, sizeof line, stdin))
        n += atoi(line);
    for (int i = 0; i < n; i++) {
        int next = (rank + 1) % ranks, got = 0;
        MPI_Sendrecv(&i, 1, MPI_INT, next, 0, &got, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        sum += got * rank;
        n = 20;
    }
    printf("rank %d: %d\\n", rank, sum);
    MPI_Finalize();
    return 0;
}
"""

    def setUp(self):
        super().setUp()
        self.make("computes.c", self.COMPUTES.replace("\\\\n", "\\n"))
        self.make("numbers", "7\n")

    def debug(self, commands, *arguments):
        out, err = self.good("debug", *arguments, stdin=commands)
        self.assertEqual(err, "")
        return out

    PROGRAM = ("-n", "4", "--machine", "mesh-4x4", "--input", "numbers", "computes.c", "20")

    @staticmethod
    def states(out):
        return re.findall(r"^([0-9a-f]{16})  \(of the memory", out, re.M)

    def elsewhere(self, *names):
        """Another directory, in which there is nothing but these files."""
        old, path = self.folder.name, os.path.join(self.folder.name, "other")
        os.mkdir(path)
        for name in names:
            shutil.move(os.path.join(old, name), path)
        for name in os.listdir(old):
            if name != "other":
                os.remove(os.path.join(old, name))
        return path

    def test_a_restart_stands_at_the_same_moment(self):
        moments = [400, 444, 555, 580]
        commands = "run\n" + "".join("goto %d\ninfo state\ncheckpoint at%d\nprint sum\n" % (moment, moment)
                                     for moment in moments)
        out = self.debug(commands, *self.PROGRAM)
        states, sums = self.states(out), re.findall(r"^sum = .*", out, re.M)
        self.assertEqual((len(states), len(sums)), (len(moments), len(moments)), out)
        path = self.elsewhere(*("at%d" % moment for moment in moments))
        for moment, state, total in zip(moments, states, sums):
            again = self.debug("info state\nprint sum\ngoto 20\ngoto %d\ninfo state\ncontinue\n" % moment, "--restart",
                               os.path.join(path, "at%d" % moment))
            self.assertEqual(self.states(again), [state, state], again)
            self.assertIn(total, again)
            self.assertIn("exit status 0", again)

    def test_all_is_there_again(self):
        before = self.debug("break 17 if i == 3\nbreak 21\ndisable 2\nrun\nworkers = 1-2\nset var sum = 1000\nnext\n"
                            "rank 2\ninfo branches\ninfo breakpoints\ninfo state\ncheckpoint kept\nwhere\n", *self.PROGRAM)
        path = self.elsewhere("kept")
        after = self.debug("info branches\ninfo breakpoints\ninfo state\nwhere\nprint @workers rank\nrank\nbranch 0\n"
                           "branch 1\ndelete 1\nenable 2\ncontinue\ncontinue\n", "--restart", os.path.join(path, "kept"))
        for part in ("from 0 at moment", "rank 0: sum = 1000", "if i == 3", "2  21  at", "disabled"):
            self.assertIn(part, before)
            self.assertIn(part, after)
        self.assertEqual(self.states(before), self.states(after))
        self.assertEqual(before[before.index("kept\n") + 5:].splitlines()[0],
                         after[after.index("of all ranks: equal"):].splitlines()[1])
        self.assertIn("rank = 1: 1, 2: 2\n", after)
        self.assertIn("rank 0: 1000\n", after)

    def test_between_statements(self):
        before = self.debug("break MPI_Sendrecv if rank == 2\nrun\nstepi\nstepi\ninfo state\nbacktrace\ncheckpoint kept\n",
                            *self.PROGRAM)
        after = self.debug("info state\nbacktrace\nreverse-step\n", "--restart", "kept")
        self.assertEqual(self.states(before), self.states(after))
        frames = re.findall(r"^#\d.*", before, re.M)
        self.assertEqual(frames, re.findall(r"^#\d.*", after, re.M))
        self.assertTrue(frames, before)

    def test_restart_from_a_session_keeps_it_if_it_cannot(self):
        out = self.debug("break 21\nrun\ncheckpoint here\nrestart none\nrestart computes.c\nprint rank\ncontinue\n"
                         "restart here\nprint rank\n", *self.PROGRAM)
        self.assertIn("none", out)
        self.assertIn("computes.c: this is no checkpoint of Orrery\nrank = 0\n", out)
        self.assertTrue(out.rstrip().endswith("rank = 0"), out)

    def test_files_that_are_none_are_refused(self):
        self.debug("break 21\nrun\ncheckpoint good\n", *self.PROGRAM)
        good = self.read("good")
        for name, text, reason in (("cut", good[:-7], "cut off"), ("start", good[:20], "cut off in its first bytes"),
                                   ("empty", b"", "no checkpoint"), ("more", good + b"x", "too long"),
                                   ("flip", good[:3000] + bytes([good[3000] ^ 4]) + good[3001:], "damaged"),
                                   ("new", good[:16] + struct.pack("<I", 9) + good[20:], "newer Orrery")):
            self.make(name, text)
            self.refused("%s: .*%s" % (name, reason), "debug", "--restart", name)
        self.refused("leave computes.c out", "debug", "--restart", "good", "computes.c")
        self.refused("leave --input out", "debug", "--restart", "good", "--input", "numbers")

    def test_a_checkpoint_is_written_whole_or_not_at_all(self):
        out = self.debug("break 21\nrun\ncheckpoint missing/here\ncheckpoint .\n", *self.PROGRAM)
        self.assertIn("missing/here", out)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["computes.c", "hello.c", "numbers"])

    def test_a_source_that_has_changed_is_told(self):
        self.debug("break 21\nrun\ncheckpoint kept\n", *self.PROGRAM)
        with open(os.path.join(self.folder.name, "computes.c"), "a", encoding="utf-8") as file:
            file.write("/* more */\n")
        self.assertIn("computes.c has changed since then", self.debug("print rank\n", "--restart", "kept"))


if __name__ == "__main__":
    main()
