#!/usr/bin/env python3
"""`orrery run`: what it prints and answers, signals, progress, where results go. See command.py."""
import fcntl
import glob
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from command import Command, HELLO, HERE, ORRERY, SPIN, WRONG, main

STATUS = "#include <stdlib.h>\nint main(int argc, char **argv) { return argc > 1 ? atoi(argv[1]) : 0; }\n"
FAULT = "int main(void) { int *p = 0; *p = 1; return 0; }\n"
ECHO = "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }\n"
HALF = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (volatile int i = 0; rank % 2; i++) ;
    MPI_Recv(&rank, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""

POLL = """#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, flag = 0, value = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank) {
        MPI_Irecv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &request);
        while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    usleep(atoi(argv[1]));
    if (rank < 2) MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    printf("%d %.12f\\n", rank, MPI_Wtime());
    MPI_Finalize();
}
"""


class Terminal:
    """`orrery run half.c` on a pseudo-terminal of its own."""
    def __init__(self, folder, columns, term, *options):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.start = time.monotonic()
        self.process = subprocess.Popen([ORRERY, "run", "-n", "2", *options, "half.c"], cwd=folder, stdin=slave, stdout=slave,
                                        stderr=slave, env=dict(os.environ, TERM=term), start_new_session=True)
        os.close(slave)

    def end(self, after=None):
        """Interrupts it after 3 s, or when that has been written; answers all that was."""
        text, sent = "", False
        while True:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    text += os.read(self.master, 65536).decode()
                except OSError:
                    break
            age = time.monotonic() - self.start
            if not sent and (after in text if after and age < 30 else age > 3):
                sent = True
                self.process.send_signal(signal.SIGINT)
        os.close(self.master)
        self.process.wait(timeout=30)
        return text


class Run(Command):
    def test_ranks_and_arguments(self):
        out, err = self.good("run", "-n", "2", "hello.c", "a", "-n", "b c")
        self.assertEqual(out, "hello 0 of 2: <a> <-n> <b c>\nhello 1 of 2: <a> <-n> <b c>\n")
        self.assertEqual(err, "")

    def test_np_and_joined_values(self):
        for way in (["-np", "2"], ["-n2"], ["--ranks=2"], ["--ranks", "2"]):
            self.assertEqual(len(self.good("run", *way, "hello.c")[0].splitlines()), 2, way)

    def test_several_sources_and_double_dash(self):
        self.make("a.c", 'int f(void);\n#include <stdio.h>\nint main(int c, char **v)\n{ printf("%d %s\\n", f(), v[1]); }\n')
        self.make("b.c", "int f(void) { return 42; }\n")
        self.assertEqual(self.good("run", "a.c", "b.c", "--", "x.c")[0], "42 x.c\n")

    def test_mpmd_knows_its_program(self):
        self.make("which.c", "#include <mpi.h>\n#include <stdio.h>\nint main(int c, char **v) {\n"
                  "    int *n, flag, rank; char arguments[1024], ranks[1024];\n    MPI_Init(&c, &v);\n"
                  "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &n, &flag);\n"
                  "    MPI_Info_get(MPI_INFO_ENV, \"argv\", 1023, arguments, &flag);\n"
                  "    MPI_Info_get(MPI_INFO_ENV, \"maxprocs\", 1023, ranks, &flag);\n"
                  "    printf(\"%d: program %d, %s ranks, %s\\n\", rank, *n, ranks, arguments);\n"
                  "    MPI_Finalize();\n    return 0;\n}\n")
        out, _ = self.good("run", "-n", "1", "which.c", "a", "b", ":", "-n", "2", "which.c", "c")
        self.assertEqual(sorted(out.splitlines()), ["0: program 0, 1 ranks, a b", "1: program 1, 2 ranks, c",
                                                    "2: program 1, 2 ranks, c"])

    def test_mpmd(self):
        self.make("other.c", HELLO.replace("hello", "other"))
        out, _ = self.good("run", "-n", "1", "hello.c", "a", ":", "-n", "2", "other.c", "b")
        self.assertEqual(out, "hello 0 of 3: <a>\nother 1 of 3: <b>\nother 2 of 3: <b>\n")

    def test_label(self):
        self.assertEqual(self.good("run", "-n", "2", "--label", "hello.c")[0], "[0] hello 0 of 2:\n[1] hello 1 of 2:\n")

    def test_standard_input_goes_to_rank_0(self):
        self.make("echo.c", ECHO)
        self.assertEqual(self.good("run", "-n", "2", "echo.c", stdin="one\ntwo")[0], "one\ntwo")

    def test_exit_status_is_the_program_s(self):
        self.make("status.c", STATUS)
        self.assertEqual(self.orrery("run", "status.c", "7")[0], 7)
        self.assertEqual(self.orrery("run", "status.c", "256")[0], 0)
        self.assertEqual(self.orrery("run", "status.c", ":", "status.c", "9", ":", "status.c", "3")[0], 9)

    def test_fault(self):
        self.make("fault.c", FAULT)
        out, err = self.refused("orrery: rank 0 stopped at fault.c:1 .*null pointer", "run", "fault.c", status=139)
        self.assertEqual(out, "")

    def test_max_time(self):
        self.make("spin.c", SPIN)
        self.refused("limit of 1 ms.*\n(.*\n)*  rank 1: computing, in main at spin.c:1", "run", "-n", "2", "--max-time",
                     "1ms", "spin.c", status=1)
        self.refused("--max-time: \"1\" has no unit", "run", "--max-time", "1", "spin.c")
        self.refused("--max-time 0", "run", "--max-time", "0", "spin.c")

    def test_interrupt(self):
        self.make("spin.c", SPIN)
        process = subprocess.Popen([ORRERY, "run", "--quantum", "1000000000", "spin.c"], cwd=self.folder.name,
                                   stderr=subprocess.PIPE)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=30)[1].decode()
        self.assertEqual(process.returncode, 130)
        self.assertRegex(err, "interrupted at virtual time .*\n.*\n  rank 0: computing, in main at spin.c:1")

    def test_interrupt_finds_threads_and_says_who_waits(self):
        self.make("half.c", HALF)
        for number, jobs in ((signal.SIGINT, "1"), (signal.SIGTERM, "3")):
            process = subprocess.Popen([ORRERY, "run", "-n", "6", "--jobs", jobs, "--quantum", "1000000", "half.c"],
                                       cwd=self.folder.name, stderr=subprocess.PIPE)
            time.sleep(1.5)
            start = time.monotonic()
            process.send_signal(number)
            err = process.communicate(timeout=30)[1].decode()
            self.assertLess(time.monotonic() - start, 5, "0.2 s, were the host not busy")
            self.assertEqual(process.returncode, 128 + number)
            self.assertRegex(err, "rank 0: MPI_Recv waits for a message from rank 1, tag 7, .* at half.c:7\n"
                                  "  rank 1: computing, in main at half.c:6")

    def test_polling_takes_no_host_time_and_the_debugger_sees_the_same(self):
        self.make("poll.c", POLL)
        self.good("cc", "-o", "poll", "poll.c")
        short = self.good("run", "-n", "3", "poll", "2000")[0]
        self.assertIn(short.strip(), self.orrery("debug", "-n", "3", "poll", "2000", stdin="run\n")[1])
        start = time.monotonic()
        self.good("run", "-n", "3", "poll", "900000000")
        self.assertLess(time.monotonic() - start, 30, "nine billion polls")

    def test_watching_changes_no_time(self):
        """Messages go the short way only where nobody looks on."""
        program = os.path.join(HERE, os.pardir, "mpi", "plain_sends.c")
        alone = self.good("run", "-n", "4", "--json", "alone.json", program)[0]
        watched = [["--stats"], ["--messages", "m.csv"], ["--check"], ["--check=no-signatures"]]
        for options in watched:
            self.assertEqual(self.good("run", "-n", "4", "--json", "watched.json", *options, program)[0], alone, options)
            one, other = [json.loads(self.read(name)) for name in ("alone.json", "watched.json")]
            self.assertEqual((one["makespan_ps"], one["ranks"]), (other["makespan_ps"], other["ranks"]), options)

    def test_progress(self):
        self.make("half.c", HALF)
        long, usual, narrow, dumb, never = [Terminal(self.folder.name, *way) for way in (
            (140, "xterm"), (80, "xterm", "--max-time", "1000s"), (40, "xterm"), (100, "dumb"), (100, "xterm", "--progress=never"))]
        for terminal in (long, usual, narrow, dumb, never):
            self.addCleanup(terminal.process.kill)
        piped = subprocess.Popen([ORRERY, "run", "-n", "2", "half.c"], cwd=self.folder.name, stderr=subprocess.PIPE)
        lines = subprocess.Popen([ORRERY, "run", "-n", "2", "--progress=always", "--max-time", "1000s", "half.c"],
                                 cwd=self.folder.name, stderr=subprocess.PIPE)
        self.addCleanup(piped.kill)
        self.addCleanup(lines.kill)
        text = long.end(after="events/s")
        self.assertRegex(text, r"\r\[0:0\d\] virtual [\d.]+ [mun]?s, 0 of 2 ranks finished, 0 messages, [\d.]+ k? ?events/s, "
                               r"[\d.]+( [kMG])? times (slower|faster) than the machine\x1b\[K\r")
        self.assertRegex(text, r"\r\x1b\[Korrery: interrupted", "the line must be gone before anything else is said")
        self.assertRegex(usual.end(after="events/s"), r"\r\[0:0\d\] [\d.]+ [mun]?s \(0 %, at most [\d:]+ left\), 0/2 ranks, "
                                                      r"0 messages, [\d.]+ k? ?events/s\x1b\[K\r")
        for line in re.findall(r"\r(\[[^\x1b]*)\x1b", narrow.end(after="\r[")):
            self.assertLess(len(line), 40)
        self.assertNotIn("virtual 1", dumb.end().split("interrupted")[0])
        self.assertNotIn("\x1b[K", never.end())
        piped.send_signal(signal.SIGINT)
        self.assertNotIn(b"ranks finished", piped.communicate(timeout=30)[1])
        self.assertRegex(lines.stderr.readline().decode(), "^orrery: .0:.* 0 % of 1000 s, at most .* left$")
        lines.send_signal(signal.SIGINT)
        lines.communicate(timeout=30)

    def test_quiet(self):
        self.assertIn("share a core", self.orrery("run", "-n", "9", "--machine", "ring-8", "hello.c")[2])
        self.assertEqual(self.orrery("run", "-q", "-n", "9", "--machine", "ring-8", "hello.c")[2], "")
        self.refused("--progress", "run", "--progress=loud", "hello.c")

    def test_closed_output_ends_quietly(self):
        self.make("much.c", '#include <stdio.h>\nint main(void) { for (;;) puts("much"); }\n')
        process = subprocess.Popen([ORRERY, "run", "much.c"], cwd=self.folder.name, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.communicate(timeout=30)[1], b"")
        self.assertEqual(process.returncode, 128 + signal.SIGPIPE)

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([ORRERY, "run", "hello.c"], cwd=self.folder.name, stdout=full, stderr=subprocess.PIPE,
                                  check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"No space left", done.stderr)

    def test_statistics(self):
        out, err = self.good("run", "-n", "3", "--machine", "ring-8", "--stats", "--json", "s.json", "hello.c")
        self.assertEqual(len(out.splitlines()), 3)
        self.assertRegex(err, r"makespan  [0-9.]+ us")
        data = json.loads(self.read("s.json"))
        self.assertEqual(data["machine"], "ring-8")
        self.assertEqual(len(data["ranks"]), 3)
        for rank in data["ranks"]:
            self.assertEqual(rank["finish_ps"], rank["compute_ps"] + rank["overhead_ps"] + rank["blocked_ps"])
            self.assertLessEqual({"messages_sent", "bytes_sent"}, set(rank))
        self.assertEqual(data["makespan_ps"], max(rank["finish_ps"] for rank in data["ranks"]))

    def test_sleeping_is_blocked(self):
        """Between calls, before the end, and in a loop that polls, which is accounted for in closed form."""
        self.make("s.c", """
            #include <mpi.h>
            #include <time.h>
            #include <unistd.h>
            int main(int argc, char **argv) {
                int rank, flag = 0, x = 0; MPI_Request request;
                struct timespec second = {1, 0}, rest;
                MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                usleep(250000); sleep(2);
                if (rank == 0) { nanosleep(&second, &rest); MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); }
                else {
                    MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
                    while (MPI_Test(&request, &flag, MPI_STATUS_IGNORE), !flag) usleep(1000);
                }
                MPI_Finalize(); sleep(1); return 0; }""")
        accounts = []
        for options in ([], ["--quantum", "7"], ["--tier", "interp", "--jobs", "2"]):
            self.good("run", "-n", "2", *options, "--json", "s.json", "s.c")
            accounts.append(json.loads(self.read("s.json"))["ranks"])
        self.assertEqual(accounts[0], accounts[1])
        self.assertEqual(accounts[0], accounts[2])
        for rank in accounts[0]:
            self.assertEqual(rank["finish_ps"], rank["compute_ps"] + rank["overhead_ps"] + rank["blocked_ps"])
            self.assertGreaterEqual(rank["blocked_ps"], 4.2e12)
            self.assertLess(rank["compute_ps"], 1e10)
        self.assertEqual(accounts[0][0]["blocked_ps"] // 10**9, 4250)

    def test_sharing_is_noted_once(self):
        _, err = self.good("run", "-n", "20", "--machine", "ring-8", "hello.c")
        self.assertEqual(len(re.findall("share a core", err)), 1)
        self.assertEqual(len(err.splitlines()), 1)

    def test_set_and_own_machine_file(self):
        text, _ = self.good("machines", "--print", "mesh-4x4")
        self.make("mine.machine", text)
        one, _ = self.good("run", "-n", "16", "--machine", "./mine.machine", "--json", "-", "hello.c")
        two, _ = self.good("run", "-n", "16", "--machine", "mesh-4x4", "--json", "-", "hello.c")
        self.assertEqual(one.replace('"mine"', '"mesh-4x4"'), two)
        slow, _ = self.good("run", "-n", "16", "--machine", "mesh-4x4", "--set", "cpu.clock=1 MHz", "--json", "-", "hello.c")
        self.assertNotEqual(slow, two)

    def test_eager_limit(self):
        self.make("unsafe.c", "#include <mpi.h>\nint main(int c, char **v)\n{\n    int r, x = 0, y;\n    MPI_Init(&c, &v);\n"
                  "    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n    MPI_Send(&x, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD);\n"
                  "    MPI_Recv(&y, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n"
                  "    return 0;\n}\n")
        self.good("run", "-n", "2", "unsafe.c")
        self.refused(r"orrery: deadlock(.*\n)*.*rank 0.*unsafe.c:7.*MPI_Send", "run", "-n", "2", "--eager-limit", "0",
                     "unsafe.c", status=1)
        self.good("run", "-n", "2", "--eager-limit", "4 KiB", "unsafe.c")
        self.good("run", "-n", "2", "--eager-limit", "4096", "unsafe.c")

    def test_options_that_never_change_a_result(self):
        plain, _ = self.good("run", "-n", "4", "--machine", "mesh-4x4", "--json", "-", "hello.c")
        for option in (["--quantum", "1"], ["--jobs", "4"], ["-j1"], ["--tier", "interp"], ["--tier=auto"]):
            self.assertEqual(self.good("run", "-n", "4", "--machine", "mesh-4x4", "--json", "-", *option, "hello.c")[0], plain)

    def test_checks(self):
        """Lists of checks; what is only possible or left over changes nothing and is told once for many ranks."""
        self.make("leak.c", "#include <mpi.h>\n#include <stdio.h>\nint main(int c, char **v)\n{\n    MPI_Comm d;\n    int r;\n"
                  "    MPI_Init(&c, &v);\n    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n    MPI_Comm_dup(MPI_COMM_WORLD, &d);\n"
                  "    if (r)\n        MPI_Comm_dup(MPI_COMM_SELF, &d);\n    printf(\"%d\\n\", r);\n    MPI_Finalize();\n}\n")
        run = ["run", "-n", "64", "--machine", "loggp-cluster", "--json", "-"]
        plain, err = self.good(*run, "leak.c")
        self.assertEqual(err, "")
        for option in ("--check", "--check=all", "--check=leaks", "--check=lost,leaks", "--check=no-races"):
            out, err = self.good(*run, option, "leak.c")
            self.assertEqual(out, plain, option)
            self.assertEqual(re.findall(r"(?m)^orrery: (ranks [\d-]+): the communicator that MPI_Comm_dup made at leak.c:(\d+) "
                                        r"was never freed \[leaks\]$", err), [("ranks 0-63", "9"), ("ranks 1-63", "11")], option)
        for option in ("--check=lost", "--check=all,no-leaks", "--check=no-leaks"):
            self.assertEqual(self.good(*run, option, "leak.c"), (plain, ""), option)
        out, quiet = self.good(*run, "--check", "--quiet", "leak.c") # findings were asked for: they are no chatter
        self.assertEqual((out, quiet), (plain, self.good(*run, "--check", "leak.c")[1]))
        self.assertIn("[leaks]", quiet)
        self.refused('no check "leeks"; did you mean "leaks"', "run", "--check=leeks", "leak.c")
        self.refused('no check ""', "run", "--check=leaks,", "leak.c")
        self.refused("no-deadlock: .*cannot be left out", "run", "--check=no-deadlock", "leak.c")

    def test_findings_as_exit_status(self):
        """--check-fail and ORRERY_CHECK_FAIL: 3 where checks found something and the program's status is 0."""
        self.make("leak.c", "#include <mpi.h>\n#include <stdlib.h>\nint main(int c, char **v)\n{\n    MPI_Init(&c, &v);\n"
                  "    if (c > 1)\n        malloc(7);\n    if (c > 2)\n        return 5;\n    MPI_Finalize();\n}\n")
        fail = {"ORRERY_CHECK_FAIL": "1"}
        for arguments, environment, status, says in (
                (["--check", "leak.c"], {}, 0, ""),
                (["--check", "--check-fail", "leak.c"], {}, 0, ""),
                (["--check", "leak.c", "1"], {}, 0, "not freed"),
                (["--check", "--check-fail", "leak.c", "1"], {}, 3, "not freed"),
                (["--check", "leak.c", "1"], fail, 3, "not freed"),
                (["--check", "leak.c", "1"], {"ORRERY_CHECK_FAIL": ""}, 0, "not freed"),
                (["--check", "leak.c", "1"], {"ORRERY_CHECK_FAIL": "0"}, 0, "not freed"),
                (["-q", "--check-fail", "--check", "leak.c", "1"], {}, 3, "not freed"),
                (["--check-fail", "leak.c", "1"], {}, 0, ""),
                (["leak.c", "1", "2"], {}, 5, "without calling MPI_Finalize"),
                (["-q", "leak.c", "1", "2"], {}, 5, ""),
                (["-q", "leak.c", "1", "2"], fail, 5, "without calling MPI_Finalize"),
                (["--check=no-finalize,no-memory", "--check-fail", "leak.c", "1", "2"], {}, 5, "")):
            got, out, err = self.orrery("run", *arguments, environment=environment)
            self.assertEqual((got, out), (status, ""), (arguments, environment, err))
            if says:
                self.assertIn(says, err, arguments)
            else:
                self.assertEqual(err, "", arguments)

    def test_names_of_checks(self):
        """What is printed in brackets is a name that --check takes, and no-NAME silences it; each name that can be left
        out is printed by a test program."""
        names = set(re.findall(r"(?m)^ {10}([a-z]+): ", self.good("run", "--help")[0]))
        folder = os.path.join(os.path.dirname(HERE), "checks")
        printed = {}
        for file in sorted(glob.glob(os.path.join(folder, "*.says")) + glob.glob(os.path.join(folder, "*.err"))):
            with open(file, encoding="utf-8") as lines:
                for name in re.findall(r"\\?\[([a-z]+)\\?\]", lines.read()):
                    printed.setdefault(name, os.path.splitext(file)[0])
        self.assertEqual(set(printed) - names, set())
        fixed = {name for name in names if self.orrery("run", "--check=no-" + name, "hello.c")[0] == 2}
        self.assertEqual(fixed, {"arguments", "state", "truncation", "deadlock"})
        self.assertEqual(names - set(printed) - fixed, set())
        for name, case in printed.items():
            ranks = "2"
            if os.path.exists(case + ".ranks"):
                with open(case + ".ranks", encoding="utf-8") as file:
                    ranks = file.read().split()[0]
            self.assertIn("[%s]" % name, self.orrery("run", "-n", ranks, "--check=memory," + name, case + ".c")[2], case)
            for option in ("--check=no-" + name, "--check=all,no-" + name):
                self.assertNotIn("[%s]" % name, self.orrery("run", "-n", ranks, option, case + ".c")[2], (case, option))

    def test_defines_and_includes(self):
        os.mkdir(os.path.join(self.folder.name, "inc"))
        self.make("inc/value.h", "#define VALUE 3\n")
        self.make("d.c", "#include <value.h>\nint main(void) { return VALUE + ADD; }\n")
        self.assertEqual(self.orrery("run", "-Iinc", "-D", "ADD=4", "-O0", "d.c")[0], 7)

    def test_bad_usage(self):
        self.make("wrong.c", WRONG)
        self.make("text", "no program\n")
        self.refused("no program is given", "run")
        self.refused("nofile.c: there is no such file", "run", "nofile.c")
        self.refused("-n 0", "run", "-n", "0", "hello.c")
        self.refused("-n -3", "run", "-n", "-3", "hello.c")
        self.refused("-n many", "run", "-n", "many", "hello.c")
        self.refused("99999999 ranks", "run", "-n", "99999999", "hello.c")
        self.refused("did you mean \"mesh-4x4\"", "run", "--machine", "mesh-4x5", "hello.c")
        self.refused("--bogus", "run", "--bogus", "hello.c")
        self.refused("--tier fast: it is one of", "run", "--tier", "fast", "hello.c")
        self.refused("--quantum 0", "run", "--quantum", "0", "hello.c")
        self.refused("--jobs none", "run", "--jobs", "none", "hello.c")
        self.refused("--fs everything", "run", "--fs", "everything", "hello.c")
        self.refused("did you mean \"network.bandwidth\"", "run", "--set", "network.bandwith=1 MB/s", "hello.c")
        self.refused("^orrery: --set network.bandwith: there is no such key; did you mean", "run", "--set", "network.bandwith=1 MB/s", "hello.c")
        self.refused("has no unit", "run", "--set", "cpu.clock=3", "hello.c")
        self.refused(r"^orrery: --set network.topology: .*72 nodes, but nodes is 1", "run", "--set", "topology=dragonfly(2,4,2)", "hello.c")
        self.refused("dims", "run", "--machine", "mesh-4x4", "--set", "network.nodes=5", "hello.c")
        self.refused("neither a .c file nor a program", "run", "text")
        self.refused("directory", "run", ".")
        self.refused("no program is given", "run", "hello.c", ":", "-n", "2")
        self.refused("cannot|Failed|No such", "run", "--json", "no/where.json", "hello.c")
        _, err = self.refused(r"^wrong.c:1:25: error: ", "run", "wrong.c", status=1)
        self.assertEqual(len(err.splitlines()), 3)

    def test_what_was_meant(self):
        for pattern, *words in (
                ("did you mean \"orrery --version\"", "--verson"), ("did you mean \"orrery --version\"", "version"),
                ("did you mean \"orrery --help\"", "--hlep"), ("did you mean \"help\"", "helo"),
                ("did you mean \"orrery cc\"", "compile", "hello.c"),
                ("for example: orrery debug -n 4", "debug"), ("for example: orrery explore -n 4", "explore"),
                ("did you mean \"network.latency\"", "run", "--set", "network.lat=3 us", "hello.c"),
                ("did you mean \"network.latency\"", "run", "--set", "lat=3 us", "hello.c")):
            self.refused("^orrery: .*" + pattern, *words)
        for name, language in (("a.cc", "C\\+\\+"), ("a.cpp", "C\\+\\+"), ("a.cxx", "C\\+\\+"), ("a.C", "C\\+\\+"),
                               ("a.hpp", "C\\+\\+"), ("a.f90", "Fortran"), ("a.F", "Fortran")):
            self.make(name, "int main(void) { return 0; }\n")
            self.refused("^orrery: " + name + ": this is " + language, name)
            for command in ("run", "debug", "explore"):
                self.refused("^orrery: " + name + ": this is " + language, command, name)

    def test_machine_file_errors_have_a_place(self):
        self.make("m.machine", "[network]\ntopology = mesh\nbandwith = 1 MB/s\n")
        self.refused(r"^m.machine:3:1: error: .*did you mean \"bandwidth\"\?\n.*bandwith = 1 MB/s\n.*\^", "run", "--machine",
                     "m.machine", "hello.c")
        self.make("m.machine", "[network]\ntopology = mesh\ndims = 4x4\npacket-bytes = 1 B\nswitching = wormhole\n"
                  "virtual-channels = 0\n")
        self.refused(r"^m.machine:6:20: error: ", "run", "--machine", "m.machine", "hello.c")
        self.make("m.machine", "[network]\ntopology = hypercube\nnodes = 6\n")
        self.refused(r"^m.machine:3:1: error: nodes", "run", "--machine", "m.machine", "hello.c")


if __name__ == "__main__":
    main()
