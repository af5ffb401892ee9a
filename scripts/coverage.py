#!/usr/bin/env python3
"""coverage.py - tables of what was executed, from the counters that a build with ORRERY_COVERAGE leaves.

  scripts/coverage.py --build DIR                  folders, rooms, and the files below 90 %
  scripts/coverage.py --build DIR --file FILE      the lines of FILE that nothing executed
  scripts/coverage.py --build DIR --markdown       the table of folders, for docs/testing.md
  scripts/coverage.py --build DIR --check          fails where a folder is below scripts/coverage.floors; --raise writes them

Counted are lines, functions and branches of the project's own .c, .h and .def files, as gcov sees them: a header's
lines count once, whoever includes it. What Flex and Bison made does not count.
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FLOORS = os.path.join(ROOT, "scripts", "coverage.floors")
LIBRARIES = ["base", "vcode", "compiler", "vm", "netsim", "traffic", "mpi", "machine", "monitor", "gui", "cli"]
AIM = 90.0
SLACK = 0.3  # a floor is not missed by what times and thread interleavings decide


class Source:
    def __init__(self):
        self.lines, self.functions, self.branches = {}, {}, {}

    def counts(self):
        """(executed, all) of lines, functions, branches."""
        return [(sum(1 for count in kind.values() if count), len(kind))
                for kind in (self.lines, self.functions, self.branches)]

    def take(self, report):
        for line in report["lines"]:
            number = line["line_number"]
            self.lines[number] = self.lines.get(number, 0) + line["count"]
            for place, branch in enumerate(line["branches"]):
                if not branch["throw"]:
                    key = (number, place)
                    self.branches[key] = self.branches.get(key, 0) + branch["count"]
        for function in report["functions"]:
            key = function["start_line"], function["name"]
            self.functions[key] = self.functions.get(key, 0) + function["execution_count"]


def read(build):
    """Source by its path below the root."""
    notes = []
    for folder, _, names in sorted(os.walk(build)):
        if "/tests/" not in folder + "/" and "/bench/" not in folder + "/":
            notes += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".gcno")]
    sources = {}
    for start in range(0, len(notes), 40):
        told = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities"] + notes[start:start + 40],
                              capture_output=True, text=True, cwd=build)
        for text in told.stdout.splitlines():
            if not text.startswith("{"):
                continue
            for report in json.loads(text)["files"]:
                path = os.path.relpath(os.path.realpath(os.path.join(ROOT, report["file"])), ROOT)
                if path.split("/")[0] in LIBRARIES:
                    sources.setdefault(path, Source()).take(report)
    return sources


def percent(executed, everything):
    return 100.0 * executed / everything if everything else 100.0


def summed(sources, belongs):
    total = [[0, 0], [0, 0], [0, 0]]
    for path, source in sources.items():
        if belongs(path):
            for place, (executed, everything) in enumerate(source.counts()):
                total[place][0] += executed
                total[place][1] += everything
    return total


def row(form, name, total):
    return form % tuple([name, total[0][1]] + [percent(*kind) for kind in total])


def rooms_of(sources):
    """Folders in the order of the libraries, their rooms behind them."""
    for library in LIBRARIES:
        if any(path.startswith(library + "/") for path in sources):
            yield library, library, lambda path, library=library: path.startswith(library + "/")
            rooms = sorted({os.path.dirname(path) for path in sources if path.startswith(library + "/")})
            for room in rooms if len(rooms) > 1 else []:
                name = "  " + room if room != library else "  %s, at the top" % room
                yield room, name, lambda path, room=room: os.path.dirname(path) == room


def print_tables(sources, brief):
    form = "%-28s %7d %7.1f %9.1f %8.1f"
    print("%-28s %7s %7s %9s %8s" % ("folder", "lines", "%", "functions", "branches"))
    for _, name, belongs in rooms_of(sources):
        if not brief or not name.startswith(" "):
            print(row(form, name, summed(sources, belongs)))
    print(row(form, "all", summed(sources, lambda path: True)))
    if not brief:
        below = [(percent(*source.counts()[0]), path, source) for path, source in sources.items()
                 if percent(*source.counts()[0]) < AIM]
        print("\n%d of %d files below %g %%%s" % (len(below), len(sources), AIM, ":" if below else ""))
        for _, path, source in sorted(below, key=lambda each: each[:2]):
            print(row("%-44s %7d %7.1f %9.1f %8.1f", path, source.counts()))


def print_markdown(sources):
    print("| folder | lines | executed | functions | branches |\n|---|---|---|---|---|")
    for _, name, belongs in rooms_of(sources):
        if not name.startswith(" "):
            print(row("| %s | %d | %.1f %% | %.1f %% | %.1f %% |", "`%s`" % name, summed(sources, belongs)))
    print(row("| %s | %d | %.1f %% | %.1f %% | %.1f %% |", "all", summed(sources, lambda path: True)))


def print_file(sources, path):
    source = sources.get(path)
    if not source:
        sys.exit("coverage.py: nothing is known of %s" % path)
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            if source.lines.get(number) == 0:
                print("%5d  %s" % (number, text.rstrip()))


def reached(sources):
    """Of the libraries that have a floor."""
    return {room: percent(*summed(sources, belongs)[0]) for room, name, belongs in rooms_of(sources)
            if not name.startswith(" ") and room in read_floors()}


def read_floors():
    if not os.path.exists(FLOORS):
        return {}
    with open(FLOORS, encoding="utf-8") as file:
        words = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {room: float(least) for room, least in words}


def check(sources):
    floors, fallen = read_floors(), 0
    for room, now in reached(sources).items():
        least = floors[room]
        print("%-9s %5.1f %%, at least %.1f" % (room, now, least))
        if now < least - SLACK:
            print("coverage: the unit tests of %s/ execute less of it than they did" % room)
            fallen += 1
    return not fallen


def write_floors(sources):
    floors, found = read_floors(), reached(sources)
    with open(FLOORS, "w", encoding="utf-8") as file:
        file.write("# The least share of lines, in percent, that the unit tests of a library execute of it, for those that they alone\n"
                   "# cover. scripts/coverage.sh --check holds a change to it, in CI; --raise writes down that it is more. To lower\n"
                   "# one is an edit by hand, with a reason in the commit.\n")
        for room, now in found.items():
            file.write("%-9s %5.1f\n" % (room, max(now - 0.05, floors[room])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "coverage"))
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--file", metavar="FILE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--raise", action="store_true", dest="write")
    options = parser.parse_args()
    sources = read(os.path.abspath(options.build))
    if not sources:
        sys.exit("coverage.py: %s has counted nothing; scripts/coverage.sh builds and runs" % options.build)
    if options.file:
        print_file(sources, options.file)
    elif options.markdown:
        print_markdown(sources)
    elif not options.check and not options.write:
        print_tables(sources, options.brief)
    if options.write:
        write_floors(sources)
    if options.check and not check(sources):
        sys.exit(1)


if __name__ == "__main__":
    main()
