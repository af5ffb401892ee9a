#!/usr/bin/env python3
"""Runs every command of the lessons, the guide and the pages on checks and mapping: lines that start with "$ " in an indented block of docs/.

A command that starts with "!" must fail. Anything else must end with exit status 0.

    run_lessons.py --bin build/release/bin
"""
import argparse
import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"))
    options = parser.parse_args()
    environment = dict(os.environ, PATH=os.path.abspath(options.bin) + os.pathsep + os.environ["PATH"])
    pages = sorted(glob.glob(os.path.join(ROOT, "docs", "lessons", "*.md"))) + [
        os.path.join(ROOT, "docs", name) for name in ("guide.md", "checks.md", "mapping.md")]
    passed = failed = 0
    for page in pages:
        with open(page, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for number, line in enumerate(lines, 1):
            if not line.startswith("    ") or not line.strip().startswith("$ "):
                continue
            command = line.strip()[2:]
            done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=120, check=False)
            if done.returncode == 0:
                passed += 1
            else:
                failed += 1
                print("%s:%d: exit status %d: %s\n%s" % (page, number, done.returncode, command,
                                                         done.stderr.decode(errors="replace")[-1500:]))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
