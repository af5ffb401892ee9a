#!/usr/bin/env python3
"""All commands: usage, help, completions, manual pages, files that are not there. See command.py."""
import glob
import json
import os
import re
import shutil
import subprocess

from command import Command, ORRERY, ROOT, main


class Others(Command):
    def commands(self):
        """Names of all sub-commands."""
        listed = self.good("--help")[0].split("Commands:\n")[1].split("\n\n")[0]
        return [line.split()[0] for line in listed.splitlines()]

    def test_overview(self):
        out, _ = self.good("--help")
        for command in ("run", "cc", "dis", "topo", "machines"):
            self.assertRegex(out, r"(?m)^  %s " % command)
        self.assertEqual(self.good("help")[0], out)
        self.assertRegex(self.good("--version")[0], r"^orrery \d+\.\d+\.\d+\n$")
        self.refused("Usage: orrery", )
        self.refused("no command \"rnu\"; did you mean \"run\"\\? There are: run, cc", "rnu")
        self.refused("no command \"rnu\"", "help", "rnu")
        self.refused("orrery run hello.c", "hello.c")

    def test_own_files_are_missing(self):
        nowhere = {"ORRERY_SHARE": "/nowhere"}
        advice = ": .*; install or build it again, or set ORRERY_SHARE to its share/orrery\n"
        self.refused("machines are missing in /nowhere/configs" + advice, "run", "hello.c", environment=nowhere)
        self.refused("machines are missing in /nowhere/configs" + advice, "machines", environment=nowhere)
        self.refused("headers are missing in /nowhere/include" + advice, "cc", "-c", "hello.c", status=1,
                     environment=nowhere)
        os.makedirs(os.path.join(self.folder.name, "share", "include"))
        self.make("empty.c", "int main(void) { return 0; }\n")
        self.refused("runtime library is missing in ./share/lib" + advice, "cc", "empty.c", status=1,
                     environment={"ORRERY_SHARE": "./share"})

    def test_without_proc(self):
        hide = ["--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        ways = [["unshare", *hide], ["unshare", "--user", "--map-root-user", *hide]] if shutil.which("unshare") else []
        can = [way for way in ways if self.run_it(*way, ORRERY, "--version")[0] == 0]
        if not can:
            self.skipTest("needs the right to mount, and no sanitizer: those need /proc")
        self.assertEqual(self.run_it(*can[0], ORRERY, "run", "hello.c"), (0, "hello 0 of 1:\n", ""))
        path = {"PATH": os.path.dirname(ORRERY) + os.pathsep + os.environ["PATH"]}
        self.assertEqual(self.run_it(*can[0], "orrery", "cc", "-o", "hello", "hello.c", environment=path), (0, "", ""))
        self.assertEqual(self.run_it(*can[0], "./hello"), (0, "hello 0 of 1:\n", ""))
        status, _, err = self.run_it(*can[0], "bash", "-c", 'exec -a other "$0" run hello.c', ORRERY)
        self.assertEqual(status, 2)
        self.assertRegex(err, "^orrery: the machines are missing in .*: without /proc, .*; mount /proc, or set ORRERY_SHARE")
        status, _, err = self.run_it(*can[0], ORRERY, "run", "--tier", "native", "hello.c")
        self.assertIn("path in /proc, which is not mounted", err)

    def test_wrong_options(self):
        self.refused("unknown option --rank; did you mean --ranks\\? see `orrery run --help`", "run", "--rank", "2", "hello.c")
        self.refused("unknown option --jsno; did you mean --json", "net", "--jsno=x.json")
        self.refused("unknown option -z; see `orrery run --help`", "run", "-z", "hello.c")
        self.refused("unknown option --; see", "run", "--=3", "hello.c")
        self.refused("-n needs RANKS behind it, as in -n 16; see `orrery run --help`", "run", "-n")
        self.refused("--machine needs NAME|FILE behind it", "topo", "--machine")
        self.assertEqual(self.good("run", "-np", "2", "hello.c")[0], self.good("run", "-n2", "hello.c")[0])

    def test_options_behind_arguments(self):
        """Where no argument belongs to a program; elsewhere they are the program's."""
        small = self.good("topo", "--set", "network.dims=2x2", "mesh-4x4")[0]
        self.assertIn("topology    mesh 2x2", small)
        self.assertEqual(self.good("topo", "mesh-4x4", "--set", "network.dims=2x2")[0], small)
        self.assertEqual(self.good("topo", "--set", "network.dims=2x2", "--machine", "mesh-4x4")[0], small)
        self.refused("\"ring-8\": one machine can be drawn at a time", "topo", "mesh-4x4", "ring-8")
        self.refused("\"ring-8\": one machine can be drawn at a time", "topo", "-m", "mesh-4x4", "ring-8")
        self.refused("--labels is for pictures", "topo", "mesh-4x4", "--labels", "both")
        self.assertIn("dims = 2x2", self.good("machines", "mesh-4x4", "--set", "network.dims=2x2")[0])
        self.refused("\"ring-8\": one machine can be printed at a time", "machines", "mesh-4x4", "ring-8")
        self.refused("--set needs a machine", "machines", "--set", "network.dims=2x2")
        self.assertIn("0 functions provided", self.good("mpi", "MPI_Send", "--state", "missing")[0])
        self.assertNotIn("int main", self.good("dis", "hello.c", "--plain")[0])
        self.refused("one file is shown at a time", "dis", "hello.c", "hello.c")
        self.assertIn("<--label>", self.good("run", "hello.c", "--label")[0])
        self.assertIn("<--label>", self.good("run", "--", "hello.c", "--label")[0])

    def test_what_cannot_be_written_is_refused_before_the_work(self):
        self.make("occupied", "")
        for option in ("--json", "--traffic"):
            self.assertEqual(self.refused("%s: cannot write nowhere/x: No such file or directory\n$" % option, "run", option,
                                          "nowhere/x", "hello.c")[0], "")
            self.assertEqual(self.refused("%s: cannot write .: Is a directory\n$" % option, "run", option, ".", "hello.c")[0], "")
            self.assertEqual(self.refused("cannot write occupied/x: Not a directory\n$", "run", option, "occupied/x", "hello.c")[0], "")
        self.refused("--output: cannot write nowhere/x.csv: No such", "net", "-m", "ring-8", "--output", "nowhere/x")
        self.refused("--json: cannot write nowhere/x: No such", "mpi", "--json", "nowhere/x")
        self.make("s.sweep", "[sweep]\nprogram = hello.c\nranks = 1\nx = ranks\n")
        self.assertEqual(self.refused("--output: cannot write nowhere/x.csv: No such", "sweep", "-o", "nowhere/x", "s.sweep")[0], "")
        os.mkdir(os.path.join(self.folder.name, "s.csv"))
        self.assertEqual(self.refused("cannot write s.csv: Is a directory", "sweep", "s.sweep")[0], "")
        os.mkdir(os.path.join(self.folder.name, "results"))
        self.good("sweep", "-o", "results", "s.sweep")

    def test_reports_to_standard_output(self):
        self.assertEqual(json.loads(self.good("run", "--json", "-", "hello.c")[0].split("\n", 1)[1])["ranks_total"], 1)
        self.assertIn("ranks 1\n", self.good("run", "--traffic", "-", "hello.c")[0])
        self.assertIn('"functions"', self.good("mpi", "--json", "-", "MPI_Send")[0])

    def test_full_device(self):
        for arguments in (["--help"], ["--version"], ["run", "--help"], ["machines"], ["topo", "ring-8"], ["mpi", "--list"], ["dis", "hello.c"], ["debug", "-x", "help", "hello.c"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([ORRERY, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=self.folder.name, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr.decode()), (2, "orrery: cannot write: No space left on device\n"), arguments)

    def test_every_option_has_an_example(self):
        for command in self.commands():
            out, _ = self.good(command, "--help")
            self.assertEqual(self.good("help", command)[0], out)
            options = re.findall(r"(?m)^  +(?:-\w(?:, )?)?(?:--[\w-]+)?(?: \S+)?\n", out.split("\nOptions:\n")[-1])
            if command != "help":
                self.assertGreaterEqual(out.count("\n        Example: "), len(options) - 1, command)

    def test_manual_pages_have_what_tables_say(self):
        """What stands between two marks: the options of each command, and other parts."""
        parts = [("orrery-%s.1" % command, command, "options") for command in self.commands() if command != "help"]
        parts += [("orrery.1", "orrery", "environment"), ("orrery-debug.1", "debug", "commands"),
                  ("orrery-sweep.1", "sweep", "measures")]
        if "gui" in self.commands():
            parts.append(("orrery.1", "orrery", "commands"))
        for page, name, part in parts:
            path = os.path.join(ROOT, "docs", "man", page)
            with open(path, encoding="utf-8") as file:
                before, begin, told, end, after = re.split(r'(?m)^(\.\\" begin %s.*\n|\.\\" end %s\n)' % (part, part), file.read())
            printed = self.good("complete", "man", name, part)[0]
            if os.environ.get("ORRERY_UPDATE"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(before + begin + printed + end + after)
            else:
                self.assertEqual(told, printed, page + ": write it anew with ORRERY_UPDATE=1")

    def test_environment_is_what_the_sources_ask_for(self):
        asked = set()
        for folder in "base vcode compiler vm netsim traffic mpi machine monitor gui cli".split():
            for path in glob.glob(os.path.join(ROOT, folder, "**", "*.c"), recursive=True):
                with open(path, encoding="utf-8") as file:
                    asked.update(re.findall(r'\bgetenv\("(\w+)"\)', file.read().replace("g_getenv", "getenv")))
        told = re.findall(r"(?m)^  (\w+)$", self.good("help", "environment")[0])
        self.assertEqual(sorted(asked | {"SOURCE_DATE_EPOCH"}), sorted(told))

    def test_pages_have_the_tables_of_commands(self):
        """<!-- printed by cli.others: WHAT --> in docs, as tests/unit/page.h does it for tables of the libraries."""
        variables = re.findall(r"(?m)^  (\w+)\n        (.*)$", self.good("help", "environment")[0])
        tables = {"environment": "| variable | what it does |\n|---|---|\n" +
                                 "".join("| `%s` | %s |\n" % row for row in variables)}
        for what, table in tables.items():
            path = os.path.join(ROOT, "docs", "guide.md")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            before, behind = text.split("<!-- printed by cli.others: %s -->\n" % what)
            expected = before + "<!-- printed by cli.others: %s -->\n\n%s\n" % (what, table) + behind[behind.index("<!-- end -->"):]
            if os.environ.get("ORRERY_UPDATE"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(expected)
            else:
                self.assertEqual(text, expected, "write it anew with ORRERY_UPDATE=1")

    def test_every_check_is_documented(self):
        rows = re.findall(r"(?m)^          ([a-z]+): (.*?)(?:  \(.*\))?$", self.good("run", "--help")[0])
        self.assertGreater(len(rows), 12)
        with open(os.path.join(ROOT, "docs", "checks.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(re.findall(r"(?m)^## ([a-z]+)$", page), [name for name, _ in rows])
        self.assertEqual(re.findall(r"(?m)^\| \[([a-z]+)\]", page), [name for name, _ in rows])

    def test_machines(self):
        out, _ = self.good("machines")
        names = [line.split()[0] for line in out.splitlines()]
        for name in ("laptop loggp-cluster ring-8 mesh-4x4 mesh-8x8 hypercube-4 torus-8x8x16 bus-16 fat-tree-64 "
                     "crossbar-16 linear-8 ethernet-24 torus-5x5-recovery").split():
            self.assertIn(name, names)
        for name in names:
            self.good("topo", name)
            text, _ = self.good("machines", "--print", name)
            self.make("again.machine", text)
            again, _ = self.good("machines", "--print", "./again.machine")
            self.assertEqual(again.replace("machine again", "machine " + name), text)
            self.good("run", "-n", "5", "--machine", name, "hello.c")

    def test_dis(self):
        out, _ = self.good("dis", "hello.c")
        self.assertIn("MPI_Init(&argc, &argv);", out, "source lines")
        self.assertRegex(out, r"call +MPI_Init")
        self.good("cc", "-c", "hello.c")
        self.assertRegex(self.good("dis", "--plain", "hello.o")[0], r"call +MPI_Init")
        native = self.good("dis", "--native", "-O2", "hello.c")[0]
        self.assertRegex(native, r"/\* main \*/")
        self.assertRegex(native, r"fuel -= \d+;")
        self.assertNotEqual(native, self.good("dis", "--native", "--set", "cost.call=77 cycles", "-O2", "hello.c")[0], "costs")
        self.refused("nothing", "dis", "--native", "nothing")
        self.refused("no such file", "dis", "nothing")
        self.refused("no program", "dis")

    def test_completion_scripts(self):
        for shell in ("bash", "zsh", "fish"):
            out, _ = self.good("complete", shell)
            self.assertIn("eager-limit", out)
        script = self.make("complete.bash", self.good("complete", "bash")[0])
        status, out, err = self.run_it("bash", "-c", "source %s; COMP_WORDS=(orrery run --ma); COMP_CWORD=2; _orrery; "
                                       "echo ${COMPREPLY[*]}" % script)
        self.assertEqual((status, out, err), (0, "--machine --max-time\n", ""))
        status, out, err = self.run_it("bash", "-c", "source %s; COMP_WORDS=(orrery run --check = le); COMP_CWORD=4; _orrery; "
                                       "echo ${COMPREPLY[*]}" % script)
        self.assertEqual((status, out, err), (0, "leaks\n", ""))
        for words, wanted in (("topo mesh", "mesh-4x4 mesh-8x8"), ("machines ring", "ring-8"), ("topo --labels n", "none nodes"),
                              ("mpi --state m", "missing"), ("dis -m ring", "ring-8"), ("run -m mesh-4", "mesh-4x4"), ("cc --sta", ""),
                              ("topo --ma", "--machine"), ("dis --he", "--help")):
            status, out, err = self.run_it("bash", "-c", "source %s; PATH=%s:$PATH; COMP_WORDS=(orrery %s); COMP_CWORD=%d; _orrery; "
                                           "echo ${COMPREPLY[*]}" % (script, os.path.dirname(ORRERY), words, len(words.split())))
            self.assertEqual((status, out, err), (0, wanted + "\n", ""), words)

    def test_files_outside_are_told_once(self):
        self.make("o.c", "#include <stdio.h>\n#include <mpi.h>\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); FILE *f = fopen(\"/etc/passwd\", \"r\");\n"
                  "FILE *g = fopen(\"../x\", \"w\"), *h = fopen(\"missing\", \"r\"); puts(f ? \"yes\" : g || h ? \"?\" : \"no\"); MPI_Finalize(); }\n")
        out, err = self.good("run", "-n", "3", "o.c")
        self.assertEqual(out, "no\n" * 3)
        self.assertRegex(err, r'^orrery: rank 0 asks for "/etc/passwd", outside the working directory, .*--fs all .*ORRERY_FS=all.*\n$')
        self.good("cc", "-o", "o", "o.c")
        self.assertEqual(self.run_it("./o", environment={"ORRERY_FS": "cwd"})[1], "no\n")
        self.assertEqual(self.run_it(ORRERY, "run", "-q", "o.c"), (0, "no\n", ""))
        self.assertIn("with --fs none there are no files", self.good("run", "--fs", "none", "o.c")[1])
        self.make("p.c", "#include <stdio.h>\nint main(void) { puts(fopen(\"/etc/passwd\", \"r\") ? \"yes\" : \"no\"); }\n")
        self.good("cc", "-o", "p", "p.c")
        self.assertEqual(self.run_it("./p", environment={"ORRERY_FS": "all"}), (0, "yes\n", ""))
        self.assertEqual(self.run_it(ORRERY, "run", "--fs", "cwd", "-q", "p.c", environment={"ORRERY_FS": "all"}), (0, "no\n", ""))
        self.assertIn("ORRERY_FS every: it is one of", self.run_it("./p", environment={"ORRERY_FS": "every"})[2])

    def test_environment_of_programs(self):
        self.make("e.c", "#include <stdio.h>\nextern char **environ;\nint main(void) { for (char **e = environ; *e; e++) puts(*e); }\n")
        small = "PATH=/usr/bin:/bin\nHOME=/\nUSER=orrery\nLANG=C\n"
        self.assertEqual(self.good("run", "e.c"), (small, ""))
        more = {"B_2": "b", "B_1": "a"}
        self.assertEqual(self.run_it(ORRERY, "run", "--env", "B_*", "--env", "LANG=de", "--env", "B_1=c", "e.c", environment=more)[1],
                         small.replace("LANG=C", "LANG=de") + "B_1=c\nB_2=b\n")
        openmp = {"OMP_NUM_THREADS": "3", "OMP_SCHEDULE": "static", "OPENMP": "x"}
        self.assertEqual(self.run_it(ORRERY, "run", "--env", "OMP_SCHEDULE=guided", "e.c", environment=openmp)[1],
                         small + "OMP_NUM_THREADS=3\nOMP_SCHEDULE=guided\n")
        self.assertEqual(self.good("debug", "--env", "X=1", "-x", "run", "e.c")[0].count("X=1\n"), 1)
        self.refused("--env =1: NAME=VALUE is needed", "run", "--env", "=1", "e.c")
        self.refused("--env NOT_HERE: there is no such variable here", "run", "--env", "NOT_HERE", "e.c")


if __name__ == "__main__":
    main()
