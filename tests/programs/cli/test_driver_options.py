#!/usr/bin/env python3
"""`orrery cc`: single options, as people and build systems write them. See command.py."""
import os

from command import Compiling, ORRERY, WRONG, main


class Options(Compiling):
    def files(self):
        return sorted(os.listdir(self.folder.name))

    def text(self, name):
        return self.read(name).decode()

    # -- stages and what they leave ----------------------------------------------------------------

    def test_syntax_only_makes_no_file(self):
        self.make("wrong.c", WRONG)
        before = self.files()
        self.cc("-fsyntax-only", "hello.c")
        self.assertEqual(self.files(), before)
        self.wrong("wrong.c:1:25: error", "-fsyntax-only", "wrong.c")

    def test_temporaries(self):
        for folder in ("sub", "out"):
            os.mkdir(os.path.join(self.folder.name, folder))
        self.make("sub/m.c", "#define THREE 3\nint main(void) { return THREE; }\n")
        before = self.files()
        self.cc("-save-temps", "-c", "sub/m.c", "-o", "out/x.o")
        self.assertEqual(set(self.files()) - set(before), {"m.i", "m.s"})
        self.assertRegex(self.text("m.i"), r"int main\(void\) \{ return 3; \}")
        self.assertIn("main", self.text("m.s"))
        self.assertEqual(os.listdir(os.path.join(self.folder.name, "out")), ["x.o"])
        self.cc("-save-temps=obj", "-c", "sub/m.c", "-o", "out/x.o")
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder.name, "out"))), ["x.i", "x.o", "x.s"])
        self.make("done.i", "int main(void) { return 4; }\n")
        self.cc("-save-temps", "-c", "done.i")
        self.assertEqual(self.text("done.i"), "int main(void) { return 4; }\n", "the input is not written again")
        self.assertIn("main", self.text("done.s"))

    def test_headers_are_checked_and_read_anew(self):
        self.make("h.h", "static inline int f(void) { return 5; }\n")
        self.make("m.c", '#include "h.h"\nint main(void) { return f(); }\n')
        self.cc("h.h")
        self.assertIn("reads it anew", self.text("h.h.gch"))
        self.assertEqual(self.value("m.c"), 5)
        self.cc("h.h", "-o", "other.gch")
        self.assertEqual(self.text("other.gch"), self.text("h.h.gch"))
        self.make("wrong.h", "int f(void) { return x; }\n")
        self.wrong("wrong.h:1:22: error", "wrong.h")

    def test_objects_without_linking(self):
        self.cc("-c", "hello.c")
        _, err = self.cc("-c", "hello.o")
        self.assertIn("warning: hello.o: not used, because nothing is linked", err)
        self.wrong("none.o", "-c", "none.o")

    def test_rules_of_several_sources(self):
        self.make("a.c", "int a(void) { return 1; }\n")
        self.make("main.c", "int a(void);\nint main(void) { return a(); }\n")
        before = self.files()
        self.cc("-MMD", "a.c", "main.c", "-o", "prog")
        self.assertEqual(set(self.files()) - set(before), {"prog", "prog-a.d", "prog-main.d"})
        self.assertRegex(self.text("prog-a.d"), "a.c")
        self.wrong("cannot write no/such/rules: No such file", "-MMD", "-MF", "no/such/rules", "-c", "a.c")

    def test_value_is_missing(self):
        self.wrong("-o needs a value", "hello.c", "-o")

    # -- the preprocessor --------------------------------------------------------------------------

    def test_words_for_the_preprocessor(self):
        self.make("n.c", "int main(void) { return N; }\n")
        self.assertEqual(self.value("-Xpreprocessor", "-DN=6", "n.c"), 6)
        self.assertEqual(self.value("-Wp,-DN=7", "n.c"), 7)
        self.assertEqual(self.value("--define-macro=N=8", "n.c"), 8)
        self.assertEqual(self.value("-DN=1", "--undefine-macro=N", "-DN=9", "n.c"), 9)

    def test_comments(self):
        self.make("c.c", "/* said */ int x; // more\n")
        self.assertNotIn("said", self.cc("-E", "c.c")[0])
        out, _ = self.cc("-E", "-C", "c.c")
        self.assertIn("/* said */ int x; // more", out)
        self.wrong("-C and -CC keep comments in what -E prints; they need -E", "-C", "-c", "c.c")

    def test_no_headers(self):
        self.make("s.c", "#include <stddef.h>\nint main(void) { return 0; }\n")
        self.cc("-c", "s.c")
        self.wrong("^s.c:1:.*error: .*stddef.h", "-nostdinc", "-c", "s.c")

    def test_verbose_names_folders(self):
        _, err = self.cc("-v", "-Ihere", "-c", "hello.c")
        self.assertRegex(err, "search starts here:\n here\n /.*include\nEnd of search list")
        _, err = self.cc("-v", "-nostdinc", "-Ihere", "-fsyntax-only", "-x", "c", "-", stdin="int x;\n")
        self.assertRegex(err, "search starts here:\n here\nEnd of search list")

    # -- language and code -------------------------------------------------------------------------

    def test_dialects_to_come_and_wrong_ones(self):
        _, err = self.cc("-std=c2x", "-c", "hello.c")
        self.assertIn("warning: -std=c2x: compiled as c17", err)
        _, err = self.cc("-std=gnu23", "-c", "hello.c")
        self.assertIn("warning: -std=gnu23: compiled as gnu17", err)
        self.make("v.c", "int main(void) { return (int)(__STDC_VERSION__ / 100 % 100); }\n")
        self.assertEqual(self.value("-std=iso9899:1999", "v.c"), 99)

    def test_levels(self):
        self.make("o.c", "#ifndef __OPTIMIZE__\n#define __OPTIMIZE__ 0\n#endif\nint main(void) { return __OPTIMIZE__ + 1; }\n")
        self.assertEqual([self.value(level, "o.c") for level in ("-O0", "-O", "-O9", "-Os", "-Ofast")], [1, 2, 2, 2, 2])
        self.wrong("-Oquick: the levels are 0, 1, 2, 3, s, g and fast", "-Oquick", "-c", "hello.c")

    def test_unknown_warnings_are_told(self):
        _, err = self.cc("-Wnosuch-thing", "-c", "hello.c")
        self.assertRegex(err, "warning: .*-Wnosuch-thing.*; see `orrery cc --help=warnings`")
        self.assertRegex(self.cc("--help=warnings")[0], r"(?s)\AWarnings of orrery cc.*unused-variable")

    def test_the_last_of_two_opposites_counts(self):
        self.make("t1.c", "int t;\nint main(void) { return t; }\n")
        self.make("t2.c", "int t;\n")
        self.assertEqual(self.value("-fno-common", "-fcommon", "t1.c", "t2.c"), 0)
        self.make("i.c", "inline int f(void) { return 3; }\n")
        self.make("u.c", "int f(void);\nint main(void) { return f(); }\n")
        self.assertEqual(self.value("-fgnu89-inline", "i.c", "u.c"), 3)
        self.wrong("undefined reference to 'f'", "-fgnu89-inline", "-fno-gnu89-inline", "i.c", "u.c", "-o", "p")
        self.make("a.c", "int asm_ = 1, typeof = 2;\nint main(void) { return typeof; }\n")
        self.assertEqual(self.value("-fno-asm", "a.c"), 2)
        self.wrong("a.c:1:", "-fno-asm", "-fasm", "a.c", "-o", "p")

    def test_preprocessed_by_option(self):
        self.make("p.c", "#define N 3\nint main(void) { return 2; }\n")
        self.assertEqual(self.value("p.c"), 2)
        self.make("q.c", '# 9 "was.c"\nint main(void) { return y; }\n')
        self.wrong("^was.c:9:25: error", "-fpreprocessed", "-c", "q.c")

    # -- the linker --------------------------------------------------------------------------------

    def test_wanted_names_draw_members(self):
        self.make("main.c", "int main(void) { return 4; }\n")
        self.make("extra.c", "#include <stdio.h>\nint extra;\n__attribute__((constructor)) static void f(void) { puts(\"drawn\"); }\n")
        self.cc("-c", "extra.c")
        self.assertEqual(self.run_it("ar", "rc", "lib.a", "extra.o")[0], 0)
        self.cc("main.c", "lib.a", "-o", "program")
        self.assertEqual(self.run_it("./program"), (4, "", ""))
        for way in (["-u", "extra"], ["-uextra"], ["-Wl,-u,extra"], ["-Wl,--undefined,extra"], ["-Wl,--undefined=extra"],
                    ["-Xlinker", "--undefined=extra"]):
            for files in (["main.c", "lib.a"], ["lib.a", "main.c"]):
                self.cc(*way, *files, "-o", "program")
                self.assertEqual(self.run_it("./program"), (4, "drawn\n", ""), way)

    def test_first_definition(self):
        self.make("one.c", "int f(void) { return 1; }\n")
        self.make("two.c", "int f(void) { return 2; }\n")
        self.make("main.c", "int f(void);\nint main(void) { return f(); }\n")
        self.wrong("'f' is defined here", "main.c", "one.c", "two.c", "-o", "p")
        self.wrong("'f' is defined here", "-z", "relro", "main.c", "one.c", "two.c", "-o", "p")
        for way in (["-Wl,--allow-multiple-definition"], ["-Wl,-allow-multiple-definition"], ["-Wl,-z,muldefs"],
                    ["-z", "muldefs"], ["-Xlinker", "-z", "-Xlinker", "muldefs"]):
            self.assertEqual(self.value(*way, "main.c", "one.c", "two.c"), 1, way)
            self.assertEqual(self.value(*way, "main.c", "two.c", "one.c"), 2, way)

    def test_words_for_the_linker(self):
        os.mkdir(os.path.join(self.folder.name, "lib"))
        self.make("f.c", "int f(void) { return 8; }\n")
        self.make("main.c", "int f(void);\nint main(void) { return f(); }\n")
        self.cc("-c", "f.c", "main.c")
        self.run_it("ar", "rc", "lib/libf.a", "f.o")
        self.assertEqual(self.value("main.o", "-Wl,-Llib", "-Wl,-lf"), 8)
        self.assertEqual(self.value("main.o", "-Xlinker", "-rpath", "-Xlinker", "nowhere", "-Xlinker", "f.o"), 8)
        self.assertEqual(self.value("main.o", "-Wl,-rpath,nowhere,f.o"), 8)
        self.cc("-Wl,-r", "f.o", "main.o", "-o", "both.o")
        self.assertEqual(self.value("both.o"), 8)
        self.cc("-Wl,-shared", "f.o", "-o", "lib/libg.so")
        self.assertEqual(self.value("main.o", "-Llib", "-lg"), 8)
        self.wrong("-lg: ", "-static", "main.o", "-Llib", "-lg", "-o", "p")
        self.wrong("-lg: ", "-Wl,-Bstatic", "main.o", "-Llib", "-lg", "-o", "p")
        self.assertEqual(self.value("-Wl,-Bstatic", "-Wl,-Bdynamic", "main.o", "-Llib", "-lg"), 8)
        self.wrong("-T: the linker cannot do this here", "-Wl,-T,script", "main.o", "f.o", "-o", "p")
        self.wrong("--defsym=x=1: the linker cannot do this here", "-Wl,--defsym=x=1", "main.o", "f.o", "-o", "p")
        self.wrong("-lnone: ", "main.o", "f.o", "-Llib", "-lnone", "-o", "p")
        self.wrong("-l:none.a: there is no none.a in the directories given with -L", "main.o", "f.o", "-Llib", "-l:none.a",
                   "-o", "p")

    def test_programs_are_no_objects(self):
        self.cc("hello.c", "-o", "program")
        self.run_it("ar", "rc", "lib.a", "program")
        self.make("main.c", "int main(void) { return 0; }\n")
        self.wrong("this is a linked program; only objects can be linked", "main.c", "program", "-o", "p")
        self.wrong(r"lib.a\(program\): this is a linked program; only objects can be linked", "main.c", "lib.a", "-o", "p")

    @staticmethod
    def archive(*members):
        """An archive of (name in the header, content)."""
        text = b"!<arch>\n"
        for name, content in members:
            text += b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (name.encode(), 0, 0, 0, 0o644, len(content)) + content
            text += b"\n" * (len(content) % 2)
        return text

    def test_archives_of_other_systems(self):
        """Long names stand before the content there."""
        self.make("f.c", "int f(void) { return 8; }\n")
        self.make("main.c", "int f(void);\nint main(void) { return f(); }\n")
        self.cc("-c", "f.c", "main.c")
        name = b"a_long_name_of_f.o\0\0"
        self.make("lib.a", self.archive(("#1/%d" % len(name), name + self.read("f.o"))))
        self.assertEqual(self.value("main.o", "lib.a"), 8)
        self.make("lib.a", self.archive(("#1/9999999", name + self.read("f.o"))))
        self.wrong("lib.a: .*the name of a member lies outside", "main.o", "lib.a", "-o", "p")
        self.make("lib.a", self.archive(("//", b"short.o/\n"), ("/77", self.read("f.o"))))
        self.wrong("lib.a: .*the name of a member lies outside", "main.o", "lib.a", "-o", "p")
        self.make("lib.a", self.archive(("//", b"short.o/\n"), ("/0", self.read("f.o"))))
        self.assertEqual(self.value("main.o", "lib.a"), 8)

    def test_members_of_thin_archives_that_are_gone(self):
        self.cc("-c", "hello.c")
        self.make("main.c", "int main(void) { return 0; }\n")
        self.assertEqual(self.run_it("ar", "rcT", "lib.a", "hello.o")[0], 0)
        self.run_it("rm", "hello.o")
        self.wrong("lib.a: its member (./)?hello.o cannot be read: ", "main.c", "lib.a", "-o", "p")

    def test_without_the_runtime_library(self):
        self.wrong("no object defines _start: the run-time library is missing", "-nostdlib", "hello.c", "-o", "p")

    # -- questions of build systems ----------------------------------------------------------------

    def test_what_wrappers_of_other_implementations_answer(self):
        include = self.cc("-showme:incdirs")[0]
        self.assertTrue(os.path.exists(os.path.join(include.strip(), "mpi.h")), include)
        library = self.cc("-showme:libdirs")[0]
        self.assertTrue(os.path.exists(os.path.join(library.strip(), "libmpi.so")), library)
        command = self.cc("-showme:command")[0]
        self.assertRegex(command, r"\A/.*orrery-cc\n\Z")
        self.assertEqual(self.cc("-showme:libs")[0], "mpi\n")
        self.assertRegex(self.cc("-showme:version")[0], r"\Ampicc: Orrery \d+\.\d+\.\d+ \(Language: C\)\n\Z")
        self.assertEqual(self.cc("-compile_info")[0], "%s -I%s\n" % (command.strip(), include.strip()))
        self.assertEqual(self.cc("-showme:link")[0], "-L%s -lmpi\n" % library.strip())
        self.assertEqual(self.cc("-print-multi-directory")[0], ".\n")
        self.assertEqual(self.cc("-print-multi-lib")[0], ".;\n")
        self.assertEqual(self.cc("-print-sysroot")[0], "\n")
        status, _, err = self.run_it("sh", "-c", 'exec "$0" cc -dumpversion >/dev/full', ORRERY)
        self.assertEqual(status, 1)
        self.assertIn("No space left", err)


if __name__ == "__main__":
    main()
