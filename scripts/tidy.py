#!/usr/bin/env python3
"""tidy.py - clang-tidy over the project's own C files, held to scripts/tidy.counts.

  scripts/tidy.py                      all files; fails where a folder has more complaints of a check than are known
  scripts/tidy.py FILE... | FOLDER...  these only
  scripts/tidy.py --changed [BASE]     what is changed since BASE (origin/main or main unless told), and what is not
                                       committed; of more than --most files, so many of them
  scripts/tidy.py --lower [FOLDER...]  writes down what is left, of all files or of these folders; no count rises by that

scripts/tidy.counts has a row for each folder and check that still has complaints: they may only become fewer. A row
"FOLDER any uncounted" says that nobody has counted a folder yet: what is found there is told and fails nothing. Needs
clang-tidy 14 and the compile commands of --build (build/sanitize unless told: asserts tell the analyser what is known).
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COUNTS = os.path.join(ROOT, "scripts", "tidy.counts")
COMPLAINT = re.compile(r"^(/\S+?):(\d+):(\d+): (?:warning|error): .*\[([a-z][\w.,-]*)\]$")


def git(*words):
    told = subprocess.run(("git",) + words, cwd=ROOT, capture_output=True, text=True)
    return told.stdout.split("\n") if told.returncode == 0 else []


def compiled(build):
    """The project's .c files that the build compiles, from the root."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        paths = {os.path.relpath(os.path.realpath(entry["file"]), ROOT) for entry in json.load(file)}
    return {path for path in paths if not path.startswith(("build", ".."))}


def changed(base):
    if not base:
        base = next((name for name in ("origin/main", "main") if git("rev-parse", "--verify", "-q", name)), "HEAD~1")
    start = (git("merge-base", base, "HEAD") or [base])[0] or base
    if start == git("rev-parse", "HEAD")[0]:  # on main itself
        start = "HEAD~1"
    return set(git("diff", "--name-only", "--diff-filter=d", start)) | set(git("ls-files", "--others", "--exclude-standard"))


def look(tool, build, path):
    told = subprocess.run([tool, "--quiet", "-p", build, path], cwd=ROOT, capture_output=True, text=True)
    found, broken = set(), []
    for line in told.stdout.splitlines() + told.stderr.splitlines():
        match = COMPLAINT.match(line)
        if match:
            checks = [check for check in match.group(4).split(",") if check != "-warnings-as-errors"]
            place = os.path.relpath(os.path.realpath(match.group(1)), ROOT), int(match.group(2)), int(match.group(3))
            found.add((place, checks[0], line.replace(ROOT + "/", "").replace(",-warnings-as-errors", "")))
            if checks[0] == "clang-diagnostic-error":
                broken.append(line)
    return found, broken


def read_counts():
    counts, uncounted = collections.Counter(), set()
    if os.path.exists(COUNTS):
        with open(COUNTS, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    folder, check, count = line.split()
                    if count == "uncounted":
                        uncounted.add(folder)
                    else:
                        counts[folder, check] = int(count)
    return counts, uncounted


def write_counts(counts, uncounted):
    with open(COUNTS, "w", encoding="utf-8") as file:
        file.write("# Complaints of clang-tidy that are left, by folder and check. They may only become fewer: scripts/tidy.py\n"
                   "# fails where there are more, and `scripts/tidy.py --lower` writes down that there are fewer.\n")
        for (folder, check), count in sorted(counts.items()):
            if count:
                file.write("%-9s %-52s %4d\n" % (folder, check, count))
        for folder in sorted(uncounted):
            file.write("%-9s any uncounted\n" % folder)


def chosen(options, known):
    """The files to look at, and whether that is all of them."""
    if options.changed is not None:
        paths = sorted(changed(options.changed) & known)
        if len(paths) > options.most:
            print("clang-tidy looks at %d of the %d files that are changed; scripts/lint.sh tidy takes all" % (options.most, len(paths)))
            paths = [paths[place * len(paths) // options.most] for place in range(options.most)]
        return paths, False
    if options.paths:
        paths = [os.path.relpath(os.path.abspath(path), ROOT) for path in options.paths]
        return sorted(file for file in known if any(file == path or file.startswith(path + "/") for path in paths)), False
    return sorted(known), True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--changed", nargs="?", const="", metavar="BASE")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--lower", action="store_true")
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "sanitize"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    tool = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if not tool:
        sys.exit("tidy.py: clang-tidy is not installed (Debian: clang-tidy-14)")
    build = os.path.abspath(options.build)
    if not os.path.exists(os.path.join(build, "compile_commands.json")):
        sys.exit("tidy.py: %s has no compile commands; cmake --preset sanitize" % options.build)

    if options.lower and (options.changed is not None or any("/" in path.strip("/") for path in options.paths)):
        sys.exit("tidy.py: --lower counts whole folders of the tree")
    paths, whole = chosen(options, compiled(build))
    complaints, failed = {}, False
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (found, broken) in zip(paths, pool.map(lambda path: look(tool, build, path), paths)):
            for line in broken:
                print(line)
                failed = True
            for place, check, text in found:  # those in a header are told once, whoever includes it
                complaints[place, check] = text
    counts = collections.Counter((place[0].split("/")[0], check) for place, check in complaints)
    known, uncounted = read_counts()
    for key, count in sorted(counts.items()):
        if count > known[key] and not (options.lower and key[0] in uncounted):
            failed = failed or key[0] not in uncounted
            print("%s/: %d complaints of %s, and %d are known:" % (key[0], count, key[1], known[key]))
            for (place, check), text in sorted(complaints.items()):
                if (place[0].split("/")[0], check) == key:
                    print("  " + text)
    if options.lower and not failed:
        looked_at = {path.split("/")[0] for path in paths}
        for key, count in known.items():  # of folders that were not looked at
            if key[0] not in looked_at:
                counts[key] = count
        write_counts(counts, uncounted - looked_at)
    elif whole:
        fewer = [key for key, count in known.items() if counts[key] < count]
        if fewer:
            print("fewer than known: %s; scripts/tidy.py --lower writes that down" % ", ".join("%s %s" % key for key in sorted(fewer)))
    print("clang-tidy: %d files, %d complaints%s" % (len(paths), len(complaints), "" if failed else ", none of them new"))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
