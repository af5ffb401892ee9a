#!/usr/bin/env python3
"""The preprocessor reads an mpi.h without prototypes where nobody can tell. -trigraphs has it read the whole one. See
command.py."""
import os
import re

from command import Command, main

CALLS = """#include <mpi.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    return rank;
}
"""


class MpiHeader(Command):
    def both(self, *arguments):
        """Status, output and messages of a command, which must be the same with the whole header."""
        self.maxDiff = None
        usual, whole = (self.orrery(*arguments[:-1], *more, arguments[-1]) for more in ([], ["-trigraphs"]))
        self.assertEqual(usual, whole)
        return usual

    def objects(self, *flags):
        """The objects of m.c, which must be the same."""
        for name, more in ("short.o", []), ("whole.o", ["-trigraphs"]):
            self.good("cc", "-c", "-g", *flags, *more, "m.c", "-o", name)
        self.assertEqual(self.read("short.o"), self.read("whole.o"))

    def lines(self, *flags):
        """The lines of -E, without line markers, in any order."""
        return sorted(line for line in self.good("cc", "-E", *flags, "m.c")[0].splitlines() if line and line[0] != "#")

    def test_the_text_is_that_of_the_whole_header(self):
        self.make("m.c", CALLS)
        self.assertTrue(self.lines() == self.lines("-trigraphs"))
        text = self.good("cc", "-E", "m.c")[0]
        self.assertIn("int MPI_Send(", text)
        self.assertNotIn("-short", text)
        self.assertNotIn("#pragma orrery", text)
        self.objects()

    def test_prototypes_have_the_lines_of_the_header(self):
        self.make("m.c", CALLS)
        line, path, seen = 0, None, 0
        for text in self.good("cc", "-E", "m.c")[0].splitlines():
            marker = re.match(r'# (\d+) "(.*)"', text)
            if marker:
                line, path = int(marker[1]) - 1, marker[2]
            elif text.startswith("int MPI_"):
                source = self.read(path).decode().splitlines()[line - 1]
                self.assertEqual(source.split("(")[0], text.split("(")[0])
                seen += 1
            line += 1
        self.assertGreater(seen, 600)

    def test_macros_of_the_program_reach_prototypes(self):
        self.make("m.c", "#define MPI_Send wrapped\n" + CALLS + "int (*f)(const void *, int, MPI_Datatype, int, int, MPI_Comm) "
                         "= wrapped;\n")
        self.objects()
        text = re.sub(r"\n# .*", "", self.good("cc", "-E", "m.c")[0])
        self.assertRegex(text, r"int\s+wrapped\s+\(const void \*buf")
        self.make("m.c", CALLS + "int (*f)(int *, char ***) = mine;\n")
        self.objects("-DPMPI_Init=mine")
        for macro in "count=3", "MPI_Recv(a)=a", "int=long":
            self.both("cc", "-c", "-D" + macro, "m.c")

    def test_messages_are_those_of_the_whole_header(self):
        self.make("m.c", "#include <mpi.h>\n#define MPI_INT 5\nint main(void)\n{\n    MPI_Comm comm = 3;\n    MPI_Send(1, 2);\n"
                         "    MPI_Snd();\n    return MPI_INT;\n}\nstatic int MPI_Bcast(void);\n")
        status, _, said = self.both("cc", "-Wall", "-c", "m.c")
        self.assertEqual(status, 1)
        self.assertNotIn("-short", said)
        self.assertRegex(said, r"include/mpi\.h:\d+")
        self.make("m.c", "#define count 1\n" + CALLS.replace("rank;", "rank; MPI_Snd();"))
        self.both("cc", "-Wunused-macros", "-c", "m.c")
        self.make("m.c", "#include <mpi.h>\n#error here\n")
        self.both("cc", "-c", "m.c")

    def test_other_headers_of_that_name(self):
        os.mkdir(os.path.join(self.folder.name, "own"))
        self.make("own/mpi.h", "#define OWN 7\n#include_next <mpi.h>\n")
        self.make("m.c", CALLS.replace("return rank", "return OWN"))
        self.objects("-Iown")
        self.assertEqual(self.orrery("run", "-q", "-Iown", "m.c")[0], 7)
        self.make("mpi.h", "int MPI_Init(int *a, char ***b);\n")
        self.make("m.c", '#include "mpi.h"\nint main(void) { return MPI_Init(0, 0); }\n')
        self.objects()
        self.assertNotIn("MPI_Send", self.good("cc", "-E", "m.c")[0])

    def test_dependencies_and_standard_input(self):
        self.make("m.c", CALLS)
        self.assertNotIn("-short", self.good("cc", "-M", "m.c")[0])
        self.assertEqual(self.orrery("cc", "-xc", "-c", "-o", "x.o", "-", stdin=CALLS)[0], 0)


if __name__ == "__main__":
    main()
