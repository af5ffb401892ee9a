#!/usr/bin/env python3
"""`orrery debug --dap` as editors use it: a session from initialize to disconnect, back in time, and clients that send
rubbish. See command.py."""
import base64
import json
import os
import shutil
import socket
import subprocess
import time

from command import ORRERY, ROOT, Command, main
from dap_client import Client

PROGRAM = """#include <mpi.h>
#include <stdio.h>
struct point { int x; double y[3]; };
static int total;
static int twice(int n)
{
    int result = 2 * n;
    return result;
}
int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    struct point p = {1, {0.5, 1.5, 2.5}};
    struct point *q = &p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 4; i++) {
        sum += twice(i + rank);
        total = sum;
    }
    printf("rank %d: %d\\n", rank, sum + q->x);
    MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("total %d\\n", total);
    MPI_Finalize();
    return rank;
}
"""

FAULT = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, *p = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        *p = 3;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""

DEADLOCK = FAULT.replace("*p = 3;", "MPI_Recv(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")

SPIN = """int main(void)
{
    volatile long n = 0;
    for (;;)
        n++;
}
"""


class Dap(Command):
    def setUp(self):
        super().setUp()
        self.clients = []
        self.program = self.make("a.c", PROGRAM)

    def tearDown(self):
        for client in self.clients:
            client.close()
        super().tearDown()

    def client(self, *options):
        self.clients.append(Client(ORRERY, self.folder.name, *options))
        return self.clients[-1]

    def test_a_session(self):
        c = self.client()
        points = c.begin(self.program, [19], ranks=4)
        self.assertEqual([(p["verified"], p["line"]) for p in points], [(True, 19)])
        stop = c.stopped()
        self.assertEqual((stop["reason"], stop["threadId"], stop["allThreadsStopped"], stop["hitBreakpointIds"]),
                         ("breakpoint", 1, True, [points[0]["id"]]))
        self.assertEqual([one["name"] for one in c.request("threads")["threads"]], ["rank %d" % i for i in range(4)])
        frame = c.frame()
        self.assertEqual((frame["name"], frame["line"], frame["source"]["path"]), ("main", 19, self.program))
        self.assertEqual([c.line(rank) for rank in range(4)], [19] * 4)
        local = c.variables("Locals")
        self.assertEqual(sorted(local), ["i", "p", "q", "rank", "size", "sum"])
        self.assertEqual((local["i"]["value"], local["i"]["type"]), ("0", "int"))
        inside = {v["name"]: v for v in c.request("variables", variablesReference=local["p"]["variablesReference"])["variables"]}
        self.assertEqual(inside["x"]["value"], "1")
        self.assertEqual(inside["y"]["indexedVariables"], 3)
        items = c.request("variables", variablesReference=inside["y"]["variablesReference"], filter="indexed", start=1, count=2)["variables"]
        self.assertEqual([(v["name"], v["value"], v["evaluateName"]) for v in items], [("[1]", "1.5", "((p).y)[1]"), ("[2]", "2.5", "((p).y)[2]")])
        behind = c.request("variables", variablesReference=local["q"]["variablesReference"])["variables"]
        self.assertEqual([v["evaluateName"] for v in behind], ["(q)->x", "(q)->y"])
        self.assertIn("total", c.variables("Globals"))
        self.assertEqual(sorted(c.variables("Arguments")), ["argc", "argv"])
        self.assertIn("queues", c.variables("MPI"))
        self.assertEqual(c.value("p.y[1] * 2"), "3")
        self.assertEqual(c.value("rank", rank=3), "3")
        self.assertEqual(c.step("stepIn")["reason"], "step")
        self.assertEqual(c.frame()["name"], "twice")
        self.assertEqual([one["name"] for one in c.request("stackTrace", threadId=1)["stackFrames"][:2]], ["twice", "main"])
        c.step("next"), c.step("stepOut")
        self.assertEqual(c.frame()["name"], "main")
        self.assertEqual(c.line(2), 19, "another rank has moved out of its loop")
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        self.assertTrue(c.request("continue", threadId=1)["allThreadsContinued"])
        self.assertEqual(c.event("exited")["exitCode"], 3)
        c.event("terminated")
        self.assertEqual(sorted(c.output().splitlines()), ["[0] rank 0: 13", "[0] total 96", "[1] rank 1: 21", "[2] rank 2: 29", "[3] rank 3: 37"])

    def test_back_in_time(self):
        c = self.client()
        c.begin(self.program, [22], ranks=2)
        c.stopped()
        self.assertEqual(c.value("sum"), "12")
        seen = []
        for _ in range(6):
            c.step("stepBack")
            seen.append((c.line(), c.value("sum")))
        self.assertEqual(len(set(seen)), 6, "a step back does not move: %r" % seen)
        self.assertIn(("6"), [value for _, value in seen])
        c.step("next")
        self.assertEqual((c.line(), c.value("sum")), seen[-2])
        self.assertEqual(c.step("reverseContinue")["reason"], "entry")
        self.assertEqual(c.step("continue")["reason"], "breakpoint")
        self.assertEqual(c.value("sum"), "12")

    def test_the_times_are_those_of_a_run(self):
        self.orrery("run", "-n", "4", "-O0", "--json", "run.json", self.program)
        wanted = [one["finish_ps"] for one in json.loads(self.read("run.json"))["ranks"]]
        c = self.client()
        c.begin(self.program, [7, 20], ranks=4, stopAtEnd=True)
        for i in range(6):
            c.stopped()
            c.variables("Locals"), c.value("twice(3)")
            c.request(("stepBack", "next", "continue")[i % 3], threadId=1 + i % 2)
        c.stopped()
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        self.assertEqual(c.step("continue")["reason"], "end of the program")
        self.assertEqual([one["time_ps"] for one in c.request("orrery/ranks")["ranks"]], wanted)
        self.assertTrue(all(one["ended"] for one in c.request("orrery/ranks")["ranks"]))
        c.step("stepBack")
        self.assertFalse(all(one["ended"] for one in c.request("orrery/ranks")["ranks"]))

    def test_kinds_of_breakpoints(self):
        c = self.client()
        points = c.begin(self.program, [{"line": 19, "condition": "i == 2 && rank == 1"}, {"line": 20, "hitCondition": ">= 1000"},
                                        {"line": 22, "logMessage": "sum is {sum}"}, {"line": 400}, {"line": 19, "condition": "i =="},
                                        {"line": 20, "hitCondition": "often"}], ranks=2)
        self.assertEqual([p["verified"] for p in points], [True, True, True, False, False, False])
        self.assertIn("hit count", points[5]["message"])
        self.assertEqual(c.stopped()["threadId"], 2)
        self.assertEqual((c.value("i", 1), c.value("rank", 1)), ("2", "1"))
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[{"line": 22, "logMessage": "sum is {sum}"}])
        result = c.request("setFunctionBreakpoints", breakpoints=[{"name": "MPI_Allreduce"}, {"name": "no_such_function"}])["breakpoints"]
        self.assertEqual([p["verified"] for p in result], [True, False])
        self.assertEqual(c.step("continue", 1)["reason"], "function breakpoint")
        self.assertIn("sum is 12", c.output("console"))
        c.request("setFunctionBreakpoints", breakpoints=[])
        c.request("restart")
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        c.event("terminated")

    def test_data_breakpoints(self):
        c = self.client()
        c.begin(self.program, [18], ranks=1)
        c.stopped()
        c.variables("Globals")
        info = c.request("dataBreakpointInfo", variablesReference=c.reference, name="total")
        self.assertEqual(info["dataId"], "0 0 total")
        self.assertTrue(c.request("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}, {"dataId": "x"}])
                        ["breakpoints"][0]["verified"])
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        self.assertEqual(c.step("continue")["reason"], "data breakpoint")
        self.assertEqual(c.value("i"), "1", "total becomes 2 then")
        self.assertIsNone(c.request("dataBreakpointInfo", name="sum + 1", frameId=c.frame()["id"])["dataId"])

    def test_exceptions(self):
        c = self.client()
        c.begin(self.make("f.c", FAULT), ranks=2)
        stop = c.stopped()
        self.assertEqual((stop["reason"], stop["threadId"]), ("exception", 2))
        self.assertEqual(c.line(1), 8)
        info = c.request("exceptionInfo", threadId=2)
        self.assertRegex(info["description"], "null pointer|SIGSEGV|fault")
        c.step("stepBack", 1)
        self.assertEqual(c.line(1), 7)
        c = self.client()
        c.begin(self.make("d.c", DEADLOCK), ranks=2)
        stop = c.stopped()
        self.assertEqual(stop["reason"], "exception")
        self.assertRegex(c.request("evaluate", expression="why", context="repl")["result"], "rank [01]")
        filters = [one["filter"] for one in self.client().request("initialize", adapterID="x")["exceptionBreakpointFilters"]]
        self.assertIn("finding:leaks", filters)
        self.assertIn("mpi-error", filters)

    def test_findings(self):
        text = PROGRAM.replace("    MPI_Finalize();", "    MPI_Comm copy; MPI_Comm_dup(MPI_COMM_WORLD, &copy);\n    MPI_Finalize();")
        c = self.client()
        c.request("initialize", adapterID="x")
        c.request("launch", program=self.make("l.c", text), ranks=2, check="leaks", stopOnEntry=True)
        c.request("setExceptionBreakpoints", filters=["finding:leaks", "no such"])
        c.request("configurationDone")
        c.stopped()
        stop = c.step("continue")
        self.assertEqual(stop["reason"], "exception")
        self.assertRegex(stop["text"], "leak|freed")

    def test_changing(self):
        c = self.client()
        c.begin(self.program, [22], ranks=1)
        c.stopped()
        c.variables("Locals")
        self.assertEqual(c.request("setVariable", variablesReference=c.reference, name="sum", value="100")["value"], "100")
        self.assertEqual(c.request("setExpression", expression="p.y[0]", value="9.5", frameId=c.frame()["id"])["value"], "9.5")
        self.assertEqual(c.value("p.x = 7", context="repl"), "7")
        with self.assertRaisesRegex(RuntimeError, "."):
            c.value("nothing = 7", context="repl")
        with self.assertRaises(RuntimeError):
            c.request("setVariable", variablesReference=c.reference, name="no such", value="1")
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        c.request("continue", threadId=1)
        c.event("terminated")
        self.assertIn("rank 0: 107", c.output())

    def test_memory_and_code(self):
        c = self.client()
        c.begin(self.program, [22], ranks=1)
        c.stopped()
        place = c.variables("Locals")["sum"]["memoryReference"]
        got = c.request("readMemory", memoryReference=place, count=4)
        self.assertEqual(int.from_bytes(base64.b64decode(got["data"]), "little"), 12)
        c.request("writeMemory", memoryReference=place, data=base64.b64encode(bytes([5, 1])).decode())
        self.assertEqual(c.value("sum"), str(0x105))
        got = c.request("readMemory", memoryReference="0x0", count=16)
        self.assertEqual((got["data"], got["unreadableBytes"]), ("", 16))
        pc = c.frame()["instructionPointerReference"]
        code = c.request("disassemble", memoryReference=pc, instructionOffset=-2, instructionCount=10)["instructions"]
        self.assertEqual((len(code), code[2]["address"], code[2]["symbol"], code[2]["line"]), (10, pc, "main", 22))
        far = c.request("disassemble", memoryReference="0x7ffffff", instructionCount=3)["instructions"]
        self.assertEqual([one["instruction"] for one in far], ["(none)"] * 3)
        before = pc
        c.step("next", granularity="instruction")
        self.assertNotEqual(c.frame()["instructionPointerReference"], before)
        result = c.request("setInstructionBreakpoints", breakpoints=[{"instructionReference": code[5]["address"]}, {"instructionReference": "x"}])
        self.assertEqual([p["verified"] for p in result["breakpoints"]], [True, False])

    def test_looking(self):
        c = self.client()
        c.begin(self.program, [19], ranks=3)
        c.stopped()
        self.assertEqual(c.request("evaluate", expression="@all rank", context="repl")["result"].splitlines()[0], "rank = 0: 0, 1: 1, 2: 2")
        self.assertIn("main", c.request("evaluate", expression="stacks", context="repl")["result"])
        self.assertIn("0-2: main at", c.request("orrery/look", what="where")["text"])
        with self.assertRaisesRegex(RuntimeError, "there is no 'nonsense'"):
            c.request("orrery/look", what="nonsense")
        labels = [one["label"] for one in c.request("completions", text="1 + su", column=7, frameId=c.frame()["id"])["targets"]]
        self.assertEqual(labels, ["sum"])
        self.assertEqual([one["path"] for one in c.request("loadedSources")["sources"]], [self.program])
        self.assertEqual(c.request("source", source={"path": self.program})["content"], PROGRAM)
        with self.assertRaises(RuntimeError):
            c.request("source", source={"path": "/etc/passwd"})
        self.assertEqual(c.request("modules")["totalModules"], 1)
        lines = [one["line"] for one in c.request("breakpointLocations", source={"path": self.program}, line=17, endLine=21)["breakpoints"]]
        self.assertEqual(lines, [17, 18, 19, 20])
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        targets = c.request("gotoTargets", source={"path": self.program}, line=22)["targets"]
        c.request("goto", threadId=1, targetId=targets[0]["id"])
        c.stopped()
        self.assertEqual(c.line(), 22)

    def test_one_rank_alone(self):
        c = self.client()
        c.begin(self.program, [18], ranks=2)
        c.stopped()
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        place = c.frame(1)["line"], c.value("sum", 1)
        for _ in range(5):
            c.step("next", 0, singleThread=True)
        self.assertEqual((c.frame(1)["line"], c.value("sum", 1)), place)

    def test_restart_frame(self):
        c = self.client()
        c.begin(self.program, [8], ranks=1)
        c.stopped()
        c.request("setBreakpoints", source={"path": self.program}, breakpoints=[])
        c.request("restartFrame", frameId=c.frame()["id"])
        c.stopped()
        self.assertEqual((c.frame()["name"], c.line()), ("twice", 7))

    def test_pause_while_it_runs(self):
        c = self.client()
        c.begin(self.make("s.c", SPIN), entry=True)
        c.stopped()
        c.request("continue", threadId=1)
        time.sleep(0.3)
        self.assertEqual(len(c.request("threads")["threads"]), 1, "it answers while it runs")
        self.assertEqual(c.step("pause")["reason"], "pause")
        self.assertIn(c.line(), (4, 5))
        c.request("continue", threadId=1)
        point = c.request("setBreakpoints", source={"path": os.path.join(self.folder.name, "s.c")}, breakpoints=[{"line": 5}])["breakpoints"]
        self.assertTrue(point[0]["verified"])
        self.assertEqual(c.stopped()["reason"], "breakpoint")
        c.request("setBreakpoints", source={"path": os.path.join(self.folder.name, "s.c")}, breakpoints=[])
        c.request("continue", threadId=1)
        start = c.event("progressStart")
        c.request("cancel", progressId=start["progressId"])
        self.assertEqual(c.stopped()["reason"], "pause")
        c.request("continue", threadId=1)
        time.sleep(0.2)
        self.assertEqual(c.close(), 0)
        self.assertTrue(c.is_gone())

    def test_many_ranks(self):
        c = self.client()
        c.begin(self.program, [19], ranks=1024)
        self.assertRegex(c.stopped()["description"], "1024 ranks together")
        self.assertEqual(len(c.request("threads")["threads"]), 1024)
        self.assertEqual(c.line(1023), 19)

    def test_arguments_of_launch(self):
        text = PROGRAM.replace('printf("rank %d: %d\\n", rank, sum + q->x);', 'char t[9]; printf("%s %s %d %s\\n", argv[1], fgets(t, 9, stdin) ? t : "-", N, getenv("WHO"));'
                               ).replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>")
        self.make("b.c", text), self.make("in.txt", "42")
        c = self.client()
        c.begin("b.c", cwd=self.folder.name, args=["one two", "-x"], define={"N": 7}, env={"WHO": "me"}, input="in.txt", ranks=1)
        c.event("terminated")
        self.assertIn("one two 42 7 me", c.output())
        c = self.client("-n", "2", "a.c")
        c.request("initialize", adapterID="x")
        c.request("launch")
        self.assertEqual(len(c.request("threads")["threads"]), 2)

    def test_wrong_launches(self):
        for more, words in (({}, "program is missing"), ({"program": "no.c"}, "no.c"), ({"program": 3}, "program is a path"), ({"program": "a.c", "ranks": "many"}, "many"),
                            ({"program": "a.c", "machine": "none"}, "none"), ({"program": "a.c", "set": [[1]]}, "set"), ({"program": "a.c", "input": "none"}, "none"),
                            ({"program": self.make("w.c", "int main(void) { return x; }")}, "compile")):
            c = self.client()
            c.request("initialize", adapterID="x")
            with self.assertRaisesRegex(RuntimeError, words):
                c.request("launch", **more)
            c.request("launch", program="a.c")  # and then a right one
            self.assertEqual(c.close(), 0)

    def test_clients_that_are_wrong(self):
        c = self.client()
        for command in ("continue", "threads", "evaluate", "stackTrace", "setBreakpoints", "no such"):
            with self.assertRaises(RuntimeError):
                c.request(command)
        c.begin(self.program, [19], ranks=2)
        c.stopped()
        rubbish = [{}, {"threadId": 99}, {"threadId": -1}, {"threadId": "x"}, {"frameId": 10 ** 18}, {"variablesReference": -5}, {"expression": 5},
                   {"expression": "1 +"}, {"source": 3}, {"breakpoints": {}}, {"breakpoints": [1, None, {}]}, {"memoryReference": "zz", "count": 10 ** 18},
                   {"name": "x" * 100000, "value": "\0"}, {"filters": [[]]}, {"text": "a", "column": -10 ** 18}, {"targetId": 10 ** 9}, {"lines": [None]}]
        with open(os.path.join(ROOT, "cli", "dap", "requests.def"), encoding="utf-8") as file:
            every = [line.split("(")[1].split(",")[0] for line in file if line.startswith("REQUEST(")]
        self.assertGreater(len(every), 35)
        running = ("initialize", "launch", "disconnect", "terminate", "continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "restart", "pause", "goto", "restartFrame")
        for command in every:
            if command not in running:
                for arguments in rubbish + [None, 3, [], "x"]:
                    self.assertIn("success", c.answer(c.send(command, arguments)))
        c.send_bytes(b"Content-Length: 5\r\n\r\n{\xff\xfe}]")
        c.send_bytes(b"Content-Length: 2\r\n\r\n[]Content-Length: 4\r\n\r\nnullContent-Length: 22\r\n\r\n{\"type\":3,\"command\":4}")
        c.send_bytes(b"Content-Length: 99999999999999999999\r\n\r\n" + b"x: y\r\n" * 10 + b"\r\n")
        c.close()
        self.assertTrue(c.is_gone())

    def test_clients_that_go(self):
        for where in range(4):
            c = self.client()
            if where:
                c.begin(self.make("s.c", SPIN) if where > 1 else self.program, [1] if where == 1 else [], entry=where == 3)
            if where == 3:
                c.stopped(), c.send("continue", {"threadId": 1})
            time.sleep(0.1 * where)
            c.process.stdin.close()
            self.assertEqual(c.process.wait(timeout=30), 0)
            left = subprocess.run(["pgrep", "-g", str(os.getpgid(0)), "-f", self.folder.name], capture_output=True, check=False).stdout.split()
            self.assertEqual([pid for pid in left if pid.decode() not in (str(os.getpid()),)], [], "engines are left behind")

    def test_a_client_of_others(self):
        """That of @vscode/debugadapter-testsupport, where npm has put it beside the extension (or NODE_PATH names it)."""
        if not shutil.which("node"):
            self.skipTest("node is not installed")
        script = os.path.join(ROOT, "editors", "vscode", "test", "session.js")
        status, out, err = self.run_it("node", script, environment={"ORRERY": ORRERY})
        if status == 77:
            self.skipTest(out.strip())
        self.assertEqual(status, 0, out + err)

    def test_over_tcp(self):
        server = subprocess.Popen([ORRERY, "debug", "--dap", "--port", "0"], cwd=self.folder.name, stderr=subprocess.PIPE)
        port = int(server.stderr.readline().split(b"port ")[1].split()[0])
        with socket.create_connection(("127.0.0.1", port)) as connection:
            body = json.dumps({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}).encode()
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.assertIn(b"Content-Length", connection.recv(100))
        self.assertEqual(server.wait(timeout=30), 0)
        server.stderr.close()
        self.refused("--port is for --dap", "debug", "--port", "3", "a.c")
        self.refused("--port", "debug", "--dap", "--port", "x")


main()
