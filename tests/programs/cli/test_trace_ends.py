#!/usr/bin/env python3
"""Traces of runs in bad circumstances: a file that cannot grow, files cut anywhere. See command.py."""
import os
import resource
import subprocess
import sys

from command import ORRERY, ROOT, Command, main

sys.path.insert(0, os.path.join(ROOT, "python"))
import orrery

PROGRAM = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, ranks, out = 0, in;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < atoi(argv[1]); i++)
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % ranks, 0, &in, 1, MPI_INT, (rank + ranks - 1) % ranks, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d is done\\n", rank);
    MPI_Finalize();
    return atoi(argv[2]);
}
"""


class TraceEnds(Command):
    def setUp(self):
        super().setUp()
        self.make("p.c", PROGRAM)

    def run_within(self, kib, *arguments):
        """Runs with files that cannot grow beyond that size. Returns exit status, output and errors."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (kib * 1024, kib * 1024))
        done = subprocess.run([ORRERY, "run", "-q", "-n", "4", "--machine", "loggp-cluster", *arguments],
                              cwd=self.folder.name, capture_output=True, text=True, preexec_fn=limit, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_a_file_that_cannot_grow_changes_nothing_else(self):
        for status in (0, 7):
            plain = self.orrery("run", "-q", "-n", "4", "--machine", "loggp-cluster", "--stats", "p.c", "20000", str(status))
            cut = self.run_within(500, "--stats", "--trace", "cut.trace", "p.c", "20000", str(status))
            self.assertEqual((plain[0], cut[0], cut[1]), (status, status, plain[1]))
            self.assertEqual(cut[2], plain[2] + "orrery: --trace: cannot write the trace cut.trace: File too large; "
                                                "it ends early\n")

    def test_such_a_trace_is_whole_up_to_there_and_says_so(self):
        self.run_within(500, "--trace", "cut.trace", "p.c", "20000", "0")
        size = os.path.getsize(os.path.join(self.folder.name, "cut.trace"))
        self.assertTrue(400000 < size <= 500 * 1024, size)
        out, _ = self.good("trace", "info", "cut.trace")
        self.assertIn("The recording ended early: File too large.\n", out)
        self.assertNotIn("ended_early", out)
        trace = orrery.Trace(os.path.join(self.folder.name, "cut.trace"))
        self.assertEqual((trace.whole, trace.notes["ended_early"]), (False, "File too large"))
        self.assertIn(" %d: " % sum(1 for _ in trace.events()), out)
        self.good("trace", "cut", "--ranks", "0", "-o", "part.trace", "cut.trace")
        self.assertIn("The recording ended early: File too large.\n", self.good("trace", "info", "part.trace")[0])
        self.good("plot", "timeline", "cut.trace", "-o", "cut.svg")
        self.assertIn(b"the recording ended early", self.read("cut.svg"))
        self.good("critical-path", "cut.trace")

    def test_wherever_there_is_no_more_room(self):
        for kib in (1, 2, 3, 16, 64, 66, 100, 130, 200):
            status, out, err = self.run_within(kib, "--trace", "cut.trace", "p.c", "10000", "0")
            self.assertEqual((status, out.count("is done")), (0, 4), err)
            self.assertLessEqual(os.path.getsize(os.path.join(self.folder.name, "cut.trace")), kib * 1024)
            self.assertIn("The recording ended early: ", self.good("trace", "info", "cut.trace")[0])

    def test_each_file_that_cannot_be_written_is_told(self):
        os.symlink("/dev/full", os.path.join(self.folder.name, "full"))
        status, _, err = self.orrery("run", "-q", "-n", "2", "--json", "full", "--profile", "full", "--trace", "t.trace",
                                     "p.c", "10", "0")
        self.assertEqual((status, err), (2, "orrery: --json: cannot write full: No space left on device\n"
                                            "orrery: --profile: cannot write full: No space left on device\n"))
        self.assertIn("makespan ", self.good("trace", "info", "t.trace")[0])

    def test_a_report_needs_all_of_its_trace(self):
        status, _, err = self.run_within(100, "--report", "r", "p.c", "20000", "0")
        self.assertEqual((status, os.listdir(os.path.join(self.folder.name, "r"))), (2, ["run.trace"]), err)

    def test_a_trace_that_is_cut_anywhere(self):
        self.good("run", "-q", "-n", "2", "--trace", "whole.trace", "p.c", "3", "0")
        whole = self.read("whole.trace")
        counts = set()
        for size in range(len(whole) - 1, 0, -5):
            path = self.make("cut.trace", whole[:size])
            if size < 16:
                self.refused("no trace", "trace", "info", "cut.trace")
                self.assertRaises(orrery.TraceError, orrery.Trace, path)
                continue
            trace = orrery.Trace(path)
            counts.add(sum(1 for _ in trace.events()))
            self.assertFalse(trace.whole)
            if size % 35 == 0:
                self.assertIn("The recording ended early", self.good("trace", "info", "cut.trace")[0])
        self.assertIn(0, counts)
        self.assertGreater(len(counts), 1)

    def test_pipes_and_foreign_files_are_refused(self):
        self.good("run", "-q", "-n", "2", "--trace", "whole.trace", "p.c", "3", "0")
        os.mkfifo(os.path.join(self.folder.name, "pipe"))
        self.make("picture", b"\x89PNG\r\n\x1a\n\0\0")
        before = set(os.listdir(self.folder.name))
        for arguments in (("trace", "info"), ("trace", "diff", "whole.trace"), ("plot", "timeline", "-o", "x.svg"),
                          ("critical-path",), ("profile",), ("replay",)):
            for name in ("pipe", "picture"):
                err = self.refused(name, *arguments, name)
                self.assertNotIn("PNG", err or "")
        self.assertEqual(set(os.listdir(self.folder.name)), before)

    def test_tables_come_from_pipes(self):
        table = "ranks,makespan_ps\n1,100\n2,50\n"
        self.make("t.csv", table)
        self.good("plot", "speedup", "t.csv", "-o", "file.svg")
        done = subprocess.run([ORRERY, "plot", "speedup", "/dev/stdin", "-o", "pipe.svg"], cwd=self.folder.name,
                              input=table, text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.read("pipe.svg"), self.read("file.svg"))


main()
