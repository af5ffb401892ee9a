#!/usr/bin/env python3
"""`orrery grade`: assignments, submissions that mean well, and such that do not. See command.py."""
import csv
import io
import json
import os
import re
import signal
import subprocess
import time

from command import ORRERY, ROOT, Command, main

SUM = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %%d\\n", sum);
    %s
    MPI_Finalize();
    return 0;
}
"""

ASSIGNMENT = """[assignment]
title = Sums
program = sum.c
reference = sum.c
ranks = 1 3
[test right]
points = 5
partial = true
[test clean]
points = 2.5
checks = leaks
"""


class Grade(Command):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.folder.name, "all"))
        self.make("sum.c", SUM % "")
        self.make("x.assignment", ASSIGNMENT)

    def hand_in(self, name, text):
        path = os.path.join(self.folder.name, "all", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def grade(self, *options, assignment="x.assignment"):
        out = self.good("grade", *options, assignment, "all")[0]
        whole = json.loads(self.read("grades/grades.json"))
        self.rows = {one["submission"]: one for one in whole["submissions"]}
        return out

    def reason(self, student, test=0):
        cases = self.rows[student]["tests"][test]["cases"]
        return self.rows[student]["problem"] or next((case["reason"] for case in cases if not case["passed"]), None)

    def everything(self, folder="grades"):
        found = {}
        for path, _, names in os.walk(os.path.join(self.folder.name, folder)):
            for name in names:
                with open(os.path.join(path, name), "rb") as file:
                    found[os.path.relpath(os.path.join(path, name), os.path.join(self.folder.name, folder))] = file.read()
        return found

    def test_points(self):
        self.hand_in("anna/sum.c", SUM % "")
        self.hand_in("bert.c", SUM % "if (argc) { MPI_Comm copy; MPI_Comm_dup(MPI_COMM_WORLD, &copy); }")
        self.hand_in("cleo/sum.c", SUM % "if (rank == 2) return 4;")
        self.hand_in("dora/sum.c", "int main(void) { return undeclared; }")
        os.mkdir(os.path.join(self.folder.name, "all", "emil"))
        self.hand_in("fred/readme.txt", "I was ill.")
        out = self.grade()
        self.assertEqual([row.split()[:4] for row in out.splitlines()[1:]],
                         [["anna", "5", "2.5", "7.5"], ["bert", "5", "0", "5"], ["cleo", "2.5", "0", "2.5"],
                          ["dora", "0", "0", "0"], ["emil", "0", "0", "0"], ["fred", "0", "0", "0"]])
        self.assertIn("points of 7.5", out)
        self.assertIn("leak", self.reason("bert", 1))
        self.assertIn("status 4", self.reason("cleo"))
        self.assertEqual(self.reason("dora"), "it does not compile")
        self.assertIn("undeclared", self.rows["dora"]["compiler"])
        self.assertEqual(self.reason("emil"), "there is no file sum.c")
        rows = list(csv.reader(io.StringIO(self.read("grades/grades.csv").decode())))
        self.assertEqual(rows[0], ["submission", "points", "of", "right", "clean", "remark"])
        self.assertEqual(rows[2][:5], ["bert", "5", "7.5", "5", "0"])
        self.assertIn("bert.c was taken for sum.c", self.read("grades/feedback/bert.html").decode())
        self.assertIn("undeclared", self.read("grades/feedback/dora.html").decode())

    def test_the_same_again_to_the_byte(self):
        for name in "abcdefg":
            self.hand_in(name + ".c", SUM % ("" if name < "d" else "if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);"))
        self.grade("-j", "1")
        first = self.everything()
        self.grade("-j", "4")
        self.assertEqual(first, self.everything())
        self.assertEqual(len(first), 7 + 3)
        self.assertFalse([name for name, text in first.items() if self.folder.name.encode() in text or b"orrery-grade-" in text])

    def test_who_does_harm(self):
        secret = self.make("secret.txt", "the secret word is xyzzy\n")
        self.hand_in("other.c", SUM % "")
        bad = {
            "talks": "for (;;) printf(\"more and more\\n\");",
            "spins": "for (volatile int i = 0;; i++) ;",
            "waits": "MPI_Recv(&sum, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
            "opens": "FILE *f = fopen(\"%s\", \"r\"); char t[99]; puts(fgets(t, 99, f));" % secret,
            "writes": "FILE *f = fopen(\"../../planted\", \"w\"); if (!f) return 9; fprintf(f, \"x\"); fclose(f);",
            "falls": "*(volatile int *)rank = 1;",
            "eats": "for (char *p; (p = __builtin_malloc(1 << 24)); ) for (int i = 0; i < 1 << 24; i += 4096) p[i] = 1;",
            "sends": "for (;;) MPI_Send(&sum, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);",
        }
        for name, line in bad.items():
            self.hand_in(name + ".c", SUM % line)
        self.hand_in("includes/sum.c", '#include "%s"\n' % secret + SUM % "")
        self.hand_in("reads_others/sum.c", '#include "../other.c"\n')
        os.mkdir(os.path.join(self.folder.name, "all", "links"))
        os.symlink(secret, os.path.join(self.folder.name, "all", "links", "sum.c"))
        os.mkdir(os.path.join(self.folder.name, "all", "pipes"))
        os.mkfifo(os.path.join(self.folder.name, "all", "pipes", "sum.c"))
        text = ASSIGNMENT.replace("ranks = 1 3", "ranks = 2\nmax-time = 2 ms\nmemory = 64 MiB\nmax-output = 64 KiB\nhost-time = 20")
        self.make("x.assignment", text)
        self.grade("-j", "2")
        for student, words in {"talks": "prints more than 65536 bytes", "spins": "2 ms", "waits": "deadlock", "opens": "with --fs none there are no files",
                               "writes": "status 9", "falls": "rank 1 stopped", "eats": "memory",
                               "includes": "secret.txt, which is no part of it", "reads_others": "includes ../other.c|no file|compile",
                               "links": "no file sum.c", "pipes": "no file sum.c"}.items():
            self.assertRegex(str(self.reason(student)), words, student)
        self.assertTrue(self.reason("sends"))
        self.assertIsNone(self.reason("other"))
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "planted")))
        self.assertFalse([name for name, page in self.everything().items() if b"xyzzy" in page])

    def test_a_source_that_has_no_end(self):
        lines = "".join("#define M%d %s\n" % (i, " ".join(["M%d" % (i + 1)] * 10)) for i in range(12))
        self.hand_in("macros/sum.c", lines + "#define M12 1+\nlong x = M0 0;\n" + SUM % "")
        self.make("x.assignment", ASSIGNMENT.replace("ranks = 1 3", "ranks = 1\nhost-time = 2"))
        self.grade()
        self.assertRegex(self.reason("macros"), "compil")

    def test_names_that_do_harm(self):
        self.hand_in("<b>bold&co.c", SUM % "")
        self.hand_in("=cmd|calc.c", SUM % "")
        self.grade()
        page = self.read("grades/index.html").decode()
        self.assertNotIn("<b>bold", page)
        self.assertIn("&lt;b&gt;bold&amp;co", page)
        self.assertIn("'=cmd|calc", self.read("grades/grades.csv").decode())

    def test_comparisons(self):
        def points(how, expected, printed, more=""):
            self.hand_in("a.c", '#include <stdio.h>\nint main(void) { printf("%s"); }\n' % printed)
            self.make("y.assignment", "[assignment]\nprogram=a.c\n[test t]\nranks=1\ncompare=%s\noutput=%s\n%s" % (how, expected, more))
            self.grade(assignment="y.assignment")
            return self.rows["a"]["points"]
        for how, expected, printed, good in (
                ("lines", "a b\\nc\\n", "a b  \\nc", 1), ("lines", "a b", "a  b", 0), ("exact", "a\\n", "a", 0), ("exact", "a\\n", "a\\n", 1),
                ("words", "a b c", "a\\nb   c\\n", 1), ("words", "a b c", "a b", 0), ("words", "a b", "a b c", 0),
                ("sorted", "a\\nb\\nc", "c\\na\\nb\\n", 1), ("sorted", "a\\nb", "a\\na\\nb", 0),
                ("numbers", "x = 1.0, y", "x = 1.0000000001, y", 1), ("numbers", "1.0", "1.001", 0), ("numbers", "1.0", "nan", 0),
                ("numbers", "one", "1", 0), ("pattern", "^sum [0-9]+$", "text\\nsum 12\\n", 1), ("pattern", "^sum$", "sums", 0), ("any", "x", "y", 1)):
            self.assertEqual(points(how, expected, printed), good, (how, expected, printed))
        self.assertEqual(points("numbers", "1.0", "1.05", "tolerance=0.1\n"), 1)
        points("lines", "one\\ntwo", "one\\n2\\n")
        self.assertEqual(self.reason("a"), 'wrong output: line 2: expected "two", printed "2"')

    def test_limits_and_hidden_tests(self):
        self.hand_in("a.c", SUM % 'for (int i = 0; i < 20; i++) MPI_Barrier(MPI_COMM_WORLD);')
        self.make("y.assignment", "[assignment]\nreference=sum.c\nranks=4\n"
                  "[test time]\nmost-time=1.5 x reference\n[test bytes]\nmost-bytes=1 MB\n[test messages]\nmost-messages=9\nmost-mesages=x\n")
        self.refused("unknown key 'most-mesages' in \\[test messages\\]; do you mean 'most-messages'", "grade", "y.assignment", "all")
        text = self.read("y.assignment").decode().replace("most-mesages=x\n", "hidden=true\nadvice=Less is more.\n")
        self.make("y.assignment", text)
        self.grade(assignment="y.assignment")
        self.assertRegex(self.reason("a", 0), "too much virtual time: .* us; at most .* us")
        self.assertIsNone(self.reason("a", 1))
        page = self.read("grades/feedback/a.html").decode()
        self.assertIn("Less is more.", page)
        self.assertNotIn("at most 9", page)

    def test_all_orders(self):
        self.hand_in("a.c", """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, first, second;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d %d\\n", first, second);
    }
    MPI_Finalize();
}
""")
        self.make("y.assignment", "[assignment]\nranks=3\noutput=1 2\n[test once]\n[test always]\nexplore=50\n[test any]\nexplore=50\ncompare=any\n")
        self.grade(assignment="y.assignment")
        self.assertEqual([test["points"] for test in self.rows["a"]["tests"]], [1, 0, 1])
        self.assertRegex(self.reason("a", 1), 'in another order of messages: wrong output: line 1: expected "1 2", printed "2 1"')

    def test_assignments_that_are_wrong(self):
        self.hand_in("a.c", SUM % "")
        for text, words in (("", "no section \\[assignment\\]"), ("[assignment]\n", "no section \\[test NAME\\]"),
                            ("[assignment]\n[tests]\n", "unknown section \\[tests\\]"), ("[assignment]\nprogramm=x\n[test a]\n", "do you mean 'program'"),
                            ("[assignment]\n[test a]\n", "says no output"), ("[assignment]\nreference=no.c\n[test a]\n", "there is no file"),
                            ("[assignment]\n[test a]\ncompare=any\nranks=0\n", "ranks = 0"), ("[assignment]\n[test a]\ncompare=any\nranks=\n", "no number"),
                            ("[assignment]\n[test a]\ncompare=same\n", "compare = same"), ("[assignment]\n[test a]\ncompare=pattern\noutput=(\n", "regular expression"),
                            ("[assignment]\n[test a]\ncompare=any\nmost-time=2 x reference\n", "no[ ]reference|there is none"),
                            ("[assignment]\n[test a]\ncompare=any\nmost-time=much\n", "most-time = much"), ("[assignment]\n[test a]\ncompare=any\npoints=-1\n", "points = -1"),
                            ("[assignment]\n[test a]\ncompare=any\nmachine=none-such\n", "no machine"), ("[assignment]\n[test a]\ncompare=any\nset=network.nothing=1\n", "network.nothing"),
                            ("[assignment]\n[test a]\ncompare=any\ninput-file=none\n", "input-file = none"), ("\0\1", "x2")):
            self.make("x2.assignment", text)
            self.refused(words, "grade", "x2.assignment", "all")
        self.make("sum.c", SUM % "return 5;")
        self.refused("the reference fails \\[test right\\] with 1 ranks: .*status 5", "grade", "x.assignment", "all")
        os.mkdir(os.path.join(self.folder.name, "empty"))
        self.refused("no submissions", "grade", "x.assignment", "empty")
        self.refused("cannot be read", "grade", "x.assignment", "nowhere")
        self.refused("needs an assignment", "grade", "x.assignment")
        self.refused("--jobs", "grade", "-j", "0", "x.assignment", "all")

    def test_ctrl_c_leaves_nothing(self):
        for i in range(40):
            self.hand_in("s%d.c" % i, SUM % "for (volatile int i = 0;; i++) ;")
        self.make("x.assignment", ASSIGNMENT.replace("ranks = 1 3", "ranks = 2\nmax-time = 100 s\nhost-time = 50"))
        temporary = os.path.join(self.folder.name, "tmp")
        os.mkdir(temporary)
        grading = subprocess.Popen([ORRERY, "grade", "x.assignment", "all"], cwd=self.folder.name, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=temporary))
        until = time.monotonic() + 30
        while not os.listdir(temporary) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        grading.send_signal(signal.SIGINT)
        _, err = grading.communicate(timeout=60)
        self.assertIn(b"interrupted", err)
        self.assertNotEqual(grading.returncode, 0)
        self.assertEqual(os.listdir(temporary), [])
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "grades")))

    def test_samples(self):
        """The assignments of samples/: starter code compiles, the common mistakes get the points that they deserve."""
        wanted = {"ring": {"all_receive_first": 1, "correct": 10, "gather_by_hand": 8, "last_sends_too_far": 0, "no_finalize": 8, "send_first": 6},
                  "integral": {"correct": 10, "does_not_compile": 0, "integer_division": 3, "loop_of_messages": 8, "n_on_rank_0_only": 0,
                               "rest_forgotten": 2},
                  "heat": {"any_source": 5, "blocking_sends": 10, "correct": 12, "old_and_new_mixed": 3, "request_forgotten": 9, "whole_rod": 9}}
        base = os.path.join(ROOT, "samples", "assignments")
        self.assertEqual(sorted(os.listdir(base)), sorted(wanted))
        for name, points in wanted.items():
            folder = os.path.join(base, name)
            self.good("grade", os.path.join(folder, name + ".assignment"), os.path.join(folder, "mistakes"))
            rows = json.loads(self.read("grades/grades.json"))["submissions"]
            self.assertEqual({row["submission"]: row["points"] for row in rows}, points)
            with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
                told = re.findall(r"`(\w+)\.c` \|", file.read())
            self.assertEqual(sorted(told), sorted(points), "the table of mistakes in %s/README.md" % name)
            self.good("cc", "-Wall", "-Werror", "-c", os.path.join(folder, "starter", name + ".c"), "-o", "starter.o")


main()
