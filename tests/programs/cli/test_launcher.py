#!/usr/bin/env python3
"""The shims mpicc, mpirun and others, and the options of other launchers. See command.py."""
import json
import os
import re

from command import Command, ORRERY, ROOT, SPIN, main


class Launcher(Command):
    def test_shims(self):
        shims = os.path.join(os.path.dirname(ORRERY), "..", "share", "orrery", "shims")
        path = {"PATH": os.path.realpath(shims) + ":" + os.environ["PATH"]}
        self.make("Makefile", "CC = mpicc\nCFLAGS = -O2 -Wall\nhello: hello.o\n\t$(CC) $(CFLAGS) -o $@ $^\n"
                  "test: hello\n\tmpirun -np 2 --oversubscribe ./hello x -n 3\n\tmpiexec -n 1 ./hello a : -n 1 ./hello b\n")
        status, out, err = self.run_it("make", "-s", "test", environment=path)
        self.assertEqual(status, 0, err)
        self.assertEqual(out, "hello 0 of 2: <x> <-n> <3>\nhello 1 of 2: <x> <-n> <3>\n"
                         "hello 0 of 2: <a>\nhello 1 of 2: <b>\n")
        for launcher in ("mpirun", "mpiexec"):
            status, out, err = self.run_it(launcher, "--mca", "btl", "self", "-c", "2", "--tag-output", "--traffic", "t.traffic",
                                           "-host", "a,b", "./hello", "-x", environment=path)
            self.assertEqual((status, out, err), (0, "[0] hello 0 of 2: <-x>\n[1] hello 1 of 2: <-x>\n", ""))
            self.assertIn("ranks 2\n", self.read("t.traffic").decode())
            self.assertEqual(self.run_it(launcher, "--version", environment=path)[:2], (0, self.good("--version")[0]))

    LAUNCHED = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <mpi.h>\nint main(int argc, char **argv)\n" \
               "{ int r, n; char b[4096]; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r), MPI_Comm_size(MPI_COMM_WORLD, &n);\n" \
               "printf(\"%d/%d\", r, n); for (int i = 1; i < argc; i++) printf(\" %s=%s\", argv[i], getenv(argv[i]) ? getenv(argv[i]) : \"-\");\n" \
               "if (argc == 1) printf(\" %s\", getcwd(b, sizeof b)); puts(\"\"); MPI_Finalize(); }\n"

    def test_launcher_options(self):
        """Open MPI's and MPICH's, behind one dash or two, with = or a blank."""
        self.make("l.c", self.LAUNCHED)
        self.good("cc", "-o", "l", "l.c")
        def launch(*words, status=0, environment=None):
            got, out, err = self.run_it(ORRERY, "mpirun", *words, environment=environment)
            self.assertEqual(got, status, err)
            return sorted(out.splitlines()), err
        here = {"ONE": "1", "TWO_A": "2", "TWO_B": "3"}
        for words, lines in (
                (["-np", "2", "./l", "ONE"], ["0/2 ONE=-", "1/2 ONE=-"]),
                (["--np=1", "-x", "ONE", "./l", "ONE"], ["0/1 ONE=1"]),
                (["-x", "ONE=7=8", "-x", "EMPTY=", "./l", "ONE", "EMPTY"], ["0/1 ONE=7=8 EMPTY="]),
                (["-x", "TWO_*", "./l", "TWO_A", "TWO_B", "ONE"], ["0/1 TWO_A=2 TWO_B=3 ONE=-"]),
                (["-env", "ONE", "5", "./l", "ONE", ":", "./l", "ONE"], ["0/2 ONE=5", "1/2 ONE=-"]),
                (["./l", "ONE", ":", "-genv", "ONE", "5", "./l", "ONE"], ["0/2 ONE=5", "1/2 ONE=5"]),
                (["-genvlist", "ONE,TWO_A", "./l", "ONE", "TWO_A", ":", "-x", "ONE=9", "./l", "ONE"], ["0/2 ONE=1 TWO_A=2", "1/2 ONE=9"]),
                (["-envlist", "ONE", "./l", "ONE", ":", "./l", "ONE"], ["0/2 ONE=1", "1/2 ONE=-"]),
                (["-genvall", "./l", "TWO_B"], ["0/1 TWO_B=3"]),
                (["-genvnone", "./l", "ONE", "USER"], ["0/1 ONE=- USER=orrery"]),
                (["--env", "ONE=3", "./l", "ONE"], ["0/1 ONE=3"]),
                (["--hostfile=h", "-hostfile", "h", "-machinefile", "h", "-f", "h", "-quiet", "--display-allocation", "-cpu-set", "0,1",
                  "--bind-to", "core", "--map-by=socket", "--mca", "btl", "self", "-ppn", "2", "-hosts", "a,b", "-v",
                  "--use-hwthread-cpus", "--allow-run-as-root", "--oversubscribe", "--report-bindings", "-launcher", "ssh",
                  "--timeout", "5", "-c", "1", "--", "./l", "ONE"], ["0/1 ONE=-"]),
                (["-l", "-n", "1", "./l", "-l"], ["[0] 0/1 -l=-"]),
                (["--output", "tag,merge", "./l", "X"], ["[0] 0/1 X=-"]),
                (["-n2", "--machine", "ring-8", "-s", "cpu.clock=1 GHz", "-prepend-rank", "./l", "X"], ["[0] 0/2 X=-", "[1] 1/2 X=-"])):
            self.assertEqual(launch(*words, environment=here), (lines, ""), words)
        self.assertEqual(launch("-x", "NOT_HERE", "./l", "ONE"), (["0/1 ONE=-"], "orrery: there is no variable NOT_HERE to hand on\n"))
        for pattern, words in (("unknown option --bogus; see `orrery mpirun", ["--bogus", "./l"]), ("did you mean -hostfile", ["--hostfiel=x", "./l"]),
                               ("-gdb: `orrery debug", ["-gdb", "./l"]), ("--np needs a value", ["--np"]), ("-genv needs a name and a value", ["-genv", "A"]),
                               ("-n 0: a program needs", ["-n", "0", "./l"]), ("-n x: a whole number", ["-n", "x", "./l"]), ("--output-filename: standard output", ["--output-filename=f", "./l"]),
                               ("--timeout x|--max-time: ", ["--timeout", "x", "./l"]), ("no program is given", ["-n", "2"]), ("no program is given", ["./l", ":"]),
                               ("-stdin 3: standard input goes to rank 0", ["-stdin", "3", "./l"])):
            self.assertRegex(launch(*words, status=2)[1], pattern)
        self.make("spin.c", SPIN)
        self.assertIn("--max-time", launch("--timeout", "0.001", "spin.c", status=1)[1])

    def test_launcher_files_and_folders(self):
        self.make("l.c", self.LAUNCHED)
        os.makedirs(os.path.join(self.folder.name, "sub"))
        os.makedirs(os.path.join(self.folder.name, "other"))
        self.good("cc", "-o", "sub/l", "l.c")
        folder = os.path.realpath(self.folder.name)
        for words in (["-wdir", "sub", "./l"], ["--wdir=sub", "l"], ["-wd", "sub", "-n", "1", "sub/l"], ["--wdir", os.path.join(folder, "sub"), "./l"]):
            self.assertEqual(self.good("mpirun", *words), ("0/1 %s/sub\n" % folder, ""))
        self.assertEqual(self.good("run", "--wdir", "sub", "--json", "x.json", "l.c")[0], "0/1 %s/sub\n" % folder)
        self.assertIn("makespan_ps", json.loads(self.read("x.json")))
        self.refused("-wdir other: the programs of one run have one working directory, here sub", "mpirun", "-wdir", "sub", "./l", ":", "-wdir", "other", "./l")
        self.refused("--wdir nowhere: No such file", "run", "--wdir", "nowhere", "l.c")
        self.refused("--wdir l.c: Not a directory", "run", "--wdir", "l.c", "l.c")
        self.make("f", "# two programs\n-n 1 -x ONE=1 sub/l ONE\n\n-n 2 sub/l 'X Y' # and more\n")
        for words, lines in ((["-configfile", "f"], "0/3 ONE=1|1/3 X Y=-|2/3 X Y=-"), (["--app", "f", "-l"], "[0] 0/3 ONE=1|[1] 1/3 X Y=-|[2] 2/3 X Y=-"),
                             (["-configfile", "f", "sub/l", "Z"], "0/4 ONE=1|1/4 X Y=-|2/4 X Y=-|3/4 Z=-"),
                             (["sub/l", "Z", ":", "-configfile", "f"], "0/4 Z=-|1/4 ONE=1|2/4 X Y=-|3/4 X Y=-")):
            self.assertEqual("|".join(sorted(self.good("mpirun", *words)[0].splitlines())), lines)
        self.make("g", "-configfile g\n")
        self.refused("name each other", "mpirun", "-configfile", "g")
        self.make("g", "-n 1 'sub/l\n")
        self.refused("g:1: ", "mpirun", "-configfile", "g")
        self.refused("No such file", "mpirun", "-configfile", "none")

    def test_shims_of_other_languages(self):
        shims = os.path.realpath(os.path.join(os.path.dirname(ORRERY), "..", "share", "orrery", "shims"))
        for name in ("mpicxx", "mpic++", "mpiCC", "mpif77", "mpif90", "mpifort"):
            self.assertRegex(" ".join(map(str, self.run_it(os.path.join(shims, name), "x"))), r"^1  %s: Orrery compiles C only" % re.escape(name))

    def test_shims_of_the_source_tree(self):
        """They find the command in PATH."""
        shims = os.path.realpath(os.path.join(ROOT, "cli", "shims"))
        path = {"PATH": os.pathsep.join([shims, os.path.dirname(os.path.abspath(ORRERY)), os.environ["PATH"]])}
        for compiler in ("mpicc", "orrery-cc"):
            self.assertEqual(self.run_it(compiler, "-o", "hello", "hello.c", environment=path), (0, "", ""))
        for launcher in ("mpirun", "mpiexec"):
            self.assertEqual(self.run_it(launcher, "-n", "1", "./hello", environment=path), (0, "hello 0 of 1:\n", ""))


if __name__ == "__main__":
    main()
