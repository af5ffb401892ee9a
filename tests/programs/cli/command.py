"""The `orrery` command as people use it: every sub-command, every kind of wrong usage, what is left behind.

    test_PART.py [--orrery build/release/bin/orrery] [TEST...]          TEST: Class or Class.test_name

Each test runs in an empty directory of its own with hello.c and others made there. Wrong usage must give one clear message,
a status that is not 0, and leave no file. CMake finds the parts: test_PART.py is ctest cli.PART.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orrery", default=os.path.join(ROOT, "build", "release", "bin", "orrery"))
    parser.add_argument("tests", nargs="*")
    return parser.parse_args()


ORRERY = os.path.abspath(arguments().orrery)

HELLO = open(os.path.join(HERE, "hello.c"), encoding="utf-8").read()
WRONG = "int main(void) { return x; }\n"
SPIN = "int main(void) { volatile int i = 0; for (;;) i++; }\n"

ALL_TO_ALL = """#include <mpi.h>
int main(int argc, char **argv)
{
    static char out[16 * 1200], in[16 * 1200];
    int rank;
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alltoall(out, 1200, MPI_CHAR, in, 1200, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Gather(out, 200, MPI_CHAR, in, 200, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
"""


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="orrery-cli-")
        self.make("hello.c", HELLO)

    def tearDown(self):
        self.folder.cleanup()

    def make(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.folder.name, name), "rb") as file:
            return file.read()

    def run_it(self, *arguments, stdin="", environment=None):
        done = subprocess.run(arguments, input=stdin.encode(), capture_output=True, cwd=self.folder.name, timeout=60,
                              env=dict(os.environ, **(environment or {})), check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def orrery(self, *arguments, **options):
        return self.run_it(ORRERY, *arguments, **options)

    def good(self, *arguments, **options):
        status, out, err = self.orrery(*arguments, **options)
        self.assertEqual(status, 0, err)
        return out, err

    def refused(self, pattern, *arguments, status=2, **options):
        """Refused with this status and a message like the pattern, and no new file."""
        before = sorted(os.listdir(self.folder.name))
        got, out, err = self.orrery(*arguments, **options)
        self.assertEqual(got, status, err)
        self.assertRegex(err, pattern)
        self.assertEqual(sorted(os.listdir(self.folder.name)), before, "something is left behind")
        return out, err


class Compiling(Command):
    """Tests of `orrery cc`."""

    def cc(self, *arguments, **options):
        return self.good("cc", *arguments, **options)

    def wrong(self, pattern, *arguments, **options):
        return self.refused(pattern, "cc", *arguments, status=1, **options)

    def value(self, *arguments):
        """What the program returns that these make."""
        self.cc("-o", "program", *arguments)
        return self.run_it("./program")[0]


def main():
    unittest.main(argv=[sys.argv[0]] + arguments().tests)
