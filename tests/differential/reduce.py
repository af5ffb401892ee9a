#!/usr/bin/env python3
"""reduce.py - makes a failing program small.

The test for every candidate: gcc compiles it, gcc's program means the same at -O0 and -O2 and its sanitizers have
nothing to say, and Orrery still fails in the same way (wrong, refused with an error where gcc has none, crash) at the
level in question. With creduce installed it does the work; without, five passes alternate until none of them helps:

    bodies      { ... } of whole functions and initialisers, large ones first
    lines       ranges of lines whose brackets balance, halving the range (delta debugging)
    blocks      { ... } becomes { } or its content
    groups      ( ... ) becomes 0, 1 or one of its operands
    statements  what stands between two semicolons

    reduce.py --orrery build/release/bin/orrery --level 2 [--kind wrong] [-I DIR] FILE       result: FILE.reduced.c
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import run_differential as differential


class Reducer:
    def __init__(self, source, includes, level, kind, native, orrery, seconds=600):
        with open(source, encoding="latin-1") as file:
            self.text = file.read()
        self.includes, self.level, self.kind, self.native, self.orrery = includes, level, kind, native, orrery
        self.deadline, self.tried = time.time() + seconds, {}

    def fails(self, text):
        if text not in self.tried:
            self.tried[text] = time.time() < self.deadline and self.fails_now(text)
        return self.tried[text]

    def fails_now(self, text):
        with tempfile.TemporaryDirectory(prefix="orrery-reduce-") as directory:
            source = os.path.join(directory, "candidate.c")
            with open(source, "w", encoding="latin-1") as file:
                file.write(text)
            return self.is_interesting(source, directory)

    def is_interesting(self, source, directory):
        program, failure = self.orrery.build(source, self.includes, directory, self.level)
        if failure and failure[0] != self.kind:
            return False
        try:
            status, out, _ = self.native.run(source, self.includes, directory)
            if status is None:
                return False
            if program:
                failure = self.orrery.run(program, directory, (status, out))
            if not failure or failure[0] != self.kind:
                return False
            return self.native.is_defined(source, self.includes, directory, (status, out))
        except differential.Refused:
            return False

    def try_text(self, text):
        if text != self.text and self.fails(text):
            self.text = text
            return True
        return False

    # -- passes: each answers whether it made the text smaller --------------------------------------------------------

    def lines(self):
        before, size = len(self.text), max(1, self.text.count("\n") // 2)
        while size and time.time() < self.deadline:
            at = 0
            lines = self.text.splitlines(True)
            while at < len(lines):
                piece = "".join(lines[at:at + size])
                if balanced(piece) and self.try_text("".join(lines[:at] + lines[at + size:])):
                    lines = self.text.splitlines(True)
                else:
                    at += max(1, size // 2)
            size //= 2
        return len(self.text) < before

    def brackets(self, opening, closing, replacements):
        before, at = len(self.text), 0
        while time.time() < self.deadline:
            at = self.text.find(opening, at)
            if at < 0:
                break
            end = matching(self.text, at, opening, closing)
            if end:
                inner = self.text[at + 1:end]
                for candidate in replacements(inner):
                    if len(candidate) < len(inner) + 2 and self.try_text(self.text[:at] + candidate + self.text[end + 1:]):
                        break
            at += 1
        return len(self.text) < before

    def bodies(self):
        before, places, depth = len(self.text), [], 0
        for place, letter in enumerate(self.text):
            if letter == "{" and depth == 0:
                places.append((place, matching(self.text, place, "{", "}") or place))
            depth += (letter == "{") - (letter == "}")
        for place, end in sorted(places, key=lambda p: (p[0] - p[1], -p[0])):
            text = self.text
            if end > place + 1 and self.try_text(text[:place] + "{" + " " * (end - place - 1) + "}" + text[end + 1:]):
                continue
        self.try_text(re.sub(r"\{ +\}", "{}", self.text))
        return len(self.text) < before

    def blocks(self):
        return self.brackets("{", "}", lambda inner: ["{}", "{0}", inner, ";"])

    def groups(self):
        def replacements(inner):
            yield from ("0", "1", "(0)", "(1)", "()")
            yield from ("(%s)" % part for part in operands(inner))
        return self.brackets("(", ")", replacements)

    def statements(self):
        before, at = len(self.text), 0
        while time.time() < self.deadline:
            found = re.compile(r"[;{}]([^;{}]*;)").search(self.text, at)
            if not found:
                break
            if not self.try_text(self.text[:found.start(1)] + self.text[found.end(1):]):
                at = found.start() + 1
        return len(self.text) < before

    def run(self):
        if not self.fails(self.text):
            return None
        while any([self.bodies(), self.lines(), self.blocks(), self.groups(), self.statements()]) and time.time() < self.deadline:
            pass
        return self.text


def balanced(text):
    return all(text.count(a) == text.count(b) for a, b in ("{}", "()", "[]"))


def matching(text, at, opening, closing):
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == closing)
        if depth == 0:
            return place
    return None


def operands(inner):
    """What stands between the operators and commas of the outermost level."""
    depth, start, parts = 0, 0, []
    for place, letter in enumerate(inner + ","):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and letter in ",+-*/%&|^<>=?:":
            parts.append(inner[start:place])
            start = place + 1
    return [part.strip() for part in parts if part.strip() and len(parts) > 1]


def with_creduce(reducer, target, arguments):
    """creduce wants a script that answers 0 for an interesting candidate.c in the current directory."""
    with tempfile.TemporaryDirectory(prefix="orrery-creduce-") as directory:
        script = os.path.join(directory, "interesting.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec '%s' '%s' --check %s candidate.c\n" % (sys.executable, os.path.abspath(__file__), arguments))
        os.chmod(script, 0o755)
        candidate = os.path.join(directory, "candidate.c")
        with open(candidate, "w", encoding="latin-1") as file:
            file.write(reducer.text)
        subprocess.run(["creduce", "--n", "1", script, "candidate.c"], cwd=directory, check=False, capture_output=True)
        shutil.copy(candidate, target)


def reduce_failure(folder, case, failures, native, orrery):
    """Called by the harness: reduces what it kept, at the lowest level that fails."""
    level = min(failures)
    source = os.path.join(folder, os.path.basename(case.source))
    reducer = Reducer(source, case.includes, level[1:], failures[level][0], native, orrery)
    text = reducer.run()
    if text:
        with open(os.path.join(folder, "reduced.c"), "w", encoding="latin-1") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True)
    parser.add_argument("--level", default="0")
    parser.add_argument("--kind", default="wrong", choices=["wrong", "refused", "crash", "timeout", "tiers"])
    parser.add_argument("--tiers", default="interp,native", help="what --kind tiers compares (default interp,native)")
    parser.add_argument("--quanta", default="1,1000,100000", help="... under these quanta")
    parser.add_argument("-I", dest="includes", action="append", default=[])
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--native-limit", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=600, help="when to stop trying (default 600)")
    parser.add_argument("--check", action="store_true", help="only say by the exit status whether FILE fails that way")
    parser.add_argument("file")
    options = parser.parse_args()
    options.bounded = True
    options.tiers = options.tiers.split(",") if options.kind == "tiers" else []
    options.quanta = options.quanta.split(",")
    includes = ["-I" + os.path.abspath(path) for path in options.includes]
    reducer = Reducer(options.file, includes, options.level, options.kind, differential.Native(options),
                      differential.Orrery(options), options.seconds)
    if options.check:
        return 0 if reducer.fails(reducer.text) else 1
    if not reducer.fails(reducer.text):
        print("%s does not fail that way" % options.file, file=sys.stderr)
        return 1
    target = options.file.removesuffix(".c") + ".reduced.c"
    if shutil.which("creduce"):
        with_creduce(reducer, target, "--orrery '%s' --level %s --kind %s --quanta %s %s" % (
            os.path.abspath(options.orrery), options.level, options.kind, ",".join(options.quanta), " ".join(includes)))
    else:
        with open(target, "w", encoding="latin-1") as file:
            file.write(reducer.run())
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
