#!/usr/bin/env python3
"""Objects of sources that were compiled before: found again, and only while nothing has changed. See command.py."""
import os
import time

from command import Command, main

PROGRAM = """#include "value.h"
#include <stdio.h>
int main(void)
{
    printf("%d %s\\n", VALUE, __FILE__);
    return 0;
}
"""


class Compiled(Command):
    """Whether the preprocessor was asked tells whether the source was compiled."""

    def setUp(self):
        super().setUp()
        self.cpp = os.path.join(self.folder.name, "bin")
        os.mkdir(self.cpp)
        path = self.make("bin/cpp", '#!/bin/sh\necho >> "$(dirname "$0")/../called"\nPATH=${PATH#*:} exec cpp "$@"\n')
        os.chmod(path, 0o700)
        self.settings = {"PATH": self.cpp + ":" + os.environ["PATH"],
                         "ORRERY_CACHE": os.path.join(self.folder.name, "cache")}
        self.make("main.c", PROGRAM)
        self.make("value.h", "#define VALUE 1\n")
        self.settle()

    def settle(self):
        time.sleep(0.25)

    def compiles(self, expected, *options, text="1 main.c\n"):
        """Runs the program. Whether it was compiled must be as expected."""
        marks = os.path.join(self.folder.name, "called")
        if os.path.exists(marks):
            os.unlink(marks)
        out, _ = self.good("run", *options, "main.c", environment=self.settings)
        self.assertEqual(out, text)
        self.assertEqual(os.path.exists(marks), expected, options)

    def test_second_run_does_not_compile(self):
        self.compiles(True)
        self.compiles(False)
        self.compiles(False, "-n", "1", "--machine", "ring-8")

    def test_changes_are_seen(self):
        self.compiles(True)
        self.make("value.h", "#define VALUE 2\n")
        self.settle()
        self.compiles(True, text="2 main.c\n")
        self.compiles(False, text="2 main.c\n")
        self.make("main.c", PROGRAM.replace("VALUE,", "VALUE + 5,"))
        self.settle()
        self.compiles(True, text="7 main.c\n")
        self.make("main.c", PROGRAM)
        self.compiles(False, text="2 main.c\n")

    def test_a_change_that_keeps_size_and_time_is_seen(self):
        self.compiles(True)
        before = os.stat(os.path.join(self.folder.name, "value.h"))
        path = self.make("value.h", "#define VALUE 3\n")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.settle()
        self.compiles(True, text="3 main.c\n")

    def test_a_header_that_appears_in_front_is_seen(self):
        os.mkdir(os.path.join(self.folder.name, "late"))
        os.rename(os.path.join(self.folder.name, "value.h"), os.path.join(self.folder.name, "late", "value.h"))
        os.mkdir(os.path.join(self.folder.name, "early"))
        self.settle()
        flags = ("-Iearly", "-Ilate")

        def build(expected, text):
            marks = os.path.join(self.folder.name, "called")
            if os.path.exists(marks):
                os.unlink(marks)
            self.good("cc", *flags, "-o", "program", "main.c", environment=self.settings)
            self.assertEqual(os.path.exists(marks), expected)
            self.assertEqual(self.good("run", "program", environment=self.settings)[0], text)

        build(True, "1 main.c\n")
        build(False, "1 main.c\n")
        self.make("early/value.h", "#define VALUE 4\n")
        self.settle()
        build(True, "4 main.c\n")
        self.make("value.h", "#define VALUE 5\n")
        self.settle()
        build(True, "5 main.c\n")
        os.unlink(os.path.join(self.folder.name, "value.h"))
        os.unlink(os.path.join(self.folder.name, "early", "value.h"))
        build(True, "1 main.c\n")

    def test_a_fresh_file_is_not_trusted(self):
        self.make("value.h", "#define VALUE 6\n")
        self.compiles(True, text="6 main.c\n")
        self.make("value.h", "#define VALUE 7\n")
        self.compiles(True, text="7 main.c\n")

    def test_warnings_are_given_each_time(self):
        self.make("main.c", "int main(void) { int x = 1; return 0; }\n")
        self.settle()
        for _ in range(2):
            _, err = self.good("cc", "-Wall", "-c", "-o", "main.o", "main.c", environment=self.settings)
            self.assertIn("-Wunused-variable", err)

    def test_errors_are_given_each_time(self):
        self.make("main.c", "int main(void) { return x; }\n")
        self.settle()
        for _ in range(2):
            status, _, err = self.orrery("run", "main.c", environment=self.settings)
            self.assertNotEqual(status, 0)
            self.assertIn("main.c:1:25: error:", err)

    def test_a_question_for_a_header_is_asked_each_time(self):
        self.make("value.h", "#if __has_include(\"other.h\")\n#define VALUE 8\n#else\n#define VALUE 1\n#endif\n")
        self.settle()
        self.compiles(True)
        self.make("other.h", "\n")
        self.settle()
        self.compiles(True, text="8 main.c\n")

    def test_options_and_folder_count(self):
        self.compiles(True)
        self.good("cc", "-DVALUE=1", "-c", "-o", "a.o", "main.c", environment=self.settings)
        for level in ("-O0", "-O2"):
            self.good("cc", level, "-S", "-o", level + ".s", "main.c", environment=self.settings)
        self.assertNotEqual(self.read("-O0.s"), self.read("-O2.s"))

    def test_dependencies_are_written_each_time(self):
        for _ in range(2):
            self.good("cc", "-MMD", "-c", "-o", "main.o", "main.c", environment=self.settings)
            self.assertIn(b"value.h", self.read("main.d"))
            os.unlink(os.path.join(self.folder.name, "main.d"))

    def test_damaged_entries_and_folders_do_no_harm(self):
        self.compiles(True)
        cache = self.settings["ORRERY_CACHE"]
        for name in os.listdir(cache):
            with open(os.path.join(cache, name), "r+b") as entry:
                entry.seek(100)
                entry.write(b"rubbish")
        self.compiles(True)
        self.compiles(False)
        self.settings["ORRERY_CACHE"] = "/dev/null/nowhere"
        self.compiles(True)
        self.settings["ORRERY_CACHE"] = ""
        self.compiles(True)
        self.compiles(True)


if __name__ == "__main__":
    main()
