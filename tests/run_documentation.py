#!/usr/bin/env python3
"""What the documentation says is what happens: its commands are run, its output and links compared.

Commands are lines that begin with "$ " in indented blocks of README.md and docs/, and those behind "Run:" at the top of samples. One
that starts with "!" must fail, any other must end with exit status 0. Lines below a command are what it prints: they must be in its
output, with "..." for anything, however lines are broken, and files named without their directories. Commands of a page run one
after the other in one copy of the tree's samples, tests and kernels, so that a later one may use what an earlier one has written.

    run_documentation.py --bin build/release/bin [PAGE...]
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Command:
    def __init__(self, line, text):
        self.line, self.text, self.output = line, text, []


def commands_of_page(text):
    """The commands of the indented blocks; what follows one up to the next line that is not indented is its output."""
    result, command = [], None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped and not line.startswith("    "):
            command = None
        elif stripped.startswith("$ ") and line.startswith("    "):
            command = Command(number, stripped[2:])
            result.append(command)
        elif command and command.text.endswith("\\"):
            command.text = command.text[:-1] + stripped
        elif command and stripped:
            command.output.append(stripped)
    return result


def commands_of_sample(text):
    """Those behind "Run:" in the comment at the top, whose first line says which samples are wrong on purpose."""
    fails = "wrong on purpose" in text.split("\n")[0]
    return [Command(text[:found.start()].count("\n") + 1, ("! " if fails else "") + found[1])
            for found in re.finditer(r"(?m)^ \* Run: +(.*)$", text)]


def commands_of_tables(text):
    """What tables of things to type say, for files that are named as examples. The window needs a screen."""
    result, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        inside = line.startswith("|") and (inside or line.startswith("| you want to | type |"))
        for command in re.findall(r"`(orrery [^`]*)`", line) if inside else []:
            if "gui" not in command:
                result.append(Command(number, command.replace("...", "hello.c")))
    return result


def squeezed(text):
    """Without directories, and with one blank between any two words."""
    return " ".join(re.sub(r"(?<![\w<])[\w.~-]*/(?:[\w.-]+/)*([\w-]+\.\w+)", r"\1", text).split())


def shows(expected, actual):
    pieces = [squeezed(piece) for piece in " ".join(expected).split("...")]
    return re.search(".*?".join(re.escape(piece) for piece in pieces), squeezed(actual))


class Documentation:
    def __init__(self, options):
        self.options, self.passed, self.failures = options, 0, []
        self.environment = dict(os.environ, PATH=os.path.abspath(options.bin) + os.pathsep + os.environ["PATH"])
        self.environment.setdefault("LANG", "C.UTF-8")  # the user guide's examples hand it to ranks

    def wrong(self, path, line, message):
        self.failures.append("%s:%d: %s" % (os.path.relpath(path, ROOT), line, message))
        print(self.failures[-1], flush=True)

    def orrery(self, *arguments):
        return subprocess.run([os.path.join(self.options.bin, "orrery"), *arguments], capture_output=True, text=True, check=True,
                              timeout=60).stdout

    # -- commands

    def workplace(self):
        """A directory that looks like the project's, where commands may write."""
        folder = tempfile.TemporaryDirectory(prefix="orrery-documentation-")
        for name in ("samples", "tests", "bench", "configs"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder.name, name))
        os.mkdir(os.path.join(folder.name, "build"))
        os.symlink(os.path.dirname(os.path.abspath(self.options.bin)), os.path.join(folder.name, "build", "release"))
        for name in ("hello.c", "a.c"):
            os.symlink(os.path.join(ROOT, "samples", "greetings.c"), os.path.join(folder.name, name))
        with open(os.path.join(folder.name, "b.c"), "w", encoding="utf-8") as file:
            file.write("int b;\n")
        return folder

    def run_commands(self, path, commands):
        with self.workplace() as folder:
            for command in commands:
                self.run_one(path, command, folder)

    def run_one(self, path, command, folder):
        start = time.monotonic()
        try:
            done = subprocess.run(["bash", "-c", command.text], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            self.wrong(path, command.line, "takes more than two minutes: " + command.text)
            return
        out = done.stdout.decode(errors="replace")
        if self.options.times:
            print("%6.2f s  %s" % (time.monotonic() - start, command.text))
        if done.returncode:
            self.wrong(path, command.line, "exit status %d: %s\n%s" % (done.returncode, command.text, out[-1500:]))
        elif command.output and not shows(command.output, out):
            self.wrong(path, command.line, "%s does not print\n  %s\nbut\n%s" % (command.text, "\n  ".join(command.output),
                                                                                out[-3000:]))
        else:
            self.passed += 1

    # -- links

    def anchors(self, path):
        headings = re.findall(r"(?m)^#+ (.*)$", read(path))
        return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}

    def check_links(self, path):
        text = read(path)
        for found in re.finditer(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)", text):
            line = text[:found.start()].count("\n") + 1
            if found[1].startswith("http"):
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path), found[1])) if found[1] else path
            if not os.path.exists(target):
                self.wrong(path, line, "there is no %s" % found[1])
            elif found[2] and found[2] not in self.anchors(target):
                self.wrong(path, line, "%s has no heading #%s" % (found[1] or "this page", found[2]))
            else:
                self.passed += 1


OTHER_PRINTERS = {"cli.others": ("programs", "cli", "test_others.py"), "diagnostics": ("run_diagnostics.py",)}


def check_marks(documentation, path):
    """<!-- printed by TEST: WHAT -->: there is such a test, and it prints that."""
    text = read(path)
    for found in re.finditer(r"<!-- printed( by (test_(\w+)|cli\.others|diagnostics))?: *(\w*)", text):
        line = text[:found.start()].count("\n") + 1
        file = os.path.join(ROOT, "tests", "unit", found[3], "test_pages.c") if found[3] else os.path.join(
            ROOT, "tests", *OTHER_PRINTERS.get(found[2], ("none",)))
        if not found[1] or not os.path.exists(file) or found[4] not in read(file):
            documentation.wrong(path, line, "nobody prints " + found[0])
        else:
            documentation.passed += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"))
    parser.add_argument("--times", action="store_true", help="print how long each command takes")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="only these pages and samples")
    options = parser.parse_args()
    documentation = Documentation(options)
    pages = sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True)) + [
        os.path.join(ROOT, page) for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md")]
    samples = sorted(glob.glob(os.path.join(ROOT, "samples", "*.c")))
    chosen = [os.path.abspath(page) for page in options.pages]
    for path in chosen or pages + samples:
        text = read(path)
        documentation.run_commands(path, commands_of_sample(text) if path.endswith(".c") else commands_of_page(text))
        if path.endswith(".md"):
            documentation.run_commands(path, commands_of_tables(text))
            documentation.check_links(path)
            check_marks(documentation, path)
    print("%d passed, %d failed" % (documentation.passed, len(documentation.failures)))
    return 1 if documentation.failures or not documentation.passed else 0


if __name__ == "__main__":
    sys.exit(main())
