#!/usr/bin/env python3
"""`orrery lsp`, as an editor speaks to it. See command.py."""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time
import unittest

from command import ORRERY, Command, main

RING = """#include <mpi.h>
#include <stdio.h>
#define LIMIT 10
struct point { double x, y; int tag; };
typedef struct point Point;
enum colour { RED, GREEN = 5 };
static int total;
int sum(int a, int b);
int sum(int a, int b) { return a + b; }
int main(int argc, char **argv)
{
    int rank, size;
    Point here = {.x = 1.0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    total = sum(rank, LIMIT);
    here.y = total;
    printf("%d %g %d\\n", size, here.y, GREEN);
    MPI_Finalize();
    return 0;
}
"""


class Client:
    """A client of the protocol: requests by name, notifications that have come, in order."""

    def __init__(self, process=None, stream=None):
        self.process, self.number, self.told = process, 0, []
        self.out = stream or process.stdin
        self.into = stream or process.stdout

    def send_bytes(self, data):
        self.out.write(data)
        self.out.flush()

    def send(self, **message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self):
        size = None
        while True:
            line = self.into.readline()
            if not line:
                raise EOFError
            if line == b"\r\n":
                return json.loads(self.into.read(size))
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])

    def ask(self, method, **params):
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        return self.answer(self.number)

    def answer(self, number):
        while True:
            message = self.receive()
            if "id" in message and message["id"] == number and "method" not in message:
                return message
            self.told.append(message)

    def tell(self, method, **params):
        self.send(method=method, params=params)

    def wait_for(self, method, uri=None):
        while True:
            for i, message in enumerate(self.told):
                if message.get("method") == method and (not uri or message["params"]["uri"] == uri):
                    return self.told.pop(i)["params"]
            self.told.append(self.receive())


class Lsp(Command):
    def start(self, encodings=("utf-16",), **options):
        process = subprocess.Popen([ORRERY, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.folder.name)
        self.addCleanup(lambda: (process.stdin.close(), process.stdout.close(), process.kill(), process.wait()))
        client = Client(process)
        self.capabilities = client.ask("initialize", processId=None, rootUri=self.uri(""), initializationOptions=options,
                                       capabilities={"general": {"positionEncodings": list(encodings)},
                                                     "textDocument": {"completion": {"completionItem":
                                                                                     {"snippetSupport": True}}}})["result"]
        client.tell("initialized")
        return client

    def uri(self, name):
        return pathlib.Path(self.folder.name, name).as_uri()

    def open(self, client, name, text):
        client.tell("textDocument/didOpen", textDocument={"uri": self.uri(name), "languageId": "c", "version": 1,
                                                          "text": text})

    def diagnostics(self, client, name="a.c"):
        return client.wait_for("textDocument/publishDiagnostics", self.uri(name))["diagnostics"]

    def at(self, text, pattern, name="a.c"):
        """Where the pattern begins; a | in it is the place instead."""
        offset = text.index(pattern.replace("|", "")) + max(pattern.find("|"), 0)
        line = text.count("\n", 0, offset)
        return {"textDocument": {"uri": self.uri(name)},
                "position": {"line": line, "character": offset - (text.rfind("\n", 0, offset) + 1)}}

    def ask(self, client, what, text, pattern, **more):
        return client.ask("textDocument/" + what, **self.at(text, pattern), **more).get("result")

    def ring(self):
        client = self.start()
        self.open(client, "a.c", RING)
        return client

    # -- life ----------------------------------------------------------------------------------------------------------

    def test_lives_and_ends(self):
        client = self.start()
        self.assertEqual(self.capabilities["capabilities"]["positionEncoding"], "utf-16")
        self.assertEqual(client.ask("no/such")["error"]["code"], -32601)
        self.assertIsNone(client.ask("shutdown")["result"])
        self.assertEqual(client.ask("textDocument/hover")["error"]["code"], -32600)
        client.tell("exit")
        self.assertEqual(client.process.wait(30), 0)

    def test_an_exit_without_shutdown(self):
        client = self.start()
        client.tell("exit")
        self.assertEqual(client.process.wait(30), 1)

    def test_first_comes_initialize(self):
        process = subprocess.Popen([ORRERY, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        client = Client(process)
        self.assertEqual(client.ask("textDocument/hover")["error"]["code"], -32002)
        process.stdin.close()
        self.assertEqual(process.wait(30), 1)
        process.stdout.close()

    def test_rubbish(self):
        client = self.start()
        for data in (b"hello\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"Content-Length: 99999999999999999999999\r\n\r\n",
                     b"Content-Length: 3\r\n\r\n{{{", b"Content-Length: 2\r\n\r\n[]", b"Content-Length: 4\r\n\r\nnull",
                     b"Content-Length: 0\r\n\r\n", b"\0\xff\xfe\n", b"x" * 20000 + b"\n",
                     b"Content-Length: 17\r\n\r\n" + b'{"method":["a"]}x'):
            client.send_bytes(data)
        deep = b"[" * 100000
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
        for params in (None, 5, [], {}, {"textDocument": 3}, {"textDocument": {"uri": 7}, "position": "x"},
                       {"textDocument": {"uri": "file:///no"}, "position": {"line": -1, "character": 1 << 40}}):
            for method in ("hover", "definition", "references", "completion", "rename", "codeAction", "documentSymbol",
                           "semanticTokens/full", "semanticTokens/range", "foldingRange", "signatureHelp",
                           "prepareRename", "documentHighlight", "typeDefinition"):
                client.number += 1
                client.send(id=client.number, method="textDocument/" + method, params=params)
                client.answer(client.number)
            for method in ("didOpen", "didChange", "didClose", "didSave"):
                client.send(method="textDocument/" + method, params=params)
        self.open(client, "a.c", RING)
        self.assertIn("rank", self.ask(client, "hover", RING, "rank, LIMIT")["contents"]["value"])

    def test_a_client_that_is_gone(self):
        client = self.ring()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(30), 1)

    def test_tcp(self):
        process = subprocess.Popen([ORRERY, "lsp", "--port", "0"], stderr=subprocess.PIPE, text=True)
        port = int(re.search(r"port (\d+)", process.stderr.readline()).group(1))
        with socket.create_connection(("127.0.0.1", port)) as connection:
            with connection.makefile("rwb") as stream:
                client = Client(stream=stream)
                self.assertEqual(client.ask("initialize", capabilities={})["result"]["serverInfo"]["name"], "orrery")
                client.ask("shutdown")
                client.tell("exit")
        self.assertEqual(process.wait(30), 0)
        process.stderr.close()

    def test_wrong_usage(self):
        self.refused("--port", "lsp", "--port", "99999")
        self.refused("unexpected argument", "lsp", "a.c")
        self.refused("exclude each other", "lsp", "--stdio", "--port", "0")

    def test_cancelled(self):
        client = self.ring()
        client.tell("textDocument/didChange", textDocument={"uri": self.uri("a.c"), "version": 2},
                    contentChanges=[{"text": RING * 1}])
        body = b""
        for message in ({"id": 900, "method": "workspace/symbol", "params": {"query": ""}},
                        {"id": 901, "method": "textDocument/hover", "params": self.at(RING, "rank, L")},
                        {"method": "$/cancelRequest", "params": {"id": 901}}):
            text = json.dumps(dict(message, jsonrpc="2.0")).encode()
            body += b"Content-Length: %d\r\n\r\n" % len(text) + text
        client.send_bytes(body)
        answer = client.answer(901)
        self.assertTrue("result" in answer or answer["error"]["code"] == -32800)

    # -- diagnostics ---------------------------------------------------------------------------------------------------

    def test_diagnostics(self):
        client = self.start()
        text = ("#include <mpi.h>\nint main(int argc, char **argv)\n{\n    int x = 1, y;\n    double d;\n"
                "    MPI_Init(&argc, &argv);\n    MPI_Send(&d, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n    MPI_Finalize();\n"
                "    return x;\n}\n")
        self.open(client, "a.c", text)
        found = self.diagnostics(client)
        by_line = {one["range"]["start"]["line"]: one for one in found}
        self.assertEqual(by_line[6]["code"][:6], "-Wmpi-"[:6])
        self.assertEqual(by_line[6]["severity"], 2)
        self.assertIn("MPI_DOUBLE", by_line[6]["message"])
        self.assertEqual(by_line[3]["code"], "-Wunused-variable")
        self.assertEqual(by_line[3]["tags"], [1])
        client.tell("textDocument/didChange", textDocument={"uri": self.uri("a.c"), "version": 2}, contentChanges=[
            {"range": {"start": {"line": 8, "character": 11}, "end": {"line": 8, "character": 12}}, "text": "zz"}])
        found = self.diagnostics(client)
        self.assertEqual([one["severity"] for one in found if one["range"]["start"]["line"] == 8], [1])
        client.tell("textDocument/didClose", textDocument={"uri": self.uri("a.c")})
        self.assertEqual(self.diagnostics(client), [])

    def test_related_information(self):
        client = self.start()
        self.open(client, "a.c", "int f(int);\nint f(double);\n")
        one = self.diagnostics(client)[0]
        self.assertEqual(one["relatedInformation"][0]["location"]["range"]["start"]["line"], 0)

    def test_code_actions(self):
        client = self.start()
        text = "#include <mpi.h>\nint main(void)\n{\n    int value = 3\n    retrun valu;\n    printf(\"x\");\n}\n"
        for wrong, right in ((text, "    int value = 3;\n"), ("int main(void)\n{\n    int value = 3;\n    return valu;\n}\n",
                                                               "    return value;\n"),
                             ("int main(void)\n{\n    printf(\"x\");\n}\n", "#include <stdio.h>\n")):
            self.open(client, "a.c", wrong)
            end = {"line": wrong.count("\n"), "character": 0}
            actions = client.ask("textDocument/codeAction", textDocument={"uri": self.uri("a.c")}, context={"diagnostics": []},
                                 range={"start": {"line": 0, "character": 0}, "end": end})["result"]
            lines = wrong.splitlines(keepends=True)
            edit = actions[0]["edit"]["changes"][self.uri("a.c")][0]
            start, stop = edit["range"]["start"], edit["range"]["end"]
            self.assertEqual(start["line"], stop["line"])
            line = lines[start["line"]]
            lines[start["line"]] = line[:start["character"]] + edit["newText"] + line[stop["character"]:]
            self.assertIn(right, "".join(lines))

    def test_flags(self):
        self.make("compile_flags.txt", "-DN=7\n-Iinclude\n-Wno-unused-variable\n")
        os.mkdir(os.path.join(self.folder.name, "include"))
        self.make("include/own.h", "int own(void);\n")
        client = self.start()
        self.open(client, "a.c", "#include \"own.h\"\nint main(void) { int unused; return own() + N; }\n")
        self.assertEqual(self.diagnostics(client), [])
        self.make("compile_commands.json", json.dumps([{"directory": self.folder.name, "file": "b.c",
                                                        "command": "cc -DM='3 + 4' -c b.c"}]))
        self.open(client, "b.c", "int m(void) { return M; }\n")
        self.assertEqual(self.diagnostics(client, "b.c"), [])
        client = self.start(flags=["-DOTHER=1"])
        self.open(client, "c.c", "int m(void) { return OTHER; }\n")
        self.assertEqual(self.diagnostics(client, "c.c"), [])

    def test_headers_that_are_not_saved(self):
        client = self.start()
        self.open(client, "own.h", "int own(int);\n")
        self.open(client, "a.c", "#include \"own.h\"\nint main(void) { return own(1); }\n")
        self.assertEqual(self.diagnostics(client), [])
        client.tell("textDocument/didChange", textDocument={"uri": self.uri("own.h"), "version": 2},
                    contentChanges=[{"text": "int own(int, int);\n"}])
        self.assertEqual(self.diagnostics(client)[0]["severity"], 1)

    # -- questions -----------------------------------------------------------------------------------------------------

    def test_hover(self):
        client = self.ring()
        def value(pattern):
            return self.ask(client, "hover", RING, pattern)["contents"]["value"]
        self.assertIn("int rank", value("rank, size"))
        self.assertIn("int sum(int a, int b)", value("sum(rank"))
        self.assertIn("double y", value("here.|y = total"))
        self.assertIn("struct point {", value("point { double"))
        self.assertIn("#define LIMIT 10", value("LIMIT)"))
        self.assertIn("GREEN = 5", value("GREEN);"))
        comm = value("MPI_Comm_rank(")
        self.assertIn("int MPI_Comm_rank(MPI_Comm comm, int *rank)", comm)
        self.assertIn("`comm`: communicator", comm)
        self.assertIsNone(self.ask(client, "hover", RING, "{ return a"))

    def test_definition(self):
        client = self.ring()
        def line(what, pattern):
            place = self.ask(client, what, RING, pattern)
            place = place[0] if isinstance(place, list) else place
            return place["range"]["start"]["line"]
        self.assertEqual(line("definition", "sum(rank"), 8)
        self.assertEqual(line("declaration", "sum(rank"), 7)
        self.assertEqual(line("definition", "rank, LIMIT"), 11)
        self.assertEqual(line("definition", "here.|y = total"), 3)
        self.assertEqual(line("definition", "LIMIT)"), 2)
        self.assertEqual(line("typeDefinition", "here.y = total"), 4)
        mpi = self.ask(client, "definition", RING, "MPI_Init(")[0]
        self.assertTrue(mpi["uri"].endswith("/mpi.h"), mpi)

    def test_references(self):
        client = self.ring()
        found = self.ask(client, "references", RING, "rank, size", context={"includeDeclaration": True})
        self.assertEqual([one["range"]["start"]["line"] for one in found], [11, 14, 16])
        found = self.ask(client, "references", RING, "y; int", context={"includeDeclaration": False})
        self.assertEqual([one["range"]["start"]["line"] for one in found], [17, 18])
        kinds = [one["kind"] for one in self.ask(client, "documentHighlight", RING, "total = sum")]
        self.assertEqual(kinds, [3, 3, 2])

    def test_references_in_other_files(self):
        client = self.start()
        self.open(client, "a.c", "int shared(void) { return 1; }\nstatic int own;\nint *p = &own;\n")
        self.open(client, "b.c", "int shared(void);\nstatic int own;\nint f(void) { return shared() + own; }\n")
        found = client.ask("textDocument/references", textDocument={"uri": self.uri("b.c")}, context={},
                           position={"line": 2, "character": 22})["result"]
        self.assertEqual([(one["uri"][-3:], one["range"]["start"]["line"]) for one in found],
                         [("a.c", 0), ("b.c", 0), ("b.c", 2)])
        found = client.ask("textDocument/references", textDocument={"uri": self.uri("b.c")}, context={},
                           position={"line": 1, "character": 12})["result"]
        self.assertEqual({one["uri"][-3:] for one in found}, {"b.c"})

    def labels(self, client, text, pattern):
        self.open(client, "a.c", text)
        return {item["label"]: item for item in self.ask(client, "completion", text, pattern)["items"]}

    def test_completion(self):
        client = self.start()
        body = "\nint main(void)\n{\n    int local_one = 1;\n    %s\n    return 0;\n}\n"
        head = RING[:RING.index("int main")]
        text = head + body % "lo"
        names = self.labels(client, text, "lo|\n    return")
        for name in ("local_one", "total", "sum", "MPI_Send", "printf", "LIMIT", "MPI_COMM_WORLD", "return", "Point"):
            self.assertIn(name, names)
        self.assertEqual(names["MPI_Send"]["insertText"],
                         "MPI_Send(${1:buf}, ${2:count}, ${3:datatype}, ${4:dest}, ${5:tag}, ${6:comm})")
        self.assertIn("Sends", names["MPI_Send"]["documentation"])
        for code in ("Point p; p.", "Point *p; p->", "Point p[3]; p[1].x = p[0].", "((Point *)0)->", "Point p = {.| = 1};"):
            text = head + body % code.replace("|", "")
            place = code if "|" in code else code + "|"
            self.assertEqual(sorted(self.labels(client, text, place)), ["tag", "x", "y"], code)
        text = head + body % "struct po"
        self.assertIn("point", self.labels(client, text, "struct po|\n"))
        self.assertIn("include", self.labels(client, "#inc\n", "#inc|"))
        self.assertIn("mpi.h", self.labels(client, "#include <mp\n", "<mp|"))
        self.assertEqual(self.labels(client, "// lo\n", "lo|"), {})

    def test_signature(self):
        client = self.start()
        text = RING.replace("    total =", "    MPI_Send(&rank, 1, \n    total =")
        self.open(client, "a.c", text)
        help = self.ask(client, "signatureHelp", text, "1, |\n")
        self.assertEqual(help["activeParameter"], 2)
        parameter = help["signatures"][0]["parameters"][2]
        self.assertEqual(parameter["label"], "MPI_Datatype datatype")
        self.assertIn("MPI_DOUBLE", parameter["documentation"])

    def test_symbols(self):
        client = self.ring()
        symbols = client.ask("textDocument/documentSymbol", textDocument={"uri": self.uri("a.c")})["result"]
        names = {one["name"]: one for one in symbols}
        self.assertEqual([one["name"] for one in names["point"]["children"]], ["x", "y", "tag"])
        self.assertEqual([one["name"] for one in names["colour"]["children"]], ["RED", "GREEN"])
        self.assertEqual(names["main"]["range"]["end"]["line"], 21)
        found = client.ask("workspace/symbol", query="TOT")["result"]
        self.assertEqual([one["name"] for one in found], ["total"])
        folds = client.ask("textDocument/foldingRange", textDocument={"uri": self.uri("a.c")})["result"]
        self.assertIn({"startLine": 10, "endLine": 21}, folds)

    def test_symbols_while_typing(self):
        client = self.start()
        text = "int before(void) { return 1; }\nint broken(int a) { if (a + \n}\nint after(void) { retur; x y z( }\nint last;\n"
        self.open(client, "a.c", text)
        symbols = client.ask("textDocument/documentSymbol", textDocument={"uri": self.uri("a.c")})["result"]
        names = [one["name"] for one in symbols]
        for name in ("before", "broken", "after", "last"):
            self.assertIn(name, names)

    def test_rename(self):
        client = self.ring()
        edits = self.ask(client, "rename", RING, "total = sum", newName="whole")["changes"][self.uri("a.c")]
        self.assertEqual([one["range"]["start"]["line"] for one in edits], [6, 16, 17])
        self.assertEqual(self.ask(client, "prepareRename", RING, "total = sum")["placeholder"], "total")
        self.assertIsNone(self.ask(client, "prepareRename", RING, "MPI_Init("))
        for pattern, name in (("total = sum", "9x"), ("total = sum", "while"), ("total = sum", "sum"),
                              ("total = sum", "rank"), ("rank, size", "size"), ("MPI_Init(", "f"), ("rank, size", "total")):
            answer = client.ask("textDocument/rename", **self.at(RING, pattern), newName=name)
            self.assertEqual(answer["error"]["code"], -32803, (pattern, name))

    def test_tokens(self):
        client = self.ring()
        data = client.ask("textDocument/semanticTokens/full", textDocument={"uri": self.uri("a.c")})["result"]["data"]
        legend = self.capabilities["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        lines, line, at, seen = RING.splitlines(), 0, 0, {}
        for i in range(0, len(data), 5):
            at = data[i + 1] + (at if data[i] == 0 else 0)
            line += data[i]
            seen[lines[line][at:at + data[i + 2]]] = legend[data[i + 3]]
        self.assertEqual((seen["total"], seen["MPI_Init"], seen["Point"], seen["a"], seen["LIMIT"], seen["GREEN"]),
                         ("variable", "function", "type", "parameter", "macro", "enumMember"))
        part = client.ask("textDocument/semanticTokens/range", textDocument={"uri": self.uri("a.c")},
                          range={"start": {"line": 6, "character": 0}, "end": {"line": 7, "character": 0}})["result"]["data"]
        self.assertEqual(part[0], 6)
        self.assertLess(len(part), len(data))

    # -- positions -----------------------------------------------------------------------------------------------------

    def test_positions(self):
        text = "char *s = \"\U0001F600\u00e9\"; int here; int *p = &here;\n"
        place = text.index("&here") + 1
        for encodings, character in ((["utf-16"], len(text[:place].encode("utf-16-le")) // 2),
                                     (["utf-8", "utf-16"], len(text[:place].encode()))):
            client = self.start(encodings)
            self.open(client, "a.c", text)
            found = client.ask("textDocument/references", textDocument={"uri": self.uri("a.c")}, context={},
                               position={"line": 0, "character": character})["result"]
            self.assertEqual(found[1]["range"], {"start": {"line": 0, "character": character},
                                                 "end": {"line": 0, "character": character + 4}})

    def test_changes_one_by_one(self):
        """A text typed letter by letter is the text."""
        client = self.start()
        self.open(client, "a.c", "")
        for i, letter in enumerate(RING):
            before = RING[:i]
            place = {"line": before.count("\n"), "character": i - (before.rfind("\n") + 1)}
            client.tell("textDocument/didChange", textDocument={"uri": self.uri("a.c"), "version": i + 2},
                        contentChanges=[{"range": {"start": place, "end": place}, "text": letter}])
        while True:
            told = client.wait_for("textDocument/publishDiagnostics", self.uri("a.c"))
            if told["version"] == len(RING) + 1:
                break
        self.assertEqual(told["diagnostics"], [])

    def test_a_long_source(self):
        client = self.start()
        text = "#include <mpi.h>\n" + "".join("int f%d(int a)\n{\n    int b = a * %d;\n    return b;\n}\n" % (i, i)
                                              for i in range(2000))
        self.open(client, "a.c", text)
        self.assertEqual(self.ask(client, "definition", text, "b;\n}\nint f1999")[0]["range"]["start"]["line"], 1998 * 5 + 3)
        self.assertEqual(self.diagnostics(client), [])

    @unittest.skipUnless(shutil.which("nvim"), "Neovim is not installed")
    def test_neovim(self):
        """A real editor: attach, diagnostics, definition."""
        path = self.make("a.c", RING.replace("return 0", "return zero"))
        script = self.make("t.lua", """
local client = vim.lsp.start_client({cmd = {'%s', 'lsp'}, root_dir = '%s'})
vim.cmd('edit %s')
vim.lsp.buf_attach_client(0, client)
local function report()
  local found = vim.diagnostic.get(0)
  local answer = vim.lsp.buf_request_sync(0, 'textDocument/definition', {textDocument = {uri = vim.uri_from_bufnr(0)},
    position = {line = 16, character = 13}}, 20000)
  local line = -1
  for _, one in pairs(answer) do line = one.result[1].range.start.line end
  print(#found, found[1].lnum, line)
end
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
report()
vim.cmd('qall!')
""" % (ORRERY, self.folder.name, path))
        done = subprocess.run(["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-S", script], capture_output=True,
                              timeout=60, check=False, env=dict(os.environ, HOME=self.folder.name))
        self.assertEqual((done.stdout + done.stderr).decode().split()[-3:], ["1", "20", "8"])


if __name__ == "__main__":
    main()
