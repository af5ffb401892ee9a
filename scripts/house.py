#!/usr/bin/env python3
"""house.py - the structure of the code as it is: rooms, calls between them, sizes, names.

  scripts/house.py [--build DIR]           a table for each library and the sum, for reading
  scripts/house.py --check [--build DIR]   says what breaks the rules of docs/architecture.md; fails if anything does.
                                           With ORRERY_UPDATE=1, writes the page's table of rooms first
  scripts/house.py --upward|--names ROOM   lists calls that go upwards from ROOM ("mpi", "mpi/core"; "all"), or the
                                           external functions there that name neither their room nor their file

It reads what was compiled (nm over the objects of DIR, build/release unless told) and the CMakeLists.txt of the
libraries, which say what may use what. The rules:

  - a call goes to the same room, or to a room or library that CMakeLists.txt names as a dependency, at any distance
  - a room shows at most one .h to others, and so does a library, but for those in SEVERAL
  - what DEPENDS names is used: a header of it is included or a function of it called
  - CMakeLists.txt says in one line what each room is for; docs/architecture.md has the table that is made of that
  - a folder has at most 25 .c files
  - a .c file has at most 800 lines
  - an external function has a word of its room or its file in its name, or begins as PREFIXES says
"""
import argparse
import os
import re
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST_FILES, MOST_LINES = 25, 800

# Names that say where they belong in another way.
PREFIXES = {
    "mpi_do_": "the handler of an MPI function: functions.def makes it of the function's name",
    "mpi_part_": "a part of a world: parts.def makes it of the part's name",
    "threads_do_": "the handler of a function of threads: functions.def makes it",
    "threads_world_": "what threads.h declares for the layers above, wherever in threads/ it is done",
    "mpi_world_": "what mpi_world.h declares for the layers above, wherever in mpi/ it is done",
}

# Libraries and rooms that show more than one header, and why.
SEVERAL = {
    "monitor": "profile.h is for those who make other formats of a profile, look.h for those who look into a machine",
    "compiler": "inquiries come out as the typed tree, for debuggers",
    "base": "what has no subject, a header for each",
    "vcode": "the format; what calls agree on; what instructions compute, for those who do",
    "vm": "running programs; typed values, for debuggers and reports",
    "vm/check": "checks; what each instruction does to shades, for the loop",
    "mpi/core": "worlds, calls, handles and hooks",
    "mpi/type": "datatypes; envelopes",
    "threads/core": "calls and queues; how the program's objects lie in its memory",
    "machine/run": "a Machine; its tasks, output, groups of ranks and budget, for those who explain a stop",
    "mpi/collective": "operations; schedules; what they share",
    "cli/export": "formats; text that is made piece by piece, for other texts of `orrery trace`",
}
PAGE = os.path.join(ROOT, "docs", "architecture.md")
MARKS = "<!-- rooms: scripts/house.py -->\n", "<!-- end -->\n"


def arguments_of(text, function):
    """The words of each call of a CMake function, comments left out."""
    text = re.sub(r"#.*", "", text)
    return [found.group(1).split() for found in re.finditer(r"^\s*%s\(([^)]*)\)" % function, text, re.M)]


def keyword(words, name):
    keywords = {"ENGINE", "PUBLIC", "DEPENDS", "LINK", "SOURCES", "VARIANTS"}
    taken, on = [], False
    for word in words:
        if word in keywords:
            on = word == name
        elif on:
            taken.append(word)
    return taken


def symbols_of(objects):
    """(object, external symbols that it defines, those that it uses), in the order of the objects."""
    if not objects:
        return []
    told = subprocess.run(["nm", "-P", "-g"] + objects, capture_output=True, text=True, check=True).stdout
    found = {path: (set(), set()) for path in objects}
    defined, used = found[objects[0]]
    for words in map(str.split, told.splitlines()):
        if len(words) == 1:  # "OBJECT:", of several only
            defined, used = found[words[0][:-1]]
        elif words[1] == "U":
            used.add(words[0])
        elif words[0] not in ("__gnu_lto_slim", "__gnu_lto_v1", "main"):
            defined.add(words[0])
    return [(path, *found[path]) for path in objects]


class House:
    """Rooms in the order of CMakeLists.txt; what each may use; its files and what they define and use."""

    def __init__(self, build):
        self.build = build
        self.rooms = {}  # room -> the rooms and libraries that it names
        self.named = {}  # the same, of its own DEPENDS
        self.shown = {}  # room -> its public headers
        self.purpose = {}  # room -> what it is for: lines "#   ROOM  text" of CMakeLists.txt
        with open(os.path.join(ROOT, "CMakeLists.txt")) as file:
            folders = [words[0] for words in arguments_of(file.read(), "add_subdirectory")]
        for folder in folders:
            path = os.path.join(ROOT, folder, "CMakeLists.txt")
            if os.path.exists(path):
                with open(path) as file:
                    self.read_library(file.read())
        self.files = {}  # source -> (room, defined, used)
        self.owner = {}  # symbol -> source
        self.read_objects()

    def read_library(self, text):
        for words in arguments_of(text, "orrery_library"):
            library, below = words[0], keyword(words, "DEPENDS")
            rooms = [room for room in arguments_of(text, "orrery_room") if room[0] == library]
            self.named[library], self.shown[library] = below, keyword(words, "PUBLIC")
            for name, purpose in re.findall(r"^#   ([a-z0-9_]+) +(.*)$", text, re.M):
                self.purpose["%s/%s" % (library, name)] = purpose
            for room in rooms:
                name = "%s/%s" % (library, room[1])
                self.shown[name] = keyword(room, "PUBLIC")
                self.named[name] = ["%s/%s" % (library, other) for other in keyword(room, "DEPENDS")]
                self.rooms[name] = ["%s/%s" % (library, other) for other in keyword(room, "DEPENDS")] + below
            self.rooms[library] = ["%s/%s" % (library, room[1]) for room in rooms] + below
            for words in arguments_of(text, "target_link_libraries"):  # a variant of a room that uses more
                for room in rooms:
                    if words[0].startswith("orrery_%s_%s_" % (library, room[1])):
                        self.rooms["%s/%s" % (library, room[1])] += re.findall(r"\borrery_(\w+)_offers\b", " ".join(words))

    def read_objects(self):
        sources = {}  # object -> (source, room)
        for folder, _, names in sorted(os.walk(self.build)):
            found = re.match(r".*/CMakeFiles/orrery_([a-z0-9_]+)\.dir(?:/(.*))?$", folder)
            library = os.path.relpath(folder, self.build).split(os.sep)[0]
            if not found or library not in self.rooms:
                continue
            for name in sorted(names):
                if name.endswith(".c.o"):
                    path = os.path.join(folder, name)
                    sources[path] = self.source_of(library, path, found.group(2) or "", name[:-2])
        for path, defined, used in symbols_of([path for path in sources if sources[path]]):
            source, room = sources[path]
            self.files[source] = (room, defined, used)
            for symbol in defined:
                self.owner.setdefault(symbol, source)

    def source_of(self, library, path, inside, name):
        """The source of an object and its room. None: it counts for nothing."""
        source = os.path.join(library, inside, name) if not inside.startswith("__") else os.path.join(library, name)
        room = os.path.dirname(source)
        if not os.path.exists(os.path.join(ROOT, source)):  # made when building: lexer, parser
            if name == "empty.c":
                return None
            if not os.path.exists(os.path.join(self.build, library, name)):  # an object of a file that has moved since
                return None
            found = re.match(r".*orrery_%s_([a-z0-9_]+)\.dir" % library, path)
            room = "%s/%s" % (library, found.group(1)) if found else library
        return source, room if room in self.rooms else library

    def allowed(self, room):
        """All that a room may use: what it names and what those name, and itself."""
        seen, left = set(), [room]
        while left:
            now = left.pop()
            if now not in seen:
                seen.add(now)
                left += self.rooms.get(now, [])
        return seen

    def edges(self):
        """(source, source, symbols) of different files."""
        for source, (_, _, used) in sorted(self.files.items()):
            targets = {}
            for symbol in used:
                target = self.owner.get(symbol)
                if target and target != source:
                    targets.setdefault(target, set()).add(symbol)
            for target, symbols in sorted(targets.items()):
                yield source, target, sorted(symbols)

    def upward(self):
        may = {room: self.allowed(room) for room in self.rooms}
        for source, target, symbols in self.edges():
            if self.files[target][0] not in may[self.files[source][0]]:
                yield source, target, symbols

    def circle(self, library):
        """The largest set of a library's files each of which reaches each other by calls."""
        calls = {}
        for source, target, _ in self.edges():
            if source.split("/")[0] == library == target.split("/")[0]:
                calls.setdefault(source, []).append(target)
        order, seen = [], set()

        def visit(start, links, out):
            stack = [(start, iter(links.get(start, [])))]
            seen.add(start)
            while stack:
                node, each = stack[-1]
                for following in each:
                    if following not in seen:
                        seen.add(following)
                        stack.append((following, iter(links.get(following, []))))
                        break
                else:
                    stack.pop()
                    out.append(node)

        for source in sorted(calls):
            if source not in seen:
                visit(source, calls, order)
        back = {}
        for source, targets in calls.items():
            for target in targets:
                back.setdefault(target, []).append(source)
        seen.clear()
        largest = []
        for source in reversed(order):
            if source not in seen:
                component = []
                visit(source, back, component)
                largest = max(largest, component, key=len)
        return largest if len(largest) > 1 else []

    def nameless(self, source):
        """External functions and objects of a file whose names have no word of their room or file."""
        room, defined, _ = self.files[source]
        words = set(re.split(r"[_/.]", os.path.splitext(os.path.basename(source))[0]))
        words |= set(re.split(r"[_/]", room)[1:])
        words |= {word[:-1] for word in words if word.endswith("s") and len(word) > 3}
        words |= {word[:-3] + "y" for word in words if word.endswith("ies")}
        words |= {word + "s" for word in words}
        return sorted(symbol for symbol in defined
                      if not set(symbol.split("_")[1:]) & words and not symbol.startswith(tuple(PREFIXES)))


def lines_of(source):
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        return sum(1 for _ in file)


def table(house):
    print("%-22s %5s %7s %7s %6s %7s %7s %6s" % ("room", "files", "median", "longest", "edges", "upward", "circle", "named"))
    upward = list(house.upward())
    edges = list(house.edges())
    libraries = sorted({room.split("/")[0] for room in house.rooms}, key=list(house.rooms).index)
    for library in libraries:
        for room in [library] + [room for room in house.rooms if room.startswith(library + "/")]:
            inside = [s for s, (r, _, _) in house.files.items() if r == room or (room == library and r.startswith(room + "/"))]
            if not inside:
                continue
            lines = [lines_of(source) for source in inside if os.path.exists(os.path.join(ROOT, source))]
            symbols = sum(len(house.files[source][1]) for source in inside)
            nameless = sum(len(house.nameless(source)) for source in inside)
            crossing = [e for e in edges if e[0] in inside and house.files[e[1]][0] != house.files[e[0]][0]]
            up = [e for e in upward if e[0] in inside]
            circle = len(house.circle(room)) if room == library else ""
            print("%-22s %5d %7d %7d %6d %7d %7s %5d%%" % (room if room == library else "  " + room, len(inside),
                  statistics.median(lines or [0]), max(lines or [0]), len(crossing), len(up), circle,
                  100 * (symbols - nameless) / max(symbols, 1)))


def included(room):
    """What the files of a room include, or of a library with all its rooms: "netsim/core/core.h"."""
    found = set()
    for folder, inside, names in os.walk(os.path.join(ROOT, room)):
        if "/" in room:
            inside.clear()
        for name in names:
            if name.endswith((".c", ".h", ".l", ".y", ".def")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found.update(re.findall(r'^#include "([^"]+)"', file.read(), re.M))
    return found


def check_rooms(house):
    """What is wrong with what rooms show, name and say of themselves."""
    calls = {(part, house.files[target][0]) for source, target, _ in house.edges()
             for part in (house.files[source][0], source.split("/")[0])}
    for room, shown in house.shown.items():
        headers = [name for name in shown if name.endswith(".h")]
        if len(headers) > 1 and room not in SEVERAL:
            yield "%s: shows %s; a room has one header" % (room, ", ".join(headers))
        uses = {os.path.dirname(path) for path in included(room)}
        for name in house.named[room]:
            if name not in uses and (room, name) not in calls:
                yield "%s: DEPENDS names %s, of which it uses nothing" % (room, name)
        if "/" in room and room not in house.purpose:
            yield '%s: CMakeLists.txt has no line "#   %s  what it is for"' % (room, room.split("/")[1])
    for room in house.purpose:
        if room not in house.rooms:
            yield "%s: CMakeLists.txt says what it is for, but there is none" % room


def table_of_rooms(house):
    """For docs/architecture.md, in the order of CMakeLists.txt."""
    lines = ["| room | what it is for | stands on |", "|---|---|---|"]
    for room in house.rooms:
        if "/" in room:
            below = ", ".join("`%s`" % name.split("/")[1] for name in house.named[room])
            lines.append("| `%s` | %s | %s |" % (room, house.purpose.get(room, ""), below))
    return "\n".join(lines) + "\n"


def check_page(house):
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(MARKS[0])
    now = before + MARKS[0] + table_of_rooms(house) + MARKS[1] + rest.split(MARKS[1], 1)[1]
    if now == text:
        return []
    if os.environ.get("ORRERY_UPDATE") != "1":
        return ["docs/architecture.md: its table of rooms is not what CMakeLists.txt says; ORRERY_UPDATE=1 "
                "scripts/house.py --check writes it"]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(now)
    return []


def check(house):
    wrong = list(check_rooms(house)) + check_page(house)
    for source, target, symbols in house.upward():
        wrong.append("%s: calls %s of %s, which its CMakeLists.txt does not name as below it" %
                     (source, ", ".join(symbols), target))
    for source in house.files:
        if os.path.exists(os.path.join(ROOT, source)):
            if lines_of(source) > MOST_LINES:
                wrong.append("%s: %d lines; at most %d, with one subject" % (source, lines_of(source), MOST_LINES))
            for symbol in house.nameless(source):
                wrong.append("%s: %s names neither its room nor its file" % (source, symbol))
    folders = {}
    for source in house.files:
        folders.setdefault(os.path.dirname(source), []).append(source)
    for folder, sources in sorted(folders.items()):
        if len(sources) > MOST_FILES:
            wrong.append("%s: %d files; at most %d, then it wants rooms" % (folder, len(sources), MOST_FILES))
    for line in wrong:
        print(line)
    print("%d files in %d rooms, %d complaints" % (len(house.files), len(house.rooms), len(wrong)))
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--upward", metavar="ROOM")
    parser.add_argument("--names", metavar="ROOM")
    parser.add_argument("--circle", metavar="LIBRARY")
    options = parser.parse_args()
    house = House(options.build)
    if not house.files:
        sys.exit("house.py: %s has no objects; build first, or name another folder by --build" % options.build)

    def asked(source, room):
        return room == "all" or source.startswith(room + "/")

    if options.upward:
        for source, target, symbols in house.upward():
            if asked(source, options.upward):
                print("%s -> %s: %s" % (source, target, ", ".join(symbols)))
    elif options.names:
        for source in sorted(house.files):
            if asked(source, options.names) and house.nameless(source):
                print("%s: %s" % (source, ", ".join(house.nameless(source))))
    elif options.circle:
        print("\n".join(sorted(house.circle(options.circle))))
    elif options.check:
        sys.exit(0 if check(house) else 1)
    else:
        table(house)


if __name__ == "__main__":
    main()
