#!/usr/bin/env python3
"""Compares what programs print under Orrery with what they print when gcc compiles them.

    run_differential.py --orrery build/release/bin/orrery                          100 random programs of csmith
    run_differential.py --orrery ... --generator own --from 1 --count 500          ... of our own generator
    run_differential.py --orrery ... --generator threads --count 500               ... of OpenMP and threads
    run_differential.py --orrery ... --generator files tests/programs/*/*.c        hand-written programs
    run_differential.py --orrery ... --generator own --levels 2 --tiers interp,native       tiers with each other, too
    run_differential.py --orrery ... --generator fixed                             the 50 recorded ones (no gcc needed)

Every program is compiled natively (gcc -O1 -fwrapv) and by `orrery cc` at each optimisation level, and run; standard
output and exit status must agree. A random program that does not end within --native-limit seconds natively, or whose
native outcome depends on gcc's own optimisation level, is put aside and counted, never as a pass. A program is judged
"wrong" (other result), "refused" (does not compile or link), "crash" (Orrery itself died), "timeout" (still running
after --limit seconds where gcc's took a moment) or "tiers": with --tiers, output, standard error, exit status and
statistics (all clocks) of the tiers behind the first one must be those of the first, at each of the --quanta.

What fails is kept in WORK/failures/GENERATOR-SEED/ with a report that says how to do it again; --reduce makes it small
(with creduce if it is installed, by reduce.py if not). WORK/results.jsonl remembers what was tested: started again with
the same WORK, seeds that passed are not repeated, those that failed are. A csmith seed stands for one program only
together with its option set (a row of OPTION_SETS, chosen by the seed) and csmith's version.
"""
import argparse
import concurrent.futures
import hashlib
import json
import lzma
import os
import resource
import shutil
import subprocess
import sys
import tempfile

import fixed
import random_c
import random_threads

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = ["0", "1", "2", "3"]
GCC_FLAGS = ["-w", "-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-builtin-printf"]
MEMORY = 8 << 30

# What csmith is asked for. The first row comes up most often, since most bugs need no special options.
DEFAULT = []
SMALL = ["--max-funcs", "4", "--max-block-depth", "3", "--max-block-size", "4"]
OPTION_SETS = [
    DEFAULT,
    SMALL,
    ["--no-volatiles", "--no-volatile-pointers"],  # what may be optimised
    DEFAULT,
    ["--no-bitfields"],
    ["--no-global-variables", "--no-volatiles"],  # all in registers
    ["--no-packed-struct", "--max-struct-fields", "16"],
    DEFAULT,
    ["--float"],
    ["--inline-function", "--inline-function-prob", "90", "--no-volatiles", "--max-funcs", "15"],
    ["--max-block-size", "9", "--max-funcs", "3", "--max-expr-complexity", "20"],  # long functions
    DEFAULT,
    ["--max-union-fields", "9", "--max-struct-fields", "4"],
    ["--builtins", "--disable-builtin-kinds", "x86"],
    ["--no-pointers", "--max-array-dim", "4", "--max-array-len-per-dim", "6"],
    ["--max-funcs", "25", "--max-block-depth", "4"],  # many functions
]


class Refused(Exception):
    """A program could not be made; the reason is in the message."""


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def execute(command, limit, cwd, environment=None, bounded=True):
    """(status, stdout, stderr), status None after the time limit."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                               env=environment, start_new_session=True, preexec_fn=limited if bounded else None)
    try:
        out, err = process.communicate(timeout=limit)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, b"", b""


# -- the two sides ----------------------------------------------------------------------------------------------------


class Native:
    """gcc, and what it says of a program: (status, output)."""

    def __init__(self, options):
        self.options = options

    def run(self, source, includes, directory, level="1", extra=()):
        binary = os.path.join(directory, "native" + level)
        command = [self.options.gcc, "-O" + level] + GCC_FLAGS + list(extra) + includes + [source, "-o", binary, "-lm"]
        status, _, err = execute(command, 120, directory)
        if status != 0:
            raise Refused("gcc refuses it: " + err.decode("utf-8", "replace")[:500])
        status, out, err = execute([binary], self.options.native_limit, directory, bounded=not extra)
        return status, out, err

    def is_defined(self, source, includes, directory, expected):
        """Whether gcc agrees with itself, and its sanitizers have nothing to say: then a difference is ours."""
        for level in ("0", "2"):
            if self.run(source, includes, directory, level)[:2] != expected:
                return False
        sanitizers = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all",
                      "-fno-sanitize=alignment,shift,signed-integer-overflow"]
        status, out, err = self.run(source, includes, directory, "0", sanitizers)
        return (status, out) == expected and b"ERROR: AddressSanitizer" not in err


class Orrery:
    def __init__(self, options):
        self.options = options
        self.path = os.path.abspath(options.orrery)

    def build(self, source, includes, directory, level):
        program = os.path.join(directory, "program" + level)
        command = [self.path, "cc", "-w", "-O" + level] + includes + [source, "-o", program]
        status, _, err = execute(command, self.options.limit, directory, bounded=self.options.bounded)
        if status is None:
            return None, ("timeout", "compiling did not end after %d s" % self.options.limit)
        if status < 0 or status > 2 or b"Sanitizer" in err:
            return None, ("crash", "compiling ended with %s: %s" % (status, last_words(err)))
        if status:
            return None, ("refused", first_error(err))
        return program, None

    def run(self, program, directory, expected):
        first = self.run_once(program, directory, self.options.tiers[:1])
        status, out, err = first[:3]
        if status is None:
            return "timeout", "running did not end after %d s" % self.options.limit
        if (status < 0 and status != expected[0]) or b"Sanitizer" in err:
            return "crash", "running ended with %s: %s" % (status, last_words(err))
        if (status, out) != (expected[0] if expected[0] >= 0 else 128 - expected[0], expected[1]):
            return "wrong", describe(expected, (status, out), err)
        for tier in self.options.tiers[1:]:
            for quantum in self.options.quanta:
                got = self.run_once(program, directory, [tier], ["--quantum", quantum])
                if got[0] is None:
                    return "timeout", "tier %s, quantum %s: did not end after %d s" % (tier, quantum, self.options.limit)
                if got != first:
                    return "tiers", "tier %s, quantum %s: %s" % (tier, quantum, describe_runs(first, got))
        return None

    def run_once(self, program, directory, tiers, arguments=()):
        """(status, stdout, stderr, statistics); the last is empty where tiers are not compared."""
        statistics = os.path.join(directory, "statistics.json")
        command = [self.path, "run"] + list(arguments)
        for tier in tiers:
            command += ["--tier", tier, "--json", statistics]
        # Not bounded: a simulation reserves much more address space than it uses.
        result = execute(command + [program], self.options.limit, directory, bounded=False)
        if not os.path.exists(statistics):
            return result + (b"",)
        with open(statistics, "rb") as file:
            result += (file.read(),)
        os.remove(statistics)
        return result


def last_words(text):
    return text.decode("utf-8", "replace").strip()[-600:]


def describe_runs(expected, got):
    """What differs between two runs of the same program."""
    for name, left, right in (("standard error", expected[2], got[2]), ("statistics", expected[3], got[3])):
        if expected[:2] == got[:2] and left != right:
            return name + ": " + describe((0, left), (0, right), b"")
    return describe(expected[:2], got[:2], got[2])


def first_error(text):
    lines = text.decode("utf-8", "replace").splitlines()
    errors = [line for line in lines if "error" in line] or lines
    return " | ".join(errors[:3])[:600]


def describe(expected, got, err):
    if expected[0] != got[0]:
        return "exit status %s instead of %s; %s" % (got[0], expected[0], last_words(err))
    left, right = expected[1].split(b"\n"), got[1].split(b"\n")
    for number, (a, b) in enumerate(zip(left + [b"<end>"] * len(right), right + [b"<end>"] * len(left))):
        if a != b:
            return "line %d is %r instead of %r" % (number + 1, b[:120], a[:120])
    return "outputs differ"


# -- one program ------------------------------------------------------------------------------------------------------


def expectation(case, directory, native, memory):
    """What gcc's program does, (status, output), or None if it does not end; remembered in --programs."""
    if case.expected:
        return case.expected
    path = os.path.join(memory, case.name + ".json") if memory else None
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            status, out = json.load(file)
        return None if status is None else (status, out.encode("latin-1"))
    status, out, _ = native.run(case.source, case.includes, directory)
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump([status, out.decode("latin-1")], file)
    return None if status is None else (status, out)


def judge(case, directory, native, orrery, options):
    """The outcome per level, {} where all is well, or a word where the program is no test."""
    expected = expectation(case, directory, native, options.programs)
    if expected is None:
        return "endless"
    failures, seen = {}, {}
    for level in options.levels:
        program, failure = orrery.build(case.source, case.includes, directory, level)
        if program:
            with open(program, "rb") as file:
                digest = hashlib.sha256(file.read()).digest()
            if digest not in seen:
                seen[digest] = orrery.run(program, directory, expected)
            failure = seen[digest]
        if failure:
            failures["O" + level] = failure
    if failures and case.expected is None and any(kind == "wrong" for kind, _ in failures.values()):
        if not native.is_defined(case.source, case.includes, directory, expected):
            return "undefined"
    return failures


class Case:
    def __init__(self, name, source, includes, expected=None, origin=""):
        self.name, self.source, self.includes, self.expected, self.origin = name, source, includes, expected, origin


def generate_csmith(seed, directory, options):
    source = os.path.join(directory, "csmith-%d.c" % seed)
    flags = OPTION_SETS[seed % len(OPTION_SETS)] + ["--concise", "--quiet"]
    command = ["csmith", "--seed", str(seed)] + flags
    kept = os.path.join(options.programs, os.path.basename(source) + ".xz") if options.programs else None
    if kept and os.path.exists(kept):
        with lzma.open(kept) as file:
            out = file.read()
    else:
        status, out, err = execute(command, 60, directory)
        if status != 0:
            raise Refused("csmith gave up" + (" after a minute" if status is None else ": " + last_words(err)))
        if kept:
            with lzma.open(kept, "wb", preset=1) as file:
                file.write(out)
    with open(source, "wb") as file:
        file.write(out)
    return Case("csmith-%d" % seed, source, ["-I" + options.csmith_headers], origin=" ".join(command))


def generate_own(seed, directory, options):
    name = "-".join(["own"] + ([options.feature] if options.feature else []) + [str(seed)])
    source = os.path.join(directory, name + ".c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(random_c.program(seed, options.feature))
    return Case(name, source, [], origin="random_c.py %d %s" % (seed, options.feature or ""))


def generate_threads(seed, directory, options):
    name = "-".join(["threads"] + ([options.feature] if options.feature else []) + [str(seed)])
    source = os.path.join(directory, name + ".c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(random_threads.program(seed, options.feature))
    return Case(name, source, ["-fopenmp", "-pthread"], origin="random_threads.py %d %s" % (seed, options.feature or ""))


def keep(case, failures, options):
    folder = os.path.join(options.work, "failures", case.name)
    os.makedirs(folder, exist_ok=True)
    kept = os.path.join(folder, os.path.basename(case.source))
    if os.path.abspath(kept) != os.path.abspath(case.source):
        shutil.copy(case.source, kept)
    with open(os.path.join(folder, "report.txt"), "w", encoding="utf-8") as file:
        file.write("%s\n%s\n" % (case.name, case.origin))
        for level, (kind, text) in sorted(failures.items()):
            file.write("-%s %s: %s\n" % (level, kind, text))
        file.write("again: orrery cc -w -%s %s %s && orrery run a.out\n"
                   % (min(failures), " ".join(case.includes), os.path.basename(case.source)))
    return folder


def test_one(make, options):
    """Makes, compiles, runs and judges one program; answers (name, outcome, failures)."""
    with tempfile.TemporaryDirectory(prefix="orrery-differential-") as directory:
        native, orrery = Native(options), Orrery(options)
        try:
            case = make(directory)
            outcome = judge(case, directory, native, orrery, options)
        except Refused as reason:
            return str(reason), "unusable", {}
        if isinstance(outcome, str):
            return case.name, outcome, {}
        if not outcome:
            return case.name, "same", {}
        folder = keep(case, outcome, options)
        if options.reduce:
            import reduce  # pylint: disable=import-outside-toplevel
            reduce.reduce_failure(folder, case, outcome, native, orrery)
        return case.name, "failed", outcome


# -- many programs ----------------------------------------------------------------------------------------------------


def seeds_of(options):
    if options.seed_file:
        with open(options.seed_file, encoding="utf-8") as file:
            return [int(word) for line in file for word in line.split("#")[0].split()]
    return range(options.first, options.first + options.count)


def portable(paths):
    """Without those that not_portable.txt names."""
    with open(os.path.join(HERE, "not_portable.txt"), encoding="utf-8") as file:
        names = {line.split()[0] for line in file if line.strip() and not line.startswith("#")}
    return [path for path in paths if os.path.basename(path)[:-2] not in names]


def makers(options):
    """(key, function that makes the case in a directory) for every program that is asked for."""
    if options.generator == "files":
        for path in portable(options.files):
            yield path, lambda directory, path=path: Case(os.path.basename(path)[:-2], os.path.abspath(path), [],
                                                          origin=path)
    elif options.generator == "fixed":
        for index, entry in enumerate(fixed.entries()):
            if index % options.parts == options.part:
                yield entry.name, lambda directory, entry=entry: Case(
                    entry.name, fixed.unpack(entry, directory), ["-I" + os.path.join(HERE, "include")],
                    (0, entry.output), entry.origin)
    else:
        generate = {"csmith": generate_csmith, "own": generate_own, "threads": generate_threads}[options.generator]
        for seed in seeds_of(options):
            yield seed, lambda directory, seed=seed: generate(seed, directory, options)


def passed_before(options):
    path = os.path.join(options.work, "results.jsonl")
    passed = set()
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                result = json.loads(line)
                if result["outcome"] == "same" and result["generator"] == options.generator:
                    passed.add(result["key"])
    return passed


class Tally:
    def __init__(self, options):
        self.options, self.counts, self.bad = options, {}, []

    def add(self, key, name, outcome, failures):
        self.counts[outcome] = self.counts.get(outcome, 0) + 1
        for level, (kind, text) in sorted(failures.items()):
            self.counts[kind + " -" + level] = self.counts.get(kind + " -" + level, 0) + 1
            print("%s -%s %s: %s" % (name, level, kind, text), flush=True)
        if failures:
            self.bad.append(str(key))
        if outcome == "unusable":
            print("%s: %s" % (key, name), flush=True)
        with open(os.path.join(self.options.work, "results.jsonl"), "a", encoding="utf-8") as file:
            file.write(json.dumps({"generator": self.options.generator, "key": key, "outcome": outcome,
                                   "failures": {level: kind for level, (kind, _) in failures.items()},
                                   "label": self.options.label}) + "\n")

    def summary(self):
        words = ["%d %s" % (self.counts[word], word) for word in sorted(self.counts)]
        print("%s: %s at -O%s" % (self.options.generator, ", ".join(words) or "nothing to do", "/".join(self.options.levels)))
        if self.bad:
            print("failed: " + " ".join(self.bad))
        # A generator may fail to make a program, gcc may refuse one of ours; what was recorded must be usable.
        unusable = self.options.generator == "fixed" and self.counts.get("unusable")
        return 1 if self.bad or unusable else 0


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", required=True, help="the orrery command to test")
    parser.add_argument("--generator", choices=["csmith", "own", "threads", "files", "fixed"], default="csmith")
    parser.add_argument("--feature", choices=[feature.__name__ for feature in random_c.ALL + random_threads.ALL],
                        help="programs of our own generator have this feature only")
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="SEED", help="first seed (default 1)")
    parser.add_argument("--count", type=int, default=100, help="number of seeds (default 100)")
    parser.add_argument("--seed-file", help="a file of seeds instead; # starts a comment")
    parser.add_argument("--jobs", type=int, default=1, help="programs tested at once (default 1)")
    parser.add_argument("--levels", default="0123", help="optimisation levels, as in 02 (default 0123)")
    parser.add_argument("--tiers", default="", help="tiers to compare with each other, as in interp,native")
    parser.add_argument("--quanta", default="1,1000,100000", help="... under these quanta (default 1,1000,100000)")
    parser.add_argument("--limit", type=float, default=60, help="seconds for each step of Orrery (default 60)")
    parser.add_argument("--native-limit", type=float, default=2, help="seconds for the native program (default 2)")
    parser.add_argument("--work", default="differential-work", help="results and failures (default ./differential-work)")
    parser.add_argument("--programs", default="",
                        help="a directory that keeps csmith's programs and what gcc's did, so that a second campaign is fast")
    parser.add_argument("--again", action="store_true", help="test also what passed before")
    parser.add_argument("--label", default="", help="written to each result, as in the version tested")
    parser.add_argument("--reduce", action="store_true", help="make failing programs small")
    parser.add_argument("--gcc", default="gcc")
    parser.add_argument("--csmith-headers", default="/usr/include/csmith",
                        help="where csmith.h is (default: libcsmith-dev's, or our own if that is not installed)")
    parser.add_argument("--part", default="0/1", help="of the fixed programs only every n-th: 2/4 is the third quarter")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    options.levels = list(options.levels)
    options.tiers, options.quanta = options.tiers.split(",") if options.tiers else [], options.quanta.split(",")
    options.part, options.parts = (int(word) for word in options.part.split("/"))
    # AddressSanitizer reserves more address space than any bound would allow.
    options.bounded = not os.environ.get("ASAN_OPTIONS")
    if not os.path.exists(os.path.join(options.csmith_headers, "csmith.h")):
        options.csmith_headers = os.path.join(HERE, "include")
    for name in ("work", "programs"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
            os.makedirs(getattr(options, name), exist_ok=True)
    return options


def main():
    options = parse()
    remembers = options.generator in ("csmith", "own", "threads") and not options.again and not options.feature
    tally, passed = Tally(options), passed_before(options) if remembers else set()
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        waiting = {}
        for key, make in makers(options):
            if key in passed:
                continue
            waiting[pool.submit(test_one, make, options)] = key
            if len(waiting) >= 4 * options.jobs:
                done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    tally.add(waiting.pop(future), *future.result())
        for future in concurrent.futures.as_completed(waiting):
            tally.add(waiting[future], *future.result())
    return tally.summary()


if __name__ == "__main__":
    sys.exit(main())
