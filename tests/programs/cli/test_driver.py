#!/usr/bin/env python3
"""`orrery cc` as build systems call it. See command.py."""
import os
import re
import shutil

from command import Compiling, ORRERY, WRONG, main


class Driver(Compiling):
    """`orrery cc` as a drop-in for cc: what build systems do with it, and what must never be left behind."""

    def test_archive_members_are_drawn_by_need(self):
        self.make("main.c", "int a(void);\nint main(void) { return a(); }\n")
        self.make("a.c", "int b(void);\nint a(void) { return b() + 1; }\n")
        self.make("b.c", "int b(void) { return 2; }\n")
        self.make("clash.c", "int a(void) { return 50; }\nint unused(void) { return 1; }\n")
        self.cc("-c", "main.c", "a.c", "b.c", "clash.c")
        for members, way in ((("b.o", "a.o"), "rc"), (("a.o", "b.o"), "rcs"), (("a.o", "b.o"), "rcsT")):
            self.run_it("rm", "-f", "lib.a")
            self.assertEqual(self.run_it("ar", way, "lib.a", *members)[0], 0)
            self.assertEqual(self.value("main.o", "lib.a"), 3, way)
            self.assertEqual(self.value("lib.a", "main.o"), 3, way)
        self.assertEqual(self.run_it("ranlib", "lib.a")[0], 0)
        self.run_it("ar", "rc", "libclash.a", "clash.o")
        self.assertEqual(self.value("main.o", "lib.a", "libclash.a"), 3, "the first offer counts")
        self.assertEqual(self.value("main.o", "-L.", "-lclash", "-l:lib.a"), 50)
        self.wrong("clash.c:1: error: 'a' is defined here.*", "main.o", "a.o", "b.o", "-Wl,--whole-archive", "libclash.a",
                   "-Wl,--no-whole-archive", "-o", "p")
        self.assertEqual(self.value("main.o", "-Wl,--start-group", "lib.a", "-Wl,--end-group", "-Wl,-Map,x.map"), 3)

    def test_main_in_an_archive_and_names_that_are_long(self):
        self.make("the_longest_name_of_a_member.c", "int main(void) { return 9; }\n")
        self.cc("-c", "the_longest_name_of_a_member.c")
        self.run_it("ar", "rc", "lib.a", "the_longest_name_of_a_member.o")
        self.assertEqual(self.value("lib.a"), 9)

    def test_foreign_and_damaged_files_get_a_name(self):
        self.cc("-c", "hello.c")
        good = self.read("hello.o")
        for content, message in ((b"\x7fELF" + bytes(60), "machine code of this host"), (b"BC\xc0\xde" + bytes(60), "LLVM bitcode"),
                                 (b"", "an empty file"), (b"int x;\n", "text, neither"), (good[:100], "truncated"),
                                 (good[:200] + bytes([good[200] ^ 1]) + good[201:], "checksum|malformed"), (bytes(64), "neither C source")):
            self.make("x.o", content)
            self.wrong("x.o: .*" + message, "x.o", "-o", "p")
        other = good[:8] + bytes([good[8] ^ 7]) + good[9:]
        self.make("x.o", other)
        self.wrong("x.o: made by another version of Orrery", "x.o", "-o", "p")
        self.make("x.o", b"\x7fELF" + bytes(60))
        self.run_it("ar", "rc", "libx.a", "x.o")
        self.wrong("libx.a: what is in this archive is machine code", "hello.o", "libx.a", "-o", "p")
        self.make("liby.so", b"\x7fELF" + bytes(60))
        self.wrong("-ly: ./liby.so is machine code", "hello.o", "-L.", "-ly", "-o", "p")
        self.make("libm.so", b"\x7fELF" + bytes(60))
        self.cc("hello.o", "./libm.so", "-o", "p")
        self.run_it("ar", "rc", "lib.a", "hello.o", "x.o")
        archive = self.read("lib.a")
        for cut in list(range(0, 200)) + list(range(200, len(archive), 97)):
            self.make("cut.a", archive[:cut])
            self.assertIn(self.orrery("cc", "cut.a", "-o", "p2")[0], (0, 1))

    def test_other_languages_are_refused(self):
        for name, language in (("a.cpp", "C\\+\\+"), ("a.S", "assembly"), ("a.f90", "Fortran"), ("a.cu", "CUDA")):
            self.make(name, "")
            self.wrong(name + ": " + language + " is not compiled here", "-c", name)
        self.wrong("-x c\\+\\+: only C", "-x", "c++", "hello.c")

    def test_response_files(self):
        self.make("outer", "@inner -o \"my program\"")
        self.make("m.c", "#include <string.h>\nint main(void) { return N + strlen(TEXT); }\n")
        self.make("inner", "'-DTEXT=\"a b\"'\n  -DN=3 ")
        self.cc("@outer", "m.c")
        self.assertEqual(self.run_it("./my program")[0], 6)
        self.wrong("@none: there is no such file", "@none")
        self.make("self", "@self")
        self.wrong("without end", "@self")

    def test_standard_input_and_languages_by_option(self):
        self.cc("-x", "c", "-", "-o", "p", stdin="int main(void) { return 4; }")
        self.assertEqual(self.run_it("./p")[0], 4)
        self.make("odd.txt", "int f(void) { return 5; }\n")
        self.make("main.c", "int f(void);\nint main(void) { return f(); }\n")
        self.assertEqual(self.value("-x", "c", "odd.txt", "-x", "none", "main.c"), 5)
        self.make("done.i", '# 7 "was.c"\nint main(void) { return x; }\n')
        self.wrong("^was.c:7:25: error", "-c", "done.i")
        self.assertIn("int main", self.cc("-E", "-", stdin="int main;")[0])

    def test_dialects(self):
        self.make("d.c", "int inline_ = 1, typeof = 2;\nint asm(void) { return typeof; }\nint main(void) { return asm(); }\n")
        self.assertEqual(self.value("-std=c99", "d.c"), 2)
        self.wrong("error", "d.c", "-o", "p")
        self.make("c89.c", "int restrict = 1; int inline = 2;\n#ifndef __STRICT_ANSI__\n#error\n#endif\n"
                  "int main(void) { return restrict + inline + (\"??=\"[1] ? 0 : 4); }\n")
        self.assertEqual(self.value("-ansi", "c89.c"), 7)
        self.make("v.c", "int main(void) { return (int)(__STDC_VERSION__ / 100 % 100); }\n")
        self.assertEqual([self.value("-std=" + name, "v.c") for name in ("gnu99", "c11", "gnu17")], [99, 11, 17 % 100])
        self.make("c.c", "int main(void) { char c = -1; return (c > 0) + 2 * ('\\377' > 0); }\n")
        self.assertEqual([self.value(flag, "c.c") for flag in ("-fsigned-char", "-funsigned-char")], [0, 3])
        self.make("i.c", "inline int f(void) { return 3; }\n")
        self.make("u.c", "int f(void);\nint main(void) { return f(); }\n")
        self.assertEqual(self.value("-fgnu89-inline", "i.c", "u.c"), 3)
        self.make("o.c", "int main(void) { return _OPENMP > 200000; }\n")
        self.assertEqual(self.value("-fopenmp", "o.c"), 1)
        self.make("t1.c", "int t;\nint main(void) { return t; }\n")
        self.make("t2.c", "int t;\n")
        self.assertEqual(self.value("t1.c", "t2.c"), 0)
        self.wrong("t2.c:1: error: 't' is defined here", "-fno-common", "t1.c", "t2.c", "-o", "p")
        self.wrong("-m32: a simulated process is LP64", "-m32", "-c", "hello.c")
        self.wrong("-std=c\\+\\+11", "-std=c++11", "-c", "hello.c")

    def test_rules_for_make(self):
        self.make("h.h", "")
        self.make("m.c", '#include "h.h"\n#include <stdio.h>\nint main(void) { return 0; }\n')
        self.assertEqual(self.cc("-MM", "m.c")[0], "m.o: m.c h.h\n")
        self.assertIn("stdio.h", self.cc("-M", "m.c")[0])
        os.mkdir(os.path.join(self.folder.name, "sub"))
        self.cc("-MMD", "-MP", "-c", "m.c", "-o", "sub/n.o")
        self.assertEqual(self.read("sub/n.d"), b"sub/n.o: m.c h.h\nh.h:\n")
        self.cc("-MD", "-MF", "rules", "-MT", "a target", "m.c", "-o", "p")
        self.assertRegex(self.read("rules").decode(), r"^a target: m.c h.h")
        os.symlink("rules", os.path.join(self.folder.name, "link"))
        self.cc("-MD", "-MF", "link", "-MT", "linked", "-c", "m.c")
        self.assertTrue(os.path.islink(os.path.join(self.folder.name, "link")))
        self.assertRegex(self.read("rules").decode(), r"^linked: m.c h.h")
        self.cc("-Wp,-MMD,old.d", "-c", "m.c")
        self.assertRegex(self.read("old.d").decode(), r"^m.o: m.c h.h")
        self.assertEqual(self.cc("-MM", "-MG", "-", stdin='#include "made.h"\n')[0], "-: made.h\n")
        self.make("bad.c", '#include "h.h"\n#include "none.h"\n')
        self.wrong("bad.c:2:10: fatal error: none.h", "-MMD", "-c", "bad.c")

    def test_no_partial_output(self):
        self.make("wrong.c", WRONG)
        self.make("undefined.c", "int nowhere(void);\nint main(void) { return nowhere(); }\n")
        self.make("keep", "old")
        self.wrong("error", "-c", "wrong.c", "-o", "keep")
        self.assertEqual(self.read("keep"), b"old", "as with gcc, an object stays")
        before = sorted(os.listdir(self.folder.name))
        self.assertEqual(self.orrery("cc", "undefined.c", "-o", "keep")[0], 1)
        before.remove("keep")
        self.assertEqual(sorted(os.listdir(self.folder.name)), before, "as with gcc, a program goes")
        script = "ulimit -f 1; exec \"$0\" cc \"$@\""
        for way in (["-c", "hello.c", "-o", "o.o"], ["hello.c", "-o", "p"], ["-E", "hello.c", "-o", "p.i"], ["-S", "hello.c"]):
            # The limit would cut what gcov counts in a build for coverage: not even begun.
            status, _, err = self.run_it("sh", "-c", script, ORRERY, *way, environment={"GCOV_PREFIX": "/proc/none"})
            self.assertEqual(status, 1, err)
            self.assertRegex(err, "File too large", way)
            self.assertEqual(sorted(os.listdir(self.folder.name)), before, way)
        self.assertEqual(self.orrery("cc", "-E", "hello.c", "-o", "/dev/full")[0], 1)
        self.assertEqual(self.orrery("cc", "hello.c", "-o", "/dev/full")[0], 1)
        self.wrong("no/such/place", "-E", "hello.c", "-o", "no/such/place")

    def test_link_errors_have_places(self):
        self.make("a.c", "int counter = 1;\nint helper(void) { return 1; }\n")
        self.make("b.c", "int hepler(void);\ndouble counter = 2;\nint main(void)\n{\n    return hepler();\n}\n")
        _, err = self.wrong("^a.c:1: |^b.c:2: error: 'counter' is defined here", "a.c", "b.c", "-o", "p")
        self.assertRegex(err, "note: the other definition is here\n")
        self.assertRegex(err, "b.c:5: error: undefined reference to 'hepler'; did you mean 'helper'\\?\n +5 | +return hepler")
        self.make("c.c", "extern int shared[2];\nint main(void) { return shared[1]; }\n")
        self.make("d.c", "long shared[2] = {1, 2};\n")
        _, err = self.cc("c.c", "d.c", "-o", "p")
        self.assertRegex(err, "c.c:1: warning: 'shared' is of another size here")
        self.make("f.c", "int popen_(void);\nint main(int c, char **v) { return c > 1 ? popen_() : 6; }\n")
        self.wrong("error: undefined reference", "f.c", "-o", "q")
        _, err = self.cc("f.c", "-Wl,--warn-unresolved-symbols", "-o", "p")
        self.assertRegex(err, "f.c:2: warning: undefined reference to 'popen_'")
        self.assertEqual(self.run_it("./p")[0], 6)
        self.assertGreater(self.run_it("./p", "x")[0], 128)
        self.make("e.c", "int f(void) { return 1; }\n")
        self.wrong("no main: none of the files defines", "e.c", "-o", "q")

    def test_joined_objects_and_libraries(self):
        self.make("a.c", "static int n = 3;\nint b(void);\nint a(void) { return n + b(); }\nint twice(void) { return 2; }\n")
        self.make("b.c", 'static int n = 4;\nint b(void) { return n * "\\1\\2"[1]; }\n')
        self.make("main.c", "int a(void), twice(void);\nint main(void) { return a() * twice(); }\n")
        self.cc("-c", "a.c", "b.c", "main.c")
        self.cc("-r", "-o", "both.o", "a.o", "b.o")
        self.assertEqual(self.value("main.o", "both.o"), 22)
        self.cc("-shared", "-fPIC", "-Wl,-soname,libboth.so.1", "-o", "libboth.so", "a.o", "b.o")
        self.assertEqual(self.value("main.o", "-L.", "-lboth", "-Wl,-rpath,."), 22)
        self.make("own.c", "int twice(void) { return 5; }\n")
        self.assertEqual(self.value("main.o", "own.c", "libboth.so"), 55, "the program's own goes before a library's")
        self.wrong("'a' is defined here", "-r", "-o", "x.o", "a.o", "a.o")

    def test_wrapped_and_wanted_names(self):
        self.make("w.c", "int real(void) { return 1; }\n")
        self.make("x.c", "int real(void), __real_real(void);\nint __wrap_real(void) { return 10 + __real_real(); }\n"
                  "int main(void) { return real(); }\n")
        self.assertEqual(self.value("w.c", "x.c", "-Wl,--wrap=real"), 11)

    def test_questions_of_build_systems(self):
        self.assertRegex(self.cc("--version")[0], r"\Aorrery cc \(Orrery \d+\.\d+\.\d+\) \d+\.\d+\.\d+\n")
        self.assertRegex(self.cc("-dumpversion")[0], r"\A\d+\.\d+\.\d+\n\Z")
        self.assertRegex(self.cc("-dumpmachine")[0], r"\A\w+-\w+-linux\n\Z")
        self.assertEqual(self.cc("-print-prog-name=ld")[0], "ld\n")
        self.assertTrue(os.path.exists(self.cc("-print-libgcc-file-name")[0].strip()))
        self.assertTrue(os.path.exists(self.cc("-print-file-name=libm.a")[0].strip()))
        self.assertEqual(self.cc("-print-file-name=none.a")[0], "none.a\n")
        self.assertRegex(self.cc("-print-search-dirs")[0], r"(?m)^libraries: =/")
        self.assertRegex(self.cc("-show", "-c", "x.c")[0], r"orrery-cc -c x.c\n\Z")
        self.assertRegex(self.cc("-showme:compile")[0], r"\A-I/.*include\n\Z")
        self.assertRegex(self.cc("-link_info")[0], r"orrery-cc -L/.* -lmpi\n\Z")
        self.assertRegex(self.cc("-Wl,--version")[0], r"\AOrrery linker .*GNU ld\n\Z", "for Meson")
        self.assertEqual(self.cc("-###", "hello.c")[0], "")
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "a.out")))
        self.wrong("-dumpspecs: there are no specs", "-dumpspecs")
        self.wrong("unknown option '-inclde'; did you mean '-include'", "-inclde", "x", "hello.c")

    def test_macros_of_identity(self):
        out, _ = self.cc("-dM", "-E", "-", stdin="")
        macros = dict(re.findall(r"(?m)^#define (\w+) (.*)$", out))
        self.assertEqual((macros["__GNUC__"], macros["__ORRERY__"], macros["__LP64__"]), ("8", "1", "1"))
        self.assertFalse({"__x86_64__", "__i386__", "__aarch64__", "__STRICT_ANSI__", "__OPTIMIZE__"} & set(macros))
        self.assertEqual(self.cc("-dM", "-E", "-O2", "-", stdin="")[0].count("__OPTIMIZE__"), 1)

    def test_preprocessing_hostile_input(self):
        self.make("r.h", '#include "r.h"\n#include "r.h"\n')
        self.wrong("nested depth 200", "-c", "-x", "c", "r.h")
        self.make("bom.c", b"\xef\xbb\xbfint main(void)\r\n{\r\n    int \xc3\xa4 = 4;\\\r\n    return \xc3\xa4;\r\n}")
        self.assertEqual(self.value("bom.c"), 4)
        self.make("long.c", "int main(void) { return 0" + " + 0" * 262144 + "; }")
        self.assertIn(self.orrery("cc", "long.c", "-o", "p")[0], (0, 1))
        self.make("nul.c", b"int main(void) { return 3; }\0\n")
        self.assertIn(self.orrery("cc", "nul.c", "-o", "p")[0], (0, 1))
        self.make("date.c", "#include <string.h>\nint main(void) { return strcmp(__DATE__ __TIME__, \"Jan  1 200000:00:00\") != 0; }\n")
        self.assertEqual(self.value("date.c"), 0)
        self.cc("-o", "program", "date.c", environment={"SOURCE_DATE_EPOCH": "86400"})
        self.assertEqual(self.run_it("./program")[0], 1)
        self.make("e.c", "#error no\n#warning perhaps\n")
        self.wrong(r"^e.c:1:2: error: #error no", "-c", "e.c")

    def test_cmake_finds_mpi(self):
        shims = os.path.realpath(os.path.join(os.path.dirname(ORRERY), "..", "share", "orrery", "shims"))
        environment = {"PATH": shims + ":" + os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"}
        self.make("CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(t C)\nset(CMAKE_C_STANDARD 17)\n"
                  "set(CMAKE_C_STANDARD_REQUIRED ON)\nfind_package(MPI REQUIRED COMPONENTS C)\nfind_library(M m REQUIRED)\n"
                  "add_library(part SHARED part.c)\nadd_executable(app hello.c)\n"
                  "target_compile_features(app PRIVATE c_std_99)\ntarget_link_libraries(app part MPI::MPI_C ${M})\n"
                  "enable_testing()\nadd_test(NAME app COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 "
                  "${MPIEXEC_PREFLAGS} $<TARGET_FILE:app> x ${MPIEXEC_POSTFLAGS})\n")
        self.make("part.c", "int part(void) { return 1; }\n")
        status, out, err = self.run_it("cmake", "-S", ".", "-B", "b", "-DCMAKE_C_COMPILER=mpicc", environment=environment)
        self.assertEqual(status, 0, out + err)
        self.assertIn("identification is GNU", out)
        status, out, err = self.run_it("cmake", "--build", "b", environment=environment)
        self.assertEqual(status, 0, out + err)
        status, out, err = self.run_it("ctest", "--test-dir", "b", "-V", environment=environment)
        self.assertEqual(status, 0, out + err)
        self.assertIn("hello 2 of 3: <x>", out)

    def test_cmake_never_pairs_our_header_with_another_library(self):
        """With another compiler it finds either no MPI, or nothing of ours but the launcher."""
        share = os.path.realpath(os.path.join(os.path.dirname(ORRERY), "..", "share", "orrery"))
        environment = {"PATH": share + "/shims:" + os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"}
        self.make("CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(t C)\nfind_package(MPI COMPONENTS C)\n"
                  "message(STATUS \"found <${MPI_C_FOUND}> headers <${MPI_C_INCLUDE_DIRS}>\")\n")
        for options in ([], ["-DMPI_HOME=" + share], ["-DMPI_C_COMPILER=" + share + "/shims/mpicc"]):
            _, out, err = self.run_it("cmake", "-S", ".", "-B", "b", "--fresh", "-DCMAKE_C_COMPILER=gcc", *options, environment=environment)
            found = re.search("found <(.*)> headers <(.*)>", out)
            self.assertTrue(found, out + err)
            self.assertTrue(found[1].upper() != "TRUE" or share not in found[2], out)
        _, out, err = self.run_it("cmake", "-S", ".", "-B", "b2", "-DMPI_HOME=" + share, "-DCMAKE_C_COMPILER=" + share + "/bin/mpicc")
        self.assertIn("found <TRUE> headers <>", out, err)
        status, _, err = self.run_it("gcc", "-fsyntax-only", "-I" + share + "/include", "hello.c")
        self.assertTrue(status)
        self.assertIn("this mpi.h is Orrery's, and the compiler is another", err)
        self.make("mentions.c", "int MPI_Init(); int main(void) { return MPI_Init(); }\n")
        status, _, err = self.run_it("gcc", "mentions.c", "-L" + share + "/lib", "-lmpi")
        self.assertTrue(status)
        self.assertIn("this is the MPI of Orrery, and the linker is another", err)
        self.good("cc", "hello.c", share + "/lib/libmpi.so", "-o", "hello")
        if shutil.which("pkg-config"):
            for name in ("mpi", "mpich", "ompi", "ompi-c"):
                flags = self.run_it("pkg-config", "--cflags", "--libs", name, environment={"PKG_CONFIG_PATH": share + "/pkgconfig"})[1]
                self.good("cc", "hello.c", *flags.split(), "-o", "hello")


if __name__ == "__main__":
    main()
