#!/usr/bin/env python3
"""The native tier and the compiler of the host. See command.py."""
import os

from command import Command, SPIN, main


class HostCompiler(Command):
    """The compiler of the native tier, replaced by one that leaves a mark and fails in some way."""
    ALONE = "orrery: the interpreter runs the program alone: "

    def compiler(self, ending):
        path = self.make("compiler", '#!/bin/sh\necho >> "$(dirname "$0")/called"\n' + ending + "\n")
        os.chmod(path, 0o700)
        return {"ORRERY_CC": path, "ORRERY_CACHE": ""}

    def test_failures_are_told_once(self):
        object_of_its_own = ('while [ $# -gt 1 ]; do [ "$1" = -o ] && echo "int x;" > o.c && cc -shared -fPIC -o "$2" o.c; '
                             'shift; done')
        for ending, pattern in (("echo broken >&2; exit 1", "the C compiler .*/compiler failed: broken$"),
                                ("kill -SEGV $$", "the C compiler .*/compiler failed$"),
                                ("exit 0", "the C compiler .*/compiler failed: it made nothing$"),
                                (object_of_its_own, "what the C compiler made is not what it was given$")):
            _, err = self.good("run", "--tier", "native", "hello.c", environment=self.compiler(ending))
            self.assertRegex(err, "(?m)^" + self.ALONE + pattern)
            self.assertEqual(err.count("orrery:"), 1, err)

    def test_a_failure_in_the_background_is_told_once(self):
        self.make("spin.c", SPIN)
        _, _, err = self.orrery("run", "--max-time", "2s", "spin.c", environment=self.compiler("exit 1"))
        self.assertRegex(err, "(?m)^" + self.ALONE + "the C compiler .* failed$")
        self.assertEqual(err.count(self.ALONE), 1, err)

    def test_is_not_called_where_its_code_would_not_run(self):
        for options in (["--check"], ["--set", "memory.model=hierarchy"], ["--tier", "interp"]):
            self.good("run", "--tier", "native", *options, "hello.c", environment=self.compiler("exit 1"))
            self.assertFalse(os.path.exists(os.path.join(self.folder.name, "called")), options)
        self.good("run", "--tier", "native", "--check=leaks", "hello.c", environment=self.compiler("exit 1"))
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "called")))


if __name__ == "__main__":
    main()
