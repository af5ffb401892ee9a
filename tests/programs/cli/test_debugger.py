#!/usr/bin/env python3
"""The command line of `orrery debug`: names, help, scripts, completion, history, batch. See command.py."""
import json
import os
import pty
import re
import select
import signal
import unittest

from command import ORRERY, ROOT, Command, main

try:
    import jsonschema
except ImportError:
    jsonschema = None

PROGRAM = """#include <mpi.h>
#include <stdio.h>
struct point { double x; int tag; char *name; int (*call)(int); int list[3]; };
static int total;
static int twice(int n)
{
    int result = n * 2;
    total += result;
    return result;
}
int main(int argc, char **argv)
{
    int rank, size;
    struct point here = {1.5, 7, "origin", twice, {1, 2, 3}}, *there = &here;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; i++) {
        total += twice(rank + i);
        there->x += i;
    }
    if (argc > 1)
        printf("%s of %d\\n", argv[1], size);
    MPI_Finalize();
    return argc > 2 ? 7 : 0;
}
"""


class Debugger(Command):
    def setUp(self):
        super().setUp()
        self.make("p.c", PROGRAM)
        self.home = {"HOME": self.folder.name, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}

    def debug(self, commands, *options, program=("p.c",), status=0):
        done = self.run_it(ORRERY, "debug", "--nx", *options, *program, stdin=commands, environment=self.home)
        self.assertEqual(done[0], status, done)
        return done[1]

    def lines(self, commands, *options, **more):
        return self.debug(commands, *options, **more).splitlines()


class Names(Debugger):
    def test_every_command_has_help_with_an_example(self):
        listed = re.findall(r"^  ([a-z-]+) .*$", self.debug("help all\n"), re.M)
        self.assertGreater(len(listed), 60)
        complete = self.lines("complete\n")
        self.assertEqual(sorted(listed), sorted(complete), "a command without a row of help.def, or the other way round")
        told = self.debug("".join("help %s\n" % name for name in listed))
        self.assertEqual(told.count("  for example: "), len(listed), told)
        groups = self.debug("help\n")
        for name in listed:
            self.assertRegex(groups, r"[ ,]%s(,|\n)" % re.escape(name))

    def test_examples_are_commands(self):
        examples = re.findall(r"for example: ([a-z-]+)",
                              self.debug("".join("help %s\n" % name for name in self.lines("complete\n"))))
        for word in examples:
            self.assertIn(word, self.lines("complete %s\n" % word))

    def test_abbreviations_of_gdb(self):
        for short, name in {"b": "break", "br": "break", "tb": "tbreak", "c": "continue", "n": "next", "s": "step", "r": "run",
                            "si": "stepi", "fin": "finish", "u": "until", "p": "print", "inspect": "print", "bt": "backtrace",
                            "f": "frame", "i": "info", "l": "list", "d": "delete", "dis": "disable", "disp": "display",
                            "en": "enable", "rs": "reverse-step", "rn": "reverse-next", "rc": "reverse-continue",
                            "reverse_step": "reverse-step", "k": "kill", "h": "help", "q": "quit", "pt": "ptype",
                            "undisp": "undisplay", "wat": "watch", "con": None, "re": None, "st": None}.items():
            told = self.debug("help %s\n" % short)
            if name:
                self.assertTrue(told.startswith("  %s " % name), (short, told))
            else:
                self.assertIn("'%s' could be: " % short, told)
        self.assertEqual(self.debug("braek\nfrobnicate\ninfo brekpoints\n").splitlines()[:3],
                         ["no command 'braek'; did you mean break?", "no command 'frobnicate'; type help",
                          "info: no subject 'brekpoints'; did you mean breakpoints?"])
        self.assertIn("'so' could be: source, sources", self.debug("info so\n"))

    def test_an_empty_line_repeats(self):
        seen = self.lines("list 1,3\n\n\nlist -\n\nprint 1 + 1\n\nrun\n\n")
        self.assertEqual([line.split()[0] for line in seen[:23]], [str(i) for i in range(1, 24)])
        self.assertEqual(seen.count("1 + 1 = 2"), 2)
        self.assertEqual(seen.count("the program has ended at " + seen[-1].split(" at ")[1]), 1)

    def test_several_breakpoints_at_once(self):
        seen = self.lines("b 19\nb 20\nb twice\nb 22\ndis 1-2\ni b\nd 1 3-4\ni b\nclear 20\ni b\nclear 20\nb 19\ncl p.c:19\n"
                          "b twice\nclear twice\nd\nd 7-9\n")
        self.assertEqual(sum("disabled" in line for line in seen), 3)
        self.assertEqual([line for line in seen if line.endswith("is gone")],
                         ["breakpoint %d is gone" % i for i in (1, 3, 4, 2, 5, 6)])
        self.assertIn("there is no breakpoint at 20: type info breakpoints", seen)
        self.assertEqual(seen.count("there is no such breakpoint: type info breakpoints"), 2)

    def test_memory_goes_on(self):
        seen = self.lines("break 19\nrun\nx/2xw &here\n\nx/2xw &here.tag\n")
        first, second, third = (line.split("\t") for line in seen[-3:])
        self.assertEqual(int(second[0][:-1], 16), int(first[0][:-1], 16) + 8)
        self.assertEqual(second, third)

    def test_list(self):
        self.assertEqual([line.split()[0] for line in self.lines("list 5,\n")], [str(i) for i in range(5, 15)])
        self.assertEqual([line.split()[0] for line in self.lines("list ,8\n")], [str(i) for i in range(1, 9)])
        self.assertEqual([line.split()[0] for line in self.lines("set listsize 3\nlist 7\n\n")], [str(i) for i in range(6, 12)])
        self.assertIn("the beginning of p.c has been listed", self.debug("list 1,2\nlist -\n"))
        self.assertIn("there is no line or function 'nosuch'", self.debug("list nosuch\n"))
        marks = self.lines("break 19\nbreak 20\ndisable 2\nrun\nnext 0\nlist 18,20\n", "-n", "4")[-3:]
        self.assertEqual([line[:9] for line in marks], ["         ", "1-3>*    ", "  0>o->  "], marks)
        self.assertEqual(self.debug("break 19\nrun\nlist\n", "-n", "2").count("\033"), 0)
        coloured = self.debug("break 19\nrun\nlist\n", "-n", "2", "--color", "always")
        self.assertIn("\033[1;34m0,1>\033[0m", coloured)
        self.assertEqual(re.sub("\033\\[[0-9;]*m", "", coloured), self.debug("break 19\nrun\nlist\n", "-n", "2"))

    def test_a_source_that_has_changed_is_said_once(self):
        changed = "shell sleep 0.02; touch p.c\nlist 1,2\nlist 3,4\n"
        self.assertEqual(self.debug(changed).count("warning: p.c has changed since"), 1)
        self.good("cc", "-g", "-O0", "-o", "p", "p.c")
        self.assertNotIn("warning", self.debug("list 1,2\n", program=("./p",)))
        self.assertIn("compile it anew", self.debug(changed, program=("./p",)))


class Scripts(Debugger):
    def test_own_commands(self):
        script = ("define show\nend\ndefine add\nif $argc == 2\nprint $arg0 + $arg1\nelse\nif $argc\necho one\\n\nelse\n"
                  "echo none\\n\nend\nend\nend\ndocument add\nAdds.\n  Two.\nend\nadd 3 4\nadd 3\nadd\nhelp add\nshow user add\n"
                  "define hook-echo\nprint 7\nend\necho x\\n\n")
        seen = self.lines(script)
        self.assertEqual(seen[0], "show is built in: 'define hook-show' does something before it")
        self.assertEqual(seen[2:7], ["3 + 4 = 7", "one", "none", "Adds.", "Two."])
        self.assertEqual(seen[-2:], ["7 = 7", "x"])

    def test_loops_and_values(self):
        seen = self.lines("set $i = 0\nwhile $i < 5\nset $i = $i + 1\nif $i == 2\nloop_continue\nend\nif $i == 4\nloop_break\n"
                          "end\nprintf \"%d\\n\", $i\nend\nbreak 20\nrun\nset $p = there\nset $x = there->x * 2\nset $n = here.name\n"
                          "print $p->tag\nprint $x\nprint $n\nprint $nothing\nset $s = here\nprint @all $i + rank\n"
                          "show convenience\n", "-n", "2")
        self.assertEqual(seen[:2], ["1", "3"])
        self.assertIn("$p->tag = 7", seen)
        self.assertIn("$x = 3", seen)
        self.assertTrue(any(line.startswith("$n = 0x") and line.endswith('"origin"') for line in seen), seen)
        self.assertIn("$nothing has no value: 'set $nothing = EXPRESSION' gives it one", seen)
        self.assertIn("here is of type struct point: only numbers and pointers can be kept as $s", seen)
        self.assertIn("$i = 4", seen)

    def test_printf_echo_output(self):
        self.assertEqual(self.debug('printf "%5d|%-4d|%x|%c|%%|%s|%5.2f\\n", 42, 7, 255, 65, 3, 1\necho a\\tb\\n\noutput 3 * 4\n'),
                         "   42|7   |ff|A|%|3| 1.00\na\tb\n12")
        for wrong in ('printf 3', 'printf "%d"', 'printf "%q", 1', 'printf "%99999d", 1', 'printf "%*d", 1', 'printf "x", 1',
                      'printf "%d", nosuch', 'printf'):
            self.assertEqual(self.run_it(ORRERY, "debug", "--nx", "--batch", "-ex", wrong, "p.c")[0], 2, wrong)

    def test_a_script_stops_at_what_fails(self):
        self.make("inner.cmd", "print 1\n# nothing\n\nif 1\n  print nosuch\nend\nprint 2\n")
        self.make("outer.cmd", "source inner.cmd\nprint 3\n")
        for options in (("-x", "outer.cmd"), ("-ex", "source outer.cmd")):
            done = self.run_it(ORRERY, "debug", "--nx", "--batch", "-ex", "start", *options, "-ex", "print 4", "p.c")
            self.assertEqual(done[0], 2)
            self.assertIn("inner.cmd:5: the script stops here: print nosuch\nouter.cmd:1: the script stops here", done[1])
            self.assertNotIn(" = 2", done[1])
            self.assertNotIn(" = 4", done[1])
        self.make("endless.cmd", "source endless.cmd\n")
        self.make("open.cmd", "define x-y\nprint 1\n")
        self.make("binary.cmd", b"print 1\n\0")
        self.assertIn("endless.cmd sources itself", self.debug("source endless.cmd\n"))
        self.assertIn("open.cmd:1: 'define x-y' has no end", self.debug("source open.cmd\n"))
        self.assertIn("is no text", self.debug("source binary.cmd\n"))
        self.assertIn("nosuch.cmd", self.debug("source nosuch.cmd\nsource .\n"))
        self.assertIn("forever calls itself too often", self.debug("define forever\nforever\nend\nforever\n"))
        self.assertIn("'if 1' has no end", self.debug("if 1\nprint 1\n"))
        self.assertIn("'else' belongs into a block", self.debug("else\n"))

    def test_hooks_and_displays(self):
        seen = self.lines("define hook-stop\necho [stop]\\n\nend\nbreak 20\nrun\ndisplay total\ndisplay/x rank\nnext 0\n"
                          "info display\nundisplay 1\nnext 0\nundisplay 9\ndisplay nosuch\n", "-n", "2")
        self.assertEqual(seen.count("[stop]"), 3)
        self.assertEqual(sum(line.startswith("1: total = ") for line in seen), 2)
        self.assertEqual(seen.count("2: rank = 0x0"), 3)
        self.assertIn("there is no display '9': type info display", seen)

    def test_commands_of_breakpoints_have_blocks(self):
        self.make("list.cmd", "break 20\ncommands\nsilent\nif rank == 0\necho [zero]\\n\nelse\necho [other]\\n\nend\n"
                  "set $n = 7\nend\nrun\nprint $n\nnosuch\n")
        for options in (("-x", "list.cmd"), ("-ex", "source list.cmd")):
            seen = self.debug("", *options)
            self.assertIn("[zero]\n", seen)
            self.assertIn("$n = 7\n", seen)
            self.assertNotIn("[other]", seen)
            self.assertIn("list.cmd:13: the script stops here: nosuch", seen)
        self.assertIn("[zero]\n", self.debug(open(os.path.join(self.folder.name, "list.cmd")).read()))

    def test_ten_thousand_lines_before_the_start(self):
        self.make("many.cmd", "".join("break %d\n" % (19 + i % 2) for i in range(10000)))
        seen = self.debug("run\n", "-x", "many.cmd", "-n", "2")
        self.assertEqual(len(re.findall(r"^breakpoint \d+ at p\.c:", seen, re.M)), 10000)
        self.assertIn("0,1: main at 19\n", seen)

    def test_arguments_and_settings(self):
        seen = self.debug("set args one 'two three'\nshow args\nrun\nprint $_exitcode\nrun four\nset args\nrun\n")
        for line in ("args              one 'two three'", "one of 1", "$_exitcode = 7", "four of 1"):
            self.assertIn(line + "\n", seen)
        self.assertIn("set listsize takes a number, or unlimited, not 'x'", self.debug("set listsize x\n"))
        self.assertIn("there is no setting 'nosuch'", self.debug("show nosuch\n"))
        self.assertEqual(self.debug("set confirm off\nset pagination off\nset height 0\nset width 0\n"), "")
        self.assertIn("could be: history save, history size", self.debug("set history s on\n"))

    def test_start_file_of_the_user(self):
        os.makedirs(os.path.join(self.folder.name, ".config", "orrery"))
        self.make(".config/orrery/debuginit", "echo hello\\n\n")
        command = [ORRERY, "debug", "--batch", "p.c"]
        self.assertEqual(self.run_it(*command, environment=self.home)[1], "hello\n")
        for option in ("-nx", "--nx"):
            self.assertEqual(self.run_it(*command[:2], option, *command[2:], environment=self.home)[1], "")
        other = dict(self.home, XDG_CONFIG_HOME=self.folder.name + "/c")
        self.assertEqual(self.run_it(*command, environment=other)[1], "")

    def test_options_of_the_program_are_its_own(self):
        self.assertIn("-ex of 1\n", self.run_it(ORRERY, "debug", "--nx", "-ex", "run", "p.c", "-ex", stdin="")[1])


class Completion(Debugger):
    def test_what_is_offered(self):
        script = "workers = 0-1\nset $mine = 3\nbreak 20\nrun\n"
        for line, offered in {"inf": ["info"], "info l": ["info line", "info locals", "info locks"], "help apro": ["help apropos"],
                              "b tw": ["b twice"], "break p.c:tw": ["break p.c:twice"], "b p": ["b p.c:"], "p tot": ["p total"],
                              "p there->": ["p there->" + n for n in ("call", "list", "name", "tag", "x")],
                              "p here.na": ["p here.name"], "p 1 + here.t": ["p 1 + here.tag"], "print $mi": ["print $mine"],
                              "print @work": ["print @workers"], "stacks bl": ["stacks blocked"], "set listsi": ["set listsize"],
                              "set style e": ["set style enabled"], "set var to": ["set var total"], "show conv": ["show convenience"],
                              "source p.": ["source p.c"], "layout s": ["layout src"], "b 20 if ran": ["b 20 if rank"],
                              "tui e": ["tui enable"], "frobnicate x": [], "p nosuch.": []}.items():
            self.assertEqual(self.lines(script + "complete %s\n" % line, "-n", "2")[5:], offered, line)

    def test_nothing_of_rubbish(self):
        self.debug("".join("complete %s\n" % text for text in ("p ((((", "p ->", "p .", "b :", "info \\", "set ", "p $", "@", "x/",
                                                             "p a[.", "source /nosuch/", "p \"")))


class Terminal(Debugger):
    def session(self, keys, environment=None):
        """Types at a terminal; waits for a pattern after each. Returns what was seen."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder.name)
            os.environ.update(dict(self.home, TERM="dumb", **(environment or {})))
            os.execv(ORRERY, [ORRERY, "debug", "p.c"])
        seen = ""
        try:
            for pattern, text in keys:
                part = ""
                while not re.search(pattern, part, re.S):
                    self.assertTrue(select.select([terminal], [], [], 60)[0], seen + part)
                    part += os.read(terminal, 4096).decode(errors="replace")
                seen += part
                os.write(terminal, text.encode())
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
            child = 0
        finally:
            if child:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            os.close(terminal)
        return seen

    def test_history_lives_on(self):
        prompt = r"\(orrery\) $"
        self.session([(prompt, "print 11 + 1\n"), (r"= 12.*" + prompt, "quit\n")])
        path = os.path.join(self.folder.name, ".local", "state", "orrery", "debug_history")
        self.assertEqual(open(path).read(), "print 11 + 1\nquit\n")
        self.assertEqual(os.stat(path).st_mode & 0o77, 0)
        self.session([(prompt, "\x10\x10\n"), (r"= 12.*" + prompt, "quit\n")])
        self.assertEqual(open(path).read().count("print 11 + 1\n"), 2)
        with open(path, "w") as file:
            file.write("print 5\n" * 5000)
        self.session([(prompt, "quit\n")])
        self.assertEqual(len(open(path).read().splitlines()), 1000)
        os.remove(path)
        os.mkdir(path) # cannot be written
        self.session([(prompt, "print 2\n"), (r"= 2.*" + prompt, "quit\n")])

    def test_tab(self):
        prompt = r"\(orrery\) $"
        self.session([(prompt, "inf\tline\n"), (r"no line|not running|line \d+.*" + prompt, "info lo\t\t"),
                      (r"locals +locks", "cals\n"), (prompt, "quit\n")])


class Batch(Debugger):
    def batch(self, *options, status, outcome, program=("p.c",)):
        done = self.run_it(ORRERY, "debug", "-nx", "--batch", "--json", "r.json", *options, *program)
        self.assertEqual(done[0], status, done)
        self.assertIn("orrery: batch: %s (status %d)\n" % (outcome, status), done[2])
        report = json.loads(self.read("r.json"))
        self.assertEqual((report["outcome"], report["status"]), (outcome, status))
        if jsonschema:
            with open(os.path.join(ROOT, "schemas", "debug.schema.json"), encoding="utf-8") as file:
                jsonschema.validate(report, json.load(file))
        return report

    def test_outcomes(self):
        self.make("fault.c", "int main(void) { int *p = 0; return *p; }\n")
        self.make("stuck.c", "#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v);\n"
                  "MPI_Recv(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }\n")
        self.make("leak.c", "#include <mpi.h>\nint main(int c, char **v) { MPI_Comm d; MPI_Init(&c, &v);\n"
                  "MPI_Comm_dup(MPI_COMM_WORLD, &d); MPI_Finalize(); }\n")
        self.make("spin.c", "int main(void) { for (volatile int i = 0;;) i++; }\n")
        self.assertEqual(self.batch("-ex", "run", status=0, outcome="ended")["exit_status"], 0)
        self.batch("-ex", "run", program=("p.c", "a", "b"), status=10, outcome="status")
        self.batch(status=0, outcome="ended")
        report = self.batch("-ex", "break 20", "-ex", "run", "-n", "3", status=13, outcome="stopped")
        self.assertEqual([(s["reason"], s["ranks"], s["line"], s["file"], s["breakpoint"]) for s in report["stops"]],
                         [("breakpoint", "0-2", 20, "p.c", 1)])
        self.assertIn("null pointer", self.batch("-ex", "run", program=("fault.c",), status=11, outcome="fault")["end"])
        self.assertIn("deadlock", self.batch("-ex", "run", program=("stuck.c",), status=12, outcome="deadlock")["end"])
        self.assertEqual(len(self.batch("--check=leaks", "-ex", "run", program=("leak.c",), status=3,
                                        outcome="findings")["findings"]), 1)
        self.batch("--max-time", "1us", "-ex", "run", program=("spin.c",), status=14, outcome="limit")
        self.assertEqual(self.batch("-ex", "frob", "-ex", "run", status=2, outcome="failed")["failed"], ["frob"])
        self.batch("-x", "nosuch.cmd", status=2, outcome="failed")

    def test_the_place_of_a_fault(self):
        self.make("index.c", "static int a[10];\nint main(void)\n{\n    int i = 90000000;\n\ta[i] = 1;\n    return 0;\n}\n")
        end = self.batch("-ex", "run", program=("index.c",), status=11, outcome="fault")["end"]
        self.assertIn("        a[i] = 1;\n        ^\n        with i = 90000000\n"
                      "        i = 90000000 is no index of a, whose elements are 0 to 9\n", end)
        self.make("null.c", "struct s { int x; struct s *next; };\nint main(void)\n{\n    struct s one = {1, 0};\n"
                  "    int k = 3 + one.next->x; /* one */\n    return k;\n}\n")
        self.assertRegex(self.batch("-ex", "run", program=("null.c",), status=11, outcome="fault")["end"], r"\n +\^\n")

    def test_wrong_usage(self):
        self.refused("--json FILE is the report of --batch", "debug", "--json", "r.json", "p.c")
        self.assertEqual(self.run_it(ORRERY, "debug", "--batch", "-ex", "run", "nosuch.c")[0], 2)


if __name__ == "__main__":
    main()
