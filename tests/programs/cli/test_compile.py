#!/usr/bin/env python3
"""`orrery cc`: sources, objects, programs. See command.py."""
import os

from command import Command, WRONG, main


class Compile(Command):
    def test_the_result_runs_by_itself(self):
        self.good("cc", "hello.c", "-o", "hello")
        status, out, _ = self.run_it("./hello", "x")
        self.assertEqual((status, out), (0, "hello 0 of 1: <x>\n"))
        self.assertEqual(self.good("run", "-n", "2", "./hello")[0], "hello 0 of 2:\nhello 1 of 2:\n")
        self.good("cc", "hello.c")
        self.assertEqual(self.run_it("./a.out")[0], 0)

    def test_a_program_is_known_by_its_content(self):
        for name in ["x.o", "x.c", "x.i", "x.a", "x.so"]:
            self.good("cc", "-o", name, "hello.c")
            self.assertEqual(self.good("run", name, "y.o")[0], "hello 0 of 1: <y.o>\n")
            self.assertRegex(self.good("dis", name)[0], "^vCode program")
        self.assertEqual(self.run_it("./x.o")[:2], (0, "hello 0 of 1:\n"))
        self.good("cc", "-c", "hello.c", "-o", "hello.vco")
        self.assertEqual(self.good("run", "hello.vco")[0], "hello 0 of 1:\n")
        self.refused("this is a linked program; only objects can be linked", "cc", "x.o", "hello.c", "-o", "p", status=1)

    def test_layout_of_bit_fields_by_option(self):
        self.make("m.c", "struct S { char a : 4; int b : 4; }; struct T { char a : 4; int b : 4; } __attribute__((gcc_struct));\n"
                         "int main(void) { return 10 * sizeof(struct S) + sizeof(struct T); }\n")
        for option, status in [("-O1", 44), ("-mms-bitfields", 84), ("-mno-ms-bitfields", 44)]:
            self.good("cc", option, "m.c", "-o", "m")
            self.assertEqual(self.run_it("./m")[0], status)

    def test_objects_and_archives(self):
        self.make("a.c", "int f(void);\nint main(void) { return f(); }\n")
        self.make("f.c", "int f(void) { return 5; }\n")
        self.good("cc", "-c", "a.c", "f.c")
        self.good("cc", "-o", "p", "a.o", "f.o", "-lm")
        self.assertEqual(self.run_it("./p")[0], 5)
        self.run_it("ar", "rcs", "libf.a", "f.o")
        self.good("cc", "-o", "q", "a.c", "-L.", "-lf")
        self.assertEqual(self.run_it("./q")[0], 5)
        self.good("cc", "a.o", "libf.a", "-o", "r")
        self.assertEqual(self.orrery("run", "a.o", "f.c")[0], 5)
        self.refused("-lnone: there is no libnone.a", "cc", "a.c", "-lnone", status=1)
        self.make("libg.a", b"!<arch>\n" + b"x" * 70)
        self.refused("libg.a: damaged archive", "cc", "a.c", "-L.", "-lg", status=1)

    def test_flags_of_other_compilers(self):
        self.good("cc", "-O3", "-g", "-std=c99", "-Wall", "-Wextra", "-march=native", "-fPIC", "-pthread", "-pipe", "-DX=1",
                  "-UX", "-I.", "hello.c", "-o", "hello", "-lm", "-lpthread", "-Wl,-rpath,x")
        self.refused("unknown option '-Zfoo'", "cc", "-Zfoo", "hello.c", status=1)

    def test_preprocess_and_text(self):
        self.make("m.c", "#define A 17\nint a = A;\n")
        self.assertIn("int a = 17;", self.good("cc", "-E", "m.c")[0])
        self.good("cc", "-S", "hello.c")
        self.assertRegex(self.read("hello.s"), rb"call +MPI_Init")

    def test_dependencies(self):
        self.make("h.h", "")
        self.make("m.c", '#include "h.h"\nint a;\n')
        self.good("cc", "-MMD", "-c", "m.c")
        self.assertRegex(self.read("m.d").decode(), r"^m\.o:.*h\.h")

    def test_questions(self):
        for question in ("--version", "-dumpversion", "-dumpmachine", "-show", "--help", "-v"):
            self.assertEqual(self.orrery("cc", question)[0], 0, question)

    def test_bad_usage(self):
        self.make("wrong.c", WRONG)
        self.make("undefined.c", "void nowhere(void);\nint main(void)\n{\n    nowhere();\n}\n")
        self.refused("no input files", "cc", status=1)
        self.refused("no such file", "cc", "nofile.c", status=1)
        self.refused("wrong.c:1:25: error", "cc", "wrong.c", "-o", "p", status=1)
        self.refused("wrong.c:1:25: error", "cc", "-c", "wrong.c", status=1)
        self.refused("undefined.c:4.*nowhere", "cc", "undefined.c", "-o", "p", status=1)
        self.refused("-o cannot name", "cc", "-c", "hello.c", "wrong.c", "-o", "p", status=1)
        self.refused("no/such/place", "cc", "hello.c", "-o", "no/such/place", status=1)

    def test_damaged_programs_are_refused(self):
        self.good("cc", "hello.c", "-o", "hello")
        program = self.read("hello")
        self.make("short", program[:len(program) // 2])
        self.refused("damaged|truncated", "run", "short")
        step = max(1, len(program) // 64)
        for at in range(0, len(program), step):
            self.make("bad", program[:at] + bytes([program[at] ^ 0x55]) + program[at + 1:])
            status, _, err = self.orrery("run", "--max-time", "1s", "bad")
            self.assertTrue(status in (0, 1, 2), "byte %d: status %d: %s" % (at, status, err))
        self.make("random", b"#!/x\n" + os.urandom(1000))
        self.refused("random: ", "run", "random")


if __name__ == "__main__":
    main()
