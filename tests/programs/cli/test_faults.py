#!/usr/bin/env python3
"""Faults of programs, and what is said of them. See command.py."""
import os

from command import Command, HERE, main

MISUSE = open(os.path.join(HERE, "misuse.c"), encoding="utf-8").read()


class Faults(Command):
    """Every kind of fault: exit status 128 + signal, what was accessed, the calls with their arguments."""

    # argument of misuse.c, exit status, what the report says
    ALWAYS = [
        ("null-read", 139, r"stopped at misuse.c:17 .*: reads 4 bytes at address 0xc through a null pointer",
         r"    in get \(from=0x0, index=3\) at misuse.c:17\n        return from\[index\];\n        +\^\n(?:        .*\n)*    called from accesses "
         r"\(what=.*, block=0x.*, local=0x.*\) at misuse.c:\d+\n"),
        ("null-write", 139, r"writes 4 bytes at address 0x0 through a null pointer", r"in put \(to=0x0, index=0, value=7\)"),
        ("wild", 139, r"reads 4 bytes at address 0x123456789abc: that is outside the process", r"in get \(from=0x123456789abc"),
        ("far-static", 139, r"writes 4 bytes at address 0x\w+: that is no object", r"in put \(to=0x\w+, index=-1000000000, value=1\)"),
        ("constant", 139, r"writes 4 bytes at address 0x\w+, which is constant",
         r"is 4 bytes into the variable primes \(int \[4\], 16 bytes\)\n"),
        ("literal", 139, r"strcpy: argument 1 is the address 0x\w+, where 2 bytes cannot be written \(a constant\?\)",
         r"stands \"immutable\"\n"),
        ("arguments", 139, r"writes 4 bytes at address 0x0",
         r"in weigh \(p=.*, q=.*, name=0x\w+ \"name\", scale=2.5, to=0x0\)"),
        ("printf", 139, r"printf: argument 2 is the address 0x\w+, where there is no string"),
        ("strcpy", 139, r"strcpy: argument 1 is the null pointer 0x0, where 5 bytes cannot be written"),
        ("divide", 136, r"integer division by zero", r"in divide \(a=7, b=0\) at misuse.c:25\n"),
        ("remainder", 136, r"integer remainder by zero"),
        ("overflow", 136, r"integer division \(the least value by -1\) does not fit", r"in divide \(a=-2147483648, b=-1\)"),
        ("unreachable", 132, r"never reached", r"in never \(n=0\)"),
        ("trap", 132, r"__builtin_trap\(\) was reached"),
        ("abort", 134, r"abort\(\)"),
        ("null-call", 139, r"calls a null function pointer"),
        ("wild-call", 139, r"calls 0x\w+, which is no function"),
        ("stack", 139, r"stack overflow", r"in deeper \(n=\d+\) at misuse.c:32\n(.*\n)*    \.\.\. \d+ more calls \.\.\.\n"),
        ("free-twice", 134, r"double free", r"in drop \(block=0x\w+\)"),
    ]
    CHECKED = [
        ("past-read", 139, r"reads 1 byte at address 0x\w+, which is in no block of the heap",
         r"is 0 bytes past the end of a block of 20 bytes, allocated by malloc in make at misuse.c:51, called from main at "
         r"misuse.c:\d+\n"),
        ("past-write", 139, r"writes 4 bytes", r"is 0 bytes past the end of a block of 20 bytes"),
        ("across", 139, r"reads 4 bytes at address 0x\w+, beyond the end of the block", r"is 18 bytes into a block of 20 bytes"),
        ("before", 139, r"reads 4 bytes", r"is 4 bytes before a block of 20 bytes, allocated by malloc in make"),
        ("freed-read", 139, r"reads 4 bytes at address 0x\w+, in a block that has been freed",
         r"is 8 bytes into a block of 20 bytes, allocated by malloc in make at misuse.c:51.*\n"
         r"    the block was freed by free in drop at misuse.c:55, called from heap at misuse.c:\d+"),
        ("freed-write", 139, r"writes 4 bytes at address 0x\w+, in a block that has been freed", r"in put \(to=0x\w+, index=2, value=1\)"),
        ("freed-printf", 139, r"printf: reads 5 bytes at address 0x\w+, in a block that has been freed"),
        ("moved", 139, r"in a block that has been freed", r"the block was freed by realloc in heap"),
        ("memset", 139, r"memset: writes 21 bytes at address 0x\w+, beyond the end of the block"),
        ("sprintf", 139, r"sprintf: writes 21 bytes at address 0x\w+, beyond the end of the block"),
        ("free-inside", 134, r"free\(0x\w+\): not the start of a heap block, but an address inside it",
         r"is 4 bytes into a block of 20 bytes"),
        ("free-static", 134, r"free\(0x\w+\): this address is in no block of the heap", r"is 4 bytes into the variable table"),
        ("dangling", 139, r"in a variable of a call that has returned, or of a block that has ended \[bounds\]"),
    ]

    def setUp(self):
        super().setUp()
        self.make("misuse.c", MISUSE)
        self.good("cc", "-w", "-o", "misuse", "misuse.c")

    def expect(self, row, *options):
        status, out, err = self.orrery("run", *options, "misuse", row[0])
        self.assertEqual((status, out), (row[1], ""), (row[0], err))
        for pattern in row[2:]:
            self.assertRegex(err, pattern, row[0])

    def test_every_kind_with_and_without_check(self):
        for row in self.ALWAYS:
            self.expect(row)
            self.expect(row, "--check")

    def test_what_check_finds(self):
        for row in self.CHECKED:
            self.expect(row, "--check")

    def test_far_from_an_object(self):
        self.expect(("far-heap", 139, r"beyond the end of the heap", r"is 3999980 bytes past the end of a block of 20 bytes on the "
                     r"heap; --check tells"))
        self.expect(("far-heap", 139, r"beyond the end of the heap", r"is 3999980 bytes past the end of a block of 20 bytes, allocated"),
                    "--check")
        self.expect(("far-stack", 139, r"writes 4 bytes at address", r"is \d+ bytes before the variable \w+"))

    def test_optimised_or_not_the_same_is_said(self):
        for level in ("-O0", "-O2"):
            _, _, err = self.orrery("run", level, "-Wno-div-by-zero", "--check", "misuse.c", "freed-read")
            self.assertRegex(err, r"in get \(from=0x\w+, index=2\) at misuse.c:17\n")
            self.assertRegex(err, r"freed by free in drop at misuse.c:55, called from heap at misuse.c:\d+")

        _, _, err = self.orrery("run", "-O0", "-Wno-div-by-zero", "misuse.c", "arguments")
        self.assertRegex(err, r"in weigh \(p=\{x = 1, y = 2\}, q=0x\w+, name=0x\w+ \"name\", scale=2.5, to=0x0\)")

    def test_leaks(self):
        out, err = self.good("run", "-n", "3", "--check", "misuse", "leak")
        self.assertEqual(out, "survived\n" * 3)
        self.assertRegex(err, r"^orrery: memory that was not freed \[heap\]:\n  ranks 0-2: 60 bytes in 3 blocks, allocated by malloc in make "
                         r"at misuse.c:51, called from main at misuse.c:\d+\n$")
        self.assertEqual(self.good("run", "--check", "misuse")[1], "")
        self.assertEqual(self.good("run", "misuse", "leak")[1], "")

    def test_check_changes_neither_output_nor_time(self):
        plain = self.good("run", "-n", "2", "--json", "-", "misuse")
        self.assertEqual(self.good("run", "-n", "2", "--json", "-", "--check", "misuse"), plain)

    def test_unaligned(self):
        self.expect(("unaligned", 135, r"reads 4 bytes at address 0x\w+, which is no multiple of 4", r"in get \("), "--set",
                    "cpu.alignment=natural")
        self.assertNotEqual(self.orrery("run", "misuse", "unaligned")[0], 135)
        self.make("bytes.c", "#include <stdio.h>\n#include <string.h>\nstruct __attribute__((packed)) wire { char kind; int value; "
                  "double rest; };\nint main(void)\n{\n    char bytes[32] = {0};\n    struct wire w = {1, 2, 3};\n    int n;\n"
                  "    w.value *= 2;\n    w.rest += w.value;\n    memcpy(bytes + 1, &w, sizeof w);\n    memcpy(&n, bytes + 2, 4);\n"
                  "    printf(\"%d %g\\n\", n, ((struct wire *)(bytes + 1))->rest);\n}\n")
        for level in ("-O0", "-O1", "-O2"):
            out, _ = self.good("run", level, "--set", "cpu.alignment=natural", "bytes.c")
            self.assertEqual(out, "4 7\n", level)
        self.refused("there is no alignment \"odd\"", "run", "--set", "cpu.alignment=odd", "misuse")

    def test_the_earliest_fault_counts_then_the_least_rank(self):
        self.make("race.c", "#include <mpi.h>\n#include <stdlib.h>\nint main(int c, char **v)\n{\n    int r, *p = NULL;\n"
                  "    MPI_Init(&c, &v);\n    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n    for (volatile int i = 0; c > 1 && i < 100 * (7 - r); )"
                  "\n        i++;\n    if (r > 1)\n        *p = r;\n    MPI_Barrier(MPI_COMM_WORLD);\n    MPI_Finalize();\n}\n")
        for quantum in ("1", "1000000000"):
            _, _, err = self.orrery("run", "-n", "6", "--quantum", quantum, "race.c")
            self.assertRegex(err, r"^orrery: rank 2 stopped at race.c:11 (.*\n)*  rank 0: .*MPI_Barrier.*\n(.*\n)*  rank 3: .*fault")
            _, _, err = self.orrery("run", "-n", "6", "--quantum", quantum, "race.c", "later")
            self.assertRegex(err, r"^orrery: rank 5 stopped at race.c:11 ")

    def test_many_ranks_are_told_in_groups(self):
        self.make("all.c", "#include <mpi.h>\nint main(int c, char **v)\n{\n    int r, n = 0;\n    MPI_Init(&c, &v);\n"
                  "    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n    if (r == 7)\n        n = 1 / n;\n"
                  "    MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n}\n")
        _, _, err = self.orrery("run", "-n", "100", "--machine", "loggp-cluster", "all.c")
        self.assertRegex(err, r"rank 7 stopped at all.c:8 .*integer division by zero\n(.*\n)*the other ranks:\n"
                         r"  ranks 0-6, 8-99: computing, next MPI_Recv, in main at all.c:9\n$")

    def test_in_what_mpi_calls_and_accesses(self):
        self.make("mpi.c", "#include <mpi.h>\n#include <stdlib.h>\n#include <string.h>\n"
                  "static void add(void *in, void *inout, int *n, MPI_Datatype *type)\n{\n    (void)type;\n"
                  "    for (int i = 0; i < *n; i++)\n        ((int *)inout)[i] /= ((int *)in)[i];\n}\n"
                  "int main(int c, char **v)\n{\n    int r, all[4] = {0}, *buffer = malloc(16);\n    MPI_Op op;\n"
                  "    MPI_Request request;\n    MPI_Init(&c, &v);\n    MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
                  "    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\n    memset(buffer, 0, 16);\n"
                  "    if (strcmp(v[1], \"operator\") == 0) {\n        MPI_Op_create(add, 1, &op);\n"
                  "        MPI_Allreduce(buffer, all, 4, MPI_INT, op, MPI_COMM_WORLD);\n    } else if (r == 1) {\n"
                  "        MPI_Send(all, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);\n    } else {\n"
                  "        MPI_Irecv(buffer, strcmp(v[1], \"past\") == 0 ? 5 : 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);\n"
                  "        free(buffer);\n        MPI_Wait(&request, MPI_STATUS_IGNORE);\n    }\n    MPI_Finalize();\n}\n")
        status, _, err = self.orrery("run", "-n", "2", "mpi.c", "operator")
        self.assertEqual(status, 136)
        self.assertRegex(err, r"in add \(.*n=0x\w+, .*\) at mpi.c:8 \(called by the MPI library\)\n(.*\n)*"
                         r"    called from main \(.*\) at mpi.c:21\n")
        status, _, err = self.orrery("run", "-n", "2", "--check", "mpi.c", "past")
        self.assertEqual(status, 134)
        self.assertRegex(err, r"(?m)^orrery: rank 0: MPI_Irecv at mpi.c:25 has room for more than there is memory behind its buffer ")
        status, _, err = self.orrery("run", "-n", "2", "--check", "mpi.c", "freed")
        self.assertEqual(status, 134)
        self.assertRegex(err, r"mpi.c:26 .*free gives back the buffer that MPI_Irecv at mpi.c:25 receives into")
        status, _, err = self.orrery("run", "-n", "2", "--check=memory", "mpi.c", "freed")
        self.assertEqual(status, 139)
        self.assertRegex(err, r"mpi.c:27 .*MPI_Wait: writes 16 bytes at address 0x\w+, in a block that has been freed \[heap\]\n"
                         r".*allocated by malloc in main at mpi.c:12\n    the block was freed by free in main at mpi.c:26\n")


if __name__ == "__main__":
    main()
