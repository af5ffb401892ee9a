#!/usr/bin/env python3
"""Runs whole programs under Orrery and holds output, exit status and virtual times against recorded ones.

A case is a C program with golden neighbours. In tests/programs/CHAPTER/:
    NAME.c         the program (named by what it proves)
    NAME.out       its standard output, exactly (required; NAME-RANKS.out where it differs by number of ranks)
    NAME.err       lines that standard error must contain, one pattern (Python regular expression) a line
    NAME.says      what standard error must be, exactly, but for the directory of the program; without NAME.out the program
                   prints nothing
    NAME.clk       "RANKS MACHINE MAKESPAN_PS" a line: exact virtual times; --record fills one that is there, be it empty
    NAME.in        standard input          NAME.args     arguments of the program
    NAME.ranks     numbers of ranks        NAME.machine  machine (default: laptop)
    NAME.flags     options for orrery run; those that begin with -f are the compiler's, too
    NAME.status    exit status (default 0)
    NAME.tiers     "interp": not in the native tier, because the host's compiler takes too long
    NAME.own       why a real MPI answers otherwise: it is not compared with ours
The cases of tests/programs/checks run on 2 ranks and under --check unless they say otherwise. The samples' cases are the rows of tests/samples/cases.txt.

Every run is repeated under several quanta, optimisation levels and tiers; output, standard error, exit status and the
whole JSON statistics (all clocks and counters) must agree to the byte between all of them (optimisation levels: output
only). What the native tier compiles is kept in $ORRERY_CACHE, so a second run of the tests takes less time.

    run_programs.py --orrery build/release/bin/orrery [--record] [--mpich] [--once] [--few] [--list] [NAME...]
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

TESTS = os.path.dirname(os.path.abspath(__file__))
VARIANTS = [["--quantum", "1", "--jobs", "1"], ["--quantum", "1000"], ["--quantum", "1000000000"],
            ["--quantum", "100", "--jobs", "4"]]
LEVELS = ["-O0", "-O2"]
TIER_QUANTA = ["1000000000", "1000"]
SMALL_UNIT = "40"  # instructions: so nearly every call leads from one unit of native code to another
TIMEOUT = 120


class Case:
    def __init__(self, name, source, golden, machine, ranks, stdin, arguments, flags, status):
        self.name, self.source, self.golden, self.machine, self.ranks = name, source, golden, machine, ranks
        self.stdin, self.arguments, self.flags, self.status = stdin, arguments, flags, status


def read(path, default=None):
    if not os.path.exists(path):
        return default
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def find_cases(new=()):
    cases = []
    for line in read(os.path.join(TESTS, "samples", "cases.txt")).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, machine, ranks, stdin, arguments = [field.strip() for field in line.split("|")]
        base = os.path.join(TESTS, "samples", name)
        cases.append(Case("samples." + name, os.path.join(TESTS, "..", "samples", name + ".c"), base, machine,
                          [int(n) for n in ranks.split()], stdin + "\n" if stdin else "", arguments.split(),
                          read(base + ".flags", "").split(), 0))
    root = os.path.join(TESTS, "programs")
    for chapter in sorted(os.listdir(root)):
        folder = os.path.join(root, chapter)
        if not os.path.isdir(folder):
            continue
        for file in sorted(os.listdir(folder)):
            if not file.endswith(".c"):
                continue
            base = os.path.join(folder, file[:-2])
            ranks = [int(n) for n in read(base + ".ranks", {"mpi": "4", "checks": "2"}.get(chapter, "1")).split()]
            has_golden = any(os.path.exists(base + end) for end in (".out", ".says", "-%d.out" % ranks[0]))
            name = chapter + "." + file[:-2]
            if not has_golden and not os.path.exists(base + ".status") and name not in new:
                continue
            cases.append(Case(name, base + ".c", base, read(base + ".machine", "laptop").strip(),
                              ranks, read(base + ".in", ""), read(base + ".args", "").split(),
                              read(base + ".flags", "--check" if chapter == "checks" else "").split(), int(read(base + ".status", "0"))))
    return cases


class Failure(Exception):
    pass


def execute(command, stdin, directory, **environment):
    try:
        done = subprocess.run(command, input=stdin.encode("utf-8", "surrogateescape"), capture_output=True,
                              timeout=TIMEOUT, cwd=directory, env=dict(os.environ, **environment), check=False)
    except subprocess.TimeoutExpired:
        raise Failure("no end after %d s: %s" % (TIMEOUT, " ".join(command)))
    return (done.returncode, done.stdout.decode("utf-8", "surrogateescape"),
            done.stderr.decode("utf-8", "surrogateescape"))


def run_once(orrery, case, program, ranks, extra, directory, **environment):
    """One run; answers status, stdout, stderr, JSON text (empty if none was written)."""
    json_file = os.path.join(directory, "statistics.json")
    if os.path.exists(json_file):
        os.remove(json_file)
    command = [orrery, "run", "-n", str(ranks), "--machine", case.machine, "--json", json_file] + case.flags + extra
    status, out, err = execute(command + [program] + case.arguments, case.stdin, directory, **environment)
    return status, out, err, read(json_file, "")


def difference(what, expected, got):
    expected_lines, got_lines = expected.splitlines(), got.splitlines()
    for number in range(max(len(expected_lines), len(got_lines))):
        left = expected_lines[number] if number < len(expected_lines) else "<end>"
        right = got_lines[number] if number < len(got_lines) else "<end>"
        if left != right:
            return "%s differs at line %d:\n    expected: %s\n    got:      %s" % (what, number + 1, left, right)
    return "%s differs in line ends only" % what


def compare(what, expected, got):
    """Holds two runs against each other: all that run_once() answers."""
    if got[0] != expected[0]:
        raise Failure("%s: exit status %d instead of %d; standard error:\n%s" % (what, got[0], expected[0], got[2][-2000:]))
    for part, left, right in zip(("output", "standard error", "statistics"), expected[1:], got[1:]):
        if left != right:
            raise Failure("%s: %s" % (what, difference(part, left, right)))


def golden_output(case, ranks):
    single = "%s-%d.out" % (case.golden, ranks)
    return single if os.path.exists(single) or not os.path.exists(case.golden + ".out") else case.golden + ".out"


def without_directory(case, text):
    return text.replace(os.path.dirname(case.source) + os.sep, "")


def check_expectations(case, ranks, status, out, err):
    says = read(case.golden + ".says")
    expected = read(golden_output(case, ranks), None if says is None else "")
    if expected is None and case.status == 0:
        raise Failure("no recorded output for %d ranks (use --record)" % ranks)
    if status != case.status:
        raise Failure("exit status %d, expected %d; standard error:\n%s" % (status, case.status, err[-2000:]))
    if expected is not None and out != expected:
        raise Failure(difference("output", expected, out))
    if says is not None and without_directory(case, err) != says:
        raise Failure(difference("standard error", says, without_directory(case, err)))
    for pattern in (read(case.golden + ".err") or "").splitlines():
        if pattern and not re.search(pattern, err, re.MULTILINE):
            raise Failure("standard error has nothing like '%s':\n%s" % (pattern, err[-2000:]))


def makespan_of(json_text):
    match = re.search(r'"makespan_ps"\s*:\s*(\d+)', json_text)
    return match.group(1) if match else None


def recorded_clocks(case):
    clocks = {}
    for line in (read(case.golden + ".clk") or "").splitlines():
        if line and not line.startswith("#"):
            ranks, machine, time = line.split()
            clocks[(int(ranks), machine)] = time
    return clocks


def runs_natively(case, share):
    """Whether the case is one of the `share`th part of all that also runs in the native tier; the same ones every time."""
    return zlib.crc32(case.name.encode()) % share == 0 and not os.path.exists(case.golden + ".tiers")


def code_options(case):
    """Those of the flags of `orrery run` that say how the program is compiled."""
    return [flag for flag in case.flags if flag.startswith("-f")]


def check_tiers(orrery, case, directory):
    """The native tier against the interpreter, on what a user would call a release build."""
    program = os.path.join(directory, "program-O2")
    status, _, err = execute([orrery, "cc", "-O2", "-w", *code_options(case), "-o", program, case.source], "", directory)
    if status != 0:
        raise Failure("does not compile with -O2:\n" + err[-3000:])
    for ranks in case.ranks:
        expected = run_once(orrery, case, program, ranks, ["--tier", "interp"], directory)
        for quantum in TIER_QUANTA:
            got = run_once(orrery, case, program, ranks, ["--tier", "native", "--quantum", quantum], directory)
            compare("%d ranks, native tier, quantum %s" % (ranks, quantum), expected, got)
        if case.name.startswith("tiers."):
            got = run_once(orrery, case, program, ranks, ["--tier", "native", "--quantum", "1000"], directory,
                           ORRERY_UNIT=SMALL_UNIT, ORRERY_EFFORT="quick")
            compare("%d ranks, native tier, small quick units" % ranks, expected, got)


def run_case(orrery, case, record, native_share=1, once=False, few=False):
    variants = [] if once else VARIANTS[-1:] if few else VARIANTS
    levels = [] if once or few and not case.name.startswith("language.") else LEVELS[:1] if few else LEVELS
    directory = tempfile.mkdtemp(prefix="orrery-test-")
    try:
        program = os.path.join(directory, "program")
        status, out, err = execute([orrery, "cc", *code_options(case), "-o", program, case.source], "", directory)
        if status != 0:
            if case.status == status:  # a case about compile errors
                check_expectations(case, case.ranks[0], status, out, err)
                return
            raise Failure("does not compile:\n" + err[-3000:])
        clocks = recorded_clocks(case)
        new_clocks = []
        for ranks in case.ranks:
            status, out, err, statistics = run_once(orrery, case, program, ranks, [], directory)
            if record:
                recorded = [end for end in (".out", ".says", "-%d.out" % case.ranks[0]) if os.path.exists(case.golden + end)]
                says = ".says" in recorded or (case.name.startswith("checks.") and not recorded)
                if says:
                    write(case.golden + ".says", without_directory(case, err))
                if len(case.ranks) == 1 and (".out" in recorded or (not recorded and not (says and not out))):
                    write(case.golden + ".out", out)
                elif not says:
                    write("%s-%d.out" % (case.golden, ranks), out)
            check_expectations(case, ranks, status, out, err)
            makespan = makespan_of(statistics)
            if makespan is not None:
                new_clocks.append("%d %s %s\n" % (ranks, case.machine, makespan))
            known = clocks.get((ranks, case.machine))
            if not record and known is not None and known != makespan:
                raise Failure("virtual time on %d ranks: expected %s ps, got %s ps" % (ranks, known, makespan))
            for variant in variants:
                again = run_once(orrery, case, program, ranks, variant, directory)
                name = "%d ranks, %s" % (ranks, " ".join(variant))
                compare(name, (status, out, err, statistics), again)
        # from source, and at other optimisation levels: the same output
        for level in levels:
            again = run_once(orrery, case, case.source, case.ranks[-1], [level], directory)
            if again[:2] != (status, out):
                raise Failure("%s: status %d; %s" % (level, again[0], difference("output", out, again[1])))
        if not once and runs_natively(case, native_share):
            check_tiers(orrery, case, directory)
        if record and (case.name.startswith("samples.") or os.path.exists(case.golden + ".clk")):
            write(case.golden + ".clk", "# ranks, machine, makespan in ps\n" + "".join(new_clocks))
    finally:
        shutil.rmtree(directory)


def run_mpich(case):
    """The same program under a real MPI: the same lines, in whatever order the ranks' lines came."""
    directory = tempfile.mkdtemp(prefix="orrery-mpich-")
    try:
        program = os.path.join(directory, "program")
        status, _, err = execute(["mpicc", "-w", "-O1", "-DMPI_main=main", "-o", program, case.source, "-lm"], "",
                                 directory)
        if status != 0:
            raise Failure("mpicc: " + err[-2000:])
        for ranks in [n for n in case.ranks if n <= 16]:
            status, out, err = execute(["mpiexec", "-n", str(ranks), program] + case.arguments, case.stdin, directory)
            expected = read(golden_output(case, ranks))
            if status != case.status:
                raise Failure("real MPI, %d ranks: exit status %d\n%s" % (ranks, status, err[-2000:]))
            if sorted(out.splitlines()) != sorted(expected.splitlines()):
                raise Failure("real MPI, %d ranks: %s" % (ranks, difference(
                    "sorted output", "\n".join(sorted(expected.splitlines())), "\n".join(sorted(out.splitlines())))))
    finally:
        shutil.rmtree(directory)


def main():
    global TIMEOUT
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", default=os.path.join(TESTS, "..", "build", "release", "bin", "orrery"))
    parser.add_argument("--record", action="store_true", help="write output and virtual times as the new goldens, of new cases too, if they are named")
    parser.add_argument("--mpich", action="store_true", help="run under a real MPI instead and compare with the goldens")
    parser.add_argument("--native-share", type=int, default=1, metavar="N",
                        help="run every N-th case only in the native tier, too (default: every one)")
    parser.add_argument("--once", action="store_true",
                        help="run each case once, under none of the quanta, levels and tiers: for measuring what it executes")
    parser.add_argument("--few", action="store_true",
                        help="under the quantum that differs most only, and at one more level where the language is the subject: for "
                             "builds in which a run takes long")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("names", nargs="*", help="cases or chapters (all if none)")
    options = parser.parse_args()
    if options.once:
        TIMEOUT *= 5  # a simulator that counts takes longer
    cases = [case for case in find_cases(options.names if options.record else ())
             if not options.names or case.name in options.names or case.name.split(".")[0] in options.names]
    if options.list:
        print("\n".join(case.name for case in cases))
        return 0
    if not cases:
        print("no such case: " + " ".join(options.names), file=sys.stderr)
        return 2
    orrery = os.path.abspath(options.orrery)
    wanted = [case for case in cases if not options.mpich or
              (case.status == 0 and case.name.startswith(("samples.", "mpi.")) and not os.path.exists(case.golden + ".own"))]

    def attempt(case):
        try:
            if options.mpich:
                run_mpich(case)
            else:
                run_case(orrery, case, options.record, options.native_share, options.once, options.few)
            return None
        except Failure as failure:
            return "FAILED %s: %s" % (case.name, failure)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for complaint in pool.map(attempt, wanted):
            if complaint:
                failed += 1
                print(complaint)
    passed, skipped = len(wanted) - failed, len(cases) - len(wanted)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
