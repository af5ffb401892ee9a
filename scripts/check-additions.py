#!/usr/bin/env python3
"""check-additions.py - does what docs/architecture.md says of adding things: the table "To add one of these", by doing.

  scripts/check-additions.py                 all recipes of tests/additions in one copy of the tree; builds once
  scripts/check-additions.py topology ...    these only
  scripts/check-additions.py --plan          only whether the recipes can be followed; writes nothing (ctest additions)
  scripts/check-additions.py --list          the rows of the table, and which have no recipe

Every row has a recipe, and every file that a row names is there. A recipe adds a dummy of the kind. Its first line names
the row of the table. It fails if it changes a file that its row does not name, if the tree does not build, or if its
commands do not show the dummy. The copy is build/additions, and is kept, so that a second run builds little. Lines of a recipe, in which $NAME stands for what `let` has said:

  row KIND                         as the first column of the table has it
  let NAME = PATH                  a file or folder of the tree; all paths stand here, at the top
  copy FILE TO s/A/B/ ...          a new file, made of another by replacing words (Python's regular expressions)
  line FILE PATTERN s/A/B/ ...     the first line that matches, once more behind itself, changed
  function FILE NAME s/A/B/ ...    the definition of a function, once more behind itself, changed
  after FILE PATTERN               the lines below that begin with "| ", behind the first line that matches
  change FILE PATTERN s/A/B/ ...   the first line that matches, changed
  new FILE                         a file with the lines below that begin with "| "
  writes FILE                      which one of the commands writes
  build TARGET ...                 what has to be built
  run COMMAND                      in an empty folder, by the shell, with the built programs in PATH ...
  expect PATTERN                   ... must end with 0 and print this
"""
import argparse
import filecmp
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = "docs/architecture.md"
RECIPES = os.path.join(ROOT, "tests", "additions")
COPY = os.path.join(ROOT, "build", "additions", "tree")
BUILD = os.path.join(ROOT, "build", "additions", "build")


class Wrong(Exception):
    pass


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def table():
    """The rows of the page's table: kind -> text of the other columns."""
    text = read(os.path.join(ROOT, PAGE))
    part = text[text.index("## To add one of these"):]
    part = part[:part.index("\n## ", 5)] if "\n## " in part[5:] else part
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    return {row[0]: " | ".join(row[1:]) for row in rows[1:]}


def named_by(text):
    """What a row names -> a regular expression for paths: words in `...` with a dot or a slash, and links to pages. Words
    in capitals (NAME, CHAPTER) stand for any; of a file without its folder, any folder's counts."""
    text = re.sub(r"ctest `[^`]*`", "", text)
    names = [name.rstrip("/") for name in re.findall(r"`([^`\s]+)`", text)] + [os.path.normpath("docs/" + link) for link in re.findall(r"\]\(([^)#]+)", text)]
    expressions = {}
    for name in names:
        for each in braces(name):
            if "." in each[1:] or "/" in each:
                any_word = each if each.endswith(".md") else re.sub(r"(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z])", "%", each)
                expression = re.escape(any_word).replace("%", "[a-z0-9_]+").replace(r"\*", "[^/]*")
                expressions[each] = "^%s%s(/.*)?$" % ("" if "/" in each else "(.*/)?", expression)
    return expressions


def missing(rows):
    """What is wrong with the rows themselves: files that are not there any more."""
    paths = "\n".join(files_of_tree())
    return ["the row \"%s\" names %s, and there is no such file" % (kind, name) for kind, text in rows.items()
            for name, expression in named_by(text).items() if not re.search("(?m)" + expression, paths)]


def braces(name):
    found = re.match(r"(.*)\{([^}]*)\}(.*)", name)
    return [found[1] + word + found[3] for word in found[2].split(",")] if found else [name]


class Recipe:
    def __init__(self, path):
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.kind, self.steps, self.targets, self.proofs, self.written, names = None, [], [], [], [], {}
        for number, line in enumerate(read(path).splitlines(), 1):
            if line.startswith("|"):
                self.steps[-1][3].append(line[2:])
                continue
            line = re.sub(r"\$([A-Z_]+)", lambda found: names.get(found[1], found[0]), line)
            word, _, rest = line.partition(" ")
            rest = rest.strip()
            if not word or word.startswith("#"):
                continue
            if word == "row":
                self.kind = rest
            elif word == "let":
                name, _, value = rest.partition("=")
                names[name.strip()] = value.strip()
            elif word == "build":
                self.targets += rest.split()
            elif word == "writes":
                self.written.append(rest)
            elif word == "run":
                self.proofs.append([rest, ""])
            elif word == "expect":
                self.proofs[-1][1] = rest
            elif word in ("copy", "line", "function", "after", "change", "new"):
                self.steps.append((word, shlex.split(rest), number, []))
            else:
                raise Wrong("%s:%d: %s is none of the words of a recipe" % (path, number, word))

    def changes(self):
        """The files that it makes or changes."""
        return sorted({words[1] if step == "copy" else words[0] for step, words, _, _ in self.steps} | set(self.written))

    def follow(self):
        for step, words, number, lines in self.steps:
            try:
                getattr(self, "do_" + step)(words, lines)
            except (OSError, Wrong) as error:
                raise Wrong("%s, line %d: %s" % (self.name, number, error))

    def do_copy(self, words, _):
        write(words[1], replaced(text_of(words[0]), words[2:]))

    def do_new(self, words, lines):
        write(words[0], "\n".join(lines) + "\n")

    def do_line(self, words, _):
        text, found = self.find(words)
        write(words[0], text[:found.end()] + "\n" + replaced(found[0], words[2:]) + text[found.end():])

    def do_change(self, words, _):
        text, found = self.find(words)
        write(words[0], text[:found.start()] + replaced(found[0], words[2:]) + text[found.end():])

    def do_after(self, words, lines):
        text, found = self.find(words)
        write(words[0], text[:found.end()] + "\n" + "\n".join(lines) + text[found.end():])

    def do_function(self, words, _):
        text = text_of(words[0])
        found = re.search(r"(?ms)^[A-Za-z][^\n;]*\b%s\([^;{]*?\)\n\{\n.*?^\}\n" % re.escape(words[1]), text)
        if not found:
            raise Wrong("%s does not define %s" % (words[0], words[1]))
        write(words[0], text[:found.end()] + "\n" + replaced(found[0], words[2:]) + text[found.end():])

    @staticmethod
    def find(words):
        text = text_of(words[0])
        found = re.search("(?m)^.*%s.*$" % words[1], text)
        if not found:
            raise Wrong("%s has no line with %s" % (words[0], words[1]))
        return text, found


def replaced(text, changes):
    for change in changes:
        parts = re.split(r"(?<!\\)/", change)
        if len(parts) != 4 or parts[0] != "s":
            raise Wrong("%s is no s/A/B/" % change)
        text, count = re.subn(parts[1].replace(r"\/", "/"), parts[2].replace(r"\/", "/"), text)
        if not count:
            raise Wrong("nothing matches %s" % parts[1])
    return text


added = {}  # path -> text, of files that recipes have made or changed


def text_of(path):
    return added[path] if path in added else read(os.path.join(ROOT, path))


def write(path, text):
    added[path] = text


def files_of_tree():
    told = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in told.stdout.splitlines() if os.path.exists(os.path.join(ROOT, path))]


def content(path):
    with open(path, "rb") as file:
        return file.read()


def make_copy():
    """Makes the copy like the tree with what is added; files that stay the same keep their times, so that little is built
    anew. Answers what each file holds now, as a checksum."""
    paths = files_of_tree()
    for path in paths:
        source, target = os.path.join(ROOT, path), os.path.join(COPY, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if path not in added and (not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False)):
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    for path, text in added.items():
        target = os.path.join(COPY, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or read(target) != text:
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
    known = set(paths) | set(added)
    for folder, _, names in os.walk(COPY):
        for name in names:
            if os.path.relpath(os.path.join(folder, name), COPY) not in known:
                os.remove(os.path.join(folder, name))
    return checksums()


def checksums():
    sums = {}
    for folder, _, names in os.walk(COPY):
        for name in names:
            path = os.path.join(folder, name)
            if "__pycache__" not in path and not os.path.islink(path):
                sums[os.path.relpath(path, COPY)] = zlib.crc32(content(path))
    return sums


def build(recipes, jobs):
    targets = sorted({target for recipe in recipes for target in recipe.targets} | {"orrery", "orrery_runtime"})
    launcher = os.environ.get("CMAKE_C_COMPILER_LAUNCHER")
    steps = [["cmake", "--preset", "dev", "-B", BUILD, "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0", "-DORRERY_GUI=OFF"] +
             (["-DCMAKE_C_COMPILER_LAUNCHER=" + launcher] if launcher else []), ["ninja", "-C", BUILD, "-k", "0", "-j", str(jobs)] + targets]
    for step in steps:
        told = subprocess.run(step, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if told.returncode:
            lines = [line for line in told.stdout.splitlines() if re.search(r"error|FAILED|undefined|Error", line)]
            raise Wrong("does not build:\n  " + "\n  ".join(lines[:20] or told.stdout.splitlines()[-20:]))


def prove(recipe):
    environment = dict(os.environ, PATH="%s/bin:%s/tests:%s" % (BUILD, BUILD, os.environ["PATH"]), TREE=COPY,
                       ORRERY_CACHE=os.path.join(BUILD, "native-cache"))
    for command, pattern in recipe.proofs:
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        if told.returncode or not re.search(pattern, told.stdout):
            raise Wrong("%s: `%s` ends with %d and prints\n    %s" %
                        (recipe.name, command, told.returncode, "\n    ".join(told.stdout.splitlines()[-15:])))


def outside(recipe, rows):
    if recipe.kind not in rows:
        raise Wrong("%s: the table of %s has no row \"%s\"" % (recipe.name, PAGE, recipe.kind))
    expressions = named_by(rows[recipe.kind]).values()
    return [path for path in recipe.changes() if not any(re.match(expression, path) for expression in expressions)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipes", nargs="*")
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not shutil.which("git") or subprocess.run(["git", "rev-parse"], cwd=ROOT, capture_output=True).returncode:
        print("check-additions: without git, or in a tree that is no clone, nobody knows its files")
        sys.exit(77)
    rows = table()
    paths = [path for path in sorted(glob.glob(os.path.join(RECIPES, "*.recipe")))
             if not options.recipes or os.path.basename(path)[:-7] in options.recipes]
    failed = []
    recipes = [Recipe(path) for path in paths]
    if options.list:
        for kind in rows:
            print("%-36s %s" % (kind, ", ".join(recipe.name for recipe in recipes if recipe.kind == kind) or "no recipe"))
        return
    if not options.recipes:
        failed += missing(rows)
        failed += ["the row \"%s\" has no recipe" % kind for kind in rows if kind not in {recipe.kind for recipe in recipes}]
    followed = []
    for recipe in recipes:
        try:
            strange = outside(recipe, rows)
            recipe.follow()
            followed.append(recipe)
            if strange:
                raise Wrong("%s: had to change %s, which the row \"%s\" does not name" % (recipe.name, ", ".join(strange), recipe.kind))
            print("%-24s %s" % (recipe.name, " ".join(recipe.changes())))
        except Wrong as error:
            failed.append(str(error))
    if not options.plan:
        copied = make_copy()
        try:
            build(followed, options.jobs)
            for recipe in followed:
                try:
                    prove(recipe)
                except Wrong as error:
                    failed.append(str(error))
            written = {path for recipe in followed for path in recipe.written}
            for path, held in checksums().items():
                if copied.get(path) != held and path not in written:
                    failed.append("%s was changed by building or by a command, and no recipe names it" % path)
        except Wrong as error:
            failed.append(str(error))
    for message in failed:
        print("check-additions: " + message)
    print("%d recipes, %d failed" % (len(recipes), len(failed)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
