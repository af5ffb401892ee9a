#!/usr/bin/env python3
"""What the compiler says, to the letter: each tests/diagnostics/NAME.c against NAME.err.

    run_diagnostics.py --orrery build/release/bin/orrery [--record]

The second line of a case has its options. The files hold bad code, which must be reported with text, place and caret, and good code
beside it, of which nothing may be said. Further tests hold every warning of the table to a case that shows it, the
manual to the table, and JSON and SARIF to their shapes. diagnostics/beginners.txt has small programs with one mistake each, of
which one thing is to be said. --record writes the goldens and the manual's list anew.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "diagnostics")
MANUAL = os.path.join(HERE, "..", "docs", "compiler.md")
ORRERY = "orrery"
BEGINNERS = os.path.join(CASES, "beginners.txt")
START, END = "<!-- printed by diagnostics: warnings -->\n", "<!-- end -->\n"


def compile_it(*options, folder=CASES, environment=None):
    command = [ORRERY, "cc", "-c", *options, "-o", os.devnull]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False,
                          env=dict(os.environ, **(environment or {})))
    text = done.stderr.decode("utf-8")
    return done.returncode, re.sub(r"/\S*/include/", "<include>/", text) if folder == CASES else text


def names():
    return sorted(os.path.basename(path)[:-2] for path in glob.glob(os.path.join(CASES, "*.c")))


def said(name):
    with open(os.path.join(CASES, name + ".c"), encoding="utf-8") as file:
        options = re.search(r"^/\* options: (.*)\*/$", file.read(), re.M).group(1).split()
    return compile_it(*options, name + ".c")


def golden(name):
    with open(os.path.join(CASES, name + ".err"), encoding="utf-8") as file:
        return file.read()


def table():
    out = subprocess.run([ORRERY, "cc", "--help=warnings"], capture_output=True, check=True).stdout.decode()
    rows, when = [], ""
    for line in out.splitlines():
        if line.endswith(":"):
            when = line[:-1]
        elif line.startswith("  -W"):
            option, text = line.split(None, 1)
            rows.append((option, when, text))
    return rows


def manual_list():
    lines, last = [], None
    for option, when, text in table():
        if when != last:
            lines += ["", f"**{when}**", "", "| warning | what it finds |", "|---|---|"]
            last = when
        text = text.replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| `{option}` | {text} |")
    return "\n".join(lines[1:]) + "\n"


class Goldens(unittest.TestCase):
    maxDiff = None

    def test_cases(self):
        for name in names():
            with self.subTest(name):
                self.assertEqual(said(name)[1], golden(name))

    def test_every_warning_has_a_case(self):
        shown = set(re.findall(r"\[(-W[^\]]*)\]", "".join(golden(name) for name in names())))
        shown |= {"-W" + option[8:] for option in shown if option.startswith("-Werror=")}
        missing = [row[0] for row in table() if row[0] not in shown and not row[0].startswith("-Wmpi")]
        self.assertEqual(missing, [])

    def test_manual_lists_the_table(self):
        with open(MANUAL, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.split(START)[1].split(END)[0], manual_list(), "run with --record")


def beginners():
    """The text before the first case, and (name, program, messages) of each."""
    with open(BEGINNERS, encoding="utf-8") as file:
        head, *parts = re.split(r"^=== (.*)\n", file.read(), flags=re.M)
    cases = []
    for name, text in zip(parts[::2], parts[1::2]):
        lines = text.splitlines()
        program = "".join(line + "\n" for line in lines if not line.startswith(">>>"))
        cases.append((name, program, [line[4:] for line in lines if line.startswith(">>> ")]))
    return head, cases


def beginners_said(cases):
    """What the compiler says of each, one process for all."""
    with tempfile.TemporaryDirectory(prefix="orrery-beginners-") as folder:
        for i, (_, program, _) in enumerate(cases):
            with open(os.path.join(folder, f"case{i}.c"), "w", encoding="utf-8") as file:
                file.write(program)
        done = subprocess.run([ORRERY, "cc", "-c", "-Wall"] + [f"case{i}.c" for i in range(len(cases))], cwd=folder,
                              capture_output=True, timeout=100, check=False)
    said_of = [[] for _ in cases]
    last = 0
    for line in re.sub(r"/\S*/include/", "<include>/", done.stderr.decode("utf-8")).splitlines():
        place = re.match(r"(?:case(\d+)\.c|<include>/\S+?):([\d:]*) ((?:fatal )?error|warning|note): (.*)", line)
        if place:
            last = int(place[1]) if place[1] else last
            said_of[last].append(f"{place[2] if place[1] else '<include>:'} {place[3]}: {place[4]}")
    return said_of


class Beginners(unittest.TestCase):
    maxDiff = None

    def test_messages(self):
        cases = beginners()[1]
        for (name, _, expected), got in zip(cases, beginners_said(cases)):
            with self.subTest(name):
                self.assertEqual(got, expected)

    def test_one_mistake_one_error(self):
        for name, _, expected in beginners()[1]:
            with self.subTest(name):
                first = [line for line in expected if " note: " not in line]
                errors = [line for line in expected if " error: " in line]
                self.assertTrue(first)
                self.assertLessEqual(len(errors), 2 if re.search(r"\btwo\b", name) else 1)
                if errors and len(first) > 1:
                    self.assertIn(" error: ", "".join(first[:2]), "the error comes late")


class Formats(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="orrery-diagnostics-")
        self.make("a.c", "int f(void) { int é; return x; }\nint g(int alpha) { return alhpa; }\n"
                  "int f(void) { return 1; }\n")
        self.make("w.c", "int f(int n) { int unused; }\nint g(void);\n")

    def tearDown(self):
        self.folder.cleanup()

    def make(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_it(self, *options, **more):
        return compile_it(*options, folder=self.folder.name, **more)

    def check_place(self, place):
        self.assertEqual(set(place), {"file", "line", "display-column", "byte-column", "column"})

    def test_json(self):
        status, out = self.run_it("-fdiagnostics-format=json", "a.c")
        records = json.loads(out)
        self.assertEqual(status, 1)
        self.assertEqual([record["kind"] for record in records], ["error", "error", "error"])
        for record in records:
            self.assertIn("message", record)
            self.assertEqual(record["column-origin"], 1)
            for location in record["locations"]:
                for place in location.values():
                    self.check_place(place)
        caret = records[0]["locations"][0]["caret"]
        self.assertEqual((caret["line"], caret["column"], caret["byte-column"]), (1, 29, 30))
        self.assertEqual(records[1]["fixits"][0]["string"], "alpha")
        self.assertEqual(records[2]["children"][0]["kind"], "note")

    def test_json_of_nothing(self):
        self.make("good.c", "int x;\n")
        self.assertEqual(self.run_it("-fdiagnostics-format=json", "good.c"), (0, "[]\n"))

    def test_json_option(self):
        record = json.loads(self.run_it("-Wall", "-Werror=unused-variable", "-fdiagnostics-format=json", "w.c")[1])[0]
        self.assertEqual((record["kind"], record["option"]), ("error", "-Werror=unused-variable"))

    def check_sarif(self, log):
        self.assertEqual(log["version"], "2.1.0")
        self.assertIn("$schema", log)
        run, = log["runs"]
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual([rule["id"] for rule in rules], sorted({rule["id"] for rule in rules}, key=[
            rule["id"] for rule in rules].index))
        for rule in rules:
            self.assertTrue(rule["shortDescription"]["text"])
        self.assertEqual(run["columnKind"], "unicodeCodePoints")
        for result in run["results"]:
            self.assertIn(result["level"], ("error", "warning", "note"))
            self.assertTrue(result["message"]["text"])
            if "ruleIndex" in result:
                self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            for location in result["locations"] + result.get("relatedLocations", []):
                physical = location["physicalLocation"]
                self.assertIn("uri", physical["artifactLocation"])
                self.assertGreaterEqual(physical["region"]["startLine"], 1)
                self.assertGreater(physical["region"]["endColumn"], physical["region"]["startColumn"])
        return run

    def test_sarif(self):
        run = self.check_sarif(json.loads(self.run_it("-fdiagnostics-format=sarif", "a.c")[1]))
        self.assertEqual(len(run["results"]), 3)
        self.assertFalse(run["invocations"][0]["executionSuccessful"])
        replacement = run["results"][1]["fixes"][0]["artifactChanges"][0]["replacements"][0]
        self.assertEqual(replacement["insertedContent"]["text"], "alpha")

    def test_files(self):
        self.assertEqual(self.run_it("-Wall", "-fdiagnostics-format=sarif-file", "w.c")[1], "")
        with open(os.path.join(self.folder.name, "w.c.sarif"), encoding="utf-8") as file:
            self.check_sarif(json.load(file))
        self.run_it("-Wall", "-fdiagnostics-format=json-file", "w.c")
        with open(os.path.join(self.folder.name, "w.c.gcc.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)), 2)


class Options(Formats):
    def count(self, *options):
        status, out = self.run_it(*options, "w.c")
        return status, len(re.findall(r" warning: ", out)), len(re.findall(r" error: ", out))

    def test_groups_and_names(self):
        self.assertEqual(self.count(), (0, 0, 0))
        self.assertEqual(self.count("-Wall"), (0, 2, 0))
        self.assertEqual(self.count("-Wall", "-Wextra"), (0, 3, 0))
        self.assertEqual(self.count("-Wno-unused-variable", "-Wall"), (0, 1, 0))
        self.assertEqual(self.count("-Wunused"), (0, 1, 0))
        self.assertEqual(self.count("-Wunused-variable", "-Wno-unused"), (0, 1, 0))
        self.assertEqual(self.count("-Wall", "-w"), (0, 0, 0))

    def test_errors(self):
        self.assertEqual(self.count("-Wall", "-Werror"), (1, 0, 2))
        self.assertEqual(self.count("-Werror=unused-variable"), (1, 0, 1))
        self.assertEqual(self.count("-Wall", "-Werror", "-Wno-error=unused-variable"), (1, 1, 1))
        self.assertEqual(self.count("-Wall", "-Werror", "-Wno-error"), (0, 2, 0))

    def test_unknown(self):
        status, out = self.run_it("-Wunused-varible", "w.c")
        self.assertEqual(status, 0)
        self.assertIn("unknown warning option '-Wunused-varible'; did you mean '-Wunused-variable'?", out)
        self.assertEqual(self.run_it("-Wno-such-thing", "-Wduplicated-cond", "-Wstack-usage=100", "w.c"), (0, ""))
        status, out = self.run_it("-fdiagnostics-format=xml", "w.c")
        self.assertNotEqual(status, 0)
        self.assertIn("the formats are text, json", out)

    def test_limits(self):
        self.make("many.c", "".join(f"int v{i} = x{i};\n" for i in range(50)))
        for option, n in (("-fmax-errors=3", 3), ("-ferror-limit=2", 2), ("-Wfatal-errors", 1), ("-fmax-errors=0", 50)):
            self.assertEqual(len(re.findall(" error: 'x", self.run_it(option, "many.c")[1])), n, option)

    def test_colours(self):
        red = "\033[1;31m"
        self.assertIn(red, self.run_it("-fdiagnostics-color=always", "a.c")[1])
        self.assertIn(red, self.run_it("a.c", environment={"CLICOLOR_FORCE": "1"})[1])
        self.assertNotIn(red, self.run_it("a.c", environment={"CLICOLOR_FORCE": "1", "NO_COLOR": "1"})[1])
        self.assertNotIn(red, self.run_it("a.c")[1])

    def test_what_is_shown(self):
        out = self.run_it("-Wall", "-fno-diagnostics-show-caret", "-fno-diagnostics-show-option", "w.c")[1]
        self.assertEqual(out.splitlines(), ["w.c:1:20: warning: unused variable 'unused'",
                                            "w.c:1:28: warning: control reaches end of non-void function 'f'"])


def record():
    for name in names():
        with open(os.path.join(CASES, name + ".err"), "w", encoding="utf-8") as file:
            file.write(said(name)[1])
    head, cases = beginners()
    with open(BEGINNERS, "w", encoding="utf-8") as file:
        file.write(head)
        for (name, program, _), messages in zip(cases, beginners_said(cases)):
            file.write(f"=== {name}\n{program}" + "".join(f">>> {message}\n" for message in messages))
    with open(MANUAL, encoding="utf-8") as file:
        before, rest = file.read().split(START)
    with open(MANUAL, "w", encoding="utf-8") as file:
        file.write(before + START + manual_list() + END + rest.split(END)[1])


def main():
    global ORRERY
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", default="orrery")
    parser.add_argument("--record", action="store_true", help="write the goldens and the manual's list anew")
    options = parser.parse_args()
    ORRERY = os.path.abspath(options.orrery) if os.path.sep in options.orrery else options.orrery
    if options.record:
        record()
        return 0
    return unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() is not True


if __name__ == "__main__":
    sys.exit(main())
